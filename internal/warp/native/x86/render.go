package x86

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

// pair is an instruction for elements of 4 and of 8 bytes.
type pair [2]*jit.Inst

func (p pair) of(w int) *jit.Inst { return p[w/8] }

// Instructions on addresses, which have no sign.
var (
	addInt, subInt, maxInt = binaries[body.Add], binaries[body.Sub], binaries[body.MaxU]
	orInt, compareInt      = binaries[body.Or], comparisons[body.CompareU]
)

// binaries and unaries are the primitives that are one instruction, shifts those by a constant.
var (
	binaries = map[body.Op]pair{
		body.Add: {jit.VPADDD, jit.VPADDQ}, body.Sub: {jit.VPSUBD, jit.VPSUBQ}, body.Mul: {jit.VPMULLD, jit.VPMULLQ},
		body.WideU: {1: jit.VPMULUDQ}, body.WideS: {1: jit.VPMULDQ}, body.MinU: {jit.VPMINUD, jit.VPMINUQ}, body.MinS: {jit.VPMINSD, jit.VPMINSQ},
		body.MaxU: {jit.VPMAXUD, jit.VPMAXUQ}, body.MaxS: {jit.VPMAXSD, jit.VPMAXSQ}, body.And: {jit.VPANDD, jit.VPANDQ}, body.Or: {jit.VPORD, jit.VPORQ},
		body.Xor: {jit.VPXORD, jit.VPXORQ}, body.Shl: {jit.VPSLLVD, jit.VPSLLVQ}, body.ShrU: {jit.VPSRLVD, jit.VPSRLVQ}, body.ShrS: {jit.VPSRAVD, jit.VPSRAVQ},
		body.AddF: {jit.VADDPS, jit.VADDPD}, body.SubF: {jit.VSUBPS, jit.VSUBPD}, body.MulF: {jit.VMULPS, jit.VMULPD}, body.DivF: {jit.VDIVPS, jit.VDIVPD},
		body.MinF: {jit.VMINPS, jit.VMINPD}, body.MaxF: {jit.VMAXPS, jit.VMAXPD},
	}
	unaries = map[body.Op]pair{body.Abs: {jit.VPABSD, jit.VPABSQ}, body.Zeros: {jit.VPLZCNTD, jit.VPLZCNTQ}, body.Sqrt: {jit.VSQRTPS, jit.VSQRTPD}}
	shifts  = map[body.Op]pair{body.ShlBy: {jit.VPSLLD, jit.VPSLLQ}, body.ShrUBy: {jit.VPSRLD, jit.VPSRLQ}, body.ShrSBy: {jit.VPSRAD, jit.VPSRAQ}}
	// commutes has the instructions whose operands may be swapped.
	commutes = map[*jit.Inst]bool{}
)

func init() {
	for _, op := range []body.Op{body.Add, body.Mul, body.WideU, body.WideS, body.MinU, body.MinS, body.MaxU, body.MaxS, body.And, body.Or, body.Xor} {
		commutes[binaries[op][0]], commutes[binaries[op][1]] = true, true
	}
}

// conversions are by primitive and the operand's type. x86 gives 1<<31 and all ones for numbers beyond the range.
var conversions = map[body.Op]map[body.Type]*jit.Inst{
	body.ToF32: {body.S32: jit.VCVTDQ2PS, body.U32: jit.VCVTUDQ2PS, body.S64: jit.VCVTQQ2PS, body.U64: jit.VCVTUQQ2PS, body.F64: jit.VCVTPD2PS},
	body.ToF64: {body.S32: jit.VCVTDQ2PD, body.U32: jit.VCVTUDQ2PD, body.S64: jit.VCVTQQ2PD, body.U64: jit.VCVTUQQ2PD, body.F32: jit.VCVTPS2PD},
	body.ToS32: {body.F32: jit.VCVTPS2DQ}, body.CutS32: {body.F32: jit.VCVTTPS2DQ, body.F64: jit.VCVTTPD2DQ},
	body.CutU32: {body.F32: jit.VCVTTPS2UDQ, body.F64: jit.VCVTTPD2UDQ}, body.FitU32: {body.F64: jit.VCVTTPD2UDQ},
}

