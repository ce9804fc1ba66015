package x86

import (
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// step compiles a step for one lane.
func (l serialCode) step(i int) {
	in := &l.Program.Code[i]
	switch in.Op {
	case program.OpVec, program.OpVec4:
		switch o := l.Plan.General(in); {
		case l.Indices[i]:
		case o == nil:
			l.onVectors(i, in)
		case o.Moves() && l.Defined(i, in.D) == native.InVector:
			h := l.Homes[in.D]
			l.toVector(h.Vector, in.A, h.Width)
			h.Now, h.Loose = native.InVector, false
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
func (l serialCode) onGeneral(in *program.Instr, o *native.General) {
	h := l.Homes[in.D]
	d := l.target(h)
	for _, s := range []int32{in.B, in.C}[:len(o.Args)-1] {
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
		x.get(d, s, native.WidthOf(k))
	}
}

func (x serialOperands) with(op jit.Arith, d jit.Reg, i int, k body.Kind) {
	x.serialCode.with(op, d, x.slot(i), native.WidthOf(k))
}

func (x serialOperands) known(i int) (uint64, bool) {
	v, ok := x.Plan.Values[x.slot(i)]
	return v, ok
}

// target is the register in which to compute what a home gets.
func (l serialCode) target(h *native.Home) jit.Reg {
	if h.InCell {
		return jit.RAX
	}
	return h.General
}

// define makes a register the value of a home.
func (l serialCode) define(h *native.Home, r jit.Reg) {
	switch {
	case h.InCell:
		l.Store(ctx(h.Cell), r)
	case r != h.General:
		jit.Move(&l.Asm, h.General, r)
	}
	h.Now, h.Loose, h.Signed, h.Same = native.InGeneral, false, false, 0
}

// get loads a value; one of 32 bits clears the upper half.
func (l serialCode) get(d jit.Reg, slot int32, w alu.Width) {
	wide := w == alu.W64
	if v, ok := l.Plan.Values[slot]; ok {
		if !wide {
			v &= 1<<32 - 1
		}
		l.MoveImm(d, v)
		return
	}
	h := l.Homes[slot]
	switch {
	case l.inMemory(h):
		if at := l.memory(slot, h, w); wide {
			l.Load(d, at)
		} else {
			l.Load32(d, at)
		}
	case h.Now == native.InVector:
		l.MoveFromVec(d, l.vectorOf(h), wide)
	case wide && d != h.General:
		jit.Move(&l.Asm, d, h.General)
	case !wide && (d != h.General || h.Width == alu.W64 || h.Signed):
		l.Move32(d, h.General)
	}
}

// getSigned loads 32 bits and extends them by the sign.
func (l serialCode) getSigned(d jit.Reg, slot int32) {
	if v, ok := l.Plan.Values[slot]; ok {
		l.MoveImm(d, uint64(int64(int32(v))))
		return
	}
	h := l.Homes[slot]
	switch {
	case l.inMemory(h):
		l.LoadX(d, l.memory(slot, h, alu.W32), 4, true)
	case h.Now == native.InVector:
		l.MoveFromVec(d, l.vectorOf(h), false)
		jit.SignExtend(&l.Asm, d, d)
	case h.Signed:
		jit.Move(&l.Asm, d, h.General)
	default:
		jit.SignExtend(&l.Asm, d, h.General)
	}
}

// toGeneral loads the value of a home that is in a general register or cell.
func (l serialCode) toGeneral(d jit.Reg, h *native.Home) {
	if at, ok := h.Memory(); ok {
		l.Load(d, ctx(at))
	} else {
		jit.Move(&l.Asm, d, h.General)
	}
}

// inMemory reports whether a value is in memory: in a cell, or in the slab if the loop does not change it.
func (l serialCode) inMemory(h *native.Home) bool {
	if h == nil {
		return true
	}
	_, ok := h.Memory()
	return ok
}

// memory is where it is there.
func (l serialCode) memory(slot int32, h *native.Home, w alu.Width) jit.Mem {
	switch {
	case h != nil:
		at, _ := h.Memory()
		return ctx(at)
	case slot < l.Program.Uniform || l.Plan.Same[slot]:
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
	h := l.Homes[slot]
	v, known := l.Plan.Values[slot]
	switch {
	case known && (!wide || int64(v) == int64(int32(v))):
		l.OpImm(op, wide, d, int32(v))
	case known || h != nil && h.Now == native.InVector:
		l.get(jit.RCX, slot, w)
		l.Op(op, wide, d, jit.RCX)
	case l.inMemory(h):
		l.OpMem(op, wide, d, l.memory(slot, h, w))
	default:
		l.Op(op, wide, d, h.General)
	}
}

// toVector loads the value of a slot into the lowest element of a vector.
func (l serialCode) toVector(d jit.Vec, slot int32, w alu.Width) {
	h := l.Homes[slot]
	switch {
	case h != nil && h.Now == native.InVector:
		if v := l.vectorOf(h); d != v {
			l.copyTo(d, v)
		}
	case !l.inMemory(h):
		in := jit.VPBROADCASTDr
		if w == alu.W64 {
			in = jit.VPBROADCASTQr
		}
		l.Emit(in, jit.Args{Reg: int8(d), RM: int8(h.General)})
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
func (l serialCode) vectorOf(h *native.Home) jit.Vec {
	if h.Loose {
		t := l.tmp()
		l.canonicalIn(t, h.Vector)
		l.copyTo(h.Vector, t)
		h.Loose = false
	}
	return h.Vector
}

// operand is a value as an operand of a vector instruction, to which all NaN are the same if floats is set.
func (l serialCode) operand(slot int32, k body.Kind, floats bool) operand {
	var o operand
	switch h := l.Homes[slot]; {
	case h != nil && h.Now == native.InVector && floats:
		return vreg(h.Vector)
	case h != nil && h.Now == native.InVector:
		o = vreg(l.vectorOf(h))
	case h == nil && (k == body.K32 || k == body.K64):
		return operand{m: broadcast(l.memory(slot, nil, native.WidthOf(k))), width: native.WidthOf(k).Bytes()}
	default:
		t := l.tmp()
		l.toVector(t, slot, native.WidthOf(k))
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
	n := native.BodyOf(in.ALU)
	if h := l.Homes[in.D]; n.IsSum() && in.C == in.D && in.A != in.D && in.B != in.D && h.Now == native.InVector {
		a := l.in(l.operand(in.A, body.K32, true))
		b := l.fitting(jit.VFMADD231PS, l.operand(in.B, body.K32, true))
		l.Emit(jit.VFMADD231PS, jit.Args{Reg: int8(h.Vector), V: int8(a), RM: int8(b.r), Mem: b.m})
		h.Loose = true
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
	r, h := l.in(l.render(nodes, x)), l.Homes[in.D]
	if n.Dst == body.KLow {
		l.Emit(jit.VPMOVQD, jit.Args{Reg: int8(r), RM: int8(h.Vector)})
	} else if r != h.Vector {
		l.copyTo(h.Vector, r)
	}
	h.Now, h.Loose = native.InVector, loose != nil
}

// move brings a value to where a round finds it.
func (l serialCode) move(h *native.Home, to native.Class) {
	switch {
	case to == native.InVector && h.Now == to && !h.Loosens:
		l.vectorOf(h)
		return
	case to == native.InGeneral && h.Now == to && h.Same != 0:
		l.Load(l.target(h), ctx(h.Same))
		l.define(h, l.target(h))
		return
	case to == native.Unplaced || h.Now == to:
		return
	case to == native.InVector:
		in := jit.VPBROADCASTDr
		if h.Width == alu.W64 {
			in = jit.VPBROADCASTQr
		}
		l.toGeneral(jit.RAX, h)
		l.Emit(in, jit.Args{Reg: int8(h.Vector), RM: int8(jit.RAX)})
	default:
		l.MoveFromVec(l.target(h), l.vectorOf(h), h.Width == alu.W64)
		l.define(h, l.target(h))
	}
	h.Now, h.Loose = to, false
}

// fill loads a home from memory.
func (l serialCode) fill(h *native.Home, at jit.Mem) {
	if h.First == native.InVector {
		l.gen.load(h.Vector, operand{m: broadcast(at), width: h.Width.Bytes()})
		return
	}
	if h.Width == alu.W64 {
		l.Load(l.target(h), at)
	} else {
		l.Load32(l.target(h), at)
	}
	l.define(h, l.target(h))
}

// compare is OpCmp. A comparison of integers before the branch leaves the flags alone.
func (l serialCode) compare(i int, in *program.Instr) {
	b := native.BodyOf(in.ALU)
	if cond, ok := generalTest(b); ok {
		l.flags(in, native.WidthOf(b.Args[0]))
		if l.Flagged = l.decides(i); l.Flagged {
			return
		}
		l.Set(cond, jit.RAX)
	} else {
		k := l.test(b, []operand{l.operand(in.A, b.Args[0], b.Floats), l.operand(in.B, b.Args[1], b.Floats)})
		l.KTo(jit.RAX, k, 8)
		l.OpImm(jit.AND, false, jit.RAX, 1)
	}
	l.Store32(ctx(l.Preds[in.D]), jit.RAX)
}

// flags compares two values.
func (l serialCode) flags(in *program.Instr, w alu.Width) {
	a := jit.RAX
	if h := l.Homes[in.A]; h != nil && h.Now == native.InGeneral && !l.inMemory(h) && (w == alu.W64) == (h.Width == alu.W64) {
		a = h.General
	} else {
		l.get(a, in.A, w)
	}
	l.with(jit.CMP, a, in.B, w)
}

// decides reports whether step i is a comparison of integers whose result only the branch after it reads, and whose
// flags last until there.
func (l serialCode) decides(i int) bool {
	if i != l.To-1 || l.Program.Code[i].D != l.Leads.Predicate {
		return false
	}
	for _, h := range l.Homes {
		if h.First != native.Unplaced && h.Now != h.First {
			return false // values are moved first
		}
	}
	return true
}

// leaveUnless goes to a label unless the lane stays in the loop.
func (l serialCode) leaveUnless(left jit.Label) {
	if l.Flagged {
		cond, _ := generalTest(native.BodyOf(l.Program.Code[l.To-1].ALU))
		if !l.Leads.Not {
			cond ^= 1 // the opposite
		}
		l.JumpIf(cond, left)
		return
	}
	l.CmpMemImm(ctx(l.Preds[l.Leads.Predicate]), 0)
	if l.Leads.Not {
		l.JumpIf(jit.NE, left)
	} else {
		l.JumpIf(jit.E, left)
	}
}

// choose is OpSel.
func (l serialCode) choose(i int, in *program.Instr) {
	h, wide := l.Homes[in.D], in.Dst == alu.W64
	if l.Defined(i, in.D) == native.InVector {
		k := body.KindOf(in.Dst.Bytes())
		l.Load32(jit.RAX, ctx(l.Preds[in.C]))
		l.KFrom(5, jit.RAX)
		r := l.sel(5, l.operand(in.A, k, false), l.operand(in.B, k, false), in.Dst.Bytes())
		l.copyTo(h.Vector, r.r)
		h.Now, h.Loose = native.InVector, false
		return
	}
	l.get(jit.RAX, in.B, in.Dst)
	l.get(jit.RCX, in.A, in.Dst)
	l.CmpMemImm(ctx(l.Preds[in.C]), 0)
	l.CMov(jit.NE, wide, jit.RAX, jit.RCX)
	l.define(h, jit.RAX)
}

// predicate is the operations on predicates, which are 0 or 1.
func (l serialCode) predicate(in *program.Instr) {
	l.Load32(jit.RAX, ctx(l.Preds[in.A]))
	switch in.Op {
	case program.OpPredNot:
		l.OpImm(jit.XOR, false, jit.RAX, 1)
	case program.OpPredAnd:
		l.OpMem(jit.AND, false, jit.RAX, ctx(l.Preds[in.B]))
	case program.OpPredOr:
		l.OpMem(jit.OR, false, jit.RAX, ctx(l.Preds[in.B]))
	case program.OpPredXor:
		l.OpMem(jit.XOR, false, jit.RAX, ctx(l.Preds[in.B]))
	}
	l.Store32(ctx(l.Preds[in.D]), jit.RAX)
}
