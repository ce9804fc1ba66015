// Warps that wait at different barriers, and conditions that are the same in all threads of a block.
#include <cuda_runtime.h>

const int B = 128;

__global__ void elseBranch(int *o) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 32) {
        __syncthreads(); // want sync divergent
    } else {
        __syncthreads();
    }
    o[t] = s[B - 1 - t];
}

__global__ void oneMore(int *o) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 32) __syncthreads(); // want sync divergent
    o[t] = s[t];
    __syncthreads();
    o[t] += s[B - 1 - t];
}

__global__ void unequalRounds(int *o) {
    __shared__ int s[B];
    int t = threadIdx.x;
    for (int i = 0; i < t / 32 + 1; i++) {
        s[t] = i;
        __syncthreads(); // want sync divergent
        o[t] += s[t];
    }
    s[t] = o[t];
    __syncthreads();
    o[t] = s[B - 1 - t];
}

__device__ int counted(int n) { return __syncthreads_count(n); } // want sync divergent

__global__ void helper(int *o) {
    int t = threadIdx.x;
    o[t] = t >= 64 ? counted(t) : counted(1);
}

__global__ void byParameter(int *o, int n) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    if (n > 3) {
        __syncthreads();
    } else {
        __syncthreads();
        s[t] += 1;
        __syncthreads();
    }
    o[t] = s[B - 1 - t];
}

__global__ void byBlock(int *o) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    if (blockIdx.x & 1) __syncthreads();
    s[t] += 1;
    __syncthreads();
    o[blockIdx.x * B + t] = s[B - 1 - t];
}

__global__ void equalRounds(int *o, int n) {
    __shared__ int s[B];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[t] = i;
        __syncthreads();
        o[t] += s[B - 1 - t];
        __syncthreads();
    }
    s[t] = o[t];
    __syncthreads();
    o[t] = s[B - 1 - t];
}

__global__ void unrolled(int *o) {
    __shared__ int s[B];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
#pragma unroll
    for (int d = B / 2; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    o[t] = s[0];
}

int main(int argc, char **) {
    int *o;
    cudaMalloc(&o, 2 * B * sizeof *o);
    elseBranch<<<1, B>>>(o);
    oneMore<<<1, B>>>(o);
    unequalRounds<<<1, B>>>(o);
    helper<<<1, B>>>(o);
    byParameter<<<1, B>>>(o, argc);
    byBlock<<<2, B>>>(o);
    equalRounds<<<1, B>>>(o, argc);
    unrolled<<<1, B>>>(o);
    return cudaDeviceSynchronize();
}
