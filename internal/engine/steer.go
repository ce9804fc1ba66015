package engine

import (
	"slices"
	"time"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// steering runs all blocks of a run together, a step of one warp at a time, as a function chooses; see trace.Turn.
// Between two steps each warp that can continue stands before an access. One that has only read, and
// comes back to a state that it had since something was last written, waits for others and makes no step until that
// changes.
type steering struct {
	*run
	choose func([]trace.Turn) int
	blocks []*block
	warps  []steered
	// may is how many accesses the warp that runs may make before it pauses.
	may   int
	ready []trace.Turn
	at    []*steered
}

// steered is a warp of such a run.
type steered struct {
	block  *block
	number int
	// pending: it stands before an access. stalled: it waits for a change of memory. seen are its states since the last one.
	pending, stalled bool
	seen             []uint64
}

// computes bounds the instructions of a warp without an access to memory, steps those of its turns.
const (
	computes  = 1 << 24
	stepTurn  = 1 << 16
	stepLimit = 8
)

// maxSteered bounds the blocks of a launch that is steered: all run at once.
const maxSteered = 1 << 12

// steer returns what chooses the steps of a launch, nil for none. It is not repeated then.
func (e *Engine) steer(t *trace.Launch) (choose func([]trace.Turn) int) {
	if e.cfg.Steer == nil || t.Grid.Size() > maxSteered || t.ClusterSize() > 1 {
		return nil
	}
	if choose = e.cfg.Steer(t); choose != nil {
		t.Repeatable = false
	}
	return choose
}

// steer executes the run.
func (r *run) steer(choose func([]trace.Turn) int) {
	r.started = time.Now()
	defer r.e.current.Store(r.e.current.Swap(r))
	s := &steering{run: r, choose: choose}
	r.next.Store(r.units)
	func() {
		defer r.catch()
		s.start()
		for s.ctx.Err() == nil && !s.ended.Load() && s.step() {
		}
	}()
	for _, b := range s.blocks {
		r.finish(b)
	}
	r.sum(s.blocks)
	r.journals.Renew()
	r.e.journals = r.journals
}

func (s *steering) start() {
	for i := range s.units {
		if s.only != nil {
			i = s.only[i]
		}
		b := newBlock(s.run, s.seers(i))
		b.sweeper, b.env.Sweeps, b.env.Async.Latency, b.env.Stepped = nil, false, false, true
		b.env.Pauses = s.pauses
		b.start(i)
		b.env.SpinLimit = stepLimit
		s.blocks = append(s.blocks, b)
		for k := range b.warps {
			s.warps = append(s.warps, steered{block: b, number: k})
		}
	}
}

// pauses is for warp.Env.
func (s *steering) pauses(_ *warp.Warp, site *trace.Site) bool {
	if site.Space == trace.SpaceLocal || site.Space == trace.SpaceConst {
		return false
	}
	s.may--
	return s.may < 0
}

// step lets one warp make a step. It returns false when none can, or the run is to end.
func (s *steering) step() bool {
	for s.advance() {
	}
	s.ready, s.at = s.ready[:0], s.at[:0]
	for i := range s.warps {
		if w := &s.warps[i]; w.pending && !w.stalled && w.alive() {
			s.ready = append(s.ready, trace.Turn{Block: w.block.env.Block.Index, Warp: w.number})
			s.at = append(s.at, w)
		}
	}
	if len(s.ready) == 0 {
		s.rest()
		return false
	}
	n := s.choose(s.ready)
	if n < 0 || s.over(0) {
		s.ended.Store(true)
		return false
	}
	w := s.at[n]
	progress := w.warp().Progress
	w.pending = false
	s.run1(w, 1)
	s.note(w, w.warp().Progress != progress)
	return true
}

func (w *steered) warp() *warp.Warp { return w.block.warps[w.number] }

// alive reports whether the warp has not ended, nor its block by a fault.
func (w *steered) alive() bool { return !w.block.done[w.number] && w.block.env.Fault == nil }

// advance lets warps that do not stand before an access come to one, and reports whether there was one.
func (s *steering) advance() (some bool) {
	for i := range s.warps {
		w := &s.warps[i]
		if x := w.warp(); w.alive() && !w.pending && (x.Ready() || x.Reunite()) {
			s.run1(w, 0)
			some = true
		}
	}
	if some {
		return true
	}
	for _, b := range s.blocks {
		if b.env.Fault == nil && b.left > 0 && !s.stands(b) && (b.unblock() || b.passEarly()) {
			some = true
		}
	}
	return some
}

// stands reports whether a warp of a block stands before an access.
func (s *steering) stands(b *block) bool {
	return slices.ContainsFunc(s.warps, func(w steered) bool { return w.block == b && w.pending && w.alive() })
}

// run1 lets a warp make so many accesses, and continue until its next one.
func (s *steering) run1(w *steered, accesses int) {
	b := w.block
	s.may = accesses
	for range computes / stepTurn {
		b.env.Rests, b.env.Async.GaveWay = false, false
		before := b.env.WarpInstrs
		st := b.runWarp(w.number, stepTurn)
		s.spend(b.env.WarpInstrs - before)
		b.steps++
		switch {
		case st == warp.Faulted || st == warp.Done || st == warp.Blocked:
			return
		case b.env.Rests:
			w.pending = true
			return
		}
	}
	b.hang(endless)
}

// note keeps what a step has changed: after a change of memory all may continue.
func (s *steering) note(w *steered, changed bool) {
	if changed {
		for i := range s.warps {
			s.warps[i].stalled, s.warps[i].seen = false, s.warps[i].seen[:0]
		}
		return
	}
	if !w.pending {
		return
	}
	h, _ := w.warp().Hash(s.prog.Loops())
	if slices.Contains(w.seen, h) {
		w.stalled = true
	}
	w.seen = append(w.seen, h)
}

// rest is when no warp can make a step: all have ended, or they wait for each other.
func (s *steering) rest() {
	for i := range s.warps {
		w := &s.warps[i]
		switch b := w.block; {
		case !w.alive():
		case w.stalled:
			b.hang(endless)
		default:
			b.deadlock()
		}
	}
}
