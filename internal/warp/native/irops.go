package native

import (
	"math"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/formula"
)

// irOp is an operation in LLVM IR, of all lanes or of one value: body gets the operands as
// their kinds say and returns the result's bits.
type irOp struct {
	args []kind
	body func(x *irText, v []irValue) irValue
}

// irOps has the operations by their PTX opcodes; comparisons return bits.
var irOps = sync.OnceValue(func() map[string]*irOp {
	m := irTable{}
	m.integers()
	m.logic()
	m.small()
	m.floats()
	m.conversions()
	m.comparisons()
	return m
})

// irOpOf is an operation's IR, nil if there is none.
func irOpOf(o *alu.Op) *irOp {
	if o.Formula != nil {
		return irFormula(o)
	}
	return irOps()[o.Name]
}

type irTable map[string]*irOp

type irBody = func(x *irText, v []irValue) irValue

// enter adds an operation under names separated by spaces.
func (m irTable) enter(args []kind, body irBody, names string) {
	for _, name := range strings.Fields(names) {
		m[name] = &irOp{args, body}
	}
}

// irBin is an instruction of two operands.
func irBin(op string) irBody {
	return func(x *irText, v []irValue) irValue { return x.bin(op, v[0], v[1]) }
}

// irCall is an intrinsic function of operands of one type.
func irCall(name string) irBody {
	return func(x *irText, v []irValue) irValue { return x.call(name, v[0].t, v...) }
}

// signs are the type suffixes of a width.
var signs = map[int][2]string{4: {"s32", "u32"}, 8: {"s64", "u64"}}

// integers is integer arithmetic (PTX ISA 9.7.1).
func (m irTable) integers() {
	for w, t := range signs {
		s, u, two, three := t[0], t[1], shape(w, 2), shape(w, 3)
		both := func(op string) string { return op + "." + s + " " + op + "." + u }
		m.enter(two, irBin("add"), both("add"))
		m.enter(two, irBin("sub"), both("sub"))
		m.enter(two, irBin("mul"), both("mul.lo"))
		m.enter(three, func(x *irText, v []irValue) irValue { return x.bin("add", x.bin("mul", v[0], v[1]), v[2]) }, both("mad.lo"))
		for _, op := range []string{"min", "max"} {
			m.enter(two, irCall("s"+op), op+"."+s)
			m.enter(two, irCall("u"+op), op+"."+u)
		}
		m.enter(shape(w, 1), func(x *irText, v []irValue) irValue { return x.bin("sub", constantOf(v[0].t, 0), v[0]) }, "neg."+s)
		m.enter(shape(w, 1), func(x *irText, v []irValue) irValue { return x.call("abs", v[0].t, v[0], irValue{"false", i1Type}) }, "abs."+s)
	}
	for typ, k := range map[string]kind{"u32": kZX, "s32": kSX} {
		extend := map[kind]string{kZX: "zext", kSX: "sext"}[k]
		m.enter([]kind{k, k}, irBin("mul"), "mul.wide."+typ)
		m.enter([]kind{k, k, k64}, func(x *irText, v []irValue) irValue { return x.bin("add", x.bin("mul", v[0], v[1]), v[2]) }, "mad.wide."+typ)
		m.enter(shape(4, 2), func(x *irText, v []irValue) irValue {
			p := x.bin("mul", x.cast(extend, v[0], "i64"), x.cast(extend, v[1], "i64"))
			return x.cast("trunc", x.with("lshr", p, 32), "i32")
		}, "mul.hi."+typ)
	}
	m.enter(shape(8, 2), irHigh, "mul.hi.u64")
	m.enter(shape(8, 2), func(x *irText, v []irValue) irValue {
		r := irHigh(x, v) // a negative factor counts 2^64 too much of the other
		r = x.bin("sub", r, x.bin("and", x.with("ashr", v[0], 63), v[1]))
		return x.bin("sub", r, x.bin("and", x.with("ashr", v[1], 63), v[0]))
	}, "mul.hi.s64")
	m.divisions()
}

