// Functions that code by way of LLVM calls: accesses lane by lane, and what observers keep of accesses to shared and global
// memory, which are the sieve of package recall, the states of package check/race/global (shadow.Live), and marks (shadow.Marks).
// A function takes one access of a warp, and returns 0 if the interpreter has to make it: then what has been entered so far does not
// matter, as it enters the access again.
//
// The names in capitals are Go's constants and the offsets of Go's structures (native.functionConstants). Types, masks of conditions, and
// what becomes of states (sieve_join, quick_join) are in shadow/c/zjoin.c, which comes before this text.

#define AT(type, base, offset) (*(type *)((u8 *)(base) + (offset)))
#define LANES 32
#define FULL 0xffffffffu

INLINE u32 lowest(u32 mask) { return (u32)__builtin_ctz(mask); }

// The lanes to enter of an access to one place: what the third thread does changes nothing any more.
INLINE u32 first_two(u32 mask) {
	u32 rest = mask & (mask - 1);
	return (mask & -mask) | (rest & -rest);
}

// ---- Accesses lane by lane ----

// Whether all lanes that run are inside a region and aligned, by their offsets from its begin.
INLINE int inside(u32 mask, const u64 *at, void *region, u64 size) {
	u64 start = AT(u64, region, REGION_START), limit = AT(u64, region, REGION_LIMIT), bad = 0;
	for (u32 l = 0; l < LANES; l++)
		bad |= IF64(at[l] >= limit || ((start + at[l]) & (size - 1))) & IF64(mask >> l & 1);
	return bad == 0;
}

// Copies count elements of each lane that runs, so many bytes apart, from memory to rows or back.
#define EACH_OF(TYPE, LANE) \
	if (mask == FULL) \
		for (u32 l = 0; l < LANES; l++) { LANE(TYPE) } \
	else \
		for (u32 m = mask; m; m &= m - 1) { u32 l = lowest(m); LANE(TYPE) }
#define LOAD_LANE(TYPE) \
	for (u32 k = 0; k < count; k++) \
		((TYPE *)rows)[k * LANES + l] = AT(TYPE, base, at[l] + k * sizeof(TYPE));
#define STORE_LANE(TYPE) \
	for (u32 k = 0; k < count; k++) \
		AT(TYPE, base, at[l] + k * sizeof(TYPE)) = ((TYPE *)rows)[k * LANES + l];
#define EACH(LANE) \
	switch (what & 3) { \
	case 0: EACH_OF(u8, LANE) break; \
	case 1: EACH_OF(u16, LANE) break; \
	case 2: if (count == 1) { const u32 count = 1; EACH_OF(u32, LANE) } else { EACH_OF(u32, LANE) } break; \
	default: if (count == 1) { const u32 count = 1; EACH_OF(u64, LANE) } else { EACH_OF(u64, LANE) } \
	}

int load_each(void *ctx, u32 mask, const u64 *at, void *region, u32 what, void *rows) {
	u32 count = what >> COUNT_SHIFT & 7;
	if (!inside(mask, at, region, (u64)count << (what & 3)))
		return 0;
	if (what & COUNTS_MISS)
		AT(u32, region, REGION_MISSED) = (AT(u32, region, REGION_MISSED) + 1) & (LOOK_AGAIN - 1);
	const u8 *base = AT(const u8 *, region, REGION_PTR);
	EACH(LOAD_LANE)
	return 1;
}

int store_each(void *ctx, u32 mask, const u64 *at, void *region, u32 what, void *rows) {
	u32 count = what >> COUNT_SHIFT & 7;
	if (!inside(mask, at, region, (u64)count << (what & 3)))
		return 0;
	u8 *base = AT(u8 *, region, REGION_PTR);
	EACH(STORE_LANE)
	return 1;
}

// Words of local memory, whose rows have one of each lane.
#define LOCAL(l, k) AT(u32, AT(u8 *, ctx, CTX_LOCAL), (at[l] + 4 * k) * (LOCAL_ROW / 4) + 4 * l)

