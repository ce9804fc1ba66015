package x86

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

func (g memoryCode) regionStart(x int32) jit.Mem {
	return jit.At(jit.R13, x*native.RegionSize+native.RegionStart)
}
func (g memoryCode) regionLimit(x int32) jit.Mem {
	return jit.At(jit.R13, x*native.RegionSize+native.RegionLimit)
}
func (g memoryCode) regionPtr(x int32) jit.Mem {
	return jit.At(jit.R13, x*native.RegionSize+native.RegionPtr)
}
func (g memoryCode) regionEnters(x int32) jit.Mem {
	return jit.At(jit.R13, x*native.RegionSize+native.RegionEnters)
}
func (g memoryCode) regionMissed(x int32) jit.Mem {
	return jit.At(jit.R13, x*native.RegionSize+native.RegionMissed)
}
func (g memoryCode) regionBits(x int32) jit.Mem {
	return jit.At(jit.R13, x*native.RegionSize+native.RegionBits)
}
func (g memoryCode) regionPages(x int32) jit.Mem {
	return jit.At(jit.R13, x*native.RegionSize+native.RegionPages)
}

// access is a memory instruction being compiled.
type access struct {
	g *gen
	native.AccessPlan
	parts int // of the addresses
	addr  [4]jit.Vec
	// held is the row of the addresses if that is held as an index, with registers for what it is then.
	held    row
	widened [4]jit.Vec
	// values are the results of a load by element and part, or what is stored.
	values [4][]jit.Vec
	// scratch registers that the ways off the fast path use.
	scratch [8]jit.Vec
	slow    jit.Label
	done    jit.Label
}

// memory compiles a load or store. What it cannot do (faults, another region)
// leaves to the interpreter, which comes back after the step.
func (g memoryCode) memory(i int, x native.MemoryStep) {
	a := &access{g: g.gen, AccessPlan: x.AccessPlan, slow: g.NewLabel(), done: g.NewLabel()}
	a.prepare()
	g.leaveAt(i, a.slow)
	switch x.First {
	case native.FollowFirst:
		a.expected()
	case native.SiftFirst:
		a.sift()
	case native.EnterFirst:
		a.orEnter()
	}
	if x.TriesLocal {
		a.orLocal()
	}
	switch {
	case x.Placing == native.LocalRow:
		a.localRows()
	case x.Placing == native.LocalEach:
		a.localEach(a.Mem.Offset)
	case x.Placing == native.AtOnePlace && a.Load:
		a.onePlace()
		a.scalarLoad()
	case x.Placing == native.AtOnePlace:
		a.onePlace()
		a.scalarStore()
	case a.held.index.set:
		indexAccess{a}.compile()
	case g.part:
		a.byMask()
	default:
		a.byPattern()
	}
	g.Bind(a.done)
	if x.First == native.FollowFirst {
		a.advance()
	}
	g.done.Add(x.Done)
	a.define()
	g.release(0)
	g.retire()
	g.comeBack(i + 1)
}

// leaveAt emits the way out to the interpreter before step i, in the state of
// now.
func (g memoryCode) leaveAt(i int, l jit.Label) {
	rows, done := append([]row(nil), g.rows...), g.done
	g.cold = append(g.cold, func() {
		g.Bind(l)
		g.restore(rows)
		g.done = done
		g.flush()
		g.count()
		g.exit(i)
	})
}

// comeBack emits the way in from the interpreter before step i of the run.
func (g memoryCode) comeBack(i int) {
	if i >= g.Until {
		return
	}
	rows, done := append([]row(nil), g.rows...), g.done
	l, here := g.NewLabel(), g.NewLabel()
	g.canEnter(i, l)
	g.Bind(here)
	g.cold = append(g.cold, func() {
		g.Bind(l)
		not := g.NewLabel()
		g.reloadAll(rows, not)
		// What was counted on the way out is not counted again.
		g.done = done.Opposite()
		g.count()
		g.Jump(here)
		g.Bind(not)
		g.exit(i)
	})
}

// restore sets the state of code that is emitted later.
func (g memoryCode) restore(rows []row) {
	g.rows, g.free, g.temps = append(g.rows[:0], rows...), allVecs, 0
	g.occupy()
}

func (g memoryCode) reload(r *row) {
	if o := g.repeated(r.slot, 4*r.parts/2); o != nil && r.same {
		g.load(r.reg[0], *o)
		return
	}
	for k, v := range r.regs() {
		m := slab(r.slot, 64*k)
		g.load(v, operand{m: &m})
	}
}

// prepare brings addresses and operands into registers and takes the scratch
// registers, so that the state does not change on the way.
func (a *access) prepare() {
	g, m := a.g, a.Mem
	if m.Base != program.NoSlot && !m.Scalar {
		a.holdAddress()
	}
	for k := range m.Count {
		if m.Regs[k] == program.NoSlot || m.ScalarRegs {
			continue
		}
		for i := range partsOf(m.Width) {
			if a.Load {
				a.values[k] = append(a.values[k], g.tmp())
			} else {
				a.values[k] = append(a.values[k], g.hold(m.Regs[k], m.Width).part(i))
			}
		}
	}
	a.takeScratch()
}

