package memory

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// repairs are what removes a fault of a cause.
var repairs = map[trace.Cause]finding.RepairKind{
	trace.CauseCallTarget:     finding.DeviceFunction,
	trace.CauseCallType:       finding.DeviceFunction,
	trace.CauseClusterEnded:   finding.EndTogether,
	trace.CauseHeapFull:       finding.CheckMalloc,
	trace.CauseNull:           finding.CheckPointer,
	trace.CauseReserved:       finding.AllocateFirst,
	trace.CauseFreed:          finding.FreeLater,
	trace.CauseNearFreed:      finding.CheckFreed,
	trace.CauseHostPointer:    finding.DevicePointer,
	trace.CauseWild:           finding.DevicePointer,
	trace.CauseOutside:        finding.CheckIndex,
	trace.CauseOverflow:       finding.WidenIndex,
	trace.CauseMisaligned:     finding.Align,
	trace.CauseReadOnly:       finding.WriteGlobal,
	trace.CauseStack:          finding.LessStack,
	trace.CauseNotAllocated:   finding.MatchHeapFree,
	trace.CauseInside:         finding.MatchHeapFree,
	trace.CauseOtherAllocator: finding.MatchHeapFree,
	trace.CauseFreedTwice:     finding.FreeHeapOnce,
	trace.CauseTensorOutside:  finding.AllocateColumns,
	trace.CauseTensorFreed:    finding.DeallocLater,
	trace.CauseTensorLanes:    finding.OwnLanes,
	trace.CauseTensorAlloc:    finding.MatchAlloc,

	trace.CauseTensorCoordinate: finding.BeginTile,
	trace.CauseNoCluster:        finding.LaunchCluster,
	trace.CauseTensorMap:        finding.MatchMap,
	trace.CauseBulkSize:         finding.RoundSize,
}

// helps put repairs into words.
var helps = map[finding.RepairKind]string{
	finding.CheckIndex:      "check the index against the size before the access",
	finding.WidenIndex:      "compute the index in 64 bits: convert a factor to size_t before the multiplication, as in (size_t)row * pitch, and keep the result in a size_t",
	finding.MoreShared:      "check the index against the size, or give the launch more bytes of dynamic shared memory: the third argument between <<< and >>>",
	finding.CheckPointer:    "check that the pointer is set: that its cudaMalloc succeeded, and that pointers inside structures were copied to the device",
	finding.OutliveScope:    "declare the variable in the block that uses the pointer, before the inner block or loop",
	finding.OutliveFunction: "return the value instead of its address, or let the caller declare the variable and pass its address",
	finding.CheckAllocation: "check that the allocation succeeded",
	finding.CheckMalloc:     "check what malloc returns, free what is no longer used, or raise cudaLimitMallocHeapSize",
	finding.AllocateFirst:   "launch the graph whose node allocates the memory before the kernel, or map memory with cuMemMap",
	finding.FreeLater:       "free the memory after the last kernel that uses it, and do not use the pointer afterwards",
	finding.CheckFreed:      "check the index against the size before the access, and that the pointer does not point to freed memory",
	finding.DevicePointer:   "pass a pointer from cudaMalloc or cudaMallocManaged, and copy the data there with cudaMemcpy",
	finding.DeviceFunction:  "call only device functions, through pointers taken in device code: a pointer taken on the host is not valid there",
	finding.EndTogether:     "call cluster.sync() in all blocks of the cluster after their last access to each other's shared memory, before any of them exits",
	finding.CopyParameter:   "copy the parameter to a local variable and change that",
	finding.WriteGlobal:     "write to global memory instead, or do not declare it __constant__",
	finding.LessStack:       "use less local memory or less recursion, or raise cudaLimitStackSize",
	finding.MatchFree:       "free the pointer that the allocation returned, with the matching function",
	finding.MatchHeapFree:   "free the pointer that malloc returned, in device code; memory from cudaMalloc is freed by cudaFree",
	finding.FreeOnce:        "free the memory once, and then set the pointer to null",
	finding.FreeHeapOnce:    "free the memory once: let one thread do it, and then set the pointer to null",
	finding.Free:            "free the memory when it is no longer used: cudaFree, cudaFreeHost, or free in device code",
	finding.ResizeArray:     "make the array larger, or keep the index within it",
	finding.ResizeDynamic:   "give the launch more bytes of dynamic shared memory (the third argument between <<< and >>>), or keep the index within them",
	finding.Direction:       "check the order of the arguments (the destination comes first) and the direction",
	finding.Pitch:           "give the width in bytes, and the pitch as the number of bytes from one row to the next",
	finding.CopyEarlier:     "copy before the memory is freed",
	finding.CopyApart:       "copy through a buffer that overlaps neither, or move the elements in a kernel that reads all of them before it writes",
	finding.OmitCopy:        "leave the copy out, or check the pointers",
	finding.CheckSize:       "check how the size is computed: a negative number becomes a huge one, as sizes are unsigned",
	finding.CopyLess:        "copy no more bytes than the buffer has: elements times element size, as where it was allocated",
	finding.AllocateColumns: "allocate as many columns as are accessed, and add the column to the address that tcgen05.alloc has written",
	finding.DeallocLater:    "deallocate the columns once, after the last access to them and a barrier",
	finding.OwnLanes:        "let warp i of each four access lanes 32*i to 32*i+31: add (warp % 4) << 21 to the address",
	finding.Deallocate:      "let the warp that allocated the columns call tcgen05.dealloc before the kernel ends",
	finding.MatchAlloc:      "deallocate what was allocated: the same address, number of columns and .cta_group",
	finding.BeginTile:       "begin the tile at a multiple of 16 bytes of the innermost dimension, and a tile that is stored within the tensor; what is before it can be left out after the copy",
	finding.LaunchCluster:   "launch the kernel with clusters, of one block if need be: __cluster_dims__(1, 1, 1), or cudaLaunchAttributeClusterDimension with cudaLaunchKernelEx",
	finding.MatchMap:        "encode the map for this instruction: the same number of dimensions, tile or im2col mode, and a box that its swizzle allows; pass it as a const __grid_constant__ CUtensorMap",
	finding.RoundSize:       "copy a size that is a multiple of what the instruction moves at once, and the rest by ordinary stores",
	finding.CopyToHost:      "copy the data to the host with cudaMemcpy, or allocate it with cudaMallocManaged",
}

