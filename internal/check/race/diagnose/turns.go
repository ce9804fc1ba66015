package diagnose

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Threads that hand a buffer to others and fill it again need a way back: before they overwrite it, they have to wait
// until the others have read it.

// issuedAhead: the thread that reads or writes what an operation moves has waited, in each pass of its loop, for the operation of that
// pass; this is the next one, which is issued before the thread is done.
func issuedAhead(d *diagnosis) bool {
	return d.w.Async == evidence.Unobserved && d.w.Observed && d.waitsFirst(d.w.Then.Site)
}

// waitsFirst reports whether each pass of the innermost loop around an access waits at an mbarrier before it.
func (d *diagnosis) waitsFirst(s *trace.Site) bool {
	w := d.ways(d.run.Launch)
	if w == nil {
		return false
	}
	return slices.ContainsFunc(w.at(s), func(v *ssa.Value) bool {
		l := v.Block.Loop
		return l != nil && slices.ContainsFunc(l.Blocks, func(b *ssa.Block) bool {
			return b != v.Block && w.dominates(b, v.Block) && slices.ContainsFunc(b.Values, isMBarrierTest)
		})
	})
}

func isMBarrierTest(v *ssa.Value) bool { return v.Does.Kind == inst.MBarrierTest }

func whyIssuedAhead(d *diagnosis) string {
	operation, other := d.operation()
	return fmt.Sprintf("the next asynchronous operation of %s is issued while this thread may not be done with %s, and its wait is for the one before", d.where(operation), d.where(other))
}

// noWayBack: one thread writes in each pass of a loop what others read after a wait at an mbarrier, and the loop waits for none of them.
func noWayBack(d *diagnosis) bool {
	if !wrongPhase(d) || d.early.Site.Kind != trace.Read && d.late.Site.Kind != trace.Read {
		return false
	}
	w := d.ways(d.run.Launch)
	if w == nil {
		return false
	}
	vs := w.at(d.writer())
	return len(vs) > 0 && !slices.ContainsFunc(vs, func(v *ssa.Value) bool {
		return v.Block.Loop == nil || hasBarrier(v.Block.Loop) || slices.ContainsFunc(valuesOf(v.Block.Loop), isMBarrierTest)
	})
}

// reader is the one of two accesses that reads.
func (d *diagnosis) reader() *trace.Site {
	if d.early.Site.Kind == trace.Read {
		return d.early.Site
	}
	return d.late.Site
}

func whyNoWayBack(d *diagnosis) string {
	return fmt.Sprintf("%s writes again in the next pass of its loop, which does not wait until the threads of %s have read", d.where(d.writer()), d.where(d.reader()))
}

func helpNoWayBack(d *diagnosis) string {
	return fmt.Sprintf("use a second mbarrier for the way back: the threads that read arrive at it after %s, and the thread that writes waits for its phase before %s, from the second pass on", d.where(d.reader()), d.where(d.writer()))
}
