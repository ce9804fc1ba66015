package program

import "github.com/warpgrind/warpgrind/internal/trace"

// PlainPolls reports whether a loop of the program waits for what a plain read of a site reads, and
// does nothing else in memory: while (!flag) {}. It waits if the value decides when the loop is left, and each
// round reads the same place.
func (p *Program) PlainPolls(site int) bool {
	p.pollsOnce.Do(func() {
		p.polled = map[int]bool{}
		for _, x := range p.Loops().all() {
			x.plainPolls(p.polled)
		}
	})
	return p.polled[site]
}

// plainPolls adds the sites of a loop.
func (x *Loop) plainPolls(to map[int]bool) {
	if len(x.inside) > 0 {
		return
	}
	var sites []int
	only := true
	x.eachStep(func(at int32) {
		in := &x.p.Code[at]
		switch in.Op {
		case OpStore, OpCall, OpCallIndirect, OpHost, OpStep:
			only = false
		case OpLoad:
			m := &x.p.Mems[in.X]
			switch {
			case x.keeps(in) || m.Site.Order != trace.OrderWeak:
			case x.awaitsBy(at) == AwaitsNothing || m.Base != NoSlot && !x.sameIn(m.Base, map[int32]bool{}):
				only = false
			default:
				sites = append(sites, m.Site.ID)
			}
		}
	})
	for _, s := range sites {
		to[s] = to[s] || only
	}
}

// keeps reports whether in is a step that makes the same of the same operands in each round.
func (x *Loop) keeps(in *Instr) bool {
	switch in.Op {
	case OpVec, OpVec4, OpCmp, OpSel, OpScalar, OpPredNot, OpPredAnd, OpPredOr, OpPredXor, OpPredMov, OpPack, OpUnpack, OpMath, OpSubarray, OpDecide:
		return true
	case OpLoad:
		s := x.p.Mems[in.X].Space
		return s == trace.SpaceConst || s == trace.SpaceParam
	}
	return false
}

// sameIn reports whether a slot has the same value in each round. asked are the slots that it is asked for.
func (x *Loop) sameIn(slot int32, asked map[int32]bool) bool {
	if asked[slot] {
		return false
	}
	asked[slot] = true
	defer delete(asked, slot)
	ok := true
	x.eachStep(func(at int32) {
		in := &x.p.Code[at]
		if !ok || !x.p.writes(in, map[int32]bool{slot: true}) {
			return
		}
		ok = x.keeps(in)
		x.p.Slots(in, func(s int32, u Use) {
			if u&Reads != 0 {
				ok = ok && x.sameIn(s, asked)
			}
		})
	})
	return ok
}
