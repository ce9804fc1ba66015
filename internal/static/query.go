package static

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// query asks whether two threads conflict.
type query struct {
	c     *raceCheck
	p     *Pair
	enc   [2]*encoder
	env   [2]*env
	scope scope
	// who is the condition that there are two threads, terms what brings them there.
	who   *solve.Term
	terms []*solve.Term
	// assumed is what the program assumes in rounds of loops.
	assumed []*solve.Term
	// envs are all environments of the terms, each with its encoder.
	encs []*encoder
	envs []*env
	// met is the overlap and addr the addresses, once they are asked for.
	met  *solve.Term
	addr [2]*solve.Term
}

func (q *query) add(t *solve.Term) { q.terms = append(q.terms, t) }

// oneInstruction restricts the query to one execution of one instruction.
func (q *query) oneInstruction() {
	if q.p.A.Value != q.p.B.Value {
		q.add(solve.False)
		return
	}
	for a, b := q.env[0], q.env[1]; a != nil && b != nil; a, b = a.parent, b.parent {
		q.add(solve.Eq(a.round, b.round))
	}
}

// address is the address of one of the two accesses from their root.
func (q *query) address(i int) *solve.Term {
	if q.addr[i] == nil {
		a := []*Access{q.p.A, q.p.B}[i]
		q.addr[i] = q.c.terms.Intern(q.enc[i].addressOf(a.Mem, q.env[i], !q.p.placed()))
	}
	return q.addr[i]
}

// overlap is the condition that the accesses share a byte, within the variable if its size
// is known: what lies beyond is another rule's.
func (q *query) overlap() *solve.Term {
	if q.met == nil {
		q.met = q.c.terms.Intern(q.findOverlap())
	}
	return q.met
}

func (q *query) findOverlap() *solve.Term {
	x, y := q.address(0), q.address(1)
	if x.Sort() != y.Sort() {
		w := int(max(x.Sort(), y.Sort()))
		x, y = resize(x, w), resize(y, w)
	}
	w := int(x.Sort())
	sizes := [2]int{q.p.A.Mem.Size(), q.p.B.Mem.Size()}
	if sizes[0] == 0 || sizes[1] == 0 {
		return anySize
	}
	near := solve.Eq(x, y)
	if n := uint64(min(sizes[0], sizes[1])); sizes[0] != sizes[1] || solve.AlignedTo(x) < n || solve.AlignedTo(y) < n {
		near = solve.Or(solve.ULt(solve.Sub(x, y), solve.BV(uint64(sizes[1]), w)), solve.ULt(solve.Sub(y, x), solve.BV(uint64(sizes[0]), w)))
	}
	if q.p.placed() {
		return solve.And(near, q.inVariable(x, y))
	}
	if r := q.p.A.Root; r != nil && r.Op == ssa.Addr && r.Object.Size > 0 {
		near = solve.And(near, solve.ULt(x, solve.BV(uint64(r.Object.Size), w)), solve.ULt(y, solve.BV(uint64(r.Object.Size), w)))
	}
	return near
}

// formula is all that has to hold.
func (q *query) formula() []*solve.Term {
	return q.c.conjuncts(q.c.complete(append([]*solve.Term{q.overlap(), q.who}, slices.Concat(q.terms, q.assumptions())...), q.enc[:]))
}

// apart reports whether the addresses of two threads differ whatever brings them
// there: the same question without the conditions, which is asked in little
// time and answers most pairs.
func (q *query) apart() bool {
	if !q.c.affordable([]*solve.Term{q.overlap(), q.who}) {
		return false
	}
	if _, sat, ok := q.enumerate(nil); ok {
		return !sat
	}
	all := q.c.limit([]*solve.Term{q.overlap(), q.who}, q.enc[:])
	return q.c.solve(all).Status == solve.Unsat
}

// ask asks with the conditions. Where all threads can be tried, z3 is asked only
// about conditions that have nothing to do with the threads and addresses.
func (q *query) ask() (o outcome, all []*solve.Term) {
	terms := q.c.complete(slices.Concat(q.terms, q.assumptions()), q.enc[:])
	if slices.Contains(terms, tooMuch) {
		return q.c.judge(terms), nil
	}
	terms = q.c.conjuncts(terms)
	seed := solve.And(q.overlap(), q.who)
	about, beside := solve.Connected(seed, terms)
	model, sat, ok := q.enumerate(about)
	switch {
	case !ok:
		all = q.formula()
		return q.c.ask(all), all
	case !sat:
		return outcome{verdict: Safe}, nil
	}
	if o = q.c.ask(beside); o.verdict > Watched {
		maps.Copy(o.model, model)
	}
	return o, q.formula()
}

