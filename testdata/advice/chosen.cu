// A table that one thread of the grid prepares, chosen by an atomic: nothing tells the other blocks when it is there.
#include <cstdio>
__device__ int claimed, taken;
__device__ int ready;
__device__ float table[32], other[32];

__global__ void prepare(float *out) {
    if (threadIdx.x == 0 && atomicExch(&claimed, 1) == 0) {
        for (int i = 0; i < 32; i++) table[i] = i * 0.5f;
    }
    __syncthreads();
    out[blockIdx.x * 32 + threadIdx.x] = table[threadIdx.x]; // help: let the chosen thread set another flag after line 9 // not: others continue
}
// Here a flag tells it, without a fence.
__global__ void prepare_and_tell(float *out) {
    if (threadIdx.x == 0) {
        if (atomicExch(&taken, 1) == 0) {
            for (int i = 0; i < 32; i++) other[i] = i * 0.5f;
            atomicExch(&ready, 1);
        }
        while (atomicAdd(&ready, 0) == 0) {}
    }
    __syncthreads();
    out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x]; // help: __threadfence() // not: another flag
}
int main() {
    float *d, h[64];
    cudaMalloc(&d, sizeof h);
    prepare<<<2, 32>>>(d);
    prepare_and_tell<<<2, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[3]);
    cudaFree(d);
}
