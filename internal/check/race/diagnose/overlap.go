package diagnose

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// A kernel divides its dynamic shared memory among arrays, and one reaches into the next: that shows as a race of writes
// to the two. No order repairs it, as one of the values is lost.

// overlap names two arrays of which parts are the same memory.
type overlap struct{ first, then string }

// overlapOf returns the arrays that two writes belong to, nil for one array. The writes belong to the same straight line of
// code: threads that reuse memory for another array do so after they are done with the first one.
func (d *diagnosis) overlapOf() *overlap {
	a, z, l := d.early.Site, d.late.Site, d.run.Launch
	if !d.run.Shared || a == z || a.Kind != trace.Write || z.Kind != trace.Write {
		return nil
	}
	o := overlap{arrayOf(l, a), arrayOf(l, z)}
	w := d.ways(l)
	if w == nil {
		return nil
	}
	for _, x := range w.at(a) {
		for _, y := range w.at(z) {
			if x.Block != y.Block {
				continue
			}
			if p, q := declared(x), declared(y); p != nil && q != nil && p != q {
				return &overlap{check.VariableName(p.Name), check.VariableName(q.Name)}
			}
			if o.first != "" && o.then != "" && o.first != o.then {
				return &o
			}
		}
	}
	return nil
}

// arrayOf is the part of a dynamic shared array that an access goes to, "" where that is unknown.
func arrayOf(l *trace.Launch, s *trace.Site) string {
	if s.Subarray <= 0 || s.Subarray > len(l.Subarrays) {
		return ""
	}
	return l.Subarrays[s.Subarray-1].Name
}

// declared is the shared array whose address an access is computed from, nil where that does not show.
func declared(v *ssa.Value) *ssa.Object {
	o, _ := rootOf(v).(*ssa.Object)
	return o
}

func isOverlap(d *diagnosis) bool { return d.overlap != nil }

func whyOverlap(d *diagnosis) string {
	return fmt.Sprintf("%s and %s overlap: threads write elements of both at the same time, and one of the values is lost", d.overlap.first, d.overlap.then)
}

func helpOverlap(d *diagnosis) string {
	return fmt.Sprintf("let the one of %s and %s that begins later begin behind the last element of the other: check the number of elements in its offset, and give the launch enough bytes for both", d.overlap.first, d.overlap.then)
}
