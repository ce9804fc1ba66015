package analysis

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Apply is an operation of package ssa on expressions, of result width w, in
// its simplest form. name tells functions of op Pure apart.
func (a *algebra) Apply(op ssa.Op, w int, name string, args ...*Expr) *Expr {
	if op == ssa.Pure || len(args) == 0 {
		return a.app(op, w, name, args...)
	}
	if x, ok := a.folded(op, w, args); ok {
		return x
	}
	if w == 1 || op.IsCompare() {
		return a.predicate(op, args)
	}
	x := args[0]
	switch op {
	case ssa.Add:
		return a.Add(x, args[1])
	case ssa.Sub:
		return a.Sub(x, args[1])
	case ssa.Neg:
		return a.Scale(x, ^uint64(0))
	case ssa.Not: // -1 - x
		return a.Sub(a.Const(w, ^uint64(0)), x)
	case ssa.Mul:
		return a.Mul(x, args[1])
	case ssa.Zext, ssa.Sext:
		return a.extend(op, w, x)
	case ssa.Trunc:
		return a.trunc(w, x)
	case ssa.Select:
		return a.choose(x, args[1], args[2])
	case ssa.Abs:
		return a.abs(x)
	}
	return a.binary(op, w, x, args[1])
}

// app interns an operation as it stands.
func (a *algebra) app(op ssa.Op, w int, name string, args ...*Expr) *Expr {
	if op.Commutes() && len(args) == 2 && args[0].ID > args[1].ID {
		args[0], args[1] = args[1], args[0]
	}
	return a.intern(&Expr{Kind: App, Op: op, W: w, Name: name, Args: args})
}

// folded computes an operation on constants.
func (a *algebra) folded(op ssa.Op, w int, args []*Expr) (*Expr, bool) {
	vals := make([]uint64, len(args))
	for i, x := range args {
		c, ok := x.IsConst()
		if !ok {
			return nil, false
		}
		vals[i] = c
	}
	v, ok := ssa.Eval(op, w, args[0].W, vals...)
	if !ok {
		return nil, false
	}
	return a.Const(w, v), true
}

// binary simplifies operations with two operands that are not ring operations.
func (a *algebra) binary(op ssa.Op, w int, x, y *Expr) *Expr {
	if op.Commutes() {
		if _, ok := x.IsConst(); ok {
			x, y = y, x
		}
	}
	c, isConst := y.IsConst()
	switch op {
	case ssa.Shl:
		if isConst {
			if c >= uint64(w) {
				return a.Const(w, 0)
			}
			return a.Scale(x, 1<<c)
		}
	case ssa.ShrU:
		if isConst {
			if c >= uint64(w) {
				return a.Const(w, 0)
			}
			return a.div(x, 1<<c)
		}
	case ssa.ShrS:
		if x.slo >= 0 {
			return a.binary(ssa.ShrU, w, x, y)
		}
		if isConst && x.shi < 0 && c >= uint64(w-1) {
			return a.Const(w, ^uint64(0))
		}
	case ssa.DivU:
		if isConst && c != 0 {
			return a.div(x, c)
		}
	case ssa.RemU:
		if isConst && c != 0 {
			return a.rem(x, c)
		}
	case ssa.DivS, ssa.RemS:
		return a.signedDivision(op, w, x, y)
	case ssa.MulHiU:
		if isConst {
			return a.highProduct(x, c)
		}
	case ssa.MulHiS:
		if isConst && x.slo >= 0 {
			return a.signedHigh(x, c)
		}
	case ssa.And, ssa.Or, ssa.Xor:
		return a.bitwise(op, w, x, y)
	case ssa.MinS, ssa.MaxS, ssa.MinU, ssa.MaxU:
		return a.extreme(op, w, x, y)
	}
	return a.app(op, w, "", x, y)
}

// signedDivision is unsigned division where both operands are not negative.
func (a *algebra) signedDivision(op ssa.Op, w int, x, y *Expr) *Expr {
	if x.slo >= 0 && y.slo >= 0 {
		u := ssa.DivU
		if op == ssa.RemS {
			u = ssa.RemU
		}
		return a.binary(u, w, x, y)
	}
	if d, ok := y.IsConst(); ok && op == ssa.RemS && signed(d, w) > 0 {
		// x - d * (x / d), so that quotient and remainder are one unknown
		return a.Sub(x, a.Scale(a.app(ssa.DivS, w, "", x, y), d))
	}
	return a.app(op, w, "", x, y)
}

