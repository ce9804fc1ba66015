package proofs

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/analysis/equivalent"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// equivalentBlocks are the proofs about one kernel, the latest one last, and the threads of
// its launches since.
type equivalentBlocks struct {
	threads uint64
	last    []equivalentProof
}

// equivalentProof is a proof, nil for none, for one shape and arguments.
type equivalentProof struct {
	key   string
	proof *equivalent.Proof
}

// maxProofs is how many proofs of one kernel are kept: programs launch with a few
// sets of arguments in turn.
const maxProofs = 16

// Equivalent proves that blocks of a launch do the same in shared memory, or finds the
// proof of an equal launch. It returns nil if nothing is proved.
func (c *Cache) Equivalent(l *trace.Launch) *equivalent.Proof {
	if l.Grid.Size() < 2 || l.Grid.Size() >= 1<<32 {
		return nil
	}
	c.proving.Lock()
	defer c.proving.Unlock()
	p, key := c.blocks(l.Module+" "+l.Kernel), fmt.Sprint(l.Grid, l.Block, l.SharedDynamic, l.Params)
	if i := slices.IndexFunc(p.last, func(x equivalentProof) bool { return x.key == key }); i >= 0 {
		return p.last[i].proof
	}
	p.threads += l.Grid.Size() * l.Block.Size()
	if p.threads < c.From {
		return nil
	}
	g := c.Form(l.Module, l.Kernel)
	if g == nil {
		return nil
	}
	p.threads = 0 // launches with other arguments pay for the next proof
	x := equivalentProof{key: key, proof: equivalent.Prove(g, equivalent.Launch{
		Block: [3]uint32{l.Block.X, l.Block.Y, l.Block.Z}, Grid: [3]uint32{l.Grid.X, l.Grid.Y, l.Grid.Z}, Params: l.Params,
	})}
	if p.last = append(p.last, x); len(p.last) > maxProofs {
		p.last = slices.Delete(p.last, 0, 1)
	}
	return x.proof
}

func (c *Cache) blocks(kernel string) *equivalentBlocks {
	if c.equivalent == nil {
		c.equivalent = map[string]*equivalentBlocks{}
	}
	p := c.equivalent[kernel]
	if p == nil {
		p = &equivalentBlocks{}
		c.equivalent[kernel] = p
	}
	return p
}
