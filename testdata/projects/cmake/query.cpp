// Host code only: says what devices there are.
#include <cstdio>
#include <cuda_runtime.h>

int main() {
  int n = 0;
  if (cudaGetDeviceCount(&n) != cudaSuccess) return 1;
  for (int i = 0; i < n; i++) {
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, i) != cudaSuccess) return 1;
    std::printf("device %d: warps of %d threads, compute capability %d.%d\n", i, p.warpSize, p.major, p.minor);
  }
  return 0;
}
