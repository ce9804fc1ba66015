package ssa

import (
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// lowHalves has the lower n bits of each 2n of w: 0x5555..., 0x3333..., 0x0f0f...
func lowHalves(n, w int) uint64 {
	return mask(^uint64(0), w) / (1<<n + 1)
}

// reverse translates brev: groups of 1, 2, 4... bits change places with their
// neighbors. The indices of FFTs are made so.
func (b arithBuilder) reverse(in *ptx.Instr) bool {
	t, _, ok := intType(in)
	if !ok || t == isa.Pred {
		return false
	}
	v, w := b.value(in.Args[1], t), width(t)
	for n := 1; n < w; n *= 2 {
		low, by := b.constant(t, lowHalves(n, w)), b.constant(isa.B32, uint64(n))
		down := b.add(And, t, b.add(ShrU, t, v, by), low)
		v = b.add(Or, t, b.add(Shl, t, b.add(And, t, v, low), by), down)
	}
	b.assign(in.Args[0], v, false)
	return true
}

// ones adds up the bits of v that are set: neighbors in groups of 2, 4, 8... The result
// has 32 bits.
func (b arithBuilder) ones(v *Value, t isa.Type) *Value {
	w := width(t)
	for n := 1; n < w; n *= 2 {
		low := b.constant(t, lowHalves(n, w))
		v = b.add(Add, t, b.add(And, t, v, low), b.add(And, t, b.add(ShrU, t, v, b.constant(isa.B32, uint64(n))), low))
	}
	// The bound is what follows from the last sum, said so that nothing has to find it out.
	return b.add(MinU, isa.B32, b.fit(v, isa.B32, false), b.constant(isa.B32, uint64(w)))
}

// highest spreads the highest bit that is set in v over all bits below it.
func (b arithBuilder) highest(v *Value, t isa.Type) *Value {
	for n := 1; n < width(t); n *= 2 {
		v = b.add(Or, t, v, b.add(ShrU, t, v, b.constant(isa.B32, uint64(n))))
	}
	return v
}

// popc translates popc, which counts bits.
func (b arithBuilder) popc(in *ptx.Instr) bool {
	t, _, ok := intType(in)
	if !ok || t == isa.Pred {
		return false
	}
	b.assign(in.Args[0], b.ones(b.value(in.Args[1], t), t), false)
	return true
}

// clz translates clz, which counts the zeros above the highest bit that is set.
func (b arithBuilder) clz(in *ptx.Instr) bool {
	t, _, ok := intType(in)
	if !ok || t == isa.Pred {
		return false
	}
	zeros := b.add(Not, t, b.highest(b.value(in.Args[1], t), t))
	b.assign(in.Args[0], b.ones(zeros, t), false)
	return true
}

// bfind translates bfind: the number of the highest bit that differs from the sign, or
// by how much that is to be shifted to the left; -1 if there is none.
func (b arithBuilder) bfind(in *ptx.Instr) bool {
	t, signed, ok := intType(in)
	if !ok || t == isa.Pred {
		return false
	}
	v := b.value(in.Args[1], t)
	if signed {
		v = b.add(Xor, t, v, b.add(ShrS, t, v, b.constant(isa.B32, uint64(width(t)-1))))
	}
	n := b.add(Sub, isa.B32, b.ones(b.highest(v, t), t), b.constant(isa.B32, 1))
	if in.Has("shiftamt") {
		none := b.add(Eq, isa.Pred, n, b.constant(isa.B32, ^uint64(0)))
		n = b.add(Select, isa.B32, none, n, b.add(Sub, isa.B32, b.constant(isa.B32, uint64(width(t)-1)), n))
	}
	b.assign(in.Args[0], n, false)
	return true
}

// prmt translates prmt in its default mode: each byte of the result is one of the eight
// bytes of two operands, or its sign.
func (b arithBuilder) prmt(in *ptx.Instr) bool {
	if len(in.Mods) != 1 || len(in.Args) != 4 {
		return false
	}
	t := isa.B64
	low, high := b.fit(b.value(in.Args[1], isa.B32), t, false), b.fit(b.value(in.Args[2], isa.B32), t, false)
	from := b.add(Or, t, low, b.add(Shl, t, high, b.constant(isa.B32, 32)))
	selector := b.value(in.Args[3], isa.B32)
	shifted := func(op Op, v *Value, n uint64) *Value { return b.add(op, isa.B32, v, b.constant(isa.B32, n)) }
	masked := func(v *Value, m uint64) *Value { return b.add(And, isa.B32, v, b.constant(isa.B32, m)) }
	var all *Value
	for i := uint64(0); i < 4; i++ {
		n := shifted(ShrU, selector, 4*i)
		chosen := b.add(ShrU, t, from, shifted(Shl, masked(n, 7), 3))
		v := masked(b.fit(chosen, isa.B32, false), 0xff)
		sign := b.add(Mul, isa.B32, shifted(ShrU, v, 7), b.constant(isa.B32, 0xff))
		isSign := b.add(Ne, isa.Pred, masked(n, 8), b.constant(isa.B32, 0))
		v = shifted(Shl, b.add(Select, isa.B32, isSign, sign, v), 8*i)
		if all == nil {
			all = v
		} else {
			all = b.add(Or, isa.B32, all, v)
		}
	}
	b.assign(in.Args[0], all, false)
	return true
}

// funnel translates shf: one half of two words that are shifted as one number of 64 bits, the first operand below the
// second. Compilers make rotations of it, and of those the tests whether an even number divides another.
func (b arithBuilder) funnel(in *ptx.Instr) bool {
	if len(in.Args) != 4 {
		return false
	}
	low, high := b.value(in.Args[1], isa.B32), b.value(in.Args[2], isa.B32)
	by, left := b.value(in.Args[3], isa.B32), in.Has("l")
	if n, ok := by.IsConst(); ok {
		b.assign(in.Args[0], b.funnelBy(low, high, funnelAmount(in, n), left), false)
		return true
	}
	if in.Has("wrap") {
		by = b.add(And, isa.B32, by, b.constant(isa.B32, 31))
	} else {
		by = b.add(MinU, isa.B32, by, b.constant(isa.B32, 32))
	}
	t := isa.B64
	both := b.add(Or, t, b.fit(low, t, false), b.add(Shl, t, b.fit(high, t, false), b.constant(isa.B32, 32)))
	if left {
		both = b.add(ShrU, t, b.add(Shl, t, both, by), b.constant(isa.B32, 32))
	} else {
		both = b.add(ShrU, t, both, by)
	}
	b.assign(in.Args[0], b.fit(both, isa.B32, false), false)
	return true
}

// funnelAmount is a constant amount as shf takes it, from 0 to 32.
func funnelAmount(in *ptx.Instr, n uint64) uint64 {
	if in.Has("wrap") {
		return n & 31
	}
	return min(n&0xffffffff, 32)
}

// funnelBy shifts by a constant: the upper half of the result to the left, the lower half to the right.
func (b arithBuilder) funnelBy(low, high *Value, n uint64, left bool) *Value {
	if !left {
		n = 32 - n
	}
	switch n {
	case 0:
		return high
	case 32:
		return low
	}
	t := isa.B32
	up := b.add(Shl, t, high, b.constant(isa.B32, n))
	return b.add(Or, t, up, b.add(ShrU, t, low, b.constant(isa.B32, 32-n)))
}

// lop3 translates lop3 without a predicate: any function of three bits, which the table gives for the bits a, b and c
// at 4a + 2b + c.
func (b arithBuilder) lop3(in *ptx.Instr) bool {
	if len(in.Args) != 5 || len(in.Mods) != 1 {
		return false
	}
	table, ok := in.Args[4].(*ptx.Imm)
	if !ok {
		return false
	}
	var v [3]*Value
	for i := range v {
		v[i] = b.value(in.Args[i+1], isa.B32)
	}
	b.assign(in.Args[0], b.logic(table.Value&0xff, v[:]), false)
	return true
}

// logic is the function of bits that a table with 2^len(of) entries gives, the first of them for all zeros and the
// first operand the highest bit of the index.
func (b arithBuilder) logic(table uint64, of []*Value) *Value {
	t, half := isa.B32, uint(1)<<len(of)/2
	if len(of) == 0 {
		return b.constant(t, -(table & 1))
	}
	a, all := of[0], uint64(1)<<half-1
	zero, one := table&all, table>>half&all
	rest := func(table uint64) *Value { return b.logic(table, of[1:]) }
	not := func(v *Value) *Value { return b.add(Not, t, v) }
	switch {
	case zero == one:
		return rest(zero)
	case zero == 0 && one == all:
		return a
	case zero == all && one == 0:
		return not(a)
	case zero == 0:
		return b.add(And, t, a, rest(one))
	case one == 0:
		return b.add(And, t, not(a), rest(zero))
	case one == all:
		return b.add(Or, t, a, rest(zero))
	case zero == all:
		return b.add(Or, t, not(a), rest(one))
	case zero == ^one&all:
		return b.add(Xor, t, a, rest(zero))
	}
	return b.add(Or, t, b.add(And, t, a, rest(one)), b.add(And, t, not(a), rest(zero)))
}
