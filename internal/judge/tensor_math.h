// Math functions that call that of the argument's type, as PyTorch's header of this name has them.
#pragma once

#include <cuda_runtime.h>

namespace c10::cuda::compat {

#define WG_MATH(name) \
  __host__ __device__ inline float name(float x) { return ::name##f(x); } \
  __host__ __device__ inline double name(double x) { return ::name(x); }
WG_MATH(exp) WG_MATH(ceil) WG_MATH(floor) WG_MATH(log) WG_MATH(log1p) WG_MATH(sqrt) WG_MATH(tan) WG_MATH(tanh)
#undef WG_MATH
__host__ __device__ inline float abs(float x) { return ::fabsf(x); }
__host__ __device__ inline double abs(double x) { return ::fabs(x); }
__device__ inline float rsqrt(float x) { return ::rsqrtf(x); }
__device__ inline double rsqrt(double x) { return ::rsqrt(x); }
__device__ inline float normcdf(float x) { return ::normcdff(x); }
__device__ inline double normcdf(double x) { return ::normcdf(x); }
#define WG_MATH(name, of) \
  __host__ __device__ inline float name(float x, float y) { return ::of##f(x, y); } \
  __host__ __device__ inline double name(double x, double y) { return ::of(x, y); }
WG_MATH(copysign, copysign) WG_MATH(max, fmax) WG_MATH(min, fmin) WG_MATH(pow, pow)
#undef WG_MATH
__host__ __device__ inline void sincos(float x, float *s, float *c) { ::sincosf(x, s, c); }
__host__ __device__ inline void sincos(double x, double *s, double *c) { ::sincos(x, s, c); }

} // namespace c10::cuda::compat
