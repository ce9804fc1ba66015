package async

import "github.com/warpgrind/warpgrind/internal/mem"

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
func (u *Unit) noteArrival(l int, addr, phase uint64) {
	if there := u.there(); there != u.block {
		there.arrivals.at(addr, phase).others++
		return
	}
	a := u.block.arrivals.at(addr, phase)
	for len(a.now) <= u.warp.Number() {
		a.now, a.before = append(a.now, 0), append(a.before, 0)
	}
	a.now[u.warp.Number()] |= 1 << l
}

// arrived fills in who arrived in the phase that an mbarrier is in, and who did only in
// earlier ones.
func (b *Block) arrived(p *Phase, phase uint64) {
	x := b.arrivals.of[p.Offset]
	if x == nil {
		return
	}
	a := b.arrivals.at(p.Offset, phase)
	p.Arrived, p.FromOthers = a.now, a.others
	for w, m := range a.before {
		p.Missing = append(p.Missing, m&^a.now[w])
	}
}

// endsPhase notes that an arrival of the warp ends a phase of an mbarrier of its block.
func (u *Unit) endsPhase(addr uint64) {
	if u.there() == u.block {
		if a := u.block.arrivals.of[addr]; a != nil {
			a.ahead = u
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
func (u *Unit) runsAhead(at uint64) bool {
	if at-mem.SharedWindow < mem.SharedWindowSize {
		at -= mem.SharedWindow
	}
	a := u.block.arrivals.of[at]
	if !u.block.Latency || a == nil || a.ahead != u {
		return false
	}
	a.ahead = nil
	return u.warp.OthersLive()
}

// Phase is an mbarrier object at an offset of shared memory, and how many arrivals
// and bytes its phase still waits for. Arrived are the lanes, by warp, that arrived in the
// phase, Missing those that did in earlier phases only, FromOthers counts arrivals of other
// blocks.
type Phase struct {
	Offset            uint64
	Pending, Expected uint64
	Bytes             int64
	Arrived, Missing  []uint32
	FromOthers        int
}

// PhaseAt returns the phase that the mbarrier at an offset of shared memory is in; ok is false if none is there.
func (b *Block) PhaseAt(at uint64) (p Phase, ok bool) {
	o := unpackMBarrier(*b.mbarrierAt(at))
	if !o.valid {
		return p, false
	}
	p = Phase{Offset: at, Pending: o.pending, Expected: o.expected, Bytes: o.tx}
	b.arrived(&p, o.phase)
	return p, true
}
