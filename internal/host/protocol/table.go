// Package protocol is the socket protocol between a program's runtime library
// (internal/shim/runtime) and the engine (package host), written once.
//
// A request is its length, a Head and the operation's request; a reply is its
// length, a ReplyHead and the operation's reply. The structures of this package
// are what goes over the socket: Encode and Decode follow their fields, and
// Header makes of the same structures runtime/protocol.h, through which the C++
// side encodes and decodes.
//
// All values are little-endian. A string is a u32 length and bytes, a []byte a
// u64 length and bytes, another slice a u32 count and its elements; arrays and
// structures are their parts.
//
// What a field may be is its tag (valid.go); Decode refuses anything else.
//
// To add an operation: its structures in messages*.go, a row in Operations,
// "go test ./internal/host/protocol -update" for the header, a handler in package
// host (which fails to start without one), and a Call in the runtime.
package protocol

import (
	"hash/fnv"
	"reflect"
	"sync"
)

// Op is the number of an operation.
type Op uint32

// Operation is a row of the table: a request, and what it is answered with.
type Operation struct {
	Name           string
	Request, Reply any
}

// Operations lists the operations. An operation's number is its row, from 1 on.
var Operations = []Operation{
	{"Hello", Hello{}, Caps{}},
	{"Bye", Bye{}, None{}},

	{"Load", Load{}, LoadReply{}},
	{"LoadLinked", LoadLinked{}, LoadLinkedReply{}},
	{"Unpack", Unpack{}, UnpackReply{}},
	{"Unload", Unload{}, None{}},
	{"Compile", Compile{}, CompileReply{}},
	{"Library", Library{}, LibraryReply{}},
	{"Function", Function{}, FunctionReply{}},
	{"FuncAttribute", FuncAttribute{}, None{}},
	{"Occupancy", Occupancy{}, OccupancyReply{}},
	{"Variable", Variable{}, VariableReply{}},
	{"Launch", Launch{}, LaunchReply{}},

	{"Alloc", Alloc{}, AllocReply{}},
	{"Free", Free{}, None{}},
	{"Copy", Copy{}, CopyReply{}},
	{"Stage", Stage{}, None{}},
	{"Set", Set{}, None{}},
	{"WriteValue", WriteValue{}, None{}},
	{"WaitValue", WaitValue{}, None{}},
	{"MemInfo", MemInfo{}, MemInfoReply{}},
	{"PointerInfo", PointerInfo{}, PointerReply{}},
	{"Reserve", Reserve{}, ReserveReply{}},
	{"Unreserve", Unreserve{}, None{}},
	{"Map", Map{}, None{}},
	{"Contents", Contents{}, ContentsReply{}},
	{"Unmap", Unmap{}, None{}},

	{"StreamCreate", StreamCreate{}, StreamCreateReply{}},
	{"StreamDestroy", StreamDestroy{}, None{}},
	{"StreamInfo", StreamInfo{}, StreamInfoReply{}},
	{"StreamSync", StreamSync{}, None{}},
	{"StreamWait", StreamWait{}, None{}},
	{"EventCreate", EventCreate{}, EventCreateReply{}},
	{"EventOpen", EventOpen{}, None{}},
	{"EventDestroy", EventDestroy{}, None{}},
	{"EventRecord", EventRecord{}, None{}},
	{"EventSync", EventSync{}, None{}},
	{"EventElapsed", EventElapsed{}, EventElapsedReply{}},
	{"DeviceSync", DeviceSync{}, None{}},
	{"Reset", Reset{}, None{}},
	{"SetLimit", SetLimit{}, None{}},

	{"Texture", Texture{}, TextureReply{}},
	{"TextureFree", TextureFree{}, None{}},
	{"Name", Name{}, None{}},

	{"Unsupported", Unsupported{}, None{}},
	{"Misuse", Misuse{}, None{}},
	{"Unread", Unread{}, None{}},
	{"Failed", Failed{}, None{}},
	{"HostAccess", HostAccess{}, None{}},
	{"Touched", Touched{}, None{}},
	{"Settle", Settle{}, None{}},
	{"HostFunction", HostFunction{}, HostFunctionReply{}},
	{"HostTurn", HostTurn{}, HostTurnReply{}},
	{"HostEnd", HostEnd{}, None{}},
	{"Operator", Operator{}, None{}},

	{"RanksID", RanksID{}, RanksIDReply{}},
	{"RanksJoin", RanksJoin{}, RanksJoinReply{}},
	{"RanksLeave", RanksLeave{}, None{}},
	{"RanksPost", RanksPost{}, RanksPostReply{}},
	{"RanksAwait", RanksAwait{}, RanksAwaitReply{}},
	{"RanksTake", RanksTake{}, None{}},
	{"RanksDone", RanksDone{}, None{}},
}

