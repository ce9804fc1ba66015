// Indices by division, masks, helpers and choices.
#include <cuda_runtime.h>

// Divided and multiplied by the same number: lanes share elements.
__global__ void divided(const float *in, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t / 16 * 16]; // want drano
}

__global__ void remainder(const float *in, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t % 16]; // want drano
}

// Two rows of a tile: quotient and remainder give the index back.
__global__ void tiles(const float *in, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int row = t / 16, column = t % 16;
    out[row * 16 + column] = in[row * 16 + column];
}

// The same with a wider row: two pieces far apart, of two sectors each.
__global__ void wideTiles(const float *in, float *out) {
    int t = threadIdx.x;
    out[t] = in[t / 4 * 64 + t % 4]; // want coalesce uncoalesced, drano
}

__global__ void divideBy3(const float *in, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t / 3]; // want drano
}

__global__ void masked(const float *in, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t & ~3]; // want coalesce uncoalesced, drano
}

__global__ void exchanged(const float *in, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t ^ 5]; // want drano
}

__global__ void mul24(const float *in, float *out) {
    int t = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
    out[t] = in[t];
}

__device__ int at(int row, int column, int pitch) { return row * pitch + column; }

__global__ void helper(const float *in, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[at(0, t, 64)] = in[at(t, 0, 64)]; // want coalesce uncoalesced, drano
}

__device__ __noinline__ int opaque(int t) { return t + 1; }

__global__ void called(const float *in, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[opaque(t) - 1];
}

// Either choice is one element for each lane.
__global__ void chosen(const float *in, float *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int i = t == n - 1 ? t - 1 : t;
    out[t] = in[i]; // want drano
}

__global__ void clamped(const float *in, float *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int left = max(t - 1, 0), right = min(t + 1, n - 1);
    out[t] = in[left] + in[right]; // want coalesce misaligned, drano
}

__global__ void swizzled(const float *in, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int i = (t & 31) * 8 + (t >> 5);
    out[t] = in[i]; // want coalesce uncoalesced, drano
}

int main() {
    float *d;
    cudaMalloc(&d, 1 << 18), cudaMemset(d, 0, 1 << 18);
    float *e = d + (1 << 15);
    divided<<<2, 128>>>(d, e);
    remainder<<<2, 128>>>(d, e);
    tiles<<<2, 128>>>(d, e);
    wideTiles<<<1, 128>>>(d, e);
    divideBy3<<<2, 128>>>(d, e);
    masked<<<2, 128>>>(d, e);
    exchanged<<<2, 128>>>(d, e);
    mul24<<<2, 128>>>(d, e);
    helper<<<2, 128>>>(d, e);
    called<<<2, 128>>>(d, e);
    chosen<<<2, 128>>>(d, e, 256);
    clamped<<<2, 128>>>(d, e, 256);
    swizzled<<<2, 128>>>(d, e);
    return cudaDeviceSynchronize() != cudaSuccess;
}
