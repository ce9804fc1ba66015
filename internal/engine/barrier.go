package engine

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// barrier is one of a block's 16 barriers (PTX ISA, "bar, barrier").
type barrier struct {
	arrived, synced []uint32
	// more counts arrivals of threads that had arrived in the same phase already, as when a
	// warp gives itself the first turn by bar.arrive. again are those of them that wait then, by
	// warp; nil for none.
	more     uint32
	again    []uint32
	waiting  []waiter
	count    uint32
	popc     uint32
	all, any bool
	used     bool
	// from has for each warp where it first reached an aligned barrier.
	from      []arrivedAt
	divergent *trace.Divergent
}

type arrivedAt struct {
	site *trace.Site
	mask uint32
}

type waiter struct {
	w *warp.Warp
	a warp.Arrival
}

// resetBarriers readies the barriers for a block.
func (b *block) resetBarriers() {
	if b.fresh {
		return
	}
	for k := range b.bars {
		b.bars[k].reset()
	}
	b.fresh = true
}

func (x *barrier) reset() {
	if !x.used && x.waiting == nil {
		x.all = true
		return
	}
	clear(x.arrived)
	clear(x.synced)
	clear(x.from)
	x.waiting, x.divergent = x.waiting[:0], nil
	x.count, x.more, x.again, x.popc, x.all, x.any, x.used = 0, 0, nil, 0, true, false, false
}

// Arrive implements warp.Barriers.
func (b *block) Arrive(w *warp.Warp, a warp.Arrival) (pass bool, value uint32) {
	if b.arrived.Warps > 0 {
		sweeping{b}.arrive() // those came first
	}
	if a.Bar.Group != trace.NoGroup {
		return b.groups[a.Bar.Group].come(b, w, a)
	}
	x := &b.bars[a.ID]
	x.used, b.fresh = true, false
	if before := x.arrived[w.Index] & a.Mask; before != 0 {
		x.comeAgain(w, before, a.Bar.Kind != program.BarArrive)
	}
	x.arrived[w.Index] |= a.Mask
	if a.Count != 0 {
		x.count = a.Count
	}
	x.popc += uint32(bits.OnesCount32(a.Pred))
	x.any = x.any || a.Pred != 0
	x.all = x.all && a.Pred == a.Mask
	if a.Bar.Aligned && a.Count != 0 {
		x.noteCounted(w.Index, a)
	}
	if a.Bar.Kind == program.BarArrive {
		b.tellArrival(w, a)
		if b.complete(x) {
			b.release(x, a.ID, a.Bar)
		}
		return true, 0
	}
	x.synced[w.Index] |= a.Mask
	if a.Bar.Aligned && a.Count == 0 {
		x.note(w.Index, a)
	}
	if b.complete(x) {
		value = x.result(a.Bar.Kind)
		b.release(x, a.ID, a.Bar)
		return true, value
	}
	x.waiting = append(x.waiting, waiter{w, a})
	b.held++
	return false, 0
}

// comeAgain counts lanes that had arrived in the phase already.
func (x *barrier) comeAgain(w *warp.Warp, lanes uint32, wait bool) {
	x.more += arrivals(w, lanes)
	if !wait {
		return
	}
	if x.again == nil {
		x.again = make([]uint32, len(x.arrived))
	}
	x.again[w.Index] |= lanes
}

// tellArrival tells observers of lanes that do not wait.
func (b *block) tellArrival(w *warp.Warp, a warp.Arrival) {
	if f := b.env.On.Arrived; f != nil {
		f(&trace.Arrival{Site: a.Bar.Site, ID: int(a.ID), Warp: w.Index, Mask: a.Mask})
	}
}

// note keeps where a warp reaches an aligned barrier, and the first time that
// its lanes come from different places.
func (x *barrier) note(warp int, a warp.Arrival) {
	f := &x.from[warp]
	switch {
	case f.site == nil:
		f.site = a.Bar.Site
	case f.site != a.Bar.Site && x.divergent == nil:
		x.divergent = &trace.Divergent{Warp: warp, Site: f.site, Mask: f.mask, Other: a.Bar.Site, Elsewhere: a.Mask, OtherWarp: warp}
	}
	f.mask |= a.Mask
}

// noteCounted is note for a barrier that counts its threads: a warp may reach it several
// times in a phase, as whole warps that arrive and wait later do.
func (x *barrier) noteCounted(warp int, a warp.Arrival) {
	if f := &x.from[warp]; f.mask&a.Mask != 0 {
		*f = arrivedAt{}
	}
	x.note(warp, a)
}

// misaligned describes a warp whose lanes did not all execute an aligned barrier together,
// or warps that reached different ones; nil for none.
func (b *block) misaligned(x *barrier) *trace.Divergent {
	if x.divergent != nil {
		return x.divergent
	}
	if x.count != 0 {
		return b.absentLanes(x)
	}
	if d := b.exitedLanes(x); d != nil {
		return d
	}
	return b.apart(x)
}

