/* Loads and stores with cache hints ("CUDA C++ Programming Guide", "Load
 * Functions Using Cache Hints", "Store Functions Using Cache Hints"). */
#ifndef __WARPGRIND_MEMORY_H__
#define __WARPGRIND_MEMORY_H__

#define __WG_G(p) __cvta_generic_to_global(p)

#define __WG_LD1(fn, op, __wg_T, __wg_C, c, ty)                                      \
  __WG_FN __wg_T fn(const __wg_T *p) {                                               \
    __wg_C r;                                                                        \
    asm volatile("ld.global." op "." ty " %0, [%1];" : "=" c(r) : "l"(__WG_G(p)) : "memory");  \
    return (__wg_T)r;                                                                \
  }
#define __WG_LD2(fn, op, __wg_T, __wg_C, c, ty)                                      \
  __WG_FN __wg_T fn(const __wg_T *p) {                                               \
    __wg_C x, y;                                                                     \
    asm volatile("ld.global." op ".v2." ty " {%0, %1}, [%2];"                        \
                 : "=" c(x), "=" c(y) : "l"(__WG_G(p)) : "memory");                  \
    __wg_T r;                                                                        \
    r.x = x;                                                                         \
    r.y = y;                                                                         \
    return r;                                                                        \
  }
#define __WG_LD4(fn, op, __wg_T, __wg_C, c, ty)                                      \
  __WG_FN __wg_T fn(const __wg_T *p) {                                               \
    __wg_C x, y, z, w;                                                               \
    asm volatile("ld.global." op ".v4." ty " {%0, %1, %2, %3}, [%4];"                \
                 : "=" c(x), "=" c(y), "=" c(z), "=" c(w) : "l"(__WG_G(p)) : "memory");  \
    __wg_T r;                                                                        \
    r.x = x;                                                                         \
    r.y = y;                                                                         \
    r.z = z;                                                                         \
    r.w = w;                                                                         \
    return r;                                                                        \
  }
#define __WG_ST1(fn, op, __wg_T, __wg_C, c, ty)                                      \
  __WG_FN void fn(__wg_T *p, __wg_T v) {                                             \
    asm volatile("st.global." op "." ty " [%0], %1;" ::"l"(__WG_G(p)), c((__wg_C)v) : "memory");    \
  }
#define __WG_ST2(fn, op, __wg_T, __wg_C, c, ty)                                      \
  __WG_FN void fn(__wg_T *p, __wg_T v) {                                             \
    asm volatile("st.global." op ".v2." ty " [%0], {%1, %2};" ::"l"(__WG_G(p)),      \
                 c((__wg_C)v.x), c((__wg_C)v.y) : "memory");                         \
  }
#define __WG_ST4(fn, op, __wg_T, __wg_C, c, ty)                                      \
  __WG_FN void fn(__wg_T *p, __wg_T v) {                                             \
    asm volatile("st.global." op ".v4." ty " [%0], {%1, %2, %3, %4};" ::"l"(__WG_G(p)),        \
                 c((__wg_C)v.x), c((__wg_C)v.y), c((__wg_C)v.z), c((__wg_C)v.w) : "memory");             \
  }

#define __WG_HINT(__wg_X1, __wg_X2, __wg_X4, fn, op)                                 \
  __wg_X1(fn, op, char, short, "h", "s8")                                            \
  __wg_X1(fn, op, signed char, short, "h", "s8")                                     \
  __wg_X1(fn, op, unsigned char, unsigned short, "h", "u8")                          \
  __wg_X1(fn, op, short, short, "h", "s16")                                          \
  __wg_X1(fn, op, unsigned short, unsigned short, "h", "u16")                        \
  __wg_X1(fn, op, int, int, "r", "s32")                                              \
  __wg_X1(fn, op, unsigned int, unsigned int, "r", "u32")                            \
  __wg_X1(fn, op, long, long, "l", "s64")                                            \
  __wg_X1(fn, op, unsigned long, unsigned long, "l", "u64")                          \
  __wg_X1(fn, op, long long, long long, "l", "s64")                                  \
  __wg_X1(fn, op, unsigned long long, unsigned long long, "l", "u64")                \
  __wg_X1(fn, op, float, float, "f", "f32")                                          \
  __wg_X1(fn, op, double, double, "d", "f64")                                        \
  __wg_X2(fn, op, char2, short, "h", "s8")                                           \
  __wg_X2(fn, op, uchar2, unsigned short, "h", "u8")                                 \
  __wg_X2(fn, op, short2, short, "h", "s16")                                         \
  __wg_X2(fn, op, ushort2, unsigned short, "h", "u16")                               \
  __wg_X2(fn, op, int2, int, "r", "s32")                                             \
  __wg_X2(fn, op, uint2, unsigned int, "r", "u32")                                   \
  __wg_X2(fn, op, longlong2, long long, "l", "s64")                                  \
  __wg_X2(fn, op, ulonglong2, unsigned long long, "l", "u64")                        \
  __wg_X2(fn, op, float2, float, "f", "f32")                                         \
  __wg_X2(fn, op, double2, double, "d", "f64")                                       \
  __wg_X4(fn, op, char4, short, "h", "s8")                                           \
  __wg_X4(fn, op, uchar4, unsigned short, "h", "u8")                                 \
  __wg_X4(fn, op, short4, short, "h", "s16")                                         \
  __wg_X4(fn, op, ushort4, unsigned short, "h", "u16")                               \
  __wg_X4(fn, op, int4, int, "r", "s32")                                             \
  __wg_X4(fn, op, uint4, unsigned int, "r", "u32")                                   \
  __wg_X4(fn, op, float4, float, "f", "f32")

__WG_HINT(__WG_LD1, __WG_LD2, __WG_LD4, __ldcg, "cg")
__WG_HINT(__WG_LD1, __WG_LD2, __WG_LD4, __ldca, "ca")
__WG_HINT(__WG_LD1, __WG_LD2, __WG_LD4, __ldcs, "cs")
__WG_HINT(__WG_LD1, __WG_LD2, __WG_LD4, __ldlu, "lu")
__WG_HINT(__WG_LD1, __WG_LD2, __WG_LD4, __ldcv, "cv")
__WG_HINT(__WG_ST1, __WG_ST2, __WG_ST4, __stwb, "wb")
__WG_HINT(__WG_ST1, __WG_ST2, __WG_ST4, __stcg, "cg")
__WG_HINT(__WG_ST1, __WG_ST2, __WG_ST4, __stcs, "cs")
__WG_HINT(__WG_ST1, __WG_ST2, __WG_ST4, __stwt, "wt")

#undef __WG_G
#undef __WG_LD1
#undef __WG_LD2
#undef __WG_LD4
#undef __WG_ST1
#undef __WG_ST2
#undef __WG_ST4
#undef __WG_HINT

#endif
