package main

// Predicates of VCMPPS: ordered ones are false and unordered ones true for NaN.
const (
	eqO, ltO, leO, unord, neU, geU, gtU, ord = 0x00, 0x11, 0x12, 0x03, 0x04, 0x15, 0x16, 0x07
	eqU, ltU, leU, neO, geO, gtO             = 0x08, 0x19, 0x1a, 0x0c, 0x1d, 0x1e
)

// f32 is an f32 operation with subnormal numbers and under .ftz.
func f32(name string, n int, op func(g *gen, x []vec) vec, ops, ftz []string) []spec {
	return []spec{
		{name: name + "F32", ops: ops, args: shape(4, n), dst: d32,
			body: func(g *gen, x []vec) vec { return g.nan32(op(g, x)) }},
		{name: name + "Ftz", ops: ftz, args: shape(4, n), dst: d32,
			body: func(g *gen, x []vec) vec { return g.flush(g.nan32(op(g, g.flushed(x)))) }},
	}
}

func (g *gen) flushed(x []vec) []vec {
	y := make([]vec, len(x))
	for i := range x {
		y[i] = g.flush(x[i])
	}
	return y
}

// saturated limits a result to [0, 1]; NaN becomes 0.
func saturated(name string, n int, op func(g *gen, x []vec) vec, ops ...string) spec {
	return spec{name: name + "Sat", ops: ops, args: shape(4, n), dst: d32, body: func(g *gen, x []vec) vec {
		r := op(g, x)
		return g.op("VMINPS", g.c32(r, 0x3f800000), g.op("VMAXPS", g.zero(r), r))
	}}
}

func floatSpecs() []spec {
	s := f32("add", 2, bin("VADDPS"), names("add{,.rn}.f32"), names("add{,.rn}.ftz.f32"))
	s = append(s, f32("sub", 2, bin("VSUBPS"), names("sub{,.rn}.f32"), names("sub{,.rn}.ftz.f32"))...)
	s = append(s, f32("mul", 2, bin("VMULPS"), names("mul{,.rn}.f32"), names("mul{,.rn}.ftz.f32"))...)
	s = append(s, f32("fma", 3, fma(4), names("{fma,mad}.rn.f32"), names("{fma,mad}.rn.ftz.f32"))...)
	s = append(s, f32("div", 2, bin("VDIVPS"), names("div.{rn,full}.f32"), names("div.{rn,full}.ftz.f32"))...)
	s = append(s, f32("rcp", 1, rcp(4), names("rcp.{rn,approx}.f32"), names("rcp.{rn,approx}.ftz.f32"))...)
	s = append(s, f32("sqrt", 1, one("VSQRTPS"), names("sqrt.{rn,approx}.f32"), names("sqrt.{rn,approx}.ftz.f32"))...)
	s = append(s,
		saturated("add", 2, bin("VADDPS"), names("add{,.rn}.sat.f32")...),
		saturated("sub", 2, bin("VSUBPS"), names("sub{,.rn}.sat.f32")...),
		saturated("mul", 2, bin("VMULPS"), names("mul{,.rn}.sat.f32")...),
		saturated("fma", 3, fma(4), names("{fma,mad}.rn.sat.f32")...))
	s = append(s, doubles()...)
	s = append(s, signs()...)
	s = append(s, extremes()...)
	return append(s, halves()...)
}

func one(name string) func(g *gen, x []vec) vec {
	return func(g *gen, x []vec) vec { return g.op(name, x[0]) }
}

func rcp(w int) func(g *gen, x []vec) vec {
	return func(g *gen, x []vec) vec {
		return g.op(fl("VDIV", w), x[0], g.cst(x[0], w, 0x3f800000, 0x3ff<<52))
	}
}

// fma has a as the first multiplicand of x86, whose NaN wins over the others'.
func fma(w int) func(g *gen, x []vec) vec {
	return func(g *gen, x []vec) vec {
		g.emit(fl("VFMADD213", w), x[2], x[0], x[1])
		return x[1]
	}
}

