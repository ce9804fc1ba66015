package program

import "github.com/warpgrind/warpgrind/internal/trace"

// SetRegisters is setmaxnreg: each thread of the warp has Count registers from then on. More is set for .inc, which
// waits until the block's pool has enough of them.
type SetRegisters struct {
	Site  *trace.Site
	Count int
	More  bool
}

// Slots implements Step.
func (s *SetRegisters) Slots(SlotFunc) {}
