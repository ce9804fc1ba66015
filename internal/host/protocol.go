package host

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"reflect"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
)

// maxFrame bounds a request: a module's text is the longest.
const maxFrame = 1 << 30

// request is one decoded request.
type request struct {
	op protocol.Op
	// device is the calling thread's current device.
	device uint8
	// conn is that of the thread.
	conn   *net.UnixConn
	call   string
	place  string
	frames []uint64
	// in points to the request's own structure.
	in any
	// bad is set by a handler for contents that the runtime library does not send. It
	// ends the connection.
	bad bool
	// ends are the addresses that a copy or fill writes and reads.
	ends [2]uint64
	// ctx ends with the check.
	ctx context.Context
}

// readRequest reads one frame.
func readRequest(r io.Reader) (*request, error) {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(length[:])
	if n > maxFrame {
		return nil, fmt.Errorf("frame of %d bytes", n)
	}
	body, err := readBody(r, int(n))
	if err != nil {
		return nil, err
	}
	var h protocol.Head
	body, err = protocol.Decode(body, &h)
	if err != nil {
		return nil, err
	}
	o := h.Op.Operation()
	if o == nil {
		return nil, fmt.Errorf("no operation has the number %d", h.Op)
	}
	q := &request{op: h.Op, device: h.Device, call: h.Call, place: h.Place, frames: h.Frames, in: reflect.New(reflect.TypeOf(o.Request)).Interface()}
	_, err = protocol.Decode(body, q.in)
	return q, err
}

// readBody reads n bytes. A length alone takes little memory.
func readBody(r io.Reader, n int) ([]byte, error) {
	const first = 1 << 20
	body := make([]byte, min(n, first))
	for at := 0; ; {
		if _, err := io.ReadFull(r, body[at:]); err != nil || len(body) == n {
			return body, err
		}
		at = len(body)
		body = append(body, make([]byte, min(at, n-at))...)
	}
}

// reply collects the answer to one request.
type reply struct {
	code Code
	// text is for the program's standard output.
	text []byte
	// out points to the operation's own structure, nil for none.
	out any
	// hideFault keeps a fault from showing before the next call.
	hideFault bool
}

// encode returns the frame of the reply.
func (r *reply) encode(sticky Code) []byte {
	b := protocol.Encode(make([]byte, 4, 256), protocol.ReplyHead{Code: int32(r.code), Sticky: int32(sticky), Text: string(r.text)})
	if r.out != nil {
		b = protocol.Encode(b, r.out)
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

// handler carries out a request.
type handler func(p *process, q *request, r *reply)

// handlers holds the operations' handlers by number.
var handlers = make([]handler, len(protocol.Operations)+1)

// ask makes f the handler of a request that is answered with more than an error.
func ask[In, Out any](f func(p *process, q *request, in *In, r *reply, out *Out)) {
	op := protocol.OpOf(reflect.TypeFor[In]())
	if want := reflect.TypeOf(op.Operation().Reply); want != reflect.TypeFor[Out]() {
		panic(fmt.Sprintf("operation %d is answered with a %v", op, want))
	}
	handlers[op] = func(p *process, q *request, r *reply) {
		out := new(Out)
		r.out = out
		f(p, q, q.in.(*In), r, out)
	}
}

// tell makes f the handler of a request that is answered with an error alone.
func tell[In any](f func(p *process, q *request, in *In, r *reply)) {
	ask(func(p *process, q *request, in *In, r *reply, _ *protocol.None) { f(p, q, in, r) })
}

// Code is a cudaError_t ("CUDA Runtime API", "Data types used by CUDA
// Runtime").
type Code int32
