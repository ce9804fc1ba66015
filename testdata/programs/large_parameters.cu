// 32,000 bytes of parameters.
#include <cstdio>
struct P {
  int v[8000];
};
__global__ void k(__grid_constant__ const P p, int *o) {
  int s = 0;
  for (int i = threadIdx.x; i < 8000; i += 32) s += p.v[i];
  atomicAdd(o, s);
}
int main() {
  static P p;
  for (int i = 0; i < 8000; i++) p.v[i] = i & 3;
  int *d, h;
  cudaMalloc(&d, 4);
  cudaMemset(d, 0, 4);
  k<<<1, 32>>>(p, d);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf(h == 12000 ? "PASS\n" : "FAIL %d\n", h);
}
