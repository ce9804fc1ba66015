package initialised

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// blockObserver watches the blocks of one slot.
type blockObserver struct {
	launch   *trace.Launch
	pieces   *pieces
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
	// within says that bytes were read that the interval has written: in another
	// order of the warps they might not have been. doubted says that there were
	// such reads or late ones in the block.
	within, doubted bool
	owners
	open
	// touched says that fresh or needs is not empty.
	touched bool
	kept    []keptInterval
	local   []localMemory
	missing [32]uint64
}

// lateRead is a read of bytes of shared memory that nobody had written then, or
// that have an origin.
type lateRead struct {
	site    *trace.Site
	warp    int
	mask    uint32
	lanes   uint32
	addr    [32]uint64
	missing [32]uint64
	origin  uint16
}

// maxLate bounds the reads kept in one interval. What is beyond is judged at
// once, as if nobody wrote it later.
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
		o.Shared, o.Barrier, o.Reached = b.Access, b.Barrier, b.Reached
		o.Interval = &trace.IntervalObserver{Settled: b.Settled, Keep: b.Keep, Repeat: b.Repeat, Repeatable: b.Repeatable}
	}
	if n.shared && b.endSites != nil {
		o.Global, o.Ignores = b.Access, b.Ignores
	}
	if n.local {
		o.Local = b.Access
	}
	if n.global {
		o.Unwritten, o.Wrote = b.Unwritten, b.Wrote
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
	b.open.reset()
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

// Settled is for trace.IntervalObserver.
func (b *blockObserver) Settled() bool { return !b.dirty && !b.waiting() }

// Keep is for trace.IntervalObserver.
func (b *blockObserver) Keep() int32 {
	b.kept = append(b.kept, keptInterval{b.needs.cut(), b.fresh.cut(), b.within})
	return int32(len(b.kept) - 1)
}

// Repeatable is for trace.IntervalObserver.
func (b *blockObserver) Repeatable(token int32) bool {
	return b.kept[token].needs.within(b.written) && !b.waiting()
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
	case a.Space == trace.SpaceGlobal:
		b.ending(a)
	case a.Space != trace.SpaceShared:
	case writesOnly(a): // a copy that is on its way is written: who reads too early races with it
		b.write(a)
		b.ending(a)
	default:
		if !arrives(a.Site) {
			b.read(a)
		}
		if a.Site.Kind == trace.Atomic {
			b.write(a)
		}
	}
}

// Ignores is for trace.BlockObserver.
func (b *blockObserver) Ignores(s *trace.Site) bool { return b.endSites == nil || b.store[s.ID] == 0 }

// arrives reports an arrival at an mbarrier: where that is not initialised the launch
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
	for m := a.Mask; m != 0; m &= m - 1 {
		b.writeRange(a.Addr[bits.TrailingZeros32(m)], uint64(a.Site.Size), update)
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
	size, lanes := a.Site.Size, uint32(0)
	for m := a.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		at := a.Addr[l]
		if b.missing[l] = b.written.missing(at, size); b.missing[l] != 0 {
			lanes |= 1 << l
		}
		b.need(at, uint64(size))
	}
	if lanes == 0 {
		return
	}
	b.dirty, b.doubted = true, true
	for lanes != 0 {
		r := lateRead{a.Site, a.Warp, a.Mask, lanes, *a.Addr, b.missing, 0}
		b.oneOrigin(&r)
		lanes &^= r.lanes
		switch {
		case len(b.late) < maxLate:
			b.late = append(b.late, r)
		case b.follows(r.site):
			b.hold(&r)
		default:
			b.judgeShared(&r, r.lanes, nil)
		}
	}
}

// oneOrigin leaves a read the lanes that have the origin of the first one.
func (b *blockObserver) oneOrigin(r *lateRead) {
	if len(b.origins) == 0 {
		return
	}
	first := bits.TrailingZeros32(r.lanes)
	r.origin = b.originOf(r.addr[first], r.missing[first])
	for m := r.lanes; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros32(m); b.originOf(r.addr[l], r.missing[l]) != r.origin {
			r.lanes &^= 1 << l
		}
	}
}

