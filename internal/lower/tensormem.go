package lower

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// pairs reports .cta_group::2, for which the kernel's blocks have to be in clusters.
func (e *emitter) pairs(in *ptx.Instr) bool {
	if !in.Has("cta_group::2") {
		return false
	}
	e.u.prog.Clusters = true
	return true
}

// tensorAddr lowers an address in tensor memory: [register + offset].
func (e *emitter) tensorAddr(o ptx.Operand) (a program.TensorAddr, err error) {
	ad, ok := o.(*ptx.Address)
	if !ok || len(ad.More) > 0 {
		return a, unsupportedf("%s with an operand that is not an address in tensor memory", e.in.Opcode())
	}
	a.Offset = uint32(ad.Offset)
	base := ad.Base
	if base == nil {
		base = &ptx.Imm{}
	}
	a.Slot, err = e.vec(base, alu.W32)
	return a, err
}

// tensorSite is a site of tensor memory.
func (e *emitter) tensorSite(kind trace.Kind) *trace.Site {
	return e.site(trace.Site{Space: trace.SpaceTensor, Kind: kind, Size: 4, Elem: 4})
}

// sharedSite is the read of a matrix in shared memory.
func (e *emitter) sharedSite() *trace.Site {
	return e.site(trace.Site{Space: trace.SpaceShared, Kind: trace.Read, Size: 16, Elem: 16})
}

// tensorManage lowers tcgen05.alloc [dst], n; dealloc address, n; and relinquish_alloc_permit.
func (e *emitter) tensorManage(in *ptx.Instr, _ *cfg.Block) (err error) {
	s := &program.TensorManage{Pair: e.pairs(in), Addr: program.NoSlot, Columns: program.NoSlot}
	switch in.Kind() {
	case inst.TensorAlloc:
		if s.Mem, err = e.mem(in.Args[0], trace.Site{Space: parseAccess(in).space, Kind: trace.Write}, 4, 1); err != nil {
			return err
		}
		s.Site = s.Mem.Site
	case inst.TensorFree:
		s.Kind = program.TensorDealloc
		if s.Addr, err = e.vec(in.Args[0], alu.W32); err != nil {
			return err
		}
		s.Site = e.tensorSite(trace.Write)
	default:
		s.Kind, s.Site = program.TensorPermit, e.site(trace.Site{})
	}
	if s.Kind != program.TensorPermit {
		if s.Columns, err = e.vec(in.Args[1], alu.W32); err != nil {
			return err
		}
	}
	e.together(s.Site)
	e.addStep(s, s.Site)
	return nil
}

// tensorShapes are the shapes of tcgen05.ld and st, with the registers that each repetition takes.
var tensorShapes = map[string]struct {
	shape program.TensorShape
	regs  int
}{
	"32x32b": {program.Tensor32x32b, 1}, "16x64b": {program.Tensor16x64b, 1}, "16x128b": {program.Tensor16x128b, 2},
	"16x256b": {program.Tensor16x256b, 4}, "16x32bx2": {program.Tensor16x32bx2, 1},
}

var tensorRepeats = map[string]int{"x1": 1, "x2": 2, "x4": 4, "x8": 8, "x16": 16, "x32": 32, "x64": 64, "x128": 128}

// tensorMove lowers tcgen05.ld regs{, result}, [address]{, split} and tcgen05.st [address]{, split}, regs.
func (e *emitter) tensorMove(in *ptx.Instr, _ *cfg.Block) (err error) {
	s := &program.TensorMove{Store: in.Kind() == inst.TensorStore, Half: in.Has("pack::16b") || in.Has("unpack::16b"), Dst: program.NoSlot, ID: -1}
	if e.f.awaits(in) {
		s.ID = e.u.productID(in)
	}
	regs := 1
	for _, w := range in.Mods {
		if x, ok := tensorShapes[w]; ok {
			s.Shape, regs = x.shape, regs*x.regs
		}
		if n := tensorRepeats[w]; n > 0 {
			regs *= n
		}
	}
	args := in.Args
	if s.Store {
		args = append(append([]ptx.Operand{args[len(args)-1]}, args[0]), args[1:len(args)-1]...)
		s.Regs, err = e.sourceSlots(args[0], regs, alu.W32)
	} else {
		s.Regs, err = e.destSlots(args[0], regs, alu.W32)
	}
	if err != nil {
		return err
	}
	args = args[1:]
	if isTensorReduction(in) {
		if err := e.tensorReduction(in, s, args[0]); err != nil {
			return err
		}
		args = args[1:]
	}
	if s.Addr, err = e.tensorAddr(args[0]); err != nil {
		return err
	}
	if s.Shape == program.Tensor16x32bx2 {
		split, ok := args[1].(*ptx.Imm)
		if !ok {
			return unsupportedf("%s with a distance of its halves that is not a constant", in.Opcode())
		}
		s.Split = int(int32(split.Value))
	}
	kind := trace.Read
	if s.Store {
		kind = trace.Write
	}
	s.Site = e.tensorSite(kind)
	e.together(s.Site)
	e.addStep(s, s.Site)
	return nil
}

