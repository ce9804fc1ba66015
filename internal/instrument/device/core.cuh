// What instrumented CUDA programs need, on the device and on the host. The
// settings stand before this text, the scheme's own part is put in where
// "//@scheme" stands. All names begin with wgi_ or WGI_.

#ifndef WGI_CORE
#define WGI_CORE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WGI_READ 1
#define WGI_WRITE 2
#define WGI_ATOMIC 4 // or'ed with the two above

#define WGI_RAW 0
#define WGI_WAR 1
#define WGI_WAW 2

#define WGI_NO_SITE (-1)
#define WGI_NO_THREAD 0x7ffu
#define WGI_WARP 0x400u // WGI_WARP | n is warp n as a whole

#define WGI_SHARED 1
#define WGI_GLOBAL 2

// Flags of accesses that are watched only in part.
#define WGI_ONE_THREAD 1
#define WGI_ONE_ITER 2
#define WGI_UNBROKEN 4 // with the above: no barrier is in the loop

#ifndef WGI_POOL_MB
#define WGI_POOL_MB 64
#endif
#ifndef WGI_COUNT
#define WGI_COUNT 0
#endif

// With relocatable device code a function of one source is called by kernels of
// another. The state of the running blocks is then one for all sources, what is
// found and the sites belong to each. WGI_HOME names a source on the device.
#if defined(__CUDACC_RDC__) || defined(__CLANG_RDC__)
#define WGI_RDC 1
#define WGI_STATE __attribute__((weak)) __device__
#define WGI_HOME ((unsigned long long)wgi_findings)
#undef WGI_TABLE_SHARED
#define WGI_TABLE_SHARED 0
#undef WGI_GRANULE
#define WGI_GRANULE 1 // the smallest access of other sources is not known
#else
#define WGI_RDC 0
#define WGI_STATE static __device__
#define WGI_HOME 0ull
#endif
#define WGI_PROBES 128 // places for a finding: more cost time in a full table

#if __cplusplus >= 201402L
#define WGI_CONSTEXPR constexpr
#define WGI_AT_RUN_TIME !__builtin_is_constant_evaluated()
#else
#define WGI_CONSTEXPR
#define WGI_AT_RUN_TIME true
#endif

#define WGI_FN static __device__ __forceinline__
#define WGI_NOINLINE static __device__ __noinline__
#define WGI_HOOK static __host__ __device__ __forceinline__
#define WGI_HOOK_IN __host__ __device__ __forceinline__ WGI_CONSTEXPR // in a class
#if defined(__NVCC__) && !defined(__clang__)
#pragma nv_diag_suppress 177, 550
#endif

// ---------------------------------------------------------------- findings

// A place in the sources: a site, or WGI_NO_SITE, and its source.
struct wgi_spot {
  int site;
  unsigned long long home;
};

// A finding: all races of a kind between two sites in a kernel. Where the sites
// are not known it is those in 32 granules of shared memory, from first on.
struct wgi_finding {
  unsigned long long key; // 0 for none
  int kind, kernel;
  unsigned size, first, granules; // granules: those in which they are, a bit each
  unsigned long long kernel_home;
  wgi_spot spot, other;
  unsigned long long count;
  unsigned long long witness; // the smallest, see wgi_pack
};

enum { wgi_lost = 16, wgi_unwatched, wgi_watched, wgi_outside, wgi_counters };

// The room for findings is for all that can be, within reason: three kinds of
// each pair of sites, or for each kernel of all of its shared memory.
#ifndef WGI_FINDINGS
#define WGI_FINDINGS (WGI_ROOM < 4096 ? 4096 : WGI_ROOM > 65536 ? 65536 : WGI_ROOM)
#endif

static __device__ wgi_finding wgi_findings[WGI_FINDINGS];
// The same in memory of the host, which outlives a fault of a kernel: findings as they
// were when they were new, and counts of sites at each power of two. Null if there is none.
struct wgi_mirror {
  wgi_finding findings[WGI_FINDINGS];
  unsigned long long site_count[WGI_SITES + 1][5];
  unsigned site_worst[WGI_SITES + 1][2 + 32], extent[WGI_KERNELS + 1][6];
};
static __device__ wgi_mirror *wgi_kept;
static __device__ unsigned long long wgi_counter[wgi_counters];
// Of each site: executions by a warp, those that are worse than ideal, what
// they took; with WGI_COUNT, executions by a thread; the ideal.
#define WGI_COUNTS 5
static __device__ unsigned long long wgi_site_count[WGI_SITES + 1][WGI_COUNTS];
// Of each site: the worst degree, a lock, and what each bank delivered then.
static __device__ unsigned wgi_site_worst[WGI_SITES + 1][2 + 32];
// Of each kernel: extents of the block and the grid.
static __device__ unsigned wgi_extent[WGI_KERNELS + 1][6];

