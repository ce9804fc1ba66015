package lower

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// launchCancel lowers clusterlaunchcontrol.try_cancel [response], [mbarrier].
func (e asyncEmitter) launchCancel(in *ptx.Instr, _ *cfg.Block) (err error) {
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
func (e asyncEmitter) queryCancel(in *ptx.Instr, _ *cfg.Block) error {
	low, high, ok := halvesOf(e.f.g, in.Args[len(in.Args)-1])
	if !ok {
		return unsupportedf("%s of an operand that is not a register of 128 bits", in.Opcode())
	}
	part := func(dst, half ptx.Operand, width alu.Width, shift, mask uint64) error {
		op := &alu.Op{Name: in.Opcode(), Dst: width, Args: []alu.Width{alu.W64}}
		op.Fn = func(v, _, _, _ uint64) (uint64, uint64) { return v >> shift & mask, 0 }
		return e.arith().apply(op, []ptx.Operand{dst, half})
	}
	const word = 1<<32 - 1
	dst := in.Args[0]
	switch {
	case in.Has("is_canceled"):
		return part(dst, high, alu.Pred, program.CanceledBit, 1)
	case in.Has("get_first_ctaid::x"):
		return part(dst, low, alu.W32, 0, word)
	case in.Has("get_first_ctaid::y"):
		return part(dst, low, alu.W32, 32, word)
	case in.Has("get_first_ctaid::z"):
		return part(dst, high, alu.W32, 0, word)
	}
	list := elems(dst)
	if len(list) != 4 {
		return unsupportedf("%s with %d registers where it needs 4", in.Opcode(), len(list))
	}
	for i, half := range []ptx.Operand{low, low, high} {
		if _, drop := list[i].(*ptx.Sink); drop {
			continue
		}
		if err := part(list[i], half, alu.W32, uint64(i%2*32), word); err != nil {
			return err
		}
	}
	return nil
}
