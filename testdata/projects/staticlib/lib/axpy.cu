#include "vec.h"

static __global__ void kernel(float s, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += s * x[i];
}

void axpy(float s, const float *x, float *y, int n) { kernel<<<(n + 63) / 64, 64>>>(s, x, y, n); }