int load_local(void *ctx, u32 mask, const u64 *at, u32 count, u32 *rows) {
	for (u32 m = mask; m; m &= m - 1) {
		u32 l = lowest(m);
		for (u32 k = 0; k < count; k++)
			rows[k * LANES + l] = LOCAL(l, k);
	}
	return 1;
}

int store_local(void *ctx, u32 mask, const u64 *at, u32 count, u32 *rows) {
	for (u32 m = mask; m; m &= m - 1) {
		u32 l = lowest(m);
		for (u32 k = 0; k < count; k++)
			LOCAL(l, k) = rows[k * LANES + l];
	}
	return 1;
}

// What lane from[l] has, for each lane l.
int permute(void *ctx, u32 mask, const u32 *row, const u32 *from, u32 *result) {
	for (u32 l = 0; l < LANES; l++)
		result[l] = row[from[l]];
	return 1;
}

// ---- The sieve ----

// Writes the header of a record, its addresses, and, unless the access is a read, what memory has. Values go between.
INLINE void jot(void *ctx, u8 *record, u32 mask, const u32 *at, u32 site, u32 size, u32 kind) {
	u32 words = size < 4 ? 1 : size / 4;
	u32 length = RECORD_DATA;
	if (kind != STATE_READ)
		length += 128 * words;
	if (kind == STATE_WRITE)
		length += 128 * words;
	AT(u32, record, RECORD_SITE) = site;
	AT(u32, record, RECORD_WARP) = (u32)(AT(u64, ctx, CTX_WARP) >> 8);
	AT(u32, record, RECORD_MASK) = mask;
	AT(u32, record, RECORD_LENGTH) = length / 4;
	AT(u32, record, RECORD_KNOWN) = 1;
	u32 *addresses = &AT(u32, record, RECORD_ADDR);
	for (int l = 0; l < LANES; l++)
		addresses[l] = at[l];
	if (kind != STATE_READ) {
		const u8 *shared = AT(const u8 *, ctx, CTX_SHARED);
		u32 *before = &AT(u32, record, length - 128 * words);
		for (u32 j = 0; j < words; j++, before += LANES)
			for (u32 m = mask; m; m &= m - 1) {
				u32 l = lowest(m);
				before[l] = AT(const u32, shared, (u64)(at[l] & ~3u) + 4 * j);
			}
	}
	AT(u8 *, ctx, CTX_JOT_AT) = record + length;
}

// So few lanes are entered one after the other.
#define FEW_LANES 10

// Enters an access to a unit for each lane side by side. Lanes may have the same unit: then one of them does not find what it has put
// there, all units get back what they had, and the result is negative.
INLINE int sieve_apart(u32 *states, u32 mask, const u32 *at, u32 shift, u32 tag, u32 is, u32 kind, int looks, int keep) {
	u32 unit[LANES], was[LANES], next[LANES], bad = 0, changes = 0, lost = 0;
	for (u32 l = 0; l < LANES; l++)
		unit[l] = at[l] >> shift & IF32(mask >> l & 1); // lanes that do not run look at the first one
	for (u32 l = 0; l < LANES; l++)
		was[l] = states[unit[l]];
	for (u32 l = 0; l < LANES; l++) {
		u32 here = 0, runs = IF32(mask >> l & 1);
		next[l] = sieve_join(was[l], tag, is + l, kind | STATE_WRITTEN, looks, &here);
		bad |= here & runs;
		changes |= (next[l] ^ was[l]) & runs;
	}
	if (bad || (keep && changes))
		return 0;
	if (!changes)
		return 1;
	for (u32 m = mask; m; m &= m - 1)
		states[unit[lowest(m)]] = next[lowest(m)];
	for (u32 l = 0; l < LANES; l++)
		lost |= (states[unit[l]] ^ next[l]) & IF32(mask >> l & 1);
	if (!lost)
		return 1;
	for (u32 m = mask; m; m &= m - 1)
		states[unit[lowest(m)]] = was[lowest(m)];
	return -1;
}

