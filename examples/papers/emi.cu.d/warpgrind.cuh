// Made by warpgrind instrument.
#define WGI_VERSION "0.1.0"
#ifndef WGI_SITES
#define WGI_SITES 16
#endif
#ifndef WGI_KERNELS
#define WGI_KERNELS 1
#endif
#ifndef WGI_TABLE_SHARED
#define WGI_TABLE_SHARED 1
#endif
#ifndef WGI_MAX_THREADS
#define WGI_MAX_THREADS 1024
#endif
#ifndef WGI_SHARED_BYTES
#define WGI_SHARED_BYTES 0
#endif
#ifndef WGI_REPORT_WAW
#define WGI_REPORT_WAW 0
#endif
#ifndef WGI_BANKS
#define WGI_BANKS 32
#endif
#ifndef WGI_POOL_MB
#define WGI_POOL_MB 64
#endif
#ifndef WGI_GRANULE
#define WGI_GRANULE 4
#endif
#ifndef WGI_ROOM
#define WGI_ROOM 10944
#endif
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

// grace-addr: the address-based scheme of GRace, section 3.3.2. For each address
// of shared memory four counters: the reads and the writes of each warp
// (rWarpShmMap, wWarpShmMap) and those of all warps (rBlockShmMap, wBlockShmMap),
// since the last barrier. At each barrier Algorithm 4 compares them. Time and
// space depend on the size of shared memory alone; what it reports are addresses
// of the program's shared memory and warps, no statements.
//
// Two conditions of Algorithm 4 read "<=" in the paper; with them each write
// would be a race with itself. They are "<" here: the counts of a warp and of
// the block are equal when no other block made such an access.
//
// An atomic counts as a read: atomics do not race with each other, but with
// writes.

// What grace-stmt and grace-addr have in common: the warpTable and the race
// detection within a warp, after Zheng, Ravi, Qin and Agrawal, "GRace: A
// Low-Overhead Mechanism for Detecting Data Races in GPU Programs" (PPoPP 2011),
// section 3.3.1, and the counters from which the paper's Table 1 is made.
//
// The lanes of a warp are ordered by the instructions that they execute, as on
// the GPUs of the paper: within a warp, only lanes of one instruction race.

#define WGI_WATCH WGI_SHARED
#define WGI_BLOCK_STATE 1
#define WGI_PARTS 0
#define WGI_CHECKS 1

// WGI_GRANULE is the size in bytes of the smallest access; grace-addr has a
// counter for each so many bytes of shared memory.
#ifndef WGI_GRANULE
#define WGI_GRANULE 4
#endif

#define WGI_GRACE_STATS                 \
    X(0, "racing addresses")            \
    X(1, "racing thread pairs")         \
    X(2, "racing warp pairs")           \
    X(3, "racing pairs within a warp")  \
    X(4, "table bytes")                 \
    X(5, "entries lost")

// wgi_fast is the warpTable: for each thread of the block the address of its
// latest write, as an offset into shared memory.
struct wgi_fast {
    unsigned warp_table[WGI_MAX_THREADS];
};

// The racing words of shared memory, and the racing warps: bit v of element w
// with v > w. They are common to all blocks, so that a word or a pair counts
// once however many blocks race there.
WGI_STATE unsigned wgi_grace_words[1 << 11];
WGI_STATE unsigned wgi_grace_warps[32];

WGI_FN bool wgi_overlap(unsigned a, unsigned a_size, unsigned b, unsigned b_size) {
    return a < b + b_size && b < a + a_size;
}

// wgi_writes tells accesses that write and are not atomic.
WGI_FN bool wgi_writes(int kind) { return (kind & WGI_WRITE) && !(kind & WGI_ATOMIC); }

// wgi_grace_word counts the word at an address if it is new among the racing.
WGI_NOINLINE void wgi_grace_word(unsigned address) {
    unsigned word = address / 4;
    unsigned bit = 1u << (word & 31);
    if (!(atomicOr(&wgi_grace_words[(word >> 5) & 2047], bit) & bit)) wgi_count(0, 1);
}

// wgi_grace_pair counts a pair of warps if it is new among the racing.
WGI_NOINLINE void wgi_grace_pair(unsigned warp, unsigned other) {
    unsigned low = warp < other ? warp : other;
    unsigned bit = 1u << (warp < other ? other : warp);
    if (!(atomicOr(&wgi_grace_warps[low], bit) & bit)) wgi_count(2, 1);
}

WGI_NOINLINE void wgi_intra_race(wgi_block *b, int site, unsigned address, unsigned size, unsigned thread,
                                 unsigned other, unsigned count) {
    wgi_grace_word(address);
    wgi_count(1, count);
    wgi_count(3, count);
    wgi_report(b, WGI_WAW, site, site, address, size, thread, other, count);
}

// wgi_intra_warp is Algorithm 2 for an access that writes: each lane enters its
// address in the warpTable and compares it with those of the others. The lanes
// that take part are the active ones; they wait for each other and for no one
// else. A pair of lanes is reported once, by the lower one.
WGI_FN void wgi_intra_warp(wgi_block *b, int site, unsigned address, unsigned size) {
    unsigned active = __activemask();
    unsigned thread = wgi_thread();
    unsigned source = thread & 31;
    volatile unsigned *table = b->fast->warp_table + (thread - source);
    table[source] = address;
    __syncwarp(active);
    unsigned count = 0, witness = 0;
    for (unsigned target = source + 1; target < 32; target++) {
        bool same = (active >> target & 1) && wgi_overlap(table[target], size, address, size);
        witness = same && count == 0 ? target : witness;
        count += same;
    }
    __syncwarp(active);
    if (count > 0) wgi_intra_race(b, site, address, size, thread, thread - source + witness, count);
}

