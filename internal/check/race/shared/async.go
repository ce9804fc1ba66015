package shared

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// An asynchronous copy may write at any time between its issue and its
// completion. Its write therefore
//   - is compared with earlier accesses when the copy is issued,
//   - races with every access while the copy is in flight, also one of the
//     thread that issued it, and whatever barriers are passed, and
//   - enters the history when the copy completes: from then on it is an
//     ordinary write at the place of the wait.

// flight is the write of a copy in flight to a word; a site of -1 stands for
// none.
type flight struct {
	key        key
	warp, lane int16
	present    bool
	// interval, stamp and tick are those of the issue.
	interval, stamp, tick uint32
}

// flights has the copies in flight by word. It is made when a block has its
// first copy.
type flights struct {
	words []flight
	n     int // how many are present
	// met has by word the last access that met a copy there.
	met map[uint32]meetingCopy
}

// meetingCopy is an access that met a copy, of a pair in an interval at a tick.
type meetingCopy struct {
	pair           *evidence.Pair
	interval, tick uint32
}

func (f *flights) reset(words int) {
	if f.n > 0 {
		clear(f.words)
		f.n = 0
	}
	clear(f.met)
	if f.words != nil && len(f.words) != words {
		f.words = nil
	}
}

// Repeatable is for trace.IntervalObserver: what a known interval does
// matters while copies are in flight.
func (b *blockObserver) Repeatable(int32) bool { return b.flights.n == 0 }

// flying is a block's observer as far as copies in flight go.
type flying struct{ *blockObserver }

// asynchronous deals with an access of a copy, and with those that meet copies
// in flight. It returns true if the access needs no more checks.
func (b flying) asynchronous(a *trace.Access) bool {
	switch a.Async {
	case trace.AsyncIssue:
		b.eachWord(a, b.issue)
	case trace.AsyncComplete:
		b.eachWord(a, b.complete)
	default:
		b.eachWord(a, b.meetFlight)
		return false
	}
	return true
}

// eachWord calls f for each lane's words and the bytes that it accesses there.
func (b flying) eachWord(a *trace.Access, f func(i uint32, k key, lane int)) {
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		from, end := a.Addr[lane], a.Addr[lane]+uint64(a.Site.Size)
		for i := from >> 2; i<<2 < end && i < uint64(len(b.shadow.words)); i++ {
			bytes := uint8(0xf)
			if i<<2 < from {
				bytes &= 0xf << (from & 3)
			}
			if end < i<<2+4 {
				bytes &= 0xf >> (i<<2 + 4 - end)
			}
			f(uint32(i), makeKey(a.Site.ID, bytes, a.Site.Kind), lane)
		}
	}
}

// issue compares a write to come with what was before and marks the word.
func (b flying) issue(i uint32, k key, lane int) {
	b.meetFlight(i, k, lane)
	b.lines.at(i/32, b.shadow.interval)
	b.check(i, k, 1<<lane)
	f := &b.flights
	if f.words == nil {
		f.words = make([]flight, len(b.shadow.words))
	}
	if !f.words[i].present {
		f.n++
	}
	w := b.acc.Warp
	f.words[i] = flight{k, int16(w), int16(lane), true, b.shadow.interval, b.order.Stamp(w), b.ticks[w]}
}

// complete ends a copy to a word and puts its write into the history.
func (b flying) complete(i uint32, k key, lane int) {
	if f := &b.flights; f.n > 0 && f.words[i].present && f.words[i].is(b.acc.Warp, lane) {
		f.words[i] = flight{}
		f.n--
	}
	if m, ok := b.flights.met[i]; ok && m.interval == b.shadow.interval && b.ticks[b.acc.Warp] <= m.tick {
		m.pair.Awaited = true
	}
	b.lines.at(i/32, b.shadow.interval)
	if b.launch.tracks && k.bytes() == 0xf { // its arrival reports what it overwrites, but of nothing else
		proxying(b).supersede(i)
	}
	b.lines.lines[i/32].single |= 1 << (i % 32)
	b.record(&b.shadow.words[i], k, 1<<lane, b.order.Stamp(b.acc.Warp))
}

func (f *flight) is(warp, lane int) bool { return int(f.warp) == warp && int(f.lane) == lane }

// meetFlight reports an access to a word that a copy is in flight to. One that
// comes earlier in the same barrier interval, where all warps keep step, is for what
// was there before: the copy was issued too soon.
func (b flying) meetFlight(i uint32, k key, lane int) {
	if b.flights.n == 0 {
		return
	}
	f := &b.flights.words[i]
	if !f.present || f.key.bytes()&k.bytes() == 0 {
		return
	}
	tick := f.tick
	if f.interval != b.shadow.interval { // it counts from another barrier
		tick = 0
	}
	ahead := tick > b.ticks[b.acc.Warp]
	b.found(race{earlier: f.key, later: k, warp: int(f.warp), word: i, count: 1, first: int(f.lane), then: lane,
		stamp: f.stamp, tick: tick, ahead: ahead, apart: true, inFlight: true}, 1<<lane)
	if !ahead {
		if b.flights.met == nil {
			b.flights.met = map[uint32]meetingCopy{}
		}
		b.flights.met[i] = meetingCopy{b.pairs[b.keyOf(f.key, k, i)], b.shadow.interval, b.ticks[b.acc.Warp]}
	}
}

// copied is for a copy that is issued or completed in a quiet interval: it meets nothing there, and the history of the interval
// is forgotten at its end.
func (b *blockObserver) copied(a *trace.Access) {
	if b.launch.synchronizes || b.launch.sites[a.Site.ID].Narrow != nil || a.Site.Size%4 != 0 {
		b.Access(a)
		return
	}
	b.time++
	b.ticks[a.Warp]++
	f, stamp := &b.flights, b.order.Stamp(a.Warp)
	if f.words == nil {
		f.words = make([]flight, len(b.shadow.words))
	}
	k := makeKey(a.Site.ID, 0xf, a.Site.Kind)
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		first := a.Addr[lane] >> 2
		for i := range f.words[first : first+uint64(a.Site.Size)>>2] {
			w := &f.words[first+uint64(i)]
			switch {
			case a.Async == trace.AsyncIssue:
				if !w.present {
					f.n++
				}
				*w = flight{k, int16(a.Warp), int16(lane), true, b.shadow.interval, stamp, b.ticks[a.Warp]}
			case w.present && w.is(a.Warp, lane):
				*w = flight{}
				f.n--
			}
		}
	}
}
