package global

import (
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// turns is what a quick look has where blocks run in turn and synchronize: accesses are
// compared by the same happens-before order as with the history, but for each unit of memory
// it keeps only the last plain write and the last plain reads. An access that is ordered after
// these takes their place: what races with them later races with it, too (Flanagan and Freund,
// "FastTrack", 2009). Units that strong operations access are noted as such: no pair of the
// launch's strong operations races, and a plain access to such a unit is suspected.
type turns struct {
	states *states
	// first is the first of the launch's points, which are numbered from there. The first
	// point represents no access; it marks units.
	first  uint32
	points []point
	// mixed holds the mixed units, indexed by the number in their states, from 1. free has the numbers that are unused
	// again, room the units that are allocated ahead.
	mixed []*mixedUnit
	free  []uint32
	room  []mixedUnit
	// last is the slot that made the last point.
	last *turnsBlock
}

// point is what all accesses of a warp have in common until it synchronizes again.
type point struct {
	block, interval, stamp uint32
	warp                   uint16
}

// ref names who accessed a unit: a point, and from bit 0 on the lane, or several threads of
// the point's block in its interval. A smaller point than the launch's first is none.
type ref uint32

const (
	refShift       = 6
	several    ref = shadow.RefSeveral
	ofStrong   ref = 62 // marks units that only strong operations have accessed
	ofMixed    ref = 63 // marks those in turns.mixed, whose number is in the place of the reads
	who        ref = shadow.RefLanes - 1
	maxPoints      = 1 << 22 // of a launch
	allPoints      = 1 << (32 - refShift)
	firstPoint     = 1 << 16 // of all: numbers of mixed units, which are left in states, are less than references
	readsShift     = 32      // of the reads in a state; the write is below
)

// mixedUnit is a unit that blocks have read which nothing orders, or that strong
// operations access after others.
type mixedUnit struct {
	write  ref
	reads  []ref // in few, mostly
	few    [4]ref
	strong bool
}

// maxReads bounds the reads of a mixed unit.
const maxReads = 64

// newTurns returns the quick way to look at a launch whose blocks run in turn, nil if there
// is none.
func (d *Detector) newTurns() *quick {
	if !d.launch.Repeatable || d.proxied || d.stores || d.clusters || d.history.suspects[kernelOf(d.launch)] {
		return nil
	}
	q := d.look(func(in *hb.Site) uint64 {
		switch {
		case in.Strength != hb.Weak:
			return shadow.QuickAtomic
		case in.Kind.Writes():
			return shadow.QuickWrite
		}
		return shadow.QuickRead
	})
	if q == nil {
		return nil
	}
	q.turns = d.history.takeTurns()
	q.turns.states.trim(d.launch.Live)
	q.turns.begin()
	return q
}

// takeTurns returns a look that no launch uses now.
func (h *History) takeTurns() *turns {
	n := len(h.turns) - 1
	if n < 0 {
		return &turns{states: new(states), mixed: []*mixedUnit{nil}}
	}
	t := h.turns[n]
	h.turns = h.turns[:n]
	return t
}

// begin takes numbers for the points of a launch.
func (t *turns) begin() {
	s := t.states
	if s.next == 0 || s.next+maxPoints >= allPoints {
		s.clear()
		s.next = firstPoint
	}
	t.first = uint32(s.next)
	t.points = append(t.points, point{})
}

// end leaves to other launches the numbers that were not used, and room.
func (t *turns) end() {
	t.states.next = uint64(t.first) + uint64(len(t.points))
	t.points, t.free, t.last = t.points[:0], t.free[:0], nil
	if cap(t.points)+len(t.mixed) > maxKept {
		t.points, t.free, t.mixed, t.room = nil, nil, t.mixed[:1:1], nil
	}
	for i := len(t.mixed) - 1; i > 0; i-- {
		t.free = append(t.free, uint32(i))
	}
}

// maxKept bounds what is kept for other launches.
const maxKept = 1 << 16

// turnsBlock is such a look at the blocks of a slot.
type turnsBlock struct {
	blockObserver
	*quick
	block uint32
	// at has each warp's current point. now is the point of the access being checked, before the
	// range of references known to happen before the accesses of its site.
	at     []ref
	now    ref
	before *shadow.Before
	// live, with warps and sites, is for code that enters accesses by itself. since is the first
	// point after the block has synchronized, 0 before there is one, and alone that after a warp
	// has synchronized by itself later; unknown before there is one, 0 for none.
	live  shadow.Live
	warps []shadow.WarpRefs
	sites []shadow.Before
	pages nearPages
	since ref
	alone []ref
	// after is the site of the last full barrier, looked what live counted by then, and busy tells by site whether
	// there was an access for each warp after it: the next time their points are made at once, so that code enters all.
	after  *trace.Site
	looked uint64
	busy   []bool
	// with is the observer with the history that continues with the slot's blocks, once the
	// launch has been repeated because it had to wait.
	with *blockObserver
}

func (d *Detector) newTurnsBlock() *trace.BlockObserver {
	b := &turnsBlock{quick: d.quick}
	o := &b.blockObserver
	o.launch, o.order = d, d.config.Order(d.launch, d.sites)
	o.order.Unasked = math.MaxUint64
	o.order.Words, o.writes = d.words, d.writes
	o.ticks, b.at = make([]uint32, o.order.Warps), make([]ref, o.order.Warps)
	b.warps, b.alone = make([]shadow.WarpRefs, o.order.Warps), make([]ref, o.order.Warps)
	b.sites, b.busy = make([]shadow.Before, len(d.sites)), make([]bool, len(d.sites))
	b.live = shadow.Live{Size: 1 << b.shift, None: uint32(b.turns.first) << refShift, Pages: (*[shadow.Pages]shadow.Page)(&b.pages), Wrote: b.writes,
		Warps: unsafe.Pointer(unsafe.SliceData(b.warps)), Sites: unsafe.Pointer(unsafe.SliceData(b.sites))}
	b.pages.forget()
	d.mu.Lock()
	d.quick.turnSlots = append(d.quick.turnSlots, b)
	d.mu.Unlock()
	t := &trace.BlockObserver{Begin: b.Begin, End: b.End, Barrier: b.Barrier, Arrived: b.Arrived, WarpSync: b.WarpSync, Fence: b.Fence,
		GroupArrived: b.GroupArrived, GroupPassed: b.GroupPassed, Global: b.Access, Ignores: o.Ignores,
		Plain: &trace.PlainObserver{Takes: b.enters, Live: &b.live}}
	if d.strongShared() {
		t.Shared = b.Access
	}
	return t
}

// enters reports whether code may enter the accesses of a site.
func (b *turnsBlock) enters(s *trace.Site) bool {
	k := b.kinds[s.ID]
	return (k == shadow.QuickRead || k == shadow.QuickWrite) && evidence.OnGlobal(s) && s.Size == 1<<b.shift
}

// unknown is the first point after a warp has synchronized, before there is one.
const unknown = ^ref(0)

// lapse is for what may order threads of several warps, or lets another block run: the warps' points
// have to be looked up again.
func (b *turnsBlock) lapse() {
	if b.since != 0 {
		b.since = 0
		clear(b.warps)
		clear(b.alone)
	}
}

// lapseOf is for what changes only the order before what a warp does.
func (b *turnsBlock) lapseOf(warp int) {
	b.warps[warp], b.alone[warp] = shadow.WarpRefs{}, unknown
}

// history returns the observer that continues with the slot's blocks after a launch was
// repeated that then waits, nil before. What the block has done so far is in that of the
// repetition.
func (b *turnsBlock) history() *blockObserver {
	d := b.launch
	if b.with != nil || !b.repeated {
		return b.with
	}
	for _, o := range d.slots {
		if b.blockObserver.block != nil && o.block != nil && o.block.Index == uint64(b.block) {
			if o.running.Swap(o.block.Index) == noBlock { // the repetition has ended, the block has not
				d.ended.Add(^uint32(0))
			}
			b.with = o
			return o
		}
	}
	b.with = d.newBlockObserver()
	return b.with
}

// Begin is the event of that name.
func (b *turnsBlock) Begin(k *trace.Block) {
	if b.repeated {
		b.blockObserver.block = nil
		b.history().Begin(k)
		return
	}
	b.blockObserver.block, b.block = k, uint32(k.Index)
	b.order.Reset(hb.PartyOf(b.launch.launch, k.Index))
	b.lapse()
	clear(b.reads)
	clear(b.at)
	clear(b.sites)
	b.was()
}

// End is the event of that name.
func (b *turnsBlock) End() {
	if o := b.history(); o != nil {
		o.End()
	}
}

// Barrier is the event of that name.
func (b *turnsBlock) Barrier(e *trace.Barrier) {
	b.lapse()
	switch o := b.history(); {
	case o != nil:
		o.Barrier(e)
	case e.Full:
		b.order.FullBarrier()
		b.order.ForgetArrivals(e.ID)
		b.foresee(e.Site)
	default:
		b.order.Barrier(e)
	}
}

// foresee makes the warps' points at a full barrier after which they were wanted the last time.
func (b *turnsBlock) foresee(site *trace.Site) {
	b.was()
	b.after, b.looked = site, b.live.Looked
	if b.busy[site.ID] && !b.suspected.Load() {
		for w := range b.at {
			b.pointOf(w)
		}
	}
}

// was notes whether points were wanted after the last full barrier.
func (b *turnsBlock) was() {
	if b.after != nil {
		b.busy[b.after.ID] = b.live.Looked-b.looked >= uint64(len(b.at))
		b.after = nil
	}
}

// Arrived is the event of that name.
func (b *turnsBlock) Arrived(e *trace.Arrival) {
	b.lapseOf(e.Warp)
	if o := b.history(); o != nil {
		o.Arrived(e)
	} else {
		b.order.ArriveWith(e)
	}
}

// WarpSync is the event of that name.
func (b *turnsBlock) WarpSync(e *trace.WarpSync) {
	b.lapseOf(e.Warp)
	if o := b.history(); o != nil {
		o.WarpSync(e)
	} else if b.order.Model != check.Threads {
		b.order.JoinWarp(e.Warp, e.Mask)
	}
}

// Fence is the event of that name.
func (b *turnsBlock) Fence(e *trace.Fence) {
	b.lapseOf(e.Warp)
	b.orderOf().Fence(e)
}

// GroupArrived is the event of that name.
func (b *turnsBlock) GroupArrived(e *trace.GroupSync) {
	b.lapseOf(e.Warp)
	b.launch.grid.Arrive(b.orderOf(), e)
}

// GroupPassed is the event of that name.
func (b *turnsBlock) GroupPassed(e *trace.GroupSync) {
	b.lapseOf(e.Warp)
	b.launch.grid.Pass(b.orderOf(), e)
}

func (b *turnsBlock) orderOf() *hb.Order {
	if o := b.history(); o != nil {
		return o.order
	}
	return b.order
}

// Access is the event of that name.
func (b *turnsBlock) Access(a *trace.Access) {
	if o := b.history(); o != nil {
		o.Access(a)
		return
	}
	in := &b.launch.sites[a.Site.ID]
	if a.Mask == 0 || a.Async == trace.AsyncComplete || !b.launch.watched[a.Site.ID] && a.Space == trace.SpaceGlobal {
		return
	}
	b.failed = false
	if a.Space != trace.SpaceGlobal {
		if in.Strength != hb.Weak {
			b.followLanes(a)
		} else if in.Kind.Writes() {
			b.overwrite(a)
		}
		return
	}
	if evidence.OnGlobal(a.Site) {
		b.live.Looked++
	}
	if b.suspected.Load() {
		return
	}
	if b.failed = b.fails(a); in.Kind != trace.Read && !b.failed {
		*b.writes++
	} else if in.Strength != hb.Weak && b.repeats(a) {
		return
	}
	b.now = b.pointOf(a.Warp)
	ok := b.now != 0
	switch b.kinds[a.Site.ID] {
	case shadow.QuickAtomic:
		ok = ok && b.strong(a)
	case shadow.QuickWrite:
		ok = ok && b.plain(a, true) // of a word without a strong access, which has no release sequence
	default:
		ok = ok && b.plain(a, false)
	}
	if !ok {
		b.suspected.Store(true)
	}
}

// followLanes lets the lanes of a strong access to shared memory release and acquire.
func (b *turnsBlock) followLanes(a *trace.Access) {
	b.lapseOf(a.Warp)
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		b.follow(a.Site, 32*a.Warp+lane, b.wordOf(a, lane))
	}
}

