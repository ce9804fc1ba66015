// flags: --tool divergence
// flags: --tool divergence --arch sm_35
// Lanes that are idle because others of their warp are elsewhere.
#include <cuda_runtime.h>
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__device__ __noinline__ float work(float v, int n) {
    for (int k = 0; k < n; k++) v = v * 1.5f + k;
    return v;
}

__global__ void straight(float *out) { out[ID] = work(ID, 50); }
__global__ void byBlock(float *out) { out[ID] = blockIdx.x % 2 ? work(ID, 50) : work(ID, 40) + 1; }
__global__ void byWarp(float *out) {
    if (threadIdx.x / 32 % 2)
        out[ID] = work(ID, 50);
    else
        out[ID] = work(ID, 40) + 1;
}
__global__ void firstWarps(float *out) {
    if (threadIdx.x < 128)
        out[ID] = work(ID, 50);
}
__global__ void tail(float *out, int n) {
    if (ID >= n)
        return;
    out[ID] = work(ID, 50);
}

__global__ void byLane(float *out) {
    if (threadIdx.x % 2) // want divergence idle warning: uniform across a warp
        out[ID] = work(ID, 50);
    else
        out[ID] = work(ID, 40) + 1;
}
__global__ void oneLane(float *out) {
    if (threadIdx.x % 32 == 0) // want divergence idle warning: uniform across a warp
        out[ID] = work(ID, 50);
}
__global__ void halfWarps(float *out) {
    if (threadIdx.x % 32 < 16) // want divergence idle warning
        out[ID] = work(ID, 50);
    else
        out[ID] = work(ID, 60);
}
__global__ void earlyReturn(float *out) {
    if (threadIdx.x % 2) // want divergence idle warning
        return;
    out[ID] = work(ID, 50);
}
__global__ void trips(float *out) {
    float v = ID;
    for (int k = 0; k < 8 * (threadIdx.x % 32); k++) // want divergence idle warning
        v = v * 1.5f + k;
    out[ID] = v;
}
__global__ void byData(const int *data, float *out) {
    if (data[ID] & 1) // want divergence idle warning: sort or group
        out[ID] = work(ID, 50);
}
__global__ void serial(float *out) {
    if (threadIdx.x == 0) // want divergence idle info
        for (int k = 0; k < 256; k++) out[blockIdx.x * 256 + k] = work(k, 5);
}
__global__ void cheap(float *out) {
    float v = work(ID, 200);
    if (threadIdx.x % 2) out[ID] = v; // a few instructions of hundreds
    else out[ID] = v + 1;
}
__global__ void select(float *out) { out[ID] = threadIdx.x % 2 ? ID * 2.0f : ID + 1.0f; }
__global__ void whole(float *out) { out[ID] = work(ID, 50); }

__global__ void interleaved(float *out) {
    __shared__ float s[256];
    s[threadIdx.x] = work(ID, 1);
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        if (threadIdx.x % (2 * step) == 0) // want divergence idle warning
            s[threadIdx.x] += work(s[threadIdx.x + step], 50);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

__global__ void fill(int *data) { data[ID] = (ID * 2654435761u) >> 16; }

int main() {
    float *f;
    int *d;
    cudaMalloc(&f, 1 << 16);
    cudaMalloc(&d, 1 << 16);
    straight<<<2, 256>>>(f);
    byBlock<<<2, 256>>>(f);
    byWarp<<<2, 256>>>(f);
    firstWarps<<<2, 256>>>(f);
    tail<<<40, 256>>>(f, 40 * 256 - 5);
    byLane<<<2, 256>>>(f);
    oneLane<<<2, 256>>>(f);
    halfWarps<<<2, 256>>>(f);
    earlyReturn<<<2, 256>>>(f);
    trips<<<2, 256>>>(f);
    fill<<<2, 256>>>(d);
    byData<<<2, 256>>>(d, f);
    serial<<<2, 256>>>(f);
    cheap<<<2, 256>>>(f);
    select<<<2, 256>>>(f);
    whole<<<2, 64>>>(f);
    interleaved<<<2, 256>>>(f);
    return cudaDeviceSynchronize() != cudaSuccess;
}
