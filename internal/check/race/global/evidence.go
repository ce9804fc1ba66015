package global

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// note notes a lane's strong access to a word for locks and flags.
func (o *blockObserver) note(a *trace.Access, lane int, word uint64) {
	d, block := o.launch, uint32(o.block.Index)
	s, t := a.Site, 32*a.Warp+lane
	id := evidence.ThreadOf(block, t)
	d.locks.Strong(s, id, word, evidence.Operand(a, lane))
	stamp := o.order.Stamp(a.Warp)
	if s.Kind != trace.Write {
		acquire := evidence.Acquire{Word: word, Site: s, Thread: t, Stamp: stamp, Interval: o.order.Interval(), Polled: d.sites[s.ID].Polls}
		if d.inTurn && (s.Kind == trace.Read || d.sites[s.ID].Result) {
			d.acquired.Note(block, acquire)
		}
		o.flags.Acquire(acquire)
	}
	if s.Kind != trace.Read && !o.failed {
		f, ok := o.order.LastFence(t)
		if d.sites[s.ID].Releases {
			f, ok = hb.Fence{Interval: o.order.Interval(), Stamp: stamp + 1, Scope: s.Scope}, true
		}
		o.flags.Release(block, word, evidence.Release{Thread: id, Site: s, Interval: o.order.Interval(),
			Stamp: stamp, Tick: o.ticks[a.Warp], Fence: f, Fenced: ok})
	}
}

// plain notes a plain access.
func (o *blockObserver) plain(a *trace.Access) {
	o.launch.locks.Plain(a.Site.ID, evidence.ThreadOf(uint32(o.block.Index), 32*a.Warp), a.Mask)
}

// explain collects the evidence of the race of n and s, which is at work.
func (o *blockObserver) explain(w *evidence.Witness, n, s *span, l *memline) {
	d, a, z, x := o.launch, &w.First, &w.Then, &w.Evidence
	x.Update = d.isUpdate(w, n, s, l)
	x.Polled = d.polled(n, s)
	if n.block == s.block {
		a.Passed = o.passed.Last(a.Warp, a.Lane, a.Stamp)
		z.Passed = o.passed.Last(z.Warp, z.Lane, z.Stamp)
		if !w.OneInstr {
			x.Between, x.Early = o.passed.Between(a.Warp, a.Lane, a.Stamp, z.Warp, z.Lane, a.Tick > z.Tick)
		}
	}
	if !d.synchronizes || w.OneInstr {
		return
	}
	first, then := evidence.ThreadOf(a.Block, a.Number()), evidence.ThreadOf(z.Block, z.Number())
	x.Lock = d.locks.Of(a.Site.ID, first, then)
	if a.Block != z.Block {
		if wait := o.early(n, a.Lane); wait != nil {
			x.Between, x.Early = &evidence.Passed{Site: wait, Part: []uint32{}}, true
		}
		x.Waited = slices.Clone(d.acquired[a.Block]) // it changes
	}
	x.SetLink(o.links(w, first), first, a, z)
}

// links are the flags by which the thread of a witness's second access, in the block at
// work, has acquired from the block of the first one.
func (o *blockObserver) links(w *evidence.Witness, first uint64) []evidence.Link {
	n, t, word := &w.First, w.Then.Number(), w.Addr>>2
	if n.Block != uint32(o.block.Index) {
		return o.flags.Links(n.Block, t, word, w.Lock.Taken())
	}
	synced := func(a, b int, from, to uint32) bool {
		return o.order.Model == check.Lockstep || o.passed.Joins(a, b, from, to)
	}
	return o.flags.LinksInBlock([]uint32{n.Block}, first, n.Stamp, t, word, o.launch.signals, synced)
}

// signals reports whether a site may be that of a flag: single threads execute it, or wait
// by it.
func (d *Detector) signals(s *trace.Site) bool {
	return d.single(s.ID) || s.Kind == trace.Read && d.config.Facts(d.launch).Waits(hb.GuardSite(s))
}

// anySite and never, which is later than all ticks, are for hasRead.
const (
	anySite = -1
	never   = ^uint32(0)
)

// isUpdate reports whether the thread that writes has read the place as the
// other one does: both compute the new value from the old one. Of two writes it
// is enough that the second thread has read the place.
func (d *Detector) isUpdate(w *evidence.Witness, n, s *span, l *memline) bool {
	at := uint8(w.Addr % lineBytes)
	switch evidence.HazardOf(d.sites[n.site].Kind, d.sites[s.site].Kind) {
	case evidence.RAW:
		return d.hasRead(l, n, w.First.Lane, at, s.site, n.tick)
	case evidence.WAR:
		return d.hasRead(l, s, w.Then.Lane, at, n.site, never)
	}
	return d.hasRead(l, s, w.Then.Lane, at, anySite, never)
}

// hasRead reports whether the lane that did s has read byte at of the line by a
// site's plain access before a tick of the interval of s.
func (d *Detector) hasRead(l *memline, s *span, lane int, at uint8, site int32, before uint32) bool {
	for i := range l.spans {
		n := &l.spans[i]
		earlier := before == never || n.interval < s.interval || n.interval == s.interval && n.tick < before
		if n.block == s.block && n.warp == s.warp && earlier && n.lo <= at && at < n.hi && n.at(at)>>lane&1 != 0 &&
			d.sites[n.site].Kind == trace.Read && d.sites[n.site].Strength == hb.Weak && (site == anySite || n.site == site) {
			return true
		}
	}
	return false
}
