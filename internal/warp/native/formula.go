package native

import (
	"math"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/formula"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// formulaOf is the machine code of an operation that is a formula of floats.
func formulaOf(o *alu.Op) *native {
	f := o.Formula
	return &native{args: []kind{kHalf, kHalf}[:f.Args], dst: kHalf, body: func(g *gen, x []operand) operand {
		var wide []jit.Vec
		for _, v := range x {
			if o.Flush {
				v = g.flushed(v)
			}
			wide = append(wide, g.v2(jit.VCVTPS2PD, v).r)
		}
		r := g.canonical(g.v2(jit.VCVTPD2PS, vreg(compute(g, f, wide))))
		if o.Flush {
			r = g.flushed(r)
		}
		return r
	}}
}

// limited reports whether an operation is a formula that does not hold for all arguments.
func limited(o *alu.Op) bool { return o.Formula != nil && !math.IsInf(o.Formula.Limit, 1) }

// leaveBeyond leaves the code before step i if an argument is beyond the formula's limit.
func (g *gen) leaveBeyond(i int, in *program.Instr) {
	limit := in.ALU.Formula.Limit
	for part := range 2 {
		x := g.v3(jit.VPANDD, vreg(g.in(g.source(in.A, alu.W32, part))), g.c32(1<<31-1))
		most := g.c32(math.Float32bits(float32(limit)))
		g.Emit(jit.VCMPPS, jit.Args{Reg: int8(5 + part), V: int8(x.r), Mem: most.m, Imm: gtO, K: g.maskOf(part, 2)})
	}
	g.release(0)
	beyond := g.NewLabel()
	g.memoryCode().leaveAt(i, beyond)
	g.KOrTest(5, 6, 16)
	g.JumpIf(jit.NE, beyond)
}

// walk is a formula on its way into instructions.
type walk struct {
	*gen
	f    *formula.Formula
	last []int
	at   []jit.Vec // the registers of nodes that are neither constants nor masks
}

// compute computes a formula of eight lanes in float64, in registers of its own.
func compute(g *gen, f *formula.Formula, x []jit.Vec) jit.Vec {
	w := walk{g, f, f.LastUses(), make([]jit.Vec, len(f.Nodes))}
	for i := range f.Nodes {
		n := &f.Nodes[i]
		switch {
		case n.Op == formula.Arg:
			w.at[i] = x[n.A]
		case w.computed(i):
			w.at[i] = w.node(i, n)
			w.retire(i, n)
		}
	}
	return w.at[len(w.at)-1]
}

// computed reports whether a node has a register.
func (w *walk) computed(i int) bool {
	switch w.f.Nodes[i].Op {
	case formula.Const, formula.Less, formula.Equal, formula.NaN:
		return false
	}
	return true
}

// retire frees the registers of nodes that node i was the last to read, but for that of
// its result.
func (w *walk) retire(i int, n *formula.Node) {
	list := n.Operands()
	if n.Op == formula.Select {
		list = append(list, w.f.Nodes[n.A].Operands()...)
	}
	for _, x := range list {
		if w.computed(x) && w.last[x] == i && w.at[x] != w.at[i] {
			w.drop(w.at[x])
		}
	}
}

// any is a node as an operand that may be in memory, reg one in a register.
func (w *walk) any(i int) operand {
	if n := &w.f.Nodes[i]; n.Op == formula.Const {
		return w.c64(n.Bits)
	}
	return vreg(w.at[i])
}

// binaries are instructions of two operands.
var binaries = map[formula.Op]*jit.Inst{
	formula.Add: jit.VADDPD, formula.Sub: jit.VSUBPD, formula.Mul: jit.VMULPD, formula.Div: jit.VDIVPD,
	formula.Min: jit.VMINPD, formula.Max: jit.VMAXPD, formula.AddI: jit.VPADDQ, formula.SubI: jit.VPSUBQ,
	formula.And: jit.VPANDQ, formula.Or: jit.VPORQ, formula.Xor: jit.VPXORQ,
}

// node emits one node.
func (w *walk) node(i int, n *formula.Node) jit.Vec {
	if in := binaries[n.Op]; in != nil {
		return w.binary(in, n)
	}
	switch n.Op {
	case formula.FMA:
		d := w.own(i, n.B)
		c := w.any(n.C)
		a, loaded := w.register(n.A)
		w.Emit(jit.VFMADD213PD, jit.Args{Reg: int8(d), V: int8(a), RM: int8(c.r), Mem: c.m})
		w.dropIf(loaded, a)
		return d
	case formula.Sqrt:
		return w.v2(jit.VSQRTPD, w.any(n.A)).r
	case formula.Round:
		return w.v2i(jit.VRNDSCALEPD, w.any(n.A), 0).r
	case formula.Shl:
		return w.vi(jit.VPSLLQ, w.any(n.A), byte(n.Bits)).r
	case formula.Shr:
		return w.vi(jit.VPSRLQ, w.any(n.A), byte(n.Bits)).r
	}
	return w.choose(i, n)
}

func (w *walk) binary(in *jit.Inst, n *formula.Node) jit.Vec {
	a, loaded := w.register(n.A)
	d := w.v3(in, vreg(a), w.any(n.B)).r
	w.dropIf(loaded, a)
	return d
}

// choose is Select with its comparison.
func (w *walk) choose(i int, n *formula.Node) jit.Vec {
	m := &w.f.Nodes[n.A]
	pred := map[formula.Op]byte{formula.Less: ltO, formula.Equal: eqO, formula.NaN: unord}[m.Op]
	a, loaded := w.register(m.A)
	k := w.mask(jit.VCMPPD, vreg(a), w.any(m.B), pred, 0)
	w.dropIf(loaded, a)
	f, loaded := w.register(n.C)
	d := w.sel(k, w.any(n.B), vreg(f), 8).r
	w.dropIf(loaded, f)
	return d
}

// register is a node in a register, which is loaded for it if the node is a constant.
func (w *walk) register(i int) (r jit.Vec, loaded bool) {
	o := w.any(i)
	return w.in(o), o.m != nil
}

func (w *walk) dropIf(loaded bool, r jit.Vec) {
	if loaded {
		w.drop(r)
	}
}

// own is a node in a register that node i may overwrite.
func (w *walk) own(i, n int) jit.Vec {
	r, loaded := w.register(n)
	if loaded || w.last[n] == i {
		return r
	}
	return w.copyOf(r)
}
