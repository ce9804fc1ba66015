package static

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/solve"
)

// An index "y*w + x" of an array of w*h elements multiplies variables, which z3 turns into gates. That it is within the
// array follows from the conditions x < w and y < h by arithmetic: w*h - (y*w + x) - 1 is w*(h - y - 1) + (w - x - 1).

// within proves that an access is within an array by the conditions that bring a thread there.
type within struct {
	// least are polynomials that are not negative.
	least    []solve.Polynomial
	positive []solve.Polynomial
	steps    int
}

// mostWithinSteps bounds the replacements that are tried for one access.
const mostWithinSteps = 400

// surelyWithin reports whether the bytes from offset on, as many as the access has, are bytes of the array where these
// conditions hold. Index arithmetic is taken not to overflow.
func (c *raceCheck) surelyWithin(offset, size *solve.Term, bytes int64, conditions []*solve.Term) bool {
	at, ok1 := solve.PolynomialOf(offset)
	all, ok2 := solve.PolynomialOf(size)
	if !ok1 || !ok2 || solve.WidensDifference(offset) {
		return false
	}
	given := c.shape.launch.facts
	own := func(p solve.Polynomial) solve.Polynomial { return c.ofThread(given.canonical(p)) }
	w := &within{positive: positives(solve.Literals(conditions...), own)}
	for _, p := range w.positive {
		w.least = append(w.least, p.Plus(solve.Constant(1), -1))
	}
	at = own(at)
	room := given.canonical(all).Plus(at, -1).Plus(solve.Constant(bytes), -1)
	return w.notNegative(at) && w.notNegative(room)
}

// ofThread gives the variables of the thread the names of a thread's own.
func (c *raceCheck) ofThread(p solve.Polynomial) solve.Polynomial {
	thread := c.one[0].name + "."
	return p.Substitute(func(name string) (solve.Polynomial, bool) {
		rest, ok := strings.CutPrefix(name, thread)
		return solve.Polynomial{solve.Monomial(ownPrefix + rest): 1}, ok
	})
}

// notNegative proves that p is at least 0: that it is a sum of products of what is not negative. Each product that is
// subtracted is taken away with a multiple of a condition that has a factor of it.
func (w *within) notNegative(p solve.Polynomial) bool {
	if w.steps++; w.steps > mostWithinSteps {
		return false
	}
	m, ok := subtracted(p)
	if !ok {
		return made(p, w.factor)
	}
	for _, k := range w.least {
		for _, of := range k.Monomials() {
			c := k[of]
			rest, divides := m.Over(of)
			if c >= 0 || of == "" || !divides || p[m]%c != 0 || !made(solve.Polynomial{rest: 1}, w.factor) {
				continue
			}
			times := solve.Polynomial{rest: p[m] / c}
			if w.notNegative(p.Plus(k.Times(times), -1)) {
				return true
			}
		}
	}
	return false
}

// subtracted is a product of variables that is subtracted, the largest one.
func subtracted(p solve.Polynomial) (most solve.Monomial, ok bool) {
	for _, m := range p.Monomials() {
		if p[m] < 0 && m != "" && (!ok || len(m.Factors()) > len(most.Factors())) {
			most, ok = m, true
		}
	}
	return most, ok
}

// factor reports whether name is not negative.
func (w *within) factor(name string) bool { return counts(name) || positiveBy(w.positive, name) }
