package native

import "github.com/warpgrind/warpgrind/internal/warp/jit"

// Predicates of VCMPPS: ordered ones are false and unordered ones true for NaN.
const (
	eqO, ltO, leO, unord, neU, geU, gtU, ord = 0x00, 0x11, 0x12, 0x03, 0x04, 0x15, 0x16, 0x07
	eqU, ltU, leU, neO, geO, gtO             = 0x08, 0x19, 0x1a, 0x0c, 0x1d, 0x1e
)

var (
	addF, subF, mulF = pair{jit.VADDPS, jit.VADDPD}, pair{jit.VSUBPS, jit.VSUBPD}, pair{jit.VMULPS, jit.VMULPD}
	divF, sqrtF      = pair{jit.VDIVPS, jit.VDIVPD}, pair{jit.VSQRTPS, jit.VSQRTPD}
	minF, maxF       = pair{jit.VMINPS, jit.VMINPD}, pair{jit.VMAXPS, jit.VMAXPD}
	fmaF             = pair{jit.VFMADD213PS, jit.VFMADD213PD}
	cmpF             = pair{jit.VCMPPS, jit.VCMPPD}
)

// canonical makes NaN results of f32 operations 0x7fffffff.
func (g *gen) canonical(x operand) operand {
	d, src := g.tmp(), g.in(x)
	g.canonicalIn(d, src)
	return vreg(d)
}

// flush makes subnormal f32 zeros of the same sign.
func (g *gen) flushed(x operand) operand {
	r := vreg(g.in(x))
	k := g.mask(jit.VPTESTNMD, r, g.c32(0x7f800000), 0, 0)
	return g.sel(k, g.and(r, g.c32(1<<31)), r, 4)
}

// f32Op enters an operation with subnormal numbers and under .ftz.
func f32Op(m map[string]*native, n int, op body, mods []string, names ...string) {
	for _, name := range names {
		for _, mod := range mods {
			m[name+mod+".f32"] = &native{args: shape(4, n), dst: k32, floats: true, loose: op,
				body: func(g *gen, x []operand) operand { return g.canonical(op(g, x)) }}
			flushing := func(g *gen, x []operand) operand {
				y := make([]operand, len(x))
				for i := range x {
					y[i] = g.flushed(x[i])
				}
				return g.flushed(op(g, y))
			}
			m[name+mod+".ftz.f32"] = &native{args: shape(4, n), dst: k32, floats: true, loose: flushing,
				body: func(g *gen, x []operand) operand { return g.canonical(flushing(g, x)) }}
		}
	}
}

func saturated(m map[string]*native, n int, op body, names ...string) {
	for _, name := range names {
		m[name+".sat.f32"] = &native{args: shape(4, n), dst: k32, floats: true, body: func(g *gen, x []operand) operand {
			return g.v3(jit.VMINPS, g.v3(jit.VMAXPS, op(g, x), g.c32(0)), g.c32(0x3f800000))
		}}
	}
}

func reciprocal(w int) body {
	return func(g *gen, x []operand) operand { return g.v3(divF.of(w), g.cst(w, 0x3f800000, 0x3ff<<52), x[0]) }
}

// A divisor whose reciprocal is subnormal counts as infinite in div.approx (PTX ISA 9.7.3.8): one from
// afterLarge on, short of infinity, without its sign.
const (
	afterLarge = 0x7e800001
	infinity   = 0x7f800000
)

func divApprox(g *gen, x []operand) operand {
	a, b := vreg(g.in(x[0])), vreg(g.in(x[1]))
	above := g.v3(jit.VPSUBD, g.v3(jit.VPANDD, b, g.c32(1<<31-1)), g.c32(afterLarge))
	large := g.mask(jit.VPCMPUD, above, g.c32(infinity-afterLarge), 1, 0)
	return g.sel(large, g.v3(mulF.of(4), a, g.v3(jit.VPANDD, b, g.c32(1<<31))), g.v3(divF.of(4), a, b), 4)
}

