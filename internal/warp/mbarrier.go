package warp

import (
	"slices"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// An mbarrier object is opaque to programs. Here its 64 bits are, from the
// top: a mark of two bits that it is valid, the parity of the phase in progress,
// 21 bits of bytes that are expected, and 20 bits each of pending and of
// expected arrivals (PTX ISA, "Contents of the mbarrier object").
type mbarrier struct {
	valid             bool
	phase             uint64
	tx                int64
	pending, expected uint64
}

const (
	// maxArrivals and maxTx bound the counts (PTX ISA, "Valid range of each
	// field").
	maxArrivals = 1<<20 - 1
	maxTx       = 1<<20 - 1
)

func unpackMBarrier(v uint64) mbarrier {
	return mbarrier{
		valid: v>>62 == trace.MBarrierMark, phase: v >> trace.MBarrierPhaseBit & 1, tx: int64(v<<3) >> 43,
		pending: program.MBarrierPending(v), expected: v & maxArrivals,
	}
}

func (b mbarrier) pack() uint64 {
	return trace.MBarrierMark<<62 | b.phase<<trace.MBarrierPhaseBit | uint64(b.tx)&(1<<21-1)<<40 | b.pending<<program.MBarrierPendingBit | b.expected
}

// settlePhase ends the phase if nothing is pending.
func (b *mbarrier) settlePhase() {
	if b.pending == 0 && b.tx == 0 {
		b.phase ^= 1
		b.pending = b.expected
	}
}

func (s *mbarrierOp) exec(w *Warp, m uint32) bool {
	if s.Kind == program.MBarrierTest {
		w.Reads++
	}
	if !s.settle(w, m) {
		return false
	}
	if w.retry {
		return true
	}
	addr, sp := w.addresses(&s.Mem, m)
	if s.Kind == program.MBarrierArrive && w.copies().runsAhead(addr[vec.Lowest(m)&31]) {
		w.retry, w.Env.GaveWay = true, true
		w.Progress++
		return true
	}
	return w.bySpace(&s.Mem, m, addr, sp, func(w *Warp, _ *program.Mem, space trace.Space, m uint32, addr *vec.Row64, sp *vec.Span) bool {
		return s.in(w, space, m, addr, sp)
	})
}

// settle lets arrivals happen that wait for copies and that this operation must
// see. A test whose phase is over sees no more, and one that is the first to need an operation's end gives way to
// the other warps.
func (s *mbarrierOp) settle(w *Warp, m uint32) bool {
	env := w.Env
	if len(env.tracked)+len(env.completions) == 0 || s.Kind == program.MBarrierArrive || s.Kind == program.MBarrierTrack {
		return true
	}
	addr, _ := w.addresses(&s.Mem, m)
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		a := addr[l]
		if a-mem.SharedWindow < mem.SharedWindowSize {
			a -= mem.SharedWindow
		}
		if s.Kind == program.MBarrierTest {
			if s.over(w, l, a) {
				continue
			}
			if env.far(a) {
				w.retry, env.GaveWay = true, true
				w.Progress++
				return true
			}
		}
		if !env.settleAt(w, a) {
			return false
		}
	}
	return true
}

// over reports whether the phase that lane l tests for is over.
func (s *mbarrierOp) over(w *Warp, l int, at uint64) bool {
	if n := uint64(len(w.Env.Block.Shared)); at&7 != 0 || at+8 > n || at+8 < 8 {
		return false
	}
	o := unpackMBarrier(*w.Env.mbarrierAt(at))
	return o.valid && o.phase != s.phase(w, l)
}

func (s *mbarrierOp) in(w *Warp, space trace.Space, m uint32, addr *vec.Row64, sp *vec.Span) bool {
	if space != trace.SpaceShared {
		return w.WrongSpace(&s.Mem, space, m, addr, "shared")
	}
	env := w.Env
	if env.owner == nil && env.inCluster(sp.Hi) {
		return w.byRank(&s.Mem, m, addr, sp, func(w *Warp, _ *program.Mem, space trace.Space, m uint32, addr *vec.Row64, sp *vec.Span) bool {
			return s.in(w, space, m, addr, sp)
		})
	}
	if l := vec.Lowest(m) & 31; env.owner != nil && env.owner != env && !s.remote() {
		return w.copies().misuse(s, trace.CauseMBarrierUse, l, addr[l], "on an mbarrier of another block of the cluster, where threads can only arrive and count bytes")
	}
	if s.Kind == program.MBarrierTest {
		return s.test(w, m, addr, sp)
	}
	for m != 0 {
		part := s.untilFlip(w, m, addr)
		if part != m {
			sp.Measure(addr, part)
		}
		if !s.update(w, space, part, addr, sp) {
			return false
		}
		m &^= part
	}
	w.Progress++
	return true
}

