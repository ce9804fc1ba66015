package host

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// maxText is how much device text is kept back until the program waits.
const maxText = 1 << 20

// process is one program under test: what it holds, and its sticky error. The
// server's mutex guards it.
type process struct {
	s    *Server
	conn *net.UnixConn
	// ctx ends when the program is gone, or by gone.
	ctx  context.Context
	gone func()

	// work is what has not ended, in the order in which it was enqueued, awaited what
	// streams wait for by events. changes counts what may let parked work go on. waiters
	// are threads of the host that wait; tended says that a goroutine looks after parked work.
	work    []*piece
	awaited map[lane]*awaited
	changes uint64
	waiters int
	tended  bool
	// called is when the last request came, calledTime hostTime then, if there is parked work.
	called     time.Time
	calledTime time.Duration
	pid        int
	// staged takes the bytes of a copy that the program sends.
	staged func([]byte)
	// queries counts those answered with cudaErrorNotReady since anything else happened.
	queries int

	hello bool
	// watched says that the program's code tells its accesses.
	watched bool
	lines   *lineTable
	text    []byte
	printed bool // a kernel has
	// pending counts child grids that were launched and have not begun.
	pending uint64
	sticky  Code

	allocs map[uint64]*mem.Allocation
	// reserved are the bases of ranges of addresses that it reserved.
	reserved map[uint64]bool
	devices  map[uint64]uint8 // of allocations by base, where it is not 0
	calls    map[string]int
	modules  []*module
	kernels  []*kernel
	symbols  []map[string]uint64 // by device
	limits   []Limits            // by device

	nextHandle uint64
	streams    map[uint64]*stream
	events     map[uint64]*event
	textures   map[uint64]uint8 // devices of objects and bound references by handle
	// refused are the addresses that the program has tried to free after a fault.
	refused map[uint64]bool
}

func newProcess(s *Server, c *net.UnixConn) *process {
	p := &process{s: s, conn: c, nextHandle: firstHandle, calls: map[string]int{}}
	p.forget()
	return p
}

// forget drops all that a device reset drops, but not the allocations.
func (p *process) forget() {
	p.allocs = map[uint64]*mem.Allocation{}
	p.reserved = map[uint64]bool{}
	p.modules, p.kernels = nil, nil
	p.devices = map[uint64]uint8{}
	p.limits = make([]Limits, p.s.cfg.Devices)
	for i := range p.limits {
		p.limits[i] = defaultLimits()
	}
	p.symbols = make([]map[string]uint64, p.s.cfg.Devices)
	for i := range p.symbols {
		p.symbols[i] = map[string]uint64{}
	}
	p.streams, p.awaited = map[uint64]*stream{}, map[lane]*awaited{}
	p.events = map[uint64]*event{}
	p.forgetTextures()
}

// handle carries out one request and answers it. The error ends the
// connection.
func (p *process) handle(ctx context.Context, q *request) error {
	p.s.enter()
	defer p.s.leave()
	if !p.hello && q.op != opHello {
		return errors.New("request before hello")
	}
	if int(q.device) >= p.s.cfg.Devices {
		return fmt.Errorf("request for device %d of %d", q.device, p.s.cfg.Devices)
	}
	if q.op != opStreamSync && q.op != opEventSync {
		p.queries = 0
	}
	if p.called = time.Now(); p.tended {
		p.calledTime = hostTime(p.pid)
	}
	var r reply
	switch {
	case p.sticky != Success && !q.op.afterFault():
		p.refuse(q)
		r.code = p.sticky
	default:
		p.dispatch(ctx, q, &r)
	}
	if q.bad {
		return fmt.Errorf("malformed request %d", q.op)
	}
	if q.op.waits(&r) || len(p.text) > maxText || p.sticky != Success {
		r.text, p.text = p.text, nil
	}
	shown := p.sticky
	if r.hideFault {
		shown = Success
	}
	if _, err := p.conn.Write(r.encode(shown)); err != nil {
		return err
	}
	if q.op == opHello && r.code == Success {
		return p.sendArena()
	}
	return nil
}

// afterFault reports whether a request is carried out after a kernel's fault.
func (o op) afterFault() bool {
	switch o {
	case opBye, opHostAccess, opUnsupported, opFunction, opUnread:
		return true
	}
	return false
}

// waits reports whether the host waits for the device in a request, which is
// when device text comes out ("CUDA C++ Programming Guide", "Formatted
// Output", "Limitations").
func (o op) waits(r *reply) bool {
	switch o {
	case opDeviceSync, opFree, opReset, opBye, opEventSync, opStreamSync, opCopy:
		return !r.hideFault
	}
	return false
}

type handler func(p *process, ctx context.Context, q *request, r *reply)

