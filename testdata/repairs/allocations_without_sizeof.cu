// fix: fixed
// has: +  cudaMalloc((void **)&a, n * sizeof(double));
// has: +  cudaMalloc((void **)&b, n * sizeof(double));
// not: cudaMemcpy
#include <cstdio>
#include <vector>
__global__ void add(const double *a, double *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}
int main() {
  int n = 1000;
  std::vector<double> h(n, 1.5);
  double *a, *b;
  cudaMalloc((void **)&a, n);
  cudaMalloc((void **)&b, n);
  cudaMemcpy(a, h.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(a, b, n);
  cudaMemcpy(h.data(), b, n * sizeof(double), cudaMemcpyDeviceToHost);
  printf("%g\n", h[n - 1]);
}
