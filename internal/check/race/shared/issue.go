package shared

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// issue compares an operation with the history of the words that it accesses.
type issue struct {
	b      proxying
	by     *blockObserver
	op     *asyncOp
	number int32
	clock  *hb.Clock // of the thread that issues it
	// Neighboring words have the same history: what was found for one is remembered.
	fenced fencedStore
	until  []uint64 // by warp, see fencedUntil
	// before has for each fence of the block whether it happens before the issue, 0 where
	// that has not been asked.
	before []order
	// ended is for the operations that wrote words, or read them last.
	ended endedOp
	// from is a set of operations, to the one with this operation as well; known once set.
	from, to int32
	known    bool
	// first is the word of the first unit of tensor memory; made is a clock of all that comes before
	// the issue, nil before it is asked for.
	first uint32
	made  *hb.Clock
	// same is the word that was looked at last, as it was and as it is now, where nothing was
	// found and no thread has accessed it in the interval.
	same struct {
		before, after proxyWord
		bytes         uint8
		known         bool
	}
}

// order is the answer to whether one thing happens before another.
type order uint8

const (
	ordered order = iota + 1
	unordered
)

// fencedStore remembers whether the stores of one thread at one time are visible.
type fencedStore struct {
	warp, lane int16
	from       uint64 // time of a store
	ok, known  bool
}

// endedOp remembers whether one operation has ended for the owner of one clock.
type endedOp struct {
	number int32
	source bool
	is     order
}

// of reports whether operation number has ended, or for source has read its source.
func (m *endedOp) of(p *proxied, number int32, source bool, clock *hb.Clock) bool {
	if m.is == 0 || m.number != number || m.source != source {
		*m = endedOp{number, source, unordered}
		if clock.Ended(p.ops[number].AsyncOp, source) {
			m.is = ordered
		}
	}
	return m.is == ordered
}

// word compares the operation with the history of a word and enters it there. Words that have the same
// history, as those of a tile mostly have, end with the same one.
func (x *issue) word(i uint32, bytes uint8) {
	w := &x.b.proxied.words[i]
	untouched := !w.stored && !w.loaded && x.untouched(i)
	if s := &x.same; untouched && s.known && s.bytes == bytes && *w == s.before {
		*w = s.after
		return
	}
	before, finds := *w, x.b.finds
	x.look(i, bytes)
	if s := &x.same; untouched && x.b.finds == finds {
		s.before, s.after, s.bytes, s.known = before, *w, bytes, true
	}
}

// untouched reports whether no thread of the cluster has accessed a word in the interval.
func (x *issue) untouched(i uint32) bool {
	s, ln := &x.b.shadow, &x.b.lines.lines[i/32]
	return len(x.b.proxied.remote) == 0 && s.words[i].interval != s.interval && (ln.interval != s.interval || (ln.read|ln.written)>>(i%32)&1 == 0)
}

func (x *issue) look(i uint32, bytes uint8) {
	b, w := x.b, &x.b.proxied.words[i]
	k := makeKey(x.op.key.site(), bytes, x.op.key.kind())
	raced := x.threads(i, k)
	if x.by != b.blockObserver {
		raced = x.earlier(w, i, k) || raced
	}
	raced = x.remote(i, k) || raced
	if s := &b.proxied.accesses[i].store; w.stored && !raced && x.op.proxied && s.key.bytes()&bytes != 0 && !x.visible(s) {
		b.found(race{earlier: s.key, later: k, warp: int(s.warp), word: i, count: 1, first: int(s.lane), then: x.op.lane,
			stamp: s.stamp, apart: true, async: evidence.NoProxyFence, laterBlock: x.op.Block + 1}, 1<<x.op.lane)
	}
	b.meetAsync(w, i, access{key: k, lane: x.op.lane, block: x.op.Block, clock: x.clock, ended: &x.ended, issue: x, reduces: x.op.reduces})
	b.enter(w, i, bytes, x)
}

// unit is word for a unit of tensor memory, which only operations access.
func (x *issue) unit(i uint32, bytes uint8) {
	i += x.first
	b, w := x.b, &x.b.proxied.words[i]
	b.meetAsync(w, i, access{key: makeKey(x.op.key.site(), bytes, x.op.key.kind()), lane: x.op.lane, block: x.op.Block, clock: x.clock, ended: &x.ended, issue: x})
	if x.frees() {
		*w = proxyWord{}
		return
	}
	b.enter(w, i, bytes, x)
}

// frees reports the end of tensor memory, which races with what is left of it: what has raced
// before needs no second report.
func (x *issue) frees() bool {
	return x != nil && x.b.launch.launch.Sites[x.op.key.site()].Op.Kind == inst.TensorFree
}

// pipes reports whether an earlier operation and this one are executed one after the other, without
// a wait for the earlier one: both are of the tensor cores' pipe, and the earlier one was issued before
// (PTX ISA, "Pipelined tcgen05 Instructions": by the same thread, or by one that the thread
// of this one has synchronized with).
func (x *issue) pipes(earlier *asyncOp) bool {
	if x == nil || x.op.pipe == 0 || earlier.pipe == 0 {
		return false
	}
	if earlier.Block == x.op.Block && earlier.pipe == x.op.pipe {
		return true
	}
	if x.made == nil {
		x.made = x.by.order.Snapshot(32*x.op.warp + x.op.lane).ForTensor()
	}
	return x.made.Covers(hb.Epoch{Block: earlier.Block, Interval: earlier.interval, Stamp: earlier.stamp}, uint32(32*earlier.warp+earlier.lane))
}

