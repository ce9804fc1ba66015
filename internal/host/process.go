package host

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// process is one program under test: what it holds, and its sticky error. The
// server's mutex guards it.
type process struct {
	s *Server
	// token names it, conns are its connections. lives is set while its process is known to,
	// which unwatch stops to watch.
	token   uint64
	conns   map[*net.UnixConn]bool
	lives   bool
	unwatch func()
	// ctx ends when the program is gone, or by gone.
	ctx  context.Context
	gone func()

	// work is what has not ended, in the order in which it was enqueued, awaited what
	// streams wait for by events. changes counts what may let parked work continue. waiting
	// are the calls in which threads of the host wait; tended is set if a goroutine looks
	// after parked work.
	work    []*piece
	awaited map[lane]*awaited
	changes uint64
	waiting []*trace.HostCall
	// hostFunctions counts host functions of streams; functionThread is set if the runtime
	// has a thread for them.
	hostFunctions  uint64
	functionThread bool
	tended         bool
	// memoryOps counts the values that streams write and wait for.
	memoryOps uint64
	// called is when the last request came, calledTime hostTime then, if there is parked work.
	called     time.Time
	calledTime time.Duration
	pid        int
	// exiting is set if the program is about to end.
	exiting bool
	// staged takes the bytes of a copy that the program sends.
	staged *staged
	// queries counts those answered with cudaErrorNotReady since anything else happened.
	queries int

	// watched is set if the program's code tells its accesses.
	watched bool
	// touches is how often its code has told accesses.
	touches uint64
	// telling is how many threads are about to.
	telling int
	lines   *lineTable
	text    []byte
	printed bool // a kernel has
	// unseen is the first launch that printed after the host last waited for the device, nil for none.
	unseen *LaunchInfo
	// pending counts child grids that were launched and have not begun.
	pending uint64
	sticky  Code

	allocs map[uint64]*mem.Allocation
	// freeing has those that streams are still to free.
	freeing map[*mem.Allocation]bool
	// reserved are the bases of ranges of addresses that it reserved; false for those that it gave
	// back while there was memory, which keeps its place until it is freed.
	reserved map[uint64]bool
	devices  map[uint64]uint8 // of allocations by base, where it is not 0
	calls    map[string]int
	modules  []*module
	kernels  []*kernel
	symbols  []map[string]uint64 // by device
	limits   []Limits            // by device

	streams  map[uint64]*stream
	events   map[uint64]*event
	textures map[uint64]uint8 // devices of objects and bound references by handle
	// refused are the addresses that the program has tried to free after a fault.
	refused map[uint64]bool
}

// misuse reports wrong use of a call and answers with code.
func (p *process) misuse(q *request, r *reply, code Code, format string, args ...any) {
	r.code = code
	p.apiError(q, APIError{Code: code, Cause: transferCause(code), Detail: fmt.Sprintf(format, args...)})
}

// transferCause is what an error code alone implies about a bad transfer.
func transferCause(code Code) trace.Cause {
	switch code {
	case ErrorInvalidPitchValue:
		return trace.CausePitch
	case ErrorInvalidMemcpyDirection:
		return trace.CauseDirection
	}
	return ""
}

// apiError passes on misuse of the call.
func (p *process) apiError(q *request, e APIError) {
	if f := p.s.cfg.Hooks.APIError; f != nil {
		e.Call, e.Where = q.call, p.where(q)
		f(e)
	}
}

// where is the place of the call in the program, or "".
func (p *process) where(q *request) string {
	if q.place != "" {
		return q.place
	}
	return p.lines.find(q.frames)
}

func (p *process) doUnsupported(q *request, _ *protocol.Unsupported, _ *reply) {
	what := q.call
	if at := p.where(q); at != "" {
		what += " at " + at
	}
	p.unsupported(what)
}

func (p *process) unsupported(what string) {
	if f := p.s.cfg.Hooks.Unsupported; f != nil {
		f(what)
	}
}

func (p *process) doMisuse(q *request, in *protocol.Misuse, r *reply) {
	code := Code(in.Code)
	e := APIError{Code: code, Cause: transferCause(code), Detail: in.Detail, Transfer: in.Kind != protocol.MisuseOther}
	if in.Kind == protocol.MisuseVariable {
		e.Cause = trace.CauseOutside
	}
	p.apiError(q, e)
	r.code = Success // the shim has the code
}

func (p *process) doUnread(q *request, in *protocol.Unread, _ *reply) {
	e := trace.UnreadError{Call: q.call, Where: p.where(q), Launch: in.Launch, Cleared: in.Cleared, Error: in.Error}
	if f := p.s.cfg.Hooks.Unread; f != nil {
		f(&e)
	}
}

func (p *process) doFailed(q *request, in *protocol.Failed, _ *reply) {
	if f := p.s.cfg.Hooks.Failed; f != nil {
		f(&trace.FailedCall{Call: q.call, Where: p.where(q), Code: int(in.Code), Sticky: in.Sticky, Error: in.Error, Text: in.Text,
			Collective: trace.CollectiveFault(in.Collective), Allocates: in.Allocates, Kept: uint64(in.Kept), Size: in.Size})
	}
}

func (p *process) doHostAccess(q *request, in *protocol.HostAccess, _ *reply) {
	addr := uint64(in.Address)
	if f := p.s.cfg.Hooks.HostAccess; f != nil {
		al, _ := p.s.cfg.Arena.Nearest(addr)
		f(addr, al, p.where(q))
	}
}
