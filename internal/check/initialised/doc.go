// Package initialised reports reads of memory that nobody has written.
package initialised

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Rule is the rule for reads of unwritten memory.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:     "init",
		Rank:   finding.Unset,
		Groups: true,
		Title:  "read of memory that nobody wrote",
		Doc: `A thread reads bytes of global, shared or local memory that nothing has written
before: no kernel, no copy, no memset. What it gets is what an earlier program
or block left there, so results change from run to run and from GPU to GPU.

Memory from cudaMalloc and from malloc in device code starts unwritten, and so
do shared memory at each block's start and local arrays at each thread's start.
Pinned and managed memory count as written, since the host writes them without
a call; so do __device__ variables, which start as zero. A copy from device to
device copies the state too. A __constant__ variable without an initial value is
zero too, but what for? If a kernel reads it before the host has filled it, that
is a warning.

Not every unwritten byte that is loaded is a defect: a structure is copied with
its padding and with members that are not set yet. The rule therefore looks at
each element that an instruction loads:

- An element counts only if none of its bytes is written. Compilers load
  neighbouring members, and padding, as one.
- If the element is used for more than storing it again, this is an error.
- If it is only stored again, it is an error where neighbouring lanes read
  neighbouring elements, as arrays are copied. Where they do not, it may be a
  member of a structure: a warning if nothing of what the lane reads is written,
  else nothing. Of an expression that is loaded in pieces, a structure aligned to 8
  bytes, a piece of less than 8 may be padding: nothing if others of these 8 bytes
  are written. What is stored counts as written.
- An element that is not used at all is ignored (the w of a float4).

Threads at the edge of a matrix may compute with elements of a tile in shared
memory that are not there, and store no result. So where all that is computed
from such an element ends in stores of the same thread, be it through its local
arrays, the read is an error only if the thread comes to one of them. What it
stores in shared memory counts as unwritten again, and the read from which it was
computed is reported once somebody's result depends on it. If the element decides
a branch or an address, or is handed to another lane, to a function or to a matrix
instruction, it is an error at once. Arrays of results in local memory are taken
as a whole: a thread that stores some of them stores all. If the rule says too
much here, fill the tile with zeros, or put the comment "// warpgrind: ignore
init" at the line.

Memory that a refused launch, copy or fill had a pointer to is not reported any
more: what is missing there is that call, which the rules launch and memory tell of.

A flag that threads wait for (a volatile or relaxed read in a loop that its value
ends) needs a value before the launch. So it is an error as well if only this
launch writes it, whichever block comes first, or if the wait ends with the value
that the flag had before: what an earlier launch has left there, say. Flags that
several threads set, or that one sets and waits for, are left out: locks begin
as they end.

A read of shared memory that another thread writes later in the same barrier
interval is not reported here but as a race. A copy of unwritten bytes to the host is a
warning: buffers are often copied whole.`,
		Example: `__global__ void count(const int *key, int *bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[key[i]], 1);
}
void histogram(const int *key, int n) {
    int *bins;
    cudaMalloc(&bins, 256 * sizeof(int));
    count<<<(n + 255) / 256, 256>>>(key, bins, n);   // bins start with anything
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
(those of the border as well), followed by __syncthreads(). Give local arrays an
initialiser.`,
		References: []string{
			`CUDA Runtime API, "Memory Management", cudaMalloc: "The memory is not cleared"`,
			`CUDA C++ Programming Guide, "__shared__": a shared variable cannot have an initialiser`,
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
	// Size is what the lane reads and Unwritten how many bytes of it nobody
	// wrote.
	Size      int `json:"size"`
	Unwritten int `json:"unwritten"`
	// Allocation is the size of the allocation in bytes, 0 where unknown;
	// Allocated the call that made it.
	Allocation uint64 `json:"allocation,omitempty"`
	Allocated  string `json:"allocated,omitempty"`
	// Copied says that what is read is only stored again.
	Copied bool `json:"copied"`
}
