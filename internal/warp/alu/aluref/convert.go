package aluref

import (
	"maps"
	"math/big"
)

// Conversions (PTX ISA, "cvt", "cvt.pack").

func cvt(in *Inst, a Args) (Result, bool) {
	if in.has("pack") {
		return cvtPack(in, a)
	}
	if in.has("ue8m0x2") {
		return powerOfTwo(in, a)
	}
	if len(in.types) != 2 {
		return none()
	}
	d, s := in.types[0], in.types[1]
	switch {
	case d.lanes > 1 || s.lanes > 1:
		return in.pairs(d, s, a)
	case d.integer() && s.integer():
		return in.intToInt(d, s, a[0])
	case d.integer():
		return in.floatToInt(d, s, a[0])
	case s.integer():
		x := newFloat().SetInt(s.int(a[0]))
		n := fromFloat(x)
		return in.finish(d, n)
	}
	return in.floatToFloat(d, s, a[0])
}

// extended is the register pattern of an integer result: narrow signed ones
// are sign-extended to 32 bits.
func extended(d Type, v *big.Int) uint64 {
	v = d.int(wrap(v, d.bits))
	return wrap(v, max(d.bits, 32*int(bit(d.signed()))))
}

func (in *Inst) intToInt(d, s Type, a uint64) (Result, bool) {
	v := s.int(a)
	if in.has("sat") {
		v = d.clamp(v)
	}
	return value(extended(d, v))
}

func (in *Inst) integerRounding() string {
	for _, r := range []string{"rni", "rzi", "rmi", "rpi"} {
		if in.mods[r] {
			return r
		}
	}
	return ""
}

// floatToInt clamps to the range; a NaN gives 0, or 0x80... where one of the
// types has 64 bits.
func (in *Inst) floatToInt(d, s Type, a uint64) (Result, bool) {
	n := in.operand(s, a)
	lo, hi := d.limits()
	switch {
	case n.nan && (d.bits == 64 || s.bits == 64):
		top := new(big.Int).Lsh(big.NewInt(1), uint(d.bits-1))
		return value(extended(d, top))
	case n.nan:
		return value(0)
	case n.inf && n.neg:
		return value(extended(d, lo))
	case n.inf:
		return value(extended(d, hi))
	}
	return value(extended(d, d.clamp(integral(n.signed(), in.integerRounding()))))
}

func (in *Inst) floatToFloat(d, s Type, a uint64) (Result, bool) {
	n := s.decode(a, in.has("ftz") && s.bits == 32)
	if r := in.integerRounding(); r != "" && !n.nan && !n.inf {
		neg := n.neg
		n = fromFloat(newFloat().SetInt(integral(n.signed(), r)))
		n.neg = neg
	}
	if in.has("satfinite") {
		return value(in.saturated(d, n))
	}
	if d.bits != 32 { // only .f32 results are flushed
		plain := *in
		plain.mods = maps.Clone(in.mods)
		delete(plain.mods, "ftz")
		in = &plain
	}
	return in.finish(d, n)
}

// saturated rounds to a finite value.
func (in *Inst) saturated(d Type, n number) uint64 {
	switch {
	case n.nan && d.noNaN:
		return d.largest()
	case n.nan:
		return d.canonical
	case in.has("relu") && n.neg:
		return 0
	}
	r := d.encode(n, in.rounding())
	if r>>uint(d.low)&ones(d.signBit()) > d.largest() {
		r = (r>>uint(d.low)&(1<<uint(d.signBit())) | d.largest()) << uint(d.low)
	}
	return r
}

// small converts one element between a narrow format and another.
func (in *Inst) small(d Type, n number) uint64 {
	if in.has("satfinite") || d.noNaN {
		return in.saturated(d, n)
	}
	if in.has("relu") && n.neg && !n.nan {
		return 0
	}
	return d.encode(n, in.rounding())
}

func (in *Inst) pairs(d, s Type, a Args) (Result, bool) {
	if !d.float() || !s.float() || d.lanes != 2 {
		return none()
	}
	high, low := a[0], a[1]
	if s.lanes == 2 {
		high, low = a[0]>>uint(s.bits)&ones(s.bits), a[0]&ones(s.bits)
	}
	e := s.elem()
	return value(in.small(d.elem(), e.decode(high, false))<<uint(d.bits) | in.small(d.elem(), e.decode(low, false)))
}

func cvtPack(in *Inst, a Args) (Result, bool) {
	d, s := in.types[0], in.types[1]
	hi, lo := d.wrap(d.clamp(s.int(a[0]))), d.wrap(d.clamp(s.int(a[1])))
	r := hi<<uint(d.bits) | lo
	if len(in.types) == 3 {
		r |= a[2] << uint(2*d.bits) & ones(32)
	}
	return value(r)
}

func init() { register(map[string]op{"cvt": cvt}) }

// powerOfTwo is the .ue8m0 conversions: an exponent with a bias of 127 and no
// sign, 0xff for NaN.
func powerOfTwo(in *Inst, a Args) (Result, bool) {
	from, bf := Type{}, floatTypes["bf16"]
	for _, t := range in.types {
		from = t
	}
	high, low := a[0], a[1]
	switch {
	case in.has("rn"): // to bf16x2
		value := func(e uint64) uint64 {
			if e == 255 {
				return bf.canonical
			}
			return bf.encode(number{mag: pow2(int(e) - 127)}, "rn")
		}
		return Result{R: value(a[0]>>8&255)<<16 | value(a[0]&255)}, true
	case from.lanes == 2:
		high, low = a[0]>>16&0xffff, a[0]&0xffff
	}
	e := from.elem()
	return value(in.exponent(e.decode(high, false))<<8 | in.exponent(e.decode(low, false)))
}

// exponent rounds a magnitude to a power of two, toward zero or up.
func (in *Inst) exponent(n number) uint64 {
	switch {
	case n.nan:
		return 255
	case !n.inf && n.mag.Sign() == 0:
		return 0
	}
	e := 128
	if !n.inf {
		e = n.mag.MantExp(nil) - 1
		if in.has("rp") && n.mag.Cmp(pow2(e)) > 0 {
			e++
		}
	}
	switch {
	case e > 127 && (in.has("satfinite") || in.has("rz")):
		return 254
	case e > 127:
		return 255
	}
	return uint64(max(e+127, 0))
}
