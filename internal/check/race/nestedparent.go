package race

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// parentWatch keeps what the threads of a grid that has children do to global
// memory, and what they knew when they launched children. The blocks of such a
// grid take turns on one worker.
type parentWatch struct {
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
// between two synchronisations. Where lanes is 0 each element of 1<<shift bytes
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
	know   *know
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
	know   *know
}

// join is a thread's wait, behind which asked requests of the block are done.
type join struct {
	site            *trace.Site
	thread          int
	interval, stamp uint32
	asked           int
}

func newParentWatch(l *trace.Launch) *parentWatch {
	return &parentWatch{launch: l, accesses: map[parentAccess]bool{}, requests: map[trace.Child]*request{},
		asked: map[uint64]int{}, joins: map[uint64][]join{}}
}

// Spawned is the event of that name.
func (o *globalObserver) Spawned(e *trace.Spawn) {
	w, t := o.launch.parent, 32*e.Warp+e.Lane
	if w == nil {
		return
	}
	r := &request{Spawn: *e, number: len(w.requests) + 1, interval: o.order.interval, own: !o.order.partial, joined: o.joinedBefore(t)}
	o.order.now[e.Warp]++ // parts what its thread did from what it does next
	r.stamp = o.order.now[e.Warp]
	from, to := t&^31, min(t|31, o.order.threads-1)+1
	if o.order.partial {
		from, to = 0, o.order.threads
	}
	for a := from; a < to; a++ {
		s := o.order.knowsIn(t, a)
		if a == t || o.order.model == check.Lockstep && a/32 == e.Warp {
			s = r.stamp
		}
		r.row = append(r.row, s)
	}
	if o.launch.follows {
		r.know = o.order.knowOf(t)
	}
	w.requests[e.Child] = r
	w.asked[e.Child.Block] = e.Child.N + 1
}

// Joined is the event of that name.
func (o *globalObserver) Joined(e *trace.Join) {
	w := o.launch.parent
	if w == nil {
		return
	}
	b := o.block.Index
	w.joins[b] = append(w.joins[b], join{e.Site, 32*e.Warp + e.Lane, o.order.interval, o.order.now[e.Warp], w.asked[b]})
}

// joinedBefore is how many requests of its block thread t knows to be done.
func (o *globalObserver) joinedBefore(t int) int {
	joins := o.launch.parent.joins[o.block.Index]
	for i := len(joins) - 1; i >= 0; i-- {
		j := &joins[i]
		if j.interval < o.order.interval || j.thread == t || j.stamp < o.order.knowsIn(t, j.thread) ||
			o.order.model == check.Lockstep && j.thread/32 == t/32 {
			return j.asked
		}
	}
	return 0
}

// parentRun keeps that n lanes from lane on accessed n elements from addr on.
func (o *globalObserver) parentRun(addr uint64, lane, n int) {
	size := o.acc.Site.Size
	for i := 0; i < n; {
		a := o.parentAccess(lane + i)
		k := i + 1
		for ; k < n && len(o.launch.parent.joins) > 0; k++ {
			if b := o.parentAccess(lane + k); b != a {
				break
			}
		}
		if len(o.launch.parent.joins) == 0 {
			k = n
		}
		a.lo, a.hi, a.first = addr+uint64(i*size), addr+uint64(k*size), uint8(lane+i)
		o.launch.parent.add(a)
		i = k
	}
}

// parentGroup keeps that lanes accessed one element.
func (o *globalObserver) parentGroup(addr uint64, lanes uint32) {
	for m := lanes; m != 0; {
		a := o.parentAccess(bits.TrailingZeros32(m))
		alike := uint32(0)
		for r := m; r != 0; r &= r - 1 {
			if l := bits.TrailingZeros32(r); len(o.launch.parent.joins) == 0 || o.parentAccess(l) == a {
				alike |= 1 << l
			}
		}
		a.lo, a.hi, a.lanes = addr, addr+uint64(o.acc.Site.Size), alike
		o.launch.parent.add(a)
		m &^= alike
	}
}

// parentAccess begins an entry for the access at work by a lane.
func (o *globalObserver) parentAccess(lane int) parentAccess {
	s := o.acc.Site
	a := parentAccess{site: s.ID, shift: uint8(bits.TrailingZeros(uint(s.Size))), warp: o.acc.Warp, block: o.block.Index,
		interval: o.order.interval, stamp: o.order.clock.now[o.acc.Warp]}
	if len(o.launch.parent.joins) > 0 {
		a.joined = o.joinedBefore(32*a.warp + lane)
		if o.launch.follows {
			a.know = o.order.knowOf(32*a.warp + lane)
		}
	}
	return a
}

func (w *parentWatch) add(a parentAccess) {
	switch {
	case w.accesses[a]:
	case len(w.accesses) >= maxParentAccesses:
		w.full = true
	default:
		w.accesses[a] = true
	}
}

// sorted are the accesses in a fixed order.
func (w *parentWatch) sorted() []parentAccess {
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
		return r.know.knows(a.span(), uint32(32*a.warp+lane))
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
func (w *parentWatch) first(a *parentAccess, lane, thread int, interval, stamp uint32, at *trace.Site) bool {
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

func (a *parentAccess) span() *span {
	return &span{block: uint32(a.block), interval: a.interval, stamp: a.stamp}
}

// over reports whether a child is known to be over by who knows that joined of
// the requests of its block are, and know of other blocks.
func (w *parentWatch) over(child trace.Child, block uint64, joined int, know *know) bool {
	if child.Block == block {
		return child.N < joined
	}
	for _, j := range w.joins[child.Block] {
		if child.N < j.asked && know.knows(&span{block: uint32(child.Block), interval: j.interval, stamp: j.stamp}, uint32(j.thread)) {
			return true
		}
	}
	return false
}
