package work

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Kernels that run at once hand bytes over through words of global memory (PTX ISA, "Memory Consistency Model": release
// and acquire patterns): what a thread does after it has acquired from a word comes after what others had done before
// they released to it. So the accesses of such a kernel are kept apart by the words that its threads had acquired from
// by then, and by those to which they released them.
//
// They are kept by warp, not by thread, and by word, not by write: a warp that released to a word, or acquired from it,
// counts as having done so for all other kernels that use the word. That orders more than the model promises, never
// less: races may be missed, and no false ones come of it.

// handovers are what the blocks of a slot hand over and receive.
type handovers struct {
	sites []hb.Site
	warps []warpHands
	// parts are what the running block has accessed; limit is how many they are when it is next seen which can be settled.
	parts []*part
	limit int
	uses  map[useKey]*reach
	// carried is by word what its releases carry on.
	carried carried
	// inBlock has what warps of the block released in shared memory, by address.
	inBlock map[uint64]*warpHands
	// grid is for the barrier of the grid.
	grid word
	// before are the words from which earlier work of the stream had acquired.
	before *wordSet
	syncs
}

// warpHands is what a warp may release, and what it has acquired.
type warpHands struct {
	// open is what it accesses now, nil for nothing yet. done is ordered before what it does next, its own accesses and
	// those of others, as far as they are not among carried.
	open *part
	done []*part
	// after are the words that it has acquired from, carried these and the words to which parts of done were released.
	// reads are words that it has read since its last fence.
	after, carried, reads *wordSet
	// fenced: a fence comes after some of that.
	fenced bool
}

// part is what a warp accessed between two operations that order, by site.
type part struct {
	after *wordSet
	bytes map[int]*extents
	// fenced: a fence comes after it. released are the words to which it was released, nil for none.
	fenced   bool
	released *wordSet
	// into is the part that has taken over what is in this one, nil for none.
	into *part
}

// useKey is a site and the key of what was acquired before.
type useKey struct {
	site  int
	after string
}

// reach is what a site of a slot accesses after some acquires, as handed has it for the whole launch.
type reach struct {
	after       *wordSet
	bytes, kept pages
	through     map[word]*pages
}

// maxThrough bounds the words of reach.through and handed.through: what is released to others counts as released to all.
const maxThrough = 256

// allWords replaces words that are too many to list. Its address is odd, so that no program has such a word.
var allWords = word{addr: 1}

func newHandovers(sites []hb.Site, launch int, before *wordSet) *handovers {
	return &handovers{sites: sites, uses: map[useKey]*reach{}, carried: carried{}, grid: word{addr: uint64(2*launch + 3)}, before: before}
}

func (h *handovers) begin(b *trace.Block) {
	h.warps = make([]warpHands, b.Launch.Warps())
	for i := range h.warps {
		h.warps[i].carried = h.before
	}
	h.inBlock = map[uint64]*warpHands{}
}

// end settles what the block has accessed.
func (h *handovers) end() {
	for i := range h.warps {
		h.acquired = h.acquired.join(h.warps[i].after)
	}
	h.warps, h.inBlock = nil, nil
	h.settleAll()
}

// settleAll settles the parts that no warp can release any more.
func (h *handovers) settleAll() {
	alive := map[*part]bool{}
	keep := func(w *warpHands) {
		alive[w.open] = true
		for _, p := range w.done {
			alive[p.now()] = true
		}
	}
	for i := range h.warps {
		keep(&h.warps[i])
	}
	for _, w := range h.inBlock {
		keep(w)
	}
	h.parts = slices.DeleteFunc(h.parts, func(p *part) bool {
		if !alive[p] {
			h.settle(p)
		}
		return !alive[p]
	})
	h.limit = max(2*len(h.parts), 1<<10)
}

// settle adds a part to the uses.
func (h *handovers) settle(p *part) {
	for site, bytes := range p.bytes {
		bytes.settle()
		u := h.use(site, p.after)
		u.bytes.add(bytes)
		if p.released == nil {
			u.kept.add(bytes)
			continue
		}
		for _, to := range p.released.list {
			u.release(to).add(bytes)
		}
		if p.released.all {
			u.release(allWords).add(bytes)
		}
	}
}

// use returns what a site accesses after some acquires.
func (h *handovers) use(site int, after *wordSet) *reach {
	key := useKey{site, after.key()}
	u := h.uses[key]
	if u == nil {
		u = &reach{after: after}
		h.uses[key] = u
	}
	return u
}

// release returns the bytes that are released to a word.
func (r *reach) release(to word) *pages {
	if r.through == nil {
		r.through = map[word]*pages{}
	}
	if r.through[to] == nil && len(r.through) >= maxThrough {
		to = allWords
	}
	if r.through[to] == nil {
		r.through[to] = &pages{}
	}
	return r.through[to]
}

// opened returns what a warp accesses now.
func (h *handovers) opened(w *warpHands) *part {
	if w.open == nil {
		if len(h.parts) >= h.limit {
			h.settleAll()
		}
		w.open = &part{after: w.after, bytes: map[int]*extents{}}
		h.parts = append(h.parts, w.open)
	}
	return w.open
}

// now is the part that has what was in this one.
func (p *part) now() *part {
	for p.into != nil {
		p = p.into
	}
	return p
}

// close ends what a warp accesses now.
func (w *warpHands) close() {
	if w.open != nil {
		w.done = append(slices.Clip(w.done), w.open)
		w.open = nil
	}
}

// acquire lets a warp acquire from words.
func (w *warpHands) acquire(s *wordSet) {
	if after := w.after.join(s); after != w.after {
		w.close()
		w.after, w.carried = after, w.carried.join(after)
	}
}

// receive lets a warp know of what another one has closed.
func (w *warpHands) receive(o *warpHands) {
	w.close()
	w.after, w.carried, w.fenced = w.after.join(o.after), w.carried.join(o.carried), w.fenced || o.fenced
	if len(w.done) == 0 {
		w.done = o.done
		return
	}
	w.done = slices.Clip(w.done)
	for _, p := range o.done {
		if p = p.now(); !slices.Contains(w.done, p) {
			w.done = append(w.done, p)
		}
	}
}

// access notes an access to global memory.
func (h *handovers) access(a *trace.Access) {
	w, in := &h.warps[a.Warp], &h.sites[a.Site.ID]
	strong := in.Strength != hb.Weak && hb.ReachOf(in.Scope) == hb.OverDevice
	if strong && (in.Kind == trace.Read || in.Result) {
		w.reads = w.reads.join(wordsOf(a))
		if in.Acquires {
			w.acquire(w.reads)
			w.reads = nil
		}
	}
	p := h.opened(w)
	if p.bytes[a.Site.ID] == nil {
		p.bytes[a.Site.ID] = &extents{}
	}
	addLanes(p.bytes[a.Site.ID], a, a.Mask)
	if strong && in.Kind != trace.Read {
		h.release(w, wordsOf(a), in.Releases)
	}
}

// wordsOf are those that the lanes of an access use.
func wordsOf(a *trace.Access) (s *wordSet) {
	for m := a.Mask; m != 0; m &= m - 1 {
		s = s.with(word{a.Addr[bits.TrailingZeros32(m)], a.Site.Scope == trace.ScopeSys})
	}
	return s
}

// release hands over what a strong write to words releases: what was before a fence, or all.
func (h *handovers) release(w *warpHands, to *wordSet, all bool) {
	if all {
		w.close()
	}
	kept := make([]*part, 0, len(w.done))
	for _, p := range w.done {
		if p = p.now(); all || p.fenced {
			p.released = p.released.join(to)
		} else if !slices.Contains(kept, p) {
			kept = append(kept, p)
		}
	}
	w.done = kept
	if all || w.fenced {
		h.released = h.released.join(to)
		for _, x := range to.list {
			h.carried.add(x, w.carried)
		}
		w.carried = w.carried.join(to)
	}
}

// fence completes acquires and begins releases.
func (h *handovers) fence(e *trace.Fence) {
	if e.Site.Op.Kind == inst.InitFence || hb.ReachOf(e.Scope) != hb.OverDevice {
		return
	}
	w := &h.warps[e.Warp]
	w.acquire(w.reads)
	w.reads, w.fenced = nil, true
	w.close()
	for _, p := range w.done {
		p.now().fenced = true
	}
}

// barrier lets the warps that wait know of what those have done that come.
func (h *handovers) barrier(e *trace.Barrier) {
	var all warpHands
	for i, lanes := range e.Arrived {
		if lanes != 0 {
			w := &h.warps[i]
			w.acquire(w.reads)
			w.reads = nil
			w.close()
			all.receive(w)
		}
	}
	if len(all.done) > maxDone {
		h.fold(&all)
	}
	for i, lanes := range e.Synced {
		switch {
		case lanes == 0:
		case e.Full:
			h.warps[i] = all
		default:
			h.warps[i].receive(&all)
		}
	}
}

// maxDone is how many parts warps keep apart of what they have done at a barrier.
const maxDone = 8

// fold makes one part of those since the same acquires with the same fences and releases.
func (h *handovers) fold(all *warpHands) {
	var folded []*part
	for _, p := range all.done {
		i := slices.IndexFunc(folded, func(o *part) bool {
			return o.fenced == p.fenced && o.released.key() == p.released.key() && o.after.key() == p.after.key()
		})
		if i < 0 {
			folded = append(folded, p)
			continue
		}
		to := folded[i]
		for site, bytes := range p.bytes {
			bytes.settle()
			if to.bytes[site] == nil {
				to.bytes[site] = bytes
			} else {
				to.bytes[site].settle()
				to.bytes[site].union(bytes)
			}
		}
		p.bytes, p.into = nil, to
	}
	h.parts = slices.DeleteFunc(h.parts, func(p *part) bool { return p.into != nil })
	all.done = folded
}

// shared notes an access to shared memory, where warps of the block synchronize through words and mbarriers.
func (h *handovers) shared(a *trace.Access) {
	in := &h.sites[a.Site.ID]
	if in.Strength == hb.Weak && !a.Site.Op.IsMBarrier() {
		return
	}
	w := &h.warps[a.Warp]
	w.close()
	for m := a.Mask; m != 0; m &= m - 1 {
		at := a.Addr[bits.TrailingZeros32(m)]
		of := h.inBlock[at]
		if of == nil {
			of = &warpHands{}
			h.inBlock[at] = of
		}
		if in.Kind != trace.Write {
			w.receive(of)
		}
		if in.Kind != trace.Read {
			of.receive(w)
		}
	}
}

// arrived and passed are for the barriers of grids and clusters.
func (h *handovers) arrived(e *trace.GroupSync) {
	w := &h.warps[e.Warp]
	w.acquire(w.reads)
	h.release(w, (*wordSet)(nil).with(h.grid), true)
}

func (h *handovers) passed(e *trace.GroupSync) {
	h.warps[e.Warp].acquire((*wordSet)(nil).with(h.grid))
}

// inShared reports whether a site may synchronize through shared memory.
func inShared(s *trace.Site) bool {
	return (s.Space == trace.SpaceShared || s.Space == trace.SpaceGeneric) && (hb.IsStrong(s) || s.Op.IsMBarrier())
}
