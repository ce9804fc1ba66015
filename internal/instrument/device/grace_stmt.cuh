// grace-stmt: the statement-based scheme of GRace, section 3.3.2. Each access of
// a warp becomes an entry of the block's BlockStmtTable in device memory: site,
// warp, kind and the addresses of its lanes. At each barrier every two entries
// of different warps are compared (Algorithm 3). It names both statements and
// both threads; its time is quadratic and its space linear in the number of
// accesses since the last barrier.
//
// Lines 6 to 8 of Algorithm 3 skip pairs of reads. Here the table lists the
// entries that write, and only pairs with one of those are formed at all; of
// these, pairs whose ranges of addresses do not meet are passed over.

//@include grace.cuh

#define WGI_NAME "grace-stmt"
#define WGI_STATS WGI_GRACE_STATS
#define WGI_TABLE_ZERO 16 // the counters before the entries

// WGI_STMT_ENTRIES is the room of a BlockStmtTable. Accesses beyond it are
// counted as lost and not compared.
#ifndef WGI_STMT_ENTRIES
#define WGI_STMT_ENTRIES 16384
#endif

struct wgi_stmt {
    wgi_spot spot;
    int kind;
    unsigned warp, size;  // of the access of each lane, in bytes
    unsigned active;      // the lanes that made it
    unsigned low, end;    // of the addresses of all lanes
    unsigned address[32]; // offsets into shared memory
};

struct wgi_stmt_table {
    unsigned used, writes;   // entries, and those of them that write
    unsigned most, unused;   // entries at most in an interval before
    unsigned write[WGI_STMT_ENTRIES];
    wgi_stmt entry[WGI_STMT_ENTRIES];
};

WGI_FN unsigned long long wgi_table_bytes(unsigned threads, unsigned shared_bytes) {
    return (sizeof(wgi_stmt_table) + 15) / 16 * 16;
}

WGI_FN void wgi_access(wgi_block *b, int site, int kind, unsigned long long where, unsigned size) {
    unsigned address = (unsigned)where;
    if (wgi_writes(kind)) wgi_intra_warp(b, site, address, size);

    wgi_stmt_table *table = (wgi_stmt_table *)b->table;
    unsigned active = __activemask();
    unsigned thread = wgi_thread(), lane = thread & 31;
    unsigned leader = __ffs(active) - 1;
    unsigned at = 0;
    if (lane == leader) at = atomicAdd(&table->used, 1u);
    at = __shfl_sync(active, at, leader);
    if (at >= WGI_STMT_ENTRIES) {
        if (lane == leader) wgi_count(5, 1);
        return;
    }
    wgi_stmt *e = &table->entry[at];
    e->address[lane] = address;
    if (lane == leader) e->low = address, e->end = address + size;
    __syncwarp(active);
    atomicMin(&e->low, address);
    atomicMax(&e->end, address + size);
    if (lane != leader) return;
    e->spot.site = site, e->spot.home = WGI_HOME;
    e->kind = kind;
    e->warp = thread / 32;
    e->size = size;
    e->active = active;
    if (kind & WGI_WRITE) table->write[atomicAdd(&table->writes, 1u)] = at;
}

// wgi_hazard names the hazard of two accesses in their order; an update counts
// as what makes it a read-write pair, if anything does.
WGI_FN int wgi_hazard(int first, int then) {
    if ((first & WGI_WRITE) && (then & WGI_READ)) return WGI_RAW;
    return (first & WGI_READ) ? WGI_WAR : WGI_WAW;
}

WGI_NOINLINE void wgi_inter_race(wgi_block *b, const wgi_stmt *first, const wgi_stmt *then, unsigned source,
                                 unsigned target, unsigned count) {
    unsigned address = first->address[source];
    wgi_grace_word(address);
    wgi_grace_pair(first->warp, then->warp);
    wgi_count(1, count);
    wgi_report_at(b, wgi_hazard(first->kind, then->kind), then->spot, first->spot, address, first->size,
                  then->warp * 32 + target, first->warp * 32 + source, count);
}

// wgi_compare compares the address of one lane of an entry with those of
// another: lines 9 to 14 of Algorithm 3. The threads of a warp have the lanes of
// the entry with more of them, each goes through those of the other; a lane that
// has no address goes along, so that the warp stays together.
WGI_FN void wgi_compare(wgi_block *b, const wgi_stmt *first, const wgi_stmt *then, unsigned lane) {
    bool turned = __popc(first->active) < __popc(then->active);
    const wgi_stmt *mine = turned ? then : first, *theirs = turned ? first : then;
    unsigned count = 0, witness = 0, size = mine->size - 1, sizes = size + theirs->size;
    unsigned last = mine->address[lane] + size;
    bool here = mine->active >> lane & 1;
    for (unsigned left = theirs->active, other; left != 0; left ^= 1u << other) {
        other = 31 - __clz(left); // downwards: the witness is the lowest
        bool same = here & (last - theirs->address[other] < sizes); // they overlap
        witness = same ? other : witness;
        count += same;
    }
    if (count > 0) wgi_inter_race(b, first, then, turned ? witness : lane, turned ? lane : witness, count);
}

// wgi_comparable tells pairs of entries that can race: of different warps, one
// of them a write, not both atomic. A pair of writes is formed from the earlier
// one, e.
WGI_FN bool wgi_comparable(const wgi_stmt *e, const wgi_stmt *other, bool later) {
    bool formed = later || !(other->kind & WGI_WRITE);
    return formed & (other->warp != e->warp) & !(e->kind & other->kind & WGI_ATOMIC);
}

// wgi_check is Algorithm 3. The threads share the lanes of the pairs of entries:
// 32 threads with neighboring ranks have one pair.
WGI_FN void wgi_check(wgi_block *b, unsigned rank, unsigned n) {
    wgi_stmt_table *table = (wgi_stmt_table *)b->table;
    unsigned used = table->used < WGI_STMT_ENTRIES ? table->used : WGI_STMT_ENTRIES;
    for (unsigned i = 0; i < table->writes; i++) {
        unsigned at = table->write[i];
        const wgi_stmt *e = &table->entry[at];
        unsigned low = e->low, end = e->end;
        for (unsigned work = rank; work < used * 32; work += n) {
            const wgi_stmt *other = &table->entry[work / 32];
            if (other->low >= end || other->end <= low) continue;
            bool later = work / 32 > at;
            if (wgi_comparable(e, other, later)) wgi_compare(b, later ? e : other, later ? other : e, work % 32);
        }
    }
    if (rank == 0 && used > table->most) {
        wgi_count(4, (used - table->most) * sizeof(wgi_stmt));
        table->most = used;
    }
}

WGI_FN void wgi_reset(wgi_block *b, unsigned rank, unsigned n) {
    if (rank == 0) ((wgi_stmt_table *)b->table)->used = ((wgi_stmt_table *)b->table)->writes = 0;
}
