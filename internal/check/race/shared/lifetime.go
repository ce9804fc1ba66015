package shared

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Shared memory is there from the start of its block to its exit. Threads of other blocks of
// the cluster may access it only once they know that the block has started, and as long as it
// waits for them (CUDA C++ Programming Guide, "Distributed Shared Memory"); so must
// asynchronous operations end before their block exits. A barrier of the cluster tells threads
// so even where it orders no memory (.relaxed).

// lifetime is what a block knows of others' accesses to its shared memory.
type lifetime struct {
	// phases counts those of the cluster's barrier that threads of the block have passed,
	// arrivals those that each thread has arrived at.
	phases   uint64
	arrivals map[int]uint64
	// uses are the last accesses of threads of other blocks.
	uses map[user]use
	// inits are the mbarriers that threads of the block have initialized, by offset.
	inits map[uint64]*initialization
}

// initialization is that of an mbarrier, by a thread. The cluster's barrier makes it visible from
// phase on, once it is fenced.
type initialization struct {
	at     hb.Epoch
	thread int
	fenced bool
	phase  uint64
	// store is the initialization as an access.
	store ordinary
}

func (b proxying) initializes(a *trace.Access) {
	l := &b.proxied.lifetime
	if l.inits == nil {
		l.inits = map[uint64]*initialization{}
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		stamp := b.order.Stamp(a.Warp)
		l.inits[a.Addr[lane]] = &initialization{at: b.order.Epoch(stamp), thread: 32*a.Warp + lane,
			store: ordinary{time: b.time, warp: int16(a.Warp), lane: int16(lane), interval: b.order.Interval(), stamp: stamp}}
	}
}

// completesOn reports a bulk copy that is issued by a thread of the block, and completes on an mbarrier of the block, before the async
// proxy need see the initialization: that is an access of the generic proxy. The PTX ISA wants a fence between the two (fence.mbarrier_init, or a proxy fence),
// as the programming guide and CUTLASS have it. Libraries and compilers that leave it out have a
// barrier there at least; without one, not even the copy's issue is known to come later.
func (b proxying) completesOn(x *issue, s *trace.Site, mbarrier uint64) {
	i := b.proxied.inits[mbarrier]
	t := 32*x.op.warp + x.op.lane
	if !s.Op.IsProxied() || i == nil || i.fenced || x.by != b.blockObserver || x.visible(&i.store) {
		return // st.async and red.async are of the generic proxy
	}
	fault := evidence.BarrierOnly
	switch {
	case i.store.interval != b.order.Interval():
	case i.thread == t:
		fault = evidence.NotFenced
	case !x.knows(i.at, uint32(i.thread)):
		return // the initialization and what the thread does with the mbarrier race
	}
	if fault == evidence.BarrierOnly && s.Loc.InLibrary() {
		return // CUB's scan does so, and no change of the program removes it
	}
	b.outlives(fault, s, x.op.Block, t, x.op.Block)
}

// fence is one of a thread after which its initializations of mbarriers may be seen.
func (l *lifetime) fence(e *trace.Fence) {
	if e.Site.Op.Kind != inst.InitFence {
		return
	}
	for _, i := range l.inits {
		if i.thread/32 == e.Warp && e.Mask>>(i.thread%32)&1 != 0 && !i.fenced {
			i.fenced, i.phase = true, l.arrivals[i.thread]
		}
	}
}

// sees reports whether an initialization is visible to the owner of a clock in another block, which
// has passed a number of the cluster's barriers.
func (l *lifetime) sees(addr uint64, c *hb.Clock, phases uint64) bool {
	i := l.inits[addr]
	return i == nil || c.Covers(i.at, uint32(i.thread)) || i.fenced && phases > i.phase
}

