package warp

import (
	"slices"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Between two barriers the warps of most blocks do the same. A Sweeper runs
// them one after the other in one call of generated code, which goes from
// where one stops at a barrier or ends to where the next begins.

// sweepEntry is a warp of a sweep: its registers and local memory, the budget of
// its turn, its lanes, how events name it, and what the sweep had done when it
// stopped, as in jitContext.
type sweepEntry struct {
	slab, local                    uintptr
	budget                         int64
	mask, warp                     uint64
	instrs, loads, stores, changes uint64
}

// Places in a sweepEntry and what a sweep has in the context.
const (
	entrySlab   = int32(unsafe.Offsetof(sweepEntry{}.slab))
	entryLocal  = int32(unsafe.Offsetof(sweepEntry{}.local))
	entryBudget = int32(unsafe.Offsetof(sweepEntry{}.budget))
	entryMask   = int32(unsafe.Offsetof(sweepEntry{}.mask))
	entryWarp   = int32(unsafe.Offsetof(sweepEntry{}.warp))
	entryInstrs = int32(unsafe.Offsetof(sweepEntry{}.instrs))
	entryLoads  = int32(unsafe.Offsetof(sweepEntry{}.loads))
	entryStores = int32(unsafe.Offsetof(sweepEntry{}.stores))
	entryChange = int32(unsafe.Offsetof(sweepEntry{}.changes))
	entrySize   = int32(unsafe.Sizeof(sweepEntry{}))

	ctxEntry   = int32(unsafe.Offsetof(jitContext{}.entry))
	ctxEnd     = int32(unsafe.Offsetof(jitContext{}.end))
	ctxStop    = int32(unsafe.Offsetof(jitContext{}.stop))
	ctxTargets = int32(unsafe.Offsetof(jitContext{}.targets))
)

// Sweeper sweeps the warps of one block, in the order of their turns.
type Sweeper struct {
	warps []*Warp
	list  []sweepEntry
	done  Sweep
}

// NewSweeper makes a sweeper; warps are those of a block in the order of their
// turns.
func NewSweeper(warps []*Warp) *Sweeper {
	return &Sweeper{warps: warps, list: make([]sweepEntry, len(warps))}
}

// Sweep is what a sweep did: Came warps came to the step Stop, from the first
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
	v := env.jit.variants
	if v == nil || len(env.tracked) > 0 || env.watchesStretches() {
		return false
	}
	for _, w := range s.warps {
		if !w.taints().mayRunNative() || !w.converged || w.at != at || w.waits != none || w.loose || w.yields != 0 || w.Live != w.Exist || w.async.used {
			return false
		}
	}
	return v.form(false).entry[at] != 0 && v.form(true).entry[at] != 0
}

// Run sweeps the warps, the one with number first at first, with what is left
// of its turn; the others have a whole turn each. Ready must hold. The result is
// valid until the next call.
func (s *Sweeper) Run(first int, left, turn int64) Sweep {
	w := s.warps[first]
	c := &w.Env.jit.ctx
	for i := range s.list {
		x := s.at(first, i)
		s.list[i] = sweepEntry{slab: uintptr(x.base), local: uintptrOf(x.local), budget: turn, mask: uint64(x.Live), warp: recall.WarpBits(x.Index)}
	}
	s.list[0].budget = left
	full, part := w.Env.jit.form(false), w.Env.jit.form(true)
	c.targets = [2]uintptr{full.code.Address(full.entry[w.at]), part.code.Address(part.entry[w.at])}
	c.entry = uintptr(unsafe.Pointer(&s.list[0]))
	c.end = c.entry + uintptr(len(s.list))*uintptr(entrySize)
	c.stop = none
	pc := w.callCode(full.code, full.sweep, none)
	s.done = Sweep{Came: len(s.list) - int(c.end-c.entry)/int(entrySize), Stop: int32(c.stop), Left: c.budget, Steps: s.done.Steps[:0]}
	s.stopped(first, pc)
	return s.done
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
	c := &s.warps[0].Env.jit.ctx
	var before sweepEntry
	for i := range s.done.Came {
		w := s.at(first, i)
		w.at = s.done.Stop
		s.did(w, &s.list[i], &before)
		before = s.list[i]
	}
	if s.done.Came == len(s.list) {
		return
	}
	w := s.at(first, s.done.Came)
	w.at = pc
	s.did(w, &sweepEntry{instrs: c.instrs, loads: c.loads, stores: c.stores, changes: c.changes}, &before)
	if c.depth != 0 {
		w.divergence().spreadParted()
	}
}

