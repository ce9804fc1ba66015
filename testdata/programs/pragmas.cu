// nvcc's pragmas, alignment, launch bounds, unions, builtins.
#include <cstdio>
#pragma nv_diag_suppress 177
#pragma diag_suppress declared_but_not_referenced
#pragma nv_diag_default 177
template <int N> struct __align__(16) V {
  float v[N];
};
#pragma hd_warning_disable
template <typename T> __host__ __device__ T id(T x) { return x; }
#pragma nv_exec_check_disable
__host__ __device__ inline int both(int x) {
#ifdef __CUDA_ARCH__
  return x + __CUDA_ARCH__ / 1000;
#else
  return x;
#endif
}
union U {
  float f;
  unsigned u;
  struct {
    unsigned short lo, hi;
  };
};
struct __builtin_align__(8) P {
  int a, b;
};
__device__ void trap_if(bool b) {
  if (b) {
    __trap();
  }
}
__global__ __launch_bounds__(64, 4) void k(float *__restrict__ p, const __grid_constant__ V<4> c, const P q) {
  __shared__ union {
    float f[64];
    int i[64];
  } s;
  __shared__ __align__(16) unsigned char raw[256];
  const int UN = 4;
  float acc = 0;
#pragma unroll UN
  for (int i = 0; i < 8; i++) acc += c.v[i & 3];
#pragma unroll(UN / 2)
  for (int i = 0; i < 8; i++) acc += i;
#pragma unroll 1
  for (int i = 0; i < 2; i++) acc += i;
#pragma nounroll
  for (int i = 0; i < 2; i++) acc += i;
  s.f[threadIdx.x] = acc;
  __syncthreads();
  float4 *r4 = reinterpret_cast<float4 *>(raw);
  if (threadIdx.x < 16) r4[threadIdx.x] = make_float4(1, 2, 3, 4);
  __syncthreads();
  U u;
  u.f = s.f[63 - threadIdx.x];
  p = (float *)__builtin_assume_aligned(p, 16);
  __builtin_assume(threadIdx.x < 64);
  trap_if(__builtin_expect(threadIdx.x > 100, 0));
  p[threadIdx.x] = __uint_as_float(u.u) + ((float *)raw)[threadIdx.x] + both(0) * 0 + id(q.a);
  if (threadIdx.x > 5000) __brkpt();
}
extern "C" __global__ void plain(int n, ...);
int main() {
  float *d, h[64];
  cudaMalloc(&d, 256);
  V<4> v = {{1, 2, 3, 4}};
  P q = {1, 2};
  k<<<1, 64>>>(d, v, q);
  cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < 64; i++)
    if (h[i] != 20 + 28 + 1 + 1 + i % 4 + 1 + 1) bad++;
  cudaFree(d);
  printf(bad ? "FAIL %g\n" : "PASS\n", h[0]);
}
