package program

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// A loop may wait for what decides when it is left: the conditions of the branches that leave it,
// what these are computed from, and the branches that decide whether a condition is reached or
// one of its operands is computed. A branch within a round, after which the same conditions are
// computed from the same values, decides nothing, whatever it reads: a loop that counts its
// rounds waits for nothing.
//
// The branches are found by control dependence that respects endless paths (Ranganath and others,
// "A New Foundation for Control Dependence and Slicing for Modern Program Structures"): a branch decides
// about a block if all paths from one of its sides come to the block, and some path from another
// side does not, since it leaves the loop or goes through rounds of it forever. Loops inside
// are loops of their own, which may be what lanes wait in; for the loop around they end.

// maxExitWork bounds the steps of the search in one loop. In larger ones all conditions count.
const maxExitWork = 1 << 24

// exitSearch finds what decides when one loop is left.
type exitSearch struct {
	x *Loop
	// The loop's blocks have numbers of their own here, in the order of x.blocks; succ has -1 for
	// the ways out.
	number     map[int32]int
	succ, pred [][]int
	// leaves marks the blocks that some lane may leave the loop from.
	leaves []bool
	head   int
	// needed lists the blocks about whose execution something must be decided.
	needed []int
	listed []bool
	// steps are those that compute what decides; wanted lists slots whose value at the end of a
	// block does, seen has these too. local is set if local memory decides.
	steps  map[int32]bool
	wanted []slotAt
	seen   map[slotAt]bool
	local  bool
	work   int
}

// slotAt is a slot at the end of a block.
type slotAt struct {
	block int
	slot  int32
}

// findExits sets what decides when the loop is left.
func (x *Loop) findExits() {
	s := &exitSearch{x: x, number: make(map[int32]int, len(x.blocks)), listed: make([]bool, len(x.blocks)), steps: map[int32]bool{}, seen: map[slotAt]bool{}}
	for i, b := range x.blocks {
		s.number[b] = i
	}
	s.head = s.number[x.head()]
	if s.ways(true); !slices.Contains(s.leaves, true) { // no end but a failure
		s.ways(false)
	}
	if slices.Contains(s.leaves, true) && s.search() {
		x.leaving, x.local, x.handsOn = s.steps, s.local, s.handsOn()
	} else {
		x.suppose()
	}
	x.setAwaits()
}

// head is the loop's first block that is reached from elsewhere.
func (x *Loop) head() int32 {
	for _, b := range x.blocks {
		if x.of.entries[b] || slices.ContainsFunc(x.of.pred[b], func(from int32) bool { return !x.in[from] }) {
			return b
		}
	}
	return x.blocks[0]
}

// ways sets the edges of the loop. Those that end in a failed assertion or a trap lead nowhere, if ends
// is set: no thread waits for them.
func (s *exitSearch) ways(ends bool) {
	n := len(s.x.blocks)
	s.succ, s.pred, s.leaves = make([][]int, n), make([][]int, n), make([]bool, n)
	for i, b := range s.x.blocks {
		s.x.of.edges(b, func(to int32) {
			switch k, ok := s.number[to]; {
			case ok:
				s.succ[i] = append(s.succ[i], k)
				s.pred[k] = append(s.pred[k], i)
			case !ends || !s.x.of.fails[to]:
				s.succ[i] = append(s.succ[i], -1)
				s.leaves[i] = true
			}
		})
		s.x.of.each(b, func(in *Instr) {
			if in.Op == OpReturn || in.Op == OpExit || !ends && (in.Op == OpTrap || in.Op == OpUnsupported) {
				s.succ[i] = append(s.succ[i], -1)
				s.leaves[i] = true
			}
		})
	}
}

// search adds steps until nothing changes. It gives up where that is too much work.
func (s *exitSearch) search() bool {
	for i, leaves := range s.leaves {
		if leaves {
			s.decideBy(i)
		}
	}
	local := false
	for done := 0; done < len(s.needed) || len(s.wanted) > 0; {
		if s.work > maxExitWork {
			return false
		}
		if n := len(s.wanted) - 1; n >= 0 {
			w := s.wanted[n]
			s.wanted = s.wanted[:n]
			_, to := s.x.of.span(s.x.blocks[w.block])
			s.computed(w.block, w.slot, to)
		} else {
			s.controls(s.needed[done])
			done++
		}
		if s.local && !local {
			local = true
			s.stores()
		}
	}
	return true
}

