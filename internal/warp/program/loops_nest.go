package program

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// The loops of a program are nests: what is left of a loop without its head has the loops inside. This
// takes any control flow, also loops with several entries. (Bourdoncle, "Efficient Chaotic
// Iteration Strategies with Widenings".)

// maxNestWork bounds the blocks of all loops together. Loops that lie deeper are not told apart from the one
// around them.
const maxNestWork = 1 << 20

// nest finds the loops inside of some, and what each of all these awaits.
func (l *Loops) nest(work []*Loop) {
	for n := 0; len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if n += len(x.blocks); n > maxNestWork {
			x.suppose()
			x.setAwaits()
			continue
		}
		x.inside = l.cycles(x.blocks, x.head())
		for _, y := range x.inside {
			y.around = x
		}
		x.findExits()
		work = append(work, x.inside...)
	}
}

// outermost lists the outermost loops.
func (l *Loops) outermost() (out []*Loop) {
	seen := map[*Loop]bool{}
	for _, x := range l.of {
		if x != nil && !seen[x] {
			seen[x] = true
			out = append(out, x)
		}
	}
	return out
}

// all lists the loops of all nests.
func (l *Loops) all() []*Loop {
	out := l.outermost()
	for i := 0; i < len(out); i++ {
		out = append(out, out[i].inside...)
	}
	return out
}

// nestAwaits is what lanes in a loop and in those around it may wait for.
func (x *Loop) nestAwaits() (most Awaited) {
	for ; x != nil; x = x.around {
		most = max(most, x.awaits)
	}
	return most
}

// suppose takes all steps that the loop's conditions may be computed by for those that decide when it is
// left.
func (x *Loop) suppose() {
	set := x.conditions()
	x.leaving, x.local, x.handsOn = map[int32]bool{}, true, true
	x.eachStep(func(at int32) {
		if in := &x.p.Code[at]; x.p.writes(in, set) || x.p.mayStoreLocal(in) {
			x.leaving[at] = true
		}
	})
}

// eachStep calls f for all steps of the loop.
func (x *Loop) eachStep(f func(at int32)) {
	for _, b := range x.blocks {
		from, to := x.of.span(b)
		for at := from; at < to; at++ {
			f(at)
		}
	}
}

// setAwaits finds what the loop may wait for.
func (x *Loop) setAwaits() {
	x.eachStep(func(at int32) { x.awaits = max(x.awaits, x.awaitsBy(at)) })
}

// awaitsBy is what the loop may wait for by a step.
func (x *Loop) awaitsBy(at int32) Awaited {
	if !x.leaving[at] {
		return AwaitsNothing
	}
	switch in := &x.p.Code[at]; in.Op {
	case OpAtomic, OpStep, OpClock, OpHost, OpCall, OpCallIndirect:
		return AwaitsStrong
	case OpLoad:
		switch m := &x.p.Mems[in.X]; {
		case m.Space == trace.SpaceLocal || m.Space == trace.SpaceConst || m.Space == trace.SpaceParam:
			return AwaitsNothing // no other thread writes it
		case m.Site.Order == trace.OrderWeak:
			return AwaitsWeak
		}
		return AwaitsStrong
	}
	return AwaitsNothing
}

// Polled lists the accesses that decide when the loop, or one inside, is left, and read what others may
// write.
func (x *Loop) Polled() (out []*Mem) {
	x.eachStep(func(at int32) {
		in := &x.p.Code[at]
		if (in.Op == OpLoad || in.Op == OpAtomic) && x.polls(at) {
			out = append(out, &x.p.Mems[in.X])
		}
	})
	return out
}

// polls reports whether the step at a place is one by which the loop, or one inside, may wait.
func (x *Loop) polls(at int32) bool {
	return x.awaitsBy(at) != AwaitsNothing || slices.ContainsFunc(x.inside, func(y *Loop) bool { return y.polls(at) })
}

// Awaited lists the accesses to memory other than shared memory that may decide when a loop of the program is
// left. ok is false if something else may.
func (p *Program) Awaited() (list []*Mem, ok bool) {
	p.awaitedOnce.Do(func() {
		for _, x := range p.Loops().all() {
			x.eachStep(func(at int32) {
				in := &p.Code[at]
				switch {
				case x.awaitsBy(at) == AwaitsNothing:
				case in.Op != OpLoad && in.Op != OpAtomic:
					p.awaitAll = true
				case p.Mems[in.X].Space != trace.SpaceShared:
					p.awaited = append(p.awaited, &p.Mems[in.X])
				}
			})
		}
	})
	return p.awaited, !p.awaitAll
}
