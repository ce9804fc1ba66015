package llvm

import (
	"fmt"
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// irGen generates the LLVM IR of a program: a function for warps with all lanes and one for
// those with some, which call each other where lanes diverge and meet.
//
// A straight run keeps its rows in values; what others read is stored in the slab at once, so
// that a way out has nothing to save.
type irGen struct {
	irText
	native.Scope
	pl   *native.Plan
	part bool

	// entries are the steps where the interpreter can enter, by form, with their labels.
	entries [2]map[int32]string
	// cold are blocks off the usual way, for the end of the function.
	cold []func()

	// The run at hand, and the values of its rows.
	native.Run
	rows   map[int32]irValue
	now    int
	done   native.Tally
	rounds string // the label for further rounds of a loop that may run serially where it begins
}

// irModule generates a program's IR. entries are the steps where the interpreter can enter
// each of its two forms. A draft leaves warps with some lanes to the interpreter.
func irModule(pl *native.Plan, w native.Watched, draft bool) (text string, entries [2][]int32) {
	g := &irGen{Scope: native.NewScope(pl, w), pl: pl}
	g.declared = map[string]bool{}
	g.do("!0 = !{!\"branch_weights\", i32 1, i32 2000}\n!1 = !{}")
	for f, part := range []bool{false, true} {
		g.part, g.entries[f] = part, map[int32]string{}
		if part && draft {
			g.noFunction()
		} else {
			g.function()
		}
		entries[f] = slices.Sorted(maps.Keys(g.entries[f]))
	}
	g.entryPoints()
	for _, d := range slices.Sorted(maps.Keys(g.declared)) {
		fmt.Fprintln(g, d)
	}
	return g.String(), entries
}

// Arguments and variables of a function.
var (
	irContext = irValue{"%ctx", ptrType}
	irSlab    = irValue{"%slab", ptrType}
	irRegions = irValue{"%regions", ptrType}
	irBudget0 = irValue{"%budget0", i64Type}
	irMask0   = irValue{"%mask0", i32Type}
	irPC      = irValue{"%pc", i32Type}
)

// irVariable is a variable of a function: LLVM makes values of them.
type irVariable struct {
	name string
	t    irType
}

var (
	irBudget = irVariable{"%budget", i64Type}
	irInstrs = irVariable{"%instrs", i64Type}
	irLoads  = irVariable{"%loads", i64Type}
	irStores = irVariable{"%stores", i64Type}
	irMask   = irVariable{"%mask", i32Type}
	irOut    = irVariable{"%out", i32Type}
	irAt     = irVariable{"%at", i32Type}
)

func (g *irGen) get(v irVariable) irValue    { return g.load(v.t, irValue{v.name, ptrType}, v.t.bits()/8) }
func (g *irGen) set(v irVariable, x irValue) { g.store(x, irValue{v.name, ptrType}, v.t.bits()/8) }

// add adds to a variable.
func (g *irGen) add(v irVariable, n irValue) { g.set(v, g.bin("add", g.get(v), n)) }

// lanes are the lanes that run; not for the form for all lanes.
func (g *irGen) lanes() irValue { return g.lanesOf(g.get(irMask)) }

// ctxAt is a place in the context, field one of 64 bits.
func (g *irGen) ctxAt(off int32) irValue { return g.at(irContext, constantOf(i64Type, uint64(off))) }
func (g *irGen) field(off int32) irValue { return g.load(i64Type, g.ctxAt(off), 8) }
func (g *irGen) setField(off int32, v irValue) {
	g.store(v, g.ctxAt(off), v.t.bits()/8)
}

// slot is a place in the slab.
func (g *irGen) slot(s int32, off int) irValue {
	return g.at(irSlab, constantOf(i64Type, uint64(int(s)+off)))
}

func irForm(part bool) string { return map[bool]string{false: "@full", true: "@part"}[part] }

// head begins one form.
func (g *irGen) head() {
	fmt.Fprintf(g, "define internal i32 %s(ptr noalias noundef %%ctx, ptr noundef %%slab, i64 %%budget0, i32 %%mask0, i32 %%pc) nounwind {\n", irForm(g.part))
	g.begin("entry")
}

// noFunction generates a form that leaves wherever it is entered.
func (g *irGen) noFunction() {
	g.head()
	g.setField(native.CtxBudget, irBudget0)
	g.setField(native.CtxMask, g.cast("zext", irMask0, "i64"))
	g.do("ret %s", irPC)
	g.do("}\n")
}

// function generates one form.
func (g *irGen) function() {
	g.head()
	for _, v := range []irVariable{irBudget, irInstrs, irLoads, irStores, irMask, irOut, irAt} {
		g.do("%s = alloca %s", v.name, v.t)
		g.set(v, constantOf(v.t, 0))
	}
	g.set(irBudget, irBudget0)
	mask := irMask0
	if !g.part {
		mask = constantOf(i32Type, 1<<32-1)
	}
	g.set(irMask, mask)
	g.do("%s = load ptr, %s, align 8", irRegions.name, g.ctxAt(native.CtxRegions))
	g.do("%%area = alloca [128 x i64], align 64")
	g.set(irAt, irPC)
	g.jump("dispatch")
	for i := 0; i < len(g.Program.Code); {
		i = g.generateRun(i)
	}
	for len(g.cold) > 0 {
		list := g.cold
		g.cold = nil
		for _, f := range list {
			f()
		}
	}
	g.dispatch()
	g.begin("leave")
	g.account()
	g.do("ret %s", g.get(irOut))
	g.do("}\n")
}

// dispatch continues with the step that the caller wants.
func (g *irGen) dispatch() {
	g.begin("dispatch")
	at := g.get(irAt)
	g.set(irOut, at)
	entries := g.entries[native.FormOf(g.part)]
	g.do("switch %s, label %%leave [", at)
	for _, pc := range slices.Sorted(maps.Keys(entries)) {
		g.do("  i32 %d, label %%%s", pc, entries[pc])
	}
	g.do("]")
}

// account tells the context what was done.
func (g *irGen) account() {
	g.tellThreads()
	g.setField(native.CtxBudget, g.get(irBudget))
	g.setField(native.CtxMask, g.cast("zext", g.get(irMask), "i64"))
	g.tellAccesses()
}

// tellThreads counts what the running lanes did, before they change.
func (g *irGen) tellThreads() {
	n, lanes := g.get(irInstrs), g.cast("zext", g.call("ctpop", i32Type, g.get(irMask)), "i64")
	g.addField(native.CtxThreads, g.bin("mul", n, lanes))
	g.addField(native.CtxInstrs, n)
	g.set(irInstrs, constantOf(i64Type, 0))
}

func (g *irGen) tellAccesses() {
	g.addField(native.CtxLoads, g.get(irLoads))
	g.addField(native.CtxStores, g.get(irStores))
}

func (g *irGen) addField(off int32, n irValue) { g.setField(off, g.bin("add", g.field(off), n)) }

// invoke calls one of the functions in C, with the lanes that run.
func (g *irGen) invoke(f function, result irType, args ...irValue) irValue {
	p := g.load(ptrType, g.ctxAt(native.CtxFunctions+8*int32(f)), 8)
	list := irContext.String() + ", " + g.get(irMask).String()
	for _, v := range args {
		list += ", " + v.String()
	}
	return g.value(result, "call %s %s(%s)", result, p.name, list)
}

// stepLabel is the label of the run that begins with a step.
func stepLabel(pc int32) string { return fmt.Sprintf("s%d", pc) }

// exit leaves the code; the interpreter continues with step pc.
func (g *irGen) exit(pc int) {
	g.set(irOut, constantOf(i32Type, uint64(pc)))
	g.jump("leave")
}

// generateRun generates the steps from first on up to the next leader or step without code. It
// returns where the next run begins.
func (g *irGen) generateRun(first int) int {
	g.begin(stepLabel(int32(first)))
	if g.Does[first] == nil {
		g.exit(first)
		return first + 1
	}
	g.entries[native.FormOf(g.part)][int32(first)] = stepLabel(int32(first))
	g.rows, g.done = map[int32]irValue{}, native.Tally{}
	g.Survey(&g.Run, first)
	g.rounds = g.serially(first)
	for i := first; i < g.Until; i++ {
		g.now = i
		g.step(i)
	}
	switch {
	case g.Ends == native.Jumps:
		return g.Until
	case g.Until == len(g.Program.Code):
		g.count()
		g.exit(g.Until)
	default:
		g.count()
		g.jump(stepLabel(int32(g.Until)))
	}
	return g.Until
}

func (g *irGen) step(i int) {
	switch x := g.Does[i].(type) {
	case native.GuardedStep:
		g.guarded(i, x)
	case native.BlockStep:
		g.enterBlock(i, x)
	case native.OperationStep:
		g.operation(i, x)
	case native.ChooseStep:
		g.define(x.D, x.Dst, g.choose(g.lanesOf(g.predicate(x.C)), g.row(x.A, x.Dst), g.row(x.B, x.Dst)))
	case native.ScalarStep:
		g.scalar(x)
	case native.PredicateStep:
		g.predicates(x.Instr)
	case native.PackStep:
		g.pack(x.Pack)
	case native.UnpackStep:
		g.unpack(x.Pack)
	case native.MemoryStep:
		g.memory(i, x)
	case native.AtomicStep:
		g.atomic(i, x)
	case native.SyncStep:
		g.sync(i, x)
	case native.RunningStep:
		g.everywhere(x.To, g.get(irMask))
	case native.FenceStep:
		g.do("fence syncscope(\"singlethread\") seq_cst") // as far as the compiler is concerned
	case native.DecideStep:
		g.decide(x.Instr)
	case native.JumpStep:
		g.count()
		g.jump(stepLabel(x.Target))
	case native.BranchStep:
		g.parting(i, x)
	}
}

// predicates is the operations on predicates.
func (g *irGen) predicates(in *program.Instr) {
	a := g.predicate(in.A)
	switch in.Op {
	case program.OpPredMov:
		g.setPredicate(in.D, a)
	case program.OpPredNot:
		g.setPredicate(in.D, g.with("xor", a, 1<<32-1))
	default:
		g.setPredicate(in.D, g.bin(irPredicates[in.Op], a, g.predicate(in.B)))
	}
}

var irPredicates = map[program.Opcode]string{program.OpPredAnd: "and", program.OpPredOr: "or", program.OpPredXor: "xor"}

func rowType(w alu.Width) irType {
	if w == alu.W64 {
		return row64Type
	}
	return row32Type
}

// row is the value of a slot in all lanes.
func (g *irGen) row(slot int32, w alu.Width) irValue {
	t := rowType(w)
	if v, ok := g.rows[slot]; ok && v.t == t {
		return v
	}
	v := g.fromSlab(slot, t)
	g.rows[slot] = v
	return v
}

// fromSlab loads a row.
func (g *irGen) fromSlab(slot int32, t irType) irValue {
	if g.pl.Same[slot] {
		return g.splat(g.load(irType{t.elem, 1}, g.slot(slot, 0), 4), t.n)
	}
	return g.load(t, g.slot(slot, 0), 4)
}

// define gives a slot its new value.
func (g *irGen) define(slot int32, w alu.Width, v irValue) {
	delete(g.rows, slot)
	if slot == program.NoSlot || !g.again(slot) && !g.outlives(slot) {
		return
	}
	g.rows[slot] = v
	if !g.stored(slot) {
		return
	}
	if g.part {
		v = g.choose(g.lanes(), v, g.load(v.t, g.slot(slot, 0), 4))
	}
	g.store(v, g.slot(slot, 0), 4)
}

// again and outlives are those of allocator.
func (g *irGen) again(slot int32) bool {
	n, ok := g.pl.IDs[slot]
	return ok && g.LastRead[n] > g.now
}

func (g *irGen) outlives(slot int32) bool {
	n, ok := g.pl.IDs[slot]
	return ok && (g.LiveOut[n/64]>>(n%64)&1 != 0 || g.pl.Kept[n]) && g.LastWrite[n] <= g.now
}

// stored reports whether the slab must have a value written now: it lives after the run, or
// the run may be left before it is read for the last time.
func (g *irGen) stored(slot int32) bool {
	if g.outlives(slot) {
		return true
	}
	for i := g.now + 1; i <= g.LastRead[g.pl.IDs[slot]]; i++ {
		if g.MayLeave(i) {
			return true
		}
	}
	return false
}

// predicate is a mask in the slab.
func (g *irGen) predicate(slot int32) irValue { return g.load(i32Type, g.slot(slot, 0), 4) }

// setPredicate writes a predicate in the lanes that take part.
func (g *irGen) setPredicate(slot int32, v irValue) {
	if g.part && slot >= g.Program.Uniform {
		m := g.get(irMask)
		old := g.predicate(slot)
		v = g.bin("xor", old, g.bin("and", g.bin("xor", old, v), m))
	}
	g.store(v, g.slot(slot, 0), 4)
}

// operand is a slot's row as a kind says, scalarOperand its one value.
func (g *irGen) operand(slot int32, k body.Kind) irValue {
	switch k {
	case body.K64:
		return g.row(slot, alu.W64)
	case body.KZero:
		return g.cast("zext", g.row(slot, alu.W32), "i64")
	case body.KSign:
		return g.cast("sext", g.row(slot, alu.W32), "i64")
	}
	return g.row(slot, alu.W32)
}

func (g *irGen) scalarOperand(slot int32, k body.Kind) irValue {
	if k == body.K64 {
		return g.load(i64Type, g.slot(slot, 0), 8)
	}
	v := g.load(i32Type, g.slot(slot, 0), 4)
	switch k {
	case body.KZero:
		return g.cast("zext", v, "i64")
	case body.KSign:
		return g.cast("sext", v, "i64")
	}
	return v
}

// operation computes a row or a predicate.
func (g *irGen) operation(i int, x native.OperationStep) {
	if !g.again(x.D) && !g.outlives(x.D) {
		delete(g.rows, x.D)
		return
	}
	var v []irValue
	for j, k := range x.Body.Args {
		v = append(v, g.operand([]int32{x.A, x.B, x.C, x.E}[j], k))
	}
	if x.Beyond {
		g.leaveBeyond(i, x.Instr, v[0])
	}
	if r := g.render(x.Body, v); x.Test {
		g.setPredicate(x.D, g.maskOf(r))
	} else {
		g.define(x.D, x.Dst, r)
	}
	if x.Beyond {
		g.comeBack(i + 1)
	}
}

// scalar is OpScalar.
func (g *irGen) scalar(x native.ScalarStep) {
	var r irValue
	if x.Body == nil {
		k := body.KindOf(x.Dst.Bytes())
		c := g.with("and", g.predicate(x.C), 1)
		r = g.choose(g.compare("icmp ne", c, constantOf(i32Type, 0)), g.scalarOperand(x.A, k), g.scalarOperand(x.B, k))
	} else {
		var v []irValue
		for j, k := range x.Body.Args {
			v = append(v, g.scalarOperand([]int32{x.A, x.B, x.C, x.E}[j], k))
		}
		r = g.render(x.Body, v)
	}
	if x.Dst == alu.Pred {
		g.store(g.maskOf(r), g.slot(x.D, 0), 4)
		return
	}
	g.setScalar(x.D, x.Bcast, x.Dst, r)
}

// setScalar writes a scalar and the first elements of the row that repeats it.
func (g *irGen) setScalar(slot, row int32, w alu.Width, v irValue) {
	wide := v
	if v.t.bits() < 64 {
		wide = g.cast("zext", v, "i64")
	}
	g.store(wide, g.slot(slot, 0), 8)
	if row == program.NoSlot {
		return
	}
	delete(g.rows, row)
	if w == alu.W32 && v.t.bits() == 64 {
		v = g.cast("trunc", v, "i32")
	} else if w == alu.W64 {
		v = wide
	}
	switch {
	case g.pl.Kept[g.pl.IDs[row]]:
		g.store(g.splat(v, 32), g.slot(row, 0), 4)
	case w == alu.W64:
		g.store(v, g.slot(row, 0), 4)
	default:
		g.store(g.splat(v, 2), g.slot(row, 0), 4)
	}
}

// everywhere gives all lanes one value.
func (g *irGen) everywhere(slot int32, v irValue) {
	if slot != program.NoSlot {
		g.define(slot, alu.W32, g.splat(v, 32))
	}
}

// pack is OpPack.
func (g *irGen) pack(k *program.Pack) {
	lo, hi := g.row(k.Elems[0], alu.W32), g.row(k.Elems[1], alu.W32)
	if k.Bits == 32 {
		lo, hi = g.cast("zext", lo, "i64"), g.cast("zext", hi, "i64")
	} else {
		lo = g.with("and", lo, 0xffff)
	}
	g.define(k.Reg, k.Width, g.bin("or", g.with("shl", hi, uint64(k.Bits)), lo))
}

// unpack is OpUnpack.
func (g *irGen) unpack(k *program.Pack) {
	v := g.row(k.Reg, k.Width)
	for e, slot := range k.Elems {
		if slot == program.NoSlot {
			continue
		}
		r := v
		if e == 1 {
			r = g.with("lshr", v, uint64(k.Bits))
		}
		if k.Bits == 32 {
			r = g.cast("trunc", r, "i32")
		} else if e == 0 {
			r = g.with("and", r, 0xffff)
		}
		g.define(slot, k.ElemWidth, r)
	}
}
