package main

import (
	"sort"

	"github.com/mmcloughlin/avo/operand"
)

const (
	two31f, two32f = 0x4f000000, 0x4f800000          // f32
	two31d, two52d = 0x41e0000000000000, 0x433 << 52 // f64
)

// convertSpecs are the conversions of PTX ISA 9.7.9.21.
func convertSpecs() []spec {
	id := func(_ *gen, x []vec) vec { return x[0] }
	s := []spec{
		{name: "zext32", ops: names("cvt.{u64,s64}.u32"), args: []kind{zx}, dst: q64, body: id},
		{name: "sext32", ops: names("cvt.{u64,s64}.s32"), args: []kind{sx}, dst: q64, body: id},
		{name: "trunc64", ops: names("cvt.{u32,s32}.{u64,s64}"), args: q1, dst: low, body: id},
		{name: "mask16", ops: names("cvt.{u32,s32}.u16", "cvt.u16.{u32,s32}"), args: d1, dst: d32, body: masked(0xffff)},
		{name: "mask8", ops: names("cvt.{u32,s32}.u8", "cvt.u8.u32"), args: d1, dst: d32, body: masked(0xff)},
		{name: "sext16", ops: names("cvt.{u32,s32}.s16", "cvt.s16.s32"), args: d1, dst: d32, body: extended(16)},
		{name: "sext8", ops: names("cvt.{u32,s32}.s8", "cvt.s8.s32"), args: d1, dst: d32, body: extended(24)},
	}
	s = append(s, fromInts()...)
	s = append(s, fromSmallInts()...)
	s = append(s, toInts()...)
	s = append(s, roundings()...)
	return append(s, betweenFloats()...)
}

func masked(m uint32) func(g *gen, x []vec) vec {
	return func(g *gen, x []vec) vec { return g.and(x[0], g.c32(x[0], m)) }
}

func extended(n int) func(g *gen, x []vec) vec {
	return func(g *gen, x []vec) vec { return g.op("VPSRAD", imm(n), g.op("VPSLLD", imm(n), x[0])) }
}

func fromInts() []spec {
	q := []kind{q64}
	return []spec{
		{name: "s32F32", ops: []string{"cvt.rn.f32.s32"}, args: d1, dst: d32, body: one("VCVTDQ2PS")},
		{name: "u32F32", ops: []string{"cvt.rn.f32.u32"}, args: d1, dst: d32, body: u32F32},
		{name: "s32F64", ops: []string{"cvt.rn.f64.s32"}, args: []kind{half}, dst: q64,
			body: func(g *gen, x []vec) vec { return g.to(g.bytes(), "VCVTDQ2PD", x[0]) }},
		// The low half of 2^52's pattern is the integer.
		{name: "u32F64", ops: []string{"cvt.rn.f64.u32"}, args: []kind{zx}, dst: q64,
			body: func(g *gen, x []vec) vec {
				m := g.c64(x[0], two52d)
				return g.op("VSUBPD", m, g.or(x[0], m))
			}},
		{name: "s64F64", ops: []string{"cvt.rn.f64.s64"}, args: q, dst: q64, body: one("VCVTQQ2PD"), only512: true},
		{name: "u64F64", ops: []string{"cvt.rn.f64.u64"}, args: q, dst: q64, body: one("VCVTUQQ2PD"), only512: true},
		{name: "s64F32", ops: []string{"cvt.rn.f32.s64"}, args: q, dst: half, body: narrowed("VCVTQQ2PS"), only512: true},
		{name: "u64F32", ops: []string{"cvt.rn.f32.u64"}, args: q, dst: half, body: narrowed("VCVTUQQ2PS"), only512: true},
	}
}

// fromSmallInts converts the low bits of a register, exactly.
func fromSmallInts() (s []spec) {
	for t, cut := range map[string]func(g *gen, x []vec) vec{
		"u8": masked(0xff), "u16": masked(0xffff), "s8": extended(24), "s16": extended(16),
	} {
		s = append(s, spec{name: t + "F32", ops: []string{"cvt.rn.f32." + t}, args: d1, dst: d32,
			body: func(g *gen, x []vec) vec { return g.op("VCVTDQ2PS", cut(g, x)) }})
	}
	sort.Slice(s, func(i, j int) bool { return s[i].name < s[j].name })
	return s
}

