package taint

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// FollowStep works out what a step makes of undefined values, before it is executed by
// lanes mask of a group. Accesses to memory and exchanges between lanes do their part
// when they know addresses and lanes.
func (tr *Tracker) FollowStep(in *program.Instr, mask uint32) {
	m, unsure := tr.followGuard(in, mask)
	if m != 0 {
		tr.followExecuted(in, mask, m)
	}
	if unsure != 0 {
		tr.unsureResults(in, unsure)
	}
}

// followExecuted is followStep for the lanes m that execute the step.
func (tr *Tracker) followExecuted(in *program.Instr, mask, m uint32) {
	switch in.Op {
	case program.OpVec, program.OpVec4, program.OpCmp, program.OpSel, program.OpLane:
		tr.followLanes(in, m)
	case program.OpScalar:
		tr.followScalar(in)
	case program.OpPredNot, program.OpPredAnd, program.OpPredOr, program.OpPredXor, program.OpPredMov:
		tr.followPredicate(in, m)
	case program.OpPack:
		p := &tr.prog.Packs[in.X]
		tr.FollowMove(m, []int32{p.Reg}, p.Width, p.Elems, p.ElemWidth, func() { tr.regs.Pack(p, m) })
	case program.OpUnpack:
		p := &tr.prog.Packs[in.X]
		tr.FollowMove(m, p.Elems, p.ElemWidth, []int32{p.Reg}, p.Width, func() { tr.regs.Unpack(p, m) })
	case program.OpLoad, program.OpStore, program.OpAtomic:
		op := &tr.prog.Mems[in.X]
		tr.UseRegister(trace.FormsAddress, op.Site, op.Base, op.BaseWidth, op.Scalar, m)
	default:
		tr.followOther(in, mask, m)
	}
}

// followGuard returns the lanes that execute a step, and of those that a guard may leave
// out the ones for which it is undefined whether it does.
func (tr *Tracker) followGuard(in *program.Instr, mask uint32) (m, unsure uint32) {
	if in.Guard == program.NoSlot {
		return mask, 0
	}
	p := *tr.regs.Pred(in.Guard)
	if in.Not {
		p = ^p
	}
	m = mask & p
	if !tr.shadow.IsDirty(in.Guard) {
		return m, 0
	}
	if unsure = *tr.shadow.pred(in.Guard) & mask; unsure == 0 {
		return m, 0
	}
	switch in.Op {
	case program.OpVec, program.OpVec4, program.OpCmp, program.OpSel, program.OpLane, program.OpPredNot, program.OpPredAnd, program.OpPredOr, program.OpPredXor, program.OpPredMov, program.OpPack, program.OpUnpack, program.OpScalar:
		return m, unsure // both what it computes and what was there before come from it
	}
	tr.UseRegister(trace.DecidesGuard, tr.siteOf(in), in.Guard, alu.Pred, false, mask)
	return m, 0
}

// unsureResults makes what a step writes undefined in lanes of which it is undefined
// whether they execute it.
func (tr *Tracker) unsureResults(in *program.Instr, m uint32) {
	s := tr.shadow
	mark := func(slot int32, width alu.Width) {
		if slot == program.NoSlot || slot == 0 || width == alu.None {
			return
		}
		for b := m; b != 0; b &= b - 1 {
			l := vec.Lowest(b) & 31
			s.Set(slot, width, l, whole(width), s.Origin(in.Guard, alu.Pred, l)|trace.Computed)
		}
		s.Settle(slot, width)
	}
	switch in.Op {
	case program.OpPack:
		mark(tr.prog.Packs[in.X].Reg, tr.prog.Packs[in.X].Width)
	case program.OpUnpack:
		for _, e := range tr.prog.Packs[in.X].Elems {
			mark(e, tr.prog.Packs[in.X].ElemWidth)
		}
	case program.OpPredNot, program.OpPredAnd, program.OpPredOr, program.OpPredXor, program.OpPredMov:
		mark(in.D, alu.Pred)
	case program.OpScalar:
		l := vec.Lowest(m)
		s.setScalar(in.D, in.Dst, in.Bcast, whole(in.Dst), s.Origin(in.Guard, alu.Pred, l)|trace.Computed)
	default:
		mark(in.D, resultWidth(in))
		mark(in.D2, in.Dst2)
	}
}

