package hb

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Order is the happens-before order of one block: its interval clock, and what its threads
// have acquired from each other and from other blocks.
type Order struct {
	*intervalClock
	Model check.RaceModel
	// Unasked: of words below this one it is not kept which writes threads have observed, only
	// what these release.
	Unasked uint64
	// Words are the release sequences, which blocks share that may wait for each other.
	Words *Words
	// fencesOnly: barriers do not complete acquires, each thread needs a fence of its own.
	fencesOnly bool
	interval   uint32
	party      Party
	// atBegin has the warps' stamps when the interval began.
	atBegin []uint32
	// elems are the sizes of elements that are accessed by strong operations.
	elems []int
	// all is the clock of every thread, own those of threads that have acquired more, fresh
	// what they have acquired lately, pending what they acquire at their next fence or
	// barrier (all by holder).
	all     *Clock
	own     byThread[*Clock]
	fresh   byThread[[]acquired]
	pending byThread[pendings]
	// fences are the last ones of each thread, by reach, fenced those of others that a
	// barrier of a part of the block came after, fencedByAll those before the last full
	// one; ops what threads released by writes to a word (all by holder).
	fences      byThread[*[reaches]*fencePoint]
	fenced      byThread[offer]
	fencedByAll offer
	// tensor are the threads' last fences of tensor memory that release (by holder).
	tensor byThread[*fencePoint]
	// Tensor is set if threads may hand tensor memory to each other by relaxed operations, and unfenced is then what threads would have
	// acquired by relaxed operations at mbarriers, for the diagnosis of races (by holder).
	Tensor   bool
	unfenced byThread[*Clock]
	ops      map[threadPlace]offer
	// left has the stamps of threads that arrived at a barrier and continued, by its number,
	// leftWith their clocks and fences: what they do from then on is not ordered by it.
	left     map[int]map[int]uint32
	leftWith map[int]map[int]leftAt
	memo     memo
	// lastFence is for the diagnosis of races.
	lastFence byThread[Fence]
	// masks is scratch for barriers in lockstep.
	masks [2][]uint32
}

// leftAt is what a thread had acquired, and had fenced, when it arrived at a barrier.
type leftAt struct {
	clock  *Clock
	fenced offer
}

// Fence is a thread's last fence.
type Fence struct {
	Interval, Stamp uint32
	Scope           trace.Scope
}

// New makes the order of a block of so many threads with the sites of its launch.
func New(threads int, sites []Site, model check.RaceModel, fencesOnly bool) *Order {
	c := newIntervalClock(threads)
	return &Order{intervalClock: c, Model: model, fencesOnly: fencesOnly, elems: elems(sites), Words: NewWords(), atBegin: make([]uint32, c.Warps),
		ops: map[threadPlace]offer{}}
}

// Reset is for a new block.
func (o *Order) Reset(by Party) {
	o.party, o.interval = by, 0
	clear(o.left)
	o.forget()
	o.begin()
}

// forget drops all that the block has acquired.
func (o *Order) forget() {
	o.all, o.fencedByAll, o.leftWith = nil, offer{}, nil
	o.own.clear()
	o.fresh.clear()
	o.pending.clear()
	o.fences.clear()
	o.fenced.clear()
	o.tensor.clear()
	o.unfenced.clear()
	clear(o.ops)
	o.lastFence.clear()
}

// Interval counts the full barriers that the block has passed.
func (o *Order) Interval() uint32 { return o.interval }

// Party is the block.
func (o *Order) Party() Party { return o.party }

// Epoch is when something of this block happened in the current interval.
func (o *Order) Epoch(stamp uint32) Epoch { return Epoch{o.party.Block, o.interval, stamp} }

// Restart begins an interval that depends on nothing before it, release sequences
// included.
func (o *Order) Restart() {
	o.forget()
	o.Words.Forget()
	o.NextInterval()
}

// NextInterval begins an interval where nothing is acquired.
func (o *Order) NextInterval() {
	o.interval++
	o.begin()
}

func (o *Order) begin() {
	o.intervalClock.begin()
	copy(o.atBegin, o.now)
}

// acquired is what a thread has acquired from a word and not yet made use of:
// a thread that spins on a lock acquires it many times.
type acquired struct {
	word   uint64
	writes writes
	clock  *Clock
	// head is the release sequence that clock is from, by its first write, 0 for none or several, and reach how far
	// the acquire reached.
	head  uint32
	reach Reach
}

// has reports whether a has what the thread acquired from the word before: what a sequence releases only grows.
func (a *acquired) has(f *acquired) bool {
	return f.writes.from == a.writes.from && (f.clock == nil || f.clock == a.clock || f.head != 0 && f.head == a.head && f.reach <= a.reach)
}

func (a *acquired) all() *Clock {
	if a.writes.to == 0 {
		return a.clock
	}
	return a.clock.Join(ofWord(a.word, a.writes))
}

// holder is the thread in whose name the clock of thread t is kept: in lockstep
// the lanes of a warp share one.
func (o *Order) holder(t int) int {
	if o.Model == check.Lockstep {
		return t &^ 31
	}
	return t
}

