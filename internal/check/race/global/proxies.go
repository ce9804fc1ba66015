package global

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Bulk copies access global memory by the async proxy, and read their tensor maps by that of
// tensor maps. What threads of the same launch have stored there is not visible to them without
// a fence between the proxies: after the store, by whichever thread, and before the operation
// is issued (PTX ISA, "membar, fence": .proxykind). A launch ends with such a fence.

// proxies has the fences between proxies that blocks have executed, in order.
type proxies struct {
	fences []proxyFence
	// asked remembers the last answer: neighboring words have the same history.
	asked struct {
		question
		answer evidence.AsyncFault
		known  bool
	}
}

// question is whether what a thread stored at an epoch is visible to an operation of a thread with
// a clock; map is the tensor map that is read, 0 for none.
type question struct {
	store  hb.Epoch
	thread uint32
	site   int32
	clock  *hb.Clock
	number int
	tensor uint64
}

// proxyFence is a fence by lanes of a warp, number n of its block, from 1.
type proxyFence struct {
	site  *trace.Site
	block uint32
	n     uint32
	mask  uint32
	maps  *[32]uint64
	// from are clocks of the lanes that executed it, of what happens before.
	from []*hb.Clock
}

func (p *proxies) forget() {
	if p != nil {
		p.fences, p.asked.known = p.fences[:0], false
	}
}

// crosses reports whether the accesses of a site are made by another proxy than that of threads.
func (p *proxies) crosses(s *trace.Site) bool {
	return p != nil && (s.TensorMap || s.Op.IsProxied())
}

// crossesProxies reports whether operations of other proxies and ordinary stores may access the
// same memory.
func (d *Detector) crossesProxies() bool {
	var stores, others bool
	for i, s := range d.launch.Sites {
		if !d.watched[i] {
			continue
		}
		if s.TensorMap || s.Op.IsProxied() {
			others = true
		} else {
			stores = stores || s.Kind.Writes()
		}
	}
	return stores && others
}

// ProxyFence is the event of that name.
func (o *blockObserver) ProxyFence(e *trace.ProxyFence) {
	if e.Site.Op.Kind != inst.MapFence && e.Site.Space == trace.SpaceShared {
		return
	}
	p := o.proxies
	f := proxyFence{site: e.Site, block: uint32(o.block.Index), n: uint32(len(p.fences) + 1), mask: e.Mask}
	if e.Maps != nil {
		maps := *e.Maps
		f.maps = &maps
	}
	for m := e.Mask; m != 0; m &= m - 1 {
		t := 32*e.Warp + bits.TrailingZeros32(m)
		if c := o.order.Snapshot(t); len(f.from) == 0 || f.from[len(f.from)-1] != c {
			f.from = append(f.from, c)
		}
		o.order.ProxyFence(t, f.n)
	}
	p.fences = append(p.fences, f)
}

// acrossProxies compares the operation at work with what a span of threads has stored before, and
// reports what is ordered but not visible to it.
func (o *blockObserver) acrossProxies(l *memline, n *span, addr uint64) {
	s, d := &o.now, o.launch
	if store := d.launch.Sites[n.site]; !store.Kind.Writes() || o.proxies.crosses(store) || n.block != s.block && !d.inTurn {
		return
	}
	if _, _, ok := evidence.OwnerOf(addr); ok {
		return // package shared does
	}
	if !(n.block == s.block && n.interval < s.interval) && !o.sameThread(n) {
		if pairs, _, _, _ := o.racing(n, addr); pairs > 0 {
			return
		}
	}
	var w *evidence.Witness
	pairs := uint64(0)
	then := s.at(s.lo)
	eachShared(n, s, func(off uint8) {
		lane := bits.TrailingZeros32(n.at(off))
		fault := o.invisible(n, lane, bits.TrailingZeros32(then), addr&^(lineBytes-1)+uint64(off))
		if fault == evidence.NoAsyncFault {
			return
		}
		if pairs++; w == nil {
			w = d.witness(n, s, addr&^(lineBytes-1)+uint64(off), lane, bits.TrailingZeros32(then))
			w.Async, w.Apart = fault, true
		}
	})
	if w != nil {
		d.addRace(o.pairs, w, n, s, pairs)
	}
}

// sameThread reports whether the lanes of a span are the one that has issued the operation at work.
func (o *blockObserver) sameThread(n *span) bool {
	s := &o.now
	return n.block == s.block && n.warp == s.warp && n.oneElement() && n.at(n.lo) == s.at(s.lo)
}

// invisible is what lacks between a store by a lane and the operation at work, which lane then
// has issued, at an address.
func (o *blockObserver) invisible(n *span, lane, then int, addr uint64) evidence.AsyncFault {
	s, p := &o.now, o.proxies
	q := question{store: n.epoch(), thread: uint32(32*int(n.warp) + lane), site: n.site,
		clock: o.order.ClockOf(32*int(s.warp) + then), number: len(p.fences)}
	if o.launch.launch.Sites[s.site].TensorMap {
		q.tensor = addr
	}
	if a := &p.asked; !a.known || a.question != q {
		a.question, a.known, a.answer = q, true, o.lacks(q)
	}
	return p.asked.answer
}

func (o *blockObserver) lacks(q question) evidence.AsyncFault {
	d := o.launch
	if q.tensor == 0 {
		if o.between(q, func(f *proxyFence) bool { return f.site.Op.Kind == inst.ProxyFence }) {
			return evidence.NoAsyncFault
		}
		return evidence.NoProxyFence
	}
	reach := d.reach(q.store.Block, uint32(o.block.Index))
	covers := func(at uint64) bool { return at <= q.tensor && q.tensor < at+mapSize }
	if !o.between(q, func(f *proxyFence) bool {
		return f.maps != nil && hb.ReachOf(f.site.Scope) >= reach && f.anyMap(covers)
	}) {
		return evidence.NoMapAcquire
	}
	if d.launch.Sites[q.site].Op.Kind == inst.TensorMapCopy || o.between(q, func(f *proxyFence) bool {
		return f.site.Op.Kind == inst.MapFence && f.maps == nil && hb.ReachOf(f.site.Scope) >= reach
	}) {
		return evidence.NoAsyncFault
	}
	return evidence.NoMapRelease
}

// mapSize is the bytes of a tensor map (PTX ISA, "Tensor-map").
const mapSize = 128

// anyMap reports whether a lane has named an address for which is holds.
func (f *proxyFence) anyMap(is func(uint64) bool) bool {
	for m := f.mask; m != 0; m &= m - 1 {
		if is(f.maps[bits.TrailingZeros32(m)]) {
			return true
		}
	}
	return false
}

// between reports whether a fence of a kind follows the store and comes before the operation.
func (o *blockObserver) between(q question, is func(*proxyFence) bool) bool {
	for i := len(o.proxies.fences) - 1; i >= 0; i-- {
		f := &o.proxies.fences[i]
		if is(f) && q.clock.Fenced(f.block, f.n) && slices.ContainsFunc(f.from, func(c *hb.Clock) bool { return c.Covers(q.store, q.thread) }) {
			return true
		}
	}
	return false
}
