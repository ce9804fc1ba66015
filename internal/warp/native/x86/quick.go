package x86

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Accesses to global memory that enter the states of a quick look (shadow.Live.First): those of any
// lanes, and atomic operations. What the states do not allow is left to the interpreter, which enters
// the access again: what was entered so far does not matter.

// quickEntry is an access that enters such states, eight at a time. units are those of 8 lanes each, in their page.
type quickEntry struct {
	joining
	kind  uint64
	units []jit.Vec
}

// quickEntryOf is an access as one that enters such states.
func quickEntryOf(a *access) *quickEntry {
	b, kind := *a, quickKind(a.Mem)
	return &quickEntry{joining{access: &b, word: &shadow.Quick, kinds: shadow.QuickKinds(kind), next: a.scratch[4], is: a.scratch[5], state: a.scratch[6], t: a.scratch[7]},
		kind, a.scratch[:4]}
}

// quickKind is the kind that an access is in states and in records.
func quickKind(m *program.Mem) uint64 {
	switch m.Site.Kind {
	case trace.Write:
		return shadow.QuickWrite
	case trace.Atomic:
		return shadow.QuickAtomic
	}
	return shadow.QuickRead
}

// enterQuick enters the access, or leaves the code.
func (a *access) enterQuick() {
	g, m, q := a.g, a.Mem, quickEntryOf(a)
	g.CmpMemImm(ctx(native.CtxPlainSize), int32(a.Size))
	g.JumpIf(jit.NE, a.slow)
	if q.places(); q.parts != 4 {
		g.Jump(a.slow)
		return
	}
	q.page()
	g.who()
	g.Store(ctx(native.CtxB), jit.RCX)
	apart, entered := g.NewLabel(), g.NewLabel()
	if !m.Scalar && m.Base != program.NoSlot {
		q.row(apart)
		q.each(true)
		g.Jump(entered)
	}
	g.Bind(apart)
	q.each(false)
	g.Bind(entered)
	g.MoveImm(jit.RCX, 1)
	g.OpMem(jit.ADD, true, jit.RCX, ctx(native.CtxPlainLooked))
	g.Store(ctx(native.CtxPlainLooked), jit.RCX)
	if a.addr[0] == q.t {
		a.onePlaceIn(q.t)
	}
}

// places makes the units' numbers of the addresses, which are checked.
func (q *quickEntry) places() {
	g, m := q.g, q.Mem
	if m.Scalar || m.Base == program.NoSlot {
		q.parts, q.addr = 4, [4]jit.Vec{q.t, q.t, q.t, q.t}
		q.onePlaceIn(q.t)
	}
	if q.parts != 4 {
		return
	}
	q.checkEach(g.part)
	q.unitsAt(q.units)
}

// page makes the units relative to the page of the first lane's, whose states RBX points to, and
// leaves the code where one is elsewhere.
func (q *quickEntry) page() {
	g := q.g
	if g.part {
		q.park(native.CtxAt, q.units)
		g.TrailingZeros(jit.RCX, jit.R12)
		g.Load(jit.RCX, laneOf(native.CtxAt, 8))
	} else {
		g.MoveFromVec(jit.RCX, q.units[0], true)
	}
	g.pageEntry(jit.RCX, jit.RBX, 0, native.CtxPlainPages, shadow.Pages, q.slow)
	g.Load(jit.RBX, jit.At(jit.RBX, native.PageStates))
	g.ShiftImm(jit.SHL, true, jit.RCX, byte(bits.TrailingZeros(shadow.PageUnits)))
	g.Emit(jit.VPBROADCASTQr, jit.Args{Reg: int8(q.t), RM: int8(jit.RCX)})
	for i, v := range q.units {
		q.op3(subInt.of(8), v, v, vreg(q.t), 0, 0)
		q.op3(jit.VPCMPUQ, 5, v, g.c64(shadow.PageUnits), 5, g.maskOf(i, 4))
		q.leaveIf(5)
	}
}

