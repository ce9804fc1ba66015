// Products whose elements have fewer bits than the arithmetic, and those of cublasLt.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "gemm.h"

template <> __device__ __forceinline__ float convert<float>(__half e) { return __half2float(e); }
template <> __device__ __forceinline__ float convert<float>(__nv_bfloat16 e) { return __bfloat162float(e); }
template <> __device__ __forceinline__ float convert<float>(__nv_fp8_e4m3 e) { return float(e); }
template <> __device__ __forceinline__ float convert<float>(__nv_fp8_e5m2 e) { return float(e); }
template <> __device__ __forceinline__ __half convert<__half>(float e) { return __float2half_rn(e); }
template <> __device__ __forceinline__ __nv_bfloat16 convert<__nv_bfloat16>(float e) { return __float2bfloat16_rn(e); }
template <> __device__ __forceinline__ signed char convert<signed char>(float e) {
  return static_cast<signed char>(fminf(fmaxf(rintf(e), -128.0f), 127.0f));
}

// ELEMENTS_RESULT: elements of A and B, of C and D, and what is computed with.
#define PRODUCT(name, E, F, A)                                                                       \
  extern "C" __global__ void name(const Gemm<E, F, A> p) { gemm<A, A, 4, false>(p); }                 \
  extern "C" __global__ void name##Small(const Gemm<E, F, A> p) { gemm<A, A, 1, false>(p); }

PRODUCT(gemm_f16_f16, __half, __half, float)
PRODUCT(gemm_f16_f32, __half, float, float)
PRODUCT(gemm_bf16_bf16, __nv_bfloat16, __nv_bfloat16, float)
PRODUCT(gemm_bf16_f32, __nv_bfloat16, float, float)
PRODUCT(gemm_s8_s32, signed char, int, int)
PRODUCT(gemm_s8_f32, signed char, float, float)
