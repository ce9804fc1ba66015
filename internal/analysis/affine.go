package analysis

import (
	"math"
	"slices"

	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Affine is an integer: a sum of symbols times coefficients, and a constant.
// It is not a residue: nothing in it wraps.
type Affine struct {
	Terms []AffineTerm // by the order in which symbols were made
	C     int64
}

// AffineTerm is a symbol times a coefficient other than 0.
type AffineTerm struct {
	Sym  *Sym
	Coef int64
}

// Affine returns the value of e as a signed number, if that is proved to be a
// sum of symbols, each as an unsigned number.
func (a *Analysis) Affine(e *Expr) (*Affine, bool) {
	f := &Affine{}
	if !a.affine(f, e, 1) {
		return nil, false
	}
	slices.SortFunc(f.Terms, func(x, y AffineTerm) int { return a.symIDs[x.Sym] - a.symIDs[y.Sym] })
	out := f.Terms[:0]
	for _, t := range f.Terms {
		if n := len(out); n > 0 && out[n-1].Sym == t.Sym {
			out[n-1].Coef += t.Coef
		} else {
			out = append(out, t)
		}
	}
	f.Terms = slices.DeleteFunc(out, func(t AffineTerm) bool { return t.Coef == 0 })
	return f, true
}

// affine adds k times e to f.
func (a *Analysis) affine(f *Affine, e *Expr, k int64) bool {
	if e.W == 0 || e.W > 64 {
		return false
	}
	lo, hi := signedLimits(e.W)
	c, terms := parts(e)
	if e.Kind == Sum {
		if !linear(c, terms, e.W, signedView).within(lo, hi) {
			return false
		}
		d, ok := mulInt(signed(c, e.W), k)
		f.C += d
		if !ok {
			return false
		}
		for _, t := range terms {
			m, ok := mulInt(signed(t.Coef, e.W), k)
			if !ok || len(t.Factors) != 1 || !a.affine(f, t.Factors[0], m) {
				return false
			}
		}
		return true
	}
	if e.Kind == Symbol {
		if e.uhi > uint64(hi) {
			return false
		}
		f.Terms = append(f.Terms, AffineTerm{e.Sym, k})
		return true
	}
	if len(e.Args) != 1 {
		return false
	}
	switch x := e.Args[0]; {
	case e.Op == ssa.Sext, e.Op == ssa.Zext && x.slo >= 0:
		return a.affine(f, x, k)
	case e.Op == ssa.Trunc && x.slo >= lo && x.shi <= hi:
		return a.affine(f, x, k)
	}
	return false
}

// Limit states that an integer lies between Lo and Hi.
type Limit struct {
	Of     *Affine
	Lo, Hi int64
}

// Limits are what the conditions of a path say of integers.
func (a *Analysis) Limits(p *Path) []Limit {
	if !p.limited {
		for _, c := range p.Conds {
			p.limits = a.limits(p.limits, c)
		}
		p.limited = true
	}
	return p.limits
}

func (a *Analysis) limits(list []Limit, c *Expr) []Limit {
	if c.Kind != App {
		return list
	}
	switch c.Op {
	case ssa.And:
		return a.limits(a.limits(list, c.Args[0]), c.Args[1])
	case ssa.Or:
		return a.eitherRound(list, c.Args[0], c.Args[1])
	case ssa.Eq, ssa.LtS, ssa.LeS, ssa.LtU, ssa.LeU:
	default:
		return list
	}
	if l, ok := a.below(c.Op, c.Args[0], c.Args[1]); ok {
		list = append(list, l)
	}
	if l, ok := a.above(c.Op, c.Args[0], c.Args[1]); ok {
		list = append(list, l)
	}
	return list
}

// stricter is 1 for a comparison that leaves out equality.
func stricter(op ssa.Op) int64 {
	if op == ssa.LtU || op == ssa.LtS {
		return 1
	}
	return 0
}

// below is what "x op y" says of x.
func (a *Analysis) below(op ssa.Op, x, y *Expr) (l Limit, ok bool) {
	f, ok := a.Affine(x)
	if !ok {
		return l, false
	}
	switch op {
	case ssa.Eq:
		return Limit{f, y.slo, y.shi}, true
	case ssa.LtS, ssa.LeS:
		return Limit{f, math.MinInt64, y.shi - stricter(op)}, true
	}
	// Below a number that is not negative as a signed one, x is not either.
	if top := uint64(unsignedTop(x.W) / 2); y.uhi > top || y.uhi > math.MaxInt64 {
		return l, false
	}
	return Limit{f, 0, int64(y.uhi) - stricter(op)}, true
}

// above is what "x op y" says of y.
func (a *Analysis) above(op ssa.Op, x, y *Expr) (l Limit, ok bool) {
	f, ok := a.Affine(y)
	if !ok {
		return l, false
	}
	switch op {
	case ssa.Eq:
		return Limit{f, x.slo, x.shi}, true
	case ssa.LtS, ssa.LeS:
		return Limit{f, x.slo + stricter(op), math.MaxInt64}, true
	}
	if y.slo < 0 || x.ulo > math.MaxInt64/2 {
		return l, false
	}
	return Limit{f, int64(x.ulo) + stricter(op), math.MaxInt64}, true
}

// eitherRound is what "the first round, or c" says: in the first round, the
// iterator is 0.
func (a *Analysis) eitherRound(list []Limit, first, c *Expr) []Limit {
	it := firstRound(first)
	if it == nil {
		first, c = c, first
		if it = firstRound(first); it == nil {
			return list
		}
	}
	for _, l := range a.limits(nil, c) {
		n := exactly(l.Of.C)
		for _, t := range l.Of.Terms {
			if t.Sym != it && t.Sym.Hi <= math.MaxInt64 {
				n = n.add(interval{int64(t.Sym.Lo), int64(t.Sym.Hi), true}.mul(exactly(t.Coef)))
			} else if t.Sym != it {
				n = unknown
			}
		}
		if n.ok {
			list = append(list, Limit{l.Of, min(l.Lo, n.lo), max(l.Hi, n.hi)})
		}
	}
	return list
}

// firstRound finds the iterator in "iterator == 0".
func firstRound(e *Expr) *Sym {
	if e.Kind != App || e.Op != ssa.Eq || !isZero(e.Args[1]) || e.Args[0].Kind != Symbol || e.Args[0].Sym.Kind != Iter {
		return nil
	}
	return e.Args[0].Sym
}
