// Instances of a template, macros, lambdas and inlined functions. 32 threads.
#include <cuda_runtime.h>

#include "instances.h"

#define LARGER(a, b) ((a) > (b) ? (a) : (b)) //= 64

struct Offset {
  int by;
  __device__ int operator()(int x) const { return x + by; } //= 32
  __host__ __device__ int never(int x) const { return x; }  //= 0
};

template <int N> __global__ void instances(int *out, float *outFloat) { //= 32
  int i = threadIdx.x;                                                  //= 32
  out[i] = clamped(i, 4, 17);                                           //= 32
  outFloat[i] = clamped(i + 0.5f, 4.5f, 17.5f);                         //= 32
  out[i] += twice(i) + twice(clamped(N, 0, 2)) + twice(1);              //= 32
  out[i] = LARGER(out[i], LARGER(i, 9));                                //= 32 32/0 22/10(1) 0/0
  auto odd = [](int x) { return x & 1 ? 1 : 0; };                       //= 32 16/16(1)
  out[i] += odd(i) + Offset{3}(i);                                      //= 32
  if constexpr (N > 3) // clang leaves it out
    out[i] = 0;
}

int main() {
  int *out;
  float *outFloat;
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMalloc(&outFloat, 32 * sizeof(float));
  instances<2><<<1, 32>>>(out, outFloat);
  return cudaDeviceSynchronize();
}