WGI_FN unsigned wgi_thread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
WGI_FN unsigned wgi_threads() { return blockDim.x * blockDim.y * blockDim.z; }
WGI_FN unsigned long long wgi_block_index() {
  return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
}

WGI_FN void wgi_count(int k, unsigned long long n) { atomicAdd(&wgi_counter[k], n); }

// wgi_count_site counts one more execution of a site, and times more of what it took.
WGI_FN void wgi_count_site(int site, unsigned long long times, unsigned long long worse, unsigned long long took, unsigned long long ideal) {
  unsigned long long *n = wgi_site_count[site], before = atomicAdd(&n[0], times);
  if (worse) atomicAdd(&n[1], worse);
  atomicAdd(&n[2], took);
  if (ideal) atomicAdd(&n[4], ideal);
  wgi_mirror *kept = *(wgi_mirror *volatile *)&wgi_kept;
  if (!kept || (before & before + times) > before / 2) return; // of the same power of two
  for (int i = 0; i < WGI_COUNTS; i++) kept->site_count[site][i] = *(volatile unsigned long long *)&n[i];
  for (int i = 0; i < 2 + 32; i++) kept->site_worst[site][i] = *(volatile unsigned *)&wgi_site_worst[site][i];
}

// ---------------------------------------------------------------- blocks

// wgi_window is an address in the shared window. The compiler may know that the
// pointer is to other memory, where this is not reached; it must not mind.
WGI_FN unsigned long long wgi_window(const void *p) {
  unsigned long long address;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(p));
  return address;
}

struct wgi_fast;

// The state of a running block. Its table is in the pool.
struct wgi_block {
  unsigned threads, shared_bytes;
  unsigned long long block;
  unsigned interval; // barriers passed
  int kernel;
  unsigned long long kernel_home;
  unsigned char *table;
  wgi_fast *fast;
  unsigned long long grid, bytes; // the launch's number; of the table
  unsigned done, arrived;         // threads that have ended; ranks given out
  unsigned unit, units;           // its part of the pool
  unsigned stamp;                 // of the interval, see WGI_STAMPS
};

// wgi_pack joins a witness so that the smallest is that of the first block and
// thread: block 22 bits, thread 11, other thread 11, address 20.
WGI_FN unsigned long long wgi_pack(unsigned long long block, unsigned thread, unsigned other, unsigned long long address) {
  if (thread & WGI_WARP && thread != WGI_NO_THREAD) thread = WGI_WARP + (thread & 31);
  if (other & WGI_WARP && other != WGI_NO_THREAD) other = WGI_WARP + (other & 31);
  if (block > 0x3fffff) block = 0x3fffff;
  return block << 42 | (unsigned long long)thread << 31 | (unsigned long long)other << 20 | (address & 0xfffff);
}

