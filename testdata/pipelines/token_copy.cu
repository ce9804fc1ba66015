// Bulk copies with cuda::barrier: all threads arrive, one with the bytes that it expects, and each
// waits for its token; what the block has made goes to another block of the cluster by a bulk copy.
// flags: --arch sm_90
#include "pipeline.h"
#include <utility>

constexpr int PART = 128;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void __cluster_dims__(2, 1, 1) swap(const int *in, int *out) {
    __shared__ alignas(16) int mine[PART];
    __shared__ alignas(16) int theirs[PART];
    __shared__ Barrier loaded;
    __shared__ uint64_t came;
    cg::cluster_group cluster = cg::this_cluster();
    int rank = cluster.block_rank(), t = threadIdx.x;
    if (t == 0) {
        init(&loaded, PART);
        ptx::mbarrier_init(&came, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    ptx::barrier_cluster_arrive(ptx::sem_relaxed);
    ptx::barrier_cluster_wait();
    Barrier::arrival_token token;
    if (t == 0) {
        mbarrier_arrive_expect_tx(&came, sizeof theirs);
        cuda::device::memcpy_async_tx(mine, in + rank * PART, cuda::aligned_size_t<16>(sizeof mine), loaded);
        token = cuda::device::barrier_arrive_tx(loaded, 1, sizeof mine);
    } else {
        token = loaded.arrive();
    }
    loaded.wait(std::move(token));
    mine[t] = 2 * mine[t] + t;
    ptx::fence_proxy_async(ptx::space_shared);
    cluster.sync();
    if (t == 0)
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, ptx::mapa(ptx::space_cluster, theirs, rank ^ 1), mine, sizeof mine,
                           ptx::mapa(ptx::space_cluster, &came, rank ^ 1));
    mbarrier_wait_cluster(&came, 0);
    out[rank * PART + t] = theirs[PART - 1 - t];
    cluster.sync();
}

int main() {
    Buffer<int> in(2 * PART), out(2 * PART);
    for (int i = 0; i < 2 * PART; i++) in.host[i] = i % 37;
    in.to_device();
    swap<<<2, PART>>>(in.device, out.device);
    CHECK(cudaDeviceSynchronize());
    out.to_host();
    int wrong = 0;
    for (int i = 0; i < 2 * PART; i++) {
        int from = (1 - i / PART) * PART + PART - 1 - i % PART;
        wrong += out.host[i] != 2 * in.host[from] + from % PART;
    }
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
