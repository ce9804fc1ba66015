package x86

import (
	"math"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

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
func (g *gen) fetch(slot int32, k body.Kind, i int) operand {
	switch k {
	case body.K32:
		return g.source(slot, alu.W32, i)
	case body.K64:
		return g.source(slot, alu.W64, i)
	case body.KLower:
		if r := g.find(slot); r != nil && r.same {
			return vreg(r.reg[0])
		} else if r == nil && g.pl.Same[slot] { // the row has its value at least twice
			return *g.repeated(slot, 8)
		}
		return g.v2(jit.VPMOVZXDQ, g.halfOf(slot, i))
	}
	half := g.halfOf(slot, i)
	switch k {
	case body.KZero:
		return g.v2(jit.VPMOVZXDQ, half)
	case body.KSign:
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

// apply computes a step by its body.
func (g *gen) apply(b *body.Body, in *program.Instr) {
	slots := []int32{in.A, in.B, in.C, in.E}[:len(b.Args)]
	parts, nodes, loose := 2, b.Nodes, b.Loose()
	for _, k := range append([]body.Kind{b.Dst}, b.Args...) {
		if k != body.K32 {
			parts = 4
		}
	}
	if g.allSame(slots) {
		parts = 1
	}
	if loose != nil {
		nodes = loose
	}
	if b.IsSum() && sumInPlace(g, in) {
		return
	}
	var out []jit.Vec
	for i := range parts {
		r := g.own(g.render(nodes, g.sources(b, slots, i)))
		switch {
		case b.Dst == body.KLow:
			d := g.tmp()
			g.Emit(jit.VPMOVQD, jit.Args{Reg: int8(r), RM: int8(d)})
			r = d
			fallthrough
		case b.Dst == body.KHalf:
			out = g.join(out, r, i, parts)
		default:
			out = append(out, r)
		}
		g.keep(out)
	}
	g.define(in.D, in.Dst, out)
	if r := g.peek(in.D); r != nil {
		r.loose = loose != nil
	}
}

// sources are parts of the operands of a body.
func (g *gen) sources(b *body.Body, slots []int32, part int) (x []operand) {
	for j, k := range b.Args {
		if b.Floats {
			x = append(x, g.looseSource(slots[j], part))
		} else {
			x = append(x, g.fetch(slots[j], k, part))
		}
	}
	return x
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

// allSame reports whether all operands repeat one value.
func (g *gen) allSame(slots []int32) bool {
	for _, s := range slots {
		if r := g.peek(s); r != nil && r.same {
			continue
		}
		if !g.pl.Same[s] {
			return false
		}
	}
	return true
}

// leaveBeyond leaves the code before step i if an argument is beyond the formula's limit.
func (g *gen) leaveBeyond(i int, in *program.Instr) {
	limit := in.ALU.Formula.Limit
	for part := range 2 {
		x := g.v3(jit.VPANDD, vreg(g.in(g.source(in.A, alu.W32, part))), g.c32(1<<31-1))
		most := g.c32(math.Float32bits(float32(limit)))
		g.Emit(jit.VCMPPS, jit.Args{Reg: int8(5 + part), V: int8(x.r), Mem: most.m, Imm: floatPredicates[body.Greater], K: g.maskOf(part, 2)})
	}
	g.release(0)
	beyond := g.NewLabel()
	g.memoryCode().leaveAt(i, beyond)
	g.KOrTest(5, 6, 16)
	g.JumpIf(jit.NE, beyond)
}