// unfenced reports whether an earlier operation on tensor memory would come before this one if the threads
// had executed a tcgen05.fence where they arrived and waited by relaxed operations.
func (x *issue) unfenced(earlier *asyncOp, source bool) bool {
	if x == nil || x.first == 0 {
		return false
	}
	c := x.by.order.Unfenced(32*x.op.warp + x.op.lane)
	return c.Ended(earlier.AsyncOp, source) || x.op.pipe != 0 && earlier.pipe != 0 &&
		c.Covers(hb.Epoch{Block: earlier.Block, Interval: earlier.interval, Stamp: earlier.stamp}, uint32(32*earlier.warp+earlier.lane))
}

// threads compares the operation with what threads of the block did in the interval.
func (x *issue) threads(i uint32, k key) (raced bool) {
	b := x.b
	b.lines.at(i/32, b.shadow.interval)
	b.eachPrior(i, func(o key, warp int, lanes, stamp, tick uint32) {
		if o.bytes()&k.bytes() == 0 || o.kind() == trace.Read && k.kind() == trace.Read {
			return
		}
		racing := x.unordered(warp, lanes, stamp, o, k, i)
		if racing == 0 {
			return
		}
		raced = true
		b.found(race{earlier: o, later: k, warp: warp, word: i, count: uint64(bits.OnesCount32(racing)), first: bits.TrailingZeros32(racing),
			then: x.op.lane, lanes: lanes, stamp: stamp, tick: tick, apart: true, async: evidence.IssuedEarly,
			laterBlock: x.op.Block + 1}, 1<<x.op.lane)
	})
	return raced
}

// unordered are the lanes of a warp of the block whose access nothing orders before the issue.
func (x *issue) unordered(warp int, lanes, stamp uint32, o, k key, i uint32) uint32 {
	b := x.b
	if x.by == b.blockObserver {
		if warp == x.op.warp {
			if b.model == check.Lockstep { // they have executed an earlier instruction
				return 0
			}
			lanes &^= 1 << x.op.lane
		}
		return b.unordered(x.op.lane, warp, lanes, stamp, o, k, i)
	}
	epoch := b.order.Epoch(stamp)
	for m := lanes; m != 0; m &= m - 1 {
		if x.clock.Covers(epoch, uint32(32*warp+bits.TrailingZeros32(m))) {
			lanes &^= m & -m
		}
	}
	return lanes
}

// eachPrior calls f for what threads have done to a word in the interval.
func (b proxying) eachPrior(i uint32, f func(o key, warp int, lanes, stamp, tick uint32)) {
	s := &b.shadow
	if w := &s.words[i]; w.interval == s.interval {
		for n := &w.node; ; n = &s.nodes[n.next] {
			if n.wide == noWide {
				f(n.key, int(n.warp), n.lanes, n.stamp, n.tick)
			} else {
				for u := range s.warps {
					if m := s.wides[int(n.wide)+u]; m != 0 {
						f(n.key, u, m, s.wides[int(n.wide)+s.warps+u], n.tick)
					}
				}
			}
			if n.next == 0 {
				break
			}
		}
	}
	ln, word := &b.lines.lines[i/32], int(i%32)
	if ln.interval != s.interval || (ln.read|ln.written)>>word&1 == 0 {
		return
	}
	for at := ln.head; at != 0; at = b.lines.nodes[at].next {
		if n := &b.lines.nodes[at]; n.words>>word&1 != 0 {
			f(n.key, int(n.warp), 1<<n.perm.lane(word), n.stamp, n.tick)
		}
	}
}

// visible reports whether a fence for the async proxy follows a store and comes before the
// issue.
func (x *issue) visible(s *ordinary) bool {
	if s.time < x.fencedUntil(int(s.warp)) {
		return true
	}
	if f := &x.fenced; f.known && f.warp == s.warp && f.lane == s.lane && f.from == s.time {
		return f.ok
	}
	ok := x.fencedSince(s)
	x.fenced = fencedStore{s.warp, s.lane, s.time, ok, true}
	return ok
}

// fencedUntil is the time of the last fence by all lanes of a warp that happens before the
// issue, 0 for none: what the warp stored before it is visible.
func (x *issue) fencedUntil(warp int) uint64 {
	p := &x.b.proxied
	if x.until == nil {
		x.until = make([]uint64, x.b.order.Warps)
		for n := len(p.fences); n > 0; n-- {
			if f := &p.fences[n-1]; f.mask == ^uint32(0) && x.until[f.warp] == 0 && x.follows(n) {
				x.until[f.warp] = f.time
			}
		}
	}
	return x.until[warp]
}

// fencedSince looks for a fence after a store that happens before the issue: first for one
// of the thread itself, or after a barrier, as nearly all are.
func (x *issue) fencedSince(s *ordinary) bool {
	p := &x.b.proxied
	for n := len(p.fences); n > 0 && p.fences[n-1].time > s.time; n-- {
		if p.fences[n-1].plainlyFollows(s) && x.follows(n) {
			return true
		}
	}
	for n := len(p.fences); n > 0 && p.fences[n-1].time > s.time; n-- {
		if x.follows(n) && p.fences[n-1].follows(s, x.b.order) {
			return true
		}
	}
	return false
}

// follows reports whether the issue follows fence number n, from 1.
func (x *issue) follows(n int) bool {
	if x.before == nil {
		x.before = make([]order, len(x.b.proxied.fences)+1)
	}
	if x.before[n] == 0 {
		x.before[n] = unordered
		if x.clock.Fenced(x.b.order.Party().Block, uint32(n)) {
			x.before[n] = ordered
		}
	}
	return x.before[n] == ordered
}
