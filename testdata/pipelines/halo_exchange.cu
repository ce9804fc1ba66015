// A stencil over several steps: each block of a cluster keeps a part of a line in its shared memory
// and reads its neighbors' edges there.
// flags: --arch sm_90
#include "pipeline.h"

constexpr int BLOCKS = 4, PART = 64, STEPS = 3;

__global__ void __cluster_dims__(BLOCKS, 1, 1) steps(const int *in, int *out) {
    __shared__ int part[2][PART];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank();
    part[0][t] = in[rank * PART + t];
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
    for (int step = 0; step < STEPS; step++) {
        int *now = part[step % 2], *next = part[(step + 1) % 2];
        int left = t > 0 ? now[t - 1] : rank > 0 ? cluster.map_shared_rank(now, rank - 1)[PART - 1] : 0;
        int right = t < PART - 1 ? now[t + 1] : rank < BLOCKS - 1 ? cluster.map_shared_rank(now, rank + 1)[0] : 0;
        next[t] = left + 2 * now[t] + right;
        ptx::barrier_cluster_arrive();
        ptx::barrier_cluster_wait();
    }
    out[rank * PART + t] = part[STEPS % 2][t];
}

// The sums of all blocks are gathered by the first one, which the others outlive until it has read them.
__global__ void __cluster_dims__(BLOCKS, 1, 1) gather(const int *in, int *total) {
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[cluster.block_rank() * PART + threadIdx.x]);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        int all = 0;
        for (int i = 0; i < BLOCKS; i++) all += *cluster.map_shared_rank(&sum, i);
        *total = all;
    }
    cluster.sync();
}

int main() {
    Buffer<int> in(BLOCKS * PART), out(BLOCKS * PART), total(1);
    for (int i = 0; i < BLOCKS * PART; i++) in.host[i] = i * i % 17;
    in.to_device();
    steps<<<BLOCKS, PART>>>(in.device, out.device);
    gather<<<BLOCKS, PART>>>(out.device, total.device);
    CHECK(cudaDeviceSynchronize());
    out.to_host();
    total.to_host();
    std::vector<int> now = in.host, next = now;
    for (int step = 0; step < STEPS; step++, now = next)
        for (int i = 0; i < BLOCKS * PART; i++) next[i] = 2 * now[i] + (i > 0 ? now[i - 1] : 0) + (i + 1 < BLOCKS * PART ? now[i + 1] : 0);
    int wrong = 0, sum = 0;
    for (int i = 0; i < BLOCKS * PART; i++) {
        wrong += out.host[i] != now[i];
        sum += now[i];
    }
    wrong += total.host[0] != sum;
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
