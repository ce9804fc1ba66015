package global

import (
	"math/bits"
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/check/race/work"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// blockObserver checks the blocks of one slot.
type blockObserver struct {
	launch  *Detector
	block   *trace.Block
	order   *hb.Order
	running atomic.Uint64
	cache   pageCache
	// proxies has the fences between proxies, of all blocks that share words; nil where no access
	// needs one.
	proxies *proxies
	// bulk has the bulk stores, of all blocks that share words; nil where no access meets one.
	bulk *bulkStores
	// writes counts the accesses that write, of all blocks that share words.
	writes *uint64
	// cluster is that of the block, places is scratch.
	cluster *cluster
	places  [32]uint64
	// parent is the block as one of a grid with child grids.
	parent work.ParentBlock
	pairs  map[evidence.Key]*evidence.Pair
	ticks  []uint32
	// operations counts the strong writes of each warp to global memory; see check.Hold.
	operations []uint32
	// path has the full barriers that the block passed, passed what was
	// passed since the last one.
	path   path
	passed evidence.SyncLog
	// flags has what this block acquired, and blocks that share words released.
	flags *evidence.Flags
	// reads are the last strong reads of the threads.
	reads []strongRead
	// strong is how strong sites were executed; see evidence.Run.
	strong []evidence.Lanes
	// listed are lines with spans of several blocks, to compare at the end.
	listed []listedLine
	// full: a line had no room for a span. dropped: a line lacks a read, but has the same read by other warps of this block.
	full, dropped bool
	// looked counts the accesses to global memory that were looked at, followed the strong ones by threads.
	looked, followed uint64
	// acc is the access at work, now the span that it makes.
	acc    *trace.Access
	now    span
	narrow hb.NarrowAccess
	// rest is room for an access without the reads that do not count.
	rest trace.Access
	// line is the one that is looked at.
	line *memline
	// failed: acc is a compare-and-swap that fails in all lanes.
	failed bool
	// valued: acc is a write whose values are to be noted.
	valued bool
}

type listedLine struct {
	addr uint64
	line *memline
}

func (o *blockObserver) observer() *trace.BlockObserver {
	d := o.launch
	b := &trace.BlockObserver{Begin: o.Begin, End: o.End, Global: o.Access, Ignores: o.Ignores,
		Barrier: o.Barrier, Arrived: o.Arrived, WarpSync: o.WarpSync}
	if d.parent != nil {
		b.Spawned, b.Joined = o.Spawned, o.Joined
	}
	if d.rests != nil {
		b.Rests = o.Rests
	}
	if frees(d.launch) {
		b.HeapFreed = o.HeapFreed
	}
	if o.proxies != nil {
		b.ProxyFence = o.ProxyFence
	}
	if o.bulk != nil {
		b.AsyncBegan, b.AsyncEnded = o.AsyncBegan, o.AsyncEnded
	}
	if !d.synchronizes {
		return b
	}
	b.Fence = o.order.Fence
	b.GroupArrived, b.GroupPassed = o.GroupArrived, o.GroupPassed
	if d.clusters {
		b.Remote = o.Remote
	}
	if d.clusters || d.strongShared() {
		b.Shared = o.Access
	}
	return b
}

func (o *blockObserver) Begin(b *trace.Block) {
	o.block = b
	o.running.Store(b.Index)
	o.beginCluster()
	o.order.Reset(hb.PartyOf(o.launch.launch, b.Index))
	if !o.launch.inTurn {
		o.order.Words.Forget()
		o.proxies.forget()
		o.bulk.forget()
	}
	o.parent = work.ParentBlock{Parent: o.launch.parent, Order: o.order, Block: b.Index, Clocks: o.launch.synchronizes}
	o.path = o.path[:0]
	o.flags.Forget()
	o.passed.Reset()
	o.dropped = false
	clear(o.ticks)
	clear(o.operations)
	clear(o.reads)
}

func (o *blockObserver) End() {
	o.running.Store(noBlock)
	o.launch.ended.Add(1)
	o.endCluster()
	o.launch.paths.end(o.block.Index, o.block.Launch.Grid.Size(), o.path)
}

func (o *blockObserver) Barrier(e *trace.Barrier) {
	if e.Full {
		o.path.add(e.Site)
		o.passed.Reset()
		o.order.FullBarrier()
		o.order.ForgetArrivals(e.ID)
		return
	}
	o.full = o.full || o.dropped // from now on the other warps may be ordered differently
	early := o.order.Barrier(e)
	o.passed.Barrier(e, o.order.Stamps(), early)
}

// Arrived is the event of that name.
func (o *blockObserver) Arrived(e *trace.Arrival) {
	if o.launch.synchronizes {
		o.order.ArriveWith(e)
	} else {
		o.order.Arrive(e)
	}
}

func (o *blockObserver) WarpSync(e *trace.WarpSync) {
	if o.order.Model != check.Threads {
		o.order.JoinWarp(e.Warp, e.Mask)
	}
	if o.order.Model == check.ITS {
		o.passed.SyncWarp(e, o.order.Stamp(e.Warp))
	}
}

// Spawned is the event of that name.
func (o *blockObserver) Spawned(e *trace.Spawn) { o.parent.Spawned(e) }

// Joined is the event of that name.
func (o *blockObserver) Joined(e *trace.Join) { o.parent.Joined(e) }

// Ignores is for trace.BlockObserver.
func (o *blockObserver) Ignores(s *trace.Site) bool { return !o.launch.watched[s.ID] }

// Access is the event of that name.
func (o *blockObserver) Access(a *trace.Access) {
	in := &o.launch.sites[a.Site.ID]
	o.failed = false
	if in.Narrow != nil {
		a = o.narrow.Of(a, in.Narrow)
	}
	a = o.withoutReplicas(a)
	if a.Mask == 0 || a.Async == trace.AsyncComplete || !o.launch.watched[a.Site.ID] && a.Space == trace.SpaceGlobal {
		return
	}
	if a.Space != trace.SpaceGlobal {
		switch {
		case a.Space == trace.SpaceShared && o.launch.clusters:
			o.inShared(a, o.block.Index)
		case a.Space == trace.SpaceShared && o.launch.synchronizes && in.Strength != hb.Weak:
			o.eachLane(a, func(int) {})
		case a.Space == trace.SpaceShared && o.launch.synchronizes && in.Kind.Writes():
			o.overwrite(a)
		}
		return
	}
	if evidence.OnGlobal(a.Site) {
		o.looked++
	}
	o.record(a)
	if a.Site.Op.Kind == inst.TensorMapCopy && o.order.Model != check.Threads {
		o.order.JoinWarp(a.Warp, a.Mask)
	}
}

// record compares an access with the history and adds it to it.
func (o *blockObserver) record(a *trace.Access) {
	in := &o.launch.sites[a.Site.ID]
	if o.launch.synchronizes {
		o.failed = o.fails(a)
		if in.Kind != trace.Read && !o.failed {
			*o.writes++
			if in.Strength != hb.Weak {
				o.operates(a)
			}
		} else if in.Strength != hb.Weak && o.repeats(a) {
			return
		}
	}
	o.ticks[a.Warp] = a.Tick
	o.acc = a
	o.now = span{site: int32(a.Site.ID), block: uint32(o.block.Index), warp: uint16(a.Warp),
		interval: o.order.Interval(), stamp: o.order.Stamp(a.Warp), tick: o.ticks[a.Warp]}
	if in.Strength != hb.Weak {
		o.strong[a.Site.ID] = max(o.strong[a.Site.ID], evidence.LanesOf(a.Mask))
	}
	o.valued = in.Kind == trace.Write && a.Data != nil
	if o.launch.synchronizes && in.Strength != hb.Weak {
		if evidence.OneAddress(a) {
			o.eachLane(a, func(int) {})
			o.runs(a)
		} else {
			o.lanewise(a)
		}
		o.valued = false
		return
	}
	if in.Strength == hb.Weak {
		o.plain(a)
		if o.launch.synchronizes && in.Kind.Writes() {
			o.overwrite(a)
		}
	}
	o.runs(a)
	o.valued = false
}

// lanewise records a strong access of lanes to places of their own. Lanes in step acquire
// all before any of them continues.
func (o *blockObserver) lanewise(a *trace.Access) {
	record := func(l int) {
		o.value(a, 1<<l)
		o.run(a.Addr[l], l, 1)
	}
	if o.order.Model != check.Lockstep {
		o.eachLane(a, record)
		return
	}
	var numbers [32]uint32
	o.eachLane(a, func(l int) { numbers[l] = o.now.number })
	for m := a.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		o.now.number = numbers[l]
		record(l)
	}
}

