package program

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