// roundings round to integral values: floor, ceil and their like.
func roundings() (s []spec) {
	for mode, m := range []string{"rni", "rmi", "rpi", "rzi"} { // as VROUNDPS numbers them
		round := func(g *gen, x vec, w int) vec {
			return g.op(g.pick(fl("VRNDSCALE", w), fl("VROUND", w)), imm(mode), x)
		}
		s = append(s, f32(m, 1, func(g *gen, x []vec) vec { return round(g, x[0], 4) },
			[]string{"cvt." + m + ".f32.f32"}, []string{"cvt." + m + ".ftz.f32.f32"})...)
		s = append(s, spec{name: m + "F64", ops: []string{"cvt." + m + ".f64.f64"}, args: q1, dst: q64,
			body: func(g *gen, x []vec) vec { return round(g, x[0], 8) }})
		if m == "rmi" || m == "rpi" {
			s = append(s, spec{name: m + "S32", ops: []string{"cvt." + m + ".s32.f32"}, args: d1, dst: d32,
				body: func(g *gen, x []vec) vec { return g.toS32("VCVTTPS2DQ", round(g, x[0], 4)) }})
		}
	}
	return s
}

// narrowed is a conversion to elements of half the size; AVX2 names it by the
// size of its operand.
func narrowed(name string) func(g *gen, x []vec) vec {
	return func(g *gen, x []vec) vec { return g.narrow(name, x[0]) }
}

func (g *gen) narrow(name string, x operand.Op) vec {
	return g.to(g.bytes()/2, g.pick(name, name+"Y"), x)
}

// u32F32 of AVX2 converts halves of 16 bits exactly and rounds in their sum.
func u32F32(g *gen, x []vec) vec {
	if g.z {
		return g.op("VCVTUDQ2PS", x[0])
	}
	hi := g.op("VCVTDQ2PS", g.op("VPSRLD", imm(16), x[0]))
	lo := g.op("VCVTDQ2PS", g.and(x[0], g.c32(x[0], 0xffff)))
	return g.op("VADDPS", lo, g.op("VMULPS", g.c32(x[0], 0x47800000), hi))
}

// toInts: x86 gives 0x80000000 for what does not fit and for NaN.
func toInts() []spec {
	return []spec{
		{name: "f32S32", ops: []string{"cvt.rzi.s32.f32"}, args: d1, dst: d32, body: func(g *gen, x []vec) vec {
			return g.toS32("VCVTTPS2DQ", x[0])
		}},
		{name: "f32S32Near", ops: []string{"cvt.rni.s32.f32"}, args: d1, dst: d32, body: func(g *gen, x []vec) vec {
			return g.toS32("VCVTPS2DQ", x[0])
		}},
		{name: "f32S32Ftz", ops: []string{"cvt.rzi.ftz.s32.f32"}, args: d1, dst: d32, body: func(g *gen, x []vec) vec {
			return g.toS32("VCVTTPS2DQ", x[0]) // a subnormal is 0 either way
		}},
		{name: "f32U32", ops: []string{"cvt.rzi.u32.f32"}, args: d1, dst: d32, body: f32U32},
		{name: "f64S32", ops: []string{"cvt.rzi.s32.f64"}, args: q1, dst: half, body: func(g *gen, x []vec) vec {
			most := g.c64(x[0], 0x41dfffffffc00000)
			return g.narrow("VCVTTPD2DQ", g.op("VMINPD", x[0], most))
		}},
		{name: "f64U32", ops: []string{"cvt.rzi.u32.f64"}, args: q1, dst: half, only512: true, body: func(g *gen, x []vec) vec {
			y := g.op("VMAXPD", g.zero(x[0]), x[0])
			y = g.sel(g.cmpF(unord, x[0], x[0], 8), g.c64(y, two31d), y, 8)
			return g.narrow("VCVTTPD2UDQ", y)
		}},
	}
}

