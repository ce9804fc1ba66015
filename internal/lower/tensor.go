package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// elemNames are the element types of matrices by their PTX names. "bf16" and
// "e4m3" for example are not among package isa's types of all instructions.
var elemNames = map[string]program.Elem{
	"f16": program.ElemF16, "bf16": program.ElemBF16, "tf32": program.ElemTF32, "f32": program.ElemF32, "f64": program.ElemF64,
	"e4m3": program.ElemE4M3, "e5m2": program.ElemE5M2, "s8": program.ElemS8, "u8": program.ElemU8, "s4": program.ElemS4, "u4": program.ElemU4,
	"b1": program.ElemB1, "s32": program.ElemS32, "e2m3": program.ElemE2M3, "e3m2": program.ElemE3M2, "e2m1": program.ElemE2M1,
}

// matrixMods are the modifiers of a matrix instruction.
type matrixMods struct {
	m, n, k int
	elems   []program.Elem
	// cols says of each layout modifier whether it is col.
	cols []bool
	sat  bool
	// words are all others.
	words []string
}

func parseMatrix(in *ptx.Instr) matrixMods {
	var x matrixMods
	for _, w := range in.Mods {
		e, isElem := elemNames[w]
		switch {
		case isElem:
			x.elems = append(x.elems, e)
		case w == "row" || w == "col":
			x.cols = append(x.cols, w == "col")
		case w == "satfinite":
			x.sat = true
		case !x.shape(w):
			x.words = append(x.words, w)
		}
	}
	return x
}

// shape parses m16n8k16.
func (x *matrixMods) shape(w string) bool {
	m, rest, ok := strings.Cut(strings.TrimPrefix(w, "m"), "n")
	n, k, ok2 := strings.Cut(rest, "k")
	a, err := strconv.Atoi(m)
	b, err2 := strconv.Atoi(n)
	c, err3 := strconv.Atoi(k)
	if !ok || !ok2 || err != nil || err2 != nil || err3 != nil {
		return false
	}
	x.m, x.n, x.k = a, b, c
	return true
}

func (x *matrixMods) has(word string) bool { return slices.Contains(x.words, word) }

// shape3 is an m by n by k shape.
type shape3 [3]int

func (x *matrixMods) dims() shape3 { return shape3{x.m, x.n, x.k} }

// mmaShapes are the shapes of mma by the type of A (PTX ISA, "mma").
var mmaShapes = map[program.Elem][]shape3{
	program.ElemF16:  {{8, 8, 4}, {16, 8, 8}, {16, 8, 16}},
	program.ElemBF16: {{16, 8, 8}, {16, 8, 16}},
	program.ElemTF32: {{16, 8, 4}, {16, 8, 8}},
	program.ElemF64:  {{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}},
	program.ElemE4M3: {{16, 8, 16}, {16, 8, 32}}, program.ElemE5M2: {{16, 8, 16}, {16, 8, 32}},
	program.ElemS8: {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}}, program.ElemU8: {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}},
	program.ElemS4: {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}}, program.ElemU4: {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}},
	program.ElemB1: {{8, 8, 128}, {16, 8, 128}, {16, 8, 256}},
}

// wmmaShapes are those of wmma (PTX ISA, "Matrix Shape").
var wmmaShapes = map[program.Elem][]shape3{
	program.ElemF16: wide16, program.ElemBF16: wide16, program.ElemS8: wide16, program.ElemU8: wide16,
	program.ElemTF32: {{16, 16, 8}}, program.ElemF64: {{8, 8, 4}},
	program.ElemS4: {{8, 8, 32}}, program.ElemU4: {{8, 8, 32}}, program.ElemB1: {{8, 8, 128}},
}

var wide16 = []shape3{{16, 16, 16}, {8, 32, 16}, {32, 8, 16}}

// accumulators are the types of C and D that go with a type of A and B.
func accumulators(e program.Elem) []program.Elem {
	switch e {
	case program.ElemF16, program.ElemE4M3, program.ElemE5M2, program.ElemE2M3, program.ElemE3M2, program.ElemE2M1:
		return []program.Elem{program.ElemF16, program.ElemF32}
	case program.ElemF4:
		return []program.Elem{program.ElemF32}
	case program.ElemBF16, program.ElemTF32:
		return []program.Elem{program.ElemF32}
	case program.ElemF64:
		return []program.Elem{program.ElemF64}
	}
	return []program.Elem{program.ElemS32}
}

