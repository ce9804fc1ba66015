package alu

import (
	"math"
	"math/bits"
)

// Conversions (PTX ISA 9.7.9.21, 9.7.9.22).
var convertBuilders = map[string]builder{"cvt": cvt}

// cmods are cvt's modifiers.
type cmods struct {
	fmods
	satfinite bool
	irnd      string // rni, rzi, rmi, rpi or ""
}

func cvt(in *inst) *Op {
	if in.take("pack") {
		return cvtPack(in)
	}
	cm := cmods{irnd: in.oneOf("rni", "rzi", "rmi", "rpi"), satfinite: in.take("satfinite")}
	away := in.take("rna")
	cm.fmods = in.fmods()
	if away {
		cm.m = rna
	}
	if len(in.types) != 2 {
		return nil
	}
	d, s := in.types[0], in.types[1]
	switch {
	case d.lanes == 2 || s.lanes == 2:
		return cvtPacked(d, s, cm)
	case d.bits < 8 || s.bits < 8 || d.kind > kFloat || s.kind > kFloat || d.kind == kBits || s.kind == kBits:
		return nil
	case away && d.fmt != &fmtTF32, cm.ftz && !d.isF32() && !s.isF32():
		return nil
	case d.isInt() && s.isInt():
		return cvtIntInt(d, s, cm)
	case d.isInt():
		return cvtFloatInt(d, s, cm)
	case s.isInt():
		return cvtIntFloat(d, s, cm)
	}
	return cvtFloatFloat(d, s, cm)
}

// regMask is what a result of type d keeps: narrow signed results are extended
// to 32 bits.
func regMask(d typ) uint64 {
	if d.signed() && d.bits < 32 {
		return mask(32)
	}
	return mask(d.bits)
}

func cvtIntInt(d, s typ, cm cmods) *Op {
	m := regMask(d)
	if cm.sat {
		return newOp(fn1(func(a uint64) uint64 { return clampInt(d, s, a) & m }), d, s)
	}
	return newOp(fn1(func(a uint64) uint64 { return d.ext(s.ext(a)) & m }), d, s)
}

// clampInt limits a value of type s to the range of type d.
func clampInt(d, s typ, a uint64) uint64 {
	x := s.ext(a)
	neg := s.signed() && int64(x) < 0
	if !d.signed() {
		if neg {
			return 0
		}
		return min(x, mask(d.bits))
	}
	top := mask(d.bits - 1)
	if neg {
		return uint64(max(int64(x), -int64(top)-1))
	}
	return min(x, top)
}

// value decodes a floating-point operand of any size.
func (cm *cmods) value(s typ, a uint64) float64 {
	if s.isF64() {
		return math.Float64frombits(a)
	}
	if cm.ftz && s.isF32() {
		a = fmtF32.flush(a)
	}
	return s.fmt.decode(a)
}

// roundInt rounds to an integral value.
func roundInt(x float64, irnd string) float64 {
	switch irnd {
	case "rzi":
		return math.Trunc(x)
	case "rmi":
		return math.Floor(x)
	case "rpi":
		return math.Ceil(x)
	}
	return math.RoundToEven(x)
}

// cvtFloatInt clamps to the destination's range.
func cvtFloatInt(d, s typ, cm cmods) *Op {
	irnd := cm.irnd
	if irnd == "" {
		return nil
	}
	nan := uint64(0)
	if s.isF64() || d.bits == 64 {
		nan = 1 << (d.bits - 1)
	}
	nan = d.ext(nan) & regMask(d)
	m := regMask(d)
	return newOp(fn1(func(a uint64) uint64 {
		x := cm.value(s, a)
		if x != x {
			return nan
		}
		return toInt(d, roundInt(x, irnd)) & m
	}), d, s)
}

