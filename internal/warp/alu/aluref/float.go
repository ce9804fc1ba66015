package aluref

import "math/big"

// Floating-point arithmetic (PTX ISA, "Floating Point Instructions", "Half
// Precision Floating Point Instructions", "Mixed Precision").

func (in *Inst) rounding() string {
	for _, r := range []string{"rn", "rz", "rm", "rp", "rna"} {
		if in.mods[r] {
			return r
		}
	}
	return "rn"
}

// finish applies .ftz, .sat and .relu to a result and encodes it.
func (in *Inst) finish(t Type, n number) (Result, bool) {
	if in.has("sat") && !n.nan {
		switch {
		case n.neg:
			n = number{mag: newFloat()}
		case n.inf || n.mag.Cmp(newFloat().SetInt64(1)) > 0:
			n = number{mag: newFloat().SetInt64(1)}
		}
	} else if in.has("sat") {
		n = number{mag: newFloat()}
	}
	if in.has("relu") && n.neg && !n.nan {
		n = number{mag: newFloat()}
	}
	if n.nan && t.bits == 64 {
		return anyNaN(t), true
	}
	r := t.encode(n, in.rounding())
	if in.has("ftz") && t.bits != 64 && r&ones(t.signBit())>>uint(t.man) == 0 {
		r &= 1 << uint(t.signBit())
	}
	return value(r)
}

// anyNaN accepts every NaN: their payloads are not specified for .f64.
func anyNaN(t Type) Result {
	return Result{R: t.canonical, Check: func(r uint64) bool { return t.decode(r, false).nan }}
}

// sum is x + y as IEEE 754 has it; rm tells rounding toward minus infinity.
func sum(x, y number, rm bool) number {
	switch {
	case x.nan || y.nan || x.inf && y.inf && x.neg != y.neg:
		return number{nan: true}
	case x.inf:
		return x
	case y.inf:
		return y
	}
	s := newFloat().Add(x.signed(), y.signed())
	if s.Sign() == 0 {
		neg := rm
		if x.zero() && y.zero() && x.neg == y.neg || x.neg == y.neg {
			neg = x.neg
		}
		return number{neg: neg, mag: newFloat()}
	}
	return fromFloat(s)
}

func product(x, y number) number {
	neg := x.neg != y.neg
	switch {
	case x.nan || y.nan || x.inf && y.zero() || x.zero() && y.inf:
		return number{nan: true}
	case x.inf || y.inf:
		return number{inf: true, neg: neg}
	}
	return number{neg: neg, mag: newFloat().Mul(x.mag, y.mag)}
}

func quotient(x, y number) number {
	neg := x.neg != y.neg
	switch {
	case x.nan || y.nan || x.inf && y.inf || x.zero() && y.zero():
		return number{nan: true}
	case x.inf || y.zero():
		return number{inf: true, neg: neg}
	case y.inf || x.zero():
		return number{neg: neg, mag: newFloat()}
	}
	return number{neg: neg, mag: newFloat().Quo(x.mag, y.mag)}
}

func root(x number) number {
	switch {
	case x.nan || x.neg && !x.zero():
		return number{nan: true}
	case x.inf || x.zero():
		return x
	}
	r := newFloat().Sqrt(x.mag)
	// An exact root, which has few bits, must come out as such.
	if short := new(big.Float).SetPrec(60).Set(r); newFloat().Mul(short, short).Cmp(x.mag) == 0 {
		r.Set(short)
	}
	return number{mag: r}
}

func (n number) negate() number { n.neg = !n.neg; return n }

// operand decodes an operand under the instruction's .ftz.
func (in *Inst) operand(t Type, x uint64) number { return t.decode(x, in.has("ftz")) }

// floatOp makes an instruction on operands of one type, or with .f32 results
// and first operands of another.
func floatOp(f func(in *Inst, n [3]number) number) op {
	return func(in *Inst, a Args) (Result, bool) {
		d := in.types[0]
		if len(in.types) == 2 {
			return in.mixed(a, f)
		}
		if d.lanes > 1 {
			return lanes(d, a, func(e Args) (uint64, bool) {
				r, ok := in.scalar(d.elem(), e, f)
				return r.R, ok
			})
		}
		return in.scalar(d, a, f)
	}
}

func (in *Inst) scalar(t Type, a Args, f func(in *Inst, n [3]number) number) (Result, bool) {
	var n [3]number
	for i := range n {
		n[i] = in.operand(t, a[i])
	}
	if in.has("oob") && (a[0]&0x7fff == 0x7ff7 || a[1]&0x7fff == 0x7ff7) {
		return value(0)
	}
	return in.finish(t, f(in, n))
}

// mixed is the mixed-precision form: all operands but the last are halves.
func (in *Inst) mixed(a Args, f func(in *Inst, n [3]number) number) (Result, bool) {
	d, h := in.types[0], in.types[1]
	n := [3]number{h.decode(a[0], false), d.decode(a[1], false)}
	if in.name == "fma" {
		n[1], n[2] = h.decode(a[1], false), d.decode(a[2], false)
	}
	return in.finish(d, f(in, n))
}

func fused(in *Inst, n [3]number) number {
	return sum(product(n[0], n[1]), n[2], in.rounding() == "rm")
}