// Predicates of VCMPPS and VPCMPD by relation. Some of VCMPPS raise a flag for NaN, which nothing reads.
const unord = 0x03

var (
	floatPredicates = [...]byte{body.Equal: 0x00, body.Less: 0x11, body.Less | body.Equal: 0x12, body.Unordered: unord,
		body.Less | body.Greater | body.Unordered: 0x04, body.Greater | body.Equal | body.Unordered: 0x15, body.Greater | body.Unordered: 0x16,
		body.Less | body.Equal | body.Greater: 0x07, body.Equal | body.Unordered: 0x08, body.Less | body.Unordered: 0x19,
		body.Less | body.Equal | body.Unordered: 0x1a, body.Less | body.Greater: 0x0c, body.Greater | body.Equal: 0x1d, body.Greater: 0x1e}
	intPredicates = [...]byte{body.Equal: 0, body.Less: 1, body.Less | body.Equal: 2, body.Less | body.Greater: 4, body.Greater | body.Equal: 5, body.Greater: 6}
	comparisons   = map[body.Op]pair{body.CompareU: {jit.VPCMPUD, jit.VPCMPUQ}, body.CompareS: {jit.VPCMPD, jit.VPCMPQ}, body.CompareF: {jit.VCMPPS, jit.VCMPPD},
		body.Disjoint: {0: jit.VPTESTNMD}}
)

// walk renders the nodes of a body in registers.
type walk struct {
	*gen
	nodes []body.Node
	uses  []int
	last  []int // by node, the last one that reads it
	at    []operand
	masks []jit.K
	// long bodies free the register of each value after its last use, and make masks where they are needed.
	long bool
}

// render computes a body on a part of its operands; test leaves the mask of one that compares.
func (g *gen) render(nodes []body.Node, x []operand) operand {
	w := g.walk(nodes, x)
	return w.at[len(nodes)-1]
}

func (g *gen) test(b *body.Body, x []operand) jit.K {
	w := g.walk(b.Nodes, x)
	return w.masks[len(b.Nodes)-1]
}

func (g *gen) walk(nodes []body.Node, x []operand) *walk {
	w := &walk{g, nodes, body.Uses(nodes), nil, make([]operand, len(nodes)), make([]jit.K, len(nodes)), len(nodes) >= native.LongBody}
	w.last = body.LastUses(nodes, w.long)
	for i := range nodes {
		switch n := &nodes[i]; {
		case n.Op == body.Arg:
			w.at[i] = x[n.Bits]
		case n.Op == body.Const:
			w.at[i] = w.constant(int(n.Width), n.Bits)
		case n.IsMask() && !w.long:
			w.masks[i] = w.compared(n)
		case n.IsMask():
		default:
			before := w.temps
			w.at[i] = w.node(i, n)
			w.retire(i, before)
		}
	}
	return w
}

// retire frees the registers of a long body that are not needed after node i: of nodes that it was the last to read,
// and of constants that it loaded.
func (w *walk) retire(i int, before uint32) {
	if !w.long {
		return
	}
	r := w.at[i].r
	for v := range jit.Vec(32) {
		if w.temps&^before>>v&1 != 0 && v != r {
			w.drop(v)
		}
	}
	for k, n := range w.nodes[:i] {
		if w.last[k] == i && n.Op != body.Arg && n.Op != body.Const && !n.IsMask() && w.at[k].r != r {
			w.drop(w.at[k].r)
		}
	}
}

// operand is a node's value. An argument in memory that is used again is loaded once.
func (w *walk) operand(i int16) operand {
	if o := w.at[i]; o.m != nil && w.nodes[i].Op == body.Arg && w.uses[i] > 1 {
		w.at[i] = vreg(w.in(o))
	}
	return w.at[i]
}

