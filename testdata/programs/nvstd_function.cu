// nvstd::function.
#include <nvfunctional>
#include <cstdio>
__device__ int apply(nvstd::function<int(int)> f, int v) { return f(v); }
__global__ void k(int *o) {
  int q = threadIdx.x;
  nvstd::function<int(int)> f = [=](int x) { return x * q; };
  o[threadIdx.x] = apply(f, 10);
  f = nullptr;
  if (!f) o[threadIdx.x]++;
}
int main() {
  int *d, h[4];
  cudaMalloc(&d, 16);
  k<<<1, 4>>>(d);
  cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf(h[3] == 31 ? "PASS\n" : "FAIL\n");
}
