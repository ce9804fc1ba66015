package alu

import "math/bits"

// Integer arithmetic (PTX ISA 9.7.1); the names that floating point shares are
// sent on to the float builders.
var intBuilders = map[string]builder{
	"add": byKind(intAdd, floatAdd), "sub": byKind(intSub, floatSub),
	"mul": byKind(intMul, floatMul), "mad": byKind(intMad, floatFma),
	"div": byKind(intDiv, floatDiv), "min": byKind(intMin, floatMin),
	"max": byKind(intMax, floatMax), "abs": byKind(intAbs, floatAbs),
	"neg": byKind(intNeg, floatNeg),
	"rem": intRem, "sad": intSad, "mul24": mul24, "mad24": mad24,
	"dp4a": dp4a, "dp2a": dp2a,
}

// byKind chooses by the first type of the opcode.
func byKind(i, f builder) builder {
	return func(in *inst) *Op {
		switch {
		case len(in.types) == 0:
			return nil
		case in.types[0].isFloat():
			return f(in)
		}
		return i(in)
	}
}

// int2 makes a two-operand integer operation of one type, element by element.
func int2(in *inst, f func(t typ, a, b uint64) uint64) *Op {
	t, ok := in.only()
	if !ok || !t.isInt() || t.bits < 16 {
		return nil
	}
	e := t.elem()
	m := mask(e.bits)
	fn := fn2(func(a, b uint64) uint64 { return f(e, a, b) & m })
	return newOp(t.perElem(fn), t, t, t)
}

func intAdd(in *inst) *Op {
	if in.take("cc") {
		return carryAdd(in, false, true)
	}
	if in.take("sat") {
		return satS32(in, func(a, b int64) int64 { return a + b })
	}
	return int2(in, func(_ typ, a, b uint64) uint64 { return a + b })
}

func intSub(in *inst) *Op {
	if in.take("cc") {
		return carrySub(in, false, true)
	}
	if in.take("sat") {
		return satS32(in, func(a, b int64) int64 { return a - b })
	}
	return int2(in, func(_ typ, a, b uint64) uint64 { return a - b })
}

// clampS32 limits x to the range of .s32.
func clampS32(x int64) uint64 { return uint64(uint32(min(max(x, -1<<31), 1<<31-1))) }

func satS32(in *inst, f func(a, b int64) int64) *Op {
	if t, ok := in.only(); !ok || t != tS32 {
		return nil
	}
	return newOp(fn2(func(a, b uint64) uint64 {
		return clampS32(f(int64(int32(a)), int64(int32(b))))
	}), tS32, tS32, tS32)
}

// mulWide is the full product of two values of type t, as 128 bits.
func mulWide(t typ, a, b uint64) (hi, lo uint64) {
	hi, lo = bits.Mul64(t.ext(a), t.ext(b))
	if t.signed() {
		if sext(a, t.bits) < 0 {
			hi -= t.ext(b)
		}
		if sext(b, t.bits) < 0 {
			hi -= t.ext(a)
		}
	}
	return hi, lo
}

// mulPart is the part of a product that .lo, .hi or .wide asks for.
func mulPart(part string, t typ) func(a, b uint64) uint64 {
	n := uint(t.bits)
	m := mask(t.bits)
	switch part {
	case "lo":
		return func(a, b uint64) uint64 { return a * b & m }
	case "hi":
		return func(a, b uint64) uint64 {
			hi, lo := mulWide(t, a, b)
			if n == 64 {
				return hi
			}
			return lo >> n & m
		}
	}
	m = mask(uint8(min(2*n, 64)))
	return func(a, b uint64) uint64 {
		_, lo := mulWide(t, a, b)
		return lo & m
	}
}

// mulTypes takes .lo, .hi or .wide and gives the result's type.
func mulTypes(in *inst) (part string, t, d typ, ok bool) {
	part = in.oneOf("lo", "hi", "wide")
	t, ok = in.only()
	d = t
	if part == "wide" {
		d.bits *= 2
	}
	ok = ok && part != "" && t.isInt() && t.lanes == 1 && t.bits >= 16 && d.bits <= 64
	return part, t, d, ok
}

func intMul(in *inst) *Op {
	part, t, d, ok := mulTypes(in)
	if !ok {
		return nil
	}
	return newOp(fn2(mulPart(part, t)), d, t, t)
}

func intMad(in *inst) *Op {
	if in.take("cc") {
		return carryMad(in, false, true)
	}
	part, t, d, ok := mulTypes(in)
	if !ok {
		return nil
	}
	mul, m := mulPart(part, t), mask(d.bits)
	if in.take("sat") {
		if part != "hi" || t != tS32 {
			return nil
		}
		return newOp(fn3(func(a, b, c uint64) uint64 {
			return clampS32(int64(int32(mul(a, b))) + int64(int32(c)))
		}), d, t, t, d)
	}
	return newOp(fn3(func(a, b, c uint64) uint64 { return (mul(a, b) + c) & m }), d, t, t, d)
}

// Division by zero is unspecified in the ISA; the code that the vendor's
// compiler makes of it yields all ones, for quotient and remainder.
func intDiv(in *inst) *Op {
	return int2(in, func(t typ, a, b uint64) uint64 {
		a, b = t.ext(a), t.ext(b)
		switch {
		case b == 0:
			return ^uint64(0)
		case t.signed() && b == ^uint64(0):
			return -a
		case t.signed():
			return uint64(int64(a) / int64(b))
		}
		return a / b
	})
}

