/* Warp functions beyond clang's ("CUDA C++ Programming Guide", "Warp Match
 * Functions", "Warp Vote Functions", "Warp Shuffle Functions"). */
#ifndef __WARPGRIND_WARP_H__
#define __WARPGRIND_WARP_H__

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define __WG_MATCH(__wg_T, __wg_U, bits)                                             \
  __WG_FN unsigned int __match_any_sync(unsigned mask, __wg_T v) {                   \
    __wg_U u;                                                                        \
    __builtin_memcpy(&u, &v, sizeof u);                                              \
    return __match##bits##_any_sync(mask, u);                                        \
  }                                                                                  \
  __WG_FN unsigned int __match_all_sync(unsigned mask, __wg_T v, int *pred) {        \
    __wg_U u;                                                                        \
    __builtin_memcpy(&u, &v, sizeof u);                                              \
    int p;                                                                           \
    unsigned int r = __match##bits##_all_sync(mask, u, &p);                          \
    *pred = p;                                                                       \
    return r;                                                                        \
  }
__WG_MATCH(int, unsigned, 32)
__WG_MATCH(unsigned, unsigned, 32)
__WG_MATCH(float, unsigned, 32)
__WG_MATCH(long, unsigned long long, 64)
__WG_MATCH(unsigned long, unsigned long long, 64)
__WG_MATCH(long long, unsigned long long, 64)
__WG_MATCH(unsigned long long, unsigned long long, 64)
__WG_MATCH(double, unsigned long long, 64)
#undef __WG_MATCH
#endif

/* The forms without a mask mean the lanes that are active. */
__WG_FN int __all(int p) { return __all_sync(__activemask(), p); }
__WG_FN int __any(int p) { return __any_sync(__activemask(), p); }
__WG_FN unsigned int __ballot(int p) { return __ballot_sync(__activemask(), p); }

#define __WG_SHFL_T(name, __wg_T, __wg_U)                                            \
  __WG_FN __wg_T name(__wg_T v, __wg_U lane, int width = 32) {                       \
    return name##_sync(__activemask(), v, lane, width);                              \
  }
#define __WG_SHFL(name, __wg_U)                                                      \
  __WG_SHFL_T(name, int, __wg_U)                                                     \
  __WG_SHFL_T(name, unsigned int, __wg_U)                                            \
  __WG_SHFL_T(name, long, __wg_U)                                                    \
  __WG_SHFL_T(name, unsigned long, __wg_U)                                           \
  __WG_SHFL_T(name, long long, __wg_U)                                               \
  __WG_SHFL_T(name, unsigned long long, __wg_U)                                      \
  __WG_SHFL_T(name, float, __wg_U)                                                   \
  __WG_SHFL_T(name, double, __wg_U)
__WG_SHFL(__shfl, int)
__WG_SHFL(__shfl_up, unsigned int)
__WG_SHFL(__shfl_down, unsigned int)
__WG_SHFL(__shfl_xor, int)
#undef __WG_SHFL
#undef __WG_SHFL_T

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
/* "redux.sync": the value comes before the mask. */
#define __WG_REDUX(name, __wg_T, builtin)                                            \
  __WG_FN __wg_T name(unsigned mask, __wg_T v) { return (__wg_T)builtin(v, mask); }
__WG_REDUX(__reduce_add_sync, unsigned, __nvvm_redux_sync_add)
__WG_REDUX(__reduce_min_sync, unsigned, __nvvm_redux_sync_umin)
__WG_REDUX(__reduce_max_sync, unsigned, __nvvm_redux_sync_umax)
__WG_REDUX(__reduce_min_sync, int, __nvvm_redux_sync_min)
__WG_REDUX(__reduce_max_sync, int, __nvvm_redux_sync_max)
__WG_REDUX(__reduce_or_sync, unsigned, __nvvm_redux_sync_or)
__WG_REDUX(__reduce_and_sync, unsigned, __nvvm_redux_sync_and)
__WG_REDUX(__reduce_xor_sync, unsigned, __nvvm_redux_sync_xor)
#undef __WG_REDUX
__WG_FN int __reduce_add_sync(unsigned mask, int v) {
  return (int)__reduce_add_sync(mask, (unsigned)v);
}
#endif

#endif
