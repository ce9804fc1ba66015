package lower

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// A cluster is one block here: its rank is 0, and an address in the shared
// memory of the cluster is one in that of the block.

// mapa gives the address in the shared memory of the block of that rank; the
// own address is the only one that there is.
func (e *emitter) mapa(in *ptx.Instr, _ *cfg.Block) error {
	return e.compute(in, "mov.b"+addressBits(in), in.Args[:2])
}

func (e *emitter) getctarank(in *ptx.Instr, _ *cfg.Block) error {
	return e.compute(in, "mov.b32", []ptx.Operand{in.Args[0], &ptx.Imm{}})
}

// addressBits is "32" or "64", by the instruction's type.
func addressBits(in *ptx.Instr) string {
	if in.Has("u32") {
		return "32"
	}
	return "64"
}

// clusterBarrier lowers barrier.cluster: the arrival costs nothing, and
// waiting is a barrier of the block apart from the numbered ones.
func (e *emitter) clusterBarrier(in *ptx.Instr) error {
	if in.Has("arrive") {
		return nil
	}
	b := warp.Bar{Count: warp.NoSlot, Pred: warp.NoSlot, Dst: warp.NoSlot, Cluster: true, Aligned: in.Has("aligned")}
	b.ID = e.u.constant(warp.ClusterBarrier, alu.W32, false)
	b.Site = e.site(trace.Site{})
	e.u.prog.Bars = append(e.u.prog.Bars, b)
	e.add(warp.Instr{Op: warp.OpBarrier, X: int32(len(e.u.prog.Bars) - 1), Site: b.Site})
	return nil
}

// createpolicy makes a cache policy, which says nothing here.
func (e *emitter) createpolicy(in *ptx.Instr, _ *cfg.Block) error {
	return e.compute(in, "mov.b64", []ptx.Operand{in.Args[0], &ptx.Imm{}})
}
