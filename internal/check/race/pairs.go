package race

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// hazard is the order in which the two accesses of a race were made.
type hazard uint8

// Hazards, the one to report first where a pair shows several.
const (
	raw hazard = iota
	war
	waw
	hazards
)

func (h hazard) String() string { return [...]string{"RAW", "WAR", "WAW"}[h] }

func hazardOf(earlier, later trace.Kind) hazard {
	switch {
	case later == trace.Read:
		return raw
	case earlier == trace.Read:
		return war
	}
	return waw
}

// pairKey is an unordered pair of sites (a <= b) and the shared variable they
// meet in, an index in Launch.Shared or -1.
type pairKey struct{ a, b, variable int }

// places are the words in which a pair meets, from the first to the last; not all
// between need be of them.
type places struct {
	some   bool
	lo, hi uint64
}

func (p *places) add(word uint64) {
	if !p.some {
		p.some, p.lo, p.hi = true, word, word
	}
	p.lo, p.hi = min(p.lo, word), max(p.hi, word)
}

func (p *places) merge(o places) {
	if o.some {
		p.add(o.lo)
		p.add(o.hi)
	}
}

// several says that they meet in more than one word.
func (p *places) several() bool { return p.some && p.lo != p.hi }

// within are the bytes of the words, as offsets from where an object of so many bytes
// begins.
func (p *places) within(base, size uint64) finding.Bytes {
	lo, hi := int64(4*p.lo-base), int64(4*p.hi+4-base)
	return finding.Bytes{Lo: max(lo, 0), Hi: min(hi, int64(size))}
}

// sorted returns the keys of pairs in order: findings of one place that the
// compiler made several sites of are merged, and the first one's text is kept.
func sorted[P any](pairs map[pairKey]P) []pairKey {
	return slices.SortedFunc(maps.Keys(pairs), func(x, y pairKey) int {
		return cmp.Or(x.a-y.a, x.b-y.b, x.variable-y.variable)
	})
}

// pair is what was seen of one pair of sites.
type pair struct {
	// count has thread pairs by hazard, and whether in one warp.
	count [hazards][2]uint64
	// different says that a WAW pair wrote different values.
	different bool
	places    places
	// awaited says that a copy's thread has waited for it where the program comes to
	// the other access, and that what is missing is a barrier behind that.
	awaited bool
	// witness has the first of each, nil where there is none.
	witness [hazards][2]*witness
}

// side is one access of a witness.
type side struct {
	site *trace.Site
	warp int
	lane int
	// wrote is the element that a write stores, or an atomic's operand.
	wrote    uint64
	hasWrote bool
}

// witness is one race: two accesses in the order they were made.
type witness struct {
	block uint64
	time  uint64
	first side
	then  side
	// addr is the first byte that both access, bytes how many of its word.
	addr  uint64
	bytes int
	// memory is the element that then finds there, before it takes effect.
	memory uint64
	since  intervalStart
	// why is what the reason and the help are made from.
	why      why
	oneInstr bool
	differ   bool
	// ahead says that first comes later in the program than then.
	ahead bool
	// apart says that they are at different steps, perhaps of a loop.
	apart bool
	// inFlight says that first is a copy on its way.
	inFlight bool
}

// inProgram returns the two sides as they follow each other where all warps
// keep step, whatever order they were run in. An mbarrier is initialised before all
// else that is done with it.
func (w *witness) inProgram() (a, z *side) {
	switch i, j := initialises(w.first.site), initialises(w.then.site); {
	case i && !j:
		return &w.first, &w.then
	case w.ahead, j && !i:
		return &w.then, &w.first
	}
	return &w.first, &w.then
}

// before is the order in which witnesses are preferred: values that differ,
// then the smallest block, then the first in time.
func (w *witness) before(o *witness) bool {
	if w.differ != o.differ {
		return w.differ
	}
	if w.block != o.block {
		return w.block < o.block
	}
	return w.time < o.time
}

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

// settled reports whether all is known of a pair that an access which is not
// new in the history can tell: whether it writes different values.
func (b *blockObserver) settled(o, k key, i uint32) bool {
	p := b.pairs[b.keyOf(o, k, i)]
	if hazardOf(o.kind(), k.kind()) != waw {
		return p != nil || !b.renews(k)
	}
	if p == nil {
		return false
	}
	seen := false
	for _, w := range p.witness[waw] {
		if w != nil && (!w.differ || w.block > b.block.Index) {
			return false
		}
		seen = seen || w != nil
	}
	return seen
}

// renews reports whether an access of a key says something new each time: who has observed
// a strong write has not observed the next one.
func (b *blockObserver) renews(k key) bool {
	return b.launch.handsOver && k.kind() != trace.Read && b.launch.sites[k.site()].strength != weak
}

// observable reports whether it orders a strong write before another access that a thread
// has observed it. Strong accesses of one size race only if a scope is too narrow, and that
// is wrong whatever was observed.
func observable(write, then *siteInfo) bool {
	return write.strength != weak && (then.strength == weak || write.elem != then.elem)
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
	if b.launch.handsOver && b.handedOver(o, k, i) {
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
	if u != b.acc.Warp && !b.order.partial && !b.order.knowing() {
		return uint64(bits.OnesCount32(as)) * uint64(bits.OnesCount32(look)),
			bits.TrailingZeros32(as), bits.TrailingZeros32(look)
	}
	for m := look; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		racing := b.unknown(lane, u, b.unordered(u, lane, as, stamp), stamp, o, k, i)
		if racing != 0 && count == 0 {
			first, then = bits.TrailingZeros32(racing), lane
		}
		count += uint64(bits.OnesCount32(racing))
	}
	return count, first, then
}

