package lower

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// unsupported is why an instruction cannot be executed; it becomes a step
// that stops the kernel.
type unsupported struct{ msg string }

func (e *unsupported) Error() string { return e.msg }

func unsupportedf(format string, args ...any) error {
	return &unsupported{fmt.Sprintf(format, args...)}
}

// emitter lowers one function.
type emitter struct {
	u *unit
	f *fn
	// in is the instruction being lowered, guard its guard's slot.
	in *ptx.Instr
	// guard is the slot of the guard predicate, not whether it is negated.
	guard int32
	not   bool
}

// emitFunc appends the code of f to the program.
func (u *unit) emitFunc(f *fn) error {
	e := &emitter{u: u, f: f}
	e.aliasSpecials()
	u.assignSlots(f)
	for _, r := range f.zero {
		if f.index == 0 && r.slot != program.NoSlot {
			u.prog.Zero = append(u.prog.Zero, program.Const{Slot: r.slot, Width: r.width, Scalar: !r.varying})
		}
	}
	desc := program.Func{Name: f.name}
	if f.index > 0 {
		desc.Params, desc.Rets = e.formals(f.g.PTX.Params), e.formals(f.g.PTX.Ret)
	}
	for _, v := range f.g.Vars {
		if v.Space == ptx.Param {
			e.paramWords(v)
		}
	}
	desc.Entry = e.body()
	e.noteUnset()
	e.provenance().noteDangling(int32(len(u.prog.Funcs)))
	u.prog.Funcs = append(u.prog.Funcs, desc)
	return nil
}

// formals gives the parameters of a function their word slots. A parameter
// in a register gets words that are copied at the function's start.
func (e *emitter) formals(vars []*ptx.Variable) [][]int32 {
	var out [][]int32
	for _, v := range vars {
		out = append(out, e.paramWords(v))
	}
	return out
}

func (e *emitter) paramWords(v *ptx.Variable) []int32 {
	n := int(v.Size()+3) / 4
	if v.Space == ptx.Reg && n == 0 {
		n = 1
	}
	words := make([]int32, n)
	for i := range words {
		words[i] = e.u.newSlot(area32, e.f)
	}
	e.f.words[v.Name] = words
	return words
}

// aliasSpecials lets registers that only copy a special register share its
// place.
func (e *emitter) aliasSpecials() {
	for _, b := range e.f.g.Blocks {
		for _, in := range b.Instrs {
			if in.Op != "mov" || in.Guard != nil || len(in.Args) != 2 {
				continue
			}
			d, ok1 := in.Args[0].(*ptx.RegRef)
			s, ok2 := in.Args[1].(*ptx.RegRef)
			if !ok1 || !ok2 {
				continue
			}
			r := e.f.reg(d)
			if r == nil || r.defs != 1 || e.f.reg(s) != nil || r.width != program.SpecialWidth(strings.TrimPrefix(s.Name, "%")) || slices.Contains(e.f.zero, r) {
				continue
			}
			if sp, ok := e.u.special(s.Name); ok && (sp.kind == program.Lane) == r.varying && r.width != alu.W64 {
				r.slot, r.special = e.u.prog.Specials[sp.index].Slot, sp.index+1
			}
		}
	}
}

// body lowers the blocks in order and returns the first step.
func (e *emitter) body() int32 {
	f, p := e.f, e.u.prog
	e.guard = program.NoSlot
	f.start = make([]int32, len(f.g.Blocks))
	f.meets = make([]bool, len(f.g.Blocks))
	for b, d := range f.g.IPdom {
		if d >= 0 && len(f.g.Graph.Succ[b]) > 1 {
			f.meets[d] = true
		}
	}
	entry := int32(len(p.Code))
	e.prologue()
	firstBranch, firstTable := len(p.Branches), len(p.Tables)
	for _, b := range f.g.Blocks {
		e.block(b)
	}
	// Blocks have their places now.
	for i := range p.Branches[firstBranch:] {
		br := &p.Branches[firstBranch+i]
		br.Target, br.Meet = f.place(br.Target), f.place(br.Meet)
	}
	for i := range p.Tables[firstTable:] {
		t := &p.Tables[firstTable+i]
		t.Meet = f.place(t.Meet)
		for k := range t.Targets {
			t.Targets[k] = f.place(t.Targets[k])
		}
	}
	return entry
}

// place turns a block number into its first step.
func (f *fn) place(block int32) int32 {
	if block < 0 {
		return -1
	}
	return f.start[block]
}

