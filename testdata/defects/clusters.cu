// Thread block clusters: shared memory of other blocks, and the cluster's barrier.
// clean: itself remote_arrival gathered halo relaxed_fenced split to_first own_tile exits
// flags: --arch sm_90
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;

// Each block reads the edge of the next one.
template <bool BEFORE, bool AFTER> __global__ void edges(int *out) {
    __shared__ int tile[64];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, next = (cluster.block_rank() + 1) % cluster.num_blocks();
    tile[t] = blockIdx.x * 100 + t;
    if (BEFORE) cluster.sync();
    else __syncthreads();
    int *there = cluster.map_shared_rank(tile, next);
    int v = there[63 - t];  // want(early_edge) race RAW // want(early_edge) race lifetime
    if (AFTER) cluster.sync();
    tile[t] = -v;  // want(late_use) race WAR
    out[blockIdx.x * 64 + t] = tile[t];
    cluster.sync();
}
// All count in the first block's shared memory.
template <int HOW> __global__ void to_first(int *out) {
    __shared__ int count[32];
    cg::cluster_group cluster = cg::this_cluster();
    int *first = cluster.map_shared_rank(count, 0);
    if (cluster.block_rank() == 0 && threadIdx.x < 32) count[threadIdx.x] = 0;
    cluster.sync();
    if (HOW == 0) atomicAdd(&first[threadIdx.x % 32], 1);
    else if (HOW == 1) { if (threadIdx.x == 0) first[0] += 1; }  // want(update) race WAR // want(update) race WAW
    else atomicAdd_block(&first[threadIdx.x % 32], 1);  // want(narrow) race WAW
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x < 32) out[threadIdx.x] = count[threadIdx.x];
}
// The barrier in two parts; a relaxed arrival needs a fence.
template <bool RELAXED, bool FENCE> __global__ void parts(int *out) {
    __shared__ int given, own[64];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) given = blockIdx.x + 1;
    if (FENCE) __threadfence();
    if (RELAXED) {
        asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    } else {
        asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    }
    own[threadIdx.x] = threadIdx.x;
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
    int v = *cluster.map_shared_rank(&given, (cluster.block_rank() + 1) % cluster.num_blocks());  // want(relaxed) race RAW
    out[blockIdx.x * 64 + threadIdx.x] = v + own[threadIdx.x];
    cluster.sync();
}
// After the cluster's arrival a thread uses what another one writes before it waits.
__global__ void other_thread(int *out) {
    __shared__ int own[64];
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    own[threadIdx.x] = threadIdx.x;
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
    out[threadIdx.x] = own[63 - threadIdx.x];  // want(between) race RAW
}
// A tile of each block's own, with the cluster's barrier instead of the block's.
__global__ void own_tile(int *out) {
    __shared__ int tile[64];
    cg::cluster_group cluster = cg::this_cluster();
    for (int r = 0; r < 3; r++) {
        tile[threadIdx.x] = threadIdx.x + r;
        cluster.sync();
        out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
        cluster.sync();
    }
}
__global__ void ended(int *out) {
    __shared__ int s;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) s = blockIdx.x;
    cluster.sync();
    if (cluster.block_rank() == 1) return;
    out[threadIdx.x] = *cluster.map_shared_rank(&s, 1);  // want(ended) memory out-of-bounds
}
__global__ void exits(int *out) {
    if (threadIdx.x < 32) return;
    cg::this_cluster().sync();
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}
__device__ void one_waits_body() {
    if (blockIdx.x == 0) asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");  // want(one_waits) sync deadlock
}

// Launched without clusters, a block is one by itself: its barrier orders no other block.
__device__ int given_flag;
template <bool FENCE> __global__ void by_itself(int *out) {
    free(malloc(4));
    if (blockIdx.x == 0) {
        out[threadIdx.x] = threadIdx.x;
        if (FENCE) __threadfence();
    } else if (threadIdx.x == 0) {
        while (atomicAdd(&given_flag, 0) == 0) {}
        if (FENCE) __threadfence();
    }
    cg::this_cluster().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        if (FENCE) __threadfence();
        atomicExch(&given_flag, 1);
    }
    if (blockIdx.x == 1) out[64 + threadIdx.x] = out[63 - threadIdx.x];  // want(itself_unfenced) race RAW
}

