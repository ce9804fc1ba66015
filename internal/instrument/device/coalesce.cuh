// coalesce: the dynamic analysis of GPUDrano (Alur, Devietti, Navarro Leija and
// Singhania, 2017, section 5): of each access of a warp to global memory, the
// active thread with the lowest number adds up the different lines of 128
// bytes that its bytes lie in. A site whose average is above 1 is uncoalesced.

#define WGI_NAME "coalesce"
#define WGI_WATCH WGI_GLOBAL
#define WGI_BLOCK_STATE 0
#define WGI_PARTS 1
#define WGI_STATS

//@include warp.cuh

// wgi_lines counts the lines of all lanes. A line counts for the lowest lane
// that has bytes in it; of one lane at most 32 are examined.
WGI_FN unsigned wgi_lines(unsigned here, unsigned long long first, unsigned long long last) {
  if (__all_sync(here, first == last)) return __popc(__ballot_sync(here, wgi_lowest(__match_any_sync(here, first))));
  unsigned known = 0, total = 0, span = last - first > 31 ? 31 : (unsigned)(last - first);
  for (unsigned left = here; left; left &= left - 1) {
    int lane = __ffs((int)left) - 1;
    unsigned long long a = __shfl_sync(here, first, lane), b = __shfl_sync(here, last, lane);
    if ((unsigned)lane >= wgi_lane()) continue;
    for (unsigned i = 0; i <= span; i++) known |= (unsigned)(first + i >= a && first + i <= b) << i;
  }
  unsigned mine = __popc(~known & (0xffffffffu >> (31 - span)));
  for (unsigned left = here; left; left &= left - 1) total += __shfl_sync(here, mine, __ffs((int)left) - 1);
  return total;
}

WGI_NOINLINE void wgi_access(wgi_block *, int site, int kind, unsigned long long address, unsigned size) {
  unsigned here = wgi_together(site);
  unsigned n = wgi_lines(here, address / 128, (address + size - 1) / 128);
  if (wgi_lowest(here)) {
    unsigned long long times = kind == (WGI_READ | WGI_WRITE) ? 2 : 1; // an update is a read and a write
    atomicMax(&wgi_site_worst[site][0], n);
    wgi_count_site(site, times, n > 1 ? times : 0, times * n, 0);
  }
  __syncwarp(here);
}
