package program

import "slices"

// Waiting returns the loop in which lanes at a step may be waiting: the innermost
// one around it that can repeat itself since it does not count, else the outermost;
// nil outside of loops.
func (l *Loops) Waiting(pc int32) *Loop {
	outer := l.At(pc)
	best := outer
	for x := outer; x != nil; {
		if x = x.innerAt(l.block[pc]); x != nil && x.steady() {
			best = x
		}
	}
	return best
}

// innerAt returns the loop inside of x that a block lies in, nil for none: the smallest of
// several that begin at the entry of x, else what is left of x without its entry.
func (x *Loop) innerAt(block int32) *Loop {
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
		best.examine()
		return best
	case entry == block:
		return nil
	}
	return x.without(entry, block)
}

// examine finds out what is kept of a loop.
func (x *Loop) examine() {
	x.analyze()
	x.of.nest([]*Loop{x})
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
	for _, y := range x.of.cycles(x.blocks, entry) {
		if y.in[block] {
			y.examine()
			return y
		}
	}
	return nil
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

// steady reports whether x is a loop whose way out is not decided by what a round hands to the
// next one in registers, as a counter.
func (x *Loop) steady() bool { return !x.Whole && x.entry() >= 0 && !x.handsOn }
