package intmap

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// larger is the join of the tests: the larger number, the first where they are equal.
func larger(a, b *int) *int {
	if *b > *a {
		return b
	}
	return a
}

func random(r *rand.Rand, n int) (Map[int], map[uint64]int) {
	var m Map[int]
	want := map[uint64]int{}
	for range n {
		key, value := r.Uint64()>>r.UintN(64), r.IntN(5)
		m = m.Merge(Of(key, &value), larger)
		if old, ok := want[key]; !ok || value > old {
			want[key] = value
		}
	}
	return m, want
}

func contents(m Map[int]) map[uint64]int {
	out := map[uint64]int{}
	for k, v := range m.All() {
		out[k] = *v
	}
	return out
}

func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		a, wantA := random(r, r.IntN(20))
		b, wantB := random(r, r.IntN(20))
		m := a.Merge(b, larger)
		want := maps.Clone(wantA)
		for k, v := range wantB {
			if old, ok := want[k]; !ok || v > old {
				want[k] = v
			}
		}
		if got := contents(m); !maps.Equal(got, want) {
			t.Fatalf("merge of %v and %v is %v, want %v", wantA, wantB, got, want)
		}
		if !maps.Equal(contents(a), wantA) || !maps.Equal(contents(b), wantB) {
			t.Fatal("a merge has changed its operands")
		}
		for k, v := range want {
			if got := m.Get(k); got == nil || *got != v {
				t.Fatalf("key %d: %v, want %d", k, got, v)
			}
		}
		if m.Get(r.Uint64()|1<<63) != nil && len(want) == 0 {
			t.Fatal("an empty map has a key")
		}
		// What adds nothing gives the same tree, so that comparing is one comparison.
		if m.Merge(a, larger) != m || m.Merge(m, larger) != m {
			t.Fatalf("a merge that adds nothing gives another tree")
		}
	}
}

func TestKeysAscend(t *testing.T) {
	m, _ := random(rand.New(rand.NewPCG(3, 4)), 500)
	last, first := uint64(0), true
	for k := range m.All() {
		if !first && k <= last {
			t.Fatalf("%d comes after %d", k, last)
		}
		last, first = k, false
	}
	for range m.All() {
		return // stopping early is allowed
	}
	t.Fatal("no keys")
}

func TestEmpty(t *testing.T) {
	var m Map[int]
	if !m.Empty() || m.Get(0) != nil || m.Merge(m, larger) != m {
		t.Error("the zero map is not empty")
	}
	one := 1
	if m = m.Merge(Of(0, &one), larger); m.Empty() || *m.Get(0) != 1 {
		t.Error("key 0 is lost")
	}
}

// TestNeighbors compares Floor, Ceil and Without with a sorted list of the keys.
func TestNeighbors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		m, want := random(r, r.IntN(40))
		for len(want) > 0 {
			keys := slices.Sorted(maps.Keys(want))
			probes := []uint64{0, ^uint64(0), r.Uint64() >> r.UintN(64)}
			for _, k := range keys {
				probes = append(probes, k-1, k, k+1)
			}
			for _, at := range probes {
				i, found := slices.BinarySearch(keys, at)
				above := value(m, keys, i)
				if !found {
					i--
				}
				if m.Floor(at) != value(m, keys, i) || m.Ceil(at) != above {
					t.Fatalf("neighbors of %d in %v: %v and %v", at, keys, m.Floor(at), m.Ceil(at))
				}
			}
			gone := keys[r.IntN(len(keys))]
			less := m.Without(gone)
			if m.Get(gone) == nil || less.Get(gone) != nil || less.Without(gone) != less {
				t.Fatalf("%d is not removed, or from the operand too", gone)
			}
			delete(want, gone)
			if m = less; !maps.Equal(contents(m), want) {
				t.Fatalf("without %d: %v, want %v", gone, contents(m), want)
			}
		}
		if !m.Empty() || m.Floor(1) != nil || m.Ceil(1) != nil {
			t.Fatal("something is left")
		}
	}
}

// value is that of keys[i], nil outside.
func value(m Map[int], keys []uint64, i int) *int {
	if i < 0 || i >= len(keys) {
		return nil
	}
	return m.Get(keys[i])
}