// holdAddress brings the addresses of the lanes into registers.
func (a *access) holdAddress() {
	if r := a.g.peek(a.Mem.Base); r != nil && (indexAccess{a}).takes(r) {
		a.held, a.parts = *r, 2
		copy(a.addr[:], r.regs())
		return
	}
	r := a.g.hold(a.Mem.Base, a.Mem.BaseWidth)
	a.parts = r.parts
	for i := range a.parts {
		a.addr[i] = r.part(i)
	}
}

// takeScratch takes the scratch registers.
func (a *access) takeScratch() {
	for i := range a.scratch {
		a.scratch[i] = a.g.tmp()
	}
	if a.held.index.set {
		for i := range a.widened {
			a.widened[i] = a.g.tmp()
		}
	}
}

// define makes the loaded values the registers'.
func (a *access) define() {
	if !a.Load || a.Mem.ScalarRegs {
		return
	}
	one := a.oneValue()
	for k := range a.Mem.Count {
		if a.Mem.Regs[k] == program.NoSlot {
			continue
		}
		regs := a.values[k]
		if one {
			regs = regs[:1]
		}
		a.g.define(a.Mem.Regs[k], a.Mem.Width, regs)
	}
}

// oneValue reports whether all lanes load the same value, whoever does it: from
// a generic address that is all the lanes' it may be their own local memory.
func (a *access) oneValue() bool {
	return (a.Mem.Scalar || a.Mem.Base == program.NoSlot) && a.Mem.Space != trace.SpaceLocal && a.Mem.Space != trace.SpaceGeneric
}

// onePlace makes RAX the pointer to the one address of all lanes.
func (a *access) onePlace() {
	g, m := a.g, a.Mem
	if m.Base == program.NoSlot {
		g.MoveImm(jit.RAX, 0)
	} else {
		g.Load(jit.RAX, slab(m.Base, 0))
	}
	if a.Size > 1 {
		g.TestImm(jit.RAX, int32(a.Size-1))
		g.JumpIf(jit.NE, a.slow)
	}
	a.within(jit.RAX, 0)
}

// scalarLoad loads from RAX for all lanes.
func (a *access) scalarLoad() {
	g, m := a.g, a.Mem
	for k := range m.Count {
		if m.Regs[k] == program.NoSlot {
			continue
		}
		a.element(jit.RCX, jit.At(jit.RAX, int32(k*m.Elem)))
		if !m.ScalarRegs {
			in := jit.VPBROADCASTDr
			if m.Width == alu.W64 {
				in = jit.VPBROADCASTQr
			}
			for i, v := range a.values[k] {
				if i == 0 || !a.oneValue() {
					g.Emit(in, jit.Args{Reg: int8(v), RM: int8(jit.RCX)})
				}
			}
			continue
		}
		g.Store(slab(m.Regs[k], 0), jit.RCX)
		g.repeat(m.Bcast[k], m.Width, jit.RCX)
	}
}

// scalarStore stores what the highest lane that runs has at RAX.
func (a *access) scalarStore() {
	g, m := a.g, a.Mem
	if g.part {
		g.HighestBit(jit.RCX, jit.R12)
	} else {
		g.MoveImm(jit.RCX, 31)
	}
	for k, v := range a.values[:m.Count] {
		if v[0] == v[len(v)-1] { // it is the same in all
			g.MoveFromVec(jit.RDX, v[0], m.Width == alu.W64)
		} else {
			a.park(native.CtxB, v)
			a.loadLane(jit.RDX, native.CtxB)
		}
		g.StoreX(jit.At(jit.RAX, int32(k*m.Elem)), jit.RDX, m.Elem)
	}
}

// within turns an address into a pointer, if it and the one span further are
// inside the region.
func (a *access) within(r jit.Reg, span int32) {
	g := a.g
	g.OpMem(jit.SUB, true, r, g.memoryCode().regionStart(a.Index))
	a.inside(r, span)
	g.OpMem(jit.ADD, true, r, g.memoryCode().regionPtr(a.Index))
}

func (a *access) inside(r jit.Reg, span int32) {
	g := a.g
	g.OpMem(jit.CMP, true, r, g.memoryCode().regionLimit(a.Index))
	g.JumpIf(jit.AE, a.slow)
	if span > 0 {
		g.Lea(jit.RCX, jit.At(r, span))
		g.OpMem(jit.CMP, true, jit.RCX, g.memoryCode().regionLimit(a.Index))
		g.JumpIf(jit.AE, a.slow)
	}
}

// element loads an element as a register keeps it.
func (a *access) element(d jit.Reg, at jit.Mem) {
	g, m := a.g, a.Mem
	if m.Elem == 8 {
		g.Load(d, at)
		return
	}
	g.LoadX(d, at, m.Elem, m.SignBits > 0)
	switch {
	case m.SignBits == 32:
		g.Move32(d, d)
	case m.SignBits > 0 && m.SignBits < 32:
		g.OpImm(jit.AND, false, d, int32(1)<<m.SignBits-1)
	}
}
