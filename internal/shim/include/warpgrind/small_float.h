/* Conversion to and from floating-point formats of 16 bits and fewer, for host
 * and device: one rounding, by format, source, rounding mode and saturation. */
#ifndef __WARPGRIND_SMALL_FLOAT_H__
#define __WARPGRIND_SMALL_FLOAT_H__

#include <string.h>

#define __WG_SF static __inline__ __host__ __device__ __attribute__((always_inline, unused))

/* A format: bits of the exponent and of the fraction, then three patterns
 * without their sign: the largest finite number, what is beyond it, NaN. */
#define __WG_FORMAT int ebits, int mbits, unsigned largest, unsigned beyond, __attribute__((unused)) unsigned nan
#define __WG_THE_FORMAT ebits, mbits, largest, beyond, nan
#define __WG_F16 5, 10, 0x7bffu, 0x7c00u, 0x7fffu
#define __WG_BF16 8, 7, 0x7f7fu, 0x7f80u, 0x7fffu
#define __WG_E5M2 5, 2, 0x7bu, 0x7cu, 0x7eu
#define __WG_E4M3 4, 3, 0x7eu, 0x7fu, 0x7fu
#define __WG_E3M2 3, 2, 0x1fu, 0x1fu, 0x1fu
#define __WG_E2M3 2, 3, 0x1fu, 0x1fu, 0x1fu
#define __WG_E2M1 2, 1, 0x7u, 0x7u, 0x7u

/* Rounding modes, numbered as in cudaRoundMode. */
#define __WG_RN 0 /* to nearest, ties to even */
#define __WG_RZ 1 /* toward zero */
#define __WG_RU 2 /* up */
#define __WG_RD 3 /* down */

/* mant * 2^exp, negative if sign is 1, in a format. */
__WG_SF unsigned __wg_round(unsigned long long mant, int exp, unsigned sign, __WG_FORMAT, int mode, bool saturate) {
  unsigned minus = sign << (ebits + mbits);
  if (mant == 0) return minus;
  int emin = 2 - (1 << (ebits - 1)), e = 63 - __builtin_clzll(mant) + exp;
  int above = e > emin ? e - emin : 0;
  bool away = mode == __WG_RD ? sign != 0 : mode == __WG_RU && sign == 0;
  unsigned r = largest + 1;
  if (above < 1 << ebits) {
    int drop = emin + above - mbits - exp; /* bits below the last place */
    unsigned long long q = 0, rest = 1;    /* the quotient, and the remainder in 64 bits after the point */
    if (drop <= 0) q = mant << -drop, rest = 0;
    else if (drop < 64) q = mant >> drop, rest = mant << (64 - drop);
    else if (drop == 64) rest = mant;
    if (mode == __WG_RN ? rest > 1ull << 63 || (rest == 1ull << 63 && (q & 1)) : away && rest != 0) q++;
    r = (unsigned)q + ((unsigned)above << mbits);
  }
  if (r > largest) r = saturate || (mode != __WG_RN && !away) ? largest : beyond;
  return minus | r;
}

__WG_SF unsigned __wg_of_infinity(unsigned sign, __WG_FORMAT, bool saturate) {
  return sign << (ebits + mbits) | (saturate ? largest : beyond);
}

/* A float, double or integer in a format. A NaN becomes the canonical one. */
__WG_SF unsigned __wg_narrow(float f, __WG_FORMAT, int mode, bool saturate) {
  unsigned u = __builtin_bit_cast(unsigned, f), sign = u >> 31, e = u >> 23 & 0xff, m = u & 0x7fffffu;
  if (e == 0xff) return m != 0 ? nan : __wg_of_infinity(sign, __WG_THE_FORMAT, saturate);
  return __wg_round(e != 0 ? m | 0x800000u : m, (int)(e != 0 ? e : 1) - 150, sign, __WG_THE_FORMAT, mode, saturate);
}
__WG_SF unsigned __wg_narrow(double f, __WG_FORMAT, int mode, bool saturate) {
  unsigned long long u = __builtin_bit_cast(unsigned long long, f), m = u & 0xfffffffffffffull;
  unsigned sign = (unsigned)(u >> 63), e = (unsigned)(u >> 52) & 0x7ff;
  if (e == 0x7ff) return m != 0 ? nan : __wg_of_infinity(sign, __WG_THE_FORMAT, saturate);
  return __wg_round(e != 0 ? m | 1ull << 52 : m, (int)(e != 0 ? e : 1) - 1075, sign, __WG_THE_FORMAT, mode, saturate);
}
__WG_SF unsigned __wg_narrow(unsigned long long v, __WG_FORMAT, int mode, bool saturate) {
  return __wg_round(v, 0, 0, __WG_THE_FORMAT, mode, saturate);
}
__WG_SF unsigned __wg_narrow(long long v, __WG_FORMAT, int mode, bool saturate) {
  return __wg_round(v < 0 ? 0ull - (unsigned long long)v : (unsigned long long)v, 0, v < 0, __WG_THE_FORMAT, mode, saturate);
}
#define __WG_WIDER(__wg_I, __wg_W)                                                   \
  __WG_SF unsigned __wg_narrow(__wg_I v, __WG_FORMAT, int mode, bool saturate) {     \
    return __wg_narrow((__wg_W)v, __WG_THE_FORMAT, mode, saturate);                  \
  }
