package llvm

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// irSerial generates a loop that runs serially (serial.go) in LLVM IR.
type irSerial struct {
	*irGen
	*native.SerialLoop
	// vector is where vector code has the loop, trouble where what was done is dropped.
	vector, trouble string
	// values are those of the lane by slot, bits its predicates.
	values map[int32]irValue
	bits   map[int32]irValue
	// regions are where loads may go, by step.
	regions map[int]irRegion
}

// irRegion is a Region.
type irRegion struct{ start, limit, pointer irValue }

// serially generates serial code for the loop that begins with a run, ahead of its vector code. It returns the label
// that the vector loop jumps back to, or "" if the loop cannot run serially.
func (g *irGen) serially(first int) string {
	if !native.Repeats(g.Program, first, g.Until) {
		return ""
	}
	l := native.NewSerialLoop(g.Scope, first, g.Until)
	if l == nil {
		return ""
	}
	loads := l.Gathers()
	need := l.Pays(native.LLVMCosts)
	if need > len(loads) {
		return ""
	}
	s := &irSerial{irGen: g, SerialLoop: l, vector: g.newLabel(), trouble: g.newLabel(), bits: map[int32]irValue{}, regions: map[int]irRegion{}}
	if !g.part { // lanes that are some are not looked at whether they are neighbors
		missed := constantOf(i32Type, 0)
		for _, x := range loads {
			m := g.load(i32Type, (&irAccess{irGen: g, AccessPlan: native.AccessPlan{Index: x}}).missedAt(), 4)
			missed = g.bin("add", missed, g.with("lshr", g.with("add", m, native.LookAgain-native.Looks), uint64(bits.TrailingZeros(native.LookAgain))))
		}
		g.unless(g.compare("icmp ult", missed, constantOf(i32Type, uint64(need))), s.vector)
	}
	s.allowed()
	s.lanes()
	g.begin(s.vector)
	return s.vector
}

// missedAt is where the region counts the accesses of lanes that are not neighbors.
func (a *irAccess) missedAt() irValue {
	return a.at(irRegions, constantOf(i64Type, uint64(a.Index*native.RegionSize+native.RegionMissed)))
}

// allowed goes to vector code where lanes must not diverge or leave the loop here, or the turn is near its end.
func (s *irSerial) allowed() {
	g := s.irGen
	times := g.with("add", g.field(native.CtxSerialTimes), 1)
	g.setField(native.CtxSerialTimes, times)
	again := g.bin("or", g.compare("icmp slt", times, constantOf(i64Type, 0)), g.isZero(g.with("and", times, native.SerialTimes-1)))
	g.unless(again, s.vector)
	depth := g.field(native.CtxDepth)
	g.unless(g.compare("icmp uge", depth, g.field(native.CtxLimit)), s.vector)
	inner := g.compare("icmp eq", g.field(native.CtxMeet), constantOf(i64Type, uint64(s.Leads.Meet)))
	g.unless(g.bin("and", inner, g.isZero(depth)), s.vector) // the reconvergence point is the interpreter's
	for _, x := range s.WatchedLoads() {
		g.unless(g.differs((&irAccess{irGen: g, AccessPlan: native.AccessPlan{Index: x}}).needs(), 0), s.vector)
	}
	budget := g.get(irBudget)
	g.unless(g.compare("icmp slt", budget, constantOf(i64Type, native.MinSerialTurns<<s.TurnShift())), s.vector)
	g.setField(native.CtxSerialBound, g.with("lshr", budget, uint64(s.TurnShift())))
}