// ClockOf returns what thread t has acquired from others.
func (o *Order) ClockOf(t int) *Clock {
	who := o.holder(t)
	c := o.own.get(who)
	if c == nil {
		c = o.all
	}
	list := o.fresh.get(who)
	if len(list) == 0 {
		return c
	}
	for i := range list {
		c = o.memo.join(c, o.memo.all(list[i]))
	}
	o.own.put(who, c)
	o.fresh.drop(who)
	return c
}

// Passed is the interval of a block before which all that its threads did happens before what any thread of this block
// does next.
func (o *Order) Passed(block uint32) uint32 {
	if block == o.party.Block {
		return o.interval
	}
	return o.all.passed(block)
}

// acquireClock lets thread t acquire a clock.
func (o *Order) acquireClock(t int, c *Clock) { o.own.put(o.holder(t), o.memo.join(o.ClockOf(t), c)) }

// memo remembers the last results: the lanes of a warp acquire the same clocks one after the
// other, and share what comes of it.
type memo struct {
	joins  [8]joined
	next   int
	of     acquired
	clock  *Clock
	op     AsyncOp
	source bool
	end    *Clock
}

// joined is a join of two clocks.
type joined struct{ a, b, both *Clock }

func (m *memo) join(a, b *Clock) *Clock {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	}
	for i := range m.joins {
		if j := &m.joins[i]; j.a == a && j.b == b {
			return j.both
		}
	}
	j := &m.joins[m.next]
	m.next = (m.next + 1) % len(m.joins)
	*j = joined{a, b, a.Join(b)}
	return j.both
}

// all is acquired.all.
func (m *memo) all(a acquired) *Clock {
	if m.clock == nil || m.of != a {
		m.of, m.clock = a, a.all()
	}
	return m.clock
}

// ended is AsyncOp.ended.
func (m *memo) ended(op AsyncOp, source bool) *Clock {
	if m.end == nil || m.op != op || m.source != source {
		m.op, m.source, m.end = op, source, op.ended(source)
	}
	return m.end
}

// acquire lets thread t acquire from a word.
func (o *Order) acquire(t int, a acquired) {
	who := o.holder(t)
	list := o.fresh.get(who)
	if i := slices.IndexFunc(list, func(f acquired) bool { return f.word == a.word }); i >= 0 {
		if f := &list[i]; !a.has(f) {
			a.clock, a.head = o.memo.join(o.memo.all(a), o.memo.all(*f)), 0
		}
		list[i] = a
		return
	}
	if len(list) == maxFresh {
		o.ClockOf(t)
	}
	o.fresh.put(who, append(o.fresh.get(who), a))
}

// maxFresh bounds the words that a warp or thread has acquired from lately: one
// for each lane.
const maxFresh = 32

// FullBarrier is a barrier of the whole block.
func (o *Order) FullBarrier() {
	if o.fresh.n+o.own.n+o.fences.n+o.fenced.n+o.tensor.n+o.pending.n == 0 { // mostly
		o.NextInterval()
		return
	}
	for t := range o.fresh.all() {
		o.ClockOf(t)
	}
	for _, c := range o.own.all() {
		o.all = o.all.Join(c)
	}
	if o.fences.n > 0 {
		o.fencedByAll = o.fencedByAll.join(o.fencesOfAll())
	}
	for t := range o.tensor.all() {
		o.fencedByAll = o.fencedByAll.join(o.tensorOf(t))
	}
	o.fences.clear()
	o.fenced.clear()
	o.tensor.clear()
	o.own.clear()
	if o.fencesOnly {
		o.pendForAll()
	} else {
		for _, ps := range o.pending.all() {
			for i := range ps {
				o.all = o.all.Join(ps[i].offer[OverBlock]).Join(ps[i].offer[OverCluster]).Join(ps[i].offer[OverDevice])
			}
		}
		o.pending.clear()
	}
	o.NextInterval()
}

// pendForAll lets every thread acquire at its next fence what any would.
func (o *Order) pendForAll() {
	var all pendings
	for _, ps := range o.pending.all() {
		for i := range ps {
			all = all.add(ps[i].word, ps[i].offer)
		}
	}
	for t := range o.Threads {
		if all != nil && o.holder(t) == t {
			o.pending.put(t, slices.Clone(all))
		}
	}
}

// ForgetArrivals drops the arrivals at a barrier that the whole block has passed.
func (o *Order) ForgetArrivals(id int) { delete(o.left, id) }

// Barrier is a barrier of a part of the block. It returns the stamps of threads that had
// arrived and gone on, nil for none.
func (o *Order) Barrier(e *trace.Barrier) (early map[int]uint32) {
	arrived, synced := e.Arrived, e.Synced
	if o.Model == check.Lockstep {
		arrived, synced = o.wholeWarps(0, arrived), o.wholeWarps(1, synced)
	}
	o.comeAgain(e)
	early = o.left[e.ID]
	o.partialBarrier(arrived, synced, early)
	o.join(e.ID, arrived, synced)
	if !e.More {
		delete(o.left, e.ID)
		delete(o.leftWith, e.ID)
	}
	return early
}

