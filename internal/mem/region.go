package mem

import "slices"

// region hands out ranges of one half of the arena: recycled spans first,
// then what was never used.
type region struct {
	next, end uint64
	free      []span // by address, never adjacent
	// Freed allocations wait here before their range is used again. Small
	// ones share pages with others, so fewer bytes of them may wait.
	small, big quarantine
}

type span struct{ lo, hi uint64 }

// smallBudget bounds the bytes of small freed allocations that wait; it
// bounds memory. bigShare is the share of the region for the others; it
// bounds only addresses. maxWaiting bounds the number in a queue.
const (
	smallBudget = 32 << 20
	bigShare    = 4
	maxWaiting  = 1 << 16
)

func newRegion(lo, hi uint64) region {
	return region{next: lo, end: hi,
		small: quarantine{budget: min(smallBudget, (hi-lo)/16)},
		big:   quarantine{budget: (hi - lo) / bigShare}}
}

func (r *region) queue(size uint64) *quarantine {
	if size >= pageSize {
		return &r.big
	}
	return &r.small
}

// take finds n bytes, first fit by address.
func (r *region) take(n, align uint64) (uint64, bool) {
	for i, s := range r.free {
		base := roundUp(s.lo, align)
		if base >= s.lo && base < s.hi && n <= s.hi-base {
			r.cut(i, base, base+n)
			return base, true
		}
	}
	base := roundUp(r.next, align)
	if base < r.next || base >= r.end || n > r.end-base {
		return 0, false
	}
	if base > r.next {
		r.give(r.next, base)
	}
	r.next = base + n
	return base, true
}

// cut takes [lo, hi) out of free span i.
func (r *region) cut(i int, lo, hi uint64) {
	s := r.free[i]
	var rest []span
	if s.lo < lo {
		rest = append(rest, span{s.lo, lo})
	}
	if hi < s.hi {
		rest = append(rest, span{hi, s.hi})
	}
	r.free = slices.Replace(r.free, i, i+1, rest...)
}

// give adds [lo, hi) to the free spans and joins it with its neighbors.
func (r *region) give(lo, hi uint64) {
	i, _ := slices.BinarySearchFunc(r.free, lo, func(s span, lo uint64) int {
		if s.lo < lo {
			return -1
		}
		return 1
	})
	j := i
	if i > 0 && r.free[i-1].hi == lo {
		i--
		lo = r.free[i].lo
	}
	if j < len(r.free) && r.free[j].lo == hi {
		hi = r.free[j].hi
		j++
	}
	r.free = slices.Replace(r.free, i, j, span{lo, hi})
}

// quarantine is a queue of freed allocations, bounded by their footprint.
type quarantine struct {
	budget, bytes uint64
	list          []*Allocation
	head          int
}

func (q *quarantine) push(al *Allocation) {
	q.list = append(q.list, al)
	q.bytes += al.foot
}

func (q *quarantine) over() bool {
	return q.bytes > q.budget || len(q.list)-q.head > maxWaiting
}

func (q *quarantine) pop() *Allocation {
	if q.head == len(q.list) {
		return nil
	}
	al := q.list[q.head]
	q.list[q.head] = nil
	q.head++
	q.bytes -= al.foot
	if q.head > 1024 && 2*q.head > len(q.list) {
		q.list = append([]*Allocation(nil), q.list[q.head:]...)
		q.head = 0
	}
	return al
}
