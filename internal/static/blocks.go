package static

import (
	"fmt"
	"slices"
)

// A kernel of which no launch is known is mostly made for blocks of one shape: a
// tile of 32x8 threads, or as many as its arrays have elements. A conflict in
// blocks of another shape says nothing of the program. So one that depends on the
// extents is a finding only if it is there in all usual blocks, and the example
// is of one of them.

// usualBlocks are extents that programs use, by how many of them are not known:
// all have more than one warp.
var usualBlocks = [4][][3]uint32{
	1: {{256, 1, 1}, {128, 1, 1}, {512, 1, 1}, {1024, 1, 1}, {64, 1, 1}},
	2: {{16, 16, 1}, {32, 8, 1}, {32, 32, 1}, {8, 8, 1}, {64, 4, 1}},
	3: {{8, 8, 4}, {8, 8, 8}, {4, 4, 4}, {16, 8, 2}},
}

// blocksFor are usual extents for a launch of unknown ones, with at most so many threads.
func blocksFor(l Launch, most uint32) (out [][3]uint32) {
	var unknown []int
	for i, n := range l.Block {
		if n == 0 {
			unknown = append(unknown, i)
		}
	}
	for _, usual := range usualBlocks[len(unknown)] {
		b, threads := l.Block, uint32(1)
		for i, d := range unknown {
			b[d] = usual[i]
		}
		for _, n := range b {
			threads *= n
		}
		if threads <= most && b[2] <= 64 {
			out = append(out, b)
		}
	}
	return out
}

// inUsualBlocks leaves a pair whose conflict depends on the block's extents to the
// run, if it is safe in usual blocks of one shape.
func (c *raceCheck) inUsualBlocks(p *Pair) {
	if p.Verdict != Possible || !slices.ContainsFunc(p.Needs, func(n Need) bool { return n.Kind == NeedsBlock }) {
		return
	}
	var example *Pair
	if len(c.usual()) == 0 { // the kernel assumes another block
		return
	}
	for _, s := range c.usual() {
		q, conflict := s.pair(s.accesses[p.A.index], s.accesses[p.B.index])
		switch {
		case !conflict || q.Verdict == Safe || q.Verdict == Watched && q.unusual:
			*p = Pair{A: p.A, B: p.B}
			b := s.shape.launch.Block
			p.watch(outcome{unusual: true, why: fmt.Sprintf("not decided: a conflict takes other blocks than of %dx%dx%d threads", b[0], b[1], b[2])})
			return
		case q.Verdict > Watched && example == nil:
			example = q
		}
	}
	if example == nil {
		*p = Pair{A: p.A, B: p.B}
		p.watch(outcome{why: "not decided: no conflict was found in blocks of usual extents"})
		return
	}
	p.Evidence, p.SameValue = example.Evidence, example.SameValue
	p.IntraWarp, p.InterWarp, p.InterBlock = example.IntraWarp, example.InterWarp, example.InterBlock
}

// usual are checks of the kernel for usual blocks, made once. What each may cost is
// what is left of the kernel's bounds.
func (c *raceCheck) usual() []*raceCheck {
	if c.shaped == nil {
		c.shaped = []*raceCheck{}
		for _, b := range blocksFor(c.shape.launch, c.unit.most) {
			u := *c.unit
			u.Launch.Block = b
			u.symbolic = nil
			if s := newCheck(c.ctx, &u, c.model); s.permitted() {
				c.shaped = append(c.shaped, s)
			}
		}
	}
	return c.shaped
}
