// flags: --tool constant
// flags: --tool constant --arch sm_60
// Constant memory delivers one address at a time to a warp.
#include <cuda_runtime.h>
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

struct Node { float x, y, z, w; };
__constant__ float table[256];
__constant__ double wide[64];
__constant__ Node nodes[64];

__global__ void same(float *out) {
    float sum = 0;
    for (int k = 0; k < 256; k++) sum += table[k];
    out[ID] = sum;
}
__global__ void perBlock(float *out) { out[ID] = table[blockIdx.x]; }
__global__ void perWarp(float *out) { out[ID] = table[threadIdx.x / 32]; }
__global__ void perTwoWarps(float *out) { out[ID] = table[threadIdx.x / 64]; }
__global__ void oneLane(float *out) { if (threadIdx.x % 32 == 5) out[ID] = table[threadIdx.x]; }
__global__ void parameter(float *out, float v) { out[ID] = v; }
__global__ void wideSame(double *out) { out[ID] = wide[blockIdx.x]; }
__global__ void nodeSame(float *out) { Node n = nodes[blockIdx.x]; out[ID] = n.x + n.y + n.z + n.w; }

__global__ void perLane(float *out) {
    out[ID] = table[threadIdx.x]; // want constant serialized warning: global memory
}
__global__ void perHalfWarp(float *out) {
    out[ID] = table[threadIdx.x / 16]; // want constant serialized warning
}
__global__ void perLane8(double *out) {
    out[ID] = wide[threadIdx.x % 64]; // want constant serialized warning: global memory
}
__global__ void strided(float *out) {
    out[ID] = table[threadIdx.x * 33 % 256]; // want constant serialized warning: shared memory
}
__global__ void nodePerLane(float *out) {
    out[ID] = nodes[threadIdx.x % 64].y; // want constant serialized warning
}
__global__ void diverged(float *out) {
    if (threadIdx.x % 4 == 0)
        out[ID] = table[threadIdx.x]; // want constant serialized warning
}
__global__ void seldom(float *out) {
    float sum = 0;
    for (int k = 0; k < 256; k++) sum += table[k];
    if (threadIdx.x < 2) sum += table[threadIdx.x]; // one pass in thousands
    out[ID] = sum;
}

int main() {
    float *f;
    cudaMalloc(&f, 1 << 16);
    same<<<2, 256>>>(f);
    perBlock<<<2, 256>>>(f);
    perWarp<<<2, 256>>>(f);
    perTwoWarps<<<2, 256>>>(f);
    oneLane<<<2, 256>>>(f);
    parameter<<<2, 256>>>(f, 1);
    wideSame<<<2, 256>>>((double *)f);
    nodeSame<<<2, 256>>>(f);
    perLane<<<2, 256>>>(f);
    perHalfWarp<<<2, 256>>>(f);
    perLane8<<<2, 256>>>((double *)f);
    strided<<<2, 256>>>(f);
    nodePerLane<<<2, 256>>>(f);
    diverged<<<2, 256>>>(f);
    seldom<<<2, 256>>>(f);
    return cudaDeviceSynchronize() != cudaSuccess;
}