// exact are the floating-point instructions that round once.
var exact = map[string]op{
	"add": floatOp(func(in *Inst, n [3]number) number { return sum(n[0], n[1], in.rounding() == "rm") }),
	"sub": floatOp(func(in *Inst, n [3]number) number { return sum(n[0], n[1].negate(), in.rounding() == "rm") }),
	"mul": floatOp(func(_ *Inst, n [3]number) number { return product(n[0], n[1]) }),
	"mad": floatOp(fused), "fma": floatOp(fused),
	"div":  floatOp(func(_ *Inst, n [3]number) number { return quotient(n[0], n[1]) }),
	"rcp":  floatOp(func(_ *Inst, n [3]number) number { return quotient(number{mag: newFloat().SetInt64(1)}, n[0]) }),
	"sqrt": floatOp(func(_ *Inst, n [3]number) number { return root(n[0]) }),
}

// order compares numbers that are not NaNs.
func order(x, y number) int {
	switch {
	case x.inf && y.inf && x.neg == y.neg:
		return 0
	case x.inf:
		return 1 - 2*int(bit(x.neg))
	case y.inf:
		return 2*int(bit(y.neg)) - 1
	}
	return x.signed().Cmp(y.signed())
}

// signFlip is abs or neg: a change of the sign bit.
func signFlip(in *Inst, a Args, f func(neg bool) bool) (Result, bool) {
	t := in.types[0]
	if t.lanes > 1 {
		return lanes(t, a, func(e Args) (uint64, bool) {
			r, ok := signOne(in, t.elem(), e[0], f)
			return r.R, ok && r.Check == nil
		})
	}
	return signOne(in, t, a[0], f)
}

// signOne keeps a NaN's payload: the ISA says no more than that it is one.
func signOne(in *Inst, t Type, x uint64, f func(neg bool) bool) (Result, bool) {
	n := in.operand(t, x)
	sign := uint64(1) << uint(t.signBit())
	if n.zero() {
		x &= sign
	}
	r := x &^ sign
	if f(n.neg) {
		r |= sign
	}
	return value(r)
}

// minmaxFloat is min or max of two or three operands.
func minmaxFloat(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	if in.attrs["n"] == "3" {
		keep := ones(32)
		if in.has("abs") {
			keep = ones(31)
		}
		r := minmaxOne(in, t, a[0]&keep, a[1]&keep)
		return value(minmaxOne(in, t, r, a[2]&keep))
	}
	r, ok := lanes(t, a, func(e Args) (uint64, bool) { return minmaxOne(in, t.elem(), e[0], e[1]), true })
	if ok && t.bits == 64 && t.decode(r.R, false).nan {
		return anyNaN(t), true
	}
	return r, ok
}

func minmaxOne(in *Inst, t Type, a, b uint64) uint64 {
	x, y := in.operand(t, a), in.operand(t, b)
	signs := x.neg != y.neg
	if in.has("xorsign") {
		x.neg, y.neg = false, false
	}
	best := x
	switch {
	case x.nan && y.nan, in.has("NaN") && (x.nan || y.nan):
		return t.nanPattern()
	case x.nan:
		best = y
	case y.nan:
	default:
		c := order(x, y)
		if c == 0 && x.neg != y.neg {
			c = int(bit(y.neg)) - int(bit(x.neg)) // -0 < +0
		}
		if (c > 0) != (in.name == "max") && c != 0 {
			best = y
		}
	}
	if in.has("xorsign") {
		best.neg = signs
	}
	return t.encode(best, "rn")
}

// nanPattern is some NaN of the type.
func (t Type) nanPattern() uint64 {
	if t.bits == 64 {
		return 0x7ff8 << 48
	}
	return t.canonical
}

// testp and copysign (PTX ISA, "testp", "copysign").
func testp(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	n := t.decode(a[0], false)
	normal := !n.nan && !n.inf && n.mag.Cmp(pow2(t.emin)) >= 0
	for word, holds := range map[string]bool{
		"finite": !n.nan && !n.inf, "infinite": n.inf, "number": !n.nan, "notanumber": n.nan, "normal": normal,
		"subnormal": !n.nan && !n.inf && !normal && n.mag.Sign() != 0,
	} {
		if in.mods[word] {
			return value(bit(holds))
		}
	}
	return none()
}

func copysign(in *Inst, a Args) (Result, bool) {
	t := in.types[0]
	s := uint64(1) << uint(t.bits-1)
	return value(a[0]&s | a[1]&(s-1))
}

// integral rounds to an integer by .rni, .rzi, .rmi or .rpi.
func integral(x *big.Float, round string) *big.Int {
	q, _ := x.Int(nil)
	rest := newFloat().Sub(x, newFloat().SetInt(q))
	rest.Abs(rest)
	neg := x.Signbit()
	if roundUp(rest, q.Bit(0) != 0, neg, round[:2]) {
		if neg {
			return q.Sub(q, big.NewInt(1))
		}
		return q.Add(q, big.NewInt(1))
	}
	return q
}

func init() {
	register(map[string]op{
		"fma": exact["fma"], "rcp": exactOnly("rcp"), "sqrt": exactOnly("sqrt"), "testp": testp, "copysign": copysign,
	})
}

// exactOnly leaves the approximate forms to approx.go.
func exactOnly(name string) op {
	return func(in *Inst, a Args) (Result, bool) {
		if in.has("approx") {
			return approximate(in, a)
		}
		return exact[name](in, a)
	}
}
