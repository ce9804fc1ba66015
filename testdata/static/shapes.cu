// Second and third dimension of the block, starts that are not aligned, guards.
#include <cuda_runtime.h>

const int N = 128;

// 32 threads in a row: a warp is one of them.
__global__ void fullRows(float *a) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[y * N + x] += 1;
}

// Four threads in a row: a warp is eight short pieces.
__global__ void narrowRows(float *a) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[y * N + x] += 1; // want coalesce uncoalesced
}

// The wrong way around.
__global__ void exchangedAxes(float *a) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[x * N + y] += 1; // want coalesce uncoalesced, drano
}

__global__ void depth(float *a) {
    int z = threadIdx.z * N * N / 4;
    a[z + threadIdx.x] += 1; // want coalesce uncoalesced
}

// threadIdx.y alone: it is the same for all of a warp.
__global__ void perRow(const float *in, float *out) {
    out[threadIdx.y * 32 + threadIdx.x] = in[threadIdx.y];
}

// Only one thread: there is nothing to coalesce.
__global__ void first(float *a, int n) {
    if (threadIdx.x == 0)
        for (int i = 0; i < n; i++) a[i * 37] += 1;
    if (threadIdx.x == n) a[threadIdx.x * 37] = 0;
}

__global__ void firstLanes(float *a) {
    if (threadIdx.x < 8) a[threadIdx.x * 32] += 1; // want coalesce uncoalesced, drano
}

__global__ void guarded(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += 1;
}

__global__ void indirect(const int *index, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]]; // want coalesce uncoalesced possible, drano
}

__global__ void sameForAll(const int *index, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[0]] + in[index[blockIdx.x]];
}

__global__ void bucket(const int *start, const float *in, float *out) {
    int i = start[blockIdx.x] + threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = in[i]; // want coalesce misaligned possible
}

__global__ void shifted(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1]; // want coalesce misaligned
}

int main() {
    float *d;
    int *index;
    cudaMalloc(&d, 1 << 18), cudaMemset(d, 0, 1 << 18);
    cudaMalloc(&index, 1024);
    int host[256];
    for (int i = 0; i < 256; i++) host[i] = i * 37 % 256;
    cudaMemcpy(index, host, 1024, cudaMemcpyHostToDevice);
    fullRows<<<dim3(4, 16), dim3(32, 8)>>>(d);
    narrowRows<<<dim3(32, 16), dim3(4, 8)>>>(d);
    exchangedAxes<<<dim3(4, 16), dim3(32, 8)>>>(d);
    depth<<<1, dim3(4, 1, 16)>>>(d);
    perRow<<<1, dim3(32, 8)>>>(d, d + 1024);
    first<<<1, 64>>>(d, 20);
    firstLanes<<<1, 64>>>(d);
    guarded<<<4, 64>>>(d, 200);
    indirect<<<4, 64>>>(index, d, d + 1024);
    sameForAll<<<4, 64>>>(index, d, d + 1024);
    bucket<<<4, 64>>>(index, d, d + 1024);
    shifted<<<4, 64>>>(d, d + 1024);
    return cudaDeviceSynchronize() != cudaSuccess;
}
