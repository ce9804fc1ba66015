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

#ifndef WGI_POOL_MB
#define WGI_POOL_MB 64
#endif
#ifndef WGI_COUNT
#define WGI_COUNT 0
#endif
#ifndef WGI_FINDINGS
#define WGI_FINDINGS 4096
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

// A finding: all races of a kind between two sites in a kernel.
struct wgi_finding {
  unsigned long long key; // 0 for none
  int kind, site, other, kernel;
  unsigned size;
  unsigned long long count;
  unsigned long long witness; // the smallest, see wgi_pack
};

enum { wgi_lost = 16, wgi_unwatched, wgi_watched, wgi_outside, wgi_counters };

static __device__ wgi_finding wgi_findings[WGI_FINDINGS];
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

// ---------------------------------------------------------------- blocks

struct wgi_fast;

// The state of a running block. Its table is in the pool.
struct wgi_block {
  unsigned threads, shared_bytes;
  unsigned long long block;
  unsigned interval; // barriers passed
  int kernel;
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

// wgi_report notes a race. Reports of one kind, pair of sites and kernel are
// one finding; where the sites are not known, those at one address.
WGI_NOINLINE void wgi_report(wgi_block *b, int kind, int site, int other, unsigned long long address, unsigned size,
                             unsigned thread, unsigned other_thread, unsigned long long count) {
  unsigned long long where = site == WGI_NO_SITE && other == WGI_NO_SITE ? address + 1 : 0;
  unsigned long long key = (unsigned long long)(kind + 1) << 62 ^ (unsigned long long)(b->kernel + 1) << 52 ^
                           (unsigned long long)(unsigned)(site + 1) << 20 ^ (unsigned long long)(unsigned)(other + 1) ^ where << 32;
  if (key == 0) key = 1;
  unsigned slot = (unsigned)((key ^ key >> 29) * 0x9e3779b97f4a7c15ull >> 40) % WGI_FINDINGS;
  for (unsigned i = 0; i < WGI_PROBES; i++, slot = (slot + 1) % WGI_FINDINGS) {
    wgi_finding *f = &wgi_findings[slot];
    unsigned long long had = atomicCAS(&f->key, 0ull, key);
    if (had != 0 && had != key) continue;
    if (had == 0) {
      atomicExch(&f->kind, kind);
      atomicExch(&f->site, site);
      atomicExch(&f->other, other);
      atomicExch(&f->kernel, b->kernel);
    }
    atomicMax(&f->size, size);
    atomicAdd(&f->count, count);
    // The complement, so that memory filled with zeros holds none.
    atomicMax(&f->witness, ~wgi_pack(b->block, thread, other_thread, address));
    return;
  }
  wgi_count(wgi_lost, 1);
}

//@scheme

#if WGI_BLOCK_STATE

// The pool that tables come from. A block takes units in a row; if none are
// free it is not watched, for to wait for another block might take forever.
#define WGI_UNIT 16384ull
#define WGI_UNITS ((unsigned)(WGI_POOL_MB * 1048576ull / WGI_UNIT))
static __device__ __align__(16) unsigned char wgi_pool[WGI_UNITS * WGI_UNIT];
static __device__ unsigned wgi_busy[WGI_UNITS];
static __device__ unsigned wgi_head;
static __device__ wgi_block wgi_blocks[WGI_UNITS]; // by the first unit

WGI_FN unsigned wgi_shared_bytes() {
#if WGI_SHARED_BYTES
  return WGI_SHARED_BYTES;
#else
  unsigned n;
  asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(n));
  return n;
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

#if WGI_TABLE_SHARED
// Where the block's state is, with a seal of the launch: a device function may
// be called by a kernel of a library, which has not set it.
WGI_FN unsigned long long *wgi_here() {
  __shared__ __align__(16) unsigned long long here[2];
  return here;
}
WGI_FN unsigned long long wgi_seal(unsigned long long b) { return (wgi_grid() + 1) * 0x9e3779b97f4a7c15ull ^ b; }
WGI_FN wgi_block *wgi_current() {
  unsigned long long *here = wgi_here(), b = here[0];
  return here[1] == wgi_seal(b) ? (wgi_block *)b : 0;
}
WGI_FN void wgi_set_current(wgi_block *b) {
  unsigned long long *here = wgi_here();
  here[0] = (unsigned long long)b;
  here[1] = wgi_seal((unsigned long long)b);
}
#else
// A table by block index takes the place of a variable in shared memory.
#define WGI_MAP 65536
static __device__ unsigned long long wgi_map[WGI_MAP];
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
static __device__ unsigned wgi_last[WGI_UNITS];

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

#define WGI_FAST ((sizeof(wgi_fast) + 15) / 16 * 16)

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
    __shared__ __align__(16) unsigned char fast[WGI_FAST];
    if (b) b->fast = (wgi_fast *)fast;
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
