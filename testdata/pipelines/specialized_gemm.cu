// C = A*B^T with warp specialization: a producer warp fills stages by TMA and waits until they are
// empty, a warpgroup multiplies and hands them back one product later.
// flags: --arch sm_90a
#include "pipeline.h"

constexpr int M = 64, N = 16, K = 384, BM = 64, BN = 8, BK = 64, STAGES = 3, CONSUMERS = 128;

struct Stage {
    half a[BM * BK], b[BN * BK];
};
struct Shared {
    Stage stages[STAGES];
    uint64_t full[STAGES], empty[STAGES];
};

__device__ void produce(Shared &s, const CUtensorMap *a, const CUtensorMap *b, int top, int left) {
    int at = 0, phase = 1;  // a wait for the phase before the first returns at once
    for (int k = 0; k < K; k += BK) {
        mbarrier_wait(&s.empty[at], phase);
        mbarrier_arrive_expect_tx(&s.full[at], sizeof(Stage));
        tma_load(s.stages[at].a, a, k, top, &s.full[at]);
        tma_load(s.stages[at].b, b, k, left, &s.full[at]);
        if (++at == STAGES) {
            at = 0;
            phase ^= 1;
        }
    }
}

__device__ void consume(Shared &s, float *c) {
    float d[4] = {};
    int at = 0, phase = 0, before = 0;
    for (int k = 0; k < K; k += BK) {
        mbarrier_wait(&s.full[at], phase);
        warpgroup_arrive();
        for (int i = 0; i < BK; i += 16) multiply(d, matrix(s.stages[at].a, 2 * i), matrix(s.stages[at].b, 2 * i));
        warpgroup_commit_batch();
        warpgroup_wait<1>();
        if (k > 0) ptx::mbarrier_arrive(&s.empty[before]);
        before = at;
        if (++at == STAGES) {
            at = 0;
            phase ^= 1;
        }
    }
    warpgroup_wait<0>();
    put(c, N, d);
}

__global__ void gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c) {
    __shared__ alignas(1024) Shared s;
    int top = blockIdx.y * BM, left = blockIdx.x * BN;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            ptx::mbarrier_init(&s.full[i], 1);
            ptx::mbarrier_init(&s.empty[i], CONSUMERS);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x < CONSUMERS) consume(s, c + top * N + left);
    else if (threadIdx.x == CONSUMERS) produce(s, &a, &b, top, left);
}

int main() {
    Product p(M, N, K);
    auto a = map_of(p.a.device, K, M, BK, BM, CU_TENSOR_MAP_SWIZZLE_128B), b = map_of(p.b.device, K, N, BK, BN, CU_TENSOR_MAP_SWIZZLE_128B);
    gemm<<<dim3(N / BN, M / BM), CONSUMERS + 32>>>(a, b, p.c.device);
    CHECK(cudaDeviceSynchronize());
    return p.check();
}
