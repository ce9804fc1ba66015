package native

import "github.com/warpgrind/warpgrind/internal/warp/jit"

// pair is an instruction for elements of 4 and of 8 bytes.
type pair [2]*jit.Inst

func (p pair) of(w int) *jit.Inst { return p[w/8] }

var (
	add, sub, mulLow = pair{jit.VPADDD, jit.VPADDQ}, pair{jit.VPSUBD, jit.VPSUBQ}, pair{jit.VPMULLD, jit.VPMULLQ}
	minS, minU       = pair{jit.VPMINSD, jit.VPMINSQ}, pair{jit.VPMINUD, jit.VPMINUQ}
	maxS, maxU       = pair{jit.VPMAXSD, jit.VPMAXSQ}, pair{jit.VPMAXUD, jit.VPMAXUQ}
	absI             = pair{jit.VPABSD, jit.VPABSQ}
	and, or, xor     = pair{jit.VPANDD, jit.VPANDQ}, pair{jit.VPORD, jit.VPORQ}, pair{jit.VPXORD, jit.VPXORQ}
	shl, shrU, shrS  = pair{jit.VPSLLVD, jit.VPSLLVQ}, pair{jit.VPSRLVD, jit.VPSRLVQ}, pair{jit.VPSRAVD, jit.VPSRAVQ}
	cmpS, cmpU       = pair{jit.VPCMPD, jit.VPCMPQ}, pair{jit.VPCMPUD, jit.VPCMPUQ}
	lzcnt            = pair{jit.VPLZCNTD, jit.VPLZCNTQ}
)

func (g *gen) and(a, b operand) operand { return g.v3(jit.VPANDD, a, b) }
func (g *gen) or(a, b operand) operand  { return g.v3(jit.VPORD, a, b) }
func (g *gen) xor(a, b operand) operand { return g.v3(jit.VPXORD, a, b) }

// intNatives is integer arithmetic (PTX ISA 9.7.1).
func intNatives(m map[string]*native) {
	for _, w := range []int{4, 8} {
		s, u, two, three := ".s32", ".u32", shape(w, 2), shape(w, 3)
		if w == 8 {
			s, u = ".s64", ".u64"
		}
		enter := func(b body, args []kind, ops ...string) {
			for _, op := range ops {
				m[op] = &native{args: args, dst: kindOf(w), body: b}
			}
		}
		enter(bin(add.of(w)), two, "add"+s, "add"+u)
		enter(bin(sub.of(w)), two, "sub"+s, "sub"+u)
		enter(bin(mulLow.of(w)), two, "mul.lo"+s, "mul.lo"+u)
		enter(func(g *gen, x []operand) operand { return g.v3(add.of(w), g.v3(mulLow.of(w), x[0], x[1]), x[2]) },
			three, "mad.lo"+s, "mad.lo"+u)
		enter(bin(minS.of(w)), two, "min"+s)
		enter(bin(minU.of(w)), two, "min"+u)
		enter(bin(maxS.of(w)), two, "max"+s)
		enter(bin(maxU.of(w)), two, "max"+u)
		enter(func(g *gen, x []operand) operand { return g.v3(sub.of(w), g.cst(w, 0, 0), x[0]) }, shape(w, 1), "neg"+s)
		enter(una(absI.of(w)), shape(w, 1), "abs"+s)
	}
	wideNatives(m)
	highNatives(m)
}

// wideNatives are products of twice the width or their upper half.
func wideNatives(m map[string]*native) {
	for _, x := range []struct {
		typ string
		in  *jit.Inst
	}{{"u32", jit.VPMULUDQ}, {"s32", jit.VPMULDQ}} {
		m["mul.wide."+x.typ] = &native{args: []kind{kLower, kLower}, dst: k64, body: bin(x.in)}
		m["mad.wide."+x.typ] = &native{args: []kind{kLower, kLower, k64}, dst: k64, body: func(g *gen, v []operand) operand {
			return g.v3(jit.VPADDQ, g.v3(x.in, v[0], v[1]), v[2])
		}}
		m["mul.hi."+x.typ] = &native{args: shape(4, 2), dst: k32, body: func(g *gen, v []operand) operand {
			a, b := vreg(g.in(v[0])), vreg(g.in(v[1]))
			even := g.vi(jit.VPSRLQ, g.v3(x.in, a, b), 32)
			odd := g.v3(x.in, g.vi(jit.VPSRLQ, a, 32), g.vi(jit.VPSRLQ, b, 32))
			return g.or(even, g.v3(jit.VPANDQ, odd, g.c64(0xffffffff<<32)))
		}}
	}
}

// highNatives are the upper halves of 64-bit products, put together from four
// products of 32 bits; a negative factor counts 2^64 too much of the other.
func highNatives(m map[string]*native) {
	high := func(g *gen, a, b operand) operand {
		ah, bh := g.vi(jit.VPSRLQ, a, 32), g.vi(jit.VPSRLQ, b, 32)
		mid := g.v3(jit.VPADDQ, g.v3(jit.VPMULUDQ, a, bh), g.vi(jit.VPSRLQ, g.v3(jit.VPMULUDQ, a, b), 32))
		low := g.v3(jit.VPADDQ, g.v3(jit.VPMULUDQ, ah, b), g.v3(jit.VPANDQ, mid, g.c64(1<<32-1)))
		r := g.v3(jit.VPADDQ, g.v3(jit.VPMULUDQ, ah, bh), g.vi(jit.VPSRLQ, mid, 32))
		return g.v3(jit.VPADDQ, r, g.vi(jit.VPSRLQ, low, 32))
	}
	m["mul.hi.u64"] = &native{args: shape(8, 2), dst: k64, body: func(g *gen, x []operand) operand {
		return high(g, vreg(g.in(x[0])), vreg(g.in(x[1])))
	}}
	m["mul.hi.s64"] = &native{args: shape(8, 2), dst: k64, body: func(g *gen, x []operand) operand {
		a, b := vreg(g.in(x[0])), vreg(g.in(x[1]))
		r := g.v3(jit.VPSUBQ, high(g, a, b), g.v3(jit.VPANDQ, g.vi(jit.VPSRAQ, a, 63), b))
		return g.v3(jit.VPSUBQ, r, g.v3(jit.VPANDQ, g.vi(jit.VPSRAQ, b, 63), a))
	}}
}

