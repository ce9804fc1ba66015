package work

import (
	"math/rand"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestExtents compares sets of ranges with sets of bytes.
func TestExtents(t *testing.T) {
	for seed := range int64(200) {
		r := rand.New(rand.NewSource(seed))
		var a, b extents
		var in [2][256]bool
		for range 30 {
			k, lo := r.Intn(2), uint64(r.Intn(240))
			x := extent{lo, lo + 1 + uint64(r.Intn(8))}
			[]*extents{&a, &b}[k].add(x)
			for i := x.lo; i < x.hi; i++ {
				in[k][i] = true
			}
		}
		a.settle()
		b.settle()
		gone := extent{100, 120}
		a.remove(gone)
		want, first := uint64(0), uint64(0)
		for i := range in[0] {
			if in[0][i] && in[1][i] && (i < 100 || i >= 120) {
				if want == 0 {
					first = uint64(i)
				}
				want++
			}
		}
		if at, n := a.common(&b); n != want || n > 0 && at.lo != first {
			t.Fatalf("seed %d: %d bytes from %d, want %d from %d", seed, n, at.lo, want, first)
		}
	}
}

// TestManyEvents has two streams that wait for each other for long without a
// wait of the host: what is kept is bounded, and nothing is lost by it.
func TestManyEvents(t *testing.T) {
	var found []*evidence.WorkPair
	config := &evidence.Config{}
	c := New(config, func(p *evidence.WorkPair) { found = append(found, p) })
	s := []trace.Stream{{ID: 16}, {ID: 32}}
	for _, id := range s {
		c.StreamOrder(&trace.StreamOrder{Action: trace.NewStream, Stream: id, NonBlocking: true})
	}
	for i := range 4 * maxWork {
		k := i % 2
		c.Transfer(&trace.Transfer{Call: "cudaMemsetAsync", Stream: s[k], Writes: []trace.Range{{Addr: 0, N: 64}}})
		c.StreamOrder(&trace.StreamOrder{Action: trace.RecordEvent, Stream: s[k], Event: 7})
		c.StreamOrder(&trace.StreamOrder{Action: trace.WaitEvent, Stream: s[1-k], Event: 7})
	}
	for _, st := range c.streams.of {
		if len(st.done) > maxWork {
			t.Errorf("%v keeps %d pieces of work", st.name, len(st.done))
		}
	}
	if len(found) > 0 || config.Stats.Incomplete > 0 {
		t.Errorf("%d pairs, %d launches incomplete, want none", len(found), config.Stats.Incomplete)
	}
	c.Transfer(&trace.Transfer{Call: "cudaMemsetAsync", Stream: s[0], Writes: []trace.Range{{Addr: 0, N: 64}}})
	c.Transfer(&trace.Transfer{Call: "cudaMemsetAsync", Stream: s[1], Writes: []trace.Range{{Addr: 60, N: 8}}})
	if len(found) != 1 || found[0].Bytes != 4 {
		t.Errorf("two fills at once: %v", found)
	}
}
