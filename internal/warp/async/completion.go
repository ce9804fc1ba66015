package async

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// NextOp numbers an asynchronous operation that a warp of the block issues; see
// trace.AsyncAccess. The numbers of one warp follow each other, so that who knows the end
// of all of them need not remember each.
func (b *Block) NextOp(warp int) uint64 {
	for len(b.ops) <= warp {
		b.ops = append(b.ops, 0)
	}
	b.ops[warp]++
	return uint64(trace.FirstWarp+warp)<<trace.PipeShift | b.ops[warp]&(1<<trace.PipeShift-1)
}

// Defer lets an operation complete when its mbarrier is looked at.
func (c *Completion) Defer() {
	c.Owner.completions = append(c.Owner.completions, c)
	c.Warp.did.Progress++
}

// far reports whether an operation that completes on an mbarrier of the block takes longer than the warps need that can run
// now, and brings it near.
func (b *Block) far(at uint64) (far bool) {
	for _, c := range b.completions {
		if c.At == at && !c.near {
			c.near, far = true, true
		}
	}
	return far && b.Latency
}

// completeAt completes what waits at an mbarrier of the block, which w, one of its warps,
// is about to look at. It returns false after a fault.
func (b *Block) completeAt(u *Unit, at uint64) bool {
	var due []*Completion
	b.completions = slices.DeleteFunc(b.completions, func(c *Completion) bool {
		if c.At == at {
			due = append(due, c)
		}
		return c.At == at
	})
	for _, c := range due {
		if !c.complete(u) {
			return false
		}
	}
	return true
}

// completeThere is completeAt for the block that the operation at hand goes to.
func (u *Unit) completeThere(at uint64) bool {
	b := u.there()
	return len(b.completions) == 0 || b.completeAt(u, at)
}

// complete is Complete with a warp that takes the fault of a wrong mbarrier.
func (c *Completion) complete(u *Unit) bool {
	if c.Land != nil && !c.Land() {
		return false
	}
	env := c.Owner
	u.did.Progress++
	if f := env.On().AsyncEnded; f != nil {
		env.Flush()
		for _, op := range c.Ops {
			f(&trace.AsyncEnd{Issuer: c.Warp.block.Place().Index, Op: op, From: c.From, OnMBarrier: true, MBarrier: c.At})
		}
	}
	return env.CompleteTx(u, c.Site, c.At, c.Bytes, c.Arrivals)
}

// CompleteTx is complete_tx of n bytes on the mbarrier at offset at of env's shared memory,
// and then an arrival with a count unless that is 0. The phase ends if nothing is pending
// then. at must lie in shared memory and be a multiple of 8. It returns false after a
// fault, which w takes: no mbarrier is there, or the counts leave their range (PTX ISA,
// "Valid range of each field of the mbarrier object").
func (b *Block) CompleteTx(u *Unit, site *trace.Site, at, n, arrivals uint64) bool {
	p := b.mbarrierAt(at)
	o := unpackMBarrier(*p)
	switch o.tx -= int64(n); {
	case !o.valid:
		return u.completionFault(site, trace.CauseNoMBarrier, at, "on memory that is not an mbarrier: none was initialized at offset %d, or it was invalidated or overwritten", at)
	case o.tx < -maxTx:
		return u.completionFault(site, trace.CauseMBarrierUse, at, "makes %d bytes pending: the limit is %d", o.tx, maxTx)
	case arrivals > o.pending:
		return u.completionFault(site, trace.CauseMBarrierUse, at, "arrives with a count of %d, but the phase waits for %d more", arrivals, o.pending)
	}
	o.pending -= arrivals
	o.settlePhase()
	*p = o.pack()
	return true
}

func (u *Unit) completionFault(site *trace.Site, cause trace.Cause, at uint64, format string, args ...any) bool {
	f := u.warp.Fault(trace.FaultBarrier, cause, site, 1, site.Opcode()+" completes "+format, args...)
	f.Addr, f.Size, f.Space = at, MBarrierBytes, trace.SpaceShared
	return false
}

// MBarrierBytes is the size of an mbarrier (PTX ISA, "Size and alignment of mbarrier
// object").
const MBarrierBytes = 8
