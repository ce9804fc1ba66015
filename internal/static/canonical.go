package static

import (
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/solve"
)

// canonical writes a polynomial over the values that host code passes: parameters that it computes from one value, such
// as the width and the height of a square, become polynomials of that value. A value that a parameter has by itself is
// called by that parameter, the first one where there are several.
func (f facts) canonical(p solve.Polynomial) solve.Polynomial {
	if len(f.params) == 0 {
		return p
	}
	return p.Substitute(func(name string) (solve.Polynomial, bool) {
		part, bits, ok := partAndBits(name)
		if !ok {
			return f.passedAs(name)
		}
		t := f.param(part, bits)
		if t == nil {
			return nil, false
		}
		host, ok := solve.PolynomialOf(t)
		if !ok {
			return nil, false
		}
		return host.Substitute(f.passedAs), true
	})
}

// passedAs is the first parameter that a value of host code is passed as.
func (f facts) passedAs(name string) (solve.Polynomial, bool) {
	for _, p := range slices.SortedFunc(maps.Keys(f.params), Part.Compare) {
		t := f.params[p]
		if own, ok := solve.PolynomialOf(t); ok && maps.Equal(own, solve.Polynomial{solve.Monomial(name): 1}) {
			return solve.Polynomial{solve.Monomial(paramName(p, int(t.Sort()))): 1}, true
		}
	}
	return nil, false
}
