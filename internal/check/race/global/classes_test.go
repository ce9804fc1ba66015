package global

import (
	"math/rand/v2"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestRivals compares the classes of random sites with hb.Conflict: those that are no
// rivals never conflict, and rivals do at some distance, but for sites beyond the last
// class, which count as rivals of all.
func TestRivals(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	one := func() hb.Site {
		s := hb.Site{Kind: trace.Kind(rnd.IntN(3)), Strength: hb.Strength(rnd.IntN(3)), Elem: 1 << rnd.IntN(5),
			Scope:    []trace.Scope{trace.ScopeCTA, trace.ScopeCluster, trace.ScopeGPU, trace.ScopeSys}[rnd.IntN(4)],
			Acquires: rnd.IntN(2) > 0, Releases: rnd.IntN(2) > 0, Result: rnd.IntN(2) > 0, Flag: rnd.IntN(2) > 0}
		if rnd.IntN(4) == 0 {
			s.Narrow = &trace.Site{}
		}
		return s
	}
	for range 300 {
		sites := make([]hb.Site, 1+rnd.IntN(60))
		for i := range sites {
			sites[i] = one()
		}
		r := rivalsAmong(sites)
		for i := range sites {
			for j := range sites {
				rivals := r.may(int32(i), int32(j))
				conflict := false
				for d := hb.OverBlock; d <= hb.OverDevice; d++ {
					conflict = conflict || hb.Conflict(&sites[i], &sites[j], d)
				}
				if conflict && !rivals || rivals && !conflict && max(r.of[i], r.of[j]) < maxClasses-1 {
					t.Fatalf("%+v and %+v: conflict %v, rivals %v", sites[i], sites[j], conflict, rivals)
				}
			}
		}
	}
}
