package warp

import (
	"slices"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace/recall"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Between two barriers the warps of most blocks do the same. A Sweeper runs
// them one after the other in one call of generated code, which goes from
// where one stops at a barrier or ends to where the next begins.

// Sweeper sweeps the warps of one block, in the order of their turns.
type Sweeper struct {
	warps []*Warp
	list  []native.SweepEntry
	// last is what the warp did that ran last, since it last stopped.
	last counts
	done Sweep
	// tell is Run's.
	tell func(stop int32)
}

// NewSweeper makes a sweeper; warps are those of a block in the order of their
// turns.
func NewSweeper(warps []*Warp) *Sweeper {
	return &Sweeper{warps: warps, list: make([]native.SweepEntry, len(warps))}
}

// Arrived counts the warps that wait at the barrier Stop, a step, before a sweep begins, in the order of their turns.
type Arrived struct {
	Warps int
	Stop  int32
}

// Sweep is what a sweep did. It has passed the barriers at the steps Passed by itself; with
// each, the last warp became the first one. Since the last of them, Came warps reached the
// step Stop, from the first one on, and if these are not all, the next is somewhere else. Left
// is what is left of the last one's turn, Progress and Reads what it did of these, First what the
// first one did in its turn before. Steps has the warp instructions by warp, and one for each of
// its turns that is over, in the order of the sweep's beginning.
type Sweep struct {
	Passed          []int32
	Came            int
	Stop            int32
	Left            int64
	Progress, Reads uint64
	First           struct{ Progress, Reads uint64 }
	Steps           []uint64
	// Ended has the blocks that have ended, with the barriers that each has passed by itself if an
	// observer wants to know, Instrs their instructions of warps. All else is about the block after them.
	Ended  [][]int32
	Instrs uint64
}

// Ready reports whether all warps are whole, converged and at one step from
// which there is generated code, but for those that came there already, the first of which has number first.
func (s *Sweeper) Ready(first int, arrived Arrived) bool {
	env, next := s.warps[0].Env, s.at(first, arrived.Warps)
	v := env.native.code
	if v == nil || env.Async.Waiting() || env.watchesStretches() || !next.whole() {
		return false
	}
	at := next.at
	for i := range s.warps {
		w, place := s.at(first, i), at
		if i < arrived.Warps {
			place = arrived.Stop
		}
		if !w.whole() || w.at != place {
			return false
		}
	}
	return v.Sweeps(int(at))
}

// whole reports whether all threads of a warp are at one step, where generated code may continue with them.
func (w *Warp) whole() bool {
	return (w.converged || w.converge()) && w.waits == none && !w.loose && w.yields == 0 && w.Live == w.Exist &&
		!w.async.Copies() && w.taint.MayRunNative()
}

// Run sweeps the warps, the one with number first at first, with what is left
// of its turn; the others have a whole turn each, and also the first one that is to run where some
// came already. Ready must hold. With mayPass, nothing has to be done at a barrier of the block but
// what Sweep.Passed is for. The result is valid until the next call. Where Repeats holds, the sweep may continue with so many more blocks. tell is for where
// mayPass does not hold since somebody has to hear of each barrier that all warps have come to: the
// sweep then passes it.
func (s *Sweeper) Run(first int, arrived Arrived, left, turn int64, mayPass bool, tell func(stop int32), more uint64) *Sweep {
	s.tell = tell
	w := s.at(first, arrived.Warps)
	c := &w.Env.native.ctx
	for i := range s.list {
		// Field by field: the code reads them as single words, which no wider store may hold back.
		x, e := s.at(first, i), &s.list[i]
		if len(x.local) < len(w.local) { // code compares with the size of the first one's
			x.growLocal(uint64(len(w.local) / 32))
		}
		e.Slab, e.Local, e.Written, e.Budget = uintptr(x.Ptr(0)), uintptrOf(x.local), x.localWritten(), turn
		e.Mask, e.Warp = uint64(x.Live), recall.WarpBits(x.Index)
		e.Instrs, e.Loads, e.Stores, e.Changes = 0, 0, 0, 0
		if i < arrived.Warps {
			e.Last.Loads, e.Last.Stores, e.Last.Changes = 0, 0, 0
		}
		e.Image = uintptr(unsafe.Pointer(unsafe.SliceData(x.image)))
	}
	if arrived.Warps == 0 {
		s.list[0].Budget = left
	}
	w.Env.blocks(&c.Blocks, more)
	s.ready(c, w, turn, mayPass)
	if arrived.Warps > 0 {
		c.Entry += uintptr(arrived.Warps) * uintptr(native.EntrySize)
		c.Pending, c.Stop = c.Pending-uint64(arrived.Warps), int64(arrived.Stop)
	}
	pc := w.callCode(w.Env.native.code.Form(false), s.run, none)
	s.summarize(c)
	s.stopped(first, arrived.Warps, pc)
	return &s.done
}

// ready prepares the context for warps of which w is the first.
func (s *Sweeper) ready(c *native.Context, w *Warp, turn int64, mayPass bool) {
	code := w.Env.native.code
	c.Targets = [2]uintptr{code.Form(false).Target(w.at), code.Form(true).Target(w.at)}
	c.Begin = uintptr(unsafe.Pointer(&s.list[0]))
	c.Entry, c.First, c.End = c.Begin, c.Begin, c.Begin+uintptr(len(s.list))*uintptr(native.EntrySize)
	c.Stop, c.Turn = native.NoStop, turn
	c.Warps, c.Pending = uint64(len(s.list)), uint64(len(s.list))
	c.Passed, c.Passes = 0, 0
	if mayPass {
		c.Passes = native.MaxPassed
	}
}

// run runs the code and makes the counters of the context those of all warps.
func (s *Sweeper) run(f *native.Form, c *native.Context) int32 {
	pc := f.Sweep(c)
	for c.Pending == 0 && s.tell != nil && s.mayPass(c, pc) {
		if pc++; !s.pass(c, pc) {
			break
		}
		pc = f.Sweep(c)
	}
	s.last = counts{c.Instrs, c.Loads, c.Stores, c.Changes}
	if c.Pending == 0 { // all have noted what they did
		c.Instrs, c.Loads, c.Stores, c.Changes = 0, 0, 0, 0
	}
	for i := range s.list {
		e := &s.list[i]
		c.Instrs, c.Loads, c.Stores, c.Changes = c.Instrs+e.Instrs, c.Loads+e.Loads, c.Stores+e.Stores, c.Changes+e.Changes
	}
	b := &c.Blocks
	if b.Ended > 0 {
		c.Instrs, c.Loads, c.Stores, c.Changes = c.Instrs+b.Instrs, c.Loads+b.Loads, c.Stores+b.Stores, c.Changes+b.Changes
		for _, w := range s.warps {
			w.Progress, w.Reads, w.ticks, w.clock = 0, 0, 0, clockReads{}
		}
	}
	s.done.Instrs = b.Instrs
	return pc
}

// mayPass reports whether the warps, which have come to step pc, may pass a barrier there, as where
// code does so by itself.
func (s *Sweeper) mayPass(c *native.Context, pc int32) bool {
	w := s.warps[0]
	v, next := w.Env.native.code, int(pc)+1
	return w.Prog.Code[pc].Op == program.OpBarrier && c.Passed < native.MaxPassed && c.Threads < native.MaxSwept &&
		next < len(w.Prog.Code) && v.Sweeps(next)
}

// pass tells that all warps have reached the barrier before step pc, and lets them continue there.
// It returns false if they cannot in native code.
func (s *Sweeper) pass(c *native.Context, pc int32) bool {
	w := s.warps[0]
	w.leaveNative(c)
	s.tell(pc - 1)
	w.follow(c)
	form := w.Env.native.code.Form
	c.Pass(s.list, pc-1, [2]uintptr{form(false).Target(pc), form(true).Target(pc)})
	if slices.ContainsFunc(s.warps, func(w *Warp) bool { return !w.taint.MayRunNative() }) {
		c.Instrs, c.Loads, c.Stores, c.Changes = 0, 0, 0, 0 // the entries have what the warps did
		return false
	}
	return true
}

// blocks lets a sweep continue with further blocks.
func (e *Env) blocks(b *native.Blocks, more uint64) {
	*b = native.Blocks{More: min(more, native.MaxBlocks)}
	if e.On.Barrier != nil {
		b.Keep = 1
	}
	if more > 0 {
		at, grid := e.Block.Coord, e.Block.Launch.Grid
		b.Coord, b.Grid = [3]uint32{at.X, at.Y, at.Z}, [3]uint32{grid.X, grid.Y, grid.Z}
		b.Shared, b.SharedSize = uintptrOf(e.Block.Shared), uint64(len(e.Block.Shared))
	}
}

// Repeats reports whether the block is at its beginning, and a sweep may continue with further ones where it
// ends: nothing but the coordinates has to be set for these.
func (s *Sweeper) Repeats() bool {
	w := s.warps[0]
	v := w.Env.native.code
	return w.at == 0 && w.Progress == 0 && v != nil && v.Repeats() && w.Env.taint.Quiet(w.Prog) &&
		!slices.ContainsFunc(s.warps, func(w *Warp) bool { return len(w.local) > 0 })
}

// summarize sets what the sweep did but for its steps.
func (s *Sweeper) summarize(c *native.Context) {
	d := &s.done
	d.Passed, d.Ended = d.Passed[:0], d.Ended[:0]
	for _, at := range c.PassedAt[:c.Passed] {
		d.Passed = append(d.Passed, int32(at))
	}
	for _, to := range c.Blocks.Passed[:c.Blocks.Ended] {
		if c.Blocks.Keep == 0 {
			to = 0
		}
		n := int(to) - int(c.Passed) + len(d.Passed) // barriers that this block passed
		d.Ended, d.Passed = append(d.Ended, d.Passed[:n]), d.Passed[n:]
	}
	d.Came, d.Stop, d.Left = len(s.list)-int(c.Pending), int32(c.Stop), c.Budget
	d.Progress, d.Reads = s.last.stores+s.last.changes, s.last.loads
	if len(d.Passed) > 0 {
		e := &s.list[s.begins()].Last // of the turn that continued
		d.First.Progress, d.First.Reads = e.Stores+e.Changes, e.Loads
		if d.Came == 0 {
			d.First.Progress, d.First.Reads = d.First.Progress+d.Progress, d.First.Reads+d.Reads
		}
	}
}

// begins is the place in the list of the warp that came first after the last barrier that was
// passed.
func (s *Sweeper) begins() int {
	n := len(s.list)
	return (n - len(s.done.Passed)%n) % n
}

// at is the i-th warp of a sweep.
func (s *Sweeper) at(first, i int) *Warp {
	if first += i; first >= len(s.warps) {
		first -= len(s.warps)
	}
	return s.warps[first]
}

// stopped notes where the warps are after a sweep that ended at step pc, and what each did. The first
// turns of those that came before it are counted.
func (s *Sweeper) stopped(first, came int, pc int32) {
	d, n, begins := &s.done, len(s.list), s.begins()
	d.Steps = d.Steps[:0]
	for i := range s.list {
		w, e := s.at(first, i), &s.list[i]
		place := i - begins // in the last round
		if place < 0 {
			place += n
		}
		now, ticks := counts{e.Instrs, e.Loads, e.Stores, e.Changes}, e.Last.Loads+e.Last.Stores
		switch {
		case place < d.Came:
			w.at = d.Stop
		case place == d.Came:
			w.at, ticks = pc, s.last.loads+s.last.stores
			now = counts{now.instrs + s.last.instrs, now.loads + s.last.loads, now.stores + s.last.stores, now.changes + s.last.changes}
		default:
			ticks = 0
			if p := len(d.Passed); p > 0 {
				w.at = d.Passed[p-1] + 1
			}
		}
		if len(d.Passed) > 0 {
			w.ticks = 0
		}
		w.Reads += now.loads
		w.Progress += now.stores + now.changes + uint64(len(d.Passed))
		w.ticks += ticks
		steps := now.instrs + s.over(i, place)
		if i < came {
			steps--
		}
		d.Steps = append(d.Steps, steps)
	}
	if c := &s.warps[0].Env.native.ctx; d.Came < n && c.Depth != 0 {
		s.at(first, (begins+d.Came)%n).spreadDiverged()
	}
}

// over is how many turns of the warp at a place in the list are over: all but the last one's
// of each round.
func (s *Sweeper) over(i, place int) (turns uint64) {
	n, passed := len(s.list), len(s.done.Passed)
	turns = uint64(passed)
	if before := n - 1 - i; passed > before { // rounds with another last one
		turns -= uint64((passed-1-before)/n + 1)
	}
	if place < s.done.Came && place+1 < n {
		turns++
	}
	return turns
}

// counts are those of a warp.
type counts struct{ instrs, loads, stores, changes uint64 }

// Barrier returns the barrier at a step where a sweep stopped and its number,
// nil for the end of the threads.
func (s *Sweeper) Barrier(stop int32) (*program.Bar, uint32) {
	w := s.warps[0]
	in := &w.Prog.Code[stop]
	if in.Op != program.OpBarrier {
		return nil, 0
	}
	b := &w.Prog.Bars[in.X]
	return b, w.V32(b.ID)[0]
}

// At is the step at which a converged warp is.
func (s *Sweeper) At(w *Warp) int32 { return w.at }

// Pass lets all warps pass the barrier at which they are.
func (s *Sweeper) Pass() {
	for _, w := range s.warps {
		w.at++
		w.Progress++
		w.NewInterval()
	}
}

// End ends all threads of the warp.
func (w *Warp) End() {
	w.tensor.Ends()
	w.tensor.CheckLeaks()
	w.Live = 0
	w.Progress++
}
