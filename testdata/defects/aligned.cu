// Aligned barriers by parts of a warp, and barriers at which whole warps meet though they stand in different places.
// clean: whole_warps one_place unaligned producer helper uniform
// flags: --arch sm_90
#include <cstdio>
#include <cstring>

#define BAR(text) asm volatile(text ::: "memory")

__global__ void two_places(int *o, int n) {
    __shared__ int s[64];
    s[threadIdx.x] = n;
    if (threadIdx.x % 32 < n) { s[threadIdx.x] += 5; BAR("bar.sync 1, 64;"); s[threadIdx.x] *= 3; }  // want(two_places) sync divergent
    else { s[threadIdx.x] += 7; BAR("bar.sync 1, 64;"); s[threadIdx.x] *= 2; }
    o[threadIdx.x] = s[threadIdx.x];
}
__global__ void aligned_form(int *o, int n) {
    if (threadIdx.x % 32 < n) BAR("barrier.sync.aligned 1, 64;");  // want(aligned_form) sync divergent
    else BAR("barrier.sync.aligned 1, 64;");
    o[threadIdx.x] = 1;
}
__global__ void unaligned(int *o, int n) {
    if (threadIdx.x % 32 < n) BAR("barrier.sync 1, 64;");
    else BAR("barrier.sync 1, 64;");
    o[threadIdx.x] = 1;
}
__global__ void half_warps(int *o, int n) {
    if (threadIdx.x % 32 < 16) BAR("bar.sync 1, 32;");  // want(half_warps) sync divergent
    o[threadIdx.x] = 1;
}
__global__ void reduces(int *o, int n) {
    int r;
    if (threadIdx.x % 32 < n) asm volatile("{.reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 1, 64, p;}" : "=r"(r) : "r"(n) : "memory");  // want(reduces) sync divergent
    else asm volatile("{.reg .pred p; setp.eq.s32 p, %1, 0; bar.red.popc.u32 %0, 1, 64, p;}" : "=r"(r) : "r"(n) : "memory");
    o[threadIdx.x] = r;
}
__global__ void arrives(int *o, int n) {
    if (threadIdx.x < 32) {
        if (threadIdx.x < n) BAR("bar.arrive 1, 64;");  // want(arrives) sync divergent
        else BAR("bar.arrive 1, 64;");
    } else {
        BAR("bar.sync 1, 64;");
    }
    o[threadIdx.x] = 1;
}
// Each warp as a whole: in different branches, with the right count.
__global__ void whole_warps(int *o, int n) {
    if (threadIdx.x < 32) BAR("bar.sync 1, 64;");
    else BAR("bar.sync 1, 64;");
    o[threadIdx.x] = 1;
}
__global__ void one_place(int *o, int n) {
    BAR("bar.sync 1, 64;");
    o[threadIdx.x] = 1;
}
__global__ void producer(int *o, int n) {
    for (int i = 0; i < n; i++) {
        if (threadIdx.x < 32) { BAR("bar.sync 1, 64;"); o[threadIdx.x] = i; BAR("bar.arrive 2, 64;"); }
        else { BAR("bar.arrive 1, 64;"); BAR("bar.sync 2, 64;"); }
    }
}
// Conditional barriers of the whole block.
__global__ void conditional(int *o, int n) {
    __shared__ int s[64];
    if (threadIdx.x < 32) {
        s[threadIdx.x] = n;
        __syncthreads();  // want(conditional) sync divergent warning
    } else {
        s[threadIdx.x] = -n;
        __syncthreads();
    }
    o[threadIdx.x] = s[63 - threadIdx.x];
}
__device__ void meet() { __syncthreads(); }
__global__ void helper(int *o, int n) {
    for (int i = 0; i < n; i++) meet();
    o[threadIdx.x] = 1;
}
__global__ void uniform(int *o, int n) {
    if (n > 3) __syncthreads();
    else __syncthreads();
    o[threadIdx.x] = 1;
}

int main(int, char **argv) {
    int *o;
    cudaMalloc(&o, 256);
#define CASE(k) if (!strcmp(argv[1], #k)) k<<<1, 64>>>(o, 5);
    CASE(two_places) CASE(aligned_form) CASE(unaligned) CASE(half_warps) CASE(reduces) CASE(arrives) CASE(whole_warps) CASE(one_place)
    CASE(producer) CASE(conditional) CASE(helper) CASE(uniform)
    return cudaDeviceSynchronize();
}
