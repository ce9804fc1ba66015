// Integer, SIMD, vote and cache intrinsics, atomics of all types and scopes, inline PTX.
#include <cstdio>
#include <cuda_runtime.h>
#include <sm_60_atomic_functions.h>
__global__ void k(unsigned *o, int *gi, float *gf, double *gd) {
  unsigned t = threadIdx.x;
  extern __shared__ unsigned sm[];
  unsigned v =
      __funnelshift_l(1, 2, 3) + __funnelshift_r(1, 2, 3) + __dp4a(0x01010101, 0x02020202, 1) +
      __dp2a_lo(0x00010001, 0x0101, 0) + __vabsdiffu4(0x01020304, 0x04030201) + __vadd2(0x10001, 0x10001) +
      __vmaxu4(1, 2) + __vcmpgts2(1, 0) + __vavgu4(2, 4) + __vsubus4(5, 3) + __sad(1, 2, 3) +
      __usad(1, 2, 3) + __uhadd(1, 3) + __urhadd(1, 2) + __rhadd(1, 2) + __hadd(1, 3) + __ffsll(8ull) +
      __clzll(1) + __popcll(~0ull) + __brevll(1) + __mulhi(1 << 30, 4) + __mul64hi(1ll << 62, 4) +
      __umul64hi(1ull << 63, 2) + __byte_perm(1, 2, 0x3210) + __float2uint_rz(3.7f) + __double2int_rd(2.9) +
      __double2hiint(1.0) + __double2loint(1.0) + (unsigned)__hiloint2double(0x3ff00000, 0) +
      __float_as_uint(1.0f) + (unsigned)__double_as_longlong(2.0) + (unsigned)__longlong_as_double(0) +
      __isGlobal(o) + __isShared(sm) + (unsigned)__cvta_generic_to_shared(sm) + __activemask() +
      __any_sync(~0u, 1) + __ballot_sync(~0u, t == 2) + __match_any_sync(~0u, t / 4) +
      __reduce_add_sync(~0u, t) + __reduce_max_sync(~0u, t) + __syncthreads_or(t == 3) +
      __syncthreads_and(1) + __syncthreads_count(t < 5);
  o[t] = v;
}
__global__ void at(int *gi, float *gf, double *gd, unsigned long long *gu, unsigned short *us) {
  atomicAdd_block(gi, 1);
  atomicAdd_system(gi, 1);
  atomicMax(gi + 1, 5);
  atomicMin_system(gi + 2, -5);
  atomicInc((unsigned *)gi + 3, 3);
  atomicDec((unsigned *)gi + 4, 7);
  atomicCAS(gi + 5, 0, 9);
  atomicExch(gf, 2.5f);
  atomicAdd(gf + 1, 1.5f);
  atomicAdd(gd, 0.5);
  atomicAdd_system(gd, 0.5);
  atomicAnd(gu, 0xf0ull);
  atomicOr(gu + 1, 1ull);
  atomicXor(gu + 2, 1ull);
  atomicMax(gu + 3, 7ull);
  atomicMin((long long *)gu + 4, -3ll);
  atomicMax((long long *)gu + 4, -9ll);
  atomicSub(gi + 6, 2);
  atomicCAS(us, (unsigned short)0, (unsigned short)3);
  atomicExch(gu + 5, 8ull);
  atomicCAS(gu + 6, 0ull, 4ull);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  __nanosleep(10);
  __stcg(gi + 7, 1);
  __stcs(gi + 8, __ldcg(gi + 7));
  __stwt(gi + 9, __ldcs(gi + 7));
  gi[10] = __ldca(gi + 7) + __ldcv(gi + 7) + __ldlu(gi + 7);
  __stwb(gi + 11, 1);
  __prof_trigger(1);
  gi[12] = (int)clock64() >= 0;
  unsigned int ns = 1;
  asm volatile("nanosleep.u32 %0;" ::"r"(ns));
  asm volatile("" ::: "memory");
  asm("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %1, 0;\n\tselp.b32 %0, 3, 4, p;\n}" : "=r"(gi[13]) : "r"(gi[7]));
  asm volatile("{.reg .b32 %tmp; mov.b32 %tmp, %1; add.s32 %0, %tmp, 1;}" : "=r"(gi[14]) : "r"(5));
  asm("prefetch.global.L2 [%0];" ::"l"(gi));
  long long gt;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(gt));
  gi[15] = gt > 0;
}
int main() {
  unsigned *o;
  int *gi, hi[16];
  float *gf;
  double *gd;
  unsigned long long *gu;
  unsigned short *us;
  cudaMalloc(&o, 256);
  cudaMalloc(&gi, 64);
  cudaMalloc(&gf, 64);
  cudaMalloc(&gd, 64);
  cudaMalloc(&gu, 64);
  cudaMalloc(&us, 4);
  cudaMemset(gi, 0, 64);
  cudaMemset(gf, 0, 64);
  cudaMemset(gd, 0, 64);
  cudaMemset(gu, 0, 64);
  cudaMemset(us, 0, 4);
  k<<<1, 32, 128>>>(o, gi, gf, gd);
  at<<<1, 1>>>(gi, gf, gd, gu, us);
  if (cudaMemcpy(hi, gi, 64, cudaMemcpyDeviceToHost)) {
    puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  int w[16] = {2, 5, -5, 1, 7, 9, -2, 1, 1, 1, 3, 1, 1, 3, 6, 1};
  int bad = 0;
  for (int i = 0; i < 16; i++)
    if (hi[i] != w[i]) {
      printf("%d %d %d\n", i, hi[i], w[i]);
      bad++;
    }
  cudaFree(o);
  cudaFree(gi);
  cudaFree(gf);
  cudaFree(gd);
  cudaFree(gu);
  cudaFree(us);
  printf(bad ? "FAIL\n" : "PASS\n");
}
