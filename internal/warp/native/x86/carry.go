package x86

import (
	"cmp"
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// A loop of one straight run keeps the rows that it reads first in vector registers, each in the same ones whenever the
// run begins. The slab gets those that changed where the code is left or lanes diverge, and at the end of the loop; of
// lanes that leave one after the other it gets, each time, those that live on.

// carrying is what the run at hand, if it is such a loop, has in registers where it begins, and that place.
type carrying struct {
	home []row
	loop jit.Label
}

// loopCode is the generator for such a run.
type loopCode struct{ *gen }

// maxCarried bounds the registers for that: an access needs up to 12 besides its operands.
const maxCarried = 16

// carry loads what a loop keeps in registers, and begins it.
func (g loopCode) carry(first int) {
	g.carrying = carrying{}
	if !native.Repeats(g.Program, first, g.Until) {
		return
	}
	g.at = first
	written := map[int32]bool{}
	for i := first; i < g.Until; i++ {
		for _, s := range g.pl.Steps[i].Writes {
			written[s] = true
		}
	}
	widths, used := g.readFirst(first), 0
	if l := native.NewSerialLoop(g.Scope, first, g.Until); l != nil && len(widths) > 0 {
		serialCode{l, g.gen}.emit()
	}
	for _, s := range slices.SortedFunc(maps.Keys(widths), func(a, b int32) int {
		if written[a] != written[b] { // what changes from round to round comes first
			return map[bool]int{true: -1, false: 1}[written[a]]
		}
		return cmp.Compare(a, b)
	}) {
		if n := partsOf(widths[s]); used+n <= maxCarried {
			used += n
			r := g.hold(s, widths[s])
			r.dirty, r.loose = written[s], written[s] && native.Loosens(g.Program, g.pl, s, first, g.Until)
			g.LastRead[g.pl.IDs[s]] = g.Until // by the next round
		}
	}
	if len(g.rows) == 0 {
		return
	}
	g.carrying = carrying{home: slices.Clone(g.rows), loop: g.NewLabel()}
	g.Bind(g.loop)
}

// carries reports whether the run keeps rows in registers.
func (g loopCode) carries() bool { return len(g.home) > 0 }

// isCarried reports whether a slot is among these.
func (g loopCode) isCarried(slot int32) bool {
	return slices.ContainsFunc(g.home, func(r row) bool { return r.slot == slot })
}

// readFirst finds the rows with a value for each lane that the run from first on reads before it writes them, with
// their widths. Rows that other steps read than those with rowOperands are not among them.
func (g loopCode) readFirst(first int) map[int32]alu.Width {
	widths, killed, other := map[int32]alu.Width{}, map[int32]bool{}, map[int32]bool{}
	for i := first; i < g.Until; i++ {
		e, here := &g.pl.Steps[i], map[int32]alu.Width{}
		g.rowOperands(&g.Program.Code[i], func(slot int32, w alu.Width) { here[slot] = w })
		for _, s := range e.Reads {
			w, ok := here[s]
			before, had := widths[s]
			switch {
			case !ok || had && before != w:
				other[s] = true
			case !killed[s]:
				widths[s] = w
			}
		}
		if e.Exact {
			for _, s := range e.Writes {
				killed[s] = true
			}
		}
	}
	maps.DeleteFunc(widths, func(s int32, _ alu.Width) bool { return other[s] || g.pl.Same[s] })
	return widths
}

// rowOperands calls f for the rows that a step reads by the methods of allocator, with their widths.
func (g loopCode) rowOperands(in *program.Instr, f func(slot int32, w alu.Width)) {
	if in.Guard != program.NoSlot {
		return
	}
	switch in.Op {
	case program.OpVec, program.OpVec4:
		for k, arg := range native.BodyOf(in.ALU).Args {
			f([]int32{in.A, in.B, in.C, in.E}[k], native.WidthOf(arg))
		}
	case program.OpCmp:
		arg := native.BodyOf(in.ALU).Args[0]
		f(in.A, native.WidthOf(arg))
		f(in.B, native.WidthOf(arg))
	case program.OpSel:
		f(in.A, in.Dst)
		f(in.B, in.Dst)
	case program.OpLoad, program.OpStore, program.OpAtomic:
		m := &g.Program.Mems[in.X]
		if !m.Scalar {
			f(m.Base, m.BaseWidth)
		}
		if in.Op == program.OpStore && !m.ScalarRegs {
			for _, s := range m.Regs[:m.Count] {
				f(s, m.Width)
			}
		}
		if in.Op == program.OpAtomic {
			f(m.B, m.Width)
			f(m.C, m.Width)
		}
	}
}

// settleLoop does what settle does at the end of a loop but for the rows that it keeps. In the form for some lanes,
// of which some may leave, those that live on are in the slab as well.
func (g loopCode) settleLoop() {
	g.at = g.Until
	for _, r := range slices.Clone(g.rows) {
		if g.isCarried(r.slot) {
			continue
		}
		if r.dirty {
			g.save(&r)
		}
		g.forget(r.slot)
	}
	if g.part {
		g.saveLive(g.Until)
	}
	g.count()
}

// saveLive writes those rows to the slab that live on at a step, that after the loop.
func (g loopCode) saveLive(after int) {
	live := g.pl.LiveIn[int32(after)]
	for i := range g.rows {
		n := g.pl.IDs[g.rows[i].slot]
		if g.rows[i].dirty && (live[n/64]>>(n%64)&1 != 0 || g.pl.Kept[n]) {
			g.save(&g.rows[i])
		}
	}
}

// repeatLoop brings the rows back to where they are when the loop begins, and continues there.
func (g loopCode) repeatLoop() {
	var moves []move
	var gone []row
	for _, h := range g.home {
		r := g.peek(h.slot)
		if r != nil && !(r.loose && h.loose) {
			r = g.find(h.slot)
		}
		if r == nil {
			gone = append(gone, h)
			continue
		}
		for i := range h.parts {
			moves = append(moves, move{h.reg[i], r.part(i)})
		}
	}
	g.moveAll(moves)
	for i := range gone {
		g.memoryCode().reload(&gone[i])
	}
	g.Jump(g.loop)
}

// move is from one vector register to another.
type move struct{ to, from jit.Vec }

// moveAll does moves at once. The targets differ.
func (g *allocator) moveAll(moves []move) {
	for {
		moves = slices.DeleteFunc(moves, func(m move) bool { return m.to == m.from })
		if len(moves) == 0 {
			return
		}
		next := slices.IndexFunc(moves, func(m move) bool {
			return !slices.ContainsFunc(moves, func(o move) bool { return o.from == m.to })
		})
		if next >= 0 {
			g.copyTo(moves[next].to, moves[next].from)
			moves = slices.Delete(moves, next, next+1)
			continue
		}
		held := moves[0].from // all targets are to be moved as well: what one has goes by way of the spare register
		g.copyTo(spare, held)
		for i := range moves {
			if moves[i].from == held {
				moves[i].from = spare
			}
		}
	}
}

func (g *allocator) copyTo(to, from jit.Vec) {
	g.Emit(jit.VMOVDQU64, jit.Args{Reg: int8(to), RM: int8(from)})
}

// endsLoop continues after the branch at the end of a loop that keeps rows in registers, in the form for all lanes.
func (g loopCode) endsLoop(i int, x native.BranchStep) {
	leaves, parting := g.NewLabel(), g.NewLabel()
	g.Load32(jit.RAX, slab(x.Predicate, 0))
	if x.Not {
		g.Not(false, jit.RAX)
	}
	g.Test(false, jit.RAX, jit.RAX)
	g.JumpIf(jit.E, leaves)
	g.OpImm(jit.CMP, false, jit.RAX, -1)
	g.JumpIf(jit.NE, parting)
	rows := slices.Clone(g.rows)
	g.repeatLoop()
	g.cold = append(g.cold, func() {
		g.Bind(leaves)
		g.memoryCode().restore(rows)
		g.saveLive(int(x.Next))
		g.Jump(g.label(x.Next))
		g.Bind(parting)
		g.memoryCode().restore(rows)
		g.flush()
		g.diverging().parts(i, x, false)
	})
}
