package llvm

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// leaveAt generates the way out to the interpreter before step i, in the state of now.
func (g *irGen) leaveAt(i int) (label string) {
	label = g.newLabel()
	done := g.done
	g.cold = append(g.cold, func() {
		g.begin(label)
		g.countAs(done)
		g.exit(i)
	})
	return label
}

// comeBack generates the way in from the interpreter before step i of the run. Values come
// from where the code is or from the slab.
func (g *irGen) comeBack(i int) {
	if i >= g.Until {
		return
	}
	here, in, before, done := fmt.Sprintf("c%d", i), fmt.Sprintf("r%d", i), g.block, g.done
	g.entries[native.FormOf(g.part)][int32(i)] = in
	g.jump(here)
	g.begin(here)
	type reload struct {
		slot int32
		t    irType
	}
	var list []reload
	for slot, v := range g.rows {
		if g.LastRead[g.pl.IDs[slot]] >= i {
			list = append(list, reload{slot, v.t})
		}
	}
	slices.SortFunc(list, func(a, b reload) int { return int(a.slot - b.slot) })
	rows := map[int32]irValue{}
	for _, r := range list {
		rows[r.slot] = g.value(r.t, "phi %s [ %s, %%%s ], [ %%%s_%d, %%%s ]", r.t, g.rows[r.slot].name, before, in, r.slot, in)
	}
	g.rows = rows
	g.cold = append(g.cold, func() {
		g.begin(in)
		for _, r := range list {
			v := g.fromSlab(r.slot, r.t)
			g.do("%%%s_%d = freeze %s", in, r.slot, v)
		}
		// What was counted on the way out is not counted again.
		g.countAs(done.Opposite())
		g.jump(here)
	})
}

// count adds the run's memory steps to the counters.
func (g *irGen) count() { g.countAs(g.done) }

func (g *irGen) countAs(t native.Tally) {
	add := func(v irVariable, n int32) {
		if n != 0 {
			g.add(v, constantOf(i64Type, uint64(int64(n))))
		}
	}
	add(irLoads, t.Loads)
	add(irStores, t.Stores)
	for _, x := range []struct{ off, n int32 }{{native.CtxLocals, t.Locals}, {native.CtxGlobals, t.Globals}} {
		if x.n != 0 {
			g.addField(x.off, constantOf(i64Type, uint64(int64(x.n))))
		}
	}
}

// anyOf reports whether a condition holds in a lane that runs.
func (g *irGen) anyOf(bits irValue) irValue {
	m := g.maskOf(bits)
	if g.part {
		m = g.bin("and", m, g.get(irMask))
	}
	return g.differs(m, 0)
}

// leaveBeyond leaves the code before step i if an argument is beyond a formula's limit.
func (g *irGen) leaveBeyond(i int, in *program.Instr, v irValue) {
	size := g.number(g.with("and", v, 1<<31-1))
	limit := g.numeral(size.t, in.ALU.Formula.Limit)
	g.unless(g.anyOf(g.compare("fcmp ogt", size, limit)), g.leaveAt(i))
}

// guarded is a step under a guard: where any lane executes it, the interpreter does.
func (g *irGen) guarded(i int, x native.GuardedStep) {
	m := g.predicate(x.Guard)
	if x.Not {
		m = g.with("xor", m, 1<<32-1)
	}
	g.unless(g.differs(g.bin("and", m, g.get(irMask)), 0), g.leaveAt(i))
	for _, s := range x.Writes {
		delete(g.rows, s)
	}
	g.comeBack(i + 1)
}

// enterBlock is OpEnter: where lanes may meet, and out to the interpreter where the budget is
// used up.
func (g *irGen) enterBlock(i int, x native.BlockStep) {
	if x.Meets {
		meet := g.newLabel()
		g.unless(g.compare("icmp eq", g.field(native.CtxMeet), constantOf(i64Type, uint64(i))), meet)
		g.cold = append(g.cold, func() { g.begin(meet); g.meets(i) })
	}
	budget := g.get(irBudget)
	g.unless(g.compare("icmp slt", budget, constantOf(i64Type, 0)), g.leaveAt(i))
	g.set(irBudget, g.with("sub", budget, uint64(x.Cost)))
	if x.Instrs > 0 {
		g.add(irInstrs, constantOf(i64Type, uint64(x.Instrs)))
	}
	if x.Counts != program.NoBlock {
		g.executed(x.Counts, constantOf(i64Type, 1), g.cast("zext", g.call("ctpop", i32Type, g.running()), "i64"))
	}
	g.comeBack(i + 1)
}

