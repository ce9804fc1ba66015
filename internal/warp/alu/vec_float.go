package alu

import (
	"math"
	"unsafe"
)

// vecsFloat enters f32 and f64 arithmetic rounded to nearest (PTX ISA 9.7.3).
func vecsFloat(m map[string]vecFn) {
	for _, rnd := range []string{"", ".rn"} {
		m["add"+rnd+".f32"], m["add"+rnd+".ftz.f32"] = vAddF32, vAddFtz
		m["sub"+rnd+".f32"], m["sub"+rnd+".ftz.f32"] = vSubF32, vSubFtz
		m["mul"+rnd+".f32"], m["mul"+rnd+".ftz.f32"] = vMulF32, vMulFtz
		m["add"+rnd+".f64"], m["sub"+rnd+".f64"], m["mul"+rnd+".f64"] = vAddF64, vSubF64, vMulF64
	}
	m["fma.rn.f32"], m["fma.rn.ftz.f32"], m["fma.rn.f64"] = vFmaF32, vFmaFtz, vFmaF64
	m["mad.rn.f32"], m["mad.rn.ftz.f32"], m["mad.rn.f64"] = vFmaF32, vFmaFtz, vFmaF64
	m["div.rn.f32"], m["div.full.f32"], m["div.rn.f64"] = vDivF32, vDivF32, vDivF64
	m["sqrt.rn.f32"], m["sqrt.approx.f32"], m["sqrt.rn.f64"] = vSqrtF32, vSqrtF32, vSqrtF64
	m["neg.f32"], m["abs.f32"] = vNegF32, vAbsF32
	m["neg.f64"], m["abs.f64"] = vNegF64, vAbsF64
	m["min.f32"], m["max.f32"] = vMinF32, vMaxF32
	m["min.f64"], m["max.f64"] = vMinF64, vMaxF64
}

// nan32 gives the pattern of a result, NaN being canonical.
func nan32(x float32) uint32 {
	if x != x {
		return 0x7fffffff
	}
	return math.Float32bits(x)
}

// flush32 reads a float32 under .ftz.
func flush32(b uint32) float32 {
	if b&0x7f800000 == 0 {
		b &= 1 << 31
	}
	return math.Float32frombits(b)
}

// nanFtz gives the pattern of a result under .ftz.
func nanFtz(x float32) uint32 {
	b := nan32(x)
	if b&0x7f800000 == 0 {
		b &= 1 << 31
	}
	return b
}

func vAddF32(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[float32](a), lanesOf[float32](b), lanesOf[uint32](d)
	for i := range z {
		z[i] = nan32(x[i] + y[i])
	}
}

func vSubF32(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[float32](a), lanesOf[float32](b), lanesOf[uint32](d)
	for i := range z {
		z[i] = nan32(x[i] - y[i])
	}
}

func vMulF32(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[float32](a), lanesOf[float32](b), lanesOf[uint32](d)
	for i := range z {
		z[i] = nan32(x[i] * y[i])
	}
}

// vFmaF32 rounds the float64 result a second time where that is harmless: where
// it is a normal float32 and not the middle of two (see fmaF32).
func vFmaF32(d, a, b, c unsafe.Pointer) {
	x, y, w, z := lanesOf[float32](a), lanesOf[float32](b), lanesOf[float32](c), lanesOf[uint32](d)
	for i := range z {
		s := float64(x[i])*float64(y[i]) + float64(w[i])
		u := math.Float64bits(s)
		if uint32(u>>52&0x7ff)-897 < 0x7ff-897 && u&0x1fffffff != 0x10000000 {
			z[i] = math.Float32bits(float32(s))
		} else {
			z[i] = nan32(fmaF32(x[i], y[i], w[i]))
		}
	}
}

func vDivF32(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[float32](a), lanesOf[float32](b), lanesOf[uint32](d)
	for i := range z {
		z[i] = nan32(x[i] / y[i])
	}
}

func vSqrtF32(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[float32](a), lanesOf[uint32](d)
	for i := range z {
		z[i] = nan32(float32(math.Sqrt(float64(x[i]))))
	}
}

func vAddFtz(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](d)
	for i := range z {
		z[i] = nanFtz(flush32(x[i]) + flush32(y[i]))
	}
}

func vSubFtz(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](d)
	for i := range z {
		z[i] = nanFtz(flush32(x[i]) - flush32(y[i]))
	}
}

func vMulFtz(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](d)
	for i := range z {
		z[i] = nanFtz(flush32(x[i]) * flush32(y[i]))
	}
}

// vFmaFtz takes the short way of vFmaF32 where no operand has exponent zero.
func vFmaFtz(d, a, b, c unsafe.Pointer) {
	x, y, w, z := lanesOf[uint32](a), lanesOf[uint32](b), lanesOf[uint32](c), lanesOf[uint32](d)
	const exp = 0x7f800000
	for i := range z {
		p, q, r := x[i], y[i], w[i]
		s := float64(math.Float32frombits(p))*float64(math.Float32frombits(q)) + float64(math.Float32frombits(r))
		u := math.Float64bits(s)
		zeros := (p&exp - 1) | (q&exp - 1) | (r&exp - 1)
		if uint32(u>>52&0x7ff)-897 < 0x7ff-897 && u&0x1fffffff != 0x10000000 && zeros>>31 == 0 {
			z[i] = math.Float32bits(float32(s))
		} else {
			z[i] = nanFtz(fmaF32(flush32(p), flush32(q), flush32(r)))
		}
	}
}

