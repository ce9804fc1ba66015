package sync

import (
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// The causes of what is wrong at a barrier, beside those of faults.
const (
	// ExitedWarp: whole warps ended before others reached the barrier, or from sm_70 on a part of a warp.
	ExitedWarp finding.Cause = "exited-warp"
	// DivergentBarrier: only some threads of a warp reach the barrier.
	DivergentBarrier finding.Cause = "divergent-barrier"
	// DifferentBarriers: threads of a warp reach different ones.
	DifferentBarriers finding.Cause = "different-barriers"
	// ConditionalBarrier: whole warps reach different barriers.
	ConditionalBarrier finding.Cause = "conditional-barrier"
	// MaskExcludes: a member mask leaves out a lane that executes the operation.
	MaskExcludes finding.Cause = "mask-excludes"
	// MaskTooWide: a member mask names a lane that ends without coming.
	MaskTooWide finding.Cause = "mask-too-wide"
	// AbsentLane: a shuffle reads from a lane that takes no part in it.
	AbsentLane finding.Cause = "absent-lane"
	// InitializedAgain: mbarrier.init of an object that is valid.
	InitializedAgain finding.Cause = "initialized-again"
	// OverwrittenMBarrier: an ordinary write to the memory of a valid mbarrier object.
	OverwrittenMBarrier finding.Cause = "overwritten-mbarrier"
	// ArrivedTwice: a thread arrives again at a barrier in two parts before it has waited.
	ArrivedTwice finding.Cause = "arrived-twice"
	// NeverWaited: a thread arrives at such a barrier and ends without waiting.
	NeverWaited finding.Cause = "never-waited"
	// ArrivedEarly: a thread arrives at an mbarrier whose phase has all arrivals already.
	ArrivedEarly finding.Cause = "arrived-early"
	// Unreachable: a barrier that no thread reaches.
	Unreachable finding.Cause = "unreachable-barrier"
	// ValueNeverComes: a stream waits for a value that nothing writes.
	ValueNeverComes finding.Cause = "value-never-comes"
	// RankMissing: a rank does not take part in a collective operation.
	RankMissing finding.Cause = "rank-missing"
	// RanksDiffer: the arguments of the ranks of a collective operation do not fit.
	RanksDiffer finding.Cause = "ranks-differ"
	// NotAcquired: a tensor map in global memory is used without a fence for it.
	NotAcquired finding.Cause = "map-not-acquired"
	// RegistersDiffer: a warp sets another number of registers than others of its warpgroup.
	RegistersDiffer finding.Cause = "registers-differ"
	// RegisterCount: setmaxnreg.dec to more registers than a thread has, or .inc to fewer.
	RegisterCount finding.Cause = "register-count"
	// Redundant: a barrier that orders nothing.
	Redundant finding.Cause = "redundant-barrier"
)

// repairs are what removes a fault of a cause.
var repairs = map[trace.Cause]finding.RepairKind{
	trace.CauseNoMBarrier:   finding.InitMBarrier,
	trace.CauseBarrierCount: finding.CountWholeWarps,
	trace.CauseBarrierID:    finding.FewerBarriers,
	trace.CauseNotArrived:   finding.ArriveAndWait,

	trace.CausePartialWarpgroup:  finding.WholeWarpgroups,
	trace.CausePartialRegisters:  finding.SetByWarpgroup,
	trace.CauseDescriptorDiffers: finding.SameDescriptor,
	trace.CauseNoProductFence:    finding.FenceRegisters,
	trace.CauseInFlight:          finding.WaitForProduct,

	trace.CauseTensorAddress:    finding.SameAddress,
	trace.CauseTensorAlloc:      finding.AllocateInOrder,
	trace.CauseTensorFull:       finding.FreeColumns,
	trace.CauseTensorPeer:       finding.KeepPeer,
	trace.CauseTensorDescriptor: finding.MatchDescriptor,
}

// helps put repairs into words.
var helps = map[finding.RepairKind]string{
	finding.ReachBarrier:     "let every thread that the barrier waits for reach it",
	finding.SameBarriers:     "let all threads that a barrier waits for reach it, in the same order of barriers",
	finding.InitMBarrier:     "let one thread initialize it, followed by a __syncthreads() before its first use",
	finding.InvalidateFirst:  "initialize it once; to reuse its memory, call mbarrier.inval after the last use, then a __syncthreads() before mbarrier.init",
	finding.InvalidateBefore: "call mbarrier.inval after its last use, then a __syncthreads() before the memory is written; or use other memory",
	finding.CountWholeWarps:  "count whole warps: 32 for each warp that reaches the barrier",
	finding.FewerBarriers:    "use fewer barriers: a barrier can be reused once all threads have left it",
	finding.ArriveAndWait:    "let every thread call barrier_arrive and then barrier_wait, each once per phase",
	finding.WaitForPhase:     "wait for the phase (mbarrier.try_wait), or for a thread that has waited for it, before the next arrival",
	finding.ReturnLater:      "let all threads reach the barrier: make only the work conditional, so that none returns or leaves a loop before it",
	finding.MoveBarrier:      "move the barrier out of the branch or loop, or make only the work conditional, so that no thread returns or leaves the loop before it",
	finding.WriteValue:       "write the value before the host waits for the stream, and not in work that is itself ordered after the wait",
	finding.CallOnAllRanks:   "call it for every rank; where one thread drives several devices, between ncclGroupStart and ncclGroupEnd",
	finding.SameOnAllRanks:   "let all ranks make the same calls in the same order, with the same count, type, operator and root; a send and its receive have the same count",
	finding.OneBarrier:       "let all threads of the block execute the same barrier: move it out of the branch",
	finding.NameLanes:        "name exactly the lanes that execute it: 0xffffffff if all do, or the result of __ballot_sync before the branch",
	finding.MoveOperation:    "move it to a place that all lanes of the mask reach, or compute the mask with __ballot_sync before the branch",
	finding.AllLanes:         "let all lanes that are read from execute it, with a neutral value where they have none; or start with half the number of participating lanes",
	finding.ReadPresentLane:  "read from a participating lane, such as the first of the mask, __ffs(mask) - 1; or let that lane execute the shuffle too",
	finding.RaiseLimit:       "check the loop; if it is merely long, raise the limit with --timeout or --max-steps",
	finding.EndLoop:          "check the loop's exit condition: the thread that should satisfy it has exited, is itself waiting, or never does so",
	finding.ReachGridBarrier: "let all threads of all blocks reach the grid barrier: it must not be in a branch, and no block may exit before it",
	finding.RemoveOrCorrect:  "remove it, or correct the condition",
	finding.RemoveOne:        "remove one of them",
	finding.WholeWarpgroups:  "let all four warps of a warpgroup execute the same wgmma instructions: decide by threadIdx.x / 128, which is the same for all of them",
	finding.SameDescriptor:   "make the descriptor of values that all four warps share, not of a thread's or a warp's number",
	finding.FenceRegisters:   "add wgmma.fence before the first wgmma.mma_async, and after each access to its registers",
	finding.SameAddress:      "give all lanes of the warp the same address; each accesses its own lane of tensor memory",
	finding.AllocateInOrder:  "allocate a power of 2 of columns from 32 to 512, never more than before, and before tcgen05.relinquish_alloc_permit",
	finding.FreeColumns:      "let a block deallocate columns before it allocates more than 512 of them",
	finding.KeepPeer:         "launch clusters of an even number of blocks, and let both blocks of a pair pass a cluster barrier before either exits",
	finding.MatchDescriptor:  "make the descriptor as the tables of the PTX ISA have it for the instruction's kind",
	finding.WaitForTensor:    "move the access behind tcgen05.wait::ld.sync.aligned, and let the assembly of the wait name the registers as in and out operands where a compiler may move the access",
	finding.AcquireMap:       "let a thread of each block execute fence.proxy.tensormap::generic.acquire.sys [map], 128 before the first use (cuda::ptx::fence_proxy_tensormap_generic with sem_acquire and scope_sys, cute::tma_descriptor_fence_acquire), or pass the map as a const __grid_constant__ parameter",
	finding.SetByWarpgroup:   "let all warps of a warpgroup execute the same setmaxnreg: decide by threadIdx.x / 128, which is the same for all of them",
	finding.ReleaseRegisters: "let the other warpgroups release registers with setmaxnreg.dec before they wait for this one, or ask for fewer: the counts of all warps, times 32, must not exceed the registers of the block",
	finding.CorrectCount:     "use setmaxnreg.inc to get more registers than the launch or the last setmaxnreg gave, setmaxnreg.dec to release some",
	finding.WaitForProduct:   "add wgmma.commit_group after the product and wgmma.wait_group 0 before the access",
}

// repair sets a finding's repair, and its help.
func repair(f *finding.Finding, k finding.RepairKind) {
	f.Repair, f.Help = &finding.Repair{Kind: k}, helps[k]
}