// extreme is a minimum or maximum.
func (a *algebra) extreme(op ssa.Op, w int, x, y *Expr) *Expr {
	if x == y {
		return x
	}
	var less, greater bool // x is never above y, never below
	if op == ssa.MinU || op == ssa.MaxU {
		less, greater = x.uhi <= y.ulo, x.ulo >= y.uhi
	} else {
		less, greater = x.shi <= y.slo, x.slo >= y.shi
	}
	lowest := op == ssa.MinU || op == ssa.MinS
	switch {
	case less && lowest, greater && !lowest:
		return x
	case less, greater:
		return y
	}
	return a.app(op, w, "", x, y)
}

func (a *algebra) abs(x *Expr) *Expr {
	switch {
	case x.slo >= 0:
		return x
	case x.shi <= 0:
		return a.Scale(x, ^uint64(0))
	}
	return a.app(ssa.Abs, x.W, "", x)
}

// fits reports whether the sum of c and terms, as numbers by view, does not leave
// the range from lo to hi.
func fits(c uint64, terms []Term, w int, view func(*Expr) interval, lo, hi int64) bool {
	return number(c, terms, w, view).within(lo, hi)
}

func unsignedTop(w int) int64 {
	if w >= 64 {
		return 1<<63 - 1
	}
	return 1<<w - 1
}

// splitBy separates from a sum what is a multiple of d, term by term and with
// the part of the constant that is, and leaves 0 <= constant < d.
func (a *algebra) splitBy(x *Expr, d uint64) (mult, rest *Expr) {
	c, terms := parts(x)
	var m, r []Term
	for _, t := range terms {
		switch s := signed(t.Coef, x.W); {
		case s%int64(d) == 0, isMultiple(t, d):
			m = append(m, t)
		default:
			r = append(r, t)
		}
	}
	low := c % d
	if s := signed(c, x.W); s < 0 {
		low = uint64((s%int64(d) + int64(d)) % int64(d))
	}
	return a.sum(x.W, c-low, m), a.sum(x.W, low, r)
}

// isMultiple reports whether a product is a multiple of d, a power of two.
func isMultiple(t Term, d uint64) bool {
	if d&(d-1) != 0 {
		return false
	}
	m, r := termMultiple(t, 0, nil)
	return m >= d && r&(d-1) == 0
}

// div is the unsigned x / d.
func (a *algebra) div(x *Expr, d uint64) *Expr {
	w := x.W
	switch {
	case d == 1:
		return x
	case x.uhi < d:
		return a.Const(w, 0)
	case d > 1<<62:
		return a.app(ssa.DivU, w, "", x, a.Const(w, d))
	}
	if x.Kind == App && x.Op == ssa.DivU {
		if e, ok := x.Args[1].IsConst(); ok && e > 0 {
			if hi, p := bits.Mul64(e, d); hi == 0 && mask(p, w) == p {
				return a.div(x.Args[0], p)
			}
			return a.Const(w, 0)
		}
	}
	if q, ok := a.magic(x, d); ok {
		return q
	}
	if x.Kind == App && x.Op == ssa.ShrU && d&(d-1) == 0 && x.Args[1].uhi < 1<<31 {
		k := a.Const(32, uint64(bits.TrailingZeros64(d)))
		return a.app(ssa.ShrU, w, "", x.Args[0], a.Add(x.Args[1], k))
	}
	if mult, rest := a.splitBy(x, d); isZero(mult) {
		return a.app(ssa.DivU, w, "", x, a.Const(w, d))
	} else if q, ok := a.quotient(mult, d); ok && rest.uhi <= 1<<62 && fits(x.C, termsOf(x), w, unsignedView, 0, unsignedTop(w)) && !wraps(mult, rest) {
		return a.Add(q, a.div(rest, d))
	} else if rest.uhi < d && d&(d-1) == 0 {
		// The lower bits of a multiple of a power of two are 0 even if it wrapped.
		return a.divided(mult, d)
	}
	return a.app(ssa.DivU, w, "", x, a.Const(w, d))
}

// divided is a multiple of d by d, exactly if it does not wrap.
func (a *algebra) divided(mult *Expr, d uint64) *Expr {
	if q, ok := a.quotient(mult, d); ok && fits(mult.C, termsOf(mult), mult.W, unsignedView, 0, unsignedTop(mult.W)) {
		return q
	}
	return a.app(ssa.DivU, mult.W, "", mult, a.Const(mult.W, d))
}

