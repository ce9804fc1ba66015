package main

// bin is a body of one instruction on two operands, second operand first as the
// Go assembler wants it.
func bin(name string) func(g *gen, x []vec) vec {
	return func(g *gen, x []vec) vec { return g.op(name, x[1], x[0]) }
}

// copySigns are copysign: the magnitude of the second operand.
func copySigns() (s []spec) {
	for _, k := range []kind{d32, q64} {
		w, typ := map[kind]int{d32: 4, q64: 8}[k], map[kind]string{d32: "F32", q64: "F64"}[k]
		s = append(s, spec{name: "copysign" + typ, ops: []string{"copysign." + map[int]string{4: "f32", 8: "f64"}[w]}, args: []kind{k, k}, dst: k, body: func(g *gen, x []vec) vec {
			sign := g.cst(x[0], w, 1<<31, 1<<63)
			return g.or(g.and(x[0], sign), g.andNot(x[1], sign))
		}})
	}
	return s
}

// halves computes f16 in f32: a second rounding of sums and products of 11-bit
// numbers to 24 bits is harmless, and fma rounds to odd first.
func halves() []spec {
	two, three := []kind{f16, f16}, []kind{f16, f16, f16}
	return []spec{
		{name: "addF16", ops: names("add{,.rn}.{f16,f16x2}"), args: two, dst: f16, body: bin("VADDPS")},
		{name: "subF16", ops: names("sub{,.rn}.{f16,f16x2}"), args: two, dst: f16, body: bin("VSUBPS")},
		{name: "mulF16", ops: names("mul{,.rn}.{f16,f16x2}"), args: two, dst: f16, body: bin("VMULPS")},
		{name: "fmaF16", ops: names("fma.rn.{f16,f16x2}"), args: three, dst: f16, body: oddFma},
	}
}

// oddFma rounds an exact product plus c to odd: where the sum was inexact, the
// result is the neighbor with an odd significand, never one of fewer bits.
func oddFma(g *gen, x []vec) vec {
	p, c := g.op("VMULPS", x[1], x[0]), x[2]
	s := g.op("VADDPS", c, p)
	t := g.op("VSUBPS", p, s)
	e := g.op("VADDPS", g.op("VSUBPS", t, c), g.op("VSUBPS", g.op("VSUBPS", t, s), p))
	one := g.c32(s, 1)
	dir := g.or(one, g.op("VPSRAD", imm(31), g.xor(e, s)))
	even := g.op("VPSUBD", one, g.and(s, one)) // all ones where s is even
	moved := g.op("VPADDD", s, g.and(dir, even))
	return g.sel(g.cmpF(neO, e, g.zero(e), 4), moved, s, 4)
}
