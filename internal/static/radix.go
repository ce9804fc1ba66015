package static

import (
	"maps"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/solve"
)

// radix proves that two threads do not meet, for extents and parameters that are
// not known. Z3 gives such questions up, as they multiply variables; people
// answer them at once: in "y*w + x" with x < w, y and x are the digits of a
// number to the radix w, so that equal addresses have equal digits. Reads as
// integers what the program computes modulo 2^32, as the bounds of unknown grids
// allow (mostBlocksX).
type radix struct {
	q *query
	// given is what host code computes the parameters from, if that is looked at.
	given facts
	// shifted are parameters that stand for their sum with a constant.
	shifted map[string]int64
	// positive are polynomials that are at least 1 for each of the two threads.
	positive [2][]solve.Polynomial
	// assume allows radices that nothing is known of: those that were taken are
	// in assumed.
	assume  bool
	assumed []string
	// mixed is set if a radix that was taken is the extent of another coordinate, and the rest has an extent of its own.
	mixed bool
	steps int
}

// mostRadixSteps bounds the splits that are tried in one question.
const mostRadixSteps = 2000

// ownPrefix marks the variables that each thread has for itself.
const ownPrefix = "~"

// digitsDiffer tries to prove that the two threads of the question do not
// overlap. Where that takes a parameter to be greater than what it separates, as
// a row's length is, need is what it takes so; mixed is set if that is the extent of another coordinate.
func (q *query) digitsDiffer() (proved bool, need []Need, mixed bool) {
	given := q.c.shape.launch.facts
	for _, r := range []*radix{{q: q}, {q: q, given: given}, {q: q, given: given, assume: true}} {
		a, b, ok := r.addresses()
		if !ok {
			return false, nil, false
		}
		for range 2 {
			r.conditions()
			if r.apart(a, b) {
				return true, r.needs(), r.mixed
			}
			if r.shift(a, b); r.shifted == nil {
				break
			}
			a, b, _ = r.addresses()
		}
	}
	return false, nil, false
}

// shift finds parameters of which the sum with a constant multiplies coordinates, as in "y * (w + 2) + x": that sum is the
// radix, and takes the parameter's name.
func (r *radix) shift(a, b solve.Polynomial) {
	r.shifted = nil
	for _, p := range []solve.Polynomial{a, b} {
		for _, m := range p.Monomials() {
			of, own := split(m)
			if len(own) == 0 {
				continue
			}
			for _, f := range of.Factors() {
				rest, _ := m.Over(solve.Monomial(f))
				if by := p[rest] / p[m]; by != 0 && p[rest]%p[m] == 0 && strings.HasPrefix(f, paramPrefix) {
					r.shifted = map[string]int64{f: by}
					return
				}
			}
		}
	}
}

// unshifted writes a polynomial with the sums in the place of their parameters.
func (r *radix) unshifted(p solve.Polynomial) solve.Polynomial {
	if r.shifted == nil {
		return p
	}
	return p.Substitute(func(name string) (solve.Polynomial, bool) {
		by, ok := r.shifted[name]
		return solve.Polynomial{solve.Monomial(name): 1, "": -by}, ok
	})
}

// needs are the parameters that were assumed to be large enough.
func (r *radix) needs() (out []Need) {
	for _, name := range r.assumed {
		switch p, ok := partOf(name); {
		case ok:
			out = append(out, Need{NeedsParam, p})
		case strings.HasPrefix(name, hostPrefix):
			out = append(out, Need{Kind: NeedsHost})
		default:
			out = append(out, Need{Kind: NeedsData})
		}
	}
	return sortNeeds(out)
}

// addresses are those of the two accesses, if they multiply variables: others
// are z3's.
func (r *radix) addresses() (a, b solve.Polynomial, ok bool) {
	var p [2]solve.Polynomial
	product := false
	for i := range p {
		x, ok := solve.PolynomialOf(r.q.address(i))
		if !ok {
			return nil, nil, false
		}
		p[i] = r.own(i, x)
		for m := range x {
			product = product || len(m.Factors()) > 1
		}
	}
	return p[0], p[1], product
}

