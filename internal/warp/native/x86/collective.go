package x86

import (
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// collectiveCode is for warp-level operations. They stay in the code where the member mask
// names the lanes that run, and no others, and shuffles read none that do not; all else is
// the interpreter's. RBX collects what speaks against it.
type collectiveCode struct{ *gen }

// sync compiles an OpSync.
func (g collectiveCode) sync(i int, x native.SyncStep) {
	s := x.Sync
	g.MoveImm(jit.RBX, 0)
	g.compareMembers(x)
	var index [2]jit.Vec
	if x.Shuffle {
		index = g.sources(s)
	}
	leave := g.NewLabel()
	g.memoryCode().leaveAt(i, leave)
	g.Test(false, jit.RBX, jit.RBX)
	g.JumpIf(jit.NE, leave)
	switch s.Kind {
	case program.SyncWarp, program.Converge:
	case program.VoteAll, program.VoteAny, program.VoteUni, program.VoteBallot:
		g.vote(s)
	default:
		g.shuffle(s, index)
	}
	g.release(0)
	g.retire()
	g.memoryCode().comeBack(i + 1)
}

// compareMembers compares the member mask of each lane that runs with these lanes.
func (g collectiveCode) compareMembers(x native.SyncStep) {
	switch x.Members {
	case native.AnyMembers:
		return
	case native.SameMembers:
		g.Load32(jit.RBX, slab(x.Mask, 0))
		g.Op(jit.XOR, false, jit.RBX, jit.R12)
		return
	}
	running := g.tmp()
	g.Emit(jit.VPBROADCASTDr, jit.Args{Reg: int8(running), RM: int8(jit.R12)})
	for part := range 2 {
		const notEqual = 4
		g.speaksAgainst(g.mask(jit.VPCMPD, vreg(running), g.source(x.Mask, alu.W32, part), notEqual, g.maskOf(part, 2)))
	}
	g.release(0)
}

// speaksAgainst adds the bits of a mask of 16 lanes to RBX.
func (g collectiveCode) speaksAgainst(k jit.K) {
	g.KTo(jit.RAX, k, 16)
	g.Op(jit.OR, false, jit.RBX, jit.RAX)
}

// sources leaves the lane that each lane reads in two registers, and in k5 and k6 the lanes
// whose source is in range (PTX ISA, "shfl.sync").
func (g collectiveCode) sources(s *program.Sync) (index [2]jit.Vec) {
	var keep uint32
	for part := range 2 {
		lane := g.lanes(part)
		b := g.v3(jit.VPANDD, vreg(g.in(g.source(s.B, alu.W32, part))), g.c32(31))
		c := vreg(g.in(g.source(s.C, alu.W32, part)))
		seg := g.v3(jit.VPANDD, g.vi(jit.VPSRLD, c, 8), g.c32(31))
		least := g.and(seg, lane) // the first lane of the segment
		last := g.or(g.v3(jit.VPANDND, seg, g.and(c, g.c32(31))), least)
		j, atMost := b, byte(2)
		switch s.Kind {
		case program.ShflUp:
			j, atMost = g.v3(jit.VPSUBD, vreg(g.in(lane)), b), 5 // at least
		case program.ShflDown:
			j = g.v3(jit.VPADDD, b, lane)
		case program.ShflBfly:
			j = g.xor(b, lane)
		default:
			j = g.or(g.v3(jit.VPANDND, seg, b), least)
		}
		g.Emit(jit.VPCMPD, jit.Args{Reg: int8(5 + part), V: int8(j.r), RM: int8(last.r), Imm: atMost, K: g.maskOf(part, 2)})
		if g.part {
			g.absent(j, part)
		}
		index[part] = j.r
		keep |= 1 << j.r
		g.release(keep)
	}
	return index
}

// absent notes lanes whose source is in range but does not run.
func (g collectiveCode) absent(j operand, part int) {
	running := g.tmp()
	g.Emit(jit.VPBROADCASTDr, jit.Args{Reg: int8(running), RM: int8(jit.R12)})
	bit := g.v3(jit.VPSRLVD, vreg(running), g.and(j, g.c32(31)))
	one := g.in(g.c32(1))
	g.Emit(jit.VPTESTNMD, jit.Args{Reg: 7, V: int8(bit.r), RM: int8(one), K: jit.K(5 + part)})
	g.speaksAgainst(7)
}

// lanes is the numbers of a part's 16 lanes.
func (g collectiveCode) lanes(part int) operand {
	var v [8]uint64
	for i := range v {
		l := uint64(16*part + 2*i)
		v[i] = l | (l+1)<<32
	}
	m := g.Data(v)
	return operand{m: &m}
}

// shuffle gives each lane what its source has, or its own value where that is out of range.
func (g collectiveCode) shuffle(s *program.Sync, index [2]jit.Vec) {
	if s.Dst != program.NoSlot && g.wanted(s.Dst) {
		own := [2]jit.Vec{g.in(g.source(s.A, alu.W32, 0)), g.in(g.source(s.A, alu.W32, 1))}
		var out []jit.Vec
		for part, j := range index {
			g.Emit(jit.VPERMI2D, jit.Args{Reg: int8(j), V: int8(own[0]), RM: int8(own[1])})
			out = append(out, g.sel(jit.K(5+part), vreg(j), vreg(own[part]), 4).r)
		}
		g.define(s.Dst, alu.W32, out)
	}
	if s.DstPred != program.NoSlot {
		g.KTo(jit.RAX, 5, 16)
		g.KTo(jit.RCX, 6, 16)
		g.ShiftImm(jit.SHL, false, jit.RCX, 16)
		g.Op(jit.OR, false, jit.RAX, jit.RCX)
		g.setPred(s.DstPred)
	}
}

// vote combines a predicate of the lanes that run.
func (g collectiveCode) vote(s *program.Sync) {
	g.Load32(jit.RAX, slab(s.A, 0))
	if s.PredNot {
		g.Not(false, jit.RAX)
	}
	g.Op(jit.AND, false, jit.RAX, jit.R12)
	switch s.Kind {
	case program.VoteAll:
		g.Op(jit.CMP, false, jit.RAX, jit.R12)
		g.Set(jit.E, jit.RAX)
	case program.VoteAny:
		g.Test(false, jit.RAX, jit.RAX)
		g.Set(jit.NE, jit.RAX)
	case program.VoteUni:
		g.Op(jit.CMP, false, jit.RAX, jit.R12)
		g.Set(jit.E, jit.RCX)
		g.Test(false, jit.RAX, jit.RAX)
		g.Set(jit.E, jit.RAX)
		g.Op(jit.OR, false, jit.RAX, jit.RCX)
	}
	if s.DstIsPred {
		g.Neg(false, jit.RAX)
		g.setPred(s.Dst)
		return
	}
	g.everywhere(s.Dst, jit.RAX)
}

// everywhere gives all lanes a register's value.
func (g collectiveCode) everywhere(slot int32, r jit.Reg) {
	if slot == program.NoSlot || !g.wanted(slot) {
		return
	}
	var out []jit.Vec
	for range 2 {
		t := g.tmp()
		g.Emit(jit.VPBROADCASTDr, jit.Args{Reg: int8(t), RM: int8(r)})
		out = append(out, t)
	}
	g.define(slot, alu.W32, out)
}
