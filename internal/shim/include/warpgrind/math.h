/* Overloads that clang's math headers declare and leave to the CUDA toolkit
 * ("CUDA Math API", single and double precision functions). */
#ifndef __WARPGRIND_MATH_H__
#define __WARPGRIND_MATH_H__

#define __WG_F1(name) __WG_FN float name(float a) { return ::name##f(a); }
#define __WG_F2(name) __WG_FN float name(float a, float b) { return ::name##f(a, b); }
__WG_F1(acosh)
__WG_F1(asinh)
__WG_F1(atanh)
__WG_F1(cbrt)
__WG_F1(erf)
__WG_F1(erfc)
__WG_F1(exp2)
__WG_F1(expm1)
__WG_F1(lgamma)
__WG_F1(log1p)
__WG_F1(log2)
__WG_F1(logb)
__WG_F1(nearbyint)
__WG_F1(rint)
__WG_F1(round)
__WG_F1(tgamma)
__WG_F1(trunc)
__WG_F1(rsqrt)
__WG_F1(rcbrt)
__WG_F1(sinpi)
__WG_F1(cospi)
__WG_F1(exp10)
__WG_F1(erfinv)
__WG_F1(erfcinv)
__WG_F1(erfcx)
__WG_F1(normcdf)
__WG_F1(normcdfinv)
__WG_F2(copysign)
__WG_F2(fdim)
__WG_F2(fmax)
__WG_F2(fmin)
__WG_F2(hypot)
__WG_FN float hypot(float a, float b, float c) { return ::norm3df(a, b, c); }
__WG_FN double hypot(double a, double b, double c) { return ::norm3d(a, b, c); }
__WG_F2(nextafter)
__WG_F2(remainder)
#undef __WG_F1
#undef __WG_F2

__WG_FN int ilogb(float a) { return ::ilogbf(a); }
__WG_FN long lrint(float a) { return ::lrintf(a); }
__WG_FN long lround(float a) { return ::lroundf(a); }
__WG_FN long long llrint(float a) { return ::llrintf(a); }
__WG_FN long long llround(float a) { return ::llroundf(a); }
__WG_FN float scalbln(float a, long n) { return ::scalblnf(a, n); }
__WG_FN float scalbn(float a, int n) { return ::scalbnf(a, n); }
__WG_FN float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
#define __WG_OUT(name, __wg_T, __wg_U)                                               \
  __WG_FN __wg_T name(__wg_T a, __wg_U *out) {                                       \
    __wg_U u;                                                                        \
    __wg_T r = __nv_##name(a, &u);                                                   \
    *out = u;                                                                        \
    return r;                                                                        \
  }
__WG_OUT(frexp, double, int)
__WG_OUT(frexpf, float, int)
__WG_OUT(modf, double, double)
__WG_OUT(modff, float, float)
#undef __WG_OUT
__WG_FN double remquo(double a, double b, int *q) {
  int t;
  double r = __nv_remquo(a, b, &t);
  *q = t;
  return r;
}
__WG_FN float remquof(float a, float b, int *q) {
  int t;
  float r = __nv_remquof(a, b, &t);
  *q = t;
  return r;
}
__WG_FN float remquo(float a, float b, int *q) { return ::remquof(a, b, q); }
__WG_FN double nan(const char *) { return __longlong_as_double(0x7ff8000000000000LL); }
__WG_FN float nanf(const char *) { return __int_as_float(0x7fffffff); }

/* Two results through pointers. Written with values, so that no address of
 * a local variable reaches an external function. */
__WG_FN void sincosf(float a, float *s, float *c) {
  *s = ::sinf(a);
  *c = ::cosf(a);
}
__WG_FN void sincos(double a, double *s, double *c) {
  *s = ::sin(a);
  *c = ::cos(a);
}
__WG_FN void sincos(float a, float *s, float *c) { sincosf(a, s, c); }
__WG_FN void __sincosf(float a, float *s, float *c) {
  *s = __sinf(a);
  *c = __cosf(a);
}
__WG_FN void sincospif(float a, float *s, float *c) {
  *s = ::sinpif(a);
  *c = ::cospif(a);
}
__WG_FN void sincospi(double a, double *s, double *c) {
  *s = ::sinpi(a);
  *c = ::cospi(a);
}
__WG_FN void sincospi(float a, float *s, float *c) { sincospif(a, s, c); }

#endif
