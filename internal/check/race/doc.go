// Package race finds data races in shared and global memory while a kernel
// runs.
//
// For shared memory it keeps, for each 4-byte word of a block's shared memory, the accesses of
// the current barrier interval (shadow.go) and, next to the block's barriers,
// as much of a happens-before clock as the kernel makes necessary (order.go).
// Every pair of sites that races is found, not only the first at a location.
//
// For global memory (global.go) it keeps what lanes of warps did to each line of
// 128 bytes (field.go). Where a kernel can synchronise its blocks, they run one
// at a time and each access is compared with the history (globalcheck.go) by
// what its thread knows of the others (globalorder.go). Elsewhere nothing
// orders blocks: they are compared when the launch ends (globalpairs.go), so
// that the result does not depend on which ran first. The shared memory of blocks of
// a cluster is compared in the same way (globalcluster.go). Reads of allocations
// that a launch does not write to are left out (readonly.go), and what is proved
// to be each thread's own (prune.go).
//
// Launches, copies and fills are ordered by what the host does with streams and
// events (streams.go); where they are not, the bytes that each place of a
// program accesses are compared (footprint.go, work.go). Accesses of host code
// are compared with work that the host has not waited for (hosttouch.go).
//
// A grid whose threads launch child grids is compared with these, and they with
// each other, by what threads know when they launch and wait (nested.go).
//
// What is known of the reason for a race is collected when it is found (why.go,
// synced.go, signals.go, locks.go) and told in text.go, globalwhy.go and
// streamtext.go, as words for people and as a Cause and a Repair.
package race

import (
	"github.com/warpgrind/warpgrind/internal/check"
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
them writes, they are not both atomic, and nothing orders them: no barrier that
both pass, no __syncwarp among their lanes, no lock or flag with fences between
their blocks. Which of them comes first is then up to the scheduler, and the
result may change from run to run and from GPU to GPU.

RAW (read after write), WAR (write after read) and WAW (write after write)
name the order of the two accesses in the program, as if all warps kept step;
the counts of each kind are in the order in which this run made them. Each pair
of source places is one finding. Its count is the number of thread pairs: a pair of
threads counts once for each 4-byte word (for narrower accesses, each byte or
half-word) and for each interval between synchronisations in which the two
accesses meet.

--race-model chooses what is ordered without a barrier. "its", the default from
sm_70 on, takes the lanes of a warp for independent threads, as they are there.
"lockstep", the default for older architectures, orders the lanes of a warp by
instruction, so that only the lanes of one instruction can race with each other.
"thread" has no warps, and in shared memory counts barriers only.

Threads that write the same value to the same place are reported as
information: the values of the two writes count, not what else was written there in
between, of a vector those of all its elements. Where each of them has tested the place
before it writes, as for a lock, it is an error all the same, since each goes on as if it
alone had found it free. A write and a read of the same value are an error: the read may
come before all writes. Two volatile or relaxed accesses are a warning, since volatile
orders nothing between threads; between lanes of one warp they are an error
under "its": code that relies on a warp running in step broke with sm_70. A
volatile word by which one thread tells others something is information only,
and nothing at all where it has 8 bytes (value and flag in one); data that it
publishes without a fence is an error, a warning where the data are volatile too. A
volatile word written after a fence is a flag where its reader waits for its value
or branches on it and has a fence behind the read; elsewhere it is data. An update such as
*c = *c + 1 of a volatile word by several threads is an error: of two that read
the same value, one update is lost.

Experts differ on some of this, and --race-policy decides it, a list such as
volatile=allow,acquire=fence. "volatile" is for two volatile or relaxed
accesses, "same-value" for writes of one value, "warp-sync" for accesses of one
warp at different instructions without a __syncwarp, "host" for accesses of host
code: allow (report nothing), info, warning or error. "acquire" says whether the result of an atomic, or a
barrier after a flag was read, orders what follows: atomic (the standard: it
does, as programs take it to) or fence (only with a fence behind it, as the
memory model has it).

A report says why nothing orders the two accesses: no barrier, a barrier that
only some threads join, no __syncwarp or one whose mask leaves a lane out, a
flag, lock or ticket without its fence, a scope that is too narrow, a lock that
one side does not hold, a place that threads test and then write in two steps
(an error even if it is volatile), an update of a volatile word in two steps, a flag that is not volatile, a block that waits
for others but goes on before all have come, an mbarrier or a numbered barrier where
one arrives and nobody waits, or whose phase ends without the arrival that it should
have, a plain access in the midst of relaxed atomics, an asynchronous copy that is on its
way or is issued too soon, blocks or streams that nothing orders; and what each
side synchronised on last. Races that lack one thing, such as the fence before one
unlock, are one finding.

Blocks of one launch are ordered only by what the program does about it: a
write that releases (a fence and then a volatile or atomic write, or
cuda::memory_order_release), another thread that reads that value and acquires
(a fence after the read, or memory_order_acquire), and all that is before and
after these. So a flag, a lock, a ticket for the last block and a barrier of the
grid order what they protect, and a missing fence, a fence at the wrong place or
of block scope, an atomic operation of block scope (_block) used by several
blocks, and data that the lock does not cover are found. An atomic operation
whose result is used counts as acquiring, as programs take it to; so does a
barrier after the read of a flag. A polled flag must be volatile or atomic:
plain accesses race with everything that is not ordered, but for a read whose
value a compare-and-swap of the same word expects, as in the atomic operations that
the CUDA C++ Programming Guide makes of atomicCAS: it does not race with atomic
operations, since the swap fails where the value has changed. Any other plain read before an atomic
operation that looks again (if (d[v] < x) atomicMax(&d[v], x), the same with atomicCAS) is
an error; a volatile or relaxed one is clean. A compare-and-swap of a word that by a mask
changes an element of 1 or 2 bytes counts as an atomic operation on that element. Before
sm_70, loads and stores that go past
the L1 cache (ld.cg, ld.cv, st.cg, st.wt) count as volatile. Blocks synchronise
here as they did in this run: a barrier that is missing on one of several
ways, while another one orders the same threads later, may go unnoticed. A test and a
set that are atomic each, but not together, are no data race: they are found only
where what they guard races in this run. The last
block of a grid starts when all others have ended or only wait, so that a barrier
of the grid that counts too few of them shows.

Blocks of a cluster also share each other's shared memory (distributed shared
memory, sm_90), where cluster.sync() or an arrive and a wait of all its threads
order them. A block's shared memory ends with it: another block's access after
that is a memory error.

