package mem

import (
	"slices"
	"sort"
	"sync/atomic"
)

// directory finds allocations by address. Readers follow one atomic pointer
// to an immutable snapshot; a writer copies the one leaf that changes and the
// list of leaves. Writers exclude each other by other means.
type directory struct {
	snap atomic.Pointer[[]leaf]
}

// leaf is a run of allocations by address; first is the base of the first.
type leaf struct {
	first uint64
	list  []*Allocation
}

const leafSize = 256

func (d *directory) leaves() []leaf {
	if p := d.snap.Load(); p != nil {
		return *p
	}
	return nil
}

// lastAtOrBefore returns the index of the last leaf whose first is <= addr,
// or -1.
func lastAtOrBefore(ls []leaf, addr uint64) int {
	lo, hi := 0, len(ls)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if ls[m].first <= addr {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo - 1
}

// below returns how many allocations of l begin at or before addr.
func (l leaf) below(addr uint64) int {
	return sort.Search(len(l.list), func(i int) bool { return l.list[i].Base > addr })
}

// find returns the allocation that contains addr. One without bytes contains
// its base, so that it can be freed.
func (d *directory) find(addr uint64) *Allocation {
	ls := d.leaves()
	i := lastAtOrBefore(ls, addr)
	if i < 0 {
		return nil
	}
	al := ls[i].list[ls[i].below(addr)-1]
	if al.Contains(addr) || al.Base == addr {
		return al
	}
	return nil
}

// nearest returns the allocation with the least distance to addr.
func (d *directory) nearest(addr uint64) *Allocation {
	ls := d.leaves()
	i := lastAtOrBefore(ls, addr)
	if i < 0 {
		if len(ls) > 0 {
			return ls[0].list[0]
		}
		return nil
	}
	n := ls[i].below(addr)
	best := ls[i].list[n-1]
	var next *Allocation
	if n < len(ls[i].list) {
		next = ls[i].list[n]
	} else if i+1 < len(ls) {
		next = ls[i+1].list[0]
	}
	if next != nil && distance(next, addr) < distance(best, addr) {
		return next
	}
	return best
}

func (d *directory) all() []*Allocation {
	var out []*Allocation
	for _, l := range d.leaves() {
		out = append(out, l.list...)
	}
	return out
}

func (d *directory) insert(al *Allocation) {
	ls := slices.Clone(d.leaves())
	i := max(lastAtOrBefore(ls, al.Base), 0)
	if len(ls) == 0 {
		ls = []leaf{{al.Base, []*Allocation{al}}}
	} else {
		list := slices.Insert(slices.Clone(ls[i].list), ls[i].below(al.Base), al)
		ls = slices.Replace(ls, i, i+1, split(list)...)
	}
	d.snap.Store(&ls)
}

// split makes one leaf of list, or two when it is too long. Allocations
// mostly come by rising address, so the left one is left full.
func split(list []*Allocation) []leaf {
	if len(list) <= leafSize {
		return []leaf{{list[0].Base, list}}
	}
	m := len(list) - 1
	if list[m].ID < list[m-1].ID {
		m = len(list) / 2
	}
	return []leaf{{list[0].Base, slices.Clip(list[:m])}, {list[m].Base, list[m:]}}
}

func (d *directory) remove(al *Allocation) {
	ls := slices.Clone(d.leaves())
	i := lastAtOrBefore(ls, al.Base)
	n := ls[i].below(al.Base) - 1
	list := slices.Delete(slices.Clone(ls[i].list), n, n+1)
	if len(list) == 0 {
		ls = slices.Delete(ls, i, i+1)
	} else {
		ls[i] = leaf{list[0].Base, list}
	}
	d.snap.Store(&ls)
}
