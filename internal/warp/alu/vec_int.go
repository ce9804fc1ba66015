package alu

import "unsafe"

// The loops below are instantiated for basic types only, each of which the
// compiler gives its own code: there is no call inside them.

type integer interface {
	int32 | uint32 | int64 | uint64
}

type number interface {
	integer | float32 | float64
}

func lanesOf[T any](p unsafe.Pointer) *[Lanes]T { return (*[Lanes]T)(p) }

// vecsInt enters integer arithmetic (PTX ISA 9.7.1).
func vecsInt(m map[string]vecFn) {
	vecsOf[uint32](m, "u32")
	vecsOf[int32](m, "s32")
	vecsOf[uint64](m, "u64")
	vecsOf[int64](m, "s64")
	m["mul.wide.u32"], m["mad.wide.u32"] = vMulWide[uint32, uint64], vMadWide[uint32, uint64]
	m["mul.wide.s32"], m["mad.wide.s32"] = vMulWide[int32, int64], vMadWide[int32, int64]
	m["mul.hi.u32"], m["mul.hi.s32"] = vMulHiU32, vMulHiS32
	m["neg.s32"], m["neg.s64"] = vNeg[int32], vNeg[int64]
	m["abs.s32"], m["abs.s64"] = vAbs[int32], vAbs[int64]
}

func vecsOf[T integer](m map[string]vecFn, t string) {
	m["add."+t], m["sub."+t], m["mul.lo."+t] = vAdd[T], vSub[T], vMul[T]
	m["mad.lo."+t], m["min."+t], m["max."+t] = vMad[T], vMin[T], vMax[T]
	m["shr."+t], m["mov."+t] = vShr[T], vMov[T]
	m["div."+t], m["rem."+t] = vDiv[T], vRem[T]
}

func vAdd[T integer](d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[T](a), lanesOf[T](b), lanesOf[T](d)
	for i := range z {
		z[i] = x[i] + y[i]
	}
}

func vSub[T integer](d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[T](a), lanesOf[T](b), lanesOf[T](d)
	for i := range z {
		z[i] = x[i] - y[i]
	}
}

func vMul[T integer](d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[T](a), lanesOf[T](b), lanesOf[T](d)
	for i := range z {
		z[i] = x[i] * y[i]
	}
}

func vMad[T integer](d, a, b, c unsafe.Pointer) {
	x, y, w, z := lanesOf[T](a), lanesOf[T](b), lanesOf[T](c), lanesOf[T](d)
	for i := range z {
		z[i] = x[i]*y[i] + w[i]
	}
}

func vMulWide[T, W integer](d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[T](a), lanesOf[T](b), lanesOf[W](d)
	for i := range z {
		z[i] = W(x[i]) * W(y[i])
	}
}

func vMadWide[T, W integer](d, a, b, c unsafe.Pointer) {
	x, y, w, z := lanesOf[T](a), lanesOf[T](b), lanesOf[W](c), lanesOf[W](d)
	for i := range z {
		z[i] = W(x[i])*W(y[i]) + w[i]
	}
}

func vMulHiU32(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](d)
	for i := range z {
		z[i] = uint32(uint64(x[i]) * uint64(y[i]) >> 32)
	}
}

func vMulHiS32(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[int32](a), lanesOf[int32](b), lanesOf[int32](d)
	for i := range z {
		z[i] = int32(int64(x[i]) * int64(y[i]) >> 32)
	}
}

func vMin[T integer](d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[T](a), lanesOf[T](b), lanesOf[T](d)
	for i := range z {
		z[i] = min(x[i], y[i])
	}
}

func vMax[T integer](d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[T](a), lanesOf[T](b), lanesOf[T](d)
	for i := range z {
		z[i] = max(x[i], y[i])
	}
}

func vNeg[T integer](d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[T](a), lanesOf[T](d)
	for i := range z {
		z[i] = -x[i]
	}
}

func vAbs[T integer](d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[T](a), lanesOf[T](d)
	for i := range z {
		z[i] = max(x[i], -x[i])
		if x[i] == -x[i] {
			z[i] = x[i]
		}
	}
}

func vDiv[T integer](d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[T](a), lanesOf[T](b), lanesOf[T](d)
	for i := range z {
		if y[i] == 0 {
			z[i] = ^T(0)
		} else {
			z[i] = x[i] / y[i] // Go defines MIN / -1 as MIN
		}
	}
}

func vRem[T integer](d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[T](a), lanesOf[T](b), lanesOf[T](d)
	for i := range z {
		if y[i] == 0 {
			z[i] = ^T(0)
		} else {
			z[i] = x[i] % y[i]
		}
	}
}

// vShr shifts by the 32-bit counts in b; a count beyond the width clamps.
func vShr[T integer](d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[T](a), lanesOf[uint32](b), lanesOf[T](d)
	for i := range z {
		z[i] = x[i] >> y[i]
	}
}

func vMov[T number](d, a, _, _ unsafe.Pointer) { *lanesOf[T](d) = *lanesOf[T](a) }