// logicNatives are logic, shifts and bit fields (PTX ISA 9.7.8 and 9.7.1).
func logicNatives(m map[string]*native) {
	for _, t := range []struct {
		typ string
		w   int
	}{{".b16", 4}, {".b32", 4}, {".b64", 8}} {
		for name, in := range map[string]pair{"and": and, "or": or, "xor": xor} {
			m[name+t.typ] = &native{args: shape(t.w, 2), dst: kindOf(t.w), body: bin(in.of(t.w))}
		}
	}
	for w, typ := range map[int]string{4: ".b32", 8: ".b64"} {
		m["not"+typ] = &native{args: shape(w, 1), dst: kindOf(w), body: func(g *gen, x []operand) operand { return g.xor(g.c32(1<<32-1), x[0]) }}
		m["mov"+typ] = &native{args: shape(w, 1), dst: kindOf(w), body: func(_ *gen, x []operand) operand { return x[0] }}
		m["clz"+typ] = &native{args: shape(w, 1), dst: map[int]kind{4: k32, 8: kLow}[w], body: una(lzcnt.of(w))}
	}
	m["popc.b32"] = &native{args: shape(4, 1), dst: k32, body: population}
	shifts := func(typ string, w int, in pair) *native {
		if w == 4 {
			return &native{args: shape(4, 2), dst: k32, body: bin(in.of(4))}
		}
		return &native{args: []kind{k64, kZX}, dst: k64, body: bin(in.of(8))}
	}
	for _, t := range []struct {
		op string
		in pair
	}{{"shl.b", shl}, {"shr.b", shrU}, {"shr.u", shrU}, {"shr.s", shrS}} {
		m[t.op+"32"], m[t.op+"64"] = shifts(t.op, 4, t.in), shifts(t.op, 8, t.in)
	}
	m["shf.l.wrap.b32"] = &native{args: shape(4, 3), dst: k32, body: funnel(jit.VPSLLVD, jit.VPSRLVD, 1, true)}
	m["shf.r.wrap.b32"] = &native{args: shape(4, 3), dst: k32, body: funnel(jit.VPSRLVD, jit.VPSLLVD, 0, true)}
	m["shf.l.clamp.b32"] = &native{args: shape(4, 3), dst: k32, body: funnel(jit.VPSLLVD, jit.VPSRLVD, 1, false)}
	m["shf.r.clamp.b32"] = &native{args: shape(4, 3), dst: k32, body: funnel(jit.VPSRLVD, jit.VPSLLVD, 0, false)}
	fieldNatives(m)
}

// funnel shifts operand first by n and the other one by 32-n the other way.
func funnel(shift, back *jit.Inst, first int, wrap bool) body {
	return func(g *gen, x []operand) operand {
		var n operand
		if wrap {
			n = g.v3(jit.VPANDD, vreg(g.in(x[2])), g.c32(31))
		} else {
			n = g.v3(jit.VPMINUD, vreg(g.in(x[2])), g.c32(32))
		}
		rest := g.v3(jit.VPSUBD, g.c32(32), n)
		return g.or(g.v3(shift, x[first], n), g.v3(back, x[1-first], rest))
	}
}

// fieldNatives are bit fields, whose position and length are in the low 8 bits.
func fieldNatives(m map[string]*native) {
	byteOf := func(g *gen, x operand) operand { return g.and(x, g.c32(255)) }
	ones := func(g *gen, n operand) operand {
		return g.v3(jit.VPSUBD, g.v3(jit.VPSLLVD, g.c32(1), n), g.c32(1))
	}
	m["bfe.u32"] = &native{args: shape(4, 3), dst: k32, body: func(g *gen, x []operand) operand {
		return g.and(g.v3(jit.VPSRLVD, x[0], byteOf(g, x[1])), ones(g, byteOf(g, x[2])))
	}}
	m["bfe.s32"] = &native{args: shape(4, 3), dst: k32, body: func(g *gen, x []operand) operand {
		n := g.v3(jit.VPMINUD, byteOf(g, x[2]), g.c32(32))
		cut := g.v3(jit.VPSUBD, g.c32(32), n)
		return g.v3(jit.VPSRAVD, g.v3(jit.VPSLLVD, g.v3(jit.VPSRAVD, x[0], byteOf(g, x[1])), cut), cut)
	}}
	m["bfi.b32"] = &native{args: shape(4, 4), dst: k32, body: func(g *gen, x []operand) operand {
		pos := byteOf(g, x[2])
		field := g.v3(jit.VPSLLVD, ones(g, byteOf(g, x[3])), pos)
		b := vreg(g.in(x[1]))
		return g.xor(b, g.and(field, g.xor(g.v3(jit.VPSLLVD, x[0], pos), b)))
	}}
	m["bfind.u32"] = &native{args: shape(4, 1), dst: k32, body: func(g *gen, x []operand) operand {
		return g.v3(jit.VPSUBD, g.c32(31), g.v2(jit.VPLZCNTD, x[0]))
	}}
}
