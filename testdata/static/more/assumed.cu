// What a kernel assumes holds for its threads, in whatever words.
#include <cassert>
#include <cuda_runtime.h>

__global__ void assumed(int n, float *__restrict__ y) {
    __builtin_assume(n > 0);
    float f = y[0];
    y[threadIdx.x + n] = f; // want coalesce misaligned possible
}

__global__ void assumesLess(int n, float *__restrict__ y) {
    __builtin_assume(n >= 0);
    float f = y[0];
    y[threadIdx.x + n] = f; // want race read-write possible, coalesce misaligned possible
}

__global__ void declared(int n, float *__restrict__ y) {
    if (n <= 0) __builtin_unreachable();
    float f = y[0];
    y[threadIdx.x + n] = f; // want coalesce misaligned possible
}

__global__ void asserted(int n, float *__restrict__ y) {
    assert(n > 0);
    float f = y[0];
    y[threadIdx.x + n] = f; // want coalesce misaligned possible
}

__global__ void trapped(int n, float *__restrict__ y) {
    if (n < 0) __trap();
    float f = y[0];
    y[threadIdx.x + n] = f; // want race read-write possible, coalesce misaligned possible
}

__device__ void positive(int n) { __builtin_assume(n > 0); }

__global__ void assumedByHelper(int n, float *__restrict__ y) {
    positive(n);
    float f = y[0];
    y[threadIdx.x + n] = f; // want coalesce misaligned possible
}

__global__ void assumedInOneCase(int n, int m, float *__restrict__ y) {
    if (m > 0) positive(n);
    float f = y[0];
    y[threadIdx.x + n] = f; // want race read-write possible, coalesce misaligned possible
}

__global__ void oneWarp(float *__restrict__ y) {
    __builtin_assume(blockDim.x == 32);
    float f = y[threadIdx.x + 32];
    y[threadIdx.x] = f;
}

__global__ void twoWarps(float *__restrict__ y) {
    __builtin_assume(blockDim.x == 64);
    float f = y[threadIdx.x + 32];
    y[threadIdx.x] = f; // want race read-write
}

// An assertion keeps no thread from a barrier, also in a loop.
__global__ void assertsBeforeBarriers(int n, float *__restrict__ y) {
    __shared__ float s[32];
    __builtin_assume(blockDim.x == 32);
    for (int i = 0; i < n; i++) {
        assert(y[threadIdx.x] < 3);
        s[threadIdx.x] = i;
        __syncthreads();
        y[threadIdx.x] = s[31 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void assumedInEachRound(int n, int m, float *__restrict__ y) {
    for (int i = 0; i < m; i++) {
        __builtin_assume(i < n);
        float f = y[i];
        y[threadIdx.x + n] = f; // want coalesce misaligned possible
    }
}
