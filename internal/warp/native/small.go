package native

import "github.com/warpgrind/warpgrind/internal/warp/jit"

// low16 and signed16 are the low 16 bits of an operand, extended with zeros and with the sign.
func low16(g *gen, x operand) operand { return g.and(vreg(g.in(x)), g.c32(0xffff)) }

func signed16(g *gen, x operand) operand { return g.vi(jit.VPSRAD, g.vi(jit.VPSLLD, x, 16), 16) }

// smallNatives are operations on 16 bits, which registers hold extended with zeros, and their
// products of 32 bits (PTX ISA 9.7.1 and 9.7.8).
func smallNatives(m map[string]*native) {
	signed := func(op *jit.Inst) body {
		return func(g *gen, x []operand) operand { return g.v3(op, signed16(g, x[0]), signed16(g, x[1])) }
	}
	cut := func(op body) *native {
		return &native{args: shape(4, 2), dst: k32, body: func(g *gen, x []operand) operand { return low16(g, op(g, x)) }}
	}
	for _, t := range []string{"s16", "u16"} {
		m["add."+t] = cut(bin(jit.VPADDD))
		m["sub."+t] = cut(bin(jit.VPSUBD))
		m["mul.lo."+t] = cut(bin(jit.VPMULLD))
	}
	m["min.u16"], m["max.u16"] = cut(bin(jit.VPMINUD)), cut(bin(jit.VPMAXUD))
	m["mul.wide.u16"] = &native{args: shape(4, 2), dst: k32, body: func(g *gen, x []operand) operand {
		return g.v3(jit.VPMULLD, low16(g, x[0]), low16(g, x[1]))
	}}
	m["min.s16"], m["max.s16"] = cut(signed(jit.VPMINSD)), cut(signed(jit.VPMAXSD))
	m["mul.wide.s16"] = &native{args: shape(4, 2), dst: k32, body: signed(jit.VPMULLD)}
	// The count has 32 bits.
	m["shl.b16"] = cut(bin(jit.VPSLLVD))
	m["shr.u16"] = &native{args: shape(4, 2), dst: k32, body: bin(jit.VPSRLVD)}
	m["shr.b16"] = m["shr.u16"]
	m["shr.s16"] = cut(func(g *gen, x []operand) operand { return g.v3(jit.VPSRAVD, signed16(g, x[0]), x[1]) })
	m["not.b16"] = &native{args: shape(4, 1), dst: k32, body: func(g *gen, x []operand) operand { return g.xor(low16(g, x[0]), g.c32(0xffff)) }}
	m["neg.s16"] = &native{args: shape(4, 1), dst: k32, body: func(g *gen, x []operand) operand {
		return low16(g, g.v3(jit.VPSUBD, vreg(g.in(g.c32(0))), x[0]))
	}}
}

// smallTest compares 16 bits: numbers with a sign moved up to that of 32.
func smallTest(signed bool, pred byte) *test {
	return &test{arg: k32, body: func(g *gen, x []operand) jit.K {
		if signed {
			return g.mask(jit.VPCMPD, g.vi(jit.VPSLLD, x[0], 16), g.vi(jit.VPSLLD, x[1], 16), pred, 0)
		}
		return g.mask(jit.VPCMPUD, x[0], x[1], pred, 0)
	}}
}

// divisionNatives are div and rem of 32 bits, in float64: a quotient that is not an integer
// is further from the next one than the rounding error. A divisor of zero gives all ones.
func divisionNatives(m map[string]*native) {
	for _, t := range []struct {
		typ      string
		to, from *jit.Inst
	}{{"s32", jit.VCVTDQ2PD, jit.VCVTTPD2DQ}, {"u32", jit.VCVTUDQ2PD, jit.VCVTTPD2UDQ}} {
		for _, rem := range []bool{false, true} {
			name := "div." + t.typ
			if rem {
				name = "rem." + t.typ
			}
			m[name] = &native{args: []kind{kHalf, kHalf}, dst: kHalf, body: func(g *gen, x []operand) operand {
				a, b := g.v2(t.to, x[0]), g.v2(t.to, x[1])
				r := g.v2(t.from, g.v3(jit.VDIVPD, a, b))
				divisor := g.v2(t.from, b)
				if rem {
					r = g.v3(jit.VPSUBD, g.v2(t.from, a), g.v3(jit.VPMULLD, r, divisor))
				}
				zero := g.mask(jit.VPTESTNMD, divisor, divisor, 0, 0)
				return g.sel(zero, g.c32(1<<32-1), r, 4)
			}}
		}
	}
}

// population counts the bits of each element.
func population(g *gen, x []operand) operand {
	v := vreg(g.in(x[0]))
	pairs := g.v3(jit.VPSUBD, v, g.v3(jit.VPANDD, g.vi(jit.VPSRLD, v, 1), g.c32(0x55555555)))
	nibbles := g.v3(jit.VPADDD, g.and(pairs, g.c32(0x33333333)), g.and(g.vi(jit.VPSRLD, pairs, 2), g.c32(0x33333333)))
	bytes := g.and(g.v3(jit.VPADDD, nibbles, g.vi(jit.VPSRLD, nibbles, 4)), g.c32(0x0f0f0f0f))
	return g.vi(jit.VPSRLD, g.v3(jit.VPMULLD, bytes, g.c32(0x01010101)), 24)
}
