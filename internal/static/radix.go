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
	// positive are polynomials that are at least 1 for each of the two threads.
	positive [2][]solve.Polynomial
	// assume allows radices that nothing is known of: those that were taken are
	// in assumed.
	assume  bool
	assumed []string
	steps   int
}

// mostRadixSteps bounds the splits that are tried in one question.
const mostRadixSteps = 2000

// ownPrefix marks the variables that each thread has for itself.
const ownPrefix = "~"

// digitsDiffer tries to prove that the two threads of the question do not
// overlap. Where that takes a parameter to be greater than what it separates, as
// a row's length is, need is what it takes so.
func (q *query) digitsDiffer() (proved bool, need []Need) {
	for _, assume := range []bool{false, true} {
		r := &radix{q: q, assume: assume}
		a, b, ok := r.addresses()
		if !ok {
			return false, nil
		}
		r.conditions()
		if r.apart(a, b) {
			return true, r.needs()
		}
	}
	return false, nil
}

// needs are the parameters that were assumed to be large enough.
func (r *radix) needs() (out []Need) {
	for _, name := range r.assumed {
		if p, ok := partOf(name); ok {
			out = append(out, Need{NeedsParam, p})
		} else {
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
	return p.Substitute(func(name string) (solve.Polynomial, bool) {
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
	for _, t := range all {
		if p, ok := solve.Positive(t); ok {
			r.hold(p)
		}
	}
	for _, t := range all {
		round, others, ok := solve.UnlessZero(t)
		for _, o := range others {
			if p, positive := solve.Positive(o); ok && positive && r.holdsFirst(p, round) {
				r.hold(p)
			}
		}
	}
}

// hold notes a polynomial that is at least 1.
func (r *radix) hold(p solve.Polynomial) {
	for i := range r.positive {
		r.positive[i] = append(r.positive[i], r.own(i, p))
	}
}

// holdsFirst reports that a polynomial is at least 1 in a loop's first round, for
// which a condition before the loop is.
func (r *radix) holdsFirst(p solve.Polynomial, round string) bool {
	p = p.Substitute(func(name string) (solve.Polynomial, bool) { return nil, name == round })
	for i := range r.positive {
		first := r.own(i, p)
		if slices.ContainsFunc(r.positive[i], func(k solve.Polynomial) bool { return maps.Equal(first, k) }) {
			return true
		}
	}
	return false
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

// oneThread reports that threads with equal coordinates are one: that the
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

// positiveSum reports a sum that is at least 1, or at most -1.
func (r *radix) positiveSum(p solve.Polynomial) bool {
	minus := solve.Polynomial{}.Plus(p, -1)
	return p[""] != 0 && (r.nonNegative(p) || r.nonNegative(minus))
}

// nonZero reports a product of extents, or by assumption of parameters.
func (r *radix) nonZero(m solve.Monomial) bool {
	for _, f := range m.Factors() {
		if !isExtent(f) && !r.suppose(f) {
			return false
		}
	}
	return true
}

// nonNegative reports a sum of products of coordinates, rounds and extents, which
// are not negative, and, by assumption, of parameters.
func (r *radix) nonNegative(p solve.Polynomial) bool {
	return made(p, func(f string) bool { return counts(f) || r.suppose(f) })
}

// made reports a sum, without subtractions, of products of certain factors.
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
	if !r.assume || !strings.HasPrefix(name, paramPrefix) && !strings.HasPrefix(name, dataPrefix) {
		return false
	}
	if !slices.Contains(r.assumed, name) {
		r.assumed = append(r.assumed, name)
	}
	return true
}

// positiveHere reports a variable that a condition bounds to be greater
// than something that is not negative: n, where i < n.
func (r *radix) positiveHere(name string) bool {
	for _, k := range r.positive[0] {
		if k[solve.Monomial(name)] != 1 {
			continue
		}
		below := solve.Polynomial{solve.Monomial(name): 1}.Plus(k, -1)
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
	}
	never1, equal1 := r.meet(da, db)
	never2, equal2 := r.meet(qa, qb)
	return never1 || never2, append(equal1, equal2...)
}

// guarded reports that a condition compares a rest with the radix, which is then
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

// balance moves what two sums have in common out of both, and makes what is
// shared positive.
func balance(a, b solve.Polynomial) (solve.Polynomial, solve.Polynomial) {
	a, b = a.Plus(nil, 0), b.Plus(nil, 0)
	difference := a.Plus(b, -1)
	for _, p := range []solve.Polynomial{a, b} {
		for m := range p {
			if _, own := split(m); len(own) == 0 {
				delete(p, m)
			}
		}
	}
	for m, c := range difference {
		if _, own := split(m); len(own) > 0 {
			continue
		}
		if c > 0 {
			a[m] = c
		} else {
			b[m] = -c
		}
	}
	if falls(a) && falls(b) {
		a, b = solve.Polynomial{}.Plus(b, -1), solve.Polynomial{}.Plus(a, -1)
	}
	return a, b
}

// falls reports that no own variable is added.
func falls(p solve.Polynomial) bool {
	some := false
	for m, c := range p {
		if _, own := split(m); len(own) == 0 {
			continue
		}
		if some = true; c > 0 {
			return false
		}
	}
	return some
}

// split separates the shared and the own variables of a product.
func split(m solve.Monomial) (shared solve.Monomial, own []string) {
	var rest []string
	for _, f := range m.Factors() {
		if strings.HasPrefix(f, ownPrefix) {
			own = append(own, f)
		} else {
			rest = append(rest, f)
		}
	}
	return solve.Product(rest...), own
}

func hasOwn(p solve.Polynomial) bool {
	for m := range p {
		if _, own := split(m); len(own) > 0 {
			return true
		}
	}
	return false
}

// variable is the own variable that a sum is.
func variable(p solve.Polynomial) (name string, ok bool) {
	if len(p) != 1 {
		return "", false
	}
	_, own := split(p.Monomials()[0])
	return strings.Join(own, ""), len(own) == 1 && solve.Monomial(own[0]) == p.Monomials()[0]
}

// content is what all parts of both sums are multiples of, own variables left out.
func content(a, b solve.Polynomial) (common solve.Monomial, scale int64) {
	first := true
	for _, p := range []solve.Polynomial{a, b} {
		for _, m := range p.Monomials() {
			scale = gcd(scale, p[m])
			of, _ := split(m)
			if !first {
				of = shared(common, of)
			}
			common, first = of, false
		}
	}
	return common, max(scale, 1)
}

// shared is the product of the factors that both have.
func shared(m, n solve.Monomial) solve.Monomial {
	var both []string
	rest := n.Factors()
	for _, f := range m.Factors() {
		if i := slices.Index(rest, f); i >= 0 {
			both, rest = append(both, f), slices.Delete(rest, i, i+1)
		}
	}
	return solve.Product(both...)
}

// quotient divides by what content returns. The constant is rounded down.
func quotient(p solve.Polynomial, by solve.Monomial, scale int64) solve.Polynomial {
	out := solve.Polynomial{}
	for m, c := range p {
		q, ok := m.Over(by)
		if c = (c - floorMod(c, scale)) / scale; ok && c != 0 {
			out[q] = c
		}
	}
	return out
}

// divide takes the multiples of a radix, divided by it, and the rest apart.
func divide(p solve.Polynomial, by term) (multiples, rest solve.Polynomial) {
	multiples, rest = solve.Polynomial{}, solve.Polynomial{}
	for m, c := range p {
		q, ok := m.Over(by.of)
		left := c
		if ok && (m == "" || c%by.times == 0) {
			left = floorMod(c, by.times)
			multiples = multiples.Plus(solve.Polynomial{q: (c - left) / by.times}, 1)
		}
		rest = rest.Plus(solve.Polynomial{m: left}, 1)
	}
	return multiples, rest
}

// factors are the coefficients of a sum, each once, 1 among them.
func factors(p solve.Polynomial) []int64 {
	out := []int64{1}
	for _, m := range p.Monomials() {
		if c := p[m]; c > 1 && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// floorMod is a modulo n, which is positive, without a sign.
func floorMod(a, n int64) int64 { return (a%n + n) % n }
