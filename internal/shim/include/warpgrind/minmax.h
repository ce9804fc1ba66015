/* min and max in the global namespace, host and device, for every mixture of
 * types that CUDA has ("CUDA Math API", "Integer Mathematical Functions" and
 * the float and double overloads). */
#ifndef __WARPGRIND_MINMAX_H__
#define __WARPGRIND_MINMAX_H__

#define __WG_HD static __inline__ __host__ __device__ __attribute__((always_inline, unused))

#define __WG_MINMAX(R, A, B)                                                         \
  __WG_HD R min(const A a, const B b) { return (R)a < (R)b ? (R)a : (R)b; }          \
  __WG_HD R max(const A a, const B b) { return (R)a > (R)b ? (R)a : (R)b; }
#define __WG_MINMAX_U(U, S)                                                          \
  __WG_MINMAX(U, U, S)                                                               \
  __WG_MINMAX(U, S, U)

/* A device-only overload of clang's covers int, int on the device. */
#define __WG_FMINMAX(R, A, B, mn, mx)                                                \
  __WG_HD R min(const A a, const B b) { return mn((R)a, (R)b); }                     \
  __WG_HD R max(const A a, const B b) { return mx((R)a, (R)b); }

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
