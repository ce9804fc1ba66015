// flags: --arch sm_80
// Tiles of several warps: barriers, exchange and reduction.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
namespace cg = cooperative_groups;

template <int N> __global__ void sums(const int *in, int *out, int *next, int *flags) {
  __shared__ cg::block_tile_memory<256> memory;
  __shared__ int values[256];
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<N>(block);
  int t = block.thread_rank(), rank = tile.thread_rank();
  values[t] = in[t];
  tile.sync();
  next[t] = values[t - rank + (rank + 1) % N];
  int sum = cg::reduce(tile, in[t], cg::plus<int>());
  double most = cg::reduce(tile, (double)in[t], cg::greater<double>());
  flags[t] = tile.any(rank == N - 1) + 2 * tile.all(rank < N - 1) + 4 * tile.shfl(in[t], 3);
  if (rank == 0) out[tile.meta_group_rank()] = sum + (int)most * 100000 + (int)tile.meta_group_size() * 10000000;
}

template <int N> bool check(int *in, int *out, int *next, int *flags) {
  sums<N><<<1, 256>>>(in, out, next, flags);
  if (cudaDeviceSynchronize()) return false;
  for (int g = 0; g < 256 / N; g++) {
    int sum = 0;
    for (int i = 0; i < N; i++) {
      sum += in[g * N + i];
      if (next[g * N + i] != in[g * N + (i + 1) % N] || flags[g * N + i] != 1 + 4 * in[g * N + 3]) return false;
    }
    if (out[g] != sum + in[g * N + N - 1] * 100000 + 256 / N * 10000000) return false;
  }
  return true;
}

int main() {
  int *in, *out, *next, *flags;
  cudaMallocManaged(&in, 1024);
  cudaMallocManaged(&out, 1024);
  cudaMallocManaged(&next, 1024);
  cudaMallocManaged(&flags, 1024);
  for (int i = 0; i < 256; i++) in[i] = i / 4;
  bool good = check<64>(in, out, next, flags) && check<128>(in, out, next, flags) && check<256>(in, out, next, flags);
  printf(good ? "PASS\n" : "FAIL\n");
  cudaFree(in), cudaFree(out), cudaFree(next), cudaFree(flags);
}
