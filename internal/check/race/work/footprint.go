package work

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// A footprint is which bytes of global memory a site accesses.

// extent is a range of bytes, from lo to hi-1.
type extent struct{ lo, hi uint64 }

// extents is a set of bytes as disjoint ranges in order, between calls of add.
type extents struct {
	list []extent
	// limit is when the list is next put in order.
	limit int
	full  bool
}

// maxExtents bounds the ranges of one site in one slot.
const maxExtents = 1 << 17

// add puts the bytes of an extent into the set; settle has to follow.
func (e *extents) add(x extent) {
	if n := len(e.list); n > 0 {
		if l := &e.list[n-1]; x.lo <= l.hi && x.lo >= l.lo {
			l.hi = max(l.hi, x.hi)
			return
		}
	}
	if len(e.list) >= max(e.limit, 1024) {
		e.settle()
		e.limit = 2 * len(e.list)
		if len(e.list) >= maxExtents {
			e.full = true
			return
		}
	}
	e.list = append(e.list, x)
}

// settle sorts and joins the ranges.
func (e *extents) settle() {
	slices.SortFunc(e.list, func(a, b extent) int { return cmp.Compare(a.lo, b.lo) })
	out := e.list[:0]
	for _, x := range e.list {
		if n := len(out); n > 0 && x.lo <= out[n-1].hi {
			out[n-1].hi = max(out[n-1].hi, x.hi)
		} else {
			out = append(out, x)
		}
	}
	e.list = out
}

// append adds an extent behind all others of a set, or joins it to the last one.
func (e *extents) append(x extent) {
	n := len(e.list)
	switch {
	case n > 0 && x.lo <= e.list[n-1].hi:
		e.list[n-1].hi = max(e.list[n-1].hi, x.hi)
	case n < maxExtents:
		e.list = append(e.list, x)
	default:
		e.full = true
	}
}

// union adds another set.
func (e *extents) union(o *extents) {
	x, y := e.list, o.list
	e.full = e.full || o.full
	switch {
	case len(y) == 0:
		return
	case len(x) == 0:
		e.list = slices.Clone(y)
		return
	}
	e.list = make([]extent, 0, len(x)+len(y))
	for len(x) > 0 || len(y) > 0 {
		if len(y) == 0 || len(x) > 0 && x[0].lo <= y[0].lo {
			e.append(x[0])
			x = x[1:]
		} else {
			e.append(y[0])
			y = y[1:]
		}
	}
}

// remove takes the bytes of a range out.
func (e *extents) remove(x extent) { e.list = e.without(&extents{list: []extent{x}}).list }

// without returns the bytes of a set that another one has not.
func (e *extents) without(o *extents) extents {
	out := extents{full: e.full}
	k := 0
	for _, r := range e.list {
		for k < len(o.list) && o.list[k].hi <= r.lo {
			k++
		}
		for i := k; i < len(o.list) && o.list[i].lo < r.hi && r.lo < r.hi; i++ {
			if x := o.list[i]; r.lo < x.lo {
				out.list = append(out.list, extent{r.lo, x.lo})
			}
			r.lo = max(r.lo, o.list[i].hi)
		}
		if r.lo < r.hi {
			out.list = append(out.list, r)
		}
	}
	return out
}

// common returns the first range that two sets share, and how many bytes they
// share in all.
func (e *extents) common(o *extents) (first extent, n uint64) {
	for i, k := 0, 0; i < len(e.list) && k < len(o.list); {
		a, b := e.list[i], o.list[k]
		if lo, hi := max(a.lo, b.lo), min(a.hi, b.hi); lo < hi {
			if n == 0 {
				first = extent{lo, hi}
			}
			n += hi - lo
		}
		if a.hi < b.hi {
			i++
		} else {
			k++
		}
	}
	return first, n
}

// meets reports whether two sets share a byte.
func (e *extents) meets(o *extents) bool {
	if e == nil {
		return false
	}
	_, n := e.common(o)
	return n > 0
}

