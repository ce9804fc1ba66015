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
	SerialSaved = [...]jit.Reg{jit.R8, jit.R10, jit.R11, jit.R12, jit.R15}
	serialHomes = []jit.Reg{jit.RDX, jit.R8, jit.R10, jit.R11, jit.R12, jit.R15}
)

// Class says where a value is: in a general register or a cell of the context, or in the lowest element of a vector.
type Class uint8

const (
	Unplaced Class = iota
	InGeneral
	InVector
)

// Home is where the values of a slot are. A general one without a register is a cell.
type Home struct {
	Width   alu.Width
	General jit.Reg
	InCell  bool
	Cell    int32
	Vector  jit.Vec
	has     [3]bool // by class
	// First is where a round finds what the one before left, unplaced where it reads nothing of that; now is where the
	// value is at the step at hand.
	First, Now Class
	// Loose is set where the value at hand is a loose one (see loose.go), loosens where one from the round before may be.
	Loose, Loosens bool
	// Same is the cell with what each round loads again, 0 if the value is not that.
	Same int32
	// Signed is set where the register has the value of 32 bits extended by its sign to 64.
	Signed bool
}

// Memory is the cell where the value is, if it is not in a register.
func (h *Home) Memory() (cell int32, ok bool) {
	switch {
	case h.Now != InGeneral:
		return 0, false
	case h.Same != 0:
		return h.Same, true
	}
	return h.Cell, h.InCell
}

// prefers is where the next step that minds wants the value that a slot has after step i, in this round or the next.
func (l *SerialLoop) prefers(slot int32, i int) Class {
	c, over := Unplaced, false
	look := func(from, to int) {
		for j := from; j < to && c == Unplaced && !over; j++ {
			l.Operands(j, func(s int32, _ alu.Width, want Class) {
				if s == slot && c == Unplaced {
					c = want
				}
			})
			l.results(j, func(s int32, _ alu.Width, have Class) {
				if over = over || s == slot; s == slot && c == Unplaced && j == i {
					c = have
				}
			})
		}
	}
	look(i+1, l.To)
	look(l.From+1, i+1)
	return c
}

// place gives the values their homes. It returns nil if there is not enough room.
func (l *SerialLoop) place() *SerialLoop {
	uses := map[int32]int{}
	ok := true
	for i := l.From + 1; i < l.To; i++ {
		if l.Indices[i] {
			continue
		}
		l.results(i, func(s int32, w alu.Width, _ Class) {
			h := l.Homes[s]
			if h == nil {
				h = &Home{Width: w}
				l.Homes[s] = h
			}
			h.has[l.Defined(i, s)] = true
			uses[s]++
		})
	}
	written := map[int32]bool{}
	for i := l.From + 1; i < l.To; i++ {
		l.Operands(i, func(s int32, _ alu.Width, _ Class) {
			h, x := l.Homes[s], l.Loads[i]
			if h == nil || x != nil && x.Kind == ByIndex && s == x.Mem.Base {
				return
			}
			uses[s]++
			if written[s] || h.First != Unplaced {
				return
			}
			if h.First = l.prefers(s, l.From); h.First == Unplaced {
				h.First = InGeneral
			}
			h.has[h.First] = true
		})
		if !l.Indices[i] {
			l.results(i, func(s int32, _ alu.Width, _ Class) { written[s] = true })
		}
	}
	if l.Atomic != 0 {
		l.unused = l.unused[1:] // RDX
	}
	l.findUnused()
	order := slices.SortedFunc(maps.Keys(l.Homes), func(a, b int32) int {
		return cmp.Or(cmp.Compare(uses[b], uses[a]), cmp.Compare(a, b))
	})
	rows := 0
	for _, s := range order {
		h := l.Homes[s]
		h.Loosens = h.First == InVector && Loosens(l.view.Program, l.Plan, s, l.From, l.To+1)
		ok = l.room(h) && ok
		if l.Leaves(s) != notWanted {
			rows++
		}
	}
	for _, i := range slices.Sorted(maps.Keys(l.Loads)) {
		l.Loads[i].takeCells(l)
	}
	if !ok || rows > maxSerialRows || l.cells > maxSerialCells {
		return nil
	}
	return l
}

// findUnused adds the registers that the loop does not need otherwise to those that it can have.
func (l *SerialLoop) findUnused() {
	rows, regions := false, false
	for i := l.From + 1; i < l.To; i++ {
		x := l.Loads[i]
		regions = regions || x != nil && x.Kind == byRound
		l.Operands(i, func(s int32, _ alu.Width, _ Class) {
			address := x != nil && x.Kind != byRound && s == x.Mem.Base
			rows = rows || l.Homes[s] == nil && !l.Indices[i] && !l.Uniform(s) && !address
		})
	}
	for _, x := range l.Loads {
		rows = rows || x.Kind == ByIndex && l.Homes[x.Slot] == nil && !l.Uniform(x.Slot)
	}
	if l.lane = !rows; l.lane {
		l.unused = append(l.unused, jit.RBX)
	}
	if l.Regions = !regions; l.Regions {
		l.unused = append(l.unused, jit.R13)
	}
}

// Uniform reports whether slot is a value that all lanes have, in the slab or as a constant.
func (l *SerialLoop) Uniform(slot int32) bool {
	_, known := l.Plan.Values[slot]
	return known || slot < l.view.Program.Uniform || l.Plan.Same[slot]
}

// room takes what a home needs.
func (l *SerialLoop) room(h *Home) bool {
	if h.has[InGeneral] {
		if r, ok := l.takeGeneral(); ok {
			h.General = r
		} else {
			h.InCell, h.Cell = true, l.cell()
		}
	}
	if h.has[InVector] {
		n := bits.OnesCount32(l.Vectors)
		if n == maxSerialVecs {
			return false
		}
		h.Vector = jit.Vec(n)
		l.Vectors |= 1 << n
	}
	return true
}

func (l *SerialLoop) takeGeneral() (jit.Reg, bool) {
	if len(l.unused) == 0 {
		return 0, false
	}
	r := l.unused[0]
	l.unused = l.unused[1:]
	return r, true
}

// Defined is where step i has what it writes to a slot.
func (l *SerialLoop) Defined(i int, slot int32) Class {
	c := Unplaced
	l.results(i, func(s int32, _ alu.Width, has Class) {
		if s == slot {
			c = has
		}
	})
	if c == Unplaced {
		c = l.prefers(slot, i)
	}
	if c == Unplaced {
		c = InGeneral
	}
	return c
}
