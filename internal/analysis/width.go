package analysis

import (
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// extend widens x. It goes through a sum where that does not wrap.
func (a *algebra) extend(op ssa.Op, w int, x *Expr) *Expr {
	if op == ssa.Sext && x.slo >= 0 {
		op = ssa.Zext
	}
	if x.W == 1 {
		one := uint64(1)
		if op == ssa.Sext {
			one = ^uint64(0)
		}
		return a.choose(x, a.Const(w, one), a.Const(w, 0))
	}
	if x.Kind == App && len(x.Args) > 0 {
		y := x.Args[0]
		switch {
		case x.Op == ssa.Zext, x.Op == ssa.Sext && op == ssa.Sext:
			return a.extend(x.Op, w, y)
		case x.Op == ssa.Trunc && y.W == w && op == ssa.Zext && y.uhi <= mask(^uint64(0), x.W):
			return y
		case x.Op == ssa.Trunc && y.W == w && op == ssa.Sext && y.slo == x.slo && y.shi == x.shi:
			return y
		case x.Op == ssa.RemU, x.Op == ssa.DivU:
			if d, ok := x.Args[1].IsConst(); ok && d > 0 && op == ssa.Zext {
				if x.Op == ssa.RemU {
					return a.rem(a.extend(op, w, y), d)
				}
				return a.div(a.extend(op, w, y), d)
			}
		case x.Op == ssa.Select:
			return a.choose(y, a.extend(op, w, x.Args[1]), a.extend(op, w, x.Args[2]))
		}
	}
	if x.Kind == Sum {
		if y, ok := a.extendSum(op, w, x); ok {
			return y
		}
	}
	return a.intern(&Expr{Kind: App, Op: op, W: w, Args: []*Expr{x}})
}

// extendSum widens each part of a sum, if as a number it does not leave the
// range of its width, or if that is assumed.
func (a *algebra) extendSum(op ssa.Op, w int, x *Expr) (*Expr, bool) {
	lo, hi := signedLimits(x.W)
	signedFits := fits(x.C, x.Terms, x.W, signedView, lo, hi)
	switch {
	case op == ssa.Sext && signedFits:
		return a.wider(ssa.Sext, w, x), true
	case op == ssa.Zext && fits(x.C, x.Terms, x.W, unsignedView, 0, unsignedTop(x.W)):
		return a.wider(ssa.Zext, w, x), true
	case op == ssa.Zext && signedFits && x.slo >= 0:
		return a.wider(ssa.Sext, w, x), true
	case a.env.Assume && x.W == 32:
		return a.assume(a.wider(op, w, x)), true
	}
	return nil, false
}

// assume marks an expression whose form relies on Env.Assume. The mark is
// that of the form: an equal expression found without it is marked too.
func (a *algebra) assume(e *Expr) *Expr {
	e.assumed = true
	return e
}

// wider extends the factors of a sum.
func (a *algebra) wider(op ssa.Op, w int, x *Expr) *Expr {
	sum := a.Const(w, uint64(signed(x.C, x.W)))
	for _, t := range x.Terms {
		p := a.Const(w, uint64(signed(t.Coef, x.W)))
		for _, f := range t.Factors {
			p = a.Mul(p, a.extend(op, w, f))
		}
		sum = a.Add(sum, p)
	}
	return sum
}

// trunc cuts x down to w bits; it goes through sums.
func (a *algebra) trunc(w int, x *Expr) *Expr {
	c, terms := parts(x)
	if x.Kind == Sum {
		sum := a.Const(w, c)
		for _, t := range terms {
			p := a.Const(w, t.Coef)
			for _, f := range t.Factors {
				p = a.Mul(p, a.trunc(w, f))
			}
			sum = a.Add(sum, p)
		}
		return sum
	}
	if x.Kind == App {
		switch x.Op {
		case ssa.Zext, ssa.Sext:
			switch y := x.Args[0]; {
			case y.W == w:
				return y
			case y.W > w:
				return a.trunc(w, y)
			default:
				return a.extend(x.Op, w, y)
			}
		case ssa.Trunc:
			return a.trunc(w, x.Args[0])
		case ssa.Select:
			return a.choose(x.Args[0], a.trunc(w, x.Args[1]), a.trunc(w, x.Args[2]))
		case ssa.DivU, ssa.RemU:
			if d, ok := x.Args[1].IsConst(); ok && x.Args[0].uhi <= mask(^uint64(0), w) && d <= mask(^uint64(0), w) {
				return a.Apply(x.Op, w, "", a.trunc(w, x.Args[0]), a.Const(w, d))
			}
		}
	}
	return a.intern(&Expr{Kind: App, Op: ssa.Trunc, W: w, Args: []*Expr{x}})
}
