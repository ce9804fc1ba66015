#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include <vector_types.h>
#include <cuComplex.h>
#include "wrapped.h"
int main(void) {
  enum { N = 1000 };
  float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
  int bad = 0, i;
  struct cudaDeviceProp prop;
  cudaError_t err;
  float4 q = {1, 2, 3, 4};
  dim3 d = {1, 2, 3};
  int2 p;
  cuFloatComplex c = make_cuFloatComplex(1, 2);
  cudaStream_t s = 0;
  cudaEvent_t ev;
  p.x = 3;
  p.y = d.z;
  c = cuCmulf(c, c);
  if (cuCrealf(c) != -3 || cuCimagf(c) != 4) bad++;
  err = cudaGetDeviceProperties(&prop, 0);
  if (err != cudaSuccess) return 1;
  if ((err = cudaEventCreate(&ev)) || cudaEventRecord(ev, s) || cudaEventSynchronize(ev) ||
      cudaEventDestroy(ev))
    bad++;
  for (i = 0; i < N; i++) {
    x[i] = i;
    y[i] = 1;
  }
  if (dev_init(N) || dev_saxpy(q.y, x, y)) {
    printf("FAIL %s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  for (i = 0; i < N; i++)
    if (y[i] != 2 * i + 1) bad++;
  void *m;
  if (cudaMalloc(&m, 16) || cudaMemset(m, 0, 16) || cudaFree(m)) bad++;
  dev_close();
  free(x);
  free(y);
  printf("%s\n", bad ? "FAIL" : "PASS");
  return bad;
}
