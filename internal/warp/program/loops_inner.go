package program

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/graph"
)

// Waiting returns the loop in which lanes at a step may be waiting: the innermost
// one around it that can repeat itself since it does not count, else the outermost;
// nil outside of loops.
func (l *Loops) Waiting(pc int32) *Loop {
	outer := l.At(pc)
	best := outer
	for x := outer; x != nil; {
		if x = x.around(l.block[pc]); x != nil && x.steady() {
			best = x
		}
	}
	return best
}

// around returns the loop inside of x that a block lies in, nil for none: the smallest of
// several that begin at the entry of x, else what is left of x without its entry.
func (x *Loop) around(block int32) *Loop {
	entry := x.entry()
	if entry < 0 {
		return nil
	}
	var best *Loop
	for _, latch := range x.blocks {
		x.of.edges(latch, func(to int32) {
			if to != entry {
				return
			}
			if y := x.natural(entry, latch); y.in[block] && len(y.blocks) < len(x.blocks) && (best == nil || len(y.blocks) < len(best.blocks)) {
				best = y
			}
		})
	}
	switch {
	case best != nil:
		best.analyze()
		return best
	case entry == block:
		return nil
	}
	return x.without(entry, block)
}

// natural is the loop of one way back to the entry of x: the blocks that reach the
// latch without passing the entry.
func (x *Loop) natural(entry, latch int32) *Loop {
	y := &Loop{p: x.p, of: x.of, blocks: []int32{entry}, in: map[int32]bool{entry: true}}
	before := map[int32][]int32{}
	for _, b := range x.blocks {
		x.of.edges(b, func(to int32) { before[to] = append(before[to], b) })
	}
	for work := []int32{latch}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if x.in[b] && !y.in[b] {
			y.in[b] = true
			y.blocks = append(y.blocks, b)
			work = append(work, before[b]...)
		}
	}
	slices.Sort(y.blocks)
	return y
}

// without returns the loop around a block in what is left of x without its entry.
func (x *Loop) without(entry, block int32) *Loop {
	g := graph.New(len(x.of.starts))
	for _, b := range x.blocks {
		x.of.edges(b, func(to int32) {
			if b != entry && to != entry && x.in[to] {
				g.Add(int(b), int(to))
			}
		})
	}
	comp, cyclic := g.SCC()
	if !cyclic[block] {
		return nil
	}
	y := &Loop{p: x.p, of: x.of, in: map[int32]bool{}}
	for _, b := range x.blocks {
		if comp[b] == comp[block] {
			y.blocks = append(y.blocks, b)
			y.in[b] = true
		}
	}
	y.analyze()
	return y
}

// entry is the block of a loop that is reached from outside, -1 if there are
// several.
func (x *Loop) entry() int32 {
	entry := int32(-1)
	for b := range x.of.starts {
		if x.in[int32(b)] {
			continue
		}
		several := false
		x.of.edges(int32(b), func(to int32) {
			if x.in[to] {
				several = several || entry >= 0 && entry != to
				entry = to
			}
		})
		if several {
			return -1
		}
	}
	return entry
}

// steady reports a loop whose way out is not decided by what a round hands to the
// next one in registers, as a counter.
func (x *Loop) steady() bool {
	entry := x.entry()
	if x.Whole || entry < 0 {
		return false
	}
	for _, s := range x.Decides {
		written := false
		x.Each(func(in *Instr) { written = written || x.p.writes(in, map[int32]bool{s: true}) })
		if written && x.exposed(s, entry, map[int32]bool{}) {
			return false
		}
	}
	return true
}

// exposed reports whether a slot may be read, from block b on, before it is written.
func (x *Loop) exposed(slot, b int32, seen map[int32]bool) bool {
	if seen[b] || !x.in[b] {
		return false
	}
	seen[b] = true
	from, to := x.of.span(b)
	for i := from; i < to; i++ {
		in := &x.p.Code[i]
		reads, writes := false, false
		x.p.Slots(in, func(s int32, u Use) {
			reads = reads || s == slot && u&Reads != 0
			writes = writes || s == slot && u&Writes != 0
		})
		if reads {
			return true
		}
		if writes && in.Guard == NoSlot {
			return false
		}
	}
	out := false
	x.of.edges(b, func(to int32) { out = out || x.exposed(slot, to, seen) })
	return out
}
