// Package divergence counts, while a kernel runs, how much of each warp is idle
// because its lanes parted, and at which branch they did.
package divergence

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Rule is the divergence rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:    "divergence",
		Title: "lanes idle at a divergent branch",
		Doc: `A warp executes one instruction at a time for all its lanes. Where a branch sends
some lanes one way and some another, both ways are executed one after the other,
and the lanes of the other way are idle meanwhile; where lanes leave a loop
earlier than others, they are idle until the last one has left.

What counts is instructions times idle lanes, from the branch until the lanes
meet again (where control flow joins: the branch's immediate post-dominator), or
until the end if some of them exit. They are charged to the branch at which the
idle lanes parted from those that execute. The share is the part of all that the
kernel's warps could have done: 32 lanes times each instruction. Instructions
are those of PTX. A branch with no more than 7 of them on each side that is
executed is left out: compilers make predicated instructions of such branches.

A branch is reported if its share is at least 5 %, and at most ten of a kernel
are, the most expensive first. The help says what grouping would do, tried on
the first time that the branch divided each warp of a block: the threads of the
block that go one way are put into warps of their own. It is a warning if the
share is at least 10 % and grouping saves at least half of the divided warps;
else it is information, since often the data decides. Lanes that have no thread,
because a block's size is no multiple of 32, are reported as "partial-warp".`,
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
		Fix: `Let conditions be the same for all lanes of a warp: compare threadIdx.x with a
bound, or use threadIdx.x / 32, instead of threadIdx.x % 2. Sort or group work
items so that neighboring lanes do the same work. Move what both sides do out
of the branch.`,
		References: []string{
			`CUDA C++ Programming Guide, "SIMT Architecture"`,
			`CUDA C++ Best Practices Guide, "Branching and Divergence"`,
		},
	},
	New: New,
}
