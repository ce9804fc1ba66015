package analysis

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Path is the condition under which a block runs.
type Path struct {
	// Conds are all true whenever the block runs. Iterators in them are those of
	// the loops around the block.
	Conds []*Expr
	// Exact is set if the block also runs in every round, within the iterators'
	// ranges, for which they are true.
	Exact bool

	// limits are the result of Limits, once limited is set.
	limits  []Limit
	limited bool
	// active keeps the results of Active.
	active map[warpKey][2]uint32
}

// Path finds the condition under which b runs.
func (a *Analysis) Path(b *ssa.Block) *Path {
	if p := a.paths[b]; p != nil {
		return p
	}
	p := &Path{Exact: !b.Tangled}
	a.paths[b] = p
	d := a.F.Idom[b.ID]
	if d < 0 {
		return p
	}
	up := a.Path(a.F.Blocks[d])
	p.Exact = p.Exact && up.Exact
	head := a.F.Blocks[d]
	p.Conds = slices.Clip(up.Conds)
	if head.Loop != b.Loop {
		p.Conds = nil
		for _, c := range up.Conds {
			p.add(a.seen(c, b))
		}
	}
	for l := head.Loop; l != nil && !l.Contains(b); l = l.Parent {
		// Behind a loop: all ways out of it that b is reached by count.
		p.Exact = p.Exact && len(l.Exits) == 1 && a.Loop(l).Trips >= 0
	}
	a.reach(p, b)
	if l := b.Loop; l != nil && l.Header == b {
		a.goesRound(p, l)
	}
	return p
}

// maxConds bounds the conditions of a path; of more, the last ones are kept.
const maxConds = 100

func (p *Path) add(c *Expr) {
	if x, ok := c.IsConst(); ok && x == 1 || slices.Contains(p.Conds, c) {
		return
	}
	p.Conds = append(p.Conds, c)
	if len(p.Conds) > maxConds {
		p.Conds, p.Exact = p.Conds[1:], false
	}
}

// reach adds the condition under which b is reached from its dominator.
func (a *Analysis) reach(p *Path, b *ssa.Block) {
	r := a.region(b)
	if r == nil {
		p.Exact = p.Exact && a.follows(b)
		return
	}
	if c := r.reached(); c != nil {
		p.add(a.seen(c, b))
	} else {
		p.Exact = p.Exact && a.follows(b)
	}
}

// follows reports whether b is reached from its dominator on every way.
func (a *Analysis) follows(b *ssa.Block) bool {
	for x := a.F.Idom[b.ID]; x >= 0; {
		x = a.F.Ipdom[x]
		if x == b.ID {
			return true
		}
		if x < 0 || !a.F.Dominates(a.F.Blocks[a.F.Idom[b.ID]], a.F.Blocks[x]) {
			return false
		}
	}
	return false
}

// goesRound adds for a loop's header what each round but the first needs: that
// no round before left the loop. It looks at the round before; if the test is
// one that holds in all earlier rounds once it holds in a later one, and is the
// only way out, that is exact.
func (a *Analysis) goesRound(p *Path, l *ssa.Loop) {
	i := a.Loop(l)
	first := a.compare(ssa.Eq, i.Iter, a.Const(64, 0))
	exact := false
	for _, e := range l.Exits {
		x := e.From
		if x.Kind != ssa.If || x.Loop != l || !a.everyRound(l, x) {
			exact = false
			continue
		}
		c := a.Expr(x.Control, x)
		if !l.Contains(x.Succs[0]) {
			c = a.Not(c)
		}
		if hasOpaque(c, l) {
			continue
		}
		before := a.Subst(c, func(s *Sym) *Expr {
			if s == i.Iter.Sym {
				return a.Sub(i.Iter, a.Const(64, 1))
			}
			return nil
		})
		p.add(a.Or(first, before))
		exact = a.monotone(l, x)
	}
	p.Exact = p.Exact && len(l.Exits) == 1 && exact
}

// hasOpaque reports whether a condition has a value that changes from round to round in a way that is
// not known.
func hasOpaque(c *Expr, l *ssa.Loop) bool {
	for _, s := range c.Syms() {
		if s.Kind == Iter {
			continue
		}
		for _, o := range s.Loops {
			if o == l {
				return true
			}
		}
	}
	return false
}

func (a *Analysis) everyRound(l *ssa.Loop, b *ssa.Block) bool {
	for _, t := range l.Latches {
		if !a.F.Dominates(b, t) {
			return false
		}
	}
	return true
}

// monotone reports whether the test in x, once it has ended the loop, would always
// end it: a sum that grows to a limit, or shrinks to one, and does not wrap.
func (a *Analysis) monotone(l *ssa.Loop, x *ssa.Block) bool {
	b := l.Bound
	if b == nil || b.Block != x || b.Ind == nil {
		return false
	}
	if a.Loop(l).Trips >= 0 {
		return true
	}
	_, _, ok := a.test(b).most()
	return ok
}
