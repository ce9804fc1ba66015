package hb

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/intmap"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Release and acquire (PTX ISA, "Memory Consistency Model"). A release pattern
// synchronizes with an acquire pattern if a read of the latter observes a write of the
// former and the first operation of the one and the last of the other, fences or releases
// and acquires, have scopes that include each other's thread. A scope is therefore asked
// for twice: along the sequence of operations on the word, and between the two ends,
// whatever lies between them.

// Words are the release sequences of words, by their address.
type Words struct {
	of map[uint64]*sequence
	// lately are those that were looked for lately, by the last bits of their words; nil as long as there are none.
	lately *[latelyWords]latelyWord
	// near has a bit for the lines of these words, of several lines the same one: most
	// words that plain writes reach are in no such line.
	near [nearBits / 64]uint64
}

type latelyWord struct {
	word uint64
	of   *sequence
}

const (
	latelyWords = 1 << 8

	nearBits = 1 << 12
	nearLine = 1 << 7
)

// NewWords returns those of nothing yet.
func NewWords() *Words { return &Words{of: map[uint64]*sequence{}} }

// at returns the release sequence of a word, nil for none.
func (ws *Words) at(word uint64) *sequence {
	if ws.lately == nil {
		return nil
	}
	l := &ws.lately[word/4%latelyWords]
	if l.of == nil || l.word != word {
		q := ws.of[word]
		if q == nil {
			return nil
		}
		*l = latelyWord{word, q}
	}
	return l.of
}

// begin adds the release sequence of a word.
func (ws *Words) begin(word uint64) *sequence {
	q := &sequence{}
	ws.of[word] = q
	if ws.lately == nil {
		ws.lately = new([latelyWords]latelyWord)
	}
	bit := word / nearLine % nearBits
	ws.near[bit/64] |= 1 << (bit % 64)
	return q
}

// mayHave reports whether one of some bytes may be in a word that has one.
func (ws *Words) mayHave(addr uint64, size int) bool {
	for line := addr / nearLine; line <= (addr+uint64(size)-1)/nearLine; line++ {
		if bit := line % nearBits; ws.near[bit/64]>>(bit%64)&1 != 0 {
			return true
		}
	}
	return false
}

// Forget drops all of them.
func (ws *Words) Forget() {
	if len(ws.of) > 0 {
		clear(ws.of)
		clear(ws.near[:])
		clear(ws.lately[:])
	}
}

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

