// Package race finds data races in shared memory while a kernel runs.
//
// It keeps, for each 4-byte word of a block's shared memory, the accesses of
// the current barrier interval (shadow.go) and, next to the block's barriers,
// as much of a happens-before clock as the kernel makes necessary (order.go).
// Every pair of sites that races is found, not only the first at a location.
package race

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Rule is the race rule.
var Rule = check.Rule{
	Rule: finding.Rule{
		ID:    "race",
		Title: "data race in shared memory",
		Doc: `Two threads of a block access the same bytes of shared memory, at least one
of them writes, they are not both atomic, and nothing orders them: no barrier
that both pass, no __syncwarp among their lanes. Which of them comes first is
then up to the scheduler, and the result may change from run to run and from
GPU to GPU.

RAW (read after write), WAR (write after read) and WAW (write after write)
name the order of the two accesses in the program, as if all warps kept step;
the counts of each kind are in the order in which this run made them. Each pair
of source places is one finding. Its count is the number of thread pairs: a pair of
threads counts once for each 4-byte word (for narrower accesses, each byte or
half-word) and for each interval between synchronisations in which the two
accesses meet.

--race-model chooses what is ordered without a barrier. "its", the default,
takes the lanes of a warp for independent threads, as they are from sm_70 on.
"lockstep" orders the lanes of a warp by instruction, so that only the lanes of
one instruction can race with each other. "thread" counts barriers only and
knows no warps.

Threads that write the same value to the same place are reported as
information. Two volatile or relaxed accesses are a warning, since volatile
orders nothing between threads; between lanes of one warp they are an error
under "its": code that relies on a warp running in step broke with sm_70.

An asynchronous copy (cp.async, __pipeline_memcpy_async, cuda::memcpy_async) is
on its way until its thread has waited for it, or an mbarrier that tracks it
has completed its phase. Until then any access to its destination is a race,
that of the same thread too, and barriers do not help.`,
		Example: `__global__ void kernel(int *out) {
    extern __shared__ int s[];
    int id = threadIdx.x;
    s[id] = id;
    out[id] = s[(id + 1) % blockDim.x];   // reads what another thread writes
}`,
		Fixed: `    s[id] = id;
    __syncthreads();
    out[id] = s[(id + 1) % blockDim.x];`,
		Fix: `Put __syncthreads() between the two accesses, at a place that every thread of
the block reaches. Inside a loop that writes what the next iteration reads, or
the other way round, there must be one on the way back too. Where all pairs
are within a warp, __syncwarp() is enough. Where several threads add to one
place, use an atomic on all sides.`,
		References: []string{
			`CUDA C++ Programming Guide, "Synchronization Functions"`,
			`CUDA C++ Programming Guide, "Independent Thread Scheduling"`,
			`PTX ISA, "Memory Consistency Model"`,
			`Boyer, Skadron, Weimer: Automated Dynamic Analysis of CUDA Programs (STMCS 2008)`,
			`Zheng, Ravi, Qin, Agrawal: GRace (PPoPP 2011)`,
		},
	},
	Default: true,
	New:     New,
}