// lanes runs each lane.
func (s *irSerial) lanes() {
	g := s.irGen
	next, round, more, stays, ended, finish := g.newLabel(), g.newLabel(), g.newLabel(), g.newLabel(), g.newLabel(), g.newLabel()
	left := g.newLabel()
	g.tellThreads()
	zero := constantOf(i64Type, 0)
	for _, at := range []int32{native.CtxSerialStay, native.CtxSerialMost, native.CtxSerialTotal, native.CtxSerialChanges} {
		g.setField(at, zero)
	}
	g.setField(native.CtxSerialTodo, g.cast("zext", g.get(irMask), "i64"))
	bound := g.field(native.CtxSerialBound)
	s.places()
	uniform := s.invariants(nil)
	g.jump(next)

	g.begin(next)
	todo := g.field(native.CtxSerialTodo)
	lane := g.call("cttz", i64Type, todo, irValue{"true", i1Type})
	g.setField(native.CtxSerialTodo, g.bin("and", todo, g.with("sub", todo, 1)))
	constant := s.invariants(&lane)
	for k, v := range uniform {
		constant[k] = v
	}
	before := map[int32]irValue{}
	for slot, h := range s.InOrder() {
		if h.First != native.Unplaced {
			before[slot] = s.element(slot, h.Width, lane)
		}
	}
	g.jump(round)

	g.begin(round)
	name := func(what string) string { return fmt.Sprintf("%%%s_%s", round, what) }
	turns := g.value(i64Type, "phi i64 [ 0, %%%s ], [ %s, %%%s ]", next, name("turns"), more)
	s.values = constant
	for slot, h := range s.InOrder() {
		if h.First != native.Unplaced {
			t := serialType(h.Width)
			s.values[slot] = g.value(t, "phi %s [ %s, %%%s ], [ %s, %%%s ]", t, before[slot].name, next, name(fmt.Sprint(slot)), more)
		}
	}
	for i := s.From + 1; i < s.To; i++ {
		s.step(i)
	}
	stay := s.bits[s.Leads.Predicate]
	if s.Leads.Not {
		stay = g.with("xor", stay, 1)
	}
	done := g.with("add", turns, 1)
	g.branch(stay, more, left, false)
	g.begin(more)
	g.do("%s = freeze %s", name("turns"), done)
	for slot, h := range s.InOrder() {
		if h.First != native.Unplaced {
			g.do("%s = freeze %s", name(fmt.Sprint(slot)), s.values[slot])
		}
	}
	g.branch(g.compare("icmp eq", done, bound), stays, round, true)
	g.begin(stays)
	g.setField(native.CtxSerialStay, g.bin("or", g.field(native.CtxSerialStay), g.bin("shl", constantOf(i64Type, 1), lane)))
	g.jump(ended)
	g.begin(left)
	g.jump(ended)

	g.begin(ended)
	for k, slot := range s.SerialLoop.Rows() {
		w := s.Homes[slot].Width
		at := g.at(g.ctxAt(native.CtxSerialRows+native.SerialRowStride*int32(k)), g.with("mul", lane, uint64(w.Bytes())))
		g.store(s.values[slot], at, w.Bytes())
	}
	g.addField(native.CtxSerialTotal, done)
	g.setField(native.CtxSerialMost, g.call("umax", i64Type, g.field(native.CtxSerialMost), done))
	g.branch(g.isZero(g.field(native.CtxSerialTodo)), finish, next, false)
	g.begin(finish)
	s.finish()
	g.cold = append(g.cold, func() {
		g.begin(s.trouble)
		s.tellChanges()
		g.setField(native.CtxSerialTimes, constantOf(i64Type, -native.SerialPause&(1<<64-1)))
		g.jump(s.vector)
	})
}

// serialType is the type of one value.
func serialType(w alu.Width) irType { return irType{rowType(w).elem, 1} }

// element is a lane's value in a row of the slab.
func (s *irSerial) element(slot int32, w alu.Width, lane irValue) irValue {
	return s.irGen.load(serialType(w), s.irText.at(s.slot(slot, 0), s.with("mul", lane, uint64(w.Bytes()))), w.Bytes())
}

// invariants loads what the loop reads and does not write: what all lanes have, or what the lane has.
func (s *irSerial) invariants(lane *irValue) map[int32]irValue {
	list := map[int32]irValue{}
	for i := s.From + 1; i < s.To; i++ {
		s.Operands(i, func(slot int32, w alu.Width, _ native.Class) {
			if _, ok := list[slot]; ok || s.Written(slot) || s.Uniform(slot) != (lane == nil) {
				return
			}
			if v, known := s.SerialLoop.Plan.Values[slot]; known {
				list[slot] = constantOf(serialType(w), v)
			} else if lane == nil {
				list[slot] = s.irGen.load(serialType(w), s.slot(slot, 0), w.Bytes())
			} else {
				list[slot] = s.element(slot, w, *lane)
			}
		})
	}
	return list
}

