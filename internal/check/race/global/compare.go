package global

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// insert compares the span at work with the history of its line and adds it.
func (o *blockObserver) insert(addr uint64) {
	l := o.cache.line(o.fieldOf(addr), addr)
	l.acquire()
	defer l.release()
	l.begin(o.launch.number)
	o.line = l
	s := &o.now
	writes := o.launch.sites[s.site].Kind.Writes()
	own, again, others := -1, false, 0
	shares, conflicts := l.enter(s, o.launch.rivals)
	if shares || o.launch.grows(s) {
		own, again = o.own(l, writes)
	}
	if shares && conflicts {
		others = len(l.spans)
	}
	crosses := o.proxies.crosses(o.launch.launch.Sites[s.site])
	anew := !again || writes && o.launch.synchronizes && o.launch.sites[s.site].Strength != hb.Weak
	if !anew && !crosses {
		return
	}
	for i := range others {
		n := &l.spans[i]
		if !n.overlaps(s) || !o.launch.conflict(n, s) {
			continue
		}
		if crosses {
			o.acrossProxies(l, n, addr)
		}
		if anew && !(again && o.pairs[siteKey(n, s)] != nil) {
			if o.bulk != nil {
				o.beforeEnd(n, addr)
			}
			o.compare(l, n, addr)
		}
	}
	if again { // only who has observed the write before is new
		return
	}
	if s.lanes&(s.lanes-1) != 0 && writes {
		o.oneInstruction(l, addr)
	}
	o.keep(l, own)
	if l.rivals && l.mixed && l.several && !l.listed && !o.launch.inTurn {
		l.listed = true
		o.listed = append(o.listed, listedLine{addr &^ (lineBytes - 1), l})
	}
}

// own finds the span of a line that the one at work may take the place of, -1
// for none. again: its site and warp did the same before in this
// interval: then it has been compared with all that it could be compared with,
// or they with it.
func (o *blockObserver) own(l *memline, writes bool) (own int, again bool) {
	s := &o.now
	own = -1
	for i := range l.spans {
		n := &l.spans[i]
		switch {
		case !n.by(s):
			continue
		case !n.overlaps(s):
			if own < 0 && o.launch.grows(s) && n.grow(s) {
				own = i
			}
			continue
		}
		if n.repeats(s, writes) {
			n.meet(s)
			n.number = max(n.number, s.number) // who observes it is after the earlier ones as well
			return own, true
		}
		if own < 0 && (s.covers(n) || o.join(n)) {
			own = i
		}
	}
	return own, false
}

// repeats reports whether s, by the same site and warp, adds nothing to n. Lanes
// that write one place race each time.
func (n *span) repeats(s *span, writes bool) bool {
	if n.interval != s.interval || n.stamp != s.stamp {
		return false
	}
	if writes {
		return n.lanes == 0 && n.covers(s)
	}
	return n.covers(s) || n.includes(s)
}

// keep puts the span at work into a line, in the place of span own if that is
// not negative.
func (o *blockObserver) keep(l *memline, own int) {
	s := &o.now
	if own >= 0 {
		if n := &l.spans[own]; s.covers(n) {
			*n = *s
		}
		return
	}
	if o.launch.inTurn && l.mixed && o.launch.plan.Log == nil { // another order may have them after what replaces them
		o.dropOrdered(l)
	}
	if l.crowded && o.redundant(l) {
		return
	}
	if ended := o.launch.ended.Load(); l.mixed && len(l.spans) >= max(int(l.limit), 16) && (len(l.spans) < maxSpans || l.tried != ended+1) {
		o.launch.prune(l)
		l.limit, l.tried = int32(min(2*len(l.spans), maxSpans)), ended+1
	}
	if len(l.spans) < maxSpans {
		l.spans = append(l.spans, *s)
	} else {
		o.full = true
	}
}

// grows reports whether a span can become part of one beside it: it is a plain read of
// lanes that all read the same. A loop in which each warp reads each element would fill the line otherwise,
// and what other blocks do would find no room.
func (d *Detector) grows(s *span) bool {
	return s.lanes != 0 && d.onlyReads(s)
}

// grow makes a span larger by one of the same warp, site, lanes and time that touches it. It counts
// as made when the first of them was, as in join.
func (n *span) grow(s *span) bool {
	if n.lanes != s.lanes || n.shift != s.shift || n.interval != s.interval || n.stamp != s.stamp || n.hi != s.lo && s.hi != n.lo {
		return false
	}
	n.lo, n.hi = min(n.lo, s.lo), max(n.hi, s.hi)
	return true
}

// join adds an access to a span of the same warp, site and place. It counts as
// made when the first of them was, so that plain reads are joined only where
// nothing came between, and others if they are of one instruction. Writes race with each
// other.
func (o *blockObserver) join(n *span) bool {
	s := &o.now
	in := &o.launch.sites[s.site]
	if n.lo != s.lo || n.hi != s.hi || n.interval != s.interval || !n.oneElement() || !s.oneElement() {
		return false
	}
	was, is := n.at(n.lo), s.at(s.lo)
	if in.Strength == hb.Weak {
		if in.Kind != trace.Read || n.stamp != s.stamp {
			return false
		}
		s.lanes = is &^ was // the others have been compared
	} else if n.tick != s.tick { // a lane's later access takes the place of its earlier one
		if n.lanes = was &^ is; n.lanes == 0 {
			*n = *s
			return true
		}
		return false
	}
	n.lanes = was | is
	n.meet(s)
	n.number = s.number
	return true
}

