package ssa

import (
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// promote replaces the gets and sets of variables by values and phis: phis at
// the iterated dominance frontiers of the sets, where the variable lives
// (Cytron et al., "Efficiently Computing Static Single Assignment Form"). A
// variable with one set that reaches all gets, as most registers of compiled
// code are, needs no such search.
func (f *Func) promote(types []isa.Type) {
	p := &promoter{f: f, types: types, undef: map[isa.Type]*Value{}, added: make([][]*Value, len(f.Blocks))}
	p.local()
	for i := range types {
		if len(p.ins[i]) > 0 && !p.single(i) {
			p.general(i)
		}
	}
	for _, b := range f.Blocks {
		p.rewrite(b)
	}
}

type promoter struct {
	f     *Func
	types []isa.Type
	// ins are by variable the gets that see the value at a block's start, outs
	// the last set of each block that has one.
	ins, outs [][]*Value
	// by are replacements of gets, by ID.
	by    map[*Value]*Value
	undef map[isa.Type]*Value
	// added are by block the phis and undefined values that come first.
	added [][]*Value
	// front are the dominance frontiers, made when first needed.
	front [][]int32
	// What the search for one variable marks, by block: stamp is set if it is
	// of this search.
	def, entry, live, phi marks
}

// marks holds a value by block for the current search.
type marks struct {
	stamp []int
	value []*Value
	now   int
}

func (m *marks) start(n int) {
	if m.stamp == nil {
		m.stamp, m.value = make([]int, n), make([]*Value, n)
	}
	m.now++
}

func (m *marks) put(b int, v *Value) { m.stamp[b], m.value[b] = m.now, v }
func (m *marks) has(b int) bool      { return m.stamp[b] == m.now }

// local resolves gets after a set of the same block, and collects the rest.
func (p *promoter) local() {
	n := len(p.types)
	p.ins, p.outs, p.by = make([][]*Value, n), make([][]*Value, n), map[*Value]*Value{}
	cur, stamp := make([]*Value, n), make([]int, n)
	for i, b := range p.f.Blocks {
		var sets []int
		for _, v := range b.Values {
			x := int(v.Const)
			switch v.Op {
			case get:
				if stamp[x] == i+1 {
					p.by[v] = cur[x]
					continue
				}
				stamp[x], cur[x] = i+1, v
				p.ins[x] = append(p.ins[x], v)
			case set:
				if stamp[x] != i+1 || cur[x].Op != set {
					sets = append(sets, x)
				}
				stamp[x], cur[x] = i+1, v
			}
		}
		for _, x := range sets {
			p.outs[x] = append(p.outs[x], cur[x])
		}
	}
}

// single resolves the gets of a variable with one set that dominates them.
func (p *promoter) single(x int) bool {
	if len(p.outs[x]) != 1 {
		return false
	}
	s := p.outs[x][0]
	for _, g := range p.ins[x] {
		if g.Block == s.Block || !p.f.Dominates(s.Block, g.Block) {
			return false
		}
	}
	for _, g := range p.ins[x] {
		p.by[g] = s
	}
	return true
}

// general resolves the gets of any variable.
func (p *promoter) general(x int) {
	n := len(p.f.Blocks)
	p.def.start(n)
	p.entry.start(n)
	p.live.start(n)
	p.phi.start(n)
	for _, s := range p.outs[x] {
		p.def.put(s.Block.ID, s)
	}
	p.liveness(x)
	phis := p.place(x)
	for _, v := range phis {
		b := v.Block
		for i, pr := range b.Preds {
			v.Args[i] = p.atEnd(pr, x)
		}
	}
	for _, g := range p.ins[x] {
		p.by[g] = p.atStart(g.Block, x)
	}
}

// liveness marks the blocks at whose start the variable lives.
func (p *promoter) liveness(x int) {
	var work []*Block
	visit := func(b *Block) {
		if !p.live.has(b.ID) {
			p.live.put(b.ID, nil)
			work = append(work, b)
		}
	}
	for _, g := range p.ins[x] {
		visit(g.Block)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, pr := range b.Preds {
			if !p.def.has(pr.ID) {
				visit(pr)
			}
		}
	}
}

// place makes the phis of the variable.
func (p *promoter) place(x int) []*Value {
	if p.front == nil {
		p.frontiers()
	}
	var phis []*Value
	var work []int
	for _, s := range p.outs[x] {
		work = append(work, s.Block.ID)
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, d := range p.front[n] {
			if p.phi.has(int(d)) || !p.live.has(int(d)) {
				continue
			}
			b := p.f.Blocks[d]
			v := &Value{ID: p.f.NumValues, Op: Phi, Type: p.types[x], Args: make([]*Value, len(b.Preds)), Block: b}
			p.f.NumValues++
			p.added[d] = append(p.added[d], v)
			p.phi.put(int(d), v)
			phis = append(phis, v)
			work = append(work, int(d))
		}
	}
	return phis
}

// frontiers computes the dominance frontiers (Cooper, Harvey, Kennedy).
func (p *promoter) frontiers() {
	p.front = make([][]int32, len(p.f.Blocks))
	for _, b := range p.f.Blocks {
		if len(b.Preds) < 2 {
			continue
		}
		for _, pr := range b.Preds {
			for r := pr.ID; r != p.f.Idom[b.ID] && r >= 0; r = p.f.Idom[r] {
				l := p.front[r]
				if len(l) > 0 && l[len(l)-1] == int32(b.ID) {
					break
				}
				p.front[r] = append(l, int32(b.ID))
			}
		}
	}
}

// atEnd is the variable's value at the end of b.
func (p *promoter) atEnd(b *Block, x int) *Value {
	if p.def.has(b.ID) {
		return p.def.value[b.ID]
	}
	return p.atStart(b, x)
}

// atStart is the variable's value at the start of b: that of the nearest
// dominator with a phi or a set.
func (p *promoter) atStart(b *Block, x int) *Value {
	var v *Value
	var path []int
	for n := b.ID; v == nil; {
		switch {
		case p.phi.has(n):
			v = p.phi.value[n]
			continue
		case p.entry.has(n):
			v = p.entry.value[n]
			continue
		}
		path = append(path, n)
		n = p.f.Idom[n]
		if n < 0 {
			v = p.undefined(p.types[x])
		} else if p.def.has(n) {
			v = p.def.value[n]
		}
	}
	for _, n := range path {
		p.entry.put(n, v)
	}
	return v
}

// undefined is the value of registers that were never written.
func (p *promoter) undefined(t isa.Type) *Value {
	if v := p.undef[t]; v != nil {
		return v
	}
	v := &Value{ID: p.f.NumValues, Op: Undef, Type: t, Block: p.f.Blocks[0]}
	p.f.NumValues++
	p.added[0] = append(p.added[0], v)
	p.undef[t] = v
	return v
}

// find follows replacements to a value that stays.
func (p *promoter) find(v *Value) *Value {
	var path []*Value
	for v.Op == get || v.Op == set {
		if v.Op == set {
			v = v.Args[0]
			continue
		}
		path = append(path, v)
		v = p.by[v]
	}
	for _, g := range path {
		p.by[g] = v
	}
	return v
}

// rewrite replaces arguments and drops the gets and sets of b.
func (p *promoter) rewrite(b *Block) {
	var kept []*Value
	for _, v := range append(p.added[b.ID], b.Values...) {
		if v.Op == get || v.Op == set {
			continue
		}
		for i, a := range v.Args {
			v.Args[i] = p.find(a)
		}
		v.sync(p.find)
		kept = append(kept, v)
	}
	b.Values = kept
	if b.Control != nil {
		b.Control = p.find(b.Control)
	}
}

// sync applies a replacement to what points at arguments from the side.
func (v *Value) sync(find func(*Value) *Value) {
	if v.Mem != nil && v.Mem.Base != nil {
		v.Mem.Base = find(v.Mem.Base)
	}
	if v.Mem2 != nil && v.Mem2.Base != nil {
		v.Mem2.Base = find(v.Mem2.Base)
	}
	if v.Bar != nil && v.Bar.ID != nil {
		v.Bar.ID = find(v.Bar.ID)
		if v.Bar.Count != nil {
			v.Bar.Count = find(v.Bar.Count)
		}
	}
}
