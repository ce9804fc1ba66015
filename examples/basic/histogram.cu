// A histogram of bytes: each block counts in shared memory with shared atomics,
// then adds its counts to the global ones with global atomics.

#include "../check.h"

const int BINS = 256;

__global__ void histogram(const unsigned char *data, unsigned *bins, int n) {
    __shared__ unsigned local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        if (local[b] > 0) atomicAdd(&bins[b], local[b]);
}

int main() {
    const int n = 50000;
    Random random;
    std::vector<unsigned char> data(n);
    std::vector<unsigned> want(BINS);
    for (unsigned char &v : data) {
        v = (random.below(256) + random.below(256)) / 2;
        want[v]++;
    }
    unsigned char *dData = toDevice(data);
    unsigned *dBins;
    CHECK(cudaMalloc(&dBins, BINS * sizeof(unsigned)));
    CHECK(cudaMemset(dBins, 0, BINS * sizeof(unsigned)));
    histogram<<<12, 192>>>(dData, dBins, n);
    CHECK_LAUNCH();
    bool ok = same("histogram", toHost(dBins, BINS), want);
    CHECK(cudaFree(dData));
    CHECK(cudaFree(dBins));
    return ok ? 0 : 1;
}
