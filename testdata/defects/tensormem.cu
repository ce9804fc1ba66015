// Tensor memory: its allocation, who may access what of it, and what is read before it is written.
// clean: right partly_written two_warps first_product accumulated waited_registers copied_registers waited_array other_of_array copied_array
// flags: --arch sm_100a
#include <cstdio>
#include <cstring>

typedef unsigned u32;

__device__ u32 shared_address(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void alloc(u32 *dst, u32 columns) {
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(shared_address(dst)), "r"(columns) : "memory");  // want(leak) memory leak // want(odd) sync barrier // want(grows) sync barrier // want(permit) sync barrier // want(full) sync deadlock
}
__device__ void dealloc(u32 at, u32 columns) {
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(at), "r"(columns));  // want(twice) memory double-free // want(other_size) memory invalid-free
}
__device__ void permit() { asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"); }
__device__ u32 load(u32 at) {
    u32 v;
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];\n tcgen05.wait::ld.sync.aligned;" : "=r"(v) : "r"(at));  // want(outside) memory out-of-bounds // want(unwritten) init tensor // want(lanes) memory tensor-lanes warning
    return v;
}
__device__ void store(u32 at, u32 v) {
    asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};\n tcgen05.wait::st.sync.aligned;" ::"r"(at), "r"(v));  // want(freed) memory out-of-bounds // want(lanes) memory tensor-lanes warning
}
__device__ void multiply(u32 d, unsigned long long a, unsigned long long b, u32 type, u32 adds) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0;\n tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }"  // want(added) init tensor
                 ::"r"(d), "l"(a), "l"(b), "r"(type), "r"(adds));
}

enum How { RIGHT, LEAK, ODD, GROWS, PERMIT, FULL, TWICE, OTHER_SIZE, OUTSIDE, FREED, LANES, UNWRITTEN, PARTLY };

template <How HOW> __global__ void memory(u32 *out) {
    __shared__ u32 address, second;
    const bool first = threadIdx.x < 32;
    if (first) {
        if (HOW == PERMIT) permit();
        alloc(&address, HOW == ODD ? 48 : HOW == FULL ? 512 : 64);
        if (HOW == GROWS) alloc(&second, 128);
        if (HOW == FULL) alloc(&second, 32);
        if (HOW != PERMIT) permit();
    }
    __syncthreads();
    u32 at = address;
    const u32 lane = threadIdx.x / 32 % 4 << 21;
    if (HOW == FREED) {
        if (first) dealloc(at, 64);
        __syncthreads();
    }
    if (HOW != UNWRITTEN) store(at + (HOW == LANES ? 0 : lane), threadIdx.x * 2);
    u32 v = load(at + (HOW == LANES ? 0 : lane) + (HOW == OUTSIDE ? 64 : 0));
    if (HOW == PARTLY) load(at + lane + 1);  // what it gets is not used
    out[threadIdx.x] = v;
    __syncthreads();
    if (HOW != LEAK && HOW != FREED && first) dealloc(at, HOW == OTHER_SIZE ? 32 : HOW == FULL ? 512 : 64);
    if (HOW == TWICE && first) dealloc(at, 64);
}

// A product is added to what D has.
template <bool ADDS, bool FILLED> __global__ void accumulates(u32 *out) {
    __shared__ __align__(1024) unsigned short tile[64 * 16];
    __shared__ __align__(8) unsigned long long bar;
    __shared__ u32 address;
    for (int i = threadIdx.x; i < 64 * 16; i += blockDim.x) tile[i] = 0x3c00;
    if (threadIdx.x < 32) alloc(&address, 32);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&bar)));
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    const u32 at = address, lane = threadIdx.x / 32 % 4 << 21;
    if (FILLED)
        for (int i = 0; i < 8; i++) store(at + lane + i, 0);
    __syncthreads();
    const unsigned long long desc = shared_address(tile) >> 4 | 8ull << 16 | 16ull << 32 | 1ull << 46;
    if (threadIdx.x == 0) {
        multiply(at, desc, desc, 1u << 4 | 1u << 17 | 4u << 24, ADDS);
        asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(shared_address(&bar)) : "memory");
    }
    asm volatile("{ .reg .pred p;\n WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n @!p bra WAIT; }" ::"r"(shared_address(&bar)) : "memory");
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
    u32 v = load(at + lane);
    if (threadIdx.x % 32 < 16) out[threadIdx.x] = v;  // M is 64: the upper half of the lanes has no D
    __syncthreads();
    if (threadIdx.x < 32) dealloc(at, 32);
}

