package program

import "github.com/warpgrind/warpgrind/internal/warp/alu"

// Use tells what a step does with a slot.
type Use uint8

// Uses. A step reads before it writes, but for slots marked Late, which it may
// read while results are written. Partly marks a write that leaves something
// of the old value in lanes that execute the step.
const (
	Reads Use = 1 << iota
	Writes
	Late
	Partly
)

// Slots calls f for each slot that a step of the program reads or writes. A
// guard is one of them; the writes of a guarded step are still Writes. The
// results of a call are written by it. Slots returns false, and says nothing
// that can be relied on, for an opcode that it does not know.
func (p *Program) Slots(in *Instr, f func(slot int32, u Use)) bool {
	v := slotVisitor(func(slot int32, u Use) {
		if slot > 0 {
			f(slot, u)
		}
	})
	v(in.Guard, Reads)
	switch in.Op {
	case OpEnter, OpJump, OpNop, OpExit, OpReturn, OpTrap, OpFence, OpGridControl, OpUnsupported:
	case OpVec, OpVec4, OpCmp, OpSel, OpLane, OpScalar:
		v.operation(in)
	case OpPredNot, OpPredMov:
		v.all(Reads, in.A)
		v(in.D, Writes)
	case OpPredAnd, OpPredOr, OpPredXor:
		v.all(Reads, in.A, in.B)
		v(in.D, Writes)
	case OpPack:
		v.all(Reads, p.Packs[in.X].Elems...)
		v(p.Packs[in.X].Reg, Writes)
	case OpUnpack:
		v(p.Packs[in.X].Reg, Reads)
		v.all(Writes, p.Packs[in.X].Elems...)
	case OpLoad, OpStore, OpAtomic:
		v.memory(in.Op, &p.Mems[in.X])
	case OpBranch, OpTable, OpSubarray, OpDecide:
		v(in.A, Reads)
	case OpFrame:
		if in.PredNot {
			v(in.D, Reads)
		} else {
			v(in.D, Writes)
		}
	case OpBarrier:
		b := &p.Bars[in.X]
		v.all(Reads|Late, b.ID, b.Count, b.Pred)
		v(b.Dst, Writes)
	case OpSync:
		s := &p.Syncs[in.X]
		v.all(Reads|Late, s.Mask, s.A, s.B, s.C)
		v.all(Writes, s.Dst, s.DstPred)
	case OpStep:
		p.Steps[in.X].Slots(func(slot *int32, _ alu.Width, u Use) { v(*slot, u) })
	case OpActiveMask, OpClock:
		v(in.D, Writes)
	default:
		return v.calls(p, in)
	}
	return true
}

type slotVisitor func(slot int32, u Use)

func (v slotVisitor) all(u Use, slots ...int32) {
	for _, s := range slots {
		v(s, u)
	}
}

func (v slotVisitor) words(u Use, lists [][]int32) {
	for _, l := range lists {
		v.all(u, l...)
	}
}

func (v slotVisitor) operation(in *Instr) {
	for k, s := range [4]int32{in.A, in.B, in.C, in.E} {
		if k < len(in.ALU.Args) {
			v(s, Reads)
		}
	}
	v(in.D, Writes)
	if in.Op == OpLane || in.Op == OpScalar {
		v(in.D2, Writes)
	}
	if in.Op == OpScalar {
		v(in.Bcast, Writes)
	}
}

func (v slotVisitor) memory(op Opcode, m *Mem) {
	v(m.Base, Reads|Late)
	switch op {
	case OpStore:
		v.all(Reads, m.Regs[:]...)
		return
	case OpAtomic:
		v.all(Reads|Late, m.B, m.C)
		if m.Wide {
			v.all(Reads|Late, m.BHigh, m.CHigh)
		}
	}
	v.all(Writes, m.Regs[:]...)
	if m.ScalarRegs {
		v.all(Writes, m.Bcast[:]...)
	}
}

// calls covers the steps with parameter words.
func (v slotVisitor) calls(p *Program, in *Instr) bool {
	switch in.Op {
	case OpCall, OpCallIndirect:
		c := &p.Calls[in.X]
		if in.Op == OpCallIndirect {
			v(in.A, Reads|Late)
		}
		v.words(Reads|Late, c.Args)
		v.words(Writes|p.resultUse(c), c.Rets)
	case OpMath:
		m := &p.Maths[in.X]
		v.words(Reads|Late, m.Args)
		v.words(Writes|Partly, m.Rets)
		if len(m.Rets) > 0 && len(m.Rets[0]) <= 2 && m.Fn.Ret != alu.None {
			v.all(Writes, m.Rets[0]...)
		}
	case OpHost:
		h := &p.Hosts[in.X]
		v.words(Reads|Late, h.Args)
		v.words(Writes|Partly, h.Rets)
		if len(h.Rets) > 0 && len(h.Rets[0]) <= 2 {
			v.all(Writes, h.Rets[0]...)
		}
	default:
		return false
	}
	return true
}

// resultUse is Partly if a function may return fewer words than the call
// wants.
func (p *Program) resultUse(c *Call) Use {
	if c.Func < 0 || c.Func >= len(p.Funcs) {
		return Partly
	}
	rets := p.Funcs[c.Func].Rets
	for i, r := range c.Rets {
		if len(r) > 0 && (i >= len(rets) || len(rets[i]) < len(r)) {
			return Partly
		}
	}
	return 0
}
