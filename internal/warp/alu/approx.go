package alu

import "math"

// ex2 and lg2 are defined by fixed sequences of float64 operations, each rounded
// once, that the assembly repeats: every instruction set gives the same bits. The
// error is below 2^-50 of the result, far less than half a unit of float32.

const (
	// exp2Limit is beyond the range of every narrower type.
	exp2Limit = 1000
	expTerms  = 14
	logTerms  = 12
	// sqrtHalf is the pattern of the square root of 1/2, which centers the
	// significands of log2Approx on 1.
	sqrtHalf = 0x3fe6a09e667f3bcd
	bias64   = 1023 << 52
)

// expPoly is the power series of 2^r: ln(2)^k / k!.
var expPoly = func() (c [expTerms]float64) {
	c[0] = 1
	for k := 1; k < expTerms; k++ {
		c[k] = c[k-1] * math.Ln2 / float64(k)
	}
	return c
}()

// logPoly is that of log2((1+s)/(1-s))/s in s*s: 2/ln(2) / (2k+1).
var logPoly = func() (c [logTerms]float64) {
	for k := range c {
		c[k] = 2 * math.Log2E / float64(2*k+1)
	}
	return c
}()

// horner evaluates a polynomial with fused steps.
func horner(c []float64, x float64) float64 {
	p := c[len(c)-1]
	for k := len(c) - 2; k >= 0; k-- {
		p = math.FMA(x, p, c[k])
	}
	return p
}

// exp2Approx is 2^x, 2^±1000 beyond that.
func exp2Approx(x float64) float64 {
	x = min(max(x, -exp2Limit), exp2Limit)
	if x != x {
		return x
	}
	n := math.RoundToEven(x)
	return horner(expPoly[:], x-n) * math.Float64frombits(uint64(int64(n)+1023)<<52)
}

// log2Approx is log2(x) for values of narrower types, whose patterns are normal.
func log2Approx(x float64) float64 {
	switch {
	case !(x >= 0):
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	b := math.Float64bits(x)
	e := (b - sqrtHalf + bias64) &^ (1<<52 - 1)
	m := math.Float64frombits(b - e + bias64)
	s := (m - 1) / (m + 1)
	return math.FMA(horner(logPoly[:], s*s), s, float64(int64(e>>52)-1023))
}
