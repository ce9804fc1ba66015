// Package equivalent proves for a launch, whose shape and arguments are known, that
// its blocks do the same in shared memory: the same accesses to the same
// places, with the same barriers between them. What was found in one of them
// then says what there is to find in the others.
//
// Blocks differ in their indices, and in what they read from memory. The proof
// follows both through the kernel: a value varies if it is computed from them,
// or chosen by a branch that they decide. No address in shared memory may vary,
// and no access to it or barrier may lie under such a branch. Branches that the
// ranges of expressions decide do not count, such as "i < n" in a grid that
// covers n exactly. Where it does not, the blocks at the edges of the grid are
// left out.
package equivalent

import (
	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Launch holds the facts about a launch.
type Launch struct {
	Block, Grid [3]uint32
	// Params is the parameter buffer.
	Params []byte
}

// Proof says which blocks of a launch are equivalent.
type Proof struct {
	// Part has these blocks.
	Part analysis.Part
	// Straight is set if all branches go the same way in these blocks, whether
	// they matter to shared memory or not: then lanes run together in the same
	// way, too.
	Straight bool
	// Reads is set if the proof relies on read-only memory, which another launch
	// may find with other contents.
	Reads bool
}

// Has reports whether the block with that coordinate is one of those.
func (p *Proof) Has(block [3]uint32) bool {
	for i, x := range block {
		if x < p.Part.First[i] || x > p.Part.Last[i] {
			return false
		}
	}
	return true
}

// Blocks is how many there are.
func (p *Proof) Blocks() uint64 { return blocks(&p.Part) }

func blocks(p *analysis.Part) uint64 {
	n := uint64(1)
	for i := range p.First {
		if p.Last[i] < p.First[i] {
			return 0
		}
		n *= uint64(p.Last[i]-p.First[i]) + 1
	}
	return n
}

// Prove finds the largest part of the grid whose blocks are equivalent: all of it,
// or what is left without the last or without both ends in each dimension. It
// returns nil if that has fewer than two blocks or less than half of them.
func Prove(f *ssa.Func, l Launch) *Proof {
	all := analysis.Part{Last: [3]uint32{l.Grid[0] - 1, l.Grid[1] - 1, l.Grid[2] - 1}}
	for try := range 3 {
		part := all
		for i, n := range l.Grid {
			if n > 1 && try > 0 {
				part.Last[i] = n - 2
			}
			if n > 2 && try > 1 {
				part.First[i] = 1
			}
		}
		if n := blocks(&part); n < 2 || n < blocks(&all)/2 {
			return nil
		}
		p := newProver(f, l, &part)
		if p.prove() {
			return &Proof{Part: part, Straight: !p.diverged, Reads: p.reads}
		}
		if !p.byBlock {
			return nil
		}
	}
	return nil
}
