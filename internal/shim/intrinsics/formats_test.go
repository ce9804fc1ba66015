package intrinsics

import (
	"math"
	"math/big"
	"sort"
)

// rounding is a direction.
type rounding int

const (
	nearest rounding = iota
	zero
	up
	down
)

// format is a small floating-point format as the list of its values: pattern i
// of the positive half stands for values[i]. One more value is where the next
// would be, for what rounds beyond the largest.
type format struct {
	bits          int
	values        []float64
	exact, middle []*big.Float // the values, and the points between one and the next
	largest       uint64
	beyond, canon uint64 // what is too large, and NaN
	one           uint64
}

// newFormat lists the values by the definition of a binary format: exponent
// field 0 has no leading one.
func newFormat(ebits, mbits int, largest, beyond, canon uint64) *format {
	f := &format{bits: 1 + ebits + mbits, largest: largest, beyond: beyond, canon: canon}
	bias := 1<<(ebits-1) - 1
	for p := uint64(0); p <= largest+1; p++ {
		e, m := int(p>>mbits), float64(p&(1<<mbits-1))
		v := math.Ldexp(m, 1-bias-mbits)
		if e > 0 {
			v = math.Ldexp(m+float64(int(1)<<mbits), e-bias-mbits)
		}
		if v == 1 {
			f.one = p
		}
		if p > 0 {
			f.middle = append(f.middle, big.NewFloat((f.values[p-1]+v)/2))
		}
		f.values, f.exact = append(f.values, v), append(f.exact, big.NewFloat(v))
	}
	return f
}

var (
	half   = newFormat(5, 10, 0x7bff, 0x7c00, 0x7fff)
	bfloat = newFormat(8, 7, 0x7f7f, 0x7f80, 0x7fff)
	e5m2   = newFormat(5, 2, 0x7b, 0x7c, 0x7e)
	e4m3   = newFormat(4, 3, 0x7e, 0x7f, 0x7f)
	e3m2   = newFormat(3, 2, 0x1f, 0x1f, 0x1f)
	e2m3   = newFormat(2, 3, 0x1f, 0x1f, 0x1f)
	e2m1   = newFormat(2, 1, 7, 7, 7)
)

// decode is the value of a pattern.
func (f *format) decode(p uint64) float64 {
	sign, m := p>>(f.bits-1)&1, p&(1<<(f.bits-1)-1)
	v := math.NaN()
	switch {
	case m <= f.largest:
		v = f.values[m]
	case m == f.beyond && f.beyond != f.canon:
		v = math.Inf(1)
	}
	if sign != 0 {
		v = -v
	}
	return v
}

// encode rounds an exact number, whose sign counts where it is zero.
func (f *format) encode(x exact, r rounding, saturate bool) uint64 {
	sign := uint64(0)
	if x.neg {
		sign = 1 << (f.bits - 1)
	}
	away := r == up && !x.neg || r == down && x.neg
	switch {
	case x.nan:
		return f.canon
	case x.inf && saturate:
		return sign | f.largest
	case x.inf:
		return sign | f.beyond
	}
	// The first value that is not below x, from 1 on.
	n := sort.Search(len(f.values), func(i int) bool { return x.mag.Cmp(f.exact[i]) <= 0 })
	p := uint64(n)
	if n < len(f.values) && x.mag.Cmp(f.exact[n]) != 0 {
		middle := x.mag.Cmp(f.middle[n-1])
		if r == nearest && (middle < 0 || middle == 0 && n%2 == 1) || r != nearest && !away {
			p--
		}
	}
	if p > f.largest {
		p = f.beyond
		if saturate || r != nearest && !away {
			p = f.largest
		}
	}
	return sign | p
}

// exact is a number without any rounding.
type exact struct {
	nan, inf, neg bool
	mag           *big.Float
}

// precision holds a sum of products of doubles.
const precision = 4500

