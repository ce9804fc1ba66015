package shared

import (
	"cmp"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// checkHistory compares an access with all that the word remembers. lanes are
// those that access the word, fresh those of them that are new there.
func (b *blockObserver) checkHistory(w *word, i uint32, k key, lanes, fresh uint32) {
	s := &b.shadow
	for n := &w.node; ; n = &s.nodes[n.next] {
		if b.conflict(n.key, k) && (fresh != 0 || !b.settled(n.key, k, i)) {
			b.checkNode(n, i, k, lanes, fresh)
		}
		if n.next == 0 {
			break
		}
	}
}

// checkRuns is checkHistory for the runs of the word's line.
func (b *blockObserver) checkRuns(ln *line, i uint32, k key, lanes, fresh uint32) {
	word := int(i % 32)
	if ln.interval != b.shadow.interval || (ln.read|ln.written)>>word&1 == 0 {
		return
	}
	for at := ln.head; at != 0; at = b.lines.nodes[at].next {
		n := &b.lines.nodes[at]
		if n.words>>word&1 != 0 && b.conflict(n.key, k) {
			b.against(n.key, int(n.warp), 1<<n.perm.lane(word), n.stamp, n.tick, i, k, lanes, fresh)
		}
	}
}

// settled reports whether an access that is not new in the history adds nothing to
// a pair: it is known whether it writes different values.
func (b *blockObserver) settled(o, k key, i uint32) bool {
	p := b.pairs[b.keyOf(o, k, i)]
	if evidence.HazardOf(o.kind(), k.kind()) != evidence.WAW {
		return p != nil || !b.renews(k)
	}
	if p == nil {
		return false
	}
	seen := false
	for _, inWarp := range []bool{false, true} {
		w := p.Witness(evidence.WAW, inWarp)
		if w != nil && (!w.Differ || uint64(w.Then.Block) > b.block.Index) {
			return false
		}
		seen = seen || w != nil
	}
	return seen
}

// renews reports whether an access of a key counts as new each time: a thread that has
// observed a strong write has not observed the next one.
func (b *blockObserver) renews(k key) bool {
	return b.launch.synchronizes && k.kind() != trace.Read && b.launch.sites[k.site()].Strength != hb.Weak
}

func (b *blockObserver) checkNode(n *node, i uint32, k key, lanes, fresh uint32) {
	if n.wide == noWide {
		b.against(n.key, int(n.warp), n.lanes, n.stamp, n.tick, i, k, lanes, fresh)
		return
	}
	at := int(n.wide)
	for u := range b.shadow.warps {
		if m := b.shadow.wides[at+u]; m != 0 {
			b.against(n.key, u, m, b.shadow.wides[at+b.shadow.warps+u], n.tick, i, k, lanes, fresh)
		}
	}
}

// against compares an access with what lanes as of warp u did at stamp and
// tick.
func (b *blockObserver) against(o key, u int, as, stamp, tick uint32, i uint32, k key, lanes, fresh uint32) {
	if u == b.acc.Warp && (b.model == check.Lockstep || as|lanes == as&-as) {
		return // ordered by instruction, or one thread
	}
	if b.launch.synchronizes && b.isFlag(o, k, i) {
		return
	}
	look := fresh
	if fresh == 0 {
		look = lanes // known pairs, but perhaps a new value
	}
	count, first, then := b.racing(u, as, stamp, look, o, k, i)
	if count == 0 {
		return
	}
	if fresh == 0 && b.pairs[b.keyOf(o, k, i)] != nil {
		count = 0
	}
	b.found(race{earlier: o, later: k, warp: u, word: i, count: count, first: first, then: then, lanes: as, stamp: stamp, tick: tick,
		ahead: tick > b.ticks[b.acc.Warp], apart: tick != b.ticks[b.acc.Warp]}, look)
}

// racing counts the pairs of a lane of as, in warp u, that did something at
// stamp and one of look, of the access's warp, that does something now, which
// nothing orders. first and then are the first such pair.
func (b *blockObserver) racing(u int, as, stamp, look uint32, o, k key, i uint32) (count uint64, first, then int) {
	if u != b.acc.Warp && b.order.OnlyFullBarriers() {
		return uint64(bits.OnesCount32(as)) * uint64(bits.OnesCount32(look)),
			bits.TrailingZeros32(as), bits.TrailingZeros32(look)
	}
	for m := look; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		racing := b.unordered(lane, u, as, stamp, o, k, i)
		if racing != 0 && count == 0 {
			first, then = bits.TrailingZeros32(racing), lane
		}
		count += uint64(bits.OnesCount32(racing))
	}
	return count, first, then
}