// MisuseKind is what is wrong with a call.
type MisuseKind uint8

// A copy whose rows are longer than their distance, one beyond the end of a
// variable, or something else.
const (
	MisuseOther MisuseKind = iota
	MisusePitch
	MisuseVariable
)

// OccupancyOf is what Occupancy asks for.
type OccupancyOf uint8

// The blocks of a multiprocessor for an amount of dynamic shared memory, that
// amount for a number of blocks, the blocks of the largest cluster.
const (
	OccupancyBlocks OccupancyOf = iota
	OccupancyShared
	OccupancyCluster
)

// Carrier is who carries out a copy.
type Carrier uint8

// The program, which sees all memory, at once; the engine, when all that is before the copy in
// its stream has ended; the engine too, with bytes of the program's own memory that Stage
// sends at once ("CUDA Runtime API", "API synchronization behavior").
const (
	CarrierNow Carrier = iota
	CarrierLater
	CarrierStaged
)

// ValueCondition is how what is in memory compares with the value that a stream waits for
// (CUstreamWaitValue_flags).
type ValueCondition uint8

// Not less, cyclically; equal; a common bit is set; a bit is set in neither.
const (
	ValueGreater ValueCondition = iota
	ValueEqual
	ValueAnd
	ValueNor
)

// Named is what has a name.
type Named uint8

// The kinds of things that programs name.
const (
	NamedStream Named = iota
	NamedMemory
	NamedOther
)

// RankWay is who meets for an operation of a communicator.
type RankWay uint8

// All ranks; a rank that sends, and its peer; a rank that receives, and its peer.
const (
	RanksAll RankWay = iota
	RankSends
	RankReceives
)

// RankProblem is why a process does not become a rank of a communicator.
type RankProblem uint8

// There is none; the identifier is not one of this run; another rank has given another size; the rank
// is there already.
const (
	RankFits RankProblem = iota
	RankUnknownID
	RankOtherSize
	RankTaken
)

// RankAbsence is why a rank does not come to an operation.
type RankAbsence uint8

// All have come; nothing happens any more in any process; the rank has left its communicator; the rank's
// process has ended.
const (
	RanksCame RankAbsence = iota
	RankQuiet
	RankLeft
	RankEnded
)

// enums lists the enumerations with the names of their values, in order.
var enums = []struct {
	value  any
	values []string
}{
	{MisuseKind(0), []string{"Other", "Pitch", "Variable"}},
	{OccupancyOf(0), []string{"Blocks", "Shared", "Cluster"}},
	{Carrier(0), []string{"Now", "Later", "Staged"}},
	{ValueCondition(0), []string{"Greater", "Equal", "And", "Nor"}},
	{Named(0), []string{"Stream", "Memory", "Other"}},
	{RankWay(0), []string{"All", "Sends", "Receives"}},
	{RankProblem(0), []string{"Fits", "UnknownID", "OtherSize", "Taken"}},
	{RankAbsence(0), []string{"Came", "Quiet", "Left", "Ended"}},
}

// numbers finds an operation by the type of its request.
var numbers = sync.OnceValue(func() map[reflect.Type]Op {
	m := map[reflect.Type]Op{}
	for i, o := range Operations {
		m[reflect.TypeOf(o.Request)] = Op(i + 1)
	}
	return m
})

// OpOf is the operation of a request's type, 0 for a type that is none.
func OpOf(request reflect.Type) Op { return numbers()[request] }

// Operation is the row of an operation, nil where there is none.
func (o Op) Operation() *Operation {
	if o == 0 || int(o) > len(Operations) {
		return nil
	}
	return &Operations[o-1]
}

// Version tells builds of the runtime library and of the engine apart that do not
// understand each other: it changes with anything in the table.
var Version = sync.OnceValue(func() uint32 {
	h := fnv.New32a()
	h.Write(messages())
	return h.Sum32()
})
