package native

import (
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// general is an operation on integers that is one or two instructions on general registers. All others are done
// on vectors, of which the lowest element counts.
type general struct {
	args []body.Kind
	op   body.Op // Arg for one that moves or extends its operand
	wide bool
	// plus is set for a product to which the third operand is added.
	plus bool
}

// general is the operation of a step, nil if it is done on vectors. Shifts are by constants less than the width:
// x86 takes counts modulo the width, PTX limits them.
func (pl *plan) general(in *program.Instr) *general {
	o := generalOf(bodyOf(in.ALU))
	if o == nil || generalShifts[o.op] == 0 {
		return o
	}
	if n, ok := pl.values[in.B]; !ok || n >= uint64(widthOf(o.args[0]).Bytes())*8 {
		return nil
	}
	return o
}

func generalOf(b *body.Body) *general {
	if b == nil || b.Args[0] == body.KHalf {
		return nil
	}
	o, n := &general{args: b.Args, wide: b.Dst == body.K64}, b.Nodes[len(b.Args):]
	switch {
	case len(n) == 0:
		return o // op is Arg
	case len(n) == 1:
		o.op = n[0].Op
		if generalOps[o.op] {
			return o
		}
	case len(n) == 2 && n[0].Op == body.Mul && n[1].Op == body.Add:
		o.op, o.plus = body.Mul, true
		return o
	case len(n) == 2 && len(b.Args) == 1 && n[0].Op == body.Const:
		o.op = n[1].Op
		if o.op == body.Sub && n[0].Bits == 0 || o.op == body.Xor && n[0].Bits == 1<<(8*n[0].Width)-1 {
			return o // the opposite and the complement
		}
	}
	return nil
}

// generalOps are the primitives that are operations.
var generalOps = map[body.Op]bool{body.Mul: true, body.WideU: true, body.WideS: true}

func init() {
	for op := range generalArith {
		generalOps[op] = true
	}
	for op := range generalExtremes {
		generalOps[op] = true
	}
	for op := range generalShifts {
		generalOps[op] = true
	}
}

var (
	generalArith    = map[body.Op]jit.Arith{body.Add: jit.ADD, body.Sub: jit.SUB, body.And: jit.AND, body.Or: jit.OR, body.Xor: jit.XOR}
	generalExtremes = map[body.Op]jit.Cond{body.MinS: jit.G, body.MaxS: jit.L, body.MinU: jit.A, body.MaxU: jit.B}
	generalShifts   = map[body.Op]jit.ShiftKind{body.Shl: jit.SHL, body.ShrU: jit.SHR, body.ShrS: jit.SAR}
	// Conditions are by relation.
	signedConds   = map[body.Relation]jit.Cond{body.Equal: jit.E, body.Less | body.Greater: jit.NE, body.Less: jit.L, body.Less | body.Equal: jit.LE, body.Greater: jit.G, body.Greater | body.Equal: jit.GE}
	unsignedConds = map[body.Relation]jit.Cond{body.Equal: jit.E, body.Less | body.Greater: jit.NE, body.Less: jit.B, body.Less | body.Equal: jit.BE, body.Greater: jit.A, body.Greater | body.Equal: jit.AE}
)

// generalTest is the condition of a comparison of two integers as they are.
func generalTest(b *body.Body) (c jit.Cond, ok bool) {
	n := b.Result()
	if len(b.Nodes) != 3 || !b.Test {
		return 0, false
	}
	switch n.Op {
	case body.CompareS:
		return signedConds[body.Relation(n.Bits)], true
	case body.CompareU:
		return unsignedConds[body.Relation(n.Bits)], true
	}
	return 0, false
}

// moves reports whether the operation only copies.
func (o *general) moves() bool {
	return o.op == body.Arg && (o.args[0] == body.K64) == o.wide && o.args[0] <= body.K64
}

// generalOperands are the operands of an operation by their numbers.
type generalOperands interface {
	// load loads an operand, to 64 bits as its kind says; KLow is the low half of 8 bytes.
	load(d jit.Reg, i int, k body.Kind)
	// with is d = d op the operand.
	with(op jit.Arith, d jit.Reg, i int, k body.Kind)
	// known returns the value of a constant operand.
	known(i int) (v uint64, ok bool)
}

// emit leaves the result in d, which none of the operands after the first is in.
func (o *general) emit(g *gen, d jit.Reg, x generalOperands) {
	first := o.args[0]
	if arith, ok := generalArith[o.op]; ok && len(o.args) == 2 {
		x.load(d, 0, first)
		x.with(arith, d, 1, o.args[1])
		return
	}
	if o.op == body.Arg && first == body.K64 && !o.wide {
		first = body.KLow
	}
	x.load(d, 0, extendedBy(first, o.op))
	switch o.op {
	case body.Sub:
		g.Neg(o.wide, d)
	case body.Xor:
		g.Not(o.wide, d)
	case body.Mul, body.WideU, body.WideS:
		x.load(jit.RCX, 1, extendedBy(o.args[1], o.op))
		g.Mul(o.wide, d, jit.RCX)
		if o.plus {
			x.with(jit.ADD, d, 2, o.args[2])
		}
	case body.MinS, body.MaxS, body.MinU, body.MaxU:
		x.load(jit.RCX, 1, o.args[1])
		g.Op(jit.CMP, o.wide, d, jit.RCX)
		g.CMov(generalExtremes[o.op], o.wide, d, jit.RCX)
	case body.Shl, body.ShrU, body.ShrS:
		n, _ := x.known(1)
		g.ShiftImm(generalShifts[o.op], o.wide, d, byte(n))
	}
}

// extendedBy is the kind of a factor that is in the lower half of an element.
func extendedBy(k body.Kind, op body.Op) body.Kind {
	switch op {
	case body.WideU:
		return body.KZero
	case body.WideS:
		return body.KSign
	}
	return k
}
