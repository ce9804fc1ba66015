/* Conversion between float and floating-point formats of 16 bits, for host
 * and device. */
#ifndef __WARPGRIND_SMALL_FLOAT_H__
#define __WARPGRIND_SMALL_FLOAT_H__

#define __WG_SF static __inline__ __host__ __device__ __attribute__((always_inline, unused))

/* f in a format of ebits exponent and mbits fraction bits. mode: 0 nearest
 * even, 1 towards zero, 2 down, 3 up. A NaN becomes the canonical one. */
__WG_SF unsigned short __wg_narrow(float f, int ebits, int mbits, int mode) {
  unsigned u = __builtin_bit_cast(unsigned, f);
  unsigned sign = u >> 31 << 15, mag = u & 0x7fffffffu;
  int bias = (1 << (ebits - 1)) - 1;
  unsigned inf = ((1u << ebits) - 1) << mbits;
  if (mag > 0x7f800000u) return 0x7fff;
  if (mag == 0x7f800000u) return (unsigned short)(sign | inf);
  int away = mode == 2 ? sign != 0 : mode == 3 ? sign == 0 : 0;
  int e = (int)(mag >> 23) - 127 + bias;
  unsigned frac = mag & 0x7fffffu;
  if (mag >> 23) frac |= 0x800000u;
  else e++;
  int shift = 23 - mbits;
  if (e <= 0) {
    shift += 1 - e;
    e = 0;
  }
  if (shift > 31) shift = 31;
  unsigned q = frac >> shift, rest = frac & ((1u << shift) - 1), half = 1u << (shift - 1);
  if (mode == 0 ? rest > half || (rest == half && (q & 1)) : away && rest != 0) q++;
  unsigned r = e > 0 ? ((unsigned)(e - 1) << mbits) + q : q;
  if (r >= inf) r = mode == 0 || away ? inf : inf - 1;
  return (unsigned short)(sign | r);
}

/* The float with the value of h. */
__WG_SF float __wg_widen(unsigned short h, int ebits, int mbits) {
  unsigned sign = (unsigned)(h >> 15) << 31, e = h >> mbits & ((1u << ebits) - 1), m = h & ((1u << mbits) - 1);
  unsigned bias = (1u << (ebits - 1)) - 1;
  if (e == (1u << ebits) - 1) return __builtin_bit_cast(float, sign | 0x7f800000u | m << (23 - mbits));
  if (e == 0) {
    float v = (float)m * __builtin_bit_cast(float, (127 - (bias - 1) - mbits) << 23);
    return sign ? -v : v;
  }
  return __builtin_bit_cast(float, sign | (e + 127 - bias) << 23 | m << (23 - mbits));
}

#endif
