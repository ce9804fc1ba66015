/* MRG32k3a (L'Ecuyer, "Good parameters and implementations for combined
 * multiple recursive random number generators", 1999). Subsequences are 2^76
 * numbers apart, sequences 2^127. */

#define MRG32K3A_MOD1 4294967087u
#define MRG32K3A_MOD2 4294944443u
/* From 1..MOD1 to (0, 1], and to the 32-bit integers. */
#define MRG32K3A_NORM (1.0 / 4294967087.0)
#define MRG32K3A_BITS_NORM (4294967296.0 / 4294967087.0)

/* The two recurrences as matrices: one step, and 2^76 and 2^127 steps. */
#include "curand_mrg_powers.h"

__WG_R unsigned int __wg_mulmod(unsigned int a, unsigned int b, unsigned int m) {
  return (unsigned int)((unsigned long long)a * b % m);
}
__WG_R void __wg_mrg_apply(const unsigned int *a, unsigned int *v, unsigned int m) {
  unsigned int r[3];
  for (int i = 0; i < 3; i++) {
    unsigned long long sum = 0;
    for (int k = 0; k < 3; k++) sum += __wg_mulmod(a[3 * i + k], v[k], m);
    r[i] = (unsigned int)(sum % m);
  }
  for (int i = 0; i < 3; i++) v[i] = r[i];
}
/* v = a^n v */
static __device__ __attribute__((noinline, unused)) void __wg_mrg_power(const unsigned int *start, unsigned long long n,
                                                                        unsigned int *v, unsigned int m) {
  unsigned int a[9], sq[9];
  for (int i = 0; i < 9; i++) a[i] = start[i];
  for (; n != 0; n >>= 1) {
    if (n & 1) __wg_mrg_apply(a, v, m);
    for (int c = 0; c < 3; c++) {
      unsigned int col[3] = {a[c], a[3 + c], a[6 + c]};
      __wg_mrg_apply(a, col, m);
      for (int r = 0; r < 3; r++) sq[3 * r + c] = col[r];
    }
    for (int i = 0; i < 9; i++) a[i] = sq[i];
  }
}
#define __WG_MRG_SKIP(name, row)                                                     \
  __WG_R void name(unsigned long long n, curandStateMRG32k3a *s) {                   \
    __wg_mrg_power(__wg_mrg_powers[row][0], n, s->s1, MRG32K3A_MOD1);                \
    __wg_mrg_power(__wg_mrg_powers[row][1], n, s->s2, MRG32K3A_MOD2);                \
  }
__WG_MRG_SKIP(skipahead, 0)
__WG_MRG_SKIP(skipahead_subsequence, 1)
__WG_MRG_SKIP(skipahead_sequence, 2)
#undef __WG_MRG_SKIP

/* The next value, from 1 to MRG32K3A_MOD1. */
__WG_R double curand_MRG32k3a(curandStateMRG32k3a *s) {
  const unsigned long long m1 = MRG32K3A_MOD1, m2 = MRG32K3A_MOD2;
  unsigned long long p1 = (1403580ull * s->s1[1] + 810728ull * (m1 - s->s1[0])) % m1;
  unsigned long long p2 = (527612ull * s->s2[2] + 1370589ull * (m2 - s->s2[0])) % m2;
  s->s1[0] = s->s1[1];
  s->s1[1] = s->s1[2];
  s->s1[2] = (unsigned int)p1;
  s->s2[0] = s->s2[1];
  s->s2[1] = s->s2[2];
  s->s2[2] = (unsigned int)p2;
  return p1 <= p2 ? (double)(p1 + m1 - p2) : (double)(p1 - p2);
}
__WG_R unsigned int curand(curandStateMRG32k3a *s) { return (unsigned int)(curand_MRG32k3a(s) * MRG32K3A_BITS_NORM); }

__WG_R void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateMRG32k3a *s) {
  unsigned int x[2] = {(unsigned int)seed ^ 0x55555555u, (unsigned int)((seed >> 32) ^ 0xAAAAAAAAu)};
  for (int i = 0; i < 3; i++) {
    s->s1[i] = s->s2[i] = 12345u;
    if (seed == 0) continue;
    s->s1[i] = __wg_mulmod(x[i & 1], 12345u, MRG32K3A_MOD1);
    s->s2[i] = __wg_mulmod(x[1 - (i & 1)], 12345u, MRG32K3A_MOD2);
  }
  skipahead_subsequence(subsequence, s);
  skipahead(offset, s);
  s->boxmuller_flag = 0;
  s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0.f;
  s->boxmuller_extra_double = 0.;
}
