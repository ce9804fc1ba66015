package lower

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// kindOf is the kind of types of an mma, "" for none.
func (x *matrixMods) kindOf() string {
	for _, w := range x.words {
		if k, ok := strings.CutPrefix(w, "kind::"); ok {
			return k
		}
	}
	return ""
}

// kindMMA lowers mma{.sp}.kind d, a, b, c{, metadata, selector}{, scale-a, {byte, thread}, scale-b, {byte,
// thread}} (PTX ISA, "mma", "mma.sp").
func (e *emitter) kindMMA(in *ptx.Instr, x *matrixMods, kind string) error {
	sparse := x.has("sp::ordered_metadata")
	k := 32
	if kind == "mxf4" || kind == "mxf4nvf4" {
		k = 64
		for i, t := range x.elems {
			if t == program.ElemE2M1 {
				x.elems[i] = program.ElemF4
			}
		}
	}
	if sparse {
		k *= 2
	}
	if len(x.elems) != 4 || x.m != 16 || x.n != 8 || x.k != k || !mixes(x.elems[1], x.elems[2]) || (k == 64 && !sparse || k == 128) != (x.elems[1] == program.ElemF4) {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	s, err := e.multiply(in, x)
	if err != nil {
		return err
	}
	rest := in.Args[min(4, len(in.Args)):]
	if sparse {
		if rest, err = e.sparseOperands(in, s, rest); err != nil {
			return err
		}
	}
	if x.has("block_scale") {
		if err := e.scales(in, s, x, kind, rest); err != nil {
			return err
		}
	} else if len(rest) > 0 {
		return unsupportedf("%s with %d operands", in.Opcode(), len(in.Args))
	}
	return e.addMMA(in, s, len(s.A.Index), len(s.B.Index))
}

// sparseOperands lowers the metadata and the selector, which is 0: each lane has metadata.
func (e *emitter) sparseOperands(in *ptx.Instr, s *program.MMA, args []ptx.Operand) (rest []ptx.Operand, err error) {
	if len(args) < 2 {
		return nil, unsupportedf("%s with %d operands", in.Opcode(), len(in.Args))
	}
	if sel, ok := args[1].(*ptx.Imm); !ok || sel.Value != 0 {
		return nil, unsupportedf("%s with a selector other than 0", in.Opcode())
	}
	s.Sparse = true
	s.A = program.NewFrag(program.RoleA, s.A.Elem, s.M, s.N, s.K/2)
	s.Meta, err = e.vec(args[0], alu.W32)
	return args[2:], err
}

// scales lowers the scales of both matrices.
func (e *emitter) scales(in *ptx.Instr, s *program.MMA, x *matrixMods, kind string, args []ptx.Operand) (err error) {
	s.E8M0 = x.has("ue8m0")
	s.Scales = map[string]int{"mxf8f6f4": 1, "mxf4": 2}[kind]
	for w, n := range map[string]int{"scale_vec::1X": 1, "scale_vec::2X": 2, "scale_vec::4X": 4} {
		if x.has(w) {
			s.Scales = n
		}
	}
	fits := map[string]bool{"mxf8f6f4": s.Scales == 1 && s.E8M0, "mxf4": s.Scales == 2 && s.E8M0, "mxf4nvf4": s.Scales == 4 || s.Scales == 2 && s.E8M0}[kind]
	if !fits || len(args) != 4 {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	if s.ScaleA, err = e.scale(args[0], args[1]); err != nil {
		return err
	}
	s.ScaleB, err = e.scale(args[2], args[3])
	return err
}

func (e *emitter) scale(data, selectors ptx.Operand) (s program.MMAScale, err error) {
	list := elems(selectors)
	if len(list) != 2 {
		return s, unsupportedf("%s without a byte and a thread that select its scales", e.in.Opcode())
	}
	for i, to := range []*int32{&s.Data, &s.Byte, &s.Thread} {
		if *to, err = e.vec([]ptx.Operand{data, list[0], list[1]}[i], alu.W32); err != nil {
			return s, err
		}
	}
	return s, nil
}
