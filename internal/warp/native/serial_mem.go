package native

import (
	"math/bits"
	"strings"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// SerialLoad is a load of a loop that runs serially, or its atomic operation.
type SerialLoad struct {
	Kind  serialKind
	Index int32
	Mem   *program.Mem
	Size  int
	// byStride: the address grows by 1<<shift in each round, and has grown before the load if late.
	// byIndex: it is the value of slot, extended by zeros if unsigned and shifted left, added to that of sum.
	Shift          byte
	Late, Unsigned bool
	Slot, Sum      int32
	// Where is the place of what makes a pointer of an address, or the pointer, limit that of the largest index.
	Where, Limit int32
	// Held is a register that has what is at where.
	Held jit.Reg
	Has  bool
	// Extends is set where the value that is loaded is only the index of others, extended by its sign.
	Extends bool
}

// serialKind says when an address is checked.
type serialKind uint8

const (
	byRound  serialKind = iota // each time
	ByLane                     // once for a lane: it stays the same
	ByStride                   // once for a lane, which may do so many rounds
	ByIndex                    // each time, as an index of what is checked once for the warp
)

// findLoads finds out how the addresses of the loads are made.
func (l *SerialLoop) findLoads() bool {
	writes := map[int32][]int{}
	for i := l.From + 1; i < l.To; i++ {
		l.results(i, func(s int32, _ alu.Width, _ Class) { writes[s] = append(writes[s], i) })
	}
	for i := l.From + 1; i < l.To; i++ {
		in := &l.view.Program.Code[i]
		if in.Op != program.OpLoad && in.Op != program.OpAtomic {
			continue
		}
		m := &l.view.Program.Mems[in.X]
		x := &SerialLoad{Index: in.X, Mem: m, Size: m.Elem * m.Count}
		l.Loads[i] = x
		if m.BaseWidth != alu.W64 || m.Base == program.NoSlot {
			continue
		}
		switch w := writes[m.Base]; {
		case len(w) == 0 && in.Op == program.OpLoad:
			x.Kind = ByLane
		case len(w) == 1 && l.strides(x, w[0]):
			x.Kind, x.Late = ByStride, w[0] < i
		}
	}
	l.findIndices()
	return len(l.Loads) > 0
}

// strides reports whether step i adds a constant to the address of a load, a power of two that keeps it aligned.
func (l *SerialLoop) strides(x *SerialLoad, i int) bool {
	in := &l.view.Program.Code[i]
	if in.Op != program.OpVec || in.ALU.Name != "add.s64" && in.ALU.Name != "add.u64" || in.A != x.Mem.Base {
		return false
	}
	n, ok := l.Plan.Values[in.B]
	x.Shift = byte(bits.TrailingZeros64(n))
	return ok && n == 1<<x.Shift && x.Shift < 31 && n >= uint64(x.Size)
}

// findIndices finds the addresses that are a sum of what all lanes have and an index of the lane, computed in the round:
// two steps, or three with a shift, of which only loads take the results.
func (l *SerialLoop) findIndices() {
	for i := l.From + 1; i < l.To; i++ {
		in := &l.view.Program.Code[i]
		if in.Op != program.OpVec {
			continue
		}
		x := SerialLoad{Kind: ByIndex, Slot: in.A, Sum: program.NoSlot}
		switch in.ALU.Name {
		case "cvt.s64.s32", "cvt.u64.s32":
		case "cvt.s64.u32", "cvt.u64.u32":
			x.Unsigned = true
		case "mul.wide.s32", "mul.wide.u32":
			n, ok := l.Plan.Values[in.B]
			if x.Unsigned, x.Shift = in.ALU.Name == "mul.wide.u32", byte(bits.TrailingZeros64(n)); !ok || n != 1<<x.Shift || x.Shift > 3 {
				continue
			}
		default:
			continue
		}
		if !l.Plan.Same[in.A] {
			l.index(i, x)
		}
	}
}

// index follows the result of step i, an index, to the loads that take it.
func (l *SerialLoop) index(i int, x SerialLoad) {
	steps, loads, slot := []int{i}, map[int]bool{}, l.view.Program.Code[i].D
	for j := i + 1; ; j++ {
		if j == l.To {
			if l.Leaves(slot) != notWanted {
				return
			}
			break
		}
		in := &l.view.Program.Code[j]
		reads, writes := false, map[int32]bool{}
		l.Operands(j, func(s int32, _ alu.Width, _ Class) { reads = reads || s == slot })
		l.results(j, func(s int32, _ alu.Width, _ Class) { writes[s] = true })
		switch {
		case !reads:
		case in.Op == program.OpLoad || in.Op == program.OpAtomic && l.Loads[j].Mem.B != slot && l.Loads[j].Mem.C != slot:
			m := l.Loads[j].Mem
			if x.Sum == program.NoSlot || m.Space != trace.SpaceGlobal || l.Loads[j].Size > 1<<x.Shift {
				return
			}
			loads[j] = true
		case len(loads) > 0 || !l.extends(in, &x, slot):
			return
		default:
			if in.D != slot && (l.Leaves(slot) != notWanted || l.readLater(slot, j)) {
				return
			}
			steps, slot = append(steps, j), in.D
			continue
		}
		if writes[slot] {
			break
		}
		if writes[x.Slot] && l.readLater(slot, j) {
			return
		}
	}
	if len(loads) == 0 {
		return
	}
	for j := range loads {
		y := l.Loads[j]
		l.extendedFor(j, &x)
		x.Index, x.Mem, x.Size = y.Index, y.Mem, y.Size
		*y = x
	}
	for _, j := range steps {
		l.Indices[j] = true
	}
}

// extendedFor lets the load of the index of the load at step j extend it by its sign, if that is the step before that
// writes the index's slot, and nothing else reads it.
func (l *SerialLoop) extendedFor(j int, x *SerialLoad) {
	again := false // the slot gets another value before the round ends
	for i := j; i < l.To; i++ {
		l.results(i, func(s int32, _ alu.Width, _ Class) { again = again || s == x.Slot })
	}
	if x.Unsigned || l.Leaves(x.Slot) != notWanted && !again {
		return
	}
	reads := 0
	for i := j - 1; i > l.From; i-- {
		l.Operands(i, func(s int32, _ alu.Width, _ Class) {
			if s == x.Slot {
				reads++
			}
		})
		written := false
		l.results(i, func(s int32, _ alu.Width, _ Class) { written = written || s == x.Slot })
		if y := l.Loads[i]; written && y != nil {
			y.Extends = reads == 1 && y.Mem.Elem == 4 && y.Mem.Count == 1 && !l.readLater(x.Slot, j-1)
		}
		if written {
			return
		}
	}
}

// extends adds a step to an index: a shift, or the sum with what all lanes have.
func (l *SerialLoop) extends(in *program.Instr, x *SerialLoad, slot int32) bool {
	if in.Op != program.OpVec || x.Sum != program.NoSlot {
		return false
	}
	switch in.ALU.Name {
	case "shl.b64":
		n, ok := l.Plan.Values[in.B]
		x.Shift += byte(n)
		return ok && in.A == slot && n <= 3 && x.Shift <= 3
	case "add.s64", "add.u64":
		x.Sum = in.A
		if in.A == slot {
			x.Sum = in.B
		}
		_, known := l.Plan.Values[x.Sum]
		return x.Sum != slot && !known && (l.Plan.Same[x.Sum] || x.Sum < l.view.Program.Uniform)
	}
	return false
}

// readLater reports whether a step after j reads a slot before it is written.
func (l *SerialLoop) readLater(slot int32, j int) bool {
	for j++; j < l.To; j++ {
		reads, writes := false, false
		l.Operands(j, func(s int32, _ alu.Width, _ Class) { reads = reads || s == slot })
		l.results(j, func(s int32, _ alu.Width, _ Class) { writes = writes || s == slot })
		if reads || writes {
			return reads
		}
	}
	return false
}

// takeCells takes what a load needs.
func (x *SerialLoad) takeCells(l *SerialLoop) {
	if x.Kind == byRound {
		return
	}
	x.Where = l.cell()
	switch x.Kind {
	case ByLane: // cells with the values
		for range x.Mem.Count - 1 {
			l.cell()
		}
		return
	case ByIndex:
		x.Limit = l.cell()
	}
	x.Held, x.Has = l.takeGeneral()
}

// mayRepeat reports whether an atomic operation may be repeated with the same operand, and done in any order: what is in memory
// in the end is the same. It is a logic operation, the lesser or greater value, or, with swaps, cas with operands that all
// lanes have.
func mayRepeat(atom string) (swaps, ok bool) {
	op, _, _ := strings.Cut(atom, ".")
	return op == "cas", op == "and" || op == "or" || op == "min" || op == "max" || op == "cas"
}

// settles reports whether step i is such an operation on global memory whose result nothing reads.
func (l *SerialLoop) settles(i int) bool {
	m := &l.view.Program.Mems[l.view.Program.Code[i].X]
	swaps, ok := mayRepeat(m.Atom)
	if !ok || m.Space != trace.SpaceGlobal || m.Scalar || m.Base == program.NoSlot || m.Site.Order > trace.OrderRelaxed {
		return false
	}
	if swaps && !(l.short(m.B) && l.short(m.C)) {
		return false
	}
	r := m.Regs[0]
	if r == program.NoSlot {
		return true
	}
	again := false
	for j := i + 1; j < l.To; j++ {
		l.results(j, func(s int32, _ alu.Width, _ Class) { again = again || s == r })
	}
	return !l.readLater(r, i) && (again || l.Leaves(r) == notWanted)
}

// short reports whether slot is a value that all lanes have and an instruction can take as it is.
func (l *SerialLoop) short(slot int32) bool {
	v, known := l.Plan.Values[slot]
	return known && int64(v) == int64(int32(v)) || !known && l.Uniform(slot)
}
