// fix: fixed
// has: +  b.arrive_and_wait();
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
__global__ void k(const int *d, int *o, int n) {
  __shared__ int s[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0) init(&b, 64);
  __syncthreads();
  s[threadIdx.x] = d[threadIdx.x];
  (void)b.arrive();
  int mine = d[threadIdx.x] * 2;
  o[threadIdx.x] = s[63 - threadIdx.x] + mine;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 128;
  int *d, *o; static int h[4096];
  for (int i = 0; i < 4096; i++) h[i] = i * 7 % 101;
  cudaMalloc(&d, sizeof h); cudaMalloc(&o, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice); cudaMemset(o, 0, sizeof h);
  k<<<1, 64>>>(d, o, n);
  cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
  long sum = 0; for (int v : h) sum = (sum * 31 + v) % 1000003;
  printf("%ld\n", sum);
}