// resultWidth is the width of a step's first result.
func resultWidth(in *program.Instr) alu.Width {
	if in.Op == program.OpCmp {
		return alu.Pred
	}
	if in.ALU != nil && in.Dst == alu.None {
		return in.ALU.Dst
	}
	return in.Dst
}

// siteOf is the place of a step for messages, nil for none.
func (tr *Tracker) siteOf(in *program.Instr) *trace.Site {
	switch in.Op {
	case program.OpLoad, program.OpStore, program.OpAtomic:
		return tr.prog.Mems[in.X].Site
	case program.OpBranch, program.OpJump:
		return tr.prog.Branches[in.X].Site
	case program.OpBarrier:
		return tr.prog.Bars[in.X].Site
	case program.OpSync:
		return tr.prog.Syncs[in.X].Site
	}
	return in.Site
}

// operandsOf reads what a lane's operation computes with. from is the origin of the first
// undefined operand.
func (tr *Tracker) operandsOf(in *program.Instr, l int, x *operands) (from uint32) {
	slots := [4]int32{in.A, in.B, in.C, in.E}
	s := tr.shadow
	*x = operands{n: len(in.ALU.Args)}
	for k, width := range in.ALU.Args {
		slot := slots[k]
		x.v[k] = tr.regs.LaneValue(slot, width, l)
		if x.u[k] = s.Bits(slot, width, l); x.u[k] != 0 {
			from = tr.both(from, s.Origin(slot, width, l))
		}
	}
	return from
}

// both is the origin of what is computed from two undefined values. It is the one that was recorded earlier, or of one
// instruction the lower lane's, whatever the order of the operands: of a reduction by shuffles the first lane that read
// an undefined value. Observers hear of the other.
func (tr *Tracker) both(a, b uint32) uint32 {
	switch {
	case a == 0:
		return b
	case (a^b)&^trace.Computed == 0:
		return a | b
	case b&^trace.Computed < a&^trace.Computed:
		a, b = b, a
	}
	pair := [2]uint32{a &^ trace.Computed, b &^ trace.Computed}
	u := tr.block
	if _, ok := u.joined[pair]; !ok && len(u.joined) < maxJoined {
		if u.joined == nil {
			u.joined = map[[2]uint32]struct{}{}
		}
		u.joined[pair] = struct{}{}
		if o := tr.warp.Observer().Undefined; o != nil {
			o.Mixed(pair[0], pair[1])
		}
	}
	return a | b&trace.Computed
}

// maxJoined bounds the pairs of origins that are told in a block.
const maxJoined = 1 << 14

func (tr *Tracker) followLanes(in *program.Instr, m uint32) {
	s := tr.shadow
	if !s.IsDirty(in.A) && !s.IsDirty(in.B) && !s.IsDirty(in.C) && !s.IsDirty(in.E) {
		s.Define(in.D, resultWidth(in), m)
		s.Define(in.D2, in.Dst2, m)
		return
	}
	var x operands
	f, d := flowOf(in.ALU), resultWidth(in)
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		from := tr.operandsOf(in, l, &x)
		u, computed, u2 := result(f, in.ALU, &x)
		if computed {
			from |= trace.Computed
		}
		if in.D != program.NoSlot {
			s.Set(in.D, d, l, u, from)
		}
		if in.D2 != program.NoSlot && in.Dst2 != alu.None {
			s.Set(in.D2, in.Dst2, l, u2, from|trace.Computed)
		}
	}
	if in.D != program.NoSlot {
		s.Settle(in.D, d)
	}
	if in.D2 != program.NoSlot && in.Dst2 != alu.None {
		s.Settle(in.D2, in.Dst2)
	}
}

// result applies an operation's rule; u2 is for a second result, which is undefined as a
// whole where an operand is.
func result(f flow, op *alu.Op, x *operands) (u uint64, computed bool, u2 uint64) {
	if !x.any(^uint(0)) {
		return 0, false, 0
	}
	u, computed = f(op, x)
	return u, computed, ^uint64(0)
}

