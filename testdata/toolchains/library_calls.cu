// Wrong calls of Thrust and CUB: what is found lies in their code, and is shown at the user's call.
#include <cub/block/block_reduce.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include <cstdio>

__global__ void firstHalf(int *p, int n) {
  if (threadIdx.x < n / 2) p[threadIdx.x] = 1;
}

__global__ void sum(int *p, int n) {
  using Reduce = cub::BlockReduce<int, 64>;
  __shared__ typename Reduce::TempStorage memory;
  int all = Reduce(memory).Sum(p[threadIdx.x]);
  all += Reduce(memory).Sum(p[threadIdx.x]); // no barrier: the memory is used again
  if (threadIdx.x == 0) p[0] = all;
}

int main() {
  int *p;
  cudaMalloc(&p, 256 * sizeof(int));
  firstHalf<<<1, 256>>>(p, 256);
  int total = thrust::reduce(thrust::device, p, p + 256); // the second half was never written
  sum<<<1, 64>>>(p, 64);
  cudaDeviceSynchronize();
  printf("%d\n", total);
  cudaFree(p);
}
