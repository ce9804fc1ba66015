package alu

import (
	"math"
	"math/big"
)

// Elementary functions in float64, for the device math functions and the
// .approx instructions. Go's math serves where its error is within the limits of
// the CUDA C++ Programming Guide, section "Mathematical Functions".

// logBy is log x times a constant, for any x.
func logBy(x float64, scale dd) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x)
	}
	return logDD(x).mul(scale).float()
}

func log(x float64) float64   { return logBy(x, dd{1, 0}) }
func log2(x float64) float64  { return logBy(x, ddLog2E) }
func log10(x float64) float64 { return logBy(x, ddLog10E) }

func exp(x float64) float64 { return expDD(dd{x, 0}) }

func exp2(x float64) float64 {
	if !(math.Abs(x) < 1100) {
		return math.Exp2(x)
	}
	k := math.RoundToEven(x)
	return math.Ldexp(expDD(ddLn2.times(x-k)), int(k))
}

func exp10(x float64) float64 {
	if !(math.Abs(x) < 400) {
		return math.Exp2(x * 4)
	}
	return expDD(ddLn10.times(x))
}

// pow follows C's special cases, which are also math.Pow's.
func pow(x, y float64) float64 {
	a := math.Abs(x)
	odd := x < 0 && math.Mod(y, 2) != 0
	switch {
	case x == 0 || !finite(x) || !finite(y) || y == 0 || a == 1, x < 0 && math.Trunc(y) != y:
		return math.Pow(x, y)
	}
	l := logDD(a)
	var r float64
	switch p := l.hi * y; {
	case p > 800:
		r = math.Inf(1)
	case p >= -800:
		r = expDD(l.times(y))
	}
	if odd {
		return -r
	}
	return r
}

// rsqrt is 1/sqrt(x) with one Newton step.
func rsqrt(x float64) float64 {
	r := 1 / math.Sqrt(x)
	if !finite(r) || r == 0 {
		return r
	}
	m, e := math.Frexp(x)
	if e&1 != 0 {
		m, e = m*2, e-1
	}
	r = 1 / math.Sqrt(m)
	r += r / 2 * math.FMA(-m*r, r, 1)
	return math.Ldexp(r, -e/2)
}

func rcbrt(x float64) float64 {
	r := 1 / math.Cbrt(x)
	if !finite(r) || r == 0 {
		return r
	}
	m, e := math.Frexp(x)
	k := e / 3
	m = math.Ldexp(m, e-3*k)
	r = 1 / math.Cbrt(m)
	c := twoProd(r, r).times(r).times(m)
	return math.Ldexp(r-r/3*((c.hi-1)+c.lo), -k)
}

// halfTurns reduces x to x = n/2 + r with |r| at most 1/4; n is modulo 4.
func halfTurns(x float64) (n int, r float64) {
	x = math.Mod(x, 2)
	k := math.RoundToEven(2 * x)
	return int(k) & 3, x - k/2
}

func sincosPiKernel(r float64) (s, c float64) {
	t := ddPi.times(r)
	s, c = math.Sincos(t.hi)
	return s + t.lo*c, c - t.lo*s
}

func sinpi(x float64) float64 {
	if !finite(x) {
		return math.NaN()
	}
	if x == math.Trunc(x) {
		return math.Copysign(0, x)
	}
	n, r := halfTurns(x)
	s, c := sincosPiKernel(r)
	return [4]float64{s, c, -s, -c}[n]
}

func cospi(x float64) float64 {
	if !finite(x) {
		return math.NaN()
	}
	n, r := halfTurns(x)
	s, c := sincosPiKernel(r)
	return [4]float64{c, -s, -c, s}[n] + 0
}

// norm is the Euclidean length, without overflow in between.
func norm(xs ...float64) float64 {
	s, e := scaledNorm(xs)
	return math.Ldexp(s.float(), e)
}

// rnorm is 1/norm.
func rnorm(xs ...float64) float64 {
	s, e := scaledNorm(xs)
	r := 1 / s.hi
	if finite(r) && r != 0 {
		r += r * (math.FMA(-r, s.hi, 1) - r*s.lo)
	}
	return math.Ldexp(r, -e)
}