// executed adds executions of a basic block.
func (g *irGen) executed(block int32, warps, threads irValue) {
	at := g.at(g.load(ptrType, g.ctxAt(native.CtxExecuted), 8), constantOf(i64Type, uint64(native.ExecutionSize*block)))
	g.store(g.bin("add", g.load(i64Type, at, 8), warps), at, 8)
	at = g.at(at, constantOf(i64Type, native.ExecutionThreads))
	g.store(g.bin("add", g.load(i64Type, at, 8), threads), at, 8)
}

// running is the mask of the running lanes: a constant where all run.
func (g *irGen) running() irValue {
	if g.part {
		return g.get(irMask)
	}
	return constantOf(i32Type, 1<<32-1)
}

// decide counts a condition (warp.Decisions).
func (g *irGen) decide(in *program.Instr) {
	counts := g.load(ptrType, g.ctxAt(native.CtxDecided), 8)
	add := func(offset int, n irValue) {
		at := g.at(counts, constantOf(i64Type, uint64(native.DecisionSize*int(in.X)+offset)))
		g.store(g.bin("add", g.load(i64Type, at, 8), g.cast("zext", n, "i64")), at, 8)
	}
	m := g.running()
	yes := g.bin("and", g.predicate(in.A), m)
	no := g.bin("xor", yes, m)
	some, others := g.differs(yes, 0), g.differs(no, 0)
	add(native.DecisionYes, g.call("ctpop", i32Type, yes))
	add(native.DecisionNo, g.call("ctpop", i32Type, no))
	add(native.DecisionYesWarps, some)
	add(native.DecisionNoWarps, others)
	add(native.DecisionBoth, g.bin("and", some, others))
}

// parting continues after a branch where all lanes go the same way, or lets them part.
func (g *irGen) parting(i int, x native.BranchStep) {
	g.count()
	m, taken := g.get(irMask), g.predicate(x.Predicate)
	taken = g.bin("and", taken, m)
	if x.Not {
		taken = g.bin("xor", taken, m)
	}
	some, all, parts := g.newLabel(), g.newLabel(), g.newLabel()
	next, target := stepLabel(x.Next), cmp.Or(g.rounds, stepLabel(x.Target))
	g.branch(g.isZero(taken), next, some, false)
	g.begin(some)
	g.branch(g.compare("icmp eq", taken, m), all, parts, false)
	g.begin(all)
	g.jump(target)
	g.begin(parts)
	if x.Parts == native.PartsNever {
		g.exit(i)
		return
	}
	g.parts(i, x, taken)
}

// parts continues with one side of a branch, which some lanes take but not all. It leaves the
// code where it cannot.
func (g *irGen) parts(i int, x native.BranchStep, taken irValue) {
	out := g.newLabel()
	g.cold = append(g.cold, func() { g.begin(out); g.exit(i) })
	size := constantOf(i64Type, uint64(native.DivergedSize))
	limit, m := g.field(native.CtxLimit), g.get(irMask)
	if x.Parts == native.BothRun {
		g.unless(g.compare("icmp uge", g.field(native.CtxWaiting), limit), out)
	}
	depth := g.field(native.CtxDepth)
	same, push, both := g.newLabel(), g.newLabel(), g.newLabel()
	g.branch(g.compare("icmp eq", g.field(native.CtxMeet), constantOf(i64Type, uint64(x.Meet))), same, push, false)
	g.begin(push)
	g.unless(g.compare("icmp uge", depth, limit), out)
	join := g.at(irContext, depth)
	g.setField(native.CtxDepth, g.bin("add", depth, size))
	at := func(off int32) irValue { return g.at(join, constantOf(i64Type, uint64(off))) }
	g.store(m, at(native.CtxJoins), 4)
	g.store(constantOf(i32Type, 0), at(native.JoinArrived), 4)
	g.store(g.field(native.CtxMeet), at(native.JoinOuter), 8)
	g.setField(native.CtxMeet, constantOf(i64Type, uint64(x.Meet)))
	pushed := g.block
	g.jump(both)
	g.begin(same)
	g.unless(g.isZero(depth), out) // the reconvergence point is the interpreter's
	last := g.bin("sub", depth, size)
	found := g.block
	g.jump(both)
	g.begin(both)
	join = g.at(irContext, g.value(i64Type, "phi i64 [ %s, %%%s ], [ %s, %%%s ]", depth.name, pushed, last.name, found))
	g.tellThreads()
	falls := g.bin("xor", m, taken)
	come := func(lanes irValue) {
		p := at(native.JoinArrived)
		g.store(g.bin("or", g.load(i32Type, p, 4), lanes), p, 4)
	}
	to, stay := x.Next, falls
	switch x.Parts {
	case native.TakenMeets:
		come(taken)
	case native.NextMeets:
		come(falls)
		to, stay = x.Target, taken
	default:
		g.pushSide(x.Target, taken)
	}
	g.set(irMask, stay)
	g.goOn(true, constantOf(i32Type, uint64(to)))
}

