package alu

import (
	"math"
	"math/big"
	"sync"
)

// Sine, cosine and tangent in double precision: the argument is reduced to
// |r| <= pi/4 with more than a hundred bits, so that the results are good to a
// unit of the last place also near multiples of pi/2 and far from zero.

// halfPi is pi/2 as the sum of three doubles.
var halfPi = [3]float64{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110}

// reduceLimit is where the quotient by pi/2 no longer fits the quick reduction.
const reduceLimit = 1 << 30

// reduce returns x - n pi/2, and n modulo 4.
func reduce(x float64) (n int, r dd) {
	if math.Abs(x) < math.Pi/4 {
		return 0, dd{x, 0}
	}
	if math.Abs(x) > reduceLimit {
		return reduceFar(x)
	}
	q := math.RoundToEven(x * (2 / math.Pi))
	r = dd{x, 0}
	for _, p := range halfPi {
		r = r.add(negate(twoProd(q, p)))
	}
	return int(int64(q)) & 3, r
}

func negate(a dd) dd { return dd{-a.hi, -a.lo} }

// reducePrec is the bits after the point of pi/2 in reduceFar: those of the
// largest exponent and 170 more.
const reducePrec = 1024 + 170

// wideHalfPi is pi/2 in units of 2^-reducePrec, by Machin's formula.
var wideHalfPi = sync.OnceValue(func() *big.Int {
	const guard = 16
	p := inverseTangent(5, reducePrec+guard)
	p.Lsh(p, 2)
	p.Sub(p, inverseTangent(239, reducePrec+guard))
	return p.Rsh(p.Lsh(p, 1), guard)
})

// inverseTangent is atan(1/n) in units of 2^-bits.
func inverseTangent(n int64, bits uint) *big.Int {
	term := new(big.Int).Div(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(n))
	sum, square := new(big.Int).Set(term), big.NewInt(n*n)
	for k := int64(3); term.Sign() != 0; k += 2 {
		term.Div(term, square)
		part := new(big.Int).Div(term, big.NewInt(k))
		if k&2 != 0 {
			part.Neg(part)
		}
		sum.Add(sum, part)
	}
	return sum
}

// reduceFar divides by pi/2 with integers.
func reduceFar(x float64) (n int, r dd) {
	frac, e := math.Frexp(math.Abs(x))
	v := big.NewInt(int64(math.Ldexp(frac, 53)))
	v.Lsh(v, uint(e-53+reducePrec))
	half := wideHalfPi()
	q, rest := new(big.Int).DivMod(v, half, new(big.Int))
	if new(big.Int).Lsh(rest, 1).Cmp(half) > 0 {
		rest.Sub(rest, half)
		q.Add(q, big.NewInt(1))
	}
	n = int(q.Bit(0) | q.Bit(1)<<1)
	exact := new(big.Float).SetInt(rest)
	exact.SetMantExp(exact, -reducePrec)
	r.hi, _ = exact.Float64()
	r.lo, _ = exact.Sub(exact, new(big.Float).SetFloat64(r.hi)).Float64()
	if x < 0 {
		return -n & 3, negate(r)
	}
	return n, r
}

// sinPoly and cosPoly are the power series of (sin r - r)/r^3 and of
// (cos r - 1 + r^2/2)/r^4 in r^2.
var sinPoly, cosPoly = func() (s, c [9]float64) {
	f := 2.0 // factorial
	for k := range s {
		f *= float64(2*k + 3)
		s[k] = 1 / f
		f *= float64(2*k + 4)
		c[k] = 1 / f
		if k&1 == 0 {
			s[k] = -s[k]
		} else {
			c[k] = -c[k]
		}
	}
	return s, c
}()

// sincosKernel is the sine and cosine of r, |r| <= pi/4, each as a sum.
func sincosKernel(r dd) (s, c dd) {
	z := r.hi * r.hi
	s = twoSum(r.hi, r.lo*(1-z/2)+r.hi*z*horner(sinPoly[:], z))
	w := 1 - z/2
	rest := z*z*horner(cosPoly[:], z) - r.hi*r.lo - math.FMA(r.hi, r.hi, -z)/2
	return s, twoSum(w, 1-w-z/2+rest)
}

// quadrant is the sine and cosine of any finite x.
func quadrant(x float64) (s, c dd) {
	n, r := reduce(x)
	s, c = sincosKernel(r)
	switch n {
	case 1:
		return c, negate(s)
	case 2:
		return negate(s), negate(c)
	case 3:
		return negate(c), s
	}
	return s, c
}

func sincos(x float64) (s, c float64) {
	switch {
	case x == 0:
		return x, 1
	case !finite(x):
		return math.NaN(), math.NaN()
	}
	ds, dc := quadrant(x)
	return ds.float(), dc.float()
}

func sin(x float64) float64 {
	s, _ := sincos(x)
	return s
}

func cos(x float64) float64 {
	_, c := sincos(x)
	return c
}

func tan(x float64) float64 {
	switch {
	case x == 0:
		return x
	case !finite(x):
		return math.NaN()
	}
	s, c := quadrant(x)
	q := s.hi / c.hi
	return q + (math.FMA(-q, c.hi, s.hi)+s.lo-q*c.lo)/c.hi
}

// horner evaluates a polynomial with fused steps.
func horner(c []float64, x float64) float64 {
	p := c[len(c)-1]
	for k := len(c) - 2; k >= 0; k-- {
		p = math.FMA(x, p, c[k])
	}
	return p
}
