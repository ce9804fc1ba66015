package static

import (
	"maps"
	"math/rand/v2"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/solve"
)

// What is not decided for all values of the host code is tried for some: with sizes that the host code names, and with
// small ones. Of a launch of which all is a constant each pair is decided.

// mostTries bounds how often values of a launch are looked for, mostConcrete the pairs and indices of a kernel that launches
// are tried for.
const mostTries, mostConcrete = 32, 12

// sampleSizes are values that a size may have: not all of them are multiples of a block.
var sampleSizes = []uint64{20, 33, 48, 64, 70, 100, 128}

// examples are checks of the kernel for launches of which all values are constants: named has those that host code names,
// sampled others, of which each value is another one.
type examples struct{ named, sampled []*raceCheck }

// launchExamples are those of the launch, made once.
func (c *raceCheck) launchExamples() *examples {
	if c.examples != nil {
		return c.examples
	}
	c.examples = &examples{}
	given := c.shape.launch.facts
	vars := solve.Variables(given.terms()...)
	if len(vars) == 0 {
		return c.examples
	}
	r, fixed := rand.New(rand.NewPCG(1, 2)), given.equations()
	try := func(hint map[string]uint64, pick func(i int) uint64) *raceCheck {
		for range mostTries { // conditions may be about the values
			if s := c.concrete(filled(vars, fixed, hint, pick)); s != nil {
				return s
			}
			pick = func(int) uint64 { return sampleSizes[r.IntN(len(sampleSizes))] }
		}
		return nil
	}
	for _, hint := range given.hints {
		if s := try(hint, orders[0]); s != nil {
			c.examples.named = append(c.examples.named, s)
		}
	}
	for _, order := range orders {
		if s := try(nil, order); s != nil {
			c.examples.sampled = append(c.examples.sampled, s)
		}
	}
	return c.examples
}

// orders are how sizes of samples grow: from value to value, the other way, not at all.
var orders = []func(i int) uint64{
	func(i int) uint64 { return sampleSizes[i%len(sampleSizes)] },
	func(i int) uint64 { return sampleSizes[len(sampleSizes)-1-i%len(sampleSizes)] },
	func(i int) uint64 { return sampleSizes[len(sampleSizes)/2] },
	func(i int) uint64 { return sampleSizes[i*7%len(sampleSizes)] },
}

// filled gives a value to each variable: those that are fixed, those of a hint, or others.
func filled(vars []*solve.Term, fixed, hint map[string]uint64, pick func(i int) uint64) map[string]uint64 {
	values := map[string]uint64{}
	for i, v := range vars {
		is, one := fixed[v.Name()]
		hinted, other := hint[v.Name()]
		switch {
		case one:
			values[v.Name()] = is
		case other:
			values[v.Name()] = hinted
		case v.Sort() == solve.Bool:
			values[v.Name()] = pick(i) & 1
		default:
			values[v.Name()] = min(pick(i), v.Most())
		}
	}
	return values
}

// concrete is the check for a launch with these values of variables, nil if there is no such launch.
func (c *raceCheck) concrete(values map[string]uint64) *raceCheck {
	given := c.shape.launch.facts
	if solve.Eval(solve.And(given.when...), values) != 1 {
		return nil
	}
	u := *c.unit
	u.Launch = u.Launch.with(u.F.PTX, values)
	u.symbolic, u.races, u.open = nil, map[Model]*Races{}, map[openKey]int{}
	l := u.Launch
	if !l.Known() || l.Block[0]*l.Block[1]*l.Block[2] > u.most || l.Block[2] > 64 || l.Block[0] > maxBlock || l.Block[1] > maxBlock {
		return nil
	}
	for i, n := range l.Grid {
		if n == 0 && (given.grid[i] != nil || values["nctaid."+axes[i]] != 0) || n > mostBlocksX {
			return nil
		}
	}
	for _, size := range l.facts.sizes {
		if n, ok := size.Constant(); ok && n > mostAllocated {
			return nil
		}
	}
	s := newCheck(c.ctx, &u, c.model)
	if !s.permitted() {
		return nil
	}
	s.values = values
	return s
}

