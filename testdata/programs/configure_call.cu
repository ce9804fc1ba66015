// The launch in three calls of CUDA before version 10.1.
#include <stdio.h>
#include <cuda_runtime.h>
__global__ void k(int *p, int v) { *p = v; }
int main() {
  int *d, h, v = 5;
  cudaMalloc((void **)&d, 4);
  cudaConfigureCall(dim3(1), dim3(1), 0, 0);
  cudaSetupArgument(d, 0);
  cudaSetupArgument(v, 8);
  cudaLaunch(k);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf(h == 5 ? "PASS\n" : "FAIL\n");
}
