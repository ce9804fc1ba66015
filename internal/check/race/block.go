package race

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// blockObserver checks the blocks of one slot, one after the other.
type blockObserver struct {
	launch *launchObserver
	model  check.RaceModel
	block  *trace.Block
	shadow shadow
	lines  lines
	clock  *clock
	pairs  map[pairKey]*pair
	// last is the pair recorded last, to spare the map.
	lastKey pairKey
	last    *pair
	// acc is the access at work and time its number in the block.
	acc  *trace.Access
	time uint64
	// since tells where the interval began.
	since intervalStart
	// groups is scratch: the access by word.
	groups [32]group
	pieces [8]piece
	// met has the lanes that met in one instruction; in lockstep only.
	met map[meeting]*[32]uint32
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
	// part is the last barrier of a part of the block since, nil for none;
	// partIn are its participants.
	part   *trace.Site
	partIn []uint32
}

func (b *blockObserver) Begin(blk *trace.Block) {
	b.block = blk
	b.time = 0
	if b.clock == nil {
		b.clock = newClock(int(blk.Launch.Block.Size()))
	}
	b.shadow.resize(len(blk.Shared), b.clock.warps)
	b.lines.resize(len(blk.Shared))
	b.since = intervalStart{partIn: b.since.partIn}
	b.newInterval()
}

func (b *blockObserver) End() { b.block = nil }

func (b *blockObserver) newInterval() {
	b.shadow.nextInterval()
	b.lines.nodes = b.lines.nodes[:1]
	clear(b.met)
	b.clock.fullBarrier()
}

func (b *blockObserver) Barrier(e *trace.Barrier) {
	if e.Full {
		b.since = intervalStart{number: b.since.number + 1, site: e.Site, partIn: b.since.partIn}
		b.newInterval()
		return
	}
	arrived, synced := e.Arrived, e.Synced
	if b.model == check.Lockstep {
		arrived, synced = b.wholeWarps(0, arrived), b.wholeWarps(1, synced)
	}
	b.clock.partialBarrier(arrived, synced)
	b.since.part = e.Site
	b.since.partIn = append(b.since.partIn[:0], e.Arrived...)
}

// wholeWarps extends masks to all lanes of the warps that take part.
func (b *blockObserver) wholeWarps(i int, masks []uint32) []uint32 {
	out := b.masks[i][:0]
	for w, m := range masks {
		if m != 0 && w < b.clock.warps {
			m = b.clock.exist[w]
		}
		out = append(out, m)
	}
	b.masks[i] = out
	return out
}

func (b *blockObserver) WarpSync(e *trace.WarpSync) {
	if e.Memory && b.model == check.ITS {
		b.clock.syncWarp(e.Warp, e.Mask)
	}
}

func (b *blockObserver) Fence(*trace.Fence) {}

