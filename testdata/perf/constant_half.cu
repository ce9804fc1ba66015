// flags: --tool constant --arch sm_13
// Half-warps are served on their own before sm_20.
#include <cuda_runtime.h>
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__constant__ float table[256];

__global__ void perHalfWarp(float *out) { out[ID] = table[threadIdx.x / 16]; }
__global__ void perQuarter(float *out) {
    out[ID] = table[threadIdx.x / 8]; // want constant serialized warning
}
__global__ void perLane(float *out) {
    out[ID] = table[threadIdx.x]; // want constant serialized warning
}

int main() {
    float *f;
    cudaMalloc(&f, 1 << 16);
    perHalfWarp<<<2, 256>>>(f);
    perQuarter<<<2, 256>>>(f);
    perLane<<<2, 256>>>(f);
    return cudaDeviceSynchronize() != cudaSuccess;
}
