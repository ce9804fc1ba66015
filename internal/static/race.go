package static

import (
	"context"
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Verdict holds the facts about a pair of accesses.
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
	// SameValue is set if both write the same.
	SameValue bool
	// Evidence is an example of a conflict.
	Evidence *Evidence

	unusual bool // a Watched pair conflicts only for unusual values of parameters
	open    bool // a Watched pair is so as the solver gave up, or for that
	mixed   bool // what is unusual is a row's length that is the extent of another coordinate
}

// Evidence is two threads that conflict.
type Evidence struct {
	Block, Thread [2][3]uint32
	// Rounds are the rounds of the loops around each access, outermost first.
	Rounds [2][]uint64
	// Shape are the block's extents, Grid those of the grid, 0 where they do not matter.
	Shape, Grid [3]uint32
	// Params are the values of the parameters that the example is for, Sizes the bytes of the allocations that
	// pointers among them are to.
	Params, Sizes map[Part]uint64
	// Offset is the first byte of the first access from the variable's begin,
	// where that is known.
	Offset int64
	// Variable is where they meet if an access is to one of several, else nil.
	Variable *ssa.Object

	values map[string]uint64 // of variables of the launch
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
// kernel: GRace's static analyzer (Algorithm 1), with conditions, loops, whole
// expressions and pairs of blocks.
type Races struct {
	// Pairs are those that are not safe; Safe is how many are.
	Pairs    []Pair
	Safe     int
	Accesses []*Access
	// Undecided says why not all pairs could be decided, "" else: then nothing
	// is known of those that are not there.
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
	extents      map[*Access]extent
	footprints   map[extent]footprint
	encounters   map[encounter]bool
	within       map[*Access][]int
	decided      map[string]decision
	pairs, asked int
	shaped       []*raceCheck      // for blocks of usual shapes
	indexed      []*Access         // those whose bounds are examined
	examples     *examples         // of launches, once they are asked for
	exampled     int               // pairs and indices that they were tried for
	shrunk       int               // examples for which a smaller launch was looked for
	values       map[string]uint64 // of variables, in the check for an example of a launch
}

// newCheck prepares the work on a kernel.
func newCheck(ctx context.Context, u *Unit, model Model) *raceCheck {
	k := newKernel(u.F)
	c := &raceCheck{kernel: k, ctx: ctx, unit: u, model: model, shape: u.shapeOf(ctx),
		extents: map[*Access]extent{}, footprints: map[extent]footprint{}, encounters: map[encounter]bool{}, within: map[*Access][]int{}, decided: map[string]decision{}}
	for i, name := range []string{"t1", "t2"} {
		c.one[i] = c.newEncoder(name, "")
		c.two[i] = c.newEncoder(name, fmt.Sprintf("%s%d.", blockPrefix, i+1))
	}
	c.wide = k.intervals(wholeBlock)
	c.narrow = c.wide
	if model == ITS {
		c.narrow = k.intervals(func(v *ssa.Value) bool { return wholeBlock(v) || fullWarp(v, u.Launch) })
	}
	return c
}

const severalEntries = "not decided: a loop with several entries"

// findRaces decides all pairs of a kernel's accesses.
func findRaces(ctx context.Context, u *Unit, model Model) *Races {
	if u.F.Irreducible {
		return &Races{Accesses: newKernel(u.F).accesses, Undecided: severalEntries}
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
		if ctx.Err() != nil {
			r.Undecided = "not decided: interrupted"
			return r
		}
		for _, b := range k.accesses[i:] {
			if c.pairs > mostPairs {
				r.Undecided = fmt.Sprintf("not decided: more than %d pairs of accesses", mostPairs)
				return r
			}
			p, conflict := c.pair(a, b)
			if conflict {
				c.inUsualBlocks(p)
				c.inExamples(p)
				c.smallestPair(p)
			}
			switch {
			case conflict && p.Verdict == Safe:
				r.Safe++
			case conflict:
				r.Pairs = append(r.Pairs, *p)
			}
		}
	}
	if k.hidden != "" {
		r.Undecided = "not decided: " + k.hidden
	}
	return r
}

func (c *raceCheck) newEncoder(name, block string) *encoder {
	return c.encoder(name, c.shape, c.shape.place(name, block))
}

// mark finds out whether an access is loop- or thread-invariant. The threads
// that execute it together are those meant: what they read from one address is
// the same for all of them.
func (c *raceCheck) mark(a *Access) {
	symbolic, _, _ := c.unit.Analysis()
	at := symbolic.Address(a.Mem, a.Value.Block).Expr
	a.ThreadInvariant = at.Level <= analysis.Warp
	varies := map[*ssa.Loop]bool{}
	c.vary(symbolic, at, varies, 0)
	for _, l := range loopsOf(a.Value.Block) {
		a.Loops++
		if !varies[l] {
			a.InvariantLoops++
		}
	}
}

// vary adds the loops between whose rounds a value may differ. What is loaded
// through a pointer that the kernel does not write through differs where the
// address does.
func (c *raceCheck) vary(a *analysis.Analysis, e *analysis.Expr, loops map[*ssa.Loop]bool, depth int) {
	for _, s := range e.Syms() {
		v := s.Value
		switch {
		case s.Kind == analysis.Iter:
			loops[s.Loop] = true
		case v != nil && v.Op == ssa.Load && depth < 8 && c.readOnly(v):
			c.vary(a, a.Address(v.Mem, v.Block).Expr, loops, depth+1)
		default:
			for _, l := range s.Loops {
				loops[l] = true
			}
		}
	}
}

// readOnly reports whether v is a load through a pointer that nothing is written through.
func (c *raceCheck) readOnly(v *ssa.Value) bool {
	for _, a := range c.accesses {
		if a.Value == v {
			return a.Root != nil && !c.writesTo[rootKey(a.Root)] && !c.writesTo[nil]
		}
	}
	return v.Mem.ReadOnly
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
func (c *raceCheck) pair(a, b *Access) (p *Pair, conflict bool) {
	if !a.Writes && !b.Writes || a.Atomic && b.Atomic && !narrowScope(a, b) && a.Mem.Elem.Size() == b.Mem.Elem.Size() || apart(a, b) {
		return p, false
	}
	p = &Pair{A: a, B: b}
	if c.differentArrays(a, b) {
		return p, true
	}
	if a.Value.Later() || b.Value.Later() {
		p.Verdict, p.Why = Watched, "not decided: "+asynchronous
		return p, true
	}
	relaxed := strong(a) && strong(b) && a.Mem.Elem.Size() == b.Mem.Elem.Size()
	if relaxed && !c.brokeWithITS(a, b) {
		defer p.spare()
		relaxed = false
	}
	if p.placed() && !(c.havePlaces(a) && c.havePlaces(b)) {
		p.Verdict, p.Why = Watched, "not decided: "+differentRoots(a, b)
		return p, true
	}
	if a.Mem.Space == ptx.Shared && !c.together(a, b) {
		return p, true
	}
	c.pairs++
	if c.canMeet(a, b, true) {
		for _, iv := range c.narrow {
			c.inInterval(p, iv, intraWarp)
		}
	}
	if relaxed {
		between := &Pair{A: a, B: b}
		c.betweenWarps(between)
		if between.spare(); between.Verdict == Watched {
			p.watch(outcome{why: between.Why})
		}
		return p, true
	}
	c.betweenWarps(p)
	if a.Mem.Space == ptx.Global && !c.unit.within && c.shape.manyBlocks() {
		c.likelyBlocks(p)
	}
	return p, true
}

// betweenWarps decides the pair for threads of two warps of a block.
func (c *raceCheck) betweenWarps(p *Pair) {
	if c.canMeet(p.A, p.B, false) {
		for _, iv := range c.wide {
			c.inInterval(p, iv, interWarp)
		}
	}
}

// likelyBlocks decides the pair for threads of two blocks, and leaves it to the
// run where there is most likely only one.
func (c *raceCheck) likelyBlocks(p *Pair) {
	if !c.unit.oneBlock {
		c.acrossBlocks(p)
		return
	}
	within := *p
	if c.acrossBlocks(p); p.InterBlock {
		*p = within
		p.watch(outcome{why: "not decided: the number of blocks is unknown"})
	}
}

// together reports two accesses that have an interval in common.
func (c *raceCheck) together(a, b *Access) bool {
	x, y := c.intervalsOf(a), c.intervalsOf(b)
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] == y[0]:
			return true
		case x[0] < y[0]:
			x = x[1:]
		default:
			y = y[1:]
		}
	}
	return false
}

