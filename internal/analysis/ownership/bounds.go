package ownership

import (
	"math"
	"slices"

	"github.com/warpgrind/warpgrind/internal/analysis"
)

// common is the digit of a coordinate; ok is set if all accesses have it with
// one coefficient, which is 0 where it does not appear.
func common(r *array, name string) (d digit, ok bool) {
	for i, x := range r.list {
		var here digit
		for _, t := range x.off.Terms {
			if t.Sym.Kind == analysis.Special && t.Sym.Name == name {
				here = digit{t.Coef, t.Sym}
			}
		}
		if i > 0 && here != d {
			return d, false
		}
		d = here
	}
	return d, true
}

// isFixed reports whether the paths of all accesses leave a coordinate the same
// one value, so that it tells no threads apart.
func isFixed(r *array, name string) bool {
	var first int64
	for i, x := range r.list {
		v, ok := fixedTo(x, name)
		if !ok || i > 0 && v != first {
			return false
		}
		first = v
	}
	return true
}

// fixedTo returns the one value that a path leaves to a coordinate.
func fixedTo(x *access, name string) (value int64, ok bool) {
	for _, l := range x.limits {
		if len(l.Of.Terms) != 1 || l.Of.Terms[0].Sym.Name != name || l.Of.Terms[0].Sym.Kind != analysis.Special || l.Of.Terms[0].Coef != 1 {
			continue
		}
		lo, hi := scaled(l, 1)
		if lo = max(lo, 0); lo == hi {
			return hi, true
		}
	}
	return 0, false
}

// extent bounds what the digits in low, the constants and the bytes of an
// access add up to, over all accesses.
func extent(r *array, low map[digit]bool) (lo, hi int64, ok bool) {
	lo, hi = math.MaxInt64, math.MinInt64
	for _, x := range r.list {
		var terms []analysis.AffineTerm
		for _, t := range x.off.Terms {
			d := digit{t.Coef, t.Sym}
			if t.Sym.Kind == analysis.Iter {
				d.sym = nil
			}
			if low[d] {
				terms = append(terms, t)
			}
		}
		l, h, ok := x.bound(terms)
		if !ok {
			return 0, 0, false
		}
		lo = min(lo, l+x.off.C)
		hi = max(hi, h+x.off.C+int64(x.acc.Mem.Size())-1)
	}
	const huge = 1 << 50
	return lo, hi, lo > -huge && hi < huge
}

// bound is the range of a sum of terms. A limit of the path that is about some
// of them, with the same proportions, is used where it says more.
func (x *access) bound(terms []analysis.AffineTerm) (lo, hi int64, ok bool) {
	rest := slices.Clone(terms)
	for _, l := range x.limits {
		k, left, ok := divide(rest, l.Of)
		if !ok {
			continue
		}
		a, b, ok := plainBound(without(rest, left))
		if !ok {
			a, b = -far, far
		}
		la, ha := scaled(l, k)
		if ha >= b && la <= a {
			continue
		}
		lo, hi, rest = lo+max(a, la), hi+min(b, ha), left
	}
	a, b, ok := plainBound(rest)
	return lo + a, hi + b, ok
}

// divide takes k times f's symbols out of terms.
func divide(terms []analysis.AffineTerm, f *analysis.Affine) (k int64, left []analysis.AffineTerm, ok bool) {
	if len(f.Terms) == 0 {
		return 0, nil, false
	}
	left = slices.Clone(terms)
	for i, t := range f.Terms {
		n := slices.IndexFunc(left, func(u analysis.AffineTerm) bool { return u.Sym == t.Sym })
		if n < 0 || left[n].Coef%t.Coef != 0 {
			return 0, nil, false
		}
		q := left[n].Coef / t.Coef
		if i > 0 && q != k {
			return 0, nil, false
		}
		k = q
		left = slices.Delete(left, n, n+1)
	}
	return k, left, true
}

func without(all, left []analysis.AffineTerm) (out []analysis.AffineTerm) {
	for _, t := range all {
		if !slices.Contains(left, t) {
			out = append(out, t)
		}
	}
	return out
}

// far stands for a bound that is not known; sums of a few do not overflow.
const far = 1 << 60

// scaled is the range of k times the symbols of a limit.
func scaled(l analysis.Limit, k int64) (lo, hi int64) {
	const most = 1 << 42
	lo, hi = -far, far
	if abs(k) > 1<<16 || abs(l.Of.C) > most {
		return lo, hi
	}
	low, high := &lo, &hi
	if k < 0 {
		low, high = high, low
	}
	if l.Lo > -most && l.Lo < most {
		*low = (l.Lo - l.Of.C) * k
	}
	if l.Hi < most && l.Hi > -most {
		*high = (l.Hi - l.Of.C) * k
	}
	return lo, hi
}

// plainBound is the range of a sum by the ranges of its symbols.
func plainBound(terms []analysis.AffineTerm) (lo, hi int64, ok bool) {
	const huge = 1 << 46
	for _, t := range terms {
		if t.Sym.Hi > huge || abs(t.Coef) > huge || t.Sym.Hi > 0 && uint64(abs(t.Coef)) > (1<<60)/t.Sym.Hi {
			return 0, 0, false
		}
		a, b := t.Coef*int64(t.Sym.Lo), t.Coef*int64(t.Sym.Hi)
		lo, hi = lo+min(a, b), hi+max(a, b)
	}
	return lo, hi, true
}
