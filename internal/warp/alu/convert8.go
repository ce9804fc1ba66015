package alu

import "math"

// cvtPacked is the conversions to and from pairs (PTX ISA 9.7.9.21): of two
// .f32, of a pair of halves, and from a pair of small formats to a pair of halves.
func cvtPacked(d, s typ, cm cmods) *Op {
	switch {
	case cm.irnd != "" || cm.sat || cm.ftz || d.lanes != 2 || d.bits > 16 || d.fmt == nil:
		return nil
	case s == tF32:
		return cvtPair(d, cm)
	case s.lanes == 2 && d.kind == kMini && s.isHalf():
		return cvtHalves(d, s, cm, packedReg(d), s)
	case s.lanes == 2 && d.isHalf() && s.kind == kMini:
		return cvtHalves(d, s, cm, d, packedReg(s))
	}
	return nil
}

// packedReg is the register type of a pair.
func packedReg(t typ) typ { return typ{kBits, max(t.size(), 8), 1, nil} }

// cvtPair puts a in the upper and b in the lower half.
func cvtPair(d typ, cm cmods) *Op {
	n := uint(d.bits)
	one := cm.toMini(d)
	return newOp(fn2(func(a, b uint64) uint64 {
		return one(fmtF32.decode(a))<<n | one(fmtF32.decode(b))
	}), packedReg(d), tF32, tF32)
}

func cvtHalves(d, s typ, cm cmods, dreg, sreg typ) *Op {
	dn, sn, sm := uint(d.bits), uint(s.bits), mask(s.bits)
	one := cm.toMini(d)
	return newOp(fn1(func(a uint64) uint64 {
		return one(decodeMini(s, a>>sn&sm))<<dn | one(decodeMini(s, a&sm))
	}), dreg, sreg)
}

func decodeMini(s typ, b uint64) float64 {
	switch {
	case s.fmt == &fmtUE8M0 && b == 0xff:
		return math.NaN()
	case s.fmt == &fmtUE8M0:
		return math.Ldexp(1, int(b)-127)
	}
	return s.fmt.decode(b)
}

// toMini makes the conversion of one element with .satfinite and .relu.
func (cm cmods) toMini(d typ) func(x float64) uint64 {
	f := d.fmt
	if f == &fmtUE8M0 {
		return cm.toExponent
	}
	return func(x float64) uint64 {
		switch {
		case x != x && f.nan == 0:
			return f.max
		case x != x:
			return f.nan
		}
		r := f.encode(x, cm.m)
		if (cm.satfinite || f.nan == 0) && r&(1<<f.sign-1) > f.max {
			r = f.pack(x < 0, f.max)
		}
		if cm.relu && math.Signbit(x) {
			return 0
		}
		return r
	}
}

// toExponent rounds |x| to a power of two, toward zero or up (ue8m0).
func (cm cmods) toExponent(x float64) uint64 {
	x = math.Abs(x)
	switch {
	case x != x:
		return 0xff
	case x == 0:
		return 0
	case math.IsInf(x, 0):
		return cm.hugeExponent()
	}
	frac, e := math.Frexp(x)
	e += 126
	if cm.m == rp && frac > 0.5 {
		e++
	}
	if e > 0xfe {
		return cm.hugeExponent()
	}
	return uint64(max(e, 0))
}

func (cm cmods) hugeExponent() uint64 {
	if cm.satfinite || cm.m == rz {
		return 0xfe
	}
	return 0xff
}