Between blocks that nothing orders, of the blocks that access a place by one
line of source the first two are compared, and the number of thread pairs is
that of these blocks. An asynchronous copy reads global memory when it is
issued.

A free in device code counts as a write of the whole memory that ends: what other
threads of the block did there has to be ordered before it. An access after it is a
fault of the memory rule.

Launches, copies and fills in different streams are ordered by events
(cudaStreamWaitEvent), by waits of the host (also a query that finds nothing
left to wait for, and cudaFree), and by the legacy default stream, which waits
for all streams of its device and they for it, but for those made with
cudaStreamNonBlocking. Branches of a graph are streams as well, which only the
graph's edges order. cudaMallocAsync and cudaFreeAsync count as writes of all the
memory in their stream: work of another stream has to come between them.
cudaMemset and copies within the device return before they are done, as CUDA
documents it. What is not ordered races if it shares a byte that one side
writes; counts are bytes then. All threads of the host count as one. A function
that the host puts into a stream (cudaLaunchHostFunc) counts as a wait for what
comes before it, since it may tell the host. What it does to memory that is watched as
below is work of its stream, and races with launches, copies and fills in other
streams; not with other code of the host, whose threads can order each other in ways
that are not seen.

A launch with programmatic stream serialization (compute capability 9.0 and later)
overlaps with the kernel before it in its stream until a thread waits:
cudaGridDependencySynchronize, griddepcontrol.wait in PTX. The wait orders what the
thread does next, and what others do behind a barrier with it, after the end of that
kernel, whenever it triggered; after earlier kernels only if that kernel waited for
them. The same holds for a stream that waits for a programmatic event, and for
programmatic edges of graphs.

Accesses of host code to managed, page-locked and registered memory are compared
with launches, copies and fills that the host has not waited for: a result read
before cudaStreamSynchronize, a staging buffer filled again while it is copied.
A volatile or atomic read of what a kernel writes after __threadfence_system
counts as a wait for that kernel. Seen is what clang compiles in files that name
such memory (cudaMallocManaged, cudaMallocHost, ...), or that are compiled by one
command with a file that does: loads and stores, memcpy, memset, memcmp, read,
write, fread and fwrite; not other functions of libraries, objects of other
compilers, and what the compiler has optimised away. Before compute capability
6.0 any access of the host to managed memory while a kernel runs is a fault;
here only what races with that kernel is reported.

A child grid, or a copy or fill that device code asks for, is ordered after what
its launching thread knows of (its own accesses, and what a barrier before the
launch orders before them), and before what follows a cudaDeviceSynchronize of
its parent's block, for other threads than the waiting one behind a barrier
only. Without a wait it runs at any time until the parent's end. Children of one
stream follow each other; each block has a default stream of its own, each launch
into cudaStreamFireAndForget is alone, and cudaStreamTailLaunch follows the
whole grid and its other children.

An asynchronous copy (cp.async, __pipeline_memcpy_async, cuda::memcpy_async) is
on its way until its thread has waited for it, or an mbarrier that tracks it
has completed its phase. Until then any access to its destination is a race,
that of the same thread too, and barriers do not help.

Loads through the read-only path (__ldg, textures, const __restrict__ parameters of a
kernel, which compilers read by ld.global.nc) need not see what the same kernel writes. They are
an error after the write even where a barrier or the order of one thread's program
lies between, and a warning where each comes before it.`,
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
place, use an atomic on all sides. Blocks of one launch cannot meet at a barrier
of the block: give each its own elements, split the kernel in two launches, use
grid.sync() of a cooperative launch, or an atomic.`,
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
	Static:  Static,
}
