package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// nibbles counts the bits of the numbers 0 to 15.
var nibbles = [2]uint64{0x0302020102010100, 0x0403030203020201}

// specials are popc of 64 bits, brev and prmt.
func specials() []spec {
	d1, d3, q1 := []kind{d32}, []kind{d32, d32, d32}, []kind{q64}
	popc := func(sum func(g *gen, bytes vec) vec) func(g *gen, x []vec) vec {
		return func(g *gen, x []vec) vec { return sum(g, g.byteCounts(x[0])) }
	}
	return []spec{
		{name: "prmt", ops: []string{"prmt.b32"}, args: d3, dst: d32, body: permute},
		{name: "brev32", ops: []string{"brev.b32"}, args: d1, dst: d32, body: reverse(4)},
		{name: "brev64", ops: []string{"brev.b64"}, args: q1, dst: q64, body: reverse(8)},
		{name: "popc64", ops: []string{"popc.b64"}, args: q1, dst: low, body: popc(func(g *gen, n vec) vec {
			return g.op("VPSADBW", g.zero(n), n)
		})},
	}
}

// byteCounts counts the set bits of every byte.
func (g *gen) byteCounts(x vec) vec {
	table, nibble := g.table("nibbles", nibbles[:], "VBROADCASTI32X4", "VBROADCASTI128"), g.c32(x, 0x0f0f0f0f)
	lo := g.op("VPSHUFB", g.and(x, nibble), table)
	hi := g.op("VPSHUFB", g.and(g.op("VPSRLW", imm(4), x), nibble), table)
	return g.op("VPADDB", lo, hi)
}

// permute is prmt: four bytes of b:a by the selectors' low three bits, or eight
// copies of the byte's sign where the fourth is set (PTX ISA 9.7.8.7).
func permute(g *gen, x []vec) vec {
	c := g.and(x[2], g.c32(x[2], 0xffff))
	c = g.and(g.or(c, g.op("VPSLLD", imm(8), c)), g.c32(c, 0x00ff00ff))
	c = g.and(g.or(c, g.op("VPSLLD", imm(4), c)), g.c32(c, 0x0f0f0f0f))
	// b:a of two lanes fill 16 bytes; the second lane's are 8 further.
	index := g.or(g.and(c, g.c32(c, 0x07070707)), g.c64(c, 0x08080808<<32))
	lo := g.op("VPSHUFB", index, g.op("VPUNPCKLDQ", x[1], x[0]))
	hi := g.op("VPSHUFB", index, g.op("VPUNPCKHDQ", x[1], x[0]))
	r := g.op("VSHUFPD", imm(0xaa>>(8-g.bytes()/8)), hi, lo)
	flag := g.op("VPSLLD", imm(4), c)
	if g.z {
		sign := g.op("VPMOVM2B", g.newMask("VPMOVB2M", r))
		return g.op("VPBLENDMB", sign, r, g.newMask("VPMOVB2M", flag))
	}
	return g.op("VPBLENDVB", flag, g.op("VPCMPGTB", r, g.zero(r)), r)
}

// reverse is brev: the bits of every byte, then the bytes.
func reverse(w int) func(g *gen, x []vec) vec {
	return func(g *gen, x []vec) vec {
		nibble := g.c32(x[0], 0x0f0f0f0f)
		table := g.table("reversed", []uint64{0x0e060a020c040800, 0x0f070b030d050901}, "VBROADCASTI32X4", "VBROADCASTI128")
		order := g.table("bytes32", []uint64{0x0405060700010203, 0x0c0d0e0f08090a0b}, "VBROADCASTI32X4", "VBROADCASTI128")
		if w == 8 {
			order = g.table("bytes64", []uint64{0x0001020304050607, 0x08090a0b0c0d0e0f}, "VBROADCASTI32X4", "VBROADCASTI128")
		}
		lo := g.op("VPSHUFB", g.and(x[0], nibble), table)
		hi := g.op("VPSHUFB", g.and(g.op("VPSRLW", imm(4), x[0]), nibble), table)
		return g.op("VPSHUFB", order, g.or(g.op("VPSLLD", imm(4), lo), hi))
	}
}

