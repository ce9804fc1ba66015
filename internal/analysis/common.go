package analysis

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Common reports, by Block.ID, the places that all threads of a block of threads reach
// together: no branch at which they may part leads around them. What threads read at one
// address counts as one value. Branches to a trap or a failed assertion do not count.
func (a *Analysis) Common() []bool {
	common, _ := a.Meeting()
	return common
}

// Meeting returns, besides what Common does, the blocks at whose ends threads may part.
func (a *Analysis) Meeting() (common, part []bool) {
	c := &commons{a: a, varies: make([]bool, a.F.NumValues), common: make([]bool, len(a.F.Blocks))}
	for i := range c.common {
		c.common[i] = true
	}
	if len(c.common) > maxCommon {
		return c.common, make([]bool, len(c.common))
	}
	for changed := true; changed; {
		changed = c.step()
	}
	part = make([]bool, len(c.common))
	for _, b := range a.F.Blocks {
		part[b.ID] = c.parts(b)
	}
	return c.common, part
}

// maxCommon bounds the blocks of a kernel for which the question is answered: in larger
// ones all count as common.
const maxCommon = 4000

// commons follows the values that differ between the threads of a block.
type commons struct {
	a      *Analysis
	varies []bool // by Value.ID
	common []bool // by Block.ID
}

// step looks at all values and branches once, and reports whether it has found more.
func (c *commons) step() (more bool) {
	for _, b := range c.a.F.Blocks {
		for _, v := range b.Values {
			if !c.varies[v.ID] && c.differs(v) {
				c.varies[v.ID], more = true, true
			}
		}
		if c.parts(b) && c.part(b) {
			more = true
		}
	}
	return more
}

// differs reports whether threads of a block have different values of v.
func (c *commons) differs(v *ssa.Value) bool {
	switch v.Op {
	case ssa.Undef, ssa.Clock, ssa.Lane, ssa.Atomic, ssa.OpCall, ssa.Effect:
		return true
	case ssa.Special:
		return strings.HasPrefix(v.Name, "%tid") || v.Name == "%laneid" || v.Name == "%warpid" || strings.HasPrefix(v.Name, "%lanemask")
	case ssa.OpBarrier: // its result is that of a vote
		return false
	case ssa.Load:
		if v.Mem.Space == ptx.Local {
			return true
		}
	}
	return slices.ContainsFunc(v.Args, func(x *ssa.Value) bool { return c.varies[x.ID] })
}

// parts reports whether threads may part at the end of b.
func (c *commons) parts(b *ssa.Block) bool {
	return b.Control != nil && c.varies[b.Control.ID] && c.a.Divergent(b) && !slices.ContainsFunc(b.Succs, stops)
}

// stops reports whether threads that reach b only end there.
func stops(b *ssa.Block) bool {
	for range 4 {
		if b.Kind != ssa.Jump {
			break
		}
		b = b.Succs[0]
	}
	return b.Kind == ssa.Exit
}

// part notes what follows from a branch at which threads part: the blocks up to where its
// sides meet are not common, and what comes from several sides, or out of a loop that
// threads leave in different rounds, differs.
func (c *commons) part(b *ssa.Block) (more bool) {
	meet := c.a.F.Ipdom[b.ID]
	seen := make([]bool, len(c.common))
	work := slices.Clone(b.Succs)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x.ID] {
			continue
		}
		seen[x.ID] = true
		for _, v := range x.Values {
			if v.Op == ssa.Phi && !c.varies[v.ID] {
				c.varies[v.ID], more = true, true
			}
		}
		if x.ID != meet {
			more = more || c.common[x.ID]
			c.common[x.ID] = false
			work = append(work, x.Succs...)
		}
	}
	return c.leave(b, seen) || more
}

// leave raises what is computed in the loops that the branch may leave and used outside.
func (c *commons) leave(b *ssa.Block, seen []bool) (more bool) {
	for l := b.Loop; l != nil; l = l.Parent {
		if !slices.ContainsFunc(l.Exits, func(e ssa.Edge) bool { return seen[e.To.ID] }) {
			continue
		}
		for _, x := range c.a.F.Blocks {
			if l.Contains(x) {
				continue
			}
			for _, v := range x.Values {
				if !c.varies[v.ID] && slices.ContainsFunc(v.Args, func(y *ssa.Value) bool { return l.Contains(y.Block) }) {
					c.varies[v.ID], more = true, true
				}
			}
		}
	}
	return more
}
