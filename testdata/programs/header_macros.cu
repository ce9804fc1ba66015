// flags: --arch sm_100a
// Macros that NVIDIA's headers leave defined and programs use: constants of bf16, alignment of
// vectors of small floats, which types there are, and which feature set is compiled for.
#include <cmath>
#include <cstdio>

#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#if !defined(__CUDA_FP16_TYPES_EXIST__) || !defined(__CUDA_BF16_TYPES_EXIST__) || !defined(__CUDA_FP8_TYPES_EXIST__) || \
    !defined(__CUDA_FP6_TYPES_EXIST__) || !defined(__CUDA_FP4_TYPES_EXIST__)
#error a header does not say that it has its types
#endif

struct __CUDA_ALIGN__(8) Fp8x8 {
  __nv_fp8_e4m3 x[8];
};
static_assert(sizeof(Fp8x8) == 8 && alignof(Fp8x8) == 8);

__no_return__ __device__ void stop() {
  for (;;) __trap();
}

__global__ void constants(float *out, int *features) {
  const __nv_bfloat16 all[] = {CUDART_ZERO_BF16, CUDART_ONE_BF16,        CUDART_MAX_NORMAL_BF16, CUDART_MIN_DENORM_BF16,
                               CUDART_INF_BF16,  CUDART_NEG_ZERO_BF16, CUDART_NAN_BF16};
  for (int i = 0; i < 7; i++) out[i] = __bfloat162float(all[i]);
  if (out[1] != 1) stop();
  // This one, another of the family, one of another family.
#if __CUDA_ARCH_HAS_FEATURE__(SM100_ALL) && !__CUDA_ARCH_HAS_FEATURE__(SM90_ALL)
  features[0] = __CUDA_HAS_ARCH_SPECIFIC(100);
#endif
  features[1] = !__CUDA_HAS_ARCH_SPECIFIC(103) && !__CUDA_HAS_ARCH_SPECIFIC(90);
  features[2] = __CUDA_HAS_ARCH_FAMILY_SPECIFIC(100);
  features[3] = !__CUDA_HAS_ARCH_FAMILY_SPECIFIC(101) && !__CUDA_HAS_ARCH_FAMILY_SPECIFIC(103) && !__CUDA_HAS_ARCH_FAMILY_SPECIFIC(120);
}

int main() {
  float *d, h[7];
  int *df, f[4];
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&df, sizeof f);
  constants<<<1, 1>>>(d, df);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(f, df, sizeof f, cudaMemcpyDeviceToHost);
  bool ok = h[0] == 0 && h[1] == 1 && h[2] > 3.38e38f && h[2] < 3.4e38f && h[3] > 0 && h[3] < 1e-40f && std::isinf(h[4]) &&
            std::signbit(h[5]) && std::isnan(h[6]) && f[0] && f[1] && f[2] && f[3];
  ok = ok && !__CUDA_HAS_ARCH_SPECIFIC(100) && !__CUDA_HAS_ARCH_FAMILY_SPECIFIC(100); // the host has none
  cudaFree(d);
  cudaFree(df);
  printf(ok ? "PASS\n" : "FAIL\n");
  return !ok;
}