// wgi_report_at notes a race. Reports of one kind, pair of sites and kernel are
// one finding; where the sites are not known, those in 32 granules.
WGI_NOINLINE void wgi_report_at(wgi_block *b, int kind, wgi_spot spot, wgi_spot other, unsigned long long address, unsigned size,
                                unsigned thread, unsigned other_thread, unsigned long long count) {
  bool unknown = spot.site == WGI_NO_SITE && other.site == WGI_NO_SITE;
  unsigned granule = (unsigned)address / WGI_GRANULE, first = unknown ? granule & ~31u : 0;
  unsigned long long homes = (spot.home * 3 + other.home * 5 + b->kernel_home) * 0x9e3779b97f4a7c15ull;
  unsigned long long key = (unsigned long long)(kind + 1) << 62 ^ (unsigned long long)(b->kernel + 1) << 52 ^
                           (unsigned long long)(unsigned)(spot.site + 1) << 20 ^ (unsigned long long)(unsigned)(other.site + 1) ^
                           (unsigned long long)(first + unknown) << 32 ^ homes;
  if (key == 0) key = 1;
  unsigned slot = (unsigned)((key ^ key >> 29) * 0x9e3779b97f4a7c15ull >> 40) % WGI_FINDINGS;
  for (unsigned i = 0; i < WGI_PROBES; i++, slot = (slot + 1) % WGI_FINDINGS) {
    wgi_finding *f = &wgi_findings[slot];
    unsigned long long had = atomicCAS(&f->key, 0ull, key);
    if (had != 0 && had != key) continue;
    // The complement, so that memory filled with zeros holds none.
    unsigned long long witness = ~wgi_pack(b->block, thread, other_thread, address);
    unsigned bit = unknown ? 1u << (granule - first) : 0;
    if (had == 0) {
      atomicExch(&f->kind, kind);
      atomicExch(&f->spot.site, spot.site), atomicExch(&f->spot.home, spot.home);
      atomicExch(&f->other.site, other.site), atomicExch(&f->other.home, other.home);
      atomicExch(&f->kernel, b->kernel), atomicExch(&f->kernel_home, b->kernel_home);
      atomicExch(&f->first, first * WGI_GRANULE);
      wgi_mirror *kept = *(wgi_mirror *volatile *)&wgi_kept;
      wgi_finding now = {key, kind, b->kernel, size, first * WGI_GRANULE, bit, b->kernel_home, spot, other, count, witness};
      if (kept) kept->findings[slot] = now;
    }
    if (bit) atomicOr(&f->granules, bit);
    atomicMax(&f->size, size);
    atomicAdd(&f->count, count);
    atomicMax(&f->witness, witness);
    return;
  }
  wgi_count(wgi_lost, 1);
}

// wgi_report is wgi_report_at for sites of this source.
WGI_NOINLINE void wgi_report(wgi_block *b, int kind, int site, int other, unsigned long long address, unsigned size, unsigned thread,
                       unsigned other_thread, unsigned long long count) {
  wgi_spot here = {site, WGI_HOME}, there = {other, WGI_HOME};
  wgi_report_at(b, kind, here, there, address, size, thread, other_thread, count);
}

//@scheme

#if WGI_BLOCK_STATE

#define WGI_FAST ((sizeof(wgi_fast) + 15) / 16 * 16)

#if WGI_TABLE_SHARED
// What is ours in shared memory: where the block's state is, with a seal of the
// launch, for a device function may be called by a kernel of a library, which has
// not set it; and the small tables.
struct wgi_own {
  unsigned long long here[2];
  unsigned char fast[WGI_FAST];
};
#define WGI_OWN ((unsigned)sizeof(wgi_own))
WGI_FN wgi_own *wgi_shared() {
  __shared__ __align__(16) unsigned char own[sizeof(wgi_own)];
  return (wgi_own *)own;
}
#else
#define WGI_OWN 0u
#endif

// The pool that tables come from. A block takes units in a row; if none are
// free it is not watched, for to wait for another block might take forever.
#define WGI_UNIT 16384ull
#define WGI_UNITS ((unsigned)(WGI_POOL_MB * 1048576ull / WGI_UNIT))
WGI_STATE __align__(16) unsigned char wgi_pool[WGI_UNITS * WGI_UNIT];
WGI_STATE unsigned wgi_busy[WGI_UNITS];
WGI_STATE unsigned wgi_head;
WGI_STATE wgi_block wgi_blocks[WGI_UNITS]; // by the first unit

// wgi_shared_bytes is the program's shared memory, without what is ours.
WGI_FN unsigned wgi_shared_bytes() {
#if WGI_SHARED_BYTES
  return WGI_SHARED_BYTES;
#else
  unsigned n;
  asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(n));
  return n - WGI_OWN;
#endif
}

WGI_FN unsigned long long wgi_grid() {
  unsigned long long n;
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(n));
  return n;
}

// wgi_reserved is how many bytes of the window precede the block's own.
WGI_FN unsigned wgi_reserved() {
#if __CUDA_ARCH__ >= 800
  unsigned n;
  asm("mov.u32 %0, %%reserved_smem_offset_end;" : "=r"(n));
  return n;
#else
  return 0;
#endif
}

