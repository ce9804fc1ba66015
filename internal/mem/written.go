package mem

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

// Written says of each byte of an allocation whether anybody has written it.
// All methods are safe for concurrent use. Bits are only ever set.
type Written struct {
	size uint64
	bits *bitset
	// later are bits that Settle sets; nil for none.
	later atomic.Pointer[bitset]
	// full is set once all bits are, done counts the words that are known to.
	full atomic.Bool
	done int
	// elems has the sizes of the elements that were written: powers of two, or-ed.
	elems atomic.Uint32
	// changed takes w where bits have been set since the last Settle, noted tells that it has.
	changed *changes
	noted   atomic.Bool
}

// changes collects what Settle has to look at.
type changes struct {
	mu   sync.Mutex
	list []*Written
}

func (c *changes) take() []*Written {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.list
	c.list = nil
	return list
}

func newWritten(size uint64, changed *changes) *Written {
	w := &Written{size: size, bits: newBitset(size), changed: changed}
	w.full.Store(size == 0)
	return w
}

// note has the next Settle look at w.
func (w *Written) note() {
	if !w.noted.Load() && !w.noted.Swap(true) {
		w.changed.mu.Lock()
		w.changed.list = append(w.changed.list, w)
		w.changed.mu.Unlock()
	}
}

// grown is w for an allocation that has become longer at its end, and takes the
// place of w.
func (w *Written) grown(size uint64) *Written {
	out := &Written{size: size, bits: w.bits.grown(size), done: w.done, changed: w.changed}
	if w.Full() { // memory that is known to be set needs no marks
		at := min(uint64(w.done)*64, w.size)
		out.bits.mark(at, w.size-at)
		out.done = int(w.size / 64)
	}
	out.elems.Store(w.elems.Load())
	out.note()
	return out
}

// Full reports whether every byte has been written, as far as Settle has
// found or a Mark of the whole allocation says.
func (w *Written) Full() bool { return w.full.Load() }

// Mark notes a write of n bytes at offset off.
func (w *Written) Mark(off, n uint64) {
	if off == 0 && n == w.size {
		w.full.Store(true)
	}
	if !w.full.Load() {
		w.bits.mark(off, n)
		w.note()
	}
}

// Element notes that n bytes were written as one element.
func (w *Written) Element(n int) {
	if w.elems.Load()&uint32(n) != uint32(n) {
		w.elems.Or(uint32(n))
	}
}

// ElementSizes are the sizes in bytes, powers of two, of the elements that kernels wrote,
// or-ed; 0 if they wrote none.
func (w *Written) ElementSizes() int { return int(w.elems.Load()) }

// MarkLater is a Mark that counts from the next Settle on.
func (w *Written) MarkLater(off, n uint64) {
	p := w.later.Load()
	if p == nil {
		if p = newBitset(w.size); !w.later.CompareAndSwap(nil, p) {
			p = w.later.Load()
		}
	}
	p.mark(off, n)
	w.note()
}

// part returns the first word of bits [off, end), the bits in it, and where
// the rest begins.
func part(off, end uint64) (word int, mask, next uint64) {
	word, next = int(off/64), min(end, (off/64+1)*64)
	mask = ^uint64(0) << (off % 64)
	if next%64 != 0 {
		mask &= 1<<(next%64) - 1
	}
	return word, mask, next
}

// Has reports whether all n bytes at off have been written.
func (w *Written) Has(off, n uint64) bool {
	if w.full.Load() {
		return true
	}
	for end := off + n; off < end; {
		i, m, next := part(off, end)
		if w.bits.load(i)&m != m {
			return false
		}
		off = next
	}
	return true
}

// Missing returns a mask of those of up to 64 bytes at off that were never written.
func (w *Written) Missing(off uint64, n int) uint64 {
	if w.full.Load() {
		return 0
	}
	i, s := off/64, off%64
	have := w.bits.load(int(i)) >> s
	if s != 0 && int(i)+1 < w.bits.n {
		have |= w.bits.load(int(i)+1) << (64 - s)
	}
	return ^have & (^uint64(0) >> (64 - n))
}