// pointOf returns the point of a warp's accesses, 0 for no more room.
func (b *turnsBlock) pointOf(warp int) ref {
	t, r := b.turns, b.at[warp]
	if t.last != b {
		if t.last != nil {
			t.last.lapse()
		}
		t.last = b
		b.lapse()
	}
	next := ref(t.first+uint32(len(t.points))) << refShift
	if b.since == 0 {
		b.since = next
	}
	since := b.since
	if alone := &b.alone[warp]; *alone != 0 {
		if *alone == unknown {
			*alone = next
		}
		since = *alone
	}
	is := point{b.block, b.order.Interval(), b.order.Stamp(warp), uint16(warp)}
	if r == 0 || *t.point(r) != is {
		if len(t.points) == maxPoints {
			return 0
		}
		r = next
		t.points = append(t.points, is)
		b.at[warp] = r
	}
	b.warps[warp] = shadow.WarpRefs{Now: uint64(r)<<readsShift | uint64(r), Since: uint64(since)<<readsShift | math.MaxUint32}
	return r
}

// known reports whether something of the launch has accessed a unit as r says.
func (t *turns) known(r ref) bool { return uint32(r>>refShift) >= t.first }

// mark is the state of units of which no single access is kept.
func (t *turns) mark(r ref) ref { return ref(t.first)<<refShift | r }

