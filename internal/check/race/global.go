package race

import (
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// strength is how strong a site is (PTX ISA, "Memory Consistency Model").
type strength uint8

const (
	weak strength = iota
	volatileOnly
	strong
)

// globalLaunch watches global memory in one launch.
type globalLaunch struct {
	checker *checker
	launch  *trace.Launch
	sites   []siteInfo
	// narrow has what compare-and-swaps of words are taken for; see narrow.go.
	narrow map[int]*trace.Site
	// follows says that strong operations may order accesses. sync says that they may
	// do so between blocks, which then run one at a time, and races between them are
	// found as they come; otherwise nothing orders blocks, and they are compared at the
	// end.
	follows, sync bool
	// clusters says that blocks access each other's shared memory; watched has the
	// clusters that run.
	clusters bool
	watched  map[uint64]*clusterWatch
	// phases are those of the grid's barrier.
	phases groupPhases
	number uint32 // of the launches whose global memory is watched, from 1
	field  *field
	// parent is for a grid whose threads launch child grids, else nil.
	parent *parentWatch
	words  map[uint64]*sequence
	// locks, nil for none, and said tell the reasons of races where blocks
	// may synchronise; paths the barriers that blocks passed.
	locks *locks
	said  map[saying]signal
	heard blockHearings
	paths paths
	// reported are the pairs of sites that there is a finding of, when the launch has ended.
	reported map[pairKey]bool
	// writes counts the accesses that write, where blocks may synchronise.
	writes *uint64
	mu     sync.Mutex
	slots  []*globalObserver
}

// siteInfo is what matters of a site here.
type siteInfo struct {
	kind     trace.Kind
	strength strength
	scope    trace.Scope
	watched  bool
	// acquires says that a read orders what follows it at once, releases that
	// a write orders what precedes it without a fence.
	acquires, releases bool
	// result says that an atomic has a result, as a test of an mbarrier has: others are
	// reductions.
	result bool
	// flag is for volatile sites: a read that a thread may learn from how far another one
	// has come, or a write where the launch looks at words in such a way, unless it is an update.
	flag bool
	// announces says of a volatile write that a fence may follow it, asked that threads
	// wait by reads of its place; see guards.Facts.
	announces, asked bool
	// narrow says that it is a swap of a word for an element of it; see narrow.go.
	narrow bool
	// elem is the bytes of an element, which is accessed as a whole.
	elem int
}

// newGlobal returns the observer of a launch's global memory, nil where
// nothing can race there.
func newGlobal(c *checker, l *trace.Launch) *globalLaunch {
	g := &globalLaunch{checker: c, launch: l, sites: make([]siteInfo, len(l.Sites))}
	writes := false
	for i, s := range l.Sites {
		in := &g.sites[i]
		*in = c.infoOf(s)
		in.watched = s.Size > 0 && (s.Space == trace.SpaceGlobal || s.Space == trace.SpaceGeneric)
		writes = writes || in.watched && s.Kind.Writes()
	}
	c.noteFlags(l, g.sites)
	g.narrow = c.narrowSwaps(l, g.sites)
	freeing := frees(l)
	writes = writes || freeing
	nests := l.Nests && c.running != nil
	g.clusters = l.ClusterSize() > 1
	writes = writes || g.clusters && slices.ContainsFunc(l.Sites, mayWriteShared)
	if !nests && (!writes || l.Grid.Size()*l.Block.Size() < 2) || l.Grid.Size() >= 1<<32 {
		return nil
	}
	c.launches++
	g.number, g.field = c.launches, c.takeField()
	if nests { // children may access what nothing else does
		g.parent = newParentWatch(l)
		c.running.watch = g.parent
	} else if !freeing {
		g.leaveOut()
	}
	g.follows = g.clusters || l.Groups[trace.GridGroup] || handsOver(l) || flags(l)
	g.sync = l.Ordered && g.follows
	g.watched = map[uint64]*clusterWatch{}
	if g.sync {
		g.words, g.writes = map[uint64]*sequence{}, new(uint64)
		g.locks, g.said, g.heard = newLocks(l), map[saying]signal{}, blockHearings{}
		return g
	}
	if nests || freeing {
		return g
	}
	g.spare()
	if !slices.ContainsFunc(g.sites, func(in siteInfo) bool { return in.watched && in.kind.Writes() }) {
		return nil
	}
	return g
}

func (g *globalLaunch) observer() *trace.LaunchObserver {
	return &trace.LaunchObserver{Block: g.newBlock, End: g.End}
}

// strongShared reports whether strong operations may be in shared memory.
func (g *globalLaunch) strongShared() bool {
	for i, s := range g.launch.Sites {
		if g.sites[i].strength != weak && (s.Space == trace.SpaceShared || s.Space == trace.SpaceGeneric) {
			return true
		}
	}
	return false
}

func (o *globalObserver) observer() *trace.BlockObserver {
	g := o.launch
	b := &trace.BlockObserver{Begin: o.Begin, End: o.End, Global: o.Access, Ignores: o.Ignores,
		Barrier: o.Barrier, Arrived: o.Arrived, WarpSync: o.WarpSync}
	if g.parent != nil {
		b.Spawned, b.Joined = o.Spawned, o.Joined
	}
	if frees(g.launch) {
		b.HeapFreed = o.HeapFreed
	}
	if !g.follows {
		return b
	}
	b.Fence = o.Fence
	b.GroupArrived, b.GroupPassed = o.GroupArrived, o.GroupPassed
	if g.clusters {
		b.Remote = o.Remote
	}
	if g.clusters || g.strongShared() {
		b.Shared = o.Access
	}
	return b
}

func (g *globalLaunch) newBlock() *trace.BlockObserver {
	o := &globalObserver{launch: g, order: newOrder(int(g.launch.Block.Size()), g.checker), pairs: map[pairKey]*globalPair{}}
	o.ticks = make([]uint32, o.order.warps)
	o.passed, o.polls = newSyncLog(o.order.warps), newPolls(o.order.warps, len(g.sites))
	o.strong = make([]lanes, len(g.sites))
	o.signals = newSignals(o.order.threads)
	o.signals.said = g.said
	o.order.words, o.writes = g.words, g.writes
	if g.follows && !g.sync {
		o.signals.said, o.writes = map[saying]signal{}, new(uint64)
	}
	o.order.sizes = sizesOf(g.sites)
	o.masks[0], o.masks[1] = make([]uint32, o.order.warps), make([]uint32, o.order.warps)
	o.running.Store(noBlock)
	g.mu.Lock()
	g.slots = append(g.slots, o)
	g.mu.Unlock()
	return o.observer()
}

// isRunning reports whether a block is running in a slot.
func (g *globalLaunch) isRunning(block uint32) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, o := range g.slots {
		if o.running.Load() == uint64(block) {
			return true
		}
	}
	return false
}

