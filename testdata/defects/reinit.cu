// mbarrier objects that are initialized again, and what only looks like it.
// clean: invalidated next_block two_objects phases overwritten
#include <cstdint>
#include <cstring>

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
// The memory has been put to another use in between: it is not an mbarrier any longer.
__global__ void overwritten() {
    __shared__ uint64_t b;
    if (threadIdx.x == 0) {
        init(&b, 64);
        *(volatile uint64_t *)&b = 0;
        init(&b, 64);
    }
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
    cudaDeviceSynchronize();
}
