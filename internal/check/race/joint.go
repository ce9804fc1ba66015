package race

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// A __syncthreads() is advised only where all threads of the block come to it. Whether
// there is such a place between two accesses shows in the kernel's static form, with the
// launch's shape and arguments.

// joint says where all threads of a block can meet between two accesses.
type joint uint8

const (
	// anywhere: there is such a place, or nothing is known of it.
	anywhere joint = iota
	// oneArm: a branch at which threads part leads to both, one after the other.
	oneArm
	// twoArms: threads come to one or to the other.
	twoArms
)

// ways is the form of a kernel and the blocks in it that all threads execute together.
type ways struct {
	launch *trace.Launch
	at     func(*trace.Site) []*ssa.Value
	common []bool
	lanes  *analysis.Analysis
}

// waysOf returns those of a launch, nil where its kernel's form is not known.
func (c *checker) waysOf(l *trace.Launch) *ways {
	facts := c.factsOf(l)
	if facts == nil {
		return nil
	}
	if c.ways != nil && c.ways.launch == l {
		return c.ways
	}
	f := facts.Func()
	a := analysis.New(f, analysis.Env{
		Block: [3]uint32{l.Block.X, l.Block.Y, l.Block.Z}, Grid: [3]uint32{l.Grid.X, l.Grid.Y, l.Grid.Z}, PtrAlign: 1,
		Param: func(name string, off, size int) (uint64, bool) {
			return analysis.Argument(f, l.Params, name, off, size)
		},
	})
	c.ways = &ways{l, func(s *trace.Site) []*ssa.Value { return facts.At(guardSite(s)) }, a.Common(), a}
	return c.ways
}

// between looks for a place for a barrier after a and before z, wherever these are inlined;
// next says that z is meant in the next pass of a loop.
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

// blocksAfter are the blocks that a thread may come to once it has left b; next says that
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

// blockBarrier is a barrier between two accesses of a block's threads, of the kind that
// these can come to.
func (c *checker) blockBarrier(l *trace.Launch, a, z *trace.Site) mend {
	return barrierFor(c.waysOf(l).between(a, z, goesBetween(a, z).Next), a, z)
}

func barrierFor(m joint, a, z *trace.Site) mend {
	r := adding(AddBarrier, finding.Syncthreads, a, z)
	switch m {
	case oneArm:
		r.Kind = SplitBranch
		r.help += ", outside of the branch that only some threads of the block take"
	case twoArms:
		r.Kind, r.Call = CountedBarrier, "bar.sync"
		r.help = fmt.Sprintf("some threads of the block come to only one of the two places: use a barrier that counts those that take part (bar.sync with a number and their count, or an mbarrier) after %s and before %s",
			check.Where(a, a.Loc.File), check.Where(z, a.Loc.File))
	}
	return r
}

// warpBarrier is a __syncwarp() between two accesses of a warp, with a mask where only some
// of its lanes come to both.
func (c *checker) warpBarrier(l *trace.Launch, a, z *trace.Site, warp int) mend {
	r := adding(AddSyncwarp, finding.Syncwarp, a, z)
	w := c.waysOf(l)
	first, all := w.active(a, warp)
	then, _ := w.active(z, warp)
	switch {
	case first == 0 || then == 0 || first == all && then == all:
	case first == then:
		r = adding(AddSyncwarp, fmt.Sprintf("__syncwarp(0x%08x)", first), a, z)
	default:
		r.help += ", outside of the branch that only some lanes take"
	}
	return r
}

// active returns the lanes of a warp that come to an access, 0 where that is not known, and
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
