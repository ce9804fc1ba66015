// What the strictest policy reports.
// flags: --race-policy=acquire=fence,volatile=error,same-value=warning,warp-sync=warning
#include "../global/run.h"
#define T threadIdx.x
#define B blockIdx.x

__global__ void last_block(int *a, int *f) {
    if (T != 0) return;
    a[B] = B;
    __threadfence();
    if (atomicAdd(f, 1) == gridDim.x - 1) {
        for (unsigned i = 0; i < gridDim.x; i++) a[64] += a[i]; // want RAW no-fence/fence
    }
}
__global__ void last_block_fence(int *a, int *f) {
    if (T != 0) return;
    a[B] = B;
    __threadfence();
    if (atomicAdd(f, 1) == gridDim.x - 1) {
        __threadfence();
        for (unsigned i = 0; i < gridDim.x; i++) a[64] += a[i];
    }
}
__global__ void last_block_barrier(int *a, int *f) {
    __shared__ bool last;
    if (T == 0) {
        a[B] = B;
        __threadfence();
        last = atomicAdd(f, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) a[64 + T] = a[T % gridDim.x]; // want RAW no-fence/fence
}
__global__ void volatile_pair(int *a, int *) {
    volatile int *v = a;
    v[64 * B + T] = T;
    a[512 + 64 * B + T] = v[64 * B + (T ^ 32)]; // want RAW no-barrier/syncthreads
}
__global__ void same_value(int *a, int *) {
    if (T == 0) a[0] = 1; // want warning WAW blocks-unordered/none
}
__global__ void no_syncwarp(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    a[64 * B + T] = s[T ^ 1]; // want warning RAW no-syncwarp/syncwarp [its]; RAW no-barrier/syncthreads [thread]
}
__global__ void no_barrier(int *a, int *) {
    __shared__ int s[64];
    s[T] = T;
    a[64 * B + T] = s[T ^ 32]; // want RAW no-barrier/syncthreads
}

int main() {
    for (auto k : {last_block, last_block_fence, last_block_barrier, volatile_pair, same_value, no_syncwarp, no_barrier})
        launch(k, 4, 64);
}
