package static

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Verdict is what is known of a pair of accesses.
type Verdict uint8

// The verdicts, from the best to the worst.
const (
	Safe     Verdict = iota // no two threads of the launch can conflict
	Watched                 // not decided: to be watched while the program runs
	Possible                // two threads conflict for some parameters, data or shapes
	Proved                  // two threads conflict
)

// String returns "safe", "watched", "possible" or "proved".
func (v Verdict) String() string {
	return [...]string{"safe", "watched", "possible", "proved"}[v]
}

// Pair is the verdict on two accesses, which may be one.
type Pair struct {
	A, B    *Access
	Verdict Verdict
	// Why says why a pair is to be watched, as "not decided: ...".
	Why string
	// Needs are the things on which a Possible pair depends.
	Needs []Need
	// IntraWarp, InterWarp and InterBlock say between which threads a conflict
	// was found.
	IntraWarp, InterWarp, InterBlock bool
	// SameValue says that both write the same.
	SameValue bool
	// Evidence is an example of a conflict.
	Evidence *Evidence
}

// Evidence is two threads that conflict.
type Evidence struct {
	Block, Thread [2][3]uint32
	// Rounds are the rounds of the loops around each access, outermost first.
	Rounds [2][]uint64
	// Shape are the block's extents.
	Shape [3]uint32
	// Params are the values of the parameters that the example is for, by index.
	Params map[int]uint64
	// Offset is the first byte of the first access from the variable's begin,
	// where that is known.
	Offset int64
}

// Model says which accesses of a warp are ordered, as check.RaceModel does.
type Model uint8

// The race models.
const (
	ITS Model = iota
	Lockstep
	Threads
)

// Races decides the pairs of accesses to shared and to global memory of a
// kernel: GRace's static analyser (Algorithm 1), with conditions, loops, whole
// expressions and pairs of blocks.
type Races struct {
	Pairs    []Pair
	Accesses []*Access
	// Undecided says why nothing could be decided, "" else.
	Undecided string
}

// raceCheck is the work on one kernel.
type raceCheck struct {
	*kernel
	ctx   context.Context
	unit  *Unit
	model Model
	shape *shape
	one   [2]*encoder // two threads of a block
	two   [2]*encoder // threads of two blocks
	// cuts are the intervals between barriers; with warp barriers in narrow.
	wide, narrow []*interval
	detoured     map[detourKey][]detour
}

type detourKey struct {
	iv  *interval
	v   *ssa.Value
	rel string
}

// newCheck prepares the work on a kernel.
func newCheck(ctx context.Context, u *Unit, model Model) *raceCheck {
	k := newKernel(u.F)
	c := &raceCheck{kernel: k, ctx: ctx, unit: u, model: model, shape: newShape(u.Launch, u.most),
		detoured: map[detourKey][]detour{}}
	for i, name := range []string{"t1", "t2"} {
		c.one[i] = c.newEncoder(name, "")
		c.two[i] = c.newEncoder(name, fmt.Sprintf("%s%d.", blockPrefix, i+1))
	}
	c.wide = k.intervals(wholeBlock)
	c.narrow = c.wide
	if model == ITS {
		c.narrow = k.intervals(func(v *ssa.Value) bool { return wholeBlock(v) || fullWarp(v) })
	}
	return c
}

// findRaces decides all pairs of a kernel's accesses.
func findRaces(ctx context.Context, u *Unit, model Model) *Races {
	if u.F.Irreducible {
		return &Races{Accesses: newKernel(u.F).accesses, Undecided: "not decided: a loop with several entries"}
	}
	c := newCheck(ctx, u, model)
	k := c.kernel
	r := &Races{Accesses: k.accesses}
	for _, a := range k.accesses {
		c.mark(a)
	}
	for i, a := range k.accesses {
		if u.Progress != nil {
			u.Progress("races", i, len(k.accesses))
		}
		for _, b := range k.accesses[i:] {
			if p, conflict := c.pair(a, b); conflict {
				r.Pairs = append(r.Pairs, p)
			}
		}
	}
	return r
}

