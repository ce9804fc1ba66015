package native

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
)

// Registers of serial code: RBX is the lane, R9 the rounds that are left; RAX and RCX are free within a step. Values
// are in the others, which are saved where code needs them again; in RBX and R13 as well where no step of the loop needs
// the lane or the regions.
var (
	serialSaved = [...]jit.Reg{jit.R8, jit.R10, jit.R11, jit.R12, jit.R15}
	serialHomes = []jit.Reg{jit.RDX, jit.R8, jit.R10, jit.R11, jit.R12, jit.R15}
)

// class says where a value is: in a general register or a cell of the context, or in the lowest element of a vector.
type class uint8

const (
	unplaced class = iota
	inGeneral
	inVector
)

// home is where the values of a slot are. A general one without a register is a cell.
type home struct {
	width   alu.Width
	general jit.Reg
	inCell  bool
	cell    int32
	vector  jit.Vec
	has     [3]bool // by class
	// first is where a round finds what the one before left, unplaced where it reads nothing of that; now is where the
	// value is at the step at hand.
	first, now class
	// loose is set where the value at hand is a loose one (see loose.go), loosens where one from the round before may be.
	loose, loosens bool
	// same is the cell with what each round loads again, 0 if the value is not that.
	same int32
	// signed is set where the register has the value of 32 bits extended by its sign to 64.
	signed bool
}

// memory is the cell where the value is, if it is not in a register.
func (h *home) memory() (cell int32, ok bool) {
	switch {
	case h.now != inGeneral:
		return 0, false
	case h.same != 0:
		return h.same, true
	}
	return h.cell, h.inCell
}

// prefers is where the next step that minds wants the value that a slot has after step i, in this round or the next.
func (l *serialLoop) prefers(slot int32, i int) class {
	c, over := unplaced, false
	look := func(from, to int) {
		for j := from; j < to && c == unplaced && !over; j++ {
			l.operands(j, func(s int32, _ alu.Width, want class) {
				if s == slot && c == unplaced {
					c = want
				}
			})
			l.results(j, func(s int32, _ alu.Width, have class) {
				if over = over || s == slot; s == slot && c == unplaced && j == i {
					c = have
				}
			})
		}
	}
	look(i+1, l.to)
	look(l.from+1, i+1)
	return c
}

// place gives the values their homes. It returns nil if there is not enough room.
func (l *serialLoop) place() *serialLoop {
	uses := map[int32]int{}
	ok := true
	for i := l.from + 1; i < l.to; i++ {
		if l.indices[i] {
			continue
		}
		l.results(i, func(s int32, w alu.Width, _ class) {
			h := l.homes[s]
			if h == nil {
				h = &home{width: w}
				l.homes[s] = h
			}
			h.has[l.defined(i, s)] = true
			uses[s]++
		})
	}
	written := map[int32]bool{}
	for i := l.from + 1; i < l.to; i++ {
		l.operands(i, func(s int32, _ alu.Width, _ class) {
			h, x := l.homes[s], l.loads[i]
			if h == nil || x != nil && x.kind == byIndex && s == x.m.Base {
				return
			}
			uses[s]++
			if written[s] || h.first != unplaced {
				return
			}
			if h.first = l.prefers(s, l.from); h.first == unplaced {
				h.first = inGeneral
			}
			h.has[h.first] = true
		})
		if !l.indices[i] {
			l.results(i, func(s int32, _ alu.Width, _ class) { written[s] = true })
		}
	}
	if l.atomic != 0 {
		l.unused = l.unused[1:] // RDX
	}
	l.findUnused()
	order := slices.SortedFunc(maps.Keys(l.homes), func(a, b int32) int {
		return cmp.Or(cmp.Compare(uses[b], uses[a]), cmp.Compare(a, b))
	})
	rows := 0
	for _, s := range order {
		h := l.homes[s]
		h.loosens = h.first == inVector && loosens(l.view.p, l.pl, s, l.from, l.to+1)
		ok = l.room(h) && ok
		if l.leaves(s) != notWanted {
			rows++
		}
	}
	for _, i := range slices.Sorted(maps.Keys(l.loads)) {
		l.loads[i].takeCells(l)
	}
	if !ok || rows > maxSerialRows || l.cells > maxSerialCells {
		return nil
	}
	return l
}

// findUnused adds the registers that the loop does not need otherwise to those that it can have.
func (l *serialLoop) findUnused() {
	rows, regions := false, false
	for i := l.from + 1; i < l.to; i++ {
		x := l.loads[i]
		regions = regions || x != nil && x.kind == byRound
		l.operands(i, func(s int32, _ alu.Width, _ class) {
			address := x != nil && x.kind != byRound && s == x.m.Base
			rows = rows || l.homes[s] == nil && !l.indices[i] && !l.uniform(s) && !address
		})
	}
	for _, x := range l.loads {
		rows = rows || x.kind == byIndex && l.homes[x.slot] == nil && !l.uniform(x.slot)
	}
	if l.lane = !rows; l.lane {
		l.unused = append(l.unused, jit.RBX)
	}
	if l.regions = !regions; l.regions {
		l.unused = append(l.unused, jit.R13)
	}
}

// uniform reports a value that all lanes have, in the slab or as a constant.
func (l *serialLoop) uniform(slot int32) bool {
	_, known := l.pl.values[slot]
	return known || slot < l.view.p.Uniform || l.pl.same[slot]
}

// room takes what a home needs.
func (l *serialLoop) room(h *home) bool {
	if h.has[inGeneral] {
		if r, ok := l.takeGeneral(); ok {
			h.general = r
		} else {
			h.inCell, h.cell = true, l.cell()
		}
	}
	if h.has[inVector] {
		n := bits.OnesCount32(l.vectors)
		if n == maxSerialVecs {
			return false
		}
		h.vector = jit.Vec(n)
		l.vectors |= 1 << n
	}
	return true
}

func (l *serialLoop) takeGeneral() (jit.Reg, bool) {
	if len(l.unused) == 0 {
		return 0, false
	}
	r := l.unused[0]
	l.unused = l.unused[1:]
	return r, true
}

// defined is where step i has what it writes to a slot.
func (l *serialLoop) defined(i int, slot int32) class {
	c := unplaced
	l.results(i, func(s int32, _ alu.Width, has class) {
		if s == slot {
			c = has
		}
	})
	if c == unplaced {
		c = l.prefers(slot, i)
	}
	if c == unplaced {
		c = inGeneral
	}
	return c
}