#define WGI_NAME "grace-addr"
#define WGI_STATS WGI_GRACE_STATS

// wgi_maps are the tables of a block. The elements of each are `granules` apart.
// used[0] is set by an access, used[1] is its value at the barrier: an interval
// without an access has nothing to compare and nothing to clear.
struct wgi_maps {
    unsigned granules, warps;
    unsigned *used;
    unsigned *read_warp, *write_warp;   // [warp][granule]
    unsigned *read_block, *write_block; // [granule]
};

WGI_FN unsigned wgi_granules(unsigned shared_bytes) {
    return ((shared_bytes + WGI_GRANULE - 1) / WGI_GRANULE + 3) & ~3u;
}

WGI_FN unsigned long long wgi_table_bytes(unsigned threads, unsigned shared_bytes) {
    unsigned long long maps = 2 * ((threads + 31) / 32) + 2;
    return sizeof(uint4) + maps * wgi_granules(shared_bytes) * sizeof(unsigned);
}

WGI_FN wgi_maps wgi_maps_of(wgi_block *b) {
    wgi_maps m;
    m.granules = wgi_granules(b->shared_bytes);
    m.warps = (b->threads + 31) / 32;
    m.used = (unsigned *)b->table;
    m.read_block = m.used + sizeof(uint4) / sizeof(unsigned);
    m.write_block = m.read_block + m.granules;
    m.read_warp = m.write_block + m.granules;
    m.write_warp = m.read_warp + m.warps * m.granules;
    return m;
}

WGI_FN void wgi_access(wgi_block *b, int site, int kind, unsigned long long where, unsigned size) {
    unsigned address = (unsigned)where;
    bool writes = wgi_writes(kind), reads = (kind & (WGI_READ | WGI_ATOMIC)) != 0;
    if (writes) wgi_intra_warp(b, site, address, size);

    wgi_maps m = wgi_maps_of(b);
    atomicExch(&m.used[0], 1u);
    unsigned row = wgi_thread() / 32 * m.granules;
    for (unsigned g = address / WGI_GRANULE; g <= (address + size - 1) / WGI_GRANULE; g++) {
        if (reads) {
            atomicAdd(&m.read_warp[row + g], 1u);
            atomicAdd(&m.read_block[g], 1u);
        }
        if (writes) {
            atomicAdd(&m.write_warp[row + g], 1u);
            atomicAdd(&m.write_block[g], 1u);
        }
    }
}

// wgi_inter_race reports the race that a warp has at an address: with which
// warps, the maps tell.
WGI_NOINLINE void wgi_inter_race(wgi_block *b, int kind, unsigned g, unsigned warp) {
    wgi_maps m = wgi_maps_of(b);
    unsigned *theirs = kind == WGI_WAR ? m.read_warp : m.write_warp;
    unsigned other = 0, pairs = 0;
    for (unsigned v = 0; v < m.warps; v++) {
        if (v == warp || theirs[v * m.granules + g] == 0) continue;
        wgi_grace_pair(warp, v);
        if (pairs++ == 0) other = v;
    }
    wgi_grace_word(g * WGI_GRANULE);
    wgi_report(b, kind, WGI_NO_SITE, WGI_NO_SITE, g * WGI_GRANULE, WGI_GRANULE, warp | WGI_WARP,
               other | WGI_WARP, pairs);
}

// wgi_check is Algorithm 4, with the addresses shared among the threads and the
// warps one after the other: an address that was never written is done with one look.
WGI_FN void wgi_check(wgi_block *b, unsigned rank, unsigned n) {
    wgi_maps m = wgi_maps_of(b);
    if (rank == 0 && b->interval == 0) wgi_count(4, wgi_table_bytes(b->threads, b->shared_bytes));
    if (rank == 0) m.used[1] = m.used[0];
    if (m.used[0] == 0) return;
    for (unsigned g = rank; g < m.granules; g += n) {
        unsigned writes = m.write_block[g];
        if (writes == 0) continue;
        for (unsigned warp = 0; warp < m.warps; warp++) {
            unsigned r = m.read_warp[warp * m.granules + g], w = m.write_warp[warp * m.granules + g];
            if (r == 0 && w == 0) continue;
            if (w > 0 && w < writes)
                wgi_inter_race(b, WGI_WAW, g, warp);
            else if (w == 0)
                wgi_inter_race(b, WGI_RAW, g, warp);
            else if (r < m.read_block[g])
                wgi_inter_race(b, WGI_WAR, g, warp);
        }
    }
}

WGI_FN void wgi_reset(wgi_block *b, unsigned rank, unsigned n) {
    wgi_maps m = wgi_maps_of(b);
    if (rank == 0) m.used[0] = 0;
    if (m.used[1] == 0) return;
    uint4 *maps = (uint4 *)m.read_block;
    unsigned count = (2 * m.warps + 2) * m.granules / 4; // granules is a multiple of 4
    for (unsigned i = rank; i < count; i += n) maps[i] = make_uint4(0, 0, 0, 0);
}

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

// ---------------------------------------------------------------- hooks

