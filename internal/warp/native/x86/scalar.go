package x86

import (
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Scalars live in the slab; steps on them use RAX, RCX and RDX.

// scalar compiles an OpScalar.
func (g scalarCode) scalar(x native.ScalarStep) {
	in, b := x.Instr, x.Body
	o := g.pl.General(in)
	switch {
	case b == nil:
		wide := in.Dst == alu.W64
		g.scalarIn(jit.RAX, in.A, in.Dst)
		g.scalarIn(jit.RCX, in.B, in.Dst)
		g.Load32(jit.RDX, slab(in.C, 0))
		g.TestImm(jit.RDX, 1)
		g.CMov(jit.E, wide, jit.RAX, jit.RCX)
	case o != nil:
		g.emitGeneral(o, jit.RAX, scalarOperands{g, in})
	case b.Test:
		g.scalarTest(b, in)
	default:
		g.vectorScalar(in)
	}
	if in.Dst == alu.Pred {
		g.Store32(slab(in.D, 0), jit.RAX)
		return
	}
	g.Store(slab(in.D, 0), jit.RAX)
	g.repeat(in.Bcast, in.Dst, jit.RAX)
}

// scalarTest leaves 0 or all ones.
func (g scalarCode) scalarTest(b *body.Body, in *program.Instr) {
	if cond, ok := generalTest(b); ok {
		x := scalarOperands{g, in}
		x.load(jit.RAX, 0, b.Args[0])
		x.with(jit.CMP, jit.RAX, 1, b.Args[1])
		g.Set(cond, jit.RAX)
	} else {
		k := g.test(b, []operand{g.scalarOperand(in.A, b.Args[0]), g.scalarOperand(in.B, b.Args[1])})
		g.KTo(jit.RAX, k, 8)
		g.OpImm(jit.AND, false, jit.RAX, 1)
	}
	g.Neg(false, jit.RAX)
}

func (g scalarCode) scalarIn(d jit.Reg, slot int32, w alu.Width) {
	if w == alu.W64 {
		g.Load(d, slab(slot, 0))
	} else {
		g.Load32(d, slab(slot, 0))
	}
}

// vectorScalar computes a scalar as one lane of many.
func (g scalarCode) vectorScalar(in *program.Instr) {
	b := native.BodyOf(in.ALU)
	var x []operand
	for i, k := range b.Args {
		x = append(x, g.scalarOperand([]int32{in.A, in.B, in.C, in.E}[i], k))
	}
	r := g.in(g.render(b.Nodes, x))
	g.MoveFromVec(jit.RAX, r, in.Dst == alu.W64)
}

func (g scalarCode) scalarOperand(slot int32, k body.Kind) operand {
	m := slab(slot, 0)
	m.Bcast = true
	switch k {
	case body.K32:
		return operand{m: &m, width: 4}
	case body.K64, body.KLower:
		return operand{m: &m, width: 8}
	}
	half := vreg(g.in(operand{m: &m, width: 4}))
	switch k {
	case body.KZero:
		return g.v2(jit.VPMOVZXDQ, half)
	case body.KSign:
		return g.v2(jit.VPMOVSXDQ, half)
	}
	return half
}

// scalarOperands are the operands of a scalar step.
type scalarOperands struct {
	scalarCode
	in *program.Instr
}

func (x scalarOperands) slot(i int) int32 { return []int32{x.in.A, x.in.B, x.in.C}[i] }

func (x scalarOperands) load(d jit.Reg, i int, k body.Kind) {
	switch m := slab(x.slot(i), 0); k {
	case body.KSign:
		x.LoadX(d, m, 4, true)
	case body.KLow:
		x.Load32(d, m)
	default:
		x.scalarIn(d, x.slot(i), native.WidthOf(k))
	}
}

func (x scalarOperands) with(op jit.Arith, d jit.Reg, i int, k body.Kind) {
	x.OpMem(op, k == body.K64, d, slab(x.slot(i), 0))
}

func (x scalarOperands) known(i int) (uint64, bool) {
	v, ok := x.pl.Values[x.slot(i)]
	return v, ok
}