// update does an operation other than a test for lanes, the last of which may end a phase.
func (s *mbarrierOp) update(w *Warp, space trace.Space, m uint32, addr *vec.Row64, sp *vec.Span) bool {
	if _, ok := w.check(&s.Mem, space, m, addr, sp); !ok {
		return false
	}
	if s.Kind == program.MBarrierTrack {
		w.Env.tracked = append(w.Env.tracked, tracking{op: s, w: w, mask: m, addr: *addr, seq: w.async.seq})
		if s.NoInc {
			return true
		}
	}
	for b := m; b != 0; b &= b - 1 {
		if l := vec.Lowest(b) & 31; !s.apply(w, l, addr[l]) {
			return false
		}
	}
	return true
}

// untilFlip returns the first lanes of m up to the one whose arrival ends a phase: those after
// it arrive in the next one.
func (s *mbarrierOp) untilFlip(w *Warp, m uint32, addr *vec.Row64) uint32 {
	if s.Kind != program.MBarrierArrive || m&(m-1) == 0 {
		return m
	}
	env := w.Env
	if env.owner != nil {
		env = env.owner
	}
	var part uint32
	var left [32]mbarrier // by the first lane with the address
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		at := addr[l]
		first := vec.Lowest(vec.Failing(m, func(k int) bool { return addr[k&31] == at })) & 31
		if first == l && at&7 == 0 && at+8 <= uint64(len(env.Block.Shared)) && at+8 > at {
			left[l] = unpackMBarrier(*env.mbarrierAt(at))
		}
		part |= 1 << l
		if o := &left[first]; o.valid && s.takes(w, l, o) {
			return part
		}
	}
	return m
}

// takes takes lane l's arrival off an object's counts, and reports whether that ends the phase.
func (s *mbarrierOp) takes(w *Warp, l int, o *mbarrier) bool {
	n := s.operand(w, l)
	if s.Expect {
		o.tx, n = o.tx+int64(n), 1
	}
	o.pending -= min(n, o.pending)
	return o.pending == 0 && o.tx == 0
}

// remote reports an operation that may go to another block's mbarrier (PTX ISA,
// "mbarrier": support for shared::cluster).
func (s *mbarrierOp) remote() bool {
	return s.Kind == program.MBarrierArrive || s.Kind == program.MBarrierExpect || s.Kind == program.MBarrierComplete
}

// object is the mbarrier at an offset of shared memory that was checked, that of
// the block which the operation at hand goes to.
func (w asyncUnit) object(addr uint64) *uint64 {
	env := w.Env
	if env.owner != nil {
		env = env.owner
	}
	return env.mbarrierAt(addr)
}

// mbarrierAt is the mbarrier at an offset of the block's shared memory that was checked.
func (env *Env) mbarrierAt(addr uint64) *uint64 {
	return (*uint64)(unsafe.Pointer(&env.Block.Shared[addr]))
}

// operand is the value of Operand in lane l, 1 if there is none.
func (s *mbarrierOp) operand(w *Warp, l int) uint64 {
	if s.Operand == program.NoSlot {
		return 1
	}
	return uint64(w.V32(s.Operand)[l])
}

// apply does an operation other than a test for one lane.
func (s *mbarrierOp) apply(w *Warp, l int, addr uint64) bool {
	p := w.copies().object(addr)
	n := s.operand(w, l)
	if s.Kind == program.MBarrierInit {
		if n == 0 || n > maxArrivals {
			return w.copies().misuse(s, trace.CauseMBarrierUse, l, addr, "with a count of %d: it must be from 1 to %d", n, maxArrivals)
		}
		*p = mbarrier{expected: n, pending: n}.pack()
		return true
	}
	b := unpackMBarrier(*p)
	if !b.valid {
		return w.copies().misuse(s, trace.CauseNoMBarrier, l, addr, "on memory that is not an mbarrier: none was initialized at offset %d, or it was invalidated or overwritten", addr)
	}
	switch s.Kind {
	case program.MBarrierInval:
		*p = 0
		return true
	case program.MBarrierTrack:
		b.pending++
	case program.MBarrierExpect, program.MBarrierComplete:
		return s.bytes(w, l, addr, b, n)
	default:
		if b.pending == 0 {
			w.copies().arrivesEarly(s, l)
			if !w.copies().completeThere(addr) {
				return false
			}
		}
		before := *p
		b = unpackMBarrier(before)
		if s.Expect {
			b.tx += int64(n)
			n = 1
		}
		if !s.arrive(w, l, addr, b, n) {
			return false
		}
		w.SetLane(s.Dst, alu.W64, l, before)
		return true
	}
	if b.pending > maxArrivals {
		return w.copies().misuse(s, trace.CauseMBarrierUse, l, addr, "makes more than %d arrivals pending", maxArrivals)
	}
	*p = b.pack()
	return true
}

