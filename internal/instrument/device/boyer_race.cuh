// boyer-race: races in shared memory as Boyer, Skadron and Weimer find them
// (Automated Dynamic Analysis of CUDA Programs, 2008, section 4.2).
//
// Two block-wide arrays count, for each location, the threads that have read
// and written it since the last barrier; two arrays of each thread say what it
// has itself read and written. After each access: there is a race if the
// location has been both read and written (or written twice, with WGI_REPORT_WAW), if
// another thread made one of these accesses, and if this one takes part.
//
// A location is a byte: four bytes' counters, of 16 bits, are kept in a word
// of 64, four bytes' marks of a thread in 4 bits. Atomic operations, which the
// paper does not know, have a third array each: they race with plain accesses
// and not with one another.

#define WGI_NAME "boyer-race"
#define WGI_WATCH WGI_SHARED
#define WGI_BLOCK_STATE 1
#define WGI_BYTES_STAT 0
#define WGI_STATS X(WGI_BYTES_STAT, "table bytes")

struct wgi_fast { int clear; }; // the marks, in the next wgi_reset

WGI_FN unsigned long long wgi_words(unsigned shared_bytes) { return (shared_bytes + 3) / 4; }

WGI_FN unsigned long long wgi_table_bytes(unsigned threads, unsigned shared_bytes) {
  return wgi_words(shared_bytes) * (3 * 8 + 2ull * threads);
}

// wgi_spread puts 4 bits into the lowest bits of 4 counters.
WGI_FN unsigned long long wgi_spread(unsigned bits) {
  return (bits & 1) | (bits & 2ull) << 15 | (bits & 4ull) << 30 | (bits & 8ull) << 45;
}

// wgi_others: of the bytes of a word, those that other threads have counted in.
WGI_FN bool wgi_others(unsigned long long *counters, unsigned own, unsigned bytes) {
  unsigned long long all = *(volatile unsigned long long *)counters;
  return ((all - wgi_spread(own)) & wgi_spread(bytes) * 0xffff) != 0;
}

// wgi_word handles the bytes of one word.
WGI_FN void wgi_word(wgi_block *b, int site, int kind, unsigned long long w, unsigned bytes, unsigned size) {
  unsigned long long words = wgi_words(b->shared_bytes);
  unsigned long long *reads = (unsigned long long *)b->table + w, *writes = reads + words, *atomics = writes + words;
  unsigned t = wgi_thread(), epoch = b->interval % 15 + 1;
  unsigned short *mine = (unsigned short *)(b->table + words * 24) + w * b->threads + t;
  unsigned own = *mine;
  if (own >> 12 != epoch) own = epoch << 12;
  int plain = kind & WGI_ATOMIC ? 0 : kind;
  unsigned r = plain & WGI_READ ? bytes & ~own : 0, wr = plain & WGI_WRITE ? bytes & ~(own >> 4) : 0;
  unsigned at = kind & WGI_ATOMIC ? bytes & ~(own >> 8) : 0;
  if (r) atomicAdd(reads, wgi_spread(r));
  if (wr) atomicAdd(writes, wgi_spread(wr));
  if (at) atomicAdd(atomics, wgi_spread(at));
  own |= r | wr << 4 | at << 8;
  *mine = (unsigned short)own;
  __threadfence_block();
  unsigned own_r = own & 15, own_w = own >> 4 & 15, own_a = own >> 8 & 15;
  bool written = wgi_others(writes, own_w, bytes), changed = wgi_others(atomics, own_a, bytes);
  bool read = wgi_others(reads, own_r, bytes);
  if (plain & WGI_READ && (written || changed)) wgi_report(b, WGI_RAW, site, WGI_NO_SITE, w * 4, size, t, WGI_NO_THREAD, 1);
  if (kind & WGI_WRITE && read) wgi_report(b, WGI_WAR, site, WGI_NO_SITE, w * 4, size, t, WGI_NO_THREAD, 1);
#if WGI_REPORT_WAW
  if (kind & WGI_WRITE && (written || (changed && plain))) wgi_report(b, WGI_WAW, site, WGI_NO_SITE, w * 4, size, t, WGI_NO_THREAD, 1);
#endif
}

WGI_NOINLINE void wgi_access(wgi_block *b, int site, int kind, unsigned long long address, unsigned size) {
  unsigned long long end = address + size;
  for (unsigned long long w = address / 4; w * 4 < end; w++) {
    unsigned bytes = 15;
    if (w * 4 < address) bytes &= 15u << (address - w * 4);
    if (end < w * 4 + 4) bytes &= 15u >> (w * 4 + 4 - end);
    wgi_word(b, site, kind, w, bytes, size);
  }
}

// A thread's marks carry the number of their interval, modulo 15, so they need
// to be cleared once in 15 intervals only.
WGI_FN void wgi_check(wgi_block *b, unsigned rank, unsigned) {
  if (rank == 0) b->fast->clear = b->interval % 15 == 14;
}

// wgi_reset forgets all accesses.
WGI_FN void wgi_reset(wgi_block *b, unsigned rank, unsigned n) {
  unsigned long long words = wgi_words(b->shared_bytes), *counters = (unsigned long long *)b->table;
  for (unsigned long long i = rank; i < words * 3; i += n) counters[i] = 0;
  if (!b->fast->clear) return;
  unsigned *marks = (unsigned *)(counters + words * 3);
  for (unsigned long long i = rank; i < (words * b->threads + 1) / 2; i += n) marks[i] = 0;
}
