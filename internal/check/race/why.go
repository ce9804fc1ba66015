package race

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// why is what is known of the reason for a race when it is found.
type why struct {
	// first and then are what the two threads passed last in the barrier
	// interval before their accesses, nil for nothing; between is a
	// synchronisation that left one of them out.
	first, then, between *passed
	// early says that the first thread took part in between, but before its
	// access.
	early bool
	// update says that the thread that writes has read the place before, by
	// what may be the other access.
	update bool
	// polled says that one of the accesses waits for the other.
	polled bool
	lock   lockState
	// link is the flag that connects the threads, fault what it lacks.
	link  link
	fault linkFault
	// waited are the places where the first thread's block has read flags or counters,
	// where that is another block than the second one's.
	waited []hearing
	// swapped says that the finding's first access is the one that this run
	// made second; lock and link are in the order of the run.
	swapped bool
}

// explain looks for the reasons of a race in shared memory.
func (b *blockObserver) explain(r race) why {
	now := b.acc.Warp
	x := why{then: b.passed.last(now, r.then, ^uint32(0), false)}
	if r.inFlight && !r.ahead {
		return x
	}
	x.first = b.passed.last(r.warp, r.first, r.stamp, false)
	x.update = b.isUpdate(r)
	if r.oneInstr {
		return x
	}
	x.between = b.passed.between(r.warp, r.first, r.stamp, now, r.then, r.ahead)
	x.early = x.between != nil && x.between.arrivedEarly(r.warp, r.first, r.stamp)
	x.polled = b.polls.site[r.earlier.site()] || b.polls.site[r.later.site()]
	first, then := uint64(32*r.warp+r.first), uint64(32*now+r.then)
	if b.locks != nil {
		x.lock = b.locks.of(r.earlier.site(), first, then)
	}
	if b.signals != nil {
		single := func(s *trace.Site) bool { return b.singles[s.ID] == alone }
		from := []uint32{uint32(first), warpOf(uint32(first))}
		x.setLink(b.signals.linksInBlock(from, first, r.stamp, 32*now+r.then, wordOf(trace.SpaceShared, 4*uint64(r.word)), single, b.synced),
			first, 0, r.stamp, r.tick)
	}
	return x
}

// synced reports whether a __syncwarp has joined two threads of a warp between two
// stamps, or warps run in step.
func (b *blockObserver) synced(a, c int, from, to uint32) bool {
	return b.model == check.Lockstep || b.passed.joins(a, c, from, to)
}

// joins reports whether a __syncwarp has joined two threads of a warp between two
// stamps.
func (l *syncLog) joins(a, b int, from, to uint32) bool {
	for _, p := range l.warps[a/32] {
		if p.stamp > from && p.stamp <= to && p.lanes>>(a%32)&1 != 0 && p.lanes>>(b%32)&1 != 0 {
			return true
		}
	}
	return false
}

// setLink keeps the first of the links between two threads that is about the first
// access, one that is set behind it if there is any.
func (x *why) setLink(ls []link, first uint64, interval, stamp, tick uint32) {
	for _, l := range ls {
		if !l.connects(first, interval, tick) {
			continue
		}
		if f := l.fault(first, interval, stamp, tick); !x.link.ok || x.fault == earlySignal && f != earlySignal {
			x.link, x.fault = l, f
		}
	}
}

// published says that the first access comes before a flag at another word that
// the second thread has seen: it is data, and not a flag itself.
func (x *why) published() bool {
	return x.link.ok && (x.fault == noAcquire || x.fault == noRelease || x.fault == earlyFence || x.fault == noSpread)
}

// isUpdate reports whether the thread that writes has read the place as the
// other one does: both compute the new value from the old one. Of two writes it
// is enough that the second thread has read the place.
func (b *blockObserver) isUpdate(r race) bool {
	bytes := r.earlier.bytes() & r.later.bytes()
	switch hazardOf(r.earlier.kind(), r.later.kind()) {
	case raw:
		return b.hasRead(r.word, bytes, r.later.site(), r.warp, r.first, r.tick)
	case war:
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

// linkReason says what a flag, a lock or a ticket lacks to order two accesses.
func (x *why) linkReason(file string) (Cause, string) {
	set, heard := check.Where(x.link.site, file), check.Where(x.link.heard.site, file)
	who := "the first"
	if x.link.lane {
		who = "another lane of the first one's warp"
	}
	did := fmt.Sprintf("the second thread has read at %s what %s wrote at %s", heard, who, set)
	switch x.fault {
	case noRelease:
		return NoFence, did + ", but no fence lies between the first access and that write"
	case earlyFence:
		return NoFence, did + ", but the fence comes before the first access and does not order it"
	case noJoin:
		if x.link.lane {
			return NoSyncwarp, did + ", but no __syncwarp orders the first access before that"
		}
		return NoBarrier, fmt.Sprintf("the second thread has read at %s what another thread of the first one's block wrote at %s, but no barrier orders the first access before that", heard, set)
	case noSpread:
		return NoSyncwarp, fmt.Sprintf("another lane of the second thread's warp has read at %s what the first wrote at %s, but no __syncwarp follows", heard, set)
	case earlySignal:
		return NoFence, did + ", but that was before the first access"
	}
	return NoFence, did + ", but no fence follows the read"
}

// linkRepair is a fence or a barrier where the flag needs it; first and then are the
// accesses. kind is that of the fence.
func (x *why) linkRepair(kind Repair, fence string, first, then *trace.Site) mend {
	switch {
	case x.fault == noAcquire:
		return adding(kind, fence, x.link.heard.site, then)
	case x.fault == noJoin && x.link.lane:
		return adding(AddSyncwarp, finding.Syncwarp, first, x.link.site)
	case x.fault == noJoin:
		return adding(AddBarrier, finding.Syncthreads, first, x.link.site)
	case x.fault == noSpread:
		return adding(AddSyncwarp, finding.Syncwarp, x.link.heard.site, then)
	case x.fault == earlySignal:
		return by(kind, "write it first, then "+fence+", then "+check.Where(x.link.site, first.Loc.File))
	}
	return adding(kind, fence, first, x.link.site)
}

func (x *why) earlyReason(file string) string {
	return "the first thread arrives at " + x.between.name(file) + " before its access, which that barrier does not order therefore"
}

func (x *why) earlyHelp(file string) string {
	return "arrive at " + x.between.name(file) + " after the access"
}