// Registers of two loads and the wait for both: they may be copied before it, and no more.
enum Use { WAITED, COPIED, READ, WRITTEN };
template <Use HOW> __global__ void registers(u32 *out) {
    __shared__ u32 address;
    if (threadIdx.x < 32) alloc(&address, 32);
    __syncthreads();
    const u32 at = address + (threadIdx.x / 32 % 4 << 21);
    store(at, threadIdx.x), store(at + 1, threadIdx.x);
    u32 v, w;
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(v) : "r"(at));
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(w) : "r"(at + 1));
    if (HOW == COPIED) asm volatile("mov.b32 %0, %1;" : "=r"(w) : "r"(v));
    if (HOW == READ) out[threadIdx.x] = v;  // want(read_registers) sync register warning
    if (HOW == WRITTEN) asm volatile("add.u32 %0, %1, 1;" : "+r"(w) : "r"(at));  // want(written_registers) sync register warning
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
    out[threadIdx.x] = v + w;
    __syncthreads();
    if (threadIdx.x < 32) dealloc(address, 32);
}

// Two registers of a load in an array with a variable index, so in local memory, and two others.
template <Use HOW> __global__ void array(u32 *out, int n) {
    __shared__ u32 address;
    if (threadIdx.x < 32) alloc(&address, 32);
    __syncthreads();
    const u32 at = address + (threadIdx.x / 32 % 4 << 21);
    store(at, threadIdx.x), store(at + 1, threadIdx.x);
    u32 v[4] = {1, 2, 3, 4}, other[4] = {};
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x2.b32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "r"(at));
    if (HOW == READ) out[threadIdx.x] = v[n];  // want(read_array) sync register warning
    if (HOW == COPIED) other[n] = v[n];
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
    out[threadIdx.x] = v[n] + other[n];
    __syncthreads();
    if (threadIdx.x < 32) dealloc(address, 32);
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    u32 *out;
    cudaMalloc(&out, 4096);
    if (is("waited_registers")) registers<WAITED><<<1, 128>>>(out);
    if (is("copied_registers")) registers<COPIED><<<1, 128>>>(out);
    if (is("read_registers")) registers<READ><<<1, 128>>>(out);
    if (is("written_registers")) registers<WRITTEN><<<1, 128>>>(out);
    if (is("waited_array")) array<WAITED><<<1, 128>>>(out, 1);
    if (is("copied_array")) array<COPIED><<<1, 128>>>(out, 1);
    if (is("read_array")) array<READ><<<1, 128>>>(out, 1);
    if (is("other_of_array")) array<READ><<<1, 128>>>(out, 2);
    if (is("right")) memory<RIGHT><<<1, 128>>>(out);
    if (is("leak")) memory<LEAK><<<1, 128>>>(out);
    if (is("odd")) memory<ODD><<<1, 128>>>(out);
    if (is("grows")) memory<GROWS><<<1, 128>>>(out);
    if (is("permit")) memory<PERMIT><<<1, 128>>>(out);
    if (is("full")) memory<FULL><<<1, 32>>>(out);
    if (is("twice")) memory<TWICE><<<1, 128>>>(out);
    if (is("other_size")) memory<OTHER_SIZE><<<1, 128>>>(out);
    if (is("outside")) memory<OUTSIDE><<<1, 128>>>(out);
    if (is("freed")) memory<FREED><<<1, 128>>>(out);
    if (is("lanes")) memory<LANES><<<1, 128>>>(out);
    if (is("unwritten")) memory<UNWRITTEN><<<1, 128>>>(out);
    if (is("partly_written")) memory<PARTLY><<<1, 128>>>(out);
    if (is("two_warps")) memory<RIGHT><<<1, 64>>>(out);
    if (is("first_product")) accumulates<false, false><<<1, 128>>>(out);
    if (is("accumulated")) accumulates<true, true><<<1, 128>>>(out);
    if (is("added")) accumulates<true, false><<<1, 128>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
