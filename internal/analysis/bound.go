package analysis

import (
	"math"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/ssa"
)

// interval is a range of integers without a width; ok is false if it is not
// known or does not fit.
type interval struct {
	lo, hi int64
	ok     bool
}

var unknown = interval{}

func exactly(x int64) interval { return interval{x, x, true} }

func (x interval) add(y interval) interval {
	lo, c1 := addInt(x.lo, y.lo)
	hi, c2 := addInt(x.hi, y.hi)
	return interval{lo, hi, x.ok && y.ok && c1 && c2}
}

func addInt(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}

func (x interval) mul(y interval) interval {
	if !x.ok || !y.ok {
		return unknown
	}
	out := interval{math.MaxInt64, math.MinInt64, true}
	for _, p := range [2]int64{x.lo, x.hi} {
		for _, q := range [2]int64{y.lo, y.hi} {
			m, ok := mulInt(p, q)
			if !ok {
				return unknown
			}
			out.lo, out.hi = min(out.lo, m), max(out.hi, m)
		}
	}
	return out
}

func mulInt(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	p := a * b
	return p, p/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64)
}

func (x interval) within(lo, hi int64) bool { return x.ok && x.lo >= lo && x.hi <= hi }

// unsignedView and signedView are the value of e as a number.
func unsignedView(e *Expr) interval {
	if e.uhi > math.MaxInt64 {
		return unknown
	}
	return interval{int64(e.ulo), int64(e.uhi), true}
}

func signedView(e *Expr) interval { return interval{e.slo, e.shi, true} }

// limits are the bounds of a width.
func signedLimits(w int) (int64, int64) { return -1 << (w - 1), 1<<(w-1) - 1 }

// bound fills in the ranges of a new expression.
func (a *algebra) bound(e *Expr) {
	e.ulo, e.uhi = 0, mask(math.MaxUint64, e.W)
	if e.W == 0 || e.W > 64 { // of a register of 128 bits only that it is there is known
		e.slo, e.shi = math.MinInt64, math.MaxInt64
		return
	}
	e.slo, e.shi = signedLimits(e.W)
	switch e.Kind {
	case Symbol:
		e.ulo, e.uhi = e.Sym.Lo, min(e.Sym.Hi, e.uhi)
	case Sum:
		a.boundSum(e)
	case App:
		boundApp(e)
	}
	e.agree()
}

// agree narrows the signed range by the unsigned one and the reverse.
func (e *Expr) agree() {
	_, top := signedLimits(e.W)
	if e.uhi <= uint64(top) {
		e.slo, e.shi = max(e.slo, int64(e.ulo)), min(e.shi, int64(e.uhi))
	} else if e.ulo > uint64(top) {
		e.slo, e.shi = max(e.slo, signed(e.ulo, e.W)), min(e.shi, signed(e.uhi, e.W))
	}
	if e.slo >= 0 {
		e.ulo, e.uhi = max(e.ulo, uint64(e.slo)), min(e.uhi, uint64(e.shi))
	} else if e.shi < 0 {
		e.ulo, e.uhi = max(e.ulo, mask(uint64(e.slo), e.W)), min(e.uhi, mask(uint64(e.shi), e.W))
	}
}

// number bounds the sum of the terms as integers, without a width, its factors
// taken by view. The value of the sum is that number if it lies in the range of
// the width. What y - y % d adds up to is bounded as one.
func number(c uint64, terms []Term, w int, view func(*Expr) interval) interval {
	for i, t := range terms {
		if x, ok := divided(terms, i, w, view); ok {
			rest, mult := x.rest, x.mult
			f := t.Factors[0]
			y := f.Args[0]
			d, _ := f.Args[1].IsConst()
			k := int64(mult)
			whole := interval{int64(y.ulo / d * d), int64(y.uhi / d * d), y.uhi <= math.MaxInt64}
			return number(c-x.c, rest, w, view).add(whole.mul(exactly(k)))
		}
	}
	return linear(c, terms, w, view)
}

// linear is the sum without a width, term by term.
func linear(c uint64, terms []Term, w int, view func(*Expr) interval) interval {
	sum := exactly(signed(c, w))
	for _, t := range terms {
		p := exactly(signed(t.Coef, w))
		for _, f := range t.Factors {
			p = p.mul(view(f))
		}
		sum = sum.add(p)
	}
	return sum
}

// wholePart is what remains of a sum without mult * (y - y % d).
type wholePart struct {
	rest []Term
	mult uint64
	c    uint64
}

