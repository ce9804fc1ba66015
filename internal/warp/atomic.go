package warp

import (
	"sync"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// atomic does op for lanes m, one after the other from the lowest. It returns
// false after a fault.
func (w *Warp) atomic(op *program.Mem, m uint32) bool {
	w.Reads++
	addr, s := w.addresses(op, m)
	return w.bySpace(op, m, addr, s, (*Warp).AtomicIn)
}

func (w *Warp) AtomicIn(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, s *vec.Span) bool {
	if sp == trace.SpaceShared && w.Env.owner == nil && w.Env.inCluster(s.Hi) {
		return w.byRank(op, m, addr, s, (*Warp).AtomicIn)
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
		w.Fault(trace.FaultOutOfBounds, trace.CauseWrongSpace, op.Site, m, "atomic operation on local memory")
		return false
	}
	if w.Env.taint.Following && w.taint.MustFollow(op, sp, s) {
		w.followAtomic(op, sp, m, addr)
	}
	if op.Wide {
		w.wideAtomic(op, sp, m, addr, base)
		return true
	}
	changed := -1 // the last lane that changed something, not yet noted
	for b, l := m, 0; b != 0; b &^= 1 << l {
		l = w.Env.firstLane(b)
		x := w.LaneValue(op.B, op.Width, l)
		var y uint64
		if op.C != program.NoSlot {
			y = w.LaneValue(op.C, op.Width, l)
		}
		old := vec.Update(op, unsafe.Add(base, addr[l]), sp, x, y)
		w.SetLane(op.Regs[0], op.Width, l, old)
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
func (w *Warp) followAtomic(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64) {
	if !op.Wide {
		w.taint.FollowAtomic(op, sp, m, addr)
		return
	}
	low, high, above := *op, *op, *addr
	low.Count, high.Count = 1, 1
	high.Regs[0], high.B, high.C = op.Regs[1], op.BHigh, op.CHigh
	for l := range above {
		above[l] += 8
	}
	w.taint.FollowAtomic(&low, sp, m, addr)
	w.taint.FollowAtomic(&high, sp, m, &above)
}

// wide makes an atomic on 128 bits one for all blocks: Go has none. A kernel that has one is
// Ordered, so that only other launches can come between.
var wide sync.Mutex

// wideAtomic exchanges, or compares and swaps, 128 bits for each lane of m.
func (w *Warp) wideAtomic(op *program.Mem, sp trace.Space, m uint32, addr *vec.Row64, base unsafe.Pointer) {
	wide.Lock()
	defer wide.Unlock()
	for b, l := m, 0; b != 0; b &^= 1 << l {
		l = w.Env.firstLane(b)
		p := (*[2]uint64)(unsafe.Add(base, addr[l]))
		x, old := [2]uint64{w.LaneValue(op.B, op.Width, l), w.LaneValue(op.BHigh, op.Width, l)}, *p
		next := x
		if op.C != program.NoSlot {
			if next = old; old == x {
				next = [2]uint64{w.LaneValue(op.C, op.Width, l), w.LaneValue(op.CHigh, op.Width, l)}
			}
		}
		*p = next
		w.SetLane(op.Regs[0], op.Width, l, old[0])
		w.SetLane(op.Regs[1], op.Width, l, old[1])
		if next != old {
			w.Progress++
			w.noteWriter(op, sp, l, addr[l])
		}
	}
}

// firstLane is the lane of m that comes first in an atomic.
func (e *Env) firstLane(m uint32) int {
	if e.PickLane == nil {
		return vec.Lowest(m)
	}
	return e.PickLane(m) & 31
}
