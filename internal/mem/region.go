package mem

// region hands out ranges of one half of the arena: recycled spans first,
// then what was never used.
type region struct {
	next, end uint64
	free      spans
	// Freed allocations wait here before their range is used again. Small
	// ones share pages with others, so fewer bytes of them may wait.
	small, big quarantine
}

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
	if base, ok := r.free.take(n, align); ok {
		return base, true
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

// give makes [lo, hi) free.
func (r *region) give(lo, hi uint64) { r.free.give(lo, hi) }

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
