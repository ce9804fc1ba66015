package aluref

import "math/big"

// Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions" and
// "Extended-Precision Arithmetic Instructions").

func big2(f func(z, x, y *big.Int) *big.Int) func(x, y *big.Int) *big.Int {
	return func(x, y *big.Int) *big.Int { return f(new(big.Int), x, y) }
}

var (
	plus  = big2((*big.Int).Add)
	minus = big2((*big.Int).Sub)
	times = big2((*big.Int).Mul)
)

// either chooses the floating-point instruction where the types are such.
func either(float, integer op) op {
	return func(in *Inst, a Args) (Result, bool) {
		if len(in.types) == 0 {
			return none()
		}
		if in.types[0].float() {
			return float(in, a)
		}
		return integer(in, a)
	}
}

// intSum is add, sub and their forms with carries and saturation.
func intSum(f func(x, y *big.Int) *big.Int, carryIn func(r *big.Int, c uint64) *big.Int) op {
	return func(in *Inst, a Args) (Result, bool) {
		t := in.types[0]
		if t.lanes > 1 {
			return lanes(t, a, func(e Args) (uint64, bool) { return t.wrap(f(t.elem().int(e[0]), t.elem().int(e[1]))), true })
		}
		if in.has("sat") {
			return value(t.wrap(t.clamp(f(t.int(a[0]), t.int(a[1])))))
		}
		u := Type{class: 'u', bits: t.bits, lanes: 1}
		r := f(u.int(a[0]), u.int(a[1]))
		if carryIn != nil {
			r = carryIn(r, a[2]&1)
		}
		return withCarry(in, t, r)
	}
}

// withCarry gives the carry of an unsigned result as its second one: of a
// difference, that there was no borrow.
func withCarry(in *Inst, t Type, r *big.Int) (Result, bool) {
	if !in.has("cc") {
		return value(t.wrap(r))
	}
	if in.name == "sub" || in.name == "subc" {
		return two(t.wrap(r), bit(r.Sign() >= 0))
	}
	return two(t.wrap(r), bit(r.BitLen() > t.bits))
}

// half is the part of a product that .lo, .hi or .wide keeps.
func (in *Inst) half(t Type, p *big.Int) *big.Int {
	switch {
	case in.has("hi"):
		return new(big.Int).Rsh(p, uint(t.bits))
	case in.has("lo"):
		return new(big.Int).SetUint64(wrap(p, t.bits))
	}
	return p
}

func intMul(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	p := in.half(t, times(t.int(a[0]), t.int(a[1])))
	return value(wrap(p, in.productBits(t)))
}

func (in *Inst) productBits(t Type) int {
	if in.has("wide") {
		return 2 * t.bits
	}
	return t.bits
}

func intMad(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	p := times(t.int(a[0]), t.int(a[1]))
	switch {
	case in.has("cc") || in.name == "madc":
		u := Type{class: 'u', bits: t.bits, lanes: 1}
		part := new(big.Int).SetUint64(wrap(in.half(t, p), t.bits))
		sum := plus(part, u.int(a[2]))
		if in.name == "madc" {
			sum = plus(sum, new(big.Int).SetUint64(a[3]&1))
		}
		return withCarry(in, t, sum)
	case in.has("sat"):
		return value(t.wrap(t.clamp(plus(in.half(t, p), t.int(a[2])))))
	case in.has("wide"):
		w := Type{class: t.class, bits: 2 * t.bits, lanes: 1}
		return value(w.wrap(plus(p, w.int(a[2]))))
	}
	return value(t.wrap(plus(in.half(t, p), t.int(a[2]))))
}