// scaledNorm gives the length as s * 2^e. An infinity beats a NaN.
func scaledNorm(xs []float64) (s dd, e int) {
	var top, nan float64
	for _, x := range xs {
		nan += x - x
		top = math.Max(top, math.Abs(x))
		if math.IsInf(x, 0) {
			return dd{math.Inf(1), 0}, 0
		}
	}
	if top == 0 || nan != nan {
		return dd{top + nan, 0}, 0
	}
	_, e = math.Frexp(top)
	var sum dd
	for _, x := range xs {
		x = math.Ldexp(x, -e)
		sum = sum.add(twoProd(x, x))
	}
	r := math.Sqrt(sum.hi)
	return dd{r, (math.FMA(-r, r, sum.hi) + sum.lo) / (2 * r)}, e
}

// sinh is its Taylor series up to 1 and the exponential function beyond.
func sinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a > 22:
		return math.Copysign(halfExp(a), x)
	case a > 1:
		return (exp(x) - exp(-x)) / 2
	}
	z, s := x*x, 1.0
	for k := 21.0; k >= 5; k -= 2 {
		s = 1 + z*s/(k*(k-1))
	}
	return x + x*z/6*s
}

func cosh(x float64) float64 {
	if a := math.Abs(x); a > 22 {
		return halfExp(a)
	}
	return (exp(x) + exp(-x)) / 2
}

// halfExp is e^x/2, which overflows later than e^x.
func halfExp(x float64) float64 {
	if x > 712 {
		return math.Inf(1)
	}
	return expDD(dd{x, 0}.add(dd{-ddLn2.hi, -ddLn2.lo}))
}

func asin(x float64) float64 {
	if math.Abs(x) > 1 {
		return positiveNaN
	}
	return math.Asin(x)
}

func atanh(x float64) float64 {
	if math.Abs(x) > 1 {
		return positiveNaN
	}
	return math.Atanh(x)
}

// atan2 is math.Atan2, which loses y's sign where y/x is too small for a float64.
func atan2(y, x float64) float64 {
	return math.Copysign(math.Atan2(math.Abs(y), x), y)
}

// acos is 2 asin(sqrt((1-x)/2)) for large |x|, whose cancellation is exact.
func acos(x float64) float64 {
	a := math.Abs(x)
	if !(a <= 1) {
		return math.NaN()
	}
	if a <= 0.5 {
		return ddPi.hi/2 - (math.Asin(x) - ddPi.lo/2)
	}
	z := (1 - a) / 2
	s := math.Sqrt(z)
	r := 0.0
	if s > 0 {
		r = 2 * (math.Asin(s) + math.FMA(-s, s, z)/(2*s*math.Sqrt(1-z)))
	}
	if x < 0 {
		return ddPi.hi - (r - ddPi.lo)
	}
	return r
}

func fdim(x, y float64) float64 {
	if x <= y {
		return 0
	}
	return x - y
}

// fmin and fmax return the number if one operand is a NaN.
func fmin(x, y float64) float64 {
	switch {
	case x != x:
		return y
	case y != y:
		return x
	}
	return math.Min(x, y)
}

func fmax(x, y float64) float64 {
	switch {
	case x != x:
		return y
	case y != y:
		return x
	}
	return math.Max(x, y)
}

// remquo is the IEEE remainder and the three low bits of the quotient with its
// sign.
func remquo(x, y float64) (r float64, quo int32) {
	r = math.Remainder(x, y)
	if r != r || math.IsInf(y, 0) {
		return r, 0
	}
	fx, ex := math.Frexp(math.Abs(x))
	fy, ey := math.Frexp(math.Abs(y))
	if ex < ey-1 {
		return r, 0
	}
	low := min(ex, ey)
	n := bigInt(fx, ex-low)
	d := bigInt(fy, ey-low)
	q, rem := new(big.Int).QuoRem(n, d, new(big.Int))
	if c := rem.Lsh(rem, 1).Cmp(d); c > 0 || c == 0 && q.Bit(0) != 0 {
		q.Add(q, big.NewInt(1))
	}
	quo = int32(q.Bit(2)<<2 | q.Bit(1)<<1 | q.Bit(0))
	if math.Signbit(x) != math.Signbit(y) {
		quo = -quo
	}
	return r, quo
}

// bigInt is f * 2^(53+e).
func bigInt(f float64, e int) *big.Int {
	n := big.NewInt(int64(f * (1 << 53)))
	return n.Lsh(n, uint(e))
}
