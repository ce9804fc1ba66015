package diagnose

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// A __syncthreads() is advised only where all threads of the block come to it. Whether
// there is such a place between two accesses shows in the kernel's static form, with the
// launch's shape and arguments.

// joint is where all threads of a block can meet between two accesses.
type joint uint8

const (
	// anywhere: there is such a place, or that is unknown.
	anywhere joint = iota
	// oneArm: a branch at which threads diverge leads to both, one after the other.
	oneArm
	// twoArms: threads come to one or to the other.
	twoArms
)

// ways is the form of a kernel and the blocks in it that all threads execute together.
type ways struct {
	launch *trace.Launch
	at     func(*trace.Site) []*ssa.Value
	common []bool
	// part are the blocks at whose ends threads may part.
	part  []bool
	lanes *analysis.Analysis
	// dominates reports whether every path to the second block goes through the first one.
	dominates func(a, b *ssa.Block) bool
	// pursuits are the arrays that no barrier can keep in order.
	pursuits pursuits
}

// ways returns those of a launch, nil where its kernel's form is unknown.
func (d *Diagnoser) ways(l *trace.Launch) *ways {
	facts := d.config.Facts(l)
	if facts == nil {
		return nil
	}
	if d.last != nil && d.last.launch == l {
		return d.last
	}
	f := facts.Func()
	a := analysis.New(f, analysis.Env{
		Block: [3]uint32{l.Block.X, l.Block.Y, l.Block.Z}, Grid: [3]uint32{l.Grid.X, l.Grid.Y, l.Grid.Z}, PtrAlign: 1,
		Param: func(name string, off, size int) (uint64, bool) {
			return analysis.Argument(f, l.Params, name, off, size)
		},
	})
	common, part := meeting(f, a, l)
	d.last = &ways{l, func(s *trace.Site) []*ssa.Value { return facts.At(hb.GuardSite(s)) }, common, part, a, f.Dominates, pursued(f, a.Common())}
	return d.last
}

// meeting are the blocks that all threads come to whatever the arguments are, and those at which they may part: a barrier in a branch that only
// this launch's sizes let all threads take hangs with others. A kernel that has one in such a branch is meant for them.
func meeting(f *ssa.Func, a *analysis.Analysis, l *trace.Launch) (common, part []bool) {
	common, part = a.Meeting()
	always, parts := analysis.New(f, analysis.Env{Block: [3]uint32{l.Block.X, l.Block.Y, l.Block.Z}, Grid: [3]uint32{l.Grid.X, l.Grid.Y, l.Grid.Z}, PtrAlign: 1}).Meeting()
	for _, b := range f.Blocks {
		if !always[b.ID] && common[b.ID] && slices.ContainsFunc(b.Values, func(v *ssa.Value) bool { return v.Bar != nil && v.Bar.WholeBlock() }) {
			return common, part
		}
	}
	return always, parts
}

// unevenLoop is where the condition of a loop around two accesses stands of which threads make different numbers of passes; ok is false for none.
func (w *ways) unevenLoop(a, z *trace.Site) (at source.Pos, ok bool) {
	if w == nil {
		return at, false
	}
	for _, x := range w.at(a) {
		for _, y := range w.at(z) {
			for l := x.Block.Loop; l != nil; l = l.Parent {
				if !l.Contains(y.Block) {
					continue
				}
				for _, b := range l.Blocks {
					exits := slices.ContainsFunc(b.Succs, func(s *ssa.Block) bool { return !l.Contains(s) })
					if exits && w.part[b.ID] && b.Control.Loc.IsValid() {
						return b.Control.Loc.Pos, true
					}
				}
			}
		}
	}
	return at, false
}

// between looks for a place for a barrier after a and before z, wherever these are inlined;
// next if z is meant in the next pass of a loop.
func (w *ways) between(a, z *trace.Site, next bool) joint {
	if w == nil {
		return anywhere
	}
	worst := anywhere
	for _, x := range w.at(a) {
		for _, y := range w.at(z) {
			m := w.meet(x, y, next)
			if m == anywhere {
				return anywhere
			}
			worst = max(worst, m)
		}
	}
	return worst
}

// meet is between for two accesses. Threads may have come to them in either order.
func (w *ways) meet(x, y *ssa.Value, next bool) joint {
	return min(w.order(x.Block, y.Block, next), w.order(y.Block, x.Block, next))
}

func (w *ways) order(x, y *ssa.Block, next bool) joint {
	after := blocksAfter(x, next)
	if x != y && !after[y] {
		return twoArms
	}
	if w.common[x.ID] || w.common[y.ID] {
		return anywhere
	}
	for b := range after {
		if w.common[b.ID] && blocksAfter(b, next)[y] {
			return anywhere
		}
	}
	return oneArm
}

// blocksAfter are the blocks that a thread may come to once it has left b; next if
// it may do so in the next pass of a loop.
func blocksAfter(b *ssa.Block, next bool) map[*ssa.Block]bool {
	seen := map[*ssa.Block]bool{}
	work := []*ssa.Block{b}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for _, y := range x.Succs {
			back := y.Loop != nil && y.Loop.Header == y && y.Loop.Contains(x)
			if !seen[y] && (next || !back) {
				seen[y] = true
				work = append(work, y)
			}
		}
	}
	return seen
}

// active returns the lanes of a warp that come to an access, 0 where that is unknown, and
// those that the warp has.
func (w *ways) active(s *trace.Site, warp int) (lanes, all uint32) {
	if w == nil {
		return 0, 0
	}
	block := [3]uint32{w.launch.Block.X, w.launch.Block.Y, w.launch.Block.Z}
	_, all = w.lanes.Active(&analysis.Path{}, block, warp)
	for _, v := range w.at(s) {
		on, maybe := w.lanes.Active(w.lanes.Path(v.Block), block, warp)
		if on != maybe {
			return 0, all
		}
		lanes |= on
	}
	return lanes, all
}
