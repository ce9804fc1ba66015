package x86

import (
	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// pack is OpPack.
func (g *gen) pack(k *program.Pack) {
	var out []jit.Vec
	for i := range partsOf(k.Width) {
		var r operand
		if k.Bits == 32 {
			r = g.or(g.vi(jit.VPSLLQ, g.fetch(k.Elems[1], body.KZero, i), 32), g.fetch(k.Elems[0], body.KZero, i))
		} else {
			r = g.or(g.vi(jit.VPSLLD, g.fetch(k.Elems[1], body.K32, i), 16),
				g.and(vreg(g.in(g.fetch(k.Elems[0], body.K32, i))), g.c32(0xffff)))
		}
		out = append(out, r.r)
		g.keep(out)
	}
	g.define(k.Reg, k.Width, out)
}

// unpack is OpUnpack.
func (g *gen) unpack(k *program.Pack) {
	var outs [2][]jit.Vec
	for e := range 2 {
		if k.Elems[e] == program.NoSlot {
			continue
		}
		for i := range partsOf(k.Width) {
			o := g.fetch(k.Reg, body.KindOf(k.Width.Bytes()), i)
			switch {
			case k.Bits == 32:
				if e == 1 {
					o = g.vi(jit.VPSRLQ, o, 32)
				}
				d := g.tmp()
				g.Emit(jit.VPMOVQD, jit.Args{Reg: int8(g.in(o)), RM: int8(d)})
				outs[e] = g.join(outs[e], d, i, 4)
			case e == 1:
				outs[e] = append(outs[e], g.vi(jit.VPSRLD, o, 16).r)
			default:
				outs[e] = append(outs[e], g.and(vreg(g.in(o)), g.c32(0xffff)).r)
			}
			g.keep(append(append([]jit.Vec{}, outs[0]...), outs[1]...))
		}
	}
	for e := range 2 {
		if k.Elems[e] != program.NoSlot {
			g.define(k.Elems[e], k.ElemWidth, outs[e])
		}
	}
}