// anySize stands for whether accesses meet of which one is of unknown size, such as
// that of a whole matrix.
var anySize = solve.Var(opaquePrefix+"size", solve.Bool)

// mostParts bounds the parts of one question, and mostPartsInAll those of all
// questions about one launch of a kernel: it is what they cost beside z3.
const mostParts, mostPartsInAll = 3_000, 1_200_000

// tooMuch stands for conditions that are left out beyond these bounds. Without
// them a question may say that a conflict cannot be, not that there is one.
var tooMuch = solve.Var(opaquePrefix+"too much", solve.Bool)

const tooManyConditions = "not decided: too many conditions"

// affordable reports whether a question about these terms is within the bounds.
func (c *raceCheck) affordable(all []*solve.Term) bool {
	if c.unit.parts > mostPartsInAll {
		return false
	}
	n := solve.Size(solve.And(all...))
	c.unit.parts += n
	return n <= mostParts
}

// complete adds the facts about the variables of terms about threads.
func (c *raceCheck) complete(all []*solve.Term, encs []*encoder) []*solve.Term {
	have := map[string]bool{}
	for range 8 { // the threads' facts may be about each other's data
		if !c.affordable(all) {
			return append(all, tooMuch)
		}
		n := len(all)
		for _, e := range encs {
			all = append(all, e.facts(solve.Variables(all...), have)...)
		}
		if len(all) == n {
			break
		}
	}
	return c.limit(all, encs)
}

// limit adds the ranges of indices and extents.
func (c *raceCheck) limit(all []*solve.Term, encs []*encoder) []*solve.Term {
	names := namesOf(all...)
	for _, e := range encs {
		all = append(all, c.shape.limits(e.thread, names)...)
	}
	for computed := c.shape.computed; ; {
		more := about(computed, all)
		if len(more) == 0 {
			break
		}
		all = append(all, more...)
		computed = slices.DeleteFunc(slices.Clone(computed), func(t *solve.Term) bool { return slices.Contains(more, t) })
	}
	return append(all, about(c.shape.known, all)...)
}

// about are those constraints that have a variable of the terms.
func about(constraints, terms []*solve.Term) []*solve.Term {
	names := namesOf(terms...)
	var out []*solve.Term
	for _, k := range constraints {
		for _, v := range solve.Variables(k) {
			if names[v.Name()] {
				out = append(out, k)
				break
			}
		}
	}
	return out
}

// mostLikely bounds the parameters of the examples that are reported: what
// takes an index around 2^32 is not a realistic launch.
const mostLikely = 4096

// likely keeps parameters and extents at what programs use. What indices are
// multiplied by is a row's length, and no shorter than the rows; what masks are made of
// is a power of two; loops until a counter is equal to its limit begin before it.
func (c *raceCheck) likely(all []*solve.Term) []*solve.Term {
	out := append(all, about(c.shape.likely, all)...)
	multiplied, masks := solve.Multiplied(all...), solve.Masks(all...)
	for _, v := range solve.Variables(all...) {
		if n := v.Name(); v.Sort() > 0 && (strings.HasPrefix(n, paramPrefix) || strings.HasPrefix(n, dataPrefix) || fromHost(v)) {
			w := int(v.Sort())
			out = append(out, solve.ULe(v, solve.BV(min(mostLikely, uint64(1)<<(w-1)-1), w)))
			if masks[n] {
				out = append(out, solve.Eq(solve.BitAnd(v, solve.Sub(v, solve.BV(1, w))), solve.BV(0, w)), solve.Not(solve.Eq(v, solve.BV(0, w))))
			}
			if multiplied[n] && w >= 32 {
				out = append(out, solve.ULe(solve.BV(maxBlock, w), v))
			}
		}
		out = append(out, c.soon[v.Name()]...)
	}
	return out
}

// outcome is what came of a question.
type outcome struct {
	verdict Verdict
	why     string // of Watched
	unusual bool   // a conflict takes unusual values of parameters
	mixed   bool   // they are a row's length that is the extent of another coordinate
	open    bool   // of Watched, the solver gave up
	needs   []Need // of Possible
	model   solve.Model
}

// The work of z3 on one question, of the first ones of a kernel and of those
// after it has given up some, and more, of them.
const (
	patience, somePatience, littlePatience = 1_000_000, 200_000, 20_000
	fewGivenUp, manyGivenUp                = 6, 30
)

