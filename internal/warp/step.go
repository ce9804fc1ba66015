package warp

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// Step is an instruction that brings its own execution: those of the tensor
// cores, asynchronous copies and mbarriers. Steps are immutable.
type Step interface {
	// Slots calls f for every slot of the step, with what the step does with it,
	// so that places can be assigned and checked. Each may be NoSlot. The width
	// None stands for a scalar slot, which holds a value that is kept once.
	Slots(f SlotFunc)
	// exec does the step for lanes m. It returns false after a fault.
	exec(w *Warp, m uint32) bool
}

// SlotFunc visits a slot.
type SlotFunc func(slot *int32, width alu.Width, u Use)

// slots visits the slots of an address.
func (op *Mem) slots(f SlotFunc) {
	if op.Scalar {
		f(&op.Base, alu.None, Reads|Late)
		return
	}
	f(&op.Base, op.BaseWidth, Reads|Late)
}

// wholeWarp checks that all 32 threads of the warp execute a step that wants
// them together (PTX ISA, ".sync.aligned").
func (w *Warp) wholeWarp(site *trace.Site, m uint32) bool {
	if m == ^uint32(0) {
		return true
	}
	f := w.fault(trace.FaultBarrier, trace.CausePartialWarp, site, m, "%s by %d of the 32 threads of a warp: all must execute it together", opcodeOf(site), popcount(m))
	if gone := w.Exist &^ w.Live; gone != 0 {
		f.Notes = append(f.Notes, plural(popcount(gone), "thread")+" of the warp had exited")
	}
	if w.Exist != ^uint32(0) {
		f.Notes = append(f.Notes, "the warp has only "+plural(popcount(w.Exist), "thread"))
	}
	return false
}
