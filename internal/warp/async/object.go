package async

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// An mbarrier object is opaque to programs. Here its 64 bits are, from the
// top: a mark of two bits that it is valid, the parity of the phase in progress,
// 21 bits of bytes that are expected, and 20 bits each of pending and of
// expected arrivals (PTX ISA, "Contents of the mbarrier object").
type mbarrier struct {
	valid             bool
	phase             uint64
	tx                int64
	pending, expected uint64
}

func unpackMBarrier(v uint64) mbarrier {
	return mbarrier{
		valid: v>>62 == trace.MBarrierMark, phase: v >> trace.MBarrierPhaseBit & 1, tx: int64(v<<3) >> 43,
		pending: program.MBarrierPending(v), expected: v & maxArrivals,
	}
}

func (b mbarrier) pack() uint64 {
	return trace.MBarrierMark<<62 | b.phase<<trace.MBarrierPhaseBit | uint64(b.tx)&(1<<21-1)<<40 | b.pending<<program.MBarrierPendingBit | b.expected
}

// settlePhase ends the phase if nothing is pending.
func (b *mbarrier) settlePhase() {
	if b.pending == 0 && b.tx == 0 {
		b.phase ^= 1
		b.pending = b.expected
	}
}

const (
	// maxArrivals and maxTx bound the counts (PTX ISA, "Valid range of each
	// field").
	maxArrivals = 1<<20 - 1
	maxTx       = 1<<20 - 1
)

// mbarrierAt is the mbarrier at an offset of the block's shared memory that was checked.
func (b *Block) mbarrierAt(addr uint64) *uint64 {
	return (*uint64)(unsafe.Pointer(&b.Place().Shared[addr]))
}
