// Cooperative groups in all shapes: grid sync, tiles, coalesced groups, labeled/binary partition, reduce,
// scan, memcpy_async, multi-tile.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <vector>
using namespace cooperative_groups;
namespace cg = cooperative_groups;
__device__ int atomicAggInc(int *ctr) {
  auto g = coalesced_threads();
  int warp_res;
  if (g.thread_rank() == 0) warp_res = atomicAdd(ctr, g.size());
  return g.shfl(warp_res, 0) + g.thread_rank();
}
__global__ void filter(int *dst, int *n, const int *src, int len) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < len && src[i] > 0) dst[atomicAggInc(n)] = src[i];
}
__device__ int sumReduce(thread_group g, int *temp, int val) {
  int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    temp[lane] = val;
    g.sync();
    if (lane < i) val += temp[lane + i];
    g.sync();
  }
  return val;
}
__global__ void groups(int *out) {
  __shared__ int temp[128];
  thread_block b = this_thread_block();
  int r = sumReduce(b, temp, b.thread_rank());
  if (b.thread_rank() == 0) out[0] = r;
  thread_block_tile<4> t4 = tiled_partition<4>(b);
  int v = t4.meta_group_rank();
  v = cg::reduce(t4, v, cg::plus<int>());
  int ex = cg::exclusive_scan(t4, 1, cg::plus<int>());
  auto t32 = tiled_partition<32>(b);
  auto t8 = tiled_partition<8>(t32);
  int mx = cg::reduce(t8, (int)t8.thread_rank(), cg::greater<int>());
  int inc = cg::inclusive_scan(t32, 2);
  bool odd = t32.any(b.thread_rank() == 77), all = t32.all(true);
  unsigned bal = t8.ballot(t8.thread_rank() & 1);
  auto bin = cg::binary_partition(t32, t32.thread_rank() < 10);
  auto lab = cg::labeled_partition(t32, (int)t32.thread_rank() / 16);
  int rank = b.thread_rank();
  out[1 + rank] = v * 1000000 + ex * 100000 + mx * 10000 + inc * 100 + odd * 50 + all + (bal == 0xaa) +
                  (int)bin.size() / 10 + (int)lab.size() / 16 * 2;
  thread_group tg = tiled_partition(b, 16);
  if (tg.size() != 16 || t4.meta_group_size() != 32 || b.group_dim().x != 128 || b.group_index().x != 0 ||
      b.dim_threads().x != 128 || b.num_threads() != 128)
    out[0] = -1;
  invoke_one(b, [&] { out[129] = 5; });
}
__global__ void gridsum(float *data, int n, float *out) {
  grid_group g = this_grid();
  for (int s = n / 2; s > 0; s >>= 1) {
    for (unsigned long long i = g.thread_rank(); i < s; i += g.size()) data[i] += data[i + s];
    g.sync();
  }
  if (g.thread_rank() == 0) {
    *out = data[0];
    if (!g.is_valid() || g.num_blocks() != gridDim.x) *out = -1;
  }
}
__global__ void stage(const int *in, int *out) {
  extern __shared__ int s[];
  auto b = this_thread_block();
  cg::memcpy_async(b, s, in + blockIdx.x * 256, sizeof(int) * 256);
  cg::wait(b);
  out[blockIdx.x * 256 + b.thread_rank()] = s[255 - b.thread_rank()];
}
int main() {
  int bad = 0, *d;
  cudaMalloc(&d, 130 * 4);
  groups<<<1, 128>>>(d);
  int h[130];
  if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)) bad++;
  if (h[0] != 127 * 64 || h[129] != 5) {
    printf("h0 %d\n", h[0]);
    bad++;
  }
  for (int i = 0; i < 128; i++) {
    int w = i / 4 * 4 * 1000000 + i % 4 * 100000 + 7 * 10000 + (i % 32 + 1) * 2 * 100 + (i / 32 == 2) * 50 +
            1 + 1 + (i % 32 < 10 ? 1 : 2) + 2;
    if (h[1 + i] != w) {
      if (bad++ < 3) printf("%d %d %d\n", i, h[1 + i], w);
    }
  }
  const int n = 4096;
  std::vector<int> s(n), o(n);
  int want = 0;
  for (int i = 0; i < n; i++) {
    s[i] = (i * 37) % 11 - 5;
    want += s[i] > 0;
  }
  int *ds, *dd, *dn;
  cudaMalloc(&ds, n * 4);
  cudaMalloc(&dd, n * 4);
  cudaMalloc(&dn, 4);
  cudaMemset(dn, 0, 4);
  cudaMemcpy(ds, s.data(), n * 4, cudaMemcpyHostToDevice);
  filter<<<n / 256, 256>>>(dd, dn, ds, n);
  int got;
  cudaMemcpy(&got, dn, 4, cudaMemcpyDeviceToHost);
  if (got != want) bad++;
  stage<<<n / 256, 256, 1024>>>(ds, dd);
  cudaMemcpy(o.data(), dd, n * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++)
    if (o[i] != s[i / 256 * 256 + 255 - i % 256]) {
      bad++;
      break;
    }
  int coop, sms, nb;
  cudaDeviceGetAttribute(&coop, cudaDevAttrCooperativeLaunch, 0);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, gridsum, 128, 0);
  if (!coop || nb < 1) bad++;
  float *df, *dout, hf;
  std::vector<float> f(n, 0.5f);
  cudaMalloc(&df, n * 4);
  cudaMalloc(&dout, 4);
  cudaMemcpy(df, f.data(), n * 4, cudaMemcpyHostToDevice);
  int len = n;
  void *args[] = {(void *)&df, (void *)&len, (void *)&dout};
  dim3 grid(sms < 4 ? sms : 4), block(128);
  if (cudaLaunchCooperativeKernel((void *)gridsum, grid, block, args, 0, 0)) bad++;
  cudaMemcpy(&hf, dout, 4, cudaMemcpyDeviceToHost);
  if (hf != n / 2) {
    printf("grid %g\n", hf);
    bad++;
  }
  for (void *p : {(void *)d, (void *)ds, (void *)dd, (void *)dn, (void *)df, (void *)dout}) cudaFree(p);
  printf(bad ? "FAIL\n" : "PASS\n");
  return bad;
}
