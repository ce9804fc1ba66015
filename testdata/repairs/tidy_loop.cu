#include <cstdio>
#include <cstdlib>
__global__ void k(int *d, int n) {
  __shared__ int s[128];
  int t = threadIdx.x, v = 0;
  for (int b = 0; b <= n; b += 128) {
    s[t] = b + t;
    __syncthreads();
    v += s[127 - t];
    __syncthreads();
  }
  d[t] = v;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  int *d; cudaMalloc(&d, 512); cudaMemset(d, 0, 512);
  k<<<1, 128>>>(d, n);
  int h[128]; cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  long sum = 0; for (int v : h) sum = sum * 31 + v;
  printf("%ld\n", sum);
}
