// mbarriers in blocks that access shared memory in ways that come from data.
// clean: waits barrier_object
#include <cstring>
#include <cuda/barrier>
#include <cuda_awbarrier_primitives.h>

__device__ bool joins(int i, int d) { return threadIdx.x >= d && (i * 2654435761u >> 28 & 1); }

template <bool WAITS> __global__ void sums(int *out) {
    __shared__ int s[64];
    __shared__ __mbarrier_t bar;
    if (threadIdx.x == 0) __mbarrier_init(&bar, blockDim.x);
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i & 7;
    for (int d = 1; d < 64; d *= 2) {
        __mbarrier_token_t t = __mbarrier_arrive(&bar);
        while (WAITS && !__mbarrier_test_wait(&bar, t)) {
        }
        int left = joins(i, d) ? s[threadIdx.x - d] : 0;  // want(no_wait) race RAW // want(no_wait) race RAW
        t = __mbarrier_arrive(&bar);
        while (!__mbarrier_test_wait(&bar, t)) {
        }
        s[threadIdx.x] += left;
    }
    out[i] = s[threadIdx.x];
}
// The other way of a barrier's library code, for memory that is not shared, is never taken.
__global__ void barrier_object(int *out) {
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i & 7;
    for (int d = 1; d < 64; d *= 2) {
        bar.arrive_and_wait();
        int left = joins(i, d) ? s[threadIdx.x - d] : 0;
        bar.arrive_and_wait();
        s[threadIdx.x] += left;
    }
    out[i] = s[threadIdx.x];
}

int main(int, char **argv) {
    const char *c = argv[1];
    int *out;
    cudaMalloc(&out, 8 * 64 * sizeof(int));
    if (!strcmp(c, "waits")) sums<true><<<8, 64>>>(out);
    if (!strcmp(c, "no_wait")) sums<false><<<8, 64>>>(out);
    if (!strcmp(c, "barrier_object")) barrier_object<<<8, 64>>>(out);
    cudaDeviceSynchronize();
}
