package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/operand"
)

// approximations repeat exp2Approx and log2Approx of package alu step by step.
func approximations() (s []spec) {
	functions := map[string]func(g *gen, x vec) vec{"ex2": (*gen).exp2, "lg2": (*gen).log2}
	for _, name := range sorted(functions) {
		f := functions[name]
		s = append(s,
			spec{name: name, ops: []string{name + ".approx.f32"}, args: []kind{half}, dst: half, many: true, body: func(g *gen, x []vec) vec {
				return g.nan32(g.inDouble(x[0], f))
			}},
			spec{name: name + "Ftz", ops: []string{name + ".approx.ftz.f32"}, args: []kind{half}, dst: half, many: true, body: func(g *gen, x []vec) vec {
				return g.flush(g.nan32(g.inDouble(g.flush(x[0]), f)))
			}})
	}
	return s
}

func (g *gen) inDouble(x vec, f func(g *gen, x vec) vec) vec {
	return g.narrow("VCVTPD2PS", f(g, g.to(g.bytes(), "VCVTPS2PD", x)))
}

// whole is a constant in memory that fills a register of any size.
func (g *gen) whole(v float64) operand.Mem {
	b := math.Float64bits(v)
	return g.memory(fmt.Sprintf("v64_%016x", b), []uint64{b, b, b, b, b, b, b, b})
}

// horner evaluates a polynomial with fused steps.
func (g *gen) horner(c []float64, x vec) vec {
	p := g.to(g.bytes(), g.pick("VMOVDQU32", "VMOVDQU"), g.whole(c[len(c)-1]))
	for k := len(c) - 2; k >= 0; k-- {
		g.emit("VFMADD213PD", g.whole(c[k]), x, p)
	}
	return p
}

func (g *gen) exp2(x vec) vec {
	c := []float64{1}
	for k := 1; k < 14; k++ {
		c = append(c, c[k-1]*math.Ln2/float64(k))
	}
	f64 := func(v float64) vec { return g.c64(x, math.Float64bits(v)) }
	x = g.op("VMINPD", g.op("VMAXPD", x, f64(-1000)), f64(1000)) // x is second: NaN stays
	n := g.op(g.pick("VRNDSCALEPD", "VROUNDPD"), imm(0), x)
	p := g.horner(c, g.op("VSUBPD", n, x))
	scale := g.op("VPSLLQ", imm(52), g.op("VADDPD", f64(0x1.8p52+1023), n))
	return g.op("VMULPD", scale, p)
}

func (g *gen) log2(x vec) vec {
	var c []float64
	for k := 0; k < 12; k++ {
		c = append(c, 2*math.Log2E/float64(2*k+1))
	}
	const sqrtHalf, bias = 0x3fe6a09e667f3bcd, 1023 << 52
	e := g.and(g.op("VPADDQ", x, g.c64(x, bias-sqrtHalf)), g.c64(x, 0xfff<<52))
	m := g.op("VPADDQ", g.op("VPSUBQ", e, x), g.c64(x, bias))
	one := g.c64(x, bias)
	s := g.op("VDIVPD", g.op("VADDPD", one, m), g.op("VSUBPD", one, m))
	p := g.horner(c, g.op("VMULPD", s, s))
	n := g.or(g.op("VPSRLQ", imm(52), e), g.c64(x, two52d))
	n = g.op("VSUBPD", g.c64(x, math.Float64bits(0x1p52+1023)), n)
	g.emit("VFMADD213PD", n, s, p)
	inf := g.c64(x, 0x7ff<<52)
	p = g.sel(g.cmpF(eqO, x, inf, 8), x, p, 8)
	p = g.sel(g.cmpF(eqO, x, g.zero(x), 8), g.c64(x, 0xfff<<52), p, 8)
	return g.sel(g.cmpF(ltU, x, g.zero(x), 8), g.c64(x, 0x7ff8<<48), p, 8)
}
