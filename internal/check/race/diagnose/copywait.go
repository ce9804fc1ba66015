package diagnose

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race/evidence"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// A copy by cp.async that may be in flight: what waits for it, and where that has to stand.

// commitCopies makes a group of the thread's copies.
const commitCopies = "__pipeline_commit()"

// awaitCopy is the repair of an access to what a copy may still write or read: the wait that is there waits for more, or one is added,
// where the threads differ together with a barrier behind it.
func awaitCopy(d *diagnosis) mend {
	const wait = "wait for the copy (cp.async.wait_group, __pipeline_wait_prior, consumer_wait) "
	w, left := d.lastWait()
	switch {
	case w != nil && !d.commits():
		m := d.atWait(w, "make a group of the copies before the wait of "+d.where(w)+" (cp.async.commit_group, "+commitCopies+")")
		m.Call = commitCopies
		return m
	case w != nil && left > 0:
		return d.atWait(w, fmt.Sprintf("let the wait of %s leave fewer than %s of copies in flight, or commit a group in each round, even an empty one", d.where(w), check.Plural(left, "group")))
	}
	m := mend{d.goesBetween(d.early.Site, d.late.Site), ""}
	m.Kind = finding.WaitForCopy
	between := m.Between(d.file())
	if d.inOneWarp() && d.w.First.Lane == d.w.Then.Lane {
		return m.instead(wait + between)
	}
	if m.At = d.passes(d.early.Site, d.late.Site); m.At != nil {
		return m.instead(wait + "before the barrier of " + m.At.InWords(d.file()))
	}
	m.Then = finding.Syncthreads
	if d.warpOnly() {
		m.Then = finding.Syncwarp
	}
	return m.instead(wait + "and then add " + m.Then + ", both " + between)
}

// atWait is a repair by waiting for a copy at a statement of the program.
func (d *diagnosis) atWait(s *trace.Site, help string) mend {
	p, _ := evidence.InOneFunction(s, d.late.Site)
	return mend{finding.Repair{Kind: finding.WaitForCopy, At: &finding.Point{Pos: p, PTXLine: s.PTXLine}}, help}
}

// passes is the barrier of the block that lies on all ways from a to z, nil where there are several or none.
func (d *diagnosis) passes(a, z *trace.Site) *finding.Point {
	w := d.ways(d.run.Launch)
	if d.across() || w.route(a, z, true) != nil {
		return nil
	}
	r := w.route(a, z, false)
	if r == nil {
		return nil
	}
	bars := barriersAfter(r.from)
	if len(bars) != 1 {
		return nil
	}
	_, q := (&route{r.from, bars[0], nil}).places()
	if q == (source.Pos{}) {
		return nil
	}
	return &finding.Point{Pos: q, PTXLine: z.PTXLine}
}

// barriersAfter are the barriers of the block that a thread comes to first after a value.
func barriersAfter(x *ssa.Value) (out []*ssa.Value) {
	seen := map[*ssa.Block]bool{}
	var walk func(b *ssa.Block, vs []*ssa.Value)
	walk = func(b *ssa.Block, vs []*ssa.Value) {
		for _, v := range vs {
			if v.Bar != nil && v.Bar.WholeBlock() {
				out = append(out, v)
				return
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				walk(s, s.Values)
			}
		}
	}
	for i, v := range x.Block.Values {
		if v == x {
			walk(x.Block, x.Block.Values[i+1:])
		}
	}
	return out
}