// decideBy adds the steps at the end of a block that decide where lanes continue.
func (s *exitSearch) decideBy(i int) {
	from, to := s.x.of.span(s.x.blocks[i])
	for at := from; at < to; at++ {
		if s.x.p.Code[at].leaves() {
			s.add(i, at)
		}
	}
}

// add adds a step of block i.
func (s *exitSearch) add(i int, at int32) {
	if s.steps[at] {
		return
	}
	s.steps[at] = true
	if !s.listed[i] {
		s.listed[i] = true
		s.needed = append(s.needed, i)
	}
	in := &s.x.p.Code[at]
	s.local = s.local || in.Op == OpLoad && s.x.p.Mems[in.X].Space == trace.SpaceLocal
	s.x.p.Slots(in, func(slot int32, u Use) {
		if u&Reads != 0 {
			s.computed(i, slot, at)
		}
	})
}

// computed adds the steps that compute what a slot holds before a step of block i.
func (s *exitSearch) computed(i int, slot, before int32) {
	from, _ := s.x.of.span(s.x.blocks[i])
	for at := before - 1; at >= from; at-- {
		s.work++
		in := &s.x.p.Code[at]
		writes, all := false, false
		s.x.p.Slots(in, func(x int32, u Use) {
			if x == slot && u&Writes != 0 {
				writes, all = true, all || u&Partly == 0 && in.Guard == NoSlot
			}
		})
		if writes {
			s.add(i, at)
		}
		if all {
			return
		}
	}
	for _, k := range s.pred[i] {
		if w := (slotAt{k, slot}); !s.seen[w] {
			s.seen[w] = true
			s.wanted = append(s.wanted, w)
		}
	}
}

// stores adds the steps that may write local memory.
func (s *exitSearch) stores() {
	for i, b := range s.x.blocks {
		from, to := s.x.of.span(b)
		for at := from; at < to; at++ {
			if s.x.p.mayStoreLocal(&s.x.p.Code[at]) {
				s.add(i, at)
			}
		}
	}
}

// handsOn reports whether a round of the loop leaves a value for the next one that decides when it is
// left: one that is wanted at the end of a block before the head, and that a step may have written.
func (s *exitSearch) handsOn() bool {
	for w := range s.seen {
		if slices.Contains(s.pred[s.head], w.block) && s.written(w) {
			return true
		}
	}
	return false
}

// written reports whether w is a step that writes a slot in the round which ends with the block.
func (s *exitSearch) written(w slotAt) bool {
	seen := map[int]bool{w.block: true}
	for work := []int{w.block}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		found := false
		s.x.of.each(s.x.blocks[i], func(in *Instr) { found = found || s.x.p.writes(in, map[int32]bool{w.slot: true}) })
		if found {
			return true
		}
		for _, k := range s.pred[i] {
			if i != s.head && !seen[k] {
				seen[k] = true
				work = append(work, k)
			}
		}
	}
	return false
}

// mayStoreLocal reports whether in is a step that may write local memory. Atomic operations work on global and
// shared memory only.
func (p *Program) mayStoreLocal(in *Instr) bool {
	switch in.Op {
	case OpStore:
		sp := p.Mems[in.X].Space
		return sp == trace.SpaceLocal || sp == trace.SpaceGeneric
	case OpCall, OpCallIndirect:
		return true
	}
	return false
}

// controls adds the branches that decide whether block t is executed.
func (s *exitSearch) controls(t int) {
	avoids := s.avoiding(t)
	for i, succ := range s.succ {
		some, all := false, true
		for _, k := range succ {
			a := k < 0 || k != t && avoids[k]
			some, all = some || a, all && a
		}
		if some && !all {
			s.decideBy(i)
		}
	}
}

// avoiding marks the blocks with a path that never comes to block t: it leaves the loop, or comes back
// to the head again and again.
func (s *exitSearch) avoiding(t int) []bool {
	marked := make([]bool, len(s.succ))
	var work []int
	mark := func(i int) {
		if i != t && !marked[i] {
			marked[i] = true
			work = append(work, i)
		}
	}
	spread := func() {
		for len(work) > 0 {
			i := work[len(work)-1]
			work = work[:len(work)-1]
			s.work += 1 + len(s.pred[i])
			for _, k := range s.pred[i] {
				mark(k)
			}
		}
	}
	for i, leaves := range s.leaves {
		if leaves {
			mark(i)
		}
	}
	spread()
	if s.head == t || marked[s.head] {
		return marked
	}
	left := slices.Clone(marked)
	mark(s.head)
	spread()
	if slices.ContainsFunc(s.succ[s.head], func(k int) bool { return k >= 0 && k != t && marked[k] }) {
		return marked
	}
	return left
}
