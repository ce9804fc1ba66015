/* 4-bit floating point ("CUDA Math API", "FP4 Intrinsics"): e2m1 (bias 1, largest
 * 6), without infinity and NaN; vectors have two numbers in a byte. */
#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__
#define __CUDA_FP4_TYPES_EXIST__

/* NVIDIA's header leaves this macro defined, and programs align their own vectors with it. */
#ifndef __CUDA_ALIGN__
#define __CUDA_ALIGN__(n) __align__(n)
#endif

#ifdef __cplusplus
#include <assert.h>
#include "cuda_runtime.h"
#include "cuda_fp16.h"
#include "cuda_bf16.h"

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

/* Conversion: what is too large becomes the largest number, NaN as well. */
#define __WG_CVT(name, __wg_I, value)                                                \
  __WG_SF __nv_fp4_storage_t __nv_cvt_##name##_to_fp4(__wg_I x, __nv_fp4_interpretation_t kind, enum cudaRoundMode rounding) {  \
    (void)kind;                                                                      \
    return (__nv_fp4_storage_t)__wg_narrow(value, __WG_E2M1, (int)rounding, true);                \
  }
#define __WG_CVT2(name, __wg_V, one, a, b)                                           \
  __WG_SF __nv_fp4x2_storage_t __nv_cvt_##name##_to_fp4x2(__wg_V x, __nv_fp4_interpretation_t kind, enum cudaRoundMode rounding) {  \
    return (__nv_fp4x2_storage_t)(__nv_cvt_##one##_to_fp4(a, kind, rounding) | __nv_cvt_##one##_to_fp4(b, kind, rounding) << 4);  \
  }
__WG_SOURCES(__WG_CVT, __WG_CVT2)
#undef __WG_CVT
#undef __WG_CVT2

/* fp4 to half: exact. */
__WG_SF __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t v, __nv_fp4_interpretation_t kind) {
  __half_raw r;
  (void)kind;
  r.x = __wg_half_near(__wg_widen(v, __WG_E2M1));
  return r;
}
__WG_SF __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t v, __nv_fp4_interpretation_t kind) {
  __half2_raw r;
  r.x = __nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)(v & 0xf), kind).x;
  r.y = __nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)(v >> 4), kind).x;
  return r;
}

#define __WG_S __nv_fp4_storage_t
#define __WG_S2 __nv_fp4x2_storage_t
#define __WG_S4 __nv_fp4x4_storage_t
#define __WG_WIDTH 4
#define __WG_T __nv_fp4_e2m1
#define __WG_T2 __nv_fp4x2_e2m1
#define __WG_T4 __nv_fp4x4_e2m1
#define __WG_KIND __WG_E2M1
#include "warpgrind/tiny_float_type.h"
#undef __WG_S
#undef __WG_S2
#undef __WG_S4
#undef __WG_WIDTH
#endif
#endif