// need notes that what is read was written before the interval.
func (b *blockObserver) need(lo, n uint64) {
	b.within = b.within || b.fresh.any(lo, n)
	if !b.fresh.has(lo, n) {
		b.touched = true
		b.needs.addMissing(lo, n, b.fresh)
	}
}

// judgeLate judges the reads of an interval. Bytes that another thread stored in
// it after all are a matter of order, and so of the race rule.
func (b *blockObserver) judgeLate() {
	for i := range b.late {
		r := &b.late[i]
		for m := r.lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			r.missing[l] &= b.stored.missing(r.addr[l], r.site.Size) | b.ownedBy(32*r.warp+l, r.addr[l], r.site.Size)
			if r.missing[l] == 0 {
				r.lanes &^= 1 << l
			}
		}
		switch {
		case r.lanes == 0:
		case b.follows(r.site):
			b.hold(r)
		default:
			b.judgeShared(r, r.lanes, nil)
		}
	}
	b.late = b.late[:0]
	if b.endSites != nil {
		b.settle()
	}
}

// judgeShared judges some lanes of a read, of which count says how often they did
// it, nil for once.
func (b *blockObserver) judgeShared(r *lateRead, lanes uint32, count *[32]uint64) {
	j := judge(r.site, r.mask, lanes, &r.addr, &r.missing)
	if j.worst == harmless {
		return
	}
	if count != nil {
		j.repeat(lanes, count)
	}
	if r.origin > 0 {
		o := &b.origins[r.origin-1]
		b.note(o.key, o.witness, j.used+j.copied, 0, trace.Memory{})
		return
	}
	b.note(b.keyOf(r, r.addr[j.lane]), b.witnessOf(r, &j), j.used, j.copied, trace.Memory{})
}

func (b *blockObserver) keyOf(r *lateRead, addr uint64) readKey {
	return readKey{r.site.ID, trace.SpaceShared, check.SharedVariable(b.launch, addr)}
}

func (b *blockObserver) witnessOf(r *lateRead, j *judgement) witness {
	return witness{block: b.block.Index, warp: r.warp, lane: j.lane, addr: r.addr[j.lane],
		missing: r.missing[j.lane], verdict: j.worst, bytes: j.bytes}
}

// Unwritten is for trace.BlockObserver.
func (b *blockObserver) Unwritten(e *trace.Unwritten) {
	lanes := e.Mask
	if e.Padding != 0 && b.pieces.of(e.Site) && padded(e.All, e.Addr) && isDense(e.All, e.Addr, e.Site.Size) < 0 {
		lanes &^= e.Padding
	}
	j := judge(e.Site, e.All, lanes, e.Addr, e.Missing)
	if j.worst == harmless {
		return
	}
	if e.Memory.Kind == "symbol" { // zero, as the language has it: what for, one may ask
		j.worst, j.used, j.copied = suspect, 0, j.used+j.copied
	}
	k := readKey{e.Site.ID, trace.SpaceGlobal, e.Memory.ID}
	if e.Memory.Kind == "heap" {
		k.object = -1
	}
	b.note(k, witness{block: b.block.Index, warp: e.Warp, lane: j.lane, addr: e.Addr[j.lane],
		missing: e.Missing[j.lane], verdict: j.worst, bytes: j.bytes}, j.used, j.copied, e.Memory)
}

// Wrote is for trace.BlockObserver.
func (b *blockObserver) Wrote(e *trace.RuntimeWrite) {
	switch e.Space {
	case trace.SpaceShared:
		b.writeRange(e.Addr, uint64(e.N), false)
	case trace.SpaceLocal:
		b.localOf(e.Warp).write(1<<e.Lane, e.Addr, e.N)
	}
}
