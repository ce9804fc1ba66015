package hb

// An asynchronous operation is not part of a thread: what it does happens after its issue, and before
// what follows the observation of its end. Ends are kept in clocks as writes to words that
// no program has: one for each block that issues operations, numbered like these.

// Words that stand for asynchronous operations and for fences of the async proxy. No address
// has these bits, see shared.placeOf.
const (
	asyncWord  = uint64(1) << 62
	sourceWord = asyncWord | 1<<61
	fenceWord  = asyncWord | 1<<60
	copyWord   = asyncWord | 1<<59
)

// copiesOf is the word that stands for what the copies (cp.async) of a thread write.
func copiesOf(block, thread uint32) uint64 { return copyWord | uint64(block)<<10 | uint64(thread) }

// AsyncOp names an asynchronous operation: number N, not 0, of a block. Those of one warp follow
// each other, so that a clock has few ranges of them. As an end it stands for those from number
// From on, if that is not 0.
type AsyncOp struct {
	Block   uint32
	N, From uint32
}

// ended is the clock of who knows that the operation has ended, or, for source, has read
// what it reads.
func (a AsyncOp) ended(sourceOnly bool) *Clock {
	all := writes{a.N, a.N}
	if a.From != 0 {
		all.from = a.From
	}
	c := ofWord(sourceWord|uint64(a.Block), all)
	if sourceOnly {
		return c
	}
	return c.Join(ofWord(asyncWord|uint64(a.Block), all))
}

// Ended reports whether the operation has ended before what the owner of a clock does next;
// for source whether it has read its source.
func (c *Clock) Ended(a AsyncOp, source bool) bool {
	word := asyncWord
	if source {
		word = sourceWord
	}
	return c.Observed(word|uint64(a.Block), a.N)
}

// EndAsync lets a thread that has waited for it know that an operation has ended.
func (o *Order) EndAsync(t int, a AsyncOp, sourceOnly bool) {
	o.acquireClock(t, o.memo.ended(a, sourceOnly))
}

// End releases the end of an operation to those who wait for the phase of an mbarrier in
// which it completes; that of an operation of another block at a distance.
func (ms *MBarriers) End(a AsyncOp, over Reach, addr, parity uint64) {
	to := ms.at(addr, parity).arrivals(over)
	*to = (*to).Join(a.ended(false))
}

// Release releases a clock to those who wait for that phase: what happens before a commit, which
// arrives there when the operations before it have ended.
func (ms *MBarriers) Release(c *Clock, over Reach, addr, parity uint64) {
	to := ms.at(addr, parity).arrivals(over)
	*to = (*to).Join(c)
}

// Copied is the arrival that the completion of the copies of thread t triggers (PTX ISA, "cp.async.mbarrier.arrive"). It is
// ordered after what these copies do, "but not to those of any other instruction issued by the thread" ("Program Order: Asynchronous
// Operations"): it releases the copies that have landed and what the thread has acquired, and none of the thread's own accesses.
func (ms *MBarriers) Copied(o *Order, t int, addr, parity uint64) {
	landed := ofWord(copiesOf(o.party.Block, uint32(t)), writes{0, o.Stamp(t / 32)})
	o.Advance(t / 32)
	to := ms.at(addr, parity).arrivals(OverBlock)
	*to = (*to).Join(o.ClockOf(t)).Join(landed)
}

// CoversCopy is Covers for what a copy (cp.async) of a thread has written at an epoch of its current interval.
func (c *Clock) CoversCopy(at Epoch, thread uint32) bool {
	return c.Covers(at, thread) || c.Observed(copiesOf(at.Block, thread), at.Stamp)
}

// ProxyFence makes fence number n of the block one that thread t has executed.
func (o *Order) ProxyFence(t int, n uint32) {
	o.acquireClock(t, ofWord(fenceWord|uint64(o.party.Block), writes{n, n}))
}

// Fenced reports whether fence number n of a block for the async proxy happens before what
// the owner of a clock does next.
func (c *Clock) Fenced(block, n uint32) bool { return c.Observed(fenceWord|uint64(block), n) }