// own gives the variables of a thread the same names in both.
func (r *radix) own(i int, p solve.Polynomial) solve.Polynomial {
	thread := r.q.enc[i].name + "."
	block, _, _ := strings.Cut(r.q.enc[i].thread.blockName(), "ctaid")
	return r.unshifted(r.given.canonical(p)).Substitute(func(name string) (solve.Polynomial, bool) {
		if rest, ok := strings.CutPrefix(name, thread); ok {
			return solve.Polynomial{solve.Monomial(ownPrefix + rest): 1}, true
		}
		if rest, ok := strings.CutPrefix(name, block); ok && block != "" {
			return solve.Polynomial{solve.Monomial(ownPrefix + rest): 1}, true
		}
		if strings.HasPrefix(name, opaquePrefix) { // of this thread alone
			return solve.Polynomial{solve.Monomial(ownPrefix + name): 1}, true
		}
		return nil, false
	})
}

// blockName is the name of a variable of the thread's block, "" where all are known.
func (t thread) blockName() string {
	for _, b := range t.block {
		if b.Name() != "" {
			return b.Name()
		}
	}
	return ""
}

// conditions collects what holds where each of the threads is.
func (r *radix) conditions() {
	all := solve.Literals(slices.Concat(r.q.terms, r.q.assumptions())...)
	for i := range r.positive {
		r.positive[i] = positives(all, func(p solve.Polynomial) solve.Polynomial { return r.own(i, p) })
	}
}

// positives are the polynomials that are at least 1 where all these conditions hold, in the names of one thread.
func positives(all []*solve.Term, own func(solve.Polynomial) solve.Polynomial) (out []solve.Polynomial) {
	for _, t := range all {
		if p, ok := solve.Positive(t); ok {
			out = append(out, own(p))
		}
	}
	for _, t := range all {
		round, others, ok := solve.UnlessZero(t)
		for _, o := range others {
			p, positive := solve.Positive(o)
			if !ok || !positive {
				continue
			}
			// In a loop's first round a condition before the loop holds.
			first := own(p.Substitute(func(name string) (solve.Polynomial, bool) { return nil, name == round }))
			if slices.ContainsFunc(out, func(k solve.Polynomial) bool { return maps.Equal(first, k) }) {
				out = append(out, own(p))
			}
		}
	}
	return out
}

// apart proves that accesses at these addresses do not overlap, or that they are
// of one thread.
func (r *radix) apart(a, b solve.Polynomial) bool {
	sizes := [2]int64{int64(r.q.p.A.Mem.Size()), int64(r.q.p.B.Mem.Size())}
	unit := int64(0)
	for _, p := range []solve.Polynomial{a, b} {
		for m, c := range p {
			if m != "" {
				unit = gcd(unit, c)
			}
		}
	}
	if unit == 0 || sizes[0] == 0 || sizes[1] == 0 {
		return false
	}
	x, y := floorMod(a[""], unit), floorMod(b[""], unit)
	if x+sizes[0] > unit || y+sizes[1] > unit {
		return false
	}
	if x+sizes[0] <= y || y+sizes[1] <= x { // different members of an element
		return true
	}
	a, b = quotient(a, "", unit), quotient(b, "", unit)
	never, equal := r.meet(a, b)
	return never || r.oneThread(equal)
}

// oneThread reports whether threads with equal coordinates are one: that the
// coordinates are all in which the two can differ.
func (r *radix) oneThread(equal []string) bool {
	what, one := ownPrefix+"tid.", r.q.c.shape.launch.Block
	if r.q.scope == interBlock {
		what, one = ownPrefix+"ctaid.", r.q.c.shape.launch.Grid
	}
	for i, x := range axes {
		if one[i] != 1 && !slices.Contains(equal, what+x) {
			return false
		}
	}
	return true
}

