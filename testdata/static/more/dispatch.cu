// Host code that chooses an instance of a template by the size of the block.
#include <cstdlib>
#include <cuda_runtime.h>

template <int T> __global__ void mirror(int *out) {
    __shared__ int s[T][T];
    s[threadIdx.y][threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[(blockIdx.x * T + threadIdx.y) * T + threadIdx.x] = s[threadIdx.y][T - 1 - threadIdx.x];
}

template <int T> __global__ void chained(int *out) {
    __shared__ int s[T];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[blockIdx.x * T + threadIdx.x] = s[T - 1 - threadIdx.x];
}

// Launched with twice as many threads as the array has elements.
template <int T> __global__ void wrongCase(int *out) {
    __shared__ int s[T];
    s[threadIdx.x] = threadIdx.x; // want memory out-of-bounds
    __syncthreads();
    out[blockIdx.x * 2 * T + threadIdx.x] = s[0];
}

int main(int argc, char **argv) {
    int tile = argc > 1 ? atoi(argv[1]) : 16, threads = argc > 2 ? atoi(argv[2]) : 64, blocks = argc > 3 ? atoi(argv[3]) : 4;
    int *out;
    cudaMalloc(&out, 1 << 20);
    dim3 block(tile, tile);
    switch (tile) {
    case 8: mirror<8><<<blocks, block>>>(out); break;
    case 16: mirror<16><<<blocks, block>>>(out); break;
    case 32: mirror<32><<<blocks, block>>>(out); break;
    }
    if (threads == 64)
        chained<64><<<blocks, threads>>>(out);
    else if (threads == 128)
        chained<128><<<blocks, threads>>>(out);
    if (threads == 64) wrongCase<32><<<blocks, threads>>>(out);
    cudaDeviceSynchronize();
}