// prologue reserves the frame of a reentrant function, clears the registers that it may read
// before it writes them, and moves parameters that are registers into place.
func (e *emitter) prologue() {
	f := e.f
	if f.reentrant && f.frameSize > 0 || f.allocates() {
		e.stack().stack()
		f.baseSlot = e.u.newSlot(area32, f)
		e.add(program.Instr{Op: program.OpFrame, D: f.baseSlot, Imm: f.frameSize})
	}
	e.stack().spillParams()
	if f.index > 0 {
		for _, r := range f.zero {
			e.clear(r)
		}
	}
	for _, v := range f.g.PTX.Params {
		if v.Space == ptx.Reg {
			if r := f.reg(&ptx.RegRef{Name: v.Name}); r != nil && r.slot != program.NoSlot { // the body names it
				e.readWords(r.slot, r.width, f.words[v.Name], 0, min(8, max(int(v.Size()), 4)), 0)
			}
		}
	}
}

// clear sets a register to 0, as those of the kernel are when a block begins.
func (e *emitter) clear(r *reg) {
	switch {
	case r.slot == program.NoSlot:
	case r.width == alu.Pred:
		e.add(program.Instr{Op: program.OpPredMov, D: r.slot, A: e.constant(0, alu.Pred)})
	default:
		op := &alu.Op{Name: "mov", Dst: r.width, Fn: func(_, _, _, _ uint64) (uint64, uint64) { return 0, 0 }}
		e.add(program.Instr{Op: program.OpLane, ALU: op, Dst: r.width, D: r.slot, D2: program.NoSlot})
	}
}

// add appends a step under the current guard.
func (e *emitter) add(in program.Instr) *program.Instr {
	in.Guard, in.Not = e.guard, e.not
	code := append(e.u.prog.Code, in)
	e.u.prog.Code = code
	return &code[len(code)-1]
}

func (e *emitter) block(b *cfg.Block) {
	e.f.start[b.ID] = int32(len(e.u.prog.Code))
	e.guard, e.not = program.NoSlot, false
	e.add(program.Instr{Op: program.OpEnter, N: int32(len(b.Instrs) - e.provenance().marked(b)), Join: e.f.meets[b.ID], Site: e.startOf(b), X: e.blockNumber(b)})
	for _, in := range b.Instrs {
		e.instr(in, b)
	}
	e.guard, e.not = program.NoSlot, false
	last := b.Instrs
	ends := len(last) > 0 && last[len(last)-1].Kind() == inst.Branch && last[len(last)-1].Guard == nil
	if b.Next < 0 && !ends {
		e.calls().ret()
	}
}

// blockNumber adds a block to those of the program.
func (e *emitter) blockNumber(b *cfg.Block) int32 {
	e.u.prog.Blocks = append(e.u.prog.Blocks, program.BasicBlock{First: b.First, Last: b.Last})
	return int32(len(e.u.prog.Blocks) - 1)
}

// startOf is the place where a block begins, nil if it is not known.
func (e *emitter) startOf(b *cfg.Block) *trace.Site {
	for _, in := range b.Instrs {
		if in.Loc.IsValid() {
			return e.unnumbered(in)
		}
	}
	return nil
}

// unnumbered is a site for messages only.
func (e *emitter) unnumbered(in *ptx.Instr) *trace.Site {
	return &trace.Site{ID: -1, Loc: in.Loc, Func: e.f.name, PTX: in.String(), PTXLine: in.Pos.Line, Op: in.What()}
}

// instr lowers one instruction; what cannot be lowered becomes a step that
// stops the kernel with the reason.
func (e *emitter) instr(in *ptx.Instr, b *cfg.Block) {
	e.in, e.guard, e.not = in, program.NoSlot, false
	if in.Guard != nil && in.Op != "bra" {
		r := e.f.reg(&ptx.RegRef{Name: in.Guard.Reg})
		if r == nil || r.width != alu.Pred {
			e.stop(unsupportedf("guard %s is not a predicate register", in.Guard.Reg))
			return
		}
		e.guard, e.not = r.slot, in.Guard.Not
	}
	e.noteChange(in)
	err := e.checkInFlight(in)
	if err == nil {
		err = e.followLocal(in)
	}
	if err == nil {
		err = e.followChanges(in)
	}
	if err == nil {
		err = e.lower(in, b)
	}
	if err != nil {
		e.stop(err)
	}
	e.provenance().beginSubarray(in)
	e.provenance().markScope(in)
}

func (e *emitter) stop(err error) {
	msg := err.Error()
	var au *alu.Unsupported
	if errors.As(err, &au) {
		msg = "instruction " + e.in.Opcode() + " is not supported"
	}
	e.u.prog.Messages = append(e.u.prog.Messages, fmt.Sprintf("%s (PTX %s:%d:%d)", msg, e.u.mod.Name, e.in.Pos.Line, e.in.Pos.Col))
	site := e.site(trace.Site{})
	e.u.prog.Stops = append(e.u.prog.Stops, site)
	e.add(program.Instr{Op: program.OpUnsupported, X: int32(len(e.u.prog.Messages) - 1), Site: site})
}

