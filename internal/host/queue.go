package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// lane is a stream of a device: default streams of several devices have one number.
type lane struct {
	device int
	stream uint64
}

// piece is a piece of work in a stream: a launch, a copy, a fill, a free. It runs on a
// goroutine of its own, but only while who holds the server's turn waits for it. The package's
// documentation has a diagram of its states.
type piece struct {
	lane
	p *process
	// apart is set if its stream and the legacy default stream do not wait for each other.
	apart bool
	after []*piece
	// run carries it out. dropped, which may be nil, is called instead if a kernel has
	// failed before.
	run     func(context.Context, *piece)
	dropped func()
	state   pieceState
	// grid is the launch that it is, -1 for none; function the number of a host function,
	// which runs in the program, 0 for others.
	grid     int
	function uint64
	// resume tells a parked piece to continue: with nil to look again, else with what the host
	// does while nothing can release it. stopped tells that it has parked or ended. seen is
	// process.changes when it parked.
	resume  chan *trace.HostState
	stopped chan struct{}
	seen    uint64
	// ctx ends, with the same cause, when the program has gone or is out of time; for a parked
	// piece when it continues next.
	ctx     context.Context
	cancel  context.CancelCauseFunc
	endedAt time.Time
}

type pieceState uint8

const (
	waiting pieceState = iota
	running
	parked
	ended
)

// related reports whether work of one stream waits for earlier work of another ("CUDA
// Runtime API", "Stream synchronization behavior").
func (l lane) related(apart bool, o lane, oApart bool) bool {
	if l == o {
		return true
	}
	legacy, oLegacy := l.stream == LegacyStream, o.stream == LegacyStream
	return l.device == o.device && legacy != oLegacy && !apart && !oApart
}

// laneOf is the lane of a stream handle.
func (p *process) laneOf(q *request, id uint64) lane {
	return lane{p.deviceOf(q, id), streamName(id)}
}

// before returns the unfinished work that new work of a lane would be ordered after.
func (p *process) before(l lane, apart bool) (list []*piece) {
	for _, pc := range p.work {
		if l.related(apart, pc.lane, pc.apart) {
			list = append(list, pc)
		}
	}
	for o, w := range p.awaited {
		if l.related(apart, o, w.apart) {
			list = append(list, unfinished(w.pieces)...)
		}
	}
	return list
}

// awaited is the work that all later work of a lane waits for by events.
type awaited struct {
	apart  bool
	pieces []*piece
}

func unfinished(list []*piece) (left []*piece) {
	for _, pc := range list {
		if pc.state != ended {
			left = append(left, pc)
		}
	}
	return left
}

// enqueue puts work into a stream, and runs what may run: if nothing is before it, the
// work itself, which is over then or waits for something.
func (p *process) enqueue(l lane, apart bool, grid int, run func(context.Context, *piece), dropped func()) {
	if len(p.work) == 0 {
		clear(p.awaited)
	}
	pc := &piece{lane: l, apart: apart, p: p, grid: grid, after: p.before(l, apart), run: run, dropped: dropped}
	p.work = append(p.work, pc)
	p.s.enqueued++
	p.advance(true)
}

// advance runs what may run until all work that is left waits: for other work, or for memory
// that has not been changed since it looked. By default the first that was enqueued comes
// first; otherwise the schedule chooses, also to let the host continue if that may be.
func (p *process) advance(mayGoOn bool) {
	looks := 0
	for !p.over() {
		list := p.runnable(looks < mostLooks)
		if len(list) == 0 {
			return
		}
		pc := list[0]
		if choose := p.s.cfg.Choose; choose != nil && len(p.streams) > 0 {
			n := len(list)
			if mayGoOn {
				n++
			}
			k := choose(n)
			if k == len(list) {
				p.tend()
				return
			}
			pc = list[k]
		}
		if pc.state == parked && pc.grid >= 0 {
			looks++
		}
		p.step(pc, nil)
	}
	p.drop()
}

// runnable is the work that can run now, parked kernels only where these may look again.
// Host functions whose turn it is begin.
func (p *process) runnable(mayLook bool) (list []*piece) {
	for _, pc := range p.work {
		switch {
		case pc.state == waiting && len(unfinished(pc.after)) == 0:
			if pc.function != 0 {
				pc.begin()
				continue
			}
			list = append(list, pc)
		case pc.state == parked && pc.seen != p.changes && (mayLook || pc.grid < 0):
			list = append(list, pc)
		}
	}
	return list
}

