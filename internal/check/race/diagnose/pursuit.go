package diagnose

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Union-find and other codes on graphs follow pointers through an array while other threads change it: each thread
// leaves the loop when it finds what it looks for in the array, so that threads cannot meet at a barrier there.
// Relaxed atomics make such accesses defined. A loop with a barrier does not count: its threads stay together.

// pursuits are the arrays that threads of a launch pursue.
type pursuits map[any]bool

// pursued returns the arrays of a kernel.
func pursued(f *ssa.Func, common []bool) pursuits {
	out := pursuits{}
	for _, l := range f.Loops {
		if slices.ContainsFunc(l.Latches, func(b *ssa.Block) bool { return common[b.ID] }) || hasBarrier(l) {
			continue
		}
		written := map[any]bool{}
		for _, v := range valuesOf(l) {
			if r := rootOf(v); r != nil && (v.Op == ssa.Store || v.Op == ssa.Atomic) {
				written[r] = true
			}
		}
		if len(written) == 0 {
			continue
		}
		for _, e := range l.Exits {
			for _, r := range readFor(e.From.Control, l) {
				out[r] = out[r] || written[r]
			}
		}
	}
	return out
}

// has reports whether an access is to an array that is pursued.
func (p pursuits) has(vs []*ssa.Value) bool {
	return slices.ContainsFunc(vs, func(v *ssa.Value) bool { r := rootOf(v); return r != nil && p[r] })
}

func valuesOf(l *ssa.Loop) (vs []*ssa.Value) {
	for _, b := range l.Blocks {
		vs = append(vs, b.Values...)
	}
	return vs
}

func hasBarrier(l *ssa.Loop) bool {
	return slices.ContainsFunc(valuesOf(l), func(v *ssa.Value) bool { return v.Bar != nil && v.Bar.WholeBlock() })
}

// maxSlice bounds the values that are looked at for one condition or address.
const maxSlice = 500

// slice calls what with the values that v is computed from, v among them, until it returns true. What a load was made
// with is among them if through is set.
func slice(v *ssa.Value, through bool, what func(*ssa.Value) bool) bool {
	if v == nil {
		return false
	}
	seen := map[*ssa.Value]bool{v: true}
	for work := []*ssa.Value{v}; len(work) > 0 && len(seen) < maxSlice; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if what(x) {
			return true
		}
		if !through && (x.Op == ssa.Load || x.Op == ssa.Atomic) {
			continue
		}
		for _, y := range x.Args {
			if !seen[y] {
				seen[y] = true
				work = append(work, y)
			}
		}
	}
	return false
}

// readFor returns the arrays that are read in a loop for a value.
func readFor(v *ssa.Value, l *ssa.Loop) (roots []any) {
	slice(v, true, func(x *ssa.Value) bool {
		if r := rootOf(x); r != nil && l.Contains(x.Block) && (x.Op == ssa.Load || x.Op == ssa.Atomic) && !slices.Contains(roots, r) {
			roots = append(roots, r)
		}
		return false
	})
	return roots
}

// rootOf is the parameter, the name of it, or the variable that an access goes to, nil for one that does not show or is
// the thread's own.
func rootOf(v *ssa.Value) (root any) {
	if v.Mem == nil || v.Mem.Base == nil {
		return nil
	}
	slice(v.Mem.Base, false, func(x *ssa.Value) bool {
		switch {
		case x.Op == ssa.Addr && x.Object != nil:
			root = x.Object
		case x.Op == ssa.Param && x.Type.Size() == 8:
			root = x.Name
		}
		return root != nil
	})
	return root
}

// byData reports whether the address of an access is computed from what was read from memory.
func (w *ways) byData(s *trace.Site) bool {
	return w != nil && slices.ContainsFunc(w.at(s), func(v *ssa.Value) bool {
		return v.Mem != nil && slice(v.Mem.Base, false, func(x *ssa.Value) bool { return x.Op == ssa.Load || x.Op == ssa.Atomic })
	})
}

// isPursued: the two are to an array that threads pursue, and what orders them otherwise is a barrier or is missing.
func isPursued(d *diagnosis) bool {
	switch d.cause {
	case NoBarrier, NoSyncwarp, BlocksUnordered:
	default:
		return false
	}
	w := d.ways(d.run.Launch)
	return w != nil && w.pursuits.has(w.at(d.early.Site)) && w.pursuits.has(w.at(d.late.Site))
}

// isSignaled: the accesses are relaxed already, as volatile ones are, and their elements do not come from memory: the loop waits for
// a part of the object that says when the others may be accessed, as in a ring between warps.
func isSignaled(d *diagnosis) bool {
	w := d.ways(d.run.Launch)
	return d.volatile && isPursued(d) && !w.byData(d.early.Site) && !w.byData(d.late.Site)
}

func helpSignaled(d *diagnosis) string {
	return "order them by the variable that the threads wait for: __syncwarp() and " + d.fence() + " before it is written, and both again after it is read"
}

// helpPursued names the scope of the memory, not of this pair: other launches may have more blocks.
func helpPursued(d *diagnosis) string {
	scope := "cuda::thread_scope_device"
	if d.run.Shared {
		scope = "cuda::thread_scope_block"
	}
	return "make the accesses relaxed atomics (cuda::atomic_ref with " + scope + " and cuda::memory_order_relaxed): each thread follows its own way through the array, so no barrier can order them"
}
