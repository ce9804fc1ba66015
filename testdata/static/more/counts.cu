// Functions that count and move bits, of arguments that are given, of threads and of
// what is not known.
#include <cuda_runtime.h>

__global__ void given(int *q, int n, int m) {
    __shared__ int s[33];
    int l = __ffs(n);
    s[threadIdx.x] = l;
    __syncthreads();
    if (threadIdx.x < 2) s[threadIdx.x << l] = threadIdx.x; // want memory out-of-bounds, bank conflict
    if (threadIdx.x == 2) s[2 << (32 - __clz(m))] = 1;
    __syncthreads();
    q[threadIdx.x] = s[threadIdx.x];
}

__global__ void bounded(int *q, unsigned m) {
    __shared__ int s[33];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) s[32] = 0;
    __syncthreads();
    q[threadIdx.x] = s[__popc(m)] + s[__clz(m)] + s[__ffs(m)] + s[__popc(threadIdx.x)];
}

__global__ void above(int *q, unsigned m) {
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    q[threadIdx.x] = s[__popc(m)]; // want memory out-of-bounds
}

__global__ void threads(int *q) {
    __shared__ int s[64];
    s[__brev(threadIdx.x) >> 26] = 1; // want bank conflict
    s[__byte_perm(threadIdx.x, 0, 0x4440)] = 2; // want race write-write
    __syncthreads();
    q[threadIdx.x] = s[threadIdx.x];
    s[__popc(threadIdx.x)] = threadIdx.x; // want race read-write, race write-write
}

int main() {
    int *q;
    cudaMalloc(&q, 4096);
    given<<<1, 32>>>(q, 64, 4);
    bounded<<<1, 32>>>(q, 7);
    above<<<1, 32>>>(q, ~0u);
    threads<<<1, 64>>>(q);
    return cudaDeviceSynchronize();
}