// irHigh is the upper half of a product of 64 bits, put together from four of 32.
func irHigh(x *irText, v []irValue) irValue {
	half := func(a irValue) (lo, hi irValue) { return x.with("and", a, 1<<32-1), x.with("lshr", a, 32) }
	al, ah := half(v[0])
	bl, bh := half(v[1])
	mid := x.bin("add", x.bin("mul", al, bh), x.with("lshr", x.bin("mul", al, bl), 32))
	low := x.bin("add", x.bin("mul", ah, bl), x.with("and", mid, 1<<32-1))
	r := x.bin("add", x.bin("mul", ah, bh), x.with("lshr", mid, 32))
	return x.bin("add", r, x.with("lshr", low, 32))
}

// divisions are div and rem of 32 bits, in double: a quotient that is not an integer is
// further from the next one than the rounding error. A divisor of zero gives all ones.
func (m irTable) divisions() {
	for typ, sign := range map[string]string{"s32": "s", "u32": "u"} {
		for _, rem := range []bool{false, true} {
			name := map[bool]string{false: "div.", true: "rem."}[rem]
			m.enter(shape(4, 2), func(x *irText, v []irValue) irValue {
				zero := x.compare("icmp eq", v[1], constantOf(v[1].t, 0))
				divisor := x.choose(zero, constantOf(v[1].t, 1), v[1])
				a, b := x.cast(sign+"itofp", v[0], "double"), x.cast(sign+"itofp", divisor, "double")
				// By way of 64 bits: the least number divided by -1 is out of range.
				r := x.cast("trunc", x.cast("fptosi", x.bin("fdiv", a, b), "i64"), "i32")
				if rem {
					r = x.bin("sub", v[0], x.bin("mul", r, divisor))
				}
				return x.choose(zero, constantOf(r.t, 1<<32-1), r)
			}, name+typ)
		}
	}
}

// logic are logic, shifts and bit fields (PTX ISA 9.7.8 and 9.7.1).
func (m irTable) logic() {
	for _, op := range []string{"and", "or", "xor"} {
		m.enter(shape(4, 2), irBin(op), op+".b16 "+op+".b32")
		m.enter(shape(8, 2), irBin(op), op+".b64")
	}
	for w, typ := range map[int]string{4: "b32", 8: "b64"} {
		one := shape(w, 1)
		m.enter(one, func(x *irText, v []irValue) irValue { return x.with("xor", v[0], math.MaxUint64) }, "not."+typ)
		m.enter(one, func(_ *irText, v []irValue) irValue { return v[0] }, "mov."+typ)
		m.enter(one, func(x *irText, v []irValue) irValue {
			return x.cast("trunc", x.call("ctlz", v[0].t, v[0], irValue{"false", i1Type}), "i32")
		}, "clz."+typ)
		two := []kind{kindOf(w), map[int]kind{4: k32, 8: kZX}[w]}
		n := typ[1:]
		m.enter(two, irShift("shl"), "shl.b"+n)
		m.enter(two, irShift("lshr"), "shr.b"+n+" shr.u"+n)
		m.enter(two, irShift("ashr"), "shr.s"+n)
	}
	m.enter(shape(4, 1), irCall("ctpop"), "popc.b32")
	for dir, shifts := range map[string][2]string{"l": {"shl", "lshr"}, "r": {"lshr", "shl"}} {
		first := map[string]int{"l": 1, "r": 0}[dir]
		for _, wrap := range []string{"wrap", "clamp"} {
			m.enter(shape(4, 3), func(x *irText, v []irValue) irValue {
				n := x.with("and", v[2], 31)
				if wrap == "clamp" {
					n = x.call("umin", v[2].t, v[2], constantOf(v[2].t, 32))
				}
				rest := x.bin("sub", constantOf(n.t, 32), n)
				return x.bin("or", irShift(shifts[0])(x, []irValue{v[first], n}), irShift(shifts[1])(x, []irValue{v[1-first], rest}))
			}, "shf."+dir+"."+wrap+".b32")
		}
	}
	m.fields()
}

// irShift clamps the count: all bits are shifted out.
func irShift(op string) irBody {
	return func(x *irText, v []irValue) irValue {
		bits := uint64(v[0].t.bits())
		if op == "ashr" {
			return x.bin(op, v[0], x.call("umin", v[1].t, v[1], constantOf(v[1].t, bits-1)))
		}
		n := x.with("and", v[1], bits-1)
		inside := x.compare("icmp ult", v[1], constantOf(v[1].t, bits))
		return x.choose(inside, x.bin(op, v[0], n), constantOf(v[0].t, 0))
	}
}

