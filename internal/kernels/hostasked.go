package kernels

import (
	"crypto/sha256"
	"encoding/binary"
	"reflect"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
)

// counts says how a request of the program counts as something that the host gives the device.
type counts uint8

const (
	// asItself counts the request's fields: kernels can find out what it says.
	asItself counts = iota
	// asStep is a launch, a copy or a fill: it is noted where that is enqueued.
	asStep
	// asOrder changes when work runs: the order in which launches begin is noted.
	asOrder
	// asMemory brings bytes into memory, which is compared.
	asMemory
	// asNothing asks, or reports what the program did: no kernel can find out anything by it.
	asNothing
)

// requestsCount has each operation of the protocol by name.
var requestsCount = map[string]counts{
	"Load": asItself, "LoadLinked": asItself, "Unload": asItself, "Compile": asItself,
	"Alloc": asItself, "Free": asItself, "Reserve": asItself, "Unreserve": asItself, "Map": asItself, "Unmap": asItself,
	"Texture": asItself, "TextureFree": asItself, "SetLimit": asItself, "Reset": asItself,

	"Launch": asStep, "Copy": asStep, "Set": asStep, "WriteValue": asStep,

	"WaitValue": asOrder, "StreamCreate": asOrder, "StreamDestroy": asOrder, "StreamSync": asOrder, "StreamWait": asOrder, "EventCreate": asOrder,
	"EventOpen": asOrder, "EventDestroy": asOrder, "EventRecord": asOrder, "EventSync": asOrder, "DeviceSync": asOrder, "Settle": asOrder,
	"HostFunction": asOrder, "HostTurn": asOrder, "HostEnd": asOrder,

	"Stage": asMemory, "Operator": asMemory, "RanksTake": asMemory,

	"Hello": asNothing, "Bye": asNothing, "Unpack": asNothing, "Library": asNothing, "Function": asNothing, "FuncAttribute": asNothing,
	"Occupancy": asNothing, "Variable": asNothing, "MemInfo": asNothing, "Contents": asNothing, "PointerInfo": asNothing, "StreamInfo": asNothing, "EventElapsed": asNothing,
	"Name": asNothing, "Unsupported": asNothing, "Misuse": asNothing, "Unread": asNothing, "Failed": asNothing, "HostAccess": asNothing, "Touched": asNothing,
	"RanksID": asNothing, "RanksJoin": asNothing, "RanksLeave": asNothing, "RanksPost": asNothing, "RanksAwait": asNothing, "RanksDone": asNothing,
}

// longRequest is the size in bytes from which a request is noted by a hash.
const longRequest = 256

// asked notes a request that the device has not been told of yet.
func (f *hostFlow) asked(in any) {
	if l, ok := in.(*protocol.Launch); ok {
		f.kernel = l.Kernel
	}
	op := protocol.OpOf(reflect.TypeOf(in).Elem()).Operation()
	if requestsCount[op.Name] != asItself {
		return
	}
	b := protocol.Encode(nil, reflect.ValueOf(in).Elem().Interface())
	s := Step{Kind: StepRequest, Name: op.Name}
	if len(b) < longRequest {
		s.Words = f.words(nil, b)
	} else {
		h := sha256.Sum256(b)
		s.Words, s.Bytes = []uint32{binary.LittleEndian.Uint32(h[:]), binary.LittleEndian.Uint32(h[4:])}, len(b)
	}
	f.step(s)
}
