package initialized

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// blockObserver watches the blocks of one slot.
type blockObserver struct {
	checker  *checker
	launch   *trace.Launch
	in       *launchObserver
	exemplar *check.Exemplar[struct{}]
	block    *trace.Block
	found    map[readKey]*read
	// written are the bytes of shared memory that the block has written; fresh
	// those in this barrier interval, stored those of them that not only atomic
	// operations wrote; needs what was read in it that was written before it.
	written, fresh, stored, needs bitset
	// late are reads that are judged at the end of the interval; dirty says
	// that there were some.
	late  []lateRead
	dirty bool
	// within is set if bytes were read that the interval has written: in another
	// order of the warps they might not have been. doubted is set if there were
	// such reads or late ones in the block.
	within, doubted bool
	owners
	// tracker has the records of what is read. It is another observer's of the slot
	// where that watches the rest of the launch.
	tracker *tracker
	// touched is set if fresh or needs is not empty.
	touched bool
	kept    []keptInterval
	local   []localMemory
	missing [32]uint64
}

// lateRead is a read of shared memory that was uninitialized at that point.
type lateRead struct {
	site    *trace.Site
	warp    int
	lanes   uint32
	addr    [32]uint64
	missing [32]uint64
	record  int
}

// maxLate bounds the reads kept in one interval. What is beyond counts at once, as if
// nothing wrote it later.
const maxLate = 1024

// keptInterval is what an interval needs and what it writes.
type keptInterval struct {
	needs, writes window
	within        bool
}

// observer returns the events that tell what is written and read in some spaces.
func (b *blockObserver) observer(n needs) *trace.BlockObserver {
	o := &trace.BlockObserver{Begin: b.Begin, End: b.End}
	if n.shared {
		o.Shared, o.Barrier, o.Reached, o.AsyncBegan = b.Access, b.Barrier, b.Reached, b.AsyncBegan
		o.Interval = &trace.IntervalObserver{Settled: b.Settled, Keep: b.Keep, Repeat: b.Repeat, Repeatable: b.Repeatable, Foresees: b.Repeatable,
			Quiet: &trace.QuietObserver{Opens: b.opens, Written: func() []uint64 { return b.written }}}
	}
	if n.local {
		o.Local, o.LocalWritten = b.Access, b.LocalWritten
	}
	if n.global {
		o.Unwritten, o.Wrote = b.Unwritten, b.Wrote
		o.Undefined = &trace.UndefinedObserver{Unset: b.Unset, Absent: b.Absent, NotCanceled: b.NotCanceled, Reread: b.Reread, Lasting: b.Lasting, Mixed: b.Mixed, Used: b.Used, Known: b.Known}
	}
	return o
}

// Begin is for trace.BlockObserver: shared and local memory are new.
func (b *blockObserver) Begin(blk *trace.Block) {
	b.block = blk
	for _, s := range []*bitset{&b.written, &b.fresh, &b.stored, &b.needs} {
		s.resize(len(blk.Shared))
	}
	clear(b.written)
	b.nextInterval()
	b.doubted = false
	b.join(blk)
	for i := range b.local {
		b.local[i].reset()
	}
}

// Barrier is for trace.BlockObserver.
func (b *blockObserver) Barrier(e *trace.Barrier) {
	if e.Full {
		b.judgeLate()
		b.nextInterval()
	}
}

// End is for trace.BlockObserver.
func (b *blockObserver) End() {
	b.judgeLate()
	if !b.doubted && !b.within {
		b.exemplar.Choose(b.block, struct{}{})
	}
}

func (b *blockObserver) nextInterval() {
	if b.touched {
		clear(b.fresh)
		clear(b.stored)
		clear(b.needs)
	}
	b.doubted = b.doubted || b.within
	b.touched, b.dirty, b.within = false, false, false
	b.disown()
}

// opens reports whether intervals may be left out: not in a block that may stand for others.
func (b *blockObserver) opens() bool { return !b.exemplar.Wanted(b.block.Index) }

// Settled is for trace.IntervalObserver.
func (b *blockObserver) Settled() bool { return !b.dirty }

// Keep is for trace.IntervalObserver.
func (b *blockObserver) Keep() int32 {
	b.kept = append(b.kept, keptInterval{b.needs.cut(), b.fresh.cut(), b.within})
	return int32(len(b.kept) - 1)
}

// Repeatable is for trace.IntervalObserver.
func (b *blockObserver) Repeatable(token int32) bool {
	return b.kept[token].needs.within(b.written)
}

// Repeat is for trace.IntervalObserver.
func (b *blockObserver) Repeat(token int32) {
	k := &b.kept[token]
	k.writes.addTo(b.written)
	b.within = k.within
}

