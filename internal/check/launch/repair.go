package launch

import (
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// The repairs of the rules launch and assert.
const (
	OptIn               finding.RepairKind = "opt-in-shared"
	RoundUp             finding.RepairKind = "round-up"
	KeepBounds          finding.RepairKind = "launch-bounds"
	RequiredBlock       finding.RepairKind = "required-block"
	SmallerBlocks       finding.RepairKind = "smaller-blocks"
	Configure           finding.RepairKind = "configure-launch"
	TurnGrid            finding.RepairKind = "turn-grid"
	KeepLimit           finding.RepairKind = "keep-limit"
	RaisePending        finding.RepairKind = "raise-pending-limit"
	RaiseSyncDepth      finding.RepairKind = "raise-sync-depth"
	CheckCondition      finding.RepairKind = "check-condition"
	FindTrap            finding.RepairKind = "find-trap"
	PassGlobal          finding.RepairKind = "pass-global"
	LaunchCooperatively finding.RepairKind = "launch-cooperatively"
)

// repairs are what removes a refusal, or an end, of a cause.
var repairs = map[trace.Cause]finding.RepairKind{
	trace.CauseSharedOptIn:    OptIn,
	trace.CauseUnconfigured:   Configure,
	trace.CauseNoBlocks:       RoundUp,
	trace.CauseNoThreads:      RoundUp,
	trace.CauseLaunchBounds:   KeepBounds,
	trace.CauseRequiredBlock:  RequiredBlock,
	trace.CauseBlockSize:      SmallerBlocks,
	trace.CauseGridSize:       TurnGrid,
	trace.CausePending:        RaisePending,
	trace.CauseParentMemory:   PassGlobal,
	trace.CauseSyncDepth:      RaiseSyncDepth,
	trace.CauseAssert:         CheckCondition,
	trace.CauseTrap:           FindTrap,
	trace.CauseBranchIndex:    FindTrap,
	trace.CauseNotCooperative: LaunchCooperatively,
}

func repairOf(c trace.Cause) finding.RepairKind {
	if k, ok := repairs[c]; ok {
		return k
	}
	return KeepLimit
}

// helps put repairs into words.
var helps = map[finding.RepairKind]string{
	OptIn:         "call cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) before it",
	RoundUp:       "round quotients up, as in (n + 255) / 256, and skip the launch if there is no work",
	KeepBounds:    "launch at most as many threads as the kernel's __launch_bounds__ allow",
	RequiredBlock: "launch blocks of the extent that the kernel was compiled for",
	SmallerBlocks: "use fewer threads per block, and more blocks",
	Configure:     "give the call a grid and a block: kernel<<<blocks, threads>>>(...)",
	TurnGrid:      "put the large extent in x, or let each block do more",
	KeepLimit:     "stay within the limit",
	PassGlobal:    "copy the data to global memory (a __device__ variable, or memory from malloc) and pass its address",
	RaisePending: "launch fewer and larger grids, or raise the limit with cudaDeviceSetLimit before the host launches the kernel; " +
		"check cudaGetLastError() in the parent",
	RaiseSyncDepth:      "raise cudaLimitDevRuntimeSyncDepth with cudaDeviceSetLimit before the host launches the kernel",
	CheckCondition:      "check the condition for the thread named above",
	FindTrap:            "find out why the thread named above reached the trap",
	LaunchCooperatively: "launch the kernel with cudaLaunchCooperativeKernel, with no more blocks than fit on the device at once",
}