// meet looks at a = b, two sums of the threads' own variables and of those that
// they share: never reports that it cannot hold, equal are own variables that
// have one value in both threads where it does.
func (r *radix) meet(a, b solve.Polynomial) (never bool, equal []string) {
	if r.steps++; r.steps > mostRadixSteps {
		return false, nil
	}
	a, b = balance(a, b)
	common, scale := content(a, b)
	if !r.nonZero(common) {
		common = ""
	}
	a, b = quotient(a, common, scale), quotient(b, common, scale)
	switch {
	case !hasOwn(a) && !hasOwn(b):
		return r.positiveSum(a.Plus(b, -1)), nil
	case len(b) == 0 && r.positiveSum(a) || len(a) == 0 && r.positiveSum(b):
		return true, nil
	}
	if v, single := variable(a); single && maps.Equal(a, b) {
		return false, []string{v}
	}
	for _, radix := range radices(a, b) {
		never, also := r.split(a, b, radix)
		if never {
			return true, nil
		}
		if len(also) > len(equal) {
			equal = also
		}
	}
	return false, equal
}

// positiveSum reports whether p is a sum that is at least 1, or at most -1.
func (r *radix) positiveSum(p solve.Polynomial) bool {
	minus := solve.Polynomial{}.Plus(p, -1)
	return p[""] != 0 && (r.nonNegative(p) || r.nonNegative(minus))
}

// nonZero reports whether m is a product of extents, or by assumption of parameters.
func (r *radix) nonZero(m solve.Monomial) bool {
	for _, f := range m.Factors() {
		if !isExtent(f) && !r.suppose(f) {
			return false
		}
	}
	return true
}

// nonNegative reports whether p is a sum of products of coordinates, rounds and extents, which
// are not negative, and, by assumption, of parameters.
func (r *radix) nonNegative(p solve.Polynomial) bool {
	return made(p, func(f string) bool { return counts(f) || r.suppose(f) })
}

// made reports whether p is a sum, without subtractions, of products of certain factors.
func made(p solve.Polynomial, of func(factor string) bool) bool {
	for _, m := range p.Monomials() {
		if p[m] < 0 {
			return false
		}
		for _, f := range m.Factors() {
			if !of(f) {
				return false
			}
		}
	}
	return true
}

// counts reports variables that are never negative: coordinates, extents and
// rounds of loops.
func counts(name string) bool {
	name = strings.TrimPrefix(name, ownPrefix)
	return isExtent(name) || strings.HasPrefix(name, "tid.") || strings.HasPrefix(name, "ctaid.") ||
		strings.HasPrefix(name, "round ") || strings.HasPrefix(name, "last ")
}

// isExtent reports one of the launch's, which is at least 1.
func isExtent(name string) bool {
	return strings.HasPrefix(name, "ntid.") || strings.HasPrefix(name, "nctaid.")
}

// suppose takes a parameter to be large enough, where that is allowed.
func (r *radix) suppose(name string) bool {
	return r.positiveHere(name) || r.take(name)
}

// take assumes something of a parameter, or of data that all threads share.
func (r *radix) take(name string) bool {
	if !r.assume || !strings.HasPrefix(name, paramPrefix) && !strings.HasPrefix(name, dataPrefix) && !strings.HasPrefix(name, hostPrefix) {
		return false
	}
	if !slices.Contains(r.assumed, name) {
		r.assumed = append(r.assumed, name)
	}
	return true
}

// positiveHere reports whether a condition bounds name to be greater
// than something that is not negative.
func (r *radix) positiveHere(name string) bool { return positiveBy(r.positive[0], name) }

// positiveBy reports whether a variable is at least 1 where these polynomials are, as n is where n - i is.
func positiveBy(positive []solve.Polynomial, name string) bool {
	for _, k := range positive {
		n := k[solve.Monomial(name)]
		if n < 1 {
			continue
		}
		below := solve.Polynomial{solve.Monomial(name): n}.Plus(k, -1)
		if made(below, counts) {
			return true
		}
	}
	return false
}

// term is a coefficient with its product: a radix that is tried.
type term struct {
	of    solve.Monomial
	times int64
}