// Enters an access to shared memory, at an offset by lane, into the states of its units. With keep, states must not change.
INLINE int sieve_enter(void *ctx, u32 mask, const u32 *at, u32 size, u32 shift, u32 kind, int looks, int keep) {
	u32 tag = AT(u32, ctx, CTX_TAG), is = (tag | STATE_WRITTEN | kind) + (u32)(AT(u64, ctx, CTX_WARP) >> 3), bad = 0;
	u32 *states = AT(u32 *, ctx, CTX_STATES);
	u32 units = size >> shift, first = at[0] >> shift;
	u32 apart = 0;
	for (u32 l = 0; l < LANES; l++)
		apart |= (at[l] >> shift) ^ (first + l);
	if (units == 1 && !keep && mask == FULL && apart == 0) {
		u32 next[LANES];
		u32 *row = states + first;
		for (u32 l = 0; l < LANES; l++)
			next[l] = sieve_join(row[l], tag, is + l, kind | STATE_WRITTEN, looks, &bad);
		if (bad)
			return 0;
		for (u32 l = 0; l < LANES; l++)
			row[l] = next[l];
		return 1;
	}
	if (units == 1 && __builtin_popcount(mask) > FEW_LANES) {
		int ok = sieve_apart(states, mask, at, shift, tag, is, kind, looks, keep);
		if (ok >= 0)
			return ok;
	}
	for (u32 m = mask; m; m &= m - 1) {
		u32 l = lowest(m);
		u32 *unit = states + (at[l] >> shift);
		for (u32 j = 0; j < units; j++) {
			u32 was = unit[j];
			u32 next = sieve_join(was, tag, is + l, kind | STATE_WRITTEN, looks, &bad);
			if (bad || (keep && next != was))
				return 0;
			unit[j] = next;
		}
	}
	return 1;
}

// The record of an access to shared memory, whose values the caller adds to that of a write. If the journal has no room but
// reads and atomic operations may be left out of it, those that change nothing have none: the result is not a record then.
INLINE u8 *sift(void *ctx, u32 mask, const u32 *at, u32 site, u32 size, u32 how, u32 kind, int looks) {
	u32 shift = how & 7, words = size < 4 ? 1 : size / 4;
	u32 lanes = how & ONE_PLACE && kind != STATE_WRITE ? first_two(mask) : mask;
	u8 *record = AT(u8 *, ctx, CTX_JOT_AT);
	u64 length = RECORD_DATA + 128 * words * (kind == STATE_READ ? 0 : kind == STATE_WRITE ? 2 : 1);
	if (record + length > AT(u8 *, ctx, CTX_JOT_END)) {
		if (kind == STATE_WRITE || AT(u32, ctx, CTX_THINS) == 0 || !sieve_enter(ctx, lanes, at, size, shift, kind, looks, 1))
			return 0;
		AT(u64, ctx, CTX_SKIPS)++;
		return (u8 *)ctx;
	}
	if (!sieve_enter(ctx, lanes, at, size, shift, kind, looks, 0))
		return 0;
	jot(ctx, record, mask, at, site, size, kind);
	return record;
}

void *sift_read(void *ctx, u32 mask, const u32 *at, u32 site, u32 size, u32 how) {
	return sift(ctx, mask, at, site, size, how, STATE_READ, 1);
}

void *sift_write(void *ctx, u32 mask, const u32 *at, u32 site, u32 size, u32 how) {
	return sift(ctx, mask, at, site, size, how, STATE_WRITE, 0);
}

void *sift_update(void *ctx, u32 mask, const u32 *at, u32 site, u32 size, u32 how) {
	return sift(ctx, mask, at, site, size, how, STATE_ATOMIC, 1);
}

void *sift_exchange(void *ctx, u32 mask, const u32 *at, u32 site, u32 size, u32 how) {
	return sift(ctx, mask, at, site, size, how, STATE_ATOMIC, 0);
}

// ---- Global memory ----

// How many bytes an access to global memory is from the begin of its region on, by lane.
INLINE u64 offset(const u64 *at, u32 lane, u32 how) { return at[how & ONE_PLACE ? 0 : lane]; }

// The entry of a unit's page, 0 where it was not looked for.
INLINE void *page(void *ctx, u64 table, u64 pages, u64 unit) {
	u64 number = unit / PLAIN_UNITS;
	u8 *p = AT(u8 *, ctx, table) + number % pages * PAGE_SIZE;
	return AT(u64, p, 0) == number ? AT(void *, p, PAGE_STATES) : 0;
}

