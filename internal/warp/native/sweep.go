package native

import "github.com/warpgrind/warpgrind/internal/warp/jit"

// sweepCode is for sweeps.
type sweepCode struct {
	divergeCode
	sweepPlan
}

// compile emits where the warps of a sweep begin and stop. It returns the way in.
func (g sweepCode) compile() (in jit.Label) {
	in, next, came, out := g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Bind(g.stop)
	g.tellThreads()
	g.Load(jit.RDX, ctx(ctxEntry))
	g.Test(true, jit.RDX, jit.RDX)
	g.JumpIf(jit.E, out)
	g.CmpMemImm(ctx(ctxDepth), 0)
	g.JumpIf(jit.NE, out)
	g.Load32(jit.RCX, ctx(ctxStop))
	g.Op(jit.CMP, false, jit.RCX, jit.RAX)
	g.JumpIf(jit.E, came)
	g.OpImm(jit.CMP, false, jit.RCX, NoStop)
	g.JumpIf(jit.NE, out)
	g.Store(ctx(ctxStop), jit.RAX)
	g.Bind(came)
	g.stopped(next)
	g.nextBlock(in)
	g.pass(in, out)
	g.Bind(in)
	g.MoveImm(jit.RCX, 0)
	for _, x := range swept {
		g.Store(ctx(x[0]), jit.RCX)
	}
	g.Load(jit.R13, ctx(ctxRegions))
	g.Load(jit.RDX, ctx(ctxEntry))
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
	g.Load(jit.RCX, ctx(ctxInstrs))
	note(entryInstrs, 0, jit.RCX)
	note(entryLoads, entryLast, jit.R10)
	note(entryStores, entryLast+8, jit.R11)
	if g.changes {
		g.Load(jit.RCX, ctx(ctxChanges))
		note(entryChange, entryLast+16, jit.RCX)
	}
	inside := g.NewLabel()
	g.OpImm(jit.ADD, true, jit.RDX, EntrySize)
	g.OpMem(jit.CMP, true, jit.RDX, ctx(ctxEnd))
	g.JumpIf(jit.NE, inside)
	g.Load(jit.RDX, ctx(ctxBegin))
	g.Bind(inside)
	g.Store(ctx(ctxEntry), jit.RDX)
	g.MoveImm(jit.RCX, 1)
	g.OpTo(jit.SUB, true, ctx(ctxPending), jit.RCX)
	g.JumpIf(jit.NE, next)
}

// pass continues behind the barrier RAX, at which all warps are, if the code may. As without
// sweeps, the last warp continues with what is left of its turn.
func (g sweepCode) pass(in, out jit.Label) {
	g.Load(jit.RCX, ctx(ctxPassed))
	g.OpMem(jit.CMP, true, jit.RCX, ctx(ctxPasses))
	g.JumpIf(jit.AE, out)
	g.Load(jit.RDX, ctx(ctxThreads))
	g.OpImm(jit.CMP, true, jit.RDX, MaxSwept)
	g.JumpIf(jit.AE, out)
	passed, inside := g.NewLabel(), g.NewLabel()
	for _, pc := range g.passes {
		next := g.NewLabel()
		g.OpImm(jit.CMP, false, jit.RAX, int32(pc))
		g.JumpIf(jit.NE, next)
		for f := range int32(2) {
			g.LeaLabel(jit.RDX, g.labelOf(f == 1, int32(pc+1)))
			g.Store(ctx(ctxTargets+8*f), jit.RDX)
		}
		g.Jump(passed)
		g.Bind(next)
	}
	g.Jump(out)
	g.Bind(passed)
	g.Store32(jit.Mem{Base: jit.RSI, Index: int8(jit.RCX), Scale: 4, Disp: ctxPassedAt}, jit.RAX)
	g.OpImm(jit.ADD, true, jit.RCX, 1)
	g.Store(ctx(ctxPassed), jit.RCX)
	g.Load(jit.RDX, ctx(ctxFirst))
	g.Load(jit.RAX, ctx(ctxTurn))
	g.Store(jit.At(jit.RDX, entryBudget), jit.RAX)
	g.OpMem(jit.CMP, true, jit.RDX, ctx(ctxBegin))
	g.JumpIf(jit.NE, inside)
	g.Load(jit.RDX, ctx(ctxEnd))
	g.Bind(inside)
	g.OpImm(jit.SUB, true, jit.RDX, EntrySize)
	g.Store(jit.At(jit.RDX, entryBudget), jit.R8)
	g.beginAt(jit.RDX)
	g.Jump(in)
}

// beginAt lets all warps run, from the entry in a register on.
func (g sweepCode) beginAt(entry jit.Reg) {
	g.Store(ctx(ctxFirst), entry)
	g.Store(ctx(ctxEntry), entry)
	g.Load(jit.RCX, ctx(ctxWarps))
	g.Store(ctx(ctxPending), jit.RCX)
	noStop := NoStop
	g.MoveImm(jit.RCX, uint64(noStop))
	g.Store(ctx(ctxStop), jit.RCX)
}

// nextWarp begins with the warp of the entry RDX.
func (g sweepCode) nextWarp() {
	some := g.NewLabel()
	g.Load(jit.RDI, jit.At(jit.RDX, entrySlab))
	g.Store(ctx(ctxSlab), jit.RDI)
	g.Load(jit.R8, jit.At(jit.RDX, entryBudget))
	g.Load32(jit.R12, jit.At(jit.RDX, entryMask))
	for _, x := range g.fields {
		g.Load(jit.RAX, jit.At(jit.RDX, x[0]))
		g.Store(ctx(x[1]), jit.RAX)
	}
	g.noCounts()
	g.Store(ctx(ctxInstrs), jit.R9) // 0
	if g.changes {
		g.Store(ctx(ctxChanges), jit.R9)
	}
	g.Load(jit.RAX, ctx(ctxTargets))
	g.OpImm(jit.CMP, false, jit.R12, -1)
	g.JumpIf(jit.NE, some)
	g.JumpTo(jit.RAX)
	g.Bind(some)
	g.setMask()
	g.Load(jit.RAX, ctx(ctxTargets+8))
	g.JumpTo(jit.RAX)
}
