// boyer-bank: conflicts of shared memory banks as Boyer, Skadron and Weimer
// measure them (2008, section 5.2): each access of a warp's threads is kept in
// an array of addresses, from which one thread computes the bank of each and
// the accesses that each bank had to serve.
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

// wgi_broadcast returns the word that the next pass sends to all who want it:
// of the bank with most accesses left, the one that most want.
WGI_FN unsigned wgi_broadcast(unsigned left, const unsigned *word) {
  unsigned best = 0;
  int score = -1;
  for (int i = 0; i < 32; i++) {
    if (!(left >> i & 1)) continue;
    int bank = 0, same = 0;
    for (int k = 0; k < 32; k++) {
      if (!(left >> k & 1)) continue;
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
  for (int i = 0; i < 32; i++) {
    word[i] = mask >> i & 1 ? (unsigned)(all[i] / 4) + part : 0;
    if (mask >> i & 1) load[word[i] % 16]++;
  }
  for (unsigned left = mask; left; passes++) {
    unsigned sent = wgi_broadcast(left, word), served = 0;
    for (int i = 0; i < 32; i++) {
      if (!(left >> i & 1)) continue;
      unsigned bank = word[i] % 16;
      if (bank == sent % 16 ? word[i] == sent : !(served >> bank & 1)) served |= 1u << bank, left &= ~(1u << i);
    }
  }
  return passes;
}

// wgi_parts returns how many groups of lanes are served one after another;
// wgi_lanes is one of them, wgi_part_of its word of a wide access.
WGI_FN unsigned wgi_parts(unsigned, const unsigned long long *, unsigned size) { return 2 * (size > 4 ? (size + 3) / 4 : 1); }
WGI_FN unsigned wgi_lanes(unsigned mask, const unsigned long long *, unsigned, unsigned i) { return mask & (i & 1 ? 0xffff0000u : 0xffffu); }
WGI_FN unsigned wgi_part_of(unsigned i) { return i / 2; }

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

WGI_FN unsigned wgi_parts(unsigned, const unsigned long long *, unsigned) { return 4; }
WGI_FN unsigned wgi_lanes(unsigned mask, const unsigned long long *all, unsigned size, unsigned i) {
  unsigned half = mask & (i & 1 ? 0xffff0000u : 0xffffu);
  if (size <= 4 || (size <= 8 && wgi_merges(mask, all))) return i == 0 ? mask : 0;
  if (size <= 8) return i < 2 ? half : 0;
  if (wgi_merges(half, all)) return i < 2 ? half : 0;
  return half & (i < 2 ? 0x00ff00ffu : 0xff00ff00u);
}
WGI_FN unsigned wgi_part_of(unsigned) { return 0; }

#endif

// wgi_tally adds one access of a warp to its site.
WGI_FN void wgi_tally(int site, unsigned mask, const unsigned long long *all, unsigned size) {
  unsigned words = size > 4 ? (size + 3) / 4 : 1;
  for (unsigned i = 0; i < wgi_parts(mask, all, size); i++) {
    unsigned lanes = wgi_lanes(mask, all, size, i);
    if (!lanes) continue;
    unsigned load[32] = {0};
    unsigned passes = wgi_passes(lanes, all, wgi_part_of(i), words, load);
    atomicAdd(&wgi_site_count[site][0], 1ull);
    if (passes > 1) atomicAdd(&wgi_site_count[site][1], 1ull);
    atomicAdd(&wgi_site_count[site][2], (unsigned long long)passes);
    unsigned *worst = wgi_site_worst[site];
    if (passes <= *(volatile unsigned *)worst) continue;
    while (atomicCAS(worst + 1, 0u, 1u)) {} // held by the leader of another warp
    __threadfence();
    if (passes > *(volatile unsigned *)worst) {
      for (int k = 0; k < 32; k++) atomicExch(worst + 2 + k, load[k]);
      atomicExch(worst, passes);
    }
    __threadfence();
    atomicExch(worst + 1, 0u);
  }
}

WGI_NOINLINE void wgi_access(wgi_block *, int site, int, unsigned long long address, unsigned size) {
  unsigned long long all[32];
  unsigned here = wgi_gather(site, address, all);
  if (wgi_leads(here)) wgi_tally(site, here, all, size);
  __syncwarp(here);
}
