package x86

import (
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

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

// generalOperands are the operands of an operation by their numbers.
type generalOperands interface {
	// load loads an operand, to 64 bits as its kind says; KLow is the low half of 8 bytes.
	load(d jit.Reg, i int, k body.Kind)
	// with is d = d op the operand.
	with(op jit.Arith, d jit.Reg, i int, k body.Kind)
	// known returns the value of a constant operand.
	known(i int) (v uint64, ok bool)
}

// emitGeneral leaves the result of an operation in d, which none of the operands after the first is in.
func (g *gen) emitGeneral(o *native.General, d jit.Reg, x generalOperands) {
	first := o.Args[0]
	if arith, ok := generalArith[o.Op]; ok && len(o.Args) == 2 {
		x.load(d, 0, first)
		x.with(arith, d, 1, o.Args[1])
		return
	}
	if o.Op == body.Arg && first == body.K64 && !o.Wide {
		first = body.KLow
	}
	x.load(d, 0, extendedBy(first, o.Op))
	switch o.Op {
	case body.Sub:
		g.Neg(o.Wide, d)
	case body.Xor:
		g.Not(o.Wide, d)
	case body.Mul, body.WideU, body.WideS:
		x.load(jit.RCX, 1, extendedBy(o.Args[1], o.Op))
		g.Mul(o.Wide, d, jit.RCX)
		if o.Plus {
			x.with(jit.ADD, d, 2, o.Args[2])
		}
	case body.MinS, body.MaxS, body.MinU, body.MaxU:
		x.load(jit.RCX, 1, o.Args[1])
		g.Op(jit.CMP, o.Wide, d, jit.RCX)
		g.CMov(generalExtremes[o.Op], o.Wide, d, jit.RCX)
	case body.Shl, body.ShrU, body.ShrS:
		n, _ := x.known(1)
		g.ShiftImm(generalShifts[o.Op], o.Wide, d, byte(n))
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
