// Inline PTX of many forms.
#include <cstdio>
__device__ unsigned int __usad4(unsigned int A, unsigned int B, unsigned int C = 0) {
  unsigned int result;
  asm("vabsdiff4.u32.u32.u32.add"
      " %0, %1, %2, %3;"
      : "=r"(result)
      : "r"(A), "r"(B), "r"(C));
  return result;
}
__device__ inline double dmin(double a, double b) {
  double r;
  asm("min.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
  return r;
}
__device__ int lds(int *p) {
  int v;
  asm volatile("{ .reg .u64 t; cvta.to.shared.u64 t, %1; ld.shared.s32 %0, [t]; }"
               : "=r"(v)
               : "l"(p)
               : "memory");
  return v;
}
__device__ void red(int *p, int v) {
  asm volatile("red.global.add.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ unsigned long long pack(unsigned a, unsigned b) {
  unsigned long long r;
  asm("mov.b64 %0, {%1, %2};" : "=l"(r) : "r"(a), "r"(b));
  return r;
}
__device__ bool elect(unsigned m) {
  unsigned p;
  asm volatile(
      "{\n .reg .pred p, q;\n setp.ne.u32 q, %1, 0;\n vote.sync.any.pred p, q, %2;\n selp.u32 %0, 1, 0, p;\n}"
      : "=r"(p)
      : "r"(m), "r"(~0u));
  return p;
}
__device__ unsigned smid() {
  unsigned r;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(r));
  return r;
}
__device__ unsigned lanemask_lt() {
  unsigned r;
  asm("mov.u32 %0, %lanemask_lt;" : "=r"(r));
  return r;
}
__device__ float ex2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ uint4 ldg(const uint4 *p) {
  uint4 v;
  asm("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
  return v;
}
__device__ int addc(unsigned a, unsigned b, unsigned c, unsigned d) {
  unsigned lo, hi;
  asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, %4, %5;" : "=r"(lo), "=r"(hi) : "r"(a), "r"(b), "r"(c), "r"(d));
  return hi;
}
__device__ short s16(short a) {
  short r;
  asm("neg.s16 %0, %1;" : "=h"(r) : "h"(a));
  return r;
}
__device__ int imm() {
  int r;
  asm("mov.s32 %0, %1;" : "=r"(r) : "n"(77));
  return r;
}
template <int N> __device__ int shl(int a) {
  asm("shl.b32 %0, %0, %1;" : "+r"(a) : "n"(N));
  return a;
}
__global__ void k(int *o, const uint4 *q) {
  __shared__ int s[4];
  if (threadIdx.x < 4) s[threadIdx.x] = 9;
  __syncwarp();
  unsigned long long pk = pack(1, 2);
  o[threadIdx.x] = __usad4(0x01020304, 0x04030201) + (int)dmin(1.0, 2.0) + lds(&s[1]) + (int)(pk >> 32) +
                   elect(threadIdx.x == 3) + (smid() < 1000) + __popc(lanemask_lt()) + (int)ex2(3.0f) +
                   ldg(q).z + addc(0xffffffff, 1, 2, 3) + s16(4) + imm() + shl<3>(1);
  red(o + 32, 1);
  asm volatile("bar.sync 0;");
  asm volatile("membar.gl;");
  asm("// comment %d");
  asm volatile("" : : "r"(o[0]) : "memory");
  if (threadIdx.x == 500) asm("trap;");
  asm("exit;");
}
int main() {
  int *d, h[33];
  uint4 *q, hq = {1, 2, 3, 4};
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  cudaMalloc(&q, 16);
  cudaMemcpy(q, &hq, 16, cudaMemcpyHostToDevice);
  k<<<1, 32>>>(d, q);
  if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)) {
    puts(cudaGetErrorString(cudaGetLastError()));
  }
  int bad = h[32] != 32;
  for (int i = 0; i < 32; i++) bad += h[i] != 8 + 1 + 9 + 2 + 1 + 1 + i + 8 + 3 + 6 - 4 + 77 + 8;
  cudaFree(d);
  cudaFree(q);
  printf(bad ? "FAIL %d %d\n" : "PASS\n", bad, h[0]);
}
