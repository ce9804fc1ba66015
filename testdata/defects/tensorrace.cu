// Races in tensor memory: which of its operations are executed in order, and which ones have to be waited
// for.
// clean: right in_order two_threads handed refilled refilled_late overwritten
// flags: --arch sm_100a
#include <cstdio>
#include <cstring>

typedef unsigned u32;
typedef unsigned long long u64;

__device__ u32 shared_address(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void dealloc(u32 at) {
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" ::"r"(at));  // want(early_free) race WAW
}
__device__ void wait_ld() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__device__ void wait_st() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }
__device__ void before() { asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory"); }
__device__ void after() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }
__device__ u32 load(u32 at) {
    u32 v;
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(v) : "r"(at));  // want(no_commit) race RAW // want(no_wait) race RAW // want(no_wait) init tensor // want(read_back) race RAW
    return v;
}
__device__ void store(u32 at, u32 v) {
    asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(at), "r"(v));
}
__device__ void multiply(u32 d, u64 a, u64 b, u32 adds) {  // 128 by 16 by 16
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0;\n tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }"  // want(unsynced) race WAW
                 ::"r"(d), "l"(a), "l"(b), "r"(1u << 4 | 2u << 17 | 8u << 24), "r"(adds));
}
__device__ void multiply_stored(u32 d, u32 a, u64 b, u32 adds) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0;\n tcgen05.mma.cta_group::1.kind::f16 [%0], [%1], %2, %3, p; }"  // want(store_in_flight) race RAW // want(load_in_flight) race WAR
                 ::"r"(d), "r"(a), "l"(b), "r"(1u << 4 | 2u << 17 | 8u << 24), "r"(adds));
}
__device__ void commit(u64 *bar) {
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(shared_address(bar)) : "memory");
}
__device__ void wait_for(u64 *bar, u32 parity) {
    asm volatile("{ .reg .pred p;\n WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n @!p bra WAIT; }" ::"r"(shared_address(bar)), "r"(parity) : "memory");
}
__device__ void init(u64 *bar, u32 n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(n)); }
__device__ void arrive(u64 *bar) { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(bar)) : "memory"); }

struct Block {
    unsigned short tile[128 * 16];
    u64 done, ready;
    u32 address;
};

__device__ u32 begin(Block &s, u64 &desc, u32 arrivals) {
    for (int i = threadIdx.x; i < 128 * 16; i += blockDim.x) s.tile[i] = 0x3c00;
    if (threadIdx.x < 32) asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(shared_address(&s.address)) : "memory");
    if (threadIdx.x == 0) init(&s.done, 1), init(&s.ready, arrivals);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    desc = shared_address(s.tile) >> 4 | 8ull << 16 | 16ull << 32 | 1ull << 46;
    return s.address;
}

enum How { RIGHT, NO_COMMIT, NO_WAIT, IN_ORDER, TWO_THREADS, UNSYNCED, EARLY_FREE };

// A product whose result all warps load.
template <How HOW> __global__ void product(u32 *out) {
    __shared__ __align__(1024) Block s;
    u64 desc;
    const u32 at = begin(s, desc, 1), lane = threadIdx.x / 32 % 4 << 21;
    if (threadIdx.x == 0) {
        multiply(at, desc, desc, 0);
        if (HOW == IN_ORDER) multiply(at, desc, desc, 1);
        if (HOW == TWO_THREADS || HOW == UNSYNCED) {
            before();
            if (HOW == TWO_THREADS) arrive(&s.ready);
        } else if (HOW != NO_COMMIT) {
            commit(&s.done);
        } else {
            arrive(&s.done);
        }
    }
    if ((HOW == TWO_THREADS || HOW == UNSYNCED) && threadIdx.x == 64) {
        if (HOW == TWO_THREADS) wait_for(&s.ready, 0), after();
        multiply(at, desc, desc, 1);
        commit(&s.done);
    }
    if (HOW != NO_WAIT && HOW != EARLY_FREE) wait_for(&s.done, 0);
    after();
    u32 v = HOW == EARLY_FREE ? 0 : load(at + lane);
    wait_ld();
    out[threadIdx.x] = v;
    before();
    __syncthreads();
    if (HOW == NO_WAIT) wait_for(&s.done, 0);
    if (threadIdx.x < 32) dealloc(at);
}

enum Hand { HANDED, STORE_IN_FLIGHT, LOAD_IN_FLIGHT, READ_BACK };

// Four warps load a result, store the next A in tensor memory, and hand both to the thread that multiplies:
// the next product overwrites what they have loaded.
template <Hand HOW> __global__ void hands(u32 *out) {
    __shared__ __align__(1024) Block s;
    u64 desc;
    const u32 at = begin(s, desc, 128), lane = threadIdx.x / 32 % 4 << 21;
    if (threadIdx.x == 0) {
        multiply(at, desc, desc, 0);
        commit(&s.done);
    }
    wait_for(&s.done, 0);
    after();
    u32 v = load(at + lane);
    if (HOW != LOAD_IN_FLIGHT) wait_ld();
    for (int i = 0; i < 8; i++) store(at + 32 + lane + i, 0x3c003c00);
    u32 w = HOW == READ_BACK ? load(at + 32 + lane) : 0;
    if (HOW == READ_BACK) wait_ld();
    if (HOW != STORE_IN_FLIGHT) wait_st();
    before();
    arrive(&s.ready);
    if (threadIdx.x == 0) {
        wait_for(&s.ready, 0);
        after();
        multiply_stored(at, at + 32, desc, 0);
        commit(&s.done);
    }
    wait_for(&s.done, 1);
    after();
    u32 again = load(at + lane);
    wait_ld();
    out[threadIdx.x] = v + w + again;
    before();
    __syncthreads();
    if (threadIdx.x < 32) dealloc(at);
}

