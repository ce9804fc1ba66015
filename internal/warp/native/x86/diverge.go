package x86

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

// Lanes that diverge at a branch stay in generated code: one side runs, then the
// other, each in the code for some lanes, and where they meet all continue in the
// code for their mask. What the interpreter keeps of that in joins and groups
// is here two stacks in the context, as long as nothing else comes up; where
// the code is left, unfold makes joins and groups of them. The order is the
// interpreter's: the side that falls through first, the other after it.

// parts continues after a branch at step i of which lanes RAX are taken, some but
// not all that run. It leaves the code where it cannot.
func (g divergeCode) parts(i int, x native.BranchStep, not bool) {
	out, same, both := g.NewLabel(), g.NewLabel(), g.NewLabel()
	if not {
		g.Op(jit.XOR, false, jit.RAX, jit.R12)
	}
	g.Move32(jit.RCX, jit.R12)
	g.Op(jit.XOR, false, jit.RCX, jit.RAX) // the lanes that fall through
	if x.Parts == native.BothRun {
		g.Load(jit.RDX, ctx(native.CtxWaiting))
		g.OpMem(jit.CMP, true, jit.RDX, ctx(native.CtxLimit))
		g.JumpIf(jit.AE, out)
	}
	g.Load(jit.RDX, ctx(native.CtxDepth))
	g.CmpMemImm(ctx(native.CtxMeet), x.Meet)
	g.JumpIf(jit.E, same)
	g.pushJoin(x.Meet, out)
	g.Jump(both)
	g.Bind(same)
	g.Test(true, jit.RDX, jit.RDX)
	g.JumpIf(jit.E, out) // the reconvergence point is the interpreter's
	g.Lea(jit.RBX, jit.At(jit.RSI, -native.DivergedSize))
	g.Op(jit.ADD, true, jit.RBX, jit.RDX)
	g.Bind(both)
	g.tellThreads()
	to, stay := x.Next, jit.RCX
	switch x.Parts {
	case native.TakenMeets:
		g.come(jit.RAX)
	case native.NextMeets:
		g.come(jit.RCX)
		to, stay = x.Target, jit.RAX
	default:
		g.pushSide(x.Target)
	}
	g.Move32(jit.R12, stay)
	g.setMask()
	g.Jump(g.labelOf(true, to))
	g.Bind(out)
	g.exit(i)
}

// leavesLoop continues after the branch at the end of a loop, whose exit is where its lanes meet, in the
// form for some lanes. Lanes that leave one by one do so at random, so that whether any leave is
// nothing to branch at.
func (g divergeCode) leavesLoop(i int, x native.BranchStep) {
	other, last := g.NewLabel(), g.NewLabel()
	g.Load32(jit.RAX, slab(x.Predicate, 0))
	if x.Not {
		g.Not(false, jit.RAX)
	}
	g.CmpMemImm(ctx(native.CtxMeet), x.Meet)
	g.JumpIf(jit.NE, other)
	g.Load(jit.RBX, ctx(native.CtxDepth))
	g.Test(true, jit.RBX, jit.RBX)
	g.JumpIf(jit.E, other)
	g.Op(jit.AND, false, jit.RAX, jit.R12)
	g.JumpIf(jit.E, last)
	g.tellThreads()
	g.Move32(jit.RCX, jit.R12)
	g.Op(jit.XOR, false, jit.RCX, jit.RAX)
	g.Lea(jit.RBX, jit.At(jit.RBX, -native.DivergedSize))
	g.Op(jit.ADD, true, jit.RBX, jit.RSI)
	g.come(jit.RCX)
	g.Move32(jit.R12, jit.RAX)
	g.setMask()
	rows, again, loop := slices.Clone(g.rows), g.label(x.Target), loopCode(g)
	if loop.carries() {
		again = g.NewLabel()
		g.Bind(again)
		loop.repeatLoop()
	} else {
		g.Jump(again)
	}
	g.cold = append(g.cold, func() {
		g.Bind(last)
		g.Jump(g.label(x.Next))
		g.Bind(other)
		g.Op(jit.AND, false, jit.RAX, jit.R12)
		g.JumpIf(jit.E, g.label(x.Next))
		g.Op(jit.CMP, false, jit.RAX, jit.R12)
		g.JumpIf(jit.E, again)
		g.memoryCode().restore(rows)
		g.flush()
		g.parts(i, x, false)
	})
}

// pushJoin makes a reconvergence point for the lanes that run. RDX is the depth; RBX
// becomes the join, less its place in the context.
func (g divergeCode) pushJoin(meet int32, out jit.Label) {
	g.OpMem(jit.CMP, true, jit.RDX, ctx(native.CtxLimit))
	g.JumpIf(jit.AE, out)
	g.join(meet)
}