// isTensorReduction reports whether it is tcgen05.ld.red.
func isTensorReduction(in *ptx.Instr) bool {
	return in.Has("red") || strings.Contains(in.Opcode(), ".ld.red.")
}

// waitsForStores tells tcgen05.wait::st from tcgen05.wait::ld.
func waitsForStores(in *ptx.Instr) bool { return strings.Contains(in.Opcode(), "wait::st") }

// tensorReduction fills in the operation of tcgen05.ld.red.
func (e *emitter) tensorReduction(in *ptx.Instr, s *program.TensorMove, dst ptx.Operand) (err error) {
	name, typ := "min", ""
	if in.Has("max") {
		name = "max"
	}
	for _, t := range []string{"f32", "u32", "s32"} {
		if in.Has(t) {
			typ = t
		}
	}
	if in.Has("NaN") {
		name += ".NaN"
	}
	op, err := alu.Lookup(name + "." + typ)
	if err != nil {
		return err
	}
	s.Red = op.Fn
	if in.Has("abs") {
		if op, err = alu.Lookup("abs.f32"); err != nil {
			return err
		}
		s.First = op.Fn
	}
	s.Dst, err = e.destSlot(dst, alu.W32)
	return err
}

// tensorWait lowers tcgen05.wait.
func (e *emitter) tensorWait(in *ptx.Instr, _ *cfg.Block) error {
	s := &program.TensorWait{Site: e.site(trace.Site{}), Stores: waitsForStores(in)}
	e.together(s.Site)
	e.addStep(s, s.Site)
	return nil
}

// tensorCopies are the shapes of tcgen05.cp, in pieces of 16 bytes for each row.
var tensorCopies = map[string]struct {
	shape  program.TensorCopyShape
	chunks int
}{
	"128x256b": {program.TensorRows128, 2}, "128x128b": {program.TensorRows128, 1}, "4x256b": {program.TensorRows4, 2},
	"warpx2::02_13": {program.TensorRows64Apart, 1}, "warpx2::01_23": {program.TensorRows64Adjacent, 1}, "warpx4": {program.TensorRows32, 1},
}

// tensorCopy lowers tcgen05.cp [address], descriptor.
func (e *emitter) tensorCopy(in *ptx.Instr, _ *cfg.Block) (err error) {
	s := &program.TensorCopy{Pair: e.pairs(in)}
	for _, w := range in.Mods {
		if x, ok := tensorCopies[w]; ok {
			s.Shape, s.Chunks = x.shape, x.chunks
		}
	}
	switch {
	case in.Has("b6x16_p32"):
		s.Packed = 6
	case in.Has("b4x16_p64"):
		s.Packed = 4
	}
	if s.Addr, err = e.tensorAddr(in.Args[0]); err != nil {
		return err
	}
	if s.Desc, err = e.vec(in.Args[1], alu.W64); err != nil {
		return err
	}
	s.Site, s.Source = e.tensorSite(trace.Write), e.sharedSite()
	e.addStep(s, s.Site)
	return nil
}

// tensorShift lowers tcgen05.shift.
func (e *emitter) tensorShift(in *ptx.Instr, _ *cfg.Block) (err error) {
	s := &program.TensorShift{Pair: e.pairs(in)}
	if s.Addr, err = e.tensorAddr(in.Args[0]); err != nil {
		return err
	}
	s.Site = e.tensorSite(trace.Write)
	e.addStep(s, s.Site)
	return nil
}

// tensorCommit lowers tcgen05.commit [mbarrier]{, mask}.
func (e *emitter) tensorCommit(in *ptx.Instr, _ *cfg.Block) (err error) {
	e.u.prog.Clusters = true
	s := &program.TensorCommit{Pair: e.pairs(in), Mask: program.NoSlot}
	site := trace.Site{Space: parseAccess(in).space, Kind: trace.Atomic, Order: trace.OrderRelaxed, Scope: trace.ScopeCluster}
	if s.Mem, err = e.mem(in.Args[0], site, 8, 1); err != nil {
		return err
	}
	if in.Has("multicast::cluster") {
		if s.Mask, err = e.vec(in.Args[1], alu.W32); err != nil {
			return err
		}
	}
	e.addStep(s, s.Mem.Site)
	return nil
}