// doubles relies on x86 to choose NaN results as PTX does: the first NaN operand
// made quiet.
func doubles() []spec {
	return []spec{
		{name: "addF64", ops: names("add{,.rn}.f64"), args: q2, dst: q64, body: bin("VADDPD")},
		{name: "subF64", ops: names("sub{,.rn}.f64"), args: q2, dst: q64, body: bin("VSUBPD")},
		{name: "mulF64", ops: names("mul{,.rn}.f64"), args: q2, dst: q64, body: bin("VMULPD")},
		{name: "divF64", ops: names("div.rn.f64"), args: q2, dst: q64, body: bin("VDIVPD")},
		{name: "fmaF64", ops: names("{fma,mad}.rn.f64"), args: q3, dst: q64, body: fma(8)},
		{name: "rcpF64", ops: names("rcp.rn.f64"), args: q1, dst: q64, body: rcp(8)},
		{name: "sqrtF64", ops: names("sqrt.rn.f64"), args: q1, dst: q64, body: one("VSQRTPD")},
	}
}

// signs changes signs only.
func signs() []spec {
	neg := func(g *gen, x vec, w int) vec { return g.xor(x, g.cst(x, w, 1<<31, 1<<63)) }
	abs := func(g *gen, x vec, w int) vec { return g.and(x, g.cst(x, w, 1<<31-1, 1<<63-1)) }
	of := func(name, op string, w int, ftz bool, f func(g *gen, x vec, w int) vec) spec {
		return spec{name: name, ops: []string{op}, args: shape(w, 1), dst: kindOf(w), body: func(g *gen, x []vec) vec {
			if ftz {
				x = g.flushed(x)
			}
			return f(g, x[0], w)
		}}
	}
	copySign := func(w int) func(g *gen, x []vec) vec {
		return func(g *gen, x []vec) vec {
			sign := g.cst(x[0], w, 1<<31, 1<<63)
			return g.or(g.and(x[0], sign), g.andNot(x[1], sign))
		}
	}
	return []spec{
		{name: "copysignF32", ops: []string{"copysign.f32"}, args: d2, dst: d32, body: copySign(4)},
		{name: "copysignF64", ops: []string{"copysign.f64"}, args: q2, dst: q64, body: copySign(8)},
		of("negF32", "neg.f32", 4, false, neg), of("absF32", "abs.f32", 4, false, abs),
		of("negFtz", "neg.ftz.f32", 4, true, neg), of("absFtz", "abs.ftz.f32", 4, true, abs),
		of("negF64", "neg.f64", 8, false, neg), of("absF64", "abs.f64", 8, false, abs),
	}
}

// extremes are min and max: -0 is less than +0, and a number beats NaN.
func extremes() (s []spec) {
	for _, max := range []bool{false, true} {
		n := map[bool]string{false: "min", true: "max"}[max]
		plain := func(w int) func(g *gen, x []vec) vec {
			return func(g *gen, x []vec) vec { return g.extreme(x[0], x[1], w, max) }
		}
		s = append(s,
			spec{name: n + "F32", ops: []string{n + ".f32"}, args: d2, dst: d32, body: plain(4)},
			spec{name: n + "F64", ops: []string{n + ".f64"}, args: q2, dst: q64, body: plain(8)},
			spec{name: n + "Ftz", ops: []string{n + ".ftz.f32"}, args: d2, dst: d32,
				body: func(g *gen, x []vec) vec { return plain(4)(g, g.flushed(x)) }},
			spec{name: n + "NaN", ops: []string{n + ".NaN.f32"}, args: d2, dst: d32, body: func(g *gen, x []vec) vec {
				r := g.extreme(x[0], x[1], 4, max)
				return g.sel(g.cmpF(unord, x[0], x[1], 4), g.c32(r, 0x7fffffff), r, 4)
			}})
	}
	return s
}

func (g *gen) extreme(a, b vec, w int, max bool) vec {
	// Equal operands differ in the sign of zero at most.
	name, same := "VMIN", g.or(a, b)
	if max {
		name, same = "VMAX", g.and(a, b)
	}
	r := g.op(fl(name, w), b, a) // b if either is NaN
	r = g.sel(g.cmpF(eqO, a, b, w), same, r, w)
	r = g.sel(g.cmpF(unord, b, b, w), a, r, w)
	if w == 4 {
		return g.nan32(r)
	}
	quiet := g.or(r, g.c64(r, 1<<51))
	return g.sel(g.cmpF(unord, r, r, w), quiet, r, w)
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
