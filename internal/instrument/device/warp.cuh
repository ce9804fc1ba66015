// What the schemes share that look at one access of a warp as a whole.

// wgi_gather gives each of the lanes that are here together the addresses of
// all, and returns their mask. No lane waits for one that is elsewhere.
WGI_FN unsigned wgi_gather(int site, unsigned long long address, unsigned long long *all) {
  unsigned here = __activemask();
  here = __ballot_sync(here, site == __shfl_sync(here, site, __ffs((int)here) - 1));
  for (unsigned left = here; left; left &= left - 1) {
    int lane = __ffs((int)left) - 1;
    all[lane] = __shfl_sync(here, address, lane);
  }
  return here;
}

WGI_FN bool wgi_leads(unsigned mask) { return wgi_thread() % 32 == (unsigned)__ffs((int)mask) - 1; }
