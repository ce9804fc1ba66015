package global

import (
	"encoding/binary"
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

// fails reports whether a is a compare-and-swap that changes nothing, as no lane finds what it expects:
// it only reads. Where blocks run at once, that depends on which comes first, and is left
// open.
func (o *blockObserver) fails(a *trace.Access) bool {
	if !o.launch.inTurn || !a.Site.Op.IsCAS() || o.launch.sites[a.Site.ID].Narrow != nil || a.Data == nil || a.Space != trace.SpaceGlobal || a.Site.Size > 8 || o.launch.launch.Peek == nil {
		return false
	}
	low, high := ^uint64(0), uint64(0)
	for m := a.Mask; m != 0; m &= m - 1 {
		at := a.Addr[bits.TrailingZeros32(m)&31]
		low, high = min(low, at), max(high, at)
	}
	var near []byte // of all lanes, looked up at once
	if high-low <= maxNear {
		near, _ = o.launch.launch.Peek(low, int(high-low)+a.Site.Size)
	}
	if near != nil && a.Site.Size == 4 {
		for m := a.Mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			if uint64(binary.LittleEndian.Uint32(near[a.Addr[lane]-low:])) == a.Data.Value(lane, 0) {
				return false
			}
		}
		return true
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		var b []byte
		if near != nil {
			b = near[a.Addr[lane]-low:]
		} else if b, _ = o.launch.launch.Peek(a.Addr[lane], a.Site.Size); b == nil {
			return false
		}
		var now [8]byte
		copy(now[:], b[:a.Site.Size])
		if binary.LittleEndian.Uint64(now[:]) == a.Data.Value(lane, 0) {
			return false
		}
	}
	return true
}

// maxNear bounds how far from each other places are that are looked up at once.
const maxNear = 1 << 12

// repeats reports whether a is a strong read that adds nothing: each of its lanes has made
// it before, at the same stamp, and no write has come since. Threads that wait
// make many of them.
func (o *blockObserver) repeats(a *trace.Access) bool {
	if o.reads == nil {
		o.reads = make([]strongRead, 32*len(o.ticks))
	}
	known := true
	is := strongRead{writes: *o.writes, site: int32(a.Site.ID) + 1, interval: o.order.Interval(), stamp: o.order.Stamp(a.Warp)}
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		is.addr = a.Addr[lane]
		if was := &o.reads[32*a.Warp+lane]; *was != is {
			*was, known = is, false
		}
	}
	return known
}