// mostWork bounds z3's work on all questions about one launch of a kernel, in
// its units, of which it does three millions a second.
const mostWork = 20_000_000

// opaqueShare is the part of that work that questions about unknown data may
// take: of them z3 can say only that there is no conflict.
const opaqueShare = 3

// solve asks z3, with less and less patience in a kernel whose questions it
// cannot answer, and with less about unknown data.
func (c *raceCheck) solve(all []*solve.Term) solve.Answer {
	u := c.unit
	if !c.affordable(all) {
		return solve.Answer{Reason: tooManyConditions}
	}
	steps, most := uint64(patience), uint64(mostWork)
	opaque := slices.ContainsFunc(solve.Variables(all...), func(v *solve.Term) bool { return strings.HasPrefix(v.Name(), opaquePrefix) })
	if opaque {
		most /= opaqueShare
	}
	switch {
	case u.work > most:
		steps = 0
	case u.givenUp > manyGivenUp:
		steps = littlePatience
	case u.givenUp > fewGivenUp || opaque:
		steps = somePatience
	}
	a := u.Solver.CheckWithin(c.ctx, steps, all...)
	u.work += a.Steps
	if a.Status == solve.Unknown {
		u.givenUp++
	}
	return a
}

// ask weighs whether all terms can hold: Safe means that they cannot. Where it
// depends on parameters, values that programs use are asked for first, which meet
// the usual constraints, too: mostly that is all that has to be asked.
func (c *raceCheck) ask(all []*solve.Term, usual ...*solve.Term) outcome {
	o := c.judge(all)
	if slices.Contains(all, tooMuch) {
		return o
	}
	var likely solve.Answer
	if o.verdict == Possible {
		if likely = c.solve(append(c.likely(all), usual...)); likely.Status == solve.Sat {
			o.model = likely.Model
			return o
		}
	}
	answer := c.solve(all)
	switch {
	case answer.Status == solve.Unsat:
		return outcome{verdict: Safe}
	case answer.Status == solve.Unknown:
		return outcome{verdict: Watched, why: answer.Reason, open: true}
	case o.verdict == Possible && likely.Status == solve.Unknown:
		return outcome{verdict: Watched, why: likely.Reason, open: true}
	case o.verdict == Possible:
		return onlyUnusual(c.unit, o.needs)
	}
	o.model = answer.Model
	return o
}

// onlyUnusual leaves to the run a conflict that takes values which programs do not
// use: a row's length of 0, or one that is smaller than the rows.
func onlyUnusual(u *Unit, needs []Need) outcome {
	return outcome{verdict: Watched, unusual: true, why: "not decided: a conflict takes unusual values of " + u.Describe(needs)}
}

// decision is what came of a query.
type decision struct {
	outcome
	same bool // both write the same
}

// key identifies what a query is about: pairs of one key have one decision.
func (q *query) key() string {
	q.who = q.c.terms.Intern(q.who)
	q.terms = q.c.conjuncts(q.terms)
	about := append([]*solve.Term{q.overlap(), q.address(0), q.address(1), q.who}, q.terms...)
	key := []byte{byte(q.scope), byte(min(q.p.A.Mem.Size(), 255)), byte(min(q.p.B.Mem.Size(), 255))}
	for _, t := range append(about, q.stored()...) {
		key = binary.AppendUvarint(key, uint64(q.c.terms.Number(t)))
	}
	return string(key)
}

// conjuncts are terms with what they have in common there once.
func (c *raceCheck) conjuncts(terms []*solve.Term) []*solve.Term {
	return solve.Conjuncts(c.terms.Intern(solve.And(terms...)))
}

// decide finds out, or knows, and adds what came out to the pair.
func (c *raceCheck) decide(p *Pair, q *query) {
	key := q.key()
	d, known := c.decided[key]
	if !known {
		d = q.decide()
		c.decided[key] = d
	}
	switch {
	case d.verdict == Watched:
		p.watch(d.outcome)
		return
	case d.verdict == Safe || d.verdict < p.Verdict:
		return
	case d.verdict > p.Verdict:
		p.Verdict, p.Why, p.Needs = d.verdict, "", d.needs
		p.IntraWarp, p.InterWarp, p.InterBlock = false, false, false
		p.Evidence, p.SameValue = q.evidence(d.model), d.same
	}
	p.IntraWarp = p.IntraWarp || q.scope == intraWarp
	p.InterWarp = p.InterWarp || q.scope == interWarp
	p.InterBlock = p.InterBlock || q.scope == interBlock
}

