package lower

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Verify checks the structure of a lowered program: every slot lies inside
// the slab and is aligned to its width, every jump goes to an OpEnter step,
// reconvergence points are marked as such, and indices of tables are in range. The
// error names the step. It is for tests and debugging.
func Verify(p *program.Program) error {
	v := &verifier{p: p}
	for i := range p.Code {
		v.at = i
		v.instr(&p.Code[i])
	}
	v.at = -1
	v.frame()
	return v.err
}

// verifier keeps the first defect that it finds.
type verifier struct {
	p   *program.Program
	at  int
	err error
}

func (v *verifier) failf(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("step %d of %s: %s", v.at, v.p.Name, fmt.Sprintf(format, args...))
	}
}

// rowBytes is what a slot of the width takes: a row, or a mask.
func rowBytes(w alu.Width) int32 {
	switch w {
	case alu.W64:
		return 256
	case alu.W32:
		return 128
	}
	return 8
}

// slot checks a slot of n bytes; NoSlot is allowed if optional.
func (v *verifier) slot(what string, s, n int32, optional bool) {
	if s == program.NoSlot && optional {
		return
	}
	switch align := min(n, 64); {
	case s < 64 || s > v.p.Slab-n:
		v.failf("%s at %d (%d bytes) is outside of the slab of %d bytes", what, s, n, v.p.Slab)
	case s%align != 0:
		v.failf("%s at %d is not aligned to %d bytes", what, s, align)
	}
}

func (v *verifier) row(what string, s int32, w alu.Width, optional bool) {
	v.slot(what, s, rowBytes(w), optional)
}

// uniform wants a slot kept once per warp to be in that part of the slab.
func (v *verifier) uniform(what string, s, n int32) {
	v.slot(what, s, n, true)
	if s != program.NoSlot && s > v.p.Uniform-n {
		v.failf("%s at %d is written once per warp but outside of the uniform part", what, s)
	}
}

func (v *verifier) index(what string, x int32, n int) bool {
	if x < 0 || int(x) >= n {
		v.failf("%s %d of %d", what, x, n)
		return false
	}
	return true
}

// target wants the start of a block; meet also that lanes may meet there.
func (v *verifier) target(t int32, meet bool) {
	if meet && t == -1 {
		return
	}
	if !v.index("target", t, len(v.p.Code)) {
		return
	}
	switch in := &v.p.Code[t]; {
	case in.Op != program.OpEnter:
		v.failf("target %d is not a start of a block", t)
	case meet && !in.Join:
		v.failf("reconvergence point %d is not marked", t)
	}
}

func (v *verifier) instr(in *program.Instr) {
	v.slot("guard", in.Guard, 8, true)
	switch in.Op {
	case program.OpVec, program.OpVec4, program.OpCmp, program.OpSel, program.OpLane:
		v.operation(in)
	case program.OpScalar:
		v.scalar(in)
	case program.OpPredNot, program.OpPredMov:
		v.slot("D", in.D, 8, false)
		v.slot("A", in.A, 8, false)
	case program.OpPredAnd, program.OpPredOr, program.OpPredXor:
		v.slot("D", in.D, 8, false)
		v.slot("A", in.A, 8, false)
		v.slot("B", in.B, 8, false)
	case program.OpPack, program.OpUnpack:
		v.pack(in)
	case program.OpLoad, program.OpStore, program.OpAtomic:
		v.mem(in)
	case program.OpClock:
		v.row("D", in.D, in.Dst, false)
	case program.OpActiveMask:
		v.row("D", in.D, alu.W32, false)
	case program.OpSubarray:
		v.index("part", in.X, len(v.p.Subarrays))
	case program.OpDecide:
		v.slot("A", in.A, 8, false)
		v.index("decision", in.X, len(v.p.Decisions))
	default:
		v.control(in)
	}
}

