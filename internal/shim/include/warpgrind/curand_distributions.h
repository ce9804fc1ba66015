/* Distributions ("cuRAND Library Programming Guide", "Distributions"): uniform
 * in (0, 1], normal by Box-Muller, log-normal, Poisson. */

__WG_R float __wg_uniform(unsigned int x) { return x * CURAND_2POW32_INV + (CURAND_2POW32_INV / 2.0f); }
__WG_R double __wg_uniform53(unsigned int x, unsigned int y) {
  unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << (53 - 32));
  return z * CURAND_2POW53_INV_DOUBLE + (CURAND_2POW53_INV_DOUBLE / 2.0);
}
/* u in (0, 1], v an angle. */
__WG_R float2 __wg_polar(float u, float v) {
  float s = sqrtf(-2.0f * logf(u)), a, b;
  sincosf(v, &a, &b);
  return make_float2(a * s, b * s);
}
__WG_R float2 __wg_box_muller(unsigned int x, unsigned int y) {
  const float turn = CURAND_2POW32_INV * (float)(2 * CURAND_PI_DOUBLE);
  return __wg_polar(__wg_uniform(x), y * turn + turn / 2);
}
__WG_R double2 __wg_box_muller_double(double u, double v) {
  double s = sqrt(-2.0 * log(u)), a, b;
  sincospi(2.0 * v, &a, &b);
  return make_double2(a * s, b * s);
}

__WG_R float curand_uniform(curandStateXORWOW *s) { return __wg_uniform(curand(s)); }
__WG_R float curand_uniform(curandStatePhilox4_32_10 *s) { return __wg_uniform(curand(s)); }
__WG_R float curand_uniform(curandStateMRG32k3a *s) { return (float)(curand_MRG32k3a(s) * MRG32K3A_NORM); }
/* XORWOW gives doubles of 53 bits from two numbers, Philox of 32 from one. */
__WG_R double curand_uniform_double(curandStateXORWOW *s) {
  unsigned int x = curand(s), y = curand(s);
  return __wg_uniform53(x, y);
}
__WG_R double curand_uniform_double(curandStatePhilox4_32_10 *s) {
  return curand(s) * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE;
}
__WG_R double curand_uniform_double(curandStateMRG32k3a *s) { return curand_MRG32k3a(s) * MRG32K3A_NORM; }

__WG_R float2 curand_normal2(curandStateXORWOW *s) {
  unsigned int x = curand(s), y = curand(s);
  return __wg_box_muller(x, y);
}
__WG_R float2 curand_normal2(curandStatePhilox4_32_10 *s) {
  unsigned int x = curand(s), y = curand(s);
  return __wg_box_muller(x, y);
}
__WG_R float2 curand_normal2(curandStateMRG32k3a *s) {
  float u = curand_uniform(s), v = curand_uniform(s);
  return __wg_polar(u, v * (float)(2 * CURAND_PI_DOUBLE));
}
__WG_R double2 curand_normal2_double(curandStateXORWOW *s) {
  double u = curand_uniform_double(s), v = curand_uniform_double(s);
  return __wg_box_muller_double(u, v);
}
__WG_R double2 curand_normal2_double(curandStateMRG32k3a *s) {
  double u = curand_uniform_double(s), v = curand_uniform_double(s);
  return __wg_box_muller_double(u, v);
}
__WG_R double2 curand_normal2_double(curandStatePhilox4_32_10 *s) {
  uint4 x = curand4(s);
  return __wg_box_muller_double(__wg_uniform53(x.x, x.y), __wg_uniform53(x.z, x.w));
}

