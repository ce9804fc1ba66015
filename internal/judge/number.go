package judge

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

func sortFloats(list []float64) { slices.Sort(list) }

// putNumber appends a number to b, which an integer type must be able to hold.
func (t Type) putNumber(b []byte, v float64) ([]byte, error) {
	if t.isFloat() {
		return t.put(b, v), nil
	}
	if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
		return b, fmt.Errorf("%v is not a value of type %s", v, t)
	}
	return t.putInt(b, int64(v))
}

// putInt appends an integer.
func (t Type) putInt(b []byte, v int64) ([]byte, error) {
	info := types[t]
	bits := uint(8 * info.size)
	if t.isFloat() {
		return t.put(b, float64(v)), nil
	}
	if bits < 64 {
		low, high := int64(0), int64(1)<<bits-1
		if info.signed {
			low, high = -1<<(bits-1), 1<<(bits-1)-1
		}
		if v < low || v > high {
			return b, fmt.Errorf("%d is not a value of type %s", v, t)
		}
	} else if !info.signed && v < 0 {
		return b, fmt.Errorf("%d is not a value of type %s", v, t)
	}
	for i := range info.size {
		b = append(b, byte(v>>(8*i)))
	}
	return b, nil
}

// put appends a floating-point number, rounded to the nearest.
func (t Type) put(b []byte, v float64) []byte {
	switch t {
	case F64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	case F32:
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	case F16:
		return binary.LittleEndian.AppendUint16(b, uint16(narrow(v, 5, 10)))
	default:
		return binary.LittleEndian.AppendUint16(b, uint16(narrow(v, 8, 7)))
	}
}

// get is an element as a number. Integers of 64 bits are rounded.
func (t Type) get(b []byte) float64 {
	switch t {
	case F64:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case F32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case F16:
		return widen(uint64(binary.LittleEndian.Uint16(b)), 5, 10)
	case BF16:
		return widen(uint64(binary.LittleEndian.Uint16(b)), 8, 7)
	case U64:
		return float64(binary.LittleEndian.Uint64(b))
	}
	return float64(t.getInt(b))
}

// getInt is an element of an integer type.
func (t Type) getInt(b []byte) int64 {
	info := types[t]
	var v uint64
	for i := range info.size {
		v |= uint64(b[i]) << (8 * i)
	}
	if shift := 64 - 8*info.size; info.signed && shift > 0 {
		return int64(v<<shift) >> shift
	}
	return int64(v)
}

// narrow rounds to the nearest number, ties to even, of an IEEE format with so many bits of exponent and fraction.
func narrow(v float64, exponent, fraction int) uint64 {
	bias := 1<<(exponent-1) - 1
	sign := uint64(0)
	if math.Signbit(v) {
		sign, v = 1<<(exponent+fraction), -v
	}
	infinity := (uint64(1)<<exponent - 1) << fraction
	switch {
	case math.IsNaN(v):
		return sign | infinity | 1<<(fraction-1)
	case math.IsInf(v, 0):
		return sign | infinity
	case v == 0:
		return sign
	}
	_, e := math.Frexp(v) // v = f * 2^e, f in [0.5, 1)
	e = max(e-1, 1-bias)  // of the result's unit
	n := math.RoundToEven(math.Ldexp(v, fraction-e))
	bits := uint64(n) + uint64(e-1+bias)<<fraction // a carry goes into the exponent
	if e == 1-bias && n < math.Ldexp(1, fraction) {
		bits = uint64(n) // subnormal
	}
	return sign | min(bits, infinity)
}

// widen is the number of a format's bits.
func widen(bits uint64, exponent, fraction int) float64 {
	bias := 1<<(exponent-1) - 1
	f, e := bits&(1<<fraction-1), int(bits>>fraction)&(1<<exponent-1)
	v := 0.0
	switch {
	case e == 1<<exponent-1 && f != 0:
		return math.NaN()
	case e == 1<<exponent-1:
		v = math.Inf(1)
	case e == 0:
		v = math.Ldexp(float64(f), 1-bias-fraction)
	default:
		v = math.Ldexp(float64(f|1<<fraction), e-bias-fraction)
	}
	if bits>>(exponent+fraction)&1 != 0 {
		v = -v
	}
	return v
}
