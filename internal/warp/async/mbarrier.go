package async

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

func (s *mbarrierOp) exec(u *Unit, m uint32) bool {
	if s.Kind == program.MBarrierTest {
		u.did.Reads++
	}
	if !s.settle(u, m) {
		return false
	}
	if u.Retry {
		return true
	}
	addr, sp := u.warp.AddressesOf(&s.Mem, m)
	if s.Kind == program.MBarrierArrive && u.runsAhead(addr[vec.Lowest(m)&31]) {
		u.Retry, u.block.GaveWay = true, true
		u.did.Progress++
		return true
	}
	for m != 0 {
		space, same := sp.NextSpace(&s.Mem, m, addr)
		if !s.in(u, space, same, addr, sp) {
			return false
		}
		if m &^= same; m != 0 {
			sp.Measure(addr, m)
		}
	}
	return true
}

// settle lets arrivals happen that wait for copies and that this operation must
// see. A test whose phase is over sees no more, and one that is the first to need an operation's end gives way to
// the other warps.
func (s *mbarrierOp) settle(u *Unit, m uint32) bool {
	env := u.block
	if !env.Waiting() || s.Kind == program.MBarrierArrive || s.Kind == program.MBarrierTrack {
		return true
	}
	addr, _ := u.warp.AddressesOf(&s.Mem, m)
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		a := addr[l]
		if a-mem.SharedWindow < mem.SharedWindowSize {
			a -= mem.SharedWindow
		}
		if s.Kind == program.MBarrierTest {
			if s.over(u, l, a) {
				continue
			}
			if env.far(a) {
				u.Retry, env.GaveWay = true, true
				u.did.Progress++
				return true
			}
		}
		if !env.settleAt(u, a) {
			return false
		}
	}
	return true
}

// over reports whether the phase that lane l tests for is over.
func (s *mbarrierOp) over(u *Unit, l int, at uint64) bool {
	if n := uint64(len(u.block.Place().Shared)); at&7 != 0 || at+8 > n || at+8 < 8 {
		return false
	}
	o := unpackMBarrier(*u.block.mbarrierAt(at))
	return o.valid && o.phase != s.phase(u, l)
}

func (s *mbarrierOp) in(u *Unit, space trace.Space, m uint32, addr *vec.Row64, sp *vec.Span) bool {
	if space != trace.SpaceShared {
		return u.warp.WrongSpace(&s.Mem, space, m, addr, "shared")
	}
	if u.warp.InCluster(sp.Hi) {
		return u.warp.ByRank(&s.Mem, m, addr, sp, func(m uint32) bool { return s.in(u, space, m, addr, sp) })
	}
	if l := vec.Lowest(m) & 31; u.there() != u.block && !s.remote() {
		return u.misuseBarrier(s, trace.CauseMBarrierUse, l, addr[l], "on an mbarrier of another block of the cluster, where threads can only arrive and count bytes")
	}
	if s.Kind == program.MBarrierTest {
		return s.test(u, m, addr, sp)
	}
	for m != 0 {
		part := s.untilFlip(u, m, addr)
		if part != m {
			sp.Measure(addr, part)
		}
		if !s.update(u, space, part, addr, sp) {
			return false
		}
		m &^= part
	}
	u.did.Progress++
	return true
}

// update does an operation other than a test for lanes, the last of which may end a phase.
func (s *mbarrierOp) update(u *Unit, space trace.Space, m uint32, addr *vec.Row64, sp *vec.Span) bool {
	if _, ok := u.warp.Access(&s.Mem, space, m, addr, sp, nil, trace.Sync); !ok {
		return false
	}
	if s.Kind == program.MBarrierTrack {
		u.block.tracked = append(u.block.tracked, tracking{op: s, u: u, mask: m, addr: *addr, seq: u.copies.seq})
		if s.NoInc {
			return true
		}
	}
	for b := m; b != 0; b &= b - 1 {
		if l := vec.Lowest(b) & 31; !s.apply(u, l, addr[l]) {
			return false
		}
	}
	return true
}

// untilFlip returns the first lanes of m up to the one whose arrival ends a phase: those after
// it arrive in the next one.
func (s *mbarrierOp) untilFlip(u *Unit, m uint32, addr *vec.Row64) uint32 {
	if s.Kind != program.MBarrierArrive || m&(m-1) == 0 {
		return m
	}
	env := u.there()
	var part uint32
	var left [32]mbarrier // by the first lane with the address
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		at := addr[l]
		first := vec.Lowest(vec.Failing(m, func(k int) bool { return addr[k&31] == at })) & 31
		if first == l && at&7 == 0 && at+8 <= uint64(len(env.Place().Shared)) && at+8 > at {
			left[l] = unpackMBarrier(*env.mbarrierAt(at))
		}
		part |= 1 << l
		if o := &left[first]; o.valid && s.takes(u, l, o) {
			return part
		}
	}
	return m
}

