package main

import "strings"

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

// bin is a body of one instruction on two operands, second operand first as the
// Go assembler wants it.
func bin(name string) func(g *gen, x []vec) vec {
	return func(g *gen, x []vec) vec { return g.op(name, x[1], x[0]) }
}

var (
	d1, d2, d3 = []kind{d32}, []kind{d32, d32}, []kind{d32, d32, d32}
	q1, q2, q3 = []kind{q64}, []kind{q64, q64}, []kind{q64, q64, q64}
)

// shape is the operands of an instruction on n registers of one width.
func shape(width, n int) []kind {
	if width == 4 {
		return d3[:n]
	}
	return q3[:n]
}

func kindOf(width int) kind {
	if width == 4 {
		return d32
	}
	return q64
}

func intSpecs() []spec {
	s := append(arith(4, "{s32,u32}", "s32", "u32"), arith(8, "{s64,u64}", "s64", "u64")...)
	s = append(s, logic(4, "b32", "b16")...)
	s = append(s, logic(8, "b64")...)
	s = append(s, wide()...)
	s = append(s, shifts()...)
	s = append(s, fields()...)
	return append(s, counts()...)
}

// arith is integer arithmetic of one width (PTX ISA 9.7.1).
func arith(w int, both, signed, unsigned string) []spec {
	n, k := map[int]string{4: "32", 8: "64"}[w], kindOf(w)
	two, three := shape(w, 2), shape(w, 3)
	return []spec{
		{name: "add" + n, ops: names("add." + both), args: two, dst: k, body: bin(el("VPADD", w))},
		{name: "sub" + n, ops: names("sub." + both), args: two, dst: k, body: bin(el("VPSUB", w))},
		{name: "mul" + n, ops: names("mul.lo." + both), args: two, dst: k,
			body: func(g *gen, x []vec) vec { return g.mulLow(x[0], x[1], w) }},
		{name: "mad" + n, ops: names("mad.lo." + both), args: three, dst: k,
			body: func(g *gen, x []vec) vec { return g.op(el("VPADD", w), g.mulLow(x[0], x[1], w), x[2]) }},
		{name: "minS" + n, ops: names("min." + signed), args: two, dst: k, body: minMax(w, true, false)},
		{name: "minU" + n, ops: names("min." + unsigned), args: two, dst: k, body: minMax(w, false, false)},
		{name: "maxS" + n, ops: names("max." + signed), args: two, dst: k, body: minMax(w, true, true)},
		{name: "maxU" + n, ops: names("max." + unsigned), args: two, dst: k, body: minMax(w, false, true)},
		{name: "neg" + n, ops: names("neg." + signed), args: shape(w, 1), dst: k,
			body: func(g *gen, x []vec) vec { return g.op(el("VPSUB", w), x[0], g.zero(x[0])) }},
		{name: "abs" + n, ops: names("abs." + signed), args: shape(w, 1), dst: k,
			body: func(g *gen, x []vec) vec { return g.abs(x[0], w) }},
	}
}

// mulLow is the low half of a product; AVX2 puts 64 bits together from three
// products of 32.
func (g *gen) mulLow(a, b vec, w int) vec {
	if w == 4 {
		return g.op("VPMULLD", b, a)
	}
	if g.z {
		return g.op("VPMULLQ", b, a)
	}
	x := g.op("VPMULUDQ", b, g.op("VPSRLQ", imm(32), a))
	y := g.op("VPMULUDQ", a, g.op("VPSRLQ", imm(32), b))
	high := g.op("VPSLLQ", imm(32), g.op("VPADDQ", x, y))
	return g.op("VPADDQ", high, g.op("VPMULUDQ", a, b))
}

func minMax(w int, signed, max bool) func(g *gen, x []vec) vec {
	name := map[bool]string{false: "VPMIN", true: "VPMAX"}[max] + map[bool]string{false: "U", true: "S"}[signed]
	return func(g *gen, x []vec) vec {
		if w == 4 || g.z {
			return g.op(el(name, w), x[1], x[0])
		}
		m := g.gt(g.order(x[0], w, signed), g.order(x[1], w, signed), w)
		if max {
			return g.sel(m, x[0], x[1], w)
		}
		return g.sel(m, x[1], x[0], w)
	}
}

// order maps unsigned numbers to signed ones of the same order.
func (g *gen) order(x vec, w int, signed bool) vec {
	if signed {
		return x
	}
	return g.xor(x, g.cst(x, w, 1<<31, 1<<63))
}

func (g *gen) abs(x vec, w int) vec {
	if w == 4 || g.z {
		return g.op(el("VPABS", w), x)
	}
	m := g.gt(g.zero(x), x, w).(vec)
	return g.op("VPSUBQ", m, g.xor(x, m))
}

// logic is bitwise logic of one width (PTX ISA 9.7.8).
func logic(w int, types ...string) []spec {
	n, k := map[int]string{4: "32", 8: "64"}[w], kindOf(w)
	op := func(name string, f func(g *gen, a, b vec) vec) spec {
		s := spec{name: name + n, args: shape(w, 2), dst: k, body: func(g *gen, x []vec) vec { return f(g, x[0], x[1]) }}
		for _, t := range types {
			s.ops = append(s.ops, name+"."+t)
		}
		return s
	}
	return []spec{
		op("and", (*gen).and), op("or", (*gen).or), op("xor", (*gen).xor),
		{name: "not" + n, ops: []string{"not." + types[0]}, args: shape(w, 1), dst: k,
			body: func(g *gen, x []vec) vec { return g.xor(x[0], g.c32(x[0], 1<<32-1)) }},
	}
}

