// C = A*B^T by clusters of two blocks that share the rows of A: each loads half of a tile of A for
// both by multicast, after both have emptied the stage.
// flags: --arch sm_90a
#include "pipeline.h"

constexpr int M = 64, N = 16, K = 256, BM = 64, BN = 8, BK = 64, STAGES = 2, BLOCKS = 2, CONSUMERS = 128;

struct Stage {
    half a[BM * BK], b[BN * BK];
};
struct Shared {
    Stage stages[STAGES];
    uint64_t full[STAGES], empty[STAGES];
};

__device__ void produce(Shared &s, const CUtensorMap *a, const CUtensorMap *b, int left) {
    int rank = ptx::get_sreg_cluster_ctarank(), phase = 1;
    for (int k = 0; k < K; k += BK) {
        int at = k / BK % STAGES;
        Stage &stage = s.stages[at];
        mbarrier_wait_cluster(&s.empty[at], phase);
        mbarrier_arrive_expect_tx(&s.full[at], sizeof(Stage));
        tma_load_multicast(stage.a + rank * BM / BLOCKS * BK, a, k, rank * BM / BLOCKS, &s.full[at], 3);
        tma_load(stage.b, b, k, left, &s.full[at]);
        if (at == STAGES - 1) phase ^= 1;
    }
}

__device__ void consume(Shared &s, float *c) {
    float d[4] = {};
    int phase = 0;
    for (int k = 0; k < K; k += BK) {
        int at = k / BK % STAGES;
        Stage &stage = s.stages[at];
        mbarrier_wait(&s.full[at], phase);
        warpgroup_arrive();
        for (int i = 0; i < BK; i += 16) multiply(d, matrix(stage.a, 2 * i), matrix(stage.b, 2 * i));
        warpgroup_commit_batch();
        warpgroup_wait<0>();
        if (threadIdx.x % 32 < BLOCKS)
            ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, ptx::mapa(ptx::space_cluster, &s.empty[at], threadIdx.x % 32));
        if (at == STAGES - 1) phase ^= 1;
    }
    put(c, N, d);
}

__global__ void __cluster_dims__(BLOCKS, 1, 1) gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c) {
    __shared__ alignas(1024) Shared s;
    int left = blockIdx.x * BN;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            ptx::mbarrier_init(&s.full[i], 1);
            ptx::mbarrier_init(&s.empty[i], BLOCKS * CONSUMERS / 32);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cg::cluster_group cluster = cg::this_cluster();
    ptx::barrier_cluster_arrive(ptx::sem_relaxed);
    ptx::barrier_cluster_wait();
    if (threadIdx.x < CONSUMERS) consume(s, c + left);
    else if (threadIdx.x == CONSUMERS) produce(s, &a, &b, left);
    cluster.sync();
}

int main() {
    Product p(M, N, K);
    auto a = map_of(p.a.device, K, M, BK, BM / BLOCKS, CU_TENSOR_MAP_SWIZZLE_128B), b = map_of(p.b.device, K, N, BK, BN, CU_TENSOR_MAP_SWIZZLE_128B);
    gemm<<<N / BN, CONSUMERS + 32>>>(a, b, p.c.device);
    CHECK(cudaDeviceSynchronize());
    return p.check();
}