// wgi_tell tells the scheme of an access to the memory that it watches. With
// WGI_PARTS the scheme counts accesses of compiled code, which copies an object
// in parts as large as its alignment.
WGI_NOINLINE void wgi_tell(int site, int kind, unsigned long long address, unsigned size, unsigned part) {
  wgi_block *b = wgi_current();
#if WGI_BLOCK_STATE
  if (!b) return;
  address = wgi_offset(address);
  if (address + size > b->shared_bytes) {
    wgi_count(wgi_outside, 1);
    return;
  }
#endif
#if WGI_COUNT
  atomicAdd(&wgi_site_count[site][3], 1ull);
#endif
#if WGI_PARTS
  for (unsigned at = 0; at < size; at += part) wgi_access(b, site, kind, address + at, part);
#else
  wgi_access(b, site, kind, address, size);
#endif
}

// wgi_touch sorts out accesses to other memory.
WGI_FN void wgi_touch(int site, int kind, const void *p, unsigned size, unsigned part) {
  if (WGI_WATCH == WGI_GLOBAL && __isGlobal(p)) wgi_tell(site, kind, (unsigned long long)p, size, part);
  if (WGI_WATCH == WGI_SHARED && __isShared(p)) wgi_tell(site, kind, wgi_window(p), size, part);
}

WGI_FN bool wgi_first_lane() { return wgi_thread() % 32 == (unsigned)__ffs((int)__activemask()) - 1; }

// wgi_visit is wgi_touch for a place with flags. seen is the last interval in
// which the thread was here, plus one; where no barrier is in the loop, any but 0.
// A thread has been here too if another one of its warp was watched for it: the
// lanes stay together.
template <int F> WGI_FN void wgi_visit(int site, int kind, const void *p, unsigned size, unsigned align, unsigned *seen) {
#ifdef __CUDA_ARCH__
  if (F & WGI_UNBROKEN) {
    if (*seen) return;
    *seen = 1;
  } else if (F & WGI_ONE_ITER) {
    wgi_block *b = wgi_current();
    if (!b || *seen == b->interval + 1) return;
    *seen = b->interval + 1;
  }
  if (F & WGI_ONE_THREAD && !wgi_first_lane()) return;
  wgi_touch(site, kind, p, size, align < 16 ? align : 16);
#endif
}

template <class T> WGI_HOOK const void *wgi_address(T &x) {
  return (const void *)&reinterpret_cast<const volatile char &>(x);
}

#ifdef __CUDA_ARCH__
#define WGI_DO(F, kind, p, T, seen) if (WGI_AT_RUN_TIME) wgi_visit<F>(site, kind, p, sizeof(T), alignof(T), seen)
#else
#define WGI_DO(F, kind, p, T, seen) (void)site
#endif

#define WGI_ON_LVALUE(name, kind)                                                             \
  template <int F = 0, class T> WGI_HOOK WGI_CONSTEXPR T &&name(int site, T &&x) {            \
    WGI_DO(F, kind, wgi_address(x), T, nullptr);                                              \
    return static_cast<T &&>(x);                                                              \
  }                                                                                           \
  template <int F, class T> WGI_HOOK WGI_CONSTEXPR T &&name(int site, unsigned &seen, T &&x) { \
    WGI_DO(F, kind, wgi_address(x), T, &seen);                                                \
    return static_cast<T &&>(x);                                                              \
  }
WGI_ON_LVALUE(wgi_r, WGI_READ)
WGI_ON_LVALUE(wgi_w, WGI_WRITE)
WGI_ON_LVALUE(wgi_u, WGI_READ | WGI_WRITE)

#define WGI_ON_POINTER(name, kind)                                                            \
  template <int F = 0, class T> WGI_HOOK WGI_CONSTEXPR T *name(int site, T *p) {              \
    WGI_DO(F, kind, (const void *)p, T, nullptr);                                             \
    return p;                                                                                 \
  }                                                                                           \
  template <int F, class T> WGI_HOOK WGI_CONSTEXPR T *name(int site, unsigned &seen, T *p) {  \
    WGI_DO(F, kind, (const void *)p, T, &seen);                                               \
    return p;                                                                                 \
  }
WGI_ON_POINTER(wgi_a, WGI_READ | WGI_WRITE | WGI_ATOMIC)
WGI_ON_POINTER(wgi_pr, WGI_READ)
WGI_ON_POINTER(wgi_pw, WGI_WRITE)

// Classes are of this source alone: one program may have several sources.
namespace {

// wgi_each is an array, or an object whose begin() is a pointer, whose elements a
// range-based for copies; what else such a loop goes through stays what it is.
template <int F, class T> struct wgi_element {
  T *p;
  int site;
  WGI_HOOK_IN T &operator*() const { return wgi_r<F>(site, *p); }
  WGI_HOOK_IN wgi_element &operator++() { return ++p, *this; }
  WGI_HOOK_IN bool operator!=(const wgi_element &end) const { return p != end.p; }
};
template <int F, class T> struct wgi_elements {
  wgi_element<F, T> first, last;
  WGI_HOOK_IN wgi_element<F, T> begin() const { return first; }
  WGI_HOOK_IN wgi_element<F, T> end() const { return last; }
};
} // namespace

template <int F = 0, class T, size_t N> WGI_HOOK WGI_CONSTEXPR wgi_elements<F, T> wgi_each(int site, T (&a)[N]) {
  return {{a, site}, {a + N, site}};
}
template <class T> struct wgi_pointee {};
template <class T> struct wgi_pointee<T *> { typedef T type; };
#if defined(__NVCC__) && !defined(__clang__)
#pragma nv_exec_check_disable // begin() may be of the device alone, and is called there alone
#endif
template <int F = 0, class T>
WGI_HOOK WGI_CONSTEXPR wgi_elements<F, typename wgi_pointee<decltype(static_cast<T *>(0)->begin())>::type> wgi_each(int site, T &x) {
  return {{x.begin(), site}, {x.end(), site}};
}
template <int F = 0, class T> WGI_HOOK WGI_CONSTEXPR T wgi_each(int, T &&x) { return static_cast<T &&>(x); }

