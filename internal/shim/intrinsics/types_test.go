package intrinsics

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
)

// kind is what the elements of a type are.
type kind int

const (
	signedInt kind = iota
	unsignedInt
	binary32
	binary64
	small   // a format of formats_test.go
	pattern // bits whose meaning the function gives
	choice  // an enumeration
)

// cType is a type of C++: some elements of a kind.
type cType struct {
	kind  kind
	size  int // bytes of an element
	lanes int
	form  *format // of a small one
	// choices is the number of an enumeration's values.
	choices uint64
}

var cTypes = map[string]cType{
	"bool": {kind: unsignedInt, size: 1, lanes: 1},
	"char": {kind: signedInt, size: 1, lanes: 1}, "signed char": {kind: signedInt, size: 1, lanes: 1}, "unsigned char": {kind: unsignedInt, size: 1, lanes: 1},
	"short": {kind: signedInt, size: 2, lanes: 1}, "unsigned short": {kind: unsignedInt, size: 2, lanes: 1},
	"int": {kind: signedInt, size: 4, lanes: 1}, "unsigned int": {kind: unsignedInt, size: 4, lanes: 1},
	"long": {kind: signedInt, size: 8, lanes: 1}, "unsigned long": {kind: unsignedInt, size: 8, lanes: 1},
	"long long": {kind: signedInt, size: 8, lanes: 1}, "unsigned long long": {kind: unsignedInt, size: 8, lanes: 1},
	"float": {kind: binary32, size: 4, lanes: 1}, "double": {kind: binary64, size: 8, lanes: 1},
	"float2": {kind: binary32, size: 4, lanes: 2}, "double2": {kind: binary64, size: 8, lanes: 2}, "float4": {kind: binary32, size: 4, lanes: 4},
	"cuFloatComplex": {kind: binary32, size: 4, lanes: 2}, "cuComplex": {kind: binary32, size: 4, lanes: 2},
	"cuDoubleComplex": {kind: binary64, size: 8, lanes: 2},
	"char4":           {kind: signedInt, size: 1, lanes: 4}, "uchar4": {kind: unsignedInt, size: 1, lanes: 4},
	"short2": {kind: signedInt, size: 2, lanes: 2}, "ushort2": {kind: unsignedInt, size: 2, lanes: 2},
	"__half": {kind: small, size: 2, lanes: 1, form: half}, "__half_raw": {kind: small, size: 2, lanes: 1, form: half},
	"__half2": {kind: small, size: 2, lanes: 2, form: half}, "__half2_raw": {kind: small, size: 2, lanes: 2, form: half},
	"__nv_bfloat16": {kind: small, size: 2, lanes: 1, form: bfloat}, "__nv_bfloat16_raw": {kind: small, size: 2, lanes: 1, form: bfloat},
	"__nv_bfloat162": {kind: small, size: 2, lanes: 2, form: bfloat}, "__nv_bfloat162_raw": {kind: small, size: 2, lanes: 2, form: bfloat},
	"__nv_fp8_e4m3": {kind: small, size: 1, lanes: 1, form: e4m3}, "__nv_fp8_e5m2": {kind: small, size: 1, lanes: 1, form: e5m2},
	"__nv_fp6_e3m2": {kind: small, size: 1, lanes: 1, form: e3m2}, "__nv_fp6_e2m3": {kind: small, size: 1, lanes: 1, form: e2m3},
	"__nv_fp4_e2m1":      {kind: small, size: 1, lanes: 1, form: e2m1},
	"__nv_fp8_e8m0":      {kind: pattern, size: 1, lanes: 1},
	"__nv_fp8_storage_t": {kind: pattern, size: 1, lanes: 1}, "__nv_fp8x2_storage_t": {kind: pattern, size: 2, lanes: 1},
	"__nv_fp6_storage_t": {kind: pattern, size: 1, lanes: 1}, "__nv_fp6x2_storage_t": {kind: pattern, size: 2, lanes: 1},
	"__nv_fp4_storage_t": {kind: pattern, size: 1, lanes: 1}, "__nv_fp4x2_storage_t": {kind: pattern, size: 1, lanes: 1},
	"__nv_fp8x2_e4m3": {kind: pattern, size: 2, lanes: 1}, "__nv_fp4x4_e2m1": {kind: pattern, size: 2, lanes: 1},
	"__nv_saturation_t":         {kind: choice, size: 4, lanes: 1, choices: 2},
	"__nv_fp8_interpretation_t": {kind: choice, size: 4, lanes: 1, choices: 2},
	"__nv_fp6_interpretation_t": {kind: choice, size: 4, lanes: 1, choices: 2},
	"__nv_fp4_interpretation_t": {kind: choice, size: 4, lanes: 1, choices: 1},
	"cudaRoundMode":             {kind: choice, size: 4, lanes: 1, choices: 4},
}

// slot is the room for one value in the tables.
const slot = 16

// value is an argument or a result: its elements' bits.
type value struct {
	t    cType
	bits []uint64
}

func (t cType) read(b []byte) value {
	v := value{t: t}
	for i := range t.lanes {
		var word [8]byte
		copy(word[:], b[i*t.size:(i+1)*t.size])
		v.bits = append(v.bits, binary.LittleEndian.Uint64(word[:]))
	}
	return v
}

func (v value) write(b []byte) {
	for i, x := range v.bits {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], x)
		copy(b[i*v.t.size:], word[:v.t.size])
	}
}

