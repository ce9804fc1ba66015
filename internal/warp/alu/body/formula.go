package body

import "github.com/warpgrind/warpgrind/internal/warp/alu/formula"

// primitives are a formula's operations on numbers of 8 bytes as primitives.
var primitives = map[formula.Op]Op{formula.Add: AddF, formula.Sub: SubF, formula.Mul: MulF, formula.Div: DivF, formula.FMA: FMA,
	formula.Sqrt: Sqrt, formula.Round: RoundF, formula.Min: MinF, formula.Max: MaxF, formula.AddI: Add, formula.SubI: Sub, formula.And: And,
	formula.Or: Or, formula.Xor: Xor, formula.Shl: ShlBy, formula.Shr: ShrUBy, formula.Select: Select}

var relations = map[formula.Op]Relation{formula.Less: Less, formula.Equal: Equal, formula.NaN: Unordered}

// FromFormula is a function of numbers of 4 bytes, computed in 8; flush is .ftz.
func FromFormula(f *formula.Formula, flush bool) *Body {
	t := entries{}
	args := make([]Kind, f.Args)
	for i := range args {
		args[i] = KHalf
	}
	return t.enter(args, KHalf, func(b *builder, x []val) val {
		if flush {
			x = flushed(b, x)
		}
		for i := range x {
			x[i] = b.convert(ToF64, 8, F32, x[i])
		}
		r := b.op(Canonical, b.convert(ToF32, 4, F64, b.formula(f, x)))
		if flush {
			r = b.flushed(r)
		}
		return r
	}, "")
}

// formula adds the nodes of a formula.
func (b *builder) formula(f *formula.Formula, args []val) val {
	at := make([]val, len(f.Nodes))
	for i := range f.Nodes {
		n := &f.Nodes[i]
		var x []val
		for _, k := range n.Operands() {
			x = append(x, at[k])
		}
		switch n.Op {
		case formula.Arg:
			at[i] = args[n.A]
		case formula.Const:
			at[i] = b.wide(n.Bits)
		case formula.Less, formula.Equal, formula.NaN:
			at[i] = b.compare(CompareF, relations[n.Op], x[0], x[1])
		default:
			at[i] = b.node(primitives[n.Op], 8, n.Bits, x...) // Nearest is the first rounding
		}
	}
	return at[len(at)-1]
}
