// boyer-race: races in shared memory as Boyer, Skadron and Weimer find them
// (Automated Dynamic Analysis of CUDA Programs, 2008, section 4.2).
//
// Two block-wide arrays count, for each location, the threads that have read
// and written it since the last barrier; two arrays of each thread say what it
// has itself read and written. After each access: there is a race if the
// location has been both read and written (or written twice, with WGI_REPORT_WAW), if
// another thread made one of these accesses, and if this one takes part.
//
// A location is a byte. An entry of a block-wide array has the counters of four
// bytes, of 12 bits, an entry of a thread its marks for four words. Both are of
// one barrier interval, whose stamp they carry in their upper 16 bits. Atomic
// operations, which the paper does not know, have a third array each: they race
// with plain accesses and not with one another.

#define WGI_NAME "boyer-race"
#define WGI_WATCH WGI_SHARED
#define WGI_BLOCK_STATE 1
#define WGI_PARTS 0
#define WGI_CHECKS 0
#define WGI_STAMPS 1
#define WGI_TABLE_ZERO 0
#define WGI_BYTES_STAT 0
#define WGI_STATS X(WGI_BYTES_STAT, "table bytes")

struct wgi_fast {};

// wgi_words is rounded up to whole entries of a thread.
WGI_FN unsigned long long wgi_words(unsigned shared_bytes) { return (shared_bytes + 15ull) / 16 * 4; }

WGI_FN unsigned long long wgi_table_bytes(unsigned threads, unsigned shared_bytes) {
  return wgi_words(shared_bytes) * (3 * 8 + 2ull * threads);
}

// wgi_spread puts 4 bits into the lowest bits of 4 counters.
WGI_FN unsigned long long wgi_spread(unsigned bits) {
  return (bits & 1) | (bits & 2) << 11 | (bits & 4) << 22 | (bits & 8ull) << 33;
}

// wgi_add counts in an entry.
WGI_FN void wgi_add(wgi_block *b, unsigned long long *entry, unsigned bits) {
  if (bits == 0) return;
  unsigned long long add = wgi_spread(bits), old = *(volatile unsigned long long *)entry;
  if (old >> 48 != b->stamp && atomicCAS(entry, old, (unsigned long long)b->stamp << 48 | add) == old) return;
  atomicAdd(entry, add); // the entry is of this interval: another thread has seen to it
}

// wgi_others: of the bytes of a word, some that other threads have counted in.
WGI_FN bool wgi_others(wgi_block *b, unsigned long long *entry, unsigned own, unsigned bytes) {
  unsigned long long all = *(volatile unsigned long long *)entry;
  return all >> 48 == b->stamp && ((all - wgi_spread(own)) & wgi_spread(bytes) * 0xfff) != 0;
}

// wgi_mark adds a thread's marks for a word to those it has, and returns which
// are new and, in had, all: 4 bits each for reads, writes and atomics.
WGI_FN unsigned wgi_mark(wgi_block *b, unsigned long long w, unsigned marks, unsigned *had) {
  unsigned long long *mine = (unsigned long long *)b->table + wgi_words(b->shared_bytes) * 3 + w / 4 * b->threads + wgi_thread();
  unsigned long long own = *mine;
  if (own >> 48 != b->stamp) own = (unsigned long long)b->stamp << 48;
  unsigned shift = (unsigned)w % 4 * 12, before = (unsigned)(own >> shift) & 0xfff;
  *had = before | marks;
  if (*had != before) *mine = own | (unsigned long long)marks << shift;
  return marks & ~before;
}

// wgi_word handles the bytes of one word.
WGI_FN void wgi_word(wgi_block *b, int site, int kind, unsigned long long w, unsigned bytes, unsigned size) {
  unsigned long long words = wgi_words(b->shared_bytes);
  unsigned long long *reads = (unsigned long long *)b->table + w, *writes = reads + words, *atomics = writes + words;
  bool plain = !(kind & WGI_ATOMIC);
  unsigned marks = plain ? (kind & WGI_READ ? bytes : 0) | (kind & WGI_WRITE ? bytes << 4 : 0) : bytes << 8, own;
  unsigned fresh = wgi_mark(b, w, marks, &own);
  wgi_add(b, reads, fresh & 15);
  wgi_add(b, writes, fresh >> 4 & 15);
  wgi_add(b, atomics, fresh >> 8);
  __threadfence_block();
  bool written = wgi_others(b, writes, own >> 4 & 15, bytes), changed = wgi_others(b, atomics, own >> 8, bytes);
  bool read = wgi_others(b, reads, own & 15, bytes);
  unsigned t = wgi_thread();
  if (plain && kind & WGI_READ && (written || changed)) wgi_report(b, WGI_RAW, site, WGI_NO_SITE, w * 4, size, t, WGI_NO_THREAD, 1);
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
