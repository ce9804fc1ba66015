package hb

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/intmap"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// fencePoint is where a thread has executed a fence, and its clock there.
type fencePoint struct {
	interval, stamp uint32
	from            *Clock
	threads         stamps // of its own block, in the interval
	clock           *Clock // all of it, once it is asked for
}

// Fence completes acquires and begins releases.
func (o *Order) Fence(e *trace.Fence) {
	if e.Warp >= o.Warps || e.Site.Op.Kind == inst.InitFence { // that one orders no other accesses
		return
	}
	lanes := e.Mask & o.exist[e.Warp]
	if lanes == 0 {
		return
	}
	o.now[e.Warp]++
	r := ReachOf(e.Scope)
	n := bits.OnesCount32(lanes)
	if o.Model == check.Lockstep {
		n = 1
	}
	var points []fencePoint // made together
	var each [][reaches]*fencePoint
	for m := lanes; m != 0; m &= m - 1 {
		t := 32*e.Warp + bits.TrailingZeros32(m)
		o.lastFence.put(t, Fence{o.interval, o.now[e.Warp], e.Scope})
		if who := o.holder(t); who == t || m == lanes {
			o.resolve(t, r)
			if len(points) == 0 {
				points = make([]fencePoint, n)
			}
			p := &points[0]
			points = points[1:]
			*p = fencePoint{interval: o.interval, stamp: o.now[e.Warp], from: o.ClockOf(t), threads: o.knownTo(who)}
			f := o.fences.get(who)
			if f == nil {
				if len(each) == 0 {
					each = make([][reaches]*fencePoint, n)
				}
				f, each = &each[0], each[1:]
				o.fences.put(who, f)
			}
			for x := OverBlock; x <= r; x++ {
				f[x] = p
			}
		}
	}
}

// LastFence is the last fence of a thread; ok is false for none.
func (o *Order) LastFence(t int) (f Fence, ok bool) {
	return o.lastFence.get(t), o.lastFence.has(t)
}

// at is the clock of thread t, itself included, at a fence.
func (o *Order) at(t int, p *fencePoint) *Clock {
	if p == nil {
		return nil
	}
	if p.clock == nil {
		x := &struct { // made together
			clock Clock
			block blockClock
		}{block: blockClock{block: o.party.Block, interval: p.interval}}
		known := p.threads
		if len(known) == 0 { // mostly the thread knows more of its block than barriers tell, and that is all there is to join
			known = p.from.stampsOf(x.block.block, p.interval)
		}
		x.block.threads = known.with(uint32(t), p.stamp)
		x.clock.blocks = intmap.Of(uint64(x.block.block), &x.block)
		p.clock = p.from.Join(&x.clock)
	}
	return p.clock
}

// Snapshot is a clock of all that happens before what thread t does next, its own
// accesses included.
func (o *Order) Snapshot(t int) *Clock {
	o.now[t/32]++
	return o.at(t, &fencePoint{interval: o.interval, stamp: o.now[t/32], from: o.ClockOf(t), threads: o.knownTo(t)})
}

// extend lets the fences of threads that reach a barrier count for those that wait
// there: what a thread has done before a fence and then a barrier is released by the
// others' writes too.
func (o *Order) extend(id int, arrived, synced []uint32) {
	if o.fences.n+o.fenced.n+o.tensor.n+len(o.leftWith[id]) == 0 {
		return
	}
	var of offer
	each(arrived, o.Threads, func(t int) {
		if e, ok := o.leftWith[id][t]; ok {
			of = of.join(e.fenced)
			return
		}
		of = of.join(o.fencesOf(t))
	})
	if of != (offer{}) {
		each(synced, o.Threads, func(t int) {
			who := o.holder(t)
			o.fenced.put(who, o.fenced.get(who).join(of))
		})
	}
}

func (o *Order) fencesOf(t int) offer {
	who := o.holder(t)
	of := o.fenced.get(who)
	if f := o.fences.get(who); f != nil {
		for r, p := range f {
			of[r] = of[r].Join(o.at(who, p))
		}
	}
	of = of.join(o.tensorOf(who))
	return of
}

// fencesOfAll joins those of all threads. Mostly they have acquired the same and have executed a
// fence in the same interval: their stamps then make one component.
func (o *Order) fencesOfAll() (all offer) {
	type alike struct {
		from     *Clock
		interval uint32
		stamps   []uint32 // by thread, 0 for none
	}
	var list []offer
	threads := o.fences.threads()
	for r := range all {
		if r > 0 && !slices.ContainsFunc(threads, func(t int) bool { f := o.fences.get(t); return f[r] != f[r-1] }) {
			all[r] = all[r-1]
			continue
		}
		var groups []alike
		many := len(threads) < fewThreads
		for _, t := range threads {
			p := o.fences.get(t)[r]
			if p == nil || many {
				continue
			}
			i := slices.IndexFunc(groups, func(g alike) bool { return g.from == p.from && g.interval == p.interval })
			if i < 0 {
				if i = len(groups); i == maxAlike {
					many = true
					break
				}
				groups = append(groups, alike{p.from, p.interval, make([]uint32, o.Threads)})
			}
			stamps := groups[i].stamps
			stamps[t] = max(stamps[t], p.stamp)
			for k, stamp := range p.threads.all() {
				stamps[k] = max(stamps[k], stamp)
			}
		}
		if many { // each by itself
			list = list[:0]
			for _, t := range threads {
				var one offer
				one[r] = o.at(t, o.fences.get(t)[r])
				list = append(list, one)
			}
			all[r] = joinAll(list)[r]
			continue
		}
		for _, g := range groups {
			b := &blockClock{block: o.party.Block, interval: g.interval}
			for t, s := range g.stamps {
				if s > 0 {
					b.threads.put(uint32(t), s)
				}
			}
			all[r] = all[r].Join(g.from).Join(ofBlock(b))
		}
	}
	if o.fenced.n > 0 {
		list = append(list[:0], all)
		for _, t := range threads {
			list = append(list, o.fenced.get(t))
		}
		all = joinAll(list)
	}
	return all
}

// fewThreads are joined one by one.
const fewThreads = 8

// maxAlike bounds the groups of threads that have acquired the same.
const maxAlike = 8