// fields are bit fields, whose position and length are in the low 8 bits.
func (m irTable) fields() {
	low := func(x *irText, v irValue) irValue { return x.with("and", v, 255) }
	ones := func(x *irText, n irValue) irValue {
		return x.with("sub", irShift("shl")(x, []irValue{constantOf(n.t, 1), n}), 1)
	}
	m.enter(shape(4, 3), func(x *irText, v []irValue) irValue {
		return x.bin("and", irShift("lshr")(x, []irValue{v[0], low(x, v[1])}), ones(x, low(x, v[2])))
	}, "bfe.u32")
	m.enter(shape(4, 3), func(x *irText, v []irValue) irValue {
		n := x.call("umin", v[2].t, low(x, v[2]), constantOf(v[2].t, 32))
		cut := x.bin("sub", constantOf(n.t, 32), n)
		shifted := irShift("ashr")(x, []irValue{v[0], low(x, v[1])})
		return irShift("ashr")(x, []irValue{irShift("shl")(x, []irValue{shifted, cut}), cut})
	}, "bfe.s32")
	m.enter(shape(4, 4), func(x *irText, v []irValue) irValue {
		pos := low(x, v[2])
		field := irShift("shl")(x, []irValue{ones(x, low(x, v[3])), pos})
		put := irShift("shl")(x, []irValue{v[0], pos})
		return x.bin("xor", v[1], x.bin("and", field, x.bin("xor", put, v[1])))
	}, "bfi.b32")
	m.enter(shape(4, 1), func(x *irText, v []irValue) irValue {
		return x.bin("sub", constantOf(v[0].t, 31), x.call("ctlz", v[0].t, v[0], irValue{"false", i1Type}))
	}, "bfind.u32")
}

// irLow16 is the low 16 bits of a register, irSigned16 the same extended with the sign.
func irLow16(x *irText, v irValue) irValue { return x.with("and", v, 0xffff) }

func irSigned16(x *irText, v irValue) irValue { return irSigned(x, v, 16) }

// irSigned extends the low bits of a register by their sign.
func irSigned(x *irText, v irValue, bits uint64) irValue {
	return x.with("ashr", x.with("shl", v, 32-bits), 32-bits)
}

// small are operations on 16 bits, which registers hold extended with zeros.
func (m irTable) small() {
	cut := func(body irBody) irBody {
		return func(x *irText, v []irValue) irValue { return irLow16(x, body(x, v)) }
	}
	signed := func(body irBody) irBody {
		return func(x *irText, v []irValue) irValue {
			return body(x, []irValue{irSigned16(x, v[0]), irSigned16(x, v[1])})
		}
	}
	two, one := shape(4, 2), shape(4, 1)
	m.enter(two, cut(irBin("add")), "add.s16 add.u16")
	m.enter(two, cut(irBin("sub")), "sub.s16 sub.u16")
	m.enter(two, cut(irBin("mul")), "mul.lo.s16 mul.lo.u16")
	for _, op := range []string{"min", "max"} {
		m.enter(two, cut(irCall("u"+op)), op+".u16")
		m.enter(two, cut(signed(irCall("s"+op))), op+".s16")
	}
	m.enter(two, func(x *irText, v []irValue) irValue { return x.bin("mul", irLow16(x, v[0]), irLow16(x, v[1])) }, "mul.wide.u16")
	m.enter(two, signed(irBin("mul")), "mul.wide.s16")
	m.enter(two, cut(irShift("shl")), "shl.b16")
	m.enter(two, irShift("lshr"), "shr.u16 shr.b16")
	m.enter(two, cut(func(x *irText, v []irValue) irValue {
		return irShift("ashr")(x, []irValue{irSigned16(x, v[0]), v[1]})
	}), "shr.s16")
	m.enter(one, func(x *irText, v []irValue) irValue { return x.with("xor", irLow16(x, v[0]), 0xffff) }, "not.b16")
	m.enter(one, cut(func(x *irText, v []irValue) irValue { return x.bin("sub", constantOf(v[0].t, 0), v[0]) }), "neg.s16")
}

