package alu

import "math"

const (
	sqrtPi   = 1.7724538509055160272981674833411
	invSqrt2 = 0.70710678118654752440084436210485
	twoOverP = 2 / sqrtPi // derivative of erf at 0
)

// erfcx is exp(x^2) erfc(x).
func erfcx(x float64) float64 {
	switch {
	case x < -26.7:
		return math.Inf(1)
	case x < 26:
		return expDD(twoProd(x, x)) * math.Erfc(x)
	case x > 1e8:
		return 1 / sqrtPi / x
	}
	// Asymptotic series 1 - 1/(2x^2) + 3/(4x^4) - ...
	z, s := 1/(2*x*x), 1.0
	for k := 15.0; k >= 1; k -= 2 {
		s = 1 - k*z*s
	}
	return s / (x * sqrtPi)
}

// erfcinv inverts erfc on (0, 2).
func erfcinv(x float64) float64 {
	switch {
	case x < 0:
		return math.NaN() // 1-x may be 1
	case !(x < 0.5) || x == 0:
		return math.Erfinv(1 - x)
	}
	// Newton's method on log erfc, which is nearly a parabola.
	lx := logDD(x)
	y := math.Sqrt(max(-lx.hi-math.Log(sqrtPi*math.Sqrt(max(-lx.hi, 0.7))), 0.1))
	for i := 0; i < 8; i++ {
		g := erfcx(y)
		sq := twoProd(y, y)
		f := dd{-sq.hi, -sq.lo}.add(logDD(g)).add(dd{-lx.hi, -lx.lo})
		step := f.float() * g * sqrtPi / 2
		y += step
		if math.Abs(step) <= 1e-17*y {
			break
		}
	}
	return y
}

func erfinv(x float64) float64 {
	if a := math.Abs(x); a > 0.5 && a < 1 {
		return math.Copysign(erfcinv(1-a), x)
	}
	y := math.Erfinv(x)
	if y == 0 || !finite(y) {
		return y
	}
	return y - (math.Erf(y)-x)/(twoOverP*exp(-y*y))
}

// normcdf is erfc(-x/sqrt 2)/2; the rounding of the argument is made good with
// the derivative.
func normcdf(x float64) float64 {
	switch {
	case x < -38.6:
		return 0
	case x > 9:
		return 1
	}
	hi := -x * invSqrt2
	c := math.Erfc(hi)
	lo := math.FMA(-x, invSqrt2, -hi) - x*(-4.833646656726457e-17)
	return 0.5 * (c - lo*twoOverP*expDD(twoProd(hi, -hi)))
}

func normcdfinv(p float64) float64 {
	return 0 - math.Sqrt2*erfcinv(2*p) // 0 at a half
}

// besselI is the modified Bessel function of order 0 or 1: its power series,
// whose terms are all positive, and beyond 30 the asymptotic series.
func besselI(order float64) func(x float64) float64 {
	return func(x float64) float64 {
		a := math.Abs(x)
		var r float64
		switch {
		case x != x || math.IsInf(a, 1):
			r = a
		case a < 30:
			r = besselSeries(order, a)
		default:
			r = besselAsymptotic(order, a)
		}
		if order == 1 && math.Signbit(x) {
			return -r
		}
		return r
	}
}

func besselSeries(order, a float64) float64 {
	q := twoProd(a/2, a/2)
	term, sum := dd{1, 0}, dd{1, 0}
	for k := 1.0; term.hi > sum.hi*0x1p-60; k++ {
		term = term.mul(q)
		t := ratio(1, k*(k+order))
		term = term.mul(t)
		sum = sum.add(term)
	}
	if order == 1 {
		sum = sum.times(a / 2)
	}
	return sum.float()
}

// besselAsymptotic is e^a / sqrt(2 pi a) times a series in 1/a; the factor is
// computed as one exponential.
func besselAsymptotic(order, a float64) float64 {
	mu, term, rest := 4*order*order, 1.0, 0.0
	for k := 1.0; k < 60 && math.Abs(term) > 0x1p-60; k++ {
		term *= -(mu - (2*k-1)*(2*k-1)) / (k * 8 * a)
		rest += term
	}
	l := logDD(a).times(-0.5).add(dd{a, 0}).add(dd{-lnSqrt2PiHi, lnSqrt2PiHi - lnSqrt2Pi})
	r := expDD(l)
	if math.IsInf(r, 0) {
		return r
	}
	return r + r*rest
}

