package work

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// A kernel that releases to a word hands over what its stream did before it too, and what its stream does after it comes
// after all that the kernel has acquired: a copy and then a kernel that raises a flag, a kernel that waits for it and
// then one that uses the copy.

// relay is a kernel that has synchronized through words, and has ended.
type relay struct {
	stream   trace.Stream
	n        uint64
	after    hb.StreamClock
	from, to int
	seq      int
	syncs    *syncs
}

// relays are those of the program, in the order of their ends.
type relays struct {
	ended []*relay
	// doubts are accesses that another kernel, which has not ended, may have ordered.
	doubts []*doubt
	// carried is what kernels that synchronize carry on from one word to another.
	carried carried
	// dropped is the newest of those that there was no room for, in the order of all work: they may have ordered what is
	// older.
	dropped int
}

// maxRelays bounds the kernels of relays, maxDoubts its doubts.
const maxRelays, maxDoubts = 1 << 10, 1 << 12

// doubt is a pair of uses that share bytes and conflict.
type doubt struct {
	a, b    *piece
	u, v    *use
	awaited bool
}

// add notes a launch that has ended, of which done are over for all that comes.
func (r *relays) add(w *piece, done hb.StreamClock) {
	if w.syncs == nil {
		return
	}
	if len(r.ended) == maxRelays {
		r.ended = slices.DeleteFunc(r.ended, func(o *relay) bool { return o.n <= done[o.stream] })
	}
	if len(r.ended) == maxRelays {
		for _, q := range r.ended[:maxRelays/2] {
			r.dropped = max(r.dropped, q.seq)
		}
		r.ended = slices.Delete(r.ended, 0, maxRelays/2)
	}
	r.ended = append(r.ended, &relay{w.Stream, w.n, w.after, w.from, w.to, w.seq, w.syncs})
}

// acquiredBefore are the words from which the work before a piece has acquired, by kernels that ended after a moment.
func (r *relays) acquiredBefore(w *piece, since int) (s *wordSet) {
	for _, q := range slices.Backward(r.ended) {
		if q.to <= since {
			break
		}
		if q.n <= w.after[q.stream] || q.stream == w.Stream && q.n < w.n {
			s = s.join(q.syncs.acquired)
		}
	}
	return s
}

// unordered returns the first range of bytes that two uses share and that no word hands over, and how many there are.
func (r *relays) unordered(p *doubt) (first extent, n uint64) {
	first, n = p.u.bytes.common(&p.v.bytes)
	if n == 0 || len(r.ended) == 0 {
		return first, n
	}
	if p.a.mayPrecede(p.b) {
		first, n = r.unhanded(p.a, p.b, p.u, p.v)
	}
	if n > 0 && p.b.mayPrecede(p.a) {
		first, n = r.unhanded(p.b, p.a, p.v, p.u)
	}
	return first, n
}

// unhanded is unordered where a comes first.
func (r *relays) unhanded(a, b *piece, u, v *use) (first extent, n uint64) {
	var own *wordSet
	if v.handed != nil {
		own = v.handed.after
	}
	sameDevice := a.Stream.Device == b.Stream.Device
	acquired := r.carried.closure(own)
	if first, n = u.unhanded(v, acquired, sameDevice); n == 0 {
		return first, n
	}
	if all := own.join(r.acquiredBefore(b, a.from)); all != own {
		acquired = r.carried.closure(all)
		if first, n = u.unhanded(v, acquired, sameDevice); n == 0 {
			return first, n
		}
	}
	for _, q := range slices.Backward(r.ended) {
		if q.to <= a.from || acquired == nil {
			break
		}
		mayPrecede := b.to == 0 || q.from < b.to
		if mayPrecede && a.start() <= q.after[a.Stream] && acquired.meets(q.syncs.released, q.stream.Device == b.Stream.Device) {
			return extent{}, 0
		}
	}
	return first, n
}