// plain enters a plain access, lane by lane. It returns false for what may race.
func (b *turnsBlock) plain(a *trace.Access, writes bool) bool {
	b.before = &b.sites[a.Site.ID]
	refs := shadow.Refs{None: b.live.None, WarpRefs: b.warps[a.Warp], Before: *b.before}
	var page *statePage
	number := ^uint64(0)
	n := uint64(a.Site.Size) >> b.shift
	for m := b.notEntered(a); m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		for unit, end := a.Addr[lane]>>b.shift, a.Addr[lane]>>b.shift+n; unit < end; unit++ {
			if unit/pageStates != number {
				number = unit / pageStates
				page = b.pages.page(b.turns.states, number)
			}
			s := &page[unit%pageStates]
			next, ok := refs.Join(*s, uint32(lane), writes)
			switch {
			case ok:
				*s = next
				continue
			case writes:
				ok = b.enterWrite(s, a.Warp, lane)
			default:
				ok = b.enterRead(s, a.Warp, lane)
			}
			if !ok {
				return false
			}
			refs.Before = *b.before
		}
	}
	return true
}

// notEntered are the lanes of an access that no generated code has entered.
func (b *turnsBlock) notEntered(a *trace.Access) uint32 {
	m := a.Mask
	if x := uint32(b.live.Failing); x != 0 && b.live.FailingSite == uint64(a.Site.ID) {
		m &= x
	}
	b.live.Failing = 0
	return m
}

