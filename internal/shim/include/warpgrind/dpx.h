/* Maxima, minima and sums of two and three integers, for dynamic programming
 * ("CUDA C++ Programming Guide", "Dynamic Programming eXtension (DPX)
 * Instructions"), on both sides, and functions of early CUDA versions. */
#ifndef __WARPGRIND_DPX_H__
#define __WARPGRIND_DPX_H__

#define __WG_X static __inline__ __host__ __device__ __attribute__((unused))

/* Word by word, and two 16-bit halves of a word, which wrap around. */
template <class __wg_T> __WG_X __wg_T __wg_max(__wg_T a, __wg_T b) { return a > b ? a : b; }
template <class __wg_T> __WG_X __wg_T __wg_min(__wg_T a, __wg_T b) { return a < b ? a : b; }
template <class __wg_T> __WG_X __wg_T __wg_relu(__wg_T a) { return a > __wg_T(0) ? a : __wg_T(0); }
__WG_X int __wg_add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
__WG_X unsigned __wg_add(unsigned a, unsigned b) { return a + b; }
__WG_X short __wg_add(short a, short b) { return (short)(a + b); }
__WG_X unsigned short __wg_add(unsigned short a, unsigned short b) { return (unsigned short)(a + b); }

#define __WG_X2(lo, hi) ((unsigned)(unsigned short)(lo) | (unsigned)(unsigned short)(hi) << 16)

#define __WG_DPX3(name, __wg_S, __wg_T, __wg_H, f)                                                              \
  __WG_X __wg_T name##_##__wg_S##32(__wg_T a, __wg_T b, __wg_T c) { return f(a, b, c); }                        \
  __WG_X unsigned name##_##__wg_S##16x2(unsigned a, unsigned b, unsigned c) {                                   \
    return __WG_X2(f((__wg_H)a, (__wg_H)b, (__wg_H)c), f((__wg_H)(a >> 16), (__wg_H)(b >> 16), (__wg_H)(c >> 16)));                           \
  }
#define __WG_R2(f)                                                                                              \
  template <class __wg_T> __WG_X __wg_T __wg_##f##_relu(__wg_T a, __wg_T b) { return __wg_relu(__wg_##f(a, b)); }                   \
  template <class __wg_T> __WG_X __wg_T __wg_##f##3(__wg_T a, __wg_T b, __wg_T c) { return __wg_##f(__wg_##f(a, b), c); }                \
  template <class __wg_T> __WG_X __wg_T __wg_##f##3_relu(__wg_T a, __wg_T b, __wg_T c) { return __wg_relu(__wg_##f##3(a, b, c)); }       \
  template <class __wg_T> __WG_X __wg_T __wg_add##f(__wg_T a, __wg_T b, __wg_T c) { return __wg_##f(__wg_add(a, b), c); }                \
  template <class __wg_T> __WG_X __wg_T __wg_add##f##_relu(__wg_T a, __wg_T b, __wg_T c) { return __wg_relu(__wg_add##f(a, b, c)); }
__WG_R2(max)
__WG_R2(min)
#undef __WG_R2