func (v *verifier) control(in *program.Instr) {
	p := v.p
	switch in.Op {
	case program.OpJump, program.OpBranch:
		if in.Op == program.OpBranch {
			v.slot("condition", in.A, 8, false)
		}
		if v.index("branch", in.X, len(p.Branches)) {
			v.target(p.Branches[in.X].Target, false)
			if in.Op == program.OpBranch {
				v.target(p.Branches[in.X].Meet, true)
			}
		}
	case program.OpTable:
		v.row("index", in.A, alu.W32, false)
		if v.index("table", in.X, len(p.Tables)) {
			for _, t := range p.Tables[in.X].Targets {
				v.target(t, false)
			}
			if len(p.Tables[in.X].Targets) > 1 {
				v.target(p.Tables[in.X].Meet, true)
			}
		}
	case program.OpCall, program.OpCallIndirect:
		v.call(in)
	case program.OpFrame:
		v.row("frame", in.D, alu.W32, false)
		v.row("stack", p.StackTop, alu.W32, false)
	case program.OpBarrier:
		v.bar(in)
	case program.OpSync:
		v.sync(in)
	case program.OpMath:
		if v.index("math", in.X, len(p.Maths)) {
			v.words(p.Maths[in.X].Args)
			v.words(p.Maths[in.X].Rets)
		}
	case program.OpHost:
		if v.index("host", in.X, len(p.Hosts)) {
			v.words(p.Hosts[in.X].Args)
			v.words(p.Hosts[in.X].Rets)
		}
	case program.OpStep:
		v.step(in)
	case program.OpUnsupported:
		v.index("message", in.X, len(p.Messages))
	case program.OpEnter:
		if in.X != program.NoBlock {
			v.index("basic block", in.X, len(v.p.Blocks))
		}
	case program.OpReturn, program.OpExit, program.OpTrap, program.OpFence, program.OpGridControl, program.OpNop:
	default:
		v.failf("unknown opcode %d", in.Op)
	}
}

// operation checks a step that computes lane by lane.
func (v *verifier) operation(in *program.Instr) {
	if in.ALU == nil {
		v.failf("no operation")
		return
	}
	v.row(in.ALU.Name+" D", in.D, in.Dst, in.Op == program.OpLane)
	if in.Op == program.OpLane {
		v.row(in.ALU.Name+" D2", in.D2, in.Dst2, true)
	}
	for k, s := range []int32{in.A, in.B, in.C, in.E} {
		if k < len(in.ALU.Args) {
			v.row(in.ALU.Name+" operand", s, in.ALU.Args[k], false)
		}
	}
	if in.D != program.NoSlot && in.D < v.p.Uniform || in.Op == program.OpLane && in.D2 != program.NoSlot && in.D2 < v.p.Uniform {
		v.failf("%s writes lanes of a value that is kept once", in.ALU.Name)
	}
}

func (v *verifier) scalar(in *program.Instr) {
	if in.ALU == nil {
		v.failf("no operation")
		return
	}
	v.uniform(in.ALU.Name+" D", in.D, 8)
	v.uniform(in.ALU.Name+" D2", in.D2, 8)
	if in.Bcast != program.NoSlot {
		v.uniform(in.ALU.Name+" copy", in.Bcast, rowBytes(in.Dst))
	}
	for k, s := range []int32{in.A, in.B, in.C, in.E} {
		if k < len(in.ALU.Args) {
			v.slot(in.ALU.Name+" operand", s, 8, false)
		}
	}
}

func (v *verifier) pack(in *program.Instr) {
	if !v.index("pack", in.X, len(v.p.Packs)) {
		return
	}
	k := &v.p.Packs[in.X]
	v.row("packed", k.Reg, k.Width, false)
	for _, s := range k.Elems {
		v.row("element", s, k.ElemWidth, in.Op == program.OpUnpack)
	}
}

func (v *verifier) mem(in *program.Instr) {
	if !v.index("memory", in.X, len(v.p.Mems)) {
		return
	}
	m := &v.p.Mems[in.X]
	if m.Site == nil || m.Elem <= 0 || m.Elem > 8 || m.Count < 1 || m.Count > 4 {
		v.failf("memory instruction of %d elements of %d bytes", m.Count, m.Elem)
	}
	for k, s := range m.Regs {
		switch {
		case m.ScalarRegs:
			v.uniform("element", s, 8)
			if m.Bcast[k] != program.NoSlot {
				v.uniform("copy", m.Bcast[k], rowBytes(m.Width))
			}
		case k < m.Count:
			v.row("element", s, m.Width, in.Op != program.OpStore)
		}
	}
	if m.Scalar {
		v.slot("address", m.Base, 8, true)
	} else {
		v.row("address", m.Base, m.BaseWidth, true)
	}
	if in.Op == program.OpAtomic {
		v.row("operand", m.B, m.Width, false)
		v.row("operand", m.C, m.Width, true)
		if m.Wide {
			v.row("upper half", m.BHigh, m.Width, false)
			v.row("upper half", m.CHigh, m.Width, true)
		}
		if m.Fn == nil {
			v.failf("atomic without a function")
		}
	}
}

