package main

import (
	"strings"

	"github.com/mmcloughlin/avo/reg"
)

// kind is how an operand or result of a lane is kept and brought into registers.
type kind int

const (
	d32  kind = iota // 32-bit elements
	q64              // 64-bit elements
	zx               // 32-bit, widened to 64 with zeros
	sx               // 32-bit, widened to 64 with the sign
	half             // 32-bit beside 64-bit ones: a register of half the size
	low              // result: the low halves of 64-bit elements
	f16              // pairs of half floats, computed in f32
)

// spec is one vector function and the opcodes that it implements.
type spec struct {
	name string
	ops  []string
	args []kind
	dst  kind
	// body computes one register's worth of lanes.
	body func(g *gen, x []vec) vec
	// only512 marks what AVX2 cannot do well.
	only512 bool
	// many marks functions of too many constants to keep them in registers.
	many bool
}

// step is the number of lanes computed at once.
func (g *gen) step(args []kind, dst kind) int {
	n := g.bytes() / 4
	for _, k := range append([]kind{dst}, args...) {
		if k != d32 {
			n = g.bytes() / 8
		}
	}
	return n
}

// load brings the lanes from i on of an operand into a register.
func (g *gen) load(p reg.Register, k kind, i int) vec {
	full, mov := g.bytes(), g.pick("VMOVDQU32", "VMOVDQU")
	switch k {
	case q64:
		return g.to(full, mov, at(p, 8*i))
	case zx:
		return g.to(full, "VPMOVZXDQ", at(p, 4*i))
	case sx:
		return g.to(full, "VPMOVSXDQ", at(p, 4*i))
	case half:
		return g.to(full/2, mov, at(p, 4*i))
	case f16:
		return g.to(full, "VCVTPH2PS", at(p, 4*i))
	}
	return g.to(full, mov, at(p, 4*i))
}

// store writes a result's lanes from i on.
func (g *gen) store(r vec, p reg.Register, k kind, i int) {
	mov := g.pick("VMOVDQU32", "VMOVDQU")
	switch {
	case k == q64:
		g.emit(mov, r, at(p, 8*i))
	case k == low && g.z:
		g.emit("VPMOVQD", r, at(p, 4*i))
	case k == low:
		r = g.op("VPERMQ", imm(0xd8), g.op("VPSHUFD", imm(0xd8), r))
		g.emit(mov, r.AsX(), at(p, 4*i))
	case k == f16:
		g.emit("VCVTPS2PH", imm(0), g.nan32(r), at(p, 4*i))
	default:
		g.emit(mov, r, at(p, 4*i))
	}
}

// vector emits a function of the type of Op.Vec, or Op.Vec4 for four operands.
func (g *gen) vector(s spec) string {
	name := s.name + g.suffix()
	params := []string{"d", "a", "b", "c"}
	if len(s.args) == 4 {
		params = append(params, "e")
	}
	g.begin(name, params, false)
	d := g.pointer("d")
	var p []reg.Register
	for i := range s.args {
		p = append(p, g.pointer(params[1+i]))
	}
	n := g.step(s.args, s.dst)
	for i := 0; i < lanes; i += n {
		if s.many {
			g.consts = map[string]vec{}
		}
		var x []vec
		for j, k := range s.args {
			x = append(x, g.load(p[j], k, i))
		}
		g.store(s.body(g, x), d, s.dst, i)
	}
	g.end()
	return name
}

// test is a comparison: a function of the type of Op.Cmp.
type test struct {
	name string
	ops  []string
	arg  kind
	// body returns the mask; not is set if that is the opposite.
	body func(g *gen, a, b vec) (m mask, not bool)
}

// compare emits a comparison, whose lanes' bits are gathered in a register.
func (g *gen) compare(t test) string {
	name := t.name + g.suffix()
	g.begin(name, []string{"a", "b", "c"}, true)
	a, b, sum := g.pointer("a"), g.pointer("b"), g.GP32()
	n, not := g.step(nil, t.arg), false
	for i := 0; i < lanes; i += n {
		result, opposite := t.body(g, g.load(a, t.arg, i), g.load(b, t.arg, i))
		not = opposite
		m := g.bits(result, n)
		if i == 0 {
			g.MOVL(m, sum)
			continue
		}
		g.SHLL(imm(i), m)
		g.ORL(m, sum)
	}
	if not {
		g.NOTL(sum)
	}
	g.Store(sum, g.Return("m"))
	g.end()
	return name
}

// bits moves a mask of n lanes into a general register.
func (g *gen) bits(m mask, n int) reg.GPVirtual {
	r := g.GP32()
	g.emit(map[[2]int]string{{1, 16}: "KMOVW", {1, 8}: "KMOVB", {0, 8}: "VMOVMSKPS", {0, 4}: "VMOVMSKPD"}[[2]int{b2i(g.z), n}], m, r)
	return r
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// names expands "add.{s32,u32}" into its alternatives.
func names(patterns ...string) (out []string) {
	for _, p := range patterns {
		i := strings.IndexByte(p, '{')
		if i < 0 {
			out = append(out, p)
			continue
		}
		j := i + strings.IndexByte(p[i:], '}')
		for _, alt := range strings.Split(p[i+1:j], ",") {
			out = append(out, names(p[:i]+alt+p[j+1:])...)
		}
	}
	return out
}
