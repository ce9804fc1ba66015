package alu

import (
	"math"
	"math/big"
	"math/rand"
	"testing"
)

// ulpCase bounds the error of a device math function on lo..hi, in units of the
// last place: at most the limit of the CUDA C++ Programming Guide.
type ulpCase struct {
	name    string
	lo, hi  float64
	limit   float64
	ref     func(x, y *big.Float) *big.Float
	expGrid bool // spread the exponents of x evenly
}

func one(f func(*big.Float) *big.Float) func(x, y *big.Float) *big.Float {
	return func(x, _ *big.Float) *big.Float { return f(x) }
}

// nearZero is f where |x| is not so small that x itself is nearer than f's bits.
func nearZero(f func(*big.Float) *big.Float) func(*big.Float) *big.Float {
	return func(x *big.Float) *big.Float {
		if x.MantExp(nil) < -200 {
			return x
		}
		return f(x)
	}
}

func bexpm1(x *big.Float) *big.Float { return bsub(bexp(x), bf(1)) }
func bneg(x *big.Float) *big.Float   { return bnew().Neg(x) }

func bsinh(x *big.Float) *big.Float { return bquo(bsub(bexp(x), bexp(bneg(x))), bf(2)) }
func bcosh(x *big.Float) *big.Float { return bquo(badd(bexp(x), bexp(bneg(x))), bf(2)) }

func basin(x *big.Float) *big.Float {
	return batan(bquo(x, bsqrt(bsub(bf(1), bmul(x, x)))))
}

func basinh(x *big.Float) *big.Float {
	return blog(badd(x, bsqrt(badd(bmul(x, x), bf(1)))))
}