const noBlock = ^uint64(0)

// globalObserver checks the blocks of one slot.
type globalObserver struct {
	launch  *globalLaunch
	block   *trace.Block
	order   *order
	running atomic.Uint64
	cache   pageCache
	// writes counts the accesses that write, of all blocks that share words.
	writes *uint64
	// cluster is that of the block, places is scratch.
	cluster *clusterWatch
	places  [32]uint64
	pairs   map[pairKey]*globalPair
	ticks   []uint32
	masks   [2][]uint32
	// path has the full barriers that the block passed, passed what was
	// passed since the last one; polls the sites that wait for something.
	path   path
	passed syncLog
	polls  polls
	// signals has what this block heard, and shares said.
	signals *signals
	// reads are the last strong reads of the threads.
	reads []strongRead
	// strong says how strong sites were executed; see single.
	strong []lanes
	// arrived has the stamps of threads that arrived at a barrier and went on.
	arrived arrivals
	// listed are lines with spans of several blocks, to compare at the end.
	listed []listedLine
	// full says that a line had no room for a span.
	full bool
	// heard counts the accesses to global memory that were looked at.
	heard uint64
	// acc is the access at work, now the span that it makes.
	acc    *trace.Access
	now    span
	narrow narrowAccess
	// line is the one that is looked at.
	line *memline
	// valued says that acc is a write whose values are to be noted.
	valued bool
}

type listedLine struct {
	addr uint64
	line *memline
}

func (o *globalObserver) Begin(b *trace.Block) {
	o.block = b
	o.running.Store(b.Index)
	o.beginCluster()
	o.order.reset(o.launch.party(uint32(b.Index)))
	if !o.launch.sync {
		o.order.words = map[uint64]*sequence{}
	}
	o.path = o.path[:0]
	o.signals.forget()
	o.passed.reset()
	clear(o.ticks)
	clear(o.reads)
	clear(o.arrived)
}

func (o *globalObserver) End() {
	o.running.Store(noBlock)
	o.endCluster()
	o.launch.paths.end(o.block.Index, o.block.Launch.Grid.Size(), o.path)
}

func (o *globalObserver) Barrier(e *trace.Barrier) {
	if e.Full {
		o.path.add(e.Site)
		o.passed.reset()
		o.order.full()
		delete(o.arrived, e.ID)
		return
	}
	arrived, synced := e.Arrived, e.Synced
	if o.order.model == check.Lockstep {
		arrived, synced = o.wholeWarps(0, arrived), o.wholeWarps(1, synced)
	}
	early := o.arrived[e.ID]
	o.order.rows.early = early
	o.order.partialBarrier(arrived, synced)
	o.order.rows.early = nil
	o.order.part(e.ID, arrived, synced)
	if !e.More {
		o.arrived.passed(e.ID)
		delete(o.order.early, e.ID)
	}
	o.passed.barrier(e, o.order.now, early)
}

