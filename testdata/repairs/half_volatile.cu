// fix: fixed
// has: +    __threadfence_block();
// has: +    *(volatile int *)&ready = 1;
// not: &data
#include <cstdio>
#include <cstdlib>
__global__ void k(const int *d, int *o, int n) {
  __shared__ int data, ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    data = n;
    ready = 1;
  }
  if (threadIdx.x < 32) {
    while (*(volatile int *)&ready == 0) {}
    o[threadIdx.x] = data;
  }
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
