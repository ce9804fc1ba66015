package alu

import (
	"math"
	"math/big"
	"sync"
)

// Reference functions to refPrec bits, from their power series.
const refPrec = 700

func bf(x float64) *big.Float         { return new(big.Float).SetPrec(refPrec).SetFloat64(x) }
func bnew() *big.Float                { return new(big.Float).SetPrec(refPrec) }
func badd(a, b *big.Float) *big.Float { return bnew().Add(a, b) }
func bsub(a, b *big.Float) *big.Float { return bnew().Sub(a, b) }
func bmul(a, b *big.Float) *big.Float { return bnew().Mul(a, b) }
func bquo(a, b *big.Float) *big.Float { return bnew().Quo(a, b) }
func bsqrt(a *big.Float) *big.Float   { return bnew().Sqrt(a) }

// series sums first, first*ratio(1), first*ratio(1)*ratio(2), ...
func series(first *big.Float, ratio func(k float64) *big.Float) *big.Float {
	sum, term := bnew().Set(first), bnew().Set(first)
	for k := 1.0; k < 20000 && term.Sign() != 0; k++ {
		term = bmul(term, ratio(k))
		sum = badd(sum, term)
		if sum.Sign() != 0 && term.MantExp(nil) < sum.MantExp(nil)-refPrec && k > 50 {
			break
		}
	}
	return sum
}

func bexp(x *big.Float) *big.Float {
	const halvings = 12
	e := max(x.MantExp(nil), 0) + halvings
	r := bnew().SetMantExp(x, -e)
	s := series(bf(1), func(k float64) *big.Float { return bquo(r, bf(k)) })
	for i := 0; i < e; i++ {
		s = bmul(s, s)
	}
	return s
}

// blog is Newton's method on bexp.
func blog(x *big.Float) *big.Float {
	m := bnew()
	e := x.MantExp(m)
	f, _ := m.Float64()
	y := bf(math.Log(f))
	for i := 0; i < 5; i++ {
		y = badd(y, bsub(bmul(m, bexp(bnew().Neg(y))), bf(1)))
	}
	if e == 0 {
		return y
	}
	return badd(y, bmul(bf(float64(e)), ln2Big()))
}

var ln2Cache *big.Float

func ln2Big() *big.Float {
	if ln2Cache == nil {
		// ln 2 = 2 atanh(1/3)
		sum, p := bnew(), bquo(bf(2), bf(3))
		for k := 1.0; k < 900; k += 2 {
			sum = badd(sum, bquo(p, bf(k)))
			p = bquo(p, bf(9))
		}
		ln2Cache = sum
	}
	return ln2Cache
}

// bturn reduces x modulo 2 pi.
func bturn(x *big.Float) *big.Float {
	turn := bmul(bf(2), bpi())
	n, _ := bquo(x, turn).Int(nil)
	return bsub(x, bmul(turn, bnew().SetInt(n)))
}

func bsin(x *big.Float) *big.Float {
	x = bturn(x)
	z := bnew().Neg(bmul(x, x))
	return series(x, func(k float64) *big.Float { return bquo(z, bf(2*k*(2*k+1))) })
}

func bcos(x *big.Float) *big.Float {
	x = bturn(x)
	z := bnew().Neg(bmul(x, x))
	return series(bf(1), func(k float64) *big.Float { return bquo(z, bf(2*k*(2*k-1))) })
}

func batan(x *big.Float) *big.Float {
	const halvings = 8
	for i := 0; i < halvings; i++ {
		x = bquo(x, badd(bf(1), bsqrt(badd(bf(1), bmul(x, x)))))
	}
	z := bnew().Neg(bmul(x, x))
	s := series(x, func(k float64) *big.Float { return bmul(z, bquo(bf(2*k-1), bf(2*k+1))) })
	return bnew().SetMantExp(s, halvings)
}

var piCache *big.Float

func bpi() *big.Float {
	if piCache == nil {
		piCache = bnew().SetMantExp(batan(bf(1)), 2)
	}
	return piCache
}

func berf(x *big.Float) *big.Float {
	z := bnew().Neg(bmul(x, x))
	s := series(x, func(k float64) *big.Float { return bmul(z, bquo(bf(2*k-1), bf(k*(2*k+1)))) })
	return bquo(bmul(s, bf(2)), bsqrt(bpi()))
}

