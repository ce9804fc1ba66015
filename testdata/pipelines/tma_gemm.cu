// C = A*B^T by one warpgroup: one thread loads tiles by TMA, STAGES ahead; wgmma multiplies.
// flags: --arch sm_90a
#include "pipeline.h"

constexpr int M = 128, N = 16, K = 256, BM = 64, BN = 8, BK = 64, STAGES = 2;

struct Stage {
    half a[BM * BK], b[BN * BK];
};

__global__ void gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c) {
    __shared__ alignas(1024) Stage stages[STAGES];
    __shared__ uint64_t full[STAGES];
    int top = blockIdx.y * BM, left = blockIdx.x * BN;
    auto load = [&](int k) {
        Stage &s = stages[k / BK % STAGES];
        uint64_t *bar = &full[k / BK % STAGES];
        mbarrier_arrive_expect_tx(bar, sizeof(Stage));
        tma_load(s.a, &a, k, top, bar);
        tma_load(s.b, &b, k, left, bar);
    };
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) ptx::mbarrier_init(&full[i], 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 0; k < STAGES * BK; k += BK) load(k);
    float d[4] = {};
    int phase = 0;
    for (int k = 0; k < K; k += BK) {
        int at = k / BK % STAGES;
        Stage &s = stages[at];
        mbarrier_wait(&full[at], phase);
        warpgroup_arrive();
        for (int i = 0; i < BK; i += 16) multiply(d, matrix(s.a, 2 * i), matrix(s.b, 2 * i));
        warpgroup_commit_batch();
        warpgroup_wait<0>();
        __syncthreads();
        if (threadIdx.x == 0 && k + STAGES * BK < K) load(k + STAGES * BK);
        if (at == STAGES - 1) phase ^= 1;
    }
    put(c + top * N + left, N, d);
}

int main() {
    Product p(M, N, K);
    auto a = map_of(p.a.device, K, M, BK, BM, CU_TENSOR_MAP_SWIZZLE_128B), b = map_of(p.b.device, K, N, BK, BN, CU_TENSOR_MAP_SWIZZLE_128B);
    gemm<<<dim3(N / BN, M / BM), 128>>>(a, b, p.c.device);
    CHECK(cudaDeviceSynchronize());
    return p.check();
}