// row makes RCX the unit of lane 0, or what it would be, where the units of the lanes are a row. It goes to a label where
// they are not.
func (q *quickEntry) row(apart jit.Label) {
	g := q.g
	if g.part {
		g.TrailingZeros(jit.RCX, jit.R12)
		g.Load(jit.RAX, laneOf(native.CtxAt, 8))
		g.Op(jit.SUB, true, jit.RAX, jit.RCX)
		g.MoveFromVec(jit.RCX, q.t, true) // the first unit of the page
		g.Op(jit.SUB, true, jit.RAX, jit.RCX)
		g.Lea(jit.RCX, jit.At(jit.RAX, 0))
	} else {
		g.MoveFromVec(jit.RCX, q.units[0], true)
	}
	q.inRow(jit.RCX, q.units, q.next, q.is, apart)
}

// each enters the lanes that run, eight at a time; row tells that their units are a row from RCX on.
func (q *quickEntry) each(row bool) {
	g := q.g
	for i := range 4 {
		none := g.NewLabel()
		if g.part {
			g.TestImm(jit.R12, int32(uint32(0xff)<<(8*i)))
			g.JumpIf(jit.E, none)
		}
		if row {
			q.eightOfRow(i)
		} else {
			q.eightUnits(i)
		}
		g.Bind(none)
	}
}

// eightUnits enters lanes 8i to 8i+7. Lanes that want one unit to have
// different states, as their threads differ, are found as it then does not have those of all of them.
func (q *quickEntry) eightUnits(i int) {
	g := q.g
	place := jit.Mem{Base: jit.RBX, Index: int8(q.units[i]), Scale: 8}
	q.first(i)
	mask := g.maskOf(i, 4)
	q.gather(q.state, place, mask)
	q.join(ctx(native.CtxPlainFirst), mask)
	same := g.NewLabel()
	q.op3(jit.VPCMPUQ, 6, q.next, vreg(q.state), 4, mask)
	g.KOrTest(6, 6, 16)
	g.JumpIf(jit.E, same)
	q.scatter(q.next, place, 6)
	q.gather(q.state, place, 6)
	q.op3(jit.VPCMPUQ, 5, q.next, vreg(q.state), 4, 6)
	if q.kind == shadow.QuickWrite {
		q.leaveIf(5)
	} else { // several threads, then
		q.op3(jit.VPORQ, q.state, q.state, g.c64(shadow.QuickThread), 0, 0)
		q.op3(jit.VPSCATTERQQ, q.state, 0, operand{m: &place}, 0, 5)
	}
	g.Bind(same)
}

// eightOfRow is eightUnits for units in a row: each lane has one of its own.
func (q *quickEntry) eightOfRow(i int) {
	g, mask := q.g, q.g.maskOf(i, 4)
	place := jit.Mem{Base: jit.RBX, Index: int8(jit.RCX), Scale: 8, Disp: int32(64 * i)}
	ahead := place
	ahead.Disp += prefetchAhead
	jit.Prefetch(&g.Asm, ahead)
	q.first(i)
	g.Emit(jit.VMOVDQU64, jit.Args{Reg: int8(q.state), Mem: &place, K: mask, Zero: mask != 0})
	q.join(ctx(native.CtxPlainFirst), mask)
	same := g.NewLabel()
	q.op3(jit.VPCMPUQ, 6, q.next, vreg(q.state), 4, mask)
	g.KOrTest(6, 6, 16)
	g.JumpIf(jit.E, same)
	g.Emit(jit.VMOVDQU64s, jit.Args{Reg: int8(q.next), Mem: &place, K: mask})
	g.Bind(same)
}

// first sets is for lanes 8i to 8i+7.
func (q *quickEntry) first(i int) {
	g, who := q.g, ctx(native.CtxB)
	var lanes [8]uint64
	for l := range lanes {
		lanes[l] = uint64(8*i+l)<<shadow.QuickThreadShift | q.kinds
	}
	from := g.Data(lanes)
	q.op2(jit.VPBROADCASTQ, q.is, operand{m: &who})
	q.op3(jit.VPADDQ, q.is, q.is, operand{m: &from}, 0, 0)
}
