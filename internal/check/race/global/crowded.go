package global

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Room in the history of a line
//
// A line has room for maxSpans. Spans of ended blocks are dropped first, if two other blocks have the same ones. A kernel in
// which every thread reads every element still fills a line with reads, and writes would find no room. So once a line has been
// full, a warp's read is dropped if it is redundant: two other warps of the block have read the same bytes in the same
// interval, and at least one of them is not the warp that writes. For an ended block one other warp is enough, since nothing
// orders blocks. A race then counts fewer thread pairs, but none is missed.

// prune drops the spans of ended blocks that two smaller blocks have as well:
// of each place and site, the two smallest blocks are kept. If the line is still full, it drops
// redundant reads.
func (d *Detector) prune(l *memline) {
	running := d.runningBlocks()
	ended := func(s *span) bool { return !slices.Contains(running, uint64(s.block)) }
	l.dropCovered(ended)
	if len(l.spans) < maxSpans {
		return
	}
	l.crowded = true
	l.dropIf(func(s *span) bool {
		enough := 2
		if !d.inTurn && ended(s) {
			enough = 1
		}
		return d.onlyReads(s) && l.sameReads(s) >= enough
	})
}

// dropIf drops spans one at a time, so that needless sees those that are left.
func (l *memline) dropIf(needless func(s *span) bool) {
	for i := len(l.spans) - 1; i >= 0; i-- {
		if s := l.spans[i]; needless(&s) {
			l.drop(i)
		}
	}
}

// dropCovered drops the spans of ended blocks that two smaller blocks cover.
func (l *memline) dropCovered(ended func(s *span) bool) {
	var first [coverLists]uint16 // the last span of each list, from 1
	var next [maxSpans]uint16    // the one before it
	for i := range l.spans {
		list := &first[l.spans[i].site%coverLists]
		next[i], *list = *list, uint16(i+1)
	}
	// What covers a span that is dropped covers what that span covers as well.
	var dropped [maxSpans / 64]uint64
	for i := range l.spans {
		if s := &l.spans[i]; l.coveredTwice(s, first[s.site%coverLists], &next) && ended(s) {
			dropped[i/64] |= 1 << (i % 64)
		}
	}
	for i := len(l.spans) - 1; i >= 0; i-- {
		if dropped[i/64]>>(i%64)&1 != 0 {
			l.drop(i)
		}
	}
}

// coverLists is how many lists dropCovered divides the spans of a line into, by their sites.
const coverLists = 32

// coveredTwice reports whether the spans of a list have the site and the bytes of one in two smaller blocks.
func (l *memline) coveredTwice(s *span, list uint16, next *[maxSpans]uint16) bool {
	by, some := uint32(0), false
	for i := list; i > 0; i = next[i-1] {
		n := &l.spans[i-1]
		if n.site != s.site || n.block >= s.block || n.lo > s.lo || n.hi < s.hi {
			continue
		}
		if some && n.block != by {
			return true
		}
		by, some = n.block, true
	}
	return false
}

// onlyReads reports whether a span is of plain reads.
func (d *Detector) onlyReads(s *span) bool {
	in := &d.sites[s.site]
	return in.Kind == trace.Read && in.Strength == hb.Weak
}

// sameReads counts the other warps of the block, up to two, that read all bytes of a span in the same interval.
func (l *memline) sameReads(s *span) (warps int) {
	var first uint16
	for i := range l.spans {
		n := &l.spans[i]
		if n.site != s.site || n.block != s.block || n.interval != s.interval || n.warp == s.warp || n.lo > s.lo || n.hi < s.hi {
			continue
		}
		if warps == 1 && n.warp != first {
			return 2
		}
		warps, first = 1, n.warp
	}
	return warps
}

// redundant reports whether the current span is a redundant read in a crowded line. If anything but full barriers orders
// threads, that read may be ordered before a write while the others are not, or the reverse, so the launch counts as incomplete.
func (o *blockObserver) redundant(l *memline) bool {
	if !o.launch.onlyReads(&o.now) || l.sameReads(&o.now) < 2 {
		return false
	}
	o.dropped, o.full = true, o.full || o.launch.synchronizes
	return true
}
