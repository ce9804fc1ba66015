package trace

// Cause is what exactly is wrong where a Fault, an InvalidFree, a BadTransfer or a
// RejectedLaunch happens. Rules decide by it; messages only put it into words. Its
// text is part of saved reports, so a constant must not change its value.
type Cause string

// Causes of a fault at an address, and of a transfer whose range is wrong.
const (
	// CauseNull: a null pointer, or an offset to one.
	CauseNull Cause = "null-pointer"
	// CauseHeapFull: a null pointer, after malloc in device code found no room.
	CauseHeapFull Cause = "heap-full"
	// CauseHostPointer: an address of the program on the host.
	CauseHostPointer Cause = "host-pointer"
	// CauseWild: an address that belongs neither to the device nor, as far as it shows,
	// to the host.
	CauseWild Cause = "wild-pointer"
	// CauseReserved: reserved addresses that have no memory yet: nothing is mapped there, or the graph that
	// allocates it has not been launched.
	CauseReserved Cause = "reserved"
	// CauseFreed: an address in an allocation that was freed.
	CauseFreed Cause = "freed"
	// CauseNearFreed: an address outside all allocations, the nearest of which was freed.
	CauseNearFreed Cause = "near-freed"
	// CauseOutside: an address outside the bounds of every object.
	CauseOutside Cause = "outside"
	// CauseOverflow: an index of 32 bits has overflowed, and with all its bits would lie in the object.
	CauseOverflow Cause = "index-overflow"
	// CauseMisaligned: an address that is not a multiple of the access size.
	CauseMisaligned Cause = "misaligned"
	// CauseReadOnly: a write to constant memory or to kernel parameters.
	CauseReadOnly Cause = "read-only"
	// CauseWrongSpace: an address in a state space that the operation does not take.
	CauseWrongSpace Cause = "wrong-space"
	// CauseClusterEnded: shared memory of a block of the cluster that has ended.
	CauseClusterEnded Cause = "cluster-block-ended"
	// CauseTexture: a texture or surface that is not one, not bound, or of another kind.
	CauseTexture Cause = "texture-object"
	// CauseTensorMap: a tensor map that is none, or that does not fit the instruction.
	CauseTensorMap Cause = "tensor-map"
	// CauseTensorCoordinate: coordinates at which a tensor copy may not begin.
	CauseTensorCoordinate Cause = "tensor-coordinate"
	// CauseNoCluster: an asynchronous operation on shared memory of a cluster in a launch without
	// clusters.
	CauseNoCluster Cause = "no-cluster"
	// CauseBulkSize: a bulk copy of a size that is not a multiple of 16 bytes.
	CauseBulkSize Cause = "bulk-size"
	// CauseTensorOutside: tensor memory that the block has not allocated.
	CauseTensorOutside Cause = "tensor-outside"
	// CauseTensorFreed: tensor memory that was deallocated.
	CauseTensorFreed Cause = "tensor-freed"
	// CauseTensorLanes: lanes of tensor memory that the warp may not access.
	CauseTensorLanes Cause = "tensor-lanes"
	// CauseTensorDescriptor: a descriptor, shape or type that an instruction of tensor memory
	// does not have.
	CauseTensorDescriptor Cause = "tensor-descriptor"
	// CauseStack: more local memory or nested calls than a thread's stack holds.
	CauseStack Cause = "stack-overflow"
)

// Causes of a fault of a call through a pointer.
const (
	// CauseCallTarget: the address is not that of a function.
	CauseCallTarget Cause = "call-target"
	// CauseCallType: the function takes other parameters, or returns another result.
	CauseCallType Cause = "call-type"
)

// Causes of a fault at a barrier, and of a deadlock.
const (
	// CauseNoMBarrier: the object is not an initialized mbarrier.
	CauseNoMBarrier Cause = "no-mbarrier"
	// CauseMBarrierUse: an initialized mbarrier is used wrongly.
	CauseMBarrierUse Cause = "mbarrier-use"
	// CauseBarrierID: a barrier number beyond those that a block has.
	CauseBarrierID Cause = "barrier-id"
	// CauseBarrierCount: a thread count that is not a positive multiple of 32.
	CauseBarrierCount Cause = "barrier-count"
	// CausePartialWarp: an operation of whole warps, executed by some lanes.
	CausePartialWarp Cause = "partial-warp"
	// CausePartialWarpgroup: an operation of whole warpgroups, executed by some warps.
	CausePartialWarpgroup Cause = "partial-warpgroup"
	// CausePartialRegisters: setmaxnreg by some threads of a warp, or by some warps of a warpgroup.
	CausePartialRegisters Cause = "partial-registers"
	// CauseDescriptorDiffers: a matrix descriptor that differs between a warpgroup's warps.
	CauseDescriptorDiffers Cause = "descriptor-differs"
	// CauseNoProductFence: an asynchronous product without a wgmma.fence before it.
	CauseNoProductFence Cause = "no-product-fence"
	// CauseInFlight: a register of an asynchronous product that may not have ended.
	CauseInFlight Cause = "register-in-flight"
	// CauseTensorAddress: an address in tensor memory that differs between the lanes of a warp.
	CauseTensorAddress Cause = "tensor-address"
	// CauseTensorAlloc: an allocation of tensor memory that is not allowed.
	CauseTensorAlloc Cause = "tensor-alloc"
	// CauseTensorFull: an allocation of tensor memory that waits for columns that are never free.
	CauseTensorFull Cause = "tensor-full"
	// CauseTensorPeer: an operation of a pair of blocks, one of which is missing or has ended.
	CauseTensorPeer Cause = "tensor-peer"
	// CauseTooFew: a barrier that waits for more threads than the block has.
	CauseTooFew Cause = "too-few-threads"
	// CauseNotArrived: threads wait at a barrier in two parts without having arrived.
	CauseNotArrived Cause = "not-arrived"
	// CauseNeverCome: the threads wait for others that never arrive.
	CauseNeverCome Cause = "never-come"
)

