/* CUDA's own mathematical functions for host code ("CUDA Math API"); the
 * C library has the others. */
#ifndef __WARPGRIND_HOSTMATH_H__
#define __WARPGRIND_HOSTMATH_H__

#define __WG_H static __inline__ __host__ __attribute__((unused))

__WG_H float rsqrtf(float a) { return 1.0f / ::sqrtf(a); }
__WG_H double rsqrt(double a) { return 1.0 / ::sqrt(a); }
__WG_H float rsqrt(float a) { return rsqrtf(a); }
__WG_H float rcbrtf(float a) { return 1.0f / ::cbrtf(a); }
__WG_H double rcbrt(double a) { return 1.0 / ::cbrt(a); }
__WG_H float fdividef(float a, float b) { return a / b; }
__WG_H double fdivide(double a, double b) { return a / b; }
/* Exact where the result is 0 or 1, also of large arguments. */
__WG_H double sinpi(double a) {
  double r = ::fmod(a, 2.0);
  if (r == 0 || r == 1 || r == -1) return ::copysign(0.0, a);
  return ::sin(r * M_PI);
}
__WG_H double cospi(double a) {
  double r = ::fabs(::fmod(a, 2.0));
  return r == 0.5 || r == 1.5 ? 0.0 : ::cos(r * M_PI);
}
__WG_H float sinpif(float a) { return (float)sinpi((double)a); }
__WG_H float cospif(float a) { return (float)cospi((double)a); }
__WG_H void sincospi(double a, double *s, double *c) { *s = sinpi(a), *c = cospi(a); }
__WG_H void sincospif(float a, float *s, float *c) { *s = sinpif(a), *c = cospif(a); }
__WG_H double normcdf(double a) { return 0.5 * ::erfc(-a * M_SQRT1_2); }
__WG_H float normcdff(float a) { return (float)normcdf((double)a); }
__WG_H double rhypot(double a, double b) { return 1.0 / ::hypot(a, b); }
__WG_H float rhypotf(float a, float b) { return 1.0f / ::hypotf(a, b); }
__WG_H double norm3d(double a, double b, double c) { return ::hypot(::hypot(a, b), c); }
__WG_H float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
__WG_H double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
__WG_H float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
__WG_H unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
__WG_H unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
__WG_H long long llmin(long long a, long long b) { return a < b ? a : b; }
__WG_H long long llmax(long long a, long long b) { return a > b ? a : b; }
__WG_H unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
__WG_H unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }

#endif