// pushSide lets lanes run later, from a step on.
func (g *irGen) pushSide(pc int32, lanes irValue) {
	waiting := g.field(native.CtxWaiting)
	g.setField(native.CtxWaiting, g.with("add", waiting, uint64(native.DivergedSize)))
	side := g.at(irContext, waiting)
	at := func(off int32) irValue { return g.at(side, constantOf(i64Type, uint64(off))) }
	g.store(lanes, at(native.SideMask), 4)
	g.store(constantOf(i32Type, uint64(pc)), at(native.SidePC), 4)
	g.store(g.field(native.CtxDepth), at(native.SideJoin), 8)
}

// goOn continues at a step, in the form for some lanes or for all.
func (g *irGen) goOn(part bool, pc irValue) {
	if part == g.part {
		g.set(irAt, pc)
		g.jump("dispatch")
		return
	}
	g.tellAccesses()
	r := g.value(i32Type, "musttail call i32 %s(%s, %s, %s, %s, %s)", irForm(part), irContext, irSlab, g.get(irBudget), g.get(irMask), pc)
	g.do("ret %s", r)
}

// meets continues where the running lanes have reached their reconvergence point, step i:
// with all lanes if they are the last ones, else with the next side.
func (g *irGen) meets(i int) {
	out, all, next := g.newLabel(), g.newLabel(), g.newLabel()
	g.cold = append(g.cold, func() { g.begin(out); g.exit(i) })
	depth := g.field(native.CtxDepth)
	g.unless(g.isZero(depth), out) // the reconvergence point is the interpreter's
	g.tellThreads()
	depth = g.with("sub", depth, uint64(native.DivergedSize))
	join := g.at(irContext, depth)
	at := func(off int32) irValue { return g.at(join, constantOf(i64Type, uint64(off))) }
	arrived := g.bin("or", g.load(i32Type, at(native.JoinArrived), 4), g.get(irMask))
	g.branch(g.compare("icmp eq", arrived, g.load(i32Type, at(native.CtxJoins), 4)), all, next, false)
	g.begin(next)
	g.store(arrived, at(native.JoinArrived), 4)
	waiting := g.with("sub", g.field(native.CtxWaiting), uint64(native.DivergedSize))
	g.setField(native.CtxWaiting, waiting)
	side := g.at(irContext, waiting)
	g.set(irMask, g.load(i32Type, g.at(side, constantOf(i64Type, uint64(native.SideMask))), 4))
	g.goOn(true, g.load(i32Type, g.at(side, constantOf(i64Type, uint64(native.SidePC))), 4))
	g.begin(all)
	g.setField(native.CtxDepth, depth)
	g.setField(native.CtxMet, constantOf(i64Type, 1))
	g.setField(native.CtxMeet, g.load(i64Type, at(native.JoinOuter), 8))
	g.set(irMask, arrived)
	whole, some := g.newLabel(), g.newLabel()
	g.branch(g.compare("icmp eq", arrived, constantOf(i32Type, 1<<32-1)), whole, some, false)
	for f, label := range []string{whole, some} {
		g.begin(label)
		g.goOn(f == 1, constantOf(i32Type, uint64(i)))
	}
}