func (c *raceCheck) newEncoder(name, block string) *encoder {
	return c.encoder(name, c.shape, c.shape.place(name, block))
}

// mark finds out whether an access is loop- or thread-invariant.
func (c *raceCheck) mark(a *Access) {
	e := c.one[0]
	here := c.free(e, a.Value.Block, "some")
	t := e.addressOf(a.Mem, here, a.Root != nil)
	a.ThreadInvariant, a.LoopInvariant = true, a.Value.Block.Loop != nil
	for _, v := range solve.Variables(t) {
		n := v.Name()
		if strings.HasPrefix(n, e.name+".tid") || n[:1] == opaquePrefix {
			a.ThreadInvariant = false
		}
		if here != nil && n == here.round.Name() || n[:1] == opaquePrefix {
			a.LoopInvariant = false
		}
	}
}

// free is an environment in which all rounds are variables.
func (c *raceCheck) free(e *encoder, b *ssa.Block, tag string) *env {
	var at *env
	for _, l := range loopsOf(b) {
		at = e.in(at, l, c.variable(fmt.Sprintf("%s.%s %d", e.name, tag, l.Header.ID)))
	}
	return at
}

// pair decides two accesses; conflict is false for those that cannot be in
// conflict whatever their addresses.
func (c *raceCheck) pair(a, b *Access) (p Pair, conflict bool) {
	if !a.Writes && !b.Writes || a.Atomic && b.Atomic || apart(a, b) {
		return p, false
	}
	relaxed := strong(a) && strong(b)
	if relaxed && !c.brokeWithITS(a, b) {
		return p, false
	}
	p = Pair{A: a, B: b}
	if !sameRoot(a, b) {
		p.Verdict, p.Why = Watched, "not decided: "+differentRoots(a, b)
		return p, true
	}
	for _, iv := range c.narrow {
		c.inInterval(&p, iv, intraWarp)
	}
	if relaxed {
		return p, true
	}
	for _, iv := range c.wide {
		c.inInterval(&p, iv, interWarp)
	}
	if a.Mem.Space == ptx.Global && c.shape.manyBlocks() {
		c.acrossBlocks(&p)
	}
	return p, true
}

// strong are the operations that PTX's memory model lets race.
func strong(a *Access) bool { return a.Atomic || a.Mem.Order != "" && a.Mem.Order != "weak" }

// MayAlias is why the accesses through two pointers are not compared.
const MayAlias = "two pointers that may point to one array"

// brokeWithITS reports volatile accesses that rely on a warp running in step:
// the only ones of volatile or relaxed pairs that are an error.
func (c *raceCheck) brokeWithITS(a, b *Access) bool {
	return c.model == ITS && a.Mem.Space == ptx.Shared && b.Mem.Space == ptx.Shared && a.Mem.Volatile() && b.Mem.Volatile()
}

func differentRoots(a, b *Access) string {
	if a.Root == nil || b.Root == nil {
		return "an address that comes from data"
	}
	return MayAlias
}

func (s *shape) manyBlocks() bool { return s.launch.Grid != [3]uint32{1, 1, 1} }

// scope says which threads a query is about.
type scope uint8

const (
	interWarp scope = iota
	intraWarp
	interBlock
)

// inInterval decides the pair within an interval, in all relations of rounds.
func (c *raceCheck) inInterval(p *Pair, iv *interval, s scope) {
	for _, ra := range iv.at[p.A.Value] {
		for _, rb := range iv.at[p.B.Value] {
			if p.Verdict == Proved && (s == interWarp && p.InterWarp || s == intraWarp && p.IntraWarp) {
				return
			}
			c.decide(p, c.meeting(p, iv, ra, rb, s))
		}
	}
}