// mul24 multiplies 24-bit operands: .lo keeps bits 0 to 31 of the 48, .hi bits
// 16 to 47.
func mul24(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	n := Type{class: t.class, bits: 24, lanes: 1}
	p := times(n.int(a[0]), n.int(a[1]))
	if in.has("hi") {
		p = new(big.Int).Rsh(p, 16)
	} else {
		p = t.int(wrap(p, 32))
	}
	switch {
	case in.name == "mul24":
		return value(t.wrap(p))
	case in.has("sat"):
		return value(t.wrap(t.clamp(plus(p, t.int(a[2])))))
	}
	return value(t.wrap(plus(p, t.int(a[2]))))
}

func sad(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	d := minus(t.int(a[0]), t.int(a[1]))
	return value(t.wrap(plus(d.Abs(d), t.int(a[2]))))
}

// intDiv is div or rem, which truncate; a zero divisor gives all ones, as the
// hardware does where the ISA leaves it open.
func intDiv(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	x, y := t.int(a[0]), t.int(a[1])
	if y.Sign() == 0 {
		return Result{Check: func(uint64) bool { return true }}, true
	}
	if in.name == "div" {
		return value(t.wrap(new(big.Int).Quo(x, y)))
	}
	return value(t.wrap(new(big.Int).Rem(x, y)))
}

func intAbs(in *Inst, a Args) (Result, bool) {
	x := in.types[0].int(a[0])
	return value(in.types[0].wrap(x.Abs(x)))
}

func intNeg(in *Inst, a Args) (Result, bool) {
	x := in.types[0].int(a[0])
	return value(in.types[0].wrap(x.Neg(x)))
}

func minmaxInt(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	return lanes(t, a, func(e Args) (uint64, bool) {
		x, y := t.elem().int(e[0]), t.elem().int(e[1])
		if (x.Cmp(y) > 0) == (in.name == "min") {
			x = y
		}
		if in.has("relu") && x.Sign() < 0 {
			x = new(big.Int)
		}
		return t.wrap(x), true
	})
}

// dotProduct is dp4a, and dp2a whose second operand has bytes.
func dotProduct(in *Inst, a Args) (Result, bool) {
	ta, tb := in.types[0], in.types[1]
	ta.bits, tb.bits = 8, 8
	n, from := 4, 0
	if in.name == "dp2a" {
		ta.bits, n = 16, 2
		if in.has("hi") {
			from = 2
		}
	}
	s := Type{class: 's', bits: 32, lanes: 1}.int(a[2])
	for i := range n {
		x := ta.int(a[0] >> uint(i*ta.bits))
		s = plus(s, times(x, tb.int(a[1]>>uint(8*(i+from)))))
	}
	return value(wrap(s, 32))
}

func addCarry(r *big.Int, c uint64) *big.Int { return plus(r, new(big.Int).SetUint64(c)) }
func subCarry(r *big.Int, c uint64) *big.Int { return minus(r, new(big.Int).SetUint64(1-c)) }

func init() {
	register(map[string]op{
		"add": either(exact["add"], intSum(plus, nil)), "sub": either(exact["sub"], intSum(minus, nil)),
		"addc": intSum(plus, addCarry), "subc": intSum(minus, subCarry),
		"mul": either(exact["mul"], intMul), "mad": either(exact["mad"], intMad), "madc": intMad,
		"mul24": mul24, "mad24": mul24, "sad": sad,
		"div": either(floatDiv, intDiv), "rem": intDiv,
		"abs": either(floatAbs, intAbs), "neg": either(floatNeg, intNeg),
		"min": either(minmaxFloat, minmaxInt), "max": either(minmaxFloat, minmaxInt),
		"dp4a": dotProduct, "dp2a": dotProduct,
	})
}

func floatDiv(in *Inst, a Args) (Result, bool) {
	if in.has("approx", "full") {
		return approximate(in, a)
	}
	return exact["div"](in, a)
}

func floatAbs(in *Inst, a Args) (Result, bool) {
	return signFlip(in, a, func(bool) bool { return false })
}

func floatNeg(in *Inst, a Args) (Result, bool) {
	return signFlip(in, a, func(neg bool) bool { return !neg })
}
