package solve

import (
	"cmp"
	"slices"
)

// settled is a conjunction from which what follows at once has been drawn.
type settled struct {
	in    *Interner
	terms []*Term
	// given are variables that are gone, with what they are equal to: terms of
	// variables that are there, or that are given later.
	given []binding
	never bool // it cannot be met
}

type binding struct{ v, is *Term }

// mostSettling bounds how often consequences are drawn from consequences.
const mostSettling = 20

// settle draws from the equations of a conjunction what follows by the ranges
// of their parts: 256*(b1 - b2) + (t1 - t2) = 0 for indices below 256 says
// that b1 = b2 and t1 = t2, as in the range test of Blume and Eigenmann.
func settle(all *Term) *settled {
	s := &settled{in: NewInterner()}
	s.set(s.in.Intern(all))
	for range mostSettling {
		if s.never || !s.step() {
			break
		}
	}
	return s
}

// set makes a conjunction the one that is examined.
func (s *settled) set(all *Term) { s.terms, s.never = Conjuncts(all), all.IsFalse() }

// step draws consequences once; it reports whether there were some.
func (s *settled) step() bool {
	facts, ok := s.consequences()
	if !ok {
		s.never = true
		return false
	}
	var add []*Term
	by, about := map[*Term]*Term{}, map[*Term]bool{}
	have := map[*Term]bool{}
	for _, t := range s.terms {
		have[t] = true
	}
	for _, f := range facts {
		t := s.in.zero(f)
		switch v, is := s.solved(t); {
		case t.IsTrue():
		case t.IsFalse():
			s.never = true
			return false
		case v != nil && by[v] == nil && !about[v] && !slices.ContainsFunc(Variables(is), func(x *Term) bool { return by[x] != nil }):
			by[v] = is
			for _, x := range Variables(is) {
				about[x] = true
			}
			s.given = append(s.given, binding{v, is})
			add = append(add, s.bound(v, is))
		case !have[t]:
			have[t] = true
			add = append(add, t)
		}
	}
	if len(add) == 0 {
		return false
	}
	for _, t := range s.terms {
		add = append(add, s.in.replace(t, by))
	}
	for i, t := range add {
		add[i] = s.in.replace(t, by)
	}
	s.set(s.in.join(OpAnd, add))
	return true
}

// bound keeps a variable's range for what it is equal to.
func (s *settled) bound(v, is *Term) *Term {
	return s.in.order(&Term{op: OpULe}, is, s.in.constant(s.in.span(v).high, v.sort))
}

// solved takes an equation apart into a variable and what it is equal to.
func (s *settled) solved(t *Term) (v, is *Term) {
	if t.op != OpEq || t.args[0].sort <= 0 {
		return nil, nil
	}
	a, b := t.args[0], t.args[1]
	if a.op == OpVar && (b.op == OpVar || b.op == OpConst) {
		return a, b
	}
	d := s.in.plus(s.in.sumOf(a), s.in.sumOf(b), ^uint64(0))
	for i, v := range d.atoms {
		if f := d.factors[i]; v.op == OpVar && (f == 1 || f == mask(d.width)) {
			rest := s.in.plus(d, s.in.sumOf(v), -f)
			if is := s.in.sum(s.in.times(rest, -f)); is != nil && !slices.Contains(Variables(is), v) {
				return v, is
			}
		}
	}
	return nil, nil
}

// consequences are sums that are 0 because others are; ok is false where one
// cannot be.
func (s *settled) consequences() (facts []sum, ok bool) {
	s.in.within = s.ranges()
	defer func() { s.in.within = nil }()
	for _, t := range s.terms {
		if t.op != OpEq || t.args[0].sort <= 0 {
			continue
		}
		d := s.in.plus(s.in.sumOf(t.args[0]), s.in.sumOf(t.args[1]), ^uint64(0))
		more, ok := s.in.pieces(d, 0)
		if !ok {
			return nil, false
		}
		facts = append(facts, more...)
		facts = append(facts, d)
	}
	return facts, true
}

// ranges are those that the conjunction says of terms.
func (s *settled) ranges() map[*Term]span {
	out := map[*Term]span{}
	narrow := func(t *Term, low, high uint64) {
		old, ok := out[t]
		if !ok {
			old = s.in.span(t)
		}
		out[t] = span{max(old.low, low), min(old.high, high)}
	}
	for _, t := range s.terms {
		if t.op == OpNot && (t.args[0].op == OpULt || t.args[0].op == OpULe) { // b <= a, b < a
			x := t.args[0]
			t = &Term{op: OpULt + OpULe - x.op, args: []*Term{x.args[1], x.args[0]}}
		}
		if t.op != OpULt && t.op != OpULe {
			continue
		}
		a, b := t.args[0], t.args[1]
		strict := truth(t.op == OpULt)
		if x := s.in.span(b); x.high >= strict {
			narrow(a, 0, x.high-strict)
		}
		if x := s.in.span(a); x.low+strict >= x.low {
			narrow(b, x.low+strict, ^uint64(0))
		}
	}
	return out
}

// pieces takes a sum that is 0 apart: atoms with large factors, and a rest
// whose range has only one of the multiples of what divides those, are each
// known. ok is false where there is none.
func (in *Interner) pieces(d sum, depth int) (out []sum, ok bool) {
	low, high, known := in.reach(d)
	if !known || d.width <= 62 && (low <= -1<<d.width || high >= 1<<d.width) {
		return nil, true
	}
	if low > 0 || high < 0 {
		return nil, false
	}
	g := d.divisor()
	if c := signed(d.constant, d.width); len(d.atoms) == 0 || c%g != 0 {
		return nil, len(d.atoms) == 0 && d.constant == 0
	}
	if depth > 0 {
		out = append(out, d.over(g))
	}
	factor := func(i int) int64 { return abs(signed(d.factors[i], d.width)) }
	order := make([]int, len(d.atoms))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(factor(j), factor(i)) })
	for k := 1; k < len(order); k++ {
		if factor(order[k]) == factor(order[k-1]) {
			continue
		}
		large, small := d.only(order[:k]), d.only(order[k:])
		small.constant = d.constant
		g := large.divisor()
		low, high, _ := in.reach(small)
		m := ceil(low, g)
		if m > high {
			return nil, false
		}
		if m+g > high { // the only one
			large.constant = uint64(m) & mask(d.width)
			small.constant = uint64(signed(small.constant, d.width)-m) & mask(d.width)
			for _, part := range []sum{large, small} {
				more, ok := in.pieces(part, depth+1)
				if !ok {
					return nil, false
				}
				out = append(out, more...)
			}
			return out, true
		}
	}
	return out, true
}

// ceil is the least multiple of g that is at least x.
func ceil(x, g int64) int64 {
	m := x / g * g
	if m < x {
		m += g
	}
	return m
}

// only is the sum of some of the atoms, in their order.
func (s sum) only(which []int) sum {
	which = slices.Sorted(slices.Values(which))
	out := sum{width: s.width}
	for _, i := range which {
		out.atoms, out.factors = append(out.atoms, s.atoms[i]), append(out.factors, s.factors[i])
	}
	return out
}

// complete gives the variables that are gone their values.
func (s *settled) complete(m Model) {
	for i := len(s.given) - 1; i >= 0; i-- {
		m[s.given[i].v.name] = Eval(s.given[i].is, m)
	}
}
