// A tile is copied asynchronously from global to shared memory, and read before
// the copy is waited for: the barrier does not help.
#include <cuda_pipeline.h>

#include "../check.h"

constexpr int N = 64;

__global__ void early(const int *in, int *out) {
    __shared__ int tile[N];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
    __pipeline_commit();
    __syncthreads();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x];  // want race RAW
    __syncthreads();
    __pipeline_wait_prior(0);
}

// own reads what the thread itself has copied, which must be waited for as well.
__global__ void own(const int *in, int *out) {
    __shared__ int tile[N];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
    __pipeline_commit();
    out[threadIdx.x] = tile[threadIdx.x];  // want race RAW
}

// reused copies the next tile into a place that others may still be reading.
__global__ void reused(const int *in, int *out) {
    __shared__ int tile[N];
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));  // want race WAR
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        sum += tile[N - 1 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

int main() {
    std::vector<int> in(N, 5);
    int *din = toDevice(in), *dout = toDevice(in);
    early<<<1, N>>>(din, dout);
    CHECK_LAUNCH();
    own<<<1, N>>>(din, dout);
    CHECK_LAUNCH();
    reused<<<1, N>>>(din, dout);
    CHECK_LAUNCH();
    CHECK(cudaFree(din));
    CHECK(cudaFree(dout));
    printf("ran\n");
    return 0;
}
