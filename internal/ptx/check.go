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
