package trace

// An asynchronous operation is done by the async proxy: a bulk or tensor copy, st.async,
// st.bulk, wgmma, tcgen05 (PTX ISA, "Async proxy"). Its accesses are not those of the
// threads that issue it. They may happen at any time between two events:
//
//   - AsyncBegan, at the instruction that issues the operation, for each block whose shared
//     memory it accesses. What a thread wrote there before by ordinary stores is not visible
//     to it without a fence.proxy.async on the way from the store to the issue.
//   - AsyncEnded, when the operation is known to be complete. Only who has waited for the
//     mbarrier or the group that says so may touch what it writes, or write what it reads.
//     No proxy fence is needed then (PTX ISA, "cp.async.bulk": completion is followed by
//     an implicit generic-async proxy fence).
//
// The engine completes an operation at the latest moment: when an mbarrier is tested that
// it completes on, or when a thread waits for its group. Both events come before the
// effect: at AsyncEnded, memory still holds what the operation overwrites, and the mbarrier
// is still in the phase that it may complete.

// AsyncAccess is what an asynchronous operation does to the shared memory of the block that
// the event is for. An operation with several operands has several of them: its reads
// and its writes are apart.
type AsyncAccess struct {
	// Site is the instruction as far as this operand goes: its Kind is what is done here. An
	// instruction has a site for each operand in memory.
	Site *Site
	// Issuer is the block that issues it, by lanes Mask of a warp: one lane for a bulk copy,
	// all for wgmma. Op is its number among the operations of that block; none is 0. The four
	// warps of a warpgroup issue parts of a product, which is one operation.
	Issuer uint64
	Warp   int
	Mask   uint32
	Op     uint64
	// Ranges are offsets in the block's shared memory, borrowed for the call; if Tensor is set, of
	// units of its tensor memory (TensorUnit).
	Ranges []Range
	Tensor bool
	// OnMBarrier is set for a write that completes on the mbarrier at offset MBarrier of the block's shared memory.
	OnMBarrier bool
	MBarrier   uint64
	// Pipe is not 0 for operations that are executed one after the other with those of the same
	// Pipe, in the order of their numbers: what ends one of them ends those before it.
	Pipe uint32
}

// AsyncEnd tells what lets threads know that an operation is complete.
type AsyncEnd struct {
	// Issuer and Op name the operation. From is that of the first one if several with contiguous
	// numbers are complete, else 0.
	Issuer, Op, From uint64
	// SourceRead is set if it has only read its source: what it reads may be written again,
	// what it writes is not there yet (cp.async.bulk.wait_group.read).
	SourceRead bool
	// OnMBarrier is set if the operation completes on the mbarrier at offset MBarrier of the
	// shared memory of the block that the event is for: those know of it who wait for the
	// phase. Else lanes Mask of a warp of the block have waited for a group.
	OnMBarrier bool
	MBarrier   uint64
	Warp       int
	Mask       uint32
}

// ProxyFence is a fence between proxies by the lanes of Mask: what happens before it by one
// proxy is ordered before what happens after it by the other. It is a fence.proxy.async, for
// the space of its site only if that is not SpaceGeneric, or a fence.proxy.tensormap::generic
// (inst.MapFence), whose order is acquire or release.
type ProxyFence struct {
	Site *Site
	Warp int
	Mask uint32
	// Maps has by lane the address of the tensor map that an acquire is for, else nil.
	Maps *[32]uint64
}

// TensorFence is a tcgen05.fence by the lanes of Mask: fence::before_thread_sync if the order of its
// site is release, fence::after_thread_sync if it is acquire.
type TensorFence struct {
	Site *Site
	Warp int
	Mask uint32
}
