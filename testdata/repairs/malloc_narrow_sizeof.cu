// fix: fixed
// has: +  cudaMallocManaged(&d, n * sizeof(double));
#include <cstdio>
#include <cstdlib>
__global__ void iota(double *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i;
}
int main() {
  int n = 500;
  double *d;
  cudaMallocManaged(&d, n * sizeof(float));
  iota<<<4, 128>>>(d, n);
  cudaDeviceSynchronize();
  printf("%g\n", d[n - 1]);
  cudaFree(d);
}
