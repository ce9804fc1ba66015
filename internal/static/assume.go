package static

import (
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// What a program assumes of its threads, by __builtin_assume, by assertions or by code that it declares unreachable,
// holds for both threads of a question: on the way to an access, and for what is assumed outside of loops also where
// that comes after the access or on another way.

// assumptions are the values by which a kernel assumes something.
func assumptions(f *ssa.Func) (all []*ssa.Value) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.Assume {
				all = append(all, v)
			}
		}
	}
	return all
}

// assumed is what the rounds of loops that e says assume of a thread that reaches a block in them.
func (c *encoder) assumed(b *ssa.Block, e *env) (all []*solve.Term) {
	if len(c.k.assumes) == 0 {
		return nil
	}
	for d := b; d != nil; d = c.idom(d) {
		for _, v := range c.k.assumes {
			if v.Block == d && d.Loop != nil {
				all = append(all, solve.Conjuncts(c.assumption(v, e))...)
			}
		}
	}
	return all
}

// assumptions are those of the two threads that the question is about.
func (q *query) assumptions() []*solve.Term {
	all := slices.Concat(q.assumed, q.enc[0].always(), q.enc[1].always())
	if len(all) == 0 {
		return nil
	}
	with, _ := solve.Connected(solve.And(append([]*solve.Term{q.overlap(), q.who}, q.terms...)...), all)
	return with
}

// withAssumed adds those assumptions to a question that are about the variables of its terms, or of others that are:
// a finding does not depend on the rest.
func withAssumed(terms, assumed []*solve.Term) []*solve.Term {
	if len(assumed) == 0 {
		return terms
	}
	with, _ := solve.Connected(solve.And(terms...), assumed)
	return append(terms, with...)
}

// assumption is the condition that v assumes.
func (c *encoder) assumption(v *ssa.Value, e *env) *solve.Term {
	t := c.value(v.Args[0], c.at(e, v.Block))
	if v.Const == 0 {
		return solve.Not(t)
	}
	return t
}

// always is what holds in the thread wherever it is: what is assumed outside of loops.
func (c *encoder) always() []*solve.Term {
	if c.held == nil {
		c.held, c.heldOf = []*solve.Term{}, map[string][]*solve.Term{}
		for _, v := range c.k.assumes {
			if v.Block.Loop == nil {
				c.hold(solve.Conjuncts(solve.Or(solve.Not(c.reach(v.Block, nil)), c.assumption(v, nil))))
			}
		}
	}
	return c.held
}

// hold notes what always holds, also by the variables that it is about.
func (c *encoder) hold(terms []*solve.Term) {
	c.held = append(c.held, terms...)
	for _, t := range terms {
		for _, x := range solve.Variables(t) {
			c.heldOf[x.Name()] = append(c.heldOf[x.Name()], t)
		}
	}
}

// assume fills in extents of the launch and parameters that the kernel assumes to be constants.
func (u *Unit) assume() {
	if len(assumptions(u.F)) == 0 {
		return
	}
	k := newKernel(u.F)
	s := newShape(u.Launch, u.most)
	e := k.encoder("t1", s, s.place("t1", ""))
	for _, v := range k.assumes {
		if v.Block.Loop != nil || !e.reach(v.Block, nil).IsTrue() {
			continue
		}
		for _, t := range solve.Conjuncts(k.terms.Intern(e.assumption(v, nil))) {
			if x, bits, ok := solve.Equation(t); ok {
				u.take(x.Name(), bits)
			}
		}
	}
}

// take notes that a variable of the launch is a constant, unless it is known or the host code computes it.
func (u *Unit) take(name string, bits uint64) {
	l := &u.Launch
	for i, x := range axes {
		switch {
		case name == "ntid."+x && l.Block[i] == 0 && l.facts.block[i] == nil:
			l.Block[i] = uint32(bits)
		case name == "nctaid."+x && l.Grid[i] == 0 && l.facts.grid[i] == nil:
			l.Grid[i] = uint32(bits)
		}
	}
	p, ok := partOf(name)
	if _, known := l.Params[p]; ok && !known && l.facts.params[p] == nil && !structure(u.F.PTX.Params[p.Param]) {
		l.Params = maps.Clone(l.Params)
		if l.Params == nil {
			l.Params = map[Part]uint64{}
		}
		l.Params[p] = bits
	}
}

// permitted reports whether the launch's extents can meet what the kernel assumes of them.
func (c *raceCheck) permitted() bool {
	all := slices.Clone(c.one[0].always())
	return len(all) == 0 || c.unit.Solver.CheckWithin(c.ctx, patience, c.limit(all, c.one[:1])...).Status != solve.Unsat
}