// irFloat and irBits look at the same bits as numbers and as integers.
func irFloat(x *irText, v irValue) irValue {
	return x.cast("bitcast", v, map[int]string{32: "float", 64: "double"}[v.t.bits()])
}

func irBits(x *irText, v irValue) irValue {
	return x.cast("bitcast", v, map[int]string{32: "i32", 64: "i64"}[v.t.bits()])
}

// irIsNaN has the bits of NaN.
func irIsNaN(x *irText, f irValue) irValue { return x.compare("fcmp uno", f, f) }

// irCanonical makes each NaN of f32 the one of the device.
func irCanonical(x *irText, f irValue) irValue {
	b := irBits(x, f)
	return x.choose(irIsNaN(x, f), constantOf(b.t, 0x7fffffff), b)
}

// irFlushed makes subnormal f32 zeros of the same sign.
func irFlushed(x *irText, v irValue) irValue {
	small := x.compare("icmp eq", x.with("and", v, 0x7f800000), constantOf(v.t, 0))
	return x.choose(small, x.with("and", v, 1<<31), v)
}

// irNaN64 gives NaN results of doubles the first operand's payload that is one, made quiet,
// or the default: processors differ in that.
func irNaN64(x *irText, r irValue, ops []irValue) irValue {
	nan := constantOf(r.t.of("i64"), 0xfff8<<48)
	for i := len(ops) - 1; i >= 0; i-- {
		f := irFloat(x, ops[i])
		nan = x.choose(irIsNaN(x, f), x.with("or", ops[i], 1<<51), nan)
	}
	return x.choose(irIsNaN(x, r), nan, irBits(x, r))
}

// floats is floating-point arithmetic (PTX ISA 9.7.3).
func (m irTable) floats() {
	type operation = func(x *irText, f []irValue) irValue
	bin := func(op string) operation {
		return func(x *irText, f []irValue) irValue { return x.bin(op, f[0], f[1]) }
	}
	fma := func(x *irText, f []irValue) irValue { return x.call("fma", f[0].t, f...) }
	sqrt := func(x *irText, f []irValue) irValue { return x.call("sqrt", f[0].t, f[0]) }
	reciprocal := func(x *irText, f []irValue) irValue { return x.bin("fdiv", irOne(x, f[0].t), f[0]) }
	for _, o := range []struct {
		n            int
		op           operation
		names        string
		mods, double string
	}{
		{2, bin("fadd"), "add", "- .rn", "add add.rn"}, {2, bin("fsub"), "sub", "- .rn", "sub sub.rn"}, {2, bin("fmul"), "mul", "- .rn", "mul mul.rn"},
		{3, fma, "fma mad", ".rn", "fma.rn mad.rn"}, {2, bin("fdiv"), "div", ".rn .full", "div.rn"}, {2, irDivApprox, "div", ".approx", ""},
		{1, reciprocal, "rcp", ".rn .approx", "rcp.rn"}, {1, sqrt, "sqrt", ".rn .approx", "sqrt.rn"},
	} {
		for _, name := range strings.Fields(o.names) {
			for _, mod := range strings.Fields(o.mods) {
				m.float32s(name+strings.TrimPrefix(mod, "-"), o.n, o.op)
			}
		}
		for _, name := range strings.Fields(o.double) {
			m.enter(shape(8, o.n), func(x *irText, v []irValue) irValue { return irNaN64(x, o.op(x, irFloats(x, v)), v) }, name+".f64")
		}
	}
	m.signs()
	m.extremes()
}

// irDivApprox is divApprox.
func irDivApprox(x *irText, f []irValue) irValue {
	b := irBits(x, f[1])
	above := x.with("sub", x.with("and", b, 1<<31-1), afterLarge)
	large := x.compare("icmp ult", above, constantOf(b.t, infinity-afterLarge))
	return x.choose(large, x.bin("fmul", f[0], irFloat(x, x.with("and", b, 1<<31))), x.bin("fdiv", f[0], f[1]))
}

func irOne(x *irText, t irType) irValue {
	if t.elem == "float" {
		return irFloat(x, constantOf(t.of("i32"), 0x3f800000))
	}
	return irFloat(x, constantOf(t.of("i64"), 0x3ff<<52))
}