// mma lowers mma.sync.
func (e *emitter) mma(in *ptx.Instr, _ *cfg.Block) error {
	x := parseMatrix(in)
	if k := x.kindOf(); k != "" {
		return e.kindMMA(in, &x, k)
	}
	if x.has("sp") || x.has("sp::ordered_metadata") {
		return e.sparseMMA(in, &x)
	}
	if len(x.elems) != 4 || len(x.cols) != 2 {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	quad := x.elems[1] == program.ElemF16 && x.dims() == shape3{8, 8, 4}
	if !quad && (x.cols[0] || !x.cols[1]) || !mixes(x.elems[1], x.elems[2]) || !slices.Contains(mmaShapes[x.elems[1]], x.dims()) {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	s, err := e.multiply(in, &x)
	if err != nil {
		return err
	}
	if quad {
		s.A, s.B = program.NewQuadFrag(program.RoleA, x.elems[1], x.cols[0]), program.NewQuadFrag(program.RoleB, x.elems[2], x.cols[1])
		s.C, s.D = program.NewQuadFrag(program.RoleC, x.elems[3], false), program.NewQuadFrag(program.RoleC, x.elems[0], false)
		s.Count = 4
	}
	return e.addMMA(in, s, len(s.A.Index), len(s.B.Index))
}

// sparseShapes are the extents along K of mma.sp, all m16n8 (PTX ISA, "mma.sp").
var sparseShapes = map[program.Elem][]int{
	program.ElemF16: {16, 32}, program.ElemBF16: {16, 32}, program.ElemTF32: {8, 16}, program.ElemE4M3: {64}, program.ElemE5M2: {64},
	program.ElemS8: {32, 64}, program.ElemU8: {32, 64}, program.ElemS4: {64, 128}, program.ElemU4: {64, 128},
}

// sparseMMA lowers mma.sp d, a, b, c, metadata, selector.
func (e *emitter) sparseMMA(in *ptx.Instr, x *matrixMods) error {
	if len(x.elems) != 4 || len(in.Args) != 6 || x.m != 16 || x.n != 8 || !mixes(x.elems[1], x.elems[2]) || !slices.Contains(sparseShapes[x.elems[1]], x.k) {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	s, err := e.multiply(in, x)
	if err != nil {
		return err
	}
	sel, ok := in.Args[5].(*ptx.Imm)
	if !ok || sel.Value > 3 {
		return unsupportedf("%s with a selector that is not a constant from 0 to 3", in.Opcode())
	}
	s.Sparse, s.Sel = true, int(sel.Value)
	if lanes := sparseLanes(x.elems[1], x.k); s.Sel >= 4/lanes {
		return unsupportedf("%s with selector %d: %d lanes of each four have the metadata", in.Opcode(), s.Sel, lanes)
	}
	s.A = program.NewFrag(program.RoleA, x.elems[1], s.M, s.N, s.K/2)
	if s.Meta, err = e.vec(in.Args[4], alu.W32); err != nil {
		return err
	}
	return e.addMMA(in, s, len(s.A.Index), len(s.B.Index))
}

// sparseLanes is the number of lanes, of each four, that have the metadata: one where it takes
// 16 bits for a row, else two or four.
func sparseLanes(e program.Elem, k int) int {
	switch e.Bits() {
	case 4:
		return k / 32
	case 8:
		return k / 16
	case 16:
		return k / 16
	}
	return k / 8
}

// mixes reports types of A and B that may be multiplied with each other.
func mixes(a, b program.Elem) bool {
	group := func(e program.Elem) program.Elem {
		switch e {
		case program.ElemU8:
			return program.ElemS8
		case program.ElemU4:
			return program.ElemS4
		case program.ElemE5M2, program.ElemE2M3, program.ElemE3M2, program.ElemE2M1:
			return program.ElemE4M3
		}
		return e
	}
	return group(a) == group(b)
}

// multiply describes a multiplication with fragments as mma has them. The
// types are those of D, A, B and C.
func (e *emitter) multiply(in *ptx.Instr, x *matrixMods) (*program.MMA, error) {
	d, a, b, c := x.elems[0], x.elems[1], x.elems[2], x.elems[3]
	if !slices.Contains(accumulators(a), c) || !slices.Contains(accumulators(a), d) {
		return nil, unsupportedf("instruction %s is not supported", in.Opcode())
	}
	s := &program.MMA{Sat: x.sat, M: x.m, N: x.n, K: x.k, Count: 1}
	switch a {
	case program.ElemF64:
		s.Kind = program.MulF64
		for _, r := range []string{"rz", "rm", "rp"} {
			if x.has(r) {
				op, err := alu.Lookup("fma." + r + ".f64")
				if err != nil {
					return nil, err
				}
				s.FMA = op.Fn
			}
		}
	case program.ElemB1:
		s.K /= 32
		if s.Kind = program.MulXor; x.has("and") {
			s.Kind = program.MulAnd
		}
	case program.ElemS8, program.ElemU8, program.ElemS4, program.ElemU4:
		s.Kind = program.MulInt
	}
	s.A, s.B = program.NewFrag(program.RoleA, a, s.M, s.N, s.K), program.NewFrag(program.RoleB, b, s.M, s.N, s.K)
	s.C, s.D = program.NewFrag(program.RoleC, c, s.M, s.N, s.K), program.NewFrag(program.RoleC, d, s.M, s.N, s.K)
	return s, nil
}

// addMMA fills in the registers, of which A and B may have copies, and appends
// the step.
func (e *emitter) addMMA(in *ptx.Instr, s *program.MMA, regsA, regsB int) (err error) {
	width := alu.W32
	if s.Kind == program.MulF64 {
		width = alu.W64
	}
	if len(in.Args) < 4 {
		return unsupportedf("%s with %d operands", in.Opcode(), len(in.Args))
	}
	if s.RegsD, err = e.destSlots(in.Args[0], len(s.D.Index), width); err != nil {
		return err
	}
	for _, r := range []struct {
		slots *[]int32
		arg   ptx.Operand
		n     int
	}{{&s.RegsA, in.Args[1], regsA}, {&s.RegsB, in.Args[2], regsB}, {&s.RegsC, in.Args[3], len(s.C.Index)}} {
		if *r.slots, err = e.sourceSlots(r.arg, r.n, width); err != nil {
			return err
		}
	}
	s.RegsA, s.RegsB = s.RegsA[:len(s.A.Index)], s.RegsB[:len(s.B.Index)]
	s.Site = e.site(trace.Site{})
	e.together(s.Site)
	e.addStep(s, s.Site)
	return nil
}

// matrixMath lowers what computes with matrices in registers.
func (e *emitter) matrixMath(in *ptx.Instr, b *cfg.Block) error {
	switch in.Op {
	case "wmma":
		x := parseMatrix(in)
		return e.wmmaMul(in, &x)
	case "movmatrix":
		return e.movmatrix(in, b)
	}
	return e.mma(in, b)
}

// matrixMove lowers what moves matrices between registers and memory.
func (e *emitter) matrixMove(in *ptx.Instr, b *cfg.Block) error {
	if in.Op == "wmma" {
		x := parseMatrix(in)
		return e.wmmaMove(in, &x)
	}
	return e.matrixRows(in, b)
}

func (e *emitter) wmmaMul(in *ptx.Instr, x *matrixMods) error {
	if len(x.elems) == 2 { // .dtype.ctype: A and B are f16
		x.elems = []program.Elem{x.elems[0], program.ElemF16, program.ElemF16, x.elems[1]}
	}
	if len(x.elems) != 4 || x.elems[1] != x.elems[2] || !slices.Contains(wmmaShapes[x.elems[1]], x.dims()) {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	s, err := e.multiply(in, x)
	if err != nil {
		return err
	}
	return e.addMMA(in, s, wmmaRegs(s.A), wmmaRegs(s.B))
}

// wmmaRegs is the number of registers of a wmma fragment: f16 has always eight
// of A and B, so that elements are there more than once (PTX ISA, "Matrix
// Fragments for WMMA").
func wmmaRegs(f *program.Frag) int {
	if f.Elem == program.ElemF16 && f.Role != program.RoleC {
		return 8
	}
	return len(f.Index)
}

// wmmaMove lowers wmma.load.{a,b,c} and wmma.store.d.
func (e *emitter) wmmaMove(in *ptx.Instr, x *matrixMods) (err error) {
	s := &program.Fragment{Store: in.Kind() == inst.MatrixStore, Stride: program.NoSlot}
	role, ok := program.RoleC, len(x.elems) == 1 && len(x.cols) == 1 && len(in.Args) >= 2
	switch {
	case x.has("a"):
		role = program.RoleA
	case x.has("b"):
		role = program.RoleB
	}
	if !ok || !e.wmmaShape(role, x) {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	k := x.k
	if x.elems[0] == program.ElemB1 {
		k /= 32
	}
	s.Frag, s.Col = program.NewFrag(role, x.elems[0], x.m, x.n, k), x.cols[0]
	addr, regs := in.Args[1], in.Args[0]
	width := alu.W32
	if x.elems[0] == program.ElemF64 {
		width = alu.W64
	}
	kind := trace.Read
	if s.Store {
		addr, regs, kind = regs, addr, trace.Write
		s.Regs, err = e.sourceSlots(regs, wmmaRegs(s.Frag), width)
	} else {
		s.Regs, err = e.destSlots(regs, wmmaRegs(s.Frag), width)
	}
	if err != nil {
		return err
	}
	if err := e.stride(in, x, s); err != nil {
		return err
	}
	elem, count := piece(s)
	if s.Mem, err = e.mem(addr, trace.Site{Space: parseAccess(in).space, Kind: kind}, elem, count); err != nil {
		return err
	}
	e.together(s.Mem.Site)
	e.addStep(s, s.Mem.Site)
	return nil
}

// wmmaShape reports whether there is a fragment of the shape: that of A or B is
// known by its type, that of C and D goes with several.
func (e *emitter) wmmaShape(role program.Role, x *matrixMods) bool {
	if role != program.RoleC {
		narrow := x.elems[0].Bits() < 8 || x.elems[0] == program.ElemB1
		return slices.Contains(wmmaShapes[x.elems[0]], x.dims()) && !(narrow && x.cols[0] != (role == program.RoleB))
	}
	for a, shapes := range wmmaShapes {
		if slices.Contains(shapes, x.dims()) && slices.Contains(accumulators(a), x.elems[0]) {
			return true
		}
	}
	return false
}

// stride fills in the distance of rows or columns: the operand, else the
// matrix's own extent.
func (e *emitter) stride(in *ptx.Instr, x *matrixMods, s *program.Fragment) (err error) {
	if s.Fixed = uint32(s.Frag.Cols); s.Col {
		s.Fixed = uint32(s.Frag.Rows)
	}
	if len(in.Args) > 2 {
		if s.Stride, err = e.vec(in.Args[2], alu.W32); err != nil {
			return err
		}
	}
	if s.Packed = s.Frag.Elem == program.ElemB1; s.Packed {
		s.Fixed *= 32
	}
	return nil
}

// piece is what a lane accesses at once: a register where its elements lie
// side by side in memory, else an element.
func piece(s *program.Fragment) (elem, count int) {
	bits := s.Frag.Elem.Bits()
	if s.Frag.PerReg == 1 || s.Col != (s.Frag.Role == program.RoleB) {
		return bits / 8, 1
	}
	if bits < 8 {
		return 4, 1
	}
	return bits / 8, s.Frag.PerReg
}

// matrixRows lowers ldmatrix and stmatrix.
func (e *emitter) matrixRows(in *ptx.Instr, _ *cfg.Block) (err error) {
	if len(in.Args) != 2 {
		return unsupportedf("%s with %d operands", in.Opcode(), len(in.Args))
	}
	n := 1
	for i, w := range []string{"x1", "x2", "x4"} {
		if in.Has(w) {
			n = 1 << i
		}
	}
	s := &program.MatrixRows{Store: in.Kind() == inst.MatrixStore, Trans: in.Has("trans")}
	switch {
	case in.Has("m16n16"):
		s.Shape, n = program.Matrix16x16, 2*n
	case in.Has("m8n16"):
		s.Shape = program.Matrix8x16
	case in.Has("m16n8"):
		s.Shape = program.Matrix16x8
	}
	switch {
	case in.Has("b6x16_p32"):
		s.Packed = 6
	case in.Has("b4x16_p64"):
		s.Packed = 4
	}
	addr, kind := in.Args[1], trace.Read
	if s.Store {
		addr, kind = in.Args[0], trace.Write
		s.Regs, err = e.sourceSlots(in.Args[1], n, alu.W32)
	} else {
		s.Regs, err = e.destSlots(in.Args[0], n, alu.W32)
	}
	if err != nil {
		return err
	}
	if s.Mem, err = e.mem(addr, trace.Site{Space: parseAccess(in).space, Kind: kind}, 2, 8); err != nil {
		return err
	}
	e.together(s.Mem.Site)
	e.addStep(s, s.Mem.Site)
	return nil
}

func (e *emitter) movmatrix(in *ptx.Instr, _ *cfg.Block) (err error) {
	s := &program.MatrixMove{}
	if s.D, err = e.destSlot(in.Args[0], alu.W32); err != nil {
		return err
	}
	if s.A, err = e.vec(in.Args[1], alu.W32); err != nil {
		return err
	}
	s.Site = e.site(trace.Site{})
	e.together(s.Site)
	e.addStep(s, s.Site)
	return nil
}