func fromFloat(v float64) exact {
	e := exact{nan: math.IsNaN(v), inf: math.IsInf(v, 0), neg: math.Signbit(v)}
	if !e.nan && !e.inf {
		e.mag = new(big.Float).SetFloat64(math.Abs(v))
	}
	return e
}

func fromInt(v *big.Int) exact {
	return exact{neg: v.Sign() < 0, mag: new(big.Float).SetInt(new(big.Int).Abs(v))}
}

func (e exact) signed() *big.Float {
	v := new(big.Float).SetPrec(precision).Set(e.mag)
	if e.neg {
		v.Neg(v)
	}
	return v
}

func (e exact) zero() bool { return e.mag != nil && e.mag.Sign() == 0 }

var notANumber = exact{nan: true}

func infinite(neg bool) exact { return exact{inf: true, neg: neg} }

func fromBig(v *big.Float) exact { return exact{neg: v.Signbit(), mag: new(big.Float).Abs(v)} }

// add is a + b; the sign of a zero depends on the rounding.
func add(a, b exact, r rounding) exact {
	switch {
	case a.nan || b.nan || a.inf && b.inf && a.neg != b.neg:
		return notANumber
	case a.inf:
		return a
	case b.inf:
		return b
	}
	s := fromBig(new(big.Float).SetPrec(precision).Add(a.signed(), b.signed()))
	if s.zero() {
		s.neg = a.neg && b.neg || a.neg != b.neg && r == down
	}
	return s
}

func mul(a, b exact) exact {
	neg := a.neg != b.neg
	switch {
	case a.nan || b.nan || a.inf && b.zero() || b.inf && a.zero():
		return notANumber
	case a.inf || b.inf:
		return infinite(neg)
	}
	return exact{neg: neg, mag: new(big.Float).SetPrec(precision).Mul(a.mag, b.mag)}
}

// div and sqrt have 300 bits where they do not end: no result of theirs is that
// close to a rounding boundary without being on it.
func div(a, b exact) exact {
	neg := a.neg != b.neg
	switch {
	case a.nan || b.nan || a.inf && b.inf || a.zero() && b.zero():
		return notANumber
	case a.inf || b.zero():
		return infinite(neg)
	case b.inf:
		return exact{neg: neg, mag: new(big.Float)}
	}
	return exact{neg: neg, mag: new(big.Float).SetPrec(300).Quo(a.mag, b.mag)}
}

func sqrt(a exact) exact {
	switch {
	case a.nan || a.neg && !a.zero():
		return notANumber
	case a.inf || a.zero():
		return a
	}
	return exact{mag: new(big.Float).SetPrec(300).Sqrt(a.mag)}
}

// double rounds to a double, single to a float, both with IEEE's zeros and infinities.
func (e exact) double(r rounding) float64 {
	return e.rounded(r, func(m *big.Float) (float64, big.Accuracy) { return m.Float64() },
		func(v, to float64) float64 { return math.Nextafter(v, to) })
}

func (e exact) single(r rounding) float32 {
	return float32(e.rounded(r, func(m *big.Float) (float64, big.Accuracy) {
		v, acc := m.Float32()
		return float64(v), acc
	}, func(v, to float64) float64 { return float64(math.Nextafter32(float32(v), float32(to))) }))
}

func (e exact) rounded(r rounding, near func(*big.Float) (float64, big.Accuracy), next func(v, to float64) float64) float64 {
	var v float64
	switch {
	case e.nan:
		return math.NaN()
	case e.inf:
		v = math.Inf(1)
	default:
		var acc big.Accuracy
		v, acc = near(e.mag)
		away := r == up && !e.neg || r == down && e.neg
		switch {
		case r == nearest:
		case away && acc == big.Below:
			v = next(v, math.Inf(1))
		case !away && acc == big.Above:
			v = next(v, 0)
		}
	}
	if e.neg {
		v = -v
	}
	return v
}
