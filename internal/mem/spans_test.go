package mem

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSpans compares with a plain list of the units that are free.
func TestSpans(t *testing.T) {
	const units, unit = 3000, 256
	r := rand.New(rand.NewPCG(1, 2))
	var s spans
	var free [units]bool
	var taken []span // in units
	s.give(0, units*unit)
	for i := range free {
		free[i] = true
	}
	for range 20000 {
		if len(taken) > 0 && r.IntN(100) < 49 {
			i := r.IntN(len(taken))
			g := taken[i]
			taken = slices.Delete(taken, i, i+1)
			s.give(g.lo*unit, g.hi*unit)
			for u := g.lo; u < g.hi; u++ {
				free[u] = true
			}
			continue
		}
		n, align := 1+r.IntN(4), 1<<r.IntN(3)
		want := firstFit(free[:], n, align)
		base, ok := s.take(uint64(n)*unit, uint64(align)*unit)
		if ok != (want >= 0) || ok && base != uint64(want)*unit {
			t.Fatalf("%d units aligned to %d: %d, %v; want unit %d", n, align, base/unit, ok, want)
		}
		if ok {
			taken = append(taken, span{uint64(want), uint64(want + n)})
			for u := range n {
				free[want+u] = false
			}
		}
	}
	for _, g := range taken {
		s.give(g.lo*unit, g.hi*unit)
	}
	if len(s.runs) != 1 || !slices.Equal(s.runs[0].list, []span{{0, units * unit}}) {
		t.Errorf("not joined again: %v", s.runs)
	}
}

func firstFit(free []bool, n, align int) int {
	for at := 0; at+n <= len(free); at += align {
		if !slices.Contains(free[at:at+n], false) {
			return at
		}
	}
	return -1
}
