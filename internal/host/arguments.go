package host

import (
	"encoding/binary"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// checkArguments reports arguments of a child grid that hold the address of shared or
// local memory of the parent, which the child has no access to ("CUDA C++ Programming
// Guide", "CUDA Dynamic Parallelism", "Passing Pointers to Child Grids").
func (g *parentGrid) checkArguments(n *ChildWork) {
	f := g.p.s.cfg.Hooks.Rejected
	if f == nil {
		return
	}
	for i, p := range n.Kernel.Params() {
		end := min(uint64(p.Offset)+uint64(p.Size), uint64(len(n.Params)))
		for at := (uint64(p.Offset) + 7) &^ 7; at+8 <= end; at += 8 {
			space, ok := privateSpace(binary.LittleEndian.Uint64(n.Params[at:]))
			if !ok {
				continue
			}
			f(&trace.RejectedLaunch{Kernel: n.Kernel.Name(), Grid: n.Grid, Block: n.Block, SharedDynamic: uint64(n.Shared),
				Cause: trace.CauseParentMemory, Site: n.Site,
				Message: fmt.Sprintf("argument %d is a pointer to %v memory of the parent", i+1, space)})
			break
		}
	}
}

// privateSpace is the space that a generic address lies in, if other grids have no
// access to it.
func privateSpace(addr uint64) (trace.Space, bool) {
	switch {
	case addr-mem.SharedWindow < mem.SharedWindowSize:
		return trace.SpaceShared, true
	case addr-mem.LocalWindow < mem.LocalWindowSize:
		return trace.SpaceLocal, true
	}
	return trace.SpaceGeneric, false
}