// arrivesEarly reports an arrival in a phase that has all of its arrivals and only waits for bytes
// still: no thread has looked whether it has ended.
func (w asyncUnit) arrivesEarly(s *mbarrierOp, l int) {
	if f := w.Env.On.Defect; f != nil {
		f(&trace.Defect{Kind: trace.DefectArrivedEarly, Site: s.Mem.Site, Warp: w.Index, Mask: 1 << l, Exist: w.Exist})
	}
}

// bytes adds to or takes from the bytes that the phase waits for.
func (s *mbarrierOp) bytes(w *Warp, l int, addr uint64, b mbarrier, n uint64) bool {
	if s.Kind == program.MBarrierComplete {
		n = -n
	}
	b.tx += int64(n)
	if b.tx > maxTx || b.tx < -maxTx {
		return w.copies().misuse(s, trace.CauseMBarrierUse, l, addr, "makes %d bytes pending: the limit is %d", b.tx, maxTx)
	}
	if s.Kind == program.MBarrierComplete {
		b.settlePhase()
	}
	*w.copies().object(addr) = b.pack()
	return true
}

// arrive takes n arrivals off the pending ones.
func (s *mbarrierOp) arrive(w *Warp, l int, addr uint64, b mbarrier, n uint64) bool {
	if n == 0 || n > b.pending {
		return w.copies().misuse(s, trace.CauseMBarrierUse, l, addr, "with a count of %d, but the phase waits for %d more", n, b.pending)
	}
	if b.tx > maxTx {
		return w.copies().misuse(s, trace.CauseMBarrierUse, l, addr, "makes %d bytes pending: the limit is %d", b.tx, maxTx)
	}
	w.copies().noteArrival(l, addr, b.phase)
	b.pending -= n
	if s.Drop {
		b.expected -= min(n, b.expected)
	}
	before := b.phase
	if b.settlePhase(); b.phase != before {
		w.copies().endsPhase(addr)
	}
	*w.copies().object(addr) = b.pack()
	return true
}

// misuse records a wrong use of an mbarrier by lane l.
func (w asyncUnit) misuse(s *mbarrierOp, cause trace.Cause, l int, addr uint64, format string, args ...any) bool {
	f := w.Fault(trace.FaultBarrier, cause, s.Mem.Site, 1<<l, s.Mem.Site.Opcode()+" "+format, args...)
	f.Addr, f.Size, f.Space = addr, 8, trace.SpaceShared
	return false
}

// test finds the lanes whose phase is complete. These acquire what the
// arrivals released; for the others the access orders nothing.
func (s *mbarrierOp) test(w *Warp, m uint32, addr *vec.Row64, sp *vec.Span) bool {
	n := uint64(len(w.Env.Block.Shared))
	var done uint32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		a := addr[l]
		if a&7 != 0 || a+8 > n || a+8 < 8 {
			_, ok := w.check(&s.Mem, trace.SpaceShared, m, addr, sp)
			return ok
		}
		o := unpackMBarrier(*w.copies().object(a))
		if !o.valid {
			return w.copies().misuse(s, trace.CauseNoMBarrier, l, a, "on memory that is not an mbarrier: none was initialized at offset %d, or it was invalidated or overwritten", a)
		}
		if o.phase != s.phase(w, l) {
			done |= 1 << l
		}
		w.Env.arrivals.looked(a)
	}
	if w.retry = w.copies().suspends(s, m, done != 0); w.retry {
		return true
	}
	w.idle = done != m
	for _, part := range []struct {
		op *program.Mem
		m  uint32
	}{{&s.Mem, done}, {&s.Other, m &^ done}} {
		if part.m != 0 {
			sp.Measure(addr, part.m)
			if _, ok := w.check(part.op, trace.SpaceShared, part.m, addr, sp); !ok {
				return false
			}
		}
	}
	if s.Dst != program.NoSlot {
		p := w.Pred(s.Dst)
		*p = *p&^m | done
	}
	return true
}