// mostLooks bounds how often parked pieces continue before the host does: kernels that work
// for each other may do so until the host ends it.
const mostLooks = 256

// over reports whether nothing more can run: a kernel has failed, or the program is gone.
func (p *process) over() bool { return p.sticky != Success || p.ctx.Err() != nil }

// look lets each parked piece look at memory again, which the host may have changed. It
// reports whether that helped one.
func (p *process) look() bool {
	before := p.changes
	for _, pc := range slices.Clone(p.work) {
		if pc.state == parked {
			p.step(pc, nil)
		}
	}
	if before == p.changes {
		return false
	}
	p.advance(false)
	return true
}

// step lets a piece run until it ends or parks. The server's lock is open meanwhile; that
// it is this piece's turn keeps others from acting.
func (p *process) step(pc *piece, host *trace.HostState) {
	s, h := p.s, &p.s.cfg.Hooks
	begins := pc.state == waiting
	pc.state = running
	if begins {
		pc.resume, pc.stopped = make(chan *trace.HostState), make(chan struct{})
		pc.ctx, pc.cancel = context.WithCancelCause(context.WithoutCancel(p.ctx))
		go func() {
			pc.run(pc.ctx, pc)
			pc.state = ended
			pc.stopped <- struct{}{}
		}()
	} else {
		if h.Resumed != nil && pc.grid >= 0 {
			h.Resumed(pc.grid)
		}
		pc.resume <- host
	}
	s.runs = p
	s.outside(func() { pc.stop(p.ctx) })
	s.runs = nil
	if pc.state == parked {
		if h.Parked != nil && pc.grid >= 0 {
			h.Parked(pc.grid)
		}
		p.tend()
		return
	}
	pc.cancel(nil)
	p.end(pc)
}

// stop waits until a piece that runs has parked or ended, which it does when program ends. None
// is left parked with a context that has ended: it would be given up as one that does not return.
func (pc *piece) stop(program context.Context) {
	stop := context.AfterFunc(program, func() { pc.cancel(context.Cause(program)) })
	<-pc.stopped
	if !stop() && pc.state == parked {
		pc.cancel(context.Cause(program))
		pc.resume <- nil
		<-pc.stopped
	}
}

// end takes a piece that has ended out of its queue.
func (p *process) end(pc *piece) {
	pc.state, pc.endedAt = ended, p.s.cfg.Now()
	p.changes++
	p.work = slices.DeleteFunc(p.work, func(x *piece) bool { return x == pc })
}

// park is called by a launch that cannot continue by itself, which has got on since it was
// called last or not. It returns nil if it is of use to look again, or its context has ended, else
// what the host does.
func (pc *piece) park(progressed bool) *trace.HostState {
	if pc.ctx.Err() != nil {
		return nil
	}
	if progressed {
		pc.p.changes++
	}
	pc.state, pc.seen = parked, pc.p.changes
	pc.stopped <- struct{}{}
	return <-pc.resume
}

// drop ends all work that is left, after a kernel has failed or when the program is gone.
func (p *process) drop() {
	for len(p.work) > 0 {
		pc := p.work[0]
		if pc.state == parked {
			pc.cancel(context.Cause(p.ctx))
			p.step(pc, nil)
			continue
		}
		p.end(pc)
		if pc.dropped != nil {
			pc.dropped()
		}
	}
}

// await waits until some work has ended. If only other work, or nothing, could help what is
// parked, the first piece that is waited for never ends, and has its fault.
func (p *process) await(q *request, list []*piece) {
	if list = unfinished(list); len(list) == 0 { // a list of its own: p.work changes
		return
	}
	defer whileConnected(q.conn, p.gone)()
	defer p.waits(q)()
	var idle idling
	for {
		p.advance(false)
		list = unfinished(list)
		switch {
		case len(list) == 0:
			return
		case p.look():
			idle = idling{}
		case slices.ContainsFunc(p.work, (*piece).isFunction):
			if p.exiting { // it is not waited for
				p.endFunctions()
				continue
			}
			idle.pause(p.s) // it takes its time
			idle.since = time.Now()
		case p.mayChange() && idle.pause(p.s) < p.s.cfg.Patience:
		default:
			p.step(root(list[0]), p.hostState(idle))
		}
	}
}

// waits notes that the host waits in a call, until the function that it returns is called.
func (p *process) waits(q *request) (ends func()) {
	w := &trace.HostCall{Call: q.call, Where: p.where(q)}
	p.waiting = append(p.waiting, w)
	return func() { p.waiting = slices.DeleteFunc(p.waiting, func(x *trace.HostCall) bool { return x == w }) }
}

