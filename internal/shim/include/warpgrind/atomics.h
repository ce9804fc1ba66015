/* Atomic functions ("CUDA C++ Programming Guide", "Atomic Functions"), at
 * device scope, and with _block and _system at the other two. */
#ifndef __WARPGRIND_ATOMICS_H__
#define __WARPGRIND_ATOMICS_H__

#define __WG_RMW(name, __wg_T, builtin)                                              \
  __WG_FN __wg_T name(__wg_T *p, __wg_T v) { return builtin(p, v); }                 \
  __WG_FN __wg_T name##_block(__wg_T *p, __wg_T v) { return builtin##_block(p, v); }                \
  __WG_FN __wg_T name##_system(__wg_T *p, __wg_T v) { return builtin##_system(p, v); }
#define __WG_CAS(__wg_T, builtin)                                                    \
  __WG_FN __wg_T atomicCAS(__wg_T *p, __wg_T c, __wg_T v) { return builtin(p, c, v); }                   \
  __WG_FN __wg_T atomicCAS_block(__wg_T *p, __wg_T c, __wg_T v) { return builtin##_block(p, c, v); }     \
  __WG_FN __wg_T atomicCAS_system(__wg_T *p, __wg_T c, __wg_T v) { return builtin##_system(p, c, v); }
/* An operation on T by way of the same bits in U. */
#define __WG_RMW_AS(name, __wg_T, __wg_U, builtin)                                   \
  __WG_FN __wg_T name(__wg_T *p, __wg_T v) { return (__wg_T)builtin((__wg_U *)p, (__wg_U)v); }                     \
  __WG_FN __wg_T name##_block(__wg_T *p, __wg_T v) { return (__wg_T)builtin##_block((__wg_U *)p, (__wg_U)v); }     \
  __WG_FN __wg_T name##_system(__wg_T *p, __wg_T v) { return (__wg_T)builtin##_system((__wg_U *)p, (__wg_U)v); }
#define __WG_SUB(__wg_T, __wg_U, builtin)                                            \
  __WG_FN __wg_T atomicSub(__wg_T *p, __wg_T v) { return (__wg_T)builtin((__wg_U *)p, (__wg_U)(0 - (__wg_U)v)); }       \
  __WG_FN __wg_T atomicSub_block(__wg_T *p, __wg_T v) { return (__wg_T)builtin##_block((__wg_U *)p, (__wg_U)(0 - (__wg_U)v)); }   \
  __WG_FN __wg_T atomicSub_system(__wg_T *p, __wg_T v) { return (__wg_T)builtin##_system((__wg_U *)p, (__wg_U)(0 - (__wg_U)v)); }

__WG_RMW(atomicAdd, int, __iAtomicAdd)
__WG_RMW(atomicAdd, unsigned int, __uAtomicAdd)
__WG_RMW(atomicAdd, unsigned long long, __ullAtomicAdd)
__WG_RMW(atomicAdd, float, __fAtomicAdd)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
__WG_RMW(atomicAdd, double, __dAtomicAdd)
#endif
__WG_SUB(int, unsigned int, __uAtomicAdd)
__WG_SUB(unsigned int, unsigned int, __uAtomicAdd)
__WG_RMW(atomicExch, int, __iAtomicExch)
__WG_RMW(atomicExch, unsigned int, __uAtomicExch)
__WG_RMW(atomicExch, unsigned long long, __ullAtomicExch)
__WG_RMW(atomicExch, float, __fAtomicExch)
__WG_RMW(atomicMin, int, __iAtomicMin)
__WG_RMW(atomicMin, unsigned int, __uAtomicMin)
__WG_RMW(atomicMin, long long, __illAtomicMin)
__WG_RMW(atomicMin, unsigned long long, __ullAtomicMin)
__WG_RMW(atomicMax, int, __iAtomicMax)
__WG_RMW(atomicMax, unsigned int, __uAtomicMax)
__WG_RMW(atomicMax, long long, __illAtomicMax)
__WG_RMW(atomicMax, unsigned long long, __ullAtomicMax)
__WG_RMW(atomicAnd, int, __iAtomicAnd)
__WG_RMW(atomicAnd, unsigned int, __uAtomicAnd)
__WG_RMW(atomicAnd, long long, __llAtomicAnd)
__WG_RMW(atomicAnd, unsigned long long, __ullAtomicAnd)
__WG_RMW(atomicOr, int, __iAtomicOr)
__WG_RMW(atomicOr, unsigned int, __uAtomicOr)
__WG_RMW(atomicOr, long long, __llAtomicOr)
__WG_RMW(atomicOr, unsigned long long, __ullAtomicOr)
__WG_RMW(atomicXor, int, __iAtomicXor)
__WG_RMW(atomicXor, unsigned int, __uAtomicXor)
__WG_RMW(atomicXor, long long, __llAtomicXor)
__WG_RMW(atomicXor, unsigned long long, __ullAtomicXor)
__WG_RMW(atomicInc, unsigned int, __uAtomicInc)
__WG_RMW(atomicDec, unsigned int, __uAtomicDec)
__WG_CAS(int, __iAtomicCAS)
__WG_CAS(unsigned int, __uAtomicCAS)
__WG_CAS(unsigned long long, __ullAtomicCAS)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
__WG_FN unsigned short __wg_cas16(unsigned short *p, unsigned short c, unsigned short v) {
  unsigned short r;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(r) : "l"(p), "h"(c), "h"(v) : "memory");
  return r;
}
__WG_FN unsigned short __wg_cas16_block(unsigned short *p, unsigned short c, unsigned short v) {
  unsigned short r;
  asm volatile("atom.cta.cas.b16 %0, [%1], %2, %3;" : "=h"(r) : "l"(p), "h"(c), "h"(v) : "memory");
  return r;
}
__WG_FN unsigned short __wg_cas16_system(unsigned short *p, unsigned short c, unsigned short v) {
  unsigned short r;
  asm volatile("atom.sys.cas.b16 %0, [%1], %2, %3;" : "=h"(r) : "l"(p), "h"(c), "h"(v) : "memory");
  return r;
}
__WG_CAS(unsigned short, __wg_cas16)
#endif

/* 128 bits of any type of that size and alignment that can be copied by its bytes. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <bool> struct __wg_wide_atomic {};
template <> struct __wg_wide_atomic<true> { typedef int __type; };
#define __WG_IF_WIDE(__wg_T)                                                         \
  typename __wg_wide_atomic<sizeof(__wg_T) == 16 && alignof(__wg_T) >= 16 && __is_trivially_copyable(__wg_T)>::__type = 0
#define __WG_WIDE(suffix, scope)                                                     \
  template <class __wg_T, __WG_IF_WIDE(__wg_T)>                                      \
  __WG_FN __wg_T atomicExch##suffix(__wg_T *p, __wg_T v) {                           \
    unsigned long long now[2], old[2];                                               \
    __builtin_memcpy(now, &v, 16);                                                   \
    asm volatile("{ .reg .b128 r, v; mov.b128 v, {%2, %3}; atom." scope ".exch.b128 r, [%4], v; mov.b128 {%0, %1}, r; }" \
                 : "=l"(old[0]), "=l"(old[1]) : "l"(now[0]), "l"(now[1]), "l"(p) : "memory"); \
    __builtin_memcpy(&v, old, 16);                                                   \
    return v;                                                                        \
  }                                                                                  \
  template <class __wg_T, __WG_IF_WIDE(__wg_T)>                                      \
  __WG_FN __wg_T atomicCAS##suffix(__wg_T *p, __wg_T c, __wg_T v) {                  \
    unsigned long long want[2], now[2], old[2];                                      \
    __builtin_memcpy(want, &c, 16);                                                  \
    __builtin_memcpy(now, &v, 16);                                                   \
    asm volatile("{ .reg .b128 r, c, v; mov.b128 c, {%2, %3}; mov.b128 v, {%4, %5}; atom." scope ".cas.b128 r, [%6], c, v; mov.b128 {%0, %1}, r; }" \
                 : "=l"(old[0]), "=l"(old[1]) : "l"(want[0]), "l"(want[1]), "l"(now[0]), "l"(now[1]), "l"(p) : "memory"); \
    __builtin_memcpy(&v, old, 16);                                                   \
    return v;                                                                        \
  }
__WG_WIDE(, "gpu")
__WG_WIDE(_block, "cta")
__WG_WIDE(_system, "sys")
#undef __WG_WIDE
#undef __WG_IF_WIDE
#endif

#undef __WG_RMW
#undef __WG_RMW_AS
#undef __WG_CAS
#undef __WG_SUB

#endif
