package warp

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// atomic does op for lanes m, one after the other from the lowest. It returns
// false after a fault.
func (w *Warp) atomic(op *program.Mem, m uint32) bool {
	w.Reads++
	addr, s := w.addresses(op, m)
	return w.bySpace(op, m, addr, s, (*Warp).atomicIn)
}

func (w *Warp) atomicIn(op *program.Mem, sp trace.Space, m uint32, addr *row64, s *span) bool {
	if sp == trace.SpaceShared && w.Env.owner == nil && w.Env.inCluster(s.hi) {
		return w.byRank(op, m, addr, s, (*Warp).atomicIn)
	}
	base, ok := w.check(op, sp, m, addr, s)
	if !ok {
		all := m
		if base, m, ok = w.checkRest(op, sp, m, addr, s); !ok {
			return false
		}
		if w.zero(op, all&^m); m == 0 {
			return true
		}
	}
	if sp == trace.SpaceLocal {
		w.fault(trace.FaultOutOfBounds, trace.CauseWrongSpace, op.Site, m, "atomic operation on local memory")
		return false
	}
	if w.Env.undefining.on && w.taints().mustFollow(op, sp, s) {
		w.followAtomic(op, sp, m, addr)
	}
	if op.Wide {
		w.wideAtomic(op, sp, m, addr, base)
		return true
	}
	changed := -1 // the last lane that changed something, not yet noted
	for b, l := m, 0; b != 0; b &^= 1 << l {
		l = w.Env.firstLane(b)
		x := w.laneValue(op.B, op.Width, l)
		var y uint64
		if op.C != program.NoSlot {
			y = w.laneValue(op.C, op.Width, l)
		}
		old := update(op, unsafe.Add(base, addr[l]), sp, x, y)
		w.setLane(op.Regs[0], op.Width, l, old)
		if op.Fn(old, x, y) != old {
			w.Progress++
			if changed >= 0 && addr[changed] != addr[l] {
				w.noteWriter(op, sp, changed, addr[changed])
			}
			changed = l
		}
	}
	if changed >= 0 {
		w.noteWriter(op, sp, changed, addr[changed])
	}
	return true
}

// followAtomic tells what becomes of undefined values, for each half of a wide atomic.
func (w *Warp) followAtomic(op *program.Mem, sp trace.Space, m uint32, addr *row64) {
	if !op.Wide {
		w.taints().followAtomic(op, sp, m, addr)
		return
	}
	low, high, above := *op, *op, *addr
	low.Count, high.Count = 1, 1
	high.Regs[0], high.B, high.C = op.Regs[1], op.BHigh, op.CHigh
	for l := range above {
		above[l] += 8
	}
	w.taints().followAtomic(&low, sp, m, addr)
	w.taints().followAtomic(&high, sp, m, &above)
}

// wide makes an atomic on 128 bits one for all blocks: Go has none. A kernel that has one is
// Ordered, so that only other launches can come between.
var wide sync.Mutex

// wideAtomic exchanges, or compares and swaps, 128 bits for each lane of m.
func (w *Warp) wideAtomic(op *program.Mem, sp trace.Space, m uint32, addr *row64, base unsafe.Pointer) {
	wide.Lock()
	defer wide.Unlock()
	for b, l := m, 0; b != 0; b &^= 1 << l {
		l = w.Env.firstLane(b)
		p := (*[2]uint64)(unsafe.Add(base, addr[l]))
		x, old := [2]uint64{w.laneValue(op.B, op.Width, l), w.laneValue(op.BHigh, op.Width, l)}, *p
		next := x
		if op.C != program.NoSlot {
			if next = old; old == x {
				next = [2]uint64{w.laneValue(op.C, op.Width, l), w.laneValue(op.CHigh, op.Width, l)}
			}
		}
		*p = next
		w.setLane(op.Regs[0], op.Width, l, old[0])
		w.setLane(op.Regs[1], op.Width, l, old[1])
		if next != old {
			w.Progress++
			w.noteWriter(op, sp, l, addr[l])
		}
	}
}

// update replaces the value at p and returns the old one. Blocks share global
// memory, so there it is done atomically, unless the value stays: no other processor can tell a write of it from none.
func update(op *program.Mem, p unsafe.Pointer, sp trace.Space, x, y uint64) uint64 {
	if sp == trace.SpaceShared {
		old := readElem(p, op.Elem)
		writeElem(p, op.Elem, op.Fn(old, x, y))
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
