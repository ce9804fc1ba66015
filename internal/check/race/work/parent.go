package work

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Parent keeps what the threads of a grid that has children do to global
// memory, and what happened before they launched children. The blocks of such a
// grid take turns on one worker.
type Parent struct {
	launch   *trace.Launch
	accesses map[parentAccess]bool
	requests map[trace.Child]*request
	// asked counts the requests of each block, joins are its waits, in order.
	asked map[uint64]int
	joins map[uint64][]join
	full  bool
}

// maxParentAccesses bounds what is kept of one grid.
const maxParentAccesses = 1 << 19

// parentAccess is what lanes of one warp did by one site to bytes lo to hi-1,
// between two synchronizations. Where lanes is 0 each element of 1<<shift bytes
// belongs to one lane, the one at lo to lane first; else all lanes did the same.
type parentAccess struct {
	site            int
	lo, hi          uint64
	lanes           uint32
	shift, first    uint8
	warp            int
	block           uint64
	interval, stamp uint32
	// joined is how many of its block's requests had been waited for, as far as
	// the lanes know, know what they know of other blocks that wait.
	joined int
	clock  *hb.Clock
}

// request is what the thread that asked for a child knew then.
type request struct {
	trace.Spawn
	number          int // of the grid's, from 1
	interval, stamp uint32
	// row has known(thread, a): of all threads of the block, or of its own warp if
	// there are 32.
	row    []uint32
	own    bool
	joined int
	clock  *hb.Clock
}

// join is a thread's wait, behind which asked requests of the block are done.
type join struct {
	site            *trace.Site
	thread          int
	interval, stamp uint32
	asked           int
}

func newParent(l *trace.Launch) *Parent {
	return &Parent{launch: l, accesses: map[parentAccess]bool{}, requests: map[trace.Child]*request{},
		asked: map[uint64]int{}, joins: map[uint64][]join{}}
}

// ParentBlock is a running block of a grid that may launch child grids. Its methods may
// only be called where Parent is not nil.
type ParentBlock struct {
	*Parent
	Order *hb.Order
	Block uint64
	// Clocks: threads may acquire from other blocks.
	Clocks bool
}

// Spawned is the event of that name.
func (b *ParentBlock) Spawned(e *trace.Spawn) {
	o, t := b.Order, 32*e.Warp+e.Lane
	r := &request{Spawn: *e, number: len(b.requests) + 1, interval: o.Interval(), own: !o.Partial(), joined: b.joinedBefore(t)}
	r.stamp = o.Advance(e.Warp) // parts what its thread did from what it does next
	from, to := t&^31, min(t|31, o.Threads-1)+1
	if o.Partial() {
		from, to = 0, o.Threads
	}
	for a := from; a < to; a++ {
		s := o.Known(t, a)
		if a == t || o.Model == check.Lockstep && a/32 == e.Warp {
			s = r.stamp
		}
		r.row = append(r.row, s)
	}
	if b.Clocks {
		r.clock = o.ClockOf(t)
	}
	b.requests[e.Child] = r
	b.asked[e.Child.Block] = e.Child.N + 1
}

// Joined is the event of that name.
func (b *ParentBlock) Joined(e *trace.Join) {
	b.joins[b.Block] = append(b.joins[b.Block], join{e.Site, 32*e.Warp + e.Lane, b.Order.Interval(), b.Order.Stamp(e.Warp), b.asked[b.Block]})
}

// joinedBefore is how many requests of its block are complete before what thread t does next.
func (b *ParentBlock) joinedBefore(t int) int {
	o, joins := b.Order, b.joins[b.Block]
	for i := len(joins) - 1; i >= 0; i-- {
		j := &joins[i]
		if j.interval < o.Interval() || j.thread == t || j.stamp < o.Known(t, j.thread) ||
			o.Model == check.Lockstep && j.thread/32 == t/32 {
			return j.asked
		}
	}
	return 0
}

// Run keeps that n lanes from lane on accessed n elements from addr on.
func (b *ParentBlock) Run(acc *trace.Access, addr uint64, lane, n int) {
	size := acc.Site.Size
	for i := 0; i < n; {
		a := b.access(acc, lane+i)
		k := i + 1
		for ; k < n && len(b.joins) > 0; k++ {
			if b.access(acc, lane+k) != a {
				break
			}
		}
		if len(b.joins) == 0 {
			k = n
		}
		a.lo, a.hi, a.first = addr+uint64(i*size), addr+uint64(k*size), uint8(lane+i)
		b.add(a)
		i = k
	}
}

