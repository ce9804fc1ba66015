/* A 16-bit floating-point type, its pair, and their functions. Included once
 * for half and once for bfloat16, with these macros:
 *   __WG_T, __WG_T2           the type and the pair
 *   __WG_RAW, __WG_RAW2       the structs of bits
 *   __WG_KIND                 the format, for small_float.h
 *   __WG_NEAR, __WG_WIDEN     float to bits, to nearest, and back
 *   __WG_FUSED                a * b + c of bits
 *   __WG_NAME(a, b)           a name with the type's name in the middle
 *   __WG_NATIVE               whether _Float16 is the type on this target
 *   __WG_CONVERTS             whether the type converts to and from built-in types
 *   __WG_OPERATES             whether it has operators
 *   __WG_OPERATES2            whether the pair has operators
 * A program leaves these out by macros such as __CUDA_NO_HALF_CONVERSIONS__,
 * so nothing here uses them. */

struct __align__(2) __WG_T {
  unsigned short __x;
#if __cplusplus >= 201103L
  __WG_T() = default;
#else
  __host__ __device__ __WG_T() {}
#endif
  __host__ __device__ __WG_T(const __WG_RAW &r) : __x(r.x) {}
#if __WG_CONVERTS
  __host__ __device__ __WG_T(float f) : __x(__WG_NEAR(f)) {}
#define __WG_FROM(__wg_I) \
  __host__ __device__ __WG_T(__wg_I v) : __x((unsigned short)__wg_narrow(v, __WG_KIND, __WG_RN, false)) {}
  __WG_FROM(double)
  __WG_FROM(short)
  __WG_FROM(unsigned short)
  __WG_FROM(int)
  __WG_FROM(unsigned int)
  __WG_FROM(long)
  __WG_FROM(unsigned long)
  __WG_FROM(long long)
  __WG_FROM(unsigned long long)
#undef __WG_FROM
#endif
  __host__ __device__ operator __WG_RAW() const {
    __WG_RAW r;
    r.x = __x;
    return r;
  }
  /* A volatile value is copied through its bits. */
  __host__ __device__ operator __WG_RAW() const volatile {
    __WG_RAW r;
    r.x = __x;
    return r;
  }
  __host__ __device__ __WG_T &operator=(const __WG_RAW &r) {
    __x = r.x;
    return *this;
  }
  __host__ __device__ __WG_T &operator=(const volatile __WG_RAW &r) {
    __x = r.x;
    return *this;
  }
  __host__ __device__ volatile __WG_T &operator=(const __WG_RAW &r) volatile {
    __x = r.x;
    return *this;
  }
  __host__ __device__ volatile __WG_T &operator=(const volatile __WG_RAW &r) volatile {
    __x = r.x;
    return *this;
  }
#if __WG_CONVERTS
  __host__ __device__ operator float() const { return __WG_WIDEN(__x); }
#if __cplusplus >= 201103L
  __host__ __device__ explicit operator bool() const { return (__x & 0x7fff) != 0; }
#define __WG_TO(__wg_I) __host__ __device__ explicit operator __wg_I() const { return __wg_integer<__wg_I>(__WG_WIDEN(__x), __WG_RZ); }
  __WG_TO(char)
  __WG_TO(signed char)
  __WG_TO(unsigned char)
  __WG_TO(short)
  __WG_TO(unsigned short)
  __WG_TO(int)
  __WG_TO(unsigned int)
  __WG_TO(long)
  __WG_TO(unsigned long)
  __WG_TO(long long)
  __WG_TO(unsigned long long)
#undef __WG_TO
#endif
#define __WG_SET(__wg_I) \
  __host__ __device__ __WG_T &operator=(__wg_I v) { return *this = __WG_T(v); }
  __WG_SET(float)
  __WG_SET(double)
  __WG_SET(short)
  __WG_SET(unsigned short)
  __WG_SET(int)
  __WG_SET(unsigned int)
  __WG_SET(long long)
  __WG_SET(unsigned long long)
#undef __WG_SET
#endif
};

struct __align__(4) __WG_T2 {
  __WG_T x, y;
#if __cplusplus >= 201103L
  __WG_T2() = default;
#else
  __host__ __device__ __WG_T2() {}
#endif
  __host__ __device__ __WG_T2(const __WG_T &a, const __WG_T &b) : x(a), y(b) {}
  __host__ __device__ __WG_T2(const __WG_RAW2 &r) {
    x.__x = r.x;
    y.__x = r.y;
  }
  __host__ __device__ operator __WG_RAW2() const {
    __WG_RAW2 r;
    r.x = x.__x;
    r.y = y.__x;
    return r;
  }
};

