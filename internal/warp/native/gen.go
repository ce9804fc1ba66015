package native

import (
	"unsafe"

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

	// The run at hand.
	carrying
	k     jit.K
	done  tally
	until int // the first step after the run
}

// generate compiles a program. entry has by form and step the places in the
// code, sweep is that for sweeps.
func generate(pl *plan, w Watched) (code []byte, entry [2][]int32, sweep int32) {
	g := &gen{scope: scope{pl.p, w}, allocator: allocator{pl: pl,
		lastRead: make([]int, len(pl.slots)), lastWrite: make([]int, len(pl.slots))}}
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
		i = g.run(i)
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

// Places in the context.
const (
	ctxSlab       = int32(unsafe.Offsetof(Context{}.Slab))
	ctxTarget     = int32(unsafe.Offsetof(Context{}.Target))
	ctxMask       = int32(unsafe.Offsetof(Context{}.Mask))
	ctxBudget     = int32(unsafe.Offsetof(Context{}.Budget))
	ctxInstrs     = int32(unsafe.Offsetof(Context{}.Instrs))
	ctxLoads      = int32(unsafe.Offsetof(Context{}.Loads))
	ctxStores     = int32(unsafe.Offsetof(Context{}.Stores))
	ctxMeet       = int32(unsafe.Offsetof(Context{}.Meet))
	ctxLocals     = int32(unsafe.Offsetof(Context{}.Locals))
	ctxGlobals    = int32(unsafe.Offsetof(Context{}.Globals))
	ctxLocal      = int32(unsafe.Offsetof(Context{}.Local))
	ctxWritten    = int32(unsafe.Offsetof(Context{}.Written))
	ctxLocalLimit = int32(unsafe.Offsetof(Context{}.LocalLimit))
	ctxChanges    = int32(unsafe.Offsetof(Context{}.Changes))
	ctxAt         = int32(unsafe.Offsetof(Context{}.atomic) + unsafe.Offsetof(atomicArea{}.at))
	ctxB          = int32(unsafe.Offsetof(Context{}.atomic) + unsafe.Offsetof(atomicArea{}.b))
	ctxC          = int32(unsafe.Offsetof(Context{}.atomic) + unsafe.Offsetof(atomicArea{}.c))
	ctxOld        = int32(unsafe.Offsetof(Context{}.atomic) + unsafe.Offsetof(atomicArea{}.old))
	ctxExecuted   = int32(unsafe.Offsetof(Context{}.Executed))
	ctxDecided    = int32(unsafe.Offsetof(Context{}.Decided))
	ctxRegions    = int32(unsafe.Offsetof(Context{}.Regions))
)

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
	return g.diverging().sweeps()
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

// run compiles the steps from first on up to the next leader or step without
// native code. It returns where the next run begins.
func (g *gen) run(first int) int {
	if !g.native(first) {
		if g.pl.leader[first] {
			g.Bind(g.label(int32(first)))
			g.exit(first)
		}
		return first + 1
	}
	g.Bind(g.label(int32(first)))
	g.canEnter(first, g.label(int32(first)))
	g.begin(first)
	loopCode{g}.carry(first)
	for i := first; i < g.until; i++ {
		g.at = i
		g.step(i, &g.p.Code[i])
		g.release(0)
		g.retire()
	}
	switch op := g.p.Code[g.until-1].Op; {
	case op == program.OpJump || op == program.OpBranch:
		return g.until
	case g.until == len(g.p.Code) || g.pl.leader[g.until]:
		g.settle() // and falls into the next run
		return g.until
	}
	g.settle()
	g.exit(g.until)
	return g.until + 1
}

// begin readies the state for a run from first on.
func (g *gen) begin(first int) {
	g.rows, g.free, g.temps, g.k = g.rows[:0], allVecs, 0, 0
	g.done = tally{}
	for _, n := range g.touched {
		g.lastRead[n], g.lastWrite[n] = 0, 0
	}
	g.touched = g.touched[:0]
	last := first
	for ; ; last++ {
		e := &g.pl.steps[last]
		for _, s := range e.reads {
			n := g.pl.ids[s]
			g.lastRead[n] = last
			g.touched = append(g.touched, n)
		}
		for _, s := range e.writes {
			n := g.pl.ids[s]
			if e.exact {
				g.lastWrite[n] = last
			} else { // lanes that it leaves alone keep what was there
				g.lastRead[n] = last
			}
			g.touched = append(g.touched, n)
		}
		op := g.p.Code[last].Op
		if op == program.OpJump || op == program.OpBranch || last+1 == len(g.p.Code) || g.pl.leader[last+1] || !g.native(last+1) {
			break
		}
	}
	g.until = last + 1
	g.liveOut = g.pl.liveBefore(last + 1)
}

// settle ends a run: the slab gets what lives on.
func (g *gen) settle() {
	g.at = g.until // nothing is read again
	g.flush()
	g.count()
}

// tally is the memory steps of a run so far: loads, stores that others can see,
// and stores to local memory; and how many of them name global memory.
type tally struct{ loads, stores, locals, globals int32 }

func (t *tally) add(x tally) {
	t.loads, t.stores, t.locals, t.globals = t.loads+x.loads, t.stores+x.stores, t.locals+x.locals, t.globals+x.globals
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

// native reports whether a step has native code.
func (g *gen) native(i int) bool {
	in := &g.p.Code[i]
	if in.Guard != program.NoSlot {
		return in.Op == program.OpLoad
	}
	switch in.Op {
	case program.OpEnter, program.OpJump, program.OpBranch, program.OpNop, program.OpPredMov, program.OpPredNot, program.OpPredAnd, program.OpPredOr, program.OpPredXor, program.OpSel, program.OpDecide:
		return true
	case program.OpSubarray:
		return g.watched&Subarrays == 0
	case program.OpFence:
		return g.nativeFence()
	case program.OpVec, program.OpVec4:
		return valueBody(in.ALU) != nil
	case program.OpCmp:
		return testBody(in.ALU) != nil
	case program.OpScalar:
		return g.scalarCode().nativeScalar(in)
	case program.OpPack, program.OpUnpack:
		return nativePack(&g.p.Packs[in.X])
	case program.OpLoad, program.OpStore:
		return g.nativeMem(in)
	case program.OpAtomic:
		return g.nativeAtomic(&g.p.Mems[in.X])
	case program.OpSync:
		return g.nativeSync(&g.p.Syncs[in.X])
	case program.OpActiveMask:
		return true
	}
	return false
}

// step compiles one step.
func (g *gen) step(i int, in *program.Instr) {
	if in.Guard != program.NoSlot {
		g.guarded(i, in)
		return
	}
	switch in.Op {
	case program.OpEnter:
		g.block(i, in)
	case program.OpVec, program.OpVec4:
		g.vector(i, in)
	case program.OpCmp:
		g.compare(in)
	case program.OpSel:
		g.choose(in)
	case program.OpScalar:
		g.scalarCode().scalar(in)
	case program.OpPredMov, program.OpPredNot, program.OpPredAnd, program.OpPredOr, program.OpPredXor:
		g.predicate(in)
	case program.OpPack:
		g.pack(&g.p.Packs[in.X])
	case program.OpUnpack:
		g.unpack(&g.p.Packs[in.X])
	case program.OpLoad:
		g.memoryCode().memory(i, in)
	case program.OpStore:
		g.memoryCode().memory(i, in)
	case program.OpAtomic:
		g.memoryCode().atomic(i, in)
	case program.OpSync:
		collectiveCode{g}.sync(i, &g.p.Syncs[in.X])
	case program.OpActiveMask:
		collectiveCode{g}.everywhere(in.D, jit.R12)
	case program.OpDecide:
		if g.watched&Counted != 0 {
			g.decide(in)
		}
	case program.OpJump:
		g.settle()
		g.Jump(g.label(g.p.Branches[in.X].Target))
	case program.OpBranch:
		g.branch(i, in)
	}
}

// vector is OpVec or OpVec4.
func (g *gen) vector(i int, in *program.Instr) {
	switch {
	case !g.wanted(in.D):
		g.forget(in.D)
	case limited(in.ALU):
		g.leaveBeyond(i, in)
		g.apply(bodyOf(in.ALU), in)
		g.release(0)
		g.retire()
		g.memoryCode().comeBack(i + 1)
	case indexCode{g}.result(in):
	default:
		g.apply(bodyOf(in.ALU), in)
	}
}

// guarded is a step under a guard: where any lane executes it, the interpreter does.
// What it writes then is in the slab, and may differ from lane to lane.
func (g *gen) guarded(i int, in *program.Instr) {
	for _, s := range g.pl.steps[i].writes {
		if r := g.find(s); r != nil && r.dirty {
			g.save(r)
		}
		g.forget(s)
	}
	some := g.NewLabel()
	g.memoryCode().leaveAt(i, some)
	g.Load32(jit.RAX, slab(in.Guard, 0))
	if in.Not {
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
func (g *gen) block(i int, in *program.Instr) {
	out := g.NewLabel()
	if in.Join {
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
	g.OpImm(jit.SUB, true, jit.R8, in.Cost())
	if in.N > 0 {
		g.OpImm(jit.ADD, true, jit.R9, in.N)
	}
	if g.watched&Counted != 0 && in.X != program.NoBlock {
		g.executed(in.X)
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
