// Package divergence counts, while a kernel runs, how much of each warp is idle
// because its lanes diverged, and at which branch they did.
package divergence

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Rule is the divergence rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:    "divergence",
		Title: "idle lanes after a divergent branch",
		Doc: `A warp executes one instruction at a time for all its lanes. At a divergent branch,
both paths execute one after the other, and the lanes of the other path are idle
meanwhile; if some lanes leave a loop early, they are idle until the last one has left.

The rule counts instructions times idle lanes, from the branch to its reconvergence
point (the immediate post-dominator), or to the end if some lanes exit. They are
charged to the branch at which the idle lanes diverged from the active ones. The share
is relative to the kernel's capacity: 32 lanes for each warp instruction.

A branch is reported if its share is at least 5 %; at most ten branches per kernel are,
the most expensive first. The help estimates the effect of grouping: the threads of a
block that take the same path are put into the same warps. It is a warning if the share
is at least 10 % and grouping saves at least half of the divergent warps; otherwise
information, since the data often decides.

Lanes without a thread, because the block size is not a multiple of 32, are reported as
"partial-warp".`,
		More: `Instructions are those of PTX. A branch whose executed sides have at most 7 of them is not
reported: compilers turn such branches into predicated instructions. The estimate of
grouping uses the first divergence of each warp of one block.`,
		Example: `__global__ void sum(float *s) {
    for (int step = 1; step < blockDim.x; step *= 2) {
        if (threadIdx.x % (2 * step) == 0)          // some lanes of every warp
            s[threadIdx.x] += s[threadIdx.x + step];
        __syncthreads();
    }
}`,
		Fixed: `__global__ void sum(float *s) {
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (threadIdx.x < step)                     // whole warps, up to the last
            s[threadIdx.x] += s[threadIdx.x + step];
        __syncthreads();
    }
}`,
		Fix: `Make conditions uniform across a warp: compare threadIdx.x with a bound, or use
threadIdx.x / 32, instead of threadIdx.x % 2. Sort or group work items so that
adjacent lanes do the same work. Move code that both paths execute out of the branch.`,
		References: []string{
			`CUDA C++ Programming Guide, "SIMT Architecture"`,
			`CUDA C++ Best Practices Guide, "Branching and Divergence"`,
		},
	},
	New: New,
}
