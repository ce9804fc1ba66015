package hb

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Release and acquire (PTX ISA, "Memory Consistency Model"). A release pattern
// synchronizes with an acquire pattern if a read of the latter observes a write of the
// former and the first operation of the one and the last of the other, fences or releases
// and acquires, have scopes that include each other's thread. A scope is therefore asked
// for twice: along the sequence of operations on the word, and between the two ends,
// whatever lies between them.

// sequence is a word's release sequence, a strong write and the read-modify-writes
// that observe it: the clock that a read of the word acquires.
type sequence struct {
	// n numbers the strong writes to the word, head is the sequence's first.
	n, head uint32
	// size, by and reach are those of the last write; size is 0 after a plain one,
	// which no strong read observes.
	size  int
	by    Party
	reach Reach
	// all is released to whoever acquires with the reach of the device, cluster and
	// block to those of one that acquire with less.
	all            *Clock
	cluster, block shares
	last           [reaches]*Clock
}

// shares are what blocks or clusters have released, each to those of its own, sorted by these.
type shares []share

type share struct {
	party uint32
	clock *Clock
}

func (s shares) of(party uint32) *Clock {
	if i, ok := s.find(party); ok {
		return s[i].clock
	}
	return nil
}

// find returns the place of a block or cluster. Mostly it is after all others: blocks write in their order.
func (s shares) find(party uint32) (int, bool) {
	from, to := 0, len(s)
	if to == 0 || s[to-1].party < party {
		return to, false
	}
	for to-from > 8 {
		if m := (from + to) / 2; s[m].party <= party {
			from = m
		} else {
			to = m
		}
	}
	for s[from].party < party {
		from++
	}
	return from, s[from].party == party
}

func (s *shares) add(m *memo, party uint32, c *Clock) {
	if c == nil {
		return
	}
	i, ok := s.find(party)
	if ok {
		x := &(*s)[i]
		x.clock = m.join(x.clock, c)
	} else if len(*s) < maxParties {
		*s = slices.Insert(*s, i, share{party, c})
	}
}

// maxParties bounds the blocks and the clusters of which a word remembers what they
// released, for acquires that reach no farther.
const maxParties = 64

// observed reports whether a strong access reads what was written last as the memory
// model's observation order has it: both are strong and reach each other, on the same
// bytes.
func (q *sequence) observed(by Party, in *Site) bool {
	d := q.by.To(by)
	return q.size != 0 && q.size == in.Elem && q.reach >= d && ReachOf(in.Scope) >= d
}

// offer is what a thread may acquire from a word, by the reach that it takes.
type offer [reaches]*Clock

func (a offer) join(b offer) (c offer) {
	switch (offer{}) {
	case b:
		return a
	case a:
		return b
	}
	for r := range a {
		if r > 0 && a[r] == a[r-1] && b[r] == b[r-1] { // mostly: a fence of the device is one of the block as well
			c[r] = c[r-1]
		} else {
			c[r] = a[r].Join(b[r])
		}
	}
	return c
}

// joinAll joins offers pair by pair: each is in the order of the logarithm of their number
// of joins, as the clocks of a block's threads grow with each.
func joinAll(list []offer) offer {
	for len(list) > 1 {
		n := 0
		for i := 0; i < len(list); i += 2 {
			list[n] = list[i]
			if i+1 < len(list) {
				list[n] = list[i].join(list[i+1])
			}
			n++
		}
		list = list[:n]
	}
	return list[0]
}

func (q *sequence) offered(by Party) offer {
	return offer{OverBlock: q.block.of(by.Block), OverCluster: q.cluster.of(by.Cluster), OverDevice: q.all}
}

// write adds a strong write with what it releases, mostly the same for each reach.
func (q *sequence) write(m *memo, by Party, in *Site, continues bool, released offer) {
	q.n++
	if !continues {
		q.head, q.all, q.cluster, q.block, q.last = q.n, nil, q.cluster[:0], q.block[:0], offer{}
	}
	q.size, q.by, q.reach = in.Elem, by, ReachOf(in.Scope)
	if released == q.last {
		return
	}
	q.last = released
	q.all = m.join(q.all, released[OverDevice])
	q.cluster.add(m, by.Cluster, released[OverCluster])
	q.block.add(m, by.Block, released[OverBlock])
}

// pendings are what a thread has read, by word, and acquires at its next fence.
type pendings []pending

type pending struct {
	word  uint64
	offer offer
}

// maxPending bounds the words that are told apart.
const maxPending = 16

func (ps pendings) add(word uint64, of offer) pendings {
	i := slices.IndexFunc(ps, func(p pending) bool { return p.word == word })
	if i < 0 && len(ps) == maxPending {
		i = 0
	}
	if i < 0 {
		return append(ps, pending{word, of})
	}
	ps[i].offer = ps[i].offer.join(of)
	return ps
}