func irFloats(x *irText, v []irValue) []irValue {
	f := make([]irValue, len(v))
	for i := range v {
		f[i] = irFloat(x, v[i])
	}
	return f
}

// float32s enters an operation on f32, under .ftz and, for sums and products, .sat.
func (m irTable) float32s(name string, n int, op func(x *irText, f []irValue) irValue) {
	m.enter(shape(4, n), func(x *irText, v []irValue) irValue { return irCanonical(x, op(x, irFloats(x, v))) }, name+".f32")
	m.enter(shape(4, n), func(x *irText, v []irValue) irValue {
		var y []irValue
		for _, a := range v {
			y = append(y, irFlushed(x, a))
		}
		return irFlushed(x, irCanonical(x, op(x, irFloats(x, y))))
	}, name+".ftz.f32")
	switch name[:3] {
	case "add", "sub", "mul", "fma", "mad":
		m.enter(shape(4, n), func(x *irText, v []irValue) irValue {
			r := op(x, irFloats(x, v))
			zero, one := irFloat(x, constantOf(v[0].t, 0)), irOne(x, r.t)
			r = x.choose(x.compare("fcmp ogt", r, zero), r, zero) // NaN becomes 0
			return irBits(x, x.choose(x.compare("fcmp olt", r, one), r, one))
		}, name+".sat.f32")
	}
}

// signs change signs only.
func (m irTable) signs() {
	for w, typ := range map[int]string{4: "f32", 8: "f64"} {
		sign := uint64(1) << (8*w - 1)
		neg := func(x *irText, v []irValue) irValue { return x.with("xor", v[0], sign) }
		abs := func(x *irText, v []irValue) irValue { return x.with("and", v[0], sign-1) }
		m.enter(shape(w, 1), neg, "neg."+typ)
		m.enter(shape(w, 1), abs, "abs."+typ)
		if w == 4 {
			m.enter(shape(w, 1), func(x *irText, v []irValue) irValue { return neg(x, []irValue{irFlushed(x, v[0])}) }, "neg.ftz.f32")
			m.enter(shape(w, 1), func(x *irText, v []irValue) irValue { return abs(x, []irValue{irFlushed(x, v[0])}) }, "abs.ftz.f32")
		}
	}
}

// extremes are min and max: -0 is less than +0, and a number beats NaN.
func (m irTable) extremes() {
	for name, pred := range map[string]string{"min": "olt", "max": "ogt"} {
		extreme := func(x *irText, v []irValue) irValue {
			a, b := irFloat(x, v[0]), irFloat(x, v[1])
			r := x.choose(x.compare("fcmp "+pred, a, b), v[0], v[1])
			zero := map[string]string{"min": "or", "max": "and"}[name]
			r = x.choose(x.compare("fcmp oeq", a, b), x.bin(zero, v[0], v[1]), r)
			r = x.choose(irIsNaN(x, a), v[1], r)
			r = x.choose(irIsNaN(x, b), v[0], r)
			if v[0].t.bits() == 32 {
				return irCanonical(x, irFloat(x, r))
			}
			return x.choose(irIsNaN(x, irFloat(x, r)), x.with("or", r, 1<<51), r)
		}
		m.enter(shape(4, 2), extreme, name+".f32")
		m.enter(shape(8, 2), extreme, name+".f64")
		m.enter(shape(4, 2), func(x *irText, v []irValue) irValue {
			return extreme(x, []irValue{irFlushed(x, v[0]), irFlushed(x, v[1])})
		}, name+".ftz.f32")
		m.enter(shape(4, 2), func(x *irText, v []irValue) irValue {
			none := x.compare("fcmp uno", irFloat(x, v[0]), irFloat(x, v[1]))
			return x.choose(none, constantOf(v[0].t, 0x7fffffff), extreme(x, v))
		}, name+".NaN.f32")
	}
}

