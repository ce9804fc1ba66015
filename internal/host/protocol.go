package host

import (
	"encoding/binary"
	"fmt"
	"io"
)

// protocolVersion and the operations are those of shim/runtime/client.h,
// which describes the frames.
const protocolVersion = 7

type op uint32

const (
	opHello op = 1 + iota
	opLoad
	opFunction
	opVariable
	opAlloc
	opFree
	opCopy
	opSet
	opLaunch
	opStreamCreate
	opStreamDestroy
	opStreamInfo
	opStreamSync
	opStreamWait
	opEventCreate
	opEventDestroy
	opEventRecord
	opEventSync
	opEventElapsed
	opDeviceSync
	opMemInfo
	opPointer
	opFuncAttribute
	opOccupancy
	opReset
	opUnsupported
	opMisuse
	opHostAccess
	opBye
	opTexture
	opTextureFree
	opUnload
	opSetLimit
	opCompile
	opTouched
	opName
	opReserve
	opUnreserve
	opMap
	opUnmap
)

// opHostWork is what a host function of a stream did.
const opHostWork op = 66

// opUnread is an error that the program did not read, opEventOpen opens an event of
// another process.
const (
	opUnread    op = 67
	opEventOpen op = 68
	// opStage has the bytes of a copy that is carried out later.
	opStage op = 69
)

// opLoadLinked loads the modules of a program with relocatable device code.
const opLoadLinked op = 64

// maxFrame bounds a request: a module's text is the longest.
const maxFrame = 1 << 30

// request is one decoded frame; the embedded decoder reads its payload.
type request struct {
	op op
	// device is the calling thread's current device.
	device uint8
	call   string
	frames []uint64
	// ends are the addresses that a copy or fill writes and reads.
	ends [2]uint64
	decoder
}

// readRequest reads one frame.
func readRequest(r io.Reader) (*request, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n < 7 || n > maxFrame {
		return nil, fmt.Errorf("frame of %d bytes", n)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, err
	}
	q := &request{decoder: decoder{buf: body}}
	q.op = op(q.u32())
	q.device = q.u8()
	q.call = string(q.bytes(uint64(q.u8())))
	for range q.u8() {
		q.frames = append(q.frames, q.u64())
	}
	if q.bad {
		return nil, fmt.Errorf("malformed frame of %d bytes", n)
	}
	return q, nil
}

// decoder reads little-endian values; past the end it returns zeros and sets
// bad.
type decoder struct {
	buf []byte
	bad bool
}

func (d *decoder) bytes(n uint64) []byte {
	if n > uint64(len(d.buf)) {
		d.bad, d.buf = true, nil
		return nil
	}
	b := d.buf[:n:n]
	d.buf = d.buf[n:]
	return b
}

func (d *decoder) u8() uint8 {
	if b := d.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) u32() uint32 {
	if b := d.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) u64() uint64 {
	if b := d.bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (d *decoder) str() string { return string(d.bytes(uint64(d.u32()))) }

// reply collects the answer to one request.
type reply struct {
	code Code
	// text is for the program's standard output.
	text []byte
	body []byte
	// hideFault keeps a fault from showing before the next call.
	hideFault bool
}

func (r *reply) u32(v uint32) *reply {
	r.body = binary.LittleEndian.AppendUint32(r.body, v)
	return r
}

func (r *reply) u64(v uint64) *reply {
	r.body = binary.LittleEndian.AppendUint64(r.body, v)
	return r
}

func (r *reply) str(s string) *reply {
	r.u32(uint32(len(s))).body = append(r.body, s...)
	return r
}

// encode returns the frame of the reply.
func (r *reply) encode(sticky Code) []byte {
	n := 12 + len(r.text) + len(r.body)
	b := make([]byte, 0, 4+n)
	b = binary.LittleEndian.AppendUint32(b, uint32(n))
	b = binary.LittleEndian.AppendUint32(b, uint32(r.code))
	b = binary.LittleEndian.AppendUint32(b, uint32(sticky))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(r.text)))
	b = append(b, r.text...)
	return append(b, r.body...)
}