func (b *blockObserver) Access(a *trace.Access) {
	if a.Space != trace.SpaceShared || a.Mask == 0 {
		return
	}
	b.acc = a
	b.time++
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

// piece is a part of an access: n lanes from lane on elements from word, or,
// where n is 0, lanes that access one element.
type piece struct {
	word  uint32
	lane  int
	n     int
	lanes uint32
}

// elements checks an access of one, two or four words a lane.
func (b *blockObserver) elements(a *trace.Access, shift uint) {
	k := makeKey(a.Site.ID, 0xf, a.Site.Kind)
	var ps []piece
	if a.Mask == 1<<32-1 {
		ps = b.halves(a, shift)
	}
	if ps == nil {
		ps = b.split(a, shift)
	}
	if ps == nil || a.Site.Kind != trace.Read && overlap(ps, shift) {
		b.scattered(a, k, shift)
		return
	}
	for i := range ps {
		p := &ps[i]
		if p.n > 1 {
			b.run(k, p.word, p.lane, p.n, shift)
			continue
		}
		for w := range uint32(1) << shift {
			b.touch(p.word+w, k, p.lanes)
		}
	}
}

// shape is what the addresses of 16 neighbouring lanes look like.
type shape uint8

const (
	irregular shape = iota
	row             // neighbouring elements in order
	uniform         // one element
)

// shapeOf finds the shape of a half-warp's addresses.
func shapeOf(addr *[16]uint64, shift uint) shape {
	base := addr[0]
	var inRow, same uint64
	for l, a := range addr {
		same |= a ^ base
		inRow |= a ^ (base + uint64(l)<<(2+shift))
	}
	switch uint64(0) {
	case inRow:
		return row
	case same:
		return uniform
	}
	return irregular
}

// halves divides an access of a whole warp into pieces where both half-warps
// are regular, by far the most frequent case; else it returns nil.
func (b *blockObserver) halves(a *trace.Access, shift uint) []piece {
	lo := shapeOf((*[16]uint64)(a.Addr[:16]), shift)
	if lo == irregular {
		return nil
	}
	hi := shapeOf((*[16]uint64)(a.Addr[16:]), shift)
	if hi == irregular {
		return nil
	}
	p := piece{uint32(a.Addr[0] >> 2), 0, 16, 0xffff}
	q := piece{uint32(a.Addr[16] >> 2), 16, 16, 0xffff0000}
	switch {
	case lo == row && hi == row && q.word == p.word+16<<shift:
		p.n, p.lanes = 32, 1<<32-1
		return append(b.pieces[:0], p)
	case lo == uniform && hi == uniform && q.word == p.word:
		p.n, p.lanes = 0, 1<<32-1
		return append(b.pieces[:0], p)
	}
	if lo == uniform {
		p.n = 0
	}
	if hi == uniform {
		q.n = 0
	}
	return append(b.pieces[:0], p, q)
}

// split divides an access into pieces, nil if there were too many.
func (b *blockObserver) split(a *trace.Access, shift uint) []piece {
	ps := b.pieces[:0]
	var p piece
	var next uint32 // word that goes on with the run
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		w := uint32(a.Addr[lane] >> 2)
		switch {
		case p.lanes != 0 && p.n != 0 && w == next && lane == p.lane+p.n:
			p.n++
			p.lanes |= 1 << lane
			next = w + 1<<shift
			continue
		case p.lanes != 0 && p.n <= 1 && w == p.word:
			p.n = 0
			p.lanes |= 1 << lane
			continue
		case p.lanes != 0:
			if len(ps) == cap(ps) {
				return nil
			}
			ps = append(ps, p)
		}
		p = piece{w, lane, 1, 1 << lane}
		next = w + 1<<shift
	}
	if len(ps) == cap(ps) {
		return nil
	}
	return append(ps, p)
}

// overlap reports whether two pieces have a word in common.
func overlap(ps []piece, shift uint) bool {
	for i := range ps {
		end := ps[i].word + uint32(max(ps[i].n, 1))<<shift
		for j := range ps[:i] {
			if ps[j].word < end && ps[i].word < ps[j].word+uint32(max(ps[j].n, 1))<<shift {
				return true
			}
		}
	}
	return false
}

// scattered checks an access without a pattern, lane by lane.
func (b *blockObserver) scattered(a *trace.Access, k key, shift uint) {
	for i := range uint32(1) << shift {
		if a.Site.Kind != trace.Read && mayCollide(a.Mask, a.Addr, 2+shift) {
			b.grouped(a, func(lane int) (uint32, uint8) { return uint32(a.Addr[lane]>>2) + i, 0xf })
			continue
		}
		for m := a.Mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m)
			b.touch(uint32(a.Addr[lane]>>2)+i, k, 1<<lane)
		}
	}
}