// places loads the regions. An atomic operation is for other allocations than loads.
func (s *irSerial) places() {
	g := s.irGen
	for i := s.From + 1; i < s.To; i++ {
		if x := s.Loads[i]; x != nil {
			a := irAccess{irGen: g, AccessPlan: native.AccessPlan{Index: x.Index}}
			s.regions[i] = irRegion{a.start(), a.limit(), a.region(native.RegionPtr)}
		}
	}
	for i := s.From + 1; i < s.To && s.SerialLoop.Atomic != 0; i++ {
		if r, ok := s.regions[i]; ok && i != s.SerialLoop.Atomic {
			g.unless(g.compare("icmp eq", r.pointer, s.regions[s.SerialLoop.Atomic].pointer), s.trouble)
		}
	}
}

// value is that of a slot as a kind says.
func (s *irSerial) value(slot int32, k body.Kind) irValue {
	v := s.values[slot]
	if k != body.K64 && v.t.bits() == 64 {
		v = s.cast("trunc", v, "i32")
	}
	switch k {
	case body.KZero:
		return s.cast("zext", v, "i64")
	case body.KSign:
		return s.cast("sext", v, "i64")
	}
	return v
}

// step generates a step for one lane.
func (s *irSerial) step(i int) {
	g, in := s.irGen, &s.Program.Code[i]
	switch in.Op {
	case program.OpVec, program.OpVec4, program.OpCmp:
		b := native.BodyOf(in.ALU)
		var v []irValue
		for j, k := range b.Args {
			v = append(v, s.value([]int32{in.A, in.B, in.C, in.E}[j], k))
		}
		if r := g.render(b, v); in.Op == program.OpCmp {
			s.bits[in.D] = r
		} else {
			s.values[in.D] = r
		}
	case program.OpSel:
		k := body.KindOf(in.Dst.Bytes())
		s.values[in.D] = g.choose(s.bits[in.C], s.value(in.A, k), s.value(in.B, k))
	case program.OpPredMov:
		s.bits[in.D] = s.bits[in.A]
	case program.OpPredNot:
		s.bits[in.D] = g.with("xor", s.bits[in.A], 1)
	case program.OpPredAnd, program.OpPredOr, program.OpPredXor:
		op := map[program.Opcode]string{program.OpPredAnd: "and", program.OpPredOr: "or", program.OpPredXor: "xor"}[in.Op]
		s.bits[in.D] = g.bin(op, s.bits[in.A], s.bits[in.B])
	case program.OpLoad:
		s.access(i)
	case program.OpAtomic:
		s.atomically(i)
	}
}

// place is where an access goes, or else to trouble.
func (s *irSerial) place(i int) irValue {
	g, x, r := s.irGen, s.Loads[i], s.regions[i]
	addr := s.values[x.Mem.Base]
	if x.Size > 1 {
		g.unless(g.differs(g.with("and", addr, uint64(x.Size-1)), 0), s.trouble)
	}
	start := r.start
	if addr.t.bits() == 32 {
		start = g.cast("trunc", start, "i32")
	}
	off := g.cast("zext", g.bin("sub", addr, start), "i64")
	g.unless(g.compare("icmp uge", off, r.limit), s.trouble)
	return g.at(g.irText.value(ptrType, "inttoptr %s to ptr", r.pointer), off)
}

// access is OpLoad.
func (s *irSerial) access(i int) {
	g, x := s.irGen, s.Loads[i]
	a, p := irAccess{irGen: g, AccessPlan: native.AccessPlan{Mem: x.Mem}}, s.place(i)
	for k, slot := range x.Mem.Regs[:x.Mem.Count] {
		if slot != program.NoSlot {
			e := g.load(irType{a.element(), 1}, g.at(p, constantOf(i64Type, uint64(k*x.Mem.Elem))), x.Mem.Elem)
			s.values[slot] = a.extended(e)
		}
	}
}

