package native

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// holdLoad loads what a register has from where on.
func (l serialCode) holdLoad(x *serialLoad) {
	if x.has {
		l.Load(x.held, ctx(x.where))
	}
}

// alignedLoad goes to trouble unless RAX is a multiple of the size.
func (l serialCode) alignedLoad(x *serialLoad) {
	if x.size > 1 {
		l.TestImm(jit.RAX, int32(x.size-1))
		l.JumpIf(jit.NE, l.trouble)
	}
}

// beforeWarp readies what holds for all lanes.
func (l serialCode) beforeWarp(x *serialLoad) {
	mem := l.memoryCode()
	if x.m.Site.Kind == trace.Atomic { // other loads are from other allocations
		l.Load(jit.RAX, mem.regionPtr(x.x))
		l.eachLoad(func(y *serialLoad) {
			if y != x {
				l.OpMem(jit.CMP, true, jit.RAX, mem.regionPtr(y.x))
				l.JumpIf(jit.E, l.trouble)
			}
		})
	}
	switch x.kind {
	case byStride:
		l.Load(jit.RAX, mem.regionPtr(x.x))
		l.OpMem(jit.SUB, true, jit.RAX, mem.regionStart(x.x))
		l.Store(ctx(x.where), jit.RAX)
	case byIndex:
		l.Load(jit.RAX, slab(x.sum, 0))
		l.alignedLoad(x)
		l.OpMem(jit.SUB, true, jit.RAX, mem.regionStart(x.x))
		l.OpMem(jit.CMP, true, jit.RAX, mem.regionLimit(x.x))
		l.JumpIf(jit.AE, l.trouble)
		l.Load(jit.RCX, mem.regionLimit(x.x))
		l.Op(jit.SUB, true, jit.RCX, jit.RAX)
		l.OpImm(jit.SUB, true, jit.RCX, 1)
		if x.shift > 0 {
			l.ShiftImm(jit.SHR, true, jit.RCX, x.shift)
		}
		l.Store(ctx(x.limit), jit.RCX)
		l.OpMem(jit.ADD, true, jit.RAX, mem.regionPtr(x.x))
		l.Store(ctx(x.where), jit.RAX)
	}
}

// beforeLane readies what holds for the lane, and lessens its rounds in R9.
func (l serialCode) beforeLane(x *serialLoad) {
	mem := l.memoryCode()
	if x.kind != byLane && x.kind != byStride {
		return
	}
	l.Load(jit.RAX, l.memory(x.m.Base, nil, alu.W64))
	l.alignedLoad(x)
	l.OpMem(jit.SUB, true, jit.RAX, mem.regionStart(x.x))
	if x.late {
		l.OpImm(jit.ADD, true, jit.RAX, 1<<x.shift)
	}
	l.OpMem(jit.CMP, true, jit.RAX, mem.regionLimit(x.x))
	l.JumpIf(jit.AE, l.trouble)
	if x.kind == byLane {
		l.OpMem(jit.ADD, true, jit.RAX, mem.regionPtr(x.x))
		for k := range x.m.Count {
			(&access{g: l.gen, accessPlan: accessPlan{m: x.m}}).element(jit.RCX, jit.At(jit.RAX, int32(k*x.m.Elem)))
			l.Store(ctx(x.where+int32(8*k)), jit.RCX)
		}
		return
	}
	l.Load(jit.RCX, mem.regionLimit(x.x))
	l.Op(jit.SUB, true, jit.RCX, jit.RAX)
	l.OpImm(jit.SUB, true, jit.RCX, 1)
	l.ShiftImm(jit.SHR, true, jit.RCX, x.shift)
	l.OpImm(jit.ADD, true, jit.RCX, 1)
	l.Op(jit.CMP, true, jit.RCX, jit.R9)
	l.CMov(jit.B, true, jit.R9, jit.RCX)
}