// wgi_offset is the place in the program's shared memory of an address in the window:
// without what the system has before it, and what is ours before it.
WGI_FN unsigned long long wgi_offset(unsigned long long address) {
#if WGI_TABLE_SHARED
  address -= address > wgi_window(wgi_shared()) ? WGI_OWN : 0;
#endif
  return address - wgi_reserved();
}

#if WGI_TABLE_SHARED
WGI_FN unsigned long long wgi_seal(unsigned long long b) { return (wgi_grid() + 1) * 0x9e3779b97f4a7c15ull ^ b; }
WGI_FN wgi_block *wgi_current() {
  unsigned long long *here = wgi_shared()->here, b = here[0];
  return here[1] == wgi_seal(b) ? (wgi_block *)b : 0;
}
WGI_FN void wgi_set_current(wgi_block *b) {
  unsigned long long *here = wgi_shared()->here;
  here[0] = (unsigned long long)b;
  here[1] = wgi_seal((unsigned long long)b);
}
#else
// A table by block index takes the place of a variable in shared memory.
#define WGI_MAP 65536
WGI_STATE unsigned long long wgi_map[WGI_MAP];
WGI_FN wgi_block *wgi_current() {
  unsigned long long i = wgi_block_index();
  wgi_block *b = (wgi_block *)*(volatile unsigned long long *)&wgi_map[i % WGI_MAP];
  return b && b->block == i && b->grid == wgi_grid() ? b : 0;
}
WGI_FN void wgi_set_current(wgi_block *b) {
  unsigned long long *slot = &wgi_map[wgi_block_index() % WGI_MAP];
  if (b) atomicExch(slot, (unsigned long long)b);
}
#endif

// wgi_take takes n units of the pool in a row.
WGI_FN int wgi_take(unsigned n) {
  if (n > WGI_UNITS) return -1;
  for (int tries = 0; tries < 64; tries++) {
    unsigned first = atomicAdd(&wgi_head, n) % WGI_UNITS;
    if (first + n > WGI_UNITS) first = 0;
    unsigned got = 0;
    while (got < n && atomicCAS(&wgi_busy[first + got], 0u, 1u) == 0) got++;
    if (got == n) return (int)first;
    while (got > 0) atomicExch(&wgi_busy[first + --got], 0u);
  }
  return -1;
}

#if WGI_STAMPS
// A table of entries of 64 bits, whose upper 16 are a stamp: what stands in an
// entry counts only with the stamp of the present interval, so that nothing has
// to be cleared. Stamps continue from one block that has a unit to the next.
WGI_STATE unsigned wgi_last[WGI_UNITS];

// wgi_stamp begins an interval; by one thread, while no other is in the table.
WGI_FN void wgi_stamp(wgi_block *b) {
  if (++b->stamp <= 0xffff) return;
  unsigned long long *table = (unsigned long long *)b->table, *end = (unsigned long long *)(wgi_pool + (b->unit + b->units) * WGI_UNIT);
  while (table < end) *table++ = 0; // all of its units: another block's table may have been longer
  b->stamp = 1;
}
WGI_FN void wgi_first_stamp(wgi_block *b) {
  b->stamp = 0;
  for (unsigned i = 0; i < b->units; i++) b->stamp = max(b->stamp, *(volatile unsigned *)&wgi_last[b->unit + i]);
  wgi_stamp(b);
}
#endif
WGI_FN void wgi_release(wgi_block *b) {
  unsigned first = b->unit, n = b->units;
#if WGI_STAMPS
  for (unsigned i = 0; i < n; i++) wgi_last[first + i] = b->stamp;
#endif
  __threadfence();
  for (unsigned i = 0; i < n; i++) atomicExch(&wgi_busy[first + i], 0u);
}

