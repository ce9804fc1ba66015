package native

import (
	"sync"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// kind is how an operand or result of a lane is brought into registers, as in
// package alu's assembly.
type kind uint8

const (
	k32    kind = iota // 32-bit elements
	k64                // 64-bit elements
	kZX                // 32-bit, widened to 64 with zeros
	kSX                // 32-bit, widened to 64 with the sign
	kLower             // 32-bit, in the lower halves of 64-bit elements: the upper ones are anything
	kHalf              // 32-bit beside 64-bit ones: half a register
	kLow               // result: the low halves of 64-bit elements
)

// native is an operation in machine code: body computes a part of the result
// from parts of the operands.
type native struct {
	args []kind
	dst  kind
	body func(g *gen, x []operand) operand
	// loose is body without the step that makes NaN canonical, nil where body has no such step. floats is set for
	// operations on float32 whose results do not depend on the payload of a NaN.
	loose  func(g *gen, x []operand) operand
	floats bool
	// sums is set for a float32 product that is added to the third operand.
	sums bool
}

// test is a comparison: it leaves a mask register.
type test struct {
	arg    kind
	body   func(g *gen, x []operand) jit.K
	floats bool // as of native
}

// natives has the operations by their PTX opcodes, tests the comparisons.
var (
	natives = sync.OnceValue(func() map[string]*native {
		m := map[string]*native{}
		for _, list := range []func(map[string]*native){intNatives, smallNatives, divisionNatives, logicNatives, floatNatives, convertNatives} {
			list(m)
		}
		return m
	})
	tests = sync.OnceValue(testNatives)
)

// nativeOf is the machine code of an operation, nil if there is none.
func nativeOf(o *alu.Op) *native {
	if o.Formula != nil {
		return formulaOf(o)
	}
	return natives()[o.Name]
}

var (
	n32, n64 = []kind{k32, k32, k32, k32}, []kind{k64, k64, k64, k64}
)

func shape(w, n int) []kind {
	if w == 4 {
		return n32[:n]
	}
	return n64[:n]
}

func kindOf(w int) kind {
	if w == 4 {
		return k32
	}
	return k64
}

type body = func(g *gen, x []operand) operand

// bin is an instruction of two operands, una one of one.
func bin(in *jit.Inst) body {
	return func(g *gen, x []operand) operand { return g.v3(in, x[0], x[1]) }
}

func una(in *jit.Inst) body {
	return func(g *gen, x []operand) operand { return g.v2(in, x[0]) }
}

// commutes has the instructions whose operands may be swapped.
var commutes = map[*jit.Inst]bool{}

func init() {
	for _, p := range []pair{add, mulLow, minS, minU, maxS, maxU, and, or, xor, {jit.VPMULUDQ, jit.VPMULDQ}} {
		commutes[p[0]], commutes[p[1]] = true, true
	}
}

// v3 is in(a, b), v2 in(a), vi in(a, imm); each yields a new register.
func (g *gen) v3(in *jit.Inst, a, b operand) operand {
	if a.m != nil && b.m == nil && commutes[in] {
		a, b = b, a
	}
	ra := g.in(a)
	b = g.fitting(in, b)
	d := g.tmp()
	g.Emit(in, jit.Args{Reg: int8(d), V: int8(ra), RM: int8(b.r), Mem: b.m})
	return vreg(d)
}

func (g *gen) v2(in *jit.Inst, a operand) operand {
	a = g.fitting(in, a)
	d := g.tmp()
	g.Emit(in, jit.Args{Reg: int8(d), RM: int8(a.r), Mem: a.m})
	return vreg(d)
}

func (g *gen) v2i(in *jit.Inst, a operand, imm byte) operand {
	a = g.fitting(in, a)
	d := g.tmp()
	g.Emit(in, jit.Args{Reg: int8(d), RM: int8(a.r), Mem: a.m, Imm: imm})
	return vreg(d)
}

// vi is an instruction with a constant whose result is in the V field.
func (g *gen) vi(in *jit.Inst, a operand, imm byte) operand {
	a = g.fitting(in, a)
	d := g.tmp()
	g.Emit(in, jit.Args{V: int8(d), RM: int8(a.r), Mem: a.m, Imm: imm})
	return vreg(d)
}

// fitting brings a repeated operand into a register if the instruction cannot
// repeat elements of its size.
func (g *gen) fitting(in *jit.Inst, o operand) operand {
	if o.m != nil && o.m.Bcast && !in.Repeats(o.width) {
		return vreg(g.in(o))
	}
	return o
}

// mask compares and yields a mask register.
func (g *gen) mask(in *jit.Inst, a, b operand, imm byte, under jit.K) jit.K {
	ra := g.in(a)
	b = g.fitting(in, b)
	k := g.newK()
	g.Emit(in, jit.Args{Reg: int8(k), V: int8(ra), RM: int8(b.r), Mem: b.m, Imm: imm, K: under})
	return k
}

// newK takes one of k5 to k7 in turn.
func (g *gen) newK() jit.K {
	if g.k++; g.k > 7 || g.k < 5 {
		g.k = 5
	}
	return g.k
}

// c32 and c64 are constants.
func (g *gen) c32(v uint32) operand { return g.constant(4, uint64(v)) }
func (g *gen) c64(v uint64) operand { return g.constant(8, v) }

func (g *gen) constant(width int, v uint64) operand {
	m := g.Const(width, v)
	m.Bcast = true
	return operand{m: &m, width: width}
}

func (g *gen) cst(w int, v32 uint32, v64 uint64) operand {
	if w == 4 {
		return g.c32(v32)
	}
	return g.c64(v64)
}

// sel is t where the mask is set, f elsewhere.
func (g *gen) sel(k jit.K, t, f operand, w int) operand {
	in := jit.VPBLENDMD
	if w == 8 {
		in = jit.VPBLENDMQ
	}
	rf := g.in(f)
	t = g.fitting(in, t)
	d := g.tmp()
	g.Emit(in, jit.Args{Reg: int8(d), V: int8(rf), RM: int8(t.r), Mem: t.m, K: k})
	return vreg(d)
}

// fetch brings part i of an operand in, as its kind says; w is its width.
func (g *gen) fetch(slot int32, k kind, i int) operand {
	switch k {
	case k32:
		return g.source(slot, alu.W32, i)
	case k64:
		return g.source(slot, alu.W64, i)
	case kLower:
		if r := g.find(slot); r != nil && r.same {
			return vreg(r.reg[0])
		} else if r == nil && g.pl.same[slot] { // the row has its value at least twice
			return *g.repeated(slot, 8)
		}
		return g.v2(jit.VPMOVZXDQ, g.halfOf(slot, i))
	}
	half := g.halfOf(slot, i)
	switch k {
	case kZX:
		return g.v2(jit.VPMOVZXDQ, half)
	case kSX:
		return g.v2(jit.VPMOVSXDQ, half)
	}
	return half
}

// halfOf is eight lanes of a row of 32-bit elements, as the low half of a
// register or as memory.
func (g *gen) halfOf(slot int32, i int) operand {
	o := g.source(slot, alu.W32, i/2)
	switch {
	case o.m != nil && o.m.Bcast:
		return vreg(g.in(o))
	case o.m != nil:
		m := slab(slot, 32*i)
		return operand{m: &m}
	case i%2 == 0 || g.find(slot) != nil && g.find(slot).same:
		return o
	}
	d := g.tmp()
	g.Emit(jit.VEXTRACTI64X4, jit.Args{Reg: int8(o.r), RM: int8(d), Imm: 1})
	return vreg(d)
}

// apply computes a step by its native operation.
func (g *gen) apply(n *native, in *program.Instr) {
	slots := []int32{in.A, in.B, in.C, in.E}[:len(n.args)]
	parts, step := 2, n.dst != k32
	for _, k := range n.args {
		step = step || k != k32
	}
	if step {
		parts = 4
	}
	if g.allSame(slots) {
		parts = 1
	}
	body := n.body
	if n.loose != nil {
		body = n.loose
	}
	if n.sums && sumInPlace(g, in) {
		return
	}
	var out []jit.Vec
	for i := range parts {
		var x []operand
		for j, k := range n.args {
			if n.floats {
				x = append(x, g.looseSource(slots[j], i))
			} else {
				x = append(x, g.fetch(slots[j], k, i))
			}
		}
		r := g.own(body(g, x))
		switch {
		case n.dst == kLow:
			d := g.tmp()
			g.Emit(jit.VPMOVQD, jit.Args{Reg: int8(r), RM: int8(d)})
			r = d
			fallthrough
		case n.dst == kHalf:
			out = g.join(out, r, i, parts)
		default:
			out = append(out, r)
		}
		g.keep(out)
	}
	g.define(in.D, in.Dst, out)
	if r := g.peek(in.D); r != nil {
		r.loose = n.loose != nil
	}
}

// join puts halves of 256 bits together; one for all lanes is doubled.
func (g *gen) join(out []jit.Vec, r jit.Vec, i, parts int) []jit.Vec {
	if i%2 == 0 && parts > 1 {
		return append(out, r)
	}
	lo := r
	if parts > 1 {
		lo = out[len(out)-1]
		out = out[:len(out)-1]
	}
	d := g.tmp()
	g.Emit(jit.VINSERTI64X4, jit.Args{Reg: int8(d), V: int8(lo), RM: int8(r), Imm: 1})
	return append(out, d)
}

// own makes sure that a result is in a register of its own.
func (g *gen) own(o operand) jit.Vec {
	if o.m == nil && g.temps>>o.r&1 == 0 {
		return g.copyOf(o.r)
	}
	return g.in(o)
}

// keep frees all temporaries but those listed.
func (g *gen) keep(list []jit.Vec) {
	var m uint32
	for _, v := range list {
		m |= 1 << v
	}
	g.release(m)
}

// allSame reports that all operands repeat one value.
func (g *gen) allSame(slots []int32) bool {
	for _, s := range slots {
		if r := g.peek(s); r != nil && r.same {
			continue
		}
		if !g.pl.same[s] {
			return false
		}
	}
	return true
}