__WG_WIDER(short, long long)
__WG_WIDER(int, long long)
__WG_WIDER(long, long long)
__WG_WIDER(unsigned short, unsigned long long)
__WG_WIDER(unsigned int, unsigned long long)
__WG_WIDER(unsigned long, unsigned long long)
#undef __WG_WIDER

/* The float that a pattern stands for: exact. */
__WG_SF float __wg_widen(unsigned v, __WG_FORMAT) {
  unsigned sign = v >> (ebits + mbits) << 31, mag = v & ((1u << (ebits + mbits)) - 1), m = mag & ((1u << mbits) - 1);
  unsigned e = mag >> mbits, bias = (1u << (ebits - 1)) - 1;
  if (mag > largest) {
    if (beyond == nan) return __builtin_bit_cast(float, 0x7fffffffu);
    return __builtin_bit_cast(float, sign | 0x7f800000u | m << (23 - mbits));
  }
  if (e == 0) {
    if (m == 0) return __builtin_bit_cast(float, sign);
    int lead = 31 - __builtin_clz(m), place = lead + 128 - (int)bias - mbits; /* the float's exponent field */
    if (place <= 0) return __builtin_bit_cast(float, sign | m << (23 - mbits)); /* subnormal there, too */
    return __builtin_bit_cast(float, sign | (unsigned)place << 23 | (m << (23 - lead) & 0x7fffffu));
  }
  return __builtin_bit_cast(float, sign | (e + 127 - bias) << 23 | m << (23 - mbits));
}

/* A float as an integer: rounded, limited to the type's range; a NaN is 0, or
 * the top bit in types of 64 bits (PTX ISA, "cvt"). */
template <class __wg_I> __WG_SF __wg_I __wg_integer(float f, int mode) {
  const int bits = (int)sizeof(__wg_I) * 8;
  const bool negative = (__wg_I)-1 < (__wg_I)0;
  const unsigned long long all = ~0ull >> (64 - bits), top = 1ull << (bits - 1);
  const float beyond = (float)top * (negative ? 1.0f : 2.0f);
  float r = mode == __WG_RN   ? __builtin_rintf(f)
            : mode == __WG_RZ ? __builtin_truncf(f)
            : mode == __WG_RD ? __builtin_floorf(f)
                              : __builtin_ceilf(f);
  if (r != r) return bits == 64 ? (__wg_I)top : (__wg_I)0;
  if (r >= beyond) return (__wg_I)(negative ? all >> 1 : all);
  if (negative ? r < -beyond : r < 0) return (__wg_I)(negative ? top : 0);
  return (__wg_I)r;
}

/* a * b + c, rounded to odd: rounded once more to 16 bits it is right. The
 * product is exact, and so is the error of the sum. */
__WG_SF double __wg_fma_odd(float a, float b, float c) {
  double p = (double)a * (double)b, d = (double)c, s = p + d, t = s - p, err = (p - (s - t)) + (d - t);
  unsigned long long u = __builtin_bit_cast(unsigned long long, s);
  if (err == 0 || err != err || (u & 1)) return s;
  return __builtin_bit_cast(double, (err > 0) == (s > 0) ? u + 1 : u - 1);
}

/* What the types are converted from and to: F(type) for each integer type, and for each
 * type of a conversion function ONE(name, type, value of x) or TWO(name, type, name of
 * the conversion of one, first value, second value). */
#define __WG_CHARS(F) F(char) F(signed char) F(unsigned char)
#define __WG_INTEGERS(F) \
  F(short) F(unsigned short) F(int) F(unsigned int) F(long) F(unsigned long) F(long long) F(unsigned long long)
#define __WG_SOURCES(ONE, TWO)                                                       \
  ONE(double, double, x)                                                             \
  ONE(float, float, x)                                                               \
  ONE(halfraw, __half_raw, __wg_half_to(x.x))                                        \
  ONE(bfloat16raw, __nv_bfloat16_raw, __wg_bf16_to(x.x))                             \
  TWO(float2, float2, float, x.x, x.y)                                               \
  TWO(double2, double2, double, x.x, x.y)                                            \
  TWO(halfraw2, __half2_raw, float, __wg_half_to(x.x), __wg_half_to(x.y))            \
  TWO(bfloat16raw2, __nv_bfloat162_raw, float, __wg_bf16_to(x.x), __wg_bf16_to(x.y))

#endif
