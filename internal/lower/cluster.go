package lower

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
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

// changesRank reports whether in is an and, or or xor with a constant that changes bits of the rank in an
// address of shared memory, in code for clusters. The address of a block's own shared memory
// has its rank in the cluster above its offset (PTX ISA, "State Spaces: Shared": the window of a
// block is part of its cluster's), at the bits from mem.ClusterShift on, so that without the
// lowest one it is that of the first block of the pair: CUTLASS addresses the mbarriers of copies
// and arrivals with .cta_group::2 in this way (Sm100MmaPeerBitMask). Here such an address has
// no rank until somebody looks.
func (e *emitter) changesRank(in *ptx.Instr) bool {
	if !in.Has("b32") || len(in.Args) != 3 {
		return false
	}
	imm, ok := in.Args[2].(*ptx.Imm)
	if !ok || !changesRankBits(in.Op, uint64(imm.Value)) {
		return false
	}
	pairs := e.u.has("cta_group::2")
	if !pairs && !e.u.has("shared::cluster") {
		return false
	}
	// Where the address cannot be followed, as through local memory, the mask tells.
	return e.mayBeShared(in.Args[1], pairs && in.Op == "and" && uint64(imm.Value)&rankBits == rankBits&^mem.ClusterStride)
}

// changesRankBits reports whether an operation with a constant keeps the offset and changes
// a part of the rank. What clears all of the rank makes an offset. Compilers also clear low bits,
// which are zero in an aligned address.
func changesRankBits(op string, c uint64) bool {
	const offset, aligned = mem.ClusterStride - 1, 1<<10 - 1
	rank := c & rankBits
	switch op {
	case "and":
		return rank != 0 && rank != rankBits && (c|aligned)&offset == offset
	case "or", "xor":
		return rank != 0 && c&offset == 0 && c&^(rankBits|offset)&0xffffffff == 0
	}
	return false
}

// mayBeShared reports whether an operand is an address in shared memory, as far as it is
// known, or unknown where that counts.
func (e *emitter) mayBeShared(o ptx.Operand, unknown bool) bool {
	s := e.sets()
	set := e.objectsIn(s, o)
	if unknown && set&^(aNumber|anObject|maybeObject|s.params) == 0 {
		return e.loaded(o, map[*reg]bool{})
	}
	for set &^= maybeObject | aNumber | s.params; set != 0; set &= set - 1 {
		if o := set & -set; o != anObject && s.one(o).space != trace.SpaceShared {
			return false
		} else if set == o {
			return true
		}
	}
	return false
}

// loaded reports whether an operand comes from memory, a call or a variable's address, at least at times: not from
// special registers and constants alone. seen has the registers that were asked for.
func (e *emitter) loaded(o ptx.Operand, seen map[*reg]bool) bool {
	ref, ok := o.(*ptx.RegRef)
	if !ok {
		_, ok := o.(*ptx.SymbolRef)
		return ok
	}
	r := e.f.reg(ref)
	if r == nil || seen[r] {
		return false
	}
	seen[r] = true
	for _, b := range e.f.g.Blocks {
		for _, in := range b.Instrs {
			writes, reads := results(in)
			if !slices.Contains(e.f.regsIn(writes), r) {
				continue
			}
			if in.Kind() == inst.Load || in.Kind() == inst.Call || slices.ContainsFunc(reads, func(o ptx.Operand) bool { return e.loaded(o, seen) }) {
				return true
			}
		}
	}
	return false
}

// changeRank lowers such an operation: the result names a block of the cluster.
func (e *emitter) changeRank(in *ptx.Instr) error {
	e.u.prog.Clusters = true
	op := in.Op
	return e.apply(&alu.Op{
		Name: in.Opcode(), Dst: alu.W32, Args: []alu.Width{alu.W32, alu.W32, alu.W32},
		Fn: func(a, c, own, _ uint64) (uint64, uint64) {
			rank, c32 := own<<mem.ClusterShift, c&0xffffffff
			if r := a & rankBits >> mem.ClusterShift; r > 0 {
				rank = (r - 1) << mem.ClusterShift
			}
			switch a = a&^rankBits | rank; op {
			case "and":
				a &= c32
			case "or":
				a |= c32
			case "xor":
				a ^= c32
			}
			return a&^rankBits | min(a&rankBits+mem.ClusterStride, rankBits), 0
		},
	}, append(slices.Clone(in.Args), &ptx.RegRef{Name: "%cluster_ctarank"}))
}

// has reports whether an instruction of the kernel, or of what it calls, has a modifier.
func (u *unit) has(modifier string) bool {
	for _, f := range u.order {
		for _, b := range f.g.Blocks {
			if slices.ContainsFunc(b.Instrs, func(in *ptx.Instr) bool { return in.Has(modifier) }) {
				return true
			}
		}
	}
	return false
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
	b := program.Bar{Group: trace.ClusterGroup, Aligned: in.Has("aligned"), Relaxed: in.Has("relaxed")}
	if in.Has("arrive") {
		b.Kind = program.BarArrive
	}
	e.groupBarrier(b)
	return nil
}

// groupBarrier adds an arrival or a wait at the barrier of a group.
func (e *emitter) groupBarrier(b program.Bar) {
	p := e.u.prog
	p.Groups[b.Group] = true
	p.Ordered = p.Ordered || b.Group == trace.GridGroup
	b.Count, b.Pred, b.Dst = program.NoSlot, program.NoSlot, program.NoSlot
	b.ID = e.u.constant(uint64(b.Group.Barrier(0)), alu.W32, false)
	b.Site = e.site(trace.Site{})
	p.Bars = append(p.Bars, b)
	e.add(program.Instr{Op: program.OpBarrier, X: int32(len(p.Bars) - 1), Site: b.Site})
}

// groupCalls are the functions that the header cooperative_groups.h declares for the
// barriers of groups that PTX has no instructions for.
var groupCalls = map[string]program.Bar{
	"__wg_block_arrive": {Group: trace.BlockGroup, Kind: program.BarArrive},
	"__wg_block_wait":   {Group: trace.BlockGroup},
	"__wg_grid_arrive":  {Group: trace.GridGroup, Kind: program.BarArrive},
	"__wg_grid_wait":    {Group: trace.GridGroup},
}

// createpolicy makes a cache policy, which says nothing here.
func (e *emitter) createpolicy(in *ptx.Instr, _ *cfg.Block) error {
	return e.compute(in, "mov.b64", []ptx.Operand{in.Args[0], &ptx.Imm{}})
}