// wraps reports whether two parts of a sum that is not negative and does not wrap
// may be negative, or wrap, by themselves.
func wraps(mult, rest *Expr) bool {
	top := unsignedTop(mult.W)
	return !fits(mult.C, termsOf(mult), mult.W, unsignedView, 0, top) || !fits(rest.C, termsOf(rest), rest.W, unsignedView, 0, top)
}

func termsOf(x *Expr) []Term {
	_, t := parts(x)
	return t
}

func isZero(x *Expr) bool {
	c, ok := x.IsConst()
	return ok && c == 0
}

// quotient divides the coefficients of a sum by d; ok is false if one of them
// is not a multiple.
func (a *algebra) quotient(x *Expr, d uint64) (*Expr, bool) {
	c, terms := parts(x)
	s := signed(c, x.W)
	if s%int64(d) != 0 {
		return nil, false
	}
	out := make([]Term, len(terms))
	for i, t := range terms {
		k := signed(t.Coef, x.W)
		if k%int64(d) != 0 {
			return nil, false
		}
		out[i] = Term{mask(uint64(k/int64(d)), x.W), t.Factors}
	}
	return a.sum(x.W, mask(uint64(s/int64(d)), x.W), out), true
}

// rem is the unsigned x % d.
func (a *algebra) rem(x *Expr, d uint64) *Expr {
	w := x.W
	switch {
	case d == 1:
		return a.Const(w, 0)
	case x.uhi < d:
		return x
	case d > 1<<62:
		return a.app(ssa.RemU, w, "", x, a.Const(w, d))
	}
	if x.Kind == App && x.Op == ssa.RemU {
		if e, ok := x.Args[1].IsConst(); ok && e > 0 && e%d == 0 {
			return a.rem(x.Args[0], d)
		}
	}
	if d&(d-1) == 0 {
		if low := a.lowBits(x, d); low != x {
			return a.rem(low, d)
		}
		return a.app(ssa.RemU, w, "", x, a.Const(w, d))
	}
	mult, rest := a.splitBy(x, d)
	if !isZero(mult) && fits(x.C, termsOf(x), w, unsignedView, 0, unsignedTop(w)) && fits(rest.C, termsOf(rest), w, unsignedView, 0, unsignedTop(w)) {
		return a.rem(rest, d)
	}
	return a.app(ssa.RemU, w, "", x, a.Const(w, d))
}

// lowBits drops from x what does not change it modulo d, a power of two.
func (a *algebra) lowBits(x *Expr, d uint64) *Expr {
	c, terms := parts(x)
	out := make([]Term, 0, len(terms))
	for _, t := range terms {
		t.Coef &= d - 1
		if t.Coef == 0 || isMultiple(t, d) {
			continue
		}
		if len(t.Factors) == 1 { // (y % e) modulo a divisor of e is y
			if f := t.Factors[0]; f.Kind == App && f.Op == ssa.RemU {
				if e, ok := f.Args[1].IsConst(); ok && e > 0 && e%d == 0 {
					cy, ty := parts(f.Args[0])
					c += cy * t.Coef
					for _, y := range ty {
						out = append(out, Term{y.Coef * t.Coef & (d - 1), y.Factors})
					}
					continue
				}
			}
		}
		out = append(out, t)
	}
	return a.sum(x.W, c&(d-1), out)
}

// choose is x if c, else y. What both have in common stands outside.
func (a *algebra) choose(c, x, y *Expr) *Expr {
	if k, ok := c.IsConst(); ok {
		if k != 0 {
			return x
		}
		return y
	}
	if x == y {
		return x
	}
	if x.W == 1 {
		return a.choosePredicate(c, x, y)
	}
	if n, ok := negated(c); ok {
		return a.choose(n, y, x)
	}
	if both := a.common(x, y); both != nil {
		inner := a.app(ssa.Select, x.W, "", c, a.Sub(x, both), a.Sub(y, both))
		return a.Add(both, inner)
	}
	return a.app(ssa.Select, x.W, "", c, x, y)
}

// common is the sum of the terms that x and y share, nil if there is none.
func (a *algebra) common(x, y *Expr) *Expr {
	_, tx := parts(x)
	_, ty := parts(y)
	var both []Term
	for _, t := range tx {
		if slices.ContainsFunc(ty, func(u Term) bool { return u.Coef == t.Coef && slices.Equal(u.Factors, t.Factors) }) {
			both = append(both, t)
		}
	}
	if len(both) == 0 {
		return nil
	}
	return a.sum(x.W, 0, both)
}
