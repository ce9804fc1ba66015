package analysis

import (
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// True and False are the constant predicates.
func (a *algebra) boolean(x bool) *Expr {
	if x {
		return a.Const(1, 1)
	}
	return a.Const(1, 0)
}

// Not is the negation of a predicate.
func (a *algebra) Not(x *Expr) *Expr {
	if c, ok := x.IsConst(); ok {
		return a.boolean(c == 0)
	}
	if n, ok := negated(x); ok {
		return n
	}
	if x.Kind == App {
		p := x.Args
		switch x.Op {
		case ssa.LtS:
			return a.compare(ssa.LeS, p[1], p[0])
		case ssa.LeS:
			return a.compare(ssa.LtS, p[1], p[0])
		case ssa.LtU:
			return a.compare(ssa.LeU, p[1], p[0])
		case ssa.LeU:
			return a.compare(ssa.LtU, p[1], p[0])
		case ssa.Eq:
			if p[0].W > 1 {
				return a.compare(ssa.Ne, p[0], p[1])
			}
		case ssa.Ne:
			if p[0].W > 1 {
				return a.compare(ssa.Eq, p[0], p[1])
			}
		case ssa.And:
			return a.Or(a.Not(p[0]), a.Not(p[1]))
		case ssa.Or:
			return a.And(a.Not(p[0]), a.Not(p[1]))
		}
	}
	return a.app(ssa.Not, 1, "", x)
}

func negated(x *Expr) (*Expr, bool) {
	if x.Kind == App && x.Op == ssa.Not {
		return x.Args[0], true
	}
	return nil, false
}

// And is the conjunction of two predicates, Or their disjunction.
func (a *algebra) And(x, y *Expr) *Expr {
	for _, p := range [2][2]*Expr{{x, y}, {y, x}} {
		if c, ok := p[0].IsConst(); ok {
			if c == 0 {
				return p[0]
			}
			return p[1]
		}
	}
	switch {
	case x == y:
		return x
	case a.Not(x) == y:
		return a.boolean(false)
	}
	return a.app(ssa.And, 1, "", x, y)
}

// Or is the disjunction of two predicates.
func (a *algebra) Or(x, y *Expr) *Expr {
	for _, p := range [2][2]*Expr{{x, y}, {y, x}} {
		if c, ok := p[0].IsConst(); ok {
			if c != 0 {
				return p[0]
			}
			return p[1]
		}
	}
	switch {
	case x == y:
		return x
	case a.Not(x) == y:
		return a.boolean(true)
	}
	return a.app(ssa.Or, 1, "", x, y)
}

// predicate simplifies operations whose result is a predicate.
func (a *algebra) predicate(op ssa.Op, args []*Expr) *Expr {
	switch op {
	case ssa.Not:
		return a.Not(args[0])
	case ssa.And:
		return a.And(args[0], args[1])
	case ssa.Or:
		return a.Or(args[0], args[1])
	case ssa.Select:
		return a.choose(args[0], args[1], args[2])
	case ssa.Eq, ssa.Ne, ssa.LtS, ssa.LeS, ssa.LtU, ssa.LeU:
		if args[0].W == 1 && (op == ssa.Eq || op == ssa.Ne) {
			return a.samePredicate(op, args[0], args[1])
		}
		return a.compare(op, args[0], args[1])
	case ssa.Xor:
		return a.samePredicate(ssa.Ne, args[0], args[1])
	}
	return a.app(op, 1, "", args...)
}

func (a *algebra) samePredicate(op ssa.Op, x, y *Expr) *Expr {
	for _, p := range [2][2]*Expr{{x, y}, {y, x}} {
		if c, ok := p[0].IsConst(); ok {
			if (c != 0) == (op == ssa.Eq) {
				return p[1]
			}
			return a.Not(p[1])
		}
	}
	if x == y {
		return a.boolean(op == ssa.Eq)
	}
	return a.app(op, 1, "", x, y)
}

// choosePredicate is c ? x : y for predicates.
func (a *algebra) choosePredicate(c, x, y *Expr) *Expr {
	if k, ok := x.IsConst(); ok {
		if k != 0 {
			return a.Or(c, y)
		}
		return a.And(a.Not(c), y)
	}
	if k, ok := y.IsConst(); ok {
		if k != 0 {
			return a.Or(a.Not(c), x)
		}
		return a.And(c, x)
	}
	return a.app(ssa.Select, 1, "", c, x, y)
}

// compare simplifies a comparison of numbers.
func (a *algebra) compare(op ssa.Op, x, y *Expr) *Expr {
	if r, ok := decided(op, x, y); ok {
		return a.boolean(r)
	}
	if e := a.distribute(op, x, y); e != nil {
		return e
	}
	switch op {
	case ssa.Eq, ssa.Ne:
		d := a.Sub(x, y)
		if c, ok := d.IsConst(); ok {
			return a.boolean((c == 0) == (op == ssa.Eq))
		}
		if m, r := d.Multiple(); r != 0 && m > 1 {
			return a.boolean(op == ssa.Ne)
		}
		return a.normalEqual(op, d)
	case ssa.LtS, ssa.LeS:
		if x.slo >= 0 && y.slo >= 0 {
			return a.compare(op-ssa.LtS+ssa.LtU, x, y)
		}
		if r, ok := byDistance(op, x, y); ok {
			return a.boolean(r)
		}
		if p, q, ok := a.cancel(op, x, y); ok {
			return a.compare(op, p, q)
		}
	case ssa.LtU, ssa.LeU:
		if r, ok := byDistance(op, x, y); ok {
			return a.boolean(r)
		}
		if p, q, ok := a.cancel(op, x, y); ok {
			return a.compare(op, p, q)
		}
	}
	return a.app(op, 1, "", x, y)
}

// distribute takes a comparison with a minimum or maximum apart.
func (a *algebra) distribute(op ssa.Op, x, y *Expr) *Expr {
	lowest, highest := ssa.MinS, ssa.MaxS
	switch op {
	case ssa.LtU, ssa.LeU:
		lowest, highest = ssa.MinU, ssa.MaxU
	case ssa.LtS, ssa.LeS:
	default:
		return nil
	}
	if x.Kind == App && (x.Op == lowest || x.Op == highest) {
		p, q := a.compare(op, x.Args[0], y), a.compare(op, x.Args[1], y)
		if x.Op == highest {
			return a.And(p, q)
		}
		return a.Or(p, q)
	}
	if y.Kind == App && (y.Op == lowest || y.Op == highest) {
		p, q := a.compare(op, x, y.Args[0]), a.compare(op, x, y.Args[1])
		if y.Op == lowest {
			return a.And(p, q)
		}
		return a.Or(p, q)
	}
	return nil
}

// normalEqual is d == 0 with the constant on the right and the first
// coefficient positive.
func (a *algebra) normalEqual(op ssa.Op, d *Expr) *Expr {
	c, terms := parts(d)
	if len(terms) > 0 && signed(terms[0].Coef, d.W) < 0 {
		d = a.Scale(d, ^uint64(0))
		c = d.C
		if d.Kind != Sum {
			c = 0
		}
	}
	k := a.Const(d.W, -c)
	return a.intern(&Expr{Kind: App, Op: op, W: 1, Args: []*Expr{a.Add(d, k), k}})
}

// decided compares by ranges.
func decided(op ssa.Op, x, y *Expr) (result, ok bool) {
	if x == y {
		return op == ssa.Eq || op == ssa.LeS || op == ssa.LeU, true
	}
	switch op {
	case ssa.Eq, ssa.Ne:
		if x.uhi < y.ulo || y.uhi < x.ulo || x.shi < y.slo || y.shi < x.slo {
			return op == ssa.Ne, true
		}
	case ssa.LtS:
		return x.shi < y.slo, x.shi < y.slo || x.slo >= y.shi
	case ssa.LeS:
		return x.shi <= y.slo, x.shi <= y.slo || x.slo > y.shi
	case ssa.LtU:
		return x.uhi < y.ulo, x.uhi < y.ulo || x.ulo >= y.uhi
	case ssa.LeU:
		return x.uhi <= y.ulo, x.uhi <= y.ulo || x.ulo > y.uhi
	}
	return false, false
}

// byDistance compares two sums by the range of their difference, if neither
// wraps.
func byDistance(op ssa.Op, x, y *Expr) (result, ok bool) {
	d := difference(op, x, y)
	strict := op == ssa.LtS || op == ssa.LtU
	switch {
	case !d.ok:
		return false, false
	case d.hi < 0, d.hi <= 0 && !strict:
		return true, true
	case d.lo > 0, d.lo >= 0 && strict:
		return false, true
	}
	return false, false
}

// numbers is how a comparison sees its operands, and the range in which they do
// not wrap.
func numbers(op ssa.Op, w int) (view func(*Expr) interval, lo, hi int64) {
	if op == ssa.LtU || op == ssa.LeU {
		return unsignedView, 0, unsignedTop(w)
	}
	lo, hi = signedLimits(w)
	return signedView, lo, hi
}

// difference bounds x - y as integers, the operands of a comparison op, if
// neither wraps.
func difference(op ssa.Op, x, y *Expr) interval {
	c, terms, ok := apart(op, x, y)
	if !ok {
		return unknown
	}
	view, _, _ := numbers(op, x.W)
	d := exactly(c)
	for _, t := range terms {
		p := exactly(int64(t.Coef))
		for _, f := range t.Factors {
			p = p.mul(view(f))
		}
		d = d.add(p)
	}
	return d
}

// apart is x - y as a sum of integers, in which what x and y share is gone, if
// neither wraps. The coefficients are signed numbers of 64 bits.
func apart(op ssa.Op, x, y *Expr) (c int64, terms []Term, ok bool) {
	view, lo, hi := numbers(op, x.W)
	cx, tx := parts(x)
	cy, ty := parts(y)
	if !fits(cx, tx, x.W, view, lo, hi) || !fits(cy, ty, y.W, view, lo, hi) {
		return 0, nil, false
	}
	const huge = 1 << 62 // beyond, a difference of two might not fit
	small := func(k uint64) bool { k += huge; return k < 2*huge }
	terms = make([]Term, 0, len(tx)+len(ty))
	for _, t := range tx {
		k := uint64(signed(t.Coef, x.W))
		terms, ok = append(terms, Term{k, t.Factors}), small(k)
		if !ok {
			return 0, nil, false
		}
	}
	for _, t := range ty {
		k := uint64(signed(t.Coef, x.W))
		terms, ok = append(terms, Term{-k, t.Factors}), small(k)
		if !ok {
			return 0, nil, false
		}
	}
	dx, dy := signed(cx, x.W), signed(cy, x.W)
	return dx - dy, joinTerms(64, terms), small(uint64(dx)) && small(uint64(dy))
}

// cancel takes from both sides of a comparison what they share, if nothing wraps
// with it or without: "start + i < start + n" is "i < n".
func (a *algebra) cancel(op ssa.Op, x, y *Expr) (*Expr, *Expr, bool) {
	c, terms, ok := apart(op, x, y)
	_, tx := parts(x)
	_, ty := parts(y)
	if !ok || len(terms) >= len(tx)+len(ty) {
		return nil, nil, false
	}
	var left, right []Term
	for _, t := range terms {
		k := int64(t.Coef)
		if signed(mask(t.Coef, x.W), x.W) != k {
			return nil, nil, false
		}
		if k > 0 {
			left = append(left, t)
		} else {
			right = append(right, Term{-t.Coef, t.Factors})
		}
	}
	p, q := a.sum(x.W, uint64(max(c, 0)), left), a.sum(x.W, uint64(max(-c, 0)), right)
	view, lo, hi := numbers(op, x.W)
	for _, e := range []*Expr{p, q} {
		if k, t := parts(e); !fits(k, t, e.W, view, lo, hi) {
			return nil, nil, false
		}
	}
	return p, q, true
}
