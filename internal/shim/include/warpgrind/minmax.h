/* min and max in the global namespace, host and device, for every mixture of
 * types that CUDA has ("CUDA Math API", "Integer Mathematical Functions" and
 * the float and double overloads). */
#ifndef __WARPGRIND_MINMAX_H__
#define __WARPGRIND_MINMAX_H__

#define __WG_HD static __inline__ __host__ __device__ __attribute__((always_inline, unused))

#define __WG_MINMAX(__wg_R, __wg_A, __wg_B)                                          \
  __WG_HD __wg_R min(const __wg_A a, const __wg_B b) { return (__wg_R)a < (__wg_R)b ? (__wg_R)a : (__wg_R)b; }          \
  __WG_HD __wg_R max(const __wg_A a, const __wg_B b) { return (__wg_R)a > (__wg_R)b ? (__wg_R)a : (__wg_R)b; }
#define __WG_MINMAX_U(__wg_U, __wg_S)                                                \
  __WG_MINMAX(__wg_U, __wg_U, __wg_S)                                                \
  __WG_MINMAX(__wg_U, __wg_S, __wg_U)

/* A device-only overload of clang's covers int, int on the device. */
#define __WG_FMINMAX(__wg_R, __wg_A, __wg_B, mn, mx)                                 \
  __WG_HD __wg_R min(const __wg_A a, const __wg_B b) { return mn((__wg_R)a, (__wg_R)b); }                     \
  __WG_HD __wg_R max(const __wg_A a, const __wg_B b) { return mx((__wg_R)a, (__wg_R)b); }

static __inline__ __host__ int min(int a, int b) { return a < b ? a : b; }
static __inline__ __host__ int max(int a, int b) { return a > b ? a : b; }
__WG_MINMAX(unsigned int, unsigned int, unsigned int)
__WG_MINMAX_U(unsigned int, int)
__WG_MINMAX(long, long, long)
__WG_MINMAX(unsigned long, unsigned long, unsigned long)
__WG_MINMAX_U(unsigned long, long)
__WG_MINMAX(long long, long long, long long)
__WG_MINMAX(unsigned long long, unsigned long long, unsigned long long)
__WG_MINMAX_U(unsigned long long, long long)
__WG_FMINMAX(float, float, float, __builtin_fminf, __builtin_fmaxf)
__WG_FMINMAX(double, double, double, __builtin_fmin, __builtin_fmax)
__WG_FMINMAX(double, float, double, __builtin_fmin, __builtin_fmax)
__WG_FMINMAX(double, double, float, __builtin_fmin, __builtin_fmax)

#undef __WG_MINMAX
#undef __WG_MINMAX_U
#undef __WG_FMINMAX

#endif
