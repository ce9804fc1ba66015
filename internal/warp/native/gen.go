package native

import (
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Registers of generated code: RDI is the slab, RSI the Context, R13 the
// regions; R8 the budget, R9 counts warp instructions, R10 loads, R11 stores;
// R12 is the mask, also in k1 to k4 (see maskOf). The others are free.

// gen generates the code of a program, in two forms: for warps with all lanes
// (part false) and for those with some.
type gen struct {
	allocator
	scope

	// entries are labels where the interpreter can enter, labels where runs
	// begin, by form and step.
	entries, labels [2]map[int32]jit.Label
	// leave and stop are the ways out: stop is for steps where the next warp of
	// a sweep can begin.
	leave, stop jit.Label
	cold        []func()

	// Of the run at hand.
	carrying
	k    jit.K
	done tally
}

// generate compiles a program. entry has by form and step the places in the
// code, sweep is that for sweeps.
func generate(pl *plan, w Watched) (code []byte, entry [2][]int32, sweep int32) {
	g := &gen{scope: newScope(pl, w), allocator: allocator{pl: pl}}
	for f := range 2 {
		g.entries[f], g.labels[f] = map[int32]jit.Label{}, map[int32]jit.Label{}
		entry[f] = make([]int32, len(pl.p.Code))
	}
	in := g.enter()
	for _, g.part = range []bool{false, true} {
		g.form()
	}
	for f := range 2 {
		for pc, l := range g.entries[f] {
			entry[f][pc] = int32(g.Place(l))
		}
	}
	return g.Finish(), entry, int32(g.Place(in))
}

// form compiles all runs in one form.
func (g *gen) form() {
	for i := 0; i < len(g.p.Code); {
		i = g.compileRun(i)
	}
	for len(g.cold) > 0 {
		list := g.cold
		g.cold = nil
		for _, f := range list {
			f()
		}
	}
}

// formOf is the index of the form for all lanes or for some.
func formOf(part bool) int {
	if part {
		return 1
	}
	return 0
}

func ctx(off int32) jit.Mem { return jit.At(jit.RSI, off) }

// enter emits the ways in, of which the first jumps to the context's target,
// and out. It returns the other way in.
func (g *gen) enter() jit.Label {
	g.Load(jit.RDI, ctx(ctxSlab))
	g.Load(jit.R8, ctx(ctxBudget))
	g.Load32(jit.R12, ctx(ctxMask))
	g.clear()
	g.Load(jit.RAX, ctx(ctxTarget))
	g.JumpTo(jit.RAX)
	g.leave, g.stop = g.NewLabel(), g.NewLabel()
	g.Bind(g.leave)
	g.account()
	g.ZeroUpper()
	g.Ret()
	return sweepCode{g.diverging(), g.sweep()}.compile()
}

// clear readies the registers that do not depend on the warp but for R12.
func (g *gen) clear() {
	g.Load(jit.R13, ctx(ctxRegions))
	g.noCounts()
	g.diverging().setMask()
}

// noCounts clears what the registers count.
func (g *gen) noCounts() {
	for _, r := range []jit.Reg{jit.R9, jit.R10, jit.R11} {
		g.MoveImm(r, 0)
	}
}

// account tells the context what was done. It keeps RAX.
func (g *gen) account() {
	g.diverging().tellThreads()
	g.Store(ctx(ctxBudget), jit.R8)
	g.Store(ctx(ctxMask), jit.R12)
	g.OpMem(jit.ADD, true, jit.R10, ctx(ctxLoads))
	g.OpMem(jit.ADD, true, jit.R11, ctx(ctxStores))
	g.Store(ctx(ctxLoads), jit.R10)
	g.Store(ctx(ctxStores), jit.R11)
}

// label is where the run that begins with step pc is.
func (g *gen) label(pc int32) jit.Label { return g.labelOf(g.part, pc) }

// labelOf is the same in a form.
func (g *gen) labelOf(part bool, pc int32) jit.Label {
	labels := g.labels[formOf(part)]
	l, ok := labels[pc]
	if !ok {
		l = g.NewLabel()
		labels[pc] = l
	}
	return l
}

// canEnter makes a label a place where the interpreter can enter before a step.
func (g *gen) canEnter(pc int, l jit.Label) { g.entries[formOf(g.part)][int32(pc)] = l }

// exit leaves the generated code; the interpreter continues with step pc.
func (g *gen) exit(pc int) {
	g.MoveImm(jit.RAX, uint64(pc))
	if g.pl.sweepStop(pc) {
		g.Jump(g.stop)
		return
	}
	g.Jump(g.leave)
}

// compileRun compiles the steps from first on up to the next leader or step without
// native code. It returns where the next run begins.
func (g *gen) compileRun(first int) int {
	if g.does[first] == nil {
		if g.leader[first] {
			g.Bind(g.label(int32(first)))
			g.exit(first)
		}
		return first + 1
	}
	g.Bind(g.label(int32(first)))
	g.canEnter(first, g.label(int32(first)))
	g.rows, g.free, g.temps, g.k, g.done = g.rows[:0], allVecs, 0, 0, tally{}
	g.survey(&g.run, first)
	loopCode{g}.carry(first)
	for i := first; i < g.until; i++ {
		g.at = i
		g.step(i)
		g.release(0)
		g.retire()
	}
	switch g.ends {
	case falls:
		g.settle()
	case stops:
		g.settle()
		g.exit(g.until)
		return g.until + 1
	}
	return g.until
}

// settle ends a run: the slab gets what lives on.
func (g *gen) settle() {
	g.at = g.until // nothing is read again
	g.flush()
	g.count()
}

// count adds the run's memory steps to the counters.
func (g *gen) count() {
	if g.done.loads != 0 {
		g.OpImm(jit.ADD, true, jit.R10, g.done.loads)
	}
	if g.done.stores != 0 {
		g.OpImm(jit.ADD, true, jit.R11, g.done.stores)
	}
	g.countAt(ctxLocals, g.done.locals)
	g.countAt(ctxGlobals, g.done.globals)
}

// countAt adds n to a counter in the context.
func (g *gen) countAt(counter, n int32) {
	if n != 0 {
		g.Load(jit.RAX, ctx(counter))
		g.OpImm(jit.ADD, true, jit.RAX, n)
		g.Store(ctx(counter), jit.RAX)
	}
}

// repeat gives the row of a scalar its new value, from a register.
func (g *gen) repeat(row int32, w alu.Width, r jit.Reg) {
	if row == program.NoSlot {
		return
	}
	g.forget(row)
	if w == alu.W64 {
		g.Store(slab(row, 0), r)
	} else {
		g.Store32(slab(row, 0), r)
		g.Store32(slab(row, 4), r)
	}
	if g.pl.kept[g.pl.ids[row]] {
		g.spread(row, w)
	}
}

// spread fills a row with its first element.
func (g *gen) spread(row int32, w alu.Width) {
	t := g.tmp()
	g.load(t, *g.repeated(row, w.Bytes()))
	for k := range partsOf(w) {
		m := slab(row, 64*k)
		g.Emit(jit.VMOVDQU32s, jit.Args{Reg: int8(t), Mem: &m})
	}
	g.release(0)
}

// step compiles one step.
func (g *gen) step(i int) {
	switch x := g.does[i].(type) {
	case guardedStep:
		g.guarded(i, x)
	case blockStep:
		g.block(i, x)
	case operationStep:
		if x.test {
			g.compare(x)
		} else {
			g.vector(i, x)
		}
	case chooseStep:
		g.choose(x.Instr)
	case scalarStep:
		g.scalarCode().scalar(x)
	case predicateStep:
		g.predicate(x.Instr)
	case packStep:
		g.pack(x.Pack)
	case unpackStep:
		g.unpack(x.Pack)
	case memoryStep:
		g.memoryCode().memory(i, x)
	case atomicStep:
		g.memoryCode().atomic(i, x)
	case syncStep:
		collectiveCode{g}.sync(i, x)
	case runningStep:
		collectiveCode{g}.everywhere(x.to, jit.R12)
	case decideStep:
		g.decide(x.Instr)
	case jumpStep:
		g.settle()
		g.Jump(g.label(x.target))
	case branchStep:
		g.branch(i, x)
	}
}

// vector computes a row.
func (g *gen) vector(i int, x operationStep) {
	switch {
	case !g.wanted(x.D):
		g.forget(x.D)
	case x.beyond:
		g.leaveBeyond(i, x.Instr)
		g.apply(x.body, x.Instr)
		g.release(0)
		g.retire()
		g.memoryCode().comeBack(i + 1)
	case indexCode{g}.result(x.Instr):
	default:
		g.apply(x.body, x.Instr)
	}
}

// guarded is a step under a guard: where any lane executes it, the interpreter does.
// What it writes then is in the slab, and may differ from lane to lane.
func (g *gen) guarded(i int, x guardedStep) {
	for _, s := range x.writes {
		if r := g.find(s); r != nil && r.dirty {
			g.save(r)
		}
		g.forget(s)
	}
	some := g.NewLabel()
	g.memoryCode().leaveAt(i, some)
	g.Load32(jit.RAX, slab(x.guard, 0))
	if x.not {
		g.OpImm(jit.XOR, false, jit.RAX, -1)
	}
	if g.part {
		g.Op(jit.AND, false, jit.RAX, jit.R12)
	}
	g.Test(false, jit.RAX, jit.RAX)
	g.JumpIf(jit.NE, some)
	g.memoryCode().comeBack(i + 1)
}

// block is OpEnter: where lanes may meet, and out to the interpreter where the
// budget is used up.
func (g *gen) block(i int, x blockStep) {
	out := g.NewLabel()
	if x.meets {
		meet := g.NewLabel()
		g.CmpMemImm(ctx(ctxMeet), int32(i))
		g.JumpIf(jit.E, meet)
		g.cold = append(g.cold, func() {
			g.Bind(meet)
			g.diverging().meets(i)
		})
	}
	g.Test(true, jit.R8, jit.R8)
	g.JumpIf(jit.S, out)
	g.OpImm(jit.SUB, true, jit.R8, x.cost)
	if x.instrs > 0 {
		g.OpImm(jit.ADD, true, jit.R9, x.instrs)
	}
	if x.counts != program.NoBlock {
		g.executed(x.counts)
	}
	g.memoryCode().leaveAt(i, out)
	g.memoryCode().comeBack(i + 1)
}

// Generated code falls into units; each is the generator, seen from that side.
type (
	// memoryCode is for loads, stores and atomics.
	memoryCode struct{ *gen }
	// divergeCode is for lanes that diverge and meet, and for sweeps.
	divergeCode struct{ *gen }
	// scalarCode is for values that are the same in all lanes.
	scalarCode struct{ *gen }
)

func (g *gen) memoryCode() memoryCode { return memoryCode{g} }
func (g *gen) diverging() divergeCode { return divergeCode{g} }
func (g *gen) scalarCode() scalarCode { return scalarCode{g} }