// entryPoints generates the functions that the caller calls: enter for one warp, and sweep for
// the warps of a block, one after the other.
func (g *irGen) entryPoints() {
	call := func(slab, budget, mask irValue, pc [2]irValue) irValue {
		full, part, end := g.newLabel(), g.newLabel(), g.newLabel()
		g.branch(g.compare("icmp eq", mask, constantOf(i32Type, 1<<32-1)), full, part, false)
		var r [2]irValue
		for f, label := range []string{full, part} {
			g.begin(label)
			r[f] = g.value(i32Type, "call i32 %s(%s, %s, %s, %s, %s)", irForm(f == 1), irContext, slab, budget, mask, pc[f])
			g.jump(end)
		}
		g.begin(end)
		return g.value(i32Type, "phi i32 [ %s, %%%s ], [ %s, %%%s ]", r[0].name, full, r[1].name, part)
	}
	field32 := func(off int32) irValue { return g.cast("trunc", g.field(off), "i32") }
	fmt.Fprintf(g, "define i32 @enter(%s) nounwind {\n", irContext)
	g.begin("entry")
	pc := field32(native.CtxTarget)
	g.do("ret %s", call(g.load(ptrType, g.ctxAt(native.CtxSlab), 8), g.field(native.CtxBudget), field32(native.CtxMask), [2]irValue{pc, pc}))
	g.do("}\n")

	plan := g.Sweep()
	fmt.Fprintf(g, "define i32 @sweep(%s) nounwind {\n", irContext)
	g.begin("entry")
	g.jump("next")
	g.begin("next")
	entry := g.load(ptrType, g.ctxAt(native.CtxEntry), 8)
	at := func(off int32) irValue { return g.at(entry, constantOf(i64Type, uint64(off))) }
	slab := g.load(ptrType, at(native.EntrySlab), 8)
	g.store(slab, g.ctxAt(native.CtxSlab), 8)
	for _, x := range plan.Fields {
		g.setField(x[1], g.load(i64Type, at(x[0]), 8))
	}
	for _, x := range native.Swept {
		g.setField(x[0], constantOf(i64Type, 0))
	}
	mask := g.cast("trunc", g.load(i64Type, at(native.EntryMask), 8), "i32")
	r := call(slab, g.load(i64Type, at(native.EntryBudget), 8), mask, [2]irValue{field32(native.CtxTargets), field32(native.CtxTargets + 8)})
	g.do("switch %s, label %%out [", r)
	for _, pc := range plan.Stops {
		g.do("  i32 %d, label %%stopped", pc)
	}
	g.do("]")
	g.begin("stopped")
	g.unless(g.differs(g.field(native.CtxDepth), 0), "out")
	stop := g.field(native.CtxStop)
	noStop := native.NoStop
	g.branch(g.compare("icmp eq", stop, constantOf(i64Type, uint64(noStop))), "first", "known", false)
	g.begin("first")
	g.setField(native.CtxStop, g.cast("zext", r, "i64"))
	g.jump("came")
	g.begin("known")
	g.branch(g.compare("icmp eq", g.cast("trunc", stop, "i32"), r), "came", "out", false)
	g.begin("came")
	for _, x := range native.Swept {
		g.store(g.bin("add", g.load(i64Type, at(x[1]), 8), g.field(x[0])), at(x[1]), 8)
	}
	for _, x := range native.SweptLast {
		g.store(g.field(x[0]), at(x[1]), 8)
	}
	list := func(off int32) irValue { return g.load(ptrType, g.ctxAt(off), 8) }
	following := at(native.EntrySize)
	following = g.choose(g.compare("icmp eq", following, list(native.CtxEnd)), list(native.CtxBegin), following)
	g.store(following, g.ctxAt(native.CtxEntry), 8)
	pending := g.with("sub", g.field(native.CtxPending), 1)
	g.setField(native.CtxPending, pending)
	g.branch(g.isZero(pending), "whole", "next", false)
	g.begin("whole")
	irBlocks{g, plan}.nextBlock(r)
	g.pass(r, plan.Passes)
	g.begin("out")
	g.do("ret %s", r)
	g.do("}\n")
}

// pass continues behind the barrier at which all warps of a sweep are, step r, if the code may:
// with the last warp, and what is left of its turn.
func (g *irGen) pass(r irValue, passes []int) {
	passed := g.field(native.CtxPassed)
	g.unless(g.compare("icmp uge", passed, g.field(native.CtxPasses)), "out")
	g.unless(g.compare("icmp uge", g.field(native.CtxThreads), constantOf(i64Type, native.MaxSwept)), "out")
	g.do("switch %s, label %%out [", r)
	for _, pc := range passes {
		g.do("  i32 %d, label %%behind", pc)
	}
	g.do("]")
	g.begin("behind")
	next := g.cast("zext", g.with("add", r, 1), "i64")
	g.setField(native.CtxTargets, next)
	g.setField(native.CtxTargets+8, next)
	g.store(r, g.at(g.ctxAt(native.CtxPassedAt), g.with("mul", passed, 4)), 4)
	g.setField(native.CtxPassed, g.with("add", passed, 1))
	list := func(off int32) irValue { return g.load(ptrType, g.ctxAt(off), 8) }
	budget := func(entry irValue) irValue { return g.at(entry, constantOf(i64Type, uint64(native.EntryBudget))) }
	first := list(native.CtxFirst)
	g.store(g.field(native.CtxTurn), budget(first), 8)
	last := g.choose(g.compare("icmp eq", first, list(native.CtxBegin)), list(native.CtxEnd), first)
	back := -native.EntrySize
	last = g.at(last, constantOf(i64Type, uint64(int64(back))))
	g.store(g.field(native.CtxBudget), budget(last), 8)
	g.store(last, g.ctxAt(native.CtxFirst), 8)
	g.store(last, g.ctxAt(native.CtxEntry), 8)
	g.setField(native.CtxPending, g.field(native.CtxWarps))
	noStop := native.NoStop
	g.setField(native.CtxStop, constantOf(i64Type, uint64(noStop)))
	g.jump("next")
}

