/* 8-bit floating point ("CUDA Math API", "FP8 Intrinsics"): e4m3 (bias 7, no
 * infinity, NaN 0x7f, largest 448), e5m2 (bias 15, IEEE, largest 57344), and
 * e8m0, a power of two without a sign. */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

/* NVIDIA's header leaves this macro defined, and programs align their own vectors with it. */
#ifndef __CUDA_ALIGN__
#define __CUDA_ALIGN__(n) __align__(n)
#endif

#ifdef __cplusplus
#include "cuda_runtime.h"
#include "cuda_fp16.h"
#include "cuda_bf16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

/* Conversion to fp8, to nearest even. In e4m3 what is too large is NaN without
 * saturation, in e5m2 infinity. */
#define __WG_CVT(name, __wg_I, value)                                                \
  __WG_SF __nv_fp8_storage_t __nv_cvt_##name##_to_fp8(__wg_I x, __nv_saturation_t sat, __nv_fp8_interpretation_t kind) {  \
    bool finite = sat == __NV_SATFINITE;                                             \
    if (kind == __NV_E4M3) return (__nv_fp8_storage_t)__wg_narrow(value, __WG_E4M3, __WG_RN, finite);          \
    return (__nv_fp8_storage_t)__wg_narrow(value, __WG_E5M2, __WG_RN, finite);       \
  }
#define __WG_CVT2(name, __wg_V, one, a, b)                                           \
  __WG_SF __nv_fp8x2_storage_t __nv_cvt_##name##_to_fp8x2(__wg_V x, __nv_saturation_t sat, __nv_fp8_interpretation_t kind) {  \
    return (__nv_fp8x2_storage_t)(__nv_cvt_##one##_to_fp8(a, sat, kind) | __nv_cvt_##one##_to_fp8(b, sat, kind) << 8);  \
  }
__WG_SOURCES(__WG_CVT, __WG_CVT2)
#undef __WG_CVT
#undef __WG_CVT2

/* fp8 to half: exact. */
__WG_SF __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t v, __nv_fp8_interpretation_t kind) {
  __half_raw r;
  r.x = __wg_half_near(kind == __NV_E4M3 ? __wg_widen(v, __WG_E4M3) : __wg_widen(v, __WG_E5M2));
  return r;
}
__WG_SF __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v, __nv_fp8_interpretation_t kind) {
  __half2_raw r;
  r.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)v, kind).x;
  r.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(v >> 8), kind).x;
  return r;
}

#define __WG_S __nv_fp8_storage_t
#define __WG_S2 __nv_fp8x2_storage_t
#define __WG_S4 __nv_fp8x4_storage_t
#define __WG_WIDTH 8
#define __WG_T __nv_fp8_e4m3
#define __WG_T2 __nv_fp8x2_e4m3
#define __WG_T4 __nv_fp8x4_e4m3
#define __WG_KIND __WG_E4M3
#include "warpgrind/tiny_float_type.h"
#define __WG_T __nv_fp8_e5m2
#define __WG_T2 __nv_fp8x2_e5m2
#define __WG_T4 __nv_fp8x4_e5m2
#define __WG_KIND __WG_E5M2
#include "warpgrind/tiny_float_type.h"
#undef __WG_S
#undef __WG_S2
#undef __WG_S4
#undef __WG_WIDTH

#include "warpgrind/e8m0.h"
#endif
#endif
