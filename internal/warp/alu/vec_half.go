package alu

import (
	"math"
	"unsafe"
)

// vecsHalf enters add, sub, mul and fma of f16 and bf16, single and packed
// (PTX ISA 9.7.4).
func vecsHalf(m map[string]vecFn) {
	for _, rnd := range []string{"", ".rn"} {
		m["add"+rnd+".f16x2"], m["sub"+rnd+".f16x2"], m["mul"+rnd+".f16x2"] = vAddF16, vSubF16, vMulF16
		m["add"+rnd+".f16"], m["sub"+rnd+".f16"], m["mul"+rnd+".f16"] = vAddF16, vSubF16, vMulF16
		m["add"+rnd+".bf16x2"], m["sub"+rnd+".bf16x2"], m["mul"+rnd+".bf16x2"] = vAddBF16, vSubBF16, vMulBF16
	}
	m["fma.rn.f16x2"], m["fma.rn.bf16x2"] = vFmaF16, vFmaBF16
	m["cvt.rn.f16.f32"], m["cvt.rn.bf16.f32"], m["cvt.f32.f16"] = vToF16, vToBF16, vF16F32
}

// The upper half of a single's operand is zero and adds or multiplies to zero,
// so add, sub and mul of a pair serve singles of f16 too: +0 - +0 is +0.

// getF16 widens a half; the bits above the low 16 do not matter.
func getF16(b uint32) float64 {
	mag := b & 0x7fff
	if mag-0x400 < 0x7c00-0x400 {
		return math.Float64frombits(uint64(b&0x8000)<<48 | (uint64(mag)<<42 + (1023-15)<<52))
	}
	return fmtF16.decode(uint64(b & 0xffff))
}

// putF16 rounds to a half.
func putF16(x float64) uint32 {
	u := math.Float64bits(x)
	if e := uint32(u >> 52 & 0x7ff); e-(1023-14) < 29 {
		r := (u&^(1<<63) + 1<<41 - 1 + u>>42&1) >> 42
		return uint32(u>>48)&0x8000 | (uint32(r) - (1023-15)<<10)
	}
	return uint32(fmtF16.encode(x, rn))
}

func getBF16(b uint32) float64 { return float64(math.Float32frombits(b << 16)) }

// putBF16 rounds to a bf16.
func putBF16(x float64) uint32 {
	u := math.Float64bits(x)
	if e := uint32(u >> 52 & 0x7ff); e-(1023-126) < 253 {
		r := (u&^(1<<63) + 1<<44 - 1 + u>>45&1) >> 45
		return uint32(u>>48)&0x8000 | (uint32(r) - (1023-127)<<7)
	}
	return uint32(fmtBF16.encode(x, rn))
}

func vAddF16(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](d)
	for i := range z {
		p, q := x[i], y[i]
		z[i] = putF16(getF16(p)+getF16(q)) | putF16(getF16(p>>16)+getF16(q>>16))<<16
	}
}

func vSubF16(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](d)
	for i := range z {
		p, q := x[i], y[i]
		z[i] = putF16(getF16(p)-getF16(q)) | putF16(getF16(p>>16)-getF16(q>>16))<<16
	}
}

func vMulF16(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](d)
	for i := range z {
		p, q := x[i], y[i]
		z[i] = putF16(getF16(p)*getF16(q)) | putF16(getF16(p>>16)*getF16(q>>16))<<16
	}
}

func vFmaF16(d, a, b, c unsafe.Pointer) {
	x, y, w, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](c), lanesOf[uint32](d)
	for i := range z {
		p, q, r := x[i], y[i], w[i]
		z[i] = putF16(oddFma(getF16(p), getF16(q), getF16(r))) |
			putF16(oddFma(getF16(p>>16), getF16(q>>16), getF16(r>>16)))<<16
	}
}

func vAddBF16(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](d)
	for i := range z {
		p, q := x[i], y[i]
		z[i] = putBF16(oddAdd(getBF16(p), getBF16(q))) | putBF16(oddAdd(getBF16(p>>16), getBF16(q>>16)))<<16
	}
}

func vSubBF16(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](d)
	for i := range z {
		p, q := x[i], y[i]
		z[i] = putBF16(oddAdd(getBF16(p), -getBF16(q))) | putBF16(oddAdd(getBF16(p>>16), -getBF16(q>>16)))<<16
	}
}

func vMulBF16(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](d)
	for i := range z {
		p, q := x[i], y[i]
		z[i] = putBF16(getBF16(p)*getBF16(q)) | putBF16(getBF16(p>>16)*getBF16(q>>16))<<16
	}
}

func vFmaBF16(d, a, b, c unsafe.Pointer) {
	x, y, w, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](c), lanesOf[uint32](d)
	for i := range z {
		p, q, r := x[i], y[i], w[i]
		z[i] = putBF16(oddFma(getBF16(p), getBF16(q), getBF16(r))) |
			putBF16(oddFma(getBF16(p>>16), getBF16(q>>16), getBF16(r>>16)))<<16
	}
}

func vToF16(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[float32](a), lanesOf[uint32](d)
	for i := range z {
		z[i] = putF16(float64(x[i]))
	}
}

func vToBF16(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[float32](a), lanesOf[uint32](d)
	for i := range z {
		z[i] = putBF16(float64(x[i]))
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
