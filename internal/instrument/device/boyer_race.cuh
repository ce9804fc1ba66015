// boyer-race: races in shared memory as Boyer, Skadron and Weimer find them
// (Automated Dynamic Analysis of CUDA Programs, 2008, section 4.2).
//
// Two block-wide arrays count, for each location, the threads that have read
// and written it since the last barrier; two arrays of each thread say what it
// has itself read and written. After each access: there is a race if the
// location has been both read and written (or written twice, with WGI_REPORT_WAW), if
// another thread made one of these accesses, and if this one takes part.
//
// Atomic operations, which the paper does not know, are counted apart: they race
// with plain accesses and not with one another. Counters have 12 bits. All entries are of
// one barrier interval, whose stamp they carry in their upper 16 bits.
//
// A location is a word where all accesses are to whole words: then an entry for all threads has its
// three counters, and an entry of a thread its marks for 16 words. Else it is a
// byte: there are three arrays for all threads, whose entries have the counters of four
// bytes, and an entry of a thread has its marks for four words.

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

// wgi_hazards reports what an access to a word is a part of, from what other threads have
// done there in the interval.
WGI_FN void wgi_hazards(wgi_block *b, int site, int kind, unsigned long long w, unsigned size, bool read, bool written, bool changed) {
  unsigned t = wgi_thread();
  bool plain = !(kind & WGI_ATOMIC);
  if (plain && kind & WGI_READ && (written || changed)) wgi_report(b, WGI_RAW, site, WGI_NO_SITE, w * 4, size, t, WGI_NO_THREAD, 1);
  if (kind & WGI_WRITE && read) wgi_report(b, WGI_WAR, site, WGI_NO_SITE, w * 4, size, t, WGI_NO_THREAD, 1);
#if WGI_REPORT_WAW
  if (kind & WGI_WRITE && (written || (changed && plain))) wgi_report(b, WGI_WAW, site, WGI_NO_SITE, w * 4, size, t, WGI_NO_THREAD, 1);
#endif
}

#if WGI_GRANULE >= 4

// wgi_words is rounded up to whole entries of a thread.
WGI_FN unsigned long long wgi_words(unsigned shared_bytes) { return (shared_bytes + 63ull) / 64 * 16; }

WGI_FN unsigned long long wgi_table_bytes(unsigned threads, unsigned shared_bytes) {
  return wgi_words(shared_bytes) * 8 + wgi_words(shared_bytes) / 16 * 8 * threads;
}

// wgi_spread puts the marks of a thread, 1 for a read, 2 for a write and 4 for an atomic
// operation, into the lowest bits of the three counters.
WGI_FN unsigned long long wgi_spread(unsigned marks) {
  return (marks & 1) | (marks & 2) << 11 | (unsigned long long)(marks & 4) << 22;
}

// wgi_enter_marks notes marks that are new to a thread, in its own entry and for all.
WGI_FN void wgi_enter_marks(unsigned stamp, unsigned long long *mine, unsigned long long own, unsigned long long *entry, unsigned fresh, unsigned shift) {
  *mine = own | (unsigned long long)fresh << shift;
  unsigned long long add = wgi_spread(fresh), old = *(volatile unsigned long long *)entry;
  if (old >> 48 != stamp && atomicCAS(entry, old, (unsigned long long)stamp << 48 | add) == old) return;
  atomicAdd(entry, add); // the entry is of this interval: another thread has seen to it
}

// wgi_word handles a word, whose entry for all threads is of this interval once this one's
// marks are in it.
WGI_FN void wgi_word(wgi_block *b, int site, int kind, unsigned w, unsigned size) {
  unsigned long long *entry = (unsigned long long *)b->table + w;
  unsigned long long *mine = (unsigned long long *)b->table + wgi_words(b->shared_bytes) + w / 16 * b->threads + wgi_thread();
  unsigned long long own = *mine, stamp = (unsigned long long)b->stamp << 48;
  if (own >> 48 != b->stamp) own = stamp;
  unsigned shift = w % 16 * 3, marks = kind & WGI_ATOMIC ? 4 : kind & 3, before = (unsigned)(own >> shift) & 7;
  if (marks & ~before) wgi_enter_marks(b->stamp, mine, own, entry, marks & ~before, shift);
  __threadfence_block();
  unsigned long long others = *(volatile unsigned long long *)entry - wgi_spread(before | marks);
  unsigned long long to_read = marks & 1 || WGI_REPORT_WAW ? 0xffffff000ull : 0, to_write = kind & WGI_WRITE ? 0xfff : 0;
  if (others & (to_read | to_write)) wgi_hazards(b, site, kind, w, size, others & 0xfff, others & 0xfff000, others & 0xfff000000ull);
}

WGI_NOINLINE void wgi_access(wgi_block *b, int site, int kind, unsigned long long address, unsigned size) {
  for (unsigned w = (unsigned)address / 4; w * 4 < (unsigned)address + size; w++) wgi_word(b, site, kind, w, size);
}

#else

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
  bool plain = !(kind & WGI_ATOMIC), written = false, changed = false, read = false;
  unsigned marks = plain ? (kind & WGI_READ ? bytes : 0) | (kind & WGI_WRITE ? bytes << 4 : 0) : bytes << 8, own;
  unsigned fresh = wgi_mark(b, w, marks, &own);
  wgi_add(b, reads, fresh & 15);
  wgi_add(b, writes, fresh >> 4 & 15);
  wgi_add(b, atomics, fresh >> 8);
  __threadfence_block();
  // What others did is looked up for the hazards alone that this access can have.
  if ((plain && kind & WGI_READ) || WGI_REPORT_WAW) {
    written = wgi_others(b, writes, own >> 4 & 15, bytes);
    changed = plain && wgi_others(b, atomics, own >> 8, bytes);
  }
  if (kind & WGI_WRITE) read = wgi_others(b, reads, own & 15, bytes);
  if (written | changed | read) wgi_hazards(b, site, kind, w, size, read, written, changed);
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

#endif
