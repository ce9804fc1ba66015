// boyer-bank: conflicts of shared memory banks as Boyer, Skadron and Weimer
// measure them (2008, section 5.2): from the addresses of an access of a warp's
// threads, the bank of each is computed, and the accesses that each bank had to
// serve. The lanes do it together, in place of the paper's one thread.
//
// With WGI_BANKS 16 a half-warp is served at once, and one word of each pass
// goes to all who want it (CUDA 1.x). With 32 it is a warp, and each word goes
// to all who want it; 8 and 16 bytes a thread take up to two and four passes.

#define WGI_NAME "boyer-bank"
#define WGI_WATCH WGI_SHARED
#define WGI_BLOCK_STATE 0
#define WGI_PARTS 1
#define WGI_STATS

//@include warp.cuh

// One group of lanes that is served together: whether this lane is of it, the
// bank of its first word, and how many words each wants.
struct wgi_group {
  unsigned here; // all lanes that compute
  bool in;
  unsigned word, words;
};

#if WGI_BANKS == 16

#define WGI_REQUESTS 2

// wgi_passes returns the passes that a group takes, each lane wanting one word.
// In each, of the bank with most lanes left the word that most want is sent to
// all of them, and each other bank serves one lane. counts tells if this lane
// counts for its bank.
WGI_FN unsigned wgi_passes(const wgi_group &g, bool *counts) {
  unsigned passes = 0, lane = wgi_lane();
  *counts = g.in;
  for (unsigned left = __ballot_sync(g.here, g.in); left; passes++) {
    bool mine = left >> lane & 1;
    unsigned bank = __match_any_sync(g.here, mine ? g.word % 16 : 16 + lane);
    if (__all_sync(g.here, __popc(bank) == 1)) return passes + 1; // no two of one bank
    unsigned same = __match_any_sync(g.here, mine ? g.word : 0xffffffffu - lane);
    unsigned score = mine ? __popc(bank) * 64 + __popc(same) : 0, best = wgi_most(g.here, score, 1u << 10);
    unsigned sent = __shfl_sync(g.here, g.word, __ffs((int)__ballot_sync(g.here, score == best)) - 1);
    bool served = mine && (g.word % 16 == sent % 16 ? g.word == sent : wgi_lowest(bank));
    left &= ~__ballot_sync(g.here, served);
  }
  return passes;
}

// Half-warps, and of each the words of a wide access one after another.
WGI_FN wgi_group wgi_part_of(unsigned here, unsigned long long address, unsigned words, unsigned request, unsigned i) {
  wgi_group g = {here, wgi_lane() / 16 == request, (unsigned)(address / 4) + i, 1};
  (void)words;
  return g;
}

#else

#define WGI_REQUESTS 1

// wgi_passes returns the passes that a group takes: how many different words
// the busiest bank delivers. The lanes' words lie side by side, so that lanes
// want all the same words or none, and the same banks or none.
WGI_FN unsigned wgi_passes(const wgi_group &g, bool *counts) {
  unsigned lane = wgi_lane();
  unsigned same = __match_any_sync(g.here, g.in ? g.word : 0xffffffffu - lane);
  *counts = g.in && wgi_lowest(same);
  unsigned first = __ballot_sync(g.here, *counts);
  unsigned bank = __match_any_sync(g.here, g.in ? g.word % 32 : 32 + lane);
  unsigned n = g.in ? __popc(bank & first) : 0;
  if (__all_sync(g.here, n <= 1)) return first != 0;
  return wgi_most(g.here, n, 1u << 5);
}

// wgi_merges: lanes t and t^1 of a mask, or t and t^2, all want the same.
WGI_FN bool wgi_merges(unsigned here, unsigned mask, unsigned long long address) {
  unsigned lane = wgi_lane();
  for (unsigned x = 1; x <= 2; x++) {
    unsigned long long other = __shfl_sync(here, address, (int)(lane ^ x));
    bool both = mask >> lane & 1 && mask >> (lane ^ x) & 1;
    if (__all_sync(here, !both || other == address)) return true;
  }
  return false;
}

// wgi_part_of returns a part: all lanes, a half of them, or a quarter.
WGI_FN wgi_group wgi_part_of(unsigned here, unsigned long long address, unsigned words, unsigned, unsigned i) {
  unsigned lane = wgi_lane();
  wgi_group g = {here, true, (unsigned)(address / 4), words};
  if (words == 1) return g;
  unsigned half = i & 1 ? 0xffff0000u : 0xffffu, of = here;
  if (words == 2) {
    if (wgi_merges(here, here, address)) of = i == 0 ? here : 0;
    else of = half;
  } else {
    if (wgi_merges(here, here & half, address)) of = i < 2 ? half : 0;
    else of = half & (i < 2 ? 0x00ff00ffu : 0xff00ff00u);
  }
  g.in = of >> lane & 1;
  return g;
}

#endif

// wgi_keep keeps a conflict if it is the worst of its site: its degree and what
// each bank had to serve.
WGI_FN void wgi_keep(int site, const wgi_group &g, bool counts, unsigned degree) {
  unsigned *worst = wgi_site_worst[site], load[32];
  if (!__any_sync(g.here, degree > *(volatile unsigned *)worst)) return;
#pragma unroll
  for (unsigned k = 0; k < 32; k++)
    load[k] = __popc(__ballot_sync(g.here, counts && k < WGI_BANKS && (k - g.word) % WGI_BANKS < g.words));
  if (wgi_lowest(g.here)) {
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
  __syncwarp(g.here);
}

// wgi_distinct returns how many groups of lanes are served, each in one pass, if no two lanes
// of one want words of one bank: most accesses are such. Else it returns 0.
WGI_FN unsigned wgi_distinct(unsigned here, unsigned long long address, unsigned words) {
  unsigned group = WGI_BANKS == 16 ? wgi_lane() / 16 : 0;
  unsigned bank = __match_any_sync(here, group * 32 + (unsigned)(address / 4) % WGI_BANKS);
  if (words > 1 || !__all_sync(here, __popc(bank) == 1)) return 0;
  return WGI_BANKS == 16 ? ((here & 0xffffu) != 0) + (here >> 16 != 0) : 1;
}

WGI_NOINLINE void wgi_access(wgi_block *, int site, int kind, unsigned long long address, unsigned size) {
  unsigned here = wgi_together(site), words = size > 4 ? size / 4 : 1; // 1, 2 or 4
  unsigned requests = wgi_distinct(here, address, words), conflicts = 0, passes = requests, ideal = requests;
  for (unsigned r = requests > 0 ? WGI_REQUESTS : 0; r < WGI_REQUESTS; r++) {
    unsigned most = 0;
    for (unsigned i = 0; i < words; i++) {
      wgi_group g = wgi_part_of(here, address, words, r, i);
      bool counts;
      unsigned n = wgi_passes(g, &counts);
      passes += n;
      ideal += n > 0;
      if (n > most) most = n;
      if (n > 1) wgi_keep(site, g, counts, n);
    }
    requests += most > 0;
    conflicts += most > 1;
  }
  if (wgi_lowest(here)) {
    unsigned long long times = kind == (WGI_READ | WGI_WRITE) ? 2 : 1; // an update is a read and a write
    wgi_count_site(site, times * requests, times * conflicts, times * passes, times * ideal);
  }
  __syncwarp(here);
}
