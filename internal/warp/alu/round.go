package alu

import "math"

// mode is a rounding mode (PTX ISA 9.7.3).
type mode uint8

const (
	rn  mode = iota // nearest, ties to even
	rz              // toward zero
	rm              // toward negative infinity
	rp              // toward positive infinity
	rna             // nearest, ties away from zero
)

// format is a binary floating-point format of up to 32 bits whose values are
// all exact in float64.
type format struct {
	man   uint   // explicit mantissa bits
	bias  int    // exponent bias
	sign  uint   // position of the sign bit
	low   uint   // unused low bits (tf32 in a 32-bit word)
	inf   uint64 // infinity, without sign and low bits; 0 if the format has none
	max   uint64 // largest finite value, as inf
	nan   uint64 // canonical NaN with low bits; 0 if the format has none
	noneg bool   // no sign (ue8m0)
}

// Formats (PTX ISA 5.2.3). Canonical NaNs of arithmetic are 0x7fff and 0x7fffffff.
var (
	fmtF16  = format{man: 10, bias: 15, sign: 15, inf: 0x7c00, max: 0x7bff, nan: 0x7fff}
	fmtBF16 = format{man: 7, bias: 127, sign: 15, inf: 0x7f80, max: 0x7f7f, nan: 0x7fff}
	fmtF32  = format{man: 23, bias: 127, sign: 31, inf: 0x7f800000, max: 0x7f7fffff, nan: 0x7fffffff}
	fmtTF32 = format{man: 10, bias: 127, sign: 31, low: 13, inf: 0x3fc00, max: 0x3fbff, nan: 0x7fffffff}
	fmtE4M3 = format{man: 3, bias: 7, sign: 7, max: 0x7e, nan: 0x7f}
	fmtE5M2 = format{man: 2, bias: 15, sign: 7, inf: 0x7c, max: 0x7b, nan: 0x7f}
	fmtE2M3 = format{man: 3, bias: 1, sign: 5, max: 0x1f}
	fmtE3M2 = format{man: 2, bias: 3, sign: 5, max: 0x1f}
	fmtE2M1 = format{man: 1, bias: 1, sign: 3, max: 0x7}
	// ue8m0 is an exponent alone; see convert8.go.
	fmtUE8M0 = format{noneg: true, bias: 127, max: 0xfe, nan: 0xff}
)

// decode gives the value of a bit pattern.
func (f *format) decode(b uint64) float64 {
	if f.sign == 31 {
		return float64(math.Float32frombits(uint32(b)))
	}
	mag := b & (1<<f.sign - 1)
	sign := b >> f.sign & 1 << 63
	e := mag >> f.man
	switch {
	case f.isNaN(mag):
		return math.NaN()
	case f.inf != 0 && mag == f.inf:
		return math.Float64frombits(sign | 0x7ff<<52)
	case e == 0: // mag * 2^(1-bias-man)
		v := float64(mag) * math.Float64frombits(uint64(1024-f.bias-int(f.man))<<52)
		return math.Float64frombits(math.Float64bits(v) | sign)
	}
	return math.Float64frombits(sign | (mag<<(52-f.man) + uint64(1023-f.bias)<<52))
}

func (f *format) isNaN(mag uint64) bool {
	if f.inf != 0 {
		return mag > f.inf
	}
	return f.nan != 0 && mag == f.nan
}

// subnormal tells whether the pattern is a nonzero subnormal.
func (f *format) subnormal(b uint64) bool {
	mag := b & (1<<f.sign - 1) >> f.low
	return mag != 0 && mag>>f.man == 0
}

// flush replaces a subnormal by the zero of its sign.
func (f *format) flush(b uint64) uint64 {
	if f.subnormal(b) {
		return b & (1 << f.sign)
	}
	return b
}

// encode rounds x to the format. x is exact or was rounded to odd in float64
// (see exact.go), so that the result is rounded once.
func (f *format) encode(x float64, m mode) uint64 {
	bits := math.Float64bits(x)
	neg := bits>>63 != 0
	mag := bits &^ (1 << 63)
	switch {
	case x != x:
		return f.nan
	case math.IsInf(x, 0):
		return f.pack(neg, f.overflow(neg, rn))
	case mag == 0:
		return f.pack(neg, 0)
	}
	e, sig := int(mag>>52)-1023, mag&(1<<52-1)
	if e == -1023 {
		e = -1022
	} else {
		sig |= 1 << 52
	}
	r := f.roundSig(neg, e, sig, m)
	if r > f.max {
		r = f.overflow(neg, m)
	}
	return f.pack(neg, r)
}

// roundSig rounds sig * 2^(e-52) to a magnitude pattern, which may exceed max.
func (f *format) roundSig(neg bool, e int, sig uint64, m mode) uint64 {
	emin := 1 - f.bias
	shift := 52 - f.man
	if e < emin {
		shift += uint(emin - e)
	}
	if shift > 60 {
		sig, shift = 1, 60
	}
	q, rem, half := sig>>shift, sig&(1<<shift-1), uint64(1)<<(shift-1)
	if roundsUp(neg, q, rem, half, m) {
		q++
	}
	if e < emin {
		return q
	}
	return uint64(e+f.bias)<<f.man + q - (1 << f.man)
}

func roundsUp(neg bool, q, rem, half uint64, m mode) bool {
	switch m {
	case rn:
		return rem > half || rem == half && q&1 != 0
	case rna:
		return rem >= half
	case rm:
		return neg && rem != 0
	case rp:
		return !neg && rem != 0
	}
	return false
}

// overflow is the magnitude of a result too large for the format.
func (f *format) overflow(neg bool, m mode) uint64 {
	away := m == rn || m == rna || m == rm && neg || m == rp && !neg
	switch {
	case f.inf != 0 && away:
		return f.inf
	case f.inf == 0 && f.nan != 0 && away:
		return f.nan
	}
	return f.max
}

func (f *format) pack(neg bool, mag uint64) uint64 {
	r := mag << f.low
	if neg {
		r |= 1 << f.sign
	}
	return r
}
