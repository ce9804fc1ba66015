// Package initialized reports uninitialized values that matter.
package initialized

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Rule is the rule for reads of uninitialized memory.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:     "init",
		Rank:   finding.Unset,
		Groups: true,
		Title:  "read of uninitialized memory",
		Doc: `A thread reads bytes of global, shared or local memory that no kernel, copy or
memset has written, and the value matters. It is whatever an earlier program or
block left there, so results change from run to run and from GPU to GPU.

Memory from cudaMalloc and from malloc in device code starts uninitialized, and so
do shared memory at each block's start and local arrays at each thread's start.
Pinned and managed memory count as initialized, since the host writes them without
a call; so do __device__ variables, which start as zero. A __constant__ variable
without an initial value is zero as well, but reading it before the host has
filled it is a warning.

In PTX from elsewhere, a register that is read before it is written is treated in the same way.

Loading an uninitialized value is no defect by itself: structures are copied with
their padding and with members that are not set yet. The value is followed, bit by
bit, through registers, shuffles, shared, local and global memory, copies from device
to device, and later launches, until it matters:

- it decides a branch, or whether an access takes place
- it forms an address, selects lanes of a shuffle, or is passed to printf or malloc
- an atomic operation updates memory with it, or updates uninitialized memory
- a result that was computed with it is stored in global memory
- an array is copied in global memory, element by element in neighboring lanes
- it is copied to the host, which is a warning: buffers are often copied whole

The first four are errors even if only part of the value is undefined. Bits that are
masked or shifted out do not count, nor do a comparison that the defined bits
decide, the operand that a select does not choose, the lanes of a shuffle that are not
read, and rows of a matrix multiplication that are not stored. A thread at the edge of
a matrix may compute with garbage as long as it stores no result.

The finding is at the read that first computed with the value, or where a value that
was only moved is read for the last time; a note says what it decides, and where the
value was first loaded. Padding that is copied to the host is not reported: gaps that
end where a larger member begins and that all elements of the array have.

A flag that threads wait for (a volatile or relaxed read in a loop that its value
ends) needs a value before the launch. So it is an error as well if only this
launch writes it, whichever block comes first, or if the wait ends with the value
that the flag had before: what an earlier launch has left there, say. Flags that
several threads set, or that one sets and waits for, are left out: locks begin
as they end.

A read of shared memory that another thread writes later in the same barrier
interval is reported as a race instead. Memory whose launch, copy or memset was
refused is left to the rules launch and memory.`,
		Example: `__global__ void count(const int *key, int *bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[key[i]], 1);
}
void histogram(const int *key, int n) {
    int *bins;
    cudaMalloc(&bins, 256 * sizeof(int));
    count<<<(n + 255) / 256, 256>>>(key, bins, n);   // bins is uninitialized
}`,
		Fixed: `__global__ void count(const int *key, int *bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[key[i]], 1);
}
void histogram(const int *key, int n) {
    int *bins;
    cudaMalloc(&bins, 256 * sizeof(int));
    cudaMemset(bins, 0, 256 * sizeof(int));
    count<<<(n + 255) / 256, 256>>>(key, bins, n);
}`,
		Fix: `Fill global memory with cudaMemset, cudaMemcpy or a kernel before it is read.
Let the threads of a block write all elements of a shared array that are read
(those of the border as well), followed by __syncthreads(). Initialize local
arrays.`,
		References: []string{
			`CUDA Runtime API, "Memory Management", cudaMalloc: "The memory is not cleared"`,
			`CUDA C++ Programming Guide, "__shared__": a shared variable cannot have an initializer`,
		},
	},
	Default: true,
	New:     New,
}

// Details is the rule's part of a finding in JSON.
type Details struct {
	// Space is "global", "shared", "local" or "constant".
	Space string `json:"space"`
	// Variable is the shared variable, "" where unknown; Index counts elements
	// of the access size from its start, or from the allocation's; -1 where
	// unknown.
	Variable string `json:"variable,omitempty"`
	Index    int64  `json:"index"`
	// Element is how the source calls what is read: "m[2][5]", "a[3].x"; "" where
	// unknown.
	Element string `json:"element,omitempty"`
	// Address is the device address, or the offset in shared or local memory;
	// Offset is in bytes from the variable's or allocation's start.
	Address uint64 `json:"address"`
	Offset  uint64 `json:"offset"`
	// Size is what the lane reads and Unwritten how many bytes of it are
	// uninitialized.
	Size      int `json:"size"`
	Unwritten int `json:"unwritten"`
	// Allocation is the size of the allocation in bytes, 0 where unknown;
	// Allocated the call that made it.
	Allocation uint64 `json:"allocation,omitempty"`
	Allocated  string `json:"allocated,omitempty"`
	// Stored says that the memory was written, with an uninitialized value. Purpose is
	// why the value matters: branch, guard, address, atomic, stored, call, lanes, fetch.
	Stored  bool   `json:"stored,omitempty"`
	Purpose string `json:"purpose,omitempty"`
	// Copied is for copies to the host.
	Copied bool `json:"copied,omitempty"`
}
