// Launches that fail (section 2.1.2): no threads in the block, too many blocks,
// more shared memory than there is. The program does not check the error and
// continues without the results of the kernels.
//
//   warpgrind run --log-launches failed_launch.cu
//
// reports each with the limit that it broke; the log has what was asked for.
// -D FIXED launches within the limits.

#include "../check.h"

// histogram counts the bytes of data by their value; bins ints of shared memory.
__global__ void histogram(int *counts, const unsigned char *data, int n, int bins) {
    extern __shared__ int local[];
    for (int b = threadIdx.x; b < bins; b += blockDim.x) local[b] = 0;
    __syncthreads();
    int stride = gridDim.x * gridDim.y * blockDim.x;
    int block = blockIdx.y * gridDim.x + blockIdx.x;
    for (int i = block * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&local[data[i] % bins], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        if (local[b]) atomicAdd(&counts[b], local[b]);
}

// launch counts once more; as the programs of the paper did not, it does not
// ask whether the launch succeeded.
static void launch(dim3 grid, int threads, size_t shared, int *counts, const unsigned char *data, int n,
                   int bins) {
    histogram<<<grid, threads, shared>>>(counts, data, n, bins); // want launch
}

int main() {
    const int n = 3000, bins = 64;
    std::vector<unsigned char> data(n);
    std::vector<int> want(bins);
    Random random;
    for (auto &d : data) {
        d = random.below(256);
        want[d % bins] += 3; // three launches
    }
    unsigned char *dData = toDevice(data);
    int *dCounts;
    CHECK(cudaMalloc(&dCounts, bins * sizeof(int)));
    CHECK(cudaMemset(dCounts, 0, bins * sizeof(int)));

    size_t shared = bins * sizeof(int);
#ifdef FIXED
    int perBlock = 128;
    dim3 grid(1, 20);
    size_t room = shared;
#else
    int perBlock = n / 4096;     // 0: the block has no threads
    dim3 grid(1, 100000);        // only x may be more than 65535
    size_t room = shared * 1024; // for 1024 threads, was the thought
#endif
    launch(dim3(8), perBlock, shared, dCounts, dData, n, bins);
    launch(grid, 128, shared, dCounts, dData, n, bins);
    launch(dim3(8), 128, room, dCounts, dData, n, bins);
    cudaDeviceSynchronize();
    bool ok = same("histogram", toHost(dCounts, bins), want);
    CHECK(cudaFree(dData));
    CHECK(cudaFree(dCounts));
    return ok ? 0 : 1;
}