var ulpCases = []ulpCase{
	{"sin", -1e5, 1e5, 2, one(bsin), true},
	{"cos", -1e5, 1e5, 2, one(bcos), true},
	{"tan", -1e5, 1e5, 2, one(func(x *big.Float) *big.Float { return bquo(bsin(x), bcos(x)) }), true},
	{"sin", 1e5, 1e150, 2, one(bsin), true},
	{"cos", 1e5, 1e150, 2, one(bcos), true},
	{"tan", 1e5, 1e150, 2, one(func(x *big.Float) *big.Float { return bquo(bsin(x), bcos(x)) }), true},
	{"sinpi", -30, 30, 2, one(func(x *big.Float) *big.Float { return bsin(bmul(bpi(), x)) }), false},
	{"cospi", -30, 30, 2, one(func(x *big.Float) *big.Float { return bcos(bmul(bpi(), x)) }), false},
	{"exp", -740, 709, 1, one(bexp), false},
	{"exp2", -1070, 1023, 1, one(func(x *big.Float) *big.Float { return bexp(bmul(x, ln2Big())) }), false},
	{"exp10", -320, 308, 1, one(func(x *big.Float) *big.Float { return bexp(bmul(x, blog(bf(10)))) }), false},
	{"expm1", -30, 700, 1, one(bexpm1), true},
	{"log", 1e-300, 1e300, 1, one(blog), true},
	{"log", 0.5, 2, 1, one(blog), false},
	{"log2", 0.5, 2, 1, one(func(x *big.Float) *big.Float { return bquo(blog(x), ln2Big()) }), false},
	{"log10", 0.5, 2, 1, one(func(x *big.Float) *big.Float { return bquo(blog(x), blog(bf(10))) }), false},
	{"log1p", -0.9, 5, 1, one(nearZero(func(x *big.Float) *big.Float { return blog(badd(x, bf(1))) })), true},
	{"pow", 1e-3, 1e3, 2, func(x, y *big.Float) *big.Float { return bexp(bmul(y, blog(x))) }, true},
	{"pow", 0.99, 1.01, 2, func(x, y *big.Float) *big.Float { return bexp(bmul(y, blog(x))) }, false},
	{"atan", -50, 50, 2, one(batan), true},
	{"atan2", 1e-3, 1e3, 2, func(x, y *big.Float) *big.Float { return batan(bquo(x, y)) }, true},
	{"asin", -1, 1, 2, one(basin), false},
	{"acos", -1, 1, 2, one(func(x *big.Float) *big.Float { return bsub(bquo(bpi(), bf(2)), basin(x)) }), false},
	{"sinh", -20, 20, 2, one(bsinh), true},
	{"cosh", -700, 700, 1, one(bcosh), false},
	{"tanh", -20, 20, 2, one(func(x *big.Float) *big.Float { return bquo(bsinh(x), bcosh(x)) }), true},
	{"asinh", -1e5, 1e5, 3, one(nearZero(basinh)), true},
	{"acosh", 1, 100, 3, one(func(x *big.Float) *big.Float {
		return blog(badd(x, bsqrt(bsub(bmul(x, x), bf(1)))))
	}), false},
	{"atanh", -1, 1, 2, one(nearZero(func(x *big.Float) *big.Float {
		return bquo(blog(bquo(badd(bf(1), x), bsub(bf(1), x))), bf(2))
	})), true},
	{"cbrt", 1e-300, 1e300, 1, one(func(x *big.Float) *big.Float { return bexp(bquo(blog(x), bf(3))) }), true},
	{"rcbrt", 1e-300, 1e300, 1, one(func(x *big.Float) *big.Float { return bexp(bquo(blog(x), bf(-3))) }), true},
	{"rsqrt", 1e-300, 1e300, 1, one(func(x *big.Float) *big.Float { return bquo(bf(1), bsqrt(x)) }), true},
	{"hypot", 1e-3, 1e3, 2, func(x, y *big.Float) *big.Float { return bsqrt(badd(bmul(x, x), bmul(y, y))) }, true},
	{"rhypot", 1e-3, 1e3, 1, func(x, y *big.Float) *big.Float {
		return bquo(bf(1), bsqrt(badd(bmul(x, x), bmul(y, y))))
	}, true},
	{"norm3d", 1e-3, 1e3, 3, func(x, y *big.Float) *big.Float { return bsqrt(badd(bmul(bf(2), bmul(x, x)), bmul(y, y))) }, true},
	{"norm4d", 1e-3, 1e3, 2, func(x, y *big.Float) *big.Float { return bsqrt(bmul(bf(2), badd(bmul(x, x), bmul(y, y)))) }, true},
	{"rnorm3d", 1e-3, 1e3, 1, func(x, y *big.Float) *big.Float {
		return bquo(bf(1), bsqrt(badd(bmul(bf(2), bmul(x, x)), bmul(y, y))))
	}, true},
	{"rnorm4d", 1e-3, 1e3, 1, func(x, y *big.Float) *big.Float {
		return bquo(bf(1), bsqrt(bmul(bf(2), badd(bmul(x, x), bmul(y, y)))))
	}, true},
	{"erf", -6, 6, 2, one(berf), true},
	{"erfc", -6, 14, 5, one(berfc), false},
	{"erfcx", -5, 14, 4, one(func(x *big.Float) *big.Float { return bmul(bexp(bmul(x, x)), berfc(x)) }), false},
	{"normcdf", -18, 8, 5, one(func(x *big.Float) *big.Float {
		return bquo(berfc(bquo(bneg(x), bsqrt(bf(2)))), bf(2))
	}), false},
	{"tgamma", 0.01, 170, 10, one(func(x *big.Float) *big.Float { return bexp(blgamma(x)) }), false},
	{"lgamma", 2.5, 1e4, 4, one(blgamma), true},
	{"lgamma", 1e-3, 2.5, 4, one(blgamma), true},
	{"j0", -8, 8, 7, one(func(x *big.Float) *big.Float { return bbessel(x, 0, -1) }), false},
	{"j1", -8, 8, 7, one(func(x *big.Float) *big.Float { return bbessel(x, 1, -1) }), false},
	{"y0", 1e-5, 8, 7, one(by0), false},
	{"y1", 1e-5, 8, 7, one(by1), false},
	{"cyl_bessel_i0", -100, 100, 6, one(func(x *big.Float) *big.Float { return bbessel(x, 0, 1) }), false},
	{"cyl_bessel_i1", -100, 100, 6, one(func(x *big.Float) *big.Float { return bbessel(x, 1, 1) }), false},
}

