package body

import "fmt"

// integers is integer arithmetic (PTX ISA 9.7.1).
func (t entries) integers() {
	for _, w := range []int{4, 8} {
		n := 8 * w
		both := func(op string) string { return fmt.Sprintf("%s.{s%d,u%d}", op, n, n) }
		of := func(op, sign string) string { return fmt.Sprintf("%s.%s%d", op, sign, n) }
		t.two(w, primitive(Add), both("add"))
		t.two(w, primitive(Sub), both("sub"))
		t.two(w, primitive(Mul), both("mul.lo"))
		t.three(w, func(b *builder, x []val) val { return b.op(Add, b.op(Mul, x[0], x[1]), x[2]) }, both("mad.lo"))
		t.two(w, primitive(MinS), of("min", "s"))
		t.two(w, primitive(MinU), of("min", "u"))
		t.two(w, primitive(MaxS), of("max", "s"))
		t.two(w, primitive(MaxU), of("max", "u"))
		t.one(w, func(b *builder, x []val) val { return b.op(Sub, b.like(x[0], 0), x[0]) }, of("neg", "s"))
		t.one(w, primitive(Abs), of("abs", "s"))
	}
	t.products()
}

// products are those of twice the width and their upper halves.
func (t entries) products() {
	for typ, op := range map[string]Op{"u32": WideU, "s32": WideS} {
		t.enter([]Kind{KLower, KLower}, K64, primitive(op), "mul.wide."+typ)
		t.enter([]Kind{KLower, KLower, K64}, K64, func(b *builder, x []val) val {
			return b.op(Add, b.op(op, x[0], x[1]), x[2])
		}, "mad.wide."+typ)
	}
	t.two(4, primitive(HighU), "mul.hi.u32")
	t.two(4, primitive(HighS), "mul.hi.s32")
	t.two(8, high, "mul.hi.u64")
	t.two(8, func(b *builder, x []val) val { // a negative factor counts 2^64 too much of the other
		r := b.op(Sub, high(b, x), b.op(And, b.by(ShrSBy, x[0], 63), x[1]))
		return b.op(Sub, r, b.op(And, b.by(ShrSBy, x[1], 63), x[0]))
	}, "mul.hi.s64")
}

// high is the upper half of a product of 8 bytes, put together from four products of 4.
func high(b *builder, x []val) val {
	ah, bh := b.by(ShrUBy, x[0], 32), b.by(ShrUBy, x[1], 32)
	mid := b.op(Add, b.op(WideU, x[0], bh), b.by(ShrUBy, b.op(WideU, x[0], x[1]), 32))
	low := b.op(Add, b.op(WideU, ah, x[1]), b.op(And, mid, b.wide(1<<32-1)))
	r := b.op(Add, b.op(WideU, ah, bh), b.by(ShrUBy, mid, 32))
	return b.op(Add, r, b.by(ShrUBy, low, 32))
}

// logic are logic, shifts and bit fields (PTX ISA 9.7.8 and 9.7.1).
func (t entries) logic() {
	for name, op := range map[string]Op{"and": And, "or": Or, "xor": Xor} {
		t.two(4, primitive(op), name+".{b16,b32}")
		t.two(8, primitive(op), name+".b64")
	}
	for w, n := range map[int]string{4: "32", 8: "64"} {
		t.one(w, func(b *builder, x []val) val { return b.op(Xor, b.like(x[0], ones(w)), x[0]) }, "not.b"+n)
		t.one(w, same, "mov.b"+n)
		count := map[int]Kind{4: K32, 8: KZero}[w]
		for name, op := range map[string]Op{"shl.b": Shl, "shr.{b,u}": ShrU, "shr.s": ShrS} {
			t.enter([]Kind{KindOf(w), count}, KindOf(w), primitive(op), name+n)
		}
	}
	t.one(4, primitive(Zeros), "clz.b32")
	t.enter(shape(8, 1), KLow, primitive(Zeros), "clz.b64")
	t.one(4, primitive(Ones), "popc.b32")
	for name, first := range map[string]int{"l": 1, "r": 0} {
		t.three(4, funnel(first, true), "shf."+name+".wrap.b32")
		t.three(4, funnel(first, false), "shf."+name+".clamp.b32")
	}
	t.fields()
}

func ones(w int) uint64 { return 1<<(8*w) - 1 }

// funnel shifts operand first by n and the other one by 32-n the other way.
func funnel(first int, wrap bool) text {
	shift, back := ShrU, Shl
	if first == 1 {
		shift, back = Shl, ShrU
	}
	return func(b *builder, x []val) val {
		var n val
		if wrap {
			n = b.op(And, x[2], b.num(31))
		} else {
			n = b.op(MinU, x[2], b.num(32))
		}
		rest := b.op(Sub, b.num(32), n)
		return b.op(Or, b.op(shift, x[first], n), b.op(back, x[1-first], rest))
	}
}

