// Package constant counts, while a kernel runs, how many different addresses
// the lanes of a warp read from constant memory at once.
package constant

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Rule is the constant-memory rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:    "constant",
		Title: "serialized reads of constant memory",
		Doc: `Constant memory delivers one address at a time to all lanes that request it. A warp
whose lanes read different addresses needs one pass for each of them: it is as fast as
a register if all lanes read the same address, and up to 32 times slower if not. On
sm_10 to sm_13 half-warps are served separately.

The rule counts the excess: distinct addresses beyond the first. Kernel parameters are
the same for all lanes and are not counted, nor are reads through pointers that the
compiler cannot tell from pointers to global memory, since those bypass the constant
cache.

A place is reported if its excess is at least 1 % of the kernel's passes; at most ten
places per kernel are, the largest excess first. The help compares recorded reads with
the same reads from global memory and from a copy in shared memory. It is a warning if
one of them needs at most half of the passes, otherwise information.`,
		Example: `__constant__ float weight[64];
__global__ void apply(float *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] *= weight[threadIdx.x % 64];      // 32 addresses per warp: 32 passes
}`,
		Fixed: `__global__ void apply(float *a, const float *__restrict__ weight) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] *= weight[threadIdx.x % 64];      // global memory: 4 sectors
}`,
		Fix: `Keep in constant memory what all lanes read at the same time: coefficients of a loop,
sizes, parameters. Tables that are indexed by the thread or by data belong in global
memory (const __restrict__, __ldg) or in shared memory.`,
		References: []string{
			`CUDA C++ Programming Guide, "Device Memory Accesses": "Constant Memory"`,
			`CUDA C++ Best Practices Guide, "Constant Memory"`,
			`Langdon: Debugging CUDA (GECCO 2011), section 4`,
		},
	},
	New: New,
}
