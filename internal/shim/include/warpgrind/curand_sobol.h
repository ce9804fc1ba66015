/* Sobol sequences in the order of Antonov and Saleev ("An economic method of computing
 * LP-tau sequences", 1979): element i is the sum over GF(2) of those direction vectors that the
 * Gray code of i has. Their distributions take one element each: normal numbers by the inverse of the
 * distribution function. */

__WG_R unsigned int __wg_first_zero(unsigned long long i) {
  unsigned int at = 0;
  for (; i & 1; i >>= 1) at++;
  return at;
}

#define __WG_SOBOL(__wg_S, __wg_W, __wg_bits)                                          \
  __WG_R void skipahead(__wg_W n, __wg_S *s) {                                         \
    s->i += n;                                                                         \
    const __wg_W gray = s->i ^ s->i >> 1;                                              \
    s->x = s->c;                                                                       \
    for (unsigned int k = 0; k < __wg_bits; k++)                                       \
      if (gray >> k & 1) s->x ^= s->direction_vectors[k];                              \
  }                                                                                    \
  __WG_R void __wg_sobol_init(const __wg_W *vectors, __wg_W c, __wg_W offset, __wg_S *s) { \
    s->i = 0;                                                                          \
    s->c = c;                                                                          \
    for (unsigned int k = 0; k < __wg_bits; k++) s->direction_vectors[k] = vectors[k]; \
    skipahead(offset, s);                                                              \
  }                                                                                    \
  __WG_R __wg_W curand(__wg_S *s) {                                                    \
    const __wg_W r = s->x;                                                             \
    const unsigned int k = __wg_first_zero(s->i++);                                    \
    if (k < __wg_bits) s->x ^= s->direction_vectors[k];                                \
    return r;                                                                          \
  }                                                                                    \
  __WG_R float curand_uniform(__wg_S *s) { return __wg_uniform_of(curand(s)); }        \
  __WG_R double curand_uniform_double(__wg_S *s) { return __wg_uniform_double_of(curand(s)); } \
  __WG_R float curand_normal(__wg_S *s) {                                              \
    return (float)(-1.4142135623730951 * erfcinv(2.0 * __wg_uniform_double_of(curand(s)))); \
  }                                                                                    \
  __WG_R double curand_normal_double(__wg_S *s) {                                      \
    return -1.4142135623730951 * erfcinv(2.0 * __wg_uniform_double_of(curand(s)));     \
  }                                                                                    \
  __WG_R float curand_log_normal(__wg_S *s, float mean, float dev) { return expf(mean + dev * curand_normal(s)); } \
  __WG_R double curand_log_normal_double(__wg_S *s, double mean, double dev) {         \
    return exp(mean + dev * curand_normal_double(s));                                  \
  }                                                                                    \
  /* The inverse of the distribution function, from 500 on of its normal approximation. */ \
  __WG_R unsigned int curand_poisson(__wg_S *s, double lambda) {                       \
    if (lambda >= 500) {                                                               \
      const double x = floor(lambda + sqrt(lambda) * curand_normal_double(s) + 0.5);   \
      return x > 0 ? (unsigned int)x : 0;                                              \
    }                                                                                  \
    double u = curand_uniform_double(s), p = exp(-lambda);                             \
    unsigned int k = 0;                                                                \
    for (; u > p && k < 2000; p *= lambda / ++k) u -= p;                               \
    return k;                                                                          \
  }

__WG_R float __wg_uniform_of(unsigned int x) { return __wg_uniform(x); }
__WG_R float __wg_uniform_of(unsigned long long x) { return __wg_uniform((unsigned int)(x >> 32)); }
/* Of 32 bits the middle of their interval, so that none is 0 or 1. */
__WG_R double __wg_uniform_double_of(unsigned int x) { return x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE / 2.0; }
__WG_R double __wg_uniform_double_of(unsigned long long x) {
  return (x >> 11) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2.0;
}

__WG_SOBOL(curandStateSobol32, unsigned int, 32)
__WG_SOBOL(curandStateScrambledSobol32, unsigned int, 32)
__WG_SOBOL(curandStateSobol64, unsigned long long, 64)
__WG_SOBOL(curandStateScrambledSobol64, unsigned long long, 64)
#undef __WG_SOBOL

__WG_R void curand_init(const unsigned int *vectors, unsigned int offset, curandStateSobol32 *s) {
  __wg_sobol_init(vectors, 0u, offset, s);
}
__WG_R void curand_init(const unsigned int *vectors, unsigned int c, unsigned int offset, curandStateScrambledSobol32 *s) {
  __wg_sobol_init(vectors, c, offset, s);
}
__WG_R void curand_init(const unsigned long long *vectors, unsigned long long offset, curandStateSobol64 *s) {
  __wg_sobol_init(vectors, 0ull, offset, s);
}
__WG_R void curand_init(const unsigned long long *vectors, unsigned long long c, unsigned long long offset, curandStateScrambledSobol64 *s) {
  __wg_sobol_init(vectors, c, offset, s);
}