func (tr *Tracker) followScalar(in *program.Instr) {
	s := tr.shadow
	slots := [4]int32{in.A, in.B, in.C, in.E}
	x, from := operands{n: len(in.ALU.Args)}, uint32(0)
	for k, width := range in.ALU.Args {
		slot := slots[k]
		if width == alu.Pred {
			x.v[k], x.u[k] = uint64(*tr.regs.Pred(slot)&1), s.Bits(slot, width, 0)
		} else if x.v[k] = *tr.regs.S64(slot) & whole(width); s.IsDirty(slot) {
			x.u[k] = *s.s64(slot) & whole(width)
		}
		if x.u[k] != 0 {
			from = tr.both(from, s.Origin(slot, width, 0))
		}
	}
	u, computed, u2 := result(flowOf(in.ALU), in.ALU, &x)
	if computed {
		from |= trace.Computed
	}
	s.setScalar(in.D, in.Dst, in.Bcast, u, from)
	s.setScalar(in.D2, in.Dst2, program.NoSlot, u2, from|trace.Computed)
}

// followPredicate is for the operations on masks.
func (tr *Tracker) followPredicate(in *program.Instr, m uint32) {
	s := tr.shadow
	two := in.Op == program.OpPredAnd || in.Op == program.OpPredOr || in.Op == program.OpPredXor
	if in.D < tr.prog.Uniform {
		m = ^uint32(0)
	}
	if !s.IsDirty(in.A) && !(two && s.IsDirty(in.B)) {
		s.Define(in.D, alu.Pred, m)
		return
	}
	ua, ub := *s.pred(in.A), uint32(0)
	u := ua
	if two {
		a, b := *tr.regs.Pred(in.A), *tr.regs.Pred(in.B)
		ub = *s.pred(in.B)
		u = ua | ub
		switch in.Op {
		case program.OpPredAnd:
			u &= (ua | a) & (ub | b)
		case program.OpPredOr:
			u &= (ua | ^a) & (ub | ^b)
		}
	}
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		from := in.A
		if ua>>l&1 == 0 {
			from = in.B
		}
		var o uint32
		if u>>l&1 != 0 {
			o = s.Origin(from, alu.Pred, l)
		}
		s.Set(in.D, alu.Pred, l, uint64(u>>l&1), o)
	}
	s.Settle(in.D, alu.Pred)
}

// FollowMove is for steps that move bits from registers to registers of the same lane.
func (tr *Tracker) FollowMove(m uint32, to []int32, toWidth alu.Width, from []int32, fromWidth alu.Width, move func()) {
	s := tr.shadow
	var origin vec.Row32
	any := false
	for _, slot := range from {
		if slot == program.NoSlot || !s.IsDirty(slot) {
			continue
		}
		any = true
		for b := m; b != 0; b &= b - 1 {
			if l := vec.Lowest(b) & 31; origin[l] == 0 && s.Bits(slot, fromWidth, l) != 0 {
				origin[l] = s.Origin(slot, fromWidth, l)
			}
		}
	}
	if !any {
		for _, slot := range to {
			s.Define(slot, toWidth, m)
		}
		return
	}
	tr.moved(move)
	for _, slot := range to {
		if slot == program.NoSlot {
			continue
		}
		for b := m; b != 0; b &= b - 1 {
			l := vec.Lowest(b) & 31
			s.mark(slot, true)
			s.Set(slot, toWidth, l, s.Bits(slot, toWidth, l), origin[l])
		}
		s.Settle(slot, toWidth)
	}
}

// followOther is for steps that direct the flow of control, and those that are followed
// as a whole.
func (tr *Tracker) followOther(in *program.Instr, mask, m uint32) {
	switch in.Op {
	case program.OpBranch:
		tr.UseRegister(trace.DecidesBranch, tr.siteOf(in), in.A, alu.Pred, false, mask)
	case program.OpTable:
		tr.UseRegister(trace.DecidesBranch, in.Site, in.A, alu.W32, false, m)
	case program.OpCallIndirect:
		tr.UseRegister(trace.FormsAddress, in.Site, in.A, alu.W64, false, m)
	case program.OpBarrier:
		b := &tr.prog.Bars[in.X]
		tr.UseRegister(trace.SelectsLanes, b.Site, b.ID, alu.W32, false, m)
		tr.UseRegister(trace.SelectsLanes, b.Site, b.Count, alu.W32, false, m)
		tr.UseRegister(trace.SelectsLanes, b.Site, b.Pred, alu.Pred, false, m)
		tr.shadow.Define(b.Dst, barWidth(b), m)
	case program.OpSync:
		s := &tr.prog.Syncs[in.X]
		tr.UseRegister(trace.SelectsLanes, s.Site, s.Mask, alu.W32, false, m)
		tr.UseRegister(trace.SelectsLanes, s.Site, s.B, alu.W32, false, m)
		tr.UseRegister(trace.SelectsLanes, s.Site, s.C, alu.W32, false, m)
	case program.OpActiveMask:
		tr.shadow.Define(in.D, alu.W32, m)
	case program.OpClock:
		tr.shadow.Define(in.D, in.Dst, m)
	case program.OpFrame:
		if !in.PredNot {
			tr.shadow.Define(in.D, alu.W32, m)
		}
	case program.OpMath:
		tr.followMath(&tr.prog.Maths[in.X], m)
	case program.OpHost:
		tr.followHost(&tr.prog.Hosts[in.X], m)
	case program.OpStep:
		if s := tr.prog.Steps[in.X]; !tr.warp.FollowStep(s, m) {
			tr.UseStep(s, m)
		}
	}
}

