package global

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// eachLane lets the lanes of a strong access release and acquire, one after
// the other, and calls f for each.
func (o *blockObserver) eachLane(a *trace.Access, f func(lane int)) {
	o.followed += uint64(bits.OnesCount32(a.Mask))
	for m := a.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		word := o.wordOf(a, l)
		o.note(a, l, word>>2)
		o.follow(a.Site, 32*a.Warp+l, word)
		f(l)
	}
}

// wordOf names the place that a lane accesses.
func (o *blockObserver) wordOf(a *trace.Access, lane int) uint64 {
	if a.Space == trace.SpaceShared {
		return a.Addr[lane] | 1<<63 | o.block.Index<<22
	}
	return a.Addr[lane]
}

// overwrite notes a plain write.
func (o *blockObserver) overwrite(a *trace.Access) {
	for m := a.Mask; m != 0; m &= m - 1 {
		o.order.Overwrite(o.wordOf(a, bits.TrailingZeros32(m)), a.Site.Size)
	}
}

// follow lets thread t acquire and release by a strong access to a word.
func (o *blockObserver) follow(site *trace.Site, t int, word uint64) {
	in := &o.launch.sites[site.ID]
	if o.failed {
		read := *in
		read.Kind, read.Releases = trace.Read, false
		in = &read
	} else if in.Kind != trace.Read {
		*o.writes++
	}
	o.now.number = o.order.Strong(t, word, in)
	for at := in.Elem; at < site.Size; at += in.Elem { // each element of a vector by itself
		o.order.Strong(t, word+uint64(at), in)
	}
}