WGI_HOOK void wgi_barrier(int) {
#ifdef __CUDA_ARCH__
  wgi_pass();
#endif
}

template <class T> WGI_HOOK T wgi_barrier_value(int, T value) {
#ifdef __CUDA_ARCH__
  wgi_pass();
#endif
  return value;
}

namespace {

// The first thing in a kernel's body: its life is the kernel's.
struct wgi_kernel {
  __device__ __forceinline__ explicit wgi_kernel(int k) { wgi_note(k), wgi_enter(k); }
  __device__ __forceinline__ ~wgi_kernel() { wgi_leave(); }
  static __device__ __forceinline__ void wgi_note(int k) {
    if (wgi_thread() == 0 && wgi_block_index() == 0) {
      unsigned *e = wgi_extent[k];
      atomicExch(e, blockDim.x), atomicExch(e + 1, blockDim.y), atomicExch(e + 2, blockDim.z);
      atomicExch(e + 3, gridDim.x), atomicExch(e + 4, gridDim.y), atomicExch(e + 5, gridDim.z);
      wgi_mirror *kept = *(wgi_mirror *volatile *)&wgi_kept;
      for (int i = 0; kept && i < 6; i++) kept->extent[k][i] = e[i];
    }
  }
};

// The same for a kernel whose end all threads reach.
struct wgi_kernel_all {
  __device__ __forceinline__ explicit wgi_kernel_all(int k) { wgi_kernel::wgi_note(k), wgi_enter(k); }
  __device__ __forceinline__ ~wgi_kernel_all() { wgi_leave_all(); }
};

} // namespace

// ---------------------------------------------------------------- the host

#include <cuda_runtime.h>

struct wgi_site {
  const char *file;
  int line, column;
  const char *kind, *text, *statement, *function, *variable;
};

// What one source has found: the sum of all that was copied from the device.
struct wgi_results {
  wgi_finding *findings;
  int n, room;
  unsigned long long counter[wgi_counters];
  unsigned long long site_count[WGI_SITES + 1][WGI_COUNTS];
  unsigned site_worst[WGI_SITES + 1][2 + 32];
  unsigned extent[WGI_KERNELS + 1][6];
};

// A source of the program, in the list of all sources. It is the same in each of them.
struct wgi_source {
  const wgi_site *sites;
  const char *const *kernels;
  const char *name;
  int n_sites;
  unsigned long long home; // WGI_HOME, once it is known
  void (*flush)();
  void (*text)(FILE *);
  int (*json)(FILE *, int);
  void (*stats)(FILE *);
  unsigned long long (*count)(int);
  const unsigned *(*extent)(int);
  wgi_source *next;
};

__attribute__((weak)) wgi_source *wgi_sources; // of all sources that are linked together

static wgi_results *wgi_host() {
  static wgi_results *all;
  if (!all) all = (wgi_results *)calloc(1, sizeof *all);
  return all;
}

static void wgi_merge(const wgi_finding *f) {
  wgi_results *h = wgi_host();
  for (int i = 0; i < h->n; i++) {
    wgi_finding *g = &h->findings[i];
    if (g->key != f->key) continue;
    g->count += f->count;
    if (f->witness > g->witness) g->witness = f->witness;
    return;
  }
  if (h->n == h->room) {
    int room = h->room ? 2 * h->room : 64;
    wgi_finding *more = (wgi_finding *)realloc(h->findings, (size_t)room * sizeof *more);
    if (!more) return;
    h->findings = more, h->room = room;
  }
  h->findings[h->n++] = *f;
}

// wgi_fetch copies a device variable and fills it with zeros there.
template <class T> static bool wgi_fetch(T *to, T &symbol) {
  cudaError_t e = cudaMemcpyFromSymbol(to, symbol, sizeof(T));
  T *zero = (T *)calloc(1, sizeof(T));
  if (e == cudaSuccess) e = cudaMemcpyToSymbol(symbol, zero, sizeof(T));
  free(zero);
  return e == cudaSuccess;
}

static void wgi_note_extents(const unsigned (*extent)[6]) {
  for (int i = 0; i <= WGI_KERNELS; i++)
    if (extent[i][0]) memcpy(wgi_host()->extent[i], extent[i], sizeof extent[i]);
}

static wgi_mirror *wgi_mirrored; // the host's address of wgi_kept
static int wgi_tried;

// wgi_set_kept tells the device of the mirror, in a stream of its own: another one may be
// capturing.
static bool wgi_set_kept(void *there) {
  cudaStream_t s;
  if (cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) != cudaSuccess) return false;
  bool ok = cudaMemcpyToSymbolAsync(wgi_kept, &there, sizeof there, 0, cudaMemcpyHostToDevice, s) == cudaSuccess &&
            cudaStreamSynchronize(s) == cudaSuccess;
  cudaStreamDestroy(s);
  return ok;
}

