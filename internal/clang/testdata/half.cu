#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuComplex.h>
#include <math_constants.h>
__global__ void k(half* h, half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2, float* f) {
  half a = h[0], c = __float2half(f[0]);
  h[1] = a + c * __hfma(a, c, a);
  if (a > c) h[2] = hexp(a); else h[3] = __hmax(a, c);
  h2[1] = __hfma2(h2[0], h2[2], __float2half2_rn(3.f));
  h2[3] = h2[4] + __halves2half2(a, c);
  h[5] = __shfl_down_sync(~0u, a, 1);
  b[0] = __float2bfloat16(f[1]) * b[1];
  b2[0] = __hadd2(b2[1], b2[2]);
  f[2] = __bfloat162float(b[2]) + __low2float(b2[0]) + __half2float(h[4]) + (float)h[2];
  atomicAdd(h2, h2[1]);
  atomicAdd(h + 1, a);
  h[6] = (half)1.5f; h[7] = 0.5f; h[8] = __int2half_rn(3);
  h[9] = h[10] * half(2.0f);
  half2 t = __ldg(h2); h2[5] = t;
  cuComplex z = cuCmulf(make_cuComplex(1, f[0]), make_cuComplex(2, 3)); f[4] = cuCabsf(z) + CUDART_PI_F;
}
int main() { half x = __float2half(1.0f); float y = __half2float(x) + (float)__float2bfloat16(2.f); k<<<1,1>>>(0,0,0,0,0); return y; }
