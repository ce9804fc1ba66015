package warp

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

func (w *Warp) growLocal(n uint64) {
	if need := int((n+3)/4) * 128; need > len(w.local) {
		grown := make([]byte, max(need, 2*len(w.local)))
		copy(grown, w.local)
		w.local = grown
	}
}

// localBytes copies n bytes at a lane's offset into or out of buf.
func (w *Warp) localRead(off uint64, lane, n int) (v uint64) {
	for i := n - 1; i >= 0; i-- {
		v = v<<8 | uint64(w.local[vec.LocalIndex(off+uint64(i), lane)])
	}
	return v
}

func (w *Warp) localWrite(off uint64, lane, n int, v uint64) {
	for i := range n {
		w.local[vec.LocalIndex(off+uint64(i), lane)] = byte(v >> (8 * i))
	}
}

func (w *Warp) loadLocal(op *program.Mem, m uint32, addr *vec.Row64) {
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b)
		for k := range op.Count {
			off := addr[l] + uint64(k*op.Elem)
			var v uint64
			switch {
			case op.Elem == 4:
				v = uint64(*(*uint32)(unsafe.Pointer(&w.local[vec.LocalIndex(off, l)])))
			case op.Elem == 8:
				v = uint64(*(*uint32)(unsafe.Pointer(&w.local[vec.LocalIndex(off, l)]))) |
					uint64(*(*uint32)(unsafe.Pointer(&w.local[vec.LocalIndex(off+4, l)])))<<32
			default:
				v = w.localRead(off, l, op.Elem)
			}
			w.SetLane(op.Regs[k], op.Width, l, vec.Extend(op, v))
		}
	}
}

func (w *Warp) storeLocal(op *program.Mem, m uint32, addr *vec.Row64) {
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b)
		for k := range op.Count {
			off := addr[l] + uint64(k*op.Elem)
			v := w.LaneValue(op.Regs[k], op.Width, l)
			if op.Elem == 4 {
				*(*uint32)(unsafe.Pointer(&w.local[vec.LocalIndex(off, l)])) = uint32(v)
			} else {
				w.localWrite(off, l, op.Elem, v)
			}
		}
	}
}

// ReadLocal reads local memory of a lane, from a multiple of 4 on. It returns false beyond a thread's local memory.
func (w *Warp) ReadLocal(b []byte, off uint64, l int) bool {
	if off+uint64(len(b)) > vec.MaxLocal {
		return false
	}
	w.growLocal(off + uint64(len(b)))
	for i := 0; i < len(b); i += 4 {
		copy(b[i:i+4], w.local[vec.LocalIndex(off+uint64(i), l):])
	}
	return true
}
