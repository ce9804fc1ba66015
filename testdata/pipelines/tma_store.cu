// A matrix is transposed by tiles in the swizzle of 128 bytes: loaded by TMA, changed in shared
// memory, stored by TMA; its row sums are added up by bulk reductions.
// flags: --arch sm_90a
#include "pipeline.h"

constexpr int SIZE = 64, TILE = 32, THREADS = 128;

// The place of a word in a tile: TMA exchanges pieces of 16 bytes by row.
__device__ int place(int row, int column) { return row * TILE + ((column / 4 ^ row % 8) * 4 | column % 4); }

__global__ void transpose(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to, int *sums) {
    __shared__ alignas(1024) int in[TILE * TILE];
    __shared__ alignas(1024) int out[TILE * TILE];
    __shared__ alignas(16) int sum[TILE];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    int phase = 0;
    for (int x = 0; x < SIZE; x += TILE) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect_tx(&bar, sizeof in);
            tma_load(in, &from, x, blockIdx.x * TILE, &bar);
        }
        mbarrier_wait(&bar, phase);
        phase ^= 1;
        for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) out[place(i % TILE, i / TILE)] = in[place(i / TILE, i % TILE)];
        if (threadIdx.x < TILE) {
            int all = 0;
            for (int i = 0; i < TILE; i++) all += in[place(threadIdx.x, (i + threadIdx.x) % TILE)];
            sum[threadIdx.x] = all;
        }
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            tma_store(&to, blockIdx.x * TILE, x, out);
            ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, sums + blockIdx.x * TILE, sum, sizeof sum);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

int main() {
    Buffer<int> in(SIZE * SIZE), out(SIZE * SIZE), sums(SIZE);
    for (int i = 0; i < SIZE * SIZE; i++) in.host[i] = i * 7 % 1001;
    in.to_device();
    sums.to_device();
    auto from = map_of(in.device, SIZE, SIZE, TILE, TILE, CU_TENSOR_MAP_SWIZZLE_128B), to = map_of(out.device, SIZE, SIZE, TILE, TILE, CU_TENSOR_MAP_SWIZZLE_128B);
    transpose<<<SIZE / TILE, THREADS>>>(from, to, sums.device);
    CHECK(cudaDeviceSynchronize());
    out.to_host();
    sums.to_host();
    int wrong = 0;
    for (int y = 0; y < SIZE; y++) {
        int sum = 0;
        for (int x = 0; x < SIZE; x++) {
            wrong += out.host[x * SIZE + y] != in.host[y * SIZE + x];
            sum += in.host[y * SIZE + x];
        }
        wrong += sums.host[y] != sum;
    }
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
