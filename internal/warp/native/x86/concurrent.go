package x86

import (
	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

// concurrent is an access that enters the states of a quick look, which other blocks may change at the same time
// (shadow.Live.Shared): each lane's by itself. What the states do not allow
// is left to the interpreter, which enters the access again: what was entered so far does not matter.
type concurrent struct{ lanewise }

// enter enters the access, or leaves the code. RBX are the lanes that are left, RCX is one of them, R13 what a first
// access of it would make of a state, RDX where the state is, RAX what it is, and RDI what it becomes.
func (a concurrent) enter() {
	q := quickEntryOf(a.access)
	g, own := a.g, shadow.QuickKinds(q.kind)
	next, again, fails, enter, done := g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.CmpMemImm(ctx(native.CtxPlainSize), int32(a.Size))
	g.JumpIf(jit.NE, a.slow)
	if q.places(); q.parts != 4 {
		g.Jump(a.slow)
		return
	}
	a.park(native.CtxAt, q.units)
	g.who()
	g.OpImm(jit.ADD, true, jit.RCX, int32(own))
	g.Store(ctx(native.CtxB), jit.RCX)
	a.statesNear()
	g.Move32(jit.RBX, jit.R12)
	g.Bind(next)
	a.lane(jit.RBX)
	g.Move32(jit.R13, jit.RCX)
	g.ShiftImm(jit.SHL, true, jit.R13, shadow.QuickThreadShift)
	g.OpMem(jit.ADD, true, jit.R13, ctx(native.CtxB))
	a.state(fails)
	g.Load(jit.RAX, jit.At(jit.RDX, 0))
	g.Bind(again)
	g.joinOne(&shadow.Quick, ctx(native.CtxPlainFirst), own, enter, fails)
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
	g.OpTo(jit.ADD, true, ctx(native.CtxPlainLooked), jit.RCX)
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
	a.page(native.CtxPlainPages, shadow.Pages, fails)
	g.Load(jit.RDI, jit.At(jit.RCX, native.PageStates))
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