// takes takes lane l's arrival off an object's counts, and reports whether that ends the phase.
func (s *mbarrierOp) takes(u *Unit, l int, o *mbarrier) bool {
	n := s.operand(u, l)
	if s.Expect {
		o.tx, n = o.tx+int64(n), 1
	}
	o.pending -= min(n, o.pending)
	return o.pending == 0 && o.tx == 0
}

// remote reports whether s is an operation that may go to another block's mbarrier (PTX ISA,
// "mbarrier": support for shared::cluster).
func (s *mbarrierOp) remote() bool {
	return s.Kind == program.MBarrierArrive || s.Kind == program.MBarrierExpect || s.Kind == program.MBarrierComplete
}

// object is the mbarrier at an offset of shared memory that was checked, that of
// the block which the operation at hand goes to.
func (u *Unit) object(addr uint64) *uint64 {
	env := u.there()
	return env.mbarrierAt(addr)
}

// operand is the value of Operand in lane l, 1 if there is none.
func (s *mbarrierOp) operand(u *Unit, l int) uint64 {
	if s.Operand == program.NoSlot {
		return 1
	}
	return uint64(u.regs.V32(s.Operand)[l])
}

// apply does an operation other than a test for one lane.
func (s *mbarrierOp) apply(u *Unit, l int, addr uint64) bool {
	p := u.object(addr)
	n := s.operand(u, l)
	if s.Kind == program.MBarrierInit {
		if n == 0 || n > maxArrivals {
			return u.misuseBarrier(s, trace.CauseMBarrierUse, l, addr, "with a count of %d: it must be from 1 to %d", n, maxArrivals)
		}
		*p = mbarrier{expected: n, pending: n}.pack()
		return true
	}
	b := unpackMBarrier(*p)
	if !b.valid {
		return u.misuseBarrier(s, trace.CauseNoMBarrier, l, addr, "on memory that is not an mbarrier: none was initialized at offset %d, or it was invalidated or overwritten", addr)
	}
	switch s.Kind {
	case program.MBarrierInval:
		*p = 0
		return true
	case program.MBarrierTrack:
		b.pending++
	case program.MBarrierExpect, program.MBarrierComplete:
		return s.bytes(u, l, addr, b, n)
	default:
		if b.pending == 0 {
			u.arrivesEarly(s, l)
			if !u.completeThere(addr) {
				return false
			}
		}
		before := *p
		b = unpackMBarrier(before)
		if s.Expect {
			b.tx += int64(n)
			n = 1
		}
		if !s.arrive(u, l, addr, b, n) {
			return false
		}
		u.regs.SetLane(s.Dst, alu.W64, l, before)
		return true
	}
	if b.pending > maxArrivals {
		return u.misuseBarrier(s, trace.CauseMBarrierUse, l, addr, "makes more than %d arrivals pending", maxArrivals)
	}
	*p = b.pack()
	return true
}

// arrivesEarly reports an arrival in a phase that has all of its arrivals and only waits for bytes
// still: no thread has looked whether it has ended.
func (u *Unit) arrivesEarly(s *mbarrierOp, l int) {
	if f := u.block.On().Defect; f != nil {
		f(&trace.Defect{Kind: trace.DefectArrivedEarly, Site: s.Mem.Site, Warp: u.warp.Number(), Mask: 1 << l, Exist: u.warp.Existing()})
	}
}

// bytes adds to or takes from the bytes that the phase waits for.
func (s *mbarrierOp) bytes(u *Unit, l int, addr uint64, b mbarrier, n uint64) bool {
	if s.Kind == program.MBarrierComplete {
		n = -n
	}
	b.tx += int64(n)
	if b.tx > maxTx || b.tx < -maxTx {
		return u.misuseBarrier(s, trace.CauseMBarrierUse, l, addr, "makes %d bytes pending: the limit is %d", b.tx, maxTx)
	}
	if s.Kind == program.MBarrierComplete {
		b.settlePhase()
	}
	*u.object(addr) = b.pack()
	return true
}

// arrive takes n arrivals off the pending ones.
func (s *mbarrierOp) arrive(u *Unit, l int, addr uint64, b mbarrier, n uint64) bool {
	if n == 0 || n > b.pending {
		return u.misuseBarrier(s, trace.CauseMBarrierUse, l, addr, "with a count of %d, but the phase waits for %d more", n, b.pending)
	}
	if b.tx > maxTx {
		return u.misuseBarrier(s, trace.CauseMBarrierUse, l, addr, "makes %d bytes pending: the limit is %d", b.tx, maxTx)
	}
	u.noteArrival(l, addr, b.phase)
	b.pending -= n
	if s.Drop {
		b.expected -= min(n, b.expected)
	}
	before := b.phase
	if b.settlePhase(); b.phase != before {
		u.endsPhase(addr)
	}
	*u.object(addr) = b.pack()
	return true
}

// misuseBarrier records a wrong use of an mbarrier by lane l.
func (u *Unit) misuseBarrier(s *mbarrierOp, cause trace.Cause, l int, addr uint64, format string, args ...any) bool {
	f := u.warp.Fault(trace.FaultBarrier, cause, s.Mem.Site, 1<<l, s.Mem.Site.Opcode()+" "+format, args...)
	f.Addr, f.Size, f.Space = addr, 8, trace.SpaceShared
	return false
}

