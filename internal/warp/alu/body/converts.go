package body

// conversions are cvt (PTX ISA 9.7.9.21).
func (t entries) conversions() {
	t.enter([]Kind{KZero}, K64, same, "cvt.{u64,s64}.u32")
	t.enter([]Kind{KSign}, K64, same, "cvt.{u64,s64}.s32")
	t.enter(shape(8, 1), KLow, same, "cvt.{u32,s32}.{u64,s64}")
	low := func(bits uint64) text {
		return func(b *builder, x []val) val { return b.op(And, x[0], b.num(1<<bits-1)) }
	}
	sign := func(bits uint64) text {
		return func(b *builder, x []val) val { return extended(b, x[0], bits) }
	}
	t.one(4, low(16), "cvt.{u32,s32}.u16", "cvt.u16.{u32,s32}")
	t.one(4, low(8), "cvt.{u32,s32}.u8", "cvt.u8.u32")
	t.one(4, sign(16), "cvt.{u32,s32}.s16", "cvt.s16.s32")
	t.one(4, sign(8), "cvt.{u32,s32}.s8", "cvt.s8.s32")
	for name, from := range map[string]Type{"s32": S32, "u32": U32} {
		t.one(4, to(ToF32, 4, from), "cvt.rn.f32."+name)
		t.enter([]Kind{KHalf}, K64, to(ToF64, 8, from), "cvt.rn.f64."+name)
	}
	for name, from := range map[string]Type{"s64": S64, "u64": U64} {
		t.one(8, to(ToF64, 8, from), "cvt.rn.f64."+name)
		t.enter(shape(8, 1), KHalf, to(ToF32, 4, from), "cvt.rn.f32."+name)
	}
	for name, cut := range map[string]text{"u8": low(8), "u16": low(16), "s8": sign(8), "s16": sign(16)} {
		t.one(4, func(b *builder, x []val) val { return b.convert(ToF32, 4, S32, cut(b, x)) }, "cvt.rn.f32."+name)
	}
	t.toIntegers()
	t.roundings()
	t.toTF32()
}

// to is the text of one conversion.
func to(op Op, w int, from Type) text {
	return func(b *builder, x []val) val { return b.convert(op, w, from, x[0]) }
}

// toIntegers limits numbers to the range. NaN becomes 0; from 8 bytes, the least number.
func (t entries) toIntegers() {
	signed := func(b *builder, op Op, x val) val {
		r := b.convert(op, 4, F32, x)
		r = b.choose(b.compare(CompareF, Greater|Equal, x, b.num(0x4f000000)), b.num(1<<31-1), r)
		return b.choose(b.isNaN(x), b.num(0), r)
	}
	t.one(4, func(b *builder, x []val) val { return signed(b, CutS32, x[0]) }, "cvt.rzi{,.ftz}.s32.f32") // a subnormal is 0 either way
	t.one(4, func(b *builder, x []val) val { return signed(b, ToS32, x[0]) }, "cvt.rni.s32.f32")
	for name, mode := range map[string]Rounding{"rmi": Down, "rpi": Up} {
		t.one(4, func(b *builder, x []val) val { return signed(b, CutS32, b.node(RoundF, 4, uint64(mode), x[0])) }, "cvt."+name+".s32.f32")
	}
	t.one(4, func(b *builder, x []val) val {
		return b.convert(CutU32, 4, F32, b.op(MaxF, x[0], b.num(0))) // NaN becomes 0
	}, "cvt.rzi.u32.f32")
	t.enter(shape(8, 1), KHalf, func(b *builder, x []val) val {
		return b.convert(CutS32, 4, F64, b.op(MinF, b.wide(0x41dfffffffc00000), x[0]))
	}, "cvt.rzi.s32.f64")
	t.enter(shape(8, 1), KHalf, func(b *builder, x []val) val {
		y := b.op(MaxF, x[0], b.wide(0))
		return b.convert(CutU32, 4, F64, b.choose(b.isNaN(x[0]), b.wide(0x41e0000000000000), y))
	}, "cvt.rzi.u32.f64")
}

// roundings are conversions between numbers, and to integers among them.
func (t entries) roundings() {
	for name, mode := range map[string]Rounding{"rni": Nearest, "rmi": Down, "rpi": Up, "rzi": Zero} {
		round := func(b *builder, x val) val { return b.node(RoundF, b.width(x), uint64(mode), x) }
		t.one(4, func(b *builder, x []val) val { return b.op(Canonical, round(b, x[0])) }, "cvt."+name+".f32.f32")
		t.one(4, func(b *builder, x []val) val {
			return b.flushed(b.op(Canonical, round(b, b.flushed(x[0]))))
		}, "cvt."+name+".ftz.f32.f32")
		t.float64s(1, func(b *builder, x []val) val { return round(b, x[0]) }, "cvt."+name+".f64.f64")
	}
	t.enter([]Kind{KHalf}, K64, func(b *builder, x []val) val {
		r := b.convert(ToF64, 8, F32, x[0])
		return b.choose(b.isNaN(r), b.wide(0x7fffffffe0000000), r)
	}, "cvt.f64.f32")
	t.enter(shape(8, 1), KHalf, func(b *builder, x []val) val {
		return b.op(Canonical, b.convert(ToF32, 4, F64, x[0]))
	}, "cvt.rn.f32.f64")
}

// toTF32: the lower 13 bits of the fraction are rounded away; a carry continues into the exponent, up to infinity.
func (t entries) toTF32() {
	up := map[string]text{
		"rna": func(b *builder, x []val) val { return b.op(Add, x[0], b.num(0x1000)) },
		"rn": func(b *builder, x []val) val {
			return b.op(Add, x[0], b.op(Add, b.op(And, b.by(ShrUBy, x[0], 13), b.num(1)), b.num(0xfff)))
		},
		"rz": same,
	}
	for name, f := range up {
		t.one(4, func(b *builder, x []val) val {
			r := b.op(And, f(b, x), b.num(0xffffe000))
			return b.choose(b.isNaN(x[0]), b.num(0x7fffffff), r)
		}, "cvt."+name+".tf32.f32").Floats = true
	}
}