// divided reports whether term i is -k * (y % d) and that k * y is part of the sum
// too, where y does not wrap if view is given.
func divided(terms []Term, i, w int, view func(*Expr) interval) (wholePart, bool) {
	t := terms[i]
	if len(t.Factors) != 1 || t.Factors[0].Kind != App || t.Factors[0].Op != ssa.RemU || signed(t.Coef, w) >= 0 {
		return wholePart{}, false
	}
	if d, ok := t.Factors[0].Args[1].IsConst(); !ok || d == 0 {
		return wholePart{}, false
	}
	k := -t.Coef
	c, ys := parts(t.Factors[0].Args[0])
	if len(ys) == 0 || view != nil && !linear(c, ys, w, view).within(0, unsignedTop(w)) {
		return wholePart{}, false
	}
	used := make([]bool, len(terms))
	used[i] = true
	for _, y := range ys {
		found := false
		for j, u := range terms {
			if !used[j] && compareFactors(u.Factors, y.Factors) == 0 && u.Coef == mask(y.Coef*k, w) {
				used[j], found = true, true
				break
			}
		}
		if !found {
			return wholePart{}, false
		}
	}
	p := wholePart{mult: uint64(signed(mask(k, w), w)), c: c * k}
	for j, u := range terms {
		if !used[j] {
			p.rest = append(p.rest, u)
		}
	}
	return p, true
}

func (a *algebra) boundSum(e *Expr) {
	if len(e.Terms) == 0 {
		e.ulo, e.uhi = e.C, e.C
		e.slo, e.shi = signed(e.C, e.W), signed(e.C, e.W)
		return
	}
	lo, hi := signedLimits(e.W)
	if n := number(e.C, e.Terms, e.W, signedView); n.within(lo, hi) {
		e.slo, e.shi = n.lo, n.hi
	}
	top := int64(math.MaxInt64)
	if e.W < 64 {
		top = 1<<e.W - 1
	}
	if n := number(e.C, e.Terms, e.W, unsignedView); n.within(0, top) {
		e.ulo, e.uhi = uint64(n.lo), uint64(n.hi)
	}
}

func boundApp(e *Expr) {
	var x, y *Expr
	if len(e.Args) > 0 {
		x = e.Args[0]
	}
	if len(e.Args) > 1 {
		y = e.Args[1]
	}
	switch e.Op {
	case ssa.Zext:
		e.ulo, e.uhi = x.ulo, x.uhi
	case ssa.Sext:
		e.slo, e.shi = x.slo, x.shi
	case ssa.Trunc:
		if x.uhi <= e.uhi {
			e.ulo, e.uhi = x.ulo, x.uhi
		}
		if lo, hi := signedLimits(e.W); x.slo >= lo && x.shi <= hi {
			e.slo, e.shi = x.slo, x.shi
		}
	case ssa.DivU:
		e.uhi = x.uhi / max(y.ulo, 1)
		e.ulo = x.ulo / max(y.uhi, 1)
	case ssa.RemU:
		e.uhi = min(x.uhi, max(y.uhi, 1)-1)
	case ssa.MinU:
		e.ulo, e.uhi = min(x.ulo, y.ulo), min(x.uhi, y.uhi)
	case ssa.MaxU:
		e.ulo, e.uhi = max(x.ulo, y.ulo), max(x.uhi, y.uhi)
	case ssa.MinS:
		e.slo, e.shi = min(x.slo, y.slo), min(x.shi, y.shi)
	case ssa.MaxS:
		e.slo, e.shi = max(x.slo, y.slo), max(x.shi, y.shi)
	case ssa.DivS:
		if y.slo > 0 {
			e.slo, e.shi = min(x.slo, 0), max(x.shi, 0)
		}
	case ssa.RemS:
		if y.slo > 0 {
			e.slo, e.shi = max(min(x.slo, 0), 1-y.shi), min(max(x.shi, 0), y.shi-1)
		}
	case ssa.Select:
		z := e.Args[2]
		e.ulo, e.uhi = min(y.ulo, z.ulo), max(y.uhi, z.uhi)
		e.slo, e.shi = min(y.slo, z.slo), max(y.shi, z.shi)
	case ssa.MulHiU:
		e.uhi = mulHigh(x.uhi, y.uhi, e.W)
	case ssa.And, ssa.Or, ssa.Xor, ssa.Shl, ssa.ShrU, ssa.ShrS:
		boundBits(e, x, y)
	}
}

// boundBits bounds operations on bits.
func boundBits(e, x, y *Expr) {
	switch e.Op {
	case ssa.And:
		e.uhi = min(x.uhi, y.uhi)
	case ssa.Or, ssa.Xor:
		e.uhi = 1<<bits.Len64(x.uhi|y.uhi) - 1
		if e.Op == ssa.Or {
			e.ulo = max(x.ulo, y.ulo)
		}
	case ssa.Shl:
		if top := mask(math.MaxUint64, e.W); y.uhi < 64 && x.uhi <= top>>y.uhi {
			e.ulo, e.uhi = x.ulo<<y.ulo, x.uhi<<y.uhi
		}
	case ssa.ShrU:
		e.uhi = x.uhi >> min(y.ulo, 63)
		if y.uhi < 64 {
			e.ulo = x.ulo >> y.uhi
		}
	case ssa.ShrS:
		e.slo, e.shi = min(x.slo, 0), max(x.shi, 0)
		if c, ok := y.IsConst(); ok {
			e.slo, e.shi = x.slo>>min(c, 63), x.shi>>min(c, 63)
		}
	}
}

