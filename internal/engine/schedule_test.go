package engine

import "testing"

func TestScheduleIsPermutation(t *testing.T) {
	for _, s := range []Schedule{{}, {Order: ReverseOrder}, {Order: RandomOrder}, {Order: RandomOrder, Seed: 7}} {
		for _, n := range []uint64{1, 2, 3, 7, 64, 1000} {
			seen := map[uint64]bool{}
			for i := range n {
				k := s.block(i, n, 3)
				if k >= n || seen[k] {
					t.Fatalf("%v: block %d of %d is %d, out of range or twice", s, i, n, k)
				}
				seen[k] = true
			}
		}
	}
}

func TestRandomSchedulesDiffer(t *testing.T) {
	orders := map[[16]uint64]uint64{}
	for seed := range uint64(20) {
		var o [16]uint64
		for i := range o {
			o[i] = Schedule{Order: RandomOrder, Seed: seed}.block(uint64(i), 16, 0)
		}
		if other, ok := orders[o]; ok {
			t.Errorf("seeds %d and %d give the same order %v", other, seed, o)
		}
		orders[o] = seed
	}
}

func TestSample(t *testing.T) {
	for _, tc := range []struct {
		s    Sample
		n    uint64
		want []uint64
	}{
		{Sample{}, 3, []uint64{0, 1, 2}},
		{Sample{Every: 4}, 10, []uint64{0, 4, 8}},
		{Sample{Blocks: 1}, 10, []uint64{0}},
		{Sample{Blocks: 2}, 10, []uint64{0, 9}},
		{Sample{Blocks: 4}, 10, []uint64{0, 3, 6, 9}},
		{Sample{Blocks: 3}, 10, []uint64{0, 4, 9}},
		{Sample{Blocks: 9}, 10, []uint64{0, 1, 2, 3, 4, 5, 6, 7, 9}},
		{Sample{Blocks: 20}, 3, []uint64{0, 1, 2}},
	} {
		var got []uint64
		for i := range tc.n {
			if tc.s.has(i, tc.n) {
				got = append(got, i)
			}
		}
		if len(got) != len(tc.want) || uint64(len(got)) != tc.s.count(tc.n) {
			t.Errorf("%+v of %d: %v, count %d, want %v", tc.s, tc.n, got, tc.s.count(tc.n), tc.want)
			continue
		}
		for i := range got {
			if got[i] != tc.want[i] {
				t.Errorf("%+v of %d: %v, want %v", tc.s, tc.n, got, tc.want)
			}
		}
	}
}