// runs divides an access into lanes on neighboring elements and lanes on one
// element.
func (o *blockObserver) runs(a *trace.Access) {
	size := uint64(a.Site.Size)
	if a.Regular && a.Step == int64(size) {
		o.values(a, a.Mask, a.Addr[0])
		o.run(a.Addr[0], 0, 32)
		return
	}
	for m := a.Mask; m != 0; {
		lane := bits.TrailingZeros32(m)
		addr := a.Addr[lane]
		same, n := uint32(0), 1
		for l := lane; l < 32 && m>>l&1 != 0 && a.Addr[l] == addr; l++ {
			same |= 1 << l
		}
		if same&(same-1) != 0 {
			o.value(a, same)
			o.element(addr, same)
			m &^= same
			continue
		}
		for l := lane + 1; l < 32 && m>>l&1 != 0 && a.Addr[l] == addr+uint64(n)*size; l++ {
			n++
		}
		run := uint32(uint64(1)<<n-1) << lane
		o.values(a, run, addr)
		o.run(addr, lane, n)
		m &^= run
	}
}

// run records that n lanes from lane accessed n elements from addr.
func (o *blockObserver) run(addr uint64, lane, n int) {
	if o.launch.parent != nil {
		o.parent.Run(o.acc, addr, lane, n)
	}
	size := o.acc.Site.Size
	shift := bits.TrailingZeros(uint(size))
	end := addr + uint64(n*size)
	s, val := &o.now, o.now.val
	for at := addr; at < end; {
		to := min(end, at&^(lineBytes-1)+lineBytes)
		s.val = val + s.step*uint32((at-addr)>>shift)
		s.lo = uint8(at % lineBytes)
		s.hi = s.lo + uint8(to-at)
		s.lanes, s.shift, s.first = 0, uint8(shift), uint8(lane+int(at-addr)>>shift)
		o.insert(at)
		at = to
	}
}

// element records that lanes accessed one element.
func (o *blockObserver) element(addr uint64, lanes uint32) {
	if o.launch.parent != nil {
		o.parent.Group(o.acc, addr, lanes)
	}
	s := &o.now
	s.lo = uint8(addr % lineBytes)
	s.hi = s.lo + uint8(o.acc.Site.Size)
	s.lanes, s.shift, s.first = lanes, uint8(bits.TrailingZeros(uint(o.acc.Site.Size))), 0
	o.insert(addr)
}