func mulHigh(x, y uint64, w int) uint64 {
	hi, lo := bits.Mul64(x, y)
	if w == 64 {
		return hi
	}
	return hi<<(64-w) | lo>>w
}

// maxAlign bounds the alignments that Multiple finds.
const maxAlign = 1 << 40

// Multiple returns a power of two m and r < m such that e = r modulo m.
func (e *Expr) Multiple() (m, r uint64) { return e.multiple(1, nil) }

// multiple takes the alignment of symbols from sym where that says more.
func (e *Expr) multiple(depth int, sym func(*Sym) uint64) (m, r uint64) {
	most := uint64(maxAlign)
	if e.W < 40 {
		most = 1 << e.W
	}
	switch e.Kind {
	case Symbol:
		m = symAlign(e.Sym)
		if sym != nil {
			m = max(m, sym(e.Sym))
		}
		return m, 0
	case Sum:
		m, r = sumMultiple(e.C, e.Terms, e.W, depth, sym)
		m = min(m, most)
		return m, r & (m - 1)
	}
	if depth > 20 {
		return 1, 0
	}
	switch e.Op {
	case ssa.Zext, ssa.Sext, ssa.Trunc:
		m, r = e.Args[0].multiple(depth+1, sym)
		m = min(m, most)
		return m, r & (m - 1)
	case ssa.Select:
		m, r = e.Args[1].multiple(depth+1, sym)
		n, s := e.Args[2].multiple(depth+1, sym)
		m = min(m, n)
		if d := r ^ s; d != 0 {
			m = min(m, 1<<bits.TrailingZeros64(d))
		}
		return m, r & (m - 1)
	case ssa.RemU:
		if d, ok := e.Args[1].IsConst(); ok && d != 0 {
			m, r = e.Args[0].multiple(depth+1, sym)
			m = min(m, d&-d)
			return m, r & (m - 1)
		}
	case ssa.Shl:
		if n, ok := e.Args[1].IsConst(); ok && n < 40 {
			return min(1<<n, most), 0
		}
	case ssa.MinS, ssa.MinU, ssa.MaxS, ssa.MaxU, ssa.Or, ssa.Xor, ssa.And:
		m, r = e.Args[0].multiple(depth+1, sym)
		n, s := e.Args[1].multiple(depth+1, sym)
		if r == 0 && s == 0 {
			return min(m, n), 0
		}
	}
	return 1, 0
}

// sumMultiple is Multiple of a sum; y - y % d is a multiple of d.
func sumMultiple(c uint64, terms []Term, w, depth int, sym func(*Sym) uint64) (m, r uint64) {
	for i, t := range terms {
		if x, ok := divided(terms, i, w, nil); ok {
			d := t.Factors[0].Args[1].C
			m, r = sumMultiple(c-x.c, x.rest, w, depth, sym)
			m = min(m, mulAlign(x.mult&-x.mult, d&-d))
			return m, r & (m - 1)
		}
	}
	m, r = maxAlign, c
	for _, t := range terms {
		tm, tr := termMultiple(t, depth, sym)
		m = min(m, tm)
		r += tr
	}
	return m, r & (m - 1)
}

// termMultiple is Multiple of a product.
func termMultiple(t Term, depth int, sym func(*Sym) uint64) (m, r uint64) {
	low := uint64(1) << min(bits.TrailingZeros64(t.Coef), 40)
	m, r = low, 0
	fm, fr := uint64(maxAlign), uint64(1)
	for _, f := range t.Factors {
		// (fm*i + fr) * (n*j + s) modulo the least of fm*n, fm*s, n*fr
		n, s := f.multiple(depth+1, sym)
		next := mulAlign(fm, n)
		if s != 0 {
			next = min(next, mulAlign(fm, s&-s))
		}
		if fr != 0 {
			next = min(next, mulAlign(n, fr&-fr))
		}
		fm, fr = next, fr*s&(next-1)
	}
	m = mulAlign(low, fm)
	return m, t.Coef * fr & (m - 1)
}

func mulAlign(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 || lo > maxAlign {
		return maxAlign
	}
	return lo
}

func symAlign(s *Sym) uint64 {
	switch s.Kind {
	case ObjectAddr:
		return uint64(max(s.Object.Align, 1)) & -uint64(max(s.Object.Align, 1))
	case Special:
		if s.Lo == s.Hi && s.Lo != 0 {
			return s.Lo & -s.Lo
		}
	}
	return 1
}
