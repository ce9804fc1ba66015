// exit: 0
// The runtime initializes the driver, be it only to count devices.
#include <cstdio>
#include <cuda.h>

__global__ void one(int *p) { *p = 1; }

int main() {
  CUdevice device;
  if (cuDeviceGet(&device, 0) != CUDA_ERROR_NOT_INITIALIZED) return 1;
  int devices;
  cudaGetDeviceCount(&devices);
  if (cuDeviceGet(&device, 0) != CUDA_SUCCESS) return 1;
  int *p;
  cudaMalloc(&p, sizeof *p);
  one<<<1, 1>>>(p);
  printf("PASS\n");
  return cudaFree(p);
}
