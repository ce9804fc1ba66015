// flags: --tool divergence
// line 0: // want divergence partial-warp info: blocks of 64 threads
// Blocks that are not multiple of 32; the finding is about the launch and has
// no line.
#include <cuda_runtime.h>

__global__ void fill(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }

int main() {
    int *d;
    cudaMalloc(&d, 1 << 12);
    fill<<<2, 48>>>(d);
    return cudaDeviceSynchronize() != cudaSuccess;
}