// Arrived is the event of that name.
func (o *globalObserver) Arrived(e *trace.Arrival) {
	o.arrived.add(e, o.order.clock)
	if o.launch.follows {
		o.order.arrive(e.ID, e.Warp, e.Mask)
	}
}

// wholeWarps extends masks to all lanes of the warps that take part.
func (o *globalObserver) wholeWarps(i int, masks []uint32) []uint32 {
	out := o.masks[i]
	clear(out)
	for w, m := range masks {
		if m != 0 && w < len(out) {
			out[w] = o.order.exist[w]
		}
	}
	return out
}

func (o *globalObserver) WarpSync(e *trace.WarpSync) {
	if e.Memory && o.order.model != check.Threads {
		o.order.joinWarp(e.Warp, e.Mask)
	}
	if e.Memory && o.order.model == check.ITS {
		o.passed.add(e.Warp, passed{site: e.Site, stamp: o.order.now[e.Warp], lanes: e.Mask})
	}
}

func (o *globalObserver) Fence(e *trace.Fence) {
	if e.Warp < o.order.warps {
		o.order.fence(e.Warp, e.Mask, e.Scope)
	}
}

// Ignores is for trace.BlockObserver.
func (o *globalObserver) Ignores(s *trace.Site) bool { return !o.launch.sites[s.ID].watched }

// Access is the event of that name.
func (o *globalObserver) Access(a *trace.Access) {
	if as := o.launch.narrow[a.Site.ID]; as != nil {
		a = o.narrow.of(a, as)
	}
	in := &o.launch.sites[a.Site.ID]
	if a.Mask == 0 || a.Async == trace.AsyncComplete || !in.watched && a.Space == trace.SpaceGlobal {
		return
	}
	if a.Space != trace.SpaceGlobal {
		switch {
		case a.Space == trace.SpaceShared && o.launch.clusters:
			o.inShared(a, o.block.Index)
		case a.Space == trace.SpaceShared && o.launch.follows && in.strength != weak:
			o.eachLane(a, func(int) {})
		case a.Space == trace.SpaceShared && o.launch.follows && in.kind.Writes():
			o.overwrite(a)
		}
		return
	}
	if onGlobal(a.Site) {
		o.heard++
	}
	o.record(a)
}

// record compares an access with the history and adds it.
func (o *globalObserver) record(a *trace.Access) {
	in := &o.launch.sites[a.Site.ID]
	if o.launch.follows {
		if in.kind != trace.Read {
			*o.writes++
		} else if in.strength != weak && o.repeats(a) {
			return
		}
	}
	o.ticks[a.Warp] = a.Tick
	o.acc = a
	o.now = span{site: int32(a.Site.ID), block: uint32(o.block.Index), warp: uint16(a.Warp),
		interval: o.order.interval, stamp: o.order.clock.now[a.Warp], tick: o.ticks[a.Warp]}
	if in.strength != weak {
		o.strong[a.Site.ID] = max(o.strong[a.Site.ID], lanesOf(a.Mask))
	}
	o.valued = in.kind == trace.Write && a.Data != nil
	if o.launch.follows && in.strength != weak {
		if oneAddress(a) {
			o.eachLane(a, func(int) {})
			o.runs(a)
		} else {
			o.lanewise(a)
		}
		o.valued = false
		return
	}
	if in.strength == weak {
		o.plain(a)
		if o.launch.follows && in.kind.Writes() {
			o.overwrite(a)
		}
	}
	o.runs(a)
	o.valued = false
}

// lanewise records a strong access of lanes to places of their own. Lanes in step acquire
// all before any of them goes on.
func (o *globalObserver) lanewise(a *trace.Access) {
	record := func(l int) {
		o.value(a, 1<<l)
		o.run(a.Addr[l], l, 1)
	}
	if o.order.model != check.Lockstep {
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

// oneAddress reports whether all lanes access one element.
func oneAddress(a *trace.Access) bool {
	at := a.Addr[bits.TrailingZeros32(a.Mask)]
	for m := a.Mask; m != 0; m &= m - 1 {
		if a.Addr[bits.TrailingZeros32(m)] != at {
			return false
		}
	}
	return true
}

// runs divides an access into lanes on neighbouring elements and lanes on one
// element.
func (o *globalObserver) runs(a *trace.Access) {
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
			o.group(addr, same)
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
func (o *globalObserver) run(addr uint64, lane, n int) {
	if o.launch.parent != nil {
		o.parentRun(addr, lane, n)
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

// group records that lanes accessed one element.
func (o *globalObserver) group(addr uint64, lanes uint32) {
	if o.launch.parent != nil {
		o.parentGroup(addr, lanes)
	}
	s := &o.now
	s.lo = uint8(addr % lineBytes)
	s.hi = s.lo + uint8(o.acc.Site.Size)
	s.lanes, s.shift, s.first = lanes, uint8(bits.TrailingZeros(uint(o.acc.Site.Size))), 0
	o.insert(addr)
}
