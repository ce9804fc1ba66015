package hb

import (
	"math/rand/v2"
	"testing"
)

// TestObservedJoin compares sets of writes with maps: what either has is in the join, also
// where the range of one spans a gap of the other.
func TestObservedJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	random := func() (*observed, map[uint32]bool) {
		o, m := &observed{}, map[uint32]bool{}
		for range r.IntN(5) {
			from := r.Uint32N(12)
			w := writes{from, from + r.Uint32N(4)}
			o = o.join(&observed{w})
			for n := w.from; n <= w.to; n++ {
				m[n] = true
			}
		}
		return o, m
	}
	for range 5000 {
		a, inA := random()
		b, inB := random()
		j := a.join(b)
		for n := range uint32(20) {
			if j.has(n) != (inA[n] || inB[n]) {
				t.Fatalf("%v and %v make %v", *a, *b, *j)
			}
		}
	}
}
