// A tile's type has its parent's; a parameter without one takes tiles of all parents, and knows their place.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__device__ int erased(cg::thread_block_tile<4> tile) { return 100 * tile.meta_group_rank() + tile.meta_group_size(); }
template <class P> __device__ int typed(const cg::thread_block_tile<4, P> &tile) { return 100 * tile.meta_group_rank() + tile.meta_group_size(); }
__device__ int which(const cg::thread_block_tile<4, cg::thread_block> &) { return 1; }
__device__ int which(const cg::thread_block_tile<4> &) { return 2; }

__global__ void places(int *wrong) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto inWarp = cg::tiled_partition<4>(warp);
    auto inBlock = cg::tiled_partition<4>(block);
    cg::thread_block_tile<4> kept = inWarp;
    int t = threadIdx.x, bad = 0;
    bad += erased(inWarp) != 100 * (t % 32 / 4) + 8;
    bad += erased(inBlock) != 100 * (t / 4) + 24;
    bad += erased(kept) != typed(inWarp);
    bad += typed(inBlock) != erased(inBlock);
    bad += which(inBlock) != 1 || which(inWarp) != 2 || which(kept) != 2;
    bad += kept.shfl(t, 0) != t / 4 * 4;
    atomicAdd(wrong, bad);
}

int main() {
    int *wrong;
    cudaMallocManaged(&wrong, sizeof(int));
    *wrong = 0;
    places<<<2, 96>>>(wrong);
    cudaDeviceSynchronize();
    printf("%d wrong: %s\n", *wrong, *wrong ? "FAIL" : "PASS");
    return *wrong != 0;
}
