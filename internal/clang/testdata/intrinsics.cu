// One kernel for each family of device functions; it must compile for device
// and host.
#include <assert.h>
#include <stdio.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include "cuda.h"
#include "cuda_runtime.h"
#include "device_launch_parameters.h"
#include "vector_types.h"
#include "math_functions.h"
#include "device_functions.h"
#include "sm_30_intrinsics.h"

#ifndef __CUDACC__
#error "no __CUDACC__"
#endif
#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__)
#error "samples test for these"
#endif

__global__ void barriers(int *out) {
  __syncthreads();
  out[0] = __syncthreads_count(out[1]) + __syncthreads_and(out[2]) + __syncthreads_or(out[3]);
  __syncwarp();
  __syncwarp(0xff);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
}

template <class T> __device__ void scopes(T *p, T v) {
  atomicAdd(p, v);
  atomicAdd_block(p, v);
  atomicAdd_system(p, v);
  atomicMin(p, v);
  atomicMax_block(p, v);
  atomicExch(p, v);
  atomicCAS(p, v, v);
  atomicCAS_system(p, v, v);
  atomicAnd(p, v);
  atomicOr_block(p, v);
  atomicXor(p, v);
}
__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d, long long *s) {
  scopes(i, 1);
  scopes(u, 1u);
  scopes(l, 1ull);
  atomicSub(i, 1);
  atomicSub(u, 1u);
  atomicInc(u, 5);
  atomicDec(u, 5);
  atomicAdd(f, 1.0f);
  atomicExch(f, 2.0f);
  atomicAdd(d, 1.0);
  atomicMin(s, -1ll);
  atomicMax(s, -1ll);
  atomicCAS((unsigned short *)i, (unsigned short)1, (unsigned short)2);
}

template <class T> __device__ T shuffles(T v) {
  T r = __shfl_sync(~0u, v, 0) + __shfl_up_sync(~0u, v, 1) + __shfl_down_sync(~0u, v, 1) + __shfl_xor_sync(~0u, v, 1, 16);
  return r + __shfl(v, 0) + __shfl_up(v, 1) + __shfl_down(v, 2) + __shfl_xor(v, 4);
}
__global__ void warps(int *i, unsigned *u, long *l, unsigned long *ul, long long *ll, unsigned long long *ull, float *f,
                      double *d) {
  *i = shuffles(*i);
  *u = shuffles(*u);
  *l = shuffles(*l);
  *ul = shuffles(*ul);
  *ll = shuffles(*ll);
  *ull = shuffles(*ull);
  *f = shuffles(*f);
  *d = shuffles(*d);
  unsigned m = __activemask() + __ballot_sync(~0u, *i) + __ballot(*i);
  if (__any_sync(~0u, *i) || __all_sync(~0u, *i) || __any(*i) || __all(*i)) m++;
  int p;
  m += __match_any_sync(~0u, *i) + __match_all_sync(~0u, *ull, &p) + __match_any_sync(~0u, *f);
  m += __reduce_add_sync(~0u, m) + __reduce_max_sync(~0u, m);
  *u = m + p;
}

__global__ void bits(unsigned *u, int *i, unsigned long long *l) {
  *u = __popc(*u) + __popcll(*l) + __brev(*u) + __clz(*i) + __clzll(*l) + __ffs(*i) + __ffsll(*l);
  *u += __byte_perm(*u, 3, 0x1234) + __funnelshift_l(*u, *u, 3) + __funnelshift_r(*u, *u, 3);
  *u += __funnelshift_lc(*u, *u, 3) + __funnelshift_rc(*u, *u, 3);
  *i = __mul24(*i, 3) + __mulhi(*i, 5) + __sad(*i, 3, 4u) + __hadd(*i, 1) + __rhadd(*i, 1);
  *u += __umul24(*u, 3) + __umulhi(*u, 5) + __usad(*u, 3, 4) + __uhadd(*u, 2);
  *l = __umul64hi(*l, *l) + __mul64hi(*l, *l) + __brevll(*l);
  *i += __dp4a(*i, 3, 4) + __dp4a(*u, 3u, 4u);
  *u += __vadd4(*u, *u) + __vsub2(*u, *u) + __vabsdiffu4(*u, 1) + __vmaxs2(*u, *u) + __vcmpeq4(*u, 3) + __vminu4(*u, 2);
}

