// Blocks that race for what they read and write: on a GPU the results are a
// matter of luck. Here each run must give the same ones, with any number of
// workers.
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned work(unsigned x) {
  for (int i = 0; i < 300; i++) x = x * 1664525u + 1013904223u;
  return x;
}

// A sequence that each block continues: no two orders of blocks give one result.
__global__ void chain(unsigned *last) {
  unsigned x = work(blockIdx.x);
  if (threadIdx.x == 0)
    *last = *last * 31 + (x & 255);
}

// A smoothing step in place, which reads what other blocks write.
__global__ void smooth(unsigned *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = work(i) & 1;
  if (i > 0 && i < n - 1)
    a[i] = (a[i - 1] + 2 * a[i] + a[i + 1]) / 4 + x;
}

// Roots of trees, while others shorten the paths: how far a thread goes depends on
// what the others have done.
__global__ void jump(int *parent, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  int p = parent[v];
  while (p != parent[p]) {
    parent[v] = parent[p];
    p = parent[v];
  }
}

// A table without locks: who comes first has the place.
__global__ void insert(unsigned *table, unsigned size) {
  unsigned key = work(blockIdx.x * blockDim.x + threadIdx.x) | 1;
  unsigned at = key % size;
  while (table[at] != key)
    if (table[at] == 0) table[at] = key;
    else at = (at + 1) % size;
}

int main() {
  const int n = 1 << 16;
  unsigned *last, *a, sum = 0, *host = new unsigned[n];
  cudaMalloc(&last, sizeof *last);
  cudaMemset(last, 0, sizeof *last);
  chain<<<4096, 32>>>(last);
  cudaMemcpy(&sum, last, sizeof sum, cudaMemcpyDeviceToHost);
  printf("chain %08x\n", sum);

  for (int i = 0; i < n; i++) host[i] = i * 2654435761u >> 8;
  cudaMalloc(&a, n * sizeof *a);
  cudaMemcpy(a, host, n * sizeof *a, cudaMemcpyHostToDevice);
  smooth<<<n / 256, 256>>>(a, n);
  cudaMemcpy(host, a, n * sizeof *a, cudaMemcpyDeviceToHost);
  sum = 0;
  for (int i = 0; i < n; i++) sum = sum * 31 + host[i];
  printf("smooth %08x\n", sum);

  for (int i = 0; i < n; i++) host[i] = i == 0 ? 0 : i - 1 - i % 7 * (i > 7);
  cudaMemcpy(a, host, n * sizeof *a, cudaMemcpyHostToDevice);
  jump<<<n / 256, 256>>>(reinterpret_cast<int *>(a), n);
  cudaMemset(a, 0, n * sizeof *a);
  insert<<<64, 256>>>(a, n);
  cudaMemcpy(host, a, n * sizeof *a, cudaMemcpyDeviceToHost);
  sum = 0;
  for (int i = 0; i < n; i++) sum = sum * 31 + host[i];
  printf("insert %08x\n", sum);
  cudaFree(last);
  cudaFree(a);
  delete[] host;
}
