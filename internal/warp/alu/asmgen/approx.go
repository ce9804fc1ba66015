package main

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/operand"

	"github.com/warpgrind/warpgrind/internal/warp/alu/formula"
)

// approximations are the formulas, as instructions and as device math functions.
func approximations() (s []spec) {
	ops := map[*formula.Formula][]string{}
	for _, name := range sorted(formula.Functions) {
		f := formula.Functions[name]
		ops[f] = append(ops[f], "__nv_"+name)
	}
	for _, name := range sorted(formula.Instructions) {
		f := formula.Instructions[name]
		ops[f] = append(ops[f], name+".approx.f32")
		if name != "tanh" {
			s = append(s, formulaSpec(name+"Ftz", f, true, name+".approx.ftz.f32"))
		}
	}
	for _, name := range sorted(formula.Functions) {
		f := formula.Functions[name]
		if list := ops[f]; list != nil {
			s = append(s, formulaSpec(strings.ReplaceAll(name, "_", ""), f, false, list...))
			delete(ops, f)
		}
	}
	return s
}

func formulaSpec(name string, f *formula.Formula, ftz bool, ops ...string) spec {
	return spec{name: name, ops: ops, args: []kind{half, half}[:f.Args], dst: half, many: true, body: func(g *gen, x []vec) vec {
		var wide []vec
		for _, v := range x {
			if ftz {
				v = g.flush(v)
			}
			wide = append(wide, g.to(g.bytes(), "VCVTPS2PD", v))
		}
		r := g.nan32(g.narrow("VCVTPD2PS", g.formula(f, wide)))
		if ftz {
			r = g.flush(r)
		}
		return r
	}}
}

// whole is a constant in memory that fills a register of any size.
func (g *gen) whole(b uint64) operand.Mem {
	return g.memory(fmt.Sprintf("v64_%016x", b), []uint64{b, b, b, b, b, b, b, b})
}

// walk is a formula on its way into instructions.
type walk struct {
	*gen
	f    *formula.Formula
	last []int
	at   []vec // the registers of nodes; nil for constants and masks
}

// formula computes a formula of operands in float64.
func (g *gen) formula(f *formula.Formula, x []vec) vec {
	w := walk{g, f, f.LastUses(), make([]vec, len(f.Nodes))}
	for i := range f.Nodes {
		if n := &f.Nodes[i]; n.Op == formula.Arg {
			w.at[i] = x[n.A]
		} else {
			w.at[i] = w.node(i, n)
		}
	}
	return w.at[len(w.at)-1]
}

// any is a node as an operand that may be in memory, reg one in a register.
func (w *walk) any(i int) operand.Op {
	if n := &w.f.Nodes[i]; n.Op == formula.Const {
		return w.whole(n.Bits)
	}
	return w.at[i]
}

func (w *walk) reg(i int) vec {
	if n := &w.f.Nodes[i]; n.Op == formula.Const {
		return w.to(w.bytes(), w.pick("VMOVDQU64", "VMOVDQU"), w.whole(n.Bits))
	}
	return w.at[i]
}

// own is a node in a register that node i may overwrite.
func (w *walk) own(i, n int) vec {
	d := w.reg(n)
	if w.last[n] > i {
		return w.op(w.pick("VMOVDQU64", "VMOVDQU"), d)
	}
	return d
}

// binaries are instructions of two operands.
var binaries = map[formula.Op][2]string{
	formula.Add: {"VADDPD"}, formula.Sub: {"VSUBPD"}, formula.Mul: {"VMULPD"}, formula.Div: {"VDIVPD"},
	formula.Min: {"VMINPD"}, formula.Max: {"VMAXPD"}, formula.AddI: {"VPADDQ"}, formula.SubI: {"VPSUBQ"},
	formula.And: {"VPANDQ", "VPAND"}, formula.Or: {"VPORQ", "VPOR"}, formula.Xor: {"VPXORQ", "VPXOR"},
}

// node emits one node.
func (w *walk) node(i int, n *formula.Node) vec {
	if names, ok := binaries[n.Op]; ok {
		name := names[0]
		if !w.z && names[1] != "" {
			name = names[1]
		}
		return w.op(name, w.any(n.B), w.reg(n.A))
	}
	switch n.Op {
	case formula.FMA:
		d := w.own(i, n.B)
		w.emit("VFMADD213PD", w.any(n.C), w.reg(n.A), d)
		return d
	case formula.Sqrt:
		return w.op("VSQRTPD", w.any(n.A))
	case formula.Round:
		return w.op(w.pick("VRNDSCALEPD", "VROUNDPD"), imm(0), w.any(n.A))
	case formula.Shl:
		return w.op("VPSLLQ", imm(int(n.Bits)), w.reg(n.A))
	case formula.Shr:
		return w.op("VPSRLQ", imm(int(n.Bits)), w.reg(n.A))
	case formula.Select:
		m := w.mask(&w.f.Nodes[n.A])
		if w.z { // not VPBLENDMQ, whose result the assembler takes for an operand too
			d := w.own(i, n.C)
			w.emit("VMOVDQU64", w.any(n.B), m, d)
			return d
		}
		return w.op("VPBLENDVB", m, w.any(n.B), w.reg(n.C))
	}
	return nil
}

// mask emits a comparison.
func (w *walk) mask(n *formula.Node) mask {
	pred := map[formula.Op]int{formula.Less: ltO, formula.Equal: eqO, formula.NaN: unord}[n.Op]
	return w.newMask("VCMPPD", imm(pred), w.any(n.B), w.reg(n.A))
}
