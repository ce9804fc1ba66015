package host

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// maxText is how much device text is kept back until the program waits.
const maxText = 1 << 20

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

func newProcess(s *Server) *process {
	p := &process{s: s, conns: map[*net.UnixConn]bool{}, calls: map[string]int{}}
	p.forget()
	return p
}

// forget drops all that a device reset drops, but not the allocations.
func (p *process) forget() {
	p.allocs = map[uint64]*mem.Allocation{}
	p.freeing = map[*mem.Allocation]bool{}
	p.reserved = map[uint64]bool{}
	p.modules, p.kernels = nil, nil
	p.devices = map[uint64]uint8{}
	p.limits = make([]Limits, p.s.cfg.Devices)
	for i := range p.limits {
		p.limits[i] = DefaultLimits()
	}
	p.symbols = make([]map[string]uint64, p.s.cfg.Devices)
	for i := range p.symbols {
		p.symbols[i] = map[string]uint64{}
	}
	p.streams, p.awaited = map[uint64]*stream{}, map[lane]*awaited{}
	p.events = map[uint64]*event{}
	p.onMemory().forgetTextures()
}

// handle carries out one request and answers it. The error ends the
// connection.
func (p *process) handle(q *request) error {
	defer p.hurry(q)()
	if q.beside() {
		p.s.enterBeside()
	} else {
		p.s.enter()
	}
	defer p.s.leave()
	p.s.underway++
	defer func() { p.s.underway--; p.s.handled++ }()
	if int(q.device) >= p.s.cfg.Devices {
		return fmt.Errorf("request for device %d of %d", q.device, p.s.cfg.Devices)
	}
	switch in := q.in.(type) {
	case *protocol.Hello:
		return errors.New("a second hello")
	case *protocol.Touched:
		return p.onMemory().touched(q, in)
	case *protocol.StreamSync, *protocol.EventSync:
	default:
		p.queries = 0
	}
	if p.called = time.Now(); p.tended {
		p.calledTime = hostTime(p.pid)
	}
	var r reply
	switch {
	case p.sticky != Success && !q.afterFault():
		p.onMemory().refuse(q)
		r.code = p.sticky
	default:
		q.ctx = p.ctx
		if f := p.s.cfg.Hooks.Asked; f != nil {
			f(q.in)
		}
		handlers[q.op](p, q, &r)
	}
	if q.bad {
		return fmt.Errorf("malformed request %d", q.op)
	}
	if q.flushes(&r) {
		p.unseen = nil
	}
	if q.waits(&r) || len(p.text) > maxText || p.sticky != Success {
		r.text, p.text = p.text, nil
	}
	shown := p.sticky
	if r.hideFault {
		shown = Success
	}
	_, err := q.conn.Write(r.encode(shown))
	return err
}

// afterFault reports whether a request is executed after a kernel's fault.
func (q *request) afterFault() bool {
	switch q.in.(type) {
	case *protocol.Bye, *protocol.HostAccess, *protocol.Unsupported, *protocol.Function, *protocol.Unread, *protocol.Failed,
		*protocol.RanksLeave, *protocol.RanksPost, *protocol.RanksAwait, *protocol.RanksDone: // others wait for it
		return true
	}
	return false
}

// waits reports whether the host waits for the device in a request, which is
// when device text comes out ("CUDA C++ Programming Guide", "Formatted
// Output", "Limitations").
func (q *request) waits(r *reply) bool {
	switch q.in.(type) {
	case *protocol.DeviceSync, *protocol.Free, *protocol.Reset, *protocol.Bye, *protocol.EventSync, *protocol.StreamSync,
		*protocol.Copy:
		return !r.hideFault
	}
	return false
}

// flushes reports whether a GPU writes out the text of earlier kernels at a request: asynchronous copies and the
// end of the program do not ("CUDA C++ Programming Guide", "Formatted Output", "Limitations"). cudaFree is not on that
// list, but waits for the device.
func (q *request) flushes(r *reply) bool {
	switch in := q.in.(type) {
	case *protocol.Bye:
		return false
	case *protocol.Copy:
		return !in.Async
	case *protocol.Load, *protocol.Unload, *protocol.HostFunction:
		return true
	}
	return q.waits(r)
}