// atomically is OpAtomic.
func (s *irSerial) atomically(i int) {
	g, m := s.irGen, s.Loads[i].Mem
	p, k := s.place(i), body.KindOf(m.Elem)
	b, c := s.value(m.B, k), irValue{}
	if m.C != program.NoSlot {
		c = s.value(m.C, k)
	}
	elem := serialType(m.Width)
	before, loop, store, changed, end := g.newLabel(), g.newLabel(), g.newLabel(), g.newLabel(), g.newLabel()
	g.jump(before)
	g.begin(before)
	seen := g.irText.value(elem, "load atomic %s, %s monotonic, align %d", elem, p, m.Elem)
	g.jump(loop)
	g.begin(loop)
	old := g.irText.value(elem, "phi %s [ %s, %%%s ], [ %%%s_old, %%%s ]", elem, seen.name, before, store, store)
	result := g.irText.atomically(m.Atom, old, b, c)
	g.branch(g.compare("icmp eq", old, result), end, store, false)
	g.begin(store)
	pair := g.irText.value(irType{"{ " + elem.elem + ", i1 }", 1}, "cmpxchg %s, %s, %s seq_cst seq_cst", irValue{p.name, ptrType}, old, result)
	g.do("%%%s_old = extractvalue %s, 0", store, pair)
	g.branch(g.irText.value(i1Type, "extractvalue %s, 1", pair), changed, loop, false)
	g.begin(changed)
	g.addField(native.CtxSerialChanges, constantOf(i64Type, 1))
	g.jump(end)
	g.begin(end)
}

// tellChanges tells the context what atomic operations changed.
func (s *irSerial) tellChanges() {
	if s.SerialLoop.Atomic != 0 {
		s.addField(native.CtxChanges, s.field(native.CtxSerialChanges))
	}
}

// finish gives the rows their new values, counts, and continues after the loop, or in it with the lanes that stay.
func (s *irSerial) finish() {
	g := s.irGen
	s.tellChanges()
	stay, mask := g.cast("trunc", g.field(native.CtxSerialStay), "i32"), g.get(irMask)
	for k, slot := range s.SerialLoop.Rows() {
		t := rowType(s.Homes[slot].Width)
		v := g.load(t, g.ctxAt(native.CtxSerialRows+native.SerialRowStride*int32(k)), 8)
		lanes := mask
		if s.Leaves(slot) == native.WantedToStay {
			lanes = stay
		}
		v = g.choose(g.lanesOf(lanes), v, g.load(t, g.slot(slot, 0), 4))
		g.store(v, g.slot(slot, 0), 4)
	}
	p := stay
	if s.Leads.Not {
		p = g.with("xor", stay, 1<<32-1)
	}
	g.setPredicate(s.Leads.Predicate, p)
	most, total := g.field(native.CtxSerialMost), g.field(native.CtxSerialTotal)
	same := g.compare("icmp eq", total, g.bin("mul", most, g.cast("zext", g.call("ctpop", i32Type, mask), "i64")))
	g.setField(native.CtxMet, g.choose(same, g.field(native.CtxMet), constantOf(i64Type, 1)))
	g.addField(native.CtxThreads, g.with("mul", total, uint64(s.Begins.Instrs)))
	g.addField(native.CtxInstrs, g.with("mul", most, uint64(s.Begins.Instrs)))
	if s.Begins.Counts != program.NoBlock {
		g.executed(s.Begins.Counts, most, total)
	}
	g.set(irBudget, g.bin("sub", g.get(irBudget), g.with("mul", most, uint64(s.Begins.Cost))))
	done := s.Tallies()
	g.add(irLoads, g.with("mul", most, uint64(done.Loads)))
	g.addField(native.CtxGlobals, g.with("mul", most, uint64(done.Globals)))
	some, parts := g.newLabel(), g.newLabel()
	g.branch(g.isZero(stay), stepLabel(s.Leads.Meet), some, false)
	g.begin(some)
	g.branch(g.compare("icmp eq", stay, mask), s.vector, parts, false)
	g.begin(parts)
	g.parts(s.To, s.Leads, stay)
}
