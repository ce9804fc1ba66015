package program

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// LaunchCancel is clusterlaunchcontrol.try_cancel: it takes away a cluster of the launch that has not
// begun, and writes which one to shared memory. The response, which the ISA leaves open, has the
// coordinates of the cluster's first block, and CanceledBit in its upper half.
type LaunchCancel struct {
	Mem, Barrier Mem
	// All is set if each block of the cluster gets the response.
	All bool
}

// CanceledBit is the bit of the upper 64 bits of a response that is set if a cluster was
// canceled.
const CanceledBit = 32

// Slots implements Step.
func (s *LaunchCancel) Slots(f SlotFunc) {
	s.Mem.slots(f)
	s.Barrier.slots(f)
}

// FirstBlock is clusterlaunchcontrol.query_cancel.get_first_ctaid: Dst gets the coordinates of the first block of the
// canceled cluster from the halves of a response. They are undefined where it canceled nothing.
type FirstBlock struct {
	Site      *trace.Site
	Low, High int32
	// Dst are the slots of x, y and z, NoSlot for those that are not wanted.
	Dst [3]int32
}

// Slots implements Step.
func (s *FirstBlock) Slots(f SlotFunc) {
	f(&s.Low, alu.W64, Reads)
	f(&s.High, alu.W64, Reads)
	for i := range s.Dst {
		f(&s.Dst[i], alu.W32, Writes)
	}
}
