// A sum into memory that nobody cleared: cudaMalloc does not, and every run
// may start from another value.

#include "../check.h"

__global__ void accumulate(const int *in, int *sums) {
    sums[threadIdx.x] += in[threadIdx.x]; // want init
}

int main() {
    std::vector<int> in(32, 1);
    int *dIn = toDevice(in), *dSums;
    CHECK(cudaMalloc(&dSums, 32 * sizeof(int)));
    accumulate<<<1, 32>>>(dIn, dSums);
    CHECK_LAUNCH();
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dSums));
    return 0;
}