// float is an element as a float64, which holds each of them; integers of 64
// bits are rounded.
func (v value) float(i int) float64 {
	switch v.t.kind {
	case binary32:
		return float64(math.Float32frombits(uint32(v.bits[i])))
	case binary64:
		return math.Float64frombits(v.bits[i])
	case small:
		return v.t.form.decode(v.bits[i])
	case signedInt:
		return float64(v.int(i))
	}
	return float64(v.bits[i])
}

// int is an element with its sign.
func (v value) int(i int) int64 {
	shift := 64 - 8*v.t.size
	if v.t.kind == signedInt {
		return int64(v.bits[i]<<shift) >> shift
	}
	return int64(v.bits[i])
}

func (v value) exact(i int) exact {
	switch v.t.kind {
	case signedInt:
		return fromInt(big.NewInt(v.int(i)))
	case unsignedInt, pattern:
		return fromInt(new(big.Int).SetUint64(v.bits[i]))
	}
	return fromFloat(v.float(i))
}

// sample draws a value: the ends of the range and where roundings change half
// of the time, else any bits. Moderate ones are small numbers.
func (t cType) sample(r *rand.Rand, moderate bool) value {
	v := value{t: t}
	for range t.lanes {
		v.bits = append(v.bits, t.element(r, moderate)&(1<<(8*t.size)-1))
	}
	return v
}

func (t cType) element(r *rand.Rand, moderate bool) uint64 {
	special := r.IntN(2) == 0
	switch t.kind {
	case choice:
		return r.Uint64N(t.choices)
	case small:
		if moderate && !special {
			return t.form.encode(fromFloat(r.NormFloat64()*3), nearest, true)
		}
		return t.form.element(r, special)
	case binary32, binary64:
		x := r.NormFloat64() * 3
		switch {
		case moderate && r.IntN(8) == 0, !moderate && special:
			x = specialFloats[r.IntN(len(specialFloats))]
			if r.IntN(2) == 0 {
				x = -x
			}
		case moderate:
		case r.IntN(2) == 0 && t.kind == binary32:
			return uint64(r.Uint32())
		case r.IntN(2) == 0:
			return r.Uint64()
		case r.IntN(2) == 0:
			x = math.Ldexp(x, r.IntN(80)-10)
		}
		if t.kind == binary32 {
			return uint64(math.Float32bits(float32(x)))
		}
		return math.Float64bits(x)
	}
	if moderate {
		return uint64(r.IntN(12) - 4)
	}
	if special {
		return specialInts[r.IntN(len(specialInts))]
	}
	return r.Uint64() >> r.IntN(64)
}

func (f *format) element(r *rand.Rand, special bool) uint64 {
	sign := uint64(r.IntN(2)) << (f.bits - 1)
	if special {
		return sign | []uint64{0, 1, f.largest, f.beyond, f.canon, f.one}[r.IntN(6)]
	}
	return r.Uint64() & (1<<f.bits - 1)
}

var specialFloats = []float64{0, 1, 2, 0.5, 1.5, 2.5, 3, 1.0 / 3, 127.5, 128, 255.5, 256, 32767.5, 32768, 65504, 65519.9, 65520, 65535.5, 65536,
	1<<31 - 128, 1<<31 - 1, 1<<31 - 0.5, 1 << 31, 1<<32 - 0.5, 1 << 32, 1 << 53, 1<<63 - 1024, 1 << 63, 1<<64 - 2048, 1 << 64, 1e30, 1e38,
	math.MaxFloat32, math.MaxFloat64, math.SmallestNonzeroFloat32, math.SmallestNonzeroFloat64, 0x1p-126, 0x1p-127, 0x1.8p-127, 0x1p-130, 0x1p-1022, 0x1p-1030,
	math.Inf(1), math.NaN(), 1 + 0x1p-23, 1 + 0x1p-24, 1 + 0x1p-52, 1 - 0x1p-24, 0x1.ffffffp127, 0x1p-25, 0x1p-24}

var specialInts = []uint64{0, 1, 2, 3, 7, 31, 32, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 1<<24 + 1, 1<<25 - 1, 0x7fffff80, 0x7fffffbf,
	0x7fffffff, 0x80000000, 0xffffffff, 1 << 32, 1<<53 + 1, 1<<54 - 1, 1<<54 + 3, 1<<63 - 1, 1 << 63, math.MaxUint64, math.MaxUint64 - 1, 1<<64 - 0x401, 0x1010001, 0x76543210, 0xfedcba98}

// ties are the points between the values of a format and their neighbors, with
// one sign and the other in turn.
func ties(t cType, f *format) *table {
	var all []float64
	for p := range f.middle {
		m := f.values[p]/2 + f.values[p+1]/2
		if p%4 >= 2 {
			m = -m
		}
		all = append(all, m, t.next(m, 0), t.next(m, 2*m))
	}
	for _, v := range specialFloats {
		all = append(all, v, -v)
	}
	tab := newTable([]cType{t}, len(all))
	for i, v := range all {
		bits := math.Float64bits(v)
		if t.kind == binary32 {
			bits = uint64(math.Float32bits(float32(v)))
		}
		tab.set(0, i, value{t: t, bits: []uint64{bits}})
	}
	return tab
}

// next is the neighbor of a number of the type in a direction.
func (t cType) next(v, to float64) float64 {
	if t.kind == binary32 {
		return float64(math.Nextafter32(float32(v), float32(to)))
	}
	return math.Nextafter(v, to)
}
