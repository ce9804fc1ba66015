package static

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// maxBlock is the most threads of a block on every architecture (CUDA C++
// Programming Guide, "Technical Specifications per Compute Capability").
const maxBlock = 1024

// Launch holds the facts about a kernel's launch.
type Launch struct {
	// Block and Grid are the extents, 0 where unknown.
	Block, Grid [3]uint32
	// Params are the values of scalar parameters and of structures' members, as
	// bits.
	Params map[Part]uint64
	// words are words of eight bytes of structures, as host code passes them.
	words map[Part]uint64
	// Shared is the size of dynamic shared memory in bytes; negative where it
	// is not known.
	Shared int64
	// AssumeDistinct is set if different pointer parameters point to different
	// arrays.
	AssumeDistinct bool
	// arrays numbers, from 1, the allocations that pointer parameters are known to
	// point to; restricted are the parameters declared __restrict__.
	arrays     map[Part]int
	restricted []Part
	facts      facts
}

// Known reports whether the block's extents are.
func (l Launch) Known() bool { return l.Block[0]*l.Block[1]*l.Block[2] != 0 }

// Threads is the number of threads of a block of known extents.
func (l Launch) Threads() int { return int(l.Block[0] * l.Block[1] * l.Block[2]) }

// BoundBy fills in what the kernel's directives say: .reqntid gives the block,
// .maxntid a bound, which it returns (1024 where there is none). A dimension
// that the kernel never asks for is taken to be 1, unless it is given; the first
// is so only where the kernel asks for another.
func (l Launch) BoundBy(f *ssa.Func) (Launch, uint32) {
	most := uint32(maxBlock)
	for _, d := range f.PTX.Directives {
		switch d.Name {
		case "reqntid":
			for i := range l.Block {
				l.Block[i] = 1
				if i < len(d.Args) {
					l.Block[i] = uint32(d.Args[i])
				}
			}
		case "maxntid":
			n := uint32(1)
			for _, a := range d.Args {
				n *= uint32(a)
			}
			most = min(most, n)
		}
	}
	used := specials(f)
	for i, x := range []string{"x", "y", "z"} {
		if l.Block[i] == 0 && (i > 0 || used["%tid.y"] || used["%tid.z"]) && !used["%tid."+x] && !used["%ntid."+x] {
			l.Block[i] = 1
		}
		if l.Grid[i] == 0 && (i > 0 || used["%ctaid.y"] || used["%ctaid.z"]) && !used["%ctaid."+x] && !used["%nctaid."+x] {
			l.Grid[i] = 1
		}
	}
	return l, most
}

// specials are the special registers that a kernel reads. Where it reads some of them for
// ranks and sizes alone, those of y and z are not among them.
func specials(f *ssa.Func) map[string]bool {
	used, ranks := map[string]bool{}, newRanks(f)
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.Special && (!ranks.only(v) || strings.HasSuffix(v.Name, ".x")) {
				used[v.Name] = true
			}
		}
	}
	return used
}

// thread are the terms of one thread's place.
type thread struct {
	tid, block [3]*solve.Term
}

// shape are the terms of the launch's extents.
type shape struct {
	launch     Launch
	ntid, grid [3]*solve.Term
	// known are the constraints on the extents that are variables, likely keeps
	// them at what programs use, computed is what host code makes of its values.
	known, likely, computed []*solve.Term
}

var axes = [3]string{"x", "y", "z"}

// The bounds of a grid whose extents are not known: all threads together have
// indices of 31 bits.
const (
	mostBlocksX  = 1<<21 - 1
	mostBlocksYZ = 1<<10 - 1
)

// newShape makes constants of the known values and variables of the rest; most is
// the most threads of a block.
func newShape(l Launch, most uint32) *shape {
	s := &shape{launch: l}
	product := word(1)
	for i, limit := range [3]uint32{maxBlock, maxBlock, 64} {
		if s.ntid[i] = word(l.Block[i]); l.Block[i] == 0 {
			s.ntid[i] = solve.Bounded("ntid."+axes[i], 32, uint64(min(limit, most)))
			s.known = append(s.known, between(s.ntid[i], 1, min(limit, most)))
			s.likely = append(s.likely, solve.Eq(solve.BitAnd(s.ntid[i], solve.Sub(s.ntid[i], word(1))), word(0)))
		}
		product = solve.Mul(product, s.ntid[i])
		if s.grid[i] = word(l.Grid[i]); l.Grid[i] == 0 {
			s.grid[i] = solve.Bounded("nctaid."+axes[i], 32, uint64(s.mostBlocks(i)))
			s.known = append(s.known, between(s.grid[i], 1, s.mostBlocks(i)))
			s.likely = append(s.likely, solve.ULe(s.grid[i], word(1024)))
		}
	}
	s.known = append(s.known, solve.ULe(product, word(most)))
	s.computed = l.facts.about(s)
	return s
}

// mostBlocks bounds the grid in a dimension.
func (s *shape) mostBlocks(i int) uint32 {
	switch {
	case i > 0:
		return mostBlocksYZ
	case s.launch.Grid[1] == 1 && s.launch.Grid[2] == 1:
		return mostBlocksX
	}
	return mostBlocksYZ
}

func word(v uint32) *solve.Term { return solve.BV(uint64(v), 32) }

// between is low <= t <= high without signs.
func between(t *solve.Term, low, high uint32) *solve.Term {
	return solve.And(solve.ULe(word(low), t), solve.ULe(t, word(high)))
}

// place makes the terms of a thread and of its block.
func (s *shape) place(name, block string) (t thread) {
	for i := range axes {
		t.tid[i], t.block[i] = word(0), word(0)
		if s.launch.Block[i] != 1 {
			t.tid[i] = solve.Bounded(name+".tid."+axes[i], 32, s.ntid[i].Most()-1)
		}
		if s.launch.Grid[i] != 1 {
			t.block[i] = solve.Bounded(block+"ctaid."+axes[i], 32, s.grid[i].Most()-1)
		}
	}
	return t
}

// limits are the constraints on the indices and extents among variables: a
// query does not depend on an extent that it does not name.
func (s *shape) limits(t thread, names map[string]bool) []*solve.Term {
	var out []*solve.Term
	for i := range axes {
		for _, x := range [2][2]*solve.Term{{t.tid[i], s.ntid[i]}, {t.block[i], s.grid[i]}} {
			if names[x[0].Name()] {
				out = append(out, solve.ULt(x[0], x[1]))
			}
		}
	}
	return out
}

// linear is the thread's index in its block, x fastest.
func (s *shape) linear(t thread) *solve.Term {
	yz := solve.Add(t.tid[1], solve.Mul(s.ntid[1], t.tid[2]))
	return solve.Add(t.tid[0], solve.Mul(s.ntid[0], yz))
}

// special is the value of a special register, nil where it is not one that
// follows from the thread's place.
func (s *shape) special(name string, t thread) *solve.Term {
	for i, x := range axes {
		switch name {
		case "%tid." + x:
			return t.tid[i]
		case "%ntid." + x:
			return s.ntid[i]
		case "%ctaid." + x:
			return t.block[i]
		case "%nctaid." + x:
			return s.grid[i]
		}
	}
	switch name {
	case "%laneid":
		return solve.BitAnd(s.linear(t), word(31))
	case "WARP_SZ":
		return word(32)
	}
	return nil
}