// completes reports an operation of another block that completes on an mbarrier of this one whose
// initialization its thread need not have seen.
func (b proxying) completes(op hb.AsyncOp, mbarrier uint64) {
	for i := len(b.proxied.ops) - 1; i > 0; i-- {
		x := &b.proxied.ops[i]
		if x.AsyncOp != op || x.Block == uint32(b.block.Index) {
			continue
		}
		if !b.proxied.sees(mbarrier, x.clock, x.phases) {
			b.outlives(evidence.NotVisible, b.launch.launch.Sites[x.key.site()], x.Block, 32*x.warp+x.lane, uint32(b.block.Index))
		}
		return
	}
}

// user is a thread of another block.
type user struct{ block, thread uint32 }

// use is its last access: the cluster's barrier orders it from phase on.
type use struct {
	site  *trace.Site
	at    hb.Epoch
	phase uint64
}

// arrived counts the arrivals of threads at the barrier of the cluster.
func (l *lifetime) arrived(e *trace.GroupSync) {
	if l.arrivals == nil {
		l.arrivals = map[int]uint64{}
	}
	for m := e.Mask; m != 0; m &= m - 1 {
		l.arrivals[32*e.Warp+bits.TrailingZeros32(m)] = e.Phase + 1
	}
}

// enters notes that thread t accesses the shared memory of another block, and reports it if it
// does not know that the block has started.
func (b proxying) enters(to *blockObserver, s *trace.Site, t int) {
	if b.proxied.phases == 0 && !b.order.ClockOf(t).Knows(uint32(to.block.Index)) {
		b.outlives(evidence.NotStarted, s, uint32(b.block.Index), t, uint32(to.block.Index))
	}
	l := &to.proxied.lifetime
	if l.uses == nil {
		l.uses = map[user]use{}
	}
	l.uses[user{uint32(b.block.Index), uint32(t)}] = use{s, b.order.Epoch(b.order.Stamp(t / 32)), b.proxied.arrivals[t]}
}

// exits reports what may access the block's shared memory after its exit, if it ends in order.
func (b proxying) exits() {
	if b.block.Cut {
		return
	}
	own := uint32(b.block.Index)
	for u, x := range b.proxied.uses {
		if x.phase < b.proxied.phases || b.anyKnows(x.at, u.thread) {
			continue
		}
		b.outlives(evidence.MayHaveExited, x.site, u.block, int(u.thread), own)
	}
	for i := 1; i < len(b.proxied.ops); i++ {
		op := &b.proxied.ops[i]
		s := b.launch.launch.Sites[op.key.site()]
		if s.Op.IsTensorCore() { // a later commit may end them, of which no event tells
			continue
		}
		if _, ended := b.proxied.ended[op.AsyncOp]; ended || op.key.kind() == trace.Read && b.anyEnded(op.AsyncOp) {
			continue
		}
		b.outlives(evidence.InFlightAtExit, s, op.Block, 32*op.warp+op.lane, own)
	}
}

// anyKnows reports whether an access happens before the exit of a thread of the block.
func (b proxying) anyKnows(at hb.Epoch, thread uint32) bool {
	for t := range b.order.Threads {
		if b.order.ClockOf(t).Covers(at, thread) {
			return true
		}
	}
	return false
}

// anyEnded reports whether a thread of the block has waited until an operation has read its source.
func (b proxying) anyEnded(op hb.AsyncOp) bool {
	for t := range b.order.Threads {
		if b.order.ClockOf(t).Ended(op, true) {
			return true
		}
	}
	return false
}

// outlives keeps a finding of an access to shared memory of a block that need not be there.
func (b proxying) outlives(fault evidence.LifetimeFault, s *trace.Site, block uint32, t int, owner uint32) {
	k := lifetimeKey{s.ID, fault}
	if b.lifetimes == nil {
		b.lifetimes = map[lifetimeKey]*evidence.Lifetime{}
	}
	x := &evidence.Lifetime{Fault: fault, Owner: owner, Count: 1, By: evidence.Access{Site: s, Block: block, Warp: t / 32, Lane: t % 32}}
	if have := b.lifetimes[k]; have != nil {
		have.Merge(x)
		return
	}
	b.lifetimes[k] = x
}

type lifetimeKey struct {
	site  int
	fault evidence.LifetimeFault
}