var handlers = map[op]handler{
	opHello: (*process).doHello, opLoad: (*process).doLoad, opFunction: (*process).doFunction,
	opVariable: (*process).doVariable, opAlloc: (*process).doAlloc, opFree: (*process).doFree,
	opCopy: (*process).doCopy, opSet: (*process).doSet, opLaunch: (*process).doLaunch,
	opStreamCreate: (*process).doStreamCreate, opStreamDestroy: (*process).doStreamDestroy,
	opStreamInfo: (*process).doStreamInfo, opStreamSync: (*process).doStreamSync,
	opStreamWait: (*process).doStreamWait, opEventCreate: (*process).doEventCreate,
	opEventDestroy: (*process).doEventDestroy, opEventRecord: (*process).doEventRecord,
	opEventSync: (*process).doEventSync, opEventElapsed: (*process).doEventElapsed,
	opDeviceSync: (*process).doDeviceSync, opMemInfo: (*process).doMemInfo,
	opPointer: (*process).doPointer, opFuncAttribute: (*process).doFuncAttribute,
	opOccupancy: (*process).doOccupancy, opReset: (*process).doReset,
	opUnsupported: (*process).doUnsupported, opMisuse: (*process).doMisuse,
	opHostAccess: (*process).doHostAccess, opBye: (*process).doBye, opUnread: (*process).doUnread,
	opEventOpen:  (*process).doEventOpen,
	opLoadLinked: (*process).doLoadLinked, opUnpack: (*process).doUnpack, opHostWork: (*process).doHostWork,
	opUnload: (*process).doUnload, opSetLimit: (*process).doSetLimit, opCompile: (*process).doCompile,
	opTexture: (*process).doTexture, opTextureFree: (*process).doTextureFree,
	opStage: (*process).doStage, opTouched: (*process).doTouched, opName: (*process).doName,
	opReserve: (*process).doReserve, opUnreserve: (*process).doUnreserve, opMap: (*process).doMap, opUnmap: (*process).doUnmap,
}

func (p *process) dispatch(ctx context.Context, q *request, r *reply) {
	h := handlers[q.op]
	if h == nil {
		q.bad = true
		return
	}
	h(p, ctx, q, r)
}

func (p *process) doHello(_ context.Context, q *request, r *reply) {
	version, pid, exe := q.u32(), q.u64(), q.str()
	if version != protocolVersion || q.bad {
		r.code = ErrUnknown
		q.bad = true
		return
	}
	p.hello, p.pid = true, int(pid)
	p.s.processes++
	p.s.present++
	p.lines = &lineTable{exe: exe}
	a, m := p.s.cfg.Arch, p.s.cfg.Arena
	total := p.s.deviceLimit()
	for _, v := range []int{a.SM, a.MaxThreads, a.MaxBlock[0], a.MaxBlock[1], a.MaxBlock[2],
		a.MaxGrid[0], a.MaxGrid[1], a.MaxGrid[2], a.SharedPerBlock, a.SharedOptin, a.SharedPerSM,
		a.MaxThreadsPerSM, a.MaxBlocksPerSM, a.RegsPerSM, p.s.cfg.Multiprocessors} {
		r.u64(uint64(v))
	}
	r.u64(total).u64(mem.ArenaBase).u64(m.Size()).u64(m.HostBase()).u64(uint64(p.s.cfg.Devices))
}

// sendArena hands the arena's descriptor to the program.
func (p *process) sendArena() error {
	rights := unix.UnixRights(int(p.s.cfg.Arena.File().Fd()))
	_, _, err := p.conn.WriteMsgUnix([]byte{0}, rights, nil)
	return err
}

// misuse reports wrong use of a call and answers with code.
func (p *process) misuse(q *request, r *reply, code Code, format string, args ...any) {
	r.code = code
	p.apiError(q, APIError{Code: code, Cause: transferCause(code), Detail: fmt.Sprintf(format, args...)})
}

// transferCause is what a code alone tells of a bad transfer.
func transferCause(code Code) trace.Cause {
	switch code {
	case ErrInvalidPitchValue:
		return trace.CausePitch
	case ErrInvalidDirection:
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
func (p *process) where(q *request) string { return p.lines.find(q.frames) }

func (p *process) doUnsupported(_ context.Context, q *request, _ *reply) {
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

// misuseKind is what the runtime has found to be wrong; the values are those of
// shim/runtime/client.h.
type misuseKind uint8

const (
	misuseOther misuseKind = iota
	_                      // a copy whose rows are longer than their distance
	// misuseVariable is a copy beyond the end of a variable.
	misuseVariable
)

func (p *process) doMisuse(_ context.Context, q *request, r *reply) {
	code, kind := Code(q.u32()), misuseKind(q.u8())
	e := APIError{Code: code, Cause: transferCause(code), Detail: q.str(), Transfer: kind != misuseOther}
	if kind == misuseVariable {
		e.Cause = trace.CauseOutside
	}
	p.apiError(q, e)
	r.code = Success // the shim has the code
}

func (p *process) doUnread(_ context.Context, q *request, _ *reply) {
	e := trace.UnreadError{Call: q.call, Where: p.where(q), Launch: q.u8() != 0, Cleared: q.u8() != 0, Error: q.str()}
	if f := p.s.cfg.Hooks.Unread; f != nil {
		f(&e)
	}
}

func (p *process) doHostAccess(_ context.Context, q *request, _ *reply) {
	addr := q.u64()
	if f := p.s.cfg.Hooks.HostAccess; f != nil {
		al, _ := p.s.cfg.Arena.Nearest(addr)
		f(addr, al, p.where(q))
	}
}

func (p *process) doBye(_ context.Context, _ *request, _ *reply) {
	p.await(p.work)
	p.reportLeaks(p.owned())
}

// end gives back what the program held when it is gone.
func (p *process) end() {
	p.s.enter()
	defer p.s.leave()
	p.gone()
	p.drop()
	p.releaseAll()
	p.forget()
	if p.hello {
		p.s.present--
	}
}