// footprints watches which bytes the sites of a launch access.
type footprints struct {
	work   *piece
	launch *trace.Launch
	// within are the bytes that matter; fences: it matters too before
	// which strong writes there is a fence.
	within extent
	fences bool
	// grids: it matters what its threads do to order grids.
	grids bool
	// sites are those of the launch where it may synchronize with other kernels that run at once, else nil.
	sites []hb.Site
	// carried is what the detector knows of them, before the words from which earlier work of the stream had acquired.
	carried carried
	before  *wordSet
	slots   []*footprint
	// workers have the elements of allocations that are accessed, spare is room for them.
	workers []*marksOf
	spare   *spareMarks
	mu      sync.Mutex // of slots and workers
}

// everywhere are all bytes.
var everywhere = extent{0, math.MaxUint64}

func (f *footprints) observer() *trace.LaunchObserver {
	return &trace.LaunchObserver{Block: f.newBlock, End: f.End}
}

// newBlock makes a slot's observer. The engine makes them one after the other or at
// once.
func (f *footprints) newBlock() *trace.BlockObserver {
	n := len(f.launch.Sites)
	s := &footprint{launch: f, sites: make([]extents, n), last: make([]*marks, n)}
	if f.work.dep.key > 0 {
		s.early = make([]extents, n)
	}
	f.mu.Lock()
	f.slots = append(f.slots, s)
	f.mu.Unlock()
	o := &trace.BlockObserver{Begin: s.Begin, Global: s.Access, Marks: &trace.MarkObserver{Takes: f.takes, Of: s.marksOf}}
	if f.fences {
		o.Fence = s.Fence
	}
	if f.sites != nil {
		s.hands = newHandovers(f.sites, f.launch.ID, f.before)
		o.End, o.Barrier, o.GroupArrived, o.GroupPassed = s.hands.end, s.hands.barrier, s.hands.arrived, s.hands.passed
		if slices.ContainsFunc(f.launch.Sites, inShared) {
			o.Shared = s.hands.shared
		}
	}
	if f.grids {
		o.GridControl, o.WarpSync = s.grids.control, s.grids.warpSync
		o.End, o.Barrier = s.grids.end, s.grids.barrier
		if h := s.hands; h != nil {
			o.End = func() { h.end(); s.grids.end() }
			o.Barrier = func(e *trace.Barrier) { h.barrier(e); s.grids.barrier(e) }
		}
	}
	return o
}

// takes reports whether code may mark the accesses of a site, as nothing else is kept of them.
func (f *footprints) takes(s *trace.Site) bool {
	return marked(s) && evidence.OnGlobal(s) && f.work.dep.key == 0 && f.sites == nil && !(f.fences && hb.IsStrong(s) && s.Kind.Writes())
}

// worker returns the marks of a worker, made at the first call.
func (f *footprints) worker(n int) *marksOf {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.workers) <= n {
		f.workers = append(f.workers, &marksOf{f.spare, make([][]*marks, len(f.launch.Sites))})
	}
	return f.workers[n]
}

// marksOf is for trace.MarkObserver.
func (f *footprint) marksOf(s *trace.Site, base, size uint64) (shadow.Marks, bool) {
	switch {
	case base >= f.launch.within.hi || base+size <= f.launch.within.lo:
		return shadow.Marks{}, true
	case !f.launch.takes(s):
		return shadow.Marks{}, false
	}
	return f.marks.at(s, base, size).forCode(), true
}

// at returns the marks of a site in the allocation that holds an address, nil for none.
func (f *footprint) at(s *trace.Site, addr uint64) *marks {
	l := f.launch.launch
	if l.Memory == nil || !marked(s) {
		return nil
	}
	al, ok := l.Memory(addr)
	if !ok {
		return nil
	}
	if m := f.marks.at(s, al.Base, al.Size); m.holds(addr) {
		return m
	}
	return nil
}

// End makes uses of what the slots saw.
func (f *footprints) End() {
	for id, site := range f.launch.Sites {
		u := useOf(f.launch, site, false)
		before := useOf(f.launch, site, true)
		for _, w := range f.workers {
			w.take(id, &u.bytes)
		}
		for _, s := range f.slots {
			s.sites[id].settle()
			u.bytes.union(&s.sites[id])
			for _, bytes := range s.fences.released[id] {
				bytes.settle()
			}
			u.release(s.fences.released[id])
			if s.early != nil {
				s.early[id].settle()
				before.bytes.union(&s.early[id])
			}
		}
		for _, x := range []*use{u, before} {
			if len(x.bytes.list) > 0 {
				f.work.add(x)
			}
		}
	}
	for _, s := range f.slots {
		f.work.dep.merge(&s.grids)
		if s.hands != nil {
			f.handed(s)
		}
	}
	f.slots = nil
}

