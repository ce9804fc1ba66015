/* e8m0: 2^(x - 127) for x from 0 to 254, NaN for 255. What is converted to it
 * loses its sign; zero becomes the smallest power. */
#ifndef __WARPGRIND_E8M0_H__
#define __WARPGRIND_E8M0_H__

/* The magnitude of a double as a power of two: upwards or toward zero. */
__WG_SF __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t sat, enum cudaRoundMode rounding) {
  unsigned long long u = __builtin_bit_cast(unsigned long long, x) & 0x7fffffffffffffffull;
  if (u > 0x7ff0000000000000ull) return 0xff;
  unsigned above = rounding == cudaRoundPosInf && (u & 0xfffffffffffffull) != 0;
  int e = (int)(u >> 52) - 1023 + (int)above + 127;
  if (e < 0) return 0;
  return (__nv_fp8_storage_t)(e <= 254 ? e : sat == __NV_SATFINITE ? 254 : 255);
}
__WG_SF __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t sat, enum cudaRoundMode rounding) {
  unsigned u = __builtin_bit_cast(unsigned, x) & 0x7fffffffu, e = u >> 23, m = u & 0x7fffffu;
  if (u > 0x7f800000u) return 0xff;
  /* A subnormal float is below 2^-126; toward zero it is 2^-127. */
  if (rounding == cudaRoundPosInf && (e != 0 ? m != 0 : m > 0x400000u)) e++;
  return (__nv_fp8_storage_t)(e <= 254 ? e : sat == __NV_SATFINITE ? 254 : 255);
}
__WG_SF __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t sat, enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(__wg_bf16_to(x.x), sat, rounding);
}
#define __WG_CVT2(name, __wg_V, one, a, b)                                           \
  __WG_SF __nv_fp8x2_storage_t __nv_cvt_##name##_to_e8m0x2(__wg_V x, __nv_saturation_t sat, enum cudaRoundMode rounding) {  \
    return (__nv_fp8x2_storage_t)(__nv_cvt_##one##_to_e8m0(a, sat, rounding) | __nv_cvt_##one##_to_e8m0(b, sat, rounding) << 8);  \
  }
__WG_CVT2(double2, double2, double, x.x, x.y)
__WG_CVT2(float2, float2, float, x.x, x.y)
__WG_CVT2(bfloat162raw, __nv_bfloat162_raw, float, __wg_bf16_to(x.x), __wg_bf16_to(x.y))
#undef __WG_CVT2

__WG_SF __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t v) {
  __nv_bfloat16_raw r;
  r.x = v == 0 ? 0x40 : v == 0xff ? 0x7fff : (unsigned short)(v << 7);
  return r;
}
__WG_SF __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t v) {
  __nv_bfloat162_raw r;
  r.x = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)v).x;
  r.y = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(v >> 8)).x;
  return r;
}

/* The types: constructors round up and saturate. */
struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;
#if __cplusplus >= 201103L
  __nv_fp8_e8m0() = default;
#else
  __host__ __device__ __nv_fp8_e8m0() {}
#endif
  __host__ __device__ explicit __nv_fp8_e8m0(float f) : __x(__nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf)) {}
  __host__ __device__ explicit __nv_fp8_e8m0(double f) : __x(__nv_cvt_double_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf)) {}
  __host__ __device__ explicit __nv_fp8_e8m0(__half h) : __x(__nv_fp8_e8m0(__wg_float(h)).__x) {}
  __host__ __device__ explicit __nv_fp8_e8m0(__nv_bfloat16 h) : __x(__nv_fp8_e8m0(__wg_float(h)).__x) {}
  /* The smallest power that is not below the integer: its logarithm, rounded up. */
#define __WG_FROM(__wg_I)                                                            \
  __host__ __device__ explicit __nv_fp8_e8m0(__wg_I v) {                             \
    unsigned long long m = v < 0 ? 0ull - (unsigned long long)v : (unsigned long long)v;          \
    __x = (__nv_fp8_storage_t)(m <= 1 ? (m != 0 ? 127 : 0) : 127 + 64 - __builtin_clzll(m - 1));   \
  }
  __WG_INTEGERS(__WG_FROM)
#undef __WG_FROM
#if __cplusplus >= 201103L
  __host__ __device__ explicit operator float() const { return __wg_bf16_to(__nv_cvt_e8m0_to_bf16raw(__x).x); }
  __host__ __device__ explicit operator double() const { return (double)(float)*this; }
  __host__ __device__ explicit operator __half() const { return __float2half((float)*this); }
  __host__ __device__ explicit operator __nv_bfloat16() const { return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x)); }
  __host__ __device__ explicit operator bool() const { return true; }
#define __WG_TO(__wg_I) \
  __host__ __device__ explicit operator __wg_I() const { return __wg_integer<__wg_I>((float)*this, __WG_RZ); }
  __WG_CHARS(__WG_TO)
  __WG_INTEGERS(__WG_TO)
#undef __WG_TO
#endif
};

#define __WG_PAIR(__wg_V) \
  __host__ __device__ explicit __nv_fp8x2_e8m0(__wg_V v)                             \
      : __x((__nv_fp8x2_storage_t)(__nv_fp8_e8m0(v.x).__x | __nv_fp8_e8m0(v.y).__x << 8)) {}
struct __align__(2) __nv_fp8x2_e8m0 {
  __nv_fp8x2_storage_t __x;
#if __cplusplus >= 201103L
  __nv_fp8x2_e8m0() = default;
#else
  __host__ __device__ __nv_fp8x2_e8m0() {}
#endif
  __WG_PAIR(float2)
  __WG_PAIR(double2)
  __WG_PAIR(__half2)
  __WG_PAIR(__nv_bfloat162)
#if __cplusplus >= 201103L
  __host__ __device__ explicit operator __nv_bfloat162() const { return __nv_bfloat162(__nv_cvt_e8m0x2_to_bf162raw(__x)); }
  __host__ __device__ explicit operator float2() const {
    __nv_bfloat162_raw r = __nv_cvt_e8m0x2_to_bf162raw(__x);
    return make_float2(__wg_bf16_to(r.x), __wg_bf16_to(r.y));
  }
#endif
};
#undef __WG_PAIR

#define __WG_FOUR(__wg_V, __wg_H, __wg_MAKE)                                         \
  __host__ __device__ explicit __nv_fp8x4_e8m0(__wg_V v)                             \
      : __x((unsigned)__nv_fp8x2_e8m0(__wg_MAKE(v.x, v.y)).__x | (unsigned)__nv_fp8x2_e8m0(__wg_MAKE(v.z, v.w)).__x << 16) {}
struct __align__(4) __nv_fp8x4_e8m0 {
  __nv_fp8x4_storage_t __x;
#if __cplusplus >= 201103L
  __nv_fp8x4_e8m0() = default;
#else
  __host__ __device__ __nv_fp8x4_e8m0() {}
#endif
  __WG_FOUR(float4, float2, make_float2)
  __WG_FOUR(double4, double2, make_double2)
#if __cplusplus >= 201103L
  __host__ __device__ explicit operator float4() const {
    __nv_bfloat162_raw a = __nv_cvt_e8m0x2_to_bf162raw((__nv_fp8x2_storage_t)__x), b = __nv_cvt_e8m0x2_to_bf162raw((__nv_fp8x2_storage_t)(__x >> 16));
    return make_float4(__wg_bf16_to(a.x), __wg_bf16_to(a.y), __wg_bf16_to(b.x), __wg_bf16_to(b.y));
  }
#endif
};
#undef __WG_FOUR

#endif
