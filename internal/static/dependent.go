package static

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Early is an access to global memory that a thread may make before the grids before its own are
// known to be complete: on some way from the kernel's start to it lies no griddepcontrol.wait.
type Early struct {
	Value  *ssa.Value
	Writes bool
	// Wait is the first wait of the kernel's text.
	Wait *ssa.Value
}

// BeforeGridWait finds the accesses to global memory that may come before the wait of a
// programmatic dependent launch (PTX ISA, "griddepcontrol"), in a kernel that has one. A barrier, or
// another operation by which threads wait for each other, counts as a wait, unless the wait
// comes after it on all ways: another thread may have waited there.
func (u *Unit) BeforeGridWait() (list []Early) {
	waits := gridWaits(u.F)
	if len(waits) == 0 {
		return nil
	}
	passes := func(v *ssa.Value) bool {
		if v.Does.Kind == inst.GridWait {
			return true
		}
		return joins(v) && slices.ContainsFunc(waits, func(w *ssa.Value) bool { return !comesBefore(u.F, v, w) })
	}
	early := make([]bool, len(u.F.Blocks)) // at the block's beginning
	early[u.F.Blocks[0].ID] = true
	for again := true; again; {
		again = false
		for _, b := range u.F.Blocks {
			if !early[b.ID] || slices.ContainsFunc(b.Values, passes) {
				continue
			}
			for _, s := range b.Succs {
				again = again || !early[s.ID]
				early[s.ID] = true
			}
		}
	}
	for _, b := range u.F.Blocks {
		for _, v := range b.Values {
			if !early[b.ID] || passes(v) {
				break
			}
			if global, writes := onGlobal(v); global {
				list = append(list, Early{v, writes, waits[0]})
			}
		}
	}
	return list
}

func gridWaits(f *ssa.Func) (list []*ssa.Value) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Does.Kind == inst.GridWait {
				list = append(list, v)
			}
		}
	}
	return list
}

// joins reports operations after which a thread may rely on what another one has waited for.
func joins(v *ssa.Value) bool {
	switch v.Does.Kind {
	case inst.Barrier, inst.BarrierReduce, inst.ClusterWait, inst.WarpSync, inst.MBarrierTest, inst.ProductWait, inst.TensorWait:
		return true
	}
	return false
}

// onGlobal reports whether an operation accesses global memory for certain, and whether it writes there.
func onGlobal(v *ssa.Value) (global, writes bool) {
	switch {
	case v.Op == ssa.Load, v.Op == ssa.Store, v.Op == ssa.Atomic:
		return v.Mem != nil && v.Mem.Space == ptx.Global, v.Op != ssa.Load
	case v.Op == ssa.Copy:
		return v.Mem2 != nil && v.Mem2.Space == ptx.Global, false
	case v.Does.Kind == inst.BulkCopy || v.Does.Kind == inst.BulkReduce:
		return v.Does.Touches()&inst.Global != 0, toGlobal(v.Instr)
	}
	return false, false
}

// toGlobal reports whether in is a bulk operation whose destination, the first space that it names, is global.
func toGlobal(in *ptx.Instr) bool {
	i := slices.IndexFunc(in.Mods, func(m string) bool { return isa.SpaceOf(m) != 0 })
	return i >= 0 && isa.SpaceOf(in.Mods[i]) == inst.Global
}

// comesBefore reports whether all ways to w lead through v.
func comesBefore(f *ssa.Func, v, w *ssa.Value) bool {
	if v.Block == w.Block {
		return slices.Index(v.Block.Values, v) < slices.Index(w.Block.Values, w)
	}
	return f.Dominates(v.Block, w.Block)
}
