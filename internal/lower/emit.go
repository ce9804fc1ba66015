package lower

import (
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

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
	e.noteDangling(int32(len(u.prog.Funcs)))
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

// prologue reserves the frame of a reentrant function, clears the registers that it may read
// before it writes them, and moves parameters that are registers into place.
func (e *emitter) prologue() {
	f := e.f
	if f.reentrant && f.frameSize > 0 || f.allocates() {
		e.stack()
		f.baseSlot = e.u.newSlot(area32, f)
		e.add(program.Instr{Op: program.OpFrame, D: f.baseSlot, Imm: f.frameSize})
	}
	e.spillParams()
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

func (e *emitter) block(b *cfg.Block) {
	e.f.start[b.ID] = int32(len(e.u.prog.Code))
	e.guard, e.not = program.NoSlot, false
	e.add(program.Instr{Op: program.OpEnter, N: int32(len(b.Instrs) - e.marked(b)), Join: e.f.meets[b.ID], Site: e.startOf(b), X: e.blockNumber(b)})
	for _, in := range b.Instrs {
		e.instr(in, b)
	}
	e.guard, e.not = program.NoSlot, false
	last := b.Instrs
	ends := len(last) > 0 && last[len(last)-1].Kind() == inst.Branch && last[len(last)-1].Guard == nil
	if b.Next < 0 && !ends {
		e.ret()
	}
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
	e.beginSubarray(in)
	e.markScope(in)
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
	return e.arith(in)
}

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
		inst.Load: (*emitter).load, inst.Store: (*emitter).store, inst.Atomic: (*emitter).atomic, inst.Discard: (*emitter).discard,
		inst.MatrixLoad: (*emitter).matrixMove, inst.MatrixStore: (*emitter).matrixMove, inst.MatrixMath: (*emitter).matrixMath,
		inst.ProductAsync: (*emitter).wgmma, inst.ProductFence: (*emitter).wgmmaOrder, inst.ProductCommit: (*emitter).wgmmaOrder, inst.ProductWait: (*emitter).wgmmaOrder,
		inst.LaunchCancel: (*emitter).launchCancel,
		inst.TensorAlloc:  (*emitter).tensorManage, inst.TensorFree: (*emitter).tensorManage, inst.TensorPermit: (*emitter).tensorManage,
		inst.TensorLoad: (*emitter).tensorMove, inst.TensorStore: (*emitter).tensorMove, inst.TensorWait: (*emitter).tensorWait,
		inst.TensorCopy: (*emitter).tensorCopy, inst.TensorShift: (*emitter).tensorShift, inst.TensorProduct: (*emitter).tensorProduct,
		inst.TensorCommit: (*emitter).tensorCommit, inst.TensorFence: (*emitter).tensorFence,
		inst.TextureLoad: (*emitter).tex, inst.SurfaceLoad: (*emitter).surface, inst.SurfaceStore: (*emitter).surface, inst.SurfaceRed: (*emitter).surface,
		inst.CopyAsync: (*emitter).copyAsync, inst.CopyCommit: (*emitter).copyCommit, inst.CopyWait: (*emitter).copyWait,
		inst.MBarrierInit: (*emitter).mbarrier, inst.MBarrierInval: (*emitter).mbarrier, inst.MBarrierArrive: (*emitter).mbarrier,
		inst.MBarrierExpect: (*emitter).mbarrier, inst.MBarrierComplete: (*emitter).mbarrier, inst.MBarrierTest: (*emitter).mbarrier,
		inst.CopyArrive: (*emitter).mbarrier,
		inst.BulkCopy:   (*emitter).bulk, inst.BulkReduce: (*emitter).bulk, inst.BulkCommit: (*emitter).bulkCommit, inst.BulkWait: (*emitter).bulkWait,
		inst.StoreAsync: (*emitter).storeAsync, inst.AtomicAsync: (*emitter).storeAsync, inst.FillAsync: (*emitter).fill,
		inst.TensorMap: (*emitter).mapField, inst.TensorMapCopy: (*emitter).mapCopy,
		inst.Barrier: (*emitter).barrier, inst.ClusterArrive: (*emitter).clusterBarrier, inst.WarpSync: (*emitter).warpSync,
		inst.Fence: (*emitter).fence, inst.ProxyFence: (*emitter).proxyFence, inst.InitFence: (*emitter).fence, inst.GridTrigger: (*emitter).gridControl,
		inst.Shuffle: (*emitter).shfl, inst.Vote: (*emitter).vote, inst.Match: (*emitter).match, inst.Redux: (*emitter).redux,
		inst.ActiveMask: (*emitter).activemask, inst.Elect: (*emitter).elect,
		inst.SetRegisters: (*emitter).setRegisters,
		inst.Hint:         (*emitter).nothing, inst.StackAlloc: (*emitter).alloca, inst.StackSave: (*emitter).stacksave, inst.StackSet: (*emitter).stackrestore,
		inst.Branch: (*emitter).branch, inst.Call: (*emitter).call, inst.Return: (*emitter).retInstr, inst.Exit: (*emitter).exit, inst.Trap: (*emitter).trap,
	}
	computing = map[string]lowering{
		"mov": (*emitter).mov, "cvta": (*emitter).cvta, "isspacep": (*emitter).isspacep, "txq": (*emitter).txq, "suq": (*emitter).txq,
		"istypep": (*emitter).istypep, "mapa": (*emitter).mapa, "getctarank": (*emitter).getctarank, "createpolicy": (*emitter).createpolicy,
		"mbarrier": (*emitter).pendingCount, "clusterlaunchcontrol": (*emitter).queryCancel,
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