// suspended is lanes that a try_wait with a time limit keeps: since when, and when the block was last
// seen to do something, in instructions of its warps; still counts the turns since then.
type suspended struct {
	op         *mbarrierOp
	lanes      uint32
	since, did uint64
	still      int
}

// stillTurns is after how many turns in which no warp of the block does anything a time limit has passed.
const stillTurns = 16

// suspends reports whether lanes stay where they are, as neither the phase is over for one of them nor the
// time limit (PTX ISA, "mbarrier.try_wait": suspendTimeHint). An instruction counts as a nanosecond.
func (w asyncUnit) suspends(s *mbarrierOp, m uint32, over bool) bool {
	if s.Limit == program.NoSlot {
		return false
	}
	i := slices.IndexFunc(w.suspended, func(x suspended) bool { return x.op == s && x.lanes == m })
	now := w.Env.WarpInstrs
	if !over && i < 0 {
		w.suspended = append(w.suspended, suspended{s, m, now, now, 0})
		return true
	}
	if i < 0 {
		return false
	}
	x := &w.suspended[i]
	if x.still++; x.did != now {
		x.did, x.still = now, 0
	}
	if !over && now-x.since < uint64(w.V32(s.Limit)[vec.Lowest(m)&31]) && x.still < stillTurns {
		return true
	}
	w.suspended = slices.Delete(w.suspended, i, i+1)
	return false
}

// phase is the parity of the phase that lane l asks for.
func (s *mbarrierOp) phase(w *Warp, l int) uint64 {
	if s.Parity {
		return uint64(w.V32(s.Operand)[l]) & 1
	}
	return unpackMBarrier(w.V64(s.Operand)[l]).phase
}

// tracking is arrivals on mbarriers that happen once copies have completed:
// those of lanes mask of w that were issued up to seq. They happen at the
// latest moment too: when the mbarrier is tested, or when the thread exits.
type tracking struct {
	op   *mbarrierOp
	w    *Warp
	mask uint32
	seq  uint64
	addr vec.Row64
}

// settleAt lets all happen that waits at an mbarrier which w is about to look at: arrivals,
// and the completions of asynchronous operations.
func (env *Env) settleAt(w *Warp, addr uint64) bool {
	ok := env.settleTracked(func(t *tracking) uint32 {
		return vec.Failing(t.mask, func(l int) bool { return t.addr[l&31] == addr })
	})
	return ok && env.completeAt(w, addr)
}

// settleExit lets all arrivals of lanes of a warp happen that exit.
func (env *Env) settleExit(w *Warp, m uint32) bool {
	return env.settleTracked(func(t *tracking) uint32 {
		if t.w == w {
			return t.mask & m
		}
		return 0
	})
}

// settleTracked lets the arrivals happen of the lanes that due returns.
func (env *Env) settleTracked(due func(*tracking) uint32) bool {
	ok := true
	for i := range env.tracked {
		t := &env.tracked[i]
		if m := due(t); m != 0 && ok {
			ok = t.arrive(m)
			t.mask &^= m
		}
	}
	env.tracked = slices.DeleteFunc(env.tracked, func(t tracking) bool { return t.mask == 0 })
	return ok
}

// arrive completes the copies of lanes m and then arrives for them.
func (t *tracking) arrive(m uint32) bool {
	w := t.w
	w.copies().landWhere(func(c *copying) uint32 {
		if c.seq <= t.seq {
			return m
		}
		return 0
	})
	if to := w.Env.On.Shared; to != nil {
		w.Env.span.Measure(&t.addr, m)
		w.emit(&t.op.Other, trace.SpaceShared, m, &t.addr, &w.Env.span, to)
	}
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		o := unpackMBarrier(*w.copies().object(t.addr[l]))
		if !o.valid {
			return w.copies().misuse(t.op, trace.CauseMBarrierUse, l, t.addr[l], "to an mbarrier that is no longer valid when the copies complete")
		}
		if !t.op.arrive(w, l, t.addr[l], o, 1) {
			return false
		}
	}
	w.Progress++
	return true
}
