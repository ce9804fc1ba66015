// All lanes of a warp write to one word, in a loop: an analyzer finds the address the same in all threads and all
// iterations, and the lanes still race with each other.
#include <cuda_runtime.h>

__global__ void last(int *out) {
    __shared__ int word;
    for (int i = 0; i < 4; i++) word = threadIdx.x + i;
    __syncthreads();
    out[threadIdx.x] = word;
}

int main() {
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    last<<<1, 32>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
