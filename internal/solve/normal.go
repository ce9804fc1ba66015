package solve

import (
	"math/bits"
)

// one is the interned term of t's operation on interned arguments.
func (in *Interner) one(t *Term, args []*Term) *Term {
	constant := len(args) > 0
	for _, a := range args {
		constant = constant && a.op == OpConst
	}
	switch {
	case constant:
		u := *t // a shift or an extension looks at its arguments' sorts
		u.args = args
		return in.constant(u.apply(func(i int) uint64 { return args[i].value }), t.sort)
	case t.op == OpAnd || t.op == OpOr:
		return in.join(t.op, args)
	case t.op == OpNot && args[0].op == OpNot:
		return args[0].args[0]
	case t.op == OpEq:
		return in.equal(args[0], args[1])
	case t.op == OpIte:
		return in.choice(t, args)
	case len(args) > 0 && args[0].sort > 0:
		if n := in.bitVector(t, args); n != nil {
			return n
		}
	}
	return in.like(t, args)
}

// join is a conjunction or disjunction without what is there twice; with a term
// and its opposite it is settled.
func (in *Interner) join(op Op, args []*Term) *Term {
	zero := in.truth(op == OpOr)
	seen := map[*Term]bool{}
	var out []*Term
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a.op == op:
			args = append(append([]*Term(nil), a.args...), args[i+1:]...)
			i = -1
		case a == zero, a.op == OpNot && seen[a.args[0]], seen[in.opposite(a)]:
			return zero
		case a.op != OpConst && !seen[a]:
			seen[a] = true
			out = append(out, a)
		}
	}
	switch len(out) {
	case 0:
		return in.truth(op == OpAnd)
	case 1:
		return out[0]
	}
	return in.put(&Term{op: op, sort: Bool, args: out})
}

// opposite is the negation of a term if there is one already, else nil.
func (in *Interner) opposite(a *Term) *Term {
	return in.known[internKey{op: OpNot, args: [3]*Term{a}}]
}

func (in *Interner) choice(t *Term, args []*Term) *Term {
	c, a, b := args[0], args[1], args[2]
	switch {
	case c.op == OpConst && c.value == 1 || a == b:
		return a
	case c.op == OpConst:
		return b
	case a.sort == Bool && a.op == OpConst && b.op == OpConst && a.value == 1:
		return c
	case a.sort == Bool && a.op == OpConst && b.op == OpConst:
		return in.one(&Term{op: OpNot, sort: Bool}, []*Term{c}) // Not(c) may be of another kind
	}
	return in.like(t, args)
}

// bitVector simplifies an operation on bit-vectors; nil where it stays.
func (in *Interner) bitVector(t *Term, args []*Term) *Term {
	a := args[0]
	switch t.op {
	case OpULt, OpULe, OpSLt, OpSLe:
		return in.order(t, a, args[1])
	case OpAdd:
		return in.sum(in.plus(in.sumOf(a), in.sumOf(args[1]), 1))
	case OpSub:
		return in.sum(in.plus(in.sumOf(a), in.sumOf(args[1]), ^uint64(0)))
	case OpBitNot:
		return in.sum(in.plus(sum{width: a.sort, constant: mask(a.sort)}, in.sumOf(a), ^uint64(0)))
	case OpMul:
		return in.product(a, args[1])
	case OpZeroExt, OpSignExt:
		return in.wider(t.op, a, t.sort)
	case OpExtract:
		if t.low == 0 {
			return in.narrower(a, t.sort)
		}
		return nil
	}
	b := args[1]
	if a.op == OpConst && (t.op == OpBitAnd || t.op == OpBitOr || t.op == OpBitXor) {
		a, b = b, a
	}
	if b.op == OpConst {
		return in.withConstant(t.op, a, b.value)
	}
	return nil
}

// sum is the term of a sum, nil for one that is too long.
func (in *Interner) sum(s sum) *Term {
	if len(s.atoms) > mostAtoms {
		return nil
	}
	return in.term(s)
}

// mostFactors bounds the parts of two sums that are multiplied with each other.
const mostFactors = 4

func (in *Interner) product(a, b *Term) *Term {
	x, y := in.sumOf(a), in.sumOf(b)
	if len(x.atoms) == 0 {
		x, y = y, x
	}
	switch {
	case len(y.atoms) == 0:
		return in.sum(in.times(x, y.constant))
	case len(x.atoms) > mostFactors || len(y.atoms) > mostFactors:
		return nil
	}
	out := in.times(x, y.constant)
	out = in.plus(out, sum{width: y.width, atoms: y.atoms, factors: y.factors}, x.constant)
	for i, p := range x.atoms {
		for j, q := range y.atoms {
			both := []*Term{p, q}
			if in.number[q] < in.number[p] {
				both = []*Term{q, p}
			}
			pq := in.put(&Term{op: OpMul, sort: a.sort, args: both})
			out = in.plus(out, in.sumOf(pq), x.factors[i]*y.factors[j])
		}
	}
	return in.sum(out)
}

