package global

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// strongRead is a strong read of a thread, and how many writes the launch had made
// by then.
type strongRead struct {
	addr, writes    uint64
	site            int32
	interval, stamp uint32
}

// repeats reports a strong read that adds nothing: each of its lanes has made
// it before, at the same stamp, and no write has come since. Threads that wait
// make many of them.
func (o *blockObserver) repeats(a *trace.Access) bool {
	if o.reads == nil {
		o.reads = make([]strongRead, 32*len(o.ticks))
	}
	known := true
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		is := strongRead{a.Addr[lane], *o.writes, int32(a.Site.ID) + 1, o.order.Interval(), o.order.Stamp(a.Warp)}
		if was := &o.reads[32*a.Warp+lane]; *was != is {
			*was, known = is, false
		}
	}
	return known
}