// radices are what the own variables are multiplied by, the longest product first.
func radices(a, b solve.Polynomial) (out []term) {
	for _, p := range []solve.Polynomial{a, b} {
		for _, m := range p.Monomials() {
			shared, own := split(m)
			t := term{shared, max(p[m], -p[m])}
			if len(own) > 0 && (t.of != "" || t.times > 1) && !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	slices.SortStableFunc(out, func(x, y term) int {
		if n := len(y.of.Factors()) - len(x.of.Factors()); n != 0 {
			return n
		}
		return int(min(max(y.times-x.times, -1), 1))
	})
	return out
}

// split takes both sums apart into multiples of a radix and a rest that is below
// it: they are equal where the two quotients and the two rests are.
func (r *radix) split(a, b solve.Polynomial, radix term) (never bool, equal []string) {
	qa, da := divide(a, radix)
	qb, db := divide(b, radix)
	if len(qa)+len(qb) == 0 || len(da)+len(db) == 0 {
		return false, nil
	}
	if falls(da) && falls(db) { // counted down
		da, db = solve.Polynomial{}.Plus(da, -1), solve.Polynomial{}.Plus(db, -1)
	}
	if !r.nonNegative(da) || !r.nonNegative(db) {
		return false, nil
	}
	if !r.below(0, da, radix) || !r.below(1, db, radix) {
		f := radix.of.Factors()
		if len(f) != 1 || !made(da, counts) || !made(db, counts) || r.guarded(f[0], da, db) || !r.take(f[0]) {
			return false, nil
		}
		r.mixed = r.mixed || r.bounds(f[0]) && r.limited(0, da) && r.limited(1, db)
	}
	never1, equal1 := r.meet(da, db)
	never2, equal2 := r.meet(qa, qb)
	return never1 || never2, append(equal1, equal2...)
}

// guarded reports whether a condition compares a rest with the radix, which is then
// as large as the program wants it.
func (r *radix) guarded(radix string, rests ...solve.Polynomial) bool {
	for i, rest := range rests {
		for _, k := range r.positive[i] {
			_, bound := k[solve.Monomial(radix)]
			for m := range rest {
				if _, own := split(m); bound && len(own) > 0 && k[m] != 0 {
					return true
				}
			}
		}
	}
	return false
}

// bounds reports whether a condition compares a radix with a coordinate.
func (r *radix) bounds(radix string) bool {
	return slices.ContainsFunc(r.positive[0], func(k solve.Polynomial) bool { return k[solve.Monomial(radix)] > 0 && hasOwn(k) })
}

// limited reports whether a condition compares a rest with a parameter.
func (r *radix) limited(i int, rest solve.Polynomial) bool {
	return slices.ContainsFunc(r.positive[i], func(k solve.Polynomial) bool {
		shares, param := false, false
		for m := range k {
			_, own := split(m)
			_, in := rest[m]
			shares = shares || len(own) > 0 && in
			for _, f := range m.Factors() {
				_, is := partOf(f)
				param = param || is
			}
		}
		return shares && param
	})
}

// below proves that a rest, which is not negative, is smaller than the radix.
func (r *radix) below(i int, rest solve.Polynomial, radix term) bool {
	room := solve.Polynomial{radix.of: radix.times}.Plus(rest, -1).Plus(solve.Constant(1), -1)
	if r.nonNegative(r.bounded(room)) {
		return true
	}
	for _, k := range r.positive[i] {
		for _, n := range factors(rest) {
			if r.nonNegative(r.bounded(room.Plus(k, -n).Plus(solve.Constant(1), 1))) {
				return true
			}
		}
	}
	return false
}

// bounded replaces own variables, where they are subtracted, by the largest
// values that they can have, and extents by one more than a number that is not
// negative.
func (r *radix) bounded(p solve.Polynomial) solve.Polynomial {
	out := solve.Polynomial{}
	for _, m := range p.Monomials() {
		one := solve.Polynomial{m: p[m]}
		if p[m] < 0 {
			one = one.Substitute(r.largest)
		}
		out = out.Plus(one, 1)
	}
	return out.Substitute(func(name string) (solve.Polynomial, bool) {
		return solve.Polynomial{solve.Monomial(name): 1, "": 1}, isExtent(name)
	})
}

// largest is what a coordinate never exceeds.
func (r *radix) largest(name string) (solve.Polynomial, bool) {
	s := r.q.c.shape
	for i, x := range axes {
		extent := s.ntid[i]
		switch strings.TrimPrefix(name, ownPrefix) {
		case "ctaid." + x:
			extent = s.grid[i]
		case "tid." + x:
		default:
			continue
		}
		p, ok := solve.PolynomialOf(extent)
		if !ok {
			return nil, false
		}
		return p.Plus(solve.Constant(1), -1), true
	}
	return nil, false
}