// hello takes the first request of a connection of a process: it is of a new program, or of
// another thread of one that is connected. Only the first one gets the arena.
func (s *Server) hello(ctx context.Context, q *request, pid int) (*process, error) {
	s.mu.Lock()
	defer s.leave()
	delete(s.strangers, q.conn)
	in, ok := q.in.(*protocol.Hello)
	if !ok || in.Version != protocol.Version() {
		return nil, errors.New("no hello, or one of another version")
	}
	for s.programs[in.Token] == nil && s.busy {
		s.free.Wait()
	}
	if s.dismissed {
		return nil, errors.New("a hello after the program's end")
	}
	caps := s.caps()
	caps.Starter = pid != 0 && pid == s.starter
	answer := reply{out: &caps}
	p := s.programs[in.Token]
	joins := p != nil
	if joins && p.pid != pid {
		return nil, errors.New("a hello with the token of another process")
	}
	if !joins {
		p = newProcess(s)
		p.ctx, p.gone = context.WithCancel(ctx)
		p.token, p.pid, p.lines = in.Token, pid, &lineTable{exe: in.Exe}
		s.replaced(ctx, pid)
		p.watchProcess(ctx)
		s.programs[in.Token] = p
		if s.processes++; len(s.pids) < mostPids {
			s.pids = append(s.pids, pid)
		}
	}
	p.join(q.conn)
	_, err := q.conn.Write(answer.encode(Success))
	if err == nil && !joins {
		rights := unix.UnixRights(int(s.cfg.Arena.File().Fd()))
		_, _, err = q.conn.WriteMsgUnix([]byte{0}, rights, nil)
	}
	return p, err
}

// caps are the numbers of the emulated device.
func (s *Server) caps() protocol.Caps {
	a, m := s.cfg.Arch, s.cfg.Arena
	c := protocol.Caps{
		SM: uint64(a.SM), MaxThreads: uint64(a.MaxThreads),
		SharedPerBlock: uint64(a.SharedPerBlock), SharedOptin: uint64(a.SharedOptin), SharedPerSM: uint64(a.SharedPerSM),
		ThreadsPerSM: uint64(a.MaxThreadsPerSM), BlocksPerSM: uint64(a.MaxBlocksPerSM), RegsPerSM: uint64(a.RegsPerSM),
		Multiprocessors: uint64(s.cfg.Multiprocessors), TotalMem: s.deviceLimit(), Devices: uint64(s.cfg.Devices), Watch: s.cfg.Hooks.HostTouch != nil,
		ArenaBase: mem.ArenaBase, ArenaSize: m.Size(), HostBase: m.HostBase(), Socket: s.socket,
	}
	for i := range c.MaxBlock {
		c.MaxBlock[i], c.MaxGrid[i] = uint64(a.MaxBlock[i]), uint64(a.MaxGrid[i])
	}
	return c
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

func (p programCalls) doUnsupported(q *request, _ *protocol.Unsupported, _ *reply) {
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

func (p programCalls) doMisuse(q *request, in *protocol.Misuse, r *reply) {
	code := Code(in.Code)
	e := APIError{Code: code, Cause: transferCause(code), Detail: in.Detail, Transfer: in.Kind != protocol.MisuseOther}
	if in.Kind == protocol.MisuseVariable {
		e.Cause = trace.CauseOutside
	}
	p.apiError(q, e)
	r.code = Success // the shim has the code
}

func (p programCalls) doUnread(q *request, in *protocol.Unread, _ *reply) {
	e := trace.UnreadError{Call: q.call, Where: p.where(q), Launch: in.Launch, Cleared: in.Cleared, Error: in.Error}
	if f := p.s.cfg.Hooks.Unread; f != nil {
		f(&e)
	}
}

func (p programCalls) doFailed(q *request, in *protocol.Failed, _ *reply) {
	if f := p.s.cfg.Hooks.Failed; f != nil {
		f(&trace.FailedCall{Call: q.call, Where: p.where(q), Code: int(in.Code), Sticky: in.Sticky, Error: in.Error, Text: in.Text,
			Collective: trace.CollectiveFault(in.Collective), Allocates: in.Allocates, Kept: uint64(in.Kept), Size: in.Size})
	}
}

func (p programCalls) doHostAccess(q *request, in *protocol.HostAccess, _ *reply) {
	addr := uint64(in.Address)
	if f := p.s.cfg.Hooks.HostAccess; f != nil {
		al, _ := p.s.cfg.Arena.Nearest(addr)
		f(addr, al, p.where(q))
	}
}

func (p programCalls) doBye(q *request, _ *protocol.Bye, _ *reply) {
	p.exiting = true
	p.onStreams().await(q, p.work)
	if f := p.s.cfg.Hooks.Unseen; f != nil && p.unseen != nil && p.sticky == Success {
		f(&trace.UnseenText{Launch: p.unseen.ID, Kernel: p.unseen.Kernel, Where: p.unseen.Where})
	}
	p.onMemory().reportLeaks(p.onMemory().owned())
}