// inExamples decides a pair that is not decided for all launches by examples of them. A conflict counts if the host code
// names the launch, if each launch has it, or if it takes only that the array has more rows than columns where the index
// mixes them up.
func (c *raceCheck) inExamples(p *Pair) {
	if p.Verdict != Watched || !p.open || c.exampled >= mostConcrete {
		return
	}
	x := c.launchExamples()
	if len(x.named)+len(x.sampled) == 0 {
		return
	}
	c.exampled++
	meets := func(s *raceCheck) *Pair {
		if q, conflict := s.pair(s.accesses[p.A.index], s.accesses[p.B.index]); conflict && q.Verdict == Proved {
			return q
		}
		return nil
	}
	if q := decided(x, p.mixed, meets); q != nil {
		a, b := p.A, p.B
		*p = *q
		p.A, p.B, p.Verdict, p.Needs = a, b, Possible, c.hostNeeds()
	}
}

// decided is what the examples of launches say, nil if that is not enough: any of those that host code names counts, and of
// the others all have to agree unless one suffices.
func decided[T any](x *examples, one bool, try func(*raceCheck) *T) *T {
	for _, s := range x.named {
		if found := try(s); found != nil {
			return found
		}
	}
	var first *T
	for _, s := range x.sampled {
		found := try(s)
		switch {
		case found != nil && one:
			return found
		case found == nil && !one:
			return nil
		case first == nil:
			first = found
		}
	}
	if len(x.sampled) < 2 && !one {
		return nil
	}
	return first
}

// beyondInExamples is inExamples for an index beyond an array.
func (c *raceCheck) beyondInExamples(i int, b *Beyond) {
	if b.Verdict != Watched || !b.open || c.exampled >= mostConcrete {
		return
	}
	x := c.launchExamples()
	if len(x.named)+len(x.sampled) == 0 {
		return
	}
	c.exampled++
	q := decided(x, false, func(s *raceCheck) *Beyond {
		a := s.bounded()[i]
		size := s.sizeOf(a)
		if size == nil {
			return nil
		}
		if q := s.beyond(a, size); q.Verdict == Proved {
			return &q
		}
		return nil
	})
	if q != nil {
		b.Verdict, b.Needs, b.Evidence, b.Size = Possible, c.hostNeeds(), q.Evidence, q.Size
	}
}

// hostNeeds are the values that the launch depends on.
func (c *raceCheck) hostNeeds() (needs []Need) {
	given := c.shape.launch.facts
	fixed := given.equations()
	for _, v := range solve.Variables(given.terms()...) {
		if _, one := fixed[v.Name()]; !one {
			needs = append(needs, given.need(v))
		}
	}
	return sortNeeds(needs)
}

// with is the launch with these values of variables of the host code, of parameters and of extents.
func (l Launch) with(f *ptx.Func, values map[string]uint64) Launch {
	l.Params, l.words = maps.Clone(l.Params), maps.Clone(l.words)
	l.facts.params, l.facts.sizes = maps.Clone(l.facts.params), maps.Clone(l.facts.sizes)
	if l.Params == nil {
		l.Params = map[Part]uint64{}
	}
	l.substitute(f, values)
	l.facts.when = nil
	for i, x := range axes {
		if n, ok := values["ntid."+x]; ok && l.Block[i] == 0 {
			l.Block[i] = uint32(n)
		}
		if n, ok := values["nctaid."+x]; ok && l.Grid[i] == 0 {
			l.Grid[i] = uint32(n)
		}
	}
	for name, v := range values {
		if p, ok := partOf(name); ok && l.facts.params[p] == nil {
			l.Params[p] = v
		}
	}
	return l
}

// equations are the values that conditions on the way to the launch leave.
func (f facts) equations() map[string]uint64 {
	values := map[string]uint64{}
	for _, t := range f.when {
		if v, c, ok := solve.Equation(t); ok {
			values[v.Name()] = c
		}
	}
	return values
}

// constants adds the parameters that are values of the example's launch.
func (c *raceCheck) constants(e *Evidence) {
	for name, v := range c.values {
		if p, ok := partOf(name); ok {
			e.Params[p] = v
		}
	}
}
