package warp

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Completion is an asynchronous operation that completes on an mbarrier: a bulk copy by
// complete_tx of its bytes, a tcgen05.commit by an arrival (PTX ISA, "Data Movement and
// Conversion Instructions: Completion Mechanisms", "complete-tx operation"). It happens at
// the latest moment: when a thread of Owner looks at the mbarrier, or arrives there for
// a phase that only completions hold back. An operation whose mbarrier no thread looks at never happens.
type Completion struct {
	// Site is the instruction that issued the operation, by Warp, which may be one of
	// another block of the cluster. Ops are the numbers of the operations that it ends,
	// from Env.NextAsyncOp. If From is not 0 it also ends those from From on to the one of Ops.
	Site *trace.Site
	Warp *Warp
	Ops  []uint64
	From uint64
	// Owner is the block with the mbarrier, At its offset in Owner's shared memory.
	Owner *Env
	At    uint64
	// Bytes is what complete_tx takes off the phase's transaction count, Arrivals what an
	// arrive takes off its pending count. One of them is 0.
	Bytes, Arrivals uint64
	// near is set once a warp has waited for it: the next one that does finds it done.
	near bool
	// Land does what the operation does to memory, before the mbarrier changes; false after
	// a fault. It may be nil.
	Land func() bool
}

// NextAsyncOp numbers an asynchronous operation that a warp of the block issues; see
// trace.AsyncAccess. The numbers of one warp follow each other, so that who knows the end
// of all of them need not remember each.
func (env *Env) NextAsyncOp(warp int) uint64 {
	for len(env.asyncOps) <= warp {
		env.asyncOps = append(env.asyncOps, 0)
	}
	env.asyncOps[warp]++
	return uint64(trace.FirstWarp+warp)<<trace.PipeShift | env.asyncOps[warp]&(1<<trace.PipeShift-1)
}

// flush lets observers of shared memory have what is withheld from them, before an event of
// an asynchronous operation.
func (env *Env) flush() {
	if g := env.Watched.Group; g != nil {
		g.Flush()
	}
}

// Defer lets an operation complete when its mbarrier is looked at.
func (c *Completion) Defer() {
	c.Owner.completions = append(c.Owner.completions, c)
	c.Warp.Progress++
}

// far reports whether an operation that completes on an mbarrier of the block takes longer than the warps need that can run
// now, and brings it near.
func (env *Env) far(at uint64) (far bool) {
	for _, c := range env.completions {
		if c.At == at && !c.near {
			c.near, far = true, true
		}
	}
	return far && env.Latency
}

// completeAt completes what waits at an mbarrier of the block, which w, one of its warps,
// is about to look at. It returns false after a fault.
func (env *Env) completeAt(w *Warp, at uint64) bool {
	var due []*Completion
	env.completions = slices.DeleteFunc(env.completions, func(c *Completion) bool {
		if c.At == at {
			due = append(due, c)
		}
		return c.At == at
	})
	for _, c := range due {
		if !c.complete(w) {
			return false
		}
	}
	return true
}

// completeThere is completeAt for the block that the operation at hand goes to.
func (w asyncUnit) completeThere(at uint64) bool {
	env := w.Env
	if env.owner != nil {
		env = env.owner
	}
	return len(env.completions) == 0 || env.completeAt(w.Warp, at)
}

// complete is Complete with a warp that takes the fault of a wrong mbarrier.
func (c *Completion) complete(w *Warp) bool {
	if c.Land != nil && !c.Land() {
		return false
	}
	env := c.Owner
	w.Progress++
	if f := env.On.AsyncEnded; f != nil {
		env.flush()
		for _, op := range c.Ops {
			f(&trace.AsyncEnd{Issuer: c.Warp.Env.Block.Index, Op: op, From: c.From, OnMBarrier: true, MBarrier: c.At})
		}
	}
	return env.CompleteTx(w, c.Site, c.At, c.Bytes, c.Arrivals)
}

// CompleteTx is complete_tx of n bytes on the mbarrier at offset at of env's shared memory,
// and then an arrival with a count unless that is 0. The phase ends if nothing is pending
// then. at must lie in shared memory and be a multiple of 8. It returns false after a
// fault, which w takes: no mbarrier is there, or the counts leave their range (PTX ISA,
// "Valid range of each field of the mbarrier object").
func (env *Env) CompleteTx(w *Warp, site *trace.Site, at, n, arrivals uint64) bool {
	p := env.mbarrierAt(at)
	b := unpackMBarrier(*p)
	switch b.tx -= int64(n); {
	case !b.valid:
		return w.completionFault(site, trace.CauseNoMBarrier, at, "on memory that is not an mbarrier: none was initialized at offset %d, or it was invalidated or overwritten", at)
	case b.tx < -maxTx:
		return w.completionFault(site, trace.CauseMBarrierUse, at, "makes %d bytes pending: the limit is %d", b.tx, maxTx)
	case arrivals > b.pending:
		return w.completionFault(site, trace.CauseMBarrierUse, at, "arrives with a count of %d, but the phase waits for %d more", arrivals, b.pending)
	}
	b.pending -= arrivals
	b.settlePhase()
	*p = b.pack()
	return true
}

func (w *Warp) completionFault(site *trace.Site, cause trace.Cause, at uint64, format string, args ...any) bool {
	f := w.Fault(trace.FaultBarrier, cause, site, 1, site.Opcode()+" completes "+format, args...)
	f.Addr, f.Size, f.Space = at, mbarrierBytes, trace.SpaceShared
	return false
}

// mbarrierBytes is the size of an mbarrier (PTX ISA, "Size and alignment of mbarrier
// object").
const mbarrierBytes = 8
