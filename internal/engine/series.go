package engine

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// series is a slot as one whose blocks follow each other in a sweep.
type series struct{ *block }

// mayRepeat reports whether the slot's blocks may follow each other in a sweep: no observer groups what it
// sees by barriers, and they start in the order of their numbers.
func (b series) mayRepeat() bool {
	r := b.r
	return b.sweeper != nil && r.e.cfg.Schedule.Order == DefaultOrder && r.only == nil && r.launch.ClusterSize() == 1 && !r.prog.Clusters &&
		r.prog.Groups == [trace.NumGroups]bool{} && !b.polls && b.env.Watched.Group == nil && b.env.On.Plain == nil
}

// following counts the blocks that the sweep may run after the current one. They come from the range
// that the worker has already taken.
func (b series) following() (n uint64) {
	if !b.repeats || b.steps > 0 || b.pos != 0 || b.mine.from != b.env.Block.Index+1 || !b.sweeper.Repeats() {
		return 0
	}
	last := min(b.mine.to, b.r.units)
	if b.r.lead.leads(b.env.Block.Index) {
		last = min(last, b.r.lead.units)
	}
	if b.r.launch.Ordered { // see holdsBack
		last = min(last, b.r.units-1)
	}
	for i := b.mine.from; i < last && b.r.seers(i) == b.seen; i++ {
		n++
	}
	return n
}

// skip makes the block the one that a sweep came to.
func (b series) skip(s *warp.Sweep) {
	r, n, x := b.r, uint64(len(s.Ended)), &b.env.Block
	for _, passed := range s.Ended {
		b.tellAllPassed(passed)
		if f := b.env.On.End; f != nil {
			f()
		}
		x.Index++
		x.Coord = r.launch.Grid.At(x.Index)
		if f := b.env.On.Begin; f != nil {
			f(x)
		}
	}
	b.mine.from += n
	r.passed(n)
	r.progress.Add(n)
	b.env.Begin += s.Instrs
	b.begin(x.Index)
	b.count()
}