// handed makes uses of what a slot has handed over and received.
func (f *footprints) handed(s *footprint) {
	for key, of := range s.hands.uses {
		u := useOf(f.launch, f.launch.Sites[key.site], false)
		u.handed, u.bytes = of.handed()
		u.release(s.fences.released[key.site])
		f.work.mu.Lock()
		f.work.merge([]*use{u})
		f.work.mu.Unlock()
	}
	f.carried.merge(s.hands.carried)
	f.work.syncs.merge(&s.hands.syncs)
}

// footprint is what the blocks of one slot access.
type footprint struct {
	launch *footprints
	// marks are the worker's, last those that each site needed last, sites the bytes of accesses that have none.
	marks *marksOf
	last  []*marks
	sites []extents
	// early are the bytes that are accessed before a wait for other grids; it is nil
	// where all accesses come after the grids that the launch depends on.
	early  []extents
	fences fences
	grids  gridControls
	// hands is what the blocks hand over to other kernels, nil where they do not.
	hands *handovers
}

// Begin is for trace.BlockObserver.
func (f *footprint) Begin(b *trace.Block) {
	if f.marks == nil {
		f.marks = f.launch.worker(b.Worker)
	}
	f.fences.begin()
	f.grids.begin(b)
	if f.hands != nil {
		f.hands.begin(b)
	}
}

// Fence is for trace.BlockObserver.
func (f *footprint) Fence(e *trace.Fence) {
	f.fences.fence(e)
	if f.hands != nil {
		f.hands.fence(e)
	}
}

// Access is for trace.BlockObserver.
func (f *footprint) Access(a *trace.Access) {
	if a.Space != trace.SpaceGlobal || a.Mask == 0 || a.Async == trace.AsyncComplete {
		return
	}
	if f.launch.within != everywhere && !f.touches(a) {
		return
	}
	if f.launch.fences && hb.IsStrong(a.Site) && a.Site.Kind.Writes() {
		f.fences.strongWrite(a)
	}
	if f.hands != nil {
		f.hands.access(a)
		return
	}
	early := uint32(0)
	if f.early != nil {
		early = a.Mask &^ f.grids.waited[a.Warp]
		if evidence.ReadsReadOnly(a.Site) { // as if it came first: no wait orders it
			early = a.Mask
		}
		addLanes(&f.early[a.Site.ID], a, early)
	}
	f.mark(a, a.Mask&^early)
}

// mark notes what some lanes access.
func (f *footprint) mark(a *trace.Access, lanes uint32) {
	size, last := uint64(a.Site.Size), &f.last[a.Site.ID]
	if m := *last; m != nil && a.Regular && a.Step == int64(size) && lanes == a.Mask && m.holds(a.Addr[0]) && m.holds(a.Addr[0]+31*size) {
		m.addRow(a.Addr[0])
		return
	}
	for b := lanes; b != 0; b &= b - 1 {
		at := a.Addr[bits.TrailingZeros32(b)]
		if *last == nil || !(*last).holds(at) {
			if *last = f.at(a.Site, at); *last == nil {
				f.sites[a.Site.ID].add(extent{at, at + size})
				continue
			}
		}
		(*last).add(at)
	}
}

// addLanes adds the bytes that some lanes access.
func addLanes(e *extents, a *trace.Access, lanes uint32) {
	for m := lanes; m != 0; m &= m - 1 {
		at := a.Addr[bits.TrailingZeros32(m)]
		e.add(extent{at, at + uint64(a.Site.Size)})
	}
}

// touches reports whether a lane accesses bytes that matter.
func (f *footprint) touches(a *trace.Access) bool {
	for m := a.Mask; m != 0; m &= m - 1 {
		at := a.Addr[bits.TrailingZeros32(m)]
		if at < f.launch.within.hi && at+uint64(a.Site.Size) > f.launch.within.lo {
			return true
		}
		if a.Regular && a.Step >= 0 && at >= f.launch.within.hi {
			return false
		}
	}
	return false
}
