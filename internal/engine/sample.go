package engine

import "github.com/warpgrind/warpgrind/internal/trace"

// Sample chooses the blocks that observers see. The zero Sample is all.
type Sample struct {
	// Every is N where one block in N is seen, Blocks how many blocks of each
	// launch are, evenly spread. At most one of them is not 0.
	Every, Blocks uint64
}

// has reports whether block i of n is seen. The first one always is, and the
// last of a number of blocks, since they are where grids have their edges.
func (s Sample) has(i, n uint64) bool {
	switch {
	case s.Every > 1:
		return i%s.Every == 0
	case s.Blocks == 1:
		return i == 0
	case s.Blocks > 1 && s.Blocks < n:
		// Is i one of k*(n-1)/(Blocks-1), rounded down?
		k := (i*(s.Blocks-1) + n - 2) / (n - 1)
		return k*(n-1)/(s.Blocks-1) == i
	}
	return true
}

// count is how many of n blocks are seen.
func (s Sample) count(n uint64) uint64 {
	switch {
	case s.Every > 1:
		return (n + s.Every - 1) / s.Every
	case s.Blocks > 0:
		return min(s.Blocks, n)
	}
	return n
}

// overhear readies a slot for blocks that nobody observes.
func (b *block) overhear() {
	for _, o := range b.r.observers {
		if o.Events()&trace.UnwrittenReads != 0 {
			b.env.OnUnwritten = []trace.UnwrittenObserver{trace.QuietBlock{}}
			return
		}
	}
}

// slot returns a free slot for blocks that are observed or not.
func (r *run) slot(idle *[]*block, observed bool) *block {
	for i := len(*idle) - 1; i >= 0; i-- {
		if b := (*idle)[i]; b.observed == observed {
			*idle = append((*idle)[:i], (*idle)[i+1:]...)
			return b
		}
	}
	return newBlock(r, observed)
}