// decide asks.
func (q *query) decide() (d decision) {
	c := q.c
	if c.unit.parts > mostPartsInAll {
		d.outcome = outcome{verdict: Watched, why: tooManyConditions}
		return d
	}
	if proved, unusual, mixed := q.digitsDiffer(); proved {
		if len(unusual) > 0 {
			d.outcome = onlyUnusual(c.unit, unusual)
			d.mixed = mixed
		}
		return d
	}
	if q.apart() {
		return d
	}
	o, all := q.ask()
	if o.verdict == Possible && (runsOver(q.address(0), o.model) || runsOver(q.address(1), o.model)) {
		return decision{outcome: outcome{verdict: Watched, why: tooLargeIndex}}
	}
	d.same = o.verdict > Watched && q.sameValue()
	if o.verdict > Watched && !d.same {
		o, d.same = c.weighValues(q, all, o)
	}
	if c.ordered != "" && o.verdict > Watched {
		o = outcome{verdict: Watched, why: "not decided: " + c.ordered + " may order the accesses"}
	}
	d.outcome = o
	return d
}

// watch makes a pair of which nothing worse is known one to be watched. Of two
// reasons that one counts which leaves more open.
func (p *Pair) watch(o outcome) {
	p.open, p.mixed = p.open || o.open || o.unusual, p.mixed || o.mixed
	if p.Verdict < Watched || p.Verdict == Watched && p.unusual && !o.unusual {
		p.Verdict, p.Why, p.unusual = Watched, o.why, o.unusual
	}
}

// judge weighs what can hold by what its constraints are about.
func (c *raceCheck) judge(all []*solve.Term) outcome {
	var needs []Need
	given := c.shape.launch.facts
	for _, x := range solve.Variables(all...) {
		switch n := x.Name(); {
		case fromHost(x):
			needs = append(needs, given.need(x))
		case n == tooMuch.Name():
			return outcome{verdict: Watched, why: tooManyConditions}
		case n == anySize.Name():
			return outcome{verdict: Watched, why: "not decided: an access whose size is unknown, such as that of a matrix"}
		case strings.HasPrefix(n, opaquePrefix):
			return outcome{verdict: Watched, why: "not decided: it depends on " + c.causes[n].String()}
		case strings.HasPrefix(n, dataPrefix):
			needs = append(needs, Need{Kind: NeedsData})
		case strings.HasPrefix(n, paramPrefix):
			p, _ := partOf(n)
			needs = append(needs, Need{NeedsParam, p})
		case strings.HasPrefix(n, "ntid") && !computed(n, "ntid.", given.block):
			needs = append(needs, Need{Kind: NeedsBlock})
		case strings.HasPrefix(n, "nctaid") && !computed(n, "nctaid.", given.grid):
			needs = append(needs, Need{Kind: NeedsGrid})
		}
	}
	if needs = sortNeeds(needs); len(needs) > 0 {
		return outcome{verdict: Possible, needs: needs}
	}
	return outcome{verdict: Proved}
}

// evidence reads two threads out of a model.
func (q *query) evidence(m solve.Model) *Evidence {
	e := q.c.example(q.enc[:], q.env[:], m)
	at := solve.Eval(q.address(0), m)
	if q.p.placed() {
		e.Variable, at = q.variableAt(at)
	}
	e.Offset = int64(at)
	return e
}

// example reads threads out of a model.
func (c *raceCheck) example(encs []*encoder, envs []*env, m solve.Model) *Evidence {
	e := &Evidence{Params: map[Part]uint64{}, Sizes: map[Part]uint64{}, values: maps.Clone(c.values)}
	if e.values == nil {
		e.values = map[string]uint64{}
	}
	value := func(t *solve.Term) uint64 { return solve.Eval(t, m) }
	for i, enc := range encs {
		for d := range axes {
			e.Thread[i][d] = uint32(value(enc.thread.tid[d]))
			e.Block[i][d] = uint32(value(enc.thread.block[d]))
			e.Shape[d] = uint32(value(c.shape.ntid[d]))
			e.Grid[d] = uint32(value(c.shape.grid[d]))
		}
		for at := envs[i]; at != nil; at = at.parent {
			e.Rounds[i] = append([]uint64{value(at.round)}, e.Rounds[i]...)
		}
	}
	for name, v := range m {
		p, ok := partOf(name)
		if ok {
			e.Params[p] = v
		}
		if ok || strings.HasPrefix(name, hostPrefix) {
			e.values[name] = v
		}
	}
	c.constants(e)
	c.shape.launch.facts.example(e, m)
	return e
}