// wider extends: a sum that does not wrap around becomes one of wider atoms.
func (in *Interner) wider(op Op, a *Term, width Sort) *Term {
	if a.sort == width {
		return a
	}
	s := in.sumOf(a)
	low, high, ok := in.reach(s)
	limit := int64(mask(a.sort))
	if a.sort >= 63 {
		limit = mostInt
	}
	least := int64(0)
	if op == OpSignExt {
		limit >>= 1
		least = -limit - 1
	}
	switch fits := ok && low >= least && high <= limit; {
	case a.op == OpConst:
	case fits && (len(s.atoms) != 1 || s.atoms[0] != a):
		return in.sum(in.resized(s, width, func(x *Term) *Term {
			if in.negative(x) {
				return in.wider(OpSignExt, x, width)
			}
			return in.wider(OpZeroExt, x, width)
		}))
	case fits:
		op = OpZeroExt
	}
	switch {
	case a.op == OpConst && op == OpSignExt:
		return in.constant(uint64(signed(a.value, a.sort)), width)
	case a.op == OpConst:
		return in.constant(a.value, width)
	case a.op == OpZeroExt:
		return in.wider(OpZeroExt, a.args[0], width)
	case a.op == OpSignExt && op == OpSignExt:
		return in.wider(OpSignExt, a.args[0], width)
	}
	return in.put(&Term{op: op, sort: width, args: []*Term{a}})
}

// narrower takes the low bits: of a sum those of its atoms.
func (in *Interner) narrower(a *Term, width Sort) *Term {
	s := in.sumOf(a)
	switch {
	case a.sort == width:
		return a
	case len(s.atoms) != 1 || s.atoms[0] != a:
		return in.sum(in.resized(s, width, func(x *Term) *Term { return in.narrower(x, width) }))
	case a.op != OpZeroExt && a.op != OpSignExt:
	case a.args[0].sort >= width:
		return in.narrower(a.args[0], width)
	default:
		return in.wider(a.op, a.args[0], width)
	}
	return in.put(&Term{op: OpExtract, sort: width, args: []*Term{a}})
}

// withConstant simplifies a op n; nil where it stays.
func (in *Interner) withConstant(op Op, a *Term, n uint64) *Term {
	w := a.sort
	low, _ := in.signedSpan(a)
	switch op {
	case OpAShr, OpSDiv, OpSRem:
		if low < 0 || op != OpAShr && signed(n, w) <= 0 {
			return nil
		}
		op = map[Op]Op{OpAShr: OpLShr, OpSDiv: OpUDiv, OpSRem: OpURem}[op]
		if r := in.withConstant(op, a, n); r != nil {
			return r
		}
		return in.put(&Term{op: op, sort: w, args: []*Term{a, in.constant(n, w)}})
	case OpShl:
		if n >= uint64(w) {
			return in.constant(0, w)
		}
		return in.sum(in.times(in.sumOf(a), 1<<n))
	case OpLShr:
		if n >= uint64(w) {
			return in.constant(0, w)
		}
		return in.divided(a, 1<<n, true)
	case OpUDiv:
		return in.divided(a, n, true)
	case OpURem:
		return in.divided(a, n, false)
	case OpBitAnd:
		return in.masked(a, n)
	case OpBitOr, OpBitXor:
		if n < AlignedTo(a) {
			return in.sum(in.plus(in.sumOf(a), sum{width: w, constant: n}, 1))
		}
	}
	return nil
}

// divided is a quotient or a remainder that a sum gives away; else nil.
func (in *Interner) divided(a *Term, n uint64, quotient bool) *Term {
	q, r, ok := in.split(in.sumOf(a), n)
	switch {
	case !ok:
		return nil
	case quotient:
		return in.sum(q)
	}
	return in.sum(r)
}

// masked is a & n for masks of the low or of the high bits.
func (in *Interner) masked(a *Term, n uint64) *Term {
	w := a.sort
	switch {
	case n == 0:
		return in.constant(0, w)
	case n == mask(w):
		return a
	case n&(n+1) == 0: // the low bits
		return in.lowBits(a, n)
	case ^n&mask(w)&(^n&mask(w)+1) == 0: // a less its low bits
		low := in.lowBits(a, ^n&mask(w))
		return in.sum(in.plus(in.sumOf(a), in.sumOf(low), ^uint64(0)))
	}
	return nil
}

// lowBits is a & n for n = 2^k - 1: what is a multiple of 2^k does not count.
func (in *Interner) lowBits(a *Term, n uint64) *Term {
	s := in.sumOf(a)
	rest := sum{width: a.sort, constant: s.constant & n}
	for i, x := range s.atoms {
		if f := s.factors[i] & n; f != 0 {
			if f > n/2 { // as a number with a sign
				f |= ^n & mask(a.sort)
			}
			rest.atoms, rest.factors = append(rest.atoms, x), append(rest.factors, f)
		}
	}
	r := in.term(rest)
	if low, high, ok := in.reach(rest); ok && low >= 0 && uint64(high) <= n || r.op == OpConst {
		return r
	}
	return in.put(&Term{op: OpBitAnd, sort: a.sort, args: []*Term{r, in.constant(n, a.sort)}})
}

