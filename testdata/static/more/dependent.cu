// Programmatic dependent launches: what may come before the wait for the grid before.
#include <cuda_runtime.h>

__device__ __forceinline__ void wait_for_grid() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

__global__ void waits_first(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    wait_for_grid();
    if (i < n) out[i] = in[i];
}

__global__ void reads_first(float *out, const float *in, const float *weights, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float w = i < n ? weights[i] : 0;  // want race early-read possible
    wait_for_grid();
    if (i < n) out[i] = w * in[i];
}

__global__ void writes_first(float *out, float *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 0;  // want race early-write possible
    if (i < n) atomicAdd(&count[i], 1.f);  // want race early-write possible
    wait_for_grid();
    if (i < n) out[i] += count[i];
}

// On one way there is no wait.
__global__ void sometimes(float *out, const float *in, int n, bool first) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!first) wait_for_grid();
    if (i < n) out[i] = in[i];  // want race early-read possible, race early-write possible
}

// One thread waits, and the others wait for it.
__global__ void one_waits(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float zero;
    if (threadIdx.x == 0) zero = 0;
    __syncthreads();
    if (threadIdx.x == 0) wait_for_grid();
    __syncthreads();
    if (i < n) out[i] = in[i] + zero;
}

// The barrier comes before the wait on all ways.
__global__ void barrier_first(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float one;
    if (threadIdx.x == 0) one = 1;
    __syncthreads();
    float x = i < n ? in[i] : 0;  // want race early-read possible
    wait_for_grid();
    if (i < n) out[i] = x + one;
}

// A kernel that never waits is not looked at.
__global__ void no_wait(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
