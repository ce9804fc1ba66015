package mem

import "sync/atomic"

// Taint holds the written bytes of a memory whose values are undefined, bit by bit,
// and where each value comes from. It is empty until an undefined value is stored, and
// takes memory only around such bytes. All methods are safe for concurrent use; stores
// to one byte that race leave one of the states.
type Taint struct {
	size  uint64
	pages atomic.Pointer[[]atomic.Pointer[taintPage]]
	count atomic.Int64
}

// NewTaint makes the taint of a memory of size bytes.
func NewTaint(size uint64) *Taint { return &Taint{size: size} }

// taintPage has for each byte the undefined bits, and the origin above them.
type taintPage [taintPageSize]atomic.Uint32

const (
	taintPageSize = 1 << 10
	originShift   = 8
)

// MaxOrigin is the largest origin that a Taint can hold.
const MaxOrigin = 1<<(32-originShift) - 1

// Any reports whether a byte is undefined.
func (t *Taint) Any() bool { return t.count.Load() != 0 }

// At returns the undefined bits of the byte at off, and their origin.
func (t *Taint) At(off uint64) (bits uint8, origin uint32) {
	p := t.page(off)
	if p == nil {
		return 0, 0
	}
	v := p[off%taintPageSize].Load()
	return uint8(v), v >> originShift
}

func (t *Taint) page(off uint64) *taintPage {
	list := t.pages.Load()
	if list == nil || off/taintPageSize >= uint64(len(*list)) {
		return nil
	}
	return (*list)[off/taintPageSize].Load()
}

// Set notes that a byte was stored whose undefined bits are bits; 0 for none.
func (t *Taint) Set(off uint64, bits uint8, origin uint32) {
	p := t.page(off)
	v := uint32(0)
	if bits != 0 {
		v = uint32(bits) | origin<<originShift
	}
	if p == nil {
		if v == 0 {
			return
		}
		p = t.grow(off)
	}
	switch old := p[off%taintPageSize].Swap(v); {
	case old == 0 && v != 0:
		t.count.Add(1)
	case old != 0 && v == 0:
		t.count.Add(-1)
	}
}

// grow makes the page of off.
func (t *Taint) grow(off uint64) *taintPage {
	if t.pages.Load() == nil {
		fresh := make([]atomic.Pointer[taintPage], t.size/taintPageSize+1)
		t.pages.CompareAndSwap(nil, &fresh)
	}
	slot := &(*t.pages.Load())[off/taintPageSize]
	slot.CompareAndSwap(nil, new(taintPage))
	return slot.Load()
}

// Clear notes that n bytes from off on are defined.
func (t *Taint) Clear(off, n uint64) {
	if !t.Any() {
		return
	}
	t.Each(off, n, func(at uint64, _ uint8, _ uint32) { t.Set(at, 0, 0) })
}

// Each calls f for the undefined bytes of n from off on.
func (t *Taint) Each(off, n uint64, f func(off uint64, bits uint8, origin uint32)) {
	for end := off + n; off < end && t.Any(); {
		next := min(end, (off/taintPageSize+1)*taintPageSize)
		if p := t.page(off); p != nil {
			for ; off < next; off++ {
				if v := p[off%taintPageSize].Load(); v != 0 {
					f(off, uint8(v), v>>originShift)
				}
			}
		}
		off = next
	}
}

// Copy notes that n bytes at off got those at from of src; nil if they are defined.
func (t *Taint) Copy(off uint64, src *Taint, from, n uint64) {
	if src == nil || !src.Any() {
		t.Clear(off, n)
		return
	}
	type byteAt struct {
		off    uint64
		bits   uint8
		origin uint32
	}
	var list []byteAt // first, since the ranges may overlap
	src.Each(from, n, func(at uint64, bits uint8, origin uint32) {
		list = append(list, byteAt{off + at - from, bits, origin})
	})
	t.Clear(off, n)
	for _, b := range list {
		t.Set(b.off, b.bits, b.origin)
	}
}

// Reset makes all bytes defined.
func (t *Taint) Reset() {
	if t.Any() {
		t.pages.Store(nil)
		t.count.Store(0)
	}
}
