/* Half precision ("CUDA Math API", "Half Precision Intrinsics"): 1 sign bit,
 * 5 exponent bits, 10 fraction bits. */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

#ifdef __cplusplus
#include "cuda_runtime.h"
#include "warpgrind/small_float.h"

struct __align__(2) __half_raw { unsigned short x; };
struct __align__(4) __half2_raw { unsigned short x, y; };

/* float to half bits, to nearest, and back. The device has instructions for it. */
__WG_SF unsigned short __wg_half_near(float f) {
#if defined(__CUDA_ARCH__) && __clang_major__ >= 17
  return __builtin_bit_cast(unsigned short, (_Float16)f);
#elif defined(__CUDA_ARCH__)
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
  return h;
#else
  return (unsigned short)__wg_narrow(f, __WG_F16, __WG_RN, false);
#endif
}
__WG_SF float __wg_half_to(unsigned short h) {
#if defined(__CUDA_ARCH__) && __clang_major__ >= 17
  return (float)__builtin_bit_cast(_Float16, h);
#elif defined(__CUDA_ARCH__)
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  return f;
#else
  return __wg_widen(h, __WG_F16);
#endif
}
__WG_SF unsigned short __wg_half_fma(unsigned short a, unsigned short b, unsigned short c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 530
  unsigned short r;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a), "h"(b), "h"(c));
  return r;
#else
  return (unsigned short)__wg_narrow(__wg_fma_odd(__wg_half_to(a), __wg_half_to(b), __wg_half_to(c)), __WG_F16, __WG_RN, false);
#endif
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 530 && __clang_major__ >= 17
#define __WG_NATIVE 1
#else
#define __WG_NATIVE 0
#endif
#define __WG_T __half
#define __WG_T2 __half2
#define __WG_RAW __half_raw
#define __WG_RAW2 __half2_raw
#define __WG_KIND __WG_F16
#define __WG_NEAR __wg_half_near
#define __WG_WIDEN __wg_half_to
#define __WG_FUSED __wg_half_fma
#define __WG_NAME(a, b) a##half##b
#define __WG_NAME2(a, b) a##half2##b
#define __WG_MADE make_half2
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define __WG_CONVERTS 0
#else
#define __WG_CONVERTS 1
#endif
#ifdef __CUDA_NO_HALF_OPERATORS__
#define __WG_OPERATES 0
#else
#define __WG_OPERATES 1
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define __WG_OPERATES2 0
#else
#define __WG_OPERATES2 1
#endif
#include "warpgrind/small_float_type.h"

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

__WG_SF __half2 __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }
__WG_SF float2 __half22float2(__half2 a) { return make_float2(__wg_float(a.x), __wg_float(a.y)); }
__WG_SF __half2 __half2half2(__half a) { return __half2(a, a); }
__WG_SF __half __half2half(__half a) { return a; }
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

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#else /* in C the types alone */
typedef struct { unsigned short x; } __half;
typedef struct { __half x, y; } __half2;
#endif

#endif