// wgi_mirror_start makes the mirror, before the first launch. An error that the program
// has not asked for yet stays as it is; without a mirror a fault loses what was found.
static void wgi_mirror_start() {
  if (__atomic_load_n(&wgi_tried, __ATOMIC_ACQUIRE) || cudaPeekAtLastError() != cudaSuccess) return;
  if (__atomic_exchange_n(&wgi_tried, 1, __ATOMIC_ACQ_REL)) return;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  cudaThreadExchangeStreamCaptureMode(&mode);
  void *here = 0, *there = 0;
  if (cudaHostAlloc(&here, sizeof(wgi_mirror), cudaHostAllocMapped | cudaHostAllocPortable) == cudaSuccess) {
    memset(here, 0, sizeof(wgi_mirror));
    if (cudaHostGetDevicePointer(&there, here, 0) == cudaSuccess && wgi_set_kept(there)) wgi_mirrored = (wgi_mirror *)here;
    else cudaFreeHost(here);
  }
  cudaGetLastError();
  cudaThreadExchangeStreamCaptureMode(&mode);
}

// wgi_ready stands around the first operand of a launch and gives it back.
template <class T> static inline T &&wgi_ready(int, T &&grid) {
  wgi_mirror_start();
  return static_cast<T &&>(grid);
}

// wgi_recover takes from the mirror what a fault has left, and returns whether there is
// something.
static bool wgi_recover() {
  wgi_results *h = wgi_host();
  bool any = false;
  for (int i = 0; i < WGI_FINDINGS; i++)
    if (wgi_mirrored->findings[i].key) any = true, wgi_merge(&wgi_mirrored->findings[i]);
  for (int i = 0; i <= WGI_SITES; i++) {
    for (int k = 0; k < WGI_COUNTS; k++) h->site_count[i][k] += wgi_mirrored->site_count[i][k];
    any = any || wgi_mirrored->site_count[i][0];
    if (wgi_mirrored->site_worst[i][0] > h->site_worst[i][0]) memcpy(h->site_worst[i], wgi_mirrored->site_worst[i], sizeof h->site_worst[i]);
  }
  wgi_note_extents(wgi_mirrored->extent);
  return any;
}

// wgi_forget ends the use of a mirror, for a device that is reset next. The memory stays:
// a kernel that is late would write to it.
static void wgi_forget() {
  if (wgi_mirrored) wgi_set_kept(0);
  wgi_mirrored = 0;
  __atomic_store_n(&wgi_tried, 0, __ATOMIC_RELEASE);
}

static wgi_source wgi_this;

// wgi_flush adds what the device has found, and forgets it there.
static void wgi_flush() {
  struct wgi_copy {
    wgi_finding findings[WGI_FINDINGS];
    unsigned long long counter[wgi_counters], site_count[WGI_SITES + 1][WGI_COUNTS];
    unsigned site_worst[WGI_SITES + 1][2 + 32], extent[WGI_KERNELS + 1][6];
  };
  cudaDeviceSynchronize();
#if WGI_RDC
  void *home;
  if (cudaGetSymbolAddress(&home, wgi_findings) == cudaSuccess) wgi_this.home = (unsigned long long)home;
#endif
  wgi_results *h = wgi_host();
  wgi_copy *c = (wgi_copy *)calloc(1, sizeof *c);
  if (wgi_fetch(&c->findings, wgi_findings) && wgi_fetch(&c->counter, wgi_counter) && wgi_fetch(&c->site_count, wgi_site_count) &&
      wgi_fetch(&c->site_worst, wgi_site_worst) && wgi_fetch(&c->extent, wgi_extent)) {
    for (int i = 0; i < WGI_FINDINGS; i++)
      if (c->findings[i].key) wgi_merge(&c->findings[i]);
    for (int i = 0; i < wgi_counters; i++) h->counter[i] += c->counter[i];
    for (int i = 0; i <= WGI_SITES; i++) {
      for (int k = 0; k < WGI_COUNTS; k++) h->site_count[i][k] += c->site_count[i][k];
      if (c->site_worst[i][0] > h->site_worst[i][0]) memcpy(h->site_worst[i], c->site_worst[i], sizeof h->site_worst[i]);
    }
    wgi_note_extents(c->extent);
  } else {
    const char *why = cudaGetErrorString(cudaGetLastError());
    if (!wgi_mirrored) fprintf(stderr, "warpgrind: what the device has found cannot be read: %s\n", why);
    else if (wgi_recover()) fprintf(stderr, "warpgrind: %s: of the findings before that, counts are lower bounds\n", why);
  }
  free(c);
  wgi_forget();
}

static unsigned long long wgi_counted(int k) { return wgi_host()->counter[k]; }

static const char *wgi_hazard(int kind) { return kind == WGI_RAW ? "RAW" : kind == WGI_WAR ? "WAR" : "WAW"; }

// wgi_string writes a JSON string.
static void wgi_string(FILE *f, const char *s) {
  fputc('"', f);
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') fprintf(f, "\\%c", c);
    else if (c < 32) fprintf(f, "\\u%04x", c);
    else fputc(c, f);
  }
  fputc('"', f);
}

// wgi_source_of finds a source by its name on the device.
static const wgi_source *wgi_source_of(unsigned long long home) {
  for (wgi_source *s = wgi_sources; home && s; s = s->next)
    if (s->home == home) return s;
  return &wgi_this;
}

static const wgi_site *wgi_site_at(wgi_spot spot) {
  static const wgi_site none = {"", 0, 0, "access", "", "", "", ""};
  const wgi_source *s = wgi_source_of(spot.home);
  return spot.site < 0 || spot.site >= s->n_sites ? &none : &s->sites[spot.site];
}
static const wgi_site *wgi_site_of(int i) {
  wgi_spot here = {i, 0};
  return wgi_site_at(here);
}