// wide is multiplication with a result of twice the width or its upper half.
func wide() []spec {
	mul := func(name string) func(g *gen, x []vec) vec { return bin(name) }
	mad := func(name string) func(g *gen, x []vec) vec {
		return func(g *gen, x []vec) vec { return g.op("VPADDQ", g.op(name, x[1], x[0]), x[2]) }
	}
	high := func(name string) func(g *gen, x []vec) vec {
		return func(g *gen, x []vec) vec {
			even := g.op("VPSRLQ", imm(32), g.op(name, x[1], x[0]))
			odd := g.op(name, g.op("VPSRLQ", imm(32), x[1]), g.op("VPSRLQ", imm(32), x[0]))
			return g.or(even, g.and(odd, g.c64(odd, 0xffffffff<<32)))
		}
	}
	return []spec{
		{name: "mulWideU", ops: []string{"mul.wide.u32"}, args: []kind{zx, zx}, dst: q64, body: mul("VPMULUDQ")},
		{name: "mulWideS", ops: []string{"mul.wide.s32"}, args: []kind{sx, sx}, dst: q64, body: mul("VPMULDQ")},
		{name: "madWideU", ops: []string{"mad.wide.u32"}, args: []kind{zx, zx, q64}, dst: q64, body: mad("VPMULUDQ")},
		{name: "madWideS", ops: []string{"mad.wide.s32"}, args: []kind{sx, sx, q64}, dst: q64, body: mad("VPMULDQ")},
		{name: "mulHiU", ops: []string{"mul.hi.u32"}, args: d2, dst: d32, body: high("VPMULUDQ")},
		{name: "mulHiS", ops: []string{"mul.hi.s32"}, args: d2, dst: d32, body: high("VPMULDQ")},
	}
}

// shifts clamp counts beyond the width, as the variable shifts of x86 do.
func shifts() []spec {
	q := []kind{q64, zx}
	return []spec{
		{name: "shl32", ops: []string{"shl.b32"}, args: d2, dst: d32, body: bin("VPSLLVD")},
		{name: "shl64", ops: []string{"shl.b64"}, args: q, dst: q64, body: bin("VPSLLVQ")},
		{name: "shrU32", ops: names("shr.{u32,b32}"), args: d2, dst: d32, body: bin("VPSRLVD")},
		{name: "shrU64", ops: names("shr.{u64,b64}"), args: q, dst: q64, body: bin("VPSRLVQ")},
		{name: "shrS32", ops: []string{"shr.s32"}, args: d2, dst: d32, body: bin("VPSRAVD")},
		{name: "shrS64", ops: []string{"shr.s64"}, args: q, dst: q64, body: func(g *gen, x []vec) vec {
			if g.z {
				return g.op("VPSRAVQ", x[1], x[0])
			}
			sign := g.gt(g.zero(x[0]), x[0], 8).(vec)
			return g.xor(g.op("VPSRLVQ", x[1], g.xor(x[0], sign)), sign)
		}},
		{name: "shfLWrap", ops: []string{"shf.l.wrap.b32"}, args: d3, dst: d32, body: funnel("VPSLLVD", "VPSRLVD", 1, true)},
		{name: "shfRWrap", ops: []string{"shf.r.wrap.b32"}, args: d3, dst: d32, body: funnel("VPSRLVD", "VPSLLVD", 0, true)},
		{name: "shfLClamp", ops: []string{"shf.l.clamp.b32"}, args: d3, dst: d32, body: funnel("VPSLLVD", "VPSRLVD", 1, false)},
		{name: "shfRClamp", ops: []string{"shf.r.clamp.b32"}, args: d3, dst: d32, body: funnel("VPSRLVD", "VPSLLVD", 0, false)},
	}
}

// funnel shifts operand first by n and the other one by 32-n the other way.
func funnel(shift, back string, first int, wrap bool) func(g *gen, x []vec) vec {
	return func(g *gen, x []vec) vec {
		n := x[2]
		if wrap {
			n = g.and(n, g.c32(n, 31))
		} else {
			n = g.op("VPMINUD", n, g.c32(n, 32))
		}
		rest := g.op("VPSUBD", n, g.c32(n, 32))
		return g.or(g.op(shift, n, x[first]), g.op(back, rest, x[1-first]))
	}
}

// fields are bit fields, whose position and length are in the low 8 bits.
func fields() []spec {
	byteOf := func(g *gen, x vec) vec { return g.and(x, g.c32(x, 255)) }
	ones := func(g *gen, n vec) vec {
		return g.op("VPSUBD", g.c32(n, 1), g.op("VPSLLVD", n, g.c32(n, 1)))
	}
	return []spec{
		{name: "bfeU32", ops: []string{"bfe.u32"}, args: d3, dst: d32, body: func(g *gen, x []vec) vec {
			return g.and(g.op("VPSRLVD", byteOf(g, x[1]), x[0]), ones(g, byteOf(g, x[2])))
		}},
		{name: "bfeS32", ops: []string{"bfe.s32"}, args: d3, dst: d32, body: func(g *gen, x []vec) vec {
			n := g.op("VPMINUD", byteOf(g, x[2]), g.c32(x[2], 32))
			cut := g.op("VPSUBD", n, g.c32(n, 32))
			return g.op("VPSRAVD", cut, g.op("VPSLLVD", cut, g.op("VPSRAVD", byteOf(g, x[1]), x[0])))
		}},
		{name: "bfi32", ops: []string{"bfi.b32"}, args: []kind{d32, d32, d32, d32}, dst: d32, body: func(g *gen, x []vec) vec {
			pos := byteOf(g, x[2])
			m := g.op("VPSLLVD", pos, ones(g, byteOf(g, x[3])))
			return g.xor(x[1], g.and(m, g.xor(x[1], g.op("VPSLLVD", pos, x[0]))))
		}},
	}
}
