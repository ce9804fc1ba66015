package lower

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// copyCommit lowers cp.async.commit_group.
func (e *emitter) copyCommit(*ptx.Instr, *cfg.Block) error {
	e.addStep(&program.CopyGroup{Commit: true}, e.site(trace.Site{}))
	return nil
}

// copyWait lowers cp.async.wait_group and cp.async.wait_all.
func (e *emitter) copyWait(in *ptx.Instr, _ *cfg.Block) error {
	what := in.What()
	if !what.All {
		if _, ok := in.Args[0].(*ptx.Imm); !ok {
			return unsupportedf("%s without a constant", in.Opcode())
		}
	}
	e.addStep(&program.CopyGroup{All: what.All, Leave: what.Groups}, e.site(trace.Site{}))
	return nil
}

// copyAsync lowers cp.async [dst], [src], size{, src-size or ignore-src}{, policy}.
func (e *emitter) copyAsync(in *ptx.Instr, _ *cfg.Block) (err error) {
	if len(in.Args) < 3 {
		return unsupportedf("%s with %d operands", in.Opcode(), len(in.Args))
	}
	size, ok := in.Args[2].(*ptx.Imm)
	if !ok || size.Value != 4 && size.Value != 8 && size.Value != 16 {
		return unsupportedf("%s of a size other than 4, 8 or 16 bytes", in.Opcode())
	}
	n := int(size.Value)
	s := &program.CopyAsync{Size: n, SrcSize: program.NoSlot, Ignore: program.NoSlot}
	args := in.Args[3:]
	if in.Has("L2::cache_hint") && len(args) > 0 {
		args = args[:len(args)-1]
	}
	if len(args) > 0 {
		if err := e.copySource(s, args[0]); err != nil {
			return err
		}
	}
	elem := min(n, 4)
	if s.Src, err = e.mem(in.Args[1], trace.Site{Space: trace.SpaceGlobal, Kind: trace.Read}, elem, n/elem); err != nil {
		return err
	}
	if s.Dst, err = e.mem(in.Args[0], trace.Site{Space: trace.SpaceShared, Kind: trace.Write}, elem, n/elem); err != nil {
		return err
	}
	if s.Byte = s.Src; s.SrcSize != program.NoSlot {
		if s.Byte, err = e.mem(in.Args[1], trace.Site{Space: trace.SpaceGlobal, Kind: trace.Read}, 1, 1); err != nil {
			return err
		}
	}
	e.addStep(s, s.Dst.Site)
	return nil
}

// copySource fills in the operand that says how much is read: a number of
// bytes, or a predicate.
func (e *emitter) copySource(s *program.CopyAsync, o ptx.Operand) (err error) {
	if r, ok := o.(*ptx.RegRef); ok {
		if x := e.f.reg(r); x != nil && x.width == alu.Pred {
			s.Ignore, s.IgnoreNot, err = e.votePred(o)
			return err
		}
	}
	s.SrcSize, err = e.vec(o, alu.W32)
	return err
}

// mbarrierKinds are the operations on mbarriers.
var mbarrierKinds = map[inst.Kind]program.MBarrierKind{
	inst.MBarrierInit: program.MBarrierInit, inst.MBarrierInval: program.MBarrierInval, inst.MBarrierArrive: program.MBarrierArrive,
	inst.MBarrierExpect: program.MBarrierExpect, inst.MBarrierComplete: program.MBarrierComplete, inst.MBarrierTest: program.MBarrierTest,
	inst.CopyArrive: program.MBarrierTrack,
}

func (e *emitter) mbarrier(in *ptx.Instr, _ *cfg.Block) error {
	return e.mbarrierOp(in, mbarrierKinds[in.Kind()])
}

// pendingCount lowers mbarrier.pending_count, which looks at a register alone.
func (e *emitter) pendingCount(in *ptx.Instr, _ *cfg.Block) error {
	op := &alu.Op{Name: in.Opcode(), Dst: alu.W32, Args: []alu.Width{alu.W64}}
	op.Fn = func(v, _, _, _ uint64) (uint64, uint64) { return program.MBarrierPending(v), 0 }
	return e.apply(op, in.Args)
}