// unordered returns the lanes of as, in warp u, that did something at stamp which neither
// a barrier nor release and acquire orders before what lane of the access's warp does now.
func (b *blockObserver) unordered(lane, u int, as, stamp uint32, o, k key, i uint32) uint32 {
	as = b.order.Unordered(b.acc.Warp, lane, u, as, stamp)
	if as == 0 || !b.order.Acquired() {
		return as
	}
	clock := b.order.ClockOf(32*b.acc.Warp + lane)
	epoch := b.order.Epoch(stamp)
	in := &b.launch.sites[o.site()]
	covers := clock.Covers
	if b.launch.tracks && b.launch.launch.Sites[o.site()].Op.Kind == inst.CopyAsync {
		covers = clock.CoversCopy
	}
	flag := in.Kind != trace.Read && hb.Observable(in, &b.launch.sites[k.site()])
	at := b.placeOf(trace.SpaceShared, (4*uint64(i)+uint64(bits.TrailingZeros8(o.bytes())))&^uint64(max(in.Elem, 1)-1))
	for m := as; m != 0; m &= m - 1 {
		a := 32*u + bits.TrailingZeros32(m)
		if covers(epoch, uint32(a)) || flag && b.numbers[threadWord{a, at}].observed(clock, at, o.site()) {
			as &^= m & -m
		}
	}
	return as
}

// conflict reports whether accesses of two keys to one word conflict when different
// threads make them: they share a byte, and their sites conflict (any scope covers the
// threads of a block).
func (b *blockObserver) conflict(o, k key) bool {
	if o.bytes()&k.bytes() == 0 || o.kind() == trace.Read && k.kind() == trace.Read {
		return false
	}
	return hb.Conflict(&b.launch.sites[o.site()], &b.launch.sites[k.site()], hb.OverBlock)
}

// sameInstruction finds the lanes of one instruction that write one place.
func (b *blockObserver) sameInstruction(i uint32, k key, lanes, fresh uint32) {
	b.keepValues(i, k, lanes)
	if b.launch.sites[k.site()].Strength == hb.Strong {
		return
	}
	n := uint64(bits.OnesCount32(fresh))
	count := n * (n - 1) / 2 // the others are found as pairs with the history
	if n == 0 {
		count = 0
	}
	if b.model == check.Lockstep {
		count = b.meet(i, k, lanes)
	}
	a := bits.TrailingZeros32(lanes)
	z := laneThatDiffers(b.acc, i, lanes)
	b.found(race{earlier: k, later: k, warp: b.acc.Warp, word: i, count: count, stamp: b.order.Stamp(b.acc.Warp),
		first: a, then: z, oneInstr: true}, lanes)
}

// meeting identifies the writes of a warp's instruction to bytes of a word.
type meeting struct {
	key  key
	word uint32
	warp int
}