// Enters an access into states that no other block changes meanwhile.
INLINE int quick_alone(void *ctx, u32 mask, const u64 *at, u64 place, u32 shift, u32 how, u64 kind, u64 who) {
	u64 none = AT(u64, ctx, CTX_PLAIN_FIRST), bad = 0;
	u64 first = (place + at[0]) >> shift, apart = 0;
	if (mask == FULL && !(how & ONE_PLACE)) {
		for (u32 l = 0; l < LANES; l++)
			apart |= ((place + at[l]) >> shift) ^ (first + l);
		if (apart == 0 && first % PLAIN_UNITS <= PLAIN_UNITS - LANES) {
			u64 *row = page(ctx, CTX_PLAIN_PAGES, PLAIN_PAGES, first), next[LANES];
			if (!row)
				return 0;
			row += first % PLAIN_UNITS;
			for (u64 l = 0; l < LANES; l++)
				next[l] = quick_join(row[l], none, who + (l << QUICK_THREAD_SHIFT), kind | kind << QUICK_EVER_SHIFT, &bad);
			if (bad)
				return 0;
			for (u64 l = 0; l < LANES; l++)
				row[l] = next[l];
			return 1;
		}
	}
	for (u32 m = mask; m; m &= m - 1) {
		u64 l = lowest(m), unit = (place + offset(at, (u32)l, how)) >> shift;
		u64 *states = page(ctx, CTX_PLAIN_PAGES, PLAIN_PAGES, unit);
		if (!states)
			return 0;
		states += unit % PLAIN_UNITS;
		u64 was = *states, next = quick_join(was, none, who + (l << QUICK_THREAD_SHIFT), kind | kind << QUICK_EVER_SHIFT, &bad);
		if (bad)
			return 0;
		if (next != was)
			*states = next;
	}
	return 1;
}