// Access is for trace.BlockObserver.
func (b *blockObserver) Access(a *trace.Access) {
	switch {
	case a.Mask == 0 || a.Site.Size == 0 || a.Site.Size > 64:
	case a.Space == trace.SpaceLocal:
		b.localAccess(a)
	case a.Space != trace.SpaceShared:
	case writesOnly(a): // a copy that is on its way is written: who reads too early races with it
		b.write(a)
	default:
		if !arrives(a.Site) {
			b.read(a)
		}
		if a.Site.Kind == trace.Atomic {
			b.write(a)
		}
	}
}

// AsyncBegan is for trace.BlockObserver. What an operation will write is written: who reads too
// early races with it.
func (b *blockObserver) AsyncBegan(e *trace.AsyncAccess) {
	if e.Mask == 0 || e.Tensor { // values are followed through tensor memory by the engine
		return
	}
	for _, r := range e.Ranges {
		if e.Site.Kind != trace.Write {
			b.asyncRead(e, r)
		}
		if e.Site.Kind.Writes() {
			b.writeRange(r.Addr, r.N, e.Site.Kind == trace.Atomic)
		}
	}
}

// asyncRead reads a range in pieces of the site's size, by the first lane of an operation.
func (b *blockObserver) asyncRead(e *trace.AsyncAccess, r trace.Range) {
	n := uint64(e.Site.Size)
	if n == 0 || n > 64 || r.N%n != 0 || b.written.has(r.Addr, r.N) {
		b.need(r.Addr, r.N)
		return
	}
	l := bits.TrailingZeros32(e.Mask)
	var addr [32]uint64
	for at := r.Addr; at < r.Addr+r.N; at += n {
		addr[l] = at
		var u trace.Undefined
		b.read(&trace.Access{Site: e.Site, Space: trace.SpaceShared, Warp: e.Warp, Mask: 1 << l, Addr: &addr, Undefined: &u})
		// A piece that has padding does not count as used, one that nothing wrote does.
		if u.Mask != 0 && bits.OnesCount64(u.Missing[l]) == int(n) {
			b.tracker.used(&trace.Used{Site: e.Site, Purpose: trace.StoredInGlobal, Warp: e.Warp, Mask: u.Mask, Origin: &u.Origin})
		}
	}
}

// arrives reports whether s is an arrival at an mbarrier: where that is not initialized the launch
// ends, which is the sync rule's to tell.
func arrives(s *trace.Site) bool {
	return s.Kind == trace.Atomic && s.Op.IsMBarrier()
}

// writesOnly reports whether an access does not look at what it overwrites.
func writesOnly(a *trace.Access) bool {
	return a.Site.Kind == trace.Write || a.Site.Exchange()
}

func (b *blockObserver) write(a *trace.Access) {
	update := a.Site.Kind == trace.Atomic && !a.Site.Exchange()
	if b.dirty && !update && a.Async == trace.Sync {
		b.own(a, b.written)
	}
	if lo, n, ok := run(a); ok {
		b.writeRange(lo, n, update)
		return
	}
	for m := a.Mask; m != 0; {
		lo, n, lanes := stretch(a, m)
		m &^= lanes
		b.writeRange(lo, n, update)
	}
}

// stretch is the range without gaps that the lowest of lanes m access and those that follow it,
// each the same as the one before or what comes next. The rows of a tile are such ranges.
func stretch(a *trace.Access, m uint32) (lo, n uint64, lanes uint32) {
	size := uint64(a.Site.Size)
	l := bits.TrailingZeros32(m) & 31
	lo = a.Addr[l]
	end := lo + size
	for lanes = 1 << l; ; lanes |= 1 << l {
		l = bits.TrailingZeros32(m &^ lanes)
		switch {
		case l == 32 || a.Addr[l] != end && a.Addr[l]+size != end:
			return lo, end - lo, lanes
		case a.Addr[l] == end:
			end += size
		}
	}
}

// Reached is for trace.BlockObserver: other blocks of the cluster write to
// this one's shared memory.
func (b *blockObserver) Reached(a *trace.Access) {
	if !a.Site.Kind.Writes() {
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		at, n := a.Addr[bits.TrailingZeros32(m)], uint64(a.Site.Size)
		b.written.add(at, n)
		b.stored.add(at, n)
	}
	b.touched = true
}

// writeRange notes that n bytes at lo are written, by an update of what was
// there or not.
func (b *blockObserver) writeRange(lo, n uint64, update bool) {
	b.touched = true
	if i, m, ok := b.written.one(lo, n); ok {
		b.fresh[i] |= m
		b.written[i] |= m
		if !update {
			b.stored[i] |= m
		}
		return
	}
	b.fresh.add(lo, n)
	b.written.add(lo, n)
	if !update {
		b.stored.add(lo, n)
	}
}

// run returns the range of an access that has no gaps.
func run(a *trace.Access) (lo, n uint64, ok bool) {
	size := uint64(a.Site.Size)
	switch {
	case !a.Regular:
		return 0, 0, false
	case a.Step == 0:
		return a.Addr[0], size, true
	case a.Step == int64(size):
		return a.Addr[0], 32 * size, true
	}
	return 0, 0, false
}