__global__ void floats(float *f, double *d, int *i, unsigned *u, long long *l) {
  *f = __fdividef(*f, 3) + __expf(*f) + __logf(*f) + __log2f(*f) + __log10f(*f) + __sinf(*f) + __cosf(*f) + __tanf(*f);
  *f += __powf(*f, 2) + __exp10f(*f) + __saturatef(*f) + __frcp_rn(*f) + __fsqrt_rn(*f) + __frsqrt_rn(*f);
  *f += __fadd_rn(*f, 1) + __fsub_rz(*f, 1) + __fmul_ru(*f, 2) + __fdiv_rd(*f, 2) + __fmaf_rn(*f, 2, 3);
  *d = __dadd_rn(*d, 1) + __dmul_rz(*d, 2) + __ddiv_rn(*d, 3) + __fma_rn(*d, 2, 3) + __dsqrt_rn(*d);
  *i = __float2int_rn(*f) + __float2int_rz(*f) + __float2int_rd(*f) + __float2int_ru(*f) + __double2int_rn(*d);
  *u = __float2uint_rn(*f) + __float_as_uint(*f) + __double2uint_rz(*d);
  *l = __float2ll_rn(*f) + __double_as_longlong(*d) + __double2ll_rn(*d);
  *f += __int2float_rn(*i) + __uint2float_rn(*u) + __ll2float_rn(*l) + __int_as_float(*i) + __double2float_rn(*d);
  *d += __int2double_rn(*i) + __longlong_as_double(*l) + __hiloint2double(1, 2) + __double2hiint(*d) + __double2loint(*d);
  float s, c;
  sincosf(*f, &s, &c);
  *f += s + c;
  __sincosf(*f, &s, &c);
  *f += s * c;
  sincospif(*f, &f[1], &f[2]);
}

__global__ void mathematics(float *f, double *d, int *i) {
  float x = *f;
  x = sqrtf(x) + expf(x) + fabsf(x) + fmaxf(x, 2) + fminf(x, 3) + logf(x) + powf(x, 2) + rsqrtf(x) + cosf(x) + floorf(x) +
      sinf(x) + atan2f(x, 1) + ceilf(x) + log10f(x) + log1pf(x) + erff(x) + hypotf(x, 1) + tanhf(x) + cbrtf(x) + exp2f(x) +
      fmodf(x, 2) + truncf(x) + roundf(x) + rintf(x) + lgammaf(x) + tgammaf(x) + expm1f(x) + log2f(x) + asinf(x) + acosf(x) +
      atanf(x) + sinhf(x) + coshf(x) + copysignf(x, 1) + nextafterf(x, 2) + remainderf(x, 2) + fdimf(x, 1) + fmaf(x, x, x) +
      ldexpf(x, 2) + normcdff(x) + erfinvf(x) + erfcf(x) + sinpif(x) + cospif(x) + rcbrtf(x) + norm3df(x, x, x) + rhypotf(x, x);
  double y = *d;
  y = sqrt(y) + exp(y) + fabs(y) + fmax(y, 2) + fmin(y, 3) + log(y) + pow(y, 2.5) + pow(y, 2) + rsqrt(y) + cos(y) + floor(y) +
      sin(y) + atan2(y, 1) + ceil(y) + log10(y) + log1p(y) + erf(y) + hypot(y, 1.0) + tanh(y) + cbrt(y) + exp2(y) + fmod(y, 2) +
      trunc(y) + round(y) + rint(y) + lgamma(y) + expm1(y) + atan(y) + j0(y) + fma(y, y, y) + exp10(y) + copysign(y, 1.0);
  x += sqrt(x) + exp(x) + fabs(x) + fmax(x, 1.0f) + pow(x, 2) + pow(x, 2.0f) + abs(x) + log(x) + floor(x) + erf(x) + trunc(x) +
       hypot(x, x) + round(x) + fmin(x, 2.0f) + cbrt(x) + rsqrt(x) + tgamma(x) + std::sqrt(x) + std::abs(x) + std::pow(x, 2);
  y += std::exp(y) + std::max(y, 1.0) + std::fabs(y) + std::floor(y) + std::numeric_limits<float>::max();
  int e;
  float ip;
  x += frexpf(x, &e) + modff(x, &ip) + ip + e;
  if (isnan(x) || isinf(y) || isfinite(x) || signbit(y) || std::isnan(x)) x = 0;
  *i = abs(*i) + labs(*i) + lrintf(x) + lroundf(x) + ilogbf(x) + llrint(y);
  *f = x;
  *d = y;
}

