// coalesce: the dynamic analysis of GPUDrano (Alur, Devietti, Navarro Leija and
// Singhania, 2017, section 5): of each access of a warp to global memory, the
// active thread with the lowest number adds up the different lines of 128
// bytes that its bytes lie in. A site whose average is above 1 is uncoalesced.

#define WGI_NAME "coalesce"
#define WGI_WATCH WGI_GLOBAL
#define WGI_BLOCK_STATE 0
#define WGI_STATS

//@include warp.cuh

// wgi_lines counts lines; one that an earlier lane has is not counted again.
WGI_FN unsigned wgi_lines(unsigned mask, const unsigned long long *all, unsigned size) {
  unsigned n = 0;
  for (int i = 0; i < 32; i++) {
    if (!(mask >> i & 1)) continue;
    for (unsigned long long line = all[i] / 128; line <= (all[i] + size - 1) / 128; line++) {
      bool known = false;
      for (int j = 0; j < i && !known; j++) known = mask >> j & 1 && line >= all[j] / 128 && line <= (all[j] + size - 1) / 128;
      n += !known;
    }
  }
  return n;
}

WGI_NOINLINE void wgi_access(wgi_block *, int site, int kind, unsigned long long address, unsigned size) {
  unsigned long long all[32];
  unsigned here = wgi_gather(site, address, all);
  unsigned n = wgi_lines(here, all, size); // all lanes compute the same
  if (wgi_leads(here)) {
    unsigned long long times = kind == (WGI_READ | WGI_WRITE) ? 2 : 1; // an update is a read and a write
    atomicAdd(&wgi_site_count[site][0], times);
    if (n > 1) atomicAdd(&wgi_site_count[site][1], times);
    atomicAdd(&wgi_site_count[site][2], times * n);
    atomicMax(&wgi_site_worst[site][0], n);
  }
  __syncwarp(here);
}
