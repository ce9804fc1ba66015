package body

// float32s enters an operation on numbers of 4 bytes: with subnormal numbers, and under .ftz.
func (t entries) float32s(n int, f text, opcodes ...string) {
	for _, name := range names(opcodes...) {
		t.enter(shape(4, n), K32, func(b *builder, x []val) val { return b.op(Canonical, f(b, x)) }, name+".f32").Floats = true
		t.enter(shape(4, n), K32, func(b *builder, x []val) val {
			return b.op(Canonical, b.flushed(f(b, flushed(b, x))))
		}, name+".ftz.f32").Floats = true
	}
}

func flushed(b *builder, x []val) []val {
	y := make([]val, len(x))
	for i := range x {
		y[i] = b.flushed(x[i])
	}
	return y
}

// saturated limits a result to [0, 1]; NaN becomes 0.
func (t entries) saturated(n int, f text, opcodes ...string) {
	for _, name := range names(opcodes...) {
		t.enter(shape(4, n), K32, func(b *builder, x []val) val {
			return b.op(MinF, b.op(MaxF, f(b, x), b.num(0)), b.num(0x3f800000))
		}, name+".sat.f32").Floats = true
	}
}

// float64s enters an operation on numbers of 8 bytes.
func (t entries) float64s(n int, f text, opcodes ...string) {
	t.enter(shape(8, n), K64, f, opcodes...).FirstNaN = true
}

// floats is floating-point arithmetic (PTX ISA 9.7.3).
func (t entries) floats() {
	reciprocal := func(b *builder, x []val) val {
		one := uint64(0x3f800000)
		if b.width(x[0]) == 8 {
			one = 0x3ff << 52
		}
		return b.op(DivF, b.like(x[0], one), x[0])
	}
	for name, op := range map[string]Op{"add": AddF, "sub": SubF, "mul": MulF} {
		t.float32s(2, primitive(op), name+"{,.rn}")
		t.saturated(2, primitive(op), name+"{,.rn}")
		t.float64s(2, primitive(op), name+"{,.rn}.f64")
	}
	t.float32s(3, primitive(FMA), "{fma,mad}.rn")
	t.saturated(3, primitive(FMA), "{fma,mad}.rn")
	t.float64s(3, primitive(FMA), "{fma,mad}.rn.f64")
	t.float32s(2, primitive(DivF), "div.{rn,full}")
	t.float32s(2, divApprox, "div.approx")
	t.float64s(2, primitive(DivF), "div.rn.f64")
	t.float32s(1, reciprocal, "rcp.{rn,approx}")
	t.float64s(1, reciprocal, "rcp.rn.f64")
	t.float32s(1, primitive(Sqrt), "sqrt.{rn,approx}")
	t.float64s(1, primitive(Sqrt), "sqrt.rn.f64")
	t.signs()
	t.extremes()
}

// A divisor whose reciprocal is subnormal counts as infinite in div.approx (PTX ISA 9.7.3.8): one from
// afterLarge on, short of infinity, without its sign.
const (
	afterLarge = 0x7e800001
	infinity   = 0x7f800000
)

func divApprox(b *builder, x []val) val {
	above := b.op(Sub, b.op(And, x[1], b.num(1<<31-1)), b.num(afterLarge))
	large := b.compare(CompareU, Less, above, b.num(infinity-afterLarge))
	return b.choose(large, b.op(MulF, x[0], b.op(And, x[1], b.num(1<<31))), b.op(DivF, x[0], x[1]))
}

// signs change signs only.
func (t entries) signs() {
	for w, typ := range map[int]string{4: "f32", 8: "f64"} {
		sign := uint64(1) << (8*w - 1)
		neg := func(b *builder, x []val) val { return b.op(Xor, x[0], b.like(x[0], sign)) }
		abs := func(b *builder, x []val) val { return b.op(And, x[0], b.like(x[0], sign-1)) }
		t.one(w, neg, "neg."+typ)
		t.one(w, abs, "abs."+typ)
		if w == 4 {
			t.one(w, func(b *builder, x []val) val { return neg(b, flushed(b, x)) }, "neg.ftz.f32")
			t.one(w, func(b *builder, x []val) val { return abs(b, flushed(b, x)) }, "abs.ftz.f32")
		}
	}
}

// extremes are min and max: -0 is less than +0, and a number beats NaN.
func (t entries) extremes() {
	for name, op := range map[string]Op{"min": MinF, "max": MaxF} {
		extreme := func(b *builder, x []val) val {
			// Equal operands differ in the sign of zero at most.
			zero := map[Op]Op{MinF: Or, MaxF: And}[op]
			r := b.op(op, x[0], x[1]) // x[1] if either is NaN
			r = b.choose(b.compare(CompareF, Equal, x[0], x[1]), b.op(zero, x[0], x[1]), r)
			r = b.choose(b.isNaN(x[1]), x[0], r)
			if b.width(r) == 4 {
				return b.op(Canonical, r)
			}
			quiet := b.op(Or, r, b.wide(1<<51))
			return b.choose(b.isNaN(r), quiet, r)
		}
		t.two(4, extreme, name+".f32")
		t.two(8, extreme, name+".f64")
		t.two(4, func(b *builder, x []val) val { return extreme(b, flushed(b, x)) }, name+".ftz.f32")
		t.two(4, func(b *builder, x []val) val {
			r := extreme(b, x)
			return b.choose(b.compare(CompareF, Unordered, x[0], x[1]), b.num(0x7fffffff), r)
		}, name+".NaN.f32")
	}
}

// tests are the comparisons of setp (PTX ISA 9.7.6).
func (t entries) tests() {
	for name, r := range map[string]Relation{"eq": Equal, "ne": Less | Greater, "lt": Less, "le": Less | Equal, "gt": Greater, "ge": Greater | Equal,
		"num": Less | Equal | Greater, "equ": Equal | Unordered, "neu": Less | Greater | Unordered, "ltu": Less | Unordered,
		"leu": Less | Equal | Unordered, "gtu": Greater | Unordered, "geu": Greater | Equal | Unordered, "nan": Unordered} {
		test := func(b *builder, x []val) val { return b.compare(CompareF, r, x[0], x[1]) }
		t.two(4, test, "setp."+name+".f32").Floats = true
		t.two(8, test, "setp."+name+".f64")
		t.two(4, func(b *builder, x []val) val { return test(b, flushed(b, x)) }, "setp."+name+".ftz.f32").Floats = true
	}
	for _, c := range []struct {
		name, unsigned string // the second of types without a sign
		r              Relation
	}{{"eq", "eq.b", Equal}, {"ne", "ne.b", Less | Greater}, {"lt", "lo.u", Less}, {"le", "ls.u", Less | Equal},
		{"gt", "hi.u", Greater}, {"ge", "hs.u", Greater | Equal}} {
		of := func(op Op) text { return func(b *builder, x []val) val { return b.compare(op, c.r, x[0], x[1]) } }
		for w, n := range map[int]string{4: "32", 8: "64"} {
			t.two(w, of(CompareS), "setp."+c.name+".s"+n)
			t.two(w, of(CompareU), "setp.{"+c.name+".u,"+c.unsigned+"}"+n)
		}
		// Numbers of 16 bits with a sign, moved up to that of 32.
		t.two(4, func(b *builder, x []val) val {
			return b.compare(CompareS, c.r, b.by(ShlBy, x[0], 16), b.by(ShlBy, x[1], 16))
		}, "setp."+c.name+".s16")
		t.two(4, of(CompareU), "setp.{"+c.name+".u,"+c.unsigned+"}16")
	}
}
