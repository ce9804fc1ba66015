package shared

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// blockObserver checks the blocks of one slot, one after the other.
type blockObserver struct {
	syncState
	shadow  shadow
	lines   lines
	flights flights
	proxied proxied
	values  writtenValues
	pairs   map[evidence.Key]*evidence.Pair
	// lifetimes are of all blocks so far.
	lifetimes map[lifetimeKey]*evidence.Lifetime
	// last is the pair recorded last, to spare the map.
	lastKey evidence.Key
	last    *evidence.Pair
	// acc is the access at work and time its number in the block.
	acc  *trace.Access
	time uint64
	// accesses are those of all blocks so far, apart those of the blocks that no
	// other stands for.
	accesses, apart uint64
	// begun is the time when the interval began, dirty: a race was found
	// in it, raced: one was found in the block.
	begun        uint64
	dirty, raced bool
	finds        uint64 // calls of found
	// ended is the number of the block that ended last, from 1.
	ended uint64
	// since is where the interval began.
	since evidence.Start
	// groups is scratch: the access by word.
	groups [32]group
	pieces [8]piece
	// met has the lanes that met in one instruction; in lockstep only.
	met    map[meeting]*[32]uint32
	narrow hb.NarrowAccess
}

// group is what one access does to one word.
type group struct {
	word  uint32
	bytes uint8
	lanes uint32
}

// observer returns the events that matter. In clusters, of which other blocks see the
// memory, no interval of a launch that synchronizes is left out.
func (b *blockObserver) observer() *trace.BlockObserver {
	d := b.launch
	o := &trace.BlockObserver{Begin: b.Begin, End: b.End, Shared: b.Access, Barrier: b.Barrier, Arrived: b.Arrived, WarpSync: b.WarpSync}
	if d.global {
		o.Global, o.Ignores = b.Access, b.ignores
	}
	proxies := proxying{b}
	if d.synchronizes {
		o.Fence = proxies.Fence
	}
	if d.async {
		o.AsyncBegan, o.AsyncEnded, o.ProxyFence = proxies.AsyncBegan, proxies.AsyncEnded, proxies.ProxyFence
	}
	if d.relaxed {
		o.TensorFence = proxies.TensorFence
	}
	if d.clusters {
		o.Remote, o.GroupArrived, o.GroupPassed = proxies.Remote, proxies.GroupArrived, proxies.GroupPassed
	}
	if d.global && d.launch.ClusterSize() > 1 || d.async || d.clusters {
		return o
	}
	o.Interval = &trace.IntervalObserver{Settled: b.Settled, Keep: b.Keep, Repeat: b.Repeat, Repeatable: b.Repeatable, Quiet: b.quiet()}
	if d.global { // else nothing is carried on from interval to interval
		o.Interval.Orders = d.orders
	}
	return o
}

// ignores reports whether s is one of the sites that order nothing and change no flag.
func (b *blockObserver) ignores(s *trace.Site) bool {
	return b.launch.sites[s.ID].Strength == hb.Weak && !s.Kind.Writes()
}

func (b *blockObserver) Begin(blk *trace.Block) {
	b.time, b.raced = 0, false
	b.beginBlock(blk)
	b.shadow.resize(len(blk.Shared), b.order.Warps)
	b.flights.reset(len(b.shadow.words))
	proxying{b}.begin()
	b.lines.resize(len(blk.Shared))
	b.since = evidence.Start{}
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
	proxying{b}.end()
	b.ended, b.block = b.block.Index+1, nil
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
	b.lines.nodes = b.lines.nodes[:1]
	clear(b.met)
	b.values.forget()
	b.nextInterval()
}

func (b *blockObserver) Barrier(e *trace.Barrier) {
	if e.Full {
		b.since = evidence.Start{Number: b.since.Number + 1, Site: e.Site}
		b.newInterval()
		b.order.ForgetArrivals(e.ID)
		return
	}
	early := b.order.Barrier(e)
	b.passed.Barrier(e, b.order.Stamps(), early)
	b.visits.Barrier(e)
}

func (b *blockObserver) Access(a *trace.Access) {
	if as := b.launch.sites[a.Site.ID].Narrow; as != nil {
		a = b.narrow.Of(a, as)
	}
	if a.Mask == 0 || a.Space == trace.SpaceGlobal && b.ignores(a.Site) { // it comes where others want it
		return
	}
	strong := b.launch.sites[a.Site.ID].Strength != hb.Weak
	b.ticks[a.Warp]++
	if strong {
		b.singles[a.Site.ID] = max(b.singles[a.Site.ID], evidence.LanesOf(a.Mask))
	}
	switch {
	case !b.launch.synchronizes:
	case strong:
		b.strongAccess(a)
	case a.Site.Kind.Writes():
		b.overwrite(a)
	}
	if a.Space != trace.SpaceShared {
		return
	}
	b.time++
	if !strong {
		b.plain(a)
	}
	b.acc = a
	b.remember(a)
	if a.Site.Op.Kind == inst.TensorMapCopy && b.model != check.Threads {
		b.order.JoinWarp(a.Warp, a.Mask)
	}
}

// remember checks the access at work against the history and enters it there.
func (b *blockObserver) remember(a *trace.Access) {
	if (a.Async != trace.Sync || b.flights.n > 0) && (flying{b}).asynchronous(a) {
		return
	}
	if a.Site.Op.Kind == inst.MBarrierInit && (b.launch.clusters || b.launch.async) {
		proxying{b}.initializes(a)
	}
	if b.launch.async {
		proxying{b}.generic(a)
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
		b.narrowElements(a)
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
	stamp := b.order.Stamp(int(warp))
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
	stamp := b.order.Stamp(int(warp))
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
	if b.order.Settled(warp, stamp) {
		stamp = 0 // ordered for its whole warp: all such accesses are equivalent
	}
	b.shadow.keepOld(w, node{key: k, lanes: lanes, stamp: stamp, tick: b.ticks[warp], warp: int32(warp), wide: noWide, old: true})
}
