package global

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// quick looks at a launch that can be repeated and in which nothing but barriers orders
// threads. It has one state for each unit of memory instead of the history, and says only
// whether something may race. If so, the launch is run again with the history.
//
// It knows threads, full barriers and units of the smallest size that the launch accesses: it
// may suspect too much, never too little. Whether it suspects a launch does not depend on the
// order of its blocks.
type quick struct {
	states *states
	// first is the first block's number, shift the logarithm of the size of units, kinds
	// what the accesses of sites are to them.
	first uint64
	shift uint
	kinds []uint64
	// ordered: blocks do not run at once.
	ordered   bool
	suspected atomic.Bool
	// twice: a unit was met twice, the slots enter all into the states.
	twice atomic.Bool
	// repeated: the launch runs again, with the history.
	repeated bool
	slots    []*quickBlock
	// turns is for a launch whose blocks run in turn and synchronize, nil for others; such a
	// launch has turnSlots instead of states and slots.
	turns     *turns
	turnSlots []*turnsBlock
}

// newQuick returns the quick way to look at a launch, nil if there is none or it would be
// for nothing.
func (d *Detector) newQuick() *quick {
	if !d.launch.Repeatable || d.synchronizes || d.proxied || d.stores || d.parent != nil || d.history.suspects[kernelOf(d.launch)] {
		return nil
	}
	q := d.look(func(in *hb.Site) uint64 {
		switch {
		case in.Kind == trace.Write:
			return shadow.QuickWrite
		case in.Kind == trace.Atomic:
			return shadow.QuickAtomic
		case in.Strength == hb.Weak:
			return shadow.QuickRead
		}
		return 0 // threads may wait for each other
	})
	if q == nil {
		return nil
	}
	q.twice.Store(d.history.twice[kernelOf(d.launch)])
	q.states = d.history.takeStates()
	q.states.trim(d.launch.Live)
	q.first = q.states.reserve(d.launch.Grid.Size())
	return q
}

// look begins a quick look, for which accesses of a site are of a kind, 0 for none that it can look at. It is nil where there is such a
// site, or where atomic operations may race with each other.
func (d *Detector) look(kindOf func(*hb.Site) uint64) *quick {
	q := &quick{shift: maxUnitShift, ordered: d.launch.Ordered, kinds: make([]uint64, len(d.sites))}
	var atoms []*hb.Site
	for i, s := range d.launch.Sites {
		if !d.watched[i] {
			continue
		}
		in := &d.sites[i]
		kind := kindOf(in)
		if kind == 0 || in.Narrow != nil || s.Texture {
			return nil
		}
		if kind == shadow.QuickAtomic {
			atoms = append(atoms, in)
			if slices.ContainsFunc(atoms, func(x *hb.Site) bool { return hb.Conflict(x, in, hb.OverDevice) }) {
				return nil
			}
		}
		q.kinds[i] = kind
		q.shift = min(q.shift, uint(bits.TrailingZeros(uint(s.Size))))
	}
	return q
}

func kernelOf(l *trace.Launch) [2]string { return [2]string{l.Module, l.Kernel} }

// again reports whether the launch has to be repeated, and prepares that. One whose blocks run
// in turn and that is about to wait is repeated in any case: it continues with the history.
func (d *Detector) again(waits bool) bool {
	q := d.quick
	q.settle(waits)
	if q.repeated || !q.suspected.Load() && !(waits && q.turns != nil) {
		return false
	}
	q.repeated = true
	if d.history.suspects == nil {
		d.history.suspects = map[[2]string]bool{}
	}
	d.history.suspects[kernelOf(d.launch)] = true
	for _, b := range q.turnSlots {
		b.live.Size = 0 // it looks no more
	}
	if q.turns != nil {
		d.words, d.writes, d.grid = hb.NewWords(), new(uint64), hb.GroupBarrier{}
	}
	d.beginHistory()
	return true
}

// endQuick takes the numbers of what was not repeated.
func (d *Detector) endQuick() {
	q := d.quick
	if q.turns != nil {
		q.turns.end()
		d.history.turns = append(d.history.turns, q.turns)
	} else {
		q.settle(false)
		d.endTouched()
		d.history.states = append(d.history.states, q.states)
	}
	if q.repeated {
		return
	}
	if q.suspected.Load() { // later than when it could be repeated
		d.config.Stats.Incomplete++
	}
	for _, b := range q.slots {
		d.config.Stats.GlobalWatched += b.live.Looked
	}
	for _, b := range q.turnSlots {
		d.config.Stats.GlobalWatched += b.live.Looked
	}
}

// settle compares the slots that have met no unit twice, when no block runs. A launch that waits
// continues with the states.
func (q *quick) settle(waits bool) {
	var first *touched
	for _, b := range q.slots {
		switch {
		case b.touched == nil || q.twice.Load():
		case waits:
			q.twice.Store(true)
		case first == nil:
			first = b.touched
		case !first.merge(b.touched):
			q.twice.Store(true)
		}
	}
	for _, b := range q.slots {
		if q.twice.Load() {
			b.enterTouched()
		}
		b.touched = nil
	}
}

// endTouched leaves to other launches what the slots have kept.
func (d *Detector) endTouched() {
	h := d.history
	if d.quick.twice.Load() {
		if h.twice == nil {
			h.twice = map[[2]string]bool{}
		}
		h.twice[kernelOf(d.launch)] = true
	}
	for _, b := range d.quick.slots {
		if t := b.kept; t != nil {
			b.kept, b.touched = nil, nil
			h.leaveTouched(t)
		}
	}
}

