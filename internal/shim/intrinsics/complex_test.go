package intrinsics

import (
	"math"
	"math/cmplx"
)

// complexModels are cuComplex.h's functions. Products may be fused with sums on
// the device: their error is relative to the terms.
func complexModels() []model {
	part := func(i int) func(c *call) []want {
		return func(c *call) []want { return []want{c.rounded(c.args[0].exact(i), nearest)} }
	}
	lanes := func(f func(a, b []float64) []float64) func(*call) []want {
		return func(c *call) []want {
			a := []float64{c.args[0].float(0), c.args[0].float(1)}
			b := []float64{0, 0}
			if len(c.args) > 1 {
				b = []float64{c.args[1].float(0), c.args[1].float(1)}
			}
			r := f(a, b)
			return append(c.native(r[0]), c.native(r[1])...)
		}
	}
	return []model{
		rule("make_cu(?:Float|Double)?Complex", func(c *call) []want {
			return append(c.native(c.args[0].float(0)), c.native(c.args[1].float(0))...)
		}),
		rule("cuComplex(?:DoubleToFloat|FloatToDouble)", lanes(func(a, _ []float64) []float64 { return a })),
		rule("cuCrealf?", part(0)),
		rule("cuCimagf?", part(1)),
		rule("cuConjf?", lanes(func(a, _ []float64) []float64 { return []float64{a[0], -a[1]} })),
		rule("cuCaddf?", func(c *call) []want {
			return each(c, func(a []exact) exact { return add(a[0], a[1], nearest) }, nearest)
		}),
		rule("cuCsubf?", func(c *call) []want {
			return each(c, func(a []exact) exact { return add(a[0], negated(a[1]), nearest) }, nearest)
		}),
		rule("cuC(mul|fma)f?", complexProduct).approximate(),
		rule("cuCdivf?", complexQuotient).approximate(),
		rule("cuCabsf?", complexSize),
	}
}

func (v value) complex() complex128 { return complex(v.float(0), v.float(1)) }

// near is a value with the error of a few operations on terms of a size.
func (c *call) near(v, size float64) want {
	w := c.rounded(fromFloat(v), nearest)
	w.tolerance, w.size, w.nan = 0x1p-20, size, true
	if c.result.kind == binary64 {
		w.tolerance = 0x1p-49
	}
	return w
}

func complexProduct(c *call) []want {
	a, b := c.args[0], c.args[1]
	s := [2]float64{}
	if len(c.args) > 2 {
		s = [2]float64{c.args[2].float(0), c.args[2].float(1)}
	}
	term := func(i, k int) float64 { return a.float(i) * b.float(k) }
	re, im := term(0, 0)-term(1, 1), term(0, 1)+term(1, 0)
	if len(c.args) > 2 {
		re, im = re+s[0], im+s[1]
	}
	size := func(x, y, z float64) float64 { return math.Abs(x) + math.Abs(y) + math.Abs(z) }
	out := []want{c.near(re, size(term(0, 0), term(1, 1), s[0])), c.near(im, size(term(0, 1), term(1, 0), s[1]))}
	if !plain(c) { // beyond the range or special: NaN and infinity by the formula, in any grouping
		for i := range out {
			out[i].free = math.IsNaN(math.Float64frombits(out[i].bits)) || !isFinite(re) || !isFinite(im)
		}
	}
	return out
}

// plain reports whether all parts are finite and of ordinary size.
func plain(c *call) bool {
	for _, v := range c.args {
		for i := range v.bits {
			if x := math.Abs(v.float(i)); !(x == 0 || x > 1e-10 && x < 1e10) {
				return false
			}
		}
	}
	return true
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// complexQuotient: the divisor is scaled by the sum of its parts, so that a
// divisor with an infinite part, and zero, give NaN as in CUDA.
func complexQuotient(c *call) []want {
	a, b := c.args[0].complex(), c.args[1].complex()
	if s := math.Abs(real(b)) + math.Abs(imag(b)); s == 0 || !isFinite(s) {
		nan := c.near(math.NaN(), 0)
		return []want{nan, nan}
	}
	if !plain(c) {
		return []want{{free: true}, {free: true}}
	}
	q := a / b
	size := cmplx.Abs(a) / cmplx.Abs(b)
	return []want{c.near(real(q), size), c.near(imag(q), size)}
}

// complexSize is infinite if a part is and the other is not a NaN.
func complexSize(c *call) []want {
	re, im := c.args[0].float(0), c.args[0].float(1)
	switch {
	case math.IsNaN(re) || math.IsNaN(im):
		return c.native(math.NaN())
	case math.IsInf(re, 0) || math.IsInf(im, 0):
		return c.native(math.Inf(1))
	}
	v := math.Hypot(re, im)
	w := c.near(v, 0)
	w.free = v > 0 && v < 1e-300 || math.IsInf(v, 0) || c.result.kind == binary32 && (v > math.MaxFloat32 || v < 1e-37 && v > 0)
	return []want{w}
}
