package x86

import (
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// Registers of generated code: RDI is the slab, RSI the Context, R13 the
// regions; R8 the budget, R9 counts warp instructions, R10 loads, R11 stores;
// R12 is the mask, also in k1 to k4 (see maskOf). The others are free.

// gen generates the code of a program, in two forms: for warps with all lanes
// (part false) and for those with some.
type gen struct {
	allocator
	native.Scope

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
	done native.Tally
}

// generate compiles a program. entry has by form and step the places in the
// code, sweep is that for sweeps.
func generate(pl *native.Plan, w native.Watched) (code []byte, entry [2][]int32, sweep int32) {
	g := &gen{Scope: native.NewScope(pl, w), allocator: allocator{pl: pl}}
	for f := range 2 {
		g.entries[f], g.labels[f] = map[int32]jit.Label{}, map[int32]jit.Label{}
		entry[f] = make([]int32, len(pl.Program.Code))
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
	for i := 0; i < len(g.Program.Code); {
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

func ctx(off int32) jit.Mem { return jit.At(jit.RSI, off) }

// enter emits the ways in, of which the first jumps to the context's target,
// and out. It returns the other way in.
func (g *gen) enter() jit.Label {
	g.Load(jit.RDI, ctx(native.CtxSlab))
	g.Load(jit.R8, ctx(native.CtxBudget))
	g.Load32(jit.R12, ctx(native.CtxMask))
	g.clear()
	g.Load(jit.RAX, ctx(native.CtxTarget))
	g.JumpTo(jit.RAX)
	g.leave, g.stop = g.NewLabel(), g.NewLabel()
	g.Bind(g.leave)
	g.account()
	g.ZeroUpper()
	g.Ret()
	return sweepCode{g.diverging(), g.Sweep()}.compile()
}

// clear readies the registers that do not depend on the warp but for R12.
func (g *gen) clear() {
	g.Load(jit.R13, ctx(native.CtxRegions))
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
	g.Store(ctx(native.CtxBudget), jit.R8)
	g.Store(ctx(native.CtxMask), jit.R12)
	g.OpMem(jit.ADD, true, jit.R10, ctx(native.CtxLoads))
	g.OpMem(jit.ADD, true, jit.R11, ctx(native.CtxStores))
	g.Store(ctx(native.CtxLoads), jit.R10)
	g.Store(ctx(native.CtxStores), jit.R11)
}

// label is where the run that begins with step pc is.
func (g *gen) label(pc int32) jit.Label { return g.labelOf(g.part, pc) }

// labelOf is the same in a form.
func (g *gen) labelOf(part bool, pc int32) jit.Label {
	labels := g.labels[native.FormOf(part)]
	l, ok := labels[pc]
	if !ok {
		l = g.NewLabel()
		labels[pc] = l
	}
	return l
}

// canEnter makes a label a place where the interpreter can enter before a step.
func (g *gen) canEnter(pc int, l jit.Label) { g.entries[native.FormOf(g.part)][int32(pc)] = l }

// exit leaves the generated code; the interpreter continues with step pc.
func (g *gen) exit(pc int) {
	g.MoveImm(jit.RAX, uint64(pc))
	if g.pl.SweepStop(pc) {
		g.Jump(g.stop)
		return
	}
	g.Jump(g.leave)
}

// compileRun compiles the steps from first on up to the next leader or step without
// native code. It returns where the next run begins.
func (g *gen) compileRun(first int) int {
	if g.Does[first] == nil {
		if g.Leader[first] {
			g.Bind(g.label(int32(first)))
			g.exit(first)
		}
		return first + 1
	}
	g.Bind(g.label(int32(first)))
	g.canEnter(first, g.label(int32(first)))
	g.rows, g.free, g.temps, g.k, g.done = g.rows[:0], allVecs, 0, 0, native.Tally{}
	g.Survey(&g.Run, first)
	loopCode{g}.carry(first)
	for i := first; i < g.Until; i++ {
		g.at = i
		g.step(i)
		g.release(0)
		g.retire()
	}
	switch g.Ends {
	case native.Falls:
		g.settle()
	case native.Stops:
		g.settle()
		g.exit(g.Until)
		return g.Until + 1
	}
	return g.Until
}

// settle ends a run: the slab gets what lives on.
func (g *gen) settle() {
	g.at = g.Until // nothing is read again
	g.flush()
	g.count()
}

// count adds the run's memory steps to the counters.
func (g *gen) count() {
	if g.done.Loads != 0 {
		g.OpImm(jit.ADD, true, jit.R10, g.done.Loads)
	}
	if g.done.Stores != 0 {
		g.OpImm(jit.ADD, true, jit.R11, g.done.Stores)
	}
	g.countAt(native.CtxLocals, g.done.Locals)
	g.countAt(native.CtxGlobals, g.done.Globals)
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
	if g.pl.Kept[g.pl.IDs[row]] {
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
	switch x := g.Does[i].(type) {
	case native.GuardedStep:
		g.guarded(i, x)
	case native.BlockStep:
		g.block(i, x)
	case native.OperationStep:
		if x.Test {
			g.compare(x)
		} else {
			g.vector(i, x)
		}
	case native.ChooseStep:
		g.choose(x.Instr)
	case native.ScalarStep:
		g.scalarCode().scalar(x)
	case native.PredicateStep:
		g.predicate(x.Instr)
	case native.PackStep:
		g.pack(x.Pack)
	case native.UnpackStep:
		g.unpack(x.Pack)
	case native.MemoryStep:
		g.memoryCode().memory(i, x)
	case native.AtomicStep:
		g.memoryCode().atomic(i, x)
	case native.SyncStep:
		collectiveCode{g}.sync(i, x)
	case native.RunningStep:
		collectiveCode{g}.everywhere(x.To, jit.R12)
	case native.DecideStep:
		g.decide(x.Instr)
	case native.JumpStep:
		g.settle()
		g.Jump(g.label(x.Target))
	case native.BranchStep:
		g.branch(i, x)
	}
}

// vector computes a row.
func (g *gen) vector(i int, x native.OperationStep) {
	switch {
	case !g.wanted(x.D):
		g.forget(x.D)
	case x.Beyond:
		g.leaveBeyond(i, x.Instr)
		g.apply(x.Body, x.Instr)
		g.release(0)
		g.retire()
		g.memoryCode().comeBack(i + 1)
	case indexCode{g}.result(x.Instr):
	default:
		g.apply(x.Body, x.Instr)
	}
}

// guarded is a step under a guard: where any lane executes it, the interpreter does.
// What it writes then is in the slab, and may differ from lane to lane.
func (g *gen) guarded(i int, x native.GuardedStep) {
	for _, s := range x.Writes {
		if r := g.find(s); r != nil && r.dirty {
			g.save(r)
		}
		g.forget(s)
	}
	some := g.NewLabel()
	g.memoryCode().leaveAt(i, some)
	g.Load32(jit.RAX, slab(x.Guard, 0))
	if x.Not {
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
func (g *gen) block(i int, x native.BlockStep) {
	out := g.NewLabel()
	if x.Meets {
		meet := g.NewLabel()
		g.CmpMemImm(ctx(native.CtxMeet), int32(i))
		g.JumpIf(jit.E, meet)
		g.cold = append(g.cold, func() {
			g.Bind(meet)
			g.diverging().meets(i)
		})
	}
	g.Test(true, jit.R8, jit.R8)
	g.JumpIf(jit.S, out)
	g.OpImm(jit.SUB, true, jit.R8, x.Cost)
	if x.Instrs > 0 {
		g.OpImm(jit.ADD, true, jit.R9, x.Instrs)
	}
	if x.Counts != program.NoBlock {
		g.executed(x.Counts)
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
