package x86

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// atomics make the new value in RDI from the old one in RAX and the operand in
// RDI, of 32 bits or, if wide, 64.
var atomics = map[string]func(a *access, wide bool){}

func init() {
	for _, n := range []string{"32", "64"} {
		for op, names := range map[jit.Arith][]string{
			jit.ADD: {"add.u" + n, "add.s" + n}, jit.AND: {"and.b" + n}, jit.OR: {"or.b" + n}, jit.XOR: {"xor.b" + n},
		} {
			for _, name := range names {
				atomics[name] = func(a *access, wide bool) { a.g.Op(op, wide, jit.RDI, jit.RAX) }
			}
		}
		for name, c := range map[string]jit.Cond{"min.s": jit.L, "max.s": jit.G, "min.u": jit.B, "max.u": jit.A} {
			atomics[name+n] = func(a *access, wide bool) {
				a.g.Op(jit.CMP, wide, jit.RAX, jit.RDI)
				a.g.CMov(c, wide, jit.RDI, jit.RAX)
			}
		}
		atomics["exch.b"+n] = func(*access, bool) {}
		atomics["cas.b"+n] = (*access).compareAndSwap
	}
	atomics["add.f32"] = func(a *access, _ bool) { a.addFloat(false) }
	atomics["add.ftz.f32"] = func(a *access, _ bool) { a.addFloat(true) }
	atomics["add.f64"] = func(a *access, _ bool) { a.addDouble() }
}

// atomic compiles an OpAtomic as a loop over the lanes of the mask.
func (g memoryCode) atomic(i int, x native.AtomicStep) {
	a := &access{g: g.gen, AccessPlan: x.AccessPlan, parts: 4, slow: g.NewLabel()}
	b, c := a.prepareAtomic()
	g.leaveAt(i, a.slow)
	switch x.First {
	case native.SiftFirst:
		a.sift()
	case native.EnterFirst:
		a.orEnter()
	}
	if a.held.index.set {
		indexAccess{a}.park()
	} else {
		a.parkEach()
	}
	a.park(native.CtxB, b)
	a.park(native.CtxC, c)
	a.loop()
	for k, v := range a.values[0] {
		at := ctx(native.CtxOld + int32(64*k))
		a.op2(jit.VMOVDQU64, v, operand{m: &at})
	}
	g.done.Add(x.Done)
	if m := x.Mem; m.Regs[0] != program.NoSlot {
		g.define(m.Regs[0], m.Width, a.values[0])
	}
	g.release(0)
	g.retire()
	g.comeBack(i + 1)
}

// parkEach leaves the checked places of the lanes in the context.
func (a *access) parkEach() {
	a.checkEach(a.g.part)
	ptr := a.g.memoryCode().regionPtr(a.Index)
	ptr.Bcast = true
	for k := range a.parts {
		a.op3(jit.VPADDQ, a.scratch[k], a.scratch[k], operand{m: &ptr}, 0, 0)
	}
	a.park(native.CtxAt, a.scratch[:4])
}

// prepareAtomic brings addresses and operands into registers.
func (a *access) prepareAtomic() (b, c []jit.Vec) {
	g, m := a.g, a.Mem
	n := partsOf(m.Width)
	for i := range n {
		b = append(b, g.hold(m.B, m.Width).part(i))
		if m.C != program.NoSlot {
			c = append(c, g.hold(m.C, m.Width).part(i))
		}
		if m.Regs[0] != program.NoSlot {
			a.values[0] = append(a.values[0], g.tmp())
		}
	}
	one := m.Scalar || m.Base == program.NoSlot
	if !one {
		a.holdAddress()
	}
	a.takeScratch()
	if one {
		t := a.scratch[7]
		a.onePlaceIn(t)
		a.addr = [4]jit.Vec{t, t, t, t}
	}
	return b, c
}

// onePlaceIn makes all elements of a vector the one address of all lanes.
func (a *access) onePlaceIn(t jit.Vec) {
	if a.Mem.Base == program.NoSlot {
		a.op3(jit.VPXORD, t, t, vreg(t), 0, 0)
		return
	}
	at := slab(a.Mem.Base, 0)
	a.op2(jit.VPBROADCASTQ, t, operand{m: &at})
}

// park stores a row in the context.
func (a *access) park(at int32, row []jit.Vec) {
	for k, v := range row {
		m := ctx(at + int32(64*k))
		a.op2(jit.VMOVDQU64s, v, operand{m: &m})
	}
}

