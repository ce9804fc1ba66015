package static

import (
	"context"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Order says what of a kernel's synchronization is proved to be needless for all extents, arguments and contents of memory.
type Order struct {
	Kernel string
	// Needed is why threads may need an order beside the one that is there; "" if it is proved that no two threads of a block can conflict.
	Needed string
	// Syncs are the places that synchronize.
	Syncs []Sync
}

// Sync is a barrier of the block, a __syncwarp or a fence. It is idle if all accesses before it, or all after it, lie behind another barrier.
type Sync struct {
	Loc  source.Location
	Idle bool
}

// Anywhere returns the launch without extents and values: only which arrays its pointers point to is kept, as that holds for all of them.
func (l Launch) Anywhere() Launch {
	l = l.Forget()
	l.Block, l.Grid, l.Shared = [3]uint32{}, [3]uint32{}, -1
	l.Params, l.words = nil, nil
	return l
}

// NewOrder examines a kernel for launches of which only the arrays are known.
func NewOrder(ctx context.Context, f *ssa.Func, launches []Launch, s *solve.Solver) *Order {
	o := &Order{Kernel: f.Name, Needed: other(f)}
	for i, l := range launches {
		u := NewUnit(f, l.Anywhere(), nil, s)
		u.within = true // no barrier of a block orders others
		if i == 0 {
			o.Syncs = u.syncs(ctx)
		}
		if o.Needed == "" {
			o.Needed = u.conflicts(ctx)
		}
	}
	return o
}

// conflicts is why two threads of the kernel may conflict, "" if none can.
func (u *Unit) conflicts(ctx context.Context) string {
	r := u.Races(ctx, ITS)
	if r.Undecided != "" {
		return r.Undecided
	}
	k := newKernel(u.F)
	if k.ordered != "" {
		return k.ordered
	}
	for _, p := range r.Pairs {
		if p.Verdict != Safe {
			return fmt.Sprintf("the accesses of lines %d and %d may be to the same memory", p.A.Value.Loc.Pos.Line, p.B.Value.Loc.Pos.Line)
		}
	}
	return ""
}

// quiet are the kinds of instructions that do nothing but compute, access memory as the accesses say, and synchronize: no other effect depends on when
// a thread comes to them.
var quiet = []inst.Kind{inst.Compute, inst.Load, inst.Store, inst.Barrier, inst.BarrierReduce, inst.WarpSync, inst.Shuffle, inst.Vote, inst.Match, inst.Redux,
	inst.Hint, inst.Branch, inst.Return, inst.Exit, inst.StackSave, inst.StackSet, inst.StackAlloc}

// other is what a kernel does that may need an order though no plain accesses conflict; "" for nothing.
func other(f *ssa.Func) string {
	if f.Irreducible {
		return severalEntries
	}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			switch {
			case v.Op == ssa.OpCall:
				return "it calls a function that is not looked into"
			case v.Op == ssa.Clock:
				return "it reads a clock"
			case v.Mem != nil && (v.Op == ssa.Atomic || v.Mem.Order != "" && v.Mem.Order != "weak"):
				return "it has atomic or volatile accesses"
			case v.Op == ssa.Fence:
				return "it has a fence: the host or other kernels may look at the order of its writes"
			case !slices.Contains(quiet, v.Does.Kind):
				return fmt.Sprintf("it has asynchronous operations or others that are not examined (%v)", v.Does.Kind)
			case v.Op == ssa.Lane && v.Does.Kind == inst.ActiveMask:
				return "it asks which lanes are active"
			}
		}
	}
	return ""
}

// syncs are the places that synchronize, and whether they are idle.
func (u *Unit) syncs(ctx context.Context) (out []Sync) {
	c := newCheck(ctx, u, ITS)
	for _, b := range u.F.Blocks {
		for _, v := range b.Values {
			switch {
			case wholeBlock(v):
				out = append(out, Sync{v.Loc, v.Type == 0 && !u.F.Irreducible && timeless(u.F) && c.idle(v)})
			case v.Op == ssa.OpBarrier || v.Op == ssa.WarpSync || v.Op == ssa.Fence || v.Op == ssa.Atomic:
				out = append(out, Sync{v.Loc, false})
			}
		}
	}
	return out
}

// timeless reports whether a kernel reads no clock.
func timeless(f *ssa.Func) bool {
	for _, b := range f.Blocks {
		if slices.ContainsFunc(b.Values, func(v *ssa.Value) bool { return v.Op == ssa.Clock }) {
			return false
		}
	}
	return true
}

// idle reports whether nothing that other threads can see happens after a barrier and before the next one or the end, on all ways, or nothing before
// it since the one before or the beginning. All threads come to it, so that it has no counterpart elsewhere.
func (c *raceCheck) idle(v *ssa.Value) bool {
	if c.kernel.barrier || c.ordered != "" || c.hidden != "" {
		return false
	}
	before, after := true, true
	for _, iv := range c.wide {
		if iv.from == v {
			after = after && iv.silent()
		}
		if len(iv.stops[v]) > 0 {
			before = before && iv.silent()
		}
	}
	if !before && !after {
		return false
	}
	for _, s := range []scope{intraWarp, interWarp} {
		if b, why := c.missed(v, s); b.Verdict != Safe || why != "" {
			return false
		}
	}
	return true
}

// silent reports whether an interval has nothing that other threads see.
func (iv *interval) silent() bool {
	for v := range iv.at {
		if v.Mem == nil || v.Mem.Space != ptx.Param && v.Mem.Space != ptx.Const && v.Mem.Space != ptx.Local {
			return false
		}
	}
	return true
}