// quickBlock is a quick look at the blocks of one slot.
type quickBlock struct {
	*quick
	block    uint64 // its place in states
	interval uint64
	// live counts what was looked at. Code that adapts enters accesses by itself, other code: where blocks run in turn, once none
	// are in touched; else as long as they are, and if none were from the start.
	live shadow.Live
	// touched is set as long as no unit was met twice, kept also afterwards.
	touched, kept *touched
	// at are the states of the lanes' units, old what they had.
	at    [32]*uint64
	old   [32]uint64
	units [32]uint64
	pages nearPages
}

func (d *Detector) newQuickBlock() *trace.BlockObserver {
	b := &quickBlock{quick: d.quick}
	d.mu.Lock()
	if !d.quick.twice.Load() {
		b.kept = d.history.takeTouched()
		b.touched = b.kept
	}
	d.quick.slots = append(d.quick.slots, b)
	d.mu.Unlock()
	o := &trace.BlockObserver{Begin: b.Begin, Barrier: b.Barrier, Global: b.Access,
		Ignores: func(s *trace.Site) bool { return b.kinds[s.ID] == 0 }}
	b.pages.forget()
	b.live.Pages, b.live.First = (*[shadow.Pages]shadow.Page)(&b.pages), b.first<<shadow.QuickBlockShift
	if b.live.Shared = !b.ordered; b.live.Shared && b.touched != nil {
		b.live.Touched = &b.touched.cache
	}
	o.Plain = &trace.PlainObserver{Live: &b.live, Takes: b.enters}
	b.open()
	return o
}

// enters reports whether code may enter the accesses of a site.
func (b *quickBlock) enters(s *trace.Site) bool {
	return b.kinds[s.ID] != 0 && evidence.OnGlobal(s) && s.Size == 1<<b.shift
}

// open lets code enter accesses from now on, if it can.
func (b *quickBlock) open() {
	if b.live.Adapts {
		b.live.Touched = nil
		if b.touched != nil {
			b.live.Touched = &b.touched.cache
		}
	}
	if b.live.Size = 1 << b.shift; (b.touched != nil) != (b.live.Touched != nil) || b.suspected.Load() {
		b.live.Size = 0
	}
	if b.live.Size > 0 && b.live.Touched != nil && b.live.Journal == 0 {
		b.touched.lend(&b.live)
	}
}

func (b *quickBlock) Begin(blk *trace.Block) {
	b.block, b.interval = (b.first+blk.Index)<<shadow.QuickBlockShift, 0
	b.live.Who = b.block
	b.open()
}

func (b *quickBlock) Barrier(e *trace.Barrier) {
	if e.Full {
		b.interval = (b.interval + 1<<shadow.QuickIntervalShift) & shadow.QuickInterval
		b.live.Who = b.block | b.interval
	}
}

// Access is the event of that name.
func (b *quickBlock) Access(a *trace.Access) {
	kind := b.kinds[a.Site.ID]
	if kind == 0 || a.Async == trace.AsyncComplete {
		return
	}
	if evidence.OnGlobal(a.Site) && a.Mask != 0 {
		b.live.Looked++
	}
	if b.suspected.Load() {
		return
	}
	n, who := uint64(a.Site.Size)>>b.shift, b.block|b.interval|uint64(32*a.Warp)<<shadow.QuickThreadShift
	if b.touched != nil {
		b.touched.take(&b.live)
		if !b.twice.Load() && b.touched.enter(a, b.shift, n, who, kind) {
			b.open()
			return
		}
		b.twice.Store(true)
		b.enterTouched()
	}
	units := &b.units
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		units[lane] = a.Addr[lane] >> b.shift
	}
	b.enterUnits(a.Mask, units, n, who, kind)
}

// enterTouched enters the accesses of the journal.
func (b *quickBlock) enterTouched() {
	if t := b.touched; t != nil {
		t.take(&b.live)
		b.touched = nil
		if !b.suspected.Load() {
			t.replay(b.enterUnits)
		}
		b.open()
	}
}

// enterUnits enters an access to n units of each lane, by the thread of lane zero and the others. It returns false where that may race.
func (b *quickBlock) enterUnits(mask uint32, units *[32]uint64, n, who, kind uint64) bool {
	for part := range n {
		b.find(mask, units, part)
		if !b.enter(mask, who|shadow.QuickKinds(kind)) {
			b.suspected.Store(true)
			b.open()
			return false
		}
	}
	return true
}

// find sets the states of one unit of each lane, and what they have: together, as they are
// seldom in the processor's caches.
func (b *quickBlock) find(mask uint32, units *[32]uint64, part uint64) {
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		unit := units[lane] + part
		state := &b.pages.page(b.states, unit/pageStates)[unit%pageStates]
		b.at[lane], b.old[lane] = state, atomic.LoadUint64(state)
	}
}

// enter enters an access, that of lane zero and the others, into the states that find has found. It returns false where that
// may race.
func (b *quickBlock) enter(mask uint32, is uint64) bool {
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		state, old := b.at[lane], b.old[lane]
		if b.ordered { // another lane may have changed it
			old = *state
		}
		for {
			next, ok := shadow.JoinQuick(old, b.live.First, is+uint64(lane)<<shadow.QuickThreadShift)
			if !ok {
				return false
			}
			if next == old {
				break
			}
			if b.ordered {
				*state = next
				break
			}
			if atomic.CompareAndSwapUint64(state, old, next) {
				break
			}
			old = atomic.LoadUint64(state)
		}
	}
	return true
}
