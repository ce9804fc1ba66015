package trace

// MBarrierPhaseBit is the bit of the 64 bits of an mbarrier object in
// Block.Shared that changes when a phase completes: the parity of the phase in
// progress.
const MBarrierPhaseBit = 61
