package lower

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// wgmmaBytes is the extent of a dense A or B along K in bytes.
const wgmmaBytes = 32

// wgmmaOrders are the instructions that order products.
var wgmmaOrders = map[inst.Kind]program.WgmmaOrderKind{
	inst.ProductFence: program.WgmmaFence, inst.ProductCommit: program.WgmmaCommit, inst.ProductWait: program.WgmmaWait,
}

// wgmmaOrder lowers wgmma.fence, wgmma.commit_group and wgmma.wait_group.
func (e *emitter) wgmmaOrder(in *ptx.Instr, _ *cfg.Block) error {
	s := &program.WgmmaOrder{Kind: wgmmaOrders[in.Kind()], Site: e.site(trace.Site{})}
	if s.Kind == program.WgmmaWait {
		n, ok := in.Args[0].(*ptx.Imm)
		if !ok || n.Value > 1<<20 {
			return unsupportedf("%s without a constant", in.Opcode())
		}
		s.Leave = int(n.Value)
	}
	e.together(s.Site)
	e.addStep(s, s.Site)
	return nil
}

// wgmma lowers wgmma.mma_async d, a, b-desc{, sp-meta, sp-sel}, scale-d{, imm-scale-a,
// imm-scale-b}{, imm-trans-a}{, imm-trans-b}.
func (e *emitter) wgmma(in *ptx.Instr, _ *cfg.Block) error {
	x := parseMatrix(in)
	sparse := x.has("sp")
	if !x.wgmmaShape(sparse) || !mixes(x.elems[1], x.elems[2]) || !slices.Contains(accumulators(x.elems[1]), x.elems[0]) {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	s := &program.Wgmma{
		ID:  e.u.productID(in),
		Sat: x.sat, ElemA: x.elems[1], ElemB: x.elems[2], N: x.n, K: x.k,
		DescA: program.NoSlot, DescB: program.NoSlot, Scale: program.NoSlot, Meta: program.NoSlot,
	}
	switch s.ElemA {
	case program.ElemB1:
		s.Kind, s.K = program.MulAnd, s.K/32
	case program.ElemS8, program.ElemU8:
		s.Kind = program.MulInt
	}
	args, err := e.wgmmaOperands(in, s, sparse)
	if err != nil {
		return err
	}
	if err := e.wgmmaScales(in, s, args); err != nil {
		return err
	}
	s.Site = e.site(trace.Site{})
	if a := e.f.unfenced; a != nil {
		s.Changed, s.ChangedA = e.changers(a.sums, in), e.changers(a.fragments, in)
		s.Noted = a.changers[in]
	}
	read := trace.Site{Space: trace.SpaceShared, Kind: trace.Read, Size: 16, Elem: 16}
	if s.SiteB = e.site(read); s.DescA != program.NoSlot {
		s.SiteA = e.site(read)
	}
	e.together(s.Site)
	e.addStep(s, s.Site)
	return nil
}

// wgmmaShape reports whether the shape and three types are such.
func (x *matrixMods) wgmmaShape(sparse bool) bool {
	if len(x.elems) != 3 || x.m != 64 || x.n < 8 || x.n > 256 || x.n%8 != 0 {
		return false
	}
	bits := x.elems[1].Bits()
	if x.elems[0] == program.ElemS32 && x.n > 32 && x.n%16 != 0 {
		return false
	}
	if x.elems[1] == program.ElemB1 {
		bits = 1
	}
	want := wgmmaBytes * 8
	if sparse {
		want *= 2
	}
	return x.k*bits == want && !(sparse && bits == 1)
}

// wgmmaOperands fills in the matrices and returns the operands after them.
func (e *emitter) wgmmaOperands(in *ptx.Instr, s *program.Wgmma, sparse bool) (rest []ptx.Operand, err error) {
	most := 4
	if sparse {
		most = 6
	}
	if len(in.Args) < most {
		return nil, unsupportedf("%s with %d operands", in.Opcode(), len(in.Args))
	}
	x := parseMatrix(in)
	s.FragD = program.NewFrag(program.RoleC, x.elems[0], 16, s.N, s.K)
	if s.RegsD, err = e.destSlots(in.Args[0], len(s.FragD.Index), alu.W32); err != nil {
		return nil, err
	}
	if _, ok := in.Args[1].(*ptx.Vector); ok {
		stored := s.K
		if sparse {
			stored /= 2
		}
		s.FragA = program.NewFrag(program.RoleA, s.ElemA, 16, s.N, stored)
		s.RegsA, err = e.sourceSlots(in.Args[1], len(s.FragA.Index), alu.W32)
	} else {
		s.DescA, err = e.vec(in.Args[1], alu.W64)
	}
	if err != nil {
		return nil, err
	}
	if s.DescB, err = e.vec(in.Args[2], alu.W64); err != nil {
		return nil, err
	}
	if !sparse {
		return in.Args[3:], nil
	}
	if s.Meta, err = e.vec(in.Args[3], alu.W32); err != nil {
		return nil, err
	}
	sel, ok := in.Args[4].(*ptx.Imm)
	if !ok || sel.Value > 3 {
		return nil, unsupportedf("%s with a selector that is not a constant from 0 to 3", in.Opcode())
	}
	s.Sel = int(sel.Value)
	return in.Args[5:], nil
}

// wgmmaScales fills in scale-d and the constants after it.
func (e *emitter) wgmmaScales(in *ptx.Instr, s *program.Wgmma, args []ptx.Operand) (err error) {
	if v, ok := args[0].(*ptx.Imm); ok {
		s.Fresh = v.Value == 0
	} else if s.Scale, s.ScaleNot, err = e.votePred(args[0]); err != nil {
		return err
	}
	var values []int64
	for _, o := range args[1:] {
		v, ok := o.(*ptx.Imm)
		if !ok {
			return unsupportedf("%s with a scale or a transposition that is not a constant", in.Opcode())
		}
		values = append(values, int64(v.Value))
	}
	if s.Kind != program.MulF32 {
		if len(values) > 0 {
			return unsupportedf("%s with %d operands", in.Opcode(), len(in.Args))
		}
		return nil
	}
	turns := 0
	if s.ElemA.Bits() == 16 {
		turns = 1
		if s.DescA != program.NoSlot {
			turns = 2
		}
	}
	if len(values) != 2+turns {
		return unsupportedf("%s with %d operands", in.Opcode(), len(in.Args))
	}
	s.Neg = (values[0] < 0) != (values[1] < 0)
	if turns > 0 {
		s.TransB = values[len(values)-1] != 0
	}
	if turns > 1 {
		s.TransA = values[2] != 0
	}
	return nil
}

// setRegisters lowers setmaxnreg.inc and setmaxnreg.dec.
func (e *emitter) setRegisters(in *ptx.Instr, _ *cfg.Block) error {
	n, ok := in.Args[0].(*ptx.Imm)
	if !ok || n.Value > 256 {
		return unsupportedf("%s without a constant up to 256", in.Opcode())
	}
	s := &program.SetRegisters{Site: e.site(trace.Site{}), Count: int(n.Value), More: in.Has("inc")}
	e.together(s.Site)
	e.addStep(s, s.Site)
	return nil
}