// wgi_heading writes "#line 8" and the statement, as the paper has it; the
// file where it is not the program's only source.
static void wgi_heading(FILE *f, const wgi_site *s) {
  if (strcmp(s->file, wgi_this.name) || wgi_sources->next) fprintf(f, "#line %d \"%s\"\n    %s\n", s->line, s->file, s->statement);
  else fprintf(f, "#line %d\n    %s\n", s->line, s->statement);
}

static int wgi_by_site(const void *x, const void *y) {
  const wgi_finding *a = (const wgi_finding *)x, *b = (const wgi_finding *)y;
  if (a->spot.home != b->spot.home) return a->spot.home < b->spot.home ? -1 : 1;
  if (a->spot.site != b->spot.site) return a->spot.site < b->spot.site ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->other.home != b->other.home) return a->other.home < b->other.home ? -1 : 1;
  if (a->other.site != b->other.site) return a->other.site < b->other.site ? -1 : 1;
  if (a->kernel_home != b->kernel_home) return a->kernel_home < b->kernel_home ? -1 : 1;
  if (a->kernel != b->kernel) return a->kernel < b->kernel ? -1 : 1;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return a->key < b->key ? -1 : a->key > b->key;
}

static void wgi_write_race(FILE *f, const wgi_finding *r) {
  fprintf(f, "// %s hazard at expression:\n", wgi_hazard(r->kind));
  wgi_heading(f, wgi_site_at(r->spot));
  if (r->other.site < 0) return;
  fprintf(f, "// with:\n");
  wgi_heading(f, wgi_site_at(r->other));
}

static const char *wgi_kernel_of(const wgi_finding *r) { return wgi_source_of(r->kernel_home)->kernels[r->kernel]; }

// wgi_alike: two findings at addresses, of one kind and one kernel.
static bool wgi_alike(const wgi_finding *a, const wgi_finding *b) {
  return a->kind == b->kind && a->kernel == b->kernel && a->kernel_home == b->kernel_home && a->spot.site < 0 && b->spot.site < 0;
}

// wgi_addresses writes the addresses of n findings that are alike, as ranges.
static void wgi_addresses(FILE *f, const wgi_finding *r, int n) {
  long from = -1, next = -1, last = 0;
  const char *before = "";
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 32; k++) {
      long at = (long)r[i].first + (long)k * WGI_GRANULE;
      if (!(r[i].granules >> k & 1)) continue;
      if (at != next) {
        if (from >= 0) fprintf(f, from == last ? "%s%ld" : "%s%ld to %ld", before, from, last), before = ", ";
        from = at;
      }
      last = at + WGI_GRANULE - 1, next = at + WGI_GRANULE;
    }
  }
  if (from >= 0) fprintf(f, from == last ? "%s%ld" : "%s%ld to %ld", before, from, last);
}

// wgi_write_alike writes the findings at addresses that are like the first one in a line,
// and returns how many those are.
static int wgi_write_alike(FILE *f, const wgi_finding *r, const wgi_finding *end) {
  int n = 1;
  while (r + n < end && wgi_alike(r, r + n)) n++;
  fprintf(f, "// %s hazard in kernel %s at bytes ", wgi_hazard(r->kind), wgi_kernel_of(r));
  wgi_addresses(f, r, n);
  fprintf(f, " of shared memory\n");
  return n;
}

#if WGI_WATCH == WGI_GLOBAL
static void wgi_write_site(FILE *f, int i) {
  wgi_results *h = wgi_host();
  double lines = (double)h->site_count[i][2] / (double)h->site_count[i][0];
  fprintf(f, lines > 1 ? "// Uncoalesced access at expression:\n" : "// Coalesced access at expression:\n");
  wgi_heading(f, wgi_site_of(i));
  fprintf(f, "// Lines per access: %.2f\n", lines);
}
#else
static void wgi_write_site(FILE *f, int i) {
  wgi_results *h = wgi_host();
  unsigned *worst = h->site_worst[i];
  fprintf(f, h->site_count[i][1] ? "// Bank conflicts at expression:\n" : "// No bank conflicts at expression:\n");
  wgi_heading(f, wgi_site_of(i));
  if (!h->site_count[i][1]) return;
  int last = 0;
  fprintf(f, "// Bank:    ");
  for (int k = 0; k < WGI_BANKS; k++) {
    fprintf(f, "%3d", k);
    if (worst[2 + k]) last = k;
  }
  fprintf(f, "\n// Accesses:");
  for (int k = 0; k <= last; k++) worst[2 + k] ? (void)fprintf(f, "%3u", worst[2 + k]) : (void)fprintf(f, "   ");
  fprintf(f, "\n");
}
#endif

// wgi_write_text writes the papers' text form.
static void wgi_write_text(FILE *f) {
  wgi_results *h = wgi_host();
  qsort(h->findings, (size_t)h->n, sizeof h->findings[0], wgi_by_site);
  for (int i = 0; i < h->n; i++) {
    const wgi_finding *r = &h->findings[i];
    if (r->spot.site < 0) {
      i += wgi_write_alike(f, r, h->findings + h->n) - 1;
      continue;
    }
    bool again = i && r->spot.site == r[-1].spot.site && r->spot.home == r[-1].spot.home && r->kind == r[-1].kind &&
                 r->other.site == r[-1].other.site && r->other.home == r[-1].other.home; // in another kernel
    if (!again) wgi_write_race(f, r);
  }
  for (int i = 0; i < WGI_SITES; i++)
    if (h->site_count[i][0]) wgi_write_site(f, i);
}

