package vec

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Registers are the rows and masks of a warp in its slab. Slots are byte offsets
// there.
type Registers struct {
	buf  []uint64
	base unsafe.Pointer
}

// Allocate makes room for a slab of n bytes, all zero. Its rows are aligned for vectors.
func (w *Registers) Allocate(n int32) {
	w.buf = make([]uint64, int(n)/8+16)
	w.base = unsafe.Pointer(&w.buf[0])
	if r := uintptr(w.base) % 64; r != 0 {
		w.base = unsafe.Add(w.base, int(64-r))
	}
}

// Slab is the memory of all of them.
func (w *Registers) Slab() []uint64 { return w.buf }

// At runs f on rows that lie at base as the registers do in their slab, in their place.
func (w *Registers) At(base unsafe.Pointer, f func()) {
	own := w.base
	w.base = base
	f()
	w.base = own
}

// Ptr is the memory of a slot.
func (w *Registers) Ptr(slot int32) unsafe.Pointer { return unsafe.Add(w.base, int(slot)) }

// V32 is a row of 32-bit values.
func (w *Registers) V32(slot int32) *Row32 { return (*Row32)(unsafe.Add(w.base, int(slot))) }

// V64 is a row of 64-bit values.
func (w *Registers) V64(slot int32) *Row64 { return (*Row64)(unsafe.Add(w.base, int(slot))) }

// S64 is a value that is the same in all lanes.
func (w *Registers) S64(slot int32) *uint64 { return (*uint64)(unsafe.Add(w.base, int(slot))) }

// Pred is a predicate: a bit for each lane.
func (w *Registers) Pred(slot int32) *uint32 { return (*uint32)(unsafe.Add(w.base, int(slot))) }

// Words are the slots from lo to hi.
func (w *Registers) Words(lo, hi int32) []uint64 {
	return unsafe.Slice((*uint64)(w.Ptr(lo)), int(hi-lo)/8)
}

// LaneValue is the value of lane l in a slot.
func (w *Registers) LaneValue(slot int32, width alu.Width, l int) uint64 {
	switch width {
	case alu.W32:
		return uint64(w.V32(slot)[l])
	case alu.W64:
		return w.V64(slot)[l]
	case alu.Pred:
		return uint64(*w.Pred(slot) >> l & 1)
	}
	return 0
}

// SetLane gives lane l a value.
func (w *Registers) SetLane(slot int32, width alu.Width, l int, v uint64) {
	if slot == program.NoSlot {
		return
	}
	switch width {
	case alu.W32:
		w.V32(slot)[l] = uint32(v)
	case alu.W64:
		w.V64(slot)[l] = v
	case alu.Pred:
		p := w.Pred(slot)
		*p = *p&^(1<<l) | uint32(v&1)<<l
	}
}

// SetScalar sets a value that is the same in all lanes, and the row that has copies of it.
func (w *Registers) SetScalar(slot int32, width alu.Width, bcast int32, v uint64) {
	if slot == program.NoSlot || width == alu.None {
		return
	}
	if width == alu.Pred {
		*w.Pred(slot) = -uint32(v & 1)
		return
	}
	*w.S64(slot) = v
	if bcast != program.NoSlot {
		w.Broadcast(bcast, width, v)
	}
}

// Broadcast gives all lanes of a row a value.
func (w *Registers) Broadcast(slot int32, width alu.Width, v uint64) {
	n := int32(128)
	if width == alu.W64 {
		n = 256
	} else {
		v = v&0xffffffff | v<<32 // two lanes at a time
	}
	row := w.Words(slot, slot+n)
	for i := range row {
		row[i] = v
	}
}

// Fill sets a constant.
func (w *Registers) Fill(c program.Const) {
	switch {
	case c.Scalar:
		*w.S64(c.Slot) = c.Value
	case c.Width == alu.Pred:
		*w.Pred(c.Slot) = -uint32(c.Value & 1)
	case c.Width == alu.W64:
		for i := range w.V64(c.Slot) {
			w.V64(c.Slot)[i] = c.Value
		}
	default:
		for i := range w.V32(c.Slot) {
			w.V32(c.Slot)[i] = uint32(c.Value)
		}
	}
}

// CopyWords copies parameters word by word, as far as both sides have words.
func (w *Registers) CopyWords(dst, src [][]int32, m uint32) {
	for i := 0; i < len(dst) && i < len(src); i++ {
		for k := 0; k < len(dst[i]) && k < len(src[i]); k++ {
			Blend32(w.V32(dst[i][k]), w.V32(src[i][k]), m)
		}
	}
}

// ParamWords reads a parameter of up to 8 bytes from its word slots.
func (w *Registers) ParamWords(slots []int32, l int) uint64 {
	var v uint64
	for i, s := range slots {
		if i < 2 {
			v |= uint64(w.V32(s)[l]) << (32 * i)
		}
	}
	return v
}

// SetWords writes a parameter of up to 8 bytes to its word slots.
func (w *Registers) SetWords(slots []int32, l int, v uint64) {
	for i, s := range slots {
		if i < 2 {
			w.V32(s)[l] = uint32(v >> (32 * i))
		}
	}
}

// Arg is argument i of a call, for lane l.
func (w *Registers) Arg(h *program.HostCall, i, l int) uint64 {
	if i >= len(h.Args) {
		return 0
	}
	return w.ParamWords(h.Args[i], l)
}

// Pack joins elements into a register, low element first.
func (w *Registers) Pack(p *program.Pack, m uint32) {
	for b := m; b != 0; b &= b - 1 {
		l := Lowest(b)
		var v uint64
		for k, e := range p.Elems {
			x := w.LaneValue(e, p.ElemWidth, l) & (1<<p.Bits - 1)
			v |= x << (uint(k) * p.Bits)
		}
		w.SetLane(p.Reg, p.Width, l, v)
	}
}

// Unpack splits a register; elements at NoSlot are dropped.
func (w *Registers) Unpack(p *program.Pack, m uint32) {
	for b := m; b != 0; b &= b - 1 {
		l := Lowest(b)
		v := w.LaneValue(p.Reg, p.Width, l)
		for k, e := range p.Elems {
			w.SetLane(e, p.ElemWidth, l, v>>(uint(k)*p.Bits)&(1<<p.Bits-1))
		}
	}
}
