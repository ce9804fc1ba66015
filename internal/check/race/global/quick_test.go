package global

import (
	"math/rand"
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// unitAccess is an access to one unit of memory.
type unitAccess struct {
	block, interval uint64
	thread          int
	kind            trace.Kind
}

// mayRace is the definition: two threads that no barrier separates, one of which writes, or
// one of which only reads what the other updates.
func (a unitAccess) mayRace(b unitAccess) bool {
	apart := a.block != b.block || a.interval == b.interval && a.thread != b.thread
	return apart && (a.kind != b.kind || a.kind == trace.Write)
}

// TestQuickStates plays random accesses to one unit and compares with all pairs of them.
func TestQuickStates(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	kinds := [...]uint64{trace.Read: quickRead, trace.Write: quickWrite, trace.Atomic: quickAtomic}
	clean := 0
	states := new(states)
	q := &quick{states: states, shift: 2, kinds: kinds[:]}
	d := &Detector{launch: &trace.Launch{}, quick: q}
	for k := range kinds {
		d.launch.Sites = append(d.launch.Sites, &trace.Site{ID: k, Kind: trace.Kind(k), Space: trace.SpaceGlobal, Size: 4})
	}
	for range 50000 {
		q.ordered = rng.Intn(2) == 0
		q.slots = nil
		q.suspected.Store(false)
		q.first = states.reserve(3)
		var seen []unitAccess
		var slots []*trace.BlockObserver
		var intervals [3]uint64
		for b := range intervals {
			o := d.newQuickBlock()
			o.Begin(&trace.Block{Index: uint64(b)})
			slots = append(slots, o)
		}
		favorite, blocks, threads := trace.Kind(rng.Intn(3)), 1+rng.Intn(3), 1+rng.Intn(3)
		want := false
		for range 1 + rng.Intn(7) {
			b := uint64(rng.Intn(blocks))
			if rng.Intn(2) == 0 {
				slots[b].Barrier(&trace.Barrier{Full: true})
				intervals[b]++
			}
			a := unitAccess{b, intervals[b], rng.Intn(threads), favorite}
			if rng.Intn(4) == 0 {
				a.kind = trace.Kind(rng.Intn(3))
			}
			for _, x := range seen {
				want = want || a.mayRace(x)
			}
			seen = append(seen, a)
			slots[b].Global(&trace.Access{Site: d.launch.Sites[a.kind], Mask: 1 << a.thread, Addr: &[32]uint64{64, 64, 64}})
		}
		if got := q.suspected.Load(); got != want {
			t.Fatalf("suspected: %v, want %v: %+v", got, want, seen)
		}
		if !want {
			clean++
		}
	}
	if clean < 5000 || clean > 45000 {
		t.Errorf("%d of 50000 are clean", clean)
	}
}
