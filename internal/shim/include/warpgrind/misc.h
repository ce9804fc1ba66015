/* Functions of their own kind: dot products, sleeping, prefetching. */
#ifndef __WARPGRIND_MISC_H__
#define __WARPGRIND_MISC_H__

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610
#define __WG_DP(name, __wg_R, __wg_A, __wg_B, op)                                    \
  __WG_FN __wg_R name(__wg_A a, __wg_B b, __wg_R c) {                                \
    __wg_R r;                                                                        \
    asm(op " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                   \
    return r;                                                                        \
  }
__WG_DP(__dp4a, int, int, int, "dp4a.s32.s32")
__WG_DP(__dp4a, unsigned, unsigned, unsigned, "dp4a.u32.u32")
__WG_DP(__dp2a_lo, int, int, int, "dp2a.lo.s32.s32")
__WG_DP(__dp2a_lo, unsigned, unsigned, unsigned, "dp2a.lo.u32.u32")
__WG_DP(__dp2a_hi, int, int, int, "dp2a.hi.s32.s32")
__WG_DP(__dp2a_hi, unsigned, unsigned, unsigned, "dp2a.hi.u32.u32")
#undef __WG_DP

template <class __wg_T> __WG_FN unsigned __wg_bits(__wg_T v) {
  unsigned u;
  __builtin_memcpy(&u, &v, 4);
  return u;
}
__WG_FN int __dp4a(char4 a, char4 b, int c) { return __dp4a((int)__wg_bits(a), (int)__wg_bits(b), c); }
__WG_FN unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) { return __dp4a(__wg_bits(a), __wg_bits(b), c); }
__WG_FN int __dp2a_lo(short2 a, char4 b, int c) { return __dp2a_lo((int)__wg_bits(a), (int)__wg_bits(b), c); }
__WG_FN unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) { return __dp2a_lo(__wg_bits(a), __wg_bits(b), c); }
__WG_FN int __dp2a_hi(short2 a, char4 b, int c) { return __dp2a_hi((int)__wg_bits(a), (int)__wg_bits(b), c); }
__WG_FN unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) { return __dp2a_hi(__wg_bits(a), __wg_bits(b), c); }
#endif

/* Arithmetic on pairs: each half like the function of one float. */
#define __WG_PAIRS(mode)                                                                                     \
  __WG_FN float2 __fadd2_##mode(float2 a, float2 b) {                                                        \
    return make_float2(__fadd_##mode(a.x, b.x), __fadd_##mode(a.y, b.y));                                    \
  }                                                                                                          \
  __WG_FN float2 __fmul2_##mode(float2 a, float2 b) {                                                        \
    return make_float2(__fmul_##mode(a.x, b.x), __fmul_##mode(a.y, b.y));                                    \
  }                                                                                                          \
  __WG_FN float2 __ffma2_##mode(float2 a, float2 b, float2 c) {                                              \
    return make_float2(__fmaf_##mode(a.x, b.x, c.x), __fmaf_##mode(a.y, b.y, c.y));                          \
  }
__WG_PAIRS(rn)
__WG_PAIRS(rz)
__WG_PAIRS(rd)
__WG_PAIRS(ru)
#undef __WG_PAIRS

/* Programmatic dependent launch: from sm_90 on a kernel may begin before the one
 * before it in its stream has ended. */
__WG_FN void cudaGridDependencySynchronize(void) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
__WG_FN void cudaTriggerProgrammaticLaunchCompletion(void) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* The value of a conditional node of the graph that runs: the handle is its address. */
__WG_FN void cudaGraphSetConditional(cudaGraphConditionalHandle __handle, unsigned __value) {
  atomicExch((unsigned *)__handle, __value);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
__WG_FN void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns)); }
#endif

/* No function of CUDA's own, though programs that define one often name it so: a
 * template, which theirs goes before. */
template <class = void> static __device__ __inline__ unsigned long long __globaltimer(void) {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

#endif
