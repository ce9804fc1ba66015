package ptx

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// kindOf is the shape of an operand.
func kindOf(op Operand) isa.Kind {
	switch op.(type) {
	case *RegRef:
		return isa.KReg
	case *Imm:
		return isa.KImm
	case *FloatImm:
		return isa.KFloat
	case *SymbolRef:
		return isa.KSymbol
	case *Address:
		return isa.KAddress
	case *Vector:
		return isa.KVector
	case *Pair:
		return isa.KPair
	case *Sink:
		return isa.KSink
	case *List:
		return isa.KList
	}
	return 0
}

// checkOperands returns "" if one of the forms takes the operands, else what
// is wrong with them for the form that gets farthest.
func checkOperands(forms []*isa.Form, args []Operand) string {
	best, bestAt := "", -1
	for _, f := range forms {
		msg, at := fitOperands(f, args)
		if msg == "" {
			return ""
		}
		if at > bestAt {
			best, bestAt = msg, at
		}
	}
	return best
}

func fitOperands(f *isa.Form, args []Operand) (string, int) {
	for i, a := range f.Args {
		switch {
		case a.Rest:
			return "", i
		case i < len(args):
			if k := kindOf(args[i]); k&a.Kinds == 0 {
				return fmt.Sprintf("operand %d: got %v, expected %v", i+1, k, a.Kinds), i
			}
		case !a.Optional:
			return fmt.Sprintf("too few operands: %d", len(args)), i
		}
	}
	if len(args) > len(f.Args) {
		return fmt.Sprintf("too many operands: %d, expected %d", len(args), len(f.Args)), len(f.Args)
	}
	return "", len(args)
}

// vectorOf is the width of an instruction that moves a vector between memory and registers, 0 for others.
func vectorOf(oc *opcode) int {
	if k := oc.desc.Op; k != "ld" && k != "st" && k != "ldu" {
		return 0
	}
	for _, m := range oc.mods {
		if n := vecWidth("." + m); n > 0 {
			return n
		}
	}
	return 1
}

// misfit says why an operand is none of a type, "" if it is one. Operands that have no type of their own fit.
func (oc *opcode) misfit(a Operand, t isa.OperandType) string {
	switch a := a.(type) {
	case *RegRef:
		return oc.registerMisfit(a, t)
	case *Vector:
		return oc.vectorMisfit(a, t)
	case *Pair:
		if r, ok := a.A.(*RegRef); ok {
			if msg := oc.registerMisfit(r, t); msg != "" {
				return msg
			}
		}
		if r, ok := a.B.(*RegRef); ok && r.of != nil && r.of.Type != isa.Pred {
			return fmt.Sprintf("%s is a register of type .%s, no predicate", clip(r.Name), r.of.Type)
		}
	case *FloatImm:
		if !t.TakesFloat() {
			return fmt.Sprintf("a floating-point constant where the type is .%s", t.Type)
		}
	case *Imm:
		if !t.TakesInt() {
			return fmt.Sprintf("an integer where the type is .%s", t.Type)
		}
	}
	return ""
}

func (oc *opcode) registerMisfit(r *RegRef, t isa.OperandType) string {
	switch {
	case r.of == nil || r.Elem == "" && r.of.Vec > 1 && oc.vec == 0:
		return ""
	case oc.vec > 1 && (r.of.Vec != oc.vec || r.Elem != ""):
		return fmt.Sprintf("%s is not a vector of %d elements", clip(r.Name), oc.vec)
	case !t.Takes(r.of.Type, oc.vec > 1):
		return fmt.Sprintf("%s is a register of type .%s, which .%s does not take", clip(r.Name), r.of.Type, t.Type)
	}
	return ""
}

func (oc *opcode) vectorMisfit(v *Vector, t isa.OperandType) string {
	if oc.vec == 0 {
		return "" // mov packs and unpacks
	}
	if len(v.Elems) != oc.vec {
		return fmt.Sprintf("a vector of %d elements, expected %d", len(v.Elems), oc.vec)
	}
	for _, e := range v.Elems {
		r, ok := e.(*RegRef)
		if ok && r.of != nil && !t.Takes(r.of.Type, oc.vec > 1) {
			return fmt.Sprintf("%s is a register of type .%s, which .%s does not take", clip(r.Name), r.of.Type, t.Type)
		}
	}
	return ""
}
