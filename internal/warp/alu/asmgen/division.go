package main

// divisions are div and rem of 32 bits, in f64: a quotient that is not an
// integer is further from the next one than the rounding error. A zero divisor
// gives all ones.
func divisions() []spec {
	h, u := []kind{half, half}, []kind{zx, zx}
	return []spec{
		{name: "divS32", ops: []string{"div.s32"}, args: h, dst: half, body: signedQuotients(false)},
		{name: "remS32", ops: []string{"rem.s32"}, args: h, dst: half, body: signedQuotients(true)},
		{name: "divU32", ops: []string{"div.u32"}, args: u, dst: low, body: unsignedQuotients(false)},
		{name: "remU32", ops: []string{"rem.u32"}, args: u, dst: low, body: unsignedQuotients(true)},
	}
}

func signedQuotients(rem bool) func(g *gen, x []vec) vec {
	return func(g *gen, x []vec) vec {
		a, b := g.to(g.bytes(), "VCVTDQ2PD", x[0]), g.to(g.bytes(), "VCVTDQ2PD", x[1])
		r := g.narrow("VCVTTPD2DQ", g.op("VDIVPD", b, a))
		if rem {
			r = g.op("VPSUBD", g.op("VPMULLD", x[1], r), x[0])
		}
		return g.sel(g.eq(x[1], g.zero(x[1]), 4), g.c32(r, 1<<32-1), r, 4)
	}
}

// unsignedQuotients converts by way of 2^52, whose pattern ends in the integer.
func unsignedQuotients(rem bool) func(g *gen, x []vec) vec {
	return func(g *gen, x []vec) vec {
		m := g.c64(x[0], two52d)
		a, b := g.op("VSUBPD", m, g.or(x[0], m)), g.op("VSUBPD", m, g.or(x[1], m))
		q := g.op(g.pick("VRNDSCALEPD", "VROUNDPD"), imm(3), g.op("VDIVPD", b, a))
		r := g.op("VADDPD", m, q)
		if rem {
			r = g.op("VPSUBQ", g.op("VPMULUDQ", x[1], r), x[0])
		}
		return g.sel(g.eq(x[1], g.zero(x[1]), 8), g.c32(r, 1<<32-1), r, 8)
	}
}
