package x86

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Accesses to global memory that enter an observer's states (shadow.Live) in generated code:
// those of whole warps, each half of which is a row. The others are left to the interpreter, and so are
// those of which a lane fails: the observer then enters the lanes that code has not.

// orEnter is for an access that may have to be entered: where that has no code, it leaves.
func (a *access) orEnter() {
	g := a.g
	g.CmpMemImm(g.memoryCode().regionEnters(a.Index), 0)
	quick, touched, one := g.Watched&native.Quick != 0, g.Watched&native.Touched != 0, a.Mem.Scalar || a.Mem.Base == program.NoSlot
	leaves := a.Mem.Count > 1 || touched && one || !quick && !touched && (g.part || one)
	if leaves && !g.Marks(a.Mem) {
		g.JumpIf(jit.NE, a.slow)
		return
	}
	enters := g.Enters(a.Mem)
	enter, entered := g.NewLabel(), g.NewLabel()
	g.JumpIf(jit.NE, enter)
	g.Bind(entered)
	b := *a
	g.cold = append(g.cold, func() {
		g.Bind(enter)
		if b.held.index.set {
			b = *indexAccess{&b}.wide()
		}
		if g.Marks(a.Mem) {
			marking{lanewise{&b}}.unless(enters, entered)
		}
		switch {
		case !enters:
		case leaves:
			g.Jump(b.slow)
		case touched:
			touching{lanewise{&b}}.enter()
			g.Jump(entered)
		case quick && g.Watched&native.Concurrent != 0:
			concurrent{lanewise{&b}}.enter()
			g.Jump(entered)
		case quick:
			b.enterQuick()
			g.Jump(entered)
		default:
			b.enterRows()
			g.Jump(b.done)
		}
	})
}

// entering is an access that enters states. In all vectors the two halves of an element are what
// a state has: before and n are the range of references that come before the access, since those
// of reads that nothing orders, now that of lane 0.
type entering struct {
	*access
	before, n, since, now, state, me, t jit.Vec
}

// enterRows enters the access and makes it.
func (a *access) enterRows() {
	g := a.g
	g.MoveImm(jit.RAX, 0)
	g.Store(ctx(native.CtxPlainFails), jit.RAX)
	g.MoveFromVec(jit.RAX, a.addr[0], true)
	g.MoveFromVec(jit.RDX, a.addr[a.parts/2], true)
	if a.Size > 1 {
		g.Move32(jit.RCX, jit.RAX)
		g.Op(jit.OR, false, jit.RCX, jit.RDX)
		g.TestImm(jit.RCX, int32(a.Size-1))
		g.JumpIf(jit.NE, a.slow)
	}
	g.OpMem(jit.SUB, true, jit.RAX, g.memoryCode().regionStart(a.Index))
	g.OpMem(jit.SUB, true, jit.RDX, g.memoryCode().regionStart(a.Index))
	first, second := a.repeatFirst()
	a.inRows(first, second, a.Size, a.slow)
	a.pointers(int32(15 * a.Size))
	e := &entering{access: a, before: a.scratch[0], n: a.scratch[1], since: a.scratch[2], now: a.scratch[3],
		state: a.scratch[4], me: a.scratch[5], t: a.scratch[6]}
	e.ready()
	for h, r := range []jit.Reg{jit.RAX, jit.RDX} {
		e.half(h, r)
	}
	g.CmpMemImm(ctx(native.CtxPlainFails), 0)
	g.JumpIf(jit.NE, a.slow)
	e.countIn(ctx(native.CtxPlainLooked))
	if !a.Load {
		g.Load(jit.RBX, ctx(native.CtxPlainWrote))
		e.countIn(jit.At(jit.RBX, 0))
	}
	for h, r := range []jit.Reg{jit.RAX, jit.RDX} {
		a.rowOf(h, jit.At(r, 0))
	}
}

// ready loads what states are compared with.
func (e *entering) ready() {
	g := e.g
	g.CmpMemImm(ctx(native.CtxPlainSize), int32(e.Size))
	g.JumpIf(jit.NE, e.slow)
	g.Load(jit.RCX, ctx(native.CtxWarp)) // an event has the warp from bit 8 on
	g.ShiftImm(jit.SHR, true, jit.RCX, byte(8-bits.TrailingZeros32(uint32(native.PlainWarp))))
	g.OpMem(jit.ADD, true, jit.RCX, ctx(native.CtxPlainWarps))
	g.Load(jit.RBX, jit.At(jit.RCX, 0))
	g.Test(true, jit.RBX, jit.RBX)
	g.JumpIf(jit.E, e.slow)
	g.Emit(jit.VPBROADCASTQr, jit.Args{Reg: int8(e.now), RM: int8(jit.RBX)})
	repeat := func(v jit.Vec, m jit.Mem) { e.op2(jit.VPBROADCASTQ, v, operand{m: &m}) }
	repeat(e.since, jit.At(jit.RCX, native.WarpSince))
	g.Load(jit.RCX, ctx(native.CtxPlainSites))
	repeat(e.before, jit.At(jit.RCX, native.PlainBefore*int32(e.Mem.Site.ID)))
	repeat(e.n, jit.At(jit.RCX, native.PlainBefore*int32(e.Mem.Site.ID)+native.BeforeN))
	g.MoveImm(jit.RCX, 0xaaaa)
	g.KFrom(7, jit.RCX)
	g.MoveImm(jit.RCX, uint64(e.Mem.Site.ID))
	g.Store(ctx(native.CtxPlainSite), jit.RCX)
}