// site makes a site at the current instruction. Only those that touch memory
// or synchronize are numbered.
func (e *emitter) site(s trace.Site) *trace.Site {
	s.ID = len(e.u.prog.Sites)
	s.Loc, s.Func = e.in.Loc, e.f.name
	s.PTX, s.PTXLine, s.Op = e.in.String(), e.in.Pos.Line, e.in.What()
	e.u.prog.Sites = append(e.u.prog.Sites, &s)
	return &s
}

func (e *emitter) lower(in *ptx.Instr, b *cfg.Block) error {
	if !executed(in) {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	if e.f.decisions[in] {
		return e.decision(in)
	}
	if f := lowerer(in); f != nil {
		return f(e, in, b)
	}
	return e.arith().arith(in)
}

type lowering func(e *emitter, in *ptx.Instr, b *cfg.Block) error

// lowerer is what lowers an instruction that is more than arithmetic, nil for
// others.
func lowerer(in *ptx.Instr) lowering {
	if in.Kind() == inst.Compute {
		return computing[in.Op]
	}
	return byKind[in.Kind()]
}

// byKind and computing, by the opcode's first word, are the instructions that are
// more than arithmetic.
var (
	byKind    map[inst.Kind]lowering
	computing map[string]lowering
)

func init() {
	byKind = map[inst.Kind]lowering{
		inst.Load: on(memoryEmitter.load), inst.Store: on(memoryEmitter.store), inst.Atomic: on(memoryEmitter.atomic), inst.Discard: on(memoryEmitter.discard),
		inst.MatrixLoad: on(tensorEmitter.matrixMove), inst.MatrixStore: on(tensorEmitter.matrixMove), inst.MatrixMath: on(tensorEmitter.matrixMath),
		inst.ProductAsync: on(tensorEmitter.wgmma), inst.ProductFence: on(tensorEmitter.wgmmaOrder), inst.ProductCommit: on(tensorEmitter.wgmmaOrder), inst.ProductWait: on(tensorEmitter.wgmmaOrder),
		inst.LaunchCancel: on(asyncEmitter.launchCancel),
		inst.TensorAlloc:  on(tensorEmitter.tensorManage), inst.TensorFree: on(tensorEmitter.tensorManage), inst.TensorPermit: on(tensorEmitter.tensorManage),
		inst.TensorLoad: on(tensorEmitter.tensorMove), inst.TensorStore: on(tensorEmitter.tensorMove), inst.TensorWait: on(tensorEmitter.tensorWait),
		inst.TensorCopy: on(tensorEmitter.tensorCopy), inst.TensorShift: on(tensorEmitter.tensorShift), inst.TensorProduct: on(tensorEmitter.tensorProduct),
		inst.TensorCommit: on(tensorEmitter.tensorCommit), inst.TensorFence: on(memoryEmitter.tensorFence),
		inst.TextureLoad: on(textureEmitter.tex), inst.SurfaceLoad: on(textureEmitter.surface), inst.SurfaceStore: on(textureEmitter.surface), inst.SurfaceRed: on(textureEmitter.surface),
		inst.CopyAsync: on(asyncEmitter.copyAsync), inst.CopyCommit: on(asyncEmitter.copyCommit), inst.CopyWait: on(asyncEmitter.copyWait),
		inst.MBarrierInit: on(asyncEmitter.mbarrier), inst.MBarrierInval: on(asyncEmitter.mbarrier), inst.MBarrierArrive: on(asyncEmitter.mbarrier),
		inst.MBarrierExpect: on(asyncEmitter.mbarrier), inst.MBarrierComplete: on(asyncEmitter.mbarrier), inst.MBarrierTest: on(asyncEmitter.mbarrier),
		inst.CopyArrive: on(asyncEmitter.mbarrier),
		inst.BulkCopy:   on(asyncEmitter.bulk), inst.BulkReduce: on(asyncEmitter.bulk), inst.BulkCommit: on(asyncEmitter.bulkCommit), inst.BulkWait: on(asyncEmitter.bulkWait),
		inst.StoreAsync: on(asyncEmitter.storeAsync), inst.AtomicAsync: on(asyncEmitter.storeAsync), inst.FillAsync: on(asyncEmitter.fill),
		inst.TensorMap: on(asyncEmitter.mapField), inst.TensorMapCopy: on(asyncEmitter.mapCopy),
		inst.Barrier: on(syncEmitter.barrier), inst.ClusterArrive: on(syncEmitter.clusterBarrier), inst.WarpSync: on(syncEmitter.warpSync),
		inst.Fence: on(memoryEmitter.fence), inst.ProxyFence: on(memoryEmitter.proxyFence), inst.InitFence: on(memoryEmitter.fence), inst.GridTrigger: on(memoryEmitter.gridControl),
		inst.Shuffle: on(syncEmitter.shfl), inst.Vote: on(syncEmitter.vote), inst.Match: on(syncEmitter.match), inst.Redux: on(syncEmitter.redux),
		inst.ActiveMask: on(syncEmitter.activemask), inst.Elect: on(syncEmitter.elect),
		inst.SetRegisters: (*emitter).setRegisters,
		inst.Hint:         (*emitter).nothing, inst.StackAlloc: on(stackEmitter.alloca), inst.StackSave: on(stackEmitter.stacksave), inst.StackSet: on(stackEmitter.stackrestore),
		inst.Branch: (*emitter).branch, inst.Call: on(callEmitter.call), inst.Return: on(callEmitter.retInstr), inst.Exit: (*emitter).exit, inst.Trap: (*emitter).trap,
	}
	computing = map[string]lowering{
		"mov": on(arithEmitter.mov), "cvta": on(memoryEmitter.cvta), "isspacep": on(memoryEmitter.isspacep), "txq": on(textureEmitter.txq), "suq": on(textureEmitter.txq),
		"istypep": on(textureEmitter.istypep), "mapa": on(memoryEmitter.mapa), "getctarank": on(memoryEmitter.getctarank), "createpolicy": on(memoryEmitter.createpolicy),
		"mbarrier": on(asyncEmitter.pendingCount), "clusterlaunchcontrol": on(asyncEmitter.queryCancel),
	}
}

// nothing lowers what has no effect that a program can see here.
func (e *emitter) nothing(*ptx.Instr, *cfg.Block) error { return nil }

// branch lowers bra and brx.idx.
func (e *emitter) branch(in *ptx.Instr, b *cfg.Block) error {
	if in.Op == "bra" {
		return e.bra(in, b)
	}
	return e.brx(in, b)
}

func (e *emitter) bra(in *ptx.Instr, b *cfg.Block) error {
	p := e.u.prog
	x := int32(len(p.Branches))
	p.Branches = append(p.Branches, program.Branch{
		Target: int32(b.Targets[0]), Meet: int32(e.f.g.IPdom[b.ID]),
		Site: e.unnumbered(in),
	})
	if in.Guard == nil {
		e.add(program.Instr{Op: program.OpJump, X: x})
		return nil
	}
	r := e.f.reg(&ptx.RegRef{Name: in.Guard.Reg})
	if r == nil || r.width != alu.Pred {
		return unsupportedf("guard %s is not a predicate register", in.Guard.Reg)
	}
	e.add(program.Instr{Op: program.OpBranch, X: x, A: r.slot, PredNot: in.Guard.Not})
	return nil
}

func (e *emitter) brx(in *ptx.Instr, b *cfg.Block) error {
	t := program.Table{Meet: int32(e.f.g.IPdom[b.ID])}
	for _, n := range b.Targets {
		t.Targets = append(t.Targets, int32(n))
	}
	idx, err := e.vec(in.Args[0], alu.W32)
	if err != nil {
		return err
	}
	e.u.prog.Tables = append(e.u.prog.Tables, t)
	e.add(program.Instr{Op: program.OpTable, X: int32(len(e.u.prog.Tables) - 1), A: idx, Site: e.site(trace.Site{})})
	return nil
}

func (e *emitter) exit(*ptx.Instr, *cfg.Block) error {
	e.add(program.Instr{Op: program.OpExit})
	return nil
}

func (e *emitter) trap(in *ptx.Instr, _ *cfg.Block) error {
	e.add(program.Instr{Op: program.OpTrap, Site: e.site(trace.Site{GridBarrier: gridBarrier(in)})})
	return nil
}

// notCooperative is the predicate by which the header cooperative_groups.h marks the
// trap of a grid's barrier.
const notCooperative = "not_cooperative"

// gridBarrier reports whether a trap is that of the barrier of a grid: the one of our
// header, or of the toolkit's.
func gridBarrier(trap *ptx.Instr) bool {
	fn := trap.Loc.Func
	return trap.Guard != nil && trap.Guard.Reg == notCooperative ||
		strings.Contains(fn, "cooperative_groups") && strings.Contains(fn, "grid")
}

// operandWidth guesses the width of a call argument from its register.
func (e *emitter) operandWidth(o ptx.Operand) alu.Width {
	if r, ok := o.(*ptx.RegRef); ok {
		if x := e.f.reg(r); x != nil {
			return x.width
		}
		return alu.W32
	}
	if f, ok := o.(*ptx.FloatImm); ok && f.Bits == 32 {
		return alu.W32
	}
	return alu.W64
}
