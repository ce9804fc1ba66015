// fix: unproved
// not: +
#include <cstdio>
#include <cstdlib>
__global__ void k(const int *d, int *o, int n) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = d[t];
  o[t] = s[127 - t] + 1; // one too many
}
int main() {
  int h[128], *d, *o, r[128];
  for (int i = 0; i < 128; i++) h[i] = i;
  cudaMalloc(&d, sizeof h); cudaMalloc(&o, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  k<<<1, 128>>>(d, o, 128);
  cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < 128; i++) bad += r[i] != h[127 - i];
  printf(bad ? "%d wrong\n" : "ok %d\n", bad);
}