// A tile is copied in twice, and the second copy waits for the product that has read the first one: its commit
// also orders it after the first copy, for which the thread that multiplies has waited.
template <bool COMMITS> __global__ void refill(const unsigned short *in, u32 *out) {
    __shared__ __align__(1024) Block s;
    __shared__ u64 full;
    if (threadIdx.x == 0) init(&full, 1);
    u64 desc;
    const u32 at = begin(s, desc, 1), lane = threadIdx.x / 32 % 4 << 21;
    if (threadIdx.x == 32)
        for (int i = 0; i < 2; i++) {
            if (i > 0) wait_for(&s.done, 0);
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(shared_address(&full)) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];"  // want(uncommitted) race WAR
                         ::"r"(shared_address(s.tile)), "l"(in), "r"(shared_address(&full)) : "memory");
        }
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; i++) {
            wait_for(&full, i);
            multiply(at, desc, desc, i);
            if (COMMITS || i > 0) commit(i == 0 ? &s.done : &s.ready);
            else arrive(&s.done);
        }
    wait_for(&s.ready, 0);
    after();
    u32 v = load(at + lane);
    wait_ld();
    out[threadIdx.x] = v;
    before();
    __syncthreads();
    if (threadIdx.x < 32) dealloc(at);
}

// The same, where the wait for the first of two commits comes when others have already seen the second one.
__global__ void refill_late(const unsigned short *in, u32 *out) {
    __shared__ __align__(1024) Block s;
    __shared__ __align__(1024) unsigned short other[128 * 16];
    __shared__ u64 full;
    for (int i = threadIdx.x; i < 128 * 16; i += blockDim.x) other[i] = 0;
    if (threadIdx.x == 0) init(&full, 1);
    u64 desc;
    const u32 at = begin(s, desc, 1), lane = threadIdx.x / 32 % 4 << 21;
    const u64 second = desc - (shared_address(s.tile) >> 4) + (shared_address(other) >> 4);
    if (threadIdx.x == 32)
        for (int i = 0; i < 2; i++) {
            if (i > 0) {
                for (int n = 0; n < 50; n++) __nanosleep(1000);
                wait_for(&s.done, 0);
            }
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(shared_address(&full)) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];"
                         ::"r"(shared_address(s.tile)), "l"(in), "r"(shared_address(&full)) : "memory");
            if (i > 0) wait_for(&full, 1);
        }
    if (threadIdx.x == 0) {
        wait_for(&full, 0);
        multiply(at, desc, desc, 0);
        commit(&s.done);
        multiply(at, second, second, 1);
        commit(&s.ready);
    }
    wait_for(&s.ready, 0);
    after();
    const u32 v = load(at + lane);
    wait_ld();
    out[threadIdx.x] = v;
    before();
    __syncthreads();
    if (threadIdx.x < 32) dealloc(at);
}

// A bulk copy overwrites the place where the address of tensor memory was, as compilers use it
// again: tcgen05.alloc needs no fence between the proxies, an ordinary store does.
template <bool STORES> __global__ void overwrite(const u32 *in, u32 *out) {
    __shared__ __align__(16) u32 place[4];
    __shared__ u64 full;
    if (threadIdx.x < 32) asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(shared_address(place)) : "memory");
    if (threadIdx.x == 0) {
        init(&full, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    u32 at = place[0];
    __syncthreads();
    if (STORES && threadIdx.x == 0) place[0] = at + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 16;" ::"r"(shared_address(&full)) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];" ::"r"(shared_address(place)), "l"(in), "r"(shared_address(&full)) : "memory");  // want(overwritten_store) race WAW
    }
    wait_for(&full, 0);
    out[threadIdx.x] = place[threadIdx.x % 4];
    if (threadIdx.x < 32) dealloc(at);
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    u32 *out;
    cudaMalloc(&out, 4096);
    unsigned short *in;
    cudaMalloc(&in, 4096);
    cudaMemset(in, 0, 4096);
    if (is("refilled")) refill<true><<<1, 128>>>(in, out);
    if (is("refilled_late")) refill_late<<<1, 128>>>(in, out);
    if (is("uncommitted")) refill<false><<<1, 128>>>(in, out);
    if (is("overwritten")) overwrite<false><<<1, 128>>>((u32 *)in, out);
    if (is("overwritten_store")) overwrite<true><<<1, 128>>>((u32 *)in, out);
    if (is("right")) product<RIGHT><<<1, 128>>>(out);
    if (is("no_commit")) product<NO_COMMIT><<<1, 128>>>(out);
    if (is("no_wait")) product<NO_WAIT><<<1, 128>>>(out);
    if (is("in_order")) product<IN_ORDER><<<1, 128>>>(out);
    if (is("two_threads")) product<TWO_THREADS><<<1, 128>>>(out);
    if (is("unsynced")) product<UNSYNCED><<<1, 128>>>(out);
    if (is("early_free")) product<EARLY_FREE><<<1, 128>>>(out);
    if (is("handed")) hands<HANDED><<<1, 128>>>(out);
    if (is("store_in_flight")) hands<STORE_IN_FLIGHT><<<1, 128>>>(out);
    if (is("load_in_flight")) hands<LOAD_IN_FLIGHT><<<1, 128>>>(out);
    if (is("read_back")) hands<READ_BACK><<<1, 128>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
