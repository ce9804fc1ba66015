package static

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/solve"
)

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

// falls reports whether no own variable is added.
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
