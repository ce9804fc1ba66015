package lower

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
)

// rankBits are the bits of an address in the cluster's shared memory that say
// whose it is: 0 for the block's own, else a rank plus one. They are at the same
// place in generic addresses, since the window begins at a multiple of its size.
const rankBits = mem.SharedWindowSize - mem.ClusterStride

// mapa gives the address in the shared memory of the block of that rank (PTX
// ISA, "mapa").
func (e *emitter) mapa(in *ptx.Instr, _ *cfg.Block) error {
	e.u.prog.Clusters = true
	w := addressWidth(in)
	return e.apply(&alu.Op{
		Name: in.Opcode(), Dst: w, Args: []alu.Width{w, alu.W32},
		Fn: func(a, rank, _, _ uint64) (uint64, uint64) {
			return a&^rankBits | min(rank&0xffffffff+1, rankBits>>mem.ClusterShift)<<mem.ClusterShift, 0
		},
	}, in.Args[:3])
}

// getctarank gives the rank of the block to whose shared memory an address
// belongs (PTX ISA, "getctarank").
func (e *emitter) getctarank(in *ptx.Instr, _ *cfg.Block) error {
	e.u.prog.Clusters = true
	return e.apply(&alu.Op{
		Name: in.Opcode(), Dst: alu.W32, Args: []alu.Width{addressWidth(in), alu.W32},
		Fn: func(a, own, _, _ uint64) (uint64, uint64) {
			inWindow := a < mem.SharedWindowSize || a-mem.SharedWindow < mem.SharedWindowSize
			if r := a & rankBits >> mem.ClusterShift; inWindow && r > 0 {
				return r - 1, 0
			}
			return own, 0
		},
	}, []ptx.Operand{in.Args[0], in.Args[1], &ptx.RegRef{Name: "%cluster_ctarank"}})
}

// addressWidth is that of the addresses that an instruction takes.
func addressWidth(in *ptx.Instr) alu.Width {
	if in.Has("u32") {
		return alu.W32
	}
	return alu.W64
}

// clusterBarrier lowers barrier.cluster.
func (e *emitter) clusterBarrier(in *ptx.Instr, _ *cfg.Block) error {
	e.u.prog.Clusters = true
	b := warp.Bar{Count: warp.NoSlot, Pred: warp.NoSlot, Dst: warp.NoSlot, Cluster: true}
	b.Aligned, b.Relaxed = in.Has("aligned"), in.Has("relaxed")
	if in.Has("arrive") {
		b.Kind = warp.BarArrive
	}
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