__WG_SF __WG_T2 __WG_MADE(__WG_T x, __WG_T y) { return __WG_T2(x, y); }

/* Bits. */
__WG_SF __WG_T __WG_NAME(__ushort_as_, )(unsigned short v) {
  __WG_T r;
  r.__x = v;
  return r;
}
__WG_SF __WG_T __WG_NAME(__short_as_, )(short v) { return __WG_NAME(__ushort_as_, )((unsigned short)v); }
__WG_SF unsigned short __WG_NAME(__, _as_ushort)(__WG_T v) { return v.__x; }
__WG_SF short __WG_NAME(__, _as_short)(__WG_T v) { return (short)v.__x; }

/* Conversions. */
__WG_SF float __wg_float(__WG_T v) { return __WG_WIDEN(v.__x); }
__WG_SF __WG_T __WG_NAME(__wg_to_, )(float f) { return __WG_NAME(__ushort_as_, )(__WG_NEAR(f)); }
__WG_SF __WG_T __WG_NAME(__wg_to_, )(double d) {
  return __WG_NAME(__ushort_as_, )((unsigned short)__wg_narrow(d, __WG_KIND, __WG_RN, false));
}
#define __WG_OF(e) __WG_NAME(__wg_to_, )(e)
__WG_SF float __WG_NAME(__, 2float)(__WG_T v) { return __wg_float(v); }
__WG_SF __WG_T __WG_NAME(__float2, )(float f) { return __WG_OF(f); }
__WG_SF __WG_T __WG_NAME(__double2, )(double f) { return __WG_OF(f); }
#define __WG_ROUND(name, __wg_I, sfx, mode)                                          \
  __WG_SF __WG_T __WG_NAME(__##name##2, sfx)(__wg_I v) {                             \
    return __WG_NAME(__ushort_as_, )((unsigned short)__wg_narrow(v, __WG_KIND, mode, false));          \
  }
__WG_SF __WG_T __WG_NAME(__float2, _rn)(float f) { return __WG_OF(f); }
__WG_ROUND(float, float, _rz, __WG_RZ)
__WG_ROUND(float, float, _rd, __WG_RD)
__WG_ROUND(float, float, _ru, __WG_RU)

