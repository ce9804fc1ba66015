// An off-by-one in the guard: thread n writes one element past the end. The
// program looks right, since allocations are rounded up on a GPU.

#include "../check.h"

__global__ void fill(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i] = i; // want memory
}

int main() {
    const int n = 100;
    int *out;
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    fill<<<1, 128>>>(out, n);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
