// A line of data goes through shared memory in pieces: bulk copies in, two ahead, and out by bulk
// groups, whose source is used again once they have read it.
// flags: --arch sm_90
#include "pipeline.h"

constexpr int PIECE = 128, PIECES = 6, SLOTS = 2;

__global__ void scale(const int *in, int *out) {
    __shared__ alignas(128) int from[SLOTS][PIECE];
    __shared__ alignas(128) int to[SLOTS][PIECE];
    __shared__ uint64_t full[SLOTS];
    in += blockIdx.x * PIECE * PIECES;
    out += blockIdx.x * PIECE * PIECES;
    auto load = [&](int i) {
        mbarrier_arrive_expect_tx(&full[i % SLOTS], sizeof from[0]);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, from[i % SLOTS], in + i * PIECE, sizeof from[0], &full[i % SLOTS]);
    };
    if (threadIdx.x == 0) {
        for (int i = 0; i < SLOTS; i++) ptx::mbarrier_init(&full[i], 1);
        ptx::fence_proxy_async(ptx::space_shared);
        for (int i = 0; i < SLOTS; i++) load(i);
    }
    __syncthreads();
    int phase = 0;
    for (int i = 0; i < PIECES; i++) {
        int slot = i % SLOTS;
        mbarrier_wait(&full[slot], phase);
        if (slot == SLOTS - 1) phase ^= 1;
        to[slot][threadIdx.x] = 3 * from[slot][threadIdx.x] + 1;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + i * PIECE, to[slot], sizeof to[0]);
            ptx::cp_async_bulk_commit_group();
            if (i + SLOTS < PIECES) load(i + SLOTS);
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<SLOTS - 1>());
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

int main() {
    constexpr int N = 2 * PIECE * PIECES;
    Buffer<int> in(N), out(N);
    for (int i = 0; i < N; i++) in.host[i] = i ^ 5;
    in.to_device();
    scale<<<2, PIECE>>>(in.device, out.device);
    CHECK(cudaDeviceSynchronize());
    out.to_host();
    int wrong = 0;
    for (int i = 0; i < N; i++) wrong += out.host[i] != 3 * (i ^ 5) + 1;
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