#define __WG_INT(__wg_I, name)                                                       \
  __WG_SF __wg_I __WG_NAME(__, 2##name##_rz)(__WG_T v) { return __wg_integer<__wg_I>(__wg_float(v), __WG_RZ); }  \
  __WG_SF __wg_I __WG_NAME(__, 2##name##_rn)(__WG_T v) { return __wg_integer<__wg_I>(__wg_float(v), __WG_RN); }  \
  __WG_SF __wg_I __WG_NAME(__, 2##name##_rd)(__WG_T v) { return __wg_integer<__wg_I>(__wg_float(v), __WG_RD); }  \
  __WG_SF __wg_I __WG_NAME(__, 2##name##_ru)(__WG_T v) { return __wg_integer<__wg_I>(__wg_float(v), __WG_RU); }  \
  __WG_ROUND(name, __wg_I, _rn, __WG_RN)                                             \
  __WG_ROUND(name, __wg_I, _rz, __WG_RZ)                                             \
  __WG_ROUND(name, __wg_I, _rd, __WG_RD)                                             \
  __WG_ROUND(name, __wg_I, _ru, __WG_RU)
__WG_INT(int, int)
__WG_INT(unsigned int, uint)
__WG_INT(short, short)
__WG_INT(unsigned short, ushort)
__WG_INT(long long, ll)
__WG_INT(unsigned long long, ull)
#undef __WG_INT
#undef __WG_ROUND
__WG_SF signed char __WG_NAME(__, 2char_rz)(__WG_T v) { return __wg_integer<signed char>(__wg_float(v), __WG_RZ); }
__WG_SF unsigned char __WG_NAME(__, 2uchar_rz)(__WG_T v) { return __wg_integer<unsigned char>(__wg_float(v), __WG_RZ); }

/* Pairs. */
__WG_SF __WG_T2 __WG_NAME2(__float2, _rn)(float f) { return __WG_T2(__WG_OF(f), __WG_OF(f)); }
__WG_SF __WG_T2 __WG_NAME2(__floats2, _rn)(float a, float b) { return __WG_T2(__WG_OF(a), __WG_OF(b)); }
__WG_SF __WG_T2 __WG_NAME2(__halves2, )(__WG_T a, __WG_T b) { return __WG_T2(a, b); }
__WG_SF float __low2float(__WG_T2 a) { return __wg_float(a.x); }
__WG_SF float __high2float(__WG_T2 a) { return __wg_float(a.y); }
__WG_SF __WG_T __WG_NAME(__low2, )(__WG_T2 a) { return a.x; }
__WG_SF __WG_T __WG_NAME(__high2, )(__WG_T2 a) { return a.y; }
__WG_SF __WG_T2 __WG_NAME2(__low2, )(__WG_T2 a) { return __WG_T2(a.x, a.x); }
__WG_SF __WG_T2 __WG_NAME2(__high2, )(__WG_T2 a) { return __WG_T2(a.y, a.y); }
__WG_SF __WG_T2 __WG_NAME2(__lows2, )(__WG_T2 a, __WG_T2 b) { return __WG_T2(a.x, b.x); }
__WG_SF __WG_T2 __WG_NAME2(__highs2, )(__WG_T2 a, __WG_T2 b) { return __WG_T2(a.y, b.y); }
__WG_SF __WG_T2 __lowhigh2highlow(__WG_T2 a) { return __WG_T2(a.y, a.x); }

/* Arithmetic. What ends in _rn is never made part of a fused multiply-add. */
#if __WG_NATIVE
#define __WG_N(v) __builtin_bit_cast(_Float16, (v).__x)
#define __WG_B(e) __WG_NAME(__ushort_as_, )(__builtin_bit_cast(unsigned short, (_Float16)(e)))
#define __WG_ALONE(name, op, ptx)                                                    \
  __WG_SF __WG_T name##_rn(__WG_T a, __WG_T b) {                                     \
    __WG_T r;                                                                        \
    asm(ptx ".rn.f16 %0, %1, %2;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x));           \
    return r;                                                                        \
  }
#else
#define __WG_N(v) ((double)__wg_float(v))
#define __WG_B(e) __WG_OF((double)(e))
#define __WG_ALONE(name, op, ptx) \
  __WG_SF __WG_T name##_rn(__WG_T a, __WG_T b) { return name(a, b); }
#endif
#define __WG_BIN(name, op, ptx)                                                      \
  __WG_SF __WG_T name(__WG_T a, __WG_T b) { return __WG_B(__WG_N(a) op __WG_N(b)); } \
  __WG_ALONE(name, op, ptx)                                                          \
  __WG_SF __WG_T2 name##2(__WG_T2 a, __WG_T2 b) { return __WG_T2(name(a.x, b.x), name(a.y, b.y)); }  \
  __WG_SF __WG_T2 name##2_rn(__WG_T2 a, __WG_T2 b) { return __WG_T2(name##_rn(a.x, b.x), name##_rn(a.y, b.y)); }  \
  __WG_SF __WG_T name##_sat(__WG_T a, __WG_T b) { return __wg_sat(name(a, b)); }     \
  __WG_SF __WG_T2 name##2_sat(__WG_T2 a, __WG_T2 b) { return __WG_T2(__wg_sat(name(a.x, b.x)), __wg_sat(name(a.y, b.y))); }
__WG_SF __WG_T __wg_sat(__WG_T a) {
  float f = __wg_float(a);
  return __WG_OF(f > 0 ? (f < 1 ? f : 1.0f) : 0.0f);
}
__WG_BIN(__hadd, +, "add")
__WG_BIN(__hsub, -, "sub")
__WG_BIN(__hmul, *, "mul")
#undef __WG_BIN
#undef __WG_ALONE
__WG_SF __WG_T __hdiv(__WG_T a, __WG_T b) { return __WG_OF((double)__wg_float(a) / (double)__wg_float(b)); }
__WG_SF __WG_T2 __h2div(__WG_T2 a, __WG_T2 b) { return __WG_T2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
__WG_SF __WG_T __hfma(__WG_T a, __WG_T b, __WG_T c) {
  return __WG_NAME(__ushort_as_, )(__WG_FUSED(a.__x, b.__x, c.__x));
}
__WG_SF __WG_T2 __hfma2(__WG_T2 a, __WG_T2 b, __WG_T2 c) {
  return __WG_T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
__WG_SF __WG_T __hfma_sat(__WG_T a, __WG_T b, __WG_T c) { return __wg_sat(__hfma(a, b, c)); }
__WG_SF __WG_T2 __hfma2_sat(__WG_T2 a, __WG_T2 b, __WG_T2 c) {
  return __WG_T2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
__WG_SF __WG_T __hfma_relu(__WG_T a, __WG_T b, __WG_T c) {
  __WG_T r = __hfma(a, b, c);
  return __wg_float(r) > 0 || __wg_float(r) != __wg_float(r) ? r : __WG_OF(0.0f);
}
__WG_SF __WG_T2 __hfma2_relu(__WG_T2 a, __WG_T2 b, __WG_T2 c) {
  return __WG_T2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
__WG_SF __WG_T __hneg(__WG_T a) { return __WG_NAME(__ushort_as_, )((unsigned short)(a.__x ^ 0x8000)); }
__WG_SF __WG_T __habs(__WG_T a) { return __WG_NAME(__ushort_as_, )((unsigned short)(a.__x & 0x7fff)); }
__WG_SF __WG_T2 __hneg2(__WG_T2 a) { return __WG_T2(__hneg(a.x), __hneg(a.y)); }
__WG_SF __WG_T2 __habs2(__WG_T2 a) { return __WG_T2(__habs(a.x), __habs(a.y)); }
/* a * b + c of complex numbers, whose imaginary parts are the upper halves. */
__WG_SF __WG_T2 __hcmadd(__WG_T2 a, __WG_T2 b, __WG_T2 c) {
  return __WG_T2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

/* Comparisons: ordered, and those with u true if one is a NaN. */
__WG_SF bool __hisnan(__WG_T a) { return __wg_float(a) != __wg_float(a); }
__WG_SF int __hisinf(__WG_T a) { return __builtin_isinf(__wg_float(a)) ? ((a.__x >> 15) ? -1 : 1) : 0; }
__WG_SF __WG_T2 __hisnan2(__WG_T2 a) { return __WG_T2(__WG_OF((float)__hisnan(a.x)), __WG_OF((float)__hisnan(a.y))); }
#define __WG_CMP(name, op)                                                           \
  __WG_SF bool __h##name(__WG_T a, __WG_T b) { return !__hisnan(a) && !__hisnan(b) && __WG_N(a) op __WG_N(b); }   \
  __WG_SF bool __h##name##u(__WG_T a, __WG_T b) { return __hisnan(a) || __hisnan(b) || __WG_N(a) op __WG_N(b); }  \
  __WG_SF __WG_T2 __h##name##2(__WG_T2 a, __WG_T2 b) {                               \
    return __WG_T2(__WG_OF((float)__h##name(a.x, b.x)), __WG_OF((float)__h##name(a.y, b.y)));  \
  }                                                                                  \
  __WG_SF __WG_T2 __h##name##u2(__WG_T2 a, __WG_T2 b) {                              \
    return __WG_T2(__WG_OF((float)__h##name##u(a.x, b.x)), __WG_OF((float)__h##name##u(a.y, b.y)));  \
  }                                                                                  \
  __WG_SF unsigned __h##name##2_mask(__WG_T2 a, __WG_T2 b) {                         \
    return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);  \
  }                                                                                  \
  __WG_SF unsigned __h##name##u2_mask(__WG_T2 a, __WG_T2 b) {                        \
    return (__h##name##u(a.x, b.x) ? 0xffffu : 0) | (__h##name##u(a.y, b.y) ? 0xffff0000u : 0);  \
  }                                                                                  \
  __WG_SF bool __hb##name##2(__WG_T2 a, __WG_T2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }  \
  __WG_SF bool __hb##name##u2(__WG_T2 a, __WG_T2 b) { return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y); }
__WG_CMP(eq, ==)
__WG_CMP(lt, <)
__WG_CMP(le, <=)
__WG_CMP(gt, >)
__WG_CMP(ge, >=)
__WG_CMP(ne, !=)
#undef __WG_CMP
/* The larger and the smaller one: of a number and a NaN the number, or with
 * _nan the NaN; -0 is smaller than +0. */
__WG_SF __WG_T __WG_NAME(__wg_, _nan)(void) { return __WG_NAME(__ushort_as_, )(0x7fff); }
__WG_SF __WG_T __hmax(__WG_T a, __WG_T b) {
  if (__hisnan(a)) return __hisnan(b) ? __WG_NAME(__wg_, _nan)() : b;
  if (__heq(a, b)) return (a.__x >> 15) ? b : a;
  return __hlt(a, b) ? b : a;
}
__WG_SF __WG_T __hmin(__WG_T a, __WG_T b) {
  if (__hisnan(a)) return __hisnan(b) ? __WG_NAME(__wg_, _nan)() : b;
  if (__heq(a, b)) return (a.__x >> 15) ? a : b;
  return __hgt(a, b) ? b : a;
}
__WG_SF __WG_T __hmax_nan(__WG_T a, __WG_T b) { return __hisnan(a) || __hisnan(b) ? __WG_NAME(__wg_, _nan)() : __hmax(a, b); }
__WG_SF __WG_T __hmin_nan(__WG_T a, __WG_T b) { return __hisnan(a) || __hisnan(b) ? __WG_NAME(__wg_, _nan)() : __hmin(a, b); }
__WG_SF __WG_T2 __hmax2(__WG_T2 a, __WG_T2 b) { return __WG_T2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
__WG_SF __WG_T2 __hmin2(__WG_T2 a, __WG_T2 b) { return __WG_T2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
__WG_SF __WG_T2 __hmax2_nan(__WG_T2 a, __WG_T2 b) { return __WG_T2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)); }
__WG_SF __WG_T2 __hmin2_nan(__WG_T2 a, __WG_T2 b) { return __WG_T2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)); }

/* Operators. The built-in types on one side convert to the other's type. */
#define __WG_OP(__wg_V, op, name)                                                    \
  __WG_SF __wg_V operator op(const __wg_V &a, const __wg_V &b) { return name(a, b); }          \
  __WG_SF __wg_V &operator op##=(__wg_V &a, const __wg_V &b) { return a = name(a, b); }
#define __WG_REL(__wg_V, op, name) \
  __WG_SF bool operator op(const __wg_V &a, const __wg_V &b) { return name(a, b); }
#if __WG_OPERATES
__WG_OP(__WG_T, +, __hadd)
__WG_OP(__WG_T, -, __hsub)
__WG_OP(__WG_T, *, __hmul)
__WG_OP(__WG_T, /, __hdiv)
__WG_REL(__WG_T, ==, __heq)
__WG_REL(__WG_T, <, __hlt)
__WG_REL(__WG_T, <=, __hle)
__WG_REL(__WG_T, >, __hgt)
__WG_REL(__WG_T, >=, __hge)
__WG_REL(__WG_T, !=, __hneu)
__WG_SF __WG_T operator-(const __WG_T &a) { return __hneg(a); }
__WG_SF __WG_T operator+(const __WG_T &a) { return a; }
__WG_SF __WG_T &operator++(__WG_T &a) { return a = __hadd(a, __WG_OF(1.0f)); }
__WG_SF __WG_T &operator--(__WG_T &a) { return a = __hsub(a, __WG_OF(1.0f)); }
__WG_SF __WG_T operator++(__WG_T &a, int) {
  __WG_T r = a;
  ++a;
  return r;
}
__WG_SF __WG_T operator--(__WG_T &a, int) {
  __WG_T r = a;
  --a;
  return r;
}
#endif
#if __WG_OPERATES2
__WG_OP(__WG_T2, +, __hadd2)
__WG_OP(__WG_T2, -, __hsub2)
__WG_OP(__WG_T2, *, __hmul2)
__WG_OP(__WG_T2, /, __h2div)
__WG_REL(__WG_T2, ==, __hbeq2)
__WG_REL(__WG_T2, <, __hblt2)
__WG_REL(__WG_T2, <=, __hble2)
__WG_REL(__WG_T2, >, __hbgt2)
__WG_REL(__WG_T2, >=, __hbge2)
__WG_REL(__WG_T2, !=, !__hbeq2)
__WG_SF __WG_T2 operator-(const __WG_T2 &a) { return __hneg2(a); }
__WG_SF __WG_T2 operator+(const __WG_T2 &a) { return a; }
#endif
#undef __WG_OP
#undef __WG_REL

#if defined(__CUDA__) && defined(__clang__)
/* Device only: mathematics, warp shuffles, cached loads, atomics. */
#define __WG_D static __device__ __forceinline__ __attribute__((unused))
#define __WG_FUN(name, f)                                                            \
  __WG_D __WG_T h##name(__WG_T a) { return __WG_OF(f(__wg_float(a))); }                    \
  __WG_D __WG_T2 h2##name(__WG_T2 a) { return __WG_T2(h##name(a.x), h##name(a.y)); }
__WG_FUN(sqrt, ::sqrtf)
__WG_FUN(rsqrt, ::rsqrtf)
__WG_FUN(exp, ::expf)
__WG_FUN(exp2, ::exp2f)
__WG_FUN(exp10, ::exp10f)
__WG_FUN(log, ::logf)
__WG_FUN(log2, ::log2f)
__WG_FUN(log10, ::log10f)
__WG_FUN(sin, ::sinf)
__WG_FUN(cos, ::cosf)
__WG_FUN(tanh, ::tanhf)
__WG_FUN(ceil, ::ceilf)
__WG_FUN(floor, ::floorf)
__WG_FUN(rint, ::rintf)
__WG_FUN(trunc, ::truncf)
__WG_FUN(rcp, 1.0 / (double))
__WG_FUN(tanh_approx, ::tanhf)
#undef __WG_FUN

#define __WG_SHUFFLE(name, __wg_L)                                                   \
  __WG_D __WG_T name(unsigned mask, __WG_T v, __wg_L lane, int width = 32) {         \
    return __WG_NAME(__ushort_as_, )((unsigned short)name(mask, (unsigned)v.__x, lane, width));  \
  }                                                                                  \
  __WG_D __WG_T2 name(unsigned mask, __WG_T2 v, __wg_L lane, int width = 32) {       \
    return __builtin_bit_cast(__WG_T2, name(mask, __builtin_bit_cast(unsigned, v), lane, width));  \
  }
__WG_SHUFFLE(__shfl_sync, int)
__WG_SHUFFLE(__shfl_up_sync, unsigned int)
__WG_SHUFFLE(__shfl_down_sync, unsigned int)
__WG_SHUFFLE(__shfl_xor_sync, int)
#undef __WG_SHUFFLE

#define __WG_LOAD(name)                                                              \
  __WG_D __WG_T name(const __WG_T *p) { return __WG_NAME(__ushort_as_, )(name((const unsigned short *)p)); }  \
  __WG_D __WG_T2 name(const __WG_T2 *p) { return __builtin_bit_cast(__WG_T2, name((const unsigned *)p)); }
__WG_LOAD(__ldg)
__WG_LOAD(__ldcg)
__WG_LOAD(__ldca)
__WG_LOAD(__ldcs)
__WG_LOAD(__ldlu)
__WG_LOAD(__ldcv)
#undef __WG_LOAD
#define __WG_STORE(name)                                                             \
  __WG_D void name(__WG_T *p, __WG_T v) { name((unsigned short *)p, v.__x); }        \
  __WG_D void name(__WG_T2 *p, __WG_T2 v) { name((unsigned *)p, __builtin_bit_cast(unsigned, v)); }
__WG_STORE(__stwb)
__WG_STORE(__stcg)
__WG_STORE(__stcs)
__WG_STORE(__stwt)
#undef __WG_STORE

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
__WG_D __WG_T atomicAdd(__WG_T *p, __WG_T v) {
  unsigned short *u = (unsigned short *)p, old = *(volatile unsigned short *)u, seen;
  do {
    seen = old;
    old = atomicCAS(u, seen, __hadd(__WG_NAME(__ushort_as_, )(seen), v).__x);
  } while (old != seen);
  return __WG_NAME(__ushort_as_, )(old);
}
#endif
__WG_D __WG_T2 atomicAdd(__WG_T2 *p, __WG_T2 v) {
  unsigned *u = (unsigned *)p, old = *(volatile unsigned *)u, seen;
  do {
    seen = old;
    old = atomicCAS(u, seen, __builtin_bit_cast(unsigned, __hadd2(__builtin_bit_cast(__WG_T2, seen), v)));
  } while (old != seen);
  return __builtin_bit_cast(__WG_T2, old);
}
#undef __WG_D
#endif

#undef __WG_N
#undef __WG_B
#undef __WG_OF
#undef __WG_CONVERTS
#undef __WG_OPERATES
#undef __WG_OPERATES2
