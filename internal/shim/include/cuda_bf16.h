/* bfloat16 ("CUDA Math API", "Bfloat16 Precision Intrinsics"): 1 sign bit, 8
 * exponent bits, 7 fraction bits. Arithmetic is done in double precision and
 * rounded, which gives the correctly rounded result of +, -, * and /. */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#ifdef __cplusplus
#include "cuda_runtime.h"
#include "cuda_fp16.h"
#include "warpgrind/small_float.h"

struct __align__(2) __nv_bfloat16_raw { unsigned short x; };
struct __align__(4) __nv_bfloat162_raw { unsigned short x, y; };

__WG_SF float __wg_bf16_to(unsigned short h) { return __builtin_bit_cast(float, (unsigned)h << 16); }
__WG_SF unsigned short __wg_bf16_near(float f) {
  unsigned u = __builtin_bit_cast(unsigned, f);
  if ((u & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return (unsigned short)((u + 0x7fffu + (u >> 16 & 1)) >> 16);
}
/* a * b + c; from sm_80 on the device has an instruction for it. */
__WG_SF unsigned short __wg_bf16_fma(unsigned short a, unsigned short b, unsigned short c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short r;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(r) : "h"(a), "h"(b), "h"(c));
  return r;
#else
  return (unsigned short)__wg_narrow(__wg_fma_odd(__wg_bf16_to(a), __wg_bf16_to(b), __wg_bf16_to(c)), __WG_BF16, __WG_RN, false);
#endif
}

#define __WG_NATIVE 0
#define __WG_T __nv_bfloat16
#define __WG_T2 __nv_bfloat162
#define __WG_RAW __nv_bfloat16_raw
#define __WG_RAW2 __nv_bfloat162_raw
#define __WG_KIND __WG_BF16
#define __WG_NEAR __wg_bf16_near
#define __WG_WIDEN __wg_bf16_to
#define __WG_FUSED __wg_bf16_fma
#define __WG_NAME(a, b) a##bfloat16##b
#define __WG_NAME2(a, b) a##bfloat162##b
#define __WG_MADE make_bfloat162
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define __WG_CONVERTS 0
#else
#define __WG_CONVERTS 1
#endif
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define __WG_OPERATES 0
#else
#define __WG_OPERATES 1
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define __WG_OPERATES2 0
#else
#define __WG_OPERATES2 1
#endif
#include "warpgrind/small_float_type.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__WG_SF __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
__WG_SF float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2(__wg_float(a.x), __wg_float(a.y)); }
__WG_SF __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return make_bfloat162(a, a); }

#undef __WG_NATIVE
#undef __WG_T
#undef __WG_T2
#undef __WG_RAW
#undef __WG_RAW2
#undef __WG_KIND
#undef __WG_NEAR
#undef __WG_WIDEN
#undef __WG_FUSED
#undef __WG_NAME
#undef __WG_NAME2
#undef __WG_MADE

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
#endif

#endif
