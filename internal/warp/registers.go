package warp

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// A row has a value of each lane.
type (
	row32 = [32]uint32
	row64 = [32]uint64
)

// registers are the rows and masks of a warp in its slab. Slots are byte offsets
// there.
type registers struct {
	buf  []uint64
	base unsafe.Pointer
}

func (w *registers) ptr(slot int32) unsafe.Pointer { return unsafe.Add(w.base, int(slot)) }

func (w *registers) v32(slot int32) *row32 { return (*row32)(unsafe.Add(w.base, int(slot))) }

func (w *registers) v64(slot int32) *row64 { return (*row64)(unsafe.Add(w.base, int(slot))) }

func (w *registers) s64(slot int32) *uint64 { return (*uint64)(unsafe.Add(w.base, int(slot))) }

func (w *registers) pred(slot int32) *uint32 { return (*uint32)(unsafe.Add(w.base, int(slot))) }

func (w *registers) words(lo, hi int32) []uint64 {
	return unsafe.Slice((*uint64)(w.ptr(lo)), int(hi-lo)/8)
}

func (w *registers) laneValue(slot int32, width alu.Width, l int) uint64 {
	switch width {
	case alu.W32:
		return uint64(w.v32(slot)[l])
	case alu.W64:
		return w.v64(slot)[l]
	case alu.Pred:
		return uint64(*w.pred(slot) >> l & 1)
	}
	return 0
}

func (w *registers) setLane(slot int32, width alu.Width, l int, v uint64) {
	if slot == program.NoSlot {
		return
	}
	switch width {
	case alu.W32:
		w.v32(slot)[l] = uint32(v)
	case alu.W64:
		w.v64(slot)[l] = v
	case alu.Pred:
		p := w.pred(slot)
		*p = *p&^(1<<l) | uint32(v&1)<<l
	}
}

func (w *registers) setScalar(slot int32, width alu.Width, bcast int32, v uint64) {
	if slot == program.NoSlot || width == alu.None {
		return
	}
	if width == alu.Pred {
		*w.pred(slot) = -uint32(v & 1)
		return
	}
	*w.s64(slot) = v
	if bcast != program.NoSlot {
		w.broadcast(bcast, width, v)
	}
}

func (w *registers) broadcast(slot int32, width alu.Width, v uint64) {
	n := int32(128)
	if width == alu.W64 {
		n = 256
	} else {
		v = v&0xffffffff | v<<32 // two lanes at a time
	}
	row := w.words(slot, slot+n)
	for i := range row {
		row[i] = v
	}
}

func (w *registers) fill(c program.Const) {
	switch {
	case c.Scalar:
		*w.s64(c.Slot) = c.Value
	case c.Width == alu.Pred:
		*w.pred(c.Slot) = -uint32(c.Value & 1)
	case c.Width == alu.W64:
		for i := range w.v64(c.Slot) {
			w.v64(c.Slot)[i] = c.Value
		}
	default:
		for i := range w.v32(c.Slot) {
			w.v32(c.Slot)[i] = uint32(c.Value)
		}
	}
}

// copyWords copies parameters word by word, as far as both sides have words.
func (w *registers) copyWords(dst, src [][]int32, m uint32) {
	for i := 0; i < len(dst) && i < len(src); i++ {
		for k := 0; k < len(dst[i]) && k < len(src[i]); k++ {
			blend32(w.v32(dst[i][k]), w.v32(src[i][k]), m)
		}
	}
}

// words reads a parameter of up to 8 bytes from its word slots.
func (w *registers) paramWords(slots []int32, l int) uint64 {
	var v uint64
	for i, s := range slots {
		if i < 2 {
			v |= uint64(w.v32(s)[l]) << (32 * i)
		}
	}
	return v
}

func (w *registers) setWords(slots []int32, l int, v uint64) {
	for i, s := range slots {
		if i < 2 {
			w.v32(s)[l] = uint32(v >> (32 * i))
		}
	}
}

func (w *registers) arg(h *program.HostCall, i, l int) uint64 {
	if i >= len(h.Args) {
		return 0
	}
	return w.paramWords(h.Args[i], l)
}

// fillRows makes rows whole.
func (w *registers) fillRows(rows []native.RepeatedRow) {
	for _, r := range rows {
		w.broadcast(r.Slot, r.Width, *w.s64(r.Slot))
	}
}

// pack joins elements into a register, low element first.
func (w *registers) pack(p *program.Pack, m uint32) {
	for b := m; b != 0; b &= b - 1 {
		l := lowest(b)
		var v uint64
		for k, e := range p.Elems {
			x := w.laneValue(e, p.ElemWidth, l) & (1<<p.Bits - 1)
			v |= x << (uint(k) * p.Bits)
		}
		w.setLane(p.Reg, p.Width, l, v)
	}
}

// unpack splits a register; elements at NoSlot are dropped.
func (w *registers) unpack(p *program.Pack, m uint32) {
	for b := m; b != 0; b &= b - 1 {
		l := lowest(b)
		v := w.laneValue(p.Reg, p.Width, l)
		for k, e := range p.Elems {
			w.setLane(e, p.ElemWidth, l, v>>(uint(k)*p.Bits)&(1<<p.Bits-1))
		}
	}
}
