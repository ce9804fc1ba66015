package trace

import "encoding/binary"

// MBarrierPhaseBit is the bit of the 64 bits of an mbarrier object in
// Block.Shared that changes when a phase completes: the parity of the phase in
// progress.
const MBarrierPhaseBit = 61

// MBarrierMark is what the top two bits of a valid mbarrier object hold.
const MBarrierMark = 2

// IsMBarrier reports whether 8 bytes of Block.Shared are marked as a valid mbarrier
// object.
func IsMBarrier(b []byte) bool { return binary.LittleEndian.Uint64(b)>>62 == MBarrierMark }

// Phase is what an mbarrier lacks to complete its phase: Pending of Expected arrivals, and Bytes of asynchronous operations;
// fewer than 0 where they have brought more than the phase expects. Object is the mbarrier, by its offset in
// shared memory; its Name is "" where it lies in no variable.
type Phase struct {
	Object            Memory
	Pending, Expected uint64
	Bytes             int64
}