// unordered is for a lane of the same warp, or of another one after a barrier
// of a part of the block. It returns the lanes of as, in warp u, that did something at stamp
// which is not ordered before what lane of the access's warp does now.
func (b *blockObserver) unordered(u, lane int, as, stamp uint32) uint32 {
	if u == b.acc.Warp {
		return b.order.unorderedInWarp(u, lane, as, stamp)
	}
	if !b.order.partial {
		return as
	}
	return b.order.rows.unordered(32*b.acc.Warp+lane, u, as, stamp)
}

// unknown returns the lanes of as, in warp u, that did something at stamp of which what was
// handed to lane of the access's warp does not tell.
func (b *blockObserver) unknown(lane, u int, as, stamp uint32, o, k key, i uint32) uint32 {
	if as == 0 || !b.order.knowing() {
		return as
	}
	t := 32*b.acc.Warp + lane
	know := b.order.knowOf(t)
	s := span{block: b.order.by.block, interval: b.order.interval, stamp: stamp}
	in := &b.launch.sites[o.site()]
	flag := in.kind != trace.Read && observable(in, &b.launch.sites[k.site()])
	at := b.placeOf(trace.SpaceShared, (4*uint64(i)+uint64(bits.TrailingZeros8(o.bytes())))&^uint64(max(in.elem, 1)-1))
	for m := as; m != 0; m &= m - 1 {
		a := 32*u + bits.TrailingZeros32(m)
		if know.knows(&s, uint32(a)) || flag && b.numbers[threadWord{a, at}].observed(know, at, o.site()) {
			as &^= m & -m
		}
	}
	return as
}

// conflict reports whether accesses of two keys to one word conflict when different
// threads make them: they share a byte, one writes, and they are not both strong on the
// same bytes (any scope covers the threads of a block). Volatile ones conflict, as they
// are no atomics by name.
func (b *blockObserver) conflict(o, k key) bool {
	if o.bytes()&k.bytes() == 0 || o.kind() == trace.Read && k.kind() == trace.Read {
		return false
	}
	x, y := &b.launch.sites[o.site()], &b.launch.sites[k.site()]
	return !morallyStrong(x, y, overBlock) || x.strength == volatileOnly && y.strength == volatileOnly
}

// morallyStrong reports whether two accesses to one place, by threads at a distance, are
// strong and include each other (PTX ISA, "Morally Strong Operations"), or a read has the
// whole element that a swap of the word around it changes.
func morallyStrong(x, y *siteInfo, d reach) bool {
	return x.strength != weak && y.strength != weak && (x.elem == y.elem || x.contains(y) || y.contains(x)) && reachOf(x.scope) >= d && reachOf(y.scope) >= d
}

// contains reports a read of all of the word's bytes that a swap for an element changes.
func (in *siteInfo) contains(swap *siteInfo) bool {
	return swap.narrow && in.kind == trace.Read && in.elem > swap.elem && in.elem <= 4
}

// sameInstruction finds the lanes of one instruction that write one place.
func (b *blockObserver) sameInstruction(i uint32, k key, lanes, fresh uint32) {
	b.keepValues(i, k, lanes)
	if b.launch.sites[k.site()].strength == strong {
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
	z := b.lanesThatDiffer(i, lanes)
	b.found(race{earlier: k, later: k, warp: b.acc.Warp, word: i, count: count, stamp: b.order.now[b.acc.Warp],
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
	// ahead says that the earlier access comes later in its warp's program
	// than this one does in its own: it was only run first.
	ahead bool
	// apart says that they are at different steps of their programs.
	apart bool
	// inFlight says that the earlier one is a copy on its way.
	inFlight bool
}

// found adds a race to its pair. lanes are those of the access at work that
// take part, for comparing the values they write.
func (b *blockObserver) found(r race, lanes uint32) {
	b.dirty, b.raced = true, true
	p := b.pairOf(r)
	h := hazardOf(r.earlier.kind(), r.later.kind())
	inWarp := 0
	if r.warp == b.acc.Warp {
		inWarp = 1
	}
	p.count[h][inWarp] += r.count
	p.places.add(uint64(r.word))
	w := p.witness[h][inWarp]
	differ := false
	if h == waw && (w == nil || !w.differ || b.block.Index < w.block) {
		differ = b.differentValues(r, lanes)
		p.different = p.different || differ
	}
	if w == nil || differ && !w.differ || differ == w.differ && b.block.Index < w.block {
		p.witness[h][inWarp] = b.witness(r, differ)
	}
}

// keyOf returns the key of a pair that meets in a word.
func (b *blockObserver) keyOf(earlier, later key, word uint32) pairKey {
	at := uint64(4*word) + uint64(bits.TrailingZeros8(earlier.bytes()&later.bytes()))
	k := pairKey{earlier.site(), later.site(), check.SharedVariable(b.launch.launch, at)}
	if k.a > k.b {
		k.a, k.b = k.b, k.a
	}
	return k
}

// pairOf finds the entry of a race's sites.
func (b *blockObserver) pairOf(r race) *pair {
	k := b.keyOf(r.earlier, r.later, r.word)
	if b.last != nil && b.lastKey == k {
		return b.last
	}
	p := b.pairs[k]
	if p == nil {
		p = &pair{}
		b.pairs[k] = p
	}
	b.lastKey, b.last = k, p
	return p
}
