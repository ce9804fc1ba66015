package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/operand"

	"github.com/warpgrind/warpgrind/internal/warp/alu/body"
	"github.com/warpgrind/warpgrind/internal/warp/alu/formula"
)

// kinds of a body's operands and results.
var kinds = map[body.Kind]kind{body.K32: d32, body.K64: q64, body.KZero: zx, body.KSign: sx, body.KLower: zx, body.KHalf: half, body.KLow: low}

// bodySpecs are the operations of package body and the functions of package formula.
func bodySpecs() (specs []spec, comparisons []test) {
	all := bodies()
	formulas(all.add)
	for _, b := range all.list {
		ops := all.of(b)
		name := identifier(ops[0])
		if b.Test {
			comparisons = append(comparisons, test{name: name, ops: ops, arg: kinds[b.Args[0]], body: func(g *gen, x, y vec) (mask, bool) {
				w := g.walk(b.Nodes, []vec{x, y})
				return w.compare(b.Result())
			}})
			continue
		}
		s := spec{name: name, ops: ops, dst: kinds[b.Dst], only512: slices.ContainsFunc(b.Nodes, wants512), many: len(b.Nodes) >= longBody,
			body: func(g *gen, x []vec) vec {
				w := g.walk(b.Nodes, x)
				return w.at[len(b.Nodes)-1]
			}}
		for _, k := range b.Args {
			s.args = append(s.args, kinds[k])
		}
		specs = append(specs, s)
	}
	return specs, comparisons
}

// groups are opcodes by their bodies, of which equal ones are one function.
type groups struct {
	list []*body.Body
	ops  map[string][]string
}

// bodies are the operations of package body.
func bodies() *groups {
	g := &groups{ops: map[string][]string{}}
	for _, name := range body.All() {
		g.add(body.Of(name), name)
	}
	return g
}

func (g *groups) add(b *body.Body, names ...string) {
	if len(g.of(b)) == 0 {
		g.list = append(g.list, b)
	}
	g.ops[key(b)] = append(g.of(b), names...)
}

func (g *groups) of(b *body.Body) []string { return g.ops[key(b)] }

// key tells bodies apart.
func key(b *body.Body) string { return fmt.Sprint(b.Args, b.Dst, b.Test, b.FirstNaN, b.Nodes) }

// formulas adds the functions: as instructions, under .ftz and without, and as device math.
func formulas(add func(b *body.Body, names ...string)) {
	bodies := map[*formula.Formula]*body.Body{}
	plain := func(f *formula.Formula) *body.Body {
		if bodies[f] == nil {
			bodies[f] = body.FromFormula(f, false)
		}
		return bodies[f]
	}
	for _, name := range sorted(formula.Functions) {
		add(plain(formula.Functions[name]), "__nv_"+name)
	}
	for _, name := range sorted(formula.Instructions) {
		f := formula.Instructions[name]
		add(plain(f), name+".approx.f32")
		if name != "tanh" {
			add(body.FromFormula(f, true), name+".approx.ftz.f32")
		}
	}
}

