package alu

import (
	"math"
	"math/big"
)

// The odd* functions compute in float64 and round to odd: an inexact result has
// its last bit set, so that a second rounding to a format of at most 51 bits
// gives what one rounding would. Operands are values of formats of at most 24
// bits, whose products are exact and far from float64's limits.

// toOdd rounds s + err to odd, where s is the nearest value and err has the
// sign of the rest.
func toOdd(s, err float64) float64 {
	b := math.Float64bits(s)
	if err == 0 || b&1 != 0 {
		return s
	}
	if (err > 0) == (s > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// sumErr is the rounding error of s = a + b (Knuth's two-sum).
func sumErr(a, b, s float64) float64 {
	bb := s - a
	return (a - (s - bb)) + (b - bb)
}

func finite(x float64) bool { return x-x == 0 }

func oddAdd(a, b float64) float64 {
	s := a + b
	if !finite(s) {
		return s
	}
	return toOdd(s, sumErr(a, b, s))
}

func oddFma(a, b, c float64) float64 { return oddAdd(float64(a*b), c) }

func oddDiv(a, b float64) float64 {
	q := a / b
	if !finite(q) || q == 0 || !finite(b) {
		return q
	}
	r := math.FMA(-q, b, a)
	if b < 0 {
		r = -r
	}
	return toOdd(q, r)
}

func oddSqrt(a float64) float64 {
	s := math.Sqrt(a)
	if !finite(s) || s == 0 {
		return s
	}
	return toOdd(s, math.FMA(-s, s, a))
}

// zeroSign gives an exact zero sum its sign: -0 when rounding down and one of
// the terms is negative (IEEE 754, 6.3).
func zeroSign(s, a, b float64, m mode) float64 {
	if s == 0 && m == rm && (math.Signbit(a) || math.Signbit(b)) {
		return math.Copysign(0, -1)
	}
	return s
}

// directed moves the nearest result r to the one of a directed mode; err has
// the sign of the exact value minus r.
func directed(r float64, err int, m mode) float64 {
	up := m == rp || m == rz && (r < 0 || r == 0 && math.Signbit(r))
	switch {
	case m == rn || err == 0:
		return r
	case up && err > 0:
		return math.Nextafter(r, math.Inf(1))
	case !up && err < 0:
		return math.Nextafter(r, math.Inf(-1))
	}
	return r
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// overflowErr is the error's sign of an infinity made from finite operands.
func overflowErr(r float64) int { return -sign(r) }

// exactPrec holds every sum of a float64 and a product of two, in bits.
const exactPrec = 4400

func bigOf(x float64) *big.Float { return new(big.Float).SetPrec(exactPrec).SetFloat64(x) }

func bigMul(a, b float64) *big.Float {
	return new(big.Float).SetPrec(exactPrec).Mul(bigOf(a), bigOf(b))
}

// calm tells that error-free transformations are exact near x.
func calm(x float64) bool {
	x = math.Abs(x)
	return x > 0x1p-900 && x < 0x1p1000
}

func add64(a, b float64, m mode) float64 {
	s := a + b
	switch {
	case m == rn:
		return s
	case math.IsInf(s, 0) && finite(a) && finite(b):
		return directed(s, overflowErr(s), m)
	case !finite(s):
		return s
	case s == 0:
		return zeroSign(s, a, b, m)
	}
	return directed(s, sign(sumErr(a, b, s)), m)
}

func mul64(a, b float64, m mode) float64 {
	p := a * b
	switch {
	case m == rn || a == 0 || b == 0 || !finite(a) || !finite(b):
		return p
	case math.IsInf(p, 0):
		return directed(p, overflowErr(p), m)
	case calm(p):
		return directed(p, sign(math.FMA(a, b, -p)), m)
	}
	return directed(p, bigMul(a, b).Cmp(bigOf(p)), m)
}

func fma64(a, b, c float64, m mode) float64 {
	r := math.FMA(a, b, c)
	switch {
	case m == rn || !finite(a) || !finite(b) || !finite(c):
		return r
	case a == 0 || b == 0:
		return zeroSign(r, float64(a*b), c, m)
	case math.IsInf(r, 0):
		return directed(r, overflowErr(r), m)
	}
	exact := bigMul(a, b)
	exact.Add(exact, bigOf(c))
	if exact.Sign() == 0 {
		return zeroSign(r, math.Copysign(1, a)*math.Copysign(1, b), c, m)
	}
	return directed(r, exact.Cmp(bigOf(r)), m)
}

func div64(a, b float64, m mode) float64 {
	q := a / b
	switch {
	case m == rn || a == 0 || b == 0 || !finite(a) || !finite(b):
		return q
	case math.IsInf(q, 0):
		return directed(q, overflowErr(q), m)
	}
	var err int
	if calm(q) && calm(a) && calm(b) {
		err = sign(math.FMA(-q, b, a))
	} else {
		err = bigOf(a).Cmp(bigMul(q, b))
	}
	return directed(q, err*sign(b), m)
}

func sqrt64(a float64, m mode) float64 {
	s := math.Sqrt(a)
	switch {
	case m == rn || !finite(s) || s == 0:
		return s
	case calm(a):
		return directed(s, sign(math.FMA(-s, s, a)), m)
	}
	return directed(s, bigOf(a).Cmp(bigMul(s, s)), m)
}

// fmaF32 is the fused multiply-add of float32 values, rounded once to nearest.
func fmaF32(a, b, c float32) float32 {
	p, z := float64(a)*float64(b), float64(c)
	s := p + z
	// A second rounding can only go wrong when s looks like the middle of two
	// float32 values, or when the result is subnormal there.
	if math.Float64bits(s)&0x1fffffff != 0x10000000 && math.Abs(s) >= 0x1p-126 {
		return float32(s)
	}
	return fmaF32Odd(p, z, s)
}

// fmaBits is fmaF32 of patterns. Were it inlined, the loops that call it would keep the operands as numbers, whose conversions to
// float64 then go to registers of their own, each of which waits for the lane before (CVTSS2SD leaves half of the register).
//
//go:noinline
func fmaBits(a, b, c uint32) uint32 {
	return math.Float32bits(fmaF32(math.Float32frombits(a), math.Float32frombits(b), math.Float32frombits(c)))
}

func fmaF32Odd(p, z, s float64) float32 {
	if !finite(s) {
		return float32(s)
	}
	return float32(toOdd(s, sumErr(p, z, s)))
}

// nan64 is the NaN that a float64 operation yields: the first NaN operand made
// quiet, or the default one.
func nan64(ops ...uint64) uint64 {
	for _, o := range ops {
		if o<<1 > 0x7ff<<53 {
			return o | 1<<51
		}
	}
	return defaultNaN64
}

// defaultNaN64 is CUDART_NAN, the result of invalid double operations.
const defaultNaN64 = 0xfff8000000000000
