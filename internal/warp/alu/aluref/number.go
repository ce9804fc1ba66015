package aluref

import "math/big"

// prec holds any sum of products of float64 values exactly.
const prec = 4500

// number is the value of a floating-point pattern.
type number struct {
	nan, inf, neg bool
	mag           *big.Float // finite magnitude, or nil
}

func newFloat() *big.Float { return new(big.Float).SetPrec(prec).SetMode(big.ToZero) }

func pow2(e int) *big.Float { return newFloat().SetMantExp(newFloat().SetInt64(1), e) }

// decode reads a pattern; flush makes subnormals zero.
func (t Type) decode(x uint64, flush bool) number {
	x = x >> uint(t.low) & ones(t.bits-t.low)
	sign := t.signBit()
	n := number{neg: x>>uint(sign)&1 != 0}
	m := x & ones(sign)
	exp, frac := int(m>>uint(t.man)), m&ones(t.man)
	top := int(ones(sign - t.man))
	switch {
	case t.noInf && !t.noNaN && m == ones(sign):
		n.nan = true
		return n
	case !t.noInf && exp == top:
		n.nan, n.inf = frac != 0, frac == 0
		return n
	case exp == 0:
		if flush {
			frac = 0
		}
		n.mag = newFloat().SetMantExp(newFloat().SetUint64(frac), t.emin-t.man)
	default:
		n.mag = newFloat().SetMantExp(newFloat().SetUint64(frac|1<<uint(t.man)), exp-1+t.emin-t.man)
	}
	return n
}

// signBit is the place of the sign in a pattern shifted down by low.
func (t Type) signBit() int {
	switch {
	case t.man == 1 && t.bits == 4:
		return 3
	case t.noNaN:
		return 5 // six-bit formats in a byte
	}
	return t.bits - t.low - 1
}

// signed is the number as a signed float; it must be finite.
func (n number) signed() *big.Float {
	if n.neg {
		return newFloat().Neg(n.mag)
	}
	return newFloat().Set(n.mag)
}

func (n number) zero() bool { return !n.nan && !n.inf && n.mag.Sign() == 0 }

func fromFloat(x *big.Float) number {
	return number{neg: x.Signbit(), mag: newFloat().Abs(x)}
}

// encode rounds a number to a pattern. Rounding is rn, rz, rm, rp or rna.
func (t Type) encode(n number, round string) uint64 {
	sign := bit(n.neg) << uint(t.signBit())
	switch {
	case n.nan:
		return t.canonical
	case n.inf:
		return (sign | t.infinity()) << uint(t.low)
	case n.mag.Sign() == 0:
		return sign << uint(t.low)
	}
	e := max(n.mag.MantExp(nil)-1, t.emin)
	scaled := newFloat().SetMantExp(n.mag, t.man-e) // in units of the last place
	q, _ := scaled.Int(nil)
	rest := newFloat().Sub(scaled, newFloat().SetInt(q))
	if roundUp(rest, q.Bit(0) != 0, n.neg, round) {
		q.Add(q, big.NewInt(1))
	}
	m := q.Uint64()
	if m>>uint(t.man) > 1 {
		m, e = m>>1, e+1
	}
	if over := t.overflow(m, e); over {
		return (sign | t.tooBig(n.neg, round)) << uint(t.low)
	}
	if m>>uint(t.man) == 0 {
		return (sign | m) << uint(t.low)
	}
	return (sign | uint64(e-t.emin+1)<<uint(t.man) | m&ones(t.man)) << uint(t.low)
}

func roundUp(rest *big.Float, odd, neg bool, round string) bool {
	if rest.Sign() == 0 {
		return false
	}
	half := rest.Cmp(pow2(-1))
	switch round {
	case "rz":
		return false
	case "rm":
		return neg
	case "rp":
		return !neg
	case "rna":
		return half >= 0
	}
	return half > 0 || half == 0 && odd
}

// overflow tells that a rounded value is beyond the largest finite one.
func (t Type) overflow(m uint64, e int) bool {
	if e != t.emax {
		return e > t.emax
	}
	return t.noInf && !t.noNaN && m&ones(t.man) == ones(t.man)
}

// largest is the pattern of the largest finite value.
func (t Type) largest() uint64 {
	m := uint64(t.emax-t.emin+1)<<uint(t.man) | ones(t.man)
	if t.noInf && !t.noNaN {
		m--
	}
	return m
}

func (t Type) infinity() uint64 {
	switch {
	case t.noNaN:
		return t.largest()
	case t.noInf:
		return t.canonical
	}
	return t.largest() + 1
}

// tooBig is what a magnitude beyond the range becomes.
func (t Type) tooBig(neg bool, round string) uint64 {
	if round == "rz" || round == "rm" && !neg || round == "rp" && neg {
		return t.largest()
	}
	return t.infinity()
}
