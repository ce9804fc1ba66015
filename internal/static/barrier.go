package static

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// BarrierKind says what is wrong with a barrier.
type BarrierKind uint8

// What can be wrong with a barrier.
const (
	// Divergent: lanes of one warp reach it, others pass it by or wait at another one.
	Divergent BarrierKind = iota
	// Returned: lanes of one warp reach it, others have ended before.
	Returned
	// Left: whole warps never reach it, and to no other.
	Left
	// Elsewhere: whole warps wait at another barrier meanwhile.
	Elsewhere
	// Unreachable: no thread reaches it.
	Unreachable
	// Redundant: another barrier comes before it on all ways, and no access to
	// shared or global memory lies between.
	Redundant
)

// Barrier is a barrier of the whole block with which something is wrong.
type Barrier struct {
	Value   *ssa.Value
	Kind    BarrierKind
	Verdict Verdict
	Needs   []Need
	// Evidence has a thread that comes, first, and one that does not.
	Evidence *Evidence
	// Before is the barrier that makes a Redundant one so, Other where the others wait of an Elsewhere.
	Before, Other *ssa.Value
}

// Barriers looks at the barriers of the whole block.
func (u *Unit) Barriers(ctx context.Context) (out []Barrier) {
	var all []*ssa.Value
	for _, b := range u.F.Blocks {
		for _, v := range b.Values {
			if wholeBlock(v) {
				all = append(all, v)
			}
		}
	}
	if u.F.Irreducible {
		u.leave(barriers, severalEntries, len(all))
		return nil
	}
	c := newCheck(ctx, u, ITS)
	for _, v := range all {
		out = append(out, c.barrier(v)...)
	}
	return out
}

// barrier looks at one barrier: each kind is told once, proved if it can be.
func (c *raceCheck) barrier(v *ssa.Value) []Barrier {
	if o := c.ask(c.complete([]*solve.Term{c.one[0].reach(v.Block, c.free(c.one[0], v.Block, "round"))}, c.one[:1])); o.verdict == Safe {
		return []Barrier{{Value: v, Kind: Unreachable, Verdict: Proved}}
	}
	before := c.redundant(v)
	if c.kernel.barrier { // where others may wait
		c.unit.leave(barriers, c.ordered, 1)
		return nil
	}
	open := ""
	for _, s := range []scope{intraWarp, interWarp} {
		b, why := c.missed(v, s)
		if b.Verdict > Watched {
			return []Barrier{b}
		}
		open = cmp.Or(open, why)
	}
	if b, why := c.elsewhere(v); b.Verdict > Watched {
		return []Barrier{b}
	} else {
		open = cmp.Or(open, why)
	}
	if before != nil { // and not divergent: that is worse
		return []Barrier{{Value: v, Kind: Redundant, Verdict: Proved, Before: before}}
	}
	if open != "" {
		c.unit.leave(barriers, open, 1)
	}
	return nil
}

// missed asks whether a thread can miss a barrier that another one reaches
// from the same start; why says why that is not decided.
func (c *raceCheck) missed(v *ssa.Value, s scope) (worst Barrier, why string) {
	worst = Barrier{Value: v, Kind: Divergent}
	if s == interWarp {
		worst.Kind = Left
	}
	for _, iv := range c.wide {
		for _, rel := range weakest(iv.stops[v]) {
			terms, envs := c.missing(v, iv, rel, s)
			o, kind := c.ask(c.complete(terms, c.one[:])), worst.Kind
			if s == intraWarp && o.verdict > Watched {
				o, kind = c.passedBy(v, iv, rel, terms, o)
			}
			if o.verdict > worst.Verdict || o.verdict == worst.Verdict && kind < worst.Kind {
				worst.Verdict, worst.Kind, worst.Needs, why = o.verdict, kind, o.needs, o.why
				if o.verdict > Watched {
					worst.Evidence = c.example(c.one[:], envs[:], o.model)
				}
			}
		}
	}
	return worst, why
}

// passedBy tells lanes that continue without a barrier from those that have ended before it, for which GPUs whose
// barriers count threads do not wait. missed is the answer for both.
func (c *raceCheck) passedBy(v *ssa.Value, iv *interval, rel string, terms []*solve.Term, missed outcome) (outcome, BarrierKind) {
	came, other := c.one[0], c.one[1]
	ways := c.otherBarriers(iv)
	if b := c.continues(v.Block); b != nil {
		ways = append(ways, other.reach(b, c.relatedAs(other, came.name, b, relationBehind(v.Block, b, rel))))
	}
	if len(ways) == 0 {
		return missed, Returned
	}
	if o := c.ask(c.complete(append(slices.Clone(terms), solve.Or(ways...)), c.one[:])); o.verdict > Watched {
		return o, Divergent
	}
	return missed, Returned
}

// otherBarriers are the conditions that the second thread reaches a barrier at the end of an interval.
func (c *raceCheck) otherBarriers(iv *interval) (reached []*solve.Term) {
	came, other := c.one[0], c.one[1]
	for _, q := range iv.barriers() {
		for _, r := range weakest(iv.stops[q]) {
			reached = append(reached, other.reach(q.Block, c.relatedAs(other, came.name, q.Block, r)))
		}
	}
	return reached
}