// fma has a as the first multiplicand of x86, whose NaN wins over the others'.
func fma(w int) body {
	return func(g *gen, x []operand) operand {
		a, b := g.in(x[0]), g.copyIn(x[1])
		c := g.fitting(fmaF.of(w), x[2])
		g.Emit(fmaF.of(w), jit.Args{Reg: int8(b), V: int8(a), RM: int8(c.r), Mem: c.m})
		return vreg(b)
	}
}

// copyIn brings an operand into a register that may be overwritten.
func (g *gen) copyIn(o operand) jit.Vec {
	if o.m != nil {
		return g.in(o)
	}
	return g.copyOf(o.r)
}

func floatNatives(m map[string]*native) {
	plain, rn := []string{"", ".rn"}, []string{".rn"}
	f32Op(m, 2, bin(addF.of(4)), plain, "add")
	f32Op(m, 2, bin(subF.of(4)), plain, "sub")
	f32Op(m, 2, bin(mulF.of(4)), plain, "mul")
	f32Op(m, 3, fma(4), rn, "fma", "mad")
	m["fma.rn.f32"].sums, m["mad.rn.f32"].sums = true, true
	f32Op(m, 2, bin(divF.of(4)), []string{".rn", ".full"}, "div")
	f32Op(m, 2, divApprox, []string{".approx"}, "div")
	f32Op(m, 1, reciprocal(4), []string{".rn", ".approx"}, "rcp")
	f32Op(m, 1, una(sqrtF.of(4)), []string{".rn", ".approx"}, "sqrt")
	saturated(m, 2, bin(addF.of(4)), "add", "add.rn")
	saturated(m, 2, bin(subF.of(4)), "sub", "sub.rn")
	saturated(m, 2, bin(mulF.of(4)), "mul", "mul.rn")
	saturated(m, 3, fma(4), "fma.rn", "mad.rn")
	for name, in := range map[string]pair{"add": addF, "sub": subF, "mul": mulF} {
		m[name+".f64"] = &native{args: shape(8, 2), dst: k64, body: bin(in.of(8))}
		m[name+".rn.f64"] = m[name+".f64"]
	}
	m["div.rn.f64"] = &native{args: shape(8, 2), dst: k64, body: bin(divF.of(8))}
	m["fma.rn.f64"] = &native{args: shape(8, 3), dst: k64, body: fma(8)}
	m["mad.rn.f64"] = m["fma.rn.f64"]
	m["rcp.rn.f64"] = &native{args: shape(8, 1), dst: k64, body: reciprocal(8)}
	m["sqrt.rn.f64"] = &native{args: shape(8, 1), dst: k64, body: una(sqrtF.of(8))}
	signNatives(m)
	extremeNatives(m)
}

// signNatives change signs only.
func signNatives(m map[string]*native) {
	for w, typ := range map[int]string{4: "f32", 8: "f64"} {
		neg := func(g *gen, x []operand) operand { return g.v3(xor.of(w), vreg(g.in(x[0])), g.cst(w, 1<<31, 1<<63)) }
		abs := func(g *gen, x []operand) operand {
			return g.v3(and.of(w), vreg(g.in(x[0])), g.cst(w, 1<<31-1, 1<<63-1))
		}
		m["neg."+typ] = &native{args: shape(w, 1), dst: kindOf(w), body: neg}
		m["abs."+typ] = &native{args: shape(w, 1), dst: kindOf(w), body: abs}
		if w == 4 {
			m["neg.ftz.f32"] = &native{args: shape(w, 1), dst: k32, body: func(g *gen, x []operand) operand { return neg(g, []operand{g.flushed(x[0])}) }}
			m["abs.ftz.f32"] = &native{args: shape(w, 1), dst: k32, body: func(g *gen, x []operand) operand { return abs(g, []operand{g.flushed(x[0])}) }}
		}
	}
}

