// What nvcc accepts and programs use: dynamic shared memory as one structure, parameters
// without a name, member templates that are not called so, pairs of floats, headers of other
// endings, and inline PTX in a template that nothing instantiates, with an operand number too
// many.
#include <cstdio>

#include <cuda_bf16.hpp>
#include <cuda_fp4.hpp>
#include <cuda_fp6.hpp>
#include <cuda_fp8.hpp>

template <int N>
struct Tiles {
  alignas(128) int a[N];
  int b[N];
};

template <int N>
__device__ int late(unsigned address) {
  int r;
  if constexpr (N == 0) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(address));
  else asm volatile("ld.shared.u32 %0, [%1], %2;" : "=r"(r) : "r"(address) : "memory");
  return r;
}

struct Nothing {};
struct Pair {
  int a, b;
};

template <class T>
__device__ __noinline__ int unnamed(T, int x, Nothing) {
  return x + (int)sizeof(T);
}

struct Plus {
  template <int N>
  __device__ int add(int x) const { return x + N; }
};

template <class T, int N>
__device__ int member(T plus, int x) {
  return plus.add<N>(x);
}

struct Empty2 {
  Nothing n, m;
};

__device__ __noinline__ int pairs(float a, float b) {
  auto [n, m] = Empty2{};
  float2 x = __ffma2_rn(make_float2(a, b), __fadd2_rz(make_float2(a, 1), make_float2(0, 1)), __fmul2_ru(make_float2(a, b), make_float2(0, 0)));
  return unnamed(1.f, (int)x.x - 4 + (int)x.y, n) - (int)sizeof m - 3; // a*a - 4 + 2*b
}

template <int N>
__global__ void rotate(int *out) {
  extern __shared__ __align__(128) Tiles<N> tiles;
  int t = threadIdx.x;
  tiles.a[t] = t;
  tiles.b[t] = 2 * t;
  __syncthreads();
  Pair p;
  p.a = unnamed(p, tiles.a[(t + 1) % N], Nothing{});
  out[t] = p.a + tiles.b[(t + 2) % N] + pairs(2, t) - 2 * t + member<Plus, 0>({}, 0) + late<0>((unsigned)__cvta_generic_to_shared(&tiles.a[t]));
}

int main() {
  int *d, h[64], bad = 0;
  cudaMalloc(&d, sizeof h);
  rotate<64><<<1, 64, sizeof(Tiles<64>)>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++) bad += h[i] != (i + 1) % 64 + 8 + (i + 2) % 64 * 2 + i;
  cudaFree(d);
  printf(bad ? "FAIL\n" : "PASS\n");
  return bad != 0;
}
