package lower

import (
	"container/heap"
	"math"
	"slices"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Slots of a function whose values do not live at the same time share a place
// in the slab (linear scan over live intervals: Poletto and Sarkar, "Linear
// Scan Register Allocation").
//
// For slots with a value per lane the usual argument holds lane by lane,
// whatever the schedule: a step changes only the columns of the lanes that
// execute it, and each lane walks along the control-flow graph by itself. Two
// slots that do not live at the same step along any path never hold two values
// of one lane that both matter. That other lanes are elsewhere at that time,
// or never go there, changes nothing in this lane's column.
//
// Slots that are kept once a warp are different. While diverged lanes wait at
// the start of a side of a branch, the others run on the same storage, so that
// what lives there must outlast all steps of the branch's region (uniform.go
// has the same rule for one register). Sharing is like giving two registers
// one name, and the rule must hold for that name: such an interval is made as
// long as the regions at whose sides or reconvergence points the slot lives. Copies
// of the uniform part that suspended lanes take along hold all places, and are
// right whatever the places are called.
//
// A function's slots are its own: its callers and callees have others. Slots
// that a block finds as an earlier one left them (preloaded parameters,
// constants, special registers) share with none.

// maxWalk bounds the blocks that the search for live ranges visits in one
// kernel; slots that come after that live everywhere.
const maxWalk = 1 << 28

// interval is the range of positions in which a slot lives; step i reads at
// 2i and writes at 2i+1.
type interval struct{ first, last int32 }

func (v *interval) touch(at int32) { v.first, v.last = min(v.first, at), max(v.last, at) }

var nowhere = interval{math.MaxInt32, math.MinInt32}

// sharing is the search for common places in one kernel.
type sharing struct {
	u    *unit
	live []interval // by slot
	// pinned slots keep a place of their own; entered are the others whose first read may be
	// of what the place holds when the kernel begins.
	pinned, entered []bool
	// wrote and wanted hold by slot the last block, by its stamp, that did so.
	wrote, wanted []int32
	stamp         int32
	walked        int
}

// share finds a place for each slot: slots with the same place get the same
// number in slot.place. Kernels with steps that it does not know share none;
// it returns false for them.
func (u *unit) share() bool {
	n := len(u.slots)
	s := &sharing{u: u, live: make([]interval, n), pinned: make([]bool, n), entered: make([]bool, n), wrote: make([]int32, n), wanted: make([]int32, n)}
	for i := range u.slots {
		u.slots[i].place = int32(i)
		s.live[i] = nowhere
		s.pinned[i] = !u.slots[i].kind.inFunction()
	}
	for _, x := range u.prog.Preloads {
		m := &u.prog.Mems[x]
		s.pin(m.Regs[:]...)
		s.pin(m.Bcast[:]...)
	}
	for _, f := range u.order {
		if !s.function(f) {
			return false
		}
	}
	s.allocate()
	return true
}

func (s *sharing) pin(slots ...int32) {
	for _, x := range slots {
		if x > 0 {
			s.pinned[x] = true
		}
	}
}

// inFunction reports whether slots of the kind are registers of a function.
func (k slotKind) inFunction() bool { return k <= uniBcast64 || k >= area32 }

// steps is the range of f's code.
func (u *unit) steps(f *fn) (from, to int32) {
	to = int32(len(u.prog.Code))
	if f.index+1 < len(u.prog.Funcs) {
		to = u.prog.Funcs[f.index+1].Entry
	}
	return u.prog.Funcs[f.index].Entry, to
}

// function finds the live intervals of f's slots. It returns false if there is
// a step that it does not know.
func (s *sharing) function(f *fn) bool {
	if f.reentrant { // arguments are copied one by one, and may be the function's own
		for _, w := range s.u.prog.Funcs[f.index].Params {
			s.pin(w...)
		}
	}
	r := newRanges(s, f)
	for b := range r.blocks() {
		if !r.scan(b) {
			return false
		}
	}
	r.walkAll()
	for _, w := range s.u.prog.Funcs[f.index].Rets { // of a function that never returns
		s.pinUnused(w)
	}
	return true
}

func (s *sharing) pinUnused(slots []int32) {
	for _, x := range slots {
		s.pinned[x] = s.pinned[x] || s.live[x] == nowhere
	}
}

// allocate goes through the intervals by their start and reuses the place that
// became free last.
func (s *sharing) allocate() {
	slots := s.u.slots
	var order []int32
	for i := 1; i < len(slots); i++ {
		if !s.pinned[i] && s.live[i] != nowhere {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		if d := s.live[a].first - s.live[b].first; d != 0 {
			return int(d)
		}
		return int(a - b)
	})
	type class struct {
		kind slotKind
		fn   int
	}
	free := map[class][]int32{}
	active := &byEnd{live: s.live}
	registers := 0
	for _, x := range order {
		for len(active.slots) > 0 && s.live[active.slots[0]].last < s.live[x].first {
			o := heap.Pop(active).(int32)
			registers -= slots[o].kind.registers()
			c := class{slots[o].kind, slots[o].fn}
			free[c] = append(free[c], slots[o].place)
		}
		c := class{slots[x].kind, slots[x].fn}
		if l := free[c]; len(l) > 0 {
			slots[x].place, free[c] = l[len(l)-1], l[:len(l)-1]
		}
		heap.Push(active, x)
		registers += slots[x].kind.registers()
		s.u.prog.LiveRegisters = max(s.u.prog.LiveRegisters, registers)
	}
	s.dropZeroes()
	s.dropUnused()
}

// registers is how many registers of 32 bits a GPU has for a slot of the kind.
func (k slotKind) registers() int {
	switch k.width() {
	case alu.W64:
		return 2
	case alu.W32:
		return 1
	}
	return 0
}

// dropUnused gives slots that no step names the place of absent operands.
func (s *sharing) dropUnused() {
	for i := range s.u.slots {
		if !s.pinned[i] && s.live[i] == nowhere {
			s.u.slots[i].place = 0
		}
	}
}

// dropZeroes forgets the zeroes of slots whose reads all follow writes. Whoever listed them did not
// see that: a read under a guard, say, after a write under the same guard. Another slot may
// begin in their place, and what is said of them would be taken for it: with which register
// an undefined value begins.
func (s *sharing) dropZeroes() {
	begins := func(x int32) bool { return s.pinned[x] || s.entered[x] }
	s.u.prog.Zero = slices.DeleteFunc(s.u.prog.Zero, func(c program.Const) bool { return !begins(c.Slot) })
	s.u.prog.Unset = slices.DeleteFunc(s.u.prog.Unset, func(c program.Unset) bool { return !begins(c.Slot) })
}

// byEnd is a heap of slots by the end of their intervals.
type byEnd struct {
	slots []int32
	live  []interval
}

func (h *byEnd) Len() int           { return len(h.slots) }
func (h *byEnd) Less(i, k int) bool { return h.live[h.slots[i]].last < h.live[h.slots[k]].last }
func (h *byEnd) Swap(i, k int)      { h.slots[i], h.slots[k] = h.slots[k], h.slots[i] }
func (h *byEnd) Push(x any)         { h.slots = append(h.slots, x.(int32)) }
func (h *byEnd) Pop() any {
	n := len(h.slots) - 1
	x := h.slots[n]
	h.slots = h.slots[:n]
	return x
}

// width is what Const says of a slot of the kind.
func (k slotKind) width() alu.Width {
	switch k {
	case area64, uniScalar, uniBcast64:
		return alu.W64
	case areaPred, uniPred:
		return alu.Pred
	}
	return alu.W32
}

// atEntry deals with a slot that f may read before it writes it. Such a
// program must do the same each time: in the kernel the slot starts as 0. Other functions
// clear it (emitter.clear), but for some of the largest: there it keeps what it had, which needs
// a place of its own.
func (s *sharing) atEntry(f *fn, x, entry int32) {
	if f.index > 0 || s.u.slots[x].kind < area32 {
		s.pinned[x] = true
		return
	}
	s.live[x].touch(entry)
	s.entered[x] = true
	for _, z := range f.zero {
		if z.slot == x {
			return
		}
	}
	s.u.prog.Zero = append(s.u.prog.Zero, program.Const{Slot: x, Width: s.u.slots[x].kind.width()})
}
