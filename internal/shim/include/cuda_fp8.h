/* 8-bit floating point ("CUDA Math API", "FP8 Intrinsics"): e4m3 (bias 7, no
 * infinity, NaN 0x7f, largest 448) and e5m2 (bias 15, IEEE, largest 57344). */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#ifdef __cplusplus
#include "cuda_runtime.h"
#include "cuda_fp16.h"
#include "cuda_bf16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

/* Conversion of a float or double to fp8, to nearest even. In e4m3 what is too
 * large is NaN without saturation, in e5m2 infinity. */
__WG_SF __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t sat, __nv_fp8_interpretation_t kind) {
  const bool e4 = kind == __NV_E4M3;
  const int fraction = e4 ? 3 : 2, bias = e4 ? 7 : 15;
  const unsigned largest = e4 ? 0x7e : 0x7b, beyond = e4 ? 0x7f : 0x7c;
  unsigned long long u = __builtin_bit_cast(unsigned long long, x), mag = u & 0x7fffffffffffffffull;
  unsigned sign = (unsigned)(u >> 63) << 7, r;
  if (mag > 0x7ff0000000000000ull) return (__nv_fp8_storage_t)(e4 ? 0x7f : 0x7e);
  int e = (int)(mag >> 52) - 1023;
  if (e < 1 - bias - fraction - 1) return (__nv_fp8_storage_t)sign;
  if (e > 20) r = 0x80;
  else {
    unsigned long long m = (mag & 0xfffffffffffffull) | 1ull << 52;
    int drop = 52 - fraction + (e < 1 - bias ? 1 - bias - e : 0);
    unsigned long long kept = m >> drop, rest = m & ((1ull << drop) - 1), half = 1ull << (drop - 1);
    if (rest > half || (rest == half && (kept & 1))) kept++;
    r = (unsigned)kept + (e < 1 - bias ? 0u : (unsigned)(e + bias - 1) << fraction);
  }
  if (r > largest) r = sat == __NV_SATFINITE ? largest : beyond;
  return (__nv_fp8_storage_t)(sign | r);
}
__WG_SF __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t sat, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8((double)x, sat, kind);
}
__WG_SF __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t sat, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__wg_half_to(x.x), sat, kind);
}
__WG_SF __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t sat, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__wg_bf16_to(x.x), sat, kind);
}
#define __WG_CVT2(name, __wg_V, one, a, b)                                           \
  __WG_SF __nv_fp8x2_storage_t name(__wg_V x, __nv_saturation_t sat, __nv_fp8_interpretation_t kind) {  \
    return (__nv_fp8x2_storage_t)(one(a, sat, kind) | one(b, sat, kind) << 8);       \
  }
__WG_CVT2(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, x.x, x.y)
__WG_CVT2(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, x.x, x.y)
__WG_CVT2(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_float_to_fp8, __wg_half_to(x.x), __wg_half_to(x.y))
__WG_CVT2(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_cvt_float_to_fp8, __wg_bf16_to(x.x), __wg_bf16_to(x.y))
#undef __WG_CVT2

/* fp8 to float: exact. */
__WG_SF float __wg_fp8_to_float(__nv_fp8_storage_t v, __nv_fp8_interpretation_t kind) {
  if (kind == __NV_E5M2) return __wg_half_to((unsigned short)(v << 8));
  unsigned m = v & 0x7f, sign = (unsigned)(v & 0x80) << 24;
  if (m == 0x7f) return __builtin_bit_cast(float, 0x7fffffffu);
  if (m < 8) return (v & 0x80 ? -1.0f : 1.0f) * (float)m / 512.0f;
  return __builtin_bit_cast(float, sign | ((m << 20) + (120u << 23)));
}
__WG_SF __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t v, __nv_fp8_interpretation_t kind) {
  __half_raw r;
  r.x = __wg_half_of(__wg_fp8_to_float(v, kind), 0);
  return r;
}
__WG_SF __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v, __nv_fp8_interpretation_t kind) {
  __half2_raw r;
  r.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)v, kind).x;
  r.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(v >> 8), kind).x;
  return r;
}

