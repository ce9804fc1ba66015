package global

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// HeapFreed compares a free by device code with what other threads did to the memory before:
// it counts as a write of all its bytes. An access after it is a fault of the memory rule.
// It is remembered where nothing orders blocks, for accesses of other blocks that came
// before it by chance, unless the launch may give out the addresses again.
func (o *blockObserver) HeapFreed(e *trace.HeapFree) {
	if e.Warp >= o.order.Warps {
		return
	}
	o.now = span{site: int32(e.Site.ID), block: uint32(o.block.Index), warp: uint16(e.Warp), lanes: 1 << e.Lane, shift: 2,
		interval: o.order.Interval(), stamp: o.order.Stamp(e.Warp), tick: o.ticks[e.Warp] + 1}
	for at, end := e.Addr, e.Addr+e.Size; at < end; {
		to := min(end, at&^(lineBytes-1)+lineBytes)
		o.now.lo = uint8(at % lineBytes)
		o.now.hi = o.now.lo + uint8(to-at)
		o.freed(at)
		at = to
	}
}

// freed compares the span at work, a free, with the history of its line.
func (o *blockObserver) freed(addr uint64) {
	l := o.cache.line(o.fieldOf(addr), addr)
	l.acquire()
	defer l.release()
	l.begin(o.launch.number)
	o.line = l
	s := &o.now
	for i := range l.spans {
		n := &l.spans[i]
		// The blocks that ran before this one depend on -j where they do not run in turn.
		if !n.overlaps(s) || n.block != s.block && !o.launch.inTurn || n.block == s.block && n.interval < s.interval {
			continue
		}
		if pairs, at, first, then := o.racing(n, addr); pairs > 0 {
			o.found(l, n, s, addr&^(lineBytes-1)+uint64(at), pairs, first, then)
		}
	}
	if !o.launch.inTurn && !allocates(o.launch.launch) {
		o.remember(l, addr)
	}
}

// remember adds a free to the history of a line, to be compared at the launch's end.
func (o *blockObserver) remember(l *memline, addr uint64) {
	l.enter(&o.now, o.launch.rivals)
	o.keep(l, -1)
	if l.several && !l.listed {
		l.listed = true
		o.listed = append(o.listed, listedLine{addr &^ (lineBytes - 1), l})
	}
}

// allocates reports whether a launch takes memory from the device's heap.
func allocates(l *trace.Launch) bool {
	return slices.ContainsFunc(l.Sites, func(s *trace.Site) bool { return s.Allocates })
}

// frees reports whether a launch frees memory of the device's heap.
func frees(l *trace.Launch) bool {
	return slices.ContainsFunc(l.Sites, func(s *trace.Site) bool { return s.Frees })
}