// meet returns how many pairs of lanes meet in one instruction for the first
// time in the interval. In lockstep only these are pairs within a warp.
func (b *blockObserver) meet(i uint32, k key, lanes uint32) uint64 {
	at := meeting{k, i, b.acc.Warp}
	met := b.met[at]
	if met == nil {
		if b.met == nil {
			b.met = map[meeting]*[32]uint32{}
		}
		met = new([32]uint32)
		b.met[at] = met
	}
	count := 0
	for m := lanes; m != 0; m &= m - 1 {
		a := bits.TrailingZeros32(m)
		count += bits.OnesCount32(m & (m - 1) &^ met[a])
		met[a] |= m & (m - 1)
	}
	return uint64(count)
}

// race is one meeting of two accesses: lane first of warp made the earlier
// one, lane then of the access at work the later one.
type race struct {
	earlier, later key
	warp           int
	word           uint32
	first, then    int
	// lanes of the earlier warp that accessed the word, some of which race.
	lanes uint32
	count uint64
	// stamp and tick are the earlier access's.
	stamp, tick uint32
	oneInstr    bool
	// ahead: the earlier access comes later in its warp's program
	// than this one does in its own: it was only run first.
	ahead bool
	// apart: they are at different steps of their programs.
	apart bool
	// inFlight: the earlier one is a copy in flight. async is what lacks for an asynchronous
	// operation.
	inFlight bool
	async    evidence.AsyncFault
	// observed: the later one's thread knows that an earlier operation of the same instruction has ended.
	observed bool
	// earlierBlock and laterBlock are the blocks of the threads, if not this one, plus one.
	earlierBlock, laterBlock uint32
}

// found adds a race to its pair. lanes are those of the access at work that
// take part, for comparing the values they write.
func (b *blockObserver) found(r race, lanes uint32) {
	b.dirty, b.raced = true, true
	b.finds++
	p := b.pairOf(r)
	h := evidence.HazardOf(r.earlier.kind(), r.later.kind())
	distance := r.distance(uint32(b.block.Index)+1, b.acc.Warp)
	inWarp := distance == evidence.InWarp
	p.Count[h][distance] += r.count
	p.Words.Add(uint64(r.word))
	w := p.Witness(h, inWarp)
	sooner := w != nil && b.block.Index < uint64(w.Then.Block)
	differ := false
	if h == evidence.WAW && (w == nil || !w.Differ || sooner || !r.oneInstr && !p.Scattered) {
		differ = b.differentValues(r, lanes)
		p.Different, p.Scattered = p.Different || differ, p.Scattered || differ && r.scattered(b.acc, lanes, b.values.word(r.word))
	}
	if w == nil || differ && !w.Differ || differ == w.Differ && sooner {
		p.Keep(h, inWarp, b.witness(r, differ))
	}
}

// distance is that of the threads of a race. Asynchronous operations may be those of other blocks of the cluster.
// own is this block, plus one, and warp that of the access at work.
func (r *race) distance(own uint32, warp int) evidence.Distance {
	switch earlier, later := cmp.Or(r.earlierBlock, own), cmp.Or(r.laterBlock, own); {
	case earlier != later:
		return evidence.AcrossBlocks
	case r.warp == warp:
		return evidence.InWarp
	}
	return evidence.InBlock
}

// keyOf returns the key of a pair that meets in a word.
func (b *blockObserver) keyOf(earlier, later key, word uint32) evidence.Key {
	if _, ok := (proxying{b}).tensorUnit(word); ok {
		return evidence.KeyOf(earlier.site(), later.site(), -1)
	}
	at := uint64(4*word) + uint64(bits.TrailingZeros8(earlier.bytes()&later.bytes()))
	return evidence.KeyOf(earlier.site(), later.site(), check.SharedVariable(b.launch.launch, at))
}

// pairOf finds the entry of a race's sites.
func (b *blockObserver) pairOf(r race) *evidence.Pair {
	k := b.keyOf(r.earlier, r.later, r.word)
	if b.last != nil && b.lastKey == k {
		return b.last
	}
	p := b.pairs[k]
	if p == nil {
		p = &evidence.Pair{}
		b.pairs[k] = p
	}
	b.lastKey, b.last = k, p
	return p
}