// comeAgain forgets that threads which arrive again by their wait had arrived before: what they
// did until they wait is ordered, and that has what they did until then in it.
func (o *Order) comeAgain(e *trace.Barrier) {
	for w, m := range e.Again {
		for ; m != 0; m &= m - 1 {
			t := 32*w + bits.TrailingZeros32(m)
			delete(o.left[e.ID], t)
			delete(o.leftWith[e.ID], t)
		}
	}
}

// wholeWarps extends masks to all lanes of the warps that take part.
func (o *Order) wholeWarps(i int, masks []uint32) []uint32 {
	out := o.masks[i][:0]
	for w, m := range masks {
		if m != 0 && w < o.Warps {
			m = o.exist[w]
		}
		out = append(out, m)
	}
	o.masks[i] = out
	return out
}

// Arrive is an arrival at a barrier of threads that do not wait there.
func (o *Order) Arrive(e *trace.Arrival) {
	o.now[e.Warp]++
	if o.left == nil {
		o.left = map[int]map[int]uint32{}
	}
	if o.left[e.ID] == nil {
		o.left[e.ID] = map[int]uint32{}
	}
	for m := e.Mask; m != 0; m &= m - 1 {
		o.left[e.ID][32*e.Warp+bits.TrailingZeros32(m)] = o.now[e.Warp]
	}
}

// ArriveWith is Arrive with what the threads have acquired and fenced so far.
func (o *Order) ArriveWith(e *trace.Arrival) {
	o.Arrive(e)
	if o.leftWith == nil {
		o.leftWith = map[int]map[int]leftAt{}
	}
	if o.leftWith[e.ID] == nil {
		o.leftWith[e.ID] = map[int]leftAt{}
	}
	for m := e.Mask; m != 0; m &= m - 1 {
		t := 32*e.Warp + bits.TrailingZeros32(m)
		o.leftWith[e.ID][t] = leftAt{o.ClockOf(t), o.fencesOf(t)}
	}
}

// join lets the threads that wait at a barrier with a number, or at a __syncwarp, acquire
// what those that come to it have.
func (o *Order) join(id int, arrived, synced []uint32) {
	o.extend(id, arrived, synced)
	if !o.Acquired() {
		return
	}
	var c *Clock
	var later pendings
	each(arrived, o.Threads, func(t int) {
		if e, ok := o.leftWith[id][t]; ok {
			c = c.Join(e.clock)
			return
		}
		if !o.fencesOnly {
			o.resolve(t, OverDevice)
		}
		c = c.Join(o.ClockOf(t))
		for _, p := range o.pending.get(o.holder(t)) {
			later = later.add(p.word, p.offer)
		}
	})
	each(synced, o.Threads, func(t int) {
		if c != nil {
			o.acquireClock(t, c)
		}
		for _, p := range later {
			o.pend(t, p.word, p.offer)
		}
	})
}

// JoinWarp is a __syncwarp by which lanes also acquire. Where the warp runs in step it
// orders nothing more, but what lanes have read before it is acquired.
func (o *Order) JoinWarp(warp int, lanes uint32) {
	if o.Model == check.ITS {
		o.SyncWarp(warp, lanes)
	}
	masks := make([]uint32, warp+1)
	masks[warp] = lanes
	o.join(noBarrier, masks, masks)
}

// noBarrier is the number of no barrier of the block.
const noBarrier = -1

// Acquired reports whether some thread has acquired something.
func (o *Order) Acquired() bool { return o.all != nil || o.own.n+o.pending.n+o.fresh.n > 0 }

// OnlyFullBarriers reports whether nothing can order threads of different warps in this
// interval.
func (o *Order) OnlyFullBarriers() bool { return !o.partial && !o.Acquired() }

// Known returns the stamp below which thread a's accesses in this interval happen before
// what thread b does next, by barriers.
func (o *Order) Known(b, a int) uint32 {
	w := b / 32
	switch {
	case o.partial:
		return o.rows.row(o.rows.of[b])[a]
	case w != a/32:
		return 0
	case o.Model == check.Lockstep:
		return o.now[w] + 1
	case o.inUse[w] == o.epoch && o.lanes[w] != nil:
		return max(o.lanes[w][b%32][a%32], o.base[w])
	}
	return o.base[w]
}

// knownTo is what barriers order, in this interval, before what thread t does next, where
// its warp begins a new stamp. In step, that includes all that the warp did.
func (o *Order) knownTo(t int) (list stamps) {
	w := t / 32
	if !o.partial && o.Model != check.Lockstep && o.base[w] <= o.atBegin[w] && (o.inUse[w] != o.epoch || o.lanes[w] == nil) {
		return nil
	}
	from, to := t&^31, min(t|31, o.Threads-1)+1
	if o.partial {
		from, to = 0, o.Threads
	}
	for a := from; a < to; a++ {
		s := uint32(0)
		if o.Model == check.Lockstep && a/32 == w {
			s = o.now[w]
		} else {
			s = o.Known(t, a)
		}
		if a != t && s > o.atBegin[a/32] {
			list.put(uint32(a), s)
		}
	}
	return list
}
