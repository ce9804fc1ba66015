package warp

import (
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
	done  Sweep
}

// NewSweeper makes a sweeper; warps are those of a block in the order of their
// turns.
func NewSweeper(warps []*Warp) *Sweeper {
	return &Sweeper{warps: warps, list: make([]native.SweepEntry, len(warps))}
}

// Sweep is what a sweep did: Came warps reached the step Stop, from the first
// one on, and if these are not all, the next is somewhere else. Left is what is
// left of the last one's turn, Progress and Reads what it did of these. Steps
// has the warp instructions by warp, in the order of the sweep.
type Sweep struct {
	Came            int
	Stop            int32
	Left            int64
	Progress, Reads uint64
	Steps           []uint64
}

// Ready reports whether all warps are whole, converged and at one step from
// which there is generated code.
func (s *Sweeper) Ready() bool {
	env, at := s.warps[0].Env, s.warps[0].at
	v := env.native.code
	if v == nil || len(env.tracked)+len(env.completions) > 0 || env.watchesStretches() {
		return false
	}
	for _, w := range s.warps {
		if !w.taints().mayRunNative() || !w.converged || w.at != at || w.waits != none || w.loose || w.yields != 0 || w.Live != w.Exist || w.async.used {
			return false
		}
	}
	return v.Form(false).Entry[at] != 0 && v.Form(true).Entry[at] != 0
}

// Run sweeps the warps, the one with number first at first, with what is left
// of its turn; the others have a whole turn each. Ready must hold. The result is
// valid until the next call.
func (s *Sweeper) Run(first int, left, turn int64) *Sweep {
	w := s.warps[first]
	c := &w.Env.native.ctx
	for i := range s.list {
		// Field by field: the code reads them as single words, which no wider store may hold back.
		x, e := s.at(first, i), &s.list[i]
		if len(x.local) < len(w.local) { // code compares with the size of the first one's
			x.memory().growLocal(uint64(len(w.local) / 32))
		}
		e.Slab, e.Local, e.Written, e.Budget = uintptr(x.base), uintptrOf(x.local), x.localWritten(), turn
		e.Mask, e.Warp = uint64(x.Live), recall.WarpBits(x.Index)
	}
	s.list[0].Budget = left
	full, part := w.Env.native.code.Form(false), w.Env.native.code.Form(true)
	c.Targets = [2]uintptr{full.Target(w.at), part.Target(w.at)}
	c.Entry = uintptr(unsafe.Pointer(&s.list[0]))
	c.End = c.Entry + uintptr(len(s.list))*uintptr(native.EntrySize)
	c.Stop = native.NoStop
	pc := w.generated().callCode(full, (*native.Form).Sweep, none)
	s.done = Sweep{Came: len(s.list) - int(c.End-c.Entry)/int(native.EntrySize), Stop: int32(c.Stop), Left: c.Budget, Steps: s.done.Steps[:0]}
	s.stopped(first, pc)
	return &s.done
}

// at is the i-th warp of a sweep.
func (s *Sweeper) at(first, i int) *Warp {
	if first += i; first >= len(s.warps) {
		first -= len(s.warps)
	}
	return s.warps[first]
}

// stopped notes where the warps are after a sweep that ended at step pc.
func (s *Sweeper) stopped(first int, pc int32) {
	c := &s.warps[0].Env.native.ctx
	var before counts
	for i := range s.done.Came {
		w, e := s.at(first, i), &s.list[i]
		w.at = s.done.Stop
		now := counts{e.Instrs, e.Loads, e.Stores, e.Changes}
		s.did(w, now, before)
		before = now
	}
	if s.done.Came == len(s.list) {
		return
	}
	w := s.at(first, s.done.Came)
	w.at = pc
	s.did(w, counts{c.Instrs, c.Loads, c.Stores, c.Changes}, before)
	if c.Depth != 0 {
		w.divergence().spreadDiverged()
	}
}

// counts are those of a sweep, so far.
type counts struct{ instrs, loads, stores, changes uint64 }

// did counts what a warp did between two entries.
func (s *Sweeper) did(w *Warp, now, before counts) {
	loads, stores := now.loads-before.loads, now.stores-before.stores
	s.done.Reads = loads
	s.done.Progress = stores + now.changes - before.changes
	w.Reads += loads
	w.Progress += s.done.Progress
	w.ticks += loads + stores
	s.done.Steps = append(s.done.Steps, now.instrs-before.instrs)
}

// Barrier returns the barrier at a step where a sweep stopped and its number,
// nil for the end of the threads.
func (s *Sweeper) Barrier(stop int32) (*program.Bar, uint32) {
	w := s.warps[0]
	in := &w.Prog.Code[stop]
	if in.Op != program.OpBarrier {
		return nil, 0
	}
	b := &w.Prog.Bars[in.X]
	return b, w.v32(b.ID)[0]
}

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
	(productUnit{w}).exits()
	w.Live = 0
	w.Progress++
}
