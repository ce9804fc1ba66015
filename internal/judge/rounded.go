package judge

import (
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// significands are the bits of the significand, with the hidden one, of floating-point types.
var significands = map[isa.Type]int{
	isa.F64: 53, isa.F32: 24, isa.F32x2: 24, isa.TF32: 11, isa.F16: 11, isa.F16x2: 11, isa.BF16: 8, isa.BF16x2: 8,
	isa.E4M3: 4, isa.E5M2: 3, isa.E4M3x2: 4, isa.E5M2x2: 3,
}

// RoundedTo lists, for each floating-point instruction of a module that rounds, the bits of significand
// that it rounds to: the type of its result, and of a matrix product also those of its factors, which
// have been rounded before. It returns nothing for text that is not PTX.
func RoundedTo(text []byte) (bits []int) {
	m, err := ptx.Parse("module", text)
	if err != nil {
		return nil
	}
	for _, it := range m.Items {
		if f, ok := it.(*ptx.Func); ok && f.Body != nil {
			eachInstr(f.Body, func(in *ptx.Instr) { bits = append(bits, roundedBy(in)...) })
		}
	}
	return bits
}

func eachInstr(b *ptx.Block, f func(*ptx.Instr)) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ptx.Instr:
			f(s)
		case *ptx.Block:
			eachInstr(s, f)
		}
	}
}

// roundedBy lists the bits that one instruction rounds to.
func roundedBy(in *ptx.Instr) (bits []int) {
	types := in.Types()
	if len(types) == 0 {
		return nil
	}
	switch in.Op {
	case "cvt":
		types = types[:1]
	case "mma", "wmma", "wgmma":
	case "add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt", "rsqrt", "ex2", "tanh", "sin", "cos", "lg2", "atom", "red":
	default:
		return nil
	}
	for _, t := range types {
		if n := significands[t]; n > 0 {
			bits = append(bits, n)
		}
	}
	return bits
}
