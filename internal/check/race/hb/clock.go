package hb

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/intmap"
)

// Clock is a vector clock over blocks: all that their threads did before one of their
// barrier intervals happens before what the owner does next, and in that interval what
// some of their threads did before a stamp. It also has the writes that the owner has
// observed. It never changes once it is shared; nil is the empty clock.
type Clock struct {
	blocks intmap.Map[blockClock] // by block
	words  intmap.Map[observed]   // by word
	// tensor covers more for tensor memory alone; it has no tensor itself.
	tensor *Clock
}

// observed are the writes to one word that a thread has observed: sorted ranges.
type observed []writes

// blockClock is a clock's component for one block.
type blockClock struct {
	block    uint32
	interval uint32
	threads  stamps
}

// writes are strong writes to a word that a thread has observed, by their numbers.
type writes struct{ from, to uint32 }

// Epoch is when a thread of a block did something.
type Epoch struct{ Block, Interval, Stamp uint32 }

// maxRanges bounds the ranges of a word's writes that are told apart.
const maxRanges = 16

// joinRanges joins sorted ranges.
func joinRanges(a, b []writes) (out []writes) {
	for len(a) > 0 || len(b) > 0 {
		if len(a) == 0 || len(b) > 0 && b[0].from < a[0].from {
			a, b = b, a
		}
		if n := len(out) - 1; n >= 0 && (a[0].from <= out[n].to+1 || n == maxRanges) {
			out[n].to = max(out[n].to, a[0].to)
		} else {
			out = append(out, a[0])
		}
		a = a[1:]
	}
	return out
}

// Observed reports whether the owner has observed write n to a word.
func (c *Clock) Observed(word uint64, n uint32) bool {
	if c == nil {
		return false
	}
	o := c.words.Get(word)
	return o != nil && o.has(n)
}

// ObservedAny reports whether the owner has observed some write to a word.
func (c *Clock) ObservedAny(word uint64) bool { return c != nil && c.words.Get(word) != nil }

// Knows reports whether something that a block did happens before what the owner does next.
func (c *Clock) Knows(block uint32) bool { return c != nil && c.blocks.Get(uint64(block)) != nil }

// Covers reports whether what a thread of another block did at an epoch happens before
// what the owner does next.
func (c *Clock) Covers(at Epoch, thread uint32) bool {
	if c == nil {
		return false
	}
	b := c.blocks.Get(uint64(at.Block))
	if b == nil || at.Interval > b.interval {
		return false
	}
	return at.Interval < b.interval || at.Stamp < b.stampOf(thread)
}

// CoversAll reports whether what all threads of a block did up to the end of an interval
// happens before what the owner does next.
func (c *Clock) CoversAll(block, interval uint32) bool {
	return interval < c.passed(block)
}

// passed is the interval of a block before which all that its threads did happens before what the owner does next.
func (c *Clock) passed(block uint32) uint32 {
	if c != nil {
		if b := c.blocks.Get(uint64(block)); b != nil {
			return b.interval
		}
	}
	return 0
}

// stampsOf are those of a block's threads in an interval.
func (c *Clock) stampsOf(block, interval uint32) stamps {
	if c != nil {
		if b := c.blocks.Get(uint64(block)); b != nil && b.interval == interval {
			return b.threads
		}
	}
	return nil
}

func (b *blockClock) stampOf(thread uint32) uint32 { return b.threads.of(thread) }

// Join is the least clock that covers what either does: c or o itself if it does.
func (c *Clock) Join(o *Clock) *Clock {
	switch {
	case c == o || o == nil:
		return c
	case c == nil:
		return o
	}
	j := Clock{c.blocks.Merge(o.blocks, (*blockClock).join), c.words.Merge(o.words, (*observed).join), c.tensor.Join(o.tensor)}
	switch j {
	case *c:
		return c
	case *o:
		return o
	}
	return &j
}

// ofBlock is the clock of one component.
func ofBlock(b *blockClock) *Clock { return &Clock{blocks: intmap.Of(uint64(b.block), b)} }

// ofWord is the clock of a thread that has observed some writes to a word.
func ofWord(word uint64, w writes) *Clock { return &Clock{words: intmap.Of(word, &observed{w})} }

func (o observed) has(n uint32) bool {
	return slices.ContainsFunc(o, func(r writes) bool { return r.from <= n && n <= r.to })
}

// covers reports whether all that p has is in o.
func (o observed) covers(p observed) bool {
	return !slices.ContainsFunc(p, func(r writes) bool {
		return !slices.ContainsFunc(o, func(q writes) bool { return q.from <= r.from && r.to <= q.to })
	})
}

// join is what either has: o or p itself if it does.
func (o *observed) join(p *observed) *observed {
	switch {
	case o.covers(*p):
		return o
	case p.covers(*o):
		return p
	}
	j := observed(joinRanges(*o, *p))
	return &j
}

// join is the later of both, thread by thread: b or o itself if it is.
func (b *blockClock) join(o *blockClock) *blockClock {
	switch {
	case b == o || b.interval > o.interval:
		return b
	case b.interval < o.interval:
		return o
	}
	switch j := b.threads.join(o.threads); {
	case j.is(b.threads):
		return b
	case j.is(o.threads):
		return o
	default:
		return &blockClock{block: b.block, interval: b.interval, threads: j}
	}
}
