// mbarrier objects that are initialized again, and what only looks like it.
// clean: invalidated next_block two_objects phases beside after_inval inits_late destroyed made_again
#include <cstdint>
#include <cstring>
#include <cuda/barrier>

__device__ uint32_t at(void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void init(uint64_t *b, int n) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at(b)), "r"(n) : "memory");  // want(twice) sync barrier // want(by_others) sync barrier // want(in_loop) sync barrier
}
__device__ void inval(uint64_t *b) { asm volatile("mbarrier.inval.shared.b64 [%0];" :: "r"(at(b)) : "memory"); }
__device__ void arrive(uint64_t *b) {
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" :: "r"(at(b)) : "memory");
}

__global__ void twice() {
    __shared__ uint64_t b;
    if (threadIdx.x == 0) {
        init(&b, 32);
        init(&b, 64);
    }
}
// After the barrier, a thread of the other warp makes it anew.
__global__ void by_others() {
    __shared__ uint64_t b;
    if (threadIdx.x == 0) init(&b, 64);
    __syncthreads();
    arrive(&b);
    __syncthreads();
    if (threadIdx.x == 32) init(&b, 64);
}
__global__ void tiles(int invalidates) {
    __shared__ uint64_t b;
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == 0) init(&b, 64);
        __syncthreads();
        arrive(&b);
        __syncthreads();
        if (invalidates && threadIdx.x == 0) inval(&b);
    }
}
__global__ void two_objects() {
    __shared__ uint64_t b[2];
    if (threadIdx.x < 2) init(&b[threadIdx.x], 32);
    __syncthreads();
    if (threadIdx.x < 2) inval(&b[threadIdx.x]);
}
// One object lives through many phases.
__global__ void phases() {
    __shared__ uint64_t b;
    if (threadIdx.x == 0) init(&b, 64);
    for (int i = 0; i < 3; i++) {
        __syncthreads();
        arrive(&b);
    }
}
// The memory is put to another use while the object is valid.
__global__ void overwritten() {
    __shared__ uint64_t b;
    if (threadIdx.x == 0) {
        init(&b, 64);
        *(volatile uint64_t *)&b = 0;  // want(overwritten) sync barrier
        init(&b, 64);
    }
}

// A tile that reaches into the barrier behind it, by narrow writes after the last wait.
__global__ void tile(int n) {
    extern __shared__ __align__(8) char s[];
    uint64_t *b = (uint64_t *)(s + 256);
    if (threadIdx.x == 0) init(b, 64);
    __syncthreads();
    arrive(b);
    __syncthreads();
    ((volatile short *)s)[threadIdx.x * 2 + n] = 1;  // want(into) sync barrier
}
// An atomic operation and a bulk copy to the object's memory.
__global__ void atomics() {
    __shared__ uint64_t b;
    if (threadIdx.x == 0) init(&b, 64);
    __syncthreads();
    if (threadIdx.x < 32) atomicAdd((unsigned *)&b, 1u);  // want(atomics) sync barrier
}
__global__ void bulk(const int *from) {
    __shared__ alignas(16) int s[64];
    __shared__ uint64_t full;
    uint64_t *old = (uint64_t *)(s + 60);
    if (threadIdx.x == 0) { init(old, 1); init(&full, 1); asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], 256; }" :: "r"(at(&full)) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" :: "r"(at(s)), "l"(from), "r"(at(&full)) : "memory");  // want(bulk) sync barrier
    }
    int ok = 0;
    while (!ok) asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(at(&full)) : "memory");
}
// The memory is free again, and is a buffer and another barrier later.
__global__ void after_inval() {
    __shared__ uint64_t b;
    for (int i = 0; i < 2; i++) {
        if (threadIdx.x == 0) init(&b, 64);
        __syncthreads();
        arrive(&b);
        __syncthreads();
        if (threadIdx.x == 0) inval(&b);
        __syncthreads();
        if (threadIdx.x == 33) *(volatile uint64_t *)&b = 7;
        __syncthreads();
    }
}
// All of the memory is cleared before the object is made.
__global__ void inits_late() {
    __shared__ uint64_t b[4];
    if (threadIdx.x < 4) b[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 0) init(&b[1], 64);
    __syncthreads();
    if (threadIdx.x == 0) b[0] = b[2] = 1;
    arrive(&b[1]);
}

// An object of a class, whose destructor is an mbarrier.inval, in memory that is used for something else later.
using Barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void destroyed(bool again) {
    __shared__ alignas(16) unsigned char raw[256];
    Barrier *bar = reinterpret_cast<Barrier *>(raw);
    for (int i = 0; i < 1 + again; i++) {
        if (threadIdx.x == 0) init(bar, blockDim.x);
        __syncthreads();
        bar->arrive_and_wait();
        __syncthreads();
        if (threadIdx.x == 0) bar->~barrier();
    }
    __syncthreads();
    reinterpret_cast<volatile int *>(raw)[threadIdx.x] = threadIdx.x;
}
__global__ void variable(bool again) {
    __shared__ Barrier bars[2];
    if (threadIdx.x == 0) init(&bars[1], blockDim.x);
    __syncthreads();
    bars[1].arrive_and_wait();
    __syncthreads();
    if (again && threadIdx.x == 0) init(&bars[1], 32);  // want(variable_again) sync barrier
    if (!again && threadIdx.x < 8) reinterpret_cast<volatile int *>(bars)[threadIdx.x] = threadIdx.x;  // want(variable_written) sync barrier
}

int main(int, char **argv) {
    const char *c = argv[1];
    if (!strcmp(c, "twice")) twice<<<1, 64>>>();
    if (!strcmp(c, "by_others")) by_others<<<1, 64>>>();
    if (!strcmp(c, "in_loop")) tiles<<<1, 64>>>(0);
    if (!strcmp(c, "invalidated")) tiles<<<1, 64>>>(1);
    if (!strcmp(c, "next_block")) phases<<<40, 64>>>();
    if (!strcmp(c, "two_objects")) two_objects<<<1, 64>>>();
    if (!strcmp(c, "phases")) phases<<<1, 64>>>();
    if (!strcmp(c, "overwritten")) overwritten<<<1, 64>>>();
    if (!strcmp(c, "into")) tile<<<1, 64, 264>>>(4);
    if (!strcmp(c, "beside")) tile<<<1, 64, 264>>>(0);
    if (!strcmp(c, "atomics")) atomics<<<1, 64>>>();
    if (!strcmp(c, "bulk")) { int *d; cudaMalloc(&d, 256); cudaMemset(d, 0, 256); bulk<<<1, 64>>>(d); }
    if (!strcmp(c, "after_inval")) after_inval<<<1, 64>>>();
    if (!strcmp(c, "inits_late")) inits_late<<<4, 64>>>();
    if (!strcmp(c, "destroyed")) destroyed<<<1, 64>>>(false);
    if (!strcmp(c, "made_again")) destroyed<<<1, 64>>>(true);
    if (!strcmp(c, "variable_written")) variable<<<1, 64>>>(false);
    if (!strcmp(c, "variable_again")) variable<<<1, 64>>>(true);
    cudaDeviceSynchronize();
}
