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

// The repairs of the rules sync and hang.
const (
	ReachBarrier     finding.RepairKind = "reach-barrier"
	SameBarriers     finding.RepairKind = "same-barriers"
	InitMBarrier     finding.RepairKind = "init-mbarrier"
	InvalidateFirst  finding.RepairKind = "invalidate-mbarrier"
	InvalidateBefore finding.RepairKind = "invalidate-before-write"
	WholeWarps       finding.RepairKind = "count-whole-warps"
	FewerBarriers    finding.RepairKind = "fewer-barriers"
	ArriveAndWait    finding.RepairKind = "arrive-and-wait"
	WaitForPhase     finding.RepairKind = "wait-for-phase"
	ReturnLater      finding.RepairKind = "return-later"
	MoveBarrier      finding.RepairKind = "move-barrier"
	OneBarrier       finding.RepairKind = "one-barrier"
	NameLanes        finding.RepairKind = "name-lanes"
	MoveOperation    finding.RepairKind = "move-operation"
	AllLanes         finding.RepairKind = "all-lanes"
	ReadPresentLane  finding.RepairKind = "read-present-lane"
	RaiseLimit       finding.RepairKind = "raise-limit"
	EndLoop          finding.RepairKind = "end-loop"
	WriteValue       finding.RepairKind = "write-value"
	ReachGridBarrier finding.RepairKind = "reach-grid-barrier"
	RemoveOrCorrect  finding.RepairKind = "remove-or-correct"
	RemoveOne        finding.RepairKind = "remove-one"
	WholeWarpgroups  finding.RepairKind = "whole-warpgroups"
	SameDescriptor   finding.RepairKind = "same-descriptor"
	FenceRegisters   finding.RepairKind = "fence-registers"
	WaitForProduct   finding.RepairKind = "wait-for-product"
	WaitForTensor    finding.RepairKind = "wait-for-tensor-load"
	SameAddress      finding.RepairKind = "same-tensor-address"
	AllocateInOrder  finding.RepairKind = "allocate-in-order"
	FreeColumns      finding.RepairKind = "free-columns"
	KeepPeer         finding.RepairKind = "keep-peer"
	MatchDescriptor  finding.RepairKind = "match-descriptor"
	AcquireMap       finding.RepairKind = "acquire-tensor-map"
	CallOnAllRanks   finding.RepairKind = "call-on-all-ranks"
	SameOnAllRanks   finding.RepairKind = "same-on-all-ranks"
	SetByWarpgroup   finding.RepairKind = "set-by-warpgroup"
	ReleaseRegisters finding.RepairKind = "release-registers"
	CorrectCount     finding.RepairKind = "correct-register-count"
)

// repairs are what removes a fault of a cause.
var repairs = map[trace.Cause]finding.RepairKind{
	trace.CauseNoMBarrier:   InitMBarrier,
	trace.CauseBarrierCount: WholeWarps,
	trace.CauseBarrierID:    FewerBarriers,
	trace.CauseNotArrived:   ArriveAndWait,

	trace.CausePartialWarpgroup:  WholeWarpgroups,
	trace.CausePartialRegisters:  SetByWarpgroup,
	trace.CauseDescriptorDiffers: SameDescriptor,
	trace.CauseNoProductFence:    FenceRegisters,
	trace.CauseInFlight:          WaitForProduct,

	trace.CauseTensorAddress:    SameAddress,
	trace.CauseTensorAlloc:      AllocateInOrder,
	trace.CauseTensorFull:       FreeColumns,
	trace.CauseTensorPeer:       KeepPeer,
	trace.CauseTensorDescriptor: MatchDescriptor,
}