// conversions are cvt (PTX ISA 9.7.9.21).
func (m irTable) conversions() {
	one := func(k kind, body irBody, names string) { m.enter([]kind{k}, body, names) }
	same := func(_ *irText, v []irValue) irValue { return v[0] }
	one(kZX, same, "cvt.u64.u32 cvt.s64.u32")
	one(kSX, same, "cvt.u64.s32 cvt.s64.s32")
	one(k64, func(x *irText, v []irValue) irValue { return x.cast("trunc", v[0], "i32") }, "cvt.u32.u64 cvt.u32.s64 cvt.s32.u64 cvt.s32.s64")
	masked := func(bits uint64) irBody {
		return func(x *irText, v []irValue) irValue { return x.with("and", v[0], 1<<bits-1) }
	}
	extended := func(bits uint64) irBody {
		return func(x *irText, v []irValue) irValue { return irSigned(x, v[0], bits) }
	}
	one(k32, masked(16), "cvt.u32.u16 cvt.s32.u16 cvt.u16.u32 cvt.u16.s32")
	one(k32, masked(8), "cvt.u32.u8 cvt.s32.u8 cvt.u8.u32")
	one(k32, extended(16), "cvt.u32.s16 cvt.s32.s16 cvt.s16.s32")
	one(k32, extended(8), "cvt.u32.s8 cvt.s32.s8")
	for from, k := range map[string]kind{"s32": k32, "u32": k32, "s64": k64, "u64": k64} {
		op := map[byte]string{'s': "sitofp", 'u': "uitofp"}[from[0]]
		one(k, func(x *irText, v []irValue) irValue { return irBits(x, x.cast(op, v[0], "float")) }, "cvt.rn.f32."+from)
		one(k, func(x *irText, v []irValue) irValue { return irBits(x, x.cast(op, v[0], "double")) }, "cvt.rn.f64."+from)
	}
	for typ, cut := range map[string]irBody{"u8": masked(8), "u16": masked(16), "s8": extended(8), "s16": extended(16)} {
		one(k32, func(x *irText, v []irValue) irValue { return irBits(x, x.cast("sitofp", cut(x, v), "float")) }, "cvt.rn.f32."+typ)
	}
	m.toIntegers()
	m.roundings()
	m.toTF32()
	m.toTF32()
}

// toIntegers clamps what does not fit; NaN becomes 0, or the double's least number.
func (m irTable) toIntegers() {
	convert := func(round, op string) irBody {
		return func(x *irText, v []irValue) irValue {
			f := irFloat(x, v[0])
			if round != "" {
				f = x.call(round, f.t, f)
			}
			// Operands without a place in the type are replaced: their results are poison.
			low, high, least, most := -0x1p31, 0x1p31, uint64(1<<31), uint64(1<<31-1)
			if op == "fptoui" {
				low, high, least, most = -1, 0x1p32, 0, 1<<32-1
			}
			number := func(y float64) irValue {
				if f.t.elem == "float" {
					return irFloat(x, constantOf(f.t.of("i32"), uint64(math.Float32bits(float32(y)))))
				}
				return irFloat(x, constantOf(f.t.of("i64"), math.Float64bits(y)))
			}
			ge, above := "fcmp oge", x.compare("fcmp oge", f, number(high))
			if op == "fptoui" || f.t.elem == "double" {
				ge = "fcmp ogt" // low-1 is a number of the type
			}
			if op == "fptosi" && f.t.elem == "double" {
				low--
			}
			inside := x.compare(ge, f, number(low))
			fits := x.bin("and", inside, x.bin("xor", above, constantOf(above.t, 1)))
			r := x.value(f.t.of("i32"), "%s %s to %s", op, x.choose(fits, f, number(0)), f.t.of("i32"))
			r = x.choose(fits, r, constantOf(r.t, least))
			r = x.choose(above, constantOf(r.t, most), r)
			nan := uint64(0)
			if f.t.elem == "double" {
				nan = 1 << 31
			}
			return x.choose(irIsNaN(x, f), constantOf(r.t, nan), r)
		}
	}
	m.enter(shape(4, 1), convert("", "fptosi"), "cvt.rzi.s32.f32 cvt.rzi.ftz.s32.f32")
	m.enter(shape(4, 1), convert("nearbyint", "fptosi"), "cvt.rni.s32.f32")
	m.enter(shape(4, 1), convert("floor", "fptosi"), "cvt.rmi.s32.f32")
	m.enter(shape(4, 1), convert("ceil", "fptosi"), "cvt.rpi.s32.f32")
	m.enter(shape(4, 1), convert("", "fptoui"), "cvt.rzi.u32.f32")
	m.enter(shape(8, 1), convert("", "fptosi"), "cvt.rzi.s32.f64")
	m.enter(shape(8, 1), convert("", "fptoui"), "cvt.rzi.u32.f64")
}

