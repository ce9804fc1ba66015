package mem

import (
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sys/unix"
)

// State is what an arena holds besides the bytes of its allocations, so that another arena
// can be made that answers the same questions: where allocations are, which were freed, which
// bytes have been written.
type State struct {
	// Size is the arena's, which decides where host-visible memory begins; Limit is SetLimit's.
	Size, Limit uint64
	// NextID is the number of the next allocation.
	NextID int
	// Allocations are the live ones by address, and the freed ones whose range is still unused
	// in the order in which they were freed.
	Allocations []SavedAllocation
}

// SavedAllocation is an allocation of a State.
type SavedAllocation struct {
	*Allocation
	// Footprint is the bytes that it takes with its red zone.
	Footprint uint64
	// Freed is set if it has ended.
	Freed bool
	// Tracked is set if written bytes are noted. Marks has a bit for each byte that was
	// written, up to the last one; nil where all were.
	Tracked bool
	Marks   []uint64
}

// Save returns the arena's state. Nothing may run that changes it.
func (a *Arena) Save() State {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := State{Size: a.size, Limit: a.limit, NextID: a.nextID}
	for _, al := range a.live.all() {
		s.Allocations = append(s.Allocations, save(al, false))
	}
	for _, r := range []*region{&a.dev, &a.host} {
		for _, q := range []*quarantine{&r.small, &r.big} {
			for _, al := range q.list[q.head:] {
				s.Allocations = append(s.Allocations, save(al, true))
			}
		}
	}
	return s
}

func save(al *Allocation, freed bool) SavedAllocation {
	s := SavedAllocation{Allocation: al, Footprint: max(al.foot, al.Size), Freed: freed, Tracked: al.Written != nil && !freed}
	if w := al.Written; !freed && w != nil && !w.Full() {
		s.Marks = []uint64{}
		w.bits.each(func(i int, m uint64) { s.Marks = append(append(s.Marks, make([]uint64, i-len(s.Marks))...), m) })
	}
	return s
}

// Restore gives an arena without allocations those of a state. Their bytes are zero. The error
// names what does not fit: a state can come from anywhere.
func (a *Arena) Restore(s State) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case s.Size != a.size:
		return fmt.Errorf("device memory of %d bytes of addresses, but %d are available", s.Size, a.size)
	case a.nextID != 0:
		return fmt.Errorf("device memory is in use")
	case s.NextID < 0 || s.NextID > maxAllocations:
		return fmt.Errorf("%d allocations", s.NextID)
	}
	ordered := slices.Clone(s.Allocations)
	slices.SortStableFunc(ordered, func(x, y SavedAllocation) int {
		switch {
		case x.Base < y.Base:
			return -1
		case x.Base > y.Base:
			return 1
		}
		return 0
	})
	for i := range ordered {
		if err := a.occupy(&ordered[i]); err != nil {
			return fmt.Errorf("allocation %d of %d bytes at 0x%x: %w", ordered[i].ID, ordered[i].Size, ordered[i].Base, err)
		}
	}
	a.nextID, a.limit = s.NextID, min(s.Limit, a.size/2)
	for i := range s.Allocations { // in the order of frees
		if err := a.adopt(&s.Allocations[i]); err != nil {
			return fmt.Errorf("allocation %d: %w", s.Allocations[i].ID, err)
		}
	}
	return nil
}

// maxAllocations bounds the numbers of allocations of a state.
const maxAllocations = 1 << 30

// occupy takes the range of an allocation, whose address is above all before it, out of its region.
func (a *Arena) occupy(s *SavedAllocation) error {
	switch {
	case s.Kind > Heap:
		return fmt.Errorf("of no kind")
	case s.ID < 0 || s.ID >= maxAllocations:
		return fmt.Errorf("has no valid number")
	}
	r := a.regionOf(s.Kind)
	end := s.Base + s.Footprint
	if s.Base < r.next || end < s.Base || end > r.end || s.Size > s.Footprint || s.Base%MinAlign != 0 {
		return fmt.Errorf("is outside of the device's memory or overlaps another one")
	}
	if s.Base > r.next {
		r.give(r.next, s.Base)
	}
	r.next = end
	return nil
}

// adopt makes an allocation whose range is taken.
func (a *Arena) adopt(s *SavedAllocation) error {
	al := *s.Allocation
	al.foot, al.Written, al.Taint = s.Footprint, nil, nil
	if s.Freed {
		a.regionOf(al.Kind).queue(al.Size).push(&al)
		a.dead[al.Base] = &al
		return nil
	}
	if a.track && s.Tracked {
		al.Written = newWritten(al.Size, &a.changed)
		if len(s.Marks) > al.Written.bits.n {
			return fmt.Errorf("%d words of marks for %d bytes", len(s.Marks), al.Size)
		}
		al.Written.restore(s.Marks)
	}
	if a.track && !al.Kind.HostVisible() {
		al.Taint = NewTaint(al.Size)
	}
	if !al.Kind.HostVisible() {
		a.used += al.Size
	}
	a.live.insert(&al)
	return nil
}

// restore sets the marks; nil sets all.
func (w *Written) restore(marks []uint64) {
	if marks == nil {
		w.full.Store(true)
		return
	}
	for i, m := range marks {
		if r := w.size % 64; r != 0 && i == w.bits.n-1 { // no marks beyond the end
			m &= 1<<r - 1
		}
		if m != 0 {
			w.bits.word(i).Store(m)
		}
	}
	w.note()
}

// Data calls f for the ranges of n bytes at addr that have memory, in order; the others are
// zero. Reading these would give them memory.
func (a *Arena) Data(addr, n uint64, f func(addr, n uint64)) error {
	fd, end := int(a.file.Fd()), int64(addr+n-ArenaBase)
	for at := int64(addr - ArenaBase); at < end; {
		lo, err := unix.Seek(fd, at, unix.SEEK_DATA)
		if err == unix.ENXIO || err == nil && lo >= end {
			return nil
		}
		if err != nil {
			return err
		}
		hi, err := unix.Seek(fd, lo, unix.SEEK_HOLE)
		if err != nil {
			return err
		}
		hi = min(hi, end)
		f(ArenaBase+uint64(lo), uint64(hi-lo))
		at = hi
	}
	return nil
}

// Handles returns the handles of all textures in order.
func (t *Textures) Handles() []uint64 {
	m := t.cur.Load()
	if m == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(*m))
}
