// fix: fixed
// has: +  rev<<<1, n, n * sizeof(float)>>>(d, n);
#include <cstdio>
__global__ void rev(float *d, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  d[t] = s[n - 1 - t];
}
int main() {
  const int n = 128;
  float h[n], *d;
  for (int i = 0; i < n; i++) h[i] = i;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  rev<<<1, n, n>>>(d, n);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
}
