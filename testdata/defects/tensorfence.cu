// Tensor memory that threads hand to each other by relaxed operations: tcgen05.fence orders it, and nothing else
// (PTX ISA, "tcgen05 Memory Consistency Model: Canonical synchronization patterns").
// clean: committed acquired pipelined loaded both_ways by_flag by_group behind_barrier
// flags: --arch sm_100a
#include <cstdio>
#include <cstring>

typedef unsigned u32;
typedef unsigned long long u64;

__device__ u32 shared_address(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void dealloc(u32 at) { asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" ::"r"(at)); }
__device__ void wait_ld() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__device__ void before() { asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory"); }
__device__ void after() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }
__device__ u32 load(u32 at) {
    u32 v;
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(v) : "r"(at));  // want(no_after) race RAW // want(after_too_early) race RAW
    return v;
}
__device__ void multiply(u32 d, u64 a, u64 b, u32 adds) {  // 128 by 16 by 16
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0;\n tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }"  // want(no_before) race WAR // want(before_too_late) race WAR // want(before_elsewhere) race WAR // want(no_acquire) race WAR
                 ::"r"(d), "l"(a), "l"(b), "r"(1u << 4 | 2u << 17 | 8u << 24), "r"(adds));
}
__device__ void commit(u64 *bar) {
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(shared_address(bar)) : "memory");
}
__device__ void wait_for(u64 *bar, u32 parity) {
    asm volatile("{ .reg .pred p;\n WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n @!p bra WAIT; }" ::"r"(shared_address(bar)), "r"(parity) : "memory");
}
__device__ void wait_relaxed(u64 *bar, u32 parity) {
    asm volatile("{ .reg .pred p;\n WAIT: mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 p, [%0], %1;\n @!p bra WAIT; }" ::"r"(shared_address(bar)), "r"(parity) : "memory");
}
__device__ void arrive_relaxed(u64 *bar) { asm volatile("mbarrier.arrive.relaxed.cluster.shared::cta.b64 _, [%0];" ::"r"(shared_address(bar)) : "memory"); }
__device__ void init(u64 *bar, u32 n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(n)); }

struct Block {
    unsigned short tile[128 * 16];
    u64 done, ready;
    u32 address, flag, data;
};

__device__ u32 begin(Block &s, u64 &desc, u32 arrivals) {
    for (int i = threadIdx.x; i < 128 * 16; i += blockDim.x) s.tile[i] = 0x3c00;
    if (threadIdx.x < 32) asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(shared_address(&s.address)) : "memory");
    if (threadIdx.x == 0) init(&s.done, 1), init(&s.ready, arrivals), s.flag = 0;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    desc = shared_address(s.tile) >> 4 | 8ull << 16 | 16ull << 32 | 1ull << 46;
    return s.address;
}

enum Result { COMMITTED, ACQUIRED, NO_AFTER, AFTER_TOO_EARLY };

// Four warps load the product of one thread.
template <Result HOW> __global__ void result(u32 *out) {
    __shared__ __align__(1024) Block s;
    u64 desc;
    const u32 at = begin(s, desc, 1), lane = threadIdx.x / 32 << 21;
    if (threadIdx.x == 0) multiply(at, desc, desc, 0), commit(&s.done);
    if (HOW == AFTER_TOO_EARLY) after();
    if (HOW == ACQUIRED) wait_for(&s.done, 0);
    else wait_relaxed(&s.done, 0);
    if (HOW == COMMITTED) after();
    u32 v = load(at + lane);
    wait_ld();
    out[threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.x < 32) dealloc(at);
}

enum Hand { LOADED, NO_BEFORE, BEFORE_TOO_LATE, BEFORE_ELSEWHERE, NO_ACQUIRE, BEHIND_BARRIER, BY_FLAG, BY_GROUP };

