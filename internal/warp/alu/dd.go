package alu

import "math"

// dd is an unevaluated sum hi + lo with |lo| at most half a unit of hi's last
// place: about 106 bits.
type dd struct{ hi, lo float64 }

func twoSum(a, b float64) dd {
	s := a + b
	return dd{s, sumErr(a, b, s)}
}

func twoProd(a, b float64) dd {
	p := float64(a * b)
	return dd{p, math.FMA(a, b, -p)}
}

func (a dd) add(b dd) dd {
	s := twoSum(a.hi, b.hi)
	return twoSum(s.hi, s.lo+(a.lo+b.lo))
}

func (a dd) mul(b dd) dd {
	p := twoProd(a.hi, b.hi)
	return twoSum(p.hi, p.lo+(a.hi*b.lo+a.lo*b.hi))
}

func (a dd) times(x float64) dd { return a.mul(dd{x, 0}) }

func (a dd) float() float64 { return a.hi + a.lo }

// ratio is n/d to double-double precision.
func ratio(n, d float64) dd {
	q := n / d
	return dd{q, math.FMA(-q, d, n) / d}
}

// The high parts are untyped, so that the low parts are the exact rests.
const (
	ln2Hi    = 0x1.62e42fefa39efp-1
	log2eHi  = 0x1.71547652b82fep+0
	ln10Hi   = 0x1.26bb1bbb55516p+1
	log10eHi = 0x1.bcb7b1526e50ep-2
	piHi     = 0x1.921fb54442d18p+1
)

var (
	ddLn2    = dd{ln2Hi, math.Ln2 - ln2Hi}
	ddLog2E  = dd{log2eHi, 1/math.Ln2 - log2eHi}
	ddLn10   = dd{ln10Hi, math.Ln10 - ln10Hi}
	ddLog10E = dd{log10eHi, 1/math.Ln10 - log10eHi}
	ddPi     = dd{piHi, math.Pi - piHi}
)

// logDD is the natural logarithm of a positive finite x, with a relative error
// below 2^-66: log m = 2 atanh((m-1)/(m+1)) for m within sqrt(2) of 1.
func logDD(x float64) dd {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	num, den := m-1, twoSum(m, 1)
	q := num / den.hi
	s := dd{q, (math.FMA(-q, den.hi, num) - q*den.lo) / den.hi}
	z := s.mul(s)
	// The tail of 1 + z/3 + z^2/5 + ..., from z^4/9 on, needs no second word.
	t := 0.0
	for k := 29.0; k >= 9; k -= 2 {
		t = t*z.hi + 1/k
	}
	p := z.times(t).add(ratio(1, 7))
	p = z.mul(p).add(ratio(1, 5))
	p = z.mul(p).add(ratio(1, 3))
	p = z.mul(p).add(dd{1, 0})
	r := s.mul(p)
	r = dd{2 * r.hi, 2 * r.lo}
	return ddLn2.times(float64(e)).add(r)
}

// expDD is e^(hi+lo), rounded nearly correctly.
func expDD(x dd) float64 {
	switch {
	case x.hi != x.hi || x.hi > 710:
		return math.Inf(1) + x.hi
	case x.hi < -746:
		return 0
	}
	k := math.RoundToEven(x.hi * log2eHi)
	r := x.add(ddLn2.times(-k))
	m := r.hi
	q := 0.0
	for n := 17.0; n >= 3; n-- {
		q = (q*m + 1) / n
	}
	// q is now (1 + m/4 + m^2/20 + ...)/3, that is 2 (e^m - 1 - m - m^2/2)/m^3.
	sq := twoProd(m, m)
	sum := twoSum(1, m).add(dd{sq.hi / 2, sq.lo / 2})
	rest := sq.hi / 2 * m * q
	return math.Ldexp(sum.hi+(sum.lo+rest+r.lo*(1+m+sq.hi/2)), int(k))
}
