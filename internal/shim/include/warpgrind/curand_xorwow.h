/* XORWOW (Marsaglia, "Xorshift RNGs", 2003, section 3.1): five words of
 * xorshift and a counter. Subsequences are 2^67 numbers apart. */

#include "curand_xorwow_powers.h"

__WG_R void __wg_xorwow_step(unsigned int *v) {
  unsigned int t = v[0] ^ (v[0] >> 2);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}

__WG_R unsigned int curand(curandStateXORWOW *s) {
  __wg_xorwow_step(s->v);
  s->d += 362437;
  return s->v[4] + s->d;
}

/* Skips 2^first * n numbers; the counter is the caller's. */
static __device__ __attribute__((noinline, unused)) void __wg_xorwow_skip(unsigned int *v, unsigned long long n, int first) {
  for (int i = first; n != 0; n >>= 1, i++) {
    if (!(n & 1)) continue;
    unsigned int sum[5] = {0, 0, 0, 0, 0};
    for (int w = 0; w < 5; w++) {
      unsigned int c = __wg_xorwow_powers[i][w];
      for (int b = 0; b < 32; b++) {
        unsigned int take = 0u - (c >> b & 1);
        for (int k = 0; k < 5; k++) sum[k] ^= v[k] & take;
        __wg_xorwow_step(v);
      }
    }
    for (int k = 0; k < 5; k++) v[k] = sum[k];
  }
}

__WG_R void skipahead(unsigned long long n, curandStateXORWOW *s) {
  __wg_xorwow_skip(s->v, n, 0);
  s->d += 362437u * (unsigned int)n;
}
__WG_R void skipahead_sequence(unsigned long long n, curandStateXORWOW *s) { __wg_xorwow_skip(s->v, n, 67); }

__WG_R void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateXORWOW *s) {
  unsigned int s0 = (unsigned int)seed ^ 0xaad26b49u;
  unsigned int s1 = (unsigned int)(seed >> 32) ^ 0xf7dcefddu;
  unsigned int t0 = 1099087573u * s0, t1 = 2591861531u * s1;
  s->d = 6615241 + t1 + t0;
  s->v[0] = 123456789u + t0;
  s->v[1] = 362436069u ^ t0;
  s->v[2] = 521288629u + t1;
  s->v[3] = 88675123u ^ t1;
  s->v[4] = 5783321u + t0;
  skipahead_sequence(subsequence, s);
  skipahead(offset, s);
  s->boxmuller_flag = 0;
  s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0.f;
  s->boxmuller_extra_double = 0.;
}