func (b *blockObserver) read(a *trace.Access) {
	if lo, n, ok := run(a); ok && b.written.has(lo, n) {
		b.need(lo, n)
		return
	}
	lanes := uint32(0)
	for m := a.Mask; m != 0; {
		lo, n, near := stretch(a, m)
		m &^= near
		b.need(lo, n)
		if b.written.has(lo, n) {
			continue
		}
		for ; near != 0; near &= near - 1 {
			l := bits.TrailingZeros32(near)
			if b.missing[l] = b.written.missing(a.Addr[l], a.Site.Size); b.missing[l] != 0 {
				lanes |= 1 << l
			}
		}
	}
	if lanes == 0 {
		return
	}
	b.dirty, b.doubted = true, true
	b.unwritten(a, lanes)
}

// unwritten records that lanes have read bytes that were not written so far.
func (b *blockObserver) unwritten(a *trace.Access, lanes uint32) {
	var origin [32]uint32
	for rest := lanes; rest != 0; {
		v := check.SharedVariable(b.launch, a.Addr[bits.TrailingZeros32(rest)])
		same := uint32(0)
		for m := rest; m != 0; m &= m - 1 {
			if l := bits.TrailingZeros32(m); check.SharedVariable(b.launch, a.Addr[l]) == v {
				same |= 1 << l
			}
		}
		rest &^= same
		i := b.tracker.read(readKey{a.Site.ID, trace.SpaceShared, v}, a.Warp, same, a.Addr, &b.missing, nil, &origin, trace.Memory{})
		if len(b.late) < maxLate {
			b.late = append(b.late, lateRead{a.Site, a.Warp, same, *a.Addr, b.missing, i})
		} else {
			b.tracker.confirm(i, same)
		}
	}
	if u := a.Undefined; u != nil {
		for m := lanes; m != 0; m &= m - 1 { // those that are not followed
			if l := bits.TrailingZeros32(m); origin[l] == 0 {
				lanes &^= 1 << l
			}
		}
		u.Mask, u.Missing, u.Origin = lanes, b.missing, origin
	}
}

// need notes that what is read was written before the interval.
func (b *blockObserver) need(lo, n uint64) {
	if i, m, ok := b.fresh.one(lo, n); ok {
		b.within = b.within || b.fresh[i]&m != 0
		if rest := m &^ b.fresh[i]; rest != 0 {
			b.touched = true
			b.needs[i] |= rest
		}
		return
	}
	b.within = b.within || b.fresh.any(lo, n)
	if !b.fresh.has(lo, n) {
		b.touched = true
		b.needs.addMissing(lo, n, b.fresh)
	}
}

// judgeLate finds out which reads of an interval are of bytes that no other thread stored
// in it after all: that would be a matter of order, and so of the race rule.
func (b *blockObserver) judgeLate() {
	for i := range b.late {
		r := &b.late[i]
		for m := r.lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			if r.missing[l]&(b.stored.missing(r.addr[l], r.site.Size)|b.ownedBy(32*r.warp+l, r.addr[l], r.site.Size)) == 0 {
				r.lanes &^= 1 << l
			}
		}
		b.tracker.confirm(r.record, r.lanes)
	}
	b.late = b.late[:0]
	if s := b.tracker.shared; s == nil || s == b { // else there are late reads to judge first
		b.tracker.settle()
	}
}

// join finds the tracker of the slot where a block begins.
func (b *blockObserver) join(blk *trace.Block) {
	if b.tracker == nil {
		b.tracker = b.in.trackerOf(blk, b)
	}
	if b.tracker.owner == b {
		b.tracker.reset()
	} else {
		b.tracker.shared = b
	}
}

// noteUse is the tracker's way to report.
func (b *blockObserver) noteUse(u use, count uint64) {
	w := witness{block: b.block.Index, warp: u.record.warp, lane: u.lane, addr: u.record.addr[u.lane],
		missing: u.record.missing[u.lane], verdict: wrong, purpose: u.purpose, site: u.site,
		exchange: u.record.exchange, bytes: u.record.bytes}
	if parent := u.record.parent[u.lane]; parent != 0 {
		if s, ok := b.tracker.root(parent); ok {
			w.source = &s
		}
	}
	b.note(u.record.key, w, count, u.record.memory)
	b.tracker.begin(u.record, u.lane)
}

// Wrote is for trace.BlockObserver.
func (b *blockObserver) Wrote(e *trace.RuntimeWrite) {
	switch e.Space {
	case trace.SpaceShared:
		if s := b.tracker.shared; s != nil {
			b = s
		}
		b.writeRange(e.Addr, uint64(e.N), false)
	case trace.SpaceLocal:
		b.localOf(e.Warp).write(1<<e.Lane, e.Addr, e.N)
	}
}