// dropOrdered drops what the span at work stands for from now on: spans that
// are ordered before it. Who races with them later races with it too.
func (o *blockObserver) dropOrdered(l *memline) {
	s := &o.now
	writes := o.launch.sites[s.site].Kind == trace.Write
	for i := len(l.spans) - 1; i >= 0; i-- {
		n := &l.spans[i]
		if n.lo < s.lo || n.hi > s.hi || !writes && n.site != s.site {
			continue
		}
		if n.block == s.block && n.interval == s.interval || !o.launch.sites[s.site].StandsFor(&o.launch.sites[n.site]) {
			continue
		}
		if pairs, _, _, _ := o.racing(n, 0); pairs == 0 {
			l.drop(i)
		}
	}
}

// conflict reports whether two overlapping spans race unless they are ordered.
func (d *Detector) conflict(a, b *span) bool {
	return d.rivals.may(a.site, b.site) && hb.Conflict(&d.sites[a.site], &d.sites[b.site], d.reach(a.block, b.block))
}

// reach is what an operation of a block needs to include one of the other.
func (d *Detector) reach(a, b uint32) hb.Reach {
	switch {
	case a == b:
		return hb.OverBlock
	case !d.clusters:
		return hb.OverDevice
	}
	return hb.PartyOf(d.launch, uint64(a)).To(hb.PartyOf(d.launch, uint64(b)))
}

// compare reports the races of the span at work with n.
func (o *blockObserver) compare(l *memline, n *span, addr uint64) {
	s := &o.now
	if n.block != s.block && !o.launch.inTurn {
		return // at the end of the launch
	}
	if n.block == s.block && (n.interval < s.interval || n.warp == s.warp && s.aligned(n)) {
		return
	}
	if o.isFlag(n, addr) || o.ownPair(n.block, addr) {
		return
	}
	if pairs, at, la, lb := o.racing(n, addr); pairs > 0 {
		o.found(l, n, s, addr&^(lineBytes-1)+uint64(at), pairs, la, lb)
	} else if n.block != s.block {
		o.ordered(n)
	}
}

// isFlag reports whether a pair of volatile accesses is what synchronizes.
func (o *blockObserver) isFlag(n *span, addr uint64) bool {
	d := o.launch
	x, y := &d.sites[n.site], &d.sites[o.now.site]
	return d.synchronizes && hb.FlagPair(x, y) && (hb.Announced(x, y) || o.order.Words.Released(addr))
}

// racing counts the pairs of a thread of n and one of the span at work that
// nothing orders, and returns the place and the lanes of the first.
func (o *blockObserver) racing(n *span, addr uint64) (pairs uint64, at uint8, la, lb int) {
	s := &o.now
	eachShared(n, s, func(off uint8) {
		as, bs := n.at(off), s.at(off)
		for m := bs; m != 0; m &= m - 1 {
			b := bits.TrailingZeros32(m)
			r := o.unordered(n, as, b, addr&^(lineBytes-1)+uint64(off))
			if r != 0 && pairs == 0 {
				at, la, lb = off, bits.TrailingZeros32(r), b
			}
			pairs += uint64(bits.OnesCount32(r))
		}
	})
	return pairs, at, la, lb
}

// eachShared calls f for each word, or narrower element, that two spans share.
func eachShared(a, b *span, f func(off uint8)) {
	step := min(4, elemOf(a), elemOf(b))
	for off := max(a.lo, b.lo); off < min(a.hi, b.hi); off += step {
		f(off)
	}
}

func elemOf(s *span) uint8 { return 1 << s.shift }

// unordered returns the lanes of as, of the warp of n, that are not ordered
// before what lane b of the warp at work does now.
func (o *blockObserver) unordered(n *span, as uint32, b int, addr uint64) uint32 {
	s := &o.now
	if n.block == s.block {
		if n.interval < s.interval || n.warp == s.warp && o.order.Model == check.Lockstep && n.tick != s.tick {
			return 0
		}
		as = o.order.Unordered(int(s.warp), b, int(n.warp), as, n.stamp)
	}
	if !o.launch.synchronizes || as == 0 {
		return as
	}
	clock := o.order.ClockOf(32*int(s.warp) + b)
	if clock == nil {
		return as
	}
	at := &o.launch.sites[n.site]
	numbered := hb.Observable(at, &o.launch.sites[s.site])
	if at.Elem > 0 {
		addr &^= uint64(at.Elem - 1)
	}
	for m := as; m != 0; m &= m - 1 {
		if a := bits.TrailingZeros32(m); clock.Covers(n.epoch(), uint32(32*int(n.warp)+a)) || numbered && o.observed(clock, n, a, addr) {
			as &^= 1 << a
		}
	}
	return as
}

// observed reports whether the owner of a clock has observed the strong write n of a lane
// to a word, or what the same lane has written over it.
func (o *blockObserver) observed(c *hb.Clock, n *span, lane int, word uint64) bool {
	if n.number == 0 || !c.ObservedAny(word) {
		return false
	}
	off, elem := uint8(word%lineBytes), o.launch.sites[n.site].Elem
	for i := range o.line.spans {
		m := &o.line.spans[i]
		if m.number >= n.number && m.block == n.block && m.warp == n.warp && o.launch.sites[m.site].Elem == elem &&
			m.lo <= off && off < m.hi && m.at(off)>>lane&1 != 0 && c.Observed(word, m.number) {
			return true
		}
	}
	return false
}

// oneInstruction reports the lanes of one instruction that write one place.
func (o *blockObserver) oneInstruction(l *memline, addr uint64) {
	s := &o.now
	if o.launch.sites[s.site].Kind != trace.Write || o.launch.sites[s.site].Strength == hb.Strong || o.ownPair(s.block, addr) {
		return
	}
	n := uint64(bits.OnesCount32(s.lanes))
	la := bits.TrailingZeros32(s.lanes)
	first := *s
	o.found(l, &first, s, addr, n*(n-1)/2, la, bits.TrailingZeros32(s.lanes&(s.lanes-1)))
}