// intervalsOf are the indices of the intervals that an access is in.
func (c *raceCheck) intervalsOf(a *Access) []int {
	in, done := c.within[a]
	if !done {
		for i, iv := range c.wide {
			if len(iv.at[a.Value]) > 0 {
				in = append(in, i)
			}
		}
		c.within[a] = in
	}
	return in
}

// mostPairs bounds the pairs of one kernel that are examined.
const mostPairs = 50_000

// narrowScope reports atomic operations in global memory that are atomic in
// their block only.
func narrowScope(a, b *Access) bool {
	return a.Mem.Space != ptx.Shared && (a.Mem.Scope == "cta" || b.Mem.Scope == "cta")
}

// spare leaves a conflict of volatile or relaxed accesses to the run: it is a
// race only where they are meant to order something.
func (p *Pair) spare() {
	if p.Verdict > Watched {
		*p = Pair{A: p.A, B: p.B, Verdict: Watched, Why: "not decided: both are volatile, relaxed or atomic"}
	}
}

// strong are the operations that PTX's memory model lets race.
func strong(a *Access) bool { return a.Atomic || a.Mem.Order != "" && a.Mem.Order != "weak" }

// MayAlias is why the accesses through two pointers are not compared.
const MayAlias = "their pointers may alias (exclude that with --assume-distinct or __restrict__)"