// toInt converts an integral value, clamped to the range of d.
func toInt(d typ, x float64) uint64 {
	if d.signed() {
		top := math.Ldexp(1, int(d.bits)-1)
		switch {
		case x >= top:
			return mask(d.bits - 1)
		case x < -top:
			return ^mask(d.bits - 1)
		}
		return uint64(int64(x))
	}
	switch {
	case x <= 0:
		return 0
	case x >= math.Ldexp(1, int(d.bits)):
		return mask(d.bits)
	case x >= 1<<63:
		return uint64(int64(x-(1<<63))) | 1<<63
	}
	return uint64(int64(x))
}

// oddInt is an integer rounded to odd in float64.
func oddInt(neg bool, mag uint64) float64 {
	if n := bits.Len64(mag); n > 53 {
		s := uint(n - 53)
		if mag&(1<<s-1) != 0 {
			mag |= 1 << s
		}
		mag = mag >> s << s
	}
	x := float64(mag)
	if neg {
		return -x
	}
	return x
}

func cvtIntFloat(d, s typ, cm cmods) *Op {
	if cm.irnd != "" {
		return nil
	}
	return newOp(fn1(func(a uint64) uint64 {
		x := s.ext(a)
		neg := s.signed() && int64(x) < 0
		if neg {
			x = -x
		}
		if d.isF64() {
			return math.Float64bits(cm.finish64(int64Float(neg, x, cm.m)))
		}
		return cm.store(d.fmt, oddInt(neg, x))
	}), d, s)
}

// int64Float rounds an integer to float64.
func int64Float(neg bool, mag uint64, m mode) float64 {
	x := float64(mag)
	var err int
	switch {
	case x >= 1<<64:
		err = -1
	default:
		err = order2(mag, uint64(x))
	}
	if neg {
		x, err = -x, -err
	}
	return directed(x, err, m)
}

func order2(a, b uint64) int { return int(b2u(a > b)) - int(b2u(a < b)) }

func cvtFloatFloat(d, s typ, cm cmods) *Op {
	if cm.irnd != "" && d.bits != s.bits {
		return nil
	}
	return newOp(fn1(func(a uint64) uint64 {
		x := cm.value(s, a)
		if cm.irnd != "" {
			x = roundInt(x, cm.irnd)
		}
		return cm.toFloat(d, s, x, a)
	}), d, s)
}

// toFloat stores a value of type s, whose bits are a, as type d.
func (cm *cmods) toFloat(d, s typ, x float64, a uint64) uint64 {
	if d.isF64() {
		if x != x && !cm.sat {
			return widenNaN(s, a)
		}
		return math.Float64bits(cm.finish64(x))
	}
	f := d.fmt
	r := f.encode(x, cm.m)
	if cm.satfinite && x == x && r&(1<<f.sign-1)>>f.low > f.max {
		r = f.pack(x < 0, f.max)
	}
	if !d.isF32() {
		cm := *cm
		cm.ftz = false
		return cm.finish(f, r)
	}
	return cm.finish(f, r)
}

// widenNaN keeps a float64 NaN's payload; others become the canonical NaN's
// widened pattern.
func widenNaN(s typ, a uint64) uint64 {
	if s.isF64() {
		return nan64(a)
	}
	return 0x7fffffffe0000000
}

// cvtPack is cvt.pack.sat.convertType.abType{.cType} (PTX ISA 9.7.9.22).
func cvtPack(in *inst) *Op {
	if !in.take("sat") || len(in.types) < 2 {
		return nil
	}
	d, s := in.types[0], in.types[1]
	withC := len(in.types) == 3 && in.types[2] == tB32
	if s != tS32 || !d.isInt() || d.lanes != 1 || d.bits > 16 || withC == (d.bits == 16) || len(in.types) == 3 && !withC {
		return nil
	}
	n, m := uint(d.bits), mask(d.bits)
	if !withC {
		return newOp(fn2(func(a, b uint64) uint64 {
			return clampInt(d, s, a)&m<<16 | clampInt(d, s, b)&m
		}), tB32, s, s)
	}
	return newOp(fn3(func(a, b, c uint64) uint64 {
		return (c<<(2*n) | clampInt(d, s, a)&m<<n | clampInt(d, s, b)&m) & mask(32)
	}), tB32, s, s, tB32)
}