// narrow checks an access of 1 or 2 bytes a lane.
func (b *blockObserver) narrow(a *trace.Access) {
	size := a.Site.Size
	at := func(lane int) (uint32, uint8) {
		return uint32(a.Addr[lane] >> 2), (1<<size - 1) << (a.Addr[lane] & 3) & 0xf
	}
	if a.Site.Kind != trace.Read && mayCollide(a.Mask, a.Addr, uint(size-1)) {
		b.grouped(a, at)
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		w, bytes := at(lane)
		b.touch(w, makeKey(a.Site.ID, bytes, a.Site.Kind), 1<<lane)
	}
}

// mayCollide reports whether two lanes may have the same address >> shift.
// It is exact enough for addresses that differ in their low bits.
func mayCollide(mask uint32, addr *[32]uint64, shift uint) bool {
	var seen uint64
	for m := mask; m != 0; m &= m - 1 {
		bit := uint64(1) << (addr[bits.TrailingZeros32(m)] >> shift & 63)
		if seen&bit != 0 {
			return true
		}
		seen |= bit
	}
	return false
}

// grouped brings together the lanes that access the same bytes of a word, so
// that touch sees all of them at once, and checks each group.
func (b *blockObserver) grouped(a *trace.Access, at func(lane int) (uint32, uint8)) {
	gs := b.groups[:0]
next:
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		w, bytes := at(lane)
		for i := range gs {
			if gs[i].word == w && gs[i].bytes == bytes {
				gs[i].lanes |= 1 << lane
				continue next
			}
		}
		gs = append(gs, group{w, bytes, 1 << lane})
	}
	for _, g := range gs {
		b.touch(g.word, makeKey(a.Site.ID, g.bytes, a.Site.Kind), g.lanes)
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
	stamp := b.clock.now[warp]
	inRun := (ln.read|ln.written)&bit != 0
	if w.interval != s.interval && !inRun {
		ln.single |= bit
		w.interval = s.interval
		w.node = node{key: k, lanes: lanes, stamp: stamp, warp: warp, wide: noWide}
		if lanes&(lanes-1) != 0 && k.kind() == trace.Write {
			b.sameInstruction(i, k, lanes, lanes)
		}
		return
	}
	if !inRun && w.next == 0 && w.key == k && w.warp == warp && w.wide == noWide && w.stamp == stamp {
		if lanes&^w.lanes == 0 && (k.kind() != trace.Write || w.lanes&(w.lanes-1) == 0) {
			return
		}
		if k.kind() == trace.Read {
			w.lanes |= lanes
			return
		}
	}
	if fresh := b.check(i, k, lanes); fresh != 0 {
		ln.single |= bit
		b.record(w, k, fresh, stamp)
	}
}

// check compares an access of lanes to word i with the word's history in both
// stores. It returns the lanes that are not in it yet.
func (b *blockObserver) check(i uint32, k key, lanes uint32) uint32 {
	s := &b.shadow
	w, ln := &s.words[i], &b.lines.lines[i/32]
	warp := b.acc.Warp
	stamp := b.clock.now[warp]
	fresh := lanes &^ b.lines.known(ln, k, uint16(warp), stamp, int(i%32), lanes)
	if w.interval == s.interval {
		fresh &^= s.known(w, k, int32(warp), stamp)
	}
	if fresh == 0 && k.kind() != trace.Write {
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
		w.node = node{key: k, lanes: lanes, stamp: stamp, warp: warp, wide: noWide}
		return
	}
	own := s.find(w, k, warp)
	if own == nil {
		s.push(w, node{key: k, lanes: lanes, stamp: stamp, warp: warp, wide: noWide})
		return
	}
	if own.wide == noWide && own.warp != warp {
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
	// Lanes that come here again at a later stamp replace what they did
	// before: whoever races with the earlier access races with this one too.
	// The others keep their stamp, in a node of their own.
	rest, before := *have&^lanes, *at
	*have, *at = lanes, stamp
	if !b.clock.partial && before < b.clock.base[warp] {
		before = 0 // ordered for its whole warp: all such accesses are alike
	}
	s.keepOld(w, node{key: k, lanes: rest, stamp: before, warp: warp, wide: noWide, old: true})
}
