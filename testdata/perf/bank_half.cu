// flags: --tool bank --arch sm_13
// 16 banks for each half-warp; one word a pass is broadcast.
#include <cuda_runtime.h>
#define T threadIdx.x
#define FILL(s) \
    for (int k = T; k < sizeof(s) / 4; k += blockDim.x) ((float *)s)[k] = k; \
    __syncthreads();

__global__ void linear(float *out) { __shared__ float s[1024]; FILL(s) out[T] = s[T]; }
__global__ void halves(float *out) { __shared__ float s[1024]; FILL(s) out[T] = s[T % 16 + T / 16 * 32]; }
__global__ void one(float *out) { __shared__ float s[1024]; FILL(s) out[T] = s[7]; }
__global__ void padded(float *out) { __shared__ float s[16][17]; FILL(s) out[T] = s[T % 16][5]; }
__global__ void stride2(float *out) {
    __shared__ float s[1024];
    FILL(s)
    out[T] = s[2 * T]; // want bank 2-way warning
}
__global__ void column(float *out) {
    __shared__ float s[16][16];
    FILL(s)
    out[T] = s[T % 16][5]; // want bank 16-way warning: from 16 to 17
}
__global__ void twoWords(float *out) {
    __shared__ float s[1024];
    FILL(s)
    out[T] = s[T % 2 * 16]; // want bank 2-way info
}

int main() {
    float *f;
    cudaMalloc(&f, 1 << 16);
    linear<<<1, 256>>>(f);
    halves<<<1, 256>>>(f);
    one<<<1, 256>>>(f);
    padded<<<1, 256>>>(f);
    stride2<<<1, 256>>>(f);
    column<<<1, 256>>>(f);
    twoWords<<<1, 256>>>(f);
    return cudaDeviceSynchronize() != cudaSuccess;
}
