package native

import (
	"slices"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// SweepEntry is a warp of a sweep: its registers and local memory, the budget of
// its turn, its lanes, how events name it, and what the sweep had done when it
// stopped, as in Context.
type SweepEntry struct {
	Slab, Local, Written           uintptr
	Budget                         int64
	Mask, Warp                     uint64
	Instrs, Loads, Stores, Changes uint64
}

// Places in a sweepEntry and what a sweep has in the context.
const (
	entrySlab   = int32(unsafe.Offsetof(SweepEntry{}.Slab))
	entryLocal  = int32(unsafe.Offsetof(SweepEntry{}.Local))
	entryNoted  = int32(unsafe.Offsetof(SweepEntry{}.Written))
	entryBudget = int32(unsafe.Offsetof(SweepEntry{}.Budget))
	entryMask   = int32(unsafe.Offsetof(SweepEntry{}.Mask))
	entryWarp   = int32(unsafe.Offsetof(SweepEntry{}.Warp))
	entryInstrs = int32(unsafe.Offsetof(SweepEntry{}.Instrs))
	entryLoads  = int32(unsafe.Offsetof(SweepEntry{}.Loads))
	entryStores = int32(unsafe.Offsetof(SweepEntry{}.Stores))
	entryChange = int32(unsafe.Offsetof(SweepEntry{}.Changes))
	EntrySize   = int32(unsafe.Sizeof(SweepEntry{}))

	ctxEntry   = int32(unsafe.Offsetof(Context{}.Entry))
	ctxEnd     = int32(unsafe.Offsetof(Context{}.End))
	ctxStop    = int32(unsafe.Offsetof(Context{}.Stop))
	ctxTargets = int32(unsafe.Offsetof(Context{}.Targets))
)

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
	id := func(c program.Const) bool { return c.Slot == b.ID && c.Value < program.MaxBarriers }
	return b.Kind == program.BarSync && b.Count == program.NoSlot && b.Dst == program.NoSlot && b.Group == trace.NoGroup && slices.ContainsFunc(pl.p.Consts, id)
}

// sweeps emits where the warps of a sweep begin and stop. It returns the way in.
func (g divergeCode) sweeps() (in jit.Label) {
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
	g.OpImm(jit.CMP, false, jit.RCX, NoStop)
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
	g.OpImm(jit.ADD, true, jit.RDX, EntrySize)
	g.Store(ctx(ctxEntry), jit.RDX)
	g.OpMem(jit.CMP, true, jit.RDX, ctx(ctxEnd))
	g.JumpIf(jit.E, out)
	g.Bind(in)
	g.Load(jit.RAX, ctx(ctxEntry))
	g.Load(jit.RDI, jit.At(jit.RAX, entrySlab))
	g.Store(ctx(ctxSlab), jit.RDI)
	g.Load(jit.R8, jit.At(jit.RAX, entryBudget))
	g.Load32(jit.R12, jit.At(jit.RAX, entryMask))
	for _, x := range [3][2]int32{{entryLocal, ctxLocal}, {entryNoted, ctxWritten}, {entryWarp, ctxWarp}} {
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
