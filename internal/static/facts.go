package static

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/solve"
)

// facts is what host code computes for a launch beyond constants, as terms over its values: what its function is
// given, what others return and what it reads from memory.
type facts struct {
	// block and grid are extents of 32 bits, nil where they are constant or not known.
	block, grid [3]*solve.Term
	// params are scalar parameters and words of structures, sizes the bytes of the allocations that pointer parameters
	// point to the beginning of.
	params, sizes map[Part]*solve.Term
	// when are conditions under which the launch is reached.
	when []*solve.Term
	// hints are sets of values for variables of the terms that the program surely has.
	hints []map[string]uint64
}

// about are the facts about the extents of a shape that are variables, about parameters that are known otherwise, and what is
// known of the values.
func (f facts) about(s *shape) (out []*solve.Term) {
	for p, t := range f.params {
		if bits, ok := s.launch.Value(p, int(t.Sort())/8); ok {
			out = append(out, solve.Eq(t, solve.BV(bits, int(t.Sort()))))
		}
	}
	for i := range axes {
		if t := f.block[i]; t != nil && s.launch.Block[i] == 0 {
			out = append(out, solve.Eq(s.ntid[i], t))
		}
		if t := f.grid[i]; t != nil && s.launch.Grid[i] == 0 {
			out = append(out, solve.Eq(s.grid[i], t))
		}
	}
	return append(out, f.when...)
}

// Forget returns the launch without what host code computes for it: where extents are given they need not be those of the host.
func (l Launch) Forget() Launch {
	l.facts = facts{}
	return l
}

// param is a part of the parameters of so many bits, nil where it is not known.
func (f facts) param(p Part, bits int) *solve.Term {
	before := 0
	t := f.params[p]
	if t == nil {
		before = p.Offset % 8
		t = f.params[Part{p.Param, p.Offset - before}]
	}
	if t == nil || 8*before+bits > int(t.Sort()) {
		return nil
	}
	return solve.Extract(t, 8*before, bits)
}

// need is what decides a value of the host: the first parameter that it is passed as, if there is one.
func (f facts) need(v *solve.Term) Need {
	own, ok := f.passedAs(v.Name())
	if !ok {
		return Need{Kind: NeedsHost}
	}
	p, _ := partOf(own.Monomials()[0].Factors()[0])
	return Need{NeedsParam, p}
}

// computed returns the variable of an extent that host code computes.
func computed(name, prefix string, extents [3]*solve.Term) bool {
	for i, axis := range axes {
		if name == prefix+axis {
			return extents[i] != nil
		}
	}
	return false
}

// equal reports whether the same is known of two launches.
func (f facts) equal(o facts) bool {
	for i := range axes {
		if !sameTerm(f.block[i], o.block[i]) || !sameTerm(f.grid[i], o.grid[i]) {
			return false
		}
	}
	if len(f.when) != len(o.when) {
		return false
	}
	for i := range f.when {
		if !sameTerm(f.when[i], o.when[i]) {
			return false
		}
	}
	return maps.EqualFunc(f.params, o.params, sameTerm) && maps.EqualFunc(f.sizes, o.sizes, sameTerm)
}

func sameTerm(a, b *solve.Term) bool {
	return a == b || a != nil && b != nil && a.Sort() == b.Sort() && a.String() == b.String()
}

// example adds what a model of the host's values gives.
func (f facts) example(e *Evidence, m solve.Model) {
	decided := func(t *solve.Term) bool {
		return !slices.ContainsFunc(solve.Variables(t), func(v *solve.Term) bool { _, ok := m[v.Name()]; return !ok })
	}
	for p, t := range f.params {
		if _, ok := e.Params[p]; !ok && t.Sort() <= 64 && decided(t) {
			e.Params[p] = solve.Eval(t, m)
		}
	}
	for p, t := range f.sizes {
		if decided(t) {
			e.Sizes[p] = solve.Eval(t, m)
		}
	}
}

// shapeOf is the launch's shape. What host code computes is left out if it cannot hold together with what was given.
func (u *Unit) shapeOf(ctx context.Context) *shape {
	s := newShape(u.Launch, u.most)
	if len(s.computed) > 0 && !u.weighed {
		u.weighed = true
		all := append(append([]*solve.Term{}, s.computed...), about(s.known, s.computed)...)
		if u.Solver.CheckWithin(ctx, patience, all...).Status == solve.Unsat {
			u.Launch = u.Launch.Forget()
			return newShape(u.Launch, u.most)
		}
	}
	return s
}

// sameValues reports whether a size and what else terms depend on of the host's values are computed from the same values,
// which the launch is given: then an access that is beyond the size is so for one set of values. Of a size that is computed
// from others host code may know that it suffices.
func (c *raceCheck) sameValues(size *solve.Term, terms []*solve.Term) bool {
	f := c.unit.Launch.facts
	given := slices.Concat(f.block[:], f.grid[:], slices.Collect(maps.Values(f.params)))
	own, passed := namesOf(size), namesOf(slices.DeleteFunc(given, func(t *solve.Term) bool { return t == nil })...)
	for n := range own {
		if !passed[n] {
			return false
		}
	}
	for _, v := range solve.Variables(terms...) {
		p, param := partOf(v.Name())
		switch {
		case fromHost(v) && !own[v.Name()]:
			return false
		case param && f.param(p, int(v.Sort())) == nil:
			return false
		}
	}
	return true
}

func namesOf(terms ...*solve.Term) map[string]bool {
	names := map[string]bool{}
	for _, v := range solve.Variables(terms...) {
		names[v.Name()] = true
	}
	return names
}

// fromHost reports whether v is a variable of host code.
func fromHost(v *solve.Term) bool { return strings.HasPrefix(v.Name(), hostPrefix) }
