// setmaxnreg: which warps execute it, how many registers a block has, and what a thread has before.
// clean: gemm late two_blocks three_consumers no_bounds one_warp same_elsewhere limited
// flags: --arch sm_90
#include <cstdio>
#include <cstring>

template <int N> __device__ __forceinline__ void more() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N)); }  // want(kept) hang budget // want(behind_barrier) hang budget // want(no_room) hang budget
template <int N> __device__ __forceinline__ void fewer() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N)); }

// The first warpgroup loads, the others compute: with 384 threads, each starts with 65,536 / 384, so 168 registers.
template <int LOAD, int COMPUTE> __device__ void split(int *out) {
    if (threadIdx.x < 128) fewer<LOAD>();
    else more<COMPUTE>();
    out[threadIdx.x] = threadIdx.x;
}
__global__ void __launch_bounds__(384, 1) gemm(int *out) { split<40, 232>(out); }
__global__ void __launch_bounds__(512, 1) three_consumers(int *out) { split<32, 160>(out); }
__global__ void __launch_bounds__(256, 2) two_blocks(int *out) { split<24, 232>(out); }
__global__ void __launch_bounds__(384, 1) no_room(int *out) { split<48, 232>(out); }
__global__ void no_bounds(int *out) { split<40, 240>(out); }

__global__ void __launch_bounds__(384, 1) kept(int *out) {  // no warp gives registers back
    if (threadIdx.x >= 128) more<232>();
    out[threadIdx.x] = threadIdx.x;
}
__global__ void __launch_bounds__(384, 1) behind_barrier(int *out) {
    if (threadIdx.x >= 128) more<232>();
    __syncthreads();
    if (threadIdx.x < 128) fewer<40>();
    out[threadIdx.x] = threadIdx.x;
}
__global__ void __launch_bounds__(384, 1) late(int *out) {
    __shared__ volatile int loaded;
    if (threadIdx.x >= 128) {
        more<232>();
    } else {
        if (threadIdx.x == 0) loaded = 1;
        asm volatile("bar.sync 1, 128;" ::: "memory");
        fewer<40>();
    }
    __syncthreads();
    out[threadIdx.x] = loaded;
}
// A block that is smaller than its bound has fewer registers.
__global__ void __launch_bounds__(384, 1) limited(int *out) { split<104, 232>(out); }

__global__ void __launch_bounds__(256, 1) half_group(int *out) {
    if (threadIdx.x < 64) asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");  // want(half_group) sync barrier
    out[threadIdx.x] = threadIdx.x;
}
__global__ void __launch_bounds__(256, 1) first_lane(int *out) {
    if (threadIdx.x % 32 == 0) asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");  // want(first_lane) sync barrier
    out[threadIdx.x] = threadIdx.x;
}
__global__ void __launch_bounds__(256, 1) second_missing(int *out) {
    fewer<64>();
    __syncthreads();
    if (threadIdx.x / 32 != 6) asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");  // want(second_missing) sync barrier
    out[threadIdx.x] = threadIdx.x;
}
__global__ void __launch_bounds__(256, 1) by_warp(int *out) {
    if (threadIdx.x % 128 < 96) fewer<48>();
    else asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");  // want(by_warp) sync registers warning
    out[threadIdx.x] = threadIdx.x;
}
__global__ void __launch_bounds__(256, 1) same_elsewhere(int *out) {
    if (threadIdx.x % 128 < 96) fewer<48>();
    else fewer<48>();
    out[threadIdx.x] = threadIdx.x;
}
__global__ void __launch_bounds__(512, 1) wrong_way(int *out) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 152;");  // want(wrong_way) sync registers
    out[threadIdx.x] = threadIdx.x;
}
__global__ void __launch_bounds__(512, 1) twice(int *out) {
    fewer<64>();
    __syncthreads();
    more<96>();
    __syncthreads();
    asm volatile("setmaxnreg.inc.sync.aligned.u32 80;");  // want(twice) sync registers
    out[threadIdx.x] = threadIdx.x;
}
__global__ void one_warp(int *out) {
    fewer<64>();
    out[threadIdx.x] = threadIdx.x;
}

int main(int, char **argv) {
    int *out;
    cudaMalloc(&out, 512 * 4);
#define CASE(name, threads) \
    if (!strcmp(argv[1], #name)) name<<<1, threads>>>(out)
    CASE(gemm, 384);
    CASE(three_consumers, 512);
    CASE(two_blocks, 256);
    CASE(no_room, 384);
    CASE(no_bounds, 384);
    CASE(kept, 384);
    CASE(behind_barrier, 384);
    CASE(late, 384);
    CASE(limited, 256);
    CASE(half_group, 256);
    CASE(first_lane, 256);
    CASE(second_missing, 256);
    CASE(by_warp, 256);
    CASE(same_elsewhere, 256);
    CASE(wrong_way, 512);
    CASE(twice, 512);
    CASE(one_warp, 32);
    cudaDeviceSynchronize();
    cudaFree(out);
}
