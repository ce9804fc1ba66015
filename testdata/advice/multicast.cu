// A pair of blocks: the first one copies each tile into both, and does not wait until the other one has used the tile before.
// flags: --arch sm_90a
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
constexpr int T = 64;
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
template <bool whole> __global__ void __cluster_dims__(2, 1, 1) tiles(const int *in, int *out, int n) {
    __shared__ alignas(128) int tile[T];
    __shared__ alignas(8) unsigned long long full;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster.sync();
    for (int i = 0; i < n; i++) {
        if (t == 0) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&full)), "r"(T * 4) : "memory");
        if (rank == 0 && t == 0)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(at(tile)),
                         "l"(in + i * T), "r"(T * 4), "r"(at(&full)), "h"((short)3)
                         : "memory");
        unsigned done = 0;
        while (!done)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(at(&full)), "r"(i & 1)
                         : "memory");
        out[(i * 2 + rank) * T + t] = tile[T - 1 - t]; // help: a barrier of the cluster (cluster.sync()) // not: wait for the mbarrier
        if (whole)
            cluster.sync();
        else
            __syncthreads();
    }
    cluster.sync();
}
int main() {
    int *a, *b;
    cudaMalloc(&a, 4 * T * 4);
    cudaMalloc(&b, 8 * T * 4);
    cudaMemset(a, 1, 4 * T * 4);
    tiles<true><<<2, T>>>(a, b, 4);
    cudaDeviceSynchronize();
    tiles<false><<<2, T>>>(a, b, 2);
    printf("%d\n", cudaDeviceSynchronize());
}