// loadPointer is what is at where, in a register.
func (l serialCode) loadPointer(x *serialLoad) jit.Reg {
	if x.has {
		return x.held
	}
	l.Load(jit.RCX, ctx(x.where))
	return jit.RCX
}

// loadPlace makes the place of a load of RAX and RCX.
func (l serialCode) loadPlace(x *serialLoad) jit.Mem {
	mem := l.memoryCode()
	switch x.kind {
	case byStride:
		at := jit.At(l.loadPointer(x), 0)
		if h := l.homes[x.m.Base]; h.now == inGeneral && !l.inMemory(h) {
			at.Index, at.Scale = int8(h.general), 1
			return at
		}
		l.get(jit.RAX, x.m.Base, alu.W64)
		at.Index, at.Scale = int8(jit.RAX), 1
		return at
	case byIndex:
		at := jit.RAX
		if h := l.homes[x.slot]; h != nil && h.now == inGeneral && h.signed && !x.unsigned {
			at = h.general
		} else if x.unsigned {
			l.get(at, x.slot, alu.W32)
		} else {
			l.getSigned(at, x.slot)
		}
		l.OpMem(jit.CMP, true, at, ctx(x.limit))
		l.JumpIf(jit.A, l.trouble)
		return jit.Mem{Base: l.loadPointer(x), Index: int8(at), Scale: 1 << x.shift}
	}
	wide := x.m.BaseWidth == alu.W64
	l.get(jit.RAX, x.m.Base, x.m.BaseWidth)
	l.alignedLoad(x)
	l.OpMem(jit.SUB, wide, jit.RAX, mem.regionStart(x.x))
	l.OpMem(jit.CMP, true, jit.RAX, mem.regionLimit(x.x))
	l.JumpIf(jit.AE, l.trouble)
	l.OpMem(jit.ADD, true, jit.RAX, mem.regionPtr(x.x))
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
	x := l.loads[i]
	o, m, wide := serialAtomics[x.m.Atom], x.m, x.m.Elem == 8
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
	l.OpTo(jit.ADD, true, ctx(ctxSerialChanges), jit.RAX)
	l.Bind(done)
}

// load is OpLoad.
func (l serialCode) load(i int, in *program.Instr) {
	x := l.loads[i]
	m, one := x.m, access{g: l.gen, accessPlan: accessPlan{m: x.m}}
	if x.kind == byLane {
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
		h, from := l.homes[s], at
		from.Disp = int32(k * m.Elem)
		switch {
		case x.extends && l.defined(i, s) == inGeneral && !h.inCell:
			l.LoadX(h.general, from, 4, true)
			h.now, h.loose, h.signed, h.same = inGeneral, false, true, 0
		case l.defined(i, s) == inGeneral && !h.inCell:
			one.element(h.general, from)
			h.now, h.loose, h.signed, h.same = inGeneral, false, false, 0
		case l.defined(i, s) == inGeneral:
			one.element(jit.RCX, from)
			l.define(h, jit.RCX)
		case m.Elem >= 4:
			l.gen.load(h.vector, operand{m: broadcast(from), width: m.Elem})
			h.now, h.loose = inVector, false
		default:
			one.element(jit.RCX, from)
			l.Emit(jit.VPBROADCASTDr, jit.Args{Reg: int8(h.vector), RM: int8(jit.RCX)})
			h.now, h.loose = inVector, false
		}
	}
}

// again is for what was loaded before the lane's first round.
func (l serialCode) again(i int, x *serialLoad) {
	for k, s := range x.m.Regs[:x.m.Count] {
		if s == program.NoSlot {
			continue
		}
		h, at := l.homes[s], ctx(x.where+int32(8*k))
		if l.defined(i, s) == inVector {
			l.gen.load(h.vector, operand{m: broadcast(at), width: h.width.Bytes()})
			h.now, h.loose = inVector, false
			continue
		}
		h.now, h.loose, h.signed, h.same = inGeneral, false, false, at.Disp
	}
}