// identifier makes the name of a function from an opcode.
func identifier(opcode string) string {
	words := strings.FieldsFunc(opcode, func(r rune) bool { return r == '.' || r == '_' })
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// wants512 reports whether AVX2 has no good code for a primitive.
func wants512(n body.Node) bool {
	switch n.Op {
	case body.Zeros:
		return true
	case body.ToF32, body.ToF64:
		return body.Type(n.Bits) == body.S64 || body.Type(n.Bits) == body.U64
	}
	return false
}

// longBody is the number of nodes from which a body has its constants in memory: there are more than registers.
const longBody = 20

// walk renders the nodes of a body.
type walk struct {
	*gen
	nodes []body.Node
	last  []int
	at    []vec // nil for constants and masks
}

func (g *gen) walk(nodes []body.Node, x []vec) *walk {
	w := &walk{g, nodes, body.LastUses(nodes, true), make([]vec, len(nodes))}
	for i := range nodes {
		switch n := &nodes[i]; {
		case n.Op == body.Arg:
			w.at[i] = x[n.Bits]
		case n.Op != body.Const && !n.IsMask():
			w.at[i] = w.node(i, n)
		}
	}
	return w
}

// size is the bytes of the registers of a node: those of its operands, but for conversions.
func (w *walk) size(n *body.Node) int {
	for _, i := range n.Operands() {
		if v := w.at[i]; v != nil {
			return int(v.Size())
		}
	}
	return w.bytes()
}

// any is an operand of node n, which may be in memory, reg one in a register.
func (w *walk) any(n *body.Node, k int) operand.Op {
	if c := &w.nodes[n.X[k]]; c.Op == body.Const && len(w.nodes) >= longBody {
		return w.whole(c)
	}
	return w.reg(n, k)
}

func (w *walk) reg(n *body.Node, k int) vec {
	c := &w.nodes[n.X[k]]
	switch {
	case c.Op != body.Const:
		return w.at[n.X[k]]
	case len(w.nodes) >= longBody:
		return w.to(w.size(n), w.pick("VMOVDQU64", "VMOVDQU"), w.whole(c))
	case c.Bits == 0:
		return w.zeros(w.size(n))
	}
	return w.constant(w.size(n), int(c.Width), c.Bits)
}

// whole is a constant in memory that fills a register of any size.
func (g *gen) whole(c *body.Node) operand.Mem {
	b := c.Bits
	if c.Width == 4 {
		b |= b << 32
	}
	return g.memory(fmt.Sprintf("v64_%016x", b), []uint64{b, b, b, b, b, b, b, b})
}

// own is an operand of node i in a register that it may overwrite.
func (w *walk) own(i, k int) vec {
	n := &w.nodes[i]
	d := w.reg(n, k)
	if src := w.nodes[n.X[k]].Op; w.last[n.X[k]] > i || src == body.Const && len(w.nodes) < longBody {
		return w.op(w.pick("VMOVDQU64", "VMOVDQU"), d)
	}
	return d
}

// binaries are the primitives that are an instruction: its name without the letter of the element's size, and that of AVX2
// where it has one for all sizes. only32 are those that AVX2 has for 4 bytes only.
var (
	binaries = map[body.Op][2]string{
		body.Add: {"VPADD"}, body.Sub: {"VPSUB"}, body.Mul: {"VPMULL"}, body.MinU: {"VPMINU"}, body.MinS: {"VPMINS"}, body.MaxU: {"VPMAXU"},
		body.MaxS: {"VPMAXS"}, body.And: {"VPAND", "VPAND"}, body.Or: {"VPOR", "VPOR"}, body.Xor: {"VPXOR", "VPXOR"},
		body.Shl: {"VPSLLV"}, body.ShrU: {"VPSRLV"}, body.ShrS: {"VPSRAV"},
	}
	floatBinaries = map[body.Op]string{body.AddF: "VADD", body.SubF: "VSUB", body.MulF: "VMUL", body.DivF: "VDIV", body.MinF: "VMIN", body.MaxF: "VMAX"}
	shifts        = map[body.Op]string{body.ShlBy: "VPSLL", body.ShrUBy: "VPSRL", body.ShrSBy: "VPSRA"}
	only32        = map[body.Op]func(w *walk, a, b vec) vec{body.Mul: (*walk).mulLow64, body.MinU: extreme64(false, false), body.MinS: extreme64(false, true),
		body.MaxU: extreme64(true, false), body.MaxS: extreme64(true, true), body.ShrS: (*walk).shiftSigned64}
)

// node renders a node that is a value.
func (w *walk) node(i int, n *body.Node) vec {
	width := int(n.Width)
	if f := only32[n.Op]; f != nil && width == 8 && !w.z {
		return f(w, w.reg(n, 0), w.reg(n, 1))
	}
	if name, ok := binaries[n.Op]; ok {
		if !w.z && name[1] != "" {
			return w.op(name[1], w.any(n, 1), w.reg(n, 0))
		}
		return w.op(el(name[0], width), w.any(n, 1), w.reg(n, 0))
	}
	if name, ok := floatBinaries[n.Op]; ok {
		return w.op(fl(name, width), w.any(n, 1), w.reg(n, 0))
	}
	if name, ok := shifts[n.Op]; ok {
		if n.Op == body.ShrSBy && width == 8 && !w.z {
			return w.shiftSigned64(w.reg(n, 0), w.constant(w.size(n), 8, n.Bits))
		}
		return w.op(el(name, width), imm(int(n.Bits)), w.reg(n, 0))
	}
	switch n.Op {
	case body.WideU:
		return w.op("VPMULUDQ", w.any(n, 1), w.reg(n, 0))
	case body.WideS:
		return w.op("VPMULDQ", w.any(n, 1), w.reg(n, 0))
	case body.HighU:
		return w.high("VPMULUDQ", w.reg(n, 0), w.reg(n, 1))
	case body.HighS:
		return w.high("VPMULDQ", w.reg(n, 0), w.reg(n, 1))
	case body.Abs:
		return w.abs(w.reg(n, 0), width)
	case body.Zeros:
		return w.op(el("VPLZCNT", width), w.reg(n, 0))
	case body.Ones:
		return w.ones32(w.reg(n, 0))
	case body.FMA:
		d := w.own(i, 1)
		w.emit(fl("VFMADD213", width), w.any(n, 2), w.reg(n, 0), d)
		return d
	case body.Sqrt:
		return w.op(fl("VSQRT", width), w.any(n, 0))
	case body.RoundF:
		return w.op(w.pick(fl("VRNDSCALE", width), fl("VROUND", width)), imm(int(n.Bits)), w.any(n, 0))
	case body.Canonical:
		return w.nan32(w.reg(n, 0))
	case body.Select:
		return w.choose(i, n)
	}
	if n.Restores(w.nodes) {
		return w.reg(&w.nodes[n.X[0]], 0)
	}
	return w.convert(n, w.reg(n, 0))
}

// choose is a Select with its comparison.
func (w *walk) choose(i int, n *body.Node) vec {
	m, not := w.compare(&w.nodes[n.X[0]])
	yes, no := 1, 2
	if not {
		yes, no = no, yes
	}
	if w.z { // not VPBLENDMQ, whose result the assembler takes for an operand too
		d := w.own(i, no)
		w.emit(map[uint8]string{4: "VMOVDQU32", 8: "VMOVDQU64"}[n.Width], w.any(n, yes), m, d)
		return d
	}
	return w.op("VPBLENDVB", m, w.any(n, yes), w.reg(n, no))
}

// Predicates of VCMPPS: ordered ones are false and unordered ones true for NaN.
const (
	ltO, unord, neU, geU, gtU, geO, leO, neO = 0x11, 0x03, 0x04, 0x15, 0x16, 0x1d, 0x12, 0x0c
)

var predicates = map[body.Relation]int{body.Equal: 0x00, body.Less: ltO, body.Less | body.Equal: leO, body.Unordered: unord,
	body.Less | body.Greater | body.Unordered: neU, body.Greater | body.Equal | body.Unordered: geU, body.Greater | body.Unordered: gtU,
	body.Less | body.Equal | body.Greater: 0x07, body.Equal | body.Unordered: 0x08, body.Less | body.Unordered: 0x19,
	body.Less | body.Equal | body.Unordered: 0x1a, body.Less | body.Greater: neO, body.Greater | body.Equal: geO, body.Greater: 0x1e}

// intPredicates are those of VPCMPD. AVX2 has only = and >, from which the others follow by exchange and complement.
var intPredicates = map[body.Relation]struct {
	pred      int
	equal     bool // = rather than >
	swap, not bool
}{
	body.Equal: {0, true, false, false}, body.Less | body.Greater: {4, true, false, true}, body.Less: {1, false, true, false},
	body.Less | body.Equal: {2, false, false, true}, body.Greater: {6, false, false, false}, body.Greater | body.Equal: {5, false, true, true},
}

// compare renders a comparison; not is set if the mask is that of the opposite.
func (w *walk) compare(n *body.Node) (m mask, not bool) {
	width := int(n.Width)
	a := w.reg(n, 0)
	switch n.Op {
	case body.CompareF:
		return w.newMask(fl("VCMP", width), imm(predicates[body.Relation(n.Bits)]), w.any(n, 1), a), false
	case body.Disjoint:
		if w.z {
			return w.newMask(el("VPTESTNM", width), w.any(n, 1), a), false
		}
		if n.X[0] != n.X[1] {
			a = w.op("VPAND", w.any(n, 1), a)
		}
		return w.eq(a, w.zero(a), width), false
	}
	c, signed, b := intPredicates[body.Relation(n.Bits)], n.Op == body.CompareS, w.reg(n, 1)
	switch {
	case w.z:
		return w.newMask(el(map[bool]string{true: "VPCMP", false: "VPCMPU"}[signed], width), imm(c.pred), b, a), false
	case c.equal:
		return w.eq(a, b, width), c.not
	}
	a, b = w.order(a, width, signed), w.order(b, width, signed)
	if c.swap {
		a, b = b, a
	}
	return w.gt(a, b, width), c.not
}