// Causes of the end of a launch by a limit.
const (
	// CauseNoWayOut: a loop that no thread can leave.
	CauseNoWayOut Cause = "no-way-out"
	// CauseNoProgress: the threads that are left repeat a state.
	CauseNoProgress Cause = "no-progress"
	// CauseNoRegisters: a setmaxnreg.inc waits for registers that no warp of the block releases.
	CauseNoRegisters Cause = "no-registers"
	// CauseSteps: the limit of instructions.
	CauseSteps Cause = "step-limit"
	// CauseTime: the limit of time.
	CauseTime Cause = "time-limit"
)

// Causes of an end that the kernel asks for.
const (
	CauseAssert Cause = "assert"
	CauseTrap   Cause = "trap"
	// CauseNotCooperative: the barrier of a grid in a launch that is not cooperative.
	CauseNotCooperative Cause = "not-cooperative"
	// CauseBranchIndex: brx.idx with an index beyond its table.
	CauseBranchIndex Cause = "branch-index"
)

// Causes of an invalid free.
const (
	// CauseFreedTwice: the memory was freed before.
	CauseFreedTwice Cause = "freed-twice"
	// CauseNotAllocated: the pointer was returned by no allocation.
	CauseNotAllocated Cause = "not-allocated"
	// CauseInside: the pointer lies within an allocation, not at its start.
	CauseInside Cause = "inside-allocation"
	// CauseOtherAllocator: the memory is that of another function, or a variable.
	CauseOtherAllocator Cause = "other-allocator"
	// CauseMapped: mapped memory, which cuMemUnmap ends.
	CauseMapped Cause = "mapped"
)

// Causes of a bad transfer, beside those of a range.
const (
	// CauseDirection: the memory of one side is not what the direction says.
	CauseDirection Cause = "direction"
	// CauseNegative: a size that was computed as a negative number.
	CauseNegative Cause = "negative-size"
	// CauseOverlap: the source and the destination have bytes in common; CauseItself: they are the same.
	CauseOverlap Cause = "overlap"
	CauseItself  Cause = "itself"
	// CausePitch: rows that are wider than the pitch.
	CausePitch Cause = "pitch"
)

// Causes of an invalid kernel launch.
const (
	// CauseUnconfigured: host code calls a kernel without <<<...>>>, so that grid and block
	// are not given.
	CauseUnconfigured Cause = "unconfigured"
	// CauseNoBlocks and CauseNoThreads: an extent of 0.
	CauseNoBlocks  Cause = "no-blocks"
	CauseNoThreads Cause = "no-threads"
	// CauseBlockSize: more threads a block than the device allows.
	CauseBlockSize Cause = "block-size"
	// CauseLaunchBounds: more threads a block than __launch_bounds__ allows.
	CauseLaunchBounds Cause = "launch-bounds"
	// CauseRequiredBlock: a block of another extent than the kernel's .reqntid requires.
	CauseRequiredBlock Cause = "required-block"
	// CauseGridSize: a grid that is too large in one direction.
	CauseGridSize Cause = "grid-size"
	// CauseSharedOptIn: dynamic shared memory that cudaFuncSetAttribute would allow.
	CauseSharedOptIn Cause = "shared-opt-in"
	// CauseSharedSize: more shared memory than a block can have.
	CauseSharedSize Cause = "shared-size"
	// CauseCluster: clusters of an extent that the device or the kernel does not allow.
	CauseCluster Cause = "cluster-size"
	// CauseCooperativeSize: a cooperative launch that does not fit on the device at once.
	CauseCooperativeSize Cause = "cooperative-size"
	// CauseDepth: child grids that nest too deeply.
	CauseDepth Cause = "nesting-depth"
	// CauseSyncDepth: a wait for child grids by a grid with too many parents.
	CauseSyncDepth Cause = "sync-depth"
	// CauseParentMemory: a child grid gets a pointer to shared or local memory of its
	// parent. It is not refused.
	CauseParentMemory Cause = "parent-memory"
	// CausePending: more child grids that have not begun than there is room for.
	CausePending Cause = "pending-launches"
)
