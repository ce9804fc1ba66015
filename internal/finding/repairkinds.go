package finding

// The kinds of repair, by what they are for. Package repair has the patches of each, or the reason why there are none.

// Repairs that add a call between two places, or change one there.
const (
	AddBarrier  RepairKind = "syncthreads"
	AddSyncwarp RepairKind = "syncwarp"
	AddFence    RepairKind = "fence"
	// StrengthenOrder gives atomic operations a stronger memory order.
	StrengthenOrder RepairKind = "order"
)

// Repairs of races.
const (
	WidenScope RepairKind = "scope"
	// AddProxyFence: a fence.proxy.async.
	AddProxyFence RepairKind = "proxy-fence"
	// AddTensorFence: fences of tensor memory (tcgen05.fence).
	AddTensorFence RepairKind = "tensor-fence"
	// ClusterBarrier: a barrier of the cluster.
	ClusterBarrier RepairKind = "cluster-barrier"
	// SplitBranch: a barrier of the block, for which a branch has to end.
	SplitBranch RepairKind = "split-branch"
	// CountedBarrier: a barrier of those threads of the block that come to one of two places.
	CountedBarrier RepairKind = "counted-barrier"
	// EvenLoop: a barrier in a loop of which threads make different numbers of passes.
	EvenLoop     RepairKind = "even-loop"
	MoveArray    RepairKind = "move-array"
	TakeLock     RepairKind = "lock"
	MakeVolatile RepairKind = "volatile"
	MakeAtomic   RepairKind = "atomic"
	MakeRelaxed  RepairKind = "relaxed-atomic"
	WaitForCopy  RepairKind = "wait"
	WaitForAll   RepairKind = "wait-for-all"
	WaitThere    RepairKind = "wait-there"
	WaitFirst    RepairKind = "wait-first" // the wait is there, but after the access
	// WaitForReaders: a write waits until others have read the last value.
	WaitForReaders RepairKind = "wait-for-readers"
	CountArrivals  RepairKind = "count-arrivals"
	CountThreads   RepairKind = "count-threads"
	OwnElement     RepairKind = "own-element" // each thread its own, or one thread alone
	SplitKernel    RepairKind = "split-kernel"
	OrderStreams   RepairKind = "stream-order"
	HostWait       RepairKind = "host-wait"
	GridWait       RepairKind = "grid-wait"
	ChildWait      RepairKind = "child-wait"
	TailLaunch     RepairKind = "tail-launch"
	CoherentLoad   RepairKind = "coherent-load"
	Nothing        RepairKind = "none"
)

// Repairs of barriers, warp-level functions and hangs (rules sync and hang).
const (
	ReachBarrier     RepairKind = "reach-barrier"
	SameBarriers     RepairKind = "same-barriers"
	InitMBarrier     RepairKind = "init-mbarrier"
	InvalidateFirst  RepairKind = "invalidate-mbarrier"
	InvalidateBefore RepairKind = "invalidate-before-write"
	CountWholeWarps  RepairKind = "count-whole-warps"
	FewerBarriers    RepairKind = "fewer-barriers"
	ArriveAndWait    RepairKind = "arrive-and-wait"
	WaitForPhase     RepairKind = "wait-for-phase"
	ReturnLater      RepairKind = "return-later"
	MoveBarrier      RepairKind = "move-barrier"
	OneBarrier       RepairKind = "one-barrier"
	NameLanes        RepairKind = "name-lanes"
	MoveOperation    RepairKind = "move-operation"
	AllLanes         RepairKind = "all-lanes"
	ReadPresentLane  RepairKind = "read-present-lane"
	RaiseLimit       RepairKind = "raise-limit"
	EndLoop          RepairKind = "end-loop"
	WriteValue       RepairKind = "write-value"
	ReachGridBarrier RepairKind = "reach-grid-barrier"
	RemoveOrCorrect  RepairKind = "remove-or-correct"
	RemoveOne        RepairKind = "remove-one"
	WholeWarpgroups  RepairKind = "whole-warpgroups"
	SameDescriptor   RepairKind = "same-descriptor"
	FenceRegisters   RepairKind = "fence-registers"
	WaitForProduct   RepairKind = "wait-for-product"
	WaitForTensor    RepairKind = "wait-for-tensor-load"
	SameAddress      RepairKind = "same-tensor-address"
	AllocateInOrder  RepairKind = "allocate-in-order"
	FreeColumns      RepairKind = "free-columns"
	KeepPeer         RepairKind = "keep-peer"
	MatchDescriptor  RepairKind = "match-descriptor"
	AcquireMap       RepairKind = "acquire-tensor-map"
	CallOnAllRanks   RepairKind = "call-on-all-ranks"
	SameOnAllRanks   RepairKind = "same-on-all-ranks"
	SetByWarpgroup   RepairKind = "set-by-warpgroup"
	ReleaseRegisters RepairKind = "release-registers"
	CorrectCount     RepairKind = "correct-register-count"
)

// Repairs of undefined values (rule init).
const (
	WriteFirst    RepairKind = "write-first"
	WaitForWriter RepairKind = "wait-for-writers"
	Initialize    RepairKind = "initialize"
	WriteRegister RepairKind = "write-register"
	// ReadPresent: a shuffle reads a lane that takes no part.
	ReadPresent RepairKind = "read-present"
	// AskCanceled: the response is decoded without a look at whether something was canceled.
	AskCanceled RepairKind = "ask-canceled"
	WriteTensor RepairKind = "write-tensor-memory"
	CopySymbol  RepairKind = "copy-to-symbol"
	WriteHeap   RepairKind = "write-after-malloc"
	Fill        RepairKind = "fill"
	Reset       RepairKind = "reset"
	// InitializeSource: the memory from which the stored value was loaded.
	InitializeSource RepairKind = "initialize-source"
	CopyWritten      RepairKind = "copy-written"
	AllocateLess     RepairKind = "allocate-less"
)