// order simplifies a comparison by the ranges of both sides.
func (in *Interner) order(t *Term, a, b *Term) *Term {
	op := t.op
	strict := op == OpULt || op == OpSLt
	if a == b {
		return in.truth(!strict)
	}
	if op == OpSLt || op == OpSLe {
		la, ha := in.signedSpan(a)
		lb, hb := in.signedSpan(b)
		switch {
		case ha < lb || !strict && ha == lb:
			return in.truth(true)
		case la > hb || strict && la == hb:
			return in.truth(false)
		case la < 0 || lb < 0:
			return in.put(&Term{op: op, sort: Bool, args: []*Term{a, b}})
		}
		op = map[Op]Op{OpSLt: OpULt, OpSLe: OpULe}[op]
	}
	x, y := in.span(a), in.span(b)
	switch {
	case x.high < y.low || !strict && x.high == y.low:
		return in.truth(true)
	case x.low > y.high || strict && x.low == y.high:
		return in.truth(false)
	}
	return in.put(&Term{op: op, sort: Bool, args: []*Term{a, b}})
}

// equal compares: what both sides have in common is left out, and so are
// factors and extensions that change nothing.
func (in *Interner) equal(a, b *Term) *Term {
	switch {
	case a == b:
		return in.truth(true)
	case a.sort == Bool && (a.op == OpConst || b.op == OpConst):
		if b.op == OpConst {
			a, b = b, a
		}
		if a.value == 1 {
			return b
		}
		return in.one(Not(b), []*Term{b})
	case a.sort <= 0:
		if in.number[b] < in.number[a] {
			a, b = b, a
		}
		return in.put(&Term{op: OpEq, sort: Bool, args: []*Term{a, b}})
	}
	return in.zero(in.plus(in.sumOf(a), in.sumOf(b), ^uint64(0)))
}

// zero is the condition that a sum is 0.
func (in *Interner) zero(d sum) *Term {
	if len(d.atoms) == 0 {
		return in.truth(d.constant == 0)
	}
	low, high, ok := in.reach(d)
	if exact := ok && (d.width > 62 || low > -1<<d.width && high < 1<<d.width); exact {
		g := d.divisor()
		if low > 0 || high < 0 || signed(d.constant, d.width)%g != 0 {
			return in.truth(false)
		}
		d = d.over(g)
	} else if bits.TrailingZeros64(d.constant) < bits.TrailingZeros64(uint64(d.divisor())) {
		return in.truth(false)
	}
	if signed(d.factors[0], d.width) < 0 {
		d = in.times(d, ^uint64(0))
	}
	if t := in.shorter(d); t != nil {
		return t
	}
	left, right := sum{width: d.width}, sum{width: d.width, constant: -d.constant & mask(d.width)}
	for i, a := range d.atoms {
		if f := signed(d.factors[i], d.width); f > 0 {
			left.atoms, left.factors = append(left.atoms, a), append(left.factors, uint64(f))
		} else {
			right.atoms, right.factors = append(right.atoms, a), append(right.factors, uint64(-f)&mask(d.width))
		}
	}
	return in.put(&Term{op: OpEq, sort: Bool, args: []*Term{in.term(left), in.term(right)}})
}

// shorter is a shorter way to say that a sum of one or two atoms is 0; nil
// where there is none.
func (in *Interner) shorter(d sum) *Term {
	a := d.atoms[0]
	extended := a.op == OpZeroExt || a.op == OpSignExt
	switch {
	case len(d.atoms) == 2 && d.constant == 0 && d.factors[0] == 1 && d.factors[1] == mask(d.width):
		b := d.atoms[1]
		if extended && b.op == a.op && b.args[0].sort == a.args[0].sort {
			return in.equal(a.args[0], b.args[0])
		}
	case len(d.atoms) == 1 && d.factors[0] == 1:
		value := -d.constant & mask(d.width)
		if extended {
			inner := a.args[0]
			if x := in.wider(a.op, in.constant(value, inner.sort), d.width); x.value != value {
				return in.truth(false)
			}
			return in.equal(inner, in.constant(value, inner.sort))
		}
		if a.op == OpIte && a.args[1].op == OpConst && a.args[2].op == OpConst {
			t := &Term{op: OpIte, sort: Bool}
			return in.choice(t, []*Term{a.args[0], in.truth(a.args[1].value == value), in.truth(a.args[2].value == value)})
		}
	}
	return nil
}

// divisor is the greatest common divisor of the factors.
func (s sum) divisor() int64 {
	g := int64(0)
	for _, f := range s.factors {
		g = gcd(g, signed(f, s.width))
	}
	return g
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return abs(a)
}

// over divides all factors and the constant.
func (s sum) over(g int64) sum {
	if g == 1 {
		return s
	}
	out := sum{width: s.width, atoms: s.atoms, constant: uint64(signed(s.constant, s.width)/g) & mask(s.width)}
	for _, f := range s.factors {
		out.factors = append(out.factors, uint64(signed(f, s.width)/g)&mask(s.width))
	}
	return out
}