func intRem(in *inst) *Op {
	return int2(in, func(t typ, a, b uint64) uint64 {
		a, b = t.ext(a), t.ext(b)
		switch {
		case b == 0:
			return ^uint64(0)
		case t.signed() && b == ^uint64(0):
			return 0
		case t.signed():
			return uint64(int64(a) % int64(b))
		}
		return a % b
	})
}

func less(t typ, a, b uint64) bool {
	if t.signed() {
		return sext(a, t.bits) < sext(b, t.bits)
	}
	return a < b
}

func intMin(in *inst) *Op { return intMinMax(in, false) }
func intMax(in *inst) *Op { return intMinMax(in, true) }

// intMinMax does min and max; .relu turns negative results into 0.
func intMinMax(in *inst, larger bool) *Op {
	relu := in.take("relu")
	if relu && (len(in.types) != 1 || !in.types[0].signed() || in.types[0].size() != 32) {
		return nil
	}
	return int2(in, func(t typ, a, b uint64) uint64 {
		if less(t, a, b) == larger {
			a = b
		}
		if relu && sext(a, t.bits) < 0 {
			return 0
		}
		return a
	})
}

func intUnary(in *inst, f func(x int64) int64) *Op {
	t, ok := in.only()
	if !ok || !t.signed() || t.bits < 16 || t.lanes != 1 {
		return nil
	}
	m := mask(t.bits)
	return newOp(fn1(func(a uint64) uint64 { return uint64(f(sext(a, t.bits))) & m }), t, t)
}

func intAbs(in *inst) *Op {
	return intUnary(in, func(x int64) int64 {
		if x < 0 {
			return -x
		}
		return x
	})
}

func intNeg(in *inst) *Op { return intUnary(in, func(x int64) int64 { return -x }) }

func intSad(in *inst) *Op {
	t, ok := in.only()
	if !ok || !t.isInt() || t.bits < 16 || t.lanes != 1 {
		return nil
	}
	m := mask(t.bits)
	return newOp(fn3(func(a, b, c uint64) uint64 {
		if less(t, a, b) {
			a, b = b, a
		}
		return (c + a - b) & m
	}), t, t, t, t)
}

// product24 is the 48-bit product of the 24 low bits.
func product24(t typ, a, b uint64) uint64 {
	if t.signed() {
		return uint64(sext(a, 24) * sext(b, 24))
	}
	return (a & mask(24)) * (b & mask(24))
}

// part24 selects the low 32 or the high 32 of the product's 48 bits.
func part24(in *inst) (t typ, f func(a, b uint64) uint64, hi bool) {
	part := in.oneOf("lo", "hi")
	t, ok := in.only()
	if part == "" || !ok || !t.isInt() || t.size() != 32 || t.lanes != 1 {
		return t, nil, false
	}
	shift := uint(0)
	if part == "hi" {
		shift = 16
	}
	return t, func(a, b uint64) uint64 {
		return product24(t, a, b) >> shift & mask(32)
	}, part == "hi"
}

func mul24(in *inst) *Op {
	t, f, _ := part24(in)
	if f == nil {
		return nil
	}
	return newOp(fn2(f), t, t, t)
}

func mad24(in *inst) *Op {
	sat := in.take("sat")
	t, f, hi := part24(in)
	if f == nil || sat && (!hi || t != tS32) {
		return nil
	}
	return newOp(fn3(func(a, b, c uint64) uint64 {
		if sat {
			return clampS32(int64(int32(f(a, b))) + int64(int32(c)))
		}
		return (f(a, b) + c) & mask(32)
	}), t, t, t, t)
}

// dotTypes checks the two types of dp4a and dp2a and gives the result's.
func dotTypes(in *inst) (a, b, d typ, ok bool) {
	if len(in.types) != 2 {
		return
	}
	a, b = in.types[0], in.types[1]
	ok = (a == tU32 || a == tS32) && (b == tU32 || b == tS32)
	d = tU32
	if a.signed() || b.signed() {
		d = tS32
	}
	return a, b, d, ok
}

// lanePart extends the n-bit part i of x by the signedness of t.
func lanePart(t typ, x uint64, i, n uint) int64 {
	x >>= i * n
	if t.signed() {
		return sext(x, uint8(n))
	}
	return int64(x & mask(uint8(n)))
}

func dp4a(in *inst) *Op {
	ta, tb, d, ok := dotTypes(in)
	if !ok {
		return nil
	}
	return newOp(fn3(func(a, b, c uint64) uint64 {
		s := int64(c)
		for i := uint(0); i < 4; i++ {
			s += lanePart(ta, a, i, 8) * lanePart(tb, b, i, 8)
		}
		return uint64(uint32(s))
	}), d, tU32, tU32, d)
}

func dp2a(in *inst) *Op {
	half := in.oneOf("lo", "hi")
	ta, tb, d, ok := dotTypes(in)
	if !ok || half == "" {
		return nil
	}
	first := uint(0)
	if half == "hi" {
		first = 2
	}
	return newOp(fn3(func(a, b, c uint64) uint64 {
		s := int64(c)
		for i := uint(0); i < 2; i++ {
			s += lanePart(ta, a, i, 16) * lanePart(tb, b, first+i, 8)
		}
		return uint64(uint32(s))
	}), d, tU32, tU32, d)
}