// Four warps load a result, and a thread of a fifth overwrites it.
template <Hand HOW> __global__ void hands(u32 *out) {
    __shared__ __align__(1024) Block s;
    u64 desc;
    const u32 at = begin(s, desc, HOW == BEHIND_BARRIER ? 1 : 128), lane = threadIdx.x / 32 % 4 << 21;
    if (threadIdx.x == 128) multiply(at, desc, desc, 0), commit(&s.done);
    wait_for(&s.done, 0);
    if (threadIdx.x < 128) {
        u32 v = load(at + lane);
        wait_ld();
        out[threadIdx.x] = v;
        if (HOW == BEFORE_ELSEWHERE ? threadIdx.x < 96 : HOW != NO_BEFORE && HOW != BEFORE_TOO_LATE) before();
        if (HOW == BEHIND_BARRIER) asm volatile("bar.sync 1, 128;" ::: "memory");
        if (HOW == BY_FLAG) asm volatile("red.relaxed.cta.shared.add.u32 [%0], 1;" ::"r"(shared_address(&s.flag)) : "memory");
        else if (HOW == BY_GROUP) asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
        else if (HOW != BEHIND_BARRIER || threadIdx.x == 0) arrive_relaxed(&s.ready);
        if (HOW == BEFORE_TOO_LATE) before();
    } else if (HOW == BY_GROUP) {
        asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
    }
    if (HOW == BY_GROUP) asm volatile("barrier.cluster.wait;" ::: "memory");
    if (threadIdx.x == 128) {
        u32 n = 0;
        while (HOW == BY_FLAG && n < 128) asm volatile("ld.relaxed.cta.shared.u32 %0, [%1];" : "=r"(n) : "r"(shared_address(&s.flag)) : "memory");
        if (HOW != BY_FLAG && HOW != BY_GROUP) wait_relaxed(&s.ready, 0);
        if (HOW != NO_ACQUIRE) after();
        multiply(at, desc, desc, 0);
        commit(&s.done);
    }
    wait_for(&s.done, 1);
    __syncthreads();
    if (threadIdx.x < 32) dealloc(at);
}

// Products of two threads, one after the other.
__global__ void pipelined(u32 *out) {
    __shared__ __align__(1024) Block s;
    u64 desc;
    const u32 at = begin(s, desc, 1), lane = threadIdx.x / 32 << 21;
    if (threadIdx.x == 0) multiply(at, desc, desc, 0), before(), arrive_relaxed(&s.ready);
    if (threadIdx.x == 64) wait_relaxed(&s.ready, 0), after(), multiply(at, desc, desc, 1), commit(&s.done);
    wait_relaxed(&s.done, 0);
    after();
    u32 v = load(at + lane);
    wait_ld();
    out[threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.x < 32) dealloc(at);
}

// A warp learns of a product by another one that has waited for it.
__global__ void both_ways(u32 *out) {
    __shared__ __align__(1024) Block s;
    u64 desc;
    const u32 at = begin(s, desc, 1), lane = threadIdx.x / 32 << 21;
    if (threadIdx.x == 0) multiply(at, desc, desc, 0), commit(&s.done);
    if (threadIdx.x == 64) wait_relaxed(&s.done, 0), after(), before(), arrive_relaxed(&s.ready);
    if (threadIdx.x < 32) {
        wait_relaxed(&s.ready, 0);
        after();
        u32 v = load(at + lane);
        wait_ld();
        out[threadIdx.x] = v;
    }
    __syncthreads();
    if (threadIdx.x < 32) dealloc(at);
}

// The fences order tensor memory only.
__global__ void data(u32 *out) {
    __shared__ __align__(1024) Block s;
    u64 desc;
    const u32 at = begin(s, desc, 1);
    if (threadIdx.x == 0) s.data = 1, before(), arrive_relaxed(&s.ready);
    if (threadIdx.x == 64) {
        wait_relaxed(&s.ready, 0);
        after();
        out[0] = s.data;  // want(data) race RAW
    }
    __syncthreads();
    if (threadIdx.x < 32) dealloc(at);
}

int main(int, char **v) {
    u32 *out;
    cudaMalloc(&out, 1024);
    auto is = [&](const char *name) { return !strcmp(v[1], name); };
    if (is("committed")) result<COMMITTED><<<1, 128>>>(out);
    if (is("acquired")) result<ACQUIRED><<<1, 128>>>(out);
    if (is("no_after")) result<NO_AFTER><<<1, 128>>>(out);
    if (is("after_too_early")) result<AFTER_TOO_EARLY><<<1, 128>>>(out);
    if (is("loaded")) hands<LOADED><<<1, 160>>>(out);
    if (is("no_before")) hands<NO_BEFORE><<<1, 160>>>(out);
    if (is("before_too_late")) hands<BEFORE_TOO_LATE><<<1, 160>>>(out);
    if (is("before_elsewhere")) hands<BEFORE_ELSEWHERE><<<1, 160>>>(out);
    if (is("no_acquire")) hands<NO_ACQUIRE><<<1, 160>>>(out);
    if (is("behind_barrier")) hands<BEHIND_BARRIER><<<1, 160>>>(out);
    if (is("by_flag")) hands<BY_FLAG><<<1, 160>>>(out);
    if (is("by_group")) hands<BY_GROUP><<<1, 160>>>(out);
    if (is("pipelined")) pipelined<<<1, 128>>>(out);
    if (is("both_ways")) both_ways<<<1, 128>>>(out);
    if (is("data")) data<<<1, 128>>>(out);
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) return printf("%s\n", cudaGetErrorString(e)), 1;
    return cudaFree(out);
}