// Enters an access into states that blocks change which run at the same time.
INLINE int quick_shared(void *ctx, u32 mask, const u64 *at, u64 place, u32 shift, u32 how, u64 kind, u64 who) {
	u64 none = AT(u64, ctx, CTX_PLAIN_FIRST), bad = 0;
	for (u32 m = mask; m; m &= m - 1) {
		u64 unit = (place + offset(at, lowest(m), how)) >> shift;
		u64 *states = page(ctx, CTX_PLAIN_PAGES, PLAIN_PAGES, unit);
		if (!states)
			return 0;
		__builtin_prefetch(states + unit % PLAIN_UNITS, 1);
	}
	for (u32 m = mask; m; m &= m - 1) {
		u64 l = lowest(m), unit = (place + offset(at, (u32)l, how)) >> shift;
		u64 *state = (u64 *)page(ctx, CTX_PLAIN_PAGES, PLAIN_PAGES, unit) + unit % PLAIN_UNITS;
		u64 was = __atomic_load_n(state, __ATOMIC_RELAXED), next;
		do {
			next = quick_join(was, none, who + (l << QUICK_THREAD_SHIFT), kind | kind << QUICK_EVER_SHIFT, &bad);
			if (bad)
				return 0;
		} while (next != was && !__atomic_compare_exchange_n(state, &was, next, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
	}
	return 1;
}

INLINE int quick(void *ctx, u32 mask, const u64 *at, u64 place, u32 shift, u32 how, u64 kind) {
	u64 who = (AT(u64, ctx, CTX_WARP) << (QUICK_THREAD_SHIFT + 5 - 8)) + AT(u64, ctx, CTX_PLAIN_WHO) + (kind | kind << QUICK_EVER_SHIFT);
	if (how & ONE_PLACE)
		mask = first_two(mask);
	int ok = AT(u8, ctx, CTX_PLAIN_SHARED) ? quick_shared(ctx, mask, at, place, shift, how, kind, who)
	                                       : quick_alone(ctx, mask, at, place, shift, how, kind, who);
	AT(u64, ctx, CTX_PLAIN_LOOKED) += (u64)ok;
	return ok;
}

// Enters an access into the bits of its units and the journal, if none of the bits is set (global.touched.enter).
INLINE int touch(void *ctx, u32 mask, const u64 *at, u64 place, u64 limit, u32 shift, u32 how, u32 kind) {
	u32 *record = AT(u32 *, ctx, CTX_JOURNAL);
	if ((u8 *)(record + TOUCHED_WORDS) > AT(u8 *, ctx, CTX_JOURNAL_END) || limit >> shift > 0x7fffffff)
		return 0;
	u64 first = (place + offset(at, lowest(mask), how)) >> shift;
	u32 length = TOUCHED_HEAD, m;
	for (m = mask; m; m &= m - 1) {
		u64 unit = (place + offset(at, lowest(m), how)) >> shift;
		u64 *bits = page(ctx, CTX_TOUCHED, TOUCHED_PAGES, unit);
		if (!bits)
			break;
		u64 *word = bits + unit % PLAIN_UNITS / 64, bit = 1ull << unit % 64;
		if (*word & bit)
			break;
		*word |= bit;
		record[length++] = (u32)(unit - first);
	}
	if (m) { // takes the bits of the lanes before back
		for (u32 done = mask ^ m; done; done &= done - 1) {
			u64 unit = (place + offset(at, lowest(done), how)) >> shift;
			u64 *bits = page(ctx, CTX_TOUCHED, TOUCHED_PAGES, unit);
			bits[unit % PLAIN_UNITS / 64] &= ~(1ull << unit % 64);
		}
		return 0;
	}
	u64 who = (AT(u64, ctx, CTX_WARP) << (QUICK_THREAD_SHIFT + 5 - 8)) + AT(u64, ctx, CTX_PLAIN_WHO);
	record[0] = mask;
	record[1] = kind | 1 << TOUCHED_COUNT;
	record[2] = (u32)who;
	record[3] = (u32)(who >> 32);
	record[4] = (u32)first;
	record[5] = (u32)(first >> 32);
	AT(u32 *, ctx, CTX_JOURNAL) = record + length;
	AT(u64, ctx, CTX_PLAIN_LOOKED)++;
	return 1;
}

// Enters the access of a whole warp, each half of which is a row, into references (see package shadow). Lanes that fail are left
// to the observer, which enters the others no more.
INLINE int plain(void *ctx, u32 mask, const u64 *at, u64 place, u32 size, u32 shift, u32 how, u32 site, int writes) {
	AT(u64, ctx, CTX_PLAIN_FAILS) = 0;
	if (mask != FULL || how & ONE_PLACE)
		return 0;
	u64 *warp = &AT(u64, AT(u8 *, ctx, CTX_PLAIN_WARPS), (AT(u64, ctx, CTX_WARP) >> 8) * PLAIN_WARP);
	u64 *sites = &AT(u64, AT(u8 *, ctx, CTX_PLAIN_SITES), (u64)site * PLAIN_BEFORE);
	u64 now = warp[0], fails = 0;
	if (now == 0)
		return 0;
	u32 none = AT(u32, ctx, CTX_PLAIN_NONE);
	u32 since = (u32)(warp[WARP_SINCE / 8] >> 32), ref = (u32)now;
	u32 first_write = (u32)sites[0], first_read = (u32)(sites[0] >> 32);
	u32 writes_before = (u32)sites[BEFORE_N / 8], reads_before = (u32)(sites[BEFORE_N / 8] >> 32);
	u64 *rows[2];
	for (u32 h = 0; h < 2; h++) {
		u64 from = place + at[16 * h], apart = from & (size - 1);
		for (u32 l = 0; l < 16; l++)
			apart |= (place + at[16 * h + l]) ^ (from + l * size);
		u64 unit = from >> shift;
		u64 *states = page(ctx, CTX_PLAIN_PAGES, PLAIN_PAGES, unit);
		if (apart || !states || unit % PLAIN_UNITS > PLAIN_UNITS - 16)
			return 0;
		rows[h] = states + unit % PLAIN_UNITS;
	}
	for (u32 h = 0; h < 2; h++) {
		u64 *row = rows[h];
		u32 bad[16];
		for (u32 l = 0; l < 16; l++) {
			u64 was = row[l];
			u32 me = ref + 16 * h + l, w = (u32)was, r = (u32)(was >> 32);
			u32 bad_write = IF32(w >= none) & IF32(w - first_write >= writes_before) & IF32(w != me);
			u32 bad_read = IF32(r >= none) & IF32(r - first_read >= reads_before) & IF32(r != me);
			u64 next = me;
			bad[l] = bad_write | bad_read;
			if (!writes) {
				u32 joins = bad_read & IF32(r >= since);
				bad[l] = bad_write | (bad_read & ~joins);
				next = w | (u64)((joins & (ref | PLAIN_SEVERAL)) | (~joins & me)) << 32;
			}
			row[l] = bad[l] ? was : next;
		}
		for (u32 l = 0; l < 16; l++)
			fails |= (u64)(bad[l] & 1) << (16 * h + l);
	}
	AT(u64, ctx, CTX_PLAIN_SITE) = site;
	AT(u64, ctx, CTX_PLAIN_FAILS) = fails;
	if (fails)
		return 0;
	AT(u64, ctx, CTX_PLAIN_LOOKED)++;
	if (writes)
		++*AT(u64 *, ctx, CTX_PLAIN_WROTE);
	return 1;
}

// Marks elements of an allocation, from its base on.
INLINE void mark(void *region, u32 mask, const u64 *at, u32 shift, u32 how) {
	u32 *bits = AT(u32 *, region, REGION_BITS);
	u8 *pages = AT(u8 *, region, REGION_PAGES);
	if (how & ONE_PLACE)
		mask &= -mask;
	u64 first = at[0] >> shift, apart = mask ^ FULL;
	for (u32 l = 0; l < LANES; l++)
		apart |= (at[l] >> shift) ^ (first + l);
	if (apart == 0) {
		u64 word = first / 32, row = 0xffffffffull << first % 32;
		bits[word] |= (u32)row;
		bits[word + 1] |= (u32)(row >> 32);
		pages[word / (MARK_PAGE / 32)] = 1;
		pages[(word + 1) / (MARK_PAGE / 32)] = 1;
		return;
	}
	for (u32 m = mask; m; m &= m - 1) {
		u64 n = offset(at, lowest(m), how) >> shift;
		bits[n / 32] |= 1u << n % 32;
		pages[n / MARK_PAGE] = 1;
	}
}

// Does what a region wants of an access to it: at has the lanes' offsets from the region's begin, which are checked.
INLINE int watch(void *ctx, u32 mask, const u64 *at, void *region, u32 site, u32 how, u32 kind) {
	u32 wants = AT(u32, region, REGION_ENTERS), shift = how & 7, size = 1u << shift;
	u64 place = AT(u64, region, REGION_PTR);
	if (wants & MARK)
		mark(region, mask, at, shift, how);
	if (!(wants & ENTER))
		return 1;
	if (!(how & ENTERS) || AT(u64, ctx, CTX_PLAIN_SIZE) != size)
		return 0;
	if (AT(void *, ctx, CTX_TOUCHED))
		return touch(ctx, mask, at, place, AT(u64, region, REGION_LIMIT), shift, how, kind);
	if (AT(u64, ctx, CTX_PLAIN_FIRST))
		return quick(ctx, mask, at, place, shift, how, kind);
	return kind == QUICK_ATOMIC ? 0 : plain(ctx, mask, at, place, size, shift, how, site, kind == QUICK_WRITE);
}

int watch_read(void *ctx, u32 mask, const u64 *at, void *region, u32 site, u32 how) {
	return watch(ctx, mask, at, region, site, how, QUICK_READ);
}

int watch_write(void *ctx, u32 mask, const u64 *at, void *region, u32 site, u32 how) {
	return watch(ctx, mask, at, region, site, how, QUICK_WRITE);
}

int watch_update(void *ctx, u32 mask, const u64 *at, void *region, u32 site, u32 how) {
	return watch(ctx, mask, at, region, site, how, QUICK_ATOMIC);
}
