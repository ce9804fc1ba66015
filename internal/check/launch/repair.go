package launch

import (
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// repairs are what removes a refusal, or an end, of a cause.
var repairs = map[trace.Cause]finding.RepairKind{
	trace.CauseSharedOptIn:    finding.OptIn,
	trace.CauseUnconfigured:   finding.Configure,
	trace.CauseNoBlocks:       finding.RoundUp,
	trace.CauseNoThreads:      finding.RoundUp,
	trace.CauseLaunchBounds:   finding.KeepBounds,
	trace.CauseRequiredBlock:  finding.RequiredBlock,
	trace.CauseBlockSize:      finding.SmallerBlocks,
	trace.CauseGridSize:       finding.TurnGrid,
	trace.CausePending:        finding.RaisePending,
	trace.CauseParentMemory:   finding.PassGlobal,
	trace.CauseSyncDepth:      finding.RaiseSyncDepth,
	trace.CauseAssert:         finding.CheckCondition,
	trace.CauseTrap:           finding.FindTrap,
	trace.CauseBranchIndex:    finding.FindTrap,
	trace.CauseNotCooperative: finding.LaunchCooperatively,
}

func repairOf(c trace.Cause) finding.RepairKind {
	if k, ok := repairs[c]; ok {
		return k
	}
	return finding.KeepLimit
}

// helps put repairs into words.
var helps = map[finding.RepairKind]string{
	finding.OptIn:         "call cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) before it",
	finding.RoundUp:       "round quotients up, as in (n + 255) / 256, and skip the launch if there is no work",
	finding.KeepBounds:    "launch at most as many threads as the kernel's __launch_bounds__ allow",
	finding.RequiredBlock: "launch blocks of the extent that the kernel was compiled for",
	finding.SmallerBlocks: "use fewer threads per block, and more blocks",
	finding.Configure:     "give the call a grid and a block: kernel<<<blocks, threads>>>(...)",
	finding.TurnGrid:      "put the large extent in x, or let each block do more",
	finding.KeepLimit:     "stay within the limit",
	finding.PassGlobal:    "copy the data to global memory (a __device__ variable, or memory from malloc) and pass its address",
	finding.RaisePending: "launch fewer and larger grids, or raise the limit with cudaDeviceSetLimit before the host launches the kernel; " +
		"check cudaGetLastError() in the parent",
	finding.RaiseSyncDepth:      "raise cudaLimitDevRuntimeSyncDepth with cudaDeviceSetLimit before the host launches the kernel",
	finding.CheckCondition:      "check the condition for the thread named above",
	finding.FindTrap:            "find out why the thread named above reached the trap",
	finding.LaunchCooperatively: "launch the kernel with cudaLaunchCooperativeKernel, with no more blocks than fit on the device at once",
}
