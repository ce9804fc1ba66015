package native

import (
	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
)

// concurrent is an access that enters the states of a quick look, which other blocks may change at the same time
// (shadow.Live.Shared): each lane's by itself, as global.quickBlock.enter does. What the states do not allow
// is left to the interpreter, which enters the access again: what was entered so far does not matter.
type concurrent struct{ lanewise }

// enter enters the access, or leaves the code. RBX are the lanes that are left, RCX is one of them, R13 what a first
// access of it would make of a state, RDX where the state is, RAX what it is, and RDI what it becomes.
func (a concurrent) enter() {
	q := quickEntryOf(a.access)
	g, own := a.g, q.kind|q.kind<<shadow.QuickEverShift
	next, again, fails, enter, done := g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.CmpMemImm(ctx(ctxPlainSize), int32(a.size))
	g.JumpIf(jit.NE, a.slow)
	if q.places(); q.parts != 4 {
		g.Jump(a.slow)
		return
	}
	a.park(ctxAt, q.units)
	g.Load(jit.RCX, ctx(ctxWarp)) // an event has the warp from bit 8 on
	g.ShiftImm(jit.SHL, true, jit.RCX, shadow.QuickThreadShift+5-8)
	g.OpMem(jit.ADD, true, jit.RCX, ctx(ctxPlainWho))
	g.OpImm(jit.ADD, true, jit.RCX, int32(own))
	g.Store(ctx(ctxB), jit.RCX)
	a.statesNear()
	g.Move32(jit.RBX, jit.R12)
	g.Bind(next)
	a.lane(jit.RBX)
	g.Move32(jit.R13, jit.RCX)
	g.ShiftImm(jit.SHL, true, jit.R13, shadow.QuickThreadShift)
	g.OpMem(jit.ADD, true, jit.R13, ctx(ctxB))
	a.state(fails)
	g.Load(jit.RAX, jit.At(jit.RDX, 0))
	g.Bind(again)
	a.join(q.kind, enter, fails)
	g.Bind(enter)
	g.Op(jit.CMP, true, jit.RDI, jit.RAX)
	g.JumpIf(jit.E, done)
	g.CompareExchange(true, jit.At(jit.RDX, 0), jit.RDI)
	g.JumpIf(jit.NE, again)
	g.Bind(done)
	g.Op(jit.AND, false, jit.RBX, jit.RBX)
	g.JumpIf(jit.NE, next)
	a.restored()
	g.MoveImm(jit.RCX, 1)
	g.OpTo(jit.ADD, true, ctx(ctxPlainLooked), jit.RCX)
	if a.addr[0] == q.t {
		a.onePlaceIn(q.t)
	}
	b := concurrent{lanewise{new(*a.access)}}
	g.cold = append(g.cold, func() {
		g.Bind(fails)
		b.restored()
		g.Jump(b.slow)
	})
}

// state makes RDX the place of unit RDX's state, or goes to a label.
func (a concurrent) state(fails jit.Label) {
	g := a.g
	a.page(ctxPlainPages, shadow.Pages, fails)
	g.Load(jit.RDI, jit.At(jit.RCX, pageStates))
	g.OpImm(jit.AND, false, jit.RDX, shadow.PageUnits-1)
	g.Lea(jit.RDX, jit.Mem{Base: jit.RDI, Index: int8(jit.RDX), Scale: 8})
}

// statesNear prefetches the states of all lanes; see prefetching.places.
func (a concurrent) statesNear() {
	g, next, done := a.g, a.g.NewLabel(), a.g.NewLabel()
	g.Move32(jit.RBX, jit.R12)
	g.Bind(next)
	a.lane(jit.RBX)
	a.state(done)
	jit.Prefetch(&g.Asm, jit.At(jit.RDX, 0))
	g.Op(jit.AND, false, jit.RBX, jit.RBX)
	g.JumpIf(jit.NE, next)
	g.Bind(done)
}

// join makes RDI the state after RAX, as global.quickBlock.join does, and continues at a label, or at another one
// where two accesses may race.
func (a concurrent) join(kind uint64, enter, fails jit.Label) {
	g := a.g
	others, earlier, several := g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Lea(jit.RDI, jit.At(jit.R13, 0))
	g.OpMem(jit.CMP, true, jit.RAX, ctx(ctxPlainFirst))
	g.JumpIf(jit.B, enter)
	g.Op(jit.XOR, true, jit.RDI, jit.RAX)
	g.Move32(jit.RCX, jit.RDI)
	g.ShiftImm(jit.SHR, true, jit.RDI, 31) // the block, and QuickSeveral
	g.JumpIf(jit.NE, others)
	g.TestImm(jit.RCX, int32(shadow.QuickInterval))
	g.JumpIf(jit.NE, earlier)
	g.TestImm(jit.RCX, int32(shadow.QuickThread))
	g.JumpIf(jit.NE, several)
	g.Lea(jit.RDI, jit.At(jit.RAX, 0))
	g.OpImm(jit.OR, true, jit.RDI, int32(kind|kind<<shadow.QuickEverShift))
	g.Jump(enter)
	g.Bind(earlier)
	g.Move32(jit.RDI, jit.RAX)
	g.OpImm(jit.AND, false, jit.RDI, int32(shadow.QuickEver))
	g.Op(jit.OR, true, jit.RDI, jit.R13)
	g.Jump(enter)
	g.Bind(several)
	a.alike(kind, 0, fails)
	g.MoveImm(jit.RDI, shadow.QuickThread)
	g.Op(jit.OR, true, jit.RDI, jit.RAX)
	g.Jump(enter)
	g.Bind(others)
	a.alike(kind, shadow.QuickEverShift, fails)
	g.MoveImm(jit.RDI, shadow.QuickSeveral)
	g.Op(jit.OR, true, jit.RDI, jit.RAX)
}

// alike goes to a label unless the kinds in RAX from a bit on are the access's, and no write.
func (a concurrent) alike(kind uint64, shift byte, fails jit.Label) {
	g := a.g
	if kind == shadow.QuickWrite {
		g.Jump(fails)
		return
	}
	g.Move32(jit.RCX, jit.RAX)
	g.OpImm(jit.AND, false, jit.RCX, int32(shadow.QuickNow<<shift))
	g.OpImm(jit.CMP, false, jit.RCX, int32(kind<<shift))
	g.JumpIf(jit.NE, fails)
}
