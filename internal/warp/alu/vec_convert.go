package alu

import (
	"math"
	"unsafe"
)

// vecsConvert enters the common conversions (PTX ISA 9.7.9.21).
func vecsConvert(m map[string]vecFn) {
	for _, d := range []string{"u64", "s64"} {
		m["cvt."+d+".u32"], m["cvt."+d+".s32"] = vCvt[uint32, uint64], vCvt[int32, int64]
	}
	for _, d := range []string{"u32", "s32"} {
		m["cvt."+d+".u64"], m["cvt."+d+".s64"] = vCvt[uint64, uint32], vCvt[uint64, uint32]
		m["cvt."+d+".u16"], m["cvt."+d+".u8"] = vMask16, vMask8
		m["cvt."+d+".s16"], m["cvt."+d+".s8"] = vSext16, vSext8
	}
	m["cvt.u16.u32"], m["cvt.u16.s32"], m["cvt.u8.u32"] = vMask16, vMask16, vMask8
	m["cvt.s16.s32"], m["cvt.s8.s32"] = vSext16, vSext8
	m["cvt.rn.f32.s32"], m["cvt.rn.f32.u32"] = vIntF32[int32], vIntF32[uint32]
	m["cvt.rn.f64.s32"], m["cvt.rn.f64.u32"] = vIntF64[int32], vIntF64[uint32]
	m["cvt.rn.f64.s64"], m["cvt.rn.f32.s64"] = vIntF64[int64], vIntF32[int64]
	m["cvt.rzi.s32.f32"], m["cvt.rzi.u32.f32"] = vF32S32, vF32U32
	m["cvt.rzi.s32.f64"], m["cvt.rzi.u32.f64"] = vF64S32, vF64U32
	m["cvt.f64.f32"], m["cvt.rn.f32.f64"] = vF32F64, vF64F32
	m["cvt.f32.f16"] = vF16F32
	m["cvt.rna.tf32.f32"] = vTF32(func(uint32) uint32 { return 0x1000 })
	m["cvt.rn.tf32.f32"] = vTF32(func(v uint32) uint32 { return 0xfff + v>>13&1 })
	m["cvt.rz.tf32.f32"] = vTF32(func(uint32) uint32 { return 0 })
}

// vTF32 rounds the lower 13 bits of the fraction away, of which up is what to add; a carry continues into the
// exponent, up to infinity.
func vTF32(up func(v uint32) uint32) vecFn {
	return func(d, a, _, _ unsafe.Pointer) {
		x, z := lanesOf[uint32](a), lanesOf[uint32](d)
		for i, v := range x {
			if z[i] = (v + up(v)) &^ 0x1fff; v&0x7fffffff > 0x7f800000 {
				z[i] = 0x7fffffff
			}
		}
	}
}

func vCvt[S, T integer](d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[S](a), lanesOf[T](d)
	for i := range z {
		z[i] = T(x[i])
	}
}

func vMask16(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[uint32](a), lanesOf[uint32](d)
	for i := range z {
		z[i] = x[i] & 0xffff
	}
}

func vMask8(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[uint32](a), lanesOf[uint32](d)
	for i := range z {
		z[i] = x[i] & 0xff
	}
}

func vSext16(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[uint32](a), lanesOf[int32](d)
	for i := range z {
		z[i] = int32(int16(x[i]))
	}
}

func vSext8(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[uint32](a), lanesOf[int32](d)
	for i := range z {
		z[i] = int32(int8(x[i]))
	}
}

func vIntF32[T integer](d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[T](a), lanesOf[float32](d)
	for i := range z {
		z[i] = float32(x[i])
	}
}

func vIntF64[T integer](d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[T](a), lanesOf[float64](d)
	for i := range z {
		z[i] = float64(x[i])
	}
}

// clampF limits x to lo..hi; a NaN becomes nan.
func clampF(x, lo, hi, nan float64) float64 {
	switch {
	case x >= hi:
		return hi
	case x <= lo:
		return lo
	case x != x:
		return nan
	}
	return x
}

func vF32S32(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[float32](a), lanesOf[int32](d)
	for i := range z {
		f := x[i]
		if t := int64(f); int64(int32(t)) == t && f == f {
			z[i] = int32(t)
		} else {
			z[i] = int32(clampF(float64(f), -1<<31, 1<<31-1, 0))
		}
	}
}

func vF32U32(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[float32](a), lanesOf[uint32](d)
	for i := range z {
		f := x[i]
		if t := int64(f); int64(uint32(t)) == t && f == f {
			z[i] = uint32(t)
		} else {
			z[i] = uint32(int64(clampF(float64(f), 0, 1<<32-1, 0)))
		}
	}
}

func vF64S32(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[float64](a), lanesOf[int32](d)
	for i := range z {
		f := x[i]
		if t := int64(f); int64(int32(t)) == t && f == f {
			z[i] = int32(t)
		} else {
			z[i] = int32(clampF(f, -1<<31, 1<<31-1, -1<<31))
		}
	}
}

func vF64U32(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[float64](a), lanesOf[uint32](d)
	for i := range z {
		f := x[i]
		if t := int64(f); int64(uint32(t)) == t && f == f {
			z[i] = uint32(t)
		} else {
			z[i] = uint32(int64(clampF(f, 0, 1<<32-1, 1<<31)))
		}
	}
}

func vF32F64(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[float32](a), lanesOf[uint64](d)
	for i := range z {
		r := float64(x[i])
		z[i] = math.Float64bits(r)
		if r != r {
			z[i] = 0x7fffffffe0000000
		}
	}
}

func vF64F32(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[float64](a), lanesOf[uint32](d)
	for i := range z {
		z[i] = nan32(float32(x[i]))
	}
}

// vF16F32 widens halves: the exponent is re-biased by a multiplication, which
// is exact for subnormals too.
func vF16F32(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[uint32](a), lanesOf[uint32](d)
	for i := range z {
		h := x[i]
		mag, sign := h&0x7fff, h&0x8000<<16
		switch {
		case mag > 0x7c00:
			z[i] = 0x7fffffff
		case mag == 0x7c00:
			z[i] = 0x7f800000 | sign
		default:
			z[i] = math.Float32bits(math.Float32frombits(mag<<13)*0x1p112) | sign
		}
	}
}