func (v *verifier) words(lists [][]int32) {
	for _, l := range lists {
		for _, s := range l {
			v.row("parameter word", s, alu.W32, false)
		}
	}
}

func (v *verifier) call(in *program.Instr) {
	if !v.index("call", in.X, len(v.p.Calls)) {
		return
	}
	c := &v.p.Calls[in.X]
	if in.Op == program.OpCall {
		v.index("function", int32(c.Func), len(v.p.Funcs))
	} else {
		v.row("function address", in.A, alu.W64, false)
	}
	v.words(c.Args)
	v.words(c.Rets)
	if a := c.Save; a.Hi > a.Lo && (a.Lo < 64 || a.Wide < a.Lo || a.Preds < a.Wide || a.Hi < a.Preds || a.Hi > v.p.Slab) {
		v.failf("saved area %+v", a)
	}
	if next := v.at + 1; next >= len(v.p.Code) || v.p.Code[next].Op != program.OpEnter || !v.p.Code[next].Join {
		v.failf("a call is not followed by a reconvergence point")
	}
}

func (v *verifier) bar(in *program.Instr) {
	if !v.index("barrier", in.X, len(v.p.Bars)) {
		return
	}
	b := &v.p.Bars[in.X]
	v.row("barrier", b.ID, alu.W32, false)
	v.row("count", b.Count, alu.W32, true)
	v.slot("input", b.Pred, 8, true)
	w := alu.Pred
	if b.Kind == program.BarPopc {
		w = alu.W32
	}
	v.row("result", b.Dst, w, true)
}

func (v *verifier) sync(in *program.Instr) {
	if !v.index("sync", in.X, len(v.p.Syncs)) {
		return
	}
	s := &v.p.Syncs[in.X]
	a, d := alu.W32, alu.W32
	switch {
	case s.Kind >= program.VoteAll && s.Kind <= program.VoteBallot:
		a = alu.Pred
	case s.Wide:
		a = alu.W64
	}
	if s.DstIsPred {
		d = alu.Pred
	}
	v.row("mask", s.Mask, alu.W32, s.Legacy)
	v.row("A", s.A, a, s.Kind == program.SyncWarp || s.Kind == program.Elect || s.Kind == program.Converge)
	v.row("B", s.B, alu.W32, true)
	v.row("C", s.C, alu.W32, true)
	v.row("result", s.Dst, d, true)
	v.row("second result", s.DstPred, alu.Pred, true)
}

// frame checks what does not belong to a step.
func (v *verifier) frame() {
	p := v.p
	if p.Uniform < 0 || p.Uniform > p.Slab {
		v.failf("uniform part of %d bytes in a slab of %d", p.Uniform, p.Slab)
	}
	for _, list := range [][]program.Const{p.Consts, p.Zero} {
		for _, c := range list {
			n := rowBytes(c.Width)
			if c.Scalar {
				n = 8
			}
			v.slot("constant", c.Slot, n, false)
		}
	}
	for i := range p.Specials {
		s := &p.Specials[i]
		if s.Vector {
			v.row(s.Name, s.Slot, alu.W32, false)
			continue
		}
		v.slot(s.Name, s.Slot, 8, false)
		v.row(s.Name, s.Bcast, program.SpecialWidth(s.Name), true)
	}
	for i := range p.Funcs {
		v.index("entry", p.Funcs[i].Entry, len(p.Code))
		v.words(p.Funcs[i].Params)
		v.words(p.Funcs[i].Rets)
	}
	if n := len(p.Code); n == 0 {
		v.failf("no code")
	} else if op := p.Code[n-1].Op; op != program.OpReturn && op != program.OpJump && op != program.OpTable && op != program.OpExit {
		v.failf("control runs off the end")
	}
	for i, s := range p.Sites {
		if s.ID != i {
			v.failf("site %d has number %d", i, s.ID)
		}
	}
}
