package program

import (
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// Step is an instruction that brings its own execution: those of the tensor
// cores, asynchronous copies and mbarriers. Steps are immutable.
type Step interface {
	// Slots calls f for every slot of the step, with what the step does with it,
	// so that places can be assigned and checked. Each may be NoSlot. The width
	// None stands for a scalar slot, which holds a value that is kept once.
	Slots(f SlotFunc)
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