func (b *turnsBlock) enterRead(s *uint64, warp, lane int) bool {
	t, me := b.turns, b.now|ref(lane)
	w, r := ref(*s), ref(*s>>readsShift)
	if t.known(w) && !b.follows(w, 0, warp, lane) {
		return w == t.mark(ofMixed) && t.mixed[r].enterRead(b, me, warp, lane)
	}
	switch {
	case !t.known(r), b.follows(r, readsShift, warp, lane):
		*s = uint64(me)<<readsShift | uint64(w)
	case t.together(r, me):
		*s = uint64(b.now|several)<<readsShift | uint64(w)
	default:
		u := t.mix(s, w)
		if u == nil {
			return false
		}
		u.reads = append(u.reads, r, me)
	}
	return true
}

func (b *turnsBlock) enterWrite(s *uint64, warp, lane int) bool {
	t, me := b.turns, b.now|ref(lane)
	w, r := ref(*s), ref(*s>>readsShift)
	if t.known(w) && !b.follows(w, 0, warp, lane) {
		if w != t.mark(ofMixed) || !t.mixed[r].enterWrite(b, warp, lane) {
			return false
		}
		t.free = append(t.free, uint32(r))
	} else if t.known(r) && !b.follows(r, readsShift, warp, lane) {
		return false
	}
	*s = uint64(me)
	return true
}

