package alu

import "math"

// besselEnd is where CUDA's documented error of j0, j1, y0 and y1 turns from
// 7 ulp into an absolute one, which Go's functions keep. besselTiny is where
// squares of arguments get near underflow; Go's are good there as well.
const (
	besselEnd  = 8
	besselTiny = 0x1p-300
)

// besselNear is how far from a zero its Taylor series is taken, besselTaylor
// the degree of that: the next term is below 2^-60 of the first.
const (
	besselNear   = 0x1p-8
	besselTaylor = 8
)

// bessel is one of j0, j1, y0 and y1 for arguments from besselTiny to
// besselEnd: the power series in double-double arithmetic (DLMF 10.2.2 and
// 10.8.1), and next to a zero, where that cancels, the series there.
type bessel struct {
	order  float64
	zeros  []besselZero
	series func(x float64) dd
}

// besselZero is a zero and the slope there.
type besselZero struct {
	at    dd
	slope float64
}

var besselJ0 = bessel{0, []besselZero{
	{dd{0x1.33d152e971b40p+1, -0x1.0f539d7da258ep-53}, -0x1.09cdb36551280p-1},
	{dd{0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54}, 0x1.5c6e60a097823p-2},
}, func(x float64) dd { return besselSum(x, besselCoef[0]) }}

var besselJ1 = bessel{1, []besselZero{
	{dd{0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53}, -0x1.9c6cf582cbf7fp-2},
	{dd{0x1.c0ff5f3b47250p+2, -0x1.b226d9d243827p-54}, 0x1.33518b3874e8ap-2},
}, func(x float64) dd { return besselSum(x, besselCoef[1]).times(x / 2) }}

var besselY0 = bessel{0, []besselZero{
	{dd{0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56}, 0x1.c24371844b88ap-1},
	{dd{0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54}, -0x1.9c34256a12a0cp-2},
	{dd{0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54}, 0x1.334cca0697a5bp-2},
}, func(x float64) dd {
	s := logDD(x / 2).add(ddGamma).mul(besselSum(x, besselCoef[0]))
	return s.add(besselSum(x, besselCoef[2]).times(-1)).mul(dd2OverPi)
}}

var besselY1 = bessel{1, []besselZero{
	{dd{0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55}, 0x1.0aa48442f014bp-1},
	{dd{0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52}, -0x1.5c7c556f0c19ap-2},
}, func(x float64) dd {
	s := logDD(x / 2).add(ddGamma).mul(besselSum(x, besselCoef[1]))
	s = s.add(besselSum(x, besselCoef[3]).times(-0.5)).times(x / 2)
	return s.add(ratio(-1, x)).mul(dd2OverPi)
}}

var (
	ddGamma   = dd{0x1.2788cfc6fb619p-1, -0x1.6cb90701fbfabp-58} // Euler's constant
	dd2OverPi = dd{0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55}
)

// besselCoef are the coefficients of the powers of -x²/4: of J0, of J1 over
// x/2, and of the sums with the harmonic numbers of Y0 and Y1.
var besselCoef = func() (c [4][34]dd) {
	term0, term1, h := dd{1, 0}, dd{1, 0}, dd{}
	for k := range c[0] {
		next := h.add(ratio(1, float64(k+1)))
		c[0][k], c[1][k] = term0, term1
		c[2][k], c[3][k] = term0.mul(h), term1.mul(h.add(next))
		n := float64(k + 1)
		term0, term1 = term0.mul(ratio(1, n*n)), term1.mul(ratio(1, n*(n+1)))
		h = next
	}
	return c
}()

func besselSum(x float64, c [34]dd) dd {
	z := twoProd(x/2, -x/2)
	s := c[len(c)-1]
	for k := len(c) - 2; k >= 0; k-- {
		s = s.mul(z).add(c[k])
	}
	return s
}

func (f *bessel) at(x float64) float64 {
	for i := range f.zeros {
		z := &f.zeros[i]
		if d := (x - z.at.hi) - z.at.lo; math.Abs(d) < besselNear {
			return f.taylor(z, d)
		}
	}
	return f.series(x).float()
}

// taylor is the Taylor series at a zero z, by the recurrence that Bessel's
// equation x² f" + x f' + (x² - n²) f = 0 gives its coefficients.
func (f *bessel) taylor(zero *besselZero, d float64) float64 {
	var c [besselTaylor + 1]float64
	c[1] = zero.slope
	z := zero.at.hi
	for k := range besselTaylor - 1 {
		n := float64(k)
		s := z*(n+1)*(2*n+1)*c[k+1] + (n*n+z*z-f.order*f.order)*c[k]
		if k >= 1 {
			s += 2 * z * c[k-1]
		}
		if k >= 2 {
			s += c[k-2]
		}
		c[k+2] = -s / (z * z * (n + 2) * (n + 1))
	}
	rest := c[besselTaylor]
	for k := besselTaylor - 1; k >= 2; k-- {
		rest = rest*d + c[k]
	}
	return d * (zero.slope + d*rest)
}

func inSeries(x float64) bool { return x >= besselTiny && x < besselEnd }

func j0(x float64) float64 {
	if x = math.Abs(x); inSeries(x) {
		return besselJ0.at(x)
	}
	return math.J0(x)
}

// j1 is odd; math.J1 forgets the sign of a tiny argument.
func j1(x float64) float64 {
	if a := math.Abs(x); inSeries(a) {
		return math.Copysign(1, x) * besselJ1.at(a)
	}
	return math.Copysign(1, x) * math.J1(math.Abs(x))
}

// y0Tiny is Euler's constant less the logarithm of 2.
const y0Tiny = 0.57721566490153286060651209008240243 - math.Ln2

func y0(x float64) float64 {
	switch {
	case inSeries(x):
		return besselY0.at(x)
	case x > 0 && x < 0x1p-60: // the first terms of DLMF 10.8.2, also where x is subnormal
		return 2 / math.Pi * (log(x) + y0Tiny)
	}
	return math.Y0(x)
}

func y1(x float64) float64 {
	if inSeries(x) {
		return besselY1.at(x)
	}
	return math.Y1(x)
}
