package native

import "github.com/warpgrind/warpgrind/internal/warp/jit"

// convertNatives are conversions (PTX ISA 9.7.9.21).
func convertNatives(m map[string]*native) {
	one := func(k, dst kind, b body, ops ...string) {
		for _, op := range ops {
			m[op] = &native{args: []kind{k}, dst: dst, body: b}
		}
	}
	id := func(_ *gen, x []operand) operand { return x[0] }
	masked := func(v uint32) body {
		return func(g *gen, x []operand) operand { return g.and(vreg(g.in(x[0])), g.c32(v)) }
	}
	extended := func(n byte) body {
		return func(g *gen, x []operand) operand { return g.vi(jit.VPSRAD, g.vi(jit.VPSLLD, x[0], n), n) }
	}
	one(kZX, k64, id, "cvt.u64.u32", "cvt.s64.u32")
	one(kSX, k64, id, "cvt.u64.s32", "cvt.s64.s32")
	one(k64, kLow, id, "cvt.u32.u64", "cvt.u32.s64", "cvt.s32.u64", "cvt.s32.s64")
	one(k32, k32, masked(0xffff), "cvt.u32.u16", "cvt.s32.u16", "cvt.u16.u32", "cvt.u16.s32")
	one(k32, k32, masked(0xff), "cvt.u32.u8", "cvt.s32.u8", "cvt.u8.u32")
	one(k32, k32, extended(16), "cvt.u32.s16", "cvt.s32.s16", "cvt.s16.s32")
	one(k32, k32, extended(24), "cvt.u32.s8", "cvt.s32.s8")
	one(k32, k32, una(jit.VCVTDQ2PS), "cvt.rn.f32.s32")
	one(k32, k32, una(jit.VCVTUDQ2PS), "cvt.rn.f32.u32")
	one(kHalf, k64, una(jit.VCVTDQ2PD), "cvt.rn.f64.s32")
	one(kHalf, k64, una(jit.VCVTUDQ2PD), "cvt.rn.f64.u32")
	one(k64, k64, una(jit.VCVTQQ2PD), "cvt.rn.f64.s64")
	one(k64, k64, una(jit.VCVTUQQ2PD), "cvt.rn.f64.u64")
	one(k64, kHalf, una(jit.VCVTQQ2PS), "cvt.rn.f32.s64")
	one(k64, kHalf, una(jit.VCVTUQQ2PS), "cvt.rn.f32.u64")
	for typ, cut := range map[string]body{"u8": masked(0xff), "u16": masked(0xffff), "s8": extended(24), "s16": extended(16)} {
		one(k32, k32, func(g *gen, x []operand) operand { return g.v2(jit.VCVTDQ2PS, cut(g, x)) }, "cvt.rn.f32."+typ)
	}
	toInts(m)
	floatConversions(m)
	toTF32(m)
}

// toTF32: the lower 13 bits of the fraction are rounded away; a carry continues into the exponent, up to infinity.
func toTF32(m map[string]*native) {
	for mode, up := range map[string]body{
		"rna": func(g *gen, _ []operand) operand { return g.c32(0x1000) },
		"rn": func(g *gen, x []operand) operand {
			return g.v3(jit.VPADDD, g.and(g.vi(jit.VPSRLD, x[0], 13), g.c32(1)), g.c32(0xfff))
		},
		"rz": nil,
	} {
		m["cvt."+mode+".tf32.f32"] = &native{args: shape(4, 1), dst: k32, floats: true, body: func(g *gen, x []operand) operand {
			a := vreg(g.in(x[0]))
			r := a
			if up != nil {
				r = g.v3(jit.VPADDD, r, up(g, []operand{a}))
			}
			r = g.and(r, g.c32(0xffffe000))
			return g.sel(g.mask(jit.VCMPPS, a, a, unord, 0), g.c32(0x7fffffff), r, 4)
		}}
	}
}

