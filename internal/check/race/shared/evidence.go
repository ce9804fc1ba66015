package shared

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// witness describes a race for its pair.
func (b *blockObserver) witness(r race, differ bool) *evidence.Witness {
	sites := b.launch.launch.Sites
	bytes := r.earlier.bytes() & r.later.bytes()
	block := uint32(b.block.Index)
	w := &evidence.Witness{
		Time: b.time, Differ: differ,
		First: evidence.Access{Site: sites[r.earlier.site()], Block: block, Warp: r.warp, Lane: r.first, Stamp: r.stamp, Tick: r.tick, Since: b.since},
		Then:  evidence.Access{Site: sites[r.later.site()], Block: block, Warp: b.acc.Warp, Lane: r.then, Since: b.since},
		Addr:  uint64(4*r.word) + uint64(bits.TrailingZeros8(bytes)),
		Bytes: bits.OnesCount8(bytes),
		Owner: block + 1,
	}
	if r.earlierBlock > 0 {
		w.First.Block = r.earlierBlock - 1
	}
	if r.laterBlock > 0 {
		w.Then.Block = r.laterBlock - 1
	}
	w.Swapped = swapped(w, r.ahead)
	b.explain(w, r)
	if unit, ok := (proxying{b}).tensorUnit(uint32(r.word)); ok {
		w.Addr = evidence.TensorPlace(unit)
		return w
	}
	elem := uint64(max(b.acc.Site.Elem, 1))
	w.Found, w.HasFound = memory(b.block.Shared, w.Addr-(w.Addr-b.acc.Addr[r.then])%elem, int(elem)), true
	setWritten(b.acc, &w.Then, w.Addr)
	if r.oneInstr {
		setWritten(b.acc, &w.First, w.Addr)
	}
	return w
}

// tensorUnit is the unit of tensor memory that a word stands for; ok is false for shared memory.
func (b proxying) tensorUnit(word uint32) (unit uint64, ok bool) {
	n := uint32(len(b.shadow.words))
	return uint64(word-n) * 4, b.launch.tensor && word >= n
}

// swapped reports whether the first access of this run comes later in the program: it is
// ahead of the other one's warp, or the other one initializes an mbarrier, which comes
// before all else that is done with it.
func swapped(w *evidence.Witness, ahead bool) bool {
	i, j := evidence.Initializes(w.First.Site), evidence.Initializes(w.Then.Site)
	return j && !i || ahead && i == j
}

// setWritten fills in what s, a lane of an access, stores at addr.
func setWritten(a *trace.Access, s *evidence.Access, addr uint64) {
	if a.Data == nil || !a.Site.Kind.Writes() || a.Site.Elem == 0 {
		return
	}
	elem := int(addr-a.Addr[s.Lane]) / a.Site.Elem
	s.Wrote, s.HasWrote = a.Data.Value(s.Lane, elem), true
}

// explain collects the evidence of a race.
func (b *blockObserver) explain(w *evidence.Witness, r race) {
	a, z, x := &w.First, &w.Then, &w.Evidence
	x.OneInstr, x.Apart, x.InFlight, x.Async, x.Observed = r.oneInstr, r.apart, r.inFlight, r.async, r.observed
	z.Passed = b.passed.Last(z.Warp, z.Lane, evidence.Now)
	if r.inFlight && !r.ahead || r.async != evidence.NoAsyncFault {
		return
	}
	a.Passed = b.passed.Last(a.Warp, a.Lane, a.Stamp)
	x.Update = b.isUpdate(r)
	if r.oneInstr {
		return
	}
	x.Between, x.Early = b.passed.Between(a.Warp, a.Lane, a.Stamp, z.Warp, z.Lane, r.ahead)
	x.Polled = b.launch.launch.Polls(a.Site) || b.launch.launch.Polls(z.Site)
	first := uint64(a.Number())
	x.Lock = b.locks.Of(a.Site.ID, first, uint64(z.Number()))
	if b.flags != nil {
		single := func(s *trace.Site) bool { return b.singles[s.ID] == evidence.Alone }
		from := []uint32{uint32(first), evidence.WarpOf(uint32(first))}
		word := wordOf(trace.SpaceShared, 4*uint64(r.word))
		x.SetLink(b.flags.LinksInBlock(from, first, a.Stamp, z.Number(), word, single, b.synced), first, a, z)
	}
}

// isUpdate reports whether the thread that writes has read the place as the
// other one does: both compute the new value from the old one. Of two writes it
// is enough that the second thread has read the place.
func (b *blockObserver) isUpdate(r race) bool {
	bytes := r.earlier.bytes() & r.later.bytes()
	switch evidence.HazardOf(r.earlier.kind(), r.later.kind()) {
	case evidence.RAW:
		return b.hasRead(r.word, bytes, r.later.site(), r.warp, r.first, r.tick)
	case evidence.WAR:
		return b.hasRead(r.word, bytes, r.earlier.site(), b.acc.Warp, r.then, never)
	}
	return b.hasRead(r.word, bytes, anySite, b.acc.Warp, r.then, never)
}

const (
	anySite = -1
	never   = ^uint32(0) // later than all ticks
)

// hasRead reports whether a lane has read bytes of a word in this interval
// before a tick, by a site.
func (b *blockObserver) hasRead(i uint32, bytes uint8, site, warp, lane int, before uint32) bool {
	s := &b.shadow
	reads := func(k key, tick uint32) bool {
		return k.kind() == trace.Read && k.bytes()&bytes != 0 && (site == anySite || k.site() == site) && tick < before
	}
	if w := &s.words[i]; w.interval == s.interval {
		for n := &w.node; ; n = &s.nodes[n.next] {
			if reads(n.key, n.tick) && s.made(n, warp)>>lane&1 != 0 {
				return true
			}
			if n.next == 0 {
				break
			}
		}
	}
	ln := &b.lines.lines[i/32]
	if ln.interval != s.interval {
		return false
	}
	for at := ln.head; at != 0; at = b.lines.nodes[at].next {
		n := &b.lines.nodes[at]
		if int(n.warp) == warp && reads(n.key, n.tick) && n.words>>(i%32)&1 != 0 && n.perm.lane(int(i%32)) == lane {
			return true
		}
	}
	return false
}

// made returns the lanes of warp that made a node's access.
func (s *shadow) made(n *node, warp int) uint32 {
	switch {
	case n.wide != noWide:
		return s.wides[int(n.wide)+warp]
	case int(n.warp) == warp:
		return n.lanes
	}
	return 0
}