// tensorProduct lowers tcgen05.mma{.ws}{.sp} [d], a, b{, [metadata]}, descriptor, and the rest.
func (e *emitter) tensorProduct(in *ptx.Instr, _ *cfg.Block) (err error) {
	none := program.NoTensorAddr
	s := &program.TensorProduct{
		Pair: e.pairs(in), Sparse: strings.HasPrefix(in.Opcode(), "tcgen05.mma.sp.") || strings.HasPrefix(in.Opcode(), "tcgen05.mma.ws.sp."),
		Stationary: strings.HasPrefix(in.Opcode(), "tcgen05.mma.ws."), Shift: in.Has("ashift"),
		A: none, Meta: none, ScaleA: none, ScaleB: none, DescA: program.NoSlot, Enable: program.NoSlot, Zeros: program.NoSlot,
	}
	for _, w := range in.Mods {
		if k, ok := strings.CutPrefix(w, "kind::"); ok {
			s.Kind, _ = program.ParseTensorKind(k)
		}
	}
	for w, n := range map[string]int{"scale_vec::1X": 1, "scale_vec::2X": 2, "scale_vec::4X": 4} {
		if in.Has(w) {
			s.ScaleVec = n
		}
	}
	for w, n := range map[string]int{"block16": 16, "block32": 32} {
		if in.Has(w) {
			s.Block = n
		}
	}
	rest, err := e.productMatrices(in, s)
	if err != nil {
		return err
	}
	if err := e.productRest(in, s, rest); err != nil {
		return err
	}
	s.Site, s.Reads, s.SiteB = e.tensorSite(trace.Write), e.tensorSite(trace.Read), e.sharedSite()
	if s.DescA != program.NoSlot {
		s.SiteA = e.sharedSite()
	}
	e.addStep(s, s.Site)
	return nil
}

// productMatrices lowers the matrices and the instruction descriptor.
func (e *emitter) productMatrices(in *ptx.Instr, s *program.TensorProduct) (rest []ptx.Operand, err error) {
	if s.D, err = e.tensorAddr(in.Args[0]); err != nil {
		return nil, err
	}
	if _, ok := in.Args[1].(*ptx.Address); ok {
		s.A, err = e.tensorAddr(in.Args[1])
	} else {
		s.DescA, err = e.vec(in.Args[1], alu.W64)
	}
	if err != nil {
		return nil, err
	}
	if s.DescB, err = e.vec(in.Args[2], alu.W64); err != nil {
		return nil, err
	}
	rest = in.Args[3:]
	if s.Sparse {
		if s.Meta, err = e.tensorAddr(rest[0]); err != nil {
			return nil, err
		}
		rest = rest[1:]
	}
	s.Desc, err = e.vec(rest[0], alu.W32)
	return rest[1:], err
}

// productRest lowers {scales}, {disable-output-lane}, enable-input-d and what follows.
func (e *emitter) productRest(in *ptx.Instr, s *program.TensorProduct, rest []ptx.Operand) (err error) {
	if s.Kind.BlockScaled() {
		if s.ScaleA, err = e.tensorAddr(rest[0]); err != nil {
			return err
		}
		if s.ScaleB, err = e.tensorAddr(rest[1]); err != nil {
			return err
		}
		rest = rest[2:]
	}
	if v, ok := rest[0].(*ptx.Vector); ok && len(rest) > 1 {
		n := 4
		if s.Pair {
			n = 8
		}
		if s.Disabled, err = e.sourceSlots(v, n, alu.W32); err != nil {
			return err
		}
		rest = rest[1:]
	}
	if len(rest) == 0 || len(rest) > 2 {
		return unsupportedf("%s with %d operands", in.Opcode(), len(in.Args))
	}
	if v, ok := rest[0].(*ptx.Imm); ok {
		s.Fresh = v.Value == 0
	} else if s.Enable, s.EnableNot, err = e.votePred(rest[0]); err != nil {
		return err
	}
	if len(rest) == 1 {
		return nil
	}
	if s.Stationary {
		s.Zeros, err = e.vec(rest[1], alu.W64)
		return err
	}
	down, ok := rest[1].(*ptx.Imm)
	if !ok || down.Value > 15 || s.Kind != program.TensorF16 && s.Kind != program.TensorTF32 {
		return unsupportedf("%s with a scale-input-d that it does not take", in.Opcode())
	}
	s.Down = int(down.Value)
	return nil
}