#define __WG_NORMALS(__wg_S)                                                         \
  __WG_R float curand_normal(__wg_S *s) {                                            \
    if (s->boxmuller_flag) {                                                         \
      s->boxmuller_flag = 0;                                                         \
      return s->boxmuller_extra;                                                     \
    }                                                                                \
    float2 v = curand_normal2(s);                                                    \
    s->boxmuller_extra = v.y;                                                        \
    s->boxmuller_flag = 1;                                                           \
    return v.x;                                                                      \
  }                                                                                  \
  __WG_R double curand_normal_double(__wg_S *s) {                                    \
    if (s->boxmuller_flag_double) {                                                  \
      s->boxmuller_flag_double = 0;                                                  \
      return s->boxmuller_extra_double;                                              \
    }                                                                                \
    double2 v = curand_normal2_double(s);                                            \
    s->boxmuller_extra_double = v.y;                                                 \
    s->boxmuller_flag_double = 1;                                                    \
    return v.x;                                                                      \
  }                                                                                  \
  __WG_R float curand_log_normal(__wg_S *s, float mean, float dev) { return expf(mean + dev * curand_normal(s)); }   \
  __WG_R double curand_log_normal_double(__wg_S *s, double mean, double dev) {       \
    return exp(mean + dev * curand_normal_double(s));                                \
  }                                                                                  \
  __WG_R float2 curand_log_normal2(__wg_S *s, float mean, float dev) {               \
    float2 v = curand_normal2(s);                                                    \
    return make_float2(expf(mean + dev * v.x), expf(mean + dev * v.y));              \
  }                                                                                  \
  __WG_R double2 curand_log_normal2_double(__wg_S *s, double mean, double dev) {     \
    double2 v = curand_normal2_double(s);                                            \
    return make_double2(exp(mean + dev * v.x), exp(mean + dev * v.y));               \
  }                                                                                  \
  /* Below 64 by products of uniforms (Knuth), above by transformed rejection       \
   * (Hoermann, "The transformed rejection method for generating Poisson random     \
   * variables", 1993, algorithm PTRS). */                                           \
  __WG_R unsigned int curand_poisson(__wg_S *s, double lambda) {                     \
    if (lambda < 64) {                                                               \
      double limit = exp(-lambda), p = curand_uniform_double(s);                     \
      unsigned int k = 0;                                                            \
      for (; p > limit; k++) p *= curand_uniform_double(s);                          \
      return k;                                                                      \
    }                                                                                \
    double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b;                \
    double inv = 1.1239 + 1.1328 / (b - 3.4), vr = 0.9277 - 3.6224 / (b - 2);        \
    for (;;) {                                                                       \
      double u = curand_uniform_double(s) - 0.5, v = curand_uniform_double(s);       \
      double us = 0.5 - fabs(u), k = floor((2 * a / us + b) * u + lambda + 0.43);    \
      if (us >= 0.07 && v <= vr) return (unsigned int)k;                             \
      if (k < 0 || (us < 0.013 && v > us)) continue;                                 \
      if (log(v) + log(inv) - log(a / (us * us) + b) <= k * log(lambda) - lambda - lgamma(k + 1))  \
        return (unsigned int)k;                                                      \
    }                                                                                \
  }
__WG_NORMALS(curandStateXORWOW)
__WG_NORMALS(curandStatePhilox4_32_10)
__WG_NORMALS(curandStateMRG32k3a)
#undef __WG_NORMALS

/* Four at once, for Philox. */
__WG_R float4 curand_uniform4(curandStatePhilox4_32_10 *s) {
  uint4 x = curand4(s);
  return make_float4(__wg_uniform(x.x), __wg_uniform(x.y), __wg_uniform(x.z), __wg_uniform(x.w));
}
__WG_R double2 curand_uniform2_double(curandStatePhilox4_32_10 *s) {
  uint4 x = curand4(s);
  return make_double2(__wg_uniform53(x.x, x.y), __wg_uniform53(x.z, x.w));
}
__WG_R double4 curand_uniform4_double(curandStatePhilox4_32_10 *s) {
  double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
  return make_double4(a.x, a.y, b.x, b.y);
}
__WG_R float4 curand_normal4(curandStatePhilox4_32_10 *s) {
  uint4 x = curand4(s);
  float2 a = __wg_box_muller(x.x, x.y), b = __wg_box_muller(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
__WG_R float4 curand_log_normal4(curandStatePhilox4_32_10 *s, float mean, float dev) {
  float4 v = curand_normal4(s);
  return make_float4(expf(mean + dev * v.x), expf(mean + dev * v.y), expf(mean + dev * v.z), expf(mean + dev * v.w));
}
__WG_R uint4 curand_poisson4(curandStatePhilox4_32_10 *s, double lambda) {
  unsigned int a = curand_poisson(s, lambda), b = curand_poisson(s, lambda);
  unsigned int c = curand_poisson(s, lambda), d = curand_poisson(s, lambda);
  return make_uint4(a, b, c, d);
}
