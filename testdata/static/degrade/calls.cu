// What is not understood without running: recursion, calls of what is not
// known, loops with two entries.
#include <cuda_runtime.h>

__device__ __noinline__ int depth(int *s, int n) {
    if (n > 0) {
        s[n & 63] = n;
        return depth(s, n - 1) + depth(s, n / 2);
    }
    return 1;
}

__global__ void recursive(int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    out[t] = depth(s, t / 16) + s[63 - t];
}

__device__ __noinline__ void put(int *s, int i) { s[i] = i; }
__device__ __noinline__ void putNext(int *s, int i) { s[(i + 1) & 63] = i; }

__global__ void indirect(int *out, int which) {
    __shared__ int s[64];
    int t = threadIdx.x;
    void (*f)(int *, int) = which ? put : putNext;
    f(s, t);
    out[t] = s[t];
}

__global__ void twoEntries(int *out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, i = t;
    if (n & 1) goto second;
first:
    s[i & 63] = i;
    i += 3;
second:
    i++;
    if (i < n) goto first;
    out[t] = s[t];
}

__device__ __noinline__ void wait() { __syncthreads(); }
__device__ __noinline__ void waitTwice() {
    __syncthreads();
    __syncthreads();
}

// Whole warps wait at one barrier in two places.
__global__ void waitsInCall(int *out, int which) {
    __shared__ int s[64];
    int t = threadIdx.x;
    void (*f)() = which ? wait : waitTwice;
    s[t] = t;
    if (t < 32) __syncthreads();
    else f();
    out[t] = s[t];
}

int main() {
    int *out;
    cudaMalloc(&out, 4096);
    indirect<<<1, 64>>>(out, 1);
    twoEntries<<<1, 64>>>(out, 3);
    recursive<<<1, 64>>>(out);
    waitsInCall<<<1, 64>>>(out, 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