// continues is the last block that all threads come to after b and do something in, nil where they only end. All
// threads that come to one before it come to it as well.
func (c *raceCheck) continues(b *ssa.Block) (last *ssa.Block) {
	f := c.unit.F
	for k := f.Ipdom[b.ID]; k >= 0; k = f.Ipdom[k] {
		if p := f.Blocks[k]; !f.Dominates(p, b) && (len(p.Values) > 0 || len(p.Succs) > 0) {
			last = p
		}
	}
	return last
}

// relationBehind is the relation of a block that all threads come to after b: the same rounds of the loops around both,
// the first ones of the others.
func relationBehind(b, behind *ssa.Block, rel string) string {
	around := loopsOf(b)
	at := make([]byte, 0, len(rel))
	for i, l := range loopsOf(behind) {
		if i < len(around) && around[i] == l {
			at = append(at, rel[i])
		} else {
			at = append(at, byte(first))
		}
	}
	return string(at)
}

func (c *raceCheck) missing(v *ssa.Value, iv *interval, rel string, s scope) (terms []*solve.Term, envs [2]*env) {
	came, other := c.one[0], c.one[1]
	envs = [2]*env{c.related(came, v.Block, rel), c.relatedAs(other, came.name, v.Block, rel)}
	terms = []*solve.Term{c.different(s), came.reach(v.Block, envs[0]), c.since(came, iv, v.Block, rel),
		c.started(other, iv), solve.Not(other.reach(v.Block, envs[1]))}
	terms = withAssumed(terms, came.assumed(v.Block, envs[0]))
	if s == intraWarp {
		return terms, envs
	}
	for _, reached := range c.otherBarriers(iv) {
		terms = append(terms, solve.Not(reached))
	}
	return terms, envs
}

// elsewhere asks whether whole warps can wait at another barrier while others wait at v. Of two barriers the first one
// asks, and copies of one barrier, as unrolling makes them, are one.
func (c *raceCheck) elsewhere(v *ssa.Value) (worst Barrier, why string) {
	worst = Barrier{Value: v, Kind: Elsewhere}
	for _, iv := range c.wide {
		for _, q := range iv.barriers() {
			if q.ID <= v.ID || len(iv.stops[v]) == 0 || sameSource(q, v) {
				continue
			}
			for _, at := range pairs(weakest(iv.stops[v]), weakest(iv.stops[q])) {
				terms, envs := c.apartAt(iv, [2]*ssa.Value{v, q}, at)
				if o := c.ask(c.complete(terms, c.one[:])); o.verdict > worst.Verdict {
					worst.Verdict, worst.Needs, worst.Other, why = o.verdict, o.needs, q, o.why
					if o.verdict > Watched {
						worst.Evidence = c.example(c.one[:], envs[:], o.model)
					}
				}
			}
		}
	}
	return worst, why
}

// apartAt is the condition that threads of two warps come from one start of an interval to two barriers, in these relations.
func (c *raceCheck) apartAt(iv *interval, at [2]*ssa.Value, rels [2]string) (terms []*solve.Term, envs [2]*env) {
	terms = []*solve.Term{c.different(interWarp)}
	var assumed []*solve.Term
	for i, e := range c.one {
		envs[i] = c.related(e, at[i].Block, rels[i])
		terms = append(terms, e.reach(at[i].Block, envs[i]), c.since(e, iv, at[i].Block, rels[i]))
		assumed = append(assumed, e.assumed(at[i].Block, envs[i])...)
		for _, d := range iv.detours(at[i], rels[i]) { // it would wait there first
			terms = append(terms, c.passes(e, d))
		}
	}
	return withAssumed(terms, assumed), envs
}

// passes is the condition that a thread does not wait at a detour. In some round of a loop that is not known.
func (c *raceCheck) passes(e *encoder, d detour) *solve.Term {
	if strings.IndexByte(d.rel, byte(anyOf)) >= 0 {
		return c.unknown("no barrier before", solve.Bool, cause{kind: earlierBarrier})
	}
	return solve.Not(e.reach(d.barrier.Block, c.related(e, d.barrier.Block, d.rel)))
}

// pairs are all pairs of relations.
func pairs(a, b []string) (all [][2]string) {
	for _, x := range a {
		for _, y := range b {
			all = append(all, [2]string{x, y})
		}
	}
	return all
}

// sameSource reports copies of what is one place in the source.
func sameSource(a, b *ssa.Value) bool {
	return a.Loc.IsValid() && a.Loc.String() == b.Loc.String() && slices.Equal(a.Loc.InlinedAt, b.Loc.InlinedAt)
}

// redundant returns a barrier that all ways to v come from, without an access
// or anything else that the barrier could be for between; nil if there is none.
func (c *raceCheck) redundant(v *ssa.Value) *ssa.Value {
	var from *ssa.Value
	for _, iv := range c.wide {
		if len(iv.stops[v]) == 0 {
			continue
		}
		if iv.from == nil || iv.from == v || from != nil || len(iv.at) > 0 || len(iv.stops) > 1 || c.ordered != "" || v.Type != 0 {
			return nil
		}
		from = iv.from
	}
	return from
}
