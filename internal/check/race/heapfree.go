package race

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// HeapFreed compares a free by device code with what other threads of the block did to the
// memory before: it counts as a write of all its bytes. It is not remembered, since what
// comes after it is a fault of the memory rule, and the addresses may be given out again.
func (o *globalObserver) HeapFreed(e *trace.HeapFree) {
	if e.Warp >= o.order.warps {
		return
	}
	o.now = span{site: int32(e.Site.ID), block: uint32(o.block.Index), warp: uint16(e.Warp), lanes: 1 << e.Lane, shift: 2,
		interval: o.order.interval, stamp: o.order.clock.now[e.Warp], tick: o.ticks[e.Warp] + 1}
	for at, end := e.Addr, e.Addr+e.Size; at < end; {
		to := min(end, at&^(lineBytes-1)+lineBytes)
		o.now.lo = uint8(at % lineBytes)
		o.now.hi = o.now.lo + uint8(to-at)
		o.freed(at)
		at = to
	}
}

// freed compares the span at work, a free, with the history of its line.
func (o *globalObserver) freed(addr uint64) {
	l := o.cache.line(o.fieldOf(addr), addr)
	l.acquire()
	defer l.release()
	l.begin(o.launch.number)
	o.line = l
	s := &o.now
	for i := range l.n {
		n := l.get(i)
		// The blocks that ran before this one depend on -j where they do not run in turn.
		if !n.overlaps(s) || n.block != s.block && !o.launch.sync || n.block == s.block && n.interval < s.interval {
			continue
		}
		if pairs, at, first, then := o.racing(n, addr); pairs > 0 {
			o.found(l, n, s, addr&^(lineBytes-1)+uint64(at), pairs, first, then)
		}
	}
}

// frees reports whether a launch frees memory of the device's heap.
func frees(l *trace.Launch) bool {
	return slices.ContainsFunc(l.Sites, func(s *trace.Site) bool { return s.Frees })
}