// silentOf returns the instructions of a function that pragma.IsSilent marks.
func silentOf(f *ptx.Func) map[*ptx.Instr]bool {
	var out map[*ptx.Instr]bool
	marked := false
	for _, st := range f.Body.Stmts {
		in, _ := st.(*ptx.Instr)
		if marked && in != nil {
			if out == nil {
				out = map[*ptx.Instr]bool{}
			}
			out[in] = true
		}
		raw, ok := st.(*ptx.Raw)
		marked = ok && pragma.IsSilent(raw.Text) || marked && in == nil
	}
	return out
}

// mbarrierOp lowers an operation: {result,} [address] {, operand}.
func (e *emitter) mbarrierOp(in *ptx.Instr, k program.MBarrierKind) (err error) {
	s := &program.MBarrier{
		Kind: k, Operand: program.NoSlot, Dst: program.NoSlot, Limit: program.NoSlot, Drop: in.Has("arrive_drop"), NoInc: in.Has("noinc"), Parity: in.Has("parity"),
		Expect: k == program.MBarrierArrive && in.Has("expect_tx"),
	}
	args := in.Args
	if _, ok := args[0].(*ptx.Address); !ok {
		width := alu.W64
		if k == program.MBarrierTest {
			width = alu.Pred
		}
		if s.Dst, err = e.destSlot(args[0], width); err != nil {
			return err
		}
		args = args[1:]
	}
	if len(args) == 0 || k == program.MBarrierTest && len(args) < 2 {
		return unsupportedf("%s with %d operands", in.Opcode(), len(in.Args))
	}
	if len(args) > 1 {
		width := alu.W32
		if k == program.MBarrierTest && !s.Parity {
			width = alu.W64
		}
		if s.Operand, err = e.vec(args[1], width); err != nil {
			return err
		}
	}
	if len(args) > 2 {
		if s.Limit, err = e.vec(args[2], alu.W32); err != nil {
			return err
		}
	}
	if err := e.mbarrierAddress(in, s, args[0]); err != nil {
		return err
	}
	e.addStep(s, s.Mem.Site)
	return nil
}

// mbarrierAddress fills in the address and what the operation does to memory.
// All but init and inval are atomic, tests too, so that they may meet. An
// arrival releases and a successful test acquires where nothing else is said
// (PTX ISA, "mbarrier.arrive", "mbarrier.test_wait"). An operation that names no scope has
// that of the cluster: libraries and compilers leave it out where they arrive at an object
// of another block and wait for such arrivals.
func (e *emitter) mbarrierAddress(in *ptx.Instr, s *program.MBarrier, o ptx.Operand) (err error) {
	a := parseAccess(in)
	site := trace.Site{Space: a.space, Kind: trace.Atomic, Order: trace.OrderRelaxed, Scope: a.scope}
	if site.Scope == trace.ScopeNone {
		site.Scope = trace.ScopeCluster
	}
	other := site
	switch s.Kind {
	case program.MBarrierInit, program.MBarrierInval:
		site.EndsSilently = e.f.silent[in]
		site.Kind, site.Order, site.Scope = trace.Write, trace.OrderWeak, trace.ScopeNone
	case program.MBarrierArrive:
		if a.order == trace.OrderWeak {
			site.Order = trace.OrderRelease
		}
	case program.MBarrierTrack: // relaxed; the arrival that follows releases
		other.Order = trace.OrderRelease
	case program.MBarrierTest:
		if a.order == trace.OrderWeak {
			site.Order = trace.OrderAcquire
		}
	}
	if a.order > trace.OrderWeak {
		site.Order = a.order
	}
	if s.Mem, err = e.mem(o, site, 8, 1); err != nil {
		return err
	}
	if s.Other = s.Mem; s.Kind == program.MBarrierTest || s.Kind == program.MBarrierTrack {
		s.Other, err = e.mem(o, other, 8, 1)
	}
	return err
}