// helps put repairs into words.
var helps = map[finding.RepairKind]string{
	ReachBarrier:     "let every thread that the barrier waits for reach it",
	SameBarriers:     "let all threads that a barrier waits for reach it, in the same order of barriers",
	InitMBarrier:     "let one thread initialize it, followed by a __syncthreads() before its first use",
	InvalidateFirst:  "initialize it once; to reuse its memory, call mbarrier.inval after the last use, then a __syncthreads() before mbarrier.init",
	InvalidateBefore: "call mbarrier.inval after its last use, then a __syncthreads() before the memory is written; or use other memory",
	WholeWarps:       "count whole warps: 32 for each warp that reaches the barrier",
	FewerBarriers:    "use fewer barriers: a barrier can be reused once all threads have left it",
	ArriveAndWait:    "let every thread call barrier_arrive and then barrier_wait, each once per phase",
	WaitForPhase:     "wait for the phase (mbarrier.try_wait), or for a thread that has waited for it, before the next arrival",
	ReturnLater:      "let all threads reach the barrier: make only the work conditional, so that none returns or leaves a loop before it",
	MoveBarrier:      "move the barrier out of the branch or loop, or make only the work conditional, so that no thread returns or leaves the loop before it",
	WriteValue:       "write the value before the host waits for the stream, and not in work that is itself ordered after the wait",
	CallOnAllRanks:   "call it for every rank; where one thread drives several devices, between ncclGroupStart and ncclGroupEnd",
	SameOnAllRanks:   "let all ranks make the same calls in the same order, with the same count, type, operator and root; a send and its receive have the same count",
	OneBarrier:       "let all threads of the block execute the same barrier: move it out of the branch",
	NameLanes:        "name exactly the lanes that execute it: 0xffffffff if all do, or the result of __ballot_sync before the branch",
	MoveOperation:    "move it to a place that all lanes of the mask reach, or compute the mask with __ballot_sync before the branch",
	AllLanes:         "let all lanes that are read from execute it, with a neutral value where they have none; or start with half the number of participating lanes",
	ReadPresentLane:  "read from a participating lane, such as the first of the mask, __ffs(mask) - 1; or let that lane execute the shuffle too",
	RaiseLimit:       "check the loop; if it is merely long, raise the limit with --timeout or --max-steps",
	EndLoop:          "check the loop's exit condition: the thread that should satisfy it has exited, is itself waiting, or never does so",
	ReachGridBarrier: "let all threads of all blocks reach the grid barrier: it must not be in a branch, and no block may exit before it",
	RemoveOrCorrect:  "remove it, or correct the condition",
	RemoveOne:        "remove one of them",
	WholeWarpgroups:  "let all four warps of a warpgroup execute the same wgmma instructions: decide by threadIdx.x / 128, which is the same for all of them",
	SameDescriptor:   "make the descriptor of values that all four warps share, not of a thread's or a warp's number",
	FenceRegisters:   "add wgmma.fence before the first wgmma.mma_async, and after each access to its registers",
	SameAddress:      "give all lanes of the warp the same address; each accesses its own lane of tensor memory",
	AllocateInOrder:  "allocate a power of 2 of columns from 32 to 512, never more than before, and before tcgen05.relinquish_alloc_permit",
	FreeColumns:      "let a block deallocate columns before it allocates more than 512 of them",
	KeepPeer:         "launch clusters of an even number of blocks, and let both blocks of a pair pass a cluster barrier before either exits",
	MatchDescriptor:  "make the descriptor as the tables of the PTX ISA have it for the instruction's kind",
	WaitForTensor:    "move the access behind tcgen05.wait::ld.sync.aligned, and let the assembly of the wait name the registers as in and out operands where a compiler may move the access",
	AcquireMap:       "let a thread of each block execute fence.proxy.tensormap::generic.acquire.sys [map], 128 before the first use (cuda::ptx::fence_proxy_tensormap_generic with sem_acquire and scope_sys, cute::tma_descriptor_fence_acquire), or pass the map as a const __grid_constant__ parameter",
	SetByWarpgroup:   "let all warps of a warpgroup execute the same setmaxnreg: decide by threadIdx.x / 128, which is the same for all of them",
	ReleaseRegisters: "let the other warpgroups release registers with setmaxnreg.dec before they wait for this one, or ask for fewer: the counts of all warps, times 32, must not exceed the registers of the block",
	CorrectCount:     "use setmaxnreg.inc to get more registers than the launch or the last setmaxnreg gave, setmaxnreg.dec to release some",
	WaitForProduct:   "add wgmma.commit_group after the product and wgmma.wait_group 0 before the access",
}

// repair sets a finding's repair, and its help.
func repair(f *finding.Finding, k finding.RepairKind) {
	f.Repair, f.Help = &finding.Repair{Kind: k}, helps[k]
}
