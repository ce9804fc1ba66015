package analysis

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/ssa"
)

// bitwise simplifies and, or, xor of numbers.
func (a *algebra) bitwise(op ssa.Op, w int, x, y *Expr) *Expr {
	if x == y {
		if op == ssa.Xor {
			return a.Const(w, 0)
		}
		return x
	}
	c, isConst := y.IsConst()
	if isConst && op == ssa.And {
		return a.masked(x, c)
	}
	if op != ssa.And && disjoint(x, y) {
		return a.Add(x, y)
	}
	if isConst {
		if z, ok := a.lowConst(op, x, c); ok {
			return z
		}
	}
	return a.app(op, w, "", x, y)
}

// disjoint reports two values that never have a bit in common.
func disjoint(x, y *Expr) bool {
	m, r := x.Multiple()
	n, s := y.Multiple()
	return r == 0 && y.uhi < m || s == 0 && x.uhi < n
}

// lowConst is x op c where c changes only bits of x that are known.
func (a *algebra) lowConst(op ssa.Op, x *Expr, c uint64) (*Expr, bool) {
	m, r := x.Multiple()
	if c >= m {
		return nil, false
	}
	z := r | c
	if op == ssa.Xor {
		z = r ^ c
	}
	return a.Add(x, a.Const(x.W, z-r)), true
}

// masked is x & c: x % 2^k for each run of ones of the mask, less what is below.
func (a *algebra) masked(x *Expr, c uint64) *Expr {
	w := x.W
	runs := 0
	sum := a.Const(w, 0)
	for rest := c; rest != 0; {
		lo := bits.TrailingZeros64(rest)
		hi := lo + bits.TrailingZeros64(^(rest >> lo))
		part := x
		if hi < w {
			part = a.rem(x, 1<<hi)
		}
		if lo > 0 {
			part = a.Sub(part, a.rem(x, 1<<lo))
		}
		sum = a.Add(sum, part)
		rest &^= 1<<hi - 1
		if hi >= 64 {
			rest = 0
		}
		if runs++; runs > 2 {
			return a.app(ssa.And, w, "", x, a.Const(w, c))
		}
	}
	return sum
}
