package hb

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Tensor memory has fences of its own (PTX ISA, "Specialized Inter-thread Synchronization for
// tcgen05 instructions"). With them, relaxed operations by which threads synchronize order tensor
// memory, but no other memory. A clock keeps what it covers for tensor memory alone beside the
// rest, and both are released and acquired together.

// ForTensor covers what happens before the operations on tensor memory that the owner of a clock issues next.
func (c *Clock) ForTensor() *Clock {
	if c == nil || c.tensor == nil {
		return c
	}
	return (&Clock{blocks: c.blocks, words: c.words}).Join(c.tensor)
}

// onlyForTensor covers for tensor memory what a clock covers, and nothing else.
func (c *Clock) onlyForTensor() *Clock {
	if c == nil {
		return nil
	}
	return &Clock{tensor: c.ForTensor()}
}

// TensorFence is a tcgen05.fence by lanes of a warp: what comes before fence::before_thread_sync is
// released by the threads' relaxed operations, and what such operations have read is acquired by
// fence::after_thread_sync.
func (o *Order) TensorFence(e *trace.TensorFence) {
	if e.Warp >= o.Warps {
		return
	}
	o.now[e.Warp]++
	for m := e.Mask & o.exist[e.Warp]; m != 0; m &= m - 1 {
		t := 32*e.Warp + bits.TrailingZeros32(m)
		who := o.holder(t)
		if e.Site.Order == trace.OrderRelease {
			o.tensor.put(who, &fencePoint{interval: o.interval, stamp: o.now[e.Warp], from: o.ClockOf(t), threads: o.knownTo(who)})
			continue
		}
		var c *Clock
		for _, p := range o.pending.get(who) {
			for _, of := range p.offer {
				c = o.memo.join(c, of)
			}
		}
		if c != nil {
			o.acquireClock(t, c.onlyForTensor())
		}
	}
}

// Unfenced is what thread t would know, if it and the threads whose arrivals it has waited for had
// executed their fences of tensor memory.
func (o *Order) Unfenced(t int) *Clock {
	c := o.unfenced.get(o.holder(t))
	for _, p := range o.pending.get(o.holder(t)) {
		for _, of := range p.offer {
			c = c.Join(of)
		}
	}
	return c.ForTensor()
}

// tensorOf is what a thread has released by its fence of tensor memory, to all, however far away.
func (o *Order) tensorOf(who int) (of offer) {
	p := o.tensor.get(who)
	if p == nil {
		return of
	}
	c := o.at(who, p).onlyForTensor()
	for r := range of {
		of[r] = c
	}
	return of
}
