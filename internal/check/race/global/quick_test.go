package global

import (
	"math/bits"
	"math/rand"
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// unitAccess is an access to one unit of memory, or to two.
type unitAccess struct {
	block, interval uint64
	thread          int
	kind            trace.Kind
	unit, units     uint64
}

// mayRace is the definition: two threads that no barrier separates, one of which writes, or
// one of which only reads what the other updates.
func (a unitAccess) mayRace(b unitAccess) bool {
	apart := a.block != b.block || a.interval == b.interval && a.thread != b.thread
	same := a.unit < b.unit+b.units && b.unit < a.unit+a.units
	return same && apart && (a.kind != b.kind || a.kind == trace.Write)
}

// TestQuickStates plays random accesses to a few units and compares with all pairs of them, with
// states from the start and from the first unit on that is met twice.
func TestQuickStates(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	kinds := [...]uint64{trace.Read: shadow.QuickRead, trace.Write: shadow.QuickWrite, trace.Atomic: shadow.QuickAtomic}
	clean, once := 0, 0
	states := new(states)
	q := &quick{states: states, shift: 2, kinds: append(kinds[:], kinds[:]...)}
	d := &Detector{launch: &trace.Launch{}, history: &History{}, quick: q}
	for i := range q.kinds {
		k := i % len(kinds)
		d.launch.Sites = append(d.launch.Sites, &trace.Site{ID: i, Kind: trace.Kind(k), Space: trace.SpaceGlobal, Size: 4 << (i / len(kinds))})
	}
	far := [...]uint64{0, 1, pageStates}
	for range 20000 {
		q.ordered = rng.Intn(2) == 0
		q.slots = nil
		q.suspected.Store(false)
		q.twice.Store(rng.Intn(3) == 0)
		q.first = states.reserve(3)
		var seen []unitAccess
		var slots []*trace.BlockObserver
		var intervals [3]uint64
		for b := range intervals {
			o := d.newQuickBlock()
			o.Begin(&trace.Block{Index: uint64(b)})
			slots = append(slots, o)
		}
		favorite, blocks, threads, places := trace.Kind(rng.Intn(3)), 1+rng.Intn(3), 1+rng.Intn(3), 1+rng.Intn(len(far))
		want := false
		for range 1 + rng.Intn(7) {
			b := uint64(rng.Intn(blocks))
			if rng.Intn(2) == 0 {
				slots[b].Barrier(&trace.Barrier{Full: true})
				intervals[b]++
			}
			a := unitAccess{b, intervals[b], rng.Intn(threads), favorite, 16 + far[rng.Intn(places)], 1 + uint64(rng.Intn(2))}
			if rng.Intn(4) == 0 {
				a.kind = trace.Kind(rng.Intn(3))
			}
			for _, x := range seen {
				want = want || a.mayRace(x)
			}
			seen = append(seen, a)
			site := d.launch.Sites[int(a.kind)+len(kinds)*int(a.units-1)]
			slots[b].Global(&trace.Access{Site: site, Mask: 1 << a.thread, Addr: &[32]uint64{4 * a.unit, 4 * a.unit, 4 * a.unit}})
		}
		q.settle(false)
		d.endTouched()
		if got := q.suspected.Load(); got != want {
			t.Fatalf("suspected: %v, want %v: %+v", got, want, seen)
		}
		if !want {
			clean++
			if !q.twice.Load() {
				once++
			}
		}
	}
	if clean < 2000 || clean > 18000 || once < 1000 {
		t.Errorf("%d of 20000 are clean, %d met no unit twice", clean, once)
	}
}

// TestTouched enters accesses of several lanes until a chunk is full and more, and compares what
// is replayed.
func TestTouched(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	h := &History{}
	for range 2 {
		s := h.takeTouched()
		type record struct {
			mask         uint32
			units        [32]uint64
			n, who, kind uint64
		}
		var want, got []record
		next := uint64(1) << 45
		for s.full < 2 {
			r := record{mask: rng.Uint32() | 1<<rng.Intn(32), n: 1 << rng.Intn(3), who: rng.Uint64() &^ 31, kind: 1 + uint64(rng.Intn(3))}
			var addr [32]uint64
			for lane := range addr {
				if r.mask>>lane&1 != 0 {
					r.units[lane] = next
					addr[lane] = next << 2
					next += r.n * (1 + uint64(rng.Intn(3)))
				}
			}
			if !s.enter(&trace.Access{Mask: r.mask, Addr: &addr}, 2, r.n, r.who, r.kind) {
				t.Fatalf("units that were not met before: %+v", r)
			}
			want = append(want, r)
		}
		at := [32]uint64{5: want[0].units[bits.TrailingZeros32(want[0].mask)] << 2}
		if s.enter(&trace.Access{Mask: 1 << 5, Addr: &at}, 2, 1, 0, 1) {
			t.Error("a unit was met twice")
		}
		s.replay(func(mask uint32, units *[32]uint64, n, who, kind uint64) bool {
			r := record{mask: mask, n: n, who: who, kind: kind}
			for lane := range units {
				if mask>>lane&1 != 0 {
					r.units[lane] = units[lane]
				}
			}
			got = append(got, r)
			return true
		})
		if !slices.Equal(got, want) {
			t.Fatalf("%d records replayed, not those of %d accesses", len(got), len(want))
		}
		h.leaveTouched(s)
	}
}

// TestQuickJoinIsExact plays all sequences of up to five events to the state of one unit: accesses of each kind by three
// threads, two of which are of one block in two warps, and barriers of the two blocks. The first access that may race with one
// before is the first that the state suspects.
func TestQuickJoinIsExact(t *testing.T) {
	const first = 5
	kinds := [...]uint64{trace.Read: shadow.QuickRead, trace.Write: shadow.QuickWrite, trace.Atomic: shadow.QuickAtomic}
	threads := [...]unitAccess{{block: 0, thread: 0}, {block: 0, thread: 32}, {block: 1, thread: 32}}
	played := 0
	var play func(left int, state uint64, intervals [2]uint64, seen []unitAccess)
	play = func(left int, state uint64, intervals [2]uint64, seen []unitAccess) {
		played++
		if left == 0 {
			return
		}
		for block := range intervals {
			after := intervals
			after[block]++
			play(left-1, state, after, seen)
		}
		for _, a := range threads {
			for kind := range kinds {
				a.kind, a.units, a.interval = trace.Kind(kind), 1, intervals[a.block]
				is := (first+a.block)<<shadow.QuickBlockShift | a.interval<<shadow.QuickIntervalShift | uint64(a.thread)<<shadow.QuickThreadShift | shadow.QuickKinds(kinds[kind])
				next, ok := shadow.JoinQuick(state, first<<shadow.QuickBlockShift, is)
				if ok == slices.ContainsFunc(seen, a.mayRace) {
					t.Fatalf("%+v after %+v: passed: %v", a, seen, ok)
				}
				if ok {
					play(left-1, next, intervals, append(slices.Clip(seen), a))
				}
			}
		}
	}
	play(5, 0, [2]uint64{}, nil)
	t.Logf("%d sequences", played)
}
