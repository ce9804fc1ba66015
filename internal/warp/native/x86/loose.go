package x86

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// PTX has one NaN as the result of most operations on float32, 0x7fffffff; x86 hands on that of an operand. Most
// results are operands of the next such operation, to which all NaN are the same. So a row may be loose: its NaN are
// made canonical only where something else wants the row, or where it goes to the slab.

// canonicalIn makes d what src is with its NaN canonical. The registers differ. Quiet and signaling NaN (tokens 0 and 1
// of VFIXUPIMM) keep the destination, all others take the source.
func (g *allocator) canonicalIn(d, src jit.Vec) {
	nan, table := g.Const(4, 0x7fffffff), g.Const(4, 0x11111100)
	nan.Bcast, table.Bcast = true, true
	g.load(d, operand{m: &nan, width: 4})
	g.Emit(jit.VFIXUPIMMPS, jit.Args{Reg: int8(d), V: int8(src), Mem: &table})
}

// tighten makes the NaN of a loose row canonical.
func (g *allocator) tighten(r row) *row {
	w := r
	w.loose = false
	for i, v := range r.regs() {
		w.reg[i] = g.tmp()
		g.canonicalIn(w.reg[i], v)
	}
	g.forget(r.slot)
	return g.adopt(w)
}

// looseSource is source for an operand of an operation to which all NaN are the same.
func (g *allocator) looseSource(slot int32, part int) operand {
	if r := g.peek(slot); r != nil && r.loose {
		return vreg(r.part(part))
	}
	return g.source(slot, alu.W32, part)
}

// sumInPlace adds a product to a row that is held, if the sum is that row's new value.
func sumInPlace(g *gen, in *program.Instr) bool {
	r := g.peek(in.C)
	if in.D != in.C || in.A == in.D || in.B == in.D || r == nil || r.same || r.index.set || !g.alone(r) {
		return false
	}
	sum := *r
	for i := range sum.parts {
		a := g.in(g.looseSource(in.A, i))
		b := g.fitting(jit.VFMADD231PS, g.looseSource(in.B, i))
		g.Emit(jit.VFMADD231PS, jit.Args{Reg: int8(sum.reg[i]), V: int8(a), RM: int8(b.r), Mem: b.m})
		g.release(0)
	}
	r = g.peek(in.C)
	r.dirty, r.loose = true, true
	return true
}

// alone reports whether no other row has registers of a row.
func (g *allocator) alone(r *row) bool {
	for i := range g.rows {
		if o := &g.rows[i]; o != r && slices.ContainsFunc(o.regs(), func(v jit.Vec) bool { return slices.Contains(r.regs(), v) }) {
			return false
		}
	}
	return true
}
