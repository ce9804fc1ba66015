#include <cstdio>
#include <cstdlib>
#include <vector>

#include "state.h"

extern __device__ unsigned long long pairs;
__global__ void step(const float4 *from, float4 *to, float4 *speed, int n, float dt);

static void check(cudaError_t e, const char *what) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
  exit(1);
}

unsigned long long simulate(float *bodies, int n, int steps, float dt) {
  float4 *a, *b, *speed;
  size_t bytes = n * sizeof(float4);
  check(cudaMalloc(&a, bytes), "cudaMalloc");
  check(cudaMalloc(&b, bytes), "cudaMalloc");
  check(cudaMalloc(&speed, bytes), "cudaMalloc");
  check(cudaMemset(speed, 0, bytes), "cudaMemset");
  check(cudaMemcpy(a, bodies, bytes, cudaMemcpyHostToDevice), "copy in");
  unsigned long long zero = 0, seen = 0;
  check(cudaMemcpyToSymbol(pairs, &zero, sizeof zero), "pairs");
  const int block = 32;
  for (int i = 0; i < steps; i++) {
    step<<<(n + block - 1) / block, block, block * sizeof(float4)>>>(a, b, speed, n, dt);
    check(cudaGetLastError(), "step");
    float4 *swap = a;
    a = b;
    b = swap;
  }
  check(cudaMemcpy(bodies, a, bytes, cudaMemcpyDeviceToHost), "copy out");
  check(cudaMemcpyFromSymbol(&seen, pairs, sizeof seen), "pairs");
  cudaFree(a);
  cudaFree(b);
  cudaFree(speed);
  return seen;
}