func (g *gen) toS32(convert string, x vec) vec {
	r := g.op(convert, x)
	r = g.sel(g.cmpF(geO, x, g.c32(x, two31f), 4), g.c32(x, 1<<31-1), r, 4)
	return g.sel(g.cmpF(unord, x, x, 4), g.zero(x), r, 4)
}

func f32U32(g *gen, x []vec) vec {
	y := g.op("VMAXPS", g.zero(x[0]), x[0]) // NaN becomes 0
	if g.z {
		return g.op("VCVTTPS2UDQ", y)
	}
	big := g.cmpF(geO, y, g.c32(y, two31f), 4).(vec)
	low := g.op("VSUBPS", g.and(big, g.c32(y, two31f)), y)
	r := g.xor(g.op("VCVTTPS2DQ", low), g.and(big, g.c32(y, 1<<31)))
	return g.or(r, g.cmpF(geO, y, g.c32(y, two32f), 4).(vec))
}

func betweenFloats() []spec {
	return []spec{
		{name: "f32F64", ops: []string{"cvt.f64.f32"}, args: []kind{half}, dst: q64, body: func(g *gen, x []vec) vec {
			r := g.to(g.bytes(), "VCVTPS2PD", x[0])
			return g.sel(g.cmpF(unord, r, r, 8), g.c64(r, 0x7fffffffe0000000), r, 8)
		}},
		{name: "f64F32", ops: []string{"cvt.rn.f32.f64"}, args: q1, dst: half, body: func(g *gen, x []vec) vec {
			return g.nan32(g.narrow("VCVTPD2PS", x[0]))
		}},
		{name: "f16F32", ops: []string{"cvt.f32.f16"}, args: d1, dst: d32, body: f16F32},
		{name: "f32F16x2", ops: []string{"cvt.rn.f16x2.f32"}, args: d2, dst: d32, body: func(g *gen, x []vec) vec {
			return g.or(g.op("VPSLLD", imm(16), toF16(g, x[:1])), toF16(g, x[1:]))
		}},
		{name: "f32F16", ops: []string{"cvt.rn.f16.f32"}, args: d1, dst: d32, body: toF16},
		{name: "f32BF16x2", ops: []string{"cvt.rn.bf16x2.f32"}, args: d2, dst: d32, body: func(g *gen, x []vec) vec {
			return g.or(g.op("VPSLLD", imm(16), f32BF16(g, x[:1])), f32BF16(g, x[1:]))
		}},
		{name: "f32BF16", ops: []string{"cvt.rn.bf16.f32"}, args: d1, dst: d32, body: f32BF16},
		{name: "bf16F32", ops: []string{"cvt.f32.bf16"}, args: d1, dst: d32, body: func(g *gen, x []vec) vec {
			return g.nan32(g.op("VPSLLD", imm(16), x[0]))
		}},
	}
}

func toF16(g *gen, x []vec) vec {
	return g.to(g.bytes(), "VPMOVZXWD", g.to(g.bytes()/2, "VCVTPS2PH", imm(0), g.nan32(x[0])))
}

// f16F32 packs the low halves of the elements first.
func f16F32(g *gen, x []vec) vec {
	if g.z {
		return g.nan32(g.to(g.bytes(), "VCVTPH2PS", g.to(g.bytes()/2, "VPMOVDW", x[0])))
	}
	low := g.and(x[0], g.c32(x[0], 0xffff))
	packed := g.op("VPERMQ", imm(0xd8), g.op("VPACKUSDW", low, low))
	return g.nan32(g.to(g.bytes(), "VCVTPH2PS", packed.AsX()))
}

// f32BF16 adds half of the last place kept, less one bit if that is even.
func f32BF16(g *gen, x []vec) vec {
	odd := g.and(g.op("VPSRLD", imm(16), x[0]), g.c32(x[0], 1))
	r := g.op("VPADDD", g.op("VPADDD", x[0], g.c32(x[0], 0x7fff)), odd)
	r = g.sel(g.cmpF(unord, x[0], x[0], 4), g.c32(r, 0x7fff0000), r, 4)
	return g.op("VPSRLD", imm(16), r)
}
