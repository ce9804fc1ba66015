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
