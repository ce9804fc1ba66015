// Atomics of system scope on managed memory.
#include <cstdio>
#include <thread>
#include <vector>
#include <atomic>
__global__ void k(int *a) {
  for (int i = 0; i < 10; i++) {
    atomicAdd_system(&a[0], 10);
    atomicMax_system(&a[1], (int)threadIdx.x);
    atomicCAS_system(&a[2], 5, 6);
  }
}
int main() {
  int *m;
  cudaMallocManaged(&m, 16);
  m[0] = 0;
  m[1] = -1;
  m[2] = 5;
  k<<<2, 32>>>(m);
  cudaDeviceSynchronize();
  __sync_fetch_and_add(&m[0], 1);
  printf(m[0] == 6401 && m[1] == 31 && m[2] == 6 ? "PASS\n" : "FAIL\n");
  cudaFree(m);
}
