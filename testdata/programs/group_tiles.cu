// Tiles of groups whose kind is known when the program runs: of a block, of a tile, of a tile of a tile.
#include <cooperative_groups.h>
#include <cstdio>
using namespace cooperative_groups;
__device__ int sum(thread_group g, int *x, int v) {
  int r = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) { x[r] = v; g.sync(); if (r < i) v += x[r + i]; g.sync(); }
  return v;
}
__global__ void k(int *out) {
  __shared__ int s[64];
  auto b = this_thread_block();
  thread_group any = b;
  auto g1 = tiled_partition(any, 32);
  auto g2 = tiled_partition(g1, 16);
  auto g3 = tiled_partition(g2, 4);
  int at = threadIdx.x / g3.size() * g3.size();
  int v = sum(g3, s + at, threadIdx.x);
  if (g3.thread_rank() == 0) out[threadIdx.x / 4] = v;
}
int main() { int *o; cudaMallocManaged(&o, 64); k<<<1, 64>>>(o); cudaDeviceSynchronize(); int bad = 0; for (int i = 0; i < 16; i++) bad += o[i] != 16 * i + 6; puts(bad ? "FAIL" : "PASS"); cudaFree(o); return bad; }
