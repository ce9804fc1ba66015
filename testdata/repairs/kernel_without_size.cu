// fix: fixed
// has: +  iota<<<(n + 127) / 128, 128>>>(d, bytes / sizeof(*d));
#include <cstdio>
// guard missing: bytes is bytes
__global__ void iota(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
}
int main() {
  int n = 500, bytes = n * 4;
  int *d; static int h[500];
  cudaMalloc(&d, bytes);
  iota<<<(n + 127) / 128, 128>>>(d);
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
  printf("%d\n", h[n - 1]);
}
