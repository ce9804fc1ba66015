package aluref

import (
	"math/big"
	"strconv"
	"strings"
)

// Type is a PTX type: lanes elements of bits bits. Floating-point ones have man
// bits of significand after the point and exponents from emin to emax.
type Type struct {
	class      byte // u, s, b, p (predicate), f
	bits       int
	lanes      int
	man        int
	emin, emax int
	// low is how far a .tf32 value is from the low end of its register.
	low int
	// finite formats have neither infinities nor NaNs but for noInf's one NaN.
	noInf, noNaN bool
	canonical    uint64
}

var floatTypes = map[string]Type{
	"f16":  {class: 'f', bits: 16, man: 10, emin: -14, emax: 15, canonical: 0x7fff},
	"bf16": {class: 'f', bits: 16, man: 7, emin: -126, emax: 127, canonical: 0x7fff},
	"tf32": {class: 'f', bits: 32, man: 10, emin: -126, emax: 127, low: 13, canonical: 0x7fffffff},
	"f32":  {class: 'f', bits: 32, man: 23, emin: -126, emax: 127, canonical: 0x7fffffff},
	"f64":  {class: 'f', bits: 64, man: 52, emin: -1022, emax: 1023},
	"e4m3": {class: 'f', bits: 8, man: 3, emin: -6, emax: 8, noInf: true, canonical: 0x7f},
	"e5m2": {class: 'f', bits: 8, man: 2, emin: -14, emax: 15, canonical: 0x7f},
	"e2m1": {class: 'f', bits: 4, man: 1, emin: 0, emax: 2, noInf: true, noNaN: true},
	"e2m3": {class: 'f', bits: 8, man: 3, emin: 0, emax: 2, noInf: true, noNaN: true},
	"e3m2": {class: 'f', bits: 8, man: 2, emin: -2, emax: 4, noInf: true, noNaN: true},
}

// ParseType finds a type by its name without the dot.
func ParseType(name string) (Type, bool) {
	if name == "pred" {
		return Type{class: 'p', bits: 1, lanes: 1}, true
	}
	elem, packed := strings.CutSuffix(name, "x2")
	n := 1
	if packed {
		n = 2
	}
	if t, ok := floatTypes[elem]; ok {
		t.lanes = n
		return t, true
	}
	if name == "" || strings.IndexByte("usb", elem[0]) < 0 {
		return Type{}, false
	}
	bits, err := strconv.Atoi(elem[1:])
	if err != nil || bits < 2 || bits > 64 {
		return Type{}, false
	}
	return Type{class: elem[0], bits: bits, lanes: n}, true
}

func (t Type) signed() bool  { return t.class == 's' }
func (t Type) float() bool   { return t.class == 'f' }
func (t Type) integer() bool { return t.class == 'u' || t.class == 's' }
func (t Type) elem() Type    { t.lanes = 1; return t }

// int is the integer that a pattern stands for.
func (t Type) int(x uint64) *big.Int {
	x &= ones(t.bits)
	v := new(big.Int).SetUint64(x)
	if t.signed() && x>>uint(t.bits-1) != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(t.bits)))
	}
	return v
}

// wrap is the pattern of an integer modulo 2^bits.
func (t Type) wrap(v *big.Int) uint64 { return wrap(v, t.bits) }

func wrap(v *big.Int, bits int) uint64 {
	m := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return new(big.Int).Mod(v, m).Uint64()
}

// limits are the least and greatest integers of the type.
func (t Type) limits() (lo, hi *big.Int) {
	one := big.NewInt(1)
	if t.signed() {
		hi = new(big.Int).Lsh(one, uint(t.bits-1))
		return new(big.Int).Neg(hi), new(big.Int).Sub(hi, one)
	}
	return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, uint(t.bits)), one)
}

// clamp limits an integer to the type's range.
func (t Type) clamp(v *big.Int) *big.Int {
	lo, hi := t.limits()
	if v.Cmp(lo) < 0 {
		return lo
	}
	if v.Cmp(hi) > 0 {
		return hi
	}
	return v
}
