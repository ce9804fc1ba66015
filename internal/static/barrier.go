package static

import (
	"cmp"
	"context"
	"slices"

	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// BarrierKind says what is wrong with a barrier.
type BarrierKind uint8

// What can be wrong with a barrier.
const (
	// Divergent: lanes of one warp reach it, others do not.
	Divergent BarrierKind = iota
	// Left: whole warps never reach it, and to no other.
	Left
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
	// Before is the barrier that makes a Redundant one so.
	Before *ssa.Value
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
			if o := c.ask(c.complete(terms, c.one[:])); o.verdict > worst.Verdict {
				worst.Verdict, worst.Needs, why = o.verdict, o.needs, o.why
				if o.verdict > Watched {
					worst.Evidence = c.example(c.one[:], envs[:], o.model)
				}
			}
		}
	}
	return worst, why
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
	var others []*ssa.Value // in a fixed order
	for q := range iv.stops {
		others = append(others, q)
	}
	slices.SortFunc(others, func(a, b *ssa.Value) int { return a.ID - b.ID })
	for _, q := range others {
		for _, r := range weakest(iv.stops[q]) {
			terms = append(terms, solve.Not(other.reach(q.Block, c.relatedAs(other, came.name, q.Block, r))))
		}
	}
	return terms, envs
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