// strong lets the lanes of a strong access release and acquire, and enters it.
func (b *turnsBlock) strong(a *trace.Access) bool {
	b.lapseOf(a.Warp)
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		b.follow(a.Site, 32*a.Warp+lane, b.wordOf(a, lane))
		unit := a.Addr[lane] >> b.shift
		for part := range uint64(a.Site.Size) >> b.shift {
			at := unit + part
			if !b.enterStrong(&b.pages.page(b.turns.states, at/pageStates)[at%pageStates], a.Warp, lane) {
				return false
			}
		}
	}
	return true
}

func (b *turnsBlock) enterStrong(s *uint64, warp, lane int) bool {
	t := b.turns
	w, r := ref(*s), ref(*s>>readsShift)
	switch {
	case w == t.mark(ofStrong):
		return true
	case w == t.mark(ofMixed):
		u := t.mixed[r]
		u.strong = true
		return u.allBefore(b, warp, lane)
	case !t.known(w) && !t.known(r):
		*s = uint64(t.mark(ofStrong))
		return true
	}
	u := t.mix(s, w)
	if u == nil {
		return false
	}
	u.strong = true
	if t.known(r) {
		u.reads = append(u.reads, r)
	}
	return b.comesAfter(u.write, warp, lane) && (!t.known(r) || b.comesAfter(r, warp, lane))
}

// mix makes a unit of which w is the last write a mixed one without reads; nil if there are too many.
func (t *turns) mix(s *uint64, w ref) *mixedUnit {
	n := len(t.free) - 1
	if n < 0 {
		if len(t.mixed) == firstPoint<<refShift {
			return nil
		}
		if len(t.room) == 0 {
			t.room = make([]mixedUnit, roomUnits)
		}
		n, t.free = 0, append(t.free, uint32(len(t.mixed)))
		t.mixed, t.room = append(t.mixed, &t.room[0]), t.room[1:]
	}
	i := t.free[n]
	t.free = t.free[:n]
	u := t.mixed[i]
	*u = mixedUnit{}
	u.reads = u.few[:0]
	if t.known(w) {
		u.write = w
	}
	*s = uint64(i)<<readsShift | uint64(t.mark(ofMixed))
	return u
}

// roomUnits is how many mixed units room is made for at a time.
const roomUnits = 256

func (u *mixedUnit) enterRead(b *turnsBlock, me ref, warp, lane int) bool {
	if u.strong || !b.comesAfter(u.write, warp, lane) {
		return false
	}
	for i, r := range u.reads {
		switch {
		case b.comesAfter(r, warp, lane):
			u.reads[i] = me
			return true
		case b.turns.together(r, me):
			u.reads[i] = b.now | several
			return true
		}
	}
	u.reads = append(u.reads, me)
	return len(u.reads) <= maxReads
}