// node renders a node that is a value.
func (w *walk) node(i int, n *body.Node) operand {
	a, b, c := n.X[0], n.X[1], n.X[2]
	if in, ok := binaries[n.Op]; ok {
		return w.v3(in.of(int(n.Width)), w.operand(a), w.operand(b))
	}
	if in, ok := unaries[n.Op]; ok {
		return w.v2(in.of(int(n.Width)), w.operand(a))
	}
	if in, ok := shifts[n.Op]; ok {
		return w.vi(in.of(int(n.Width)), w.operand(a), byte(n.Bits))
	}
	if in := conversions[n.Op][body.Type(n.Bits)]; in != nil {
		return w.v2(in, w.operand(a))
	}
	switch n.Op {
	case body.Select:
		k := w.masks[a]
		if w.long {
			k = w.compared(&w.nodes[a])
		}
		return w.sel(k, w.operand(b), w.operand(c), int(n.Width))
	case body.FMA:
		return w.fma(i, n)
	case body.RoundF:
		in := pair{jit.VRNDSCALEPS, jit.VRNDSCALEPD}.of(int(n.Width))
		return w.v2i(in, w.operand(a), byte(n.Bits))
	case body.HighU:
		return w.high(jit.VPMULUDQ, w.operand(a), w.operand(b))
	case body.HighS:
		return w.high(jit.VPMULDQ, w.operand(a), w.operand(b))
	case body.Ones:
		return w.population(w.operand(a))
	case body.Canonical:
		return w.canonical(w.operand(a))
	}
	panic("warp: no AVX-512 code for a primitive")
}

// compared renders a comparison.
func (w *walk) compared(n *body.Node) jit.K {
	var predicate byte
	switch n.Op {
	case body.CompareF:
		predicate = floatPredicates[n.Bits]
	case body.CompareU, body.CompareS:
		predicate = intPredicates[n.Bits]
	}
	return w.mask(comparisons[n.Op].of(int(n.Width)), w.operand(n.X[0]), w.operand(n.X[1]), predicate, 0)
}

// fma has the first factor as that of x86 whose NaN wins over the others'. The other one is overwritten.
func (w *walk) fma(i int, n *body.Node) operand {
	in := pair{jit.VFMADD213PS, jit.VFMADD213PD}.of(int(n.Width))
	a := w.in(w.operand(n.X[0]))
	b := w.operand(n.X[1])
	d := b.r
	switch op := w.nodes[n.X[1]].Op; {
	case b.m != nil:
		d = w.in(b)
	case op == body.Arg || w.last[n.X[1]] != i || slices.Contains(n.X[:1], n.X[1]) || n.X[2] == n.X[1]:
		d = w.copyOf(b.r)
	}
	c := w.fitting(in, w.operand(n.X[2]))
	w.Emit(in, jit.Args{Reg: int8(d), V: int8(a), RM: int8(c.r), Mem: c.m})
	return vreg(d)
}

// high are the upper halves of products of 4 bytes: of the even elements, then of the odd ones.
func (g *gen) high(in *jit.Inst, x, y operand) operand {
	a, b := vreg(g.in(x)), vreg(g.in(y))
	even := g.vi(jit.VPSRLQ, g.v3(in, a, b), 32)
	odd := g.v3(in, g.vi(jit.VPSRLQ, a, 32), g.vi(jit.VPSRLQ, b, 32))
	return g.or(even, g.v3(jit.VPANDQ, odd, g.c64(0xffffffff<<32)))
}

// population counts the bits of each element.
func (g *gen) population(x operand) operand {
	v := vreg(g.in(x))
	pairs := g.v3(jit.VPSUBD, v, g.v3(jit.VPANDD, g.vi(jit.VPSRLD, v, 1), g.c32(0x55555555)))
	nibbles := g.v3(jit.VPADDD, g.and(pairs, g.c32(0x33333333)), g.and(g.vi(jit.VPSRLD, pairs, 2), g.c32(0x33333333)))
	bytes := g.and(g.v3(jit.VPADDD, nibbles, g.vi(jit.VPSRLD, nibbles, 4)), g.c32(0x0f0f0f0f))
	return g.vi(jit.VPSRLD, g.v3(jit.VPMULLD, bytes, g.c32(0x01010101)), 24)
}

// canonical makes NaN results of numbers of 4 bytes 0x7fffffff.
func (g *gen) canonical(x operand) operand {
	d, src := g.tmp(), g.in(x)
	g.canonicalIn(d, src)
	return vreg(d)
}

func (g *gen) and(a, b operand) operand { return g.v3(jit.VPANDD, a, b) }
func (g *gen) or(a, b operand) operand  { return g.v3(jit.VPORD, a, b) }
func (g *gen) xor(a, b operand) operand { return g.v3(jit.VPXORD, a, b) }
