// Launches in device code of kernels in namespaces, static ones, and templates of a lambda; named streams.
#include <cstdio>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define KERNEL __global__ void
namespace lib {
namespace {
__global__ void __launch_bounds__(128) rev(int *p) {
  __shared__ int s[64];
  extern __shared__ int dyn[];
  auto b = cg::this_thread_block();
  s[threadIdx.x] = p[threadIdx.x];
  dyn[threadIdx.x] = 1;
  b.sync();
  p[threadIdx.x] = s[63 - threadIdx.x] + dyn[threadIdx.x];
}
} // namespace
} // namespace lib
static __global__ void addOne(int *p, int n) {
  if (threadIdx.x < n) p[threadIdx.x] += 1;
}
template <class F> __global__ void each(F f, int n) {
  if (threadIdx.x < n) f(threadIdx.x);
}
struct Work {
  int *p;
  __device__ void go(int n) const {
    if (n > 0) {
      addOne<<<1, 64>>>(p, 64);
    }
  }
};
KERNEL parent(int *p) {
  if (threadIdx.x == 0) {
    lib::rev<<<1, 64, 64 * sizeof(int)>>>(p);
    Work w{p};
    for (int i = 0; i < 3; i++) w.go(i);
    addOne<<<1, 64, 0, cudaStreamTailLaunch>>>(p, 32);
  }
}
KERNEL lambda(int *p) {
  if (threadIdx.x == 0) each<<<1, 64, 0, cudaStreamFireAndForget>>>([=] __device__(int i) { p[i] *= 2; }, 10);
}
int main() {
  int h[64], *d, bad = 0;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&d, 256);
  cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);
  parent<<<1, 32>>>(d);
  if (cudaDeviceSynchronize()) bad++;
  cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++)
    if (h[i] != 63 - i + 1 + 2 + (i < 32)) {
      if (bad++ < 3) printf("%d %d\n", i, h[i]);
    }
  lambda<<<1, 32>>>(d);
  cudaDeviceSynchronize();
  int g[64];
  cudaMemcpy(g, d, 256, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++)
    if (g[i] != h[i] * (i < 10 ? 2 : 1)) bad++;
  addOne<<<1, 64>>>(d, 64);
  lib::rev<<<1, 64, 256>>>(d);
  each<<<1, 32>>>([=] __device__(int i) { d[i] = 0; }, 3);
  if (cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost)) bad++;
  if (h[2] != 0 || h[3] != g[60] + 2) bad++;
  cudaFree(d);
  printf(bad ? "FAIL %d\n" : "PASS\n", bad);
}
