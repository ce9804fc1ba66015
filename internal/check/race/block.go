package race

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// blockObserver checks the blocks of one slot, one after the other.
type blockObserver struct {
	launch  *launchObserver
	model   check.RaceModel
	block   *trace.Block
	shadow  shadow
	lines   lines
	flights flights
	order   *order
	// phases are those of the mbarrier objects, by offset.
	phases map[uint64]*phases
	// numbers are those of the last strong writes of threads to words of shared memory,
	// by site.
	numbers map[threadWord]siteNumbers
	values  writtenValues
	pairs   map[pairKey]*pair
	// last is the pair recorded last, to spare the map.
	lastKey pairKey
	last    *pair
	// acc is the access at work and time its number in the block.
	acc  *trace.Access
	time uint64
	// accesses are those of all blocks so far, apart those of the blocks that no
	// other stands for.
	accesses, apart uint64
	// begun is the time when the interval began, dirty that a race was found
	// in it, raced that one was found in the block.
	begun        uint64
	dirty, raced bool
	// ticks counts each warp's accesses since the last full barrier.
	ticks []uint32
	// since tells where the interval began, passed what was passed in it.
	since  intervalStart
	passed syncLog
	// locks and signals are for the reasons of races; nil where not needed.
	locks   *locks
	signals *signals
	// arrived has the stamps of threads that arrived at a barrier and went on.
	arrived arrivals
	// visits are the arrivals and waits of all blocks so far.
	visits visits
	polls  polls
	// singles says how strong sites were executed; see single.
	singles []lanes
	// groups is scratch: the access by word.
	groups [32]group
	pieces [8]piece
	// met has the lanes that met in one instruction; in lockstep only.
	met      map[meeting]*[32]uint32
	narrowed narrowAccess
	// masks is scratch for barriers in lockstep.
	masks [2][]uint32
}

// group is what one access does to one word.
type group struct {
	word  uint32
	bytes uint8
	lanes uint32
}

// intervalStart says which barrier began an interval.
type intervalStart struct {
	// number counts full barriers of the block; 0 is the kernel's start.
	number uint64
	site   *trace.Site
}

// observer returns the events that matter. Where strong operations in global memory do,
// they are sent in their order with accesses to shared memory, and no interval is left
// out.
func (b *blockObserver) observer() *trace.BlockObserver {
	o := &trace.BlockObserver{Begin: b.Begin, End: b.End, Shared: b.Access, Barrier: b.Barrier, Arrived: b.Arrived, WarpSync: b.WarpSync}
	if b.launch.handsOver {
		o.Fence = b.Fence
	}
	if b.launch.outside {
		o.Global, o.Ignores = b.Access, b.ignores
	} else {
		o.Interval = &trace.IntervalObserver{Settled: b.Settled, Keep: b.Keep, Repeat: b.Repeat, Repeatable: b.Repeatable}
	}
	return o
}

// ignores reports the sites that order nothing and change no flag.
func (b *blockObserver) ignores(s *trace.Site) bool {
	return b.launch.sites[s.ID].strength == weak && !s.Kind.Writes()
}

func (b *blockObserver) Begin(blk *trace.Block) {
	b.block = blk
	b.time, b.raced = 0, false
	if b.order == nil {
		b.order = newOrder(int(blk.Launch.Block.Size()), b.launch.checker)
		b.order.sizes = sizesOf(b.launch.sites)
	}
	b.order.reset(b.launch.party(blk))
	if b.launch.handsOver {
		b.order.words = b.launch.wordsOf()
	}
	if b.ticks == nil {
		b.ticks = make([]uint32, b.order.clock.warps)
		b.passed = newSyncLog(b.order.clock.warps)
		b.polls = newPolls(b.order.clock.warps, len(b.launch.sites))
		b.singles = make([]lanes, len(b.launch.sites))
	}
	b.shadow.resize(len(blk.Shared), b.order.clock.warps)
	b.flights.reset(len(b.shadow.words))
	b.lines.resize(len(blk.Shared))
	b.since = intervalStart{}
	clear(b.arrived)
	if b.launch.handsOver {
		b.locks, b.signals = newLocks(b.launch.launch), newSignals(b.order.clock.threads)
	}
	b.newInterval()
}

func (b *blockObserver) End() {
	b.accesses += b.time
	switch x := b.launch.exemplar; {
	case !x.StandsFor(b.block.Index):
		b.apart += b.time
	case !b.raced && !b.shadow.full:
		x.Choose(b.block, b.time)
	}
	b.block = nil
}

// Settled is for trace.IntervalObserver.
func (b *blockObserver) Settled() bool { return !b.dirty && !b.shadow.full }

// Keep is for trace.IntervalObserver. The token is the number of the
// interval's accesses.
func (b *blockObserver) Keep() int32 { return int32(b.time - b.begun) }

