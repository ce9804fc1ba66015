package alu

import "unsafe"

// cmpsInt enters setp of the integer types (PTX ISA 9.7.6.2).
func cmpsInt(m map[string]cmpFn) {
	cmpsOf[uint32](m, "u32", "")
	cmpsOf[int32](m, "s32", "")
	cmpsOf[uint64](m, "u64", "")
	cmpsOf[int64](m, "s64", "")
	m["setp.lo.u32"], m["setp.ls.u32"], m["setp.hi.u32"], m["setp.hs.u32"] = cmpLT[uint32], cmpLE[uint32], cmpGT[uint32], cmpGE[uint32]
	m["setp.lo.u64"], m["setp.ls.u64"], m["setp.hi.u64"], m["setp.hs.u64"] = cmpLT[uint64], cmpLE[uint64], cmpGT[uint64], cmpGE[uint64]
	m["setp.eq.b32"], m["setp.ne.b32"] = cmpEQ[uint32], cmpNE[uint32]
	m["setp.eq.b64"], m["setp.ne.b64"] = cmpEQ[uint64], cmpNE[uint64]
	m["setp.eq.b16"], m["setp.ne.b16"] = cmpEQ[uint32], cmpNE[uint32]
}

// cmpsFloat enters setp of f32 and f64. An unordered operator is the complement
// of the opposite ordered one.
func cmpsFloat(m map[string]cmpFn) {
	floatCmps[float32](m, "f32")
	floatCmps[float64](m, "f64")
}

func floatCmps[T number](m map[string]cmpFn, t string) {
	cmpsOf[T](m, t, "")
	m["setp.ne."+t] = cmpNEOrdered[T]
	m["setp.neu."+t] = cmpNE[T]
	m["setp.equ."+t] = cmpEQU[T]
	m["setp.ltu."+t], m["setp.leu."+t] = cmpLTU[T], cmpLEU[T]
	m["setp.gtu."+t], m["setp.geu."+t] = cmpGTU[T], cmpGEU[T]
	m["setp.num."+t], m["setp.nan."+t] = cmpNum[T], cmpNaN[T]
}

func cmpsOf[T number](m map[string]cmpFn, t, u string) {
	m["setp.eq"+u+"."+t], m["setp.ne"+u+"."+t] = cmpEQ[T], cmpNE[T]
	m["setp.lt"+u+"."+t], m["setp.le"+u+"."+t] = cmpLT[T], cmpLE[T]
	m["setp.gt"+u+"."+t], m["setp.ge"+u+"."+t] = cmpGT[T], cmpGE[T]
}

// bit31 is the top bit if b: results are shifted in from above, lane 0 first.
func bit31(b bool) uint32 {
	var r uint32
	if b {
		r = 1
	}
	return r << 31
}

func cmpEQ[T number](a, b, _ unsafe.Pointer) (m uint32) {
	x, y := lanesOf[T](a), lanesOf[T](b)
	for i := range x {
		m = m>>1 | bit31(x[i] == y[i])
	}
	return m
}

func cmpNE[T number](a, b, _ unsafe.Pointer) (m uint32) {
	x, y := lanesOf[T](a), lanesOf[T](b)
	for i := range x {
		m = m>>1 | bit31(x[i] != y[i])
	}
	return m
}

func cmpLT[T number](a, b, _ unsafe.Pointer) (m uint32) {
	x, y := lanesOf[T](a), lanesOf[T](b)
	for i := range x {
		m = m>>1 | bit31(x[i] < y[i])
	}
	return m
}

func cmpLE[T number](a, b, _ unsafe.Pointer) (m uint32) {
	x, y := lanesOf[T](a), lanesOf[T](b)
	for i := range x {
		m = m>>1 | bit31(x[i] <= y[i])
	}
	return m
}

func cmpGT[T number](a, b, _ unsafe.Pointer) (m uint32) {
	x, y := lanesOf[T](a), lanesOf[T](b)
	for i := range x {
		m = m>>1 | bit31(x[i] > y[i])
	}
	return m
}

func cmpGE[T number](a, b, _ unsafe.Pointer) (m uint32) {
	x, y := lanesOf[T](a), lanesOf[T](b)
	for i := range x {
		m = m>>1 | bit31(x[i] >= y[i])
	}
	return m
}

func cmpNaN[T number](a, b, _ unsafe.Pointer) (m uint32) {
	x, y := lanesOf[T](a), lanesOf[T](b)
	for i := range x {
		m = m>>1 | bit31(x[i] != x[i]) | bit31(y[i] != y[i])
	}
	return m
}

func cmpLTU[T number](a, b, c unsafe.Pointer) uint32 { return ^cmpGE[T](a, b, c) }
func cmpLEU[T number](a, b, c unsafe.Pointer) uint32 { return ^cmpGT[T](a, b, c) }
func cmpGTU[T number](a, b, c unsafe.Pointer) uint32 { return ^cmpLE[T](a, b, c) }
func cmpGEU[T number](a, b, c unsafe.Pointer) uint32 { return ^cmpLT[T](a, b, c) }
func cmpNum[T number](a, b, c unsafe.Pointer) uint32 { return ^cmpNaN[T](a, b, c) }

func cmpEQU[T number](a, b, c unsafe.Pointer) uint32 {
	return cmpEQ[T](a, b, c) | cmpNaN[T](a, b, c)
}

func cmpNEOrdered[T number](a, b, c unsafe.Pointer) uint32 {
	return cmpNE[T](a, b, c) &^ cmpNaN[T](a, b, c)
}