// threadPlace is a word to a thread, or to a warp that runs in step, and the bytes of an
// element there.
type threadPlace struct {
	thread int
	word   uint64
	elem   int
}

// Strong is a strong access of thread t to a word: it acquires what it observes,
// and releases what happens before it. It returns the number of the write, 0 for a read.
func (o *Order) Strong(t int, word uint64, in *Site) uint32 {
	q := o.Words.at(word)
	if q == nil {
		if in.Kind == trace.Read {
			return 0
		}
		q = o.Words.begin(word)
	}
	observed := in.Kind != trace.Write && q.observed(o.party, in)
	if observed {
		o.observe(t, word, q, in)
	}
	if in.Kind == trace.Read {
		return 0
	}
	q.write(&o.memo, o.party, in, observed, o.release(t, word, in))
	if len(o.elems) > 1 {
		o.overwrite(word, in.Elem, false)
	}
	return q.n
}

// observe lets a thread acquire what it reads, or keeps it until a fence. Nothing
// depends on what a reduction finds, so that it might as well have come first.
func (o *Order) observe(t int, word uint64, q *sequence, in *Site) {
	if in.Kind == trace.Atomic && !in.Result {
		return
	}
	a := acquired{word: word, writes: writes{q.head, q.n}}
	if in.Kind == trace.Atomic && o.Model != check.Lockstep { // its own write comes next
		a.writes.to++
	}
	if word < o.Unasked {
		a.writes = writes{}
	}
	of := q.offered(o.party)
	if !in.Acquires {
		o.acquire(t, a)
		o.pend(t, word, of)
		return
	}
	r := ReachOf(in.Scope)
	who := o.holder(t)
	a.head, a.reach = q.head, r
	pending := o.pending.get(who)
	for i, p := range pending { // an earlier read of the word and this one are a pattern too
		if p.word == word {
			a.head = 0
			for x := OverBlock; x <= r; x++ {
				of[x] = of[x].Join(p.offer[x])
				pending[i].offer[x] = nil
			}
		}
	}
	for x := OverBlock; x <= r; x++ {
		a.clock = o.memo.join(a.clock, of[x])
		of[x] = nil
	}
	o.acquire(t, a)
	o.pend(t, word, of)
}

func (o *Order) pend(t int, word uint64, of offer) {
	if of != (offer{}) {
		who := o.holder(t)
		o.pending.put(who, o.pending.get(who).add(word, of))
	}
}

// resolve lets a thread acquire what it has read, as far as a fence reaches.
func (o *Order) resolve(t int, r Reach) {
	who := o.holder(t)
	ps := o.pending.get(who)
	if len(ps) == 0 {
		return
	}
	c, rest := o.ClockOf(t), ps[:0]
	for _, p := range ps {
		for x := OverBlock; x <= r; x++ {
			c = c.Join(p.offer[x])
			p.offer[x] = nil
		}
		if p.offer != (offer{}) {
			rest = append(rest, p)
		}
	}
	o.own.put(who, c)
	if len(rest) == 0 {
		o.pending.drop(who)
	} else {
		o.pending.put(who, rest)
	}
}

// release is what thread t releases when it writes to a word: what happened before its
// last fence of each reach, and before now if the write, or one to the same word before,
// releases by itself.
func (o *Order) release(t int, word uint64, in *Site) (of offer) {
	who := o.holder(t)
	if f := o.fences.get(who); f != nil {
		for r, p := range f {
			of[r] = o.at(who, p)
		}
	}
	if o.fenced.n > 0 {
		of = of.join(o.fenced.get(who))
	}
	of = of.join(o.fencedByAll)
	if o.tensor.n > 0 {
		of = of.join(o.tensorOf(who))
	}
	at := threadPlace{who, word, in.Elem}
	if len(o.ops) > 0 {
		of = of.join(o.ops[at])
	}
	if in.Releases {
		c := o.Snapshot(t)
		for r := OverBlock; r <= ReachOf(in.Scope); r++ {
			of[r] = o.memo.join(of[r], c)
		}
		o.ops[at] = of
	}
	return of
}

// Overwrite notes a plain write to bytes; see overwrite.
func (o *Order) Overwrite(addr uint64, size int) {
	if o.Words.mayHave(addr, size) {
		o.overwrite(addr, size, true)
	}
}

// overwrite notes a write to bytes: no strong read of another size, or of any where
// the write is a plain one, observes what it finds there then.
func (o *Order) overwrite(addr uint64, size int, plain bool) {
	for _, e := range o.elems {
		for at := addr &^ uint64(e-1); at < addr+uint64(size); at += uint64(e) {
			if q := o.Words.of[at]; q != nil && q.size == e && (plain || at != addr || e != size) {
				q.size = 0
			}
		}
	}
}