// Repairs of accesses and allocations (rule memory).
const (
	CheckIndex      RepairKind = "check-index"
	MoreShared      RepairKind = "more-shared-memory"
	CheckPointer    RepairKind = "check-pointer"
	CheckAllocation RepairKind = "check-allocation"
	CheckMalloc     RepairKind = "check-malloc"
	AllocateFirst   RepairKind = "allocate-first"
	FreeLater       RepairKind = "free-later"
	CheckFreed      RepairKind = "check-index-and-free"
	DevicePointer   RepairKind = "device-pointer"
	DeviceFunction  RepairKind = "device-function"
	EndTogether     RepairKind = "cluster-sync"
	Align           RepairKind = "align"
	WriteGlobal     RepairKind = "write-global"
	CopyParameter   RepairKind = "copy-parameter"
	LessStack       RepairKind = "less-stack"
	MatchFree       RepairKind = "match-free"
	MatchHeapFree   RepairKind = "match-heap-free"
	FreeOnce        RepairKind = "free-once"
	FreeHeapOnce    RepairKind = "free-heap-once"
	Free            RepairKind = "free"
	ResizeArray     RepairKind = "resize-array"
	ResizeDynamic   RepairKind = "resize-dynamic"
	MovePart        RepairKind = "move-part"
	Direction       RepairKind = "direction"
	Pitch           RepairKind = "pitch"
	CopyEarlier     RepairKind = "copy-earlier"
	CopyApart       RepairKind = "copy-apart"
	OmitCopy        RepairKind = "omit-copy"
	CheckSize       RepairKind = "check-size"
	CopyLess        RepairKind = "copy-less"
	CopyToHost      RepairKind = "copy-to-host"
	AllocateColumns RepairKind = "allocate-columns"
	DeallocLater    RepairKind = "deallocate-later"
	OwnLanes        RepairKind = "own-lanes"
	Deallocate      RepairKind = "deallocate"
	MatchAlloc      RepairKind = "match-allocation"
	BeginTile       RepairKind = "begin-tile"
	LaunchCluster   RepairKind = "launch-cluster"
	MatchMap        RepairKind = "match-tensor-map"
	OutliveFunction RepairKind = "outlive-function"
	OutliveScope    RepairKind = "outlive-scope"
	RoundSize       RepairKind = "round-size"
	WidenIndex      RepairKind = "widen-index"
)

// Repairs of undefined behavior of C++ (check).
const (
	ReturnValue    RepairKind = "return-value"
	KeepAlive      RepairKind = "keep-alive"
	CheckDivisor   RepairKind = "check-divisor"
	CheckShift     RepairKind = "check-shift"
	ReturnAlways   RepairKind = "return-always"
	SplitStatement RepairKind = "split-statement"
	EndRecursion   RepairKind = "end-recursion"
)

// Repairs of launches.
const (
	OptIn               RepairKind = "opt-in-shared"
	RoundUp             RepairKind = "round-up"
	KeepBounds          RepairKind = "launch-bounds"
	RequiredBlock       RepairKind = "required-block"
	SmallerBlocks       RepairKind = "smaller-blocks"
	Configure           RepairKind = "configure-launch"
	TurnGrid            RepairKind = "turn-grid"
	KeepLimit           RepairKind = "keep-limit"
	RaisePending        RepairKind = "raise-pending-limit"
	RaiseSyncDepth      RepairKind = "raise-sync-depth"
	CheckCondition      RepairKind = "check-condition"
	FindTrap            RepairKind = "find-trap"
	PassGlobal          RepairKind = "pass-global"
	LaunchCooperatively RepairKind = "launch-cooperatively"
)

// Repairs of calls of the API.
const (
	CheckResult RepairKind = "check-result"
	CheckLaunch RepairKind = "check-launch"
	// Synchronize: wait for the device before the program ends.
	Synchronize RepairKind = "synchronize-before-exit"
)

// Repairs of occupancy.
const (
	LargerBlocks RepairKind = "larger-blocks"
	LessShared   RepairKind = "less-shared-memory"
	OtherBlocks  RepairKind = "other-block-size"
)

// Repairs of memory performance (rules bank, coalesce and constant).
const (
	PadRows         RepairKind = "pad-rows"
	PadIndex        RepairKind = "pad-index"
	Swizzle         RepairKind = "swizzle"
	UnitStride      RepairKind = "unit-stride"
	ExchangeLanes   RepairKind = "exchange-lanes"
	ExchangeAxes    RepairKind = "exchange-axes"
	AlignRows       RepairKind = "align-rows"
	VectorAccess    RepairKind = "vector-access"
	Tile            RepairKind = "tile"
	WiderBlock      RepairKind = "wider-block"
	Transpose       RepairKind = "transpose"
	StructOfArrays  RepairKind = "structure-of-arrays"
	GroupThreads    RepairKind = "group-threads"
	GlobalMemory    RepairKind = "global-memory"
	SharedMemory    RepairKind = "shared-memory"
	SameElement     RepairKind = "same-element"
	RoundToWarps    RepairKind = "whole-warps"
	NeighboringWork RepairKind = "neighboring-lanes"
	// OtherWork is where no change that was tried helps.
	OtherWork RepairKind = "other-work"
)

// RaceFirst: the races of the program are to be repaired first (rule schedule).
const RaceFirst RepairKind = "race-first"
