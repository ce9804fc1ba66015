// fix: fixed
// has: +  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
// not: cudaMemset(d
#include <cstdio>
__global__ void add(const int *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] + 1;
}
int main() {
  int n = 500;
  int *d, *e; static int h[500];
  for (int i = 0; i < n; i++) h[i] = i;
  cudaMalloc(&d, n * sizeof(int));
  cudaMalloc(&e, n * sizeof(int));
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
  add<<<(n + 127) / 128, 128>>>(d, e, n);
  cudaMemcpy(h, e, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[n - 1]);
}