// Released reports whether a word holds something that was released.
func (ws *Words) Released(word uint64) bool {
	q := ws.of[word]
	return q != nil && len(q.block) > 0
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

// fencePoint is where a thread has executed a fence, and its clock there.
type fencePoint struct {
	interval, stamp uint32
	from            *Clock
	threads         stamps // of its own block, in the interval
	clock           *Clock // all of it, once it is asked for
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

// Fence completes acquires and begins releases.
func (o *Order) Fence(e *trace.Fence) {
	if e.Warp >= o.Warps || e.Site.Op.Kind == inst.InitFence { // that one orders no other accesses
		return
	}
	lanes := e.Mask & o.exist[e.Warp]
	if lanes == 0 {
		return
	}
	o.now[e.Warp]++
	r := ReachOf(e.Scope)
	n := bits.OnesCount32(lanes)
	if o.Model == check.Lockstep {
		n = 1
	}
	var points []fencePoint // made together
	var each [][reaches]*fencePoint
	for m := lanes; m != 0; m &= m - 1 {
		t := 32*e.Warp + bits.TrailingZeros32(m)
		o.lastFence.put(t, Fence{o.interval, o.now[e.Warp], e.Scope})
		if who := o.holder(t); who == t || m == lanes {
			o.resolve(t, r)
			if len(points) == 0 {
				points = make([]fencePoint, n)
			}
			p := &points[0]
			points = points[1:]
			*p = fencePoint{interval: o.interval, stamp: o.now[e.Warp], from: o.ClockOf(t), threads: o.knownTo(who)}
			f := o.fences.get(who)
			if f == nil {
				if len(each) == 0 {
					each = make([][reaches]*fencePoint, n)
				}
				f, each = &each[0], each[1:]
				o.fences.put(who, f)
			}
			for x := OverBlock; x <= r; x++ {
				f[x] = p
			}
		}
	}
}

// LastFence is the last fence of a thread; ok is false for none.
func (o *Order) LastFence(t int) (f Fence, ok bool) {
	return o.lastFence.get(t), o.lastFence.has(t)
}

// at is the clock of thread t, itself included, at a fence.
func (o *Order) at(t int, p *fencePoint) *Clock {
	if p == nil {
		return nil
	}
	if p.clock == nil {
		x := &struct { // made together
			clock Clock
			block blockClock
		}{block: blockClock{block: o.party.Block, interval: p.interval}}
		known := p.threads
		if len(known) == 0 { // mostly the thread knows more of its block than barriers tell, and that is all there is to join
			known = p.from.stampsOf(x.block.block, p.interval)
		}
		x.block.threads = known.with(uint32(t), p.stamp)
		x.clock.blocks = intmap.Of(uint64(x.block.block), &x.block)
		p.clock = p.from.Join(&x.clock)
	}
	return p.clock
}

// Snapshot is a clock of all that happens before what thread t does next, its own
// accesses included.
func (o *Order) Snapshot(t int) *Clock {
	o.now[t/32]++
	return o.at(t, &fencePoint{interval: o.interval, stamp: o.now[t/32], from: o.ClockOf(t), threads: o.knownTo(t)})
}

// extend lets the fences of threads that reach a barrier count for those that wait
// there: what a thread has done before a fence and then a barrier is released by the
// others' writes too.
func (o *Order) extend(id int, arrived, synced []uint32) {
	if o.fences.n+o.fenced.n+o.tensor.n+len(o.leftWith[id]) == 0 {
		return
	}
	var of offer
	each(arrived, o.Threads, func(t int) {
		if e, ok := o.leftWith[id][t]; ok {
			of = of.join(e.fenced)
			return
		}
		of = of.join(o.fencesOf(t))
	})
	if of != (offer{}) {
		each(synced, o.Threads, func(t int) {
			who := o.holder(t)
			o.fenced.put(who, o.fenced.get(who).join(of))
		})
	}
}

func (o *Order) fencesOf(t int) offer {
	who := o.holder(t)
	of := o.fenced.get(who)
	if f := o.fences.get(who); f != nil {
		for r, p := range f {
			of[r] = of[r].Join(o.at(who, p))
		}
	}
	of = of.join(o.tensorOf(who))
	return of
}

// fencesOfAll joins those of all threads. Mostly they have acquired the same and have executed a
// fence in the same interval: their stamps then make one component.
func (o *Order) fencesOfAll() (all offer) {
	type alike struct {
		from     *Clock
		interval uint32
		stamps   []uint32 // by thread, 0 for none
	}
	var list []offer
	threads := o.fences.threads()
	for r := range all {
		if r > 0 && !slices.ContainsFunc(threads, func(t int) bool { f := o.fences.get(t); return f[r] != f[r-1] }) {
			all[r] = all[r-1]
			continue
		}
		var groups []alike
		many := len(threads) < fewThreads
		for _, t := range threads {
			p := o.fences.get(t)[r]
			if p == nil || many {
				continue
			}
			i := slices.IndexFunc(groups, func(g alike) bool { return g.from == p.from && g.interval == p.interval })
			if i < 0 {
				if i = len(groups); i == maxAlike {
					many = true
					break
				}
				groups = append(groups, alike{p.from, p.interval, make([]uint32, o.Threads)})
			}
			stamps := groups[i].stamps
			stamps[t] = max(stamps[t], p.stamp)
			for k, stamp := range p.threads.all() {
				stamps[k] = max(stamps[k], stamp)
			}
		}
		if many { // each by itself
			list = list[:0]
			for _, t := range threads {
				var one offer
				one[r] = o.at(t, o.fences.get(t)[r])
				list = append(list, one)
			}
			all[r] = joinAll(list)[r]
			continue
		}
		for _, g := range groups {
			b := &blockClock{block: o.party.Block, interval: g.interval}
			for t, s := range g.stamps {
				if s > 0 {
					b.threads.put(uint32(t), s)
				}
			}
			all[r] = all[r].Join(g.from).Join(ofBlock(b))
		}
	}
	if o.fenced.n > 0 {
		list = append(list[:0], all)
		for _, t := range threads {
			list = append(list, o.fenced.get(t))
		}
		all = joinAll(list)
	}
	return all
}

// fewThreads are joined one by one.
const fewThreads = 8

// maxAlike bounds the groups of threads that have acquired the same.
const maxAlike = 8

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
