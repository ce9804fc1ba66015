package vec

import (
	"sync/atomic"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Update replaces the value at p and returns the old one. Blocks share global
// memory, so there it is done atomically, unless the value stays: no other processor can tell a write of it from none.
func Update(op *program.Mem, p unsafe.Pointer, sp trace.Space, x, y uint64) uint64 {
	if sp == trace.SpaceShared {
		old := ReadElem(p, op.Elem)
		WriteElem(p, op.Elem, op.Fn(old, x, y))
		return old
	}
	switch op.Elem {
	case 8:
		for q := (*uint64)(p); ; {
			old := atomic.LoadUint64(q)
			if next := op.Fn(old, x, y); next == old || atomic.CompareAndSwapUint64(q, old, next) {
				return old
			}
		}
	case 4:
		for q := (*uint32)(p); ; {
			old := atomic.LoadUint32(q)
			if next := uint32(op.Fn(uint64(old), x, y)); next == old || atomic.CompareAndSwapUint32(q, old, next) {
				return uint64(old)
			}
		}
	}
	// Narrower ones change part of the word that holds them.
	shift := uint(uintptr(p)%4) * 8
	q := (*uint32)(unsafe.Add(p, -int(uintptr(p)%4)))
	mask := uint32(LowBits(uint(op.Elem)*8)) << shift
	for {
		word := atomic.LoadUint32(q)
		old := uint64(word & mask >> shift)
		if atomic.CompareAndSwapUint32(q, word, word&^mask|uint32(op.Fn(old, x, y))<<shift&mask) {
			return old
		}
	}
}

// LoadLanes reads element by element; addr is relative to base.
func (w *Registers) LoadLanes(op *program.Mem, base unsafe.Pointer, m uint32, addr *Row64, s *Span) {
	for k := range op.Count {
		if op.Regs[k] == program.NoSlot {
			continue
		}
		at := unsafe.Add(base, k*op.Elem)
		if op.Elem == 4 && op.Width == alu.W32 {
			Load32(w.V32(op.Regs[k]), at, m, addr, s)
			continue
		}
		for b := m; b != 0; b &= b - 1 {
			l := Lowest(b) & 31
			w.SetLane(op.Regs[k], op.Width, l, Extend(op, ReadElem(unsafe.Add(at, addr[l]), op.Elem)))
		}
	}
}

// Load32 reads a word a lane, by the pattern of the addresses.
func Load32(d *Row32, at unsafe.Pointer, m uint32, addr *Row64, s *Span) {
	switch {
	case s.Regular && s.Step == 4:
		*d = *(*Row32)(unsafe.Add(at, addr[0]))
	case s.Regular && s.Step == 0 && m == ^uint32(0):
		v := *(*uint32)(unsafe.Add(at, addr[0]))
		for i := range d {
			d[i] = v
		}
	case m == ^uint32(0) && UseAVX512:
		gather32(d, at, addr)
	default:
		for b := m; b != 0; b &= b - 1 {
			l := Lowest(b) & 31
			d[l] = *(*uint32)(unsafe.Add(at, addr[l]))
		}
	}
}

// LoadScalar reads once for all lanes.
func (w *Registers) LoadScalar(op *program.Mem, base unsafe.Pointer, addr uint64) {
	at := unsafe.Add(base, addr)
	for k := range op.Count {
		if op.Regs[k] != program.NoSlot {
			v := Extend(op, ReadElem(unsafe.Add(at, k*op.Elem), op.Elem))
			w.SetScalar(op.Regs[k], op.Width, op.Bcast[k], v)
		}
	}
}

// StoreLanes writes lane by lane, so that of several lanes that write one
// place the highest wins.
func (w *Registers) StoreLanes(op *program.Mem, base unsafe.Pointer, m uint32, addr *Row64, s *Span) {
	for k := range op.Count {
		at := unsafe.Add(base, k*op.Elem)
		if op.Elem == 4 && op.Width == alu.W32 {
			v := w.V32(op.Regs[k])
			if s.Regular && s.Step == 4 {
				*(*Row32)(unsafe.Add(at, addr[0])) = *v
				continue
			}
			for b := m; b != 0; b &= b - 1 {
				l := Lowest(b) & 31
				*(*uint32)(unsafe.Add(at, addr[l])) = v[l]
			}
			continue
		}
		for b := m; b != 0; b &= b - 1 {
			l := Lowest(b) & 31
			WriteElem(unsafe.Add(at, addr[l]), op.Elem, w.LaneValue(op.Regs[k], op.Width, l))
		}
	}
}

// Extend sign-extends a loaded element where the instruction says so.
func Extend(op *program.Mem, v uint64) uint64 {
	if op.SignBits == 0 {
		return v
	}
	s := 64 - uint(op.Elem)*8
	return uint64(int64(v<<s)>>s) & LowBits(uint(op.SignBits))
}

// ReadElem reads an element of n bytes.
func ReadElem(p unsafe.Pointer, n int) uint64 {
	switch n {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}

// WriteElem writes an element of n bytes.
func WriteElem(p unsafe.Pointer, n int, v uint64) {
	switch n {
	case 1:
		*(*uint8)(p) = uint8(v)
	case 2:
		*(*uint16)(p) = uint16(v)
	case 4:
		*(*uint32)(p) = uint32(v)
	default:
		*(*uint64)(p) = v
	}
}

// SpaceOf is the space of a generic address.
func SpaceOf(a uint64) trace.Space {
	switch {
	case a-mem.SharedWindow < mem.SharedWindowSize:
		return trace.SpaceShared
	case a-mem.LocalWindow < mem.LocalWindowSize:
		return trace.SpaceLocal
	case a-mem.ParamWindow < mem.ParamWindowSize:
		return trace.SpaceParam
	}
	return trace.SpaceGlobal
}

// WindowStart is where the generic addresses of a space begin, 0 for global memory.
func WindowStart(sp trace.Space) uint64 {
	switch sp {
	case trace.SpaceShared:
		return mem.SharedWindow
	case trace.SpaceLocal:
		return mem.LocalWindow
	case trace.SpaceParam:
		return mem.ParamWindow
	}
	return 0
}

// MaxLocal is the most local memory of a thread (CUDA C++ Programming Guide,
// "Technical Specifications per Compute Capability": 512 KB).
const MaxLocal = 512 << 10

// LocalIndex is the index of a byte of local memory, which is kept as hardware does it: word i
// of lane l is word 32*i+l, so that lanes at one offset are neighbors.
func LocalIndex(off uint64, lane int) uint64 { return off/4*128 + uint64(lane)*4 + off%4 }

// DevicePointer is the memory at a device address: the arena is mapped there.
func DevicePointer(addr uint64) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(nil), addr) }