func vAddF64(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[float64](a), lanesOf[float64](b), lanesOf[uint64](d)
	for i := range z {
		r := x[i] + y[i]
		if r != r {
			z[i] = nan64of2(x[i], y[i])
			continue
		}
		z[i] = math.Float64bits(r)
	}
}

func vSubF64(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[float64](a), lanesOf[float64](b), lanesOf[uint64](d)
	for i := range z {
		r := x[i] - y[i]
		if r != r {
			z[i] = nan64of2(x[i], y[i])
			continue
		}
		z[i] = math.Float64bits(r)
	}
}

func vMulF64(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[float64](a), lanesOf[float64](b), lanesOf[uint64](d)
	for i := range z {
		r := x[i] * y[i]
		if r != r {
			z[i] = nan64of2(x[i], y[i])
			continue
		}
		z[i] = math.Float64bits(r)
	}
}

func vDivF64(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[float64](a), lanesOf[float64](b), lanesOf[uint64](d)
	for i := range z {
		r := x[i] / y[i]
		if r != r {
			z[i] = nan64of2(x[i], y[i])
			continue
		}
		z[i] = math.Float64bits(r)
	}
}

func vFmaF64(d, a, b, c unsafe.Pointer) {
	x, y, w, z := lanesOf[float64](a), lanesOf[float64](b), lanesOf[float64](c), lanesOf[uint64](d)
	for i := range z {
		r := math.FMA(x[i], y[i], w[i])
		if r != r {
			z[i] = nan64(math.Float64bits(x[i]), math.Float64bits(y[i]), math.Float64bits(w[i]))
			continue
		}
		z[i] = math.Float64bits(r)
	}
}

func vSqrtF64(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[float64](a), lanesOf[uint64](d)
	for i := range z {
		r := math.Sqrt(x[i])
		if r != r {
			z[i] = nan64(math.Float64bits(x[i]))
			continue
		}
		z[i] = math.Float64bits(r)
	}
}

func nan64of2(x, y float64) uint64 { return nan64(math.Float64bits(x), math.Float64bits(y)) }

func vNegF32(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[uint32](a), lanesOf[uint32](d)
	for i := range z {
		z[i] = x[i] ^ 1<<31
	}
}

func vAbsF32(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[uint32](a), lanesOf[uint32](d)
	for i := range z {
		z[i] = x[i] &^ (1 << 31)
	}
}

func vNegF64(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[uint64](a), lanesOf[uint64](d)
	for i := range z {
		z[i] = x[i] ^ 1<<63
	}
}

func vAbsF64(d, a, _, _ unsafe.Pointer) {
	x, z := lanesOf[uint64](a), lanesOf[uint64](d)
	for i := range z {
		z[i] = x[i] &^ (1 << 63)
	}
}

// Equal operands are combined bit by bit: for zeros of both signs, or gives the
// lesser and and the greater.

func vMinF32(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[float32](a), lanesOf[float32](b), lanesOf[uint32](d)
	for i := range z {
		p, q := x[i], y[i]
		switch {
		case p < q || q != q:
			z[i] = nan32(p)
		case p == q:
			z[i] = math.Float32bits(p) | math.Float32bits(q)
		default:
			z[i] = math.Float32bits(q)
		}
	}
}

func vMaxF32(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[float32](a), lanesOf[float32](b), lanesOf[uint32](d)
	for i := range z {
		p, q := x[i], y[i]
		switch {
		case p > q || q != q:
			z[i] = nan32(p)
		case p == q:
			z[i] = math.Float32bits(p) & math.Float32bits(q)
		default:
			z[i] = math.Float32bits(q)
		}
	}
}

func vMinF64(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[float64](a), lanesOf[float64](b), lanesOf[uint64](d)
	for i := range z {
		p, q := x[i], y[i]
		switch {
		case p < q:
			z[i] = math.Float64bits(p)
		case p == q:
			z[i] = math.Float64bits(p) | math.Float64bits(q)
		case p != p && q != q:
			z[i] = nan64of2(p, q)
		case q != q:
			z[i] = math.Float64bits(p)
		default:
			z[i] = math.Float64bits(q)
		}
	}
}

func vMaxF64(d, a, b, _ unsafe.Pointer) {
	x, y, z := lanesOf[float64](a), lanesOf[float64](b), lanesOf[uint64](d)
	for i := range z {
		p, q := x[i], y[i]
		switch {
		case p > q:
			z[i] = math.Float64bits(p)
		case p == q:
			z[i] = math.Float64bits(p) & math.Float64bits(q)
		case p != p && q != q:
			z[i] = nan64of2(p, q)
		case q != q:
			z[i] = math.Float64bits(p)
		default:
			z[i] = math.Float64bits(q)
		}
	}
}