#define __WG_DPX(f)                                                                                             \
  __WG_DPX3(__vi##f##3, s, int, short, __wg_##f##3)                                                             \
  __WG_DPX3(__vi##f##3, u, unsigned, unsigned short, __wg_##f##3)                                               \
  __WG_DPX3(__viadd##f, s, int, short, __wg_add##f)                                                             \
  __WG_DPX3(__viadd##f, u, unsigned, unsigned short, __wg_add##f)                                               \
  __WG_X int __vi##f##_s32_relu(int a, int b) { return __wg_##f##_relu(a, b); }                                 \
  __WG_X unsigned __vi##f##_s16x2_relu(unsigned a, unsigned b) {                                                \
    return __WG_X2(__wg_##f##_relu((short)a, (short)b), __wg_##f##_relu((short)(a >> 16), (short)(b >> 16)));   \
  }                                                                                                             \
  __WG_X int __vi##f##3_s32_relu(int a, int b, int c) { return __wg_##f##3_relu(a, b, c); }                     \
  __WG_X unsigned __vi##f##3_s16x2_relu(unsigned a, unsigned b, unsigned c) {                                   \
    return __WG_X2(__wg_##f##3_relu((short)a, (short)b, (short)c),                                              \
                   __wg_##f##3_relu((short)(a >> 16), (short)(b >> 16), (short)(c >> 16)));                     \
  }                                                                                                             \
  __WG_X int __viadd##f##_s32_relu(int a, int b, int c) { return __wg_add##f##_relu(a, b, c); }                 \
  __WG_X unsigned __viadd##f##_s16x2_relu(unsigned a, unsigned b, unsigned c) {                                 \
    return __WG_X2(__wg_add##f##_relu((short)a, (short)b, (short)c),                                            \
                   __wg_add##f##_relu((short)(a >> 16), (short)(b >> 16), (short)(c >> 16)));                   \
  }
__WG_DPX(max)
__WG_DPX(min)
#undef __WG_DPX

/* These also say whether the first was taken. */
#define __WG_DPXB(f, op)                                                                                        \
  __WG_X int __vib##f##_s32(int a, int b, bool *pred) { return (*pred = a op b) ? a : b; }                      \
  __WG_X unsigned __vib##f##_u32(unsigned a, unsigned b, bool *pred) { return (*pred = a op b) ? a : b; }       \
  __WG_X unsigned __vib##f##_s16x2(unsigned a, unsigned b, bool *hi, bool *lo) {                                \
    *hi = (short)(a >> 16) op (short)(b >> 16);                                                                 \
    *lo = (short)a op (short)b;                                                                                 \
    return ((*hi ? a : b) & 0xffff0000u) | ((*lo ? a : b) & 0xffffu);                                           \
  }                                                                                                             \
  __WG_X unsigned __vib##f##_u16x2(unsigned a, unsigned b, bool *hi, bool *lo) {                                \
    *hi = (a >> 16) op (b >> 16);                                                                               \
    *lo = (unsigned short)a op (unsigned short)b;                                                               \
    return ((*hi ? a : b) & 0xffff0000u) | ((*lo ? a : b) & 0xffffu);                                           \
  }
__WG_DPXB(max, >=)
__WG_DPXB(min, <=)
#undef __WG_DPXB
#undef __WG_DPX3
#undef __WG_X2
#undef __WG_X

/* Templates, so that a program may have functions of these names. */
#define __WG_OLD template <class = void> static __inline__ __device__
__WG_OLD int mul24(int a, int b) { return __mul24(a, b); }
__WG_OLD unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }
__WG_OLD int mulhi(int a, int b) { return __mulhi(a, b); }
__WG_OLD unsigned umulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
__WG_OLD long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
__WG_OLD unsigned long long umul64hi(unsigned long long a, unsigned long long b) { return __umul64hi(a, b); }
__WG_OLD int float_as_int(float a) { return __float_as_int(a); }
__WG_OLD float int_as_float(int a) { return __int_as_float(a); }
__WG_OLD float saturate(float a) { return __saturatef(a); }
__WG_OLD unsigned usad(unsigned a, unsigned b, unsigned c) { return __usad(a, b, c); }
#define __WG_ROUNDED(__to, __name, __from, __f, __default)                                                      \
  __WG_OLD __to __name(__from a, enum cudaRoundMode mode = __default) {                                         \
    return mode == cudaRoundNearest ? __f##_rn(a)                                                               \
           : mode == cudaRoundPosInf ? __f##_ru(a) : mode == cudaRoundMinInf ? __f##_rd(a) : __f##_rz(a);       \
  }
__WG_ROUNDED(int, float2int, float, __float2int, cudaRoundZero)
__WG_ROUNDED(unsigned, float2uint, float, __float2uint, cudaRoundZero)
__WG_ROUNDED(float, int2float, int, __int2float, cudaRoundNearest)
__WG_ROUNDED(float, uint2float, unsigned, __uint2float, cudaRoundNearest)
#undef __WG_ROUNDED
#undef __WG_OLD

#endif
