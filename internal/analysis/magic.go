package analysis

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Compilers divide by a constant through a product and a shift (Granlund and
// Montgomery, "Division by Invariant Integers using Multiplication"). For
// 0 <= x <= X the quotient floor(x*m / 2^n) is floor(x / d) if
// 0 <= e = m*d - 2^n and X*e < 2^n.

// Divisor finds that d, with n below 127 and top for X.
func Divisor(m uint64, n int, top uint64) (d uint64, ok bool) {
	if m == 0 || n < 1 || n > 126 {
		return 0, false
	}
	hi, lo := power(n)
	if hi >= m {
		return 0, false
	}
	d, r := bits.Div64(hi, lo, m)
	if r != 0 {
		d++
	}
	if d < 2 {
		return 0, false
	}
	ph, pl := bits.Mul64(m, d)
	el, borrow := bits.Sub64(pl, lo, 0)
	eh, _ := bits.Sub64(ph, hi, borrow)
	if eh != 0 {
		return 0, false
	}
	xh, xl := bits.Mul64(top, el)
	return d, xh < hi || xh == hi && xl < lo
}

// power is 2^n as 128 bits.
func power(n int) (hi, lo uint64) {
	if n >= 64 {
		return 1 << (n - 64), 0
	}
	return 0, 1 << n
}

// highProduct is the upper half of x*m.
func (a *algebra) highProduct(x *Expr, m uint64) *Expr {
	if d, ok := Divisor(m, x.W, x.uhi); ok {
		return a.div(x, d)
	}
	if hi := mulHigh(x.uhi, m, x.W); hi == 0 {
		return a.Const(x.W, 0)
	}
	return a.app(ssa.MulHiU, x.W, "", x, a.Const(x.W, m))
}

// signedHigh is the upper half of the signed product x*m for x >= 0. For a
// negative m it is that of the unsigned product less x.
func (a *algebra) signedHigh(x *Expr, m uint64) *Expr {
	h := a.highProduct(x, m)
	if signed(m, x.W) < 0 {
		h = a.Sub(h, x)
	}
	return h
}

// magic finds x / d where x is a high product (its shift is d = 2^k) or a
// product that does not wrap.
func (a *algebra) magic(x *Expr, d uint64) (*Expr, bool) {
	if d&(d-1) != 0 {
		return nil, false
	}
	k := bits.TrailingZeros64(d)
	if x.Kind == App && x.Op == ssa.MulHiU {
		if m, ok := x.Args[1].IsConst(); ok {
			if q, ok := Divisor(m, x.W+k, x.Args[0].uhi); ok {
				return a.div(x.Args[0], q), true
			}
		}
	}
	if x.Kind == Sum && len(x.Terms) > 0 && x.W == 64 {
		// x = m*y, m the greatest factor of all coefficients
		m := x.C
		for _, t := range x.Terms {
			m = gcd(m, t.Coef)
		}
		if y, ok := a.quotient(x, max(m, 1)); ok && m > 1 && m < 1<<62 {
			if hi, _ := bits.Mul64(y.uhi, m); hi == 0 {
				if q, ok := Divisor(m, k, y.uhi); ok {
					return a.div(y, q), true
				}
			}
		}
	}
	return nil, false
}

func gcd(x, y uint64) uint64 {
	for y != 0 {
		x, y = y, x%y
	}
	return x
}
