package alu

import (
	"math/bits"
	"unsafe"
)

// vecsBits enters what has no body: copies under other names, prmt and popc of 64 bits.
func vecsBits(m map[string]vecFn) {
	m["prmt.b32"], m["popc.b64"] = vPrmt, vPopc64
	for _, t := range []string{"b16", "f32", "f16", "bf16", "s16", "u16", "f16x2", "bf16x2", "s32", "u32"} {
		m["mov."+t] = m["mov.b32"]
	}
	for _, t := range []string{"f64", "s64", "u64"} {
		m["mov."+t] = m["mov.b64"]
	}
}

func vPrmt(d, a, b, c unsafe.Pointer) {
	x, y, n, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](c), lanesOf[uint32](d)
	for i := range z {
		z[i] = uint32(permute(uint64(x[i]), uint64(y[i]), uint64(n[i])))
	}
}

func vPopc64(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[uint64](a), lanesOf[uint32](d)
	for i := range z {
		z[i] = uint32(bits.OnesCount64(x[i]))
	}
}
