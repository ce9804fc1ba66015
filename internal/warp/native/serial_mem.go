package native

import (
	"math/bits"
	"strings"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// serialLoad is a load of a loop that runs serially, or its atomic operation.
type serialLoad struct {
	kind serialKind
	x    int32
	m    *program.Mem
	size int
	// byStride: the address grows by 1<<shift in each round, and has grown before the load if late.
	// byIndex: it is the value of slot, extended by zeros if unsigned and shifted left, added to that of sum.
	shift          byte
	late, unsigned bool
	slot, sum      int32
	// where is the place of what makes a pointer of an address, or the pointer, limit that of the largest index.
	where, limit int32
	// held is a register that has what is at where.
	held jit.Reg
	has  bool
	// extends is set where the value that is loaded is only the index of others, extended by its sign.
	extends bool
}

// serialKind says when an address is checked.
type serialKind uint8

const (
	byRound  serialKind = iota // each time
	byLane                     // once for a lane: it stays the same
	byStride                   // once for a lane, which may do so many rounds
	byIndex                    // each time, as an index of what is checked once for the warp
)

// findLoads finds out how the addresses of the loads are made.
func (l *serialLoop) findLoads() bool {
	writes := map[int32][]int{}
	for i := l.from + 1; i < l.to; i++ {
		l.results(i, func(s int32, _ alu.Width, _ class) { writes[s] = append(writes[s], i) })
	}
	for i := l.from + 1; i < l.to; i++ {
		in := &l.view.p.Code[i]
		if in.Op != program.OpLoad && in.Op != program.OpAtomic {
			continue
		}
		m := &l.view.p.Mems[in.X]
		x := &serialLoad{x: in.X, m: m, size: m.Elem * m.Count}
		l.loads[i] = x
		if m.BaseWidth != alu.W64 || m.Base == program.NoSlot {
			continue
		}
		switch w := writes[m.Base]; {
		case len(w) == 0 && in.Op == program.OpLoad:
			x.kind = byLane
		case len(w) == 1 && l.strides(x, w[0]):
			x.kind, x.late = byStride, w[0] < i
		}
	}
	l.findIndices()
	return len(l.loads) > 0
}

// strides reports whether step i adds a constant to the address of a load, a power of two that keeps it aligned.
func (l *serialLoop) strides(x *serialLoad, i int) bool {
	in := &l.view.p.Code[i]
	if in.Op != program.OpVec || in.ALU.Name != "add.s64" && in.ALU.Name != "add.u64" || in.A != x.m.Base {
		return false
	}
	n, ok := l.pl.values[in.B]
	x.shift = byte(bits.TrailingZeros64(n))
	return ok && n == 1<<x.shift && x.shift < 31 && n >= uint64(x.size)
}

// findIndices finds the addresses that are a sum of what all lanes have and an index of the lane, computed in the round:
// two steps, or three with a shift, of which only loads take the results.
func (l *serialLoop) findIndices() {
	for i := l.from + 1; i < l.to; i++ {
		in := &l.view.p.Code[i]
		if in.Op != program.OpVec {
			continue
		}
		x := serialLoad{kind: byIndex, slot: in.A, sum: program.NoSlot}
		switch in.ALU.Name {
		case "cvt.s64.s32", "cvt.u64.s32":
		case "cvt.s64.u32", "cvt.u64.u32":
			x.unsigned = true
		case "mul.wide.s32", "mul.wide.u32":
			n, ok := l.pl.values[in.B]
			if x.unsigned, x.shift = in.ALU.Name == "mul.wide.u32", byte(bits.TrailingZeros64(n)); !ok || n != 1<<x.shift || x.shift > 3 {
				continue
			}
		default:
			continue
		}
		if !l.pl.same[in.A] {
			l.index(i, x)
		}
	}
}

// index follows the result of step i, an index, to the loads that take it.
func (l *serialLoop) index(i int, x serialLoad) {
	steps, loads, slot := []int{i}, map[int]bool{}, l.view.p.Code[i].D
	for j := i + 1; ; j++ {
		if j == l.to {
			if l.leaves(slot) != notWanted {
				return
			}
			break
		}
		in := &l.view.p.Code[j]
		reads, writes := false, map[int32]bool{}
		l.operands(j, func(s int32, _ alu.Width, _ class) { reads = reads || s == slot })
		l.results(j, func(s int32, _ alu.Width, _ class) { writes[s] = true })
		switch {
		case !reads:
		case in.Op == program.OpLoad || in.Op == program.OpAtomic && l.loads[j].m.B != slot && l.loads[j].m.C != slot:
			m := l.loads[j].m
			if x.sum == program.NoSlot || m.Space != trace.SpaceGlobal || l.loads[j].size > 1<<x.shift {
				return
			}
			loads[j] = true
		case len(loads) > 0 || !l.extends(in, &x, slot):
			return
		default:
			if in.D != slot && (l.leaves(slot) != notWanted || l.readLater(slot, j)) {
				return
			}
			steps, slot = append(steps, j), in.D
			continue
		}
		if writes[slot] {
			break
		}
		if writes[x.slot] && l.readLater(slot, j) {
			return
		}
	}
	if len(loads) == 0 {
		return
	}
	for j := range loads {
		y := l.loads[j]
		l.extendedFor(j, &x)
		x.x, x.m, x.size = y.x, y.m, y.size
		*y = x
	}
	for _, j := range steps {
		l.indices[j] = true
	}
}

// extendedFor lets the load of the index of the load at step j extend it by its sign, if that is the step before that
// writes the index's slot, and nothing else reads it.
func (l *serialLoop) extendedFor(j int, x *serialLoad) {
	again := false // the slot gets another value before the round ends
	for i := j; i < l.to; i++ {
		l.results(i, func(s int32, _ alu.Width, _ class) { again = again || s == x.slot })
	}
	if x.unsigned || l.leaves(x.slot) != notWanted && !again {
		return
	}
	reads := 0
	for i := j - 1; i > l.from; i-- {
		l.operands(i, func(s int32, _ alu.Width, _ class) {
			if s == x.slot {
				reads++
			}
		})
		written := false
		l.results(i, func(s int32, _ alu.Width, _ class) { written = written || s == x.slot })
		if y := l.loads[i]; written && y != nil {
			y.extends = reads == 1 && y.m.Elem == 4 && y.m.Count == 1 && !l.readLater(x.slot, j-1)
		}
		if written {
			return
		}
	}
}

// extends adds a step to an index: a shift, or the sum with what all lanes have.
func (l *serialLoop) extends(in *program.Instr, x *serialLoad, slot int32) bool {
	if in.Op != program.OpVec || x.sum != program.NoSlot {
		return false
	}
	switch in.ALU.Name {
	case "shl.b64":
		n, ok := l.pl.values[in.B]
		x.shift += byte(n)
		return ok && in.A == slot && n <= 3 && x.shift <= 3
	case "add.s64", "add.u64":
		x.sum = in.A
		if in.A == slot {
			x.sum = in.B
		}
		_, known := l.pl.values[x.sum]
		return x.sum != slot && !known && (l.pl.same[x.sum] || x.sum < l.view.p.Uniform)
	}
	return false
}

// readLater reports whether a step after j reads a slot before it is written.
func (l *serialLoop) readLater(slot int32, j int) bool {
	for j++; j < l.to; j++ {
		reads, writes := false, false
		l.operands(j, func(s int32, _ alu.Width, _ class) { reads = reads || s == slot })
		l.results(j, func(s int32, _ alu.Width, _ class) { writes = writes || s == slot })
		if reads || writes {
			return reads
		}
	}
	return false
}

// takeCells takes what a load needs.
func (x *serialLoad) takeCells(l *serialLoop) {
	if x.kind == byRound {
		return
	}
	x.where = l.cell()
	switch x.kind {
	case byLane: // cells with the values
		for range x.m.Count - 1 {
			l.cell()
		}
		return
	case byIndex:
		x.limit = l.cell()
	}
	x.held, x.has = l.takeGeneral()
}

// mayRepeat reports whether an atomic operation may be repeated with the same operand, and done in any order: what is in memory
// in the end is the same. It is a logic operation, the lesser or greater value, or, with swaps, cas with operands that all
// lanes have.
func mayRepeat(atom string) (swaps, ok bool) {
	op, _, _ := strings.Cut(atom, ".")
	return op == "cas", op == "and" || op == "or" || op == "min" || op == "max" || op == "cas"
}

// settles reports whether step i is such an operation on global memory whose result nothing reads.
func (l *serialLoop) settles(i int) bool {
	m := &l.view.p.Mems[l.view.p.Code[i].X]
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
	for j := i + 1; j < l.to; j++ {
		l.results(j, func(s int32, _ alu.Width, _ class) { again = again || s == r })
	}
	return !l.readLater(r, i) && (again || l.leaves(r) == notWanted)
}

// short reports a value that all lanes have and an instruction can take as it is.
func (l *serialLoop) short(slot int32) bool {
	v, known := l.pl.values[slot]
	return known && int64(v) == int64(int32(v)) || !known && l.uniform(slot)
}