// toInts: x86 gives 0x80000000 for what does not fit and for NaN.
func toInts(m map[string]*native) {
	signed := func(in *jit.Inst) *native {
		return &native{args: shape(4, 1), dst: k32, body: func(g *gen, x []operand) operand { return g.toS32(in, vreg(g.in(x[0]))) }}
	}
	m["cvt.rzi.s32.f32"] = signed(jit.VCVTTPS2DQ)
	m["cvt.rzi.ftz.s32.f32"] = m["cvt.rzi.s32.f32"] // a subnormal is 0 either way
	m["cvt.rni.s32.f32"] = signed(jit.VCVTPS2DQ)
	for mode, name := range map[byte]string{1: "cvt.rmi.s32.f32", 2: "cvt.rpi.s32.f32"} {
		m[name] = &native{args: shape(4, 1), dst: k32, body: func(g *gen, x []operand) operand {
			return g.toS32(jit.VCVTTPS2DQ, g.v2i(jit.VRNDSCALEPS, x[0], mode))
		}}
	}
	m["cvt.rzi.u32.f32"] = &native{args: shape(4, 1), dst: k32, body: func(g *gen, x []operand) operand {
		return g.v2(jit.VCVTTPS2UDQ, g.v3(jit.VMAXPS, x[0], g.c32(0))) // NaN becomes 0
	}}
	m["cvt.rzi.s32.f64"] = &native{args: shape(8, 1), dst: kHalf, body: func(g *gen, x []operand) operand {
		return g.v2(jit.VCVTTPD2DQ, g.v3(jit.VMINPD, g.c64(0x41dfffffffc00000), x[0]))
	}}
	m["cvt.rzi.u32.f64"] = &native{args: shape(8, 1), dst: kHalf, body: func(g *gen, x []operand) operand {
		a := vreg(g.in(x[0]))
		y := g.v3(jit.VMAXPD, a, g.c64(0))
		nan := g.mask(jit.VCMPPD, a, a, unord, 0)
		return g.v2(jit.VCVTTPD2UDQ, g.sel(nan, g.c64(0x41e0000000000000), y, 8))
	}}
}

func (g *gen) toS32(in *jit.Inst, x operand) operand {
	r := g.v2(in, x)
	r = g.sel(g.mask(jit.VCMPPS, x, g.c32(0x4f000000), geO, 0), g.c32(1<<31-1), r, 4)
	return g.sel(g.mask(jit.VCMPPS, x, x, unord, 0), g.c32(0), r, 4)
}

func floatConversions(m map[string]*native) {
	for mode, name := range map[byte]string{0: "rni", 1: "rmi", 2: "rpi", 3: "rzi"} {
		f32Round(m, name, mode)
		m["cvt."+name+".f64.f64"] = &native{args: shape(8, 1), dst: k64, body: func(g *gen, x []operand) operand { return g.v2i(jit.VRNDSCALEPD, x[0], mode) }}
	}
	m["cvt.f64.f32"] = &native{args: []kind{kHalf}, dst: k64, body: func(g *gen, x []operand) operand {
		r := g.v2(jit.VCVTPS2PD, x[0])
		return g.sel(g.mask(jit.VCMPPD, r, r, unord, 0), g.c64(0x7fffffffe0000000), r, 8)
	}}
	m["cvt.rn.f32.f64"] = &native{args: shape(8, 1), dst: kHalf, body: func(g *gen, x []operand) operand {
		return g.canonical(g.v2(jit.VCVTPD2PS, x[0]))
	}}
}

func f32Round(m map[string]*native, name string, mode byte) {
	round := func(g *gen, x operand) operand { return g.canonical(g.v2i(jit.VRNDSCALEPS, x, mode)) }
	m["cvt."+name+".f32.f32"] = &native{args: shape(4, 1), dst: k32, body: func(g *gen, x []operand) operand { return round(g, x[0]) }}
	m["cvt."+name+".ftz.f32.f32"] = &native{args: shape(4, 1), dst: k32, body: func(g *gen, x []operand) operand {
		return g.flushed(round(g, g.flushed(x[0])))
	}}
}