// extremeNatives are min and max: -0 is less than +0, and a number beats NaN.
func extremeNatives(m map[string]*native) {
	for _, most := range []bool{false, true} {
		name := "min"
		if most {
			name = "max"
		}
		m[name+".f32"] = &native{args: shape(4, 2), dst: k32, body: func(g *gen, x []operand) operand { return g.extreme(x[0], x[1], 4, most) }}
		m[name+".f64"] = &native{args: shape(8, 2), dst: k64, body: func(g *gen, x []operand) operand { return g.extreme(x[0], x[1], 8, most) }}
		m[name+".ftz.f32"] = &native{args: shape(4, 2), dst: k32, body: func(g *gen, x []operand) operand {
			return g.extreme(g.flushed(x[0]), g.flushed(x[1]), 4, most)
		}}
		m[name+".NaN.f32"] = &native{args: shape(4, 2), dst: k32, body: func(g *gen, x []operand) operand {
			a, b := vreg(g.in(x[0])), vreg(g.in(x[1]))
			r := g.extreme(a, b, 4, most)
			return g.sel(g.mask(jit.VCMPPS, a, b, unord, 0), g.c32(0x7fffffff), r, 4)
		}}
	}
}

func (g *gen) extreme(a, b operand, w int, most bool) operand {
	a, b = vreg(g.in(a)), vreg(g.in(b))
	// Equal operands differ in the sign of zero at most.
	in, zero := minF, or
	if most {
		in, zero = maxF, and
	}
	r := g.v3(in.of(w), a, b) // b if either is NaN
	r = g.sel(g.mask(cmpF.of(w), a, b, eqO, 0), g.v3(zero.of(w), a, b), r, w)
	r = g.sel(g.mask(cmpF.of(w), b, b, unord, 0), a, r, w)
	if w == 4 {
		return g.canonical(r)
	}
	quiet := g.v3(jit.VPORQ, r, g.c64(1<<51))
	return g.sel(g.mask(jit.VCMPPD, r, r, unord, 0), quiet, r, 8)
}

// testNatives are the comparisons of setp (PTX ISA 9.7.6).
func testNatives() map[string]*test {
	m := map[string]*test{}
	intTests(m)
	for name, pred := range map[string]byte{
		"eq": eqO, "ne": neO, "lt": ltO, "le": leO, "gt": gtO, "ge": geO, "num": ord,
		"equ": eqU, "neu": neU, "ltu": ltU, "leu": leU, "gtu": gtU, "geu": geU, "nan": unord,
	} {
		for w, typ := range map[int]string{4: ".f32", 8: ".f64"} {
			m["setp."+name+typ] = &test{arg: kindOf(w), floats: w == 4,
				body: func(g *gen, x []operand) jit.K { return g.mask(cmpF.of(w), x[0], x[1], pred, 0) }}
		}
		m["setp."+name+".ftz.f32"] = &test{arg: k32, floats: true, body: func(g *gen, x []operand) jit.K {
			return g.mask(jit.VCMPPS, g.flushed(x[0]), g.flushed(x[1]), pred, 0)
		}}
	}
	return m
}

func intTests(m map[string]*test) {
	for _, c := range []struct {
		name, unsigned string
		pred           byte
	}{{"eq", "", 0}, {"ne", "", 4}, {"lt", "lo", 1}, {"le", "ls", 2}, {"gt", "hi", 6}, {"ge", "hs", 5}} {
		m["setp."+c.name+".s16"], m["setp."+c.name+".u16"] = smallTest(true, c.pred), smallTest(false, c.pred)
		if c.unsigned == "" {
			m["setp."+c.name+".b16"] = smallTest(false, c.pred)
		} else {
			m["setp."+c.unsigned+".u16"] = smallTest(false, c.pred)
		}
		for _, w := range []int{4, 8} {
			of := func(in pair) *test {
				return &test{arg: kindOf(w), body: func(g *gen, x []operand) jit.K { return g.mask(in.of(w), x[0], x[1], c.pred, 0) }}
			}
			bits := map[int]string{4: "32", 8: "64"}[w]
			m["setp."+c.name+".s"+bits] = of(cmpS)
			m["setp."+c.name+".u"+bits] = of(cmpU)
			if c.unsigned != "" {
				m["setp."+c.unsigned+".u"+bits] = of(cmpU)
			} else {
				m["setp."+c.name+".b"+bits] = of(cmpU)
			}
		}
	}
}