// fields are bit fields, whose position and length are in the low 8 bits.
func (t entries) fields() {
	low := func(b *builder, x val) val { return b.op(And, x, b.num(255)) }
	mask := func(b *builder, n val) val { return b.op(Sub, b.op(Shl, b.num(1), n), b.num(1)) }
	t.three(4, func(b *builder, x []val) val {
		return b.op(And, b.op(ShrU, x[0], low(b, x[1])), mask(b, low(b, x[2])))
	}, "bfe.u32")
	t.three(4, func(b *builder, x []val) val {
		n := b.op(MinU, low(b, x[2]), b.num(32))
		cut := b.op(Sub, b.num(32), n)
		return b.op(ShrS, b.op(Shl, b.op(ShrS, x[0], low(b, x[1])), cut), cut)
	}, "bfe.s32")
	t.enter(shape(4, 4), K32, func(b *builder, x []val) val {
		pos := low(b, x[2])
		field := b.op(Shl, mask(b, low(b, x[3])), pos)
		return b.op(Xor, x[1], b.op(And, field, b.op(Xor, b.op(Shl, x[0], pos), x[1])))
	}, "bfi.b32")
	t.one(4, func(b *builder, x []val) val { return b.op(Sub, b.num(31), b.op(Zeros, x[0])) }, "bfind.u32")
}

// low16 and signed16 are the low 16 bits of a register, extended with zeros and with the sign.
func low16(b *builder, x val) val    { return b.op(And, x, b.num(0xffff)) }
func signed16(b *builder, x val) val { return extended(b, x, 16) }

// extended extends the low bits of 4 bytes by their sign.
func extended(b *builder, x val, bits uint64) val {
	return b.by(ShrSBy, b.by(ShlBy, x, 32-bits), 32-bits)
}

// small are operations on 16 bits, which registers hold extended with zeros, and their
// products of 32 bits (PTX ISA 9.7.1 and 9.7.8).
func (t entries) small() {
	signed := func(op Op) text {
		return func(b *builder, x []val) val { return b.op(op, signed16(b, x[0]), signed16(b, x[1])) }
	}
	cut := func(f text) text { return func(b *builder, x []val) val { return low16(b, f(b, x)) } }
	for name, op := range map[string]Op{"add": Add, "sub": Sub, "mul.lo": Mul} {
		t.two(4, cut(primitive(op)), name+".{s16,u16}")
	}
	t.two(4, cut(primitive(MinU)), "min.u16")
	t.two(4, cut(primitive(MaxU)), "max.u16")
	t.two(4, func(b *builder, x []val) val { return b.op(Mul, low16(b, x[0]), low16(b, x[1])) }, "mul.wide.u16")
	t.two(4, cut(signed(MinS)), "min.s16")
	t.two(4, cut(signed(MaxS)), "max.s16")
	t.two(4, signed(Mul), "mul.wide.s16")
	// The count has 32 bits.
	t.two(4, cut(primitive(Shl)), "shl.b16")
	t.two(4, primitive(ShrU), "shr.{u16,b16}")
	t.two(4, cut(func(b *builder, x []val) val { return b.op(ShrS, signed16(b, x[0]), x[1]) }), "shr.s16")
	t.one(4, func(b *builder, x []val) val { return b.op(Xor, low16(b, x[0]), b.num(0xffff)) }, "not.b16")
	t.one(4, cut(func(b *builder, x []val) val { return b.op(Sub, b.num(0), x[0]) }), "neg.s16")
}

// divisions are div and rem of 32 bits, in 8-byte numbers: a quotient that is not an integer
// is further from the next one than the rounding error. A divisor of zero gives all ones.
func (t entries) divisions() {
	for typ, from := range map[string]Type{"s32": S32, "u32": U32} {
		cut := map[Type]Op{S32: CutS32, U32: FitU32}[from]
		quotient := func(rem bool) text {
			return func(b *builder, x []val) val {
				n, d := b.convert(ToF64, 8, from, x[0]), b.convert(ToF64, 8, from, x[1])
				r := b.convert(cut, 4, F64, b.op(DivF, n, d))
				divisor := b.convert(cut, 4, F64, d)
				if rem {
					r = b.op(Sub, b.convert(cut, 4, F64, n), b.op(Mul, r, divisor))
				}
				zero := b.op(Disjoint, divisor, divisor)
				return b.choose(zero, b.num(1<<32-1), r)
			}
		}
		t.enter([]Kind{KHalf, KHalf}, KHalf, quotient(false), "div."+typ)
		t.enter([]Kind{KHalf, KHalf}, KHalf, quotient(true), "rem."+typ)
	}
}
