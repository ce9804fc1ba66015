package program

import "github.com/warpgrind/warpgrind/internal/warp/alu"

// MBarrierKind tells the operations on mbarrier objects.
type MBarrierKind uint8

// Operations on mbarrier objects (PTX ISA, "mbarrier"). MBarrierTrack is
// cp.async.mbarrier.arrive.
const (
	MBarrierInit MBarrierKind = iota
	MBarrierInval
	MBarrierArrive
	MBarrierExpect
	MBarrierComplete
	MBarrierTest
	MBarrierTrack
)

// MBarrier is an operation on an mbarrier object in shared memory.
type MBarrier struct {
	Kind MBarrierKind
	// Mem gives address and site. Other is the same address with another site:
	// that of a test which finds the phase not complete and orders nothing, and
	// that of the arrival which follows the copies of MBarrierTrack.
	Mem, Other Mem
	// Operand is the slot of the count, the bytes, the state (64 bits) or the
	// parity; NoSlot for a count of one.
	Operand int32
	// Dst is the slot of the state before an arrival or of the predicate of a
	// test, or NoSlot.
	Dst int32
	// Limit is the slot of the nanoseconds that a try_wait may suspend its threads, NoSlot
	// for one that does not.
	Limit int32
	// Drop also takes the arrivals off the phases to come. Expect is set if
	// Operand counts bytes to expect, with one arrival. NoInc is set if the
	// arrival of tracked copies is already part of the count. Parity is set if
	// Operand is a parity.
	Drop, Expect, NoInc, Parity bool
}

// Slots implements Step.
func (s *MBarrier) Slots(f SlotFunc) {
	s.Mem.slots(f)
	s.Other.slots(f)
	operand, dst := alu.W32, alu.W64
	if s.Kind == MBarrierTest {
		dst = alu.Pred
		if !s.Parity {
			operand = alu.W64
		}
	}
	f(&s.Operand, operand, Reads|Late)
	f(&s.Limit, alu.W32, Reads)
	f(&s.Dst, dst, Writes)
}

// MBarrierPendingBit is where an mbarrier object has its pending count, of 20 bits.
const MBarrierPendingBit = 20

// MBarrierPending returns the pending count that a state holds (PTX ISA,
// "mbarrier.pending_count").
func MBarrierPending(state uint64) uint64 { return state >> MBarrierPendingBit & (1<<20 - 1) }