// Gap returns the first range of bytes in [off, off+n) that were never written, and
// how many such bytes there are; all 0 if there are none.
func (w *Written) Gap(off, n uint64) (start, length, total uint64) {
	if w.full.Load() {
		return 0, 0, 0
	}
	open := false
	for end := off + n; off < end; {
		i, m, next := part(off, end)
		if to, ok := w.bits.empty(i); ok { // none of a page was written
			next = min(end, uint64(to)*64)
			if length == 0 {
				start, open = off, true
			}
			if open {
				length += next - off
			}
			total, off = total+next-off, next
			continue
		}
		missing := m &^ w.bits.load(i)
		total += uint64(bits.OnesCount64(missing))
		if total == 0 || length > 0 && !open {
			off = next
			continue
		}
		from := uint64(0)
		if length == 0 {
			from = uint64(bits.TrailingZeros64(missing))
			start, open = uint64(i)*64+from, true
		}
		run := uint64(bits.TrailingZeros64(^(missing >> from)))
		length += run
		open = uint64(i)*64+from+run == next && (next%64 == 0)
		off = next
	}
	return start, length, total
}

// EachGap calls f for the ranges of bytes in [off, off+n) that were never written, until f
// returns false.
func (w *Written) EachGap(off, n uint64, f func(start, length uint64) bool) {
	for end := off + n; off < end; {
		start, length, _ := w.Gap(off, end-off)
		if length == 0 || !f(start, length) {
			return
		}
		off = start + length
	}
}

// Copy notes that n bytes at off got those at from of an allocation with src,
// nil if all of its bytes count as written. Its gaps may be those between the elements that kernels wrote there.
func (w *Written) Copy(off uint64, src *Written, from, n uint64) {
	if src != nil {
		w.Element(src.ElementSizes())
	}
	if src == nil || src.Has(from, n) {
		w.Mark(off, n)
		return
	}
	for i := uint64(0); i < n; i += 64 {
		k := min(64, n-i)
		for m := ^src.Missing(from+i, int(k)) & (^uint64(0) >> (64 - k)); m != 0; {
			lo := uint64(bits.TrailingZeros64(m))
			run := uint64(bits.TrailingZeros64(^(m >> lo)))
			w.Mark(off+i+lo, run)
			if lo+run == 64 {
				break
			}
			m &^= 1<<(lo+run) - 1
		}
	}
}

// Settle makes what MarkLater noted count, and finds out whether all bytes are
// written. It must not run at the same time as others of its kind.
func (w *Written) Settle() {
	w.noted.Store(false)
	if w.full.Load() {
		return
	}
	if p := w.later.Swap(nil); p != nil {
		p.each(func(i int, m uint64) { w.bits.word(i).Or(m) })
	}
	for ; w.done < w.bits.n; w.done++ {
		want := ^uint64(0)
		if r := w.size % 64; w.done == w.bits.n-1 && r != 0 {
			want = 1<<r - 1
		}
		if w.bits.load(w.done) != want {
			return
		}
	}
	w.full.Store(true)
}

// TrackWrites makes the arena note, from now on, which bytes of allocations
// on the device are written. Managed and page-locked memory, which host code
// writes, and variables, which are zero from the start, count as written, but for
// those that are Unfilled.
func (a *Arena) TrackWrites() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.track = true
}

// TrackAgain makes an allocation forget which bytes of it are written. No kernel may run.
func (a *Arena) TrackAgain(al *Allocation) { al.Written = newWritten(al.Size, &a.changed) }

// AssumeWritten takes all bytes of the live allocations as written. No kernel may run.
func (a *Arena) AssumeWritten() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, al := range a.live.all() {
		if al.Written != nil {
			al.Written.Mark(0, al.Size)
		}
	}
}

// Tainted notes that an allocation has its first undefined value; Taints counts that.
func (a *Arena) Tainted() { a.taints.Add(1) }

// Taints tells whoever remembers which allocations have undefined values whether that
// has changed.
func (a *Arena) Taints() uint64 { return a.taints.Load() }

// Settle settles the notes of the allocations that were written; see Written.Settle. It is
// for between launches.
func (a *Arena) Settle() {
	for _, w := range a.changed.take() {
		w.Settle()
	}
}
