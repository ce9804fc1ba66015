package analysis

import (
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// region is the blocks between a block's immediate dominator and itself, if no
// cycle lies there: the ways by which it is reached.
type region struct {
	a       *Analysis
	head, b *ssa.Block
	in      map[*ssa.Block]bool
}

// maxRegion bounds the blocks of a region.
const maxRegion = 128

// region finds the region before b, nil if there is none.
func (a *Analysis) region(b *ssa.Block) *region {
	d := a.F.Idom[b.ID]
	if d < 0 || b.Tangled {
		return nil
	}
	r := &region{a, a.F.Blocks[d], b, map[*ssa.Block]bool{}}
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
		if x.Tangled || x.Loop != nil && x.Loop.Header == x || len(r.in) > maxRegion {
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

// choose gives the value at b by the way on which it is reached: vals are the
// values on its incoming edges. Ways that do not lead to b do not count.
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
// reached.
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
		switch x.Kind {
		case ssa.Jump:
			e = follow(x, x.Succs[0])
		case ssa.If:
			e = r.either(r.a.Expr(x.Control, x), follow(x, x.Succs[0]), follow(x, x.Succs[1]))
		case ssa.Switch:
			e = r.table(x, follow)
		}
		memo[x] = e
		return e
	}
	return at(r.head)
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
