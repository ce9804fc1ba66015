package lower

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// launchCancel lowers clusterlaunchcontrol.try_cancel [response], [mbarrier].
func (e *emitter) launchCancel(in *ptx.Instr, _ *cfg.Block) (err error) {
	e.u.prog.Clusters, e.u.prog.Ordered = true, true // which blocks are left depends on their order
	s := &program.LaunchCancel{All: in.Has("multicast::cluster::all")}
	space := parseAccess(in).space
	if s.Mem, err = e.mem(in.Args[0], trace.Site{Space: space, Kind: trace.Write}, 4, 4); err != nil {
		return err
	}
	barrier := trace.Site{Space: space, Kind: trace.Atomic, Order: trace.OrderRelaxed, Scope: trace.ScopeCluster}
	if s.Barrier, err = e.mem(in.Args[1], barrier, 8, 1); err != nil {
		return err
	}
	e.addStep(s, s.Mem.Site)
	return nil
}

// queryCancel lowers clusterlaunchcontrol.query_cancel, which takes a response apart.
func (e *emitter) queryCancel(in *ptx.Instr, _ *cfg.Block) (err error) {
	low, high, ok := halvesOf(e.f.g, in.Args[len(in.Args)-1])
	if !ok {
		return unsupportedf("%s of an operand that is not a register of 128 bits", in.Opcode())
	}
	if in.Has("is_canceled") {
		op := &alu.Op{Name: in.Opcode(), Dst: alu.Pred, Args: []alu.Width{alu.W64}}
		op.Fn = func(v, _, _, _ uint64) (uint64, uint64) { return v >> program.CanceledBit & 1, 0 }
		return e.apply(op, []ptx.Operand{in.Args[0], high})
	}
	s := &program.FirstBlock{}
	if s.Low, err = e.vec(low, alu.W64); err != nil {
		return err
	}
	if s.High, err = e.vec(high, alu.W64); err != nil {
		return err
	}
	if err = e.cancelCoordinates(s, in); err != nil {
		return err
	}
	s.Site = e.site(trace.Site{})
	e.addStep(s, s.Site)
	return nil
}

// cancelCoordinates finds the slots of the results of get_first_ctaid.
func (e *emitter) cancelCoordinates(s *program.FirstBlock, in *ptx.Instr) (err error) {
	s.Dst = [3]int32{program.NoSlot, program.NoSlot, program.NoSlot}
	for i, name := range []string{"get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z"} {
		if in.Has(name) {
			s.Dst[i], err = e.destSlot(in.Args[0], alu.W32)
			return err
		}
	}
	list := elems(in.Args[0])
	if len(list) != 4 {
		return unsupportedf("%s with %d registers where it needs 4", in.Opcode(), len(list))
	}
	for i := range s.Dst {
		if s.Dst[i], err = e.destSlot(list[i], alu.W32); err != nil {
			return err
		}
	}
	return nil
}
