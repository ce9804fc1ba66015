package warp

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/mem"
)

// arrivalsAt remembers who arrived at an mbarrier, for the report of a phase that never ends.
type arrivalsAt struct {
	phase uint64
	// now are the lanes, by warp, that arrived in the phase; before those that did in earlier
	// ones. others counts arrivals from other blocks of the cluster in the phase.
	now, before []uint32
	others      int
	// ahead is the warp whose arrival ended the last phase, as long as no thread has looked since; nil else.
	ahead *Warp
}

// arrivals are those at the mbarriers of a block, by their offsets.
type arrivals struct {
	of map[uint64]*arrivalsAt
	// last is the one that was looked for last, at lastAt.
	last   *arrivalsAt
	lastAt uint64
}

func (x *arrivals) reset() { *x = arrivals{} }

// at returns those at an mbarrier in a phase.
func (x *arrivals) at(addr, phase uint64) *arrivalsAt {
	if x.last == nil || x.lastAt != addr {
		if x.of == nil {
			x.of = map[uint64]*arrivalsAt{}
		}
		if x.of[addr] == nil {
			x.of[addr] = &arrivalsAt{phase: phase}
		}
		x.last, x.lastAt = x.of[addr], addr
	}
	a := x.last
	if a.phase == phase {
		return a
	}
	a.phase, a.others = phase, 0
	for w, m := range a.now {
		a.before[w] |= m
	}
	clear(a.now)
	return a
}

// noteArrival notes that lane l arrives at the mbarrier at an offset, which is in a phase.
func (w asyncUnit) noteArrival(l int, addr, phase uint64) {
	env := w.Env
	if env.owner != nil && env.owner != env {
		env.owner.arrivals.at(addr, phase).others++
		return
	}
	a := env.arrivals.at(addr, phase)
	for len(a.now) <= w.Index {
		a.now, a.before = append(a.now, 0), append(a.before, 0)
	}
	a.now[w.Index] |= 1 << l
}

// arrived fills in who arrived in the phase that an mbarrier is in, and who did only in
// earlier ones.
func (env *Env) arrived(p *Phase, phase uint64) {
	x := env.arrivals.of[p.Offset]
	if x == nil {
		return
	}
	a := env.arrivals.at(p.Offset, phase)
	p.Arrived, p.FromOthers = a.now, a.others
	for w, m := range a.before {
		p.Missing = append(p.Missing, m&^a.now[w])
	}
}

// endsPhase notes that an arrival of the warp ends a phase of an mbarrier of its block.
func (w asyncUnit) endsPhase(addr uint64) {
	if env := w.Env; env.owner == nil || env.owner == env {
		if a := env.arrivals.of[addr]; a != nil {
			a.ahead = w.Warp
		}
	}
}

// looked notes that a thread tests an mbarrier.
func (x *arrivals) looked(addr uint64) {
	if a := x.of[addr]; a != nil {
		a.ahead = nil
	}
}

// runsAhead reports, once a phase, whether the warp is about to arrive at an mbarrier again although no thread has looked whether the
// phase that it has ended is over. On a GPU those that wait then do so at once: they get a turn, lest the warp do all its
// work before any other begins.
func (w asyncUnit) runsAhead(at uint64) bool {
	env := w.Env
	if at-mem.SharedWindow < mem.SharedWindowSize {
		at -= mem.SharedWindow
	}
	a := env.arrivals.of[at]
	if !env.Latency || a == nil || a.ahead != w.Warp {
		return false
	}
	a.ahead = nil
	return slices.ContainsFunc(env.Warps, func(o *Warp) bool { return o != w.Warp && o.Live != 0 })
}
