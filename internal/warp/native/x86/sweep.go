package x86

import (
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

// sweepCode is for sweeps.
type sweepCode struct {
	divergeCode
	native.SweepPlan
}

// compile emits where the warps of a sweep begin and stop. It returns the way in.
func (g sweepCode) compile() (in jit.Label) {
	in, next, came, out := g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Bind(g.stop)
	g.tellThreads()
	g.Load(jit.RDX, ctx(native.CtxEntry))
	g.Test(true, jit.RDX, jit.RDX)
	g.JumpIf(jit.E, out)
	g.CmpMemImm(ctx(native.CtxDepth), 0)
	g.JumpIf(jit.NE, out)
	g.Load32(jit.RCX, ctx(native.CtxStop))
	g.Op(jit.CMP, false, jit.RCX, jit.RAX)
	g.JumpIf(jit.E, came)
	g.OpImm(jit.CMP, false, jit.RCX, native.NoStop)
	g.JumpIf(jit.NE, out)
	g.Store(ctx(native.CtxStop), jit.RAX)
	g.Bind(came)
	g.stopped(next)
	g.nextBlock(in)
	g.pass(in, out)
	g.Bind(in)
	g.MoveImm(jit.RCX, 0)
	for _, x := range native.Swept {
		g.Store(ctx(x[0]), jit.RCX)
	}
	g.Load(jit.R13, ctx(native.CtxRegions))
	g.Load(jit.RDX, ctx(native.CtxEntry))
	g.Bind(next)
	g.nextWarp()
	g.Bind(out)
	g.account()
	g.ZeroUpper()
	g.Ret()
	return in
}

// stopped notes what the warp of the entry RDX did, and continues at a label with the next one, if any
// has not stopped. It keeps RAX. The context has no loads and stores of a warp that runs in a sweep.
func (g sweepCode) stopped(next jit.Label) {
	note := func(sum, last int32, r jit.Reg) {
		if last > 0 {
			g.Store(jit.At(jit.RDX, last), r)
		}
		g.OpTo(jit.ADD, true, jit.At(jit.RDX, sum), r)
	}
	g.Load(jit.RCX, ctx(native.CtxInstrs))
	note(native.EntryInstrs, 0, jit.RCX)
	note(native.EntryLoads, native.EntryLast, jit.R10)
	note(native.EntryStores, native.EntryLast+8, jit.R11)
	if g.Changes {
		g.Load(jit.RCX, ctx(native.CtxChanges))
		note(native.EntryChange, native.EntryLast+16, jit.RCX)
	}
	inside := g.NewLabel()
	g.OpImm(jit.ADD, true, jit.RDX, native.EntrySize)
	g.OpMem(jit.CMP, true, jit.RDX, ctx(native.CtxEnd))
	g.JumpIf(jit.NE, inside)
	g.Load(jit.RDX, ctx(native.CtxBegin))
	g.Bind(inside)
	g.Store(ctx(native.CtxEntry), jit.RDX)
	g.MoveImm(jit.RCX, 1)
	g.OpTo(jit.SUB, true, ctx(native.CtxPending), jit.RCX)
	g.JumpIf(jit.NE, next)
}

// pass continues behind the barrier RAX, at which all warps are, if the code may. As without
// sweeps, the last warp continues with what is left of its turn.
func (g sweepCode) pass(in, out jit.Label) {
	g.Load(jit.RCX, ctx(native.CtxPassed))
	g.OpMem(jit.CMP, true, jit.RCX, ctx(native.CtxPasses))
	g.JumpIf(jit.AE, out)
	g.Load(jit.RDX, ctx(native.CtxThreads))
	g.OpImm(jit.CMP, true, jit.RDX, native.MaxSwept)
	g.JumpIf(jit.AE, out)
	passed, inside := g.NewLabel(), g.NewLabel()
	for _, pc := range g.Passes {
		next := g.NewLabel()
		g.OpImm(jit.CMP, false, jit.RAX, int32(pc))
		g.JumpIf(jit.NE, next)
		for f := range int32(2) {
			g.LeaLabel(jit.RDX, g.labelOf(f == 1, int32(pc+1)))
			g.Store(ctx(native.CtxTargets+8*f), jit.RDX)
		}
		g.Jump(passed)
		g.Bind(next)
	}
	g.Jump(out)
	g.Bind(passed)
	g.Store32(jit.Mem{Base: jit.RSI, Index: int8(jit.RCX), Scale: 4, Disp: native.CtxPassedAt}, jit.RAX)
	g.OpImm(jit.ADD, true, jit.RCX, 1)
	g.Store(ctx(native.CtxPassed), jit.RCX)
	g.Load(jit.RDX, ctx(native.CtxFirst))
	g.Load(jit.RAX, ctx(native.CtxTurn))
	g.Store(jit.At(jit.RDX, native.EntryBudget), jit.RAX)
	g.OpMem(jit.CMP, true, jit.RDX, ctx(native.CtxBegin))
	g.JumpIf(jit.NE, inside)
	g.Load(jit.RDX, ctx(native.CtxEnd))
	g.Bind(inside)
	g.OpImm(jit.SUB, true, jit.RDX, native.EntrySize)
	g.Store(jit.At(jit.RDX, native.EntryBudget), jit.R8)
	g.beginAt(jit.RDX)
	g.Jump(in)
}

// beginAt lets all warps run, from the entry in a register on.
func (g sweepCode) beginAt(entry jit.Reg) {
	g.Store(ctx(native.CtxFirst), entry)
	g.Store(ctx(native.CtxEntry), entry)
	g.Load(jit.RCX, ctx(native.CtxWarps))
	g.Store(ctx(native.CtxPending), jit.RCX)
	noStop := native.NoStop
	g.MoveImm(jit.RCX, uint64(noStop))
	g.Store(ctx(native.CtxStop), jit.RCX)
}

// nextWarp begins with the warp of the entry RDX.
func (g sweepCode) nextWarp() {
	some := g.NewLabel()
	g.Load(jit.RDI, jit.At(jit.RDX, native.EntrySlab))
	g.Store(ctx(native.CtxSlab), jit.RDI)
	g.Load(jit.R8, jit.At(jit.RDX, native.EntryBudget))
	g.Load32(jit.R12, jit.At(jit.RDX, native.EntryMask))
	for _, x := range g.Fields {
		g.Load(jit.RAX, jit.At(jit.RDX, x[0]))
		g.Store(ctx(x[1]), jit.RAX)
	}
	g.noCounts()
	g.Store(ctx(native.CtxInstrs), jit.R9) // 0
	if g.Changes {
		g.Store(ctx(native.CtxChanges), jit.R9)
	}
	g.Load(jit.RAX, ctx(native.CtxTargets))
	g.OpImm(jit.CMP, false, jit.R12, -1)
	g.JumpIf(jit.NE, some)
	g.JumpTo(jit.RAX)
	g.Bind(some)
	g.setMask()
	g.Load(jit.RAX, ctx(native.CtxTargets+8))
	g.JumpTo(jit.RAX)
}