// Repeat is for trace.IntervalObserver.
func (b *blockObserver) Repeat(token int32) { b.time += uint64(token) }

func (b *blockObserver) newInterval() {
	b.begun, b.dirty = b.time, false
	b.shadow.nextInterval()
	clear(b.ticks)
	b.lines.nodes = b.lines.nodes[:1]
	clear(b.met)
	clear(b.phases)
	clear(b.numbers)
	b.values.forget()
	b.passed.reset()
	b.signals.reset()
	if b.launch.shares {
		b.order.full()
		return
	}
	if b.launch.handsOver { // what follows depends on nothing before
		b.order.forget()
		clear(b.order.words)
	}
	b.order.nextInterval()
}

func (b *blockObserver) Barrier(e *trace.Barrier) {
	if e.Full {
		b.since = intervalStart{number: b.since.number + 1, site: e.Site}
		b.newInterval()
		delete(b.arrived, e.ID)
		return
	}
	arrived, synced := e.Arrived, e.Synced
	if b.model == check.Lockstep {
		arrived, synced = b.wholeWarps(0, arrived), b.wholeWarps(1, synced)
	}
	early := b.arrived[e.ID]
	b.order.rows.early = early
	b.order.partialBarrier(arrived, synced)
	b.order.rows.early = nil
	if b.launch.handsOver {
		b.order.part(e.ID, arrived, synced)
	}
	if !e.More {
		b.arrived.passed(e.ID)
		delete(b.order.early, e.ID)
	}
	b.passed.barrier(e, b.order.now, early)
	b.meetBarrier(e)
}

// Arrived is the event of that name.
func (b *blockObserver) Arrived(e *trace.Arrival) {
	b.arrived.add(e, b.order.clock)
	if b.launch.handsOver {
		b.order.arrive(e.ID, e.Warp, e.Mask)
	}
	if trace.GroupOf(e.ID) != trace.NoGroup {
		return // threads that never wait there are the sync rule's
	}
	b.visits.arrive(object{true, uint64(e.ID)}, e.Site, e.Warp, e.Mask)
}

// wholeWarps extends masks to all lanes of the warps that take part.
func (b *blockObserver) wholeWarps(i int, masks []uint32) []uint32 {
	out := b.masks[i][:0]
	for w, m := range masks {
		if m != 0 && w < b.order.clock.warps {
			m = b.order.clock.exist[w]
		}
		out = append(out, m)
	}
	b.masks[i] = out
	return out
}

func (b *blockObserver) WarpSync(e *trace.WarpSync) {
	if !e.Memory || b.model == check.Threads {
		return
	}
	if b.launch.handsOver {
		b.order.joinWarp(e.Warp, e.Mask)
	} else if b.model == check.ITS {
		b.order.syncWarp(e.Warp, e.Mask)
	}
	if b.model == check.ITS {
		b.passed.add(e.Warp, passed{site: e.Site, stamp: b.order.now[e.Warp], lanes: e.Mask})
	}
}

func (b *blockObserver) Access(a *trace.Access) {
	if as := b.launch.narrow[a.Site.ID]; as != nil {
		a = b.narrowed.of(a, as)
	}
	if a.Mask == 0 {
		return
	}
	strong := b.launch.sites[a.Site.ID].strength != weak
	b.ticks[a.Warp]++
	if strong {
		b.singles[a.Site.ID] = max(b.singles[a.Site.ID], lanesOf(a.Mask))
	}
	switch {
	case !b.launch.handsOver:
	case strong:
		b.strongAccess(a)
	case a.Site.Kind.Writes():
		b.overwrite(a)
	}
	if a.Space != trace.SpaceShared {
		return
	}
	b.acc = a
	b.time++
	if !strong {
		b.plain(a)
	}
	if (a.Async != trace.Sync || b.flights.n > 0) && b.asynchronous(a) {
		return
	}
	b.noteValues(a)
	switch a.Site.Size {
	case 4:
		b.elements(a, 0)
	case 8:
		b.elements(a, 1)
	case 16:
		b.elements(a, 2)
	case 1, 2:
		b.narrow(a)
	}
}

// plain takes notes of a plain access for the reasons of races.
func (b *blockObserver) plain(a *trace.Access) {
	b.polls.note(a)
	if b.locks == nil {
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		b.locks.weak(a.Site.ID, uint64(32*a.Warp+bits.TrailingZeros32(m)))
	}
}

