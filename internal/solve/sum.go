package solve

import "math/bits"

// sum is a bit-vector as a sum of atoms with factors, and a constant, modulo
// its width: each atom is there once, in the order of the interner's numbers.
type sum struct {
	width    Sort
	atoms    []*Term
	factors  []uint64
	constant uint64
}

// mostAtoms bounds sums: longer ones stay as they are written.
const mostAtoms = 24

// sumOf is an interned term as a sum, perhaps of itself alone.
func (in *Interner) sumOf(t *Term) sum {
	if t.op == OpConst {
		return sum{width: t.sort, constant: t.value}
	}
	if s, ok := in.sums[t]; ok {
		return s
	}
	return sum{width: t.sort, atoms: []*Term{t}, factors: []uint64{1}}
}

// plus is s + factor * o.
func (in *Interner) plus(s, o sum, factor uint64) sum {
	m := mask(s.width)
	out := sum{width: s.width, constant: (s.constant + factor*o.constant) & m}
	i, j := 0, 0
	for i < len(s.atoms) || j < len(o.atoms) {
		var a *Term
		var f uint64
		switch {
		case j == len(o.atoms) || i < len(s.atoms) && in.number[s.atoms[i]] < in.number[o.atoms[j]]:
			a, f = s.atoms[i], s.factors[i]
			i++
		case i == len(s.atoms) || in.number[o.atoms[j]] < in.number[s.atoms[i]]:
			a, f = o.atoms[j], factor*o.factors[j]
			j++
		default:
			a, f = s.atoms[i], s.factors[i]+factor*o.factors[j]
			i, j = i+1, j+1
		}
		if f &= m; f != 0 {
			out.atoms, out.factors = append(out.atoms, a), append(out.factors, f)
		}
	}
	return out
}

// times is factor * s.
func (in *Interner) times(s sum, factor uint64) sum {
	return in.plus(sum{width: s.width}, s, factor)
}

// resized is the sum of the atoms made wider or narrower, whose factors are
// numbers with a sign. Narrower ones are the same modulo the width; for wider
// ones the sum must not wrap around.
func (in *Interner) resized(s sum, width Sort, resize func(*Term) *Term) sum {
	out := sum{width: width, constant: uint64(signed(s.constant, s.width)) & mask(width)}
	for i, a := range s.atoms {
		out = in.plus(out, in.sumOf(resize(a)), uint64(signed(s.factors[i], s.width)))
	}
	return out
}

// term makes the interned term of a sum.
func (in *Interner) term(s sum) *Term {
	if len(s.atoms) == 0 {
		return in.constant(s.constant, s.width)
	}
	var t *Term
	for i, a := range s.atoms {
		if s.factors[i] != 1 {
			a = in.put(&Term{op: OpMul, sort: s.width, args: []*Term{a, in.constant(s.factors[i], s.width)}})
			in.note(a, sum{width: s.width, atoms: s.atoms[i : i+1], factors: s.factors[i : i+1]})
		}
		if t == nil {
			t = a
			continue
		}
		t = in.put(&Term{op: OpAdd, sort: s.width, args: []*Term{t, a}})
		in.note(t, sum{width: s.width, atoms: s.atoms[:i+1], factors: s.factors[:i+1]})
	}
	if s.constant != 0 {
		t = in.put(&Term{op: OpAdd, sort: s.width, args: []*Term{t, in.constant(s.constant, s.width)}})
		in.note(t, s)
	}
	return t
}

// note remembers a term's sum.
func (in *Interner) note(t *Term, s sum) {
	if _, ok := in.sums[t]; !ok {
		in.sums[t] = s
		in.spans[t] = in.sumSpan(s).or(in.spans[t])
	}
}

// reach is the range of a sum over the integers: factors and the constant are
// taken with their signs, atoms without but for those of negative. It is not
// known where it is beyond 62 bits.
func (in *Interner) reach(s sum) (low, high int64, ok bool) {
	low = signed(s.constant, s.width)
	high = low
	for i, a := range s.atoms {
		l, h, ok := in.scaled(a, signed(s.factors[i], s.width))
		if !ok {
			return 0, 0, false
		}
		if low, ok = addInt(low, l); !ok {
			return 0, 0, false
		}
		if high, ok = addInt(high, h); !ok {
			return 0, 0, false
		}
	}
	return low, high, true
}

// negative reports whether a is an atom that is taken with its sign: one that has been
// extended with it.
func (in *Interner) negative(a *Term) bool {
	return a.op == OpSignExt && in.span(a).high > mask(a.sort)>>1
}

// scaled is the range of an atom times a factor.
func (in *Interner) scaled(a *Term, factor int64) (low, high int64, ok bool) {
	var ok1, ok2 bool
	if in.negative(a) {
		l, h := in.signedSpan(a.args[0])
		if low, ok1 = mulInt(uint64(abs(l)), factor); l < 0 {
			low = -low
		}
		if high, ok2 = mulInt(uint64(abs(h)), factor); h < 0 {
			high = -high
		}
	} else {
		s := in.span(a)
		low, ok1 = mulInt(s.low, factor)
		high, ok2 = mulInt(s.high, factor)
	}
	return min(low, high), max(low, high), ok1 && ok2
}

const mostInt = 1 << 62

func mulInt(a uint64, factor int64) (int64, bool) {
	over, p := bits.Mul64(a, uint64(abs(factor)))
	if over != 0 || p >= mostInt {
		return 0, false
	}
	if factor < 0 {
		return -int64(p), true
	}
	return int64(p), true
}

func addInt(a, b int64) (int64, bool) {
	c := a + b
	return c, -mostInt < c && c < mostInt
}

// split takes a sum apart into the atoms whose factors n divides, divided by
// n, and the rest, if the sum does not wrap around and the rest lies in
// [0, n): then the first is the quotient and the second the remainder.
func (in *Interner) split(s sum, n uint64) (quotient, rest sum, ok bool) {
	low, high, known := in.reach(s)
	if !known || n == 0 || n >= mostInt || low < 0 || s.width < 64 && uint64(high) > mask(s.width) {
		return quotient, rest, false
	}
	quotient, rest = sum{width: s.width}, sum{width: s.width}
	for i, a := range s.atoms {
		f := signed(s.factors[i], s.width)
		if f%int64(n) == 0 {
			quotient.atoms, quotient.factors = append(quotient.atoms, a), append(quotient.factors, uint64(f/int64(n))&mask(s.width))
		} else {
			rest.atoms, rest.factors = append(rest.atoms, a), append(rest.factors, s.factors[i])
		}
	}
	c := signed(s.constant, s.width)
	r := ((c % int64(n)) + int64(n)) % int64(n)
	quotient.constant, rest.constant = uint64((c-r)/int64(n))&mask(s.width), uint64(r)
	low, high, known = in.reach(rest)
	return quotient, rest, known && low >= 0 && uint64(high) < n
}