// test finds the lanes whose phase is complete. These acquire what the
// arrivals released; for the others the access orders nothing.
func (s *mbarrierOp) test(u *Unit, m uint32, addr *vec.Row64, sp *vec.Span) bool {
	n := uint64(len(u.block.Place().Shared))
	var done uint32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		a := addr[l]
		if a&7 != 0 || a+8 > n || a+8 < 8 {
			_, ok := u.warp.Access(&s.Mem, trace.SpaceShared, m, addr, sp, nil, trace.Sync)
			return ok
		}
		o := unpackMBarrier(*u.object(a))
		if !o.valid {
			return u.misuseBarrier(s, trace.CauseNoMBarrier, l, a, "on memory that is not an mbarrier: none was initialized at offset %d, or it was invalidated or overwritten", a)
		}
		if o.phase != s.phase(u, l) {
			done |= 1 << l
		}
		u.block.arrivals.looked(a)
	}
	if u.Retry = u.suspends(s, m, done != 0); u.Retry {
		return true
	}
	u.Idle = done != m
	for _, part := range []struct {
		op *program.Mem
		m  uint32
	}{{&s.Mem, done}, {&s.Other, m &^ done}} {
		if part.m != 0 {
			sp.Measure(addr, part.m)
			if _, ok := u.warp.Access(part.op, trace.SpaceShared, part.m, addr, sp, nil, trace.Sync); !ok {
				return false
			}
		}
	}
	if s.Dst != program.NoSlot {
		p := u.regs.Pred(s.Dst)
		*p = *p&^m | done
	}
	return true
}

// stillTurns is after how many turns in which no warp of the block does anything a time limit has passed.
const stillTurns = 16

// suspends reports whether lanes stay where they are, as neither the phase is over for one of them nor the
// time limit (PTX ISA, "mbarrier.try_wait": suspendTimeHint). An instruction counts as a nanosecond.
func (u *Unit) suspends(s *mbarrierOp, m uint32, over bool) bool {
	if s.Limit == program.NoSlot {
		return false
	}
	i := slices.IndexFunc(u.suspended, func(x waiting) bool { return x.op == s && x.lanes == m })
	now := u.warp.Instructions()
	if !over && i < 0 {
		u.suspended = append(u.suspended, waiting{s, m, now, now, 0})
		return true
	}
	if i < 0 {
		return false
	}
	x := &u.suspended[i]
	if x.still++; x.did != now {
		x.did, x.still = now, 0
	}
	if !over && now-x.since < uint64(u.regs.V32(s.Limit)[vec.Lowest(m)&31]) && x.still < stillTurns {
		return true
	}
	u.suspended = slices.Delete(u.suspended, i, i+1)
	return false
}

// phase is the parity of the phase that lane l asks for.
func (s *mbarrierOp) phase(u *Unit, l int) uint64 {
	if s.Parity {
		return uint64(u.regs.V32(s.Operand)[l]) & 1
	}
	return unpackMBarrier(u.regs.V64(s.Operand)[l]).phase
}

// settleAt lets all happen that waits at an mbarrier which w is about to look at: arrivals,
// and the completions of asynchronous operations.
func (b *Block) settleAt(u *Unit, addr uint64) bool {
	ok := b.settleTracked(func(t *tracking) uint32 {
		return vec.Failing(t.mask, func(l int) bool { return t.addr[l&31] == addr })
	})
	return ok && b.completeAt(u, addr)
}

// settleExit lets all arrivals of lanes of a warp happen that exit.
func (b *Block) settleExit(u *Unit, m uint32) bool {
	return b.settleTracked(func(t *tracking) uint32 {
		if t.u == u {
			return t.mask & m
		}
		return 0
	})
}

// settleTracked lets the arrivals happen of the lanes that due returns.
func (b *Block) settleTracked(due func(*tracking) uint32) bool {
	ok := true
	for i := range b.tracked {
		t := &b.tracked[i]
		if m := due(t); m != 0 && ok {
			ok = t.arrive(m)
			t.mask &^= m
		}
	}
	b.tracked = slices.DeleteFunc(b.tracked, func(t tracking) bool { return t.mask == 0 })
	return ok
}

// arrive completes the copies of lanes m and then arrives for them.
func (t *tracking) arrive(m uint32) bool {
	u := t.u
	u.landWhere(func(c *copying) uint32 {
		if c.seq <= t.seq {
			return m
		}
		return 0
	})
	if u.block.On().Shared != nil {
		u.span.Measure(&t.addr, m)
		u.warp.Emit(&t.op.Other, m, &t.addr, &u.span, nil, trace.Sync)
	}
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		o := unpackMBarrier(*u.object(t.addr[l]))
		if !o.valid {
			return u.misuseBarrier(t.op, trace.CauseMBarrierUse, l, t.addr[l], "to an mbarrier that is no longer valid when the copies complete")
		}
		if !t.op.arrive(u, l, t.addr[l], o, 1) {
			return false
		}
	}
	u.did.Progress++
	return true
}