// absentLanes describes a warp of which only a part reached a barrier with a count, while
// the others have not exited.
func (b *block) absentLanes(x *barrier) *trace.Divergent {
	for k, w := range b.warps {
		if f := x.from[k]; f.site != nil && w.Live&^f.mask != 0 {
			return &trace.Divergent{Warp: k, Site: f.site, Mask: f.mask, Absent: w.Live &^ f.mask}
		}
	}
	return nil
}

// apart describes warps that reached different barriers of the whole block. Site is the one that
// fewer warps reached: it is rather the one in conditional code.
func (b *block) apart(x *barrier) *trace.Divergent {
	first, other, came := -1, -1, 0
	for k := range x.from {
		switch site := x.from[k].site; {
		case site == nil:
		case first < 0:
			first = k
		case site == x.from[first].site:
			came++
		default:
			if other < 0 {
				other = k
			}
			came--
		}
	}
	if other < 0 {
		return nil
	}
	if came++; came > 0 {
		first, other = other, first
	}
	f, o := &x.from[first], &x.from[other]
	return &trace.Divergent{Warp: first, Site: f.site, Mask: f.mask, Other: o.site, Elsewhere: o.mask, OtherWarp: other}
}

// exitedLanes describes a warp of which a part came and a part had exited.
func (b *block) exitedLanes(x *barrier) *trace.Divergent {
	for k, w := range b.warps {
		if f := x.from[k]; f.site != nil && w.Exist&^x.arrived[k] != 0 {
			exited := w.Exist &^ x.arrived[k]
			return &trace.Divergent{Warp: k, Site: f.site, Mask: f.mask, Exited: exited, Bypassed: exited & w.Ahead}
		}
	}
	return b.endedWarp(x)
}

// endedWarp describes the first warp that had ended before others reached a
// barrier of the whole block.
func (b *block) endedWarp(x *barrier) *trace.Divergent {
	var site *trace.Site
	for k := range b.warps {
		if site == nil {
			site = x.from[k].site
		}
	}
	for k, w := range b.warps {
		if site != nil && x.arrived[k] == 0 {
			return &trace.Divergent{Warp: k, Site: site, Exited: w.Exist}
		}
	}
	return nil
}

func (x *barrier) result(k program.BarKind) uint32 {
	switch k {
	case program.BarPopc:
		return x.popc
	case program.BarAnd:
		return b2u(x.all)
	case program.BarOr:
		return b2u(x.any)
	}
	return 0
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// complete reports whether all that the barrier waits for have come. Threads
// that exited count as come. A warp counts 32 threads once all its live lanes
// are there, else those that are.
func (b *block) complete(x *barrier) bool {
	if x.count == 0 {
		for k := len(b.warps) - 1; k >= 0; k-- {
			if b.warps[k].Live&^x.arrived[k] != 0 {
				return false
			}
		}
		return true
	}
	n := x.more
	for k, w := range b.warps {
		n += arrivals(w, x.arrived[k])
	}
	return n >= x.count
}

// arrivals is what lanes of a warp add to the count of threads that have arrived.
func arrivals(w *warp.Warp, lanes uint32) uint32 {
	if lanes != 0 && w.Live&^lanes == 0 {
		return 32
	}
	return uint32(bits.OnesCount32(lanes))
}

// release ends a barrier's phase: observers are notified, then all continue.
func (b *block) release(x *barrier, id uint32, last *program.Bar) {
	full := b.full(x)
	if f := b.env.On.Barrier; f != nil {
		ev := &b.passing
		*ev = trace.Barrier{Site: last.Site, ID: int(id), Arrived: x.arrived, Synced: x.synced, Again: x.again, Full: full, Divergent: b.misaligned(x)}
		f(ev)
	}
	if full {
		for k, w := range b.warps {
			w.NewInterval()
			b.gone[k] = w.Exist &^ w.Live
		}
	}
	waiting := x.waiting
	x.waiting = nil
	b.held -= len(waiting)
	for _, q := range waiting {
		q.w.Resume(q.a, x.result(q.a.Bar.Kind))
	}
	x.waiting = waiting[:0]
	x.reset()
}

// full reports whether every thread has come and waits; see trace.Barrier. Threads that have
// exited count as reaching a barrier of the whole block. One with a number of threads is for
// those that it counts (PTX ISA, "bar, barrier"): what others did before they exited is
// ordered by it only if it was before the last full barrier.
func (b *block) full(x *barrier) bool {
	for k, w := range b.warps {
		all := w.Live | x.arrived[k]
		if x.count != 0 {
			all |= w.Exist &^ b.gone[k]
		}
		if all&^x.synced[k] != 0 {
			return false
		}
	}
	return true
}

// exited looks again at the barriers after threads have ended.
func (b *block) exited() {
	b.exitedInGroups()
	if b.held == 0 {
		return
	}
	for id := range b.bars {
		x := &b.bars[id]
		if len(x.waiting) > 0 && b.complete(x) {
			b.release(x, uint32(id), x.waiting[0].a.Bar)
		}
	}
}
