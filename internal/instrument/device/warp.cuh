// What the schemes share that look at one access of a warp as a whole. All
// lanes that are here together take part in each step; none waits for one that
// is elsewhere.

// wgi_together returns the lanes that make this access together.
WGI_FN unsigned wgi_together(int site) { return __match_any_sync(__activemask(), site); }

WGI_FN unsigned wgi_lane() { return wgi_thread() % 32; }
WGI_FN bool wgi_lowest(unsigned mask) { return wgi_lane() == (unsigned)__ffs((int)mask) - 1; }

// wgi_most returns the largest of the lanes' values, below twice top.
WGI_FN unsigned wgi_most(unsigned here, unsigned value, unsigned top) {
  unsigned most = 0;
  for (unsigned bit = top; bit; bit >>= 1)
    if (__ballot_sync(here, value >= (most | bit))) most |= bit;
  return most;
}
