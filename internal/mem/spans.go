package mem

import (
	"slices"
	"sort"
)

type span struct{ lo, hi uint64 }

// spans is a set of spans by address, never adjacent. It is a list of short lists, none
// empty, so that neither a change nor the search for room visits many.
type spans struct{ runs []spanRun }

type spanRun struct {
	list   []span
	widest uint64 // the length of the longest span, or more
}

const runSize = 256

// take takes n bytes out of the set, first fit by address.
func (s *spans) take(n, align uint64) (uint64, bool) {
	for i := range s.runs {
		run := &s.runs[i]
		if run.widest < n {
			continue
		}
		widest := uint64(0)
		for j, f := range run.list {
			base := roundUp(f.lo, align)
			if base >= f.lo && base < f.hi && n <= f.hi-base {
				s.remove(i, j)
				s.put(f.lo, base)
				s.put(base+n, f.hi)
				return base, true
			}
			widest = max(widest, f.hi-f.lo)
		}
		run.widest = widest
	}
	return 0, false
}

// give adds [lo, hi) and joins it with its neighbors.
func (s *spans) give(lo, hi uint64) {
	if i, j, ok := s.before(lo); ok && s.runs[i].list[j].hi == lo {
		lo = s.runs[i].list[j].lo
		s.remove(i, j)
	}
	if i, j, ok := s.before(hi); ok && s.runs[i].list[j].lo == hi {
		hi = s.runs[i].list[j].hi
		s.remove(i, j)
	}
	s.put(lo, hi)
}

// before finds the last span that begins at or before addr.
func (s *spans) before(addr uint64) (i, j int, ok bool) {
	i = sort.Search(len(s.runs), func(i int) bool { return s.runs[i].list[0].lo > addr }) - 1
	if i < 0 {
		return 0, 0, false
	}
	list := s.runs[i].list
	return i, sort.Search(len(list), func(j int) bool { return list[j].lo > addr }) - 1, true
}

// put adds a span that neither overlaps nor touches another one, unless it is empty.
func (s *spans) put(lo, hi uint64) {
	if lo == hi {
		return
	}
	if len(s.runs) == 0 {
		s.runs = []spanRun{{[]span{{lo, hi}}, hi - lo}}
		return
	}
	i, j, ok := s.before(lo)
	if ok {
		j++
	}
	run := &s.runs[i]
	run.list = slices.Insert(run.list, j, span{lo, hi})
	run.widest = max(run.widest, hi-lo)
	if len(run.list) > runSize {
		half := spanRun{list: slices.Clone(run.list[runSize/2:]), widest: run.widest}
		run.list = run.list[:runSize/2]
		s.runs = slices.Insert(s.runs, i+1, half)
	}
}

func (s *spans) remove(i, j int) {
	run := &s.runs[i]
	run.list = slices.Delete(run.list, j, j+1)
	if len(run.list) == 0 {
		s.runs = slices.Delete(s.runs, i, i+1)
	}
}
