// boyer-bank: conflicts of shared memory banks as Boyer, Skadron and Weimer
// measure them (2008, section 5.2): each access of a warp's threads is kept in
// an array of addresses, from which the bank of each is computed and the
// accesses that each bank had to serve.
//
// With WGI_BANKS 16 a half-warp is served at once, and one word of each pass
// goes to all who want it (CUDA 1.x). With 32 it is a warp, and each word goes
// to all who want it; 8 and 16 bytes a thread take two and four passes.

#define WGI_NAME "boyer-bank"
#define WGI_WATCH WGI_SHARED
#define WGI_BLOCK_STATE 0
#define WGI_STATS

//@include warp.cuh

#if WGI_BANKS == 16

// The lanes of a mask, one after another.
#define WGI_LANES(i, mask) for (unsigned i##_left = (mask), i; i##_left && (i = (unsigned)__ffs((int)i##_left) - 1, true); i##_left &= i##_left - 1)

// wgi_broadcast returns the word that the next pass sends to all who want it:
// of the bank with most accesses left, the one that most want.
WGI_FN unsigned wgi_broadcast(unsigned left, const unsigned *word) {
  unsigned best = 0;
  int score = -1;
  WGI_LANES(i, left) {
    int bank = 0, same = 0;
    WGI_LANES(k, left) {
      bank += word[k] % 16 == word[i] % 16;
      same += word[k] == word[i];
    }
    if (bank * 64 + same > score) score = bank * 64 + same, best = word[i];
  }
  return best;
}

// wgi_passes returns the passes for the lanes of a mask, each with one word,
// and the accesses of each bank.
WGI_FN unsigned wgi_passes(unsigned mask, const unsigned long long *all, unsigned part, unsigned, unsigned *load) {
  unsigned word[32], passes = 0;
  WGI_LANES(i, mask) {
    word[i] = (unsigned)(all[i] / 4) + part;
    load[word[i] % 16]++;
  }
  for (unsigned left = mask; left; passes++) {
    unsigned sent = wgi_broadcast(left, word), served = 0, rest = left;
    WGI_LANES(i, left) {
      unsigned bank = word[i] % 16;
      if (bank == sent % 16 ? word[i] == sent : !(served >> bank & 1)) served |= 1u << bank, rest &= ~(1u << i);
    }
    left = rest;
  }
  return passes;
}

// A request is served word by word: wgi_parts parts of the lanes wgi_lanes.
WGI_FN unsigned wgi_parts(unsigned size) { return size > 4 ? (size + 3) / 4 : 1; }
WGI_FN unsigned wgi_lanes(unsigned mask, const unsigned long long *, unsigned, unsigned) { return mask; }

#else

WGI_FN unsigned wgi_passes(unsigned mask, const unsigned long long *all, unsigned, unsigned words, unsigned *load) {
  unsigned most = 0;
  for (int i = 0; i < 32; i++) {
    if (!(mask >> i & 1)) continue;
    for (unsigned k = 0; k < words; k++) {
      unsigned long long word = all[i] / 4 + k;
      bool known = false; // another lane gets the same word
      for (int j = 0; j < i && !known; j++) known = mask >> j & 1 && word >= all[j] / 4 && word < all[j] / 4 + words;
      if (!known && ++load[word % 32] > most) most = load[word % 32];
    }
  }
  return most;
}

// wgi_merges: lanes t and t^1, or t and t^2, all want the same.
WGI_FN bool wgi_merges(unsigned mask, const unsigned long long *all) {
  for (int x = 1; x <= 2; x++) {
    bool ok = true;
    for (int t = 0; t < 32; t++)
      if (mask >> t & 1 && mask >> (t ^ x) & 1) ok &= all[t] == all[t ^ x];
    if (ok) return true;
  }
  return false;
}

// A request is served in up to four parts.
WGI_FN unsigned wgi_parts(unsigned) { return 4; }
WGI_FN unsigned wgi_lanes(unsigned mask, const unsigned long long *all, unsigned size, unsigned i) {
  unsigned half = mask & (i & 1 ? 0xffff0000u : 0xffffu);
  if (size <= 4 || (size <= 8 && wgi_merges(mask, all))) return i == 0 ? mask : 0;
  if (size <= 8) return i < 2 ? half : 0;
  if (wgi_merges(half, all)) return i < 2 ? half : 0;
  return half & (i < 2 ? 0x00ff00ffu : 0xff00ff00u);
}
#endif

// wgi_keep keeps the worst conflict of a site; by one lane of a warp.
WGI_FN void wgi_keep(unsigned *worst, unsigned degree, const unsigned *load) {
  if (degree <= *(volatile unsigned *)worst) return;
  while (atomicCAS(worst + 1, 0u, 1u)) {} // held by a lane of another warp
  __threadfence();
  if (degree > *(volatile unsigned *)worst) {
#pragma unroll
    for (int k = 0; k < 32; k++) atomicExch(worst + 2 + k, load[k]);
    atomicExch(worst, degree);
  }
  __threadfence();
  atomicExch(worst + 1, 0u);
}

// wgi_request adds one request to sums: requests, those with a conflict,
// passes, the ideal. All lanes compute the same. degree and worst are those of
// the worst part yet.
WGI_FN void wgi_request(unsigned mask, const unsigned long long *all, unsigned size, unsigned *sum, unsigned *degree, unsigned *worst) {
  unsigned words = size > 4 ? (size + 3) / 4 : 1, most = 1;
  for (unsigned i = 0; i < wgi_parts(size); i++) {
    unsigned lanes = wgi_lanes(mask, all, size, i), n = 1;
    if (!lanes) continue;
    if (lanes & (lanes - 1)) { // one lane alone has no conflict
      unsigned load[32];
      for (int k = 0; k < 32; k++) load[k] = 0;
      n = wgi_passes(lanes, all, i, words, load);
      if (n > most) most = n;
      if (n > *degree) {
        *degree = n;
        for (int k = 0; k < 32; k++) worst[k] = load[k];
      }
    }
    sum[2] += n;
    sum[3]++;
  }
  sum[0]++;
  sum[1] += most > 1;
}

WGI_NOINLINE void wgi_access(wgi_block *, int site, int kind, unsigned long long address, unsigned size) {
  unsigned long long all[32];
  unsigned here = wgi_gather(site, address, all), sum[4] = {0, 0, 0, 0}, degree = 1, worst[32];
#if WGI_BANKS == 16
  if (here & 0xffffu) wgi_request(here & 0xffffu, all, size, sum, &degree, worst);
  if (here & 0xffff0000u) wgi_request(here & 0xffff0000u, all, size, sum, &degree, worst);
#else
  wgi_request(here, all, size, sum, &degree, worst);
#endif
  if (wgi_leads(here)) {
    unsigned long long times = kind == (WGI_READ | WGI_WRITE) ? 2 : 1; // an update is a read and a write
    atomicAdd(&wgi_site_count[site][0], times * sum[0]);
    if (sum[1]) atomicAdd(&wgi_site_count[site][1], times * sum[1]);
    atomicAdd(&wgi_site_count[site][2], times * sum[2]);
    atomicAdd(&wgi_site_count[site][4], times * sum[3]);
    if (degree > 1) wgi_keep(wgi_site_worst[site], degree, worst);
  }
  __syncwarp(here);
}
