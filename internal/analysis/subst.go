package analysis

import (
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Subst rebuilds e with symbols replaced, and simplifies it. f returns what
// takes the place of a symbol, of the same width, or nil to keep it.
func (a *algebra) Subst(e *Expr, f func(*Sym) *Expr) *Expr {
	return a.subst(e, f, map[*Expr]*Expr{})
}

func (a *algebra) subst(e *Expr, f func(*Sym) *Expr, memo map[*Expr]*Expr) *Expr {
	if _, ok := e.IsConst(); ok {
		return e
	}
	if r, ok := memo[e]; ok {
		return r
	}
	r := e
	switch e.Kind {
	case Symbol:
		if x := f(e.Sym); x != nil {
			r = x
		}
	case Sum:
		r = a.substSum(e, f, memo)
	case App:
		args := make([]*Expr, len(e.Args))
		same := true
		for i, x := range e.Args {
			args[i] = a.subst(x, f, memo)
			same = same && args[i] == x
		}
		if !same {
			r = a.Apply(e.Op, e.W, e.Name, args...)
		}
	}
	memo[e] = r
	return r
}

func (a *algebra) substSum(e *Expr, f func(*Sym) *Expr, memo map[*Expr]*Expr) *Expr {
	var kept []Term
	sum := a.Const(e.W, e.C)
	for _, t := range e.Terms {
		same := true
		fs := make([]*Expr, len(t.Factors))
		for i, x := range t.Factors {
			fs[i] = a.subst(x, f, memo)
			same = same && fs[i] == x
		}
		if same {
			kept = append(kept, t)
			continue
		}
		p := a.Const(e.W, t.Coef)
		for _, x := range fs {
			p = a.Mul(p, x)
		}
		sum = a.Add(sum, p)
	}
	if len(kept) == len(e.Terms) {
		return e
	}
	return a.Add(sum, a.whole(a.sum(e.W, 0, kept)))
}

// Eval computes e for given values of its symbols; ok is false if one that
// matters is not known, or a function in it.
func Eval(e *Expr, val func(*Sym) (uint64, bool)) (x uint64, ok bool) {
	return eval(e, val, map[*Expr]result{})
}

type result struct {
	x  uint64
	ok bool
}

func eval(e *Expr, val func(*Sym) (uint64, bool), memo map[*Expr]result) (uint64, bool) {
	if r, ok := memo[e]; ok {
		return r.x, r.ok
	}
	var r result
	switch e.Kind {
	case Symbol:
		r.x, r.ok = val(e.Sym)
	case Sum:
		r.x, r.ok = e.C, true
		for _, t := range e.Terms {
			p := t.Coef
			for _, f := range t.Factors {
				y, ok := eval(f, val, memo)
				p *= y
				r.ok = r.ok && ok
			}
			r.x += p
		}
	case App:
		r = evalApp(e, val, memo)
	}
	r.x = mask(r.x, e.W)
	memo[e] = r
	return r.x, r.ok
}

func evalApp(e *Expr, val func(*Sym) (uint64, bool), memo map[*Expr]result) (r result) {
	if e.Op == ssa.Pure {
		return r
	}
	if e.Op == ssa.Select {
		c, ok := eval(e.Args[0], val, memo)
		if !ok {
			return r
		}
		r.x, r.ok = eval(e.Args[2-c&1], val, memo)
		return r
	}
	args := make([]uint64, len(e.Args))
	for i, x := range e.Args {
		y, ok := eval(x, val, memo)
		if !ok {
			return r
		}
		args[i] = y
	}
	r.x, r.ok = ssa.Eval(e.Op, e.W, e.Args[0].W, args...)
	return r
}
