package devrt

import (
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/mem"
)

// Heap is what is left of the memory that device-side malloc may take ("CUDA
// C++ Programming Guide", "Heap Memory Allocation"). A nil one has no bound.
type Heap struct{ left atomic.Int64 }

// NewHeap is a heap of size bytes, of which what the arena holds is taken.
func NewHeap(size uint64, a *mem.Arena) *Heap {
	h := &Heap{}
	h.Recount(size, a)
	return h
}

// Recount is for when others have allocated and freed.
func (h *Heap) Recount(size uint64, a *mem.Arena) {
	left := int64(size)
	for _, al := range a.Live() {
		if al.Kind == mem.Heap {
			left -= int64(al.Size)
		}
	}
	h.left.Store(left)
}

// take reports whether there was room for n bytes.
func (h *Heap) take(n uint64) bool {
	if h == nil {
		return true
	}
	const most = 1 << 48
	if n > most {
		return false
	}
	if h.left.Add(-int64(n)) < 0 {
		h.give(n)
		return false
	}
	return true
}

func (h *Heap) give(n uint64) {
	if h != nil {
		h.left.Add(int64(n))
	}
}