// touch records that lanes of the access's warp access bytes of word i, and
// checks them against the word's history.
func (b *blockObserver) touch(i uint32, k key, lanes uint32) {
	s := &b.shadow
	if int(i) >= len(s.words) {
		return
	}
	ln := b.lines.at(i/32, s.interval)
	bit := uint32(1) << (i % 32)
	w := &s.words[i]
	warp := int32(b.acc.Warp)
	stamp := b.order.clock.now[warp]
	inRun := (ln.read|ln.written)&bit != 0
	if w.interval != s.interval && !inRun {
		ln.single |= bit
		w.interval = s.interval
		w.node = node{key: k, lanes: lanes, stamp: stamp, tick: b.ticks[warp], warp: warp, wide: noWide}
		if lanes&(lanes-1) != 0 && k.kind() == trace.Write {
			b.sameInstruction(i, k, lanes, lanes)
		}
		return
	}
	if !inRun && w.next == 0 && w.key == k && b.touchAlone(w, k, lanes, stamp) {
		return
	}
	if fresh := b.check(i, k, lanes); fresh != 0 {
		ln.single |= bit
		b.record(w, k, fresh, stamp)
	}
}

// touchAlone is touch for a word that only one site has accessed, the one at
// work. It returns false where a closer look is needed.
func (b *blockObserver) touchAlone(w *word, k key, lanes, stamp uint32) bool {
	warp := int32(b.acc.Warp)
	if k.kind() == trace.Write {
		return w.wide == noWide && w.warp == warp && w.stamp == stamp && lanes == w.lanes && lanes&(lanes-1) == 0
	}
	if w.wide == noWide && w.warp != warp {
		b.record(w, k, lanes, stamp)
		return true
	}
	have, at := b.shadow.slot(&w.node, warp)
	if *at == stamp || *have == 0 {
		*have |= lanes
		*at = stamp
		return true
	}
	b.record(w, k, lanes, stamp)
	return true
}

// check compares an access of lanes to word i with the word's history in both
// stores. It returns the lanes that are not in it yet.
func (b *blockObserver) check(i uint32, k key, lanes uint32) uint32 {
	s := &b.shadow
	w, ln := &s.words[i], &b.lines.lines[i/32]
	warp := b.acc.Warp
	stamp := b.order.clock.now[warp]
	fresh := lanes &^ b.lines.known(ln, k, uint16(warp), stamp, int(i%32), lanes)
	if w.interval == s.interval {
		fresh &^= s.known(w, k, int32(warp), stamp)
	}
	if fresh == 0 && k.kind() != trace.Write && !b.renews(k) {
		return 0
	}
	if w.interval == s.interval {
		b.checkHistory(w, i, k, lanes, fresh)
	}
	b.checkRuns(ln, i, k, lanes, fresh)
	if k.kind() == trace.Write && lanes&(lanes-1) != 0 {
		b.sameInstruction(i, k, lanes, fresh)
	}
	return fresh
}

// record puts lanes into the history of w.
func (b *blockObserver) record(w *word, k key, lanes, stamp uint32) {
	s := &b.shadow
	warp := int32(b.acc.Warp)
	if w.interval != s.interval {
		w.interval = s.interval
		w.node = node{key: k, lanes: lanes, stamp: stamp, tick: b.ticks[warp], warp: warp, wide: noWide}
		return
	}
	own := s.find(w, k, warp)
	if own == nil {
		s.push(w, node{key: k, lanes: lanes, stamp: stamp, tick: b.ticks[warp], warp: warp, wide: noWide})
		return
	}
	if own.wide == noWide && own.warp != warp {
		if len(s.wides) >= maxWides {
			s.push(w, node{key: k, lanes: lanes, stamp: stamp, tick: b.ticks[warp], warp: warp, wide: noWide})
			return
		}
		s.widen(own)
	}
	if s.anyOld {
		s.dropOld(w, k, warp, lanes)
	}
	have, at := s.slot(own, warp)
	if *at == stamp || *have&^lanes == 0 {
		*have |= lanes
		*at = stamp
		return
	}
	rest, before := *have&^lanes, *at
	*have, *at = lanes, stamp
	b.keepOld(w, k, rest, before)
}

// keepOld keeps the accesses that lanes made at an earlier stamp and did not
// make again. Lanes that come to a word again at a later stamp replace what
// they did before: whoever races with the earlier access races with this one
// too.
func (b *blockObserver) keepOld(w *word, k key, lanes, stamp uint32) {
	warp := b.acc.Warp
	if !b.order.clock.partial && stamp < b.order.clock.base[warp] {
		stamp = 0 // ordered for its whole warp: all such accesses are alike
	}
	b.shadow.keepOld(w, node{key: k, lanes: lanes, stamp: stamp, tick: b.ticks[warp], warp: int32(warp), wide: noWide, old: true})
}

// alike reports whether all accesses of a warp at a stamp are ordered alike from now on.
func (b *blockObserver) alike(warp int, stamp uint32) bool {
	return !b.order.partial && !b.launch.handsOver && stamp < b.order.base[warp]
}