// toTF32: the lower 13 bits of the fraction are rounded away; a carry continues into the exponent, up to infinity.
func (m irTable) toTF32() {
	to := func(up func(x *irText, v irValue) irValue) irBody {
		return func(x *irText, v []irValue) irValue {
			r := x.with("and", up(x, v[0]), 0xffffe000)
			return x.choose(irIsNaN(x, irFloat(x, v[0])), constantOf(r.t, 0x7fffffff), r)
		}
	}
	m.enter(shape(4, 1), to(func(x *irText, v irValue) irValue { return x.with("add", v, 0x1000) }), "cvt.rna.tf32.f32")
	m.enter(shape(4, 1), to(func(x *irText, v irValue) irValue {
		return x.bin("add", v, x.with("add", x.with("and", x.with("lshr", v, 13), 1), 0xfff))
	}), "cvt.rn.tf32.f32")
	m.enter(shape(4, 1), to(func(_ *irText, v irValue) irValue { return v }), "cvt.rz.tf32.f32")
}

// roundings are conversions between numbers, and to integers among them.
func (m irTable) roundings() {
	for mode, fn := range map[string]string{"rni": "nearbyint", "rmi": "floor", "rpi": "ceil", "rzi": "trunc"} {
		round := func(x *irText, v irValue) irValue {
			f := irFloat(x, v)
			return x.call(fn, f.t, f)
		}
		m.enter(shape(4, 1), func(x *irText, v []irValue) irValue { return irCanonical(x, round(x, v[0])) }, "cvt."+mode+".f32.f32")
		m.enter(shape(4, 1), func(x *irText, v []irValue) irValue {
			return irFlushed(x, irCanonical(x, round(x, irFlushed(x, v[0]))))
		}, "cvt."+mode+".ftz.f32.f32")
		m.enter(shape(8, 1), func(x *irText, v []irValue) irValue { return irNaN64(x, round(x, v[0]), v) }, "cvt."+mode+".f64.f64")
	}
	m.enter(shape(4, 1), func(x *irText, v []irValue) irValue {
		d := x.cast("fpext", irFloat(x, v[0]), "double")
		return x.choose(irIsNaN(x, d), constantOf(d.t.of("i64"), 0x7fffffffe0000000), irBits(x, d))
	}, "cvt.f64.f32")
	m.enter(shape(8, 1), func(x *irText, v []irValue) irValue {
		return irCanonical(x, x.cast("fptrunc", irFloat(x, v[0]), "float"))
	}, "cvt.rn.f32.f64")
}

// comparisons are setp (PTX ISA 9.7.6).
func (m irTable) comparisons() {
	for name, pred := range map[string]string{
		"eq": "oeq", "ne": "one", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "num": "ord",
		"equ": "ueq", "neu": "une", "ltu": "ult", "leu": "ule", "gtu": "ugt", "geu": "uge", "nan": "uno",
	} {
		test := func(x *irText, v []irValue) irValue {
			return x.compare("fcmp "+pred, irFloat(x, v[0]), irFloat(x, v[1]))
		}
		m.enter(shape(4, 2), test, "setp."+name+".f32")
		m.enter(shape(8, 2), test, "setp."+name+".f64")
		m.enter(shape(4, 2), func(x *irText, v []irValue) irValue {
			return test(x, []irValue{irFlushed(x, v[0]), irFlushed(x, v[1])})
		}, "setp."+name+".ftz.f32")
	}
	for _, c := range [][3]string{{"eq", "", "eq"}, {"ne", "", "ne"}, {"lt", "lo", "lt"}, {"le", "ls", "le"}, {"gt", "hi", "gt"}, {"ge", "hs", "ge"}} {
		signed, unsigned := "icmp s"+c[2], "icmp u"+c[2]
		if c[1] == "" {
			signed, unsigned = "icmp "+c[2], "icmp "+c[2]
		}
		test := func(op string) irBody {
			return func(x *irText, v []irValue) irValue { return x.compare(op, v[0], v[1]) }
		}
		other := c[1]
		typ := "u"
		if other == "" {
			other, typ = c[0], "b"
		}
		for w, n := range map[int]string{4: "32", 8: "64"} {
			m.enter(shape(w, 2), test(signed), "setp."+c[0]+".s"+n)
			m.enter(shape(w, 2), test(unsigned), "setp."+c[0]+".u"+n+" setp."+other+"."+typ+n)
		}
		m.enter(shape(4, 2), func(x *irText, v []irValue) irValue {
			return x.compare(signed, x.with("shl", v[0], 16), x.with("shl", v[1], 16))
		}, "setp."+c[0]+".s16")
		m.enter(shape(4, 2), test(unsigned), "setp."+c[0]+".u16 setp."+other+"."+typ+"16")
	}
}