__host__ __device__ double mixed() {
  int i = 1;
  unsigned u = 2;
  long l = 3;
  unsigned long ul = 4;
  long long ll = 5;
  unsigned long long ull = 6;
  float f = 7;
  double d = 8;
  size_t n = 9;
  return max(i, i) + min(u, u) + max(i, u) + min(u, i) + max(l, l) + min(ul, l) + max(ll, ll) + min(ull, ll) + max(ull, ull) +
         max(f, f) + min(d, d) + max(f, d) + min(d, f) + max(n, n) + min(l, ul) + ::max(1, 2);
}

__global__ void memory(int *g, float4 *v, double *d, char *c) {
  g[0] = __ldg(g) + __ldcg(g) + __ldca(g) + __ldcs(g) + __ldcv(g);
  __stcg(g, 1);
  __stcs(v, v[0]);
  __stwt(d, 1.0);
  __stwb(c, 'x');
  v[1] = __ldg(v);
  v[2] = __ldcs(v);
  g[1] = __isShared(g) + __isGlobal(g) + __isLocal(g) + (int)__cvta_generic_to_shared(g);
  __builtin_prefetch(g);
  memcpy(g, d, 64);
  memset(g, 0, 16);
  int *h = (int *)malloc(16);
  h[0] = 1;
  free(h);
  int *n = new int[4];
  delete[] n;
}

__global__ void misc(long long *t, int n) {
  t[0] = clock() + clock64() + __globaltimer();
  __nanosleep(100);
  assert(n > 0 && "positive");
  printf("%d %f %s\n", n, 1.0f, "text");
  if (n > 3) __trap();
  if (n > 4) __brkpt();
  t[1] = warpSize + threadIdx.x + blockIdx.y + blockDim.z + gridDim.x;
  uint3 a = threadIdx;
  dim3 b = blockDim;
  t[2] = a.x + b.y;
  asm volatile("membar.gl;");
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  t[3] = lane;
}

__global__ __launch_bounds__(256, 2) void bounded(const float *__restrict__ a, float *__restrict__ b) { *b = *a; }

__managed__ int managed_value;
__device__ __managed__ float managed_float;
__constant__ float coefficients[8] = {1, 2, 3};
__device__ int device_array[16];
extern __shared__ float dynamic[];

__global__ void variables() {
  dynamic[threadIdx.x] = coefficients[0] + managed_value + managed_float + device_array[1];
}

int main() {
  float *p;
  cudaMalloc(&p, 100);
  float host[8];
  cudaMemcpyToSymbol(coefficients, host, sizeof host);
  cudaMemcpyFromSymbol(host, coefficients, sizeof host, 0, cudaMemcpyDeviceToHost);
  int *q;
  cudaMallocManaged(&q, 4);
  cudaHostAlloc((void **)&q, 4, cudaHostAllocDefault);
  void *addr;
  cudaGetSymbolAddress(&addr, device_array);
  cudaStream_t s;
  cudaStreamCreate(&s);
  variables<<<dim3(1, 2), 32, 128, s>>>();
  variables<<<1, 32>>>();
  int blocks, grid, block;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, variables, 128, 0);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, variables);
  cudaFuncSetAttribute(variables, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
  cudaFuncSetCacheConfig(variables, cudaFuncCachePreferShared);
  cudaFuncAttributes attr;
  cudaFuncGetAttributes(&attr, variables);
  void *args[] = {nullptr};
  cudaLaunchKernel((void *)variables, dim3(1), dim3(1), args, 0, 0);
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float4>();
  printf("%s %f %f\n", cudaGetErrorString(cudaGetLastError()), mixed(), rsqrtf(2.0f) + max(1, 2) + desc.x);
  return 0;
}
