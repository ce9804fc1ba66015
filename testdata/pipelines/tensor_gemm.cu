// C = A*B^T in tensor memory: a thread loads tiles by TMA, STAGES ahead, another one multiplies by tcgen05.mma, whose
// commits free the stages, and four warps read the result.
// flags: --arch sm_100a
#include "pipeline.h"

constexpr int M = 128, N = 32, K = 256, BN = 16, BK = 64, STAGES = 2, READERS = 128;

struct Stage {
    half a[M * BK], b[BN * BK];
};
struct Shared {
    Stage stages[STAGES];
    uint64_t full[STAGES], empty[STAGES], done;
    uint32_t result;
};

__device__ void produce(Shared &s, const CUtensorMap *a, const CUtensorMap *b, int left) {
    int phase = 1;
    for (int k = 0; k < K; k += BK) {
        int at = k / BK % STAGES;
        mbarrier_wait(&s.empty[at], phase);
        mbarrier_arrive_expect_tx(&s.full[at], sizeof(Stage));
        tma_load(s.stages[at].a, a, k, 0, &s.full[at]);
        tma_load(s.stages[at].b, b, k, left, &s.full[at]);
        if (at == STAGES - 1) phase ^= 1;
    }
}

__device__ void multiply_all(Shared &s) {
    int phase = 0;
    for (int k = 0; k < K; k += BK) {
        int at = k / BK % STAGES;
        Stage &stage = s.stages[at];
        mbarrier_wait(&s.full[at], phase);
        for (int i = 0; i < BK; i += 16) tcgen05_multiply(s.result, tensor_matrix(stage.a, 2 * i), tensor_matrix(stage.b, 2 * i), k + i > 0);
        tcgen05_commit(&s.empty[at]);
        if (at == STAGES - 1) phase ^= 1;
    }
    tcgen05_commit(&s.done);
}

__device__ void read(Shared &s, float *c) {
    float d[BN];
    mbarrier_wait_relaxed(&s.done, 0);
    tcgen05_fence_after_thread_sync();
    tcgen05_load(d, s.result + (threadIdx.x / 32 << 21));
    tcgen05_wait_ld();
    for (int i = 0; i < BN; i++) c[threadIdx.x * N + i] = d[i];
    tcgen05_fence_before_thread_sync();
}

__global__ void gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c) {
    __shared__ alignas(1024) Shared s;
    int left = blockIdx.x * BN;
    if (threadIdx.x == READERS) {
        for (int i = 0; i < STAGES; i++) {
            ptx::mbarrier_init(&s.full[i], 1);
            ptx::mbarrier_init(&s.empty[i], 1);
        }
        ptx::mbarrier_init(&s.done, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    if (threadIdx.x < 32) tcgen05_alloc(&s.result);
    tcgen05_fence_before_thread_sync();
    __syncthreads();
    tcgen05_fence_after_thread_sync();
    if (threadIdx.x < READERS) read(s, c + left);
    else if (threadIdx.x == READERS) produce(s, &a, &b, left);
    else if (threadIdx.x == READERS + 32) multiply_all(s);
    __syncthreads();
    tcgen05_fence_after_thread_sync();
    if (threadIdx.x < 32) tcgen05_dealloc(s.result);
}

int main() {
    Product p(M, N, K);
    auto a = map_of(p.a.device, K, M, BK, M, CU_TENSOR_MAP_SWIZZLE_128B), b = map_of(p.b.device, K, N, BK, BN, CU_TENSOR_MAP_SWIZZLE_128B);
    gemm<<<N / BN, READERS + 64>>>(a, b, p.c.device);
    CHECK(cudaDeviceSynchronize());
    return p.check();
}
