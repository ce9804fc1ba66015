package x86

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// holdLoad loads what a register has from where on.
func (l serialCode) holdLoad(x *native.SerialLoad) {
	if x.Has {
		l.Load(x.Held, ctx(x.Where))
	}
}

// alignedLoad goes to trouble unless RAX is a multiple of the size.
func (l serialCode) alignedLoad(x *native.SerialLoad) {
	if x.Size > 1 {
		l.TestImm(jit.RAX, int32(x.Size-1))
		l.JumpIf(jit.NE, l.Trouble)
	}
}

// beforeWarp readies what holds for all lanes.
func (l serialCode) beforeWarp(x *native.SerialLoad) {
	mem := l.memoryCode()
	if x.Mem.Site.Kind == trace.Atomic { // other loads are from other allocations
		l.Load(jit.RAX, mem.regionPtr(x.Index))
		l.eachLoad(func(y *native.SerialLoad) {
			if y != x {
				l.OpMem(jit.CMP, true, jit.RAX, mem.regionPtr(y.Index))
				l.JumpIf(jit.E, l.Trouble)
			}
		})
	}
	switch x.Kind {
	case native.ByStride:
		l.Load(jit.RAX, mem.regionPtr(x.Index))
		l.OpMem(jit.SUB, true, jit.RAX, mem.regionStart(x.Index))
		l.Store(ctx(x.Where), jit.RAX)
	case native.ByIndex:
		l.Load(jit.RAX, slab(x.Sum, 0))
		l.alignedLoad(x)
		l.OpMem(jit.SUB, true, jit.RAX, mem.regionStart(x.Index))
		l.OpMem(jit.CMP, true, jit.RAX, mem.regionLimit(x.Index))
		l.JumpIf(jit.AE, l.Trouble)
		l.Load(jit.RCX, mem.regionLimit(x.Index))
		l.Op(jit.SUB, true, jit.RCX, jit.RAX)
		l.OpImm(jit.SUB, true, jit.RCX, 1)
		if x.Shift > 0 {
			l.ShiftImm(jit.SHR, true, jit.RCX, x.Shift)
		}
		l.Store(ctx(x.Limit), jit.RCX)
		l.OpMem(jit.ADD, true, jit.RAX, mem.regionPtr(x.Index))
		l.Store(ctx(x.Where), jit.RAX)
	}
}

// beforeLane readies what holds for the lane, and lessens its rounds in R9.
func (l serialCode) beforeLane(x *native.SerialLoad) {
	mem := l.memoryCode()
	if x.Kind != native.ByLane && x.Kind != native.ByStride {
		return
	}
	l.Load(jit.RAX, l.memory(x.Mem.Base, nil, alu.W64))
	l.alignedLoad(x)
	l.OpMem(jit.SUB, true, jit.RAX, mem.regionStart(x.Index))
	if x.Late {
		l.OpImm(jit.ADD, true, jit.RAX, 1<<x.Shift)
	}
	l.OpMem(jit.CMP, true, jit.RAX, mem.regionLimit(x.Index))
	l.JumpIf(jit.AE, l.Trouble)
	if x.Kind == native.ByLane {
		l.OpMem(jit.ADD, true, jit.RAX, mem.regionPtr(x.Index))
		for k := range x.Mem.Count {
			(&access{g: l.gen, AccessPlan: native.AccessPlan{Mem: x.Mem}}).element(jit.RCX, jit.At(jit.RAX, int32(k*x.Mem.Elem)))
			l.Store(ctx(x.Where+int32(8*k)), jit.RCX)
		}
		return
	}
	l.Load(jit.RCX, mem.regionLimit(x.Index))
	l.Op(jit.SUB, true, jit.RCX, jit.RAX)
	l.OpImm(jit.SUB, true, jit.RCX, 1)
	l.ShiftImm(jit.SHR, true, jit.RCX, x.Shift)
	l.OpImm(jit.ADD, true, jit.RCX, 1)
	l.Op(jit.CMP, true, jit.RCX, jit.R9)
	l.CMov(jit.B, true, jit.R9, jit.RCX)
}

// loadPointer is what is at where, in a register.
func (l serialCode) loadPointer(x *native.SerialLoad) jit.Reg {
	if x.Has {
		return x.Held
	}
	l.Load(jit.RCX, ctx(x.Where))
	return jit.RCX
}

// loadPlace makes the place of a load of RAX and RCX.
func (l serialCode) loadPlace(x *native.SerialLoad) jit.Mem {
	mem := l.memoryCode()
	switch x.Kind {
	case native.ByStride:
		at := jit.At(l.loadPointer(x), 0)
		if h := l.Homes[x.Mem.Base]; h.Now == native.InGeneral && !l.inMemory(h) {
			at.Index, at.Scale = int8(h.General), 1
			return at
		}
		l.get(jit.RAX, x.Mem.Base, alu.W64)
		at.Index, at.Scale = int8(jit.RAX), 1
		return at
	case native.ByIndex:
		at := jit.RAX
		if h := l.Homes[x.Slot]; h != nil && h.Now == native.InGeneral && h.Signed && !x.Unsigned {
			at = h.General
		} else if x.Unsigned {
			l.get(at, x.Slot, alu.W32)
		} else {
			l.getSigned(at, x.Slot)
		}
		l.OpMem(jit.CMP, true, at, ctx(x.Limit))
		l.JumpIf(jit.A, l.Trouble)
		return jit.Mem{Base: l.loadPointer(x), Index: int8(at), Scale: 1 << x.Shift}
	}
	wide := x.Mem.BaseWidth == alu.W64
	l.get(jit.RAX, x.Mem.Base, x.Mem.BaseWidth)
	l.alignedLoad(x)
	l.OpMem(jit.SUB, wide, jit.RAX, mem.regionStart(x.Index))
	l.OpMem(jit.CMP, true, jit.RAX, mem.regionLimit(x.Index))
	l.JumpIf(jit.AE, l.Trouble)
	l.OpMem(jit.ADD, true, jit.RAX, mem.regionPtr(x.Index))
	return jit.At(jit.RAX, 0)
}

