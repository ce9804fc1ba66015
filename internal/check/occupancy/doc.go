// Package occupancy compares how many warps of a launch a multiprocessor can hold at
// once with how many it could hold.
package occupancy

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Rule is the occupancy rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:    "occupancy",
		Title: "few resident warps per multiprocessor",
		Doc: `A multiprocessor hides the latency of memory by switching between its resident
warps. How many it can hold depends on the launch: it holds whole blocks only, at
most a fixed number of them, and their threads and shared memory must fit.
Occupancy is the number of resident warps divided by the most that the
multiprocessor can hold.

A kernel is reported if the block size or the shared memory of one of its launches
limits occupancy to half or less. It is a warning at a quarter or less if the grid has
more blocks than one multiprocessor can hold, else information. The launch with the
lowest occupancy is shown.

Registers are not counted: PTX has virtual registers, and their number is decided by
ptxas. High occupancy is not a goal in itself: kernels with much independent work in
each thread are fast at low occupancy.`,
		Example: `__global__ void scale(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

scale<<<n / 32, 32>>>(a);      // one warp per block: the number of blocks is the limit`,
		Fixed: `scale<<<n / 256, 256>>>(a);    // 8 warps per block`,
		Fix: `Use blocks of 128 to 256 threads. Where shared memory is the limit, use less of it
per block, or larger blocks that share it.`,
		References: []string{
			`CUDA C++ Programming Guide, "Multiprocessor Level" and table of technical specifications`,
			`CUDA C++ Best Practices Guide, "Occupancy"`,
		},
	},
	New: New,
}
