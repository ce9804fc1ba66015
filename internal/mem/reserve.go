package mem

import "slices"

// A reservation is a range of device addresses that holds memory only where
// the program maps some ("CUDA Driver API", "Virtual Memory Management"). What is
// mapped side by side is one allocation, since accesses and copies may reach
// over both.
type reservation struct{ base, end, footEnd uint64 }

// Reserve takes a range of addresses of the device. It returns ErrOutOfMemory.
func (a *Arena) Reserve(size, align uint64) (uint64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if size > a.size || align > a.size {
		return 0, ErrOutOfMemory
	}
	base, ok := a.place(&a.dev, Spec{Size: size, Align: align})
	if !ok {
		return 0, ErrOutOfMemory
	}
	a.reserved = append(a.reserved, reservation{base, base + size, base + a.footprint(size)})
	return base, nil
}

// Unreserve gives a range that Reserve returned back. It reports whether there is one
// where nothing is mapped any more.
func (a *Arena) Unreserve(base uint64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.reserved, func(r reservation) bool { return r.base == base })
	if i < 0 || a.live.meets(a.reserved[i].base, a.reserved[i].end) {
		return false
	}
	r := a.reserved[i]
	a.reserved = slices.Delete(a.reserved, i, i+1)
	if d := a.dead[base]; d != nil && d.Reserved { // accesses to it may still come
		a.retire(d)
		return true
	}
	a.forget(r.base, r.end)
	a.dev.give(r.base, r.footEnd)
	return true
}

// Reserved is the size of the reserved range that begins at an address, 0 for none.
func (a *Arena) Reserved(base uint64) uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.reserved {
		if r.base == base {
			return r.end - r.base
		}
	}
	return 0
}

// Unmapped reports whether a range lies in a reserved one, and which, and has no memory.
func (a *Arena) Unmapped(addr, size uint64) (base uint64, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.reserved {
		if addr >= r.base && addr < r.end {
			return r.base, size > 0 && size <= r.end-addr && !a.live.meets(addr, addr+size)
		}
	}
	return 0, false
}

// forget drops the record of what was mapped in [lo, hi).
func (a *Arena) forget(lo, hi uint64) {
	for at, d := range a.dead {
		if lo <= at && at < hi && (d.Mapped || d.Reserved) {
			delete(a.dead, at)
		}
	}
}

// Map puts memory at the reserved addresses [base, base+s.Size), where none may
// be. It returns the allocation that now contains it and those, mapped
// beside it, in whose place that is. It returns ErrOutOfMemory.
func (a *Arena) Map(base uint64, s Spec) (al *Allocation, before []*Allocation, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.Size > a.limit-min(a.used, a.limit) {
		return nil, nil, ErrOutOfMemory
	}
	a.used += s.Size
	lo, hi := base, base+s.Size
	a.forget(lo, hi)
	for _, at := range []uint64{lo - 1, hi} {
		if n := a.live.find(at); n != nil && n.Mapped {
			before = append(before, n)
			lo, hi = min(lo, n.Base), max(hi, n.End())
		}
	}
	origin := &Allocation{Where: s.Where, Call: s.Call, At: s.At}
	if len(before) > 0 {
		origin = before[0]
	}
	for _, b := range before {
		a.live.remove(b)
	}
	return a.mapped(lo, hi, origin, before), before, nil
}

// mapped makes the allocation [lo, hi) from memory of others, and new one. It comes
// from the call that origin comes from.
func (a *Arena) mapped(lo, hi uint64, origin *Allocation, from []*Allocation) *Allocation {
	al := &Allocation{Base: lo, Size: hi - lo, Kind: Device, ID: a.nextID, Where: origin.Where, Call: origin.Call, At: origin.At, Mapped: true}
	a.nextID++
	if a.track {
		al.Written = a.written(lo, hi, from)
		al.Taint = NewTaint(hi - lo)
		for _, b := range from {
			first, last := max(lo, b.Base), min(hi, b.End())
			al.Taint.Copy(first-lo, b.Taint, first-b.Base, last-first)
		}
	}
	a.live.insert(al)
	return al
}

// written joins what was written of [lo, hi) when it was parts of others.
func (a *Arena) written(lo, hi uint64, from []*Allocation) *Written {
	if len(from) == 1 && from[0].Base == lo && from[0].End() < hi && from[0].Written != nil {
		from[0].Written.Settle()
		return from[0].Written.grown(hi - lo)
	}
	w := newWritten(hi-lo, &a.changed)
	for _, b := range from {
		first, last := max(lo, b.Base), min(hi, b.End())
		w.Copy(first-lo, b.Written, first-b.Base, last-first)
	}
	return w
}

// Unmap takes the memory at [base, base+size), all of which is mapped, away. It
// returns the allocation that contained it and what is left of that.
func (a *Arena) Unmap(base, size uint64) (before *Allocation, left []*Allocation) {
	a.mu.Lock()
	defer a.mu.Unlock()
	before = a.live.find(base)
	if before == nil || !before.Mapped || size == 0 || size > before.End()-base {
		return nil, nil
	}
	a.live.remove(before)
	a.used -= size
	a.release(base, base+size)
	from := []*Allocation{before}
	if before.Base < base {
		left = append(left, a.mapped(before.Base, base, before, from))
	}
	if base+size < before.End() {
		left = append(left, a.mapped(base+size, before.End(), before, from))
	}
	a.dead[base] = &Allocation{Base: base, Size: size, Kind: Device, ID: before.ID, Where: before.Where, Call: before.Call, At: before.At, Mapped: true}
	return before, left
}
