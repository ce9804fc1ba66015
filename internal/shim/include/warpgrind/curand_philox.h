/* Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2,
 * 3", SC 2011): ten rounds over a counter of 128 bits with the seed as key.
 * The upper half of the counter is the subsequence, the lower the offset in
 * groups of four numbers. */

__WG_R uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
  for (int i = 0; i < 10; i++) {
    unsigned int hi0 = __umulhi(0xD2511F53u, c.x), lo0 = 0xD2511F53u * c.x;
    unsigned int hi1 = __umulhi(0xCD9E8D57u, c.z), lo1 = 0xCD9E8D57u * c.z;
    c = make_uint4(hi1 ^ c.y ^ k.x, lo1, hi0 ^ c.w ^ k.y, lo0);
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  return c;
}

__WG_R void __wg_philox_advance(curandStatePhilox4_32_10 *s, unsigned long long n) {
  unsigned long long lo = (unsigned long long)s->ctr.y << 32 | s->ctr.x, sum = lo + n;
  s->ctr.x = (unsigned int)sum;
  s->ctr.y = (unsigned int)(sum >> 32);
  if (sum < lo && ++s->ctr.z == 0) ++s->ctr.w;
}
__WG_R void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *s) {
  unsigned long long sum = ((unsigned long long)s->ctr.w << 32 | s->ctr.z) + n;
  s->ctr.z = (unsigned int)sum;
  s->ctr.w = (unsigned int)(sum >> 32);
  s->output = curand_Philox4x32_10(s->ctr, s->key);
}
__WG_R void skipahead(unsigned long long n, curandStatePhilox4_32_10 *s) {
  s->STATE += (unsigned int)(n & 3);
  n /= 4;
  if (s->STATE > 3) {
    n++;
    s->STATE -= 4;
  }
  __wg_philox_advance(s, n);
  s->output = curand_Philox4x32_10(s->ctr, s->key);
}

__WG_R void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStatePhilox4_32_10 *s) {
  s->ctr = make_uint4(0, 0, 0, 0);
  s->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  s->STATE = 0;
  s->boxmuller_flag = 0;
  s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0.f;
  s->boxmuller_extra_double = 0.;
  skipahead_sequence(subsequence, s);
  skipahead(offset, s);
}

__WG_R unsigned int __wg_philox_word(uint4 v, unsigned int i) {
  return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}
__WG_R unsigned int curand(curandStatePhilox4_32_10 *s) {
  unsigned int r = __wg_philox_word(s->output, s->STATE++);
  if (s->STATE > 3) {
    __wg_philox_advance(s, 1);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
    s->STATE = 0;
  }
  return r;
}
/* The next four numbers, from wherever the last call left off. */
__WG_R uint4 curand4(curandStatePhilox4_32_10 *s) {
  uint4 a = s->output;
  __wg_philox_advance(s, 1);
  s->output = curand_Philox4x32_10(s->ctr, s->key);
  uint4 b = s->output;
  switch (s->STATE) {
  case 1: return make_uint4(a.y, a.z, a.w, b.x);
  case 2: return make_uint4(a.z, a.w, b.x, b.y);
  case 3: return make_uint4(a.w, b.x, b.y, b.z);
  }
  return a;
}
