// Relocatable device code of two files, linked by NVIDIA's nvlink.
#include <cstdio>

extern __device__ int twice(int x);
extern __device__ int base;

__global__ void fill(int *out) { out[threadIdx.x] = base + twice(threadIdx.x); }

int main() {
  int h[64], *d;
  cudaMalloc(&d, sizeof h);
  fill<<<1, 64>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  bool ok = true;
  for (int i = 0; i < 64; i++) ok &= h[i] == 5 + 2 * i;
  printf("rdc: %s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
