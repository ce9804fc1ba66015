package global

import "testing"

// TestTrim allocates and frees at new addresses again and again: what is kept for them must not
// become more and more, and what is kept for an allocation that lives must stay.
func TestTrim(t *testing.T) {
	const base, size, rounds = 0x1100_0000_0000, 1 << 22, 200
	var lo uint64
	live := func(from, to uint64) bool {
		return from < base+size && to > base || from < lo+size && to > lo
	}
	f, s := new(field), new(states)
	first := f.page(base >> pageShift)
	const shift = 2
	kept := s.page(base >> shift / pageStates)
	kept[5] = 7
	most, mostStates := 0, 0
	for i := range uint64(rounds) {
		lo = base + (i+1)*2*size
		f.trim(live)
		s.trim(live)
		for at := lo; at < lo+size; at += 1 << pageShift {
			f.page(at >> pageShift)
		}
		for at := lo; at < lo+size; at += pageStates << shift {
			p := s.page(at >> shift / pageStates)
			for _, x := range p {
				if x != 0 {
					t.Fatal("a page of other memory has states")
				}
			}
			p[3], p[pageStates-1] = i+1, i+1
		}
		n := 0
		for i := range f.shards {
			n += len(f.shards[i].pages)
		}
		most, mostStates = max(most, n), max(mostStates, len(s.pages))
	}
	if f.page(base>>pageShift) != first || s.page(base>>shift/pageStates) != kept || kept[5] != 7 {
		t.Error("a page of live memory was dropped")
	}
	if limit := 3*(size>>pageShift) + 3*minKept; most > limit {
		t.Errorf("%d pages of histories, want at most %d", most, limit)
	}
	if limit := 3*(size/pageStates>>shift) + 3*minKept; mostStates > limit {
		t.Errorf("%d pages of states, want at most %d", mostStates, limit)
	}
}
