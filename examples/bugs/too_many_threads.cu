// A launch with 2048 threads per block: no GPU takes more than 1024. The
// program does not look at errors: the kernel does not run and it goes unnoticed.

#include "../check.h"

__global__ void fill(int *out, int value) { out[threadIdx.x] = value; }

int main() {
    int *out;
    CHECK(cudaMalloc(&out, 2048 * sizeof(int)));
    fill<<<1, 32>>>(out, 1);
    fill<<<1, 2048>>>(out, 2); // want launch
    cudaDeviceSynchronize();
    CHECK(cudaFree(out));
    return 0;
}
