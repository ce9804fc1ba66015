// flags: --arch sm_90
// A histogram with too many bins for one block's shared memory: the blocks of a
// thread block cluster hold a part of the bins each, and count in each other's
// shared memory (distributed shared memory, sm_90). A second kernel smooths a row
// with clusters of fixed size, whose blocks read their neighbors' edges.
#include "../../examples/check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

const int THREADS = 128;

__global__ void histogram(unsigned *bins, int nbins, int perBlock, const int *data, int n) {
    extern __shared__ unsigned mine[];
    cg::cluster_group cluster = cg::this_cluster();
    int size = cluster.dim_blocks().x;

    for (int i = threadIdx.x; i < perBlock; i += blockDim.x) mine[i] = 0;
    cluster.sync(); // all blocks have begun, and their bins are 0

    int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += blockDim.x * gridDim.x) {
        int bin = min(max(data[i], 0), nbins - 1);
        int owner = bin / perBlock % size;
        unsigned *there = cluster.map_shared_rank(mine, owner);
        atomicAdd(there + bin % perBlock, 1);
    }
    cluster.sync(); // no block counts any longer

    int base = cluster.block_rank() * perBlock;
    for (int i = threadIdx.x; i < perBlock && base + i < nbins; i += blockDim.x) atomicAdd(&bins[base + i], mine[i]);
}

// smooth is the mean of each element and its two neighbors; beyond the ends of a
// cluster's part the row continues at its other end.
__global__ void __cluster_dims__(4, 1, 1) smooth(const float *in, float *out) {
    __shared__ float part[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks();

    part[t] = in[i];
    cluster.sync();
    const float *before = cluster.map_shared_rank(part, (rank + blocks - 1) % blocks);
    const float *after = cluster.map_shared_rank(part, (rank + 1) % blocks);
    float left = t > 0 ? part[t - 1] : before[THREADS - 1]; 
    float right = t < THREADS - 1 ? part[t + 1] : after[0];
    out[i] = (left + part[t] + right) / 3;
    cluster.sync(); // a block must not end while others read its shared memory
}

static bool count(int clusterSize) {
    const int nbins = 1000, n = 5000, blocks = 16;
    int perBlock = (nbins + clusterSize - 1) / clusterSize;
    Random random(7);
    std::vector<int> data(n);
    std::vector<unsigned> want(nbins);
    for (int &d : data) want[d = random.below(nbins)]++;
    int *in = toDevice(data);
    unsigned *bins = toDevice(std::vector<unsigned>(nbins));

    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = THREADS;
    config.dynamicSmemBytes = perBlock * sizeof(unsigned);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = clusterSize;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    int most = 0;
    CHECK(cudaOccupancyMaxActiveClusters(&most, histogram, &config));
    int largest = 0;
    CHECK(cudaOccupancyMaxPotentialClusterSize(&largest, histogram, &config));
    CHECK(cudaLaunchKernelEx(&config, histogram, bins, nbins, perBlock, (const int *)in, n));
    CHECK_LAUNCH();
    char name[40];
    snprintf(name, sizeof name, "clusters of %d", clusterSize);
    bool good = most > 0 && largest == 8 && same(name, toHost(bins, nbins), want);
    CHECK(cudaFree(in));
    CHECK(cudaFree(bins));
    return good;
}

static bool smoothed() {
    const int blocks = 8, n = blocks * THREADS, part = 4 * THREADS;
    Random random(3);
    std::vector<float> row(n), want(n);
    for (float &x : row) x = random.uniform();
    for (int i = 0; i < n; i++) {
        int from = i / part * part, at = i - from;
        want[i] = (row[from + (at + part - 1) % part] + row[i] + row[from + (at + 1) % part]) / 3;
    }
    float *in = toDevice(row), *out = toDevice(std::vector<float>(n));
    smooth<<<blocks, THREADS>>>(in, out);
    CHECK_LAUNCH();
    bool good = same("smooth", toHost(out, n), want, 1e-6);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return good;
}

int main() {
    bool good = count(1) & count(2) & count(8) & smoothed();
    return good ? 0 : 1;
}
