// Bugs of published pipelines, re-created small from their issues and pull requests, and their fixes:
// facebookexperimental/triton#1992, deepseek-ai/DeepGEMM#415, NVIDIA/cutlass#3316 and #3647,
// NVIDIA/cudnn-frontend#426.
// clean: aliased_fixed groups_fixed pair_fixed halves_fixed handoff_fixed handoff_warp_fixed
// flags: --arch sm_90
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__device__ void expect(uint64_t *bar, unsigned bytes) { ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, bytes); }
__device__ void wait(uint64_t *bar, int phase) {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, bar, phase)) {  // want(groups) hang budget
    }
}
__device__ void begin(uint64_t *bar, int count) {
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(bar, count);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
}

// triton#1992: scores (float) and probabilities (half) share memory, and the layouts of reading and of
// writing give a warp different parts of it: a fast warp overwrites what a slow one has yet to read.
template <bool FIXED> __global__ void aliased(const float *in, unsigned short *out) {
    __shared__ float scores[256];
    unsigned short *probabilities = reinterpret_cast<unsigned short *>(scores);
    for (int i = 0; i < 2; i++) scores[i * 128 + threadIdx.x] = in[i * 128 + threadIdx.x];
    __syncthreads();
    float a = scores[2 * threadIdx.x], b = scores[2 * threadIdx.x + 1];
    if (FIXED) __syncthreads();
    probabilities[threadIdx.x] = a < b;  // want(aliased) race WAR // want(aliased) race WAR
    __syncthreads();
    out[threadIdx.x] = probabilities[127 - threadIdx.x];
}

// DeepGEMM#415: tiles of two groups of an odd number lie one after the other. A cluster of two blocks
// straddles the groups, and its blocks differ in whether they share a tile by multicast.
template <bool FIXED> __global__ void __cluster_dims__(2, 1, 1) groups(const int *in, int *out, int tiles) {
    __shared__ alignas(16) int tile[32];
    __shared__ uint64_t full;
    begin(&full, 1);
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    int rank = cluster.block_rank(), group = blockIdx.x / tiles, in_group = blockIdx.x % tiles;
    bool last_alone = rank == 0 && in_group == tiles - 1;
    bool multicast = FIXED ? false : !last_alone;
    if (threadIdx.x == 0) {
        expect(&full, sizeof tile);
        if (!multicast) ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + group * 32, sizeof tile, &full);
        else if (rank == 0) ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + group * 32, sizeof tile, &full, 3);
    }
    wait(&full, 0);
    out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x];
    cluster.sync();
}

// cutlass#3316: a pair of blocks works together without a barrier after the mbarrier of each is initialized.
template <bool FIXED> __global__ void __cluster_dims__(2, 1, 1) pair(int *out) {
    __shared__ uint64_t freed;
    begin(&freed, 32);
    cg::cluster_group cluster = cg::this_cluster();
    if (FIXED) cluster.sync();
    else __syncthreads();
    if (threadIdx.x < 32)
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, ptx::mapa(ptx::space_cluster, &freed, cluster.block_rank() ^ 1));  // want(pair) race lifetime // want(pair) sync barrier
    wait(&freed, 0);
    out[blockIdx.x * 64 + threadIdx.x] = 1;
    cluster.sync();
}

// cutlass#3647: the first block of a pair uses the half that the other one has loaded, and has waited
// for its own load only.
template <bool FIXED> __global__ void __cluster_dims__(2, 1, 1) halves(const int *in, int *out) {
    __shared__ alignas(16) int half[32];
    __shared__ uint64_t full, both;
    begin(&full, 1);
    begin(&both, 1);
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    int rank = cluster.block_rank();
    if (threadIdx.x == 0) {
        expect(&full, sizeof half);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, half, in + rank * 32, sizeof half, &full);  // want(halves) race lifetime
    }
    if (rank == 0) {
        wait(&full, 0);
        if (FIXED) wait(&both, 0);
        out[threadIdx.x] = half[threadIdx.x] + cluster.map_shared_rank(half, 1)[threadIdx.x];  // want(halves) race RAW
    } else if (FIXED && threadIdx.x == 0) {
        wait(&full, 0);
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, ptx::mapa(ptx::space_cluster, &both, 0));
    }
    cluster.sync();
}

// cudnn-frontend#426: all lanes of a warp store weights, one of them arrives for all.
enum How { ELECTED, ALL, WARP };
template <How HOW> __global__ void handoff(const float *in, float *out) {
    __shared__ float weights[64];
    __shared__ uint64_t loaded;
    begin(&loaded, HOW == ALL ? 32 : 1);
    __syncthreads();
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        weights[lane] = in[lane];
        weights[lane + 32] = in[lane + 32];
        if (HOW == WARP) __syncwarp();
        if (HOW == ALL || lane == 0) ptx::mbarrier_arrive(&loaded);
    } else {
        wait(&loaded, 0);
        out[lane] = weights[lane] + weights[lane + 32];  // want(handoff) race RAW // want(handoff) race RAW
    }
}

int main(int, char **argv) {
    auto is = [&](const char *k) { return !strcmp(argv[1], k); };
    int *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
    float *f = reinterpret_cast<float *>(in), *g = reinterpret_cast<float *>(out);
    unsigned short *h = reinterpret_cast<unsigned short *>(out);
    if (is("aliased")) aliased<false><<<1, 128>>>(f, h);
    if (is("aliased_fixed")) aliased<true><<<1, 128>>>(f, h);
    if (is("groups")) groups<false><<<6, 32>>>(in, out, 3);
    if (is("groups_fixed")) groups<true><<<6, 32>>>(in, out, 3);
    if (is("pair")) pair<false><<<2, 64>>>(out);
    if (is("pair_fixed")) pair<true><<<2, 64>>>(out);
    if (is("halves")) halves<false><<<2, 32>>>(in, out);
    if (is("halves_fixed")) halves<true><<<2, 32>>>(in, out);
    if (is("handoff")) handoff<ELECTED><<<1, 64>>>(f, g);
    if (is("handoff_fixed")) handoff<ALL><<<1, 64>>>(f, g);
    if (is("handoff_warp_fixed")) handoff<WARP><<<1, 64>>>(f, g);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
