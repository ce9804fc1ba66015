package warp

import (
	"sync/atomic"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// AtomicFunc returns the function of an atomic operation on values of a type:
// "add" and "f32" for example; nil if there is none. Values are bit patterns
// zero-extended to 64 bits. (PTX ISA, "atom".)
func AtomicFunc(op, typ string) func(old, b, c uint64) uint64 {
	bits := typeBits(typ)
	if bits == 0 {
		return nil
	}
	mask := lowBits(bits)
	switch op {
	case "exch":
		return func(_, b, _ uint64) uint64 { return b & mask }
	case "cas":
		return func(old, b, c uint64) uint64 {
			if old == b&mask {
				return c & mask
			}
			return old
		}
	case "inc":
		return func(old, b, _ uint64) uint64 {
			if old >= b&mask {
				return 0
			}
			return old + 1
		}
	case "dec":
		return func(old, b, _ uint64) uint64 {
			if old == 0 || old > b&mask {
				return b & mask
			}
			return old - 1
		}
	}
	if bits == 8 {
		return byteFunc(op, typ)
	}
	o, err := alu.Lookup(atomicALU(op, typ))
	if err != nil {
		return nil
	}
	return func(old, b, _ uint64) uint64 {
		r, _ := o.Fn(old, b, 0, 0)
		return r & mask
	}
}

// byteFunc is the function of an operation on bytes, which have no arithmetic of their
// own.
func byteFunc(op, typ string) func(old, b, c uint64) uint64 {
	less := func(x, y uint64) bool { return uint8(x) < uint8(y) }
	if typ == "s8" {
		less = func(x, y uint64) bool { return int8(x) < int8(y) }
	}
	f := map[string]func(x, y uint64) uint64{
		"add": func(x, y uint64) uint64 { return x + y }, "and": func(x, y uint64) uint64 { return x & y },
		"or": func(x, y uint64) uint64 { return x | y }, "xor": func(x, y uint64) uint64 { return x ^ y },
		"min": func(x, y uint64) uint64 {
			if less(y, x) {
				return y
			}
			return x
		},
		"max": func(x, y uint64) uint64 {
			if less(x, y) {
				return y
			}
			return x
		},
	}[op]
	if f == nil {
		return nil
	}
	return func(old, b, _ uint64) uint64 { return f(old, b) & 0xff }
}

// atomicALU names the arithmetic instruction that an atomic performs: the
// floating-point ones round to nearest even, with subnormals but for "ftz.f32".
func atomicALU(op, typ string) string {
	switch {
	case op == "and" || op == "or" || op == "xor":
		return op + "." + typ
	case op == "add" && typ[0] != 'u' && typ[0] != 's':
		return "add.rn." + typ
	case op == "add" && typ == "u64":
		return "add.u64"
	}
	return op + "." + typ
}

func typeBits(typ string) uint {
	switch typ {
	case "b8", "u8", "s8":
		return 8
	case "b16", "u16", "s16", "f16", "bf16":
		return 16
	case "b32", "u32", "s32", "f32", "ftz.f32", "f16x2", "bf16x2":
		return 32
	case "b64", "u64", "s64", "f64":
		return 64
	}
	return 0
}

// atomic does op for lanes m, one after the other from the lowest. It returns
// false after a fault.
func (w memoryUnit) atomic(op *Mem, m uint32) bool {
	w.Reads++
	addr, s := w.addresses(op, m)
	return w.bySpace(op, m, addr, s, memoryUnit.atomicIn)
}

func (w memoryUnit) atomicIn(op *Mem, sp trace.Space, m uint32, addr *row64, s *span) bool {
	if sp == trace.SpaceShared && w.Env.owner == nil && w.Env.inCluster(s.hi) {
		return w.byRank(op, m, addr, s, memoryUnit.atomicIn)
	}
	base, ok := w.check(op, sp, m, addr, s)
	if !ok {
		all := m
		if base, m, ok = w.refusals().checkRest(op, sp, m, addr, s); !ok {
			return false
		}
		if w.refusals().zero(op, all&^m); m == 0 {
			return true
		}
	}
	if sp == trace.SpaceLocal {
		w.fault(trace.FaultOutOfBounds, trace.CauseWrongSpace, op.Site, m, "atomic operation on local memory")
		return false
	}
	if w.Env.undefining.on && w.taints().mustFollow(op, sp, s) {
		w.taints().followAtomic(op, sp, m, addr)
	}
	for b, l := m, 0; b != 0; b &^= 1 << l {
		l = w.Env.firstLane(b)
		x := w.laneValue(op.B, op.Width, l)
		var y uint64
		if op.C != NoSlot {
			y = w.laneValue(op.C, op.Width, l)
		}
		old := op.update(unsafe.Add(base, addr[l]), sp, x, y)
		w.setLane(op.Regs[0], op.Width, l, old)
		if op.Fn(old, x, y) != old {
			w.Progress++
			w.noteWriter(op, sp, l, addr[l])
		}
	}
	return true
}

// update replaces the value at p and returns the old one. Blocks share global
// memory, so there it is done atomically.
func (op *Mem) update(p unsafe.Pointer, sp trace.Space, x, y uint64) uint64 {
	if sp == trace.SpaceShared {
		old := readElem(p, op.Elem)
		writeElem(p, op.Elem, op.Fn(old, x, y))
		return old
	}
	switch op.Elem {
	case 8:
		for q := (*uint64)(p); ; {
			old := atomic.LoadUint64(q)
			if atomic.CompareAndSwapUint64(q, old, op.Fn(old, x, y)) {
				return old
			}
		}
	case 4:
		for q := (*uint32)(p); ; {
			old := atomic.LoadUint32(q)
			if atomic.CompareAndSwapUint32(q, old, uint32(op.Fn(uint64(old), x, y))) {
				return uint64(old)
			}
		}
	}
	// Narrower ones change part of the word that holds them.
	shift := uint(uintptr(p)%4) * 8
	q := (*uint32)(unsafe.Add(p, -int(uintptr(p)%4)))
	mask := uint32(lowBits(uint(op.Elem)*8)) << shift
	for {
		word := atomic.LoadUint32(q)
		old := uint64(word & mask >> shift)
		if atomic.CompareAndSwapUint32(q, word, word&^mask|uint32(op.Fn(old, x, y))<<shift&mask) {
			return old
		}
	}
}

// firstLane is the lane of m that comes first in an atomic.
func (e *Env) firstLane(m uint32) int {
	if e.PickLane == nil {
		return lowest(m)
	}
	return e.PickLane(m) & 31
}
