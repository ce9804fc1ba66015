// What nvcc accepts and programs use: dynamic shared memory as one structure, parameters
// without a name, and inline PTX in a template that nothing instantiates, with an operand
// number too many.
#include <cstdio>

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

template <int N>
__global__ void rotate(int *out) {
  extern __shared__ __align__(128) Tiles<N> tiles;
  int t = threadIdx.x;
  tiles.a[t] = t;
  tiles.b[t] = 2 * t;
  __syncthreads();
  Pair p;
  p.a = unnamed(p, tiles.a[(t + 1) % N], Nothing{});
  out[t] = p.a + tiles.b[(t + 2) % N] + late<0>((unsigned)__cvta_generic_to_shared(&tiles.a[t]));
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