func barWidth(b *program.Bar) alu.Width {
	if b.Kind == program.BarPopc {
		return alu.W32
	}
	return alu.Pred
}

// UseStep is for steps of which each operand matters.
func (tr *Tracker) UseStep(s program.Step, m uint32) {
	s.Slots(func(slot *int32, width alu.Width, u program.Use) {
		switch {
		case *slot == program.NoSlot:
		case u&program.Reads != 0:
			tr.UseRegister(trace.FormsAddress, nil, *slot, max(width, alu.Pred), width == alu.None, m)
		case u&program.Writes != 0 && width != alu.None:
			tr.shadow.Define(*slot, width, m)
		}
	})
}

// followMath makes the results of a device math function undefined where an argument is.
func (tr *Tracker) followMath(c *program.Math, m uint32) {
	origin, lanes := tr.wordsFrom(c.Args, m)
	tr.setWordsShadow(c.Rets, lanes, &origin)
	tr.defineWords(c.Rets, m&^lanes)
	for b := lanes; b != 0; b &= b - 1 {
		tr.poked[vec.Lowest(b)&31] = origin[vec.Lowest(b)&31]
	}
}

// wordsFrom returns the lanes with undefined words, and the origins.
func (tr *Tracker) wordsFrom(lists [][]int32, m uint32) (origin vec.Row32, lanes uint32) {
	s := tr.shadow
	for _, list := range lists {
		for _, slot := range list {
			if !s.IsDirty(slot) {
				continue
			}
			for b := m; b != 0; b &= b - 1 {
				if l := vec.Lowest(b) & 31; lanes>>l&1 == 0 && s.V32(slot)[l] != 0 {
					lanes |= 1 << l
					origin[l] = s.Origin(slot, alu.W32, l) | trace.Computed
				}
			}
		}
	}
	return origin, lanes
}

func (tr *Tracker) setWordsShadow(lists [][]int32, m uint32, origin *vec.Row32) {
	for _, list := range lists {
		for _, slot := range list {
			for b := m; b != 0; b &= b - 1 {
				l := vec.Lowest(b) & 31
				tr.shadow.Set(slot, alu.W32, l, whole(alu.W32), origin[l])
			}
			tr.shadow.Settle(slot, alu.W32)
		}
	}
}

func (tr *Tracker) defineWords(lists [][]int32, m uint32) {
	for _, list := range lists {
		for _, slot := range list {
			tr.shadow.Define(slot, alu.W32, m)
		}
	}
}

// followHost is for the device runtime's functions: each argument matters.
func (tr *Tracker) followHost(h *program.HostCall, m uint32) {
	if origin, lanes := tr.wordsFrom(h.Args, m); lanes != 0 {
		tr.use(trace.PassedToRuntime, h.Site, lanes, &origin)
		tr.defineWords(h.Args, lanes)
	}
	tr.defineWords(h.Rets, m)
}

// followWords moves the shadows of parameter words.
func (tr *Tracker) followWords(dst, src [][]int32, m uint32) {
	s := tr.shadow
	for i := 0; i < len(dst) && i < len(src); i++ {
		for k := 0; k < len(dst[i]) && k < len(src[i]); k++ {
			d, from := dst[i][k], src[i][k]
			if !s.IsDirty(from) {
				s.Define(d, alu.W32, m)
				continue
			}
			for b := m; b != 0; b &= b - 1 {
				l := vec.Lowest(b) & 31
				s.Set(d, alu.W32, l, uint64(s.V32(from)[l]), s.Origin(from, alu.W32, l))
			}
			s.Settle(d, alu.W32)
		}
	}
}
