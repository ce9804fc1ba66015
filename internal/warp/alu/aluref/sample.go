package aluref

import "math/rand"

var word = Type{class: 'u', bits: 32, lanes: 1}

// operandType is the type of the i-th operand.
func (in *Inst) operandType(i int) Type {
	n := len(in.types)
	switch in.name {
	case "shl", "shr", "shf", "szext", "bfe", "fns", "prmt":
		if i > 0 {
			return word
		}
	case "bfi":
		if i > 1 {
			return word
		}
	case "mul", "mad":
		if in.has("wide") && i == 2 {
			return Type{class: in.types[0].class, bits: 2 * in.types[0].bits, lanes: 1}
		}
	case "cvt", "set":
		if in.has("ue8m0x2") && n == 1 && !in.has("rn") {
			return in.types[0]
		}
		if n > 1 && i < 2 {
			return in.types[1]
		}
		return word
	case "slct":
		if i == 2 {
			return in.types[1]
		}
	case "add", "sub", "fma":
		if n == 2 && (i == 0 || i == 1 && in.name == "fma") {
			return in.types[1]
		}
	}
	if n == 0 || in.name[0] == 'v' || in.name[0] == 'd' && n == 2 {
		return word
	}
	return in.types[0]
}

// OperandBits is the size of the i-th operand's type.
func (in *Inst) OperandBits(i int) int { t := in.operandType(i); return t.bits * t.lanes }

// Operand draws a pattern for the i-th operand: an edge of its type, a small
// or a random one. prev is the operand before it, to which some are close.
func (in *Inst) Operand(i int, prev uint64, r *rand.Rand) uint64 {
	t := in.operandType(i)
	all := ones(t.bits * t.lanes)
	if i > 0 && r.Intn(6) == 0 {
		return (prev + uint64(r.Intn(3)) - 1) & all
	}
	var v uint64
	for k := range t.lanes {
		v |= t.draw(r) & ones(t.bits) << uint(k*t.bits)
	}
	return v & all
}

// draw gives one element.
func (t Type) draw(r *rand.Rand) uint64 {
	if t.float() && r.Intn(3) > 0 {
		e := t.edges()
		return e[r.Intn(len(e))] ^ uint64(r.Intn(2))<<uint(t.signBit()+t.low)
	}
	switch r.Intn(4) {
	case 0:
		return uint64(r.Intn(70))
	case 1:
		return -uint64(r.Intn(40))
	case 2:
		return uint64(1)<<uint(r.Intn(t.bits)) + uint64(r.Intn(3)) - 1
	}
	return r.Uint64()
}

// edges are positive patterns at which floating-point numbers behave in their
// own way: zero, subnormals, one and its neighbors, halves, limits, NaNs.
func (t Type) edges() []uint64 {
	one := uint64(-t.emin+1) << uint(t.man)
	min := uint64(1) << uint(t.man)
	list := []uint64{
		0, 1, 2, min / 2, min - 1, min, min + 1, one - 1, one, one + 1, one - min, one + min, one + min/2, one + min + min/4,
		one + 3*min/2, t.largest(), t.largest() - 1, t.largest() - min, one + 7*min + 1, one - 9*min - 1,
	}
	if !t.noNaN {
		list = append(list, t.infinity(), t.canonicalMagnitude(), t.infinity()+1, t.canonicalMagnitude()-1)
	}
	for i := range list {
		list[i] = list[i] & ones(t.signBit()) << uint(t.low)
	}
	return list
}

func (t Type) canonicalMagnitude() uint64 { return ones(t.signBit()) }

// Small draws a pattern of a floating-point type whose elements are multiples
// of a quarter between -16 and 16: sums of a few are exact in no type but
// overflow in none.
func Small(typ string, r *rand.Rand) uint64 {
	t, _ := ParseType(typ)
	var v uint64
	for k := range t.lanes {
		n := fromFloat(newFloat().SetMantExp(newFloat().SetInt64(int64(r.Intn(128)-64)), -2))
		v |= t.elem().encode(n, "rn") << uint(k*t.bits)
	}
	return v
}
