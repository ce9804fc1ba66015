package main

import (
	"github.com/mmcloughlin/avo/operand"

	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
)

// Primitives of package body that are more than one instruction.

// mulLow64 is the low half of a product: AVX2 puts 64 bits together from three products of 32.
func (w *walk) mulLow64(a, b vec) vec {
	x := w.op("VPMULUDQ", b, w.op("VPSRLQ", imm(32), a))
	y := w.op("VPMULUDQ", a, w.op("VPSRLQ", imm(32), b))
	high := w.op("VPSLLQ", imm(32), w.op("VPADDQ", x, y))
	return w.op("VPADDQ", high, w.op("VPMULUDQ", a, b))
}

// extreme64 are min and max of 64 bits of AVX2.
func extreme64(most, signed bool) func(w *walk, a, b vec) vec {
	return func(w *walk, a, b vec) vec {
		m := w.gt(w.order(a, 8, signed), w.order(b, 8, signed), 8)
		if most {
			a, b = b, a
		}
		return w.sel(m, b, a, 8)
	}
}

// shiftSigned64 is the shift of AVX2 that fills with the sign.
func (w *walk) shiftSigned64(x, n vec) vec {
	sign := w.gt(w.zero(x), x, 8).(vec)
	return w.xor(w.op("VPSRLVQ", n, w.xor(x, sign)), sign)
}

// order maps unsigned numbers to signed ones of the same order.
func (g *gen) order(x vec, w int, signed bool) vec {
	if signed {
		return x
	}
	return g.xor(x, g.cst(x, w, 1<<31, 1<<63))
}

func (g *gen) abs(x vec, w int) vec {
	if w == 4 || g.z {
		return g.op(el("VPABS", w), x)
	}
	m := g.gt(g.zero(x), x, w).(vec)
	return g.op("VPSUBQ", m, g.xor(x, m))
}

// high are the upper halves of products of 32 bits: of the even elements, then of the odd ones.
func (g *gen) high(name string, a, b vec) vec {
	even := g.op("VPSRLQ", imm(32), g.op(name, b, a))
	odd := g.op(name, g.op("VPSRLQ", imm(32), b), g.op("VPSRLQ", imm(32), a))
	return g.or(even, g.and(odd, g.c64(odd, 0xffffffff<<32)))
}

// ones32 counts the bits of each element.
func (g *gen) ones32(x vec) vec {
	n := g.byteCounts(x)
	return g.op("VPMADDWD", g.c32(n, 0x00010001), g.op("VPMADDUBSW", g.c32(n, 0x01010101), n))
}

// conversions of one instruction: of elements of one size, to larger ones, and to smaller ones, where AVX2 names the
// instruction by the size of its operand.
var (
	sameSize = map[body.Op]map[body.Type]string{body.ToF32: {body.S32: "VCVTDQ2PS"}, body.ToF64: {body.S64: "VCVTQQ2PD", body.U64: "VCVTUQQ2PD"},
		body.ToS32: {body.F32: "VCVTPS2DQ"}, body.CutS32: {body.F32: "VCVTTPS2DQ"}}
	widening  = map[body.Type]string{body.S32: "VCVTDQ2PD", body.F32: "VCVTPS2PD"}
	narrowing = map[body.Op]map[body.Type]string{body.ToF32: {body.S64: "VCVTQQ2PS", body.U64: "VCVTUQQ2PS", body.F64: "VCVTPD2PS"},
		body.CutS32: {body.F64: "VCVTTPD2DQ"}}
)

// convert renders a conversion.
func (w *walk) convert(n *body.Node, x vec) vec {
	from := body.Type(n.Bits)
	if name := sameSize[n.Op][from]; name != "" {
		return w.op(name, x)
	}
	if name := narrowing[n.Op][from]; name != "" {
		return w.narrow(name, x)
	}
	if name := widening[from]; name != "" && n.Op == body.ToF64 {
		return w.to(w.bytes(), name, x)
	}
	switch n.Op {
	case body.ToF32:
		return w.u32F32(x)
	case body.ToF64:
		return w.u32F64(x)
	}
	if from == body.F64 {
		return w.f64U32(x, n.Op == body.CutU32)
	}
	return w.f32U32(x)
}

func (g *gen) narrow(name string, x operand.Op) vec {
	return g.to(g.bytes()/2, g.pick(name, name+"Y"), x)
}

// u32F32 of AVX2 converts halves of 16 bits exactly and rounds in their sum.
func (g *gen) u32F32(x vec) vec {
	if g.z {
		return g.op("VCVTUDQ2PS", x)
	}
	hi := g.op("VCVTDQ2PS", g.op("VPSRLD", imm(16), x))
	lo := g.op("VCVTDQ2PS", g.and(x, g.c32(x, 0xffff)))
	return g.op("VADDPS", lo, g.op("VMULPS", g.c32(x, 0x47800000), hi))
}

const (
	two31f, two32f = 0x4f000000, 0x4f800000          // f32
	two32d, two52d = 0x41f0000000000000, 0x433 << 52 // f64
)

// u32F64 of AVX2 makes numbers of which the low half of 2^52's pattern is the integer.
func (g *gen) u32F64(x vec) vec {
	if g.z {
		return g.to(64, "VCVTUDQ2PD", x)
	}
	wide := g.to(32, "VPMOVZXDQ", x)
	m := g.c64(wide, two52d)
	return g.op("VSUBPD", m, g.or(wide, m))
}

// f32U32 of AVX2 takes 2^31 off large numbers, and puts it back. All ones are for what is beyond the range.
func (g *gen) f32U32(x vec) vec {
	if g.z {
		return g.op("VCVTTPS2UDQ", x)
	}
	big := g.cmpF(geO, x, g.c32(x, two31f), 4).(vec)
	low := g.op("VSUBPS", g.and(big, g.c32(x, two31f)), x)
	r := g.xor(g.op("VCVTTPS2DQ", low), g.and(big, g.c32(x, 1<<31)))
	return g.or(r, g.cmpF(geO, x, g.c32(x, two32f), 4).(vec))
}

// f64U32 of AVX2 adds 2^52, whose pattern then ends in the integer. limit gives all ones to what is beyond.
func (g *gen) f64U32(x vec, limit bool) vec {
	if g.z {
		return g.to(32, "VCVTTPD2UDQ", x)
	}
	y := g.op("VROUNDPD", imm(3), x)
	r := g.op("VADDPD", g.c64(y, two52d), y)
	if limit {
		r = g.or(r, g.cmpF(geO, y, g.c64(y, two32d), 8).(vec))
	}
	return g.op("VPERMQ", imm(0xd8), g.op("VPSHUFD", imm(0xd8), r)).AsX().(vec)
}
