package work

import (
	"maps"
	"math/rand"
	"slices"
	"testing"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/shadow"
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
		all := extents{list: slices.Clone(a.list)}
		all.union(&b)
		for i := range uint64(256) {
			if is := slices.ContainsFunc(all.list, func(x extent) bool { return x.lo <= i && i < x.hi }); is != (in[0][i] || in[1][i]) {
				t.Fatalf("seed %d: byte %d of the union: %v", seed, i, is)
			}
		}
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

// TestFootprints compares what is kept of random accesses, sent and marked by code, with a set of bytes.
func TestFootprints(t *testing.T) {
	for seed := range int64(200) {
		r := rand.New(rand.NewSource(seed))
		sizes := []int{1, 2, 4, 8, 16, 12}
		l := &trace.Launch{Memory: func(addr uint64) (trace.Memory, bool) {
			base := addr &^ (1<<20 - 1) // allocations of 100,000 bytes, each in a MiB of its own
			return trace.Memory{Base: base, Size: 100_000}, base != 0 && addr-base < 100_000
		}}
		for id, size := range sizes {
			l.Sites = append(l.Sites, &trace.Site{ID: id, Space: trace.SpaceGlobal, Kind: trace.Read, Size: size})
		}
		d := New(&evidence.Config{}, nil)
		for range 2 { // the second launch uses the marks of the first again
			d.running = &childGrid{work: &piece{}}
			d.streams.more = true
			f := d.footprints(l)
			slots := []*trace.BlockObserver{f.newBlock(), f.newBlock(), f.newBlock()}
			for k, o := range slots {
				o.Begin(&trace.Block{Launch: l, Index: uint64(k), Worker: k / 2})
			}
			want := make([]map[uint64]bool, len(sizes))
			for id := range want {
				want[id] = map[uint64]bool{}
			}
			for range 200 {
				o, id := slots[r.Intn(len(slots))], r.Intn(len(sizes))
				site, size, addr := l.Sites[id], uint64(sizes[id]), new([32]uint64)
				base := uint64(r.Intn(4)) << 20 // 0 is in no allocation
				a := &trace.Access{Site: site, Space: trace.SpaceGlobal, Mask: r.Uint32() | 1, Addr: addr}
				first := uint64(r.Intn(90_000)) / size
				switch {
				case r.Intn(3) == 0:
					a.Mask, a.Regular, a.Step = ^uint32(0), true, int64(size)
					fallthrough
				case r.Intn(3) == 0:
					for k := range addr {
						addr[k] = base + size*(first+uint64(k))
					}
				default:
					for k := range addr {
						addr[k] = base + size*(uint64(r.Intn(99_000))/size)
					}
				}
				for k, at := range addr {
					for i := at; i < at+size && a.Mask>>k&1 != 0; i++ {
						want[id][i] = true
					}
				}
				m, ok := o.Marks.Of(site, base, 100_000)
				if ok != (size != 12) {
					t.Fatalf("marks of elements of %d bytes: %v", size, ok)
				}
				if base == 0 || !ok || r.Intn(2) == 0 {
					o.Global(a)
					continue
				}
				for k, at := range addr {
					if n := (at - base) / size; a.Mask>>k&1 != 0 {
						*(*byte)(unsafe.Add(m.Bits, n/8)) |= 1 << (n % 8)
						*(*byte)(unsafe.Add(m.Pages, n/shadow.MarkPage)) = 1
					}
				}
			}
			f.End()
			for _, u := range f.work.uses {
				got := map[uint64]bool{}
				for _, x := range u.bytes.list {
					for i := x.lo; i < x.hi; i++ {
						got[i] = true
					}
				}
				if !maps.Equal(got, want[u.Site.ID]) {
					t.Fatalf("seed %d: %d bytes of elements of %d, want %d", seed, len(got), u.Site.Size, len(want[u.Site.ID]))
				}
				want[u.Site.ID] = nil
			}
			for id, rest := range want {
				if len(rest) > 0 {
					t.Fatalf("seed %d: no bytes of elements of %d", seed, sizes[id])
				}
			}
		}
	}
}
