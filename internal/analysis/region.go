package analysis

import (
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// region is the blocks between a block's immediate dominator and itself: the
// ways by which it is reached. A loop among them counts as one block.
type region struct {
	a       *Analysis
	head, b *ssa.Block
	in      map[*ssa.Block]bool
	// failed is set if a way could not be followed.
	failed bool
}

// maxRegion bounds the blocks of a region.
const maxRegion = 128

// region finds the region before b, nil if there is none.
func (a *Analysis) region(b *ssa.Block) *region {
	d := a.F.Idom[b.ID]
	if d < 0 || b.Tangled {
		return nil
	}
	r := &region{a: a, head: a.F.Blocks[d], b: b, in: map[*ssa.Block]bool{}}
	work := []*ssa.Block{}
	for _, p := range b.Preds {
		if p != r.head && !r.in[p] {
			if b.Loop != nil && b.Loop.Header == b && b.Loop.Contains(p) {
				continue // the back edge
			}
			r.in[p] = true
			work = append(work, p)
		}
	}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x.Tangled || len(r.in) > maxRegion {
			return nil
		}
		for _, p := range x.Preds {
			if p != r.head && !r.in[p] {
				r.in[p] = true
				work = append(work, p)
			}
		}
	}
	return r
}

// choose gives the value at b by the way on which it is reached, nil if that
// cannot be said: vals are the values on its incoming edges. Ways that do not
// lead to b do not count.
func (r *region) choose(vals []*Expr) *Expr {
	return r.walk(map[*ssa.Block]*Expr{}, func(from *ssa.Block) *Expr {
		for i, p := range r.b.Preds {
			if p == from {
				return vals[i]
			}
		}
		return nil
	}, nil)
}

// reached is the condition, seen from the region's head, under which b is
// reached, nil if that cannot be said.
func (r *region) reached() *Expr {
	yes, no := r.a.boolean(true), r.a.boolean(false)
	return r.walk(map[*ssa.Block]*Expr{}, func(*ssa.Block) *Expr { return yes }, no)
}

// walk combines what edges into b give; elsewhere stands for ways that lead
// past b, nil if they do not count.
func (r *region) walk(memo map[*ssa.Block]*Expr, edge func(from *ssa.Block) *Expr, elsewhere *Expr) *Expr {
	var at func(x *ssa.Block) *Expr
	follow := func(x, to *ssa.Block) *Expr {
		switch {
		case to == r.b:
			return edge(x)
		case r.in[to]:
			return at(to)
		}
		return elsewhere
	}
	at = func(x *ssa.Block) *Expr {
		if e, ok := memo[x]; ok {
			return e
		}
		var e *Expr
		l := x.Loop
		switch {
		case l != nil && l.Header == x && x != r.head && !l.Contains(r.b):
			e = r.through(l, follow)
		case x.Kind == ssa.Jump:
			e = follow(x, x.Succs[0])
		case x.Kind == ssa.If:
			e = r.either(r.a.Expr(x.Control, x), follow(x, x.Succs[0]), follow(x, x.Succs[1]))
		case x.Kind == ssa.Switch:
			e = r.table(x, follow)
		}
		memo[x] = e
		return e
	}
	e := at(r.head)
	if r.failed {
		return nil
	}
	return e
}

// through is what all ways out of a loop have in common.
func (r *region) through(l *ssa.Loop, follow func(x, to *ssa.Block) *Expr) *Expr {
	var one *Expr
	for _, x := range l.Exits {
		e := follow(x.From, x.To)
		if e == nil {
			continue
		}
		e = r.a.seen(e, x.To)
		r.failed = r.failed || one != nil && one != e
		one = e
	}
	return one
}

// either chooses between two ways, of which one may not count.
func (r *region) either(c, yes, no *Expr) *Expr {
	switch {
	case yes == nil:
		return no
	case no == nil:
		return yes
	}
	return r.a.choose(c, yes, no)
}

func (r *region) table(x *ssa.Block, follow func(x, to *ssa.Block) *Expr) *Expr {
	index := r.a.Expr(x.Control, x)
	var e *Expr
	for i := len(x.Succs) - 1; i >= 0; i-- {
		c := r.a.compare(ssa.Eq, index, r.a.Const(index.W, uint64(i)))
		e = r.either(c, follow(x, x.Succs[i]), e)
	}
	return e
}