// table is a register filled with a constant of 16 bytes.
func (g *gen) table(name string, v []uint64, avx512, avx2 string) vec {
	if r, ok := g.consts[name]; ok {
		return r
	}
	r := g.to(g.bytes(), g.pick(avx512, avx2), g.memory(name, v))
	g.consts[name] = r
	return r
}

// memory is a constant in read-only data.
func (g *gen) memory(name string, v []uint64) operand.Mem {
	if m, ok := g.data[name]; ok {
		return m
	}
	m := g.StaticGlobal(name)
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, x := range v {
		g.AddDatum(8*i, operand.U64(x))
	}
	g.data[name] = m
	return m
}

// selects emits the functions of the type of Op.Sel: a where the bit of p is
// set, b elsewhere.
func (g *gen) selects(w int) string {
	name := map[int]string{4: "sel32", 8: "sel64"}[w] + g.suffix()
	g.begin(name, []string{"d", "a", "b", "p"}, false)
	d, a, b := g.pointer("d"), g.pointer("a"), g.pointer("b")
	p := g.GP32()
	g.Load(g.Param("p"), p)
	var all vec
	if !g.z {
		x := g.XMM()
		g.MOVD(p, x)
		all = g.to(32, "VPBROADCASTD", x)
	}
	k := map[int]kind{4: d32, 8: q64}[w]
	n := g.step(nil, k)
	for i := 0; i < lanes; i += n {
		m := g.lanesOf(p, all, i, w)
		g.store(g.sel(m, g.load(a, k, i), g.load(b, k, i), w), d, k, i)
		if g.z && i+n < lanes {
			g.SHRL(imm(n), p)
		}
	}
	g.end()
	return name
}

// lanesOf is the mask of the bits from i on: the low ones of p with AVX-512, and
// with AVX2 those of all, which holds them in every element.
func (g *gen) lanesOf(p reg.Register, all vec, i, w int) mask {
	if g.z {
		k := g.K()
		g.emit(map[int]string{4: "KMOVW", 8: "KMOVB"}[w], p, k)
		return k
	}
	var v []uint64
	for l := 0; l < lanes; l += 2 {
		v = append(v, 1<<l|1<<(l+1+32))
	}
	m := g.memory("lanebits", v)
	bits := g.to(32, map[int]string{4: "VMOVDQU", 8: "VPMOVZXDQ"}[w], m.Offset(4*i))
	if w == 8 {
		return g.eq(g.and(all, bits), bits, 8)
	}
	return g.eq(g.and(all, bits), bits, 4)
}

// lop3 emits a tree of selections; e points to the table's eight bits, each
// widened to 32.
func (g *gen) lop3() string {
	name := "lop3" + g.suffix()
	g.begin(name, []string{"d", "a", "b", "c", "e"}, false)
	d, a, b, c, e := g.pointer("d"), g.pointer("a"), g.pointer("b"), g.pointer("c"), g.pointer("e")
	var low, diff []vec
	for i := 0; i < 8; i += 2 {
		x, y := g.to(g.bytes(), "VPBROADCASTD", at(e, 4*i)), g.to(g.bytes(), "VPBROADCASTD", at(e, 4*i+4))
		low, diff = append(low, x), append(diff, g.xor(x, y))
	}
	for i := 0; i < lanes; i += g.bytes() / 4 {
		x, y, z := g.load(a, d32, i), g.load(b, d32, i), g.load(c, d32, i)
		var t []vec
		for j := range low {
			t = append(t, g.xor(low[j], g.and(z, diff[j])))
		}
		g.store(g.mux(x, g.mux(y, t[3], t[2]), g.mux(y, t[1], t[0])), d, d32, i)
	}
	g.end()
	return name
}

// mux takes t's bits where s is 1, f's elsewhere.
func (g *gen) mux(s, t, f vec) vec { return g.xor(f, g.and(s, g.xor(t, f))) }
