// Helpers that are called twice: the threads that still read for the first call race with those that write for the second one.
#include "../global/run.h"
#define T threadIdx.x
#define OUT(v) a[256 + T] = (v)

__device__ int sum(int *part, int v) {
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (T % 32 == 0) part[T / 32] = v; // want WAR no-barrier/syncthreads; WAR no-barrier/syncthreads
    __syncthreads();
    if (T == 0)
        for (int w = 1; w < blockDim.x / 32; w++) v += part[w];
    return v;
}
__device__ int own(int v) {
    static __shared__ int part[32];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    __syncthreads();
    if (T % 32 == 0) part[T / 32] = v;
    __syncthreads();
    return part[T % (blockDim.x / 32)] + v;
}
__device__ __noinline__ int last(int *all, int v) {
    all[T] = v; // want WAR no-barrier/syncthreads
    __syncthreads();
    return all[blockDim.x - 1 - T];
}
__global__ void twice(int *a, int *) {
    __shared__ int part[32];
    int x = sum(part, T), y = sum(part, 2 * T);
    OUT(x + y);
}
__global__ void in_loop(int *a, int *) {
    __shared__ int part[32];
    int x = 0;
    for (int i = 0; i < 4; i++) x += sum(part, T + i);
    OUT(x);
}
__global__ void not_inlined(int *a, int *) {
    __shared__ int all[256];
    int x = last(all, T);
    int y = last(all, 2 * T);
    OUT(x + y);
}
// Clean: a barrier between the calls, in the helper or in the loop.
__global__ void between(int *a, int *) {
    __shared__ int part[32], all[256];
    int x = sum(part, T);
    __syncthreads();
    int y = sum(part, 2 * T);
    x += last(all, T);
    __syncthreads();
    OUT(x + y + last(all, T));
}
__global__ void inside(int *a, int *) {
    OUT(own(T) + own(2 * T));
}

int main() {
    auto one = [](void (*k)(int *, int *)) { launch(k, 1, 256); };
    one(twice); one(in_loop); one(not_inlined); one(between); one(inside);
}