// irFormula is an operation that is a formula of floats, in double, eight lanes at a time.
func irFormula(o *alu.Op) *irOp {
	f := o.Formula
	return &irOp{shape(4, f.Args), func(x *irText, v []irValue) irValue {
		n := min(v[0].t.n, 8)
		var parts []irValue
		for first := 0; first < v[0].t.n; first += n {
			var args []irValue
			for _, a := range v {
				if a.t.n > 1 {
					a = x.pick(a, nil, sequence(first, n))
				}
				if o.Flush {
					a = irFlushed(x, a)
				}
				args = append(args, x.cast("fpext", irFloat(x, a), "double"))
			}
			r := irCanonical(x, x.cast("fptrunc", irCompute(x, f, args), "float"))
			if o.Flush {
				r = irFlushed(x, r)
			}
			parts = append(parts, r)
		}
		for len(parts) > 1 {
			var joined []irValue
			for i := 0; i < len(parts); i += 2 {
				joined = append(joined, x.pick(parts[i], &parts[i+1], sequence(0, 2*parts[i].t.n)))
			}
			parts = joined
		}
		return parts[0]
	}}
}

// irCompute computes a formula.
func irCompute(x *irText, f *formula.Formula, args []irValue) irValue {
	double := args[0].t
	number := func(v irValue) irValue { return x.cast("bitcast", v, "double") }
	at := make([]irValue, len(f.Nodes))
	for i, n := range f.Nodes {
		a, b, c := at[n.A%len(at)], at[n.B%len(at)], at[n.C%len(at)]
		switch n.Op {
		case formula.Arg:
			at[i] = args[n.A]
		case formula.Const:
			at[i] = number(constantOf(double.of("i64"), n.Bits))
		case formula.Add, formula.Sub, formula.Mul, formula.Div:
			op := map[formula.Op]string{formula.Add: "fadd", formula.Sub: "fsub", formula.Mul: "fmul", formula.Div: "fdiv"}[n.Op]
			at[i] = x.bin(op, a, b)
		case formula.FMA:
			at[i] = x.call("fma", double, a, b, c)
		case formula.Sqrt:
			at[i] = x.call("sqrt", double, a)
		case formula.Round:
			at[i] = x.call("nearbyint", double, a)
		case formula.Min:
			at[i] = x.choose(x.compare("fcmp olt", a, b), a, b)
		case formula.Max:
			at[i] = x.choose(x.compare("fcmp ogt", a, b), a, b)
		case formula.AddI, formula.SubI, formula.And, formula.Or, formula.Xor:
			op := map[formula.Op]string{formula.AddI: "add", formula.SubI: "sub", formula.And: "and", formula.Or: "or", formula.Xor: "xor"}[n.Op]
			at[i] = number(x.bin(op, irBits(x, a), irBits(x, b)))
		case formula.Shl, formula.Shr:
			op := map[formula.Op]string{formula.Shl: "shl", formula.Shr: "lshr"}[n.Op]
			at[i] = number(x.with(op, irBits(x, a), n.Bits))
		case formula.Less, formula.Equal, formula.NaN:
			op := map[formula.Op]string{formula.Less: "olt", formula.Equal: "oeq", formula.NaN: "uno"}[n.Op]
			at[i] = x.compare("fcmp "+op, a, b)
		case formula.Select:
			at[i] = x.choose(a, b, c)
		}
	}
	return at[len(at)-1]
}
