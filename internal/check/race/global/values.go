package global

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// What lanes write to global memory, as far as it is needed to tell writes of the same
// values from others: one value, or one that grows from element to element by the
// same step. Anything else has a hash, which is equal only for the same elements.

// value notes what lanes write to one element.
func (o *blockObserver) value(a *trace.Access, lanes uint32) {
	if !o.valued {
		return
	}
	s := &o.now
	s.step, s.hashed = 0, false
	if s.val, s.steady = oneValue(a, lanes); s.steady {
		s.vector = false
		return
	}
	s.vector = a.Site.Elem != a.Site.Size
	if s.val, s.step, s.steady = progression(a, lanes); s.step != 0 {
		s.steady = false
	}
}

// values notes what lanes write to elements from addr on.
func (o *blockObserver) values(a *trace.Access, lanes uint32, addr uint64) {
	if o.value(a, lanes); !o.valued || o.now.steady {
		return
	}
	if o.now.val, o.now.step, o.now.steady = progression(a, lanes); !o.now.steady {
		o.now.val, o.now.hashed = allValues(a, lanes, addr), true
	}
}

// oneValue returns what lanes write if that is one value, for all elements of vectors.
func oneValue(a *trace.Access, lanes uint32) (v uint32, same bool) {
	x := a.Data.Value(bits.TrailingZeros32(lanes), 0)
	for m := lanes; m != 0; m &= m - 1 {
		for e := range a.Site.Size / max(a.Site.Elem, 1) {
			if a.Data.Value(bits.TrailingZeros32(m), e) != x {
				return 0, false
			}
		}
	}
	return fold(x), true
}

// wholeValue stands for what a lane writes, all elements of a vector.
func wholeValue(a *trace.Access, lane int) (v uint32) {
	for e := range a.Site.Size / max(a.Site.Elem, 1) {
		v = v*0x85ebca6b + fold(a.Data.Value(lane, e))
	}
	return v
}

// fold makes 32 bits of a value, so that those of values that grow by a small step do too.
func fold(x uint64) uint32 { return uint32(x) + uint32(x>>32)*0x9e3779b1 }

// progression returns the value of the first lane and by how much that of each lane
// exceeds the one before, modulo the size of an element.
func progression(a *trace.Access, lanes uint32) (v, step uint32, ok bool) {
	rest := lanes & (lanes - 1)
	mask := ^uint32(0) >> (32 - 8*min(a.Site.Size, 4))
	v = wholeValue(a, bits.TrailingZeros32(lanes))
	if rest != 0 {
		step = wholeValue(a, bits.TrailingZeros32(rest)) - v
	}
	want := v
	for m := lanes; m != 0; m &= m - 1 {
		if (wholeValue(a, bits.TrailingZeros32(m))^want)&mask != 0 {
			return 0, 0, false
		}
		want += step
	}
	return v, step, true
}

// allValues stands for the values of lanes and the elements that they write.
func allValues(a *trace.Access, lanes uint32, addr uint64) uint32 {
	const prime = 0x9e3779b97f4a7c15
	h := (addr<<6 | uint64(bits.OnesCount32(lanes))) * prime
	for m := lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		for e := range a.Site.Size / max(a.Site.Elem, 1) {
			h = bits.RotateLeft64((h^a.Data.Value(l, e))*prime, 29)
		}
	}
	return uint32(h >> 32)
}

// sameValues reports whether two spans of elements of the same size, of which some are
// in both, surely wrote the same there.
func (s *span) sameValues(o *span) bool {
	if !s.steady || !o.steady {
		return s.hashed && o.hashed && s.val == o.val
	}
	if s.vector != o.vector || s.vector && s.shift != o.shift {
		return false
	}
	lo, hi := max(s.lo, o.lo), min(s.hi, o.hi)
	mask := ^uint32(0)
	if size := uint32(1) << s.shift; size < 4 && s.step|o.step != 0 {
		mask >>= 32 - 8*size
	}
	last := (hi - lo - 1) >> min(s.shift, o.shift) // of the elements in both
	return (s.valueAt(lo)^o.valueAt(lo))&mask == 0 && (last == 0 || (s.step^o.step)&mask == 0)
}

func (s *span) valueAt(at uint8) uint32 { return s.val + s.step*uint32((at-s.lo)>>s.shift) }

// zeros reports whether a span wrote zeros only.
func (s *span) zeros() bool { return s.steady && !s.vector && s.val|s.step == 0 }

// meet leaves what holds of the values of both spans, of which one took the other's
// place or joined it.
func (s *span) meet(o *span) {
	if !s.sameValues(o) {
		s.steady, s.hashed = false, false
	}
}