// tgamma is the gamma function: Stirling's series for large arguments.
func tgamma(x float64) float64 {
	switch {
	case x > 172 || x < -190 || math.Abs(x) <= 20 || x != x:
		return math.Gamma(x)
	case x > 0:
		return expDD(stirling(x))
	case x == math.Trunc(x):
		return math.NaN()
	}
	l := stirling(1 - x) // reflection; 1-x is rounded, but x is not near an integer's ulp
	return math.Pi / sinpi(x) * expDD(dd{-l.hi, -l.lo})
}

const (
	lnSqrt2PiHi = 0x1.d67f1c864beb5p-1
	lnSqrt2Pi   = 0.91893853320467274178032973640561763986139747363778
)

// stirling is log gamma for x > 20.
func stirling(x float64) dd {
	z := 1 / (x * x)
	s := 0.0
	for _, c := range [...]float64{1. / 156, -691. / 360360, 1. / 1188, -1. / 1680, 1. / 1260, -1. / 360, 1. / 12} {
		s = s*z + c
	}
	l := logDD(x).mul(twoSum(x, -0.5))
	l = l.add(dd{-x, 0}).add(dd{lnSqrt2PiHi, lnSqrt2Pi - lnSqrt2PiHi})
	return l.add(dd{s / x, 0})
}

// lgammaEnd is up to where lgamma takes its own series: Go's function loses six
// bits near its zeros.
const lgammaEnd = 2.5

// lgamma is log |gamma(x)|.
func lgamma(x float64) float64 {
	switch {
	case math.IsInf(x, 0):
		return math.Inf(1)
	case math.Abs(x) < 0x1p-60: // also where 1/x overflows
		return -log(math.Abs(x))
	case !(x > 0 && x < lgammaEnd):
		r, _ := math.Lgamma(x)
		return r
	case x >= 1.5:
		return lgamma2(x - 2).float()
	case x >= 0.5:
		return lgamma2(x - 1).add(logDD(x).times(-1)).float()
	}
	l := lgamma2(x).add(logDD(x).times(-1))
	return l.add(dd{-math.Log1p(x), 0}).float()
}

// lgamma2 is log gamma(2+d) for |d| at most a half: (1-gamma) d plus the terms
// with zeta(k)-1 (DLMF 5.7.4).
func lgamma2(d float64) dd {
	s := 0.0
	for k := len(zetaTerms) - 1; k >= 0; k-- {
		s = s*d + zetaTerms[k]
	}
	return dd1MinusGamma.times(d).add(dd{s * d * d, 0})
}

var dd1MinusGamma = dd{0x1.b0ee6072093cep-2, 0x1.6cb90701fbfabp-58}

// zetaTerms are (-1)^k (zeta(k)-1)/k from k = 2 on.
var zetaTerms = [...]float64{
	0x1.4a34cc4a60fa6p-2, -0x1.13e001a557607p-4, 0x1.51322ac7d8483p-6, -0x1.e404fc218f5f2p-8, 0x1.7add6eadb6c30p-9,
	-0x1.38ac5c2bf8e08p-10, 0x1.0b36af86396e9p-11, -0x1.d3fd4c76d2fc8p-13, 0x1.a127b0f17d65ap-14, -0x1.78de5bd7c81efp-15,
	0x1.580dcee66eb02p-16, -0x1.3cbc963ce2243p-17, 0x1.2597a39f34aacp-18, -0x1.11b2eb7679541p-19, 0x1.0064cdeb22f0fp-20,
	-0x1.e2600d93cfd2fp-22, 0x1.c76bbb3f07a4dp-23, -0x1.af5a6cbbf8a97p-24, 0x1.99b93c2070b0fp-25, -0x1.862c734df3eacp-26,
	0x1.7469daccfadcdp-27, -0x1.6434a8447aeadp-28, 0x1.555a877ffd2c3p-29, -0x1.47b1679258d0ep-30, 0x1.3b15d2b2fc10cp-31,
	-0x1.2f69a9fabe3e0p-32, 0x1.24932a337434cp-33, -0x1.1a7c26ec2523cp-34, 0x1.11116e693ed98p-35, -0x1.08424cbc543d8p-36,
}