// meeting is the query whether two threads that passed the interval's start
// together conflict in the given relations.
func (c *raceCheck) meeting(p *Pair, iv *interval, ra, rb string, s scope) *query {
	q := &query{c: c, p: p, enc: c.one, scope: s}
	for i, x := range []struct {
		a   *Access
		rel string
	}{{p.A, ra}, {p.B, rb}} {
		e := c.one[i]
		q.env[i] = c.related(e, iv, x.a.Value.Block, x.rel)
		q.add(e.reach(x.a.Value.Block, q.env[i]))
		q.add(c.since(e, iv, x.a.Value.Block, x.rel))
		for _, d := range c.detoursOf(iv, x.a.Value, x.rel) {
			q.add(solve.Not(e.reach(d.barrier.Block, c.related(e, iv, d.barrier.Block, d.rel))))
		}
	}
	q.add(c.different(s))
	if s == intraWarp && c.model == Lockstep {
		q.oneInstruction()
	}
	return q
}

// different says that the two threads of a block are two, of one warp or of two.
func (c *raceCheck) different(s scope) *solve.Term {
	lin := [2]*solve.Term{c.shape.linear(c.one[0].thread), c.shape.linear(c.one[1].thread)}
	oneWarp := solve.Eq(solve.LShr(lin[0], word(5)), solve.LShr(lin[1], word(5)))
	if s == intraWarp {
		return solve.And(solve.Not(solve.Eq(lin[0], lin[1])), oneWarp)
	}
	return solve.Not(oneWarp)
}

func (c *raceCheck) detoursOf(iv *interval, v *ssa.Value, rel string) []detour {
	k := detourKey{iv, v, rel}
	d, ok := c.detoured[k]
	if !ok {
		d = iv.detours(v, rel)
		slices.SortFunc(d, func(a, b detour) int { return a.barrier.ID - b.barrier.ID })
		c.detoured[k] = d
	}
	return d
}

// related is the environment of a block in a relation to an interval's start.
func (c *raceCheck) related(e *encoder, iv *interval, b *ssa.Block, rel string) *env {
	var at *env
	for i, l := range loopsOf(b) {
		start := c.variable(fmt.Sprintf("round %d", l.Header.ID))
		switch relation(rel[i]) {
		case same:
			at = e.in(at, l, start)
		case next:
			before := e.in(at, l, start)
			at = e.in(at, l, c.after(start))
			at.prev = before
		case first:
			at = e.in(at, l, c.round(0))
		case anyOf:
			at = e.in(at, l, c.variable(fmt.Sprintf("%s.round %d", e.name, l.Header.ID)))
		}
	}
	return at
}

// since says what a thread did that passed the interval's start in the rounds
// of its name: it came there, and left the loops around it that it is no longer
// in, or no longer in the same round of a loop further out.
func (c *raceCheck) since(e *encoder, iv *interval, b *ssa.Block, rel string) *solve.Term {
	if iv.start.block.Loop == nil {
		return solve.True
	}
	start := c.related(e, iv, iv.start.block, zeros(iv.start.block))
	all := []*solve.Term{c.started(e, iv)}
	loops := loopsOf(iv.start.block)
	here := 0
	for here < len(loops) && loops[here].Contains(b) && relation(rel[here]) == same {
		here++
	}
	if here < len(loops) && loops[here].Contains(b) {
		here++ // in another round of it
	}
	for _, l := range loops[here:] {
		all = append(all, e.leaves(l, e.at(start, l.Header)))
	}
	return solve.And(all...)
}

// started says that a thread passed the interval's start.
func (c *raceCheck) started(e *encoder, iv *interval) *solve.Term {
	return e.reach(iv.start.block, c.related(e, iv, iv.start.block, zeros(iv.start.block)))
}

// acrossBlocks decides the pair for threads of two blocks, which nothing orders.
func (c *raceCheck) acrossBlocks(p *Pair) {
	q := &query{c: c, p: p, enc: c.two, scope: interBlock}
	for i, a := range []*Access{p.A, p.B} {
		e := c.two[i]
		q.env[i] = c.free(e, a.Value.Block, "round")
		q.add(e.reach(a.Value.Block, q.env[i]))
	}
	var equal []*solve.Term
	for i := range axes {
		equal = append(equal, solve.Eq(c.two[0].thread.block[i], c.two[1].thread.block[i]))
	}
	q.add(solve.Not(solve.And(equal...)))
	c.decide(p, q)
}
