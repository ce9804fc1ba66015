/* Complex numbers as CUDA's C interface has them: a float2 or double2 of real
 * and imaginary part. */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include "vector_types.h"
#include "vector_functions.h"
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __WG_C static __inline__ __host__ __device__ __attribute__((unused))

/* In a division all parts are scaled by the sum of the divisor's: a divisor of
 * zero, and one with an infinite part, give NaN. The size is infinite if a part
 * is, and NaN if the other one is NaN. */
#define __WG_COMPLEX(__wg_C, __wg_T, sfx, make, ABS, SQRT, LARGEST)                          \
  __WG_C __wg_C make(__wg_T r, __wg_T i) {                                           \
    __wg_C z;                                                                        \
    z.x = r;                                                                         \
    z.y = i;                                                                         \
    return z;                                                                        \
  }                                                                                  \
  __WG_C __wg_T cuCreal##sfx(__wg_C z) { return z.x; }                               \
  __WG_C __wg_T cuCimag##sfx(__wg_C z) { return z.y; }                               \
  __WG_C __wg_C cuConj##sfx(__wg_C z) { return make(z.x, -z.y); }                    \
  __WG_C __wg_C cuCadd##sfx(__wg_C a, __wg_C b) { return make(a.x + b.x, a.y + b.y); }              \
  __WG_C __wg_C cuCsub##sfx(__wg_C a, __wg_C b) { return make(a.x - b.x, a.y - b.y); }              \
  __WG_C __wg_C cuCmul##sfx(__wg_C a, __wg_C b) { return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }  \
  __WG_C __wg_C cuCfma##sfx(__wg_C a, __wg_C b, __wg_C c) {                          \
    return make((a.x * b.x + c.x) - a.y * b.y, a.y * b.x + (a.x * b.y + c.y));       \
  }                                                                                  \
  __WG_C __wg_C cuCdiv##sfx(__wg_C a, __wg_C b) {                                    \
    __wg_T k = 1 / (ABS(b.x) + ABS(b.y)), p = a.x * k, q = a.y * k, r = b.x * k, s = b.y * k;  \
    __wg_T n = 1 / (r * r + s * s);                                                  \
    return make((p * r + q * s) * n, (q * r - p * s) * n);                           \
  }                                                                                  \
  __WG_C __wg_T cuCabs##sfx(__wg_C z) {                                              \
    __wg_T a = ABS(z.x), b = ABS(z.y), v = a > b ? a : b, w = a > b ? b : a, t = w / v;  \
    if (v == 0 || v > LARGEST || w > LARGEST) return v + w;                          \
    return v * SQRT(1 + t * t);                                                      \
  }

__WG_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex, fabs, sqrt, 1.7976931348623157e308)
__WG_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex, fabsf, sqrtf, 3.40282347e38f)

__WG_C cuComplex make_cuComplex(float r, float i) { return make_cuFloatComplex(r, i); }
__WG_C cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return make_cuFloatComplex((float)z.x, (float)z.y); }
__WG_C cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }

#undef __WG_COMPLEX
#undef __WG_C

#endif
