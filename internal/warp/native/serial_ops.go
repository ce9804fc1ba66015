package native

import (
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// step compiles a step for one lane.
func (l serialCode) step(i int) {
	in := &l.p.Code[i]
	switch in.Op {
	case program.OpVec, program.OpVec4:
		switch o := l.pl.general(in); {
		case l.indices[i]:
		case o == nil:
			l.onVectors(i, in)
		case o.moves() && l.defined(i, in.D) == inVector:
			h := l.homes[in.D]
			l.toVector(h.vector, in.A, h.width)
			h.now, h.loose = inVector, false
		default:
			l.onGeneral(in, o)
		}
	case program.OpCmp:
		l.compare(i, in)
	case program.OpSel:
		l.choose(i, in)
	case program.OpPredMov, program.OpPredNot, program.OpPredAnd, program.OpPredOr, program.OpPredXor:
		l.predicate(in)
	case program.OpLoad:
		l.load(i, in)
	case program.OpAtomic:
		l.atomically(i)
	}
}

// onGeneral does an operation on general registers.
func (l serialCode) onGeneral(in *program.Instr, o *general) {
	h := l.homes[in.D]
	d := l.target(h)
	for _, s := range []int32{in.B, in.C}[:len(o.args)-1] {
		if s == in.D && s != program.NoSlot {
			d = jit.RAX // the first operand must not overwrite it
		}
	}
	l.emitGeneral(o, d, serialOperands{l, in})
	l.define(h, d)
}

// serialOperands are the operands of a step.
type serialOperands struct {
	serialCode
	in *program.Instr
}

func (x serialOperands) slot(i int) int32 { return []int32{x.in.A, x.in.B, x.in.C}[i] }

func (x serialOperands) load(d jit.Reg, i int, k body.Kind) {
	switch s := x.slot(i); k {
	case body.KSign:
		x.getSigned(d, s)
	case body.KLow:
		x.get(d, s, alu.W64)
		x.Move32(d, d)
	default:
		x.get(d, s, widthOf(k))
	}
}

func (x serialOperands) with(op jit.Arith, d jit.Reg, i int, k body.Kind) {
	x.serialCode.with(op, d, x.slot(i), widthOf(k))
}

func (x serialOperands) known(i int) (uint64, bool) {
	v, ok := x.pl.values[x.slot(i)]
	return v, ok
}

// target is the register in which to compute what a home gets.
func (l serialCode) target(h *home) jit.Reg {
	if h.inCell {
		return jit.RAX
	}
	return h.general
}

// define makes a register the value of a home.
func (l serialCode) define(h *home, r jit.Reg) {
	switch {
	case h.inCell:
		l.Store(ctx(h.cell), r)
	case r != h.general:
		jit.Move(&l.Asm, h.general, r)
	}
	h.now, h.loose, h.signed, h.same = inGeneral, false, false, 0
}

// get loads a value; one of 32 bits clears the upper half.
func (l serialCode) get(d jit.Reg, slot int32, w alu.Width) {
	wide := w == alu.W64
	if v, ok := l.pl.values[slot]; ok {
		if !wide {
			v &= 1<<32 - 1
		}
		l.MoveImm(d, v)
		return
	}
	h := l.homes[slot]
	switch {
	case l.inMemory(h):
		if at := l.memory(slot, h, w); wide {
			l.Load(d, at)
		} else {
			l.Load32(d, at)
		}
	case h.now == inVector:
		l.MoveFromVec(d, l.vectorOf(h), wide)
	case wide && d != h.general:
		jit.Move(&l.Asm, d, h.general)
	case !wide && (d != h.general || h.width == alu.W64 || h.signed):
		l.Move32(d, h.general)
	}
}

// getSigned loads 32 bits and extends them by the sign.
func (l serialCode) getSigned(d jit.Reg, slot int32) {
	if v, ok := l.pl.values[slot]; ok {
		l.MoveImm(d, uint64(int64(int32(v))))
		return
	}
	h := l.homes[slot]
	switch {
	case l.inMemory(h):
		l.LoadX(d, l.memory(slot, h, alu.W32), 4, true)
	case h.now == inVector:
		l.MoveFromVec(d, l.vectorOf(h), false)
		jit.SignExtend(&l.Asm, d, d)
	case h.signed:
		jit.Move(&l.Asm, d, h.general)
	default:
		jit.SignExtend(&l.Asm, d, h.general)
	}
}

// toGeneral loads the value of a home that is in a general register or cell.
func (l serialCode) toGeneral(d jit.Reg, h *home) {
	if at, ok := h.memory(); ok {
		l.Load(d, ctx(at))
	} else {
		jit.Move(&l.Asm, d, h.general)
	}
}

// inMemory reports whether a value is in memory: in a cell, or in the slab if the loop does not change it.
func (l serialCode) inMemory(h *home) bool {
	if h == nil {
		return true
	}
	_, ok := h.memory()
	return ok
}

// memory is where it is there.
func (l serialCode) memory(slot int32, h *home, w alu.Width) jit.Mem {
	switch {
	case h != nil:
		at, _ := h.memory()
		return ctx(at)
	case slot < l.p.Uniform || l.pl.same[slot]:
		return slab(slot, 0)
	}
	return laneRow(slot, w)
}

// laneRow is the lane's element of a row.
func laneRow(slot int32, w alu.Width) jit.Mem {
	return jit.Mem{Base: jit.RDI, Index: int8(jit.RBX), Scale: uint8(w.Bytes()), Disp: slot}
}

// with is d = d op the value of a slot.
func (l serialCode) with(op jit.Arith, d jit.Reg, slot int32, w alu.Width) {
	wide := w == alu.W64
	h := l.homes[slot]
	v, known := l.pl.values[slot]
	switch {
	case known && (!wide || int64(v) == int64(int32(v))):
		l.OpImm(op, wide, d, int32(v))
	case known || h != nil && h.now == inVector:
		l.get(jit.RCX, slot, w)
		l.Op(op, wide, d, jit.RCX)
	case l.inMemory(h):
		l.OpMem(op, wide, d, l.memory(slot, h, w))
	default:
		l.Op(op, wide, d, h.general)
	}
}

// toVector loads the value of a slot into the lowest element of a vector.
func (l serialCode) toVector(d jit.Vec, slot int32, w alu.Width) {
	h := l.homes[slot]
	switch {
	case h != nil && h.now == inVector:
		if v := l.vectorOf(h); d != v {
			l.copyTo(d, v)
		}
	case !l.inMemory(h):
		in := jit.VPBROADCASTDr
		if w == alu.W64 {
			in = jit.VPBROADCASTQr
		}
		l.Emit(in, jit.Args{Reg: int8(d), RM: int8(h.general)})
	default:
		m := l.memory(slot, h, w)
		l.gen.load(d, operand{m: broadcast(m), width: w.Bytes()})
	}
}

func broadcast(m jit.Mem) *jit.Mem {
	m.Bcast = true
	return &m
}

// vectorOf is the vector of a home, whose NaN it makes canonical.
func (l serialCode) vectorOf(h *home) jit.Vec {
	if h.loose {
		t := l.tmp()
		l.canonicalIn(t, h.vector)
		l.copyTo(h.vector, t)
		h.loose = false
	}
	return h.vector
}

// operand is a value as an operand of a vector instruction, to which all NaN are the same if floats is set.
func (l serialCode) operand(slot int32, k body.Kind, floats bool) operand {
	var o operand
	switch h := l.homes[slot]; {
	case h != nil && h.now == inVector && floats:
		return vreg(h.vector)
	case h != nil && h.now == inVector:
		o = vreg(l.vectorOf(h))
	case h == nil && (k == body.K32 || k == body.K64):
		return operand{m: broadcast(l.memory(slot, nil, widthOf(k))), width: widthOf(k).Bytes()}
	default:
		t := l.tmp()
		l.toVector(t, slot, widthOf(k))
		o = vreg(t)
	}
	switch k {
	case body.KZero:
		return l.v2(jit.VPMOVZXDQ, o)
	case body.KSign:
		return l.v2(jit.VPMOVSXDQ, o)
	}
	return o
}

// onVectors does an operation on vectors.
func (l serialCode) onVectors(i int, in *program.Instr) {
	n := bodyOf(in.ALU)
	if h := l.homes[in.D]; n.IsSum() && in.C == in.D && in.A != in.D && in.B != in.D && h.now == inVector {
		a := l.in(l.operand(in.A, body.K32, true))
		b := l.fitting(jit.VFMADD231PS, l.operand(in.B, body.K32, true))
		l.Emit(jit.VFMADD231PS, jit.Args{Reg: int8(h.vector), V: int8(a), RM: int8(b.r), Mem: b.m})
		h.loose = true
		return
	}
	var x []operand
	for k, arg := range n.Args {
		x = append(x, l.operand([]int32{in.A, in.B, in.C, in.E}[k], arg, n.Floats))
	}
	nodes, loose := n.Nodes, n.Loose()
	if loose != nil {
		nodes = loose
	}
	r, h := l.in(l.render(nodes, x)), l.homes[in.D]
	if n.Dst == body.KLow {
		l.Emit(jit.VPMOVQD, jit.Args{Reg: int8(r), RM: int8(h.vector)})
	} else if r != h.vector {
		l.copyTo(h.vector, r)
	}
	h.now, h.loose = inVector, loose != nil
}

// move brings a value to where a round finds it.
func (l serialCode) move(h *home, to class) {
	switch {
	case to == inVector && h.now == to && !h.loosens:
		l.vectorOf(h)
		return
	case to == inGeneral && h.now == to && h.same != 0:
		l.Load(l.target(h), ctx(h.same))
		l.define(h, l.target(h))
		return
	case to == unplaced || h.now == to:
		return
	case to == inVector:
		in := jit.VPBROADCASTDr
		if h.width == alu.W64 {
			in = jit.VPBROADCASTQr
		}
		l.toGeneral(jit.RAX, h)
		l.Emit(in, jit.Args{Reg: int8(h.vector), RM: int8(jit.RAX)})
	default:
		l.MoveFromVec(l.target(h), l.vectorOf(h), h.width == alu.W64)
		l.define(h, l.target(h))
	}
	h.now, h.loose = to, false
}

// fill loads a home from memory.
func (l serialCode) fill(h *home, at jit.Mem) {
	if h.first == inVector {
		l.gen.load(h.vector, operand{m: broadcast(at), width: h.width.Bytes()})
		return
	}
	if h.width == alu.W64 {
		l.Load(l.target(h), at)
	} else {
		l.Load32(l.target(h), at)
	}
	l.define(h, l.target(h))
}

// compare is OpCmp. A comparison of integers before the branch leaves the flags alone.
func (l serialCode) compare(i int, in *program.Instr) {
	b := bodyOf(in.ALU)
	if cond, ok := generalTest(b); ok {
		l.flags(in, widthOf(b.Args[0]))
		if l.flagged = l.decides(i); l.flagged {
			return
		}
		l.Set(cond, jit.RAX)
	} else {
		k := l.test(b, []operand{l.operand(in.A, b.Args[0], b.Floats), l.operand(in.B, b.Args[1], b.Floats)})
		l.KTo(jit.RAX, k, 8)
		l.OpImm(jit.AND, false, jit.RAX, 1)
	}
	l.Store32(ctx(l.preds[in.D]), jit.RAX)
}

// flags compares two values.
func (l serialCode) flags(in *program.Instr, w alu.Width) {
	a := jit.RAX
	if h := l.homes[in.A]; h != nil && h.now == inGeneral && !l.inMemory(h) && (w == alu.W64) == (h.width == alu.W64) {
		a = h.general
	} else {
		l.get(a, in.A, w)
	}
	l.with(jit.CMP, a, in.B, w)
}

// decides reports whether step i is a comparison of integers whose result only the branch after it reads, and whose
// flags last until there.
func (l serialCode) decides(i int) bool {
	if i != l.to-1 || l.p.Code[i].D != l.leads.predicate {
		return false
	}
	for _, h := range l.homes {
		if h.first != unplaced && h.now != h.first {
			return false // values are moved first
		}
	}
	return true
}

// leaveUnless goes to a label unless the lane stays in the loop.
func (l serialCode) leaveUnless(left jit.Label) {
	if l.flagged {
		cond, _ := generalTest(bodyOf(l.p.Code[l.to-1].ALU))
		if !l.leads.not {
			cond ^= 1 // the opposite
		}
		l.JumpIf(cond, left)
		return
	}
	l.CmpMemImm(ctx(l.preds[l.leads.predicate]), 0)
	if l.leads.not {
		l.JumpIf(jit.NE, left)
	} else {
		l.JumpIf(jit.E, left)
	}
}

// choose is OpSel.
func (l serialCode) choose(i int, in *program.Instr) {
	h, wide := l.homes[in.D], in.Dst == alu.W64
	if l.defined(i, in.D) == inVector {
		k := body.KindOf(in.Dst.Bytes())
		l.Load32(jit.RAX, ctx(l.preds[in.C]))
		l.KFrom(5, jit.RAX)
		r := l.sel(5, l.operand(in.A, k, false), l.operand(in.B, k, false), in.Dst.Bytes())
		l.copyTo(h.vector, r.r)
		h.now, h.loose = inVector, false
		return
	}
	l.get(jit.RAX, in.B, in.Dst)
	l.get(jit.RCX, in.A, in.Dst)
	l.CmpMemImm(ctx(l.preds[in.C]), 0)
	l.CMov(jit.NE, wide, jit.RAX, jit.RCX)
	l.define(h, jit.RAX)
}

// predicate is the operations on predicates, which are 0 or 1.
func (l serialCode) predicate(in *program.Instr) {
	l.Load32(jit.RAX, ctx(l.preds[in.A]))
	switch in.Op {
	case program.OpPredNot:
		l.OpImm(jit.XOR, false, jit.RAX, 1)
	case program.OpPredAnd:
		l.OpMem(jit.AND, false, jit.RAX, ctx(l.preds[in.B]))
	case program.OpPredOr:
		l.OpMem(jit.OR, false, jit.RAX, ctx(l.preds[in.B]))
	case program.OpPredXor:
		l.OpMem(jit.XOR, false, jit.RAX, ctx(l.preds[in.B]))
	}
	l.Store32(ctx(l.preds[in.D]), jit.RAX)
}