// half enters the 16 lanes of half h, which are neighbors from address r on.
func (e *entering) half(h int, r jit.Reg) {
	g, shift := e.g, bits.TrailingZeros(uint(e.Size))
	g.Lea(jit.RCX, jit.At(r, 0))
	g.pageEntry(jit.RCX, jit.RBX, shift, native.CtxPlainPages, shadow.Pages, e.slow)
	g.Load(jit.RBX, jit.At(jit.RBX, native.PageStates))
	g.Move32(jit.RCX, r)
	g.ShiftImm(jit.SHR, false, jit.RCX, byte(shift))
	g.OpImm(jit.AND, false, jit.RCX, shadow.PageUnits-1)
	g.OpImm(jit.CMP, false, jit.RCX, shadow.PageUnits-16)
	g.JumpIf(jit.A, e.slow)
	for i := range 2 {
		e.eight(16*h+8*i, jit.Mem{Base: jit.RBX, Index: int8(jit.RCX), Scale: 8, Disp: int32(64 * i)})
	}
}

// eight enters eight lanes from one on, whose states are at a place. k5 are the references that
// may race, k6 those of reads that become several threads, k7 the upper halves.
func (e *entering) eight(lane int, place jit.Mem) {
	g := e.g
	var lanes [8]uint64
	for i := range lanes {
		l := uint64(lane + i)
		lanes[i] = l | l<<32
	}
	ahead := place
	ahead.Disp += prefetchAhead
	jit.Prefetch(&g.Asm, ahead)
	none, steps := ctx(native.CtxPlainNone), g.Data(lanes)
	none.Bcast = true
	e.op3(jit.VPADDD, e.me, e.now, operand{m: &steps}, 0, 0)
	e.op2(jit.VMOVDQU64, e.state, operand{m: &place})
	e.op3(jit.VPCMPUD, 5, e.state, operand{m: &none}, 5, 0)
	e.op3(jit.VPSUBD, e.t, e.state, vreg(e.before), 0, 0)
	e.op3(jit.VPCMPUD, 5, e.t, vreg(e.n), 5, 5)
	e.op3(jit.VPCMPUD, 5, e.state, vreg(e.me), 4, 5)
	if e.Load {
		e.op3(jit.VPCMPUD, 6, e.state, vreg(e.since), 5, 5)
		e.op3(jit.VPCMPUD, 5, e.state, vreg(e.since), 1, 5)
	}
	fails, entered := g.NewLabel(), g.NewLabel()
	g.KOrTest(5, 5, 16)
	g.JumpIf(jit.NE, fails)
	e.enter(place, 0)
	g.Bind(entered)
	b := *e
	g.cold = append(g.cold, func() {
		g.Bind(fails)
		b.failing(lane)
		b.enter(place, 5)
		g.Jump(entered)
	})
}

// enter makes new states of eight, and stores those of the lanes in k, 0 for all.
func (e *entering) enter(place jit.Mem, k jit.K) {
	g := e.g
	if e.Load {
		e.op3(jit.VMOVDQU32, e.state, 0, vreg(e.me), 0, 7)
		e.op3(jit.VPORD, e.state, e.now, g.c32(shadow.RefSeveral), 0, 6)
	} else {
		g.Emit(jit.VPSRLQ, jit.Args{V: int8(e.state), RM: int8(e.me), Imm: 32})
	}
	g.Emit(jit.VMOVDQU64s, jit.Args{Reg: int8(e.state), Mem: &place, K: k})
}

// failing notes which of the eight lanes from one on have a reference in k5, and makes k5 the others.
func (e *entering) failing(lane int) {
	g := e.g
	g.Store(ctx(native.CtxOld), jit.RCX)
	g.Emit(jit.VMOVDQU32, jit.Args{Reg: int8(e.t), RM: int8(e.now), K: 5, Zero: true}) // not 0
	e.op3(jit.VPTESTMQ, 5, e.t, vreg(e.t), 0, 0)
	g.KTo(jit.RCX, 5, 8)
	if lane > 0 {
		g.ShiftImm(jit.SHL, false, jit.RCX, byte(lane))
	}
	g.OpMem(jit.OR, true, jit.RCX, ctx(native.CtxPlainFails))
	g.Store(ctx(native.CtxPlainFails), jit.RCX)
	e.op3(jit.VPTESTNMQ, 5, e.t, vreg(e.t), 0, 0)
	g.Load(jit.RCX, ctx(native.CtxOld))
}

// countIn adds one to a counter.
func (e *entering) countIn(counter jit.Mem) {
	e.g.MoveImm(jit.RCX, 1)
	e.g.OpMem(jit.ADD, true, jit.RCX, counter)
	e.g.Store(counter, jit.RCX)
}