static cudaError_t in_clusters(void (*kernel)(int *), int *out, int blocks, int size) {
    cudaLaunchConfig_t c = {};
    c.gridDim = blocks;
    c.blockDim = 64;
    cudaLaunchAttribute a;
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = size;
    a.val.clusterDim.y = a.val.clusterDim.z = 1;
    c.attrs = &a;
    c.numAttrs = 1;
    return cudaLaunchKernelEx(&c, kernel, out);  // want(odd_grid) launch rejected // want(too_large) launch rejected // want(other_size) launch rejected
}

// One lane reaches the barriers later than the others of its warp.
__global__ void gathered(int *out) {
    __shared__ int sum, part[64];
    cg::cluster_group cluster = cg::this_cluster();
    part[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int i = 0; i < 64; i++) sum += part[i];
    }
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        int all = 0;
        for (unsigned i = 0; i < cluster.num_blocks(); i++) all += *cluster.map_shared_rank(&sum, i);
        *out = all;
    }
    cluster.sync();
}

__global__ void __cluster_dims__(2, 1, 1) fixed(int *out) { out[blockIdx.x] = cg::this_cluster().num_blocks(); }
__global__ void __cluster_dims__(2, 1, 1) fixed_waits() { one_waits_body(); }

// A block arrives at the mbarrier of the other one, to which it has written.
template <bool LATE> __global__ void arrivals(int *out) {
    __shared__ unsigned long long bar;
    __shared__ int s;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned at = (unsigned)__cvta_generic_to_shared(&bar), other = cluster.block_rank() ^ 1;
    if (threadIdx.x == 0) {
        s = 0;
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(at) : "memory");
    }
    cluster.sync();
    if (threadIdx.x == 0) {
        if (!LATE) *cluster.map_shared_rank(&s, other) = 10;
        asm volatile("{ .reg .b32 r; mapa.shared::cluster.u32 r, %0, %1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r]; }"
                     ::"r"(at), "r"(other) : "memory");
        if (LATE) *cluster.map_shared_rank(&s, other) = 10;  // want(late_write) race
    }
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0; @!p bra W; }" ::"r"(at) : "memory");
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
    cluster.sync();
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    int *out;
    cudaMalloc(&out, 4096);
    cudaMemset(out, 0, 4096);
    if (is("halo")) in_clusters(edges<true, true>, out, 8, 4);
    if (is("early_edge")) in_clusters(edges<false, true>, out, 8, 4);
    if (is("late_use")) in_clusters(edges<true, false>, out, 8, 4);
    if (is("to_first")) in_clusters(to_first<0>, out, 4, 4);
    if (is("update")) in_clusters(to_first<1>, out, 4, 4);
    if (is("narrow")) in_clusters(to_first<2>, out, 4, 4);
    if (is("split")) in_clusters(parts<false, false>, out, 4, 2);
    if (is("relaxed")) in_clusters(parts<true, false>, out, 4, 2);
    if (is("relaxed_fenced")) in_clusters(parts<true, true>, out, 4, 2);
    if (is("between")) in_clusters(other_thread, out, 1, 1);
    if (is("own_tile")) in_clusters(own_tile, out, 8, 8);
    if (is("ended")) in_clusters(ended, out, 2, 2);
    if (is("exits")) in_clusters(exits, out, 4, 2);
    if (is("gathered")) in_clusters(gathered, out, 4, 4);
    if (is("remote_arrival")) in_clusters(arrivals<false>, out, 2, 2);
    if (is("late_write")) in_clusters(arrivals<true>, out, 2, 2);
    if (is("itself")) by_itself<true><<<2, 64>>>(out);
    if (is("itself_unfenced")) by_itself<false><<<2, 64>>>(out);
    if (is("one_waits")) fixed_waits<<<2, 64>>>();
    if (is("odd_grid")) in_clusters(exits, out, 5, 2);
    if (is("too_large")) in_clusters(exits, out, 32, 16);
    if (is("other_size")) in_clusters(fixed, out, 4, 4);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