// helpFor puts a fault's repair into words.
func helpFor(k finding.RepairKind, e *trace.Fault) string {
	if k == finding.Align {
		return fmt.Sprintf("an access of %d bytes needs an address that is a multiple of %d", e.Size, e.Size)
	}
	return helps[k]
}

// transferRepairs are what repairs a transfer that CUDA refuses.
var transferRepairs = map[trace.Cause]finding.RepairKind{
	trace.CauseDirection: finding.Direction,
	trace.CausePitch:     finding.Pitch,
	trace.CauseFreed:     finding.CopyEarlier,
	trace.CauseNull:      finding.CheckAllocation,
	trace.CauseNegative:  finding.CheckSize,
	trace.CauseOverlap:   finding.CopyApart,
	trace.CauseItself:    finding.OmitCopy,
}

func sameLanes(n int) string { return fmt.Sprintf("%d lanes of the warp do the same", n) }

// sameAccesses counts the invalid accesses of a launch that continued.
func sameAccesses(n uint64) string {
	return fmt.Sprintf("%d accesses of threads by this instruction are invalid: reads return zero, writes are dropped, and the launch continues", n)
}

// stoppedBlocks says what was not checked of n blocks that were stopped.
func stoppedBlocks(n uint64) string {
	blocks := "the block was"
	if n > 1 {
		blocks = fmt.Sprintf("%d blocks were", n)
	}
	return blocks + " stopped after too many invalid accesses, or too many instructions after one: what the threads would do next was not checked"
}

// The causes that are not causes of faults.
const (
	// BeyondObject: the access goes beyond the object it means and hits another one.
	BeyondObject finding.Cause = "beyond-object"
	// FunctionReturned: an access to a local variable of a function that has returned.
	FunctionReturned finding.Cause = "function-returned"
	// ScopeEnded: an access to a local variable after its scope has ended.
	ScopeEnded finding.Cause = "scope-ended"
	// FailedAllocation: the pointer has the value that a failed allocation left in it.
	FailedAllocation finding.Cause = "failed-allocation"
	// DevicePointerOnHost: host code follows a pointer to device memory.
	DevicePointerOnHost finding.Cause = "device-pointer-on-host"
	// NotFreed: memory that the program still holds at its end.
	NotFreed finding.Cause = "not-freed"
	// TensorLeak: columns of tensor memory that a block still holds when it ends.
	TensorLeak finding.Cause = "tensor-leak"
)

// nameFree names the call that has freed the memory of an access, which is what free-later moves.
func nameFree(f *finding.Finding, m *trace.Memory) {
	if m == nil || m.FreedAt == "" {
		return
	}
	at := check.HostPlace(m.FreedAt)
	f.Related = append(f.Related, finding.Place{Role: "freed here by " + m.FreedBy, Loc: at})
	f.Repair.At = &finding.Point{Pos: at.Pos}
	last := "the last kernel that uses it"
	if m.Kind == "heap" {
		last = "its last access"
	}
	f.Help = fmt.Sprintf("free the memory at %s only after %s, and do not use the pointer afterwards", f.Repair.At.InWords(""), last)
}
