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
memset has written, and the value affects the program. The memory holds what an
earlier program or block left there, so results change from run to run and from GPU
to GPU.

Memory from cudaMalloc, and from malloc in device code, starts uninitialized; so do
shared memory at the start of each block and local arrays at the start of each thread.
Pinned and managed memory count as initialized, since the host writes them without
a call, as do __device__ variables, which start as zero. A __constant__ variable
without an initializer is zero too, but reading it before the host has filled it is
a warning. In hand-written PTX, registers are treated in the same way. What a shuffle
reads in a lane that its mask leaves out, that is inactive or that has exited, is
undefined too.

Loading an uninitialized value is not a defect by itself: structures are copied with
their padding and with unset members. The value is tracked bit by bit through
registers, shuffles, shared, local and global memory, device-to-device copies and
later launches, until it has an effect:

- a branch, or whether an access is executed, depends on it
- it forms an address, selects lanes of a shuffle, or is passed to printf or malloc
- an atomic operation updates memory with it, or updates uninitialized memory
- a result computed from it, or read by such a shuffle, is stored in global memory
- adjacent lanes copy an array in global memory, element by element
- it is copied to the host (a warning, since buffers are often copied whole)

The first four are errors even if only part of the value is uninitialized. The finding
is at the first read that computed with the value; notes name its effect and the place
where it was first loaded.

A flag that threads wait for needs a value before the launch as well. A read of shared
memory that another thread writes later in the same barrier interval is reported as a
race instead. Memory whose launch, copy or memset failed is left to the rules launch
and memory.`,
		More: `Bits that are masked or shifted out do not count, nor do a comparison that the initialized
bits decide, the operand that a select does not choose, the lanes of a shuffle that are not
read, and rows of a matrix multiplication that are not stored. A thread at the edge of a
matrix, or a lane of a reduction that is not its first, may compute with garbage as long as
it does not store the result.

In a launch of more than 32 blocks (or clusters), a load whose values the first 32 have
reported is not followed in the others, if it is of the same memory. The number of uses
is then of less than all blocks.

The finding of a value that was only moved is at its last read. Padding that is copied to
the host is not reported: gaps that end where a larger member begins and that all elements
of the array have. Of memory that only the host filled, a part that is missing is not padding.

A flag is a word that a volatile or relaxed read in a loop tests and whose value ends the
loop. It is an error if only this launch writes the flag, whichever block runs first, or if
the wait ends with the value that the flag held before: one that an earlier launch has left
there, for example. Flags that several threads set, or that one thread both sets and waits
for, are not reported: a lock starts in the state in which it ends. Nor are flags that had
another value in the first launch that set them, and ended as they began.`,
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
		Fix: `Fill global memory with cudaMemset, cudaMemcpy or a kernel before it is read. Let the
threads of a block write every element of a shared array that is read (including those
at the border), followed by __syncthreads(). Initialize local arrays.`,
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
	// Space is "global", "shared", "local", "constant", "register", "tensor" or, of a shuffle, "lane".
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
	// Stored is set if the memory was written, with an uninitialized value. Purpose is
	// why the value matters: branch, guard, address, atomic, stored, call, lanes, fetch.
	Stored  bool   `json:"stored,omitempty"`
	Purpose string `json:"purpose,omitempty"`
	// Source is the lane that a shuffle read and that takes no part in it; nil for memory.
	Source *int `json:"source_lane,omitempty"`
	// Copied is for copies to the host.
	Copied bool `json:"copied,omitempty"`
}
