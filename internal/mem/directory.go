package mem

import (
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/intmap"
)

// directory finds allocations by address. Readers follow one atomic pointer to a map that
// never changes; a writer makes another one, which shares all but a path with it. Writers
// exclude each other by other means.
type directory struct {
	snap atomic.Pointer[intmap.Map[Allocation]]
}

func (d *directory) allocations() intmap.Map[Allocation] {
	if p := d.snap.Load(); p != nil {
		return *p
	}
	return intmap.Map[Allocation]{}
}

// find returns the allocation that contains addr. One without bytes contains
// its base, so that it can be freed.
func (d *directory) find(addr uint64) *Allocation {
	al := d.allocations().Floor(addr)
	if al != nil && (al.Contains(addr) || al.Base == addr) {
		return al
	}
	return nil
}

// meets reports whether an allocation has bytes in [lo, hi), which is not empty.
func (d *directory) meets(lo, hi uint64) bool {
	al := d.allocations().Floor(hi - 1)
	return al != nil && al.End() > lo
}

// nearest returns the allocation with the least distance to addr, or nil.
func (d *directory) nearest(addr uint64) *Allocation {
	m := d.allocations()
	before, after := m.Floor(addr), m.Ceil(addr)
	if before == nil || after != nil && distance(after, addr) < distance(before, addr) {
		return after
	}
	return before
}

// all returns the allocations by address.
func (d *directory) all() []*Allocation {
	var out []*Allocation
	for _, al := range d.allocations().All() {
		out = append(out, al)
	}
	return out
}

func (d *directory) insert(al *Allocation) {
	m := d.allocations().Merge(intmap.Of(al.Base, al), func(_, al *Allocation) *Allocation { return al })
	d.snap.Store(&m)
}

func (d *directory) remove(al *Allocation) {
	m := d.allocations().Without(al.Base)
	d.snap.Store(&m)
}
