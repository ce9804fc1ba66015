package main

// shortFloats are the conversions of f16 and bf16 (PTX ISA 9.7.9.21).
func shortFloats() []spec {
	d1, d2 := []kind{d32}, []kind{d32, d32}
	return []spec{
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
