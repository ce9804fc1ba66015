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

//@include grace.cuh

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
