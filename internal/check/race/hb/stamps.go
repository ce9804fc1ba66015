package hb

import (
	"cmp"
	"iter"
	"slices"
)

// stamps is what a clock covers of a block in one interval: for each thread what it did at a smaller stamp. They are kept by warp.
// Threads that wait for each other know of all, and differ in what one of them did last: their clocks share the other warps, so that
// a join compares pointers. A list that a clock has never changes.
type stamps []warpStamps

// warpStamps has the stamps of a warp's lanes, 0 for what is not covered. A list is sorted by warp.
type warpStamps struct {
	warp uint32
	of   *laneStamps
}

// laneStamps also have the least and the most of the stamps. What all lanes of a warp did later is known at once to cover what they did
// before.
type laneStamps struct {
	of          [32]uint32
	least, most uint32
}

func (a *laneStamps) set(lane, stamp uint32) {
	a.of[lane] = stamp
	a.measure()
}

func (a *laneStamps) measure() {
	a.least, a.most = a.of[0], a.of[0]
	for _, stamp := range a.of {
		a.least, a.most = min(a.least, stamp), max(a.most, stamp)
	}
}

// of is a thread's stamp.
func (s stamps) of(thread uint32) uint32 {
	if i, ok := s.find(thread / 32); ok {
		return s[i].of.of[thread%32]
	}
	return 0
}

func (s stamps) find(warp uint32) (int, bool) {
	if len(s) == 1 { // mostly
		return 0, s[0].warp == warp
	}
	return slices.BinarySearchFunc(s, warp, func(x warpStamps, warp uint32) int { return cmp.Compare(x.warp, warp) })
}

// put sets a thread's stamp, of a list that no clock has yet.
func (s *stamps) put(thread, stamp uint32) {
	n := len(*s)
	if n == 0 || (*s)[n-1].warp < thread/32 { // in order, mostly
		*s = append(*s, warpStamps{thread / 32, new(laneStamps)})
	} else if _, ok := s.find(thread / 32); !ok {
		i, _ := slices.BinarySearchFunc(*s, thread/32, func(x warpStamps, warp uint32) int { return cmp.Compare(x.warp, warp) })
		*s = slices.Insert(*s, i, warpStamps{thread / 32, new(laneStamps)})
	}
	i, _ := s.find(thread / 32)
	(*s)[i].of.set(thread%32, stamp)
}

// with is the list with a later stamp of a thread.
func (s stamps) with(thread, stamp uint32) stamps {
	i, ok := slices.BinarySearchFunc(s, thread/32, func(x warpStamps, warp uint32) int { return cmp.Compare(x.warp, warp) })
	out := make(stamps, 0, len(s)+1)
	lanes := new(laneStamps)
	out = append(append(out, s[:i]...), warpStamps{thread / 32, lanes})
	if ok {
		*lanes = *s[i].of
		i++
	}
	lanes.set(thread%32, max(lanes.of[thread%32], stamp))
	return append(out, s[i:]...)
}

// all has the threads that are covered, in their order, and their stamps.
func (s stamps) all() iter.Seq2[uint32, uint32] {
	return func(yield func(thread, stamp uint32) bool) {
		for _, x := range s {
			for lane, stamp := range x.of.of {
				if stamp > 0 && !yield(32*x.warp+uint32(lane), stamp) {
					return
				}
			}
		}
	}
}

// join has the later stamp of each thread: s or o itself if it has all of them.
func (s stamps) join(o stamps) stamps {
	var room [maxWarps]warpStamps
	out, mine, others := room[:0], true, true // out is the same as s, as o
	a, b := s, o
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].warp < b[0].warp:
			out, a, others = append(out, a[0]), a[1:], false
		case a[0].warp > b[0].warp:
			out, b, mine = append(out, b[0]), b[1:], false
		default:
			of := a[0].of.join(b[0].of)
			mine, others = mine && of == a[0].of, others && of == b[0].of
			out, a, b = append(out, warpStamps{a[0].warp, of}), a[1:], b[1:]
		}
	}
	switch {
	case mine && len(b) == 0:
		return s
	case others && len(a) == 0:
		return o
	}
	return slices.Clone(append(append(out, a...), b...))
}

// is reports whether both are the same list.
func (s stamps) is(o stamps) bool {
	return len(s) == len(o) && (len(s) == 0 || &s[0] == &o[0])
}

// maxWarps is how many warps a block has at most.
const maxWarps = 32

// join is the later stamp of each lane: a or b itself if it has all of them.
func (a *laneStamps) join(b *laneStamps) *laneStamps {
	switch {
	case a == b || a.least >= b.most:
		return a
	case b.least >= a.most:
		return b
	}
	less, more := int64(0), int64(0) // negative if a stamp of a is less, or more
	for lane, stamp := range b.of {
		d := int64(a.of[lane]) - int64(stamp)
		less, more = less|d, more|-d
	}
	switch {
	case less >= 0:
		return a
	case more >= 0:
		return b
	}
	j := *a
	for lane, stamp := range b.of {
		j.of[lane] = max(j.of[lane], stamp)
	}
	j.measure()
	return &j
}