// join is pushJoin where there is room.
func (g divergeCode) join(meet int32) {
	g.Lea(jit.RBX, jit.At(jit.RSI, 0))
	g.Op(jit.ADD, true, jit.RBX, jit.RDX)
	g.OpImm(jit.ADD, true, jit.RDX, native.DivergedSize)
	g.Store(ctx(native.CtxDepth), jit.RDX)
	g.Store32(jit.At(jit.RBX, native.CtxJoins), jit.R12)
	g.MoveImm(jit.RDX, 0)
	g.Store32(jit.At(jit.RBX, native.JoinArrived), jit.RDX)
	g.Load(jit.RDX, ctx(native.CtxMeet))
	g.Store(jit.At(jit.RBX, native.JoinOuter), jit.RDX)
	g.MoveImm(jit.RDX, uint64(meet))
	g.Store(ctx(native.CtxMeet), jit.RDX)
}

// come notes that lanes have reached the join RBX.
func (g divergeCode) come(lanes jit.Reg) {
	g.Load32(jit.RDX, jit.At(jit.RBX, native.JoinArrived))
	g.Op(jit.OR, false, jit.RDX, lanes)
	g.Store32(jit.At(jit.RBX, native.JoinArrived), jit.RDX)
}

// pushSide lets lanes RAX run later, from a step on.
func (g divergeCode) pushSide(pc int32) {
	g.Load(jit.RBX, ctx(native.CtxWaiting))
	g.Lea(jit.RDX, jit.At(jit.RBX, native.DivergedSize))
	g.Store(ctx(native.CtxWaiting), jit.RDX)
	g.Op(jit.ADD, true, jit.RBX, jit.RSI)
	g.Store32(jit.At(jit.RBX, native.SideMask), jit.RAX)
	g.LeaLabel(jit.RDX, g.labelOf(true, pc))
	g.Store(jit.At(jit.RBX, native.SideCode), jit.RDX)
	g.MoveImm(jit.RDX, uint64(pc))
	g.Store32(jit.At(jit.RBX, native.SidePC), jit.RDX)
	g.Load(jit.RDX, ctx(native.CtxDepth))
	g.Store(jit.At(jit.RBX, native.SideJoin), jit.RDX)
}

// meets continues where the running lanes have reached their reconvergence point, step
// i: with all lanes if they are the last ones, else with the next side.
func (g divergeCode) meets(i int) {
	all, part := g.NewLabel(), g.NewLabel()
	g.Load(jit.RDX, ctx(native.CtxDepth))
	g.Test(true, jit.RDX, jit.RDX)
	g.JumpIf(jit.NE, part)
	g.exit(i) // the reconvergence point is the interpreter's
	g.Bind(part)
	g.tellThreads()
	g.Load(jit.RBX, ctx(native.CtxDepth))
	g.Lea(jit.RDX, jit.At(jit.RBX, -native.DivergedSize))
	g.Lea(jit.RBX, jit.At(jit.RDX, 0))
	g.Op(jit.ADD, true, jit.RBX, jit.RSI)
	g.Load32(jit.RAX, jit.At(jit.RBX, native.JoinArrived))
	g.Op(jit.OR, false, jit.RAX, jit.R12)
	g.OpMem(jit.CMP, false, jit.RAX, jit.At(jit.RBX, native.CtxJoins))
	g.JumpIf(jit.E, all)
	g.Store32(jit.At(jit.RBX, native.JoinArrived), jit.RAX)
	g.popSide()
	g.Bind(all)
	g.Store(ctx(native.CtxDepth), jit.RDX)
	g.Store(ctx(native.CtxMet), jit.RSI) // not 0
	g.Load(jit.RDX, jit.At(jit.RBX, native.JoinOuter))
	g.Store(ctx(native.CtxMeet), jit.RDX)
	g.Move32(jit.R12, jit.RAX)
	g.OpImm(jit.CMP, false, jit.RAX, -1)
	g.JumpIf(jit.E, g.labelOf(false, int32(i)))
	g.setMask()
	g.Jump(g.labelOf(true, int32(i)))
}

// popSide continues with the lanes that wait to run.
func (g divergeCode) popSide() {
	g.Load(jit.RDX, ctx(native.CtxWaiting))
	g.OpImm(jit.SUB, true, jit.RDX, native.DivergedSize)
	g.Store(ctx(native.CtxWaiting), jit.RDX)
	g.Op(jit.ADD, true, jit.RDX, jit.RSI)
	g.Load32(jit.R12, jit.At(jit.RDX, native.SideMask))
	g.setMask()
	g.Load(jit.RAX, jit.At(jit.RDX, native.SideCode))
	g.JumpTo(jit.RAX)
}

// setMask makes R12 the lanes that run.
func (g divergeCode) setMask() {
	g.KFrom(1, jit.R12)
	for k := range 3 {
		g.KShiftR(jit.K(2+k), 1, byte(8*(k+1)))
	}
}

// tellThreads counts what the running lanes did, before they change. It keeps
// all but RDX.
func (g divergeCode) tellThreads() {
	g.PopCount(jit.RDX, jit.R12)
	g.Mul(true, jit.RDX, jit.R9)
	g.OpTo(jit.ADD, true, ctx(native.CtxThreads), jit.RDX)
	g.OpTo(jit.ADD, true, ctx(native.CtxInstrs), jit.R9)
	g.MoveImm(jit.R9, 0)
}