func (u *mixedUnit) enterWrite(b *turnsBlock, warp, lane int) bool {
	return !u.strong && u.allBefore(b, warp, lane)
}

// allBefore reports whether what a lane does now is ordered after all plain accesses to the unit.
func (u *mixedUnit) allBefore(b *turnsBlock, warp, lane int) bool {
	return b.comesAfter(u.write, warp, lane) && !slices.ContainsFunc(u.reads, func(r ref) bool { return !b.comesAfter(r, warp, lane) })
}

// together reports whether two accesses are of one block and interval.
func (t *turns) together(r, s ref) bool {
	p, q := t.point(r), t.point(s)
	return p.block == q.block && p.interval == q.interval
}

func (t *turns) point(r ref) *point { return &t.points[uint32(r>>refShift)-t.first] }

// comesAfter reports whether what a lane does now is ordered after r, or r is 0.
func (b *turnsBlock) comesAfter(r ref, warp, lane int) bool {
	if r == 0 {
		return true
	}
	ok, _ := b.passes(r, warp, lane)
	return ok
}

// follows is passes for a reference of the half of a state at a shift. What comes before all that
// the block does now becomes known for the site.
func (b *turnsBlock) follows(r ref, shift uint, warp, lane int) bool {
	ok, all := b.passes(r, warp, lane)
	if all {
		first, n := b.around(r)
		half := uint64(math.MaxUint32) << shift
		b.before.First = b.before.First&^half | uint64(first)<<shift
		b.before.N = b.before.N&^half | uint64(n)<<shift
	}
	return ok
}

// maxAround bounds how many points around another one are looked at, and maxOthers of how many blocks, in each direction.
const maxAround, maxOthers = 128, 8

// around returns the range of references to points next to that of r which come before all that the block does now.
func (b *turnsBlock) around(r ref) (first, n ref) {
	t := b.turns
	at := int(uint32(r>>refShift) - t.first)
	from, to := at, at+1
	block, interval, others := b.block, b.order.Interval(), 0
	before := func(i int) bool {
		p := &t.points[i]
		if p.block != block {
			block, interval = p.block, b.order.Passed(p.block)
			others++
		}
		return p.interval < interval && others <= maxOthers
	}
	for from > 1 && at-from < maxAround && before(from-1) {
		from--
	}
	others = 0
	for to < len(t.points) && to-at < maxAround && before(to) {
		to++
	}
	return ref(t.first+uint32(from)) << refShift, ref(to-from) << refShift
}

// passes reports whether what a lane does now is ordered after r, and whether what any thread of
// the block does is ordered after all accesses of that point.
func (b *turnsBlock) passes(r ref, warp, lane int) (ok, all bool) {
	at := r & who
	if at >= ofStrong {
		return false, false
	}
	p := b.turns.point(r)
	if p.block == b.block {
		switch {
		case p.interval < b.order.Interval():
			return true, true
		case at == several:
			return false, false
		case int(p.warp) == warp && int(at) == lane:
			return true, false
		case b.order.Unordered(warp, lane, int(p.warp), 1<<at, p.stamp) == 0:
			return true, false
		}
	}
	if p.block != b.block && p.interval < b.order.Passed(p.block) {
		b.launch.handed = true
		return true, true
	}
	clock := b.order.ClockOf(32*warp + lane)
	switch {
	case clock == nil:
		return false, false
	case at == several:
		ok = clock.CoversAll(p.block, p.interval)
	default:
		ok = clock.Covers(hb.Epoch{Block: p.block, Interval: p.interval, Stamp: p.stamp}, 32*uint32(p.warp)+uint32(at))
	}
	b.launch.handed = b.launch.handed || ok && p.block != b.block
	return ok, false
}