// wgi_claim makes the block's state; by one thread.
WGI_NOINLINE wgi_block *wgi_claim(int kernel) {
  unsigned threads = wgi_threads(), shared_bytes = wgi_shared_bytes();
  unsigned long long bytes = (wgi_table_bytes(threads, shared_bytes) + 15) / 16 * 16;
  unsigned units = (unsigned)((WGI_FAST + bytes + WGI_UNIT - 1) / WGI_UNIT);
  int unit = threads <= WGI_MAX_THREADS ? wgi_take(units) : -1;
  wgi_count(unit < 0 ? wgi_unwatched : wgi_watched, 1);
  if (unit < 0) return 0;
  wgi_block *b = &wgi_blocks[unit];
  b->threads = threads;
  b->shared_bytes = shared_bytes;
  b->block = wgi_block_index();
  b->grid = wgi_grid();
  b->interval = b->done = b->arrived = 0;
  b->kernel = kernel;
  b->kernel_home = WGI_HOME;
  b->fast = (wgi_fast *)(wgi_pool + unit * WGI_UNIT);
  b->table = wgi_pool + unit * WGI_UNIT + WGI_FAST;
  b->bytes = bytes;
#ifdef WGI_BYTES_STAT
  wgi_count(WGI_BYTES_STAT, bytes);
#endif
  b->unit = (unsigned)unit;
  b->units = units;
#if WGI_STAMPS
  wgi_first_stamp(b);
#endif
  return b;
}

// wgi_enter begins a kernel; by all threads of the block, which all come.
WGI_NOINLINE void wgi_enter(int kernel) {
  unsigned t = wgi_thread();
  if (t == 0) {
    wgi_block *b = wgi_claim(kernel);
#if WGI_TABLE_SHARED
    if (b) b->fast = (wgi_fast *)wgi_shared()->fast;
#endif
    __threadfence();
    wgi_set_current(b);
  }
  __syncthreads();
  wgi_block *b = wgi_current();
  if (b) {
    uint4 zero = make_uint4(0, 0, 0, 0);
    unsigned long long bytes = b->bytes;
#ifdef WGI_TABLE_ZERO
    if (bytes > WGI_TABLE_ZERO) bytes = WGI_TABLE_ZERO;
#endif
    for (unsigned long long i = t; i < bytes / 16; i += b->threads) ((uint4 *)b->table)[i] = zero;
    for (unsigned i = t; i < WGI_FAST / 16; i += b->threads) ((uint4 *)b->fast)[i] = zero;
  }
  __syncthreads();
}

// wgi_pass does what a barrier asks for; the barrier itself has just been
// passed by all threads that have not ended.
WGI_NOINLINE void wgi_pass() {
  wgi_block *b = wgi_current();
  if (!b) return;
  unsigned done = *(volatile unsigned *)&b->done, n = b->threads - done;
  unsigned rank = done ? atomicAdd(&b->arrived, 1u) : wgi_thread();
#if WGI_CHECKS
  wgi_check(b, rank, n);
  __syncthreads();
#endif
  if (rank == n - 1) { // all others have their ranks
    b->interval++;
    b->arrived = 0;
#if WGI_STAMPS
    wgi_stamp(b);
#endif
  }
#if WGI_CHECKS
  wgi_reset(b, rank, n);
#endif
  __syncthreads();
}

// wgi_leave ends a thread of a kernel. The lanes that end together count at once;
// the block's last ones check alone.
WGI_NOINLINE void wgi_leave() {
  wgi_block *b = wgi_current();
  if (!b) return;
  __threadfence();
  unsigned here = __activemask(), lane = wgi_thread() % 32, n = __popc(here), done = 0;
  int first = __ffs((int)here) - 1;
  if ((int)lane == first) done = atomicAdd(&b->done, n);
  if (__shfl_sync(here, done, first) != b->threads - n) return;
#if WGI_CHECKS
  __threadfence();
  wgi_check(b, __popc(here & ((1u << lane) - 1)), n);
  __syncwarp(here);
#endif
  if ((int)lane == first) wgi_release(b);
}

// wgi_leave_all ends a kernel whose end all threads reach.
WGI_NOINLINE void wgi_leave_all() {
  wgi_block *b = wgi_current();
  if (!b) return;
#if WGI_CHECKS
  __syncthreads();
  wgi_check(b, wgi_thread(), b->threads);
#endif
  __syncthreads();
  if (wgi_thread() == 0) wgi_release(b);
}

#else

WGI_FN wgi_block *wgi_current() { return 0; }
WGI_FN void wgi_enter(int) {}
WGI_FN void wgi_pass() {}
WGI_FN void wgi_leave() {}
WGI_FN void wgi_leave_all() {}

#endif

//@include hooks.cuh

//@host

#endif
