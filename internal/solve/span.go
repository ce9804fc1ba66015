package solve

import "math/bits"

// span is a range of a bit-vector without sign.
type span struct{ low, high uint64 }

// whole is all that a sort has.
func whole(s Sort) span { return span{0, varMask(s)} }

// span is the range of an interned term, whatever the variables are.
func (in *Interner) span(t *Term) span {
	if s, ok := in.within[t]; ok { // by the question at hand
		return s
	}
	if s, ok := in.spans[t]; ok {
		return s
	}
	return in.findSpan(t)
}

// or is the smaller of two ranges that both hold; the zero span stands for none.
func (s span) or(o span) span {
	if o == (span{}) {
		return s
	}
	out := span{max(s.low, o.low), min(s.high, o.high)}
	if out.low > out.high { // of what cannot be
		return s
	}
	return out
}

// sumSpan is the range of a sum that does not wrap around.
func (in *Interner) sumSpan(s sum) span {
	low, high, ok := in.reach(s)
	if !ok || low < 0 || uint64(high) > mask(s.width) {
		return whole(s.width)
	}
	return span{uint64(low), uint64(high)}
}

// findSpan is the range of a term by its operation and the arguments' ranges.
func (in *Interner) findSpan(t *Term) span {
	all := whole(t.sort)
	if t.sort < 0 {
		return span{0, ^uint64(0)}
	}
	if t.op == OpConst {
		return span{t.value, t.value}
	}
	if t.op == OpVar {
		if t.most > 0 {
			return span{0, t.most}
		}
		return all
	}
	arg := func(i int) span { return in.span(t.args[i]) }
	constant := func() (uint64, bool) { return t.args[1].value, t.args[1].op == OpConst }
	switch t.op {
	case OpZeroExt:
		return arg(0)
	case OpSignExt:
		if s := arg(0); s.high <= mask(t.args[0].sort)>>1 {
			return s
		}
	case OpExtract:
		if s := arg(0); t.low == 0 && s.high <= mask(t.sort) {
			return s
		}
	case OpIte:
		a, b := arg(1), arg(2)
		return span{min(a.low, b.low), max(a.high, b.high)}
	case OpBitAnd:
		return span{0, min(arg(0).high, arg(1).high)}
	case OpBitOr, OpBitXor:
		return span{0, min(all.high, ones(arg(0).high|arg(1).high))}
	case OpURem:
		if n, ok := constant(); ok && n > 0 {
			return span{0, min(n-1, arg(0).high)}
		}
		return span{0, arg(0).high}
	case OpUDiv:
		if n, ok := constant(); ok && n > 0 {
			return span{arg(0).low / n, arg(0).high / n}
		}
	case OpLShr:
		if n, ok := constant(); ok && n < 64 {
			return span{arg(0).low >> n, arg(0).high >> n}
		}
		return span{0, arg(0).high}
	}
	return all
}

// ones has all bits up to the highest of v.
func ones(v uint64) uint64 {
	if v == 0 {
		return 0
	}
	return ^uint64(0) >> bits.LeadingZeros64(v)
}

// signedSpan is the range of a bit-vector with its sign.
func (in *Interner) signedSpan(t *Term) (low, high int64) {
	top := int64(mask(t.sort) >> 1)
	if s := in.span(t); s.high <= uint64(top) {
		return int64(s.low), int64(s.high)
	}
	switch t.op {
	case OpSignExt:
		return in.signedSpan(t.args[0])
	case OpConst:
		v := signed(t.value, t.sort)
		return v, v
	}
	if low, high, ok := in.reach(in.sumOf(t)); ok && low >= -top-1 && high <= top {
		return low, high
	}
	return -top - 1, top
}