// loop does the lanes of the mask from the lowest to the highest: RBX are those
// that are left, RCX is one of them, RDX its place and R13 counts changes.
func (a *access) loop() {
	g, wide := a.g, a.Mem.Elem == 8
	next, again, stays := g.NewLabel(), g.NewLabel(), g.NewLabel()
	if a.Mem.Space != trace.SpaceShared {
		prefetching{a}.places()
	}
	g.Move32(jit.RBX, jit.R12)
	g.MoveImm(jit.R13, 0)
	g.Bind(next)
	g.TrailingZeros(jit.RCX, jit.RBX)
	g.Move32(jit.RDX, jit.RBX)
	g.OpImm(jit.SUB, false, jit.RDX, 1)
	g.Op(jit.AND, false, jit.RBX, jit.RDX)
	g.Load(jit.RDX, laneOf(native.CtxAt, 8))
	a.loadOld(jit.At(jit.RDX, 0))
	g.Bind(again)
	a.loadLane(jit.RDI, native.CtxB)
	atomics[a.Mem.Atom](a, wide)
	if a.Mem.Space == trace.SpaceShared {
		a.storeNew(jit.At(jit.RDX, 0))
	} else {
		// What was there stays: no other processor can tell a write of it from none.
		g.Op(jit.CMP, wide, jit.RAX, jit.RDI)
		g.JumpIf(jit.E, stays)
		g.CompareExchange(wide, jit.At(jit.RDX, 0), jit.RDI)
		g.JumpIf(jit.NE, again)
		g.Bind(stays)
	}
	if wide {
		g.Store(laneOf(native.CtxOld, 8), jit.RAX)
	} else {
		g.Store32(laneOf(native.CtxOld, 4), jit.RAX)
	}
	g.Op(jit.CMP, wide, jit.RAX, jit.RDI)
	g.Set(jit.NE, jit.RDI)
	g.Op(jit.ADD, true, jit.R13, jit.RDI)
	g.Test(false, jit.RBX, jit.RBX)
	g.JumpIf(jit.NE, next)
	g.OpMem(jit.ADD, true, jit.R13, ctx(native.CtxChanges))
	g.Store(ctx(native.CtxChanges), jit.R13)
	g.Load(jit.RDI, ctx(native.CtxSlab))
	g.Load(jit.R13, ctx(native.CtxRegions))
}

// laneOf is the element of lane RCX in a row of the context.
func laneOf(row int32, width uint8) jit.Mem {
	return jit.Mem{Base: jit.RSI, Index: int8(jit.RCX), Scale: width, Disp: row}
}

func (a *access) loadLane(d jit.Reg, row int32) {
	if a.Mem.Elem == 8 {
		a.g.Load(d, laneOf(row, 8))
	} else {
		a.g.Load32(d, laneOf(row, 4))
	}
}

func (a *access) loadOld(m jit.Mem) {
	if a.Mem.Elem == 8 {
		a.g.Load(jit.RAX, m)
	} else {
		a.g.Load32(jit.RAX, m)
	}
}

func (a *access) storeNew(m jit.Mem) {
	if a.Mem.Elem == 8 {
		a.g.Store(m, jit.RDI)
	} else {
		a.g.Store32(m, jit.RDI)
	}
}

// compareAndSwap is the other operand where the old value is as expected.
func (a *access) compareAndSwap(wide bool) {
	a.g.Op(jit.CMP, wide, jit.RAX, jit.RDI)
	a.loadLane(jit.RDI, native.CtxC)
	a.g.CMov(jit.NE, wide, jit.RDI, jit.RAX)
}

// addFloat adds f32, with flush without subnormal numbers.
func (a *access) addFloat(flush bool) {
	g, x, y := a.g, a.scratch[4], a.scratch[5]
	zero := func(v jit.Vec) {
		if flush {
			a.op3(jit.VPTESTNMD, 5, v, g.c32(0x7f800000), 0, 0)
			a.op3(jit.VPANDD, v, v, g.c32(1<<31), 0, 5)
		}
	}
	g.Emit(jit.VPBROADCASTDr, jit.Args{Reg: int8(x), RM: int8(jit.RAX)})
	g.Emit(jit.VPBROADCASTDr, jit.Args{Reg: int8(y), RM: int8(jit.RDI)})
	zero(x)
	zero(y)
	a.op3(jit.VADDPS, x, x, vreg(y), 0, 0)
	g.load(y, g.c32(0x7fffffff)) // for NaN, see canonical
	a.op3(jit.VFIXUPIMMPS, y, x, g.c32(0x11111100), 0, 0)
	zero(y)
	g.MoveFromVec(jit.RDI, y, false)
}

func (a *access) addDouble() {
	g, x, y := a.g, a.scratch[4], a.scratch[5]
	g.Emit(jit.VPBROADCASTQr, jit.Args{Reg: int8(x), RM: int8(jit.RAX)})
	g.Emit(jit.VPBROADCASTQr, jit.Args{Reg: int8(y), RM: int8(jit.RDI)})
	a.op3(jit.VADDPD, x, x, vreg(y), 0, 0)
	g.MoveFromVec(jit.RDI, x, true)
}