// hostState is what the host does while nothing can release a piece of work.
func (p *process) hostState(idle idling) *trace.HostState {
	h := &trace.HostState{}
	if !idle.since.IsZero() && p.mayChange() {
		h.Idle = p.s.cfg.Patience
	}
	for _, w := range p.waiting {
		if w.Call != "" && !slices.Contains(h.Calls, *w) {
			h.Calls = append(h.Calls, *w)
		}
	}
	return h
}

// endFunctions ends the host functions that run.
func (p *process) endFunctions() {
	for _, pc := range slices.Clone(p.work) {
		if pc.isFunction() {
			p.endFunction(pc)
		}
	}
}

// isFunction reports whether it is a host function that runs.
func (pc *piece) isFunction() bool { return pc.function != 0 && pc.state == running }

// root is the parked piece that a piece waits for in the end.
func root(pc *piece) *piece {
	for pc.state == waiting {
		before := unfinished(pc.after)
		if len(before) == 0 {
			break
		}
		pc = before[0]
	}
	return pc
}

// idling is a wait for what other threads of the host, or other programs, may do.
type idling struct {
	since time.Time
	delay time.Duration
}

// The times between two looks at memory that host code may change.
const (
	shortestDelay = 50 * time.Microsecond
	longestDelay  = 10 * time.Millisecond
)

// pause lets others have their turns for a while, and returns for how long it has done so.
func (i *idling) pause(s *Server) time.Duration {
	if i.delay == 0 {
		i.since, i.delay = time.Now(), shortestDelay
	}
	s.leave()
	time.Sleep(i.delay)
	s.enter()
	i.delay = min(2*i.delay, longestDelay)
	return time.Since(i.since)
}

// A host that computes for hostBusy, or makes no call for hostQuiet, may be waiting for
// parked work in memory. What it does in less time comes before parked work looks again, on
// each run. Work that the schedule has put off waits hostFactor times as long.
const (
	hostBusy   = 10 * time.Millisecond
	hostQuiet  = 500 * time.Millisecond
	hostFactor = 20
)

// mayAwait reports whether the host may be waiting for parked work, or for what was put off.
func (p *process) mayAwait() bool {
	factor := time.Duration(1)
	if len(p.runnable(false)) > 0 {
		factor = hostFactor
	}
	return len(p.waiting) == 0 && (hostTime(p.pid)-p.calledTime > factor*hostBusy || time.Since(p.called) > factor*hostQuiet)
}

// hostTime is for how long the threads of a process have run (Linux, "Scheduler Statistics").
func hostTime(pid int) (sum time.Duration) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil {
			var ns time.Duration
			fmt.Sscan(string(text), &ns)
			sum += ns
		}
	}
	return sum
}

// tend lets parked work look at memory, and what was put off run, from time to time while the host continues, since
// host code may wait for it without a call. One goroutine does so while there is any.
func (p *process) tend() {
	if p.tended {
		return
	}
	p.tended = true
	p.calledTime = hostTime(p.pid)
	s := p.s
	s.conns.Go(func() {
		delay := hostBusy
		for done := false; !done; {
			time.Sleep(delay)
			s.enter()
			mayAwait := len(p.work) > 0 && p.mayAwait()
			if mayAwait {
				p.advance(false)
			}
			switch {
			case len(p.work) == 0:
				p.tended, done = false, true
			case !mayAwait:
				delay = hostBusy
			case p.look():
				delay = shortestDelay
			default:
				delay = min(2*delay, longestDelay)
			}
			s.leave()
		}
	})
}

// mayChange reports whether anything but parked work may change memory: threads of the host
// that do not wait for the device, or other programs.
func (p *process) mayChange() bool {
	n, ok := p.running()
	return !p.exiting && (len(p.s.programs) > 1 || ok && n > 0)
}

// onlyCaller reports whether a thread of the host that launches a kernel is the only one that does not wait for the device.
func (p *process) onlyCaller() bool {
	n, ok := p.running()
	return len(p.s.programs) == 1 && ok && n <= 1
}

// running counts the program's threads that do not wait for the device.
func (p *process) running() (n int, ok bool) {
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", p.pid))
	n = len(tasks) - len(p.waiting)
	if p.functionThread { // it has nothing to run
		n--
	}
	return n, err == nil
}