// sync is OpSync: it stays in the code where the member mask names exactly the lanes that run,
// and shuffles read none that do not.
func (g *irGen) sync(i int, x native.SyncStep) {
	s, m := x.Sync, g.get(irMask)
	leave := g.leaveAt(i)
	switch x.Members {
	case native.SameMembers:
		g.unless(g.compare("icmp ne", g.load(i32Type, g.slot(s.Mask, 0), 4), m), leave)
	case native.EachMembers:
		g.unless(g.anyOf(g.compare("icmp ne", g.row(s.Mask, alu.W32), g.splat(m, 32))), leave)
	}
	switch {
	case s.Kind == program.SyncWarp || s.Kind == program.Converge:
	case x.Shuffle:
		g.shuffle(s, leave)
	default:
		g.vote(s)
	}
	g.comeBack(i + 1)
}

// shuffle gives each lane what its source has, or its own value where that is out of range
// (PTX ISA, "shfl.sync").
func (g *irGen) shuffle(s *program.Sync, leave string) {
	lane := listOf("i32", sequence(0, 32))
	b, c := g.with("and", g.row(s.B, alu.W32), 31), g.row(s.C, alu.W32)
	seg := g.with("and", g.with("lshr", c, 8), 31)
	other := g.with("xor", seg, 1<<32-1)
	least := g.bin("and", seg, lane) // the first lane of the segment
	last := g.bin("or", g.bin("and", other, g.with("and", c, 31)), least)
	j, inRange := b, "icmp sle"
	switch s.Kind {
	case program.ShflUp:
		j, inRange = g.bin("sub", lane, b), "icmp sge"
	case program.ShflDown:
		j = g.bin("add", b, lane)
	case program.ShflBfly:
		j = g.bin("xor", b, lane)
	default:
		j = g.bin("or", g.bin("and", other, b), least)
	}
	within := g.compare(inRange, j, last)
	if g.part {
		bit := g.with("and", g.bin("lshr", g.splat(g.get(irMask), 32), g.with("and", j, 31)), 1)
		g.unless(g.anyOf(g.bin("and", within, g.isZero(bit))), leave)
	}
	if s.Dst != program.NoSlot {
		area := func(row int) irValue {
			return g.at(irValue{"%area", ptrType}, constantOf(i64Type, uint64(native.RowBytes*row)))
		}
		g.store(g.row(s.A, alu.W32), area(0), 8)
		g.store(g.with("and", g.choose(within, j, lane), 31), area(1), 8)
		g.invoke(permute, i32Type, area(0), area(1), area(2))
		g.define(s.Dst, alu.W32, g.load(row32Type, area(2), 8))
	}
	if s.DstPred != program.NoSlot {
		g.setPredicate(s.DstPred, g.maskOf(within))
	}
}

// vote combines a predicate of the lanes that run.
func (g *irGen) vote(s *program.Sync) {
	m, v := g.get(irMask), g.predicate(s.A)
	if s.PredNot {
		v = g.with("xor", v, 1<<32-1)
	}
	v = g.bin("and", v, m)
	all, none := g.compare("icmp eq", v, m), g.isZero(v)
	extend := "zext"
	if s.DstIsPred {
		extend = "sext"
	}
	switch s.Kind {
	case program.VoteAll:
		v = g.cast(extend, all, "i32")
	case program.VoteAny:
		v = g.cast(extend, g.with("xor", none, 1), "i32")
	case program.VoteUni:
		v = g.cast(extend, g.bin("or", all, none), "i32")
	}
	if s.DstIsPred {
		g.setPredicate(s.Dst, v)
		return
	}
	g.everywhere(s.Dst, v)
}
