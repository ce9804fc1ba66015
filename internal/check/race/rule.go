package race

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/diagnose"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Rule is the race rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:     "race",
		Rank:   finding.Wrong,
		Groups: true,
		Title:  "data race in shared or global memory",
		Doc: `Two threads access the same bytes of shared or global memory, at least one of
them writes, they are not both atomic, and neither access happens before the other:
no barrier that both pass, no __syncwarp among their lanes, no lock or flag with
fences between their blocks. The scheduler then decides which one comes first, and the
result may change from run to run and from GPU to GPU.

RAW (read after write), WAR (write after read) and WAW (write after write) name the order
of the two accesses in the program. Each pair of source lines is one finding; its count
is the number of thread pairs. A report says why nothing orders the two accesses, what
each thread synchronized on last, and the smallest change that helps.

Also found are races between streams, branches of a graph and dependent launches, between
a grid and its child grids, with accesses of host code to managed and page-locked memory,
with asynchronous copies in flight, and reads through the read-only path (__ldg) of what
the same kernel writes.

A lock or a counter orders two blocks only by who comes first. So where blocks acquired what
others released, the launch runs again with a block pausing before a release or a lock, and
a race that shows then is reported with a note of that order, which --schedule hold:...
repeats; --predict off|on|deep chooses how much of that is done.

--race-model selects what is ordered without a barrier. "its", the default from sm_70 on,
treats the lanes of a warp as independent threads. "lockstep", the default for older
architectures, orders the lanes of a warp by instruction. "thread" ignores warps, and in
shared memory counts barriers only.

Some of these cases are debatable; --race-policy selects the treatment, by a list such as
volatile=allow,acquire=fence. "volatile" is for two volatile or relaxed accesses,
"same-value" for writes of one value, "warp-sync" for accesses of one warp without a
__syncwarp, "host" for accesses of host code, "staged" for copies from pageable memory
that a non-blocking stream does not wait for: allow, info, warning or error. "acquire" is
atomic (the default: the result of an atomic, or a barrier after a flag was read, orders
what follows) or fence (only a fence does, as the memory model has it).

docs/RACES.md has the definitions, the reason for each policy, and what is not found.`,
		Example: `__global__ void kernel(int *out) {
    extern __shared__ int s[];
    int id = threadIdx.x;
    s[id] = id;
    out[id] = s[(id + 1) % blockDim.x];   // reads what another thread writes
}`,
		Fixed: `    s[id] = id;
    __syncthreads();
    out[id] = s[(id + 1) % blockDim.x];`,
		Fix: `Put __syncthreads() between the two accesses, where every thread of the block
reaches it. In a loop that writes what the next iteration reads, or the other way round,
there must be one on the way back too. Where all pairs are within a warp, __syncwarp()
is enough. Where several threads add to one location, use an atomic on all sides. Blocks
of one launch have no common barrier: give each its own elements, split the kernel in two
launches, use grid.sync() of a cooperative launch, or an atomic.`,
		References: []string{
			`CUDA C++ Programming Guide, "Synchronization Functions"`,
			`CUDA C++ Programming Guide, "Independent Thread Scheduling"`,
			`PTX ISA, "Memory Consistency Model"`,
			`CUDA C++ Programming Guide, "CUDA Dynamic Parallelism": "Global Memory", "Streams"`,
			`Boyer, Skadron, Weimer: Automated Dynamic Analysis of CUDA Programs (STMCS 2008)`,
			`Zheng, Ravi, Qin, Agrawal: GRace (PPoPP 2011)`,
		},
	},
	Default: true,
	New:     New,
	Static:  diagnose.Static,
}
