#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__device__ int total(cg::thread_group g, int *x, int v) {
  int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    x[lane] = v;
    g.sync();
    if (lane < i) v += x[lane + i];
    g.sync();
  }
  return v;
}

__global__ void groups(int *out, float *f) {
  extern __shared__ int x[];
  auto block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<4>(warp);
  int v = total(block, x, block.thread_rank());
  v += total(cg::tiled_partition(block, 16), x, v);
  for (int d = warp.size() / 2; d > 0; d /= 2) v += warp.shfl_down(v, d);
  v += tile.shfl(v, 0) + tile.any(v > 3) + cg::reduce(warp, v, cg::plus<int>());
  float s = cg::inclusive_scan(tile, f[block.thread_rank()]);
  cg::coalesced_group active = cg::coalesced_threads();
  if (active.thread_rank() == 0) atomicAdd(out, (int)active.size());
  v += cg::reduce(active, v, cg::greater<int>());
  cg::sync(block);
  cg::grid_group grid = cg::this_grid();
  grid.sync();
  out[grid.thread_rank()] = v + (int)s + block.group_index().x;
}

int main() {
  groups<<<1, 32, 128>>>(nullptr, nullptr);
  return 0;
}
