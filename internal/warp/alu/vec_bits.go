package alu

import (
	"math/bits"
	"unsafe"
)

// vecsBits enters logic, shifts and bit manipulation (PTX ISA 9.7.1, 9.7.8).
func vecsBits(m map[string]vecFn) {
	logicVecs[uint32](m, "b16")
	logicVecs[uint32](m, "b32")
	logicVecs[uint64](m, "b64")
	m["not.b32"], m["not.b64"] = vNot[uint32], vNot[uint64]
	m["shl.b32"], m["shl.b64"] = vShl[uint32], vShl[uint64]
	m["shr.b32"], m["shr.b64"] = vShr[uint32], vShr[uint64]
	m["shf.l.wrap.b32"], m["shf.r.wrap.b32"] = vShfLeft, vShfRight
	m["prmt.b32"] = vPrmt
	m["bfe.u32"], m["bfe.s32"] = vBfeU32, vBfeS32
	m["popc.b32"], m["popc.b64"] = vPopc32, vPopc64
	m["clz.b32"] = vClz32
	for _, t := range []string{"b16", "b32", "f32", "f16", "bf16", "s16", "u16", "f16x2", "bf16x2"} {
		m["mov."+t] = vMov[uint32]
	}
	m["mov.b64"], m["mov.f64"] = vMov[uint64], vMov[uint64]
}

func logicVecs[T integer](m map[string]vecFn, t string) {
	m["and."+t], m["or."+t], m["xor."+t] = vAnd[T], vOr[T], vXor[T]
}

func vAnd[T integer](d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[T](a), lanesOf[T](b), lanesOf[T](d)
	for i := range z {
		z[i] = x[i] & y[i]
	}
}

func vOr[T integer](d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[T](a), lanesOf[T](b), lanesOf[T](d)
	for i := range z {
		z[i] = x[i] | y[i]
	}
}

func vXor[T integer](d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[T](a), lanesOf[T](b), lanesOf[T](d)
	for i := range z {
		z[i] = x[i] ^ y[i]
	}
}

func vNot[T integer](d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[T](a), lanesOf[T](d)
	for i := range z {
		z[i] = ^x[i]
	}
}

func vShl[T integer](d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[T](a), lanesOf[uint32](b), lanesOf[T](d)
	for i := range z {
		z[i] = x[i] << y[i]
	}
}

func vShfLeft(d, a, b, c unsafe.Pointer) {
	x, y, n, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](c), lanesOf[uint32](d)
	for i := range z {
		z[i] = uint32((uint64(y[i])<<32 | uint64(x[i])) << (n[i] & 31) >> 32)
	}
}

func vShfRight(d, a, b, c unsafe.Pointer) {
	x, y, n, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](c), lanesOf[uint32](d)
	for i := range z {
		z[i] = uint32((uint64(y[i])<<32 | uint64(x[i])) >> (n[i] & 31))
	}
}

func vPrmt(d, a, b, c unsafe.Pointer) {
	x, y, n, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](c), lanesOf[uint32](d)
	for i := range z {
		z[i] = uint32(permute(uint64(x[i]), uint64(y[i]), uint64(n[i])))
	}
}

func vBfeU32(d, a, b, c unsafe.Pointer) {
	x, y, n, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](c), lanesOf[uint32](d)
	for i := range z {
		z[i] = x[i] >> (y[i] & 255) & (1<<(n[i]&255) - 1)
	}
}

func vBfeS32(d, a, b, c unsafe.Pointer) {
	x, y, n, z := lanesOf[int32](a), lanesOf[uint32](b), lanesOf[uint32](c), lanesOf[int32](d)
	for i := range z {
		cut := 64 - min(n[i]&255, 32)
		z[i] = int32(int64(x[i]) >> min(y[i]&255, 63) << cut >> cut)
	}
}

func vPopc32(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[uint32](a), lanesOf[uint32](d)
	for i := range z {
		z[i] = uint32(bits.OnesCount32(x[i]))
	}
}

func vPopc64(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[uint64](a), lanesOf[uint32](d)
	for i := range z {
		z[i] = uint32(bits.OnesCount64(x[i]))
	}
}

func vClz32(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[uint32](a), lanesOf[uint32](d)
	for i := range z {
		z[i] = uint32(bits.LeadingZeros32(x[i]))
	}
}
