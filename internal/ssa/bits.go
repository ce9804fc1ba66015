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