// did counts what a warp did between two entries.
func (s *Sweeper) did(w *Warp, now, before *sweepEntry) {
	s.done.Reads = now.loads - before.loads
	s.done.Progress = now.stores - before.stores + now.changes - before.changes
	w.Reads += s.done.Reads
	w.Progress += s.done.Progress
	w.ticks += now.loads - before.loads + now.stores - before.stores
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
	w.Live = 0
	w.Progress++
}

// sweepStop reports whether warps may stop at a step in a sweep: at a barrier
// of all threads, or at the end.
func (pl *plan) sweepStop(pc int) bool {
	in := &pl.p.Code[pc]
	switch {
	case in.Guard != program.NoSlot:
		return false
	case in.Op == program.OpExit || in.Op == program.OpReturn:
		return true
	case in.Op != program.OpBarrier:
		return false
	}
	b := &pl.p.Bars[in.X]
	id := func(c program.Const) bool { return c.Slot == b.ID && c.Value < MaxBarriers }
	return b.Kind == program.BarSync && b.Count == program.NoSlot && b.Dst == program.NoSlot && b.Group == trace.NoGroup && slices.ContainsFunc(pl.p.Consts, id)
}

// sweeps emits where the warps of a sweep begin and stop. It returns the way in.
func (g partingCode) sweeps() (in jit.Label) {
	in, known, came, out, all := g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Bind(g.stop)
	g.account()
	g.Load(jit.RDX, ctx(ctxEntry))
	g.Test(true, jit.RDX, jit.RDX)
	g.JumpIf(jit.E, out)
	g.Load(jit.RCX, ctx(ctxDepth))
	g.Test(true, jit.RCX, jit.RCX)
	g.JumpIf(jit.NE, out)
	g.Load32(jit.RCX, ctx(ctxStop))
	g.OpImm(jit.CMP, false, jit.RCX, none)
	g.JumpIf(jit.NE, known)
	g.Store(ctx(ctxStop), jit.RAX)
	g.Jump(came)
	g.Bind(known)
	g.Op(jit.CMP, false, jit.RCX, jit.RAX)
	g.JumpIf(jit.NE, out)
	g.Bind(came)
	for _, x := range [4][2]int32{{ctxInstrs, entryInstrs}, {ctxLoads, entryLoads}, {ctxStores, entryStores}, {ctxChanges, entryChange}} {
		g.Load(jit.RCX, ctx(x[0]))
		g.Store(jit.At(jit.RDX, x[1]), jit.RCX)
	}
	g.OpImm(jit.ADD, true, jit.RDX, entrySize)
	g.Store(ctx(ctxEntry), jit.RDX)
	g.OpMem(jit.CMP, true, jit.RDX, ctx(ctxEnd))
	g.JumpIf(jit.E, out)
	g.Bind(in)
	g.Load(jit.RAX, ctx(ctxEntry))
	g.Load(jit.RDI, jit.At(jit.RAX, entrySlab))
	g.Store(ctx(ctxSlab), jit.RDI)
	g.Load(jit.R8, jit.At(jit.RAX, entryBudget))
	g.Load32(jit.R12, jit.At(jit.RAX, entryMask))
	for _, x := range [2][2]int32{{entryLocal, ctxLocal}, {entryWarp, ctxWarp}} {
		g.Load(jit.RDX, jit.At(jit.RAX, x[0]))
		g.Store(ctx(x[1]), jit.RDX)
	}
	g.clear()
	g.Load(jit.RAX, ctx(ctxTargets))
	g.OpImm(jit.CMP, false, jit.R12, -1)
	g.JumpIf(jit.E, all)
	g.Load(jit.RAX, ctx(ctxTargets+8))
	g.Bind(all)
	g.JumpTo(jit.RAX)
	g.Bind(out)
	g.ZeroUpper()
	g.Ret()
	return in
}