func (c *ulpCase) sample(r *rand.Rand) float64 {
	if !c.expGrid {
		return c.lo + r.Float64()*(c.hi-c.lo)
	}
	lo := math.Max(c.lo, 1e-10)
	x := math.Exp(math.Log(lo) + r.Float64()*(math.Log(c.hi)-math.Log(lo)))
	if c.lo < 0 && r.Intn(2) == 0 && -x > c.lo {
		return -x
	}
	return x
}

// ulps is |got - want| in units of want's last place, with man mantissa bits.
func ulps(got float64, want *big.Float, man, emin int) float64 {
	if got == 0 && want.MantExp(nil) < -180 {
		return 0 // the reference stops short of an exact zero
	}
	e := max(want.MantExp(nil)-1, emin)
	d, _ := bsub(bf(got), want).Float64()
	return math.Abs(math.Ldexp(d, man-e))
}

// inverseCase is a function that is checked by the one that it inverts: the
// residual over the derivative is the error of the result.
type inverseCase struct {
	name, domain  string
	limit, single float64
	x             func(r *rand.Rand) float64
	residual      func(x, y *big.Float) *big.Float // f(y) - x over f'(y)
}

var inverseCases = []inverseCase{
	{"erfinv", "-1 to 1", 5, 2, func(r *rand.Rand) float64 { return 2*r.Float64() - 1 }, func(x, y *big.Float) *big.Float {
		return bquo(bsub(berf(y), x), erfSlope(y))
	}},
	{"erfcinv", "1e-87 to 1", 6, 4, func(r *rand.Rand) float64 { return math.Exp(-200 * r.Float64()) }, func(x, y *big.Float) *big.Float {
		return bquo(bsub(x, berfc(y)), erfSlope(y))
	}},
	{"normcdfinv", "1e-43 to 1", 8, 5, func(r *rand.Rand) float64 { return math.Exp(-100 * r.Float64() * r.Float64()) }, func(x, y *big.Float) *big.Float {
		h := bquo(bneg(y), bsqrt(bf(2)))
		d := bquo(bexp(bneg(bmul(h, h))), bsqrt(bmul(bf(2), bpi())))
		return bquo(bsub(bquo(berfc(h), bf(2)), x), d)
	}},
}

// erfSlope is erf's derivative.
func erfSlope(y *big.Float) *big.Float {
	return bquo(bmul(bf(2), bexp(bneg(bmul(y, y)))), bsqrt(bpi()))
}

func (c *inverseCase) measure(t *testing.T, r *rand.Rand, n int) accuracy {
	a := accuracy{name: c.name, domain: c.domain, limit: c.limit}
	m, ok := LookupMath("__nv_" + c.name)
	if !ok {
		t.Fatalf("%s is missing", c.name)
	}
	for range n {
		x := c.x(r)
		ret, _ := m.Fn([]uint64{math.Float64bits(x)})
		y := math.Float64frombits(ret)
		d, _ := c.residual(bf(x), bf(y)).Float64()
		_, e := math.Frexp(y)
		a.note(math.Abs(math.Ldexp(d, 53-e)), x)
	}
	return a
}

func (c *inverseCase) measureFloat(t *testing.T, r *rand.Rand, n int) accuracy {
	u := ulpCase{name: c.name}
	a := u.measureFloatAt(t, func() [2]float64 { return [2]float64{c.x(r)} }, n)
	a.domain, a.limit = c.domain, c.single
	return a
}
