package mem

import "github.com/warpgrind/warpgrind/internal/ctype"

// Spec is what AllocSpec makes an allocation from. Align is a power of two
// in bytes; less than MinAlign means MinAlign.
type Spec struct {
	Size, Align uint64
	Kind        Kind
	Name, Where string
	// Call is the function that allocates, At its place as "file:line"; both "" where
	// unknown. Where is the same for people.
	Call, At string
	ReadOnly bool
	// Unfilled is set if a variable counts as unwritten until the program fills it.
	Unfilled bool
	// Type is a variable's, nil where it is not known.
	Type *ctype.Type
	Rows Rows
	// Reserved is the base of a reserved range that the allocation fills; 0 for any place.
	Reserved uint64
}

// Rows says how pitched memory is divided ("CUDA Runtime API", cudaMallocPitch): Width
// bytes were asked for in each row, and rows begin Pitch bytes apart. Both are 0 for other
// memory.
type Rows struct{ Width, Pitch uint64 }

// Alloc allocates size bytes (at least one is reserved) with an alignment of
// at least MinAlign and a red zone of at least RedZone after it. The bytes
// are zero. It returns ErrOutOfMemory.
func (a *Arena) Alloc(size, align uint64, kind Kind, name string) (*Allocation, error) {
	return a.AllocSpec(Spec{Size: size, Align: align, Kind: kind, Name: name})
}

// AllocSpec is Alloc with all that an Allocation can say.
func (a *Arena) AllocSpec(s Spec) (*Allocation, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.Size > a.size || (!s.Kind.HostVisible() && s.Size > a.limit-min(a.used, a.limit)) {
		return nil, ErrOutOfMemory
	}
	base := s.Reserved
	if base != 0 {
		a.forget(base, base+s.Size)
	} else {
		var ok bool
		if base, ok = a.place(a.regionOf(s.Kind), s); !ok {
			return nil, ErrOutOfMemory
		}
	}
	al := &Allocation{Base: base, Reserved: s.Reserved != 0, Size: s.Size, foot: a.footprint(s.Size), Kind: s.Kind, Name: s.Name,
		ID: a.nextID, ReadOnly: s.ReadOnly, Where: s.Where, Call: s.Call, At: s.At, Type: s.Type, Rows: s.Rows}
	if a.track && (s.Kind == Device || s.Kind == Heap || s.Unfilled) {
		al.Written = newWritten(s.Size, &a.changed)
	}
	if a.track && !s.Kind.HostVisible() {
		al.Taint = NewTaint(s.Size)
	}
	a.nextID++
	if !s.Kind.HostVisible() {
		a.used += s.Size
	}
	a.live.insert(al)
	return al, nil
}

func (a *Arena) regionOf(k Kind) *region {
	if k.HostVisible() {
		return &a.host
	}
	return &a.dev
}

// place finds room for s. Larger allocations get pages of their own, so that
// freeing one gives all its memory back.
func (a *Arena) place(r *region, s Spec) (uint64, bool) {
	align := max(s.Align, MinAlign)
	if s.Size >= pageSize {
		align = max(align, pageSize)
	}
	n := a.footprint(s.Size)
	for {
		if base, ok := r.take(n, align); ok {
			return base, true
		}
		if !a.recycle(r, &r.big) && !a.recycle(r, &r.small) {
			return 0, false
		}
	}
}

// SetPadding sets the least distance in bytes between allocations that are made
// from now on, if that is more than RedZone.
func (a *Arena) SetPadding(n uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.redZone = max(n, RedZone)
}

// footprint is the bytes that an allocation takes with its red zone.
func (a *Arena) footprint(size uint64) uint64 {
	n := roundUp(max(size, 1)+a.redZone, MinAlign)
	if size >= pageSize {
		n = roundUp(n, pageSize)
	}
	return n
}

// Free is FreeBy without a call of the program.
func (a *Arena) Free(base uint64) (*Allocation, error) { return a.FreeBy(base, Caller{}) }

// FreeBy ends an allocation and gives its memory back to the system. The range
// stays unused while it is in quarantine. The error is a *FreeError.
func (a *Arena) FreeBy(base uint64, by Caller) (*Allocation, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	al := a.live.find(base)
	if al == nil || al.Base != base || al.Mapped {
		if d := a.dead[base]; al == nil && d != nil {
			return nil, &FreeError{Addr: base, Double: true, Alloc: d}
		}
		return nil, &FreeError{Addr: base, Alloc: al}
	}
	a.live.remove(al)
	al.FreedBy = by
	if !al.Kind.HostVisible() {
		a.used -= al.Size
	}
	a.release(al.Base, al.End())
	a.dead[base] = al
	if !al.Reserved { // otherwise the range stays reserved
		a.retire(al)
	}
	return al, nil
}

// retire puts a freed allocation into quarantine.
func (a *Arena) retire(al *Allocation) {
	r := a.regionOf(al.Kind)
	q := r.queue(al.Size)
	q.push(al)
	for q.over() {
		a.recycle(r, q)
	}
}

// recycle makes the range of the allocation that is longest in q usable again.
func (a *Arena) recycle(r *region, q *quarantine) bool {
	al := q.pop()
	if al == nil {
		return false
	}
	delete(a.dead, al.Base)
	r.give(al.Base, al.Base+al.foot)
	return true
}

// Find returns the live allocation that contains addr, or nil. It takes no
// lock.
func (a *Arena) Find(addr uint64) *Allocation { return a.live.find(addr) }

// Meets reports whether a live allocation has bytes in [lo, hi), which is not empty.
// It takes no lock.
func (a *Arena) Meets(lo, hi uint64) bool { return a.live.meets(lo, hi) }

// Live returns the live allocations by address.
func (a *Arena) Live() []*Allocation { return a.live.all() }

// Nearest returns the allocation nearest to addr, and whether it is freed
// (and not long ago); nil when there is none. A live one wins a tie, unless
// addr lies inside the freed one.
func (a *Arena) Nearest(addr uint64) (al *Allocation, freed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	al = a.live.nearest(addr)
	for _, d := range a.dead {
		switch {
		case al == nil || distance(d, addr) < distance(al, addr):
			al, freed = d, true
		case freed && distance(d, addr) == distance(al, addr) && d.ID > al.ID:
			al = d
		}
	}
	return al, freed
}

// distance is how many bytes addr lies outside al.
func distance(al *Allocation, addr uint64) uint64 {
	switch {
	case addr < al.Base:
		return al.Base - addr
	case addr >= al.End():
		return addr - al.End() + 1
	}
	return 0
}