// serialAtomic is an atomic operation that may be repeated (mayRepeat): the lesser or greater value has a condition, as in atomics.
type serialAtomic struct {
	arith jit.Arith
	cond  jit.Cond
	swaps bool
}

// serialAtomics are by their names, as atomics.
var serialAtomics = map[string]serialAtomic{}

func init() {
	for _, n := range []string{"32", "64"} {
		serialAtomics["and.b"+n], serialAtomics["or.b"+n] = serialAtomic{arith: jit.AND}, serialAtomic{arith: jit.OR}
		for name, c := range map[string]jit.Cond{"min.s": jit.L, "max.s": jit.G, "min.u": jit.B, "max.u": jit.A} {
			serialAtomics[name+n] = serialAtomic{arith: jit.CMP, cond: c}
		}
		serialAtomics["cas.b"+n] = serialAtomic{swaps: true}
	}
}

// atomically is OpAtomic.
func (l serialCode) atomically(i int) {
	x := l.Loads[i]
	o, m, wide := serialAtomics[x.Mem.Atom], x.Mem, x.Mem.Elem == 8
	again, done := l.NewLabel(), l.NewLabel()
	l.Lea(jit.RCX, l.loadPlace(x))
	l.Bind(again)
	if at := jit.At(jit.RCX, 0); wide {
		l.Load(jit.RAX, at)
	} else {
		l.Load32(jit.RAX, at)
	}
	if o.swaps {
		l.with(jit.CMP, jit.RAX, m.B, m.Width)
		l.JumpIf(jit.NE, done)
		l.get(jit.RDX, m.C, m.Width)
	} else {
		l.get(jit.RDX, m.B, m.Width)
		if o.arith == jit.CMP {
			l.Op(jit.CMP, wide, jit.RAX, jit.RDX)
			l.CMov(o.cond, wide, jit.RDX, jit.RAX)
		} else {
			l.Op(o.arith, wide, jit.RDX, jit.RAX)
		}
	}
	l.Op(jit.CMP, wide, jit.RAX, jit.RDX)
	l.JumpIf(jit.E, done) // no other processor can tell a write of what was there from none
	l.CompareExchange(wide, jit.At(jit.RCX, 0), jit.RDX)
	l.JumpIf(jit.NE, again)
	l.MoveImm(jit.RAX, 1)
	l.OpTo(jit.ADD, true, ctx(native.CtxSerialChanges), jit.RAX)
	l.Bind(done)
}

// load is OpLoad.
func (l serialCode) load(i int, in *program.Instr) {
	x := l.Loads[i]
	m, one := x.Mem, access{g: l.gen, AccessPlan: native.AccessPlan{Mem: x.Mem}}
	if x.Kind == native.ByLane {
		l.again(i, x)
		return
	}
	at := l.loadPlace(x)
	if m.Count > 1 { // what is loaded may be where the place is made of
		l.Lea(jit.RAX, at)
		at = jit.At(jit.RAX, 0)
	}
	for k, s := range m.Regs[:m.Count] {
		if s == program.NoSlot {
			continue
		}
		h, from := l.Homes[s], at
		from.Disp = int32(k * m.Elem)
		switch {
		case x.Extends && l.Defined(i, s) == native.InGeneral && !h.InCell:
			l.LoadX(h.General, from, 4, true)
			h.Now, h.Loose, h.Signed, h.Same = native.InGeneral, false, true, 0
		case l.Defined(i, s) == native.InGeneral && !h.InCell:
			one.element(h.General, from)
			h.Now, h.Loose, h.Signed, h.Same = native.InGeneral, false, false, 0
		case l.Defined(i, s) == native.InGeneral:
			one.element(jit.RCX, from)
			l.define(h, jit.RCX)
		case m.Elem >= 4:
			l.gen.load(h.Vector, operand{m: broadcast(from), width: m.Elem})
			h.Now, h.Loose = native.InVector, false
		default:
			one.element(jit.RCX, from)
			l.Emit(jit.VPBROADCASTDr, jit.Args{Reg: int8(h.Vector), RM: int8(jit.RCX)})
			h.Now, h.Loose = native.InVector, false
		}
	}
}

// again is for what was loaded before the lane's first round.
func (l serialCode) again(i int, x *native.SerialLoad) {
	for k, s := range x.Mem.Regs[:x.Mem.Count] {
		if s == program.NoSlot {
			continue
		}
		h, at := l.Homes[s], ctx(x.Where+int32(8*k))
		if l.Defined(i, s) == native.InVector {
			l.gen.load(h.Vector, operand{m: broadcast(at), width: h.Width.Bytes()})
			h.Now, h.Loose = native.InVector, false
			continue
		}
		h.Now, h.Loose, h.Signed, h.Same = native.InGeneral, false, false, at.Disp
	}
}
