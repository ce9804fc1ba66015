// Rows whose length host code computes: that an index stays within the allocation, and that no two threads meet, follows
// from the guards by arithmetic.
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void square(float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[x * w + y] = x + 2 * y; // want coalesce uncoalesced possible, drano
}

// The same index where there are twice as many rows.
__global__ void twiceAsHigh(float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[x * w + y] = x + 2 * y; // want race write-write possible, coalesce uncoalesced possible, drano
}

// An allocation that would have to be of many gigabytes before an index is beyond it.
__global__ void volume(float *out, int w, int h, int d) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < w && y < h && z < d) out[(z * h + y) * w + x] = x + y + z; // want coalesce uncoalesced possible
}

// Any width and height: rows overlap where there are more of them than columns.
__global__ void anyExtents(float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[x * w + y] = x + 2 * y; // want race write-write possible, memory out-of-bounds possible, coalesce uncoalesced possible, drano
}

// A pitch alone bounds no coordinate: the caller makes sure that rows do not overlap.
__global__ void pitched(float *out, int w, int h, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * pitch + x] = x + 2 * y; // want coalesce uncoalesced possible
}

// Sizes that the program has by itself, and those that it calls a function with.
__global__ void ofItsOwn(float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * h + x] = x + 2 * y; // want race write-write possible, memory out-of-bounds possible, coalesce uncoalesced possible
}

__global__ void called(float *out, int w, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w) out[y * pitch + x] = x + 2 * y; // want race write-write possible, coalesce uncoalesced possible
}

__attribute__((noinline)) void callsWith(float *out, int w, int pitch) {
    called<<<dim3((w + 15) / 16, 16), dim3(16, 16)>>>(out, w, pitch);
}

// One row too many.
__global__ void volumeBeyond(float *out, int w, int h, int d) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < w && y <= h && z < d) out[(z * (h + 1) + y) * w + x] = x + y + z; // want memory out-of-bounds possible, coalesce uncoalesced possible
}

// Both guards are one comparison in PTX.
__global__ void mirrored(const float *__restrict__ in, float *__restrict__ out, int n) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < n && y < n) out[y * n + x] = in[x * n + y]; // want coalesce uncoalesced possible, drano
}

// An unsigned index of a difference runs over for the first thread.
__global__ void previous(float *out, int n) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n) out[x - 1] = x; // want memory out-of-bounds possible, coalesce misaligned
}

// A grid-stride loop over rows.
__global__ void rows(float *out, int w, int h) {
    for (int y = blockIdx.x; y < h; y += gridDim.x)
        for (int x = threadIdx.x; x < w; x += blockDim.x) out[y * w + x] = 1; // want coalesce misaligned possible, drano
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 20, h = n + 3, d = n + 5;
    float *a, *b, *c, *e;
    dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
    cudaMalloc(&a, n * n * 4);
    square<<<grid, block>>>(a, n, n);
    cudaMalloc(&b, n * n * 8);
    twiceAsHigh<<<dim3((n + 15) / 16, (2 * n + 15) / 16), block>>>(b, n, 2 * n);
    mirrored<<<grid, block>>>(a, b, n);
    cudaMalloc(&c, (size_t)n * h * d * 4);
    volume<<<dim3((n + 7) / 8, (h + 7) / 8, (d + 3) / 4), dim3(8, 8, 4)>>>(c, n, h, d);
    volumeBeyond<<<dim3((n + 7) / 8, (h + 8) / 8, (d + 3) / 4), dim3(8, 8, 4)>>>(c, n, h, d);
    int width = argc > 2 ? atoi(argv[2]) : 64, height = argc > 3 ? atoi(argv[3]) : 32, pitch = argc > 4 ? atoi(argv[4]) : 64;
    dim3 any((width + 15) / 16, (height + 15) / 16);
    float *f;
    cudaMalloc(&f, width * height * 4);
    anyExtents<<<any, block>>>(f, width, height);
    pitched<<<any, block>>>(a, width, height, pitch);
    ofItsOwn<<<any, block>>>(f, width, height);
    callsWith(a, 64, 64), callsWith(a, 64, 48);
    cudaMalloc(&e, n * 4);
    previous<<<(n + 255) / 256, 256>>>(e, n);
    rows<<<64, 256>>>(c, n, h);
    return cudaDeviceSynchronize() != cudaSuccess;
}