// asynchronous is why copies are not compared: barriers order them only if the
// thread has waited for them.
const asynchronous = "an asynchronous copy takes place until it is waited for"

// brokeWithITS reports volatile accesses that rely on a warp running in step:
// the only ones of volatile or relaxed pairs that are an error.
func (c *raceCheck) brokeWithITS(a, b *Access) bool {
	return c.model == ITS && a.Mem.Space == ptx.Shared && b.Mem.Space == ptx.Shared && a.Mem.Volatile() && b.Mem.Volatile()
}

func differentRoots(a, b *Access) string {
	for _, x := range []*Access{a, b} {
		if x.Value.Op == ssa.Effect && x.Root == nil {
			return "an access (" + x.Value.Does.Kind.String() + ") at an unknown address"
		}
	}
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
		q.env[i] = c.related(e, x.a.Value.Block, x.rel)
		q.within(e, q.env[i])
		q.within(e, c.related(e, iv.start.block, zeros(iv.start.block)))
		q.add(e.reach(x.a.Value.Block, q.env[i]))
		q.assumed = append(q.assumed, e.assumed(x.a.Value.Block, q.env[i])...)
		q.add(c.since(e, iv, x.a.Value.Block, x.rel))
		for _, d := range iv.detours(x.a.Value, x.rel) {
			if strings.IndexByte(d.rel, byte(anyOf)) >= 0 { // not in this round, but perhaps in one before
				q.add(c.unknown("no barrier before", solve.Bool, cause{kind: earlierBarrier}))
				continue
			}
			there := c.related(e, d.barrier.Block, d.rel)
			q.within(e, there)
			q.add(solve.Not(e.reach(d.barrier.Block, there)))
		}
	}
	q.who = c.different(s)
	if s == intraWarp && c.model == Lockstep {
		q.oneInstruction()
	}
	return q
}

// different is the condition that the two threads of a block are two, of one warp or of two.
func (c *raceCheck) different(s scope) *solve.Term {
	lin := [2]*solve.Term{c.shape.linear(c.one[0].thread), c.shape.linear(c.one[1].thread)}
	oneWarp := solve.Eq(solve.LShr(lin[0], word(5)), solve.LShr(lin[1], word(5)))
	if s == intraWarp {
		return solve.And(solve.Not(solve.Eq(lin[0], lin[1])), oneWarp)
	}
	return solve.Not(oneWarp)
}

// related is the environment of a block in a relation to an interval's start.
func (c *raceCheck) related(e *encoder, b *ssa.Block, rel string) *env {
	return c.relatedAs(e, e.name, b, rel)
}

// relatedAs is related with the rounds of another thread.
func (c *raceCheck) relatedAs(e *encoder, who string, b *ssa.Block, rel string) *env {
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
			at = e.in(at, l, c.variable(fmt.Sprintf("%s.round %d", who, l.Header.ID)))
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
	start := c.related(e, iv.start.block, zeros(iv.start.block))
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

// started is the condition that a thread passed the interval's start.
func (c *raceCheck) started(e *encoder, iv *interval) *solve.Term {
	return e.reach(iv.start.block, c.related(e, iv.start.block, zeros(iv.start.block)))
}

// acrossBlocks decides the pair for threads of two blocks, which nothing orders.
func (c *raceCheck) acrossBlocks(p *Pair) {
	q := &query{c: c, p: p, enc: c.two, scope: interBlock}
	for i, a := range []*Access{p.A, p.B} {
		e := c.two[i]
		q.env[i] = c.free(e, a.Value.Block, "round")
		q.add(e.reach(a.Value.Block, q.env[i]))
		q.assumed = append(q.assumed, e.assumed(a.Value.Block, q.env[i])...)
	}
	var equal []*solve.Term
	for i := range axes {
		equal = append(equal, solve.Eq(c.two[0].thread.block[i], c.two[1].thread.block[i]))
	}
	q.who = solve.Not(solve.And(equal...))
	c.decide(p, q)
}