// Group keeps that lanes accessed one element.
func (b *ParentBlock) Group(acc *trace.Access, addr uint64, lanes uint32) {
	for m := lanes; m != 0; {
		a := b.access(acc, bits.TrailingZeros32(m))
		same := uint32(0)
		for r := m; r != 0; r &= r - 1 {
			if l := bits.TrailingZeros32(r); len(b.joins) == 0 || b.access(acc, l) == a {
				same |= 1 << l
			}
		}
		a.lo, a.hi, a.lanes = addr, addr+uint64(acc.Site.Size), same
		b.add(a)
		m &^= same
	}
}

// access begins an entry for an access by a lane.
func (b *ParentBlock) access(acc *trace.Access, lane int) parentAccess {
	a := parentAccess{site: acc.Site.ID, shift: uint8(bits.TrailingZeros(uint(acc.Site.Size))), warp: acc.Warp, block: b.Block,
		interval: b.Order.Interval(), stamp: b.Order.Stamp(acc.Warp)}
	if len(b.joins) > 0 {
		a.joined = b.joinedBefore(32*a.warp + lane)
		if b.Clocks {
			a.clock = b.Order.ClockOf(32*a.warp + lane)
		}
	}
	return a
}

func (w *Parent) add(a parentAccess) {
	switch {
	case w.accesses[a]:
	case len(w.accesses) >= maxParentAccesses:
		w.full = true
	default:
		w.accesses[a] = true
	}
}

// sorted are the accesses in a fixed order.
func (w *Parent) sorted() []parentAccess {
	return slices.SortedFunc(maps.Keys(w.accesses), func(a, b parentAccess) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi), cmp.Compare(a.site, b.site), cmp.Compare(a.block, b.block), cmp.Compare(a.warp, b.warp),
			cmp.Compare(a.interval, b.interval), cmp.Compare(a.stamp, b.stamp), cmp.Compare(a.joined, b.joined),
			cmp.Compare(a.lanes, b.lanes), cmp.Compare(a.first, b.first))
	})
}

// at returns the lanes that accessed the byte at an address.
func (a *parentAccess) at(addr uint64) uint32 {
	if a.lanes != 0 {
		return a.lanes
	}
	return 1 << ((uint64(a.first) + (addr-a.lo)>>a.shift) & 31)
}

// before reports whether what a lane did in an access is ordered before what
// the request asks for.
func (r *request) before(a *parentAccess, lane int) bool {
	if a.block != r.Child.Block {
		return r.clock.Covers(hb.Epoch{Block: uint32(a.block), Interval: a.interval, Stamp: a.stamp}, uint32(32*a.warp+lane))
	}
	if a.interval != r.interval {
		return a.interval < r.interval
	}
	if !r.own {
		return a.stamp < r.row[32*a.warp+lane]
	}
	return a.warp == r.Warp && lane < len(r.row) && a.stamp < r.row[lane]
}

// first reports whether an access by a lane comes before a request or a wait in
// the program, as far as all warps keep step: in order of intervals, then of the
// text.
func (w *Parent) first(a *parentAccess, lane, thread int, interval, stamp uint32, at *trace.Site) bool {
	s := w.launch.Sites[a.site]
	switch {
	case a.interval != interval:
		return a.interval < interval
	case 32*a.warp+lane == thread:
		return a.stamp < stamp
	case s.Loc.Pos.File != at.Loc.Pos.File || s.Loc.Pos == at.Loc.Pos:
		return s.PTXLine < at.PTXLine
	}
	return cmp.Or(cmp.Compare(s.Loc.Pos.Line, at.Loc.Pos.Line), cmp.Compare(s.Loc.Pos.Col, at.Loc.Pos.Col)) < 0
}

// waitedBy is the thread that has waited for a child before an access of its block, which
// nothing orders after that; -1 for none.
func (w *Parent) waitedBy(a *parentAccess, lane int, r *request) int {
	for _, j := range w.joins[a.block] {
		if a.block == r.Child.Block && r.Child.N < j.asked && !w.first(a, lane, j.thread, j.interval, j.stamp, j.site) {
			return j.thread
		}
	}
	return -1
}

// over reports whether a child is complete for a thread for which joined requests of its
// block are, and which has a clock of other blocks.
func (w *Parent) over(child trace.Child, block uint64, joined int, clock *hb.Clock) bool {
	if child.Block == block {
		return child.N < joined
	}
	for _, j := range w.joins[child.Block] {
		if child.N < j.asked && clock.Covers(hb.Epoch{Block: uint32(child.Block), Interval: j.interval, Stamp: j.stamp}, uint32(j.thread)) {
			return true
		}
	}
	return false
}
