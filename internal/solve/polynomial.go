package solve

import (
	"maps"
	"slices"
	"strings"
)

// Polynomial is a bit-vector term read as a polynomial over the integers: the
// coefficient of each product of variables. It equals the term wherever no
// intermediate result wraps around and values that are compared or widened as
// unsigned are not negative.
type Polynomial map[Monomial]int64

// Monomial is a product of variables: their names in order, each as often as it
// is a factor. "" is the product of none.
type Monomial string

const monomialSeparator = "\x00"

// Product returns the monomial of the variables with these names.
func Product(names ...string) Monomial {
	names = slices.Clone(names)
	slices.Sort(names)
	return Monomial(strings.Join(names, monomialSeparator))
}

// Factors returns the names of a monomial's variables.
func (m Monomial) Factors() []string {
	if m == "" {
		return nil
	}
	return strings.Split(string(m), monomialSeparator)
}

// Over divides m by n; ok is false where n has a factor that m lacks.
func (m Monomial) Over(n Monomial) (q Monomial, ok bool) {
	rest := m.Factors()
	for _, f := range n.Factors() {
		i := slices.Index(rest, f)
		if i < 0 {
			return "", false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return Product(rest...), true
}

// The bounds of a polynomial: larger ones are not computed with.
const (
	mostCoefficient = 1 << 40
	mostMonomials   = 64
	// leastWidth is the width in bits of arithmetic that is taken not to wrap around.
	leastWidth = 32
)

// PolynomialOf returns t as a polynomial of its variables; ok is false for terms
// with other operations than sums, products, shifts by constants and changes of
// width.
func PolynomialOf(t *Term) (p Polynomial, ok bool) {
	return polynomial(t, map[*Term]Polynomial{})
}

func polynomial(t *Term, done map[*Term]Polynomial) (p Polynomial, ok bool) {
	if p, ok = done[t]; ok {
		return p, p != nil
	}
	done[t] = nil
	switch t.op {
	case OpConst:
		p = Constant(signed(t.value, t.sort))
	case OpVar:
		p = Polynomial{Monomial(t.name): 1}
	case OpZeroExt, OpSignExt:
		p, _ = polynomial(t.args[0], done)
	case OpExtract:
		if t.low == 0 && t.sort >= leastWidth {
			p, _ = polynomial(t.args[0], done)
		}
	case OpAdd, OpSub, OpMul, OpShl:
		if t.sort >= leastWidth {
			p = combined(t, done)
		}
	case OpBitAnd:
		if keepsWord(t) {
			p, _ = polynomial(t.args[0], done)
		}
	}
	if p == nil || !p.bounded() {
		return nil, false
	}
	done[t] = p
	return p, true
}

// keepsWord reports whether t is a mask that leaves at least a word of what it is applied to: so compilers write a product of 32 bits
// that is widened.
func keepsWord(t *Term) bool {
	m, ok := t.args[1].Constant()
	m |= AlignedTo(t.args[0]) - 1
	return ok && m&(m+1) == 0 && m>>(leastWidth-1) != 0
}

func combined(t *Term, done map[*Term]Polynomial) Polynomial {
	a, ok := polynomial(t.args[0], done)
	b, ok2 := polynomial(t.args[1], done)
	if !ok || !ok2 {
		return nil
	}
	switch t.op {
	case OpAdd:
		return a.Plus(b, 1)
	case OpSub:
		return a.Plus(b, -1)
	case OpMul:
		return a.Times(b)
	}
	if by, ok := t.args[1].Constant(); ok && by < 32 {
		return a.Times(Constant(1 << by))
	}
	return nil
}

func (p Polynomial) bounded() bool {
	for _, c := range p {
		if c >= mostCoefficient || c <= -mostCoefficient {
			return false
		}
	}
	return len(p) <= mostMonomials
}

// Constant returns the polynomial of a number.
func Constant(c int64) Polynomial {
	if c == 0 {
		return Polynomial{}
	}
	return Polynomial{"": c}
}

// Plus returns p + factor*q.
func (p Polynomial) Plus(q Polynomial, factor int64) Polynomial {
	out := maps.Clone(p)
	for m, c := range q {
		if out[m] += factor * c; out[m] == 0 {
			delete(out, m)
		}
	}
	return out
}

// Times returns p*q.
func (p Polynomial) Times(q Polynomial) Polynomial {
	out := Polynomial{}
	for m, c := range p {
		for n, d := range q {
			mn := Product(append(m.Factors(), n.Factors()...)...)
			if out[mn] += c * d; out[mn] == 0 {
				delete(out, mn)
			}
		}
	}
	return out
}

// Substitute replaces each variable for which by returns a polynomial.
func (p Polynomial) Substitute(by func(name string) (Polynomial, bool)) Polynomial {
	out := Polynomial{}
	for _, m := range p.Monomials() {
		product := Constant(p[m])
		for _, f := range m.Factors() {
			x, ok := by(f)
			if !ok {
				x = Polynomial{Monomial(f): 1}
			}
			product = product.Times(x)
		}
		out = out.Plus(product, 1)
	}
	return out
}

// Monomials returns the monomials in a fixed order.
func (p Polynomial) Monomials() []Monomial { return slices.Sorted(maps.Keys(p)) }

// WidensDifference reports whether t is a term in which a difference, which may be negative, is widened as an unsigned number: read as
// a polynomial it is another one there.
func WidensDifference(t *Term) bool {
	for _, x := range postorder(t) {
		if x.op != OpZeroExt {
			continue
		}
		if p, ok := PolynomialOf(x.args[0]); !ok || p.falls() {
			return true
		}
	}
	return false
}

// Literals takes conditions apart into those that all hold.
func Literals(ts ...*Term) (out []*Term) {
	for _, t := range ts {
		switch {
		case t.op == OpAnd:
			out = append(out, Literals(t.args...)...)
		case t.op == OpNot && t.args[0].op == OpOr:
			for _, a := range t.args[0].args {
				out = append(out, Literals(Not(a))...)
			}
		default:
			if both := bothSides(t); both != nil {
				out = append(out, Literals(both...)...)
			} else {
				out = append(out, t)
			}
		}
	}
	return out
}

// bothSides takes apart a comparison of a maximum that is below something, or of a minimum that is above it: it holds for
// both values. Compilers make one comparison with n of "x < n && y < n". nil for other terms.
func bothSides(t *Term) []*Term {
	compared, small := t, 0
	if t.op == OpNot {
		compared, small = t.args[0], 1
	}
	if op := compared.op; op != OpSLt && op != OpSLe && op != OpULt && op != OpULe {
		return nil
	}
	for i, x := range compared.args {
		low, high, ok := extremes(x, compared.op == OpULt || compared.op == OpULe)
		if !ok || x.args[1] != high && i == small || x.args[1] != low && i != small {
			continue
		}
		var out []*Term
		for _, a := range x.args[1:] {
			args := slices.Clone(compared.args)
			args[i] = a
			c := make1(compared.op, Bool, 0, args...)
			if t.op == OpNot {
				c = Not(c)
			}
			out = append(out, c)
		}
		return out
	}
	return nil
}

// extremes are the values that a choice compares, the one that it finds to be less first, if the choice is one of them.
// The comparison has to be without signs if that is asked for; one without signs is as good as one with them where no
// value is negative.
func extremes(t *Term, unsigned bool) (low, high *Term, ok bool) {
	if t.op != OpIte || t.sort == Bool {
		return nil, nil, false
	}
	c, not := t.args[0], false
	if c.op == OpNot {
		c, not = c.args[0], true
	}
	if len(c.args) != 2 || c.op == OpEq || (c.op == OpULt || c.op == OpULe) != unsigned && (unsigned || !rises(t.args[1]) || !rises(t.args[2])) {
		return nil, nil, false
	}
	low, high = c.args[0], c.args[1]
	if not {
		low, high = high, low
	}
	same := low == t.args[1] && high == t.args[2] || low == t.args[2] && high == t.args[1]
	return low, high, same
}

// rises reports whether t is a sum of products without subtractions.
func rises(t *Term) bool {
	p, ok := PolynomialOf(t)
	return ok && !p.falls()
}

// UnlessZero takes apart a condition that a variable is 0 or others hold.
func UnlessZero(t *Term) (variable string, others []*Term, ok bool) {
	if t.op != OpOr || len(t.args) != 2 {
		return "", nil, false
	}
	for i, a := range t.args {
		if a.op == OpEq && a.args[0].op == OpVar && zero(a.args[1]) {
			return a.args[0].name, Literals(t.args[1-i]), true
		}
	}
	return "", nil, false
}

// Positive returns a polynomial that is at least 1 where the comparison t holds;
// ok is false for other terms.
func Positive(t *Term) (p Polynomial, ok bool) {
	not := t.op == OpNot
	if not {
		t = t.args[0]
	}
	strict, unsigned := t.op == OpSLt || t.op == OpULt, t.op == OpULt || t.op == OpULe
	if !strict && t.op != OpSLe && t.op != OpULe {
		return nil, false
	}
	x, ok1 := PolynomialOf(t.args[0])
	y, ok2 := PolynomialOf(t.args[1])
	// An unsigned x >= y also holds for an x below 0.
	if !ok1 || !ok2 || unsigned && (y.falls() || not && x.falls()) {
		return nil, false
	}
	p = y.Plus(x, -1) // x < y
	if not {
		p, strict = x.Plus(y, -1), !strict // y < x or y <= x
	}
	if !strict {
		p = p.Plus(Constant(1), 1)
	}
	return p, true
}

// falls reports whether p is a polynomial with a negative coefficient.
func (p Polynomial) falls() bool {
	for _, c := range p {
		if c < 0 {
			return true
		}
	}
	return false
}

// Multiplied returns the names of the variables that are factors of products with
// other variables, or are widened or summed up first. A choice between a value and
// 0 is such a product.
func Multiplied(ts ...*Term) map[string]bool {
	out, seen := map[string]bool{}, map[*Term]bool{}
	var factor func(t *Term)
	factor = func(t *Term) {
		switch t.op {
		case OpVar:
			out[t.name] = true
		case OpZeroExt, OpSignExt, OpExtract, OpAdd, OpSub, OpMul:
			for _, a := range t.args {
				factor(a)
			}
		}
	}
	var visit func(t *Term)
	visit = func(t *Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch {
		case t.op == OpMul && t.args[1].op != OpConst:
			factor(t.args[0])
			factor(t.args[1])
		case t.op == OpIte && t.sort != Bool && (zero(t.args[1]) || zero(t.args[2])): // times 0 or 1
			factor(t.args[1])
			factor(t.args[2])
		}
		for _, a := range t.args {
			visit(a)
		}
	}
	for _, t := range ts {
		visit(t)
	}
	return out
}

// Masks returns the names of the variables n of which n - 1, or 4*n - 1, is a mask: what
// is done with them has a meaning for powers of two.
func Masks(ts ...*Term) map[string]bool {
	out, seen := map[string]bool{}, map[*Term]bool{}
	var visit func(t *Term)
	visit = func(t *Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		for _, a := range t.args {
			if n := maskOf(a); n != nil && t.op == OpBitAnd && t.args[0].op != OpConst && t.args[1].op != OpConst {
				out[n.name] = true
			}
			visit(a)
		}
	}
	for _, t := range ts {
		visit(t)
	}
	return out
}

// maskOf is the variable n of n - 1, nil for other terms. Where only low bits count that is
// a sum with as many ones.
func maskOf(t *Term) *Term {
	if t.op != OpAdd || t.args[1].op != OpConst || t.args[1].value&(t.args[1].value+1)&mask(t.sort) != 0 || one(t.args[1]) {
		return nil
	}
	n := t.args[0]
	for (n.op == OpMul || n.op == OpShl || n.op == OpLShr) && n.args[1].op == OpConst {
		n = n.args[0]
	}
	if n.op != OpVar {
		return nil
	}
	return n
}