static void wgi_location(FILE *f, const wgi_site *s) {
  fprintf(f, "\"location\":{\"file\":");
  wgi_string(f, s->file);
  fprintf(f, ",\"line\":%d,\"column\":%d,\"function\":", s->line, s->column);
  wgi_string(f, s->function);
  fprintf(f, "}");
}

static void wgi_coordinate(FILE *f, const char *name, unsigned long long i, const unsigned *extent) {
  unsigned long long x = extent[0] ? extent[0] : 1, y = extent[1] ? extent[1] : 1;
  fprintf(f, "\"%s\":{\"x\":%llu,\"y\":%llu,\"z\":%llu}", name, i % x, i / x % y, i / x / y);
}

// wgi_place writes a place with its thread, which may be a warp or unknown.
static void wgi_place(FILE *f, const wgi_finding *r, wgi_spot spot, unsigned thread) {
  const wgi_site *s = wgi_site_at(spot);
  const unsigned *extent = wgi_source_of(r->kernel_home)->extent(r->kernel);
  unsigned long long block = ~r->witness >> 42;
  fprintf(f, "{\"role\":\"%s by\",", strcmp(s->kind, "read") == 0 ? "read" : strcmp(s->kind, "write") == 0 ? "written" : "accessed");
  wgi_location(f, s);
  if (thread != WGI_NO_THREAD) {
    if (thread & WGI_WARP) thread = (thread & 31) * 32;
    fprintf(f, ",\"thread\":{");
    wgi_coordinate(f, "block", block, extent + 3);
    fprintf(f, ",\"block_index\":%llu,", block);
    wgi_coordinate(f, "thread", thread, extent);
    fprintf(f, ",\"warp\":%u,\"lane\":%u}", thread / 32, thread % 32);
  }
  fprintf(f, "}");
}

static void wgi_race_json(FILE *f, const wgi_finding *r) {
  unsigned long long w = ~r->witness, address = w & 0xfffff;
  unsigned thread = (unsigned)(w >> 31) & 0x7ff, other = (unsigned)(w >> 20) & 0x7ff;
  const wgi_site *s = wgi_site_at(r->spot);
  const char *kernel = wgi_kernel_of(r);
  char text[160];
  snprintf(text, sizeof text, "%s hazard on %.100s", wgi_hazard(r->kind), *s->variable ? s->variable : "shared memory");
  fprintf(f, "{\"rule\":\"race\",\"kind\":\"%s\",\"level\":\"error\",\"kernel\":", wgi_hazard(r->kind));
  wgi_string(f, kernel);
  fprintf(f, ",\"kernel_name\":");
  wgi_string(f, kernel);
  fprintf(f, ",\"launches\":{\"count\":0,\"first\":-1,\"last\":-1},\"message\":");
  wgi_string(f, text);
  fprintf(f, ",\"primary\":");
  wgi_place(f, r, r->spot, thread);
  if (r->other.site >= 0) {
    fprintf(f, ",\"related\":[");
    wgi_place(f, r, r->other, other);
    fprintf(f, "]");
  }
  fprintf(f, ",\"count\":%llu,\"unit\":\"reports\",\"details\":{\"space\":\"shared\",\"variable\":", r->count);
  wgi_string(f, s->variable);
  fprintf(f, ",\"index\":-1,\"address\":%llu,\"bytes\":%u", address, r->size);
  if (r->spot.site < 0) {
    fprintf(f, ",\"addresses\":\"");
    wgi_addresses(f, r, 1);
    fprintf(f, "\"");
  }
  fprintf(f, "}}");
}

static void wgi_site_json(FILE *f, int i) {
  wgi_results *h = wgi_host();
  const wgi_site *s = wgi_site_of(i);
  const unsigned long long *n = h->site_count[i];
  const unsigned *worst = h->site_worst[i];
  double average = (double)n[2] / (double)n[0];
  bool global = WGI_WATCH == WGI_GLOBAL;
  fprintf(f, "{\"rule\":\"%s\",\"kind\":\"", global ? "coalesce" : "bank");
  global ? (void)fprintf(f, "uncoalesced") : (void)fprintf(f, "%u-way", worst[0]);
  fprintf(f, "\",\"level\":\"warning\",\"launches\":{\"count\":0,\"first\":-1,\"last\":-1},\"message\":\"");
  if (global) fprintf(f, "uncoalesced access: %.2f lines of 128 bytes on average", average);
  else fprintf(f, "%u-way bank conflict", worst[0]);
  fprintf(f, "\",\"primary\":{");
  wgi_location(f, s);
  fprintf(f, "},\"count\":%llu,\"unit\":\"%s\",\"details\":{", n[1], global ? "accesses" : "requests");
  if (global) {
    fprintf(f, "\"accesses\":%llu,\"lines_per_access\":%.6g,\"worst\":%u}}", n[0], average, worst[0]);
    return;
  }
  fprintf(f, "\"requests\":%llu,\"conflicts\":%llu,\"passes\":%llu,\"ideal\":%llu,\"excess\":%llu,\"worst\":%u,\"banks\":%d,\"histogram\":[", n[0],
          n[1], n[2], n[4], n[2] - n[4], worst[0], WGI_BANKS);
  for (int k = 0; k < WGI_BANKS; k++) fprintf(f, "%s%u", k ? "," : "", worst[2 + k]);
  fprintf(f, "]}}");
}

// wgi_write_json writes the findings, after others if there are some.
static int wgi_write_json(FILE *f, int written) {
  wgi_results *h = wgi_host();
  for (int i = 0; i < h->n; i++) {
    fprintf(f, "%s\n", written++ ? "," : "");
    wgi_race_json(f, &h->findings[i]);
  }
  for (int i = 0; i < WGI_SITES; i++) {
    if (!h->site_count[i][1]) continue;
    fprintf(f, "%s\n", written++ ? "," : "");
    wgi_site_json(f, i);
  }
  return written;
}