/* The types: one number, two and four. Integers and floats saturate. */
#define __WG_FP8(__wg_T, __wg_K)                                                     \
  struct __wg_T {                                                                    \
    __nv_fp8_storage_t __x;                                                          \
    __wg_T() = default;                                                              \
    __host__ __device__ explicit __wg_T(float f) : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, __wg_K)) {}      \
    __host__ __device__ explicit __wg_T(double f) : __x(__nv_cvt_double_to_fp8(f, __NV_SATFINITE, __wg_K)) {}    \
    __host__ __device__ explicit __wg_T(__half h) : __wg_T((float)h) {}              \
    __host__ __device__ explicit __wg_T(__nv_bfloat16 h) : __wg_T((float)h) {}       \
    __WG_FROM(__wg_T, short) __WG_FROM(__wg_T, unsigned short) __WG_FROM(__wg_T, int) __WG_FROM(__wg_T, unsigned int)      \
    __WG_FROM(__wg_T, long) __WG_FROM(__wg_T, unsigned long) __WG_FROM(__wg_T, long long) __WG_FROM(__wg_T, unsigned long long)  \
    __host__ __device__ explicit operator float() const { return __wg_fp8_to_float(__x, __wg_K); }     \
    __host__ __device__ explicit operator double() const { return __wg_fp8_to_float(__x, __wg_K); }    \
    __host__ __device__ explicit operator __half() const { return __half((float)*this); }              \
    __host__ __device__ explicit operator __nv_bfloat16() const { return __nv_bfloat16((float)*this); }  \
    __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; } \
    __WG_TO(char) __WG_TO(signed char) __WG_TO(unsigned char) __WG_TO(short) __WG_TO(unsigned short)   \
    __WG_TO(int) __WG_TO(unsigned int) __WG_TO(long) __WG_TO(unsigned long)          \
    __WG_TO(long long) __WG_TO(unsigned long long)                                   \
  }
#define __WG_FROM(__wg_T, __wg_I) __host__ __device__ explicit __wg_T(__wg_I v) : __wg_T((double)v) {}
#define __WG_TO(__wg_I) __host__ __device__ explicit operator __wg_I() const { return (__wg_I)(float)*this; }
__WG_FP8(__nv_fp8_e4m3, __NV_E4M3);
__WG_FP8(__nv_fp8_e5m2, __NV_E5M2);
#undef __WG_FP8
#undef __WG_FROM
#undef __WG_TO

#define __WG_FP8S(__wg_T, __wg_K)                                                    \
  struct __align__(2) __nv_fp8x2_##__wg_K {                                          \
    __nv_fp8x2_storage_t __x;                                                        \
    __nv_fp8x2_##__wg_K() = default;                                                 \
    __host__ __device__ explicit __nv_fp8x2_##__wg_K(float2 f) : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, __wg_T)) {}     \
    __host__ __device__ explicit __nv_fp8x2_##__wg_K(double2 f) : __x(__nv_cvt_double2_to_fp8x2(f, __NV_SATFINITE, __wg_T)) {}   \
    __host__ __device__ explicit __nv_fp8x2_##__wg_K(__half2 h) : __x(__nv_cvt_halfraw2_to_fp8x2(h, __NV_SATFINITE, __wg_T)) {}  \
    __host__ __device__ explicit __nv_fp8x2_##__wg_K(__nv_bfloat162 h)               \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(h, __NV_SATFINITE, __wg_T)) {}          \
    __host__ __device__ explicit operator float2() const {                           \
      return make_float2(__wg_fp8_to_float((unsigned char)__x, __wg_T), __wg_fp8_to_float((unsigned char)(__x >> 8), __wg_T));   \
    }                                                                                \
    __host__ __device__ explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, __wg_T); }          \
  };                                                                                 \
  struct __align__(4) __nv_fp8x4_##__wg_K {                                          \
    __nv_fp8x4_storage_t __x;                                                        \
    __nv_fp8x4_##__wg_K() = default;                                                 \
    __host__ __device__ explicit __nv_fp8x4_##__wg_K(float4 f)                       \
        : __x(__nv_cvt_float2_to_fp8x2(make_float2(f.x, f.y), __NV_SATFINITE, __wg_T) |   \
              (unsigned)__nv_cvt_float2_to_fp8x2(make_float2(f.z, f.w), __NV_SATFINITE, __wg_T) << 16) {}              \
    __host__ __device__ explicit operator float4() const {                           \
      return make_float4(__wg_fp8_to_float((unsigned char)__x, __wg_T), __wg_fp8_to_float((unsigned char)(__x >> 8), __wg_T),    \
                         __wg_fp8_to_float((unsigned char)(__x >> 16), __wg_T), __wg_fp8_to_float((unsigned char)(__x >> 24), __wg_T));  \
    }                                                                                \
  };
__WG_FP8S(__NV_E4M3, e4m3)
__WG_FP8S(__NV_E5M2, e5m2)
#undef __WG_FP8S
#endif
#endif