// berfc is the complement; for x up to 15 its cancellation costs 330 bits.
func berfc(x *big.Float) *big.Float { return bsub(bf(1), berf(x)) }

// blgamma is Stirling's series after a shift upwards, for x > 0.
func blgamma(x *big.Float) *big.Float {
	shift := bf(1)
	for f, _ := x.Float64(); f < 80; f++ {
		shift = bmul(shift, x)
		x = badd(x, bf(1))
	}
	s := bsub(bmul(bsub(x, bf(0.5)), blog(x)), x)
	s = badd(s, bquo(blog(bmul(bf(2), bpi())), bf(2)))
	p := bquo(bf(1), x)
	for n := 1; n <= 30; n++ {
		b := bnew().SetRat(bernoulli(2 * n))
		s = badd(s, bmul(bquo(b, bf(float64(2*n*(2*n-1)))), p))
		p = bquo(p, bmul(x, x))
	}
	return bsub(s, blog(shift))
}

var bernoulliCache = map[int]*big.Rat{}

func bernoulli(n int) *big.Rat {
	if b, ok := bernoulliCache[n]; ok {
		return b
	}
	a := make([]*big.Rat, n+1)
	for m := 0; m <= n; m++ {
		a[m] = big.NewRat(1, int64(m+1))
		for j := m; j >= 1; j-- {
			d := new(big.Rat).Sub(a[j-1], a[j])
			a[j-1] = d.Mul(d, big.NewRat(int64(j), 1))
		}
	}
	bernoulliCache[n] = a[0]
	return a[0]
}

// bbessel is J or I (sign -1 or 1) of integer order by its power series.
func bbessel(x *big.Float, order int, sign float64) *big.Float {
	h := bquo(x, bf(2))
	first := bf(1)
	for i := 1; i <= order; i++ {
		first = bmul(first, bquo(h, bf(float64(i))))
	}
	z := bmul(bf(sign), bmul(h, h))
	return series(first, func(k float64) *big.Float { return bquo(z, bf(k*(k+float64(order)))) })
}

// bgamma is Euler's constant, by Brent and McMillan's series.
func bgamma() *big.Float {
	const n = 130
	a, b := bneg(blog(bf(n))), bf(1)
	u, v := a, b
	for k := 1; k < 700; k++ {
		b = bquo(bmul(b, bf(n*n)), bf(float64(k*k)))
		a = bquo(badd(bquo(bmul(a, bf(n*n)), bf(float64(k))), b), bf(float64(k)))
		u, v = badd(u, a), badd(v, b)
	}
	return bquo(u, v)
}

var eulerGamma = sync.OnceValue(bgamma)

// by0 is Y0 by DLMF 10.8.2, for x > 0.
func by0(x *big.Float) *big.Float {
	z := bquo(bmul(x, x), bf(-4))
	term, h, sum := bf(1), bf(0), bf(0)
	for k := 1; k < 120; k++ {
		term = bquo(bmul(term, z), bf(float64(k*k)))
		h = badd(h, bquo(bf(1), bf(float64(k))))
		sum = badd(sum, bmul(term, h))
	}
	log := badd(blog(bquo(x, bf(2))), eulerGamma())
	return bquo(bmul(bf(2), bsub(bmul(log, bbessel(x, 0, -1)), sum)), bpi())
}

// by1 is Y1 by DLMF 10.8.1, for x > 0.
func by1(x *big.Float) *big.Float {
	z := bquo(bmul(x, x), bf(-4))
	term, h, sum := bf(1), bf(0), bf(0)
	for k := 0; k < 120; k++ {
		next := badd(h, bquo(bf(1), bf(float64(k+1))))
		sum = badd(sum, bmul(term, badd(h, next)))
		term = bquo(bmul(term, z), bf(float64((k+1)*(k+2))))
		h = next
	}
	log := badd(blog(bquo(x, bf(2))), eulerGamma())
	s := bsub(bmul(log, bbessel(x, 1, -1)), bquo(bmul(x, sum), bf(4)))
	return bquo(bmul(bf(2), bsub(s, bquo(bf(1), x))), bpi())
}