// wgi_write_stats writes the numbers of all sites, and the scheme's own.
static void wgi_write_stats(FILE *f) {
  wgi_results *h = wgi_host();
  fprintf(f, "{\"source\":");
  wgi_string(f, wgi_this.name);
#define X(k, name) fprintf(f, ",\"%s\":%llu", name, wgi_counted(k));
  WGI_STATS
#undef X
  fprintf(f, ",\"sites\":[");
  int written = 0;
  for (int i = 0; i < WGI_SITES; i++) {
    const unsigned long long *n = h->site_count[i];
    if (!n[0] && !n[3]) continue;
    fprintf(f, "%s\n{", written++ ? "," : "");
    wgi_location(f, wgi_site_of(i));
    fprintf(f, ",\"kind\":\"%s\",\"%s\":%llu,\"%s\":%llu,\"%s\":%llu,\"worst\":%u,\"executions\":%llu}", wgi_site_of(i)->kind,
            WGI_WATCH == WGI_GLOBAL ? "accesses" : "requests", n[0], WGI_WATCH == WGI_GLOBAL ? "uncoalesced" : "conflicts", n[1],
            WGI_WATCH == WGI_GLOBAL ? "lines" : "passes", n[2], h->site_worst[i][0], n[3]);
  }
  fprintf(f, "]}");
}

static void wgi_report_file(const char *name) {
  FILE *f = fopen(name, "w");
  if (!f) {
    fprintf(stderr, "warpgrind: cannot write %s\n", name);
    return;
  }
  int n = 0, races = 0;
  for (wgi_source *s = wgi_sources; s; s = s->next) races += (int)s->count(-1);
  fprintf(f, "{\"schema\":1,\"version\":\"" WGI_VERSION "\",\"build\":\"instrumented\",\"tools\":[\"" WGI_NAME "\"],\"findings\":[");
  for (wgi_source *s = wgi_sources; s; s = s->next) n = s->json(f, n);
  fprintf(f, "],\n\"summary\":{\"launches\":0,\"instructions\":0,\"accesses\":0,\"errors\":%d,\"warnings\":%d,\"infos\":0},\"exit\":%d,\n", races,
          n - races, races ? 1 : 0);
  fprintf(f, "\"stats\":{\"" WGI_NAME "\":[");
  for (wgi_source *s = wgi_sources; s; s = s->next) s->stats(f), fprintf(f, s->next ? "," : "");
  fprintf(f, "]},\"messages\":[");
  n = 0;
  for (wgi_source *s = wgi_sources; s; s = s->next) {
    if (s->count(wgi_unwatched)) fprintf(f, "%s\"%llu blocks were not watched: no room for their tables\"", n++ ? "," : "", s->count(wgi_unwatched));
    if (s->count(wgi_lost)) fprintf(f, "%s\"%llu reports were lost: too many findings\"", n++ ? "," : "", s->count(wgi_lost));
  }
  fprintf(f, "]}\n");
  fclose(f);
}

// wgi_count_of gives the counters, and under -1 the number of races.
static unsigned long long wgi_count_of(int k) { return k < 0 ? (unsigned long long)wgi_host()->n : wgi_counted(k); }

static const unsigned *wgi_extent_of(int k) { return wgi_host()->extent[k]; }

static void wgi_messages(FILE *f, wgi_source *s) {
  if (s->count(wgi_unwatched))
    fprintf(f, "warpgrind: %llu of %llu blocks were not watched: no room for their tables (compile with -DWGI_POOL_MB=N, now %d)\n",
            s->count(wgi_unwatched), s->count(wgi_unwatched) + s->count(wgi_watched), WGI_POOL_MB);
  if (s->count(wgi_lost)) fprintf(f, "warpgrind: %llu reports were lost: too many findings\n", s->count(wgi_lost));
  if (s->count(wgi_outside)) fprintf(f, "warpgrind: %llu accesses outside the block's shared memory were left out\n", s->count(wgi_outside));
}

__attribute__((weak)) int wgi_reported;

// wgi_at_exit reports for all sources, once.
static void wgi_at_exit() {
  if (wgi_reported) return;
  wgi_reported = 1;
  fflush(stdout);
  for (wgi_source *s = wgi_sources; s; s = s->next) s->flush();
  for (wgi_source *s = wgi_sources; s; s = s->next) s->text(stderr), wgi_messages(stderr, s);
  const char *file = getenv("WARPGRIND_REPORT");
  if (file && *file) wgi_report_file(file);
}

// wgi_start has the report made when the program ends. It is called by main
// and by what launches kernels: the runtime's own end is registered by then,
// and what is registered later comes earlier.
static void wgi_start() {
  static bool done;
  if (!done) done = true, atexit(wgi_at_exit);
}

// The last thing in a source: an object that puts it into the list.
// It is of this source alone, as all that it calls.
namespace {
struct wgi_reporter {
  wgi_reporter(const wgi_site *sites, const char *const *kernels, const char *name) {
    wgi_source s = {sites, kernels, name, WGI_SITES, 0, wgi_flush, wgi_write_text, wgi_write_json, wgi_write_stats,
                    wgi_count_of, wgi_extent_of, wgi_sources};
    wgi_this = s;
    wgi_sources = &wgi_this;
  }
};
} // namespace

#endif
