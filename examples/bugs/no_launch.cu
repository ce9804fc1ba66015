// A program that launches no kernel: nothing was checked, which is not the
// same as clean.

#include "../check.h"

__global__ void fill(int *out) { out[threadIdx.x] = threadIdx.x; }

int main(int argc, char **argv) {
    int *out;
    CHECK(cudaMalloc(&out, 32 * sizeof(int)));
    if (argc > 100) fill<<<1, 32>>>(out);
    CHECK(cudaFree(out));
    return 0;
}
