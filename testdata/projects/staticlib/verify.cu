// Uses nothing of the library but its device function.
#include <cstdio>

#include "vec.h"

__global__ void sums(float *out) {
  float s = warpSum(static_cast<float>(threadIdx.x));
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = s;
}

int main() {
  float *out, host[2] = {};
  cudaMalloc(&out, sizeof host);
  sums<<<1, 64>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  bool ok = host[0] == 496 && host[1] == 1520;
  printf("verify: %g %g: %s\n", host[0], host[1], ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
