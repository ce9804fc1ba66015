package race

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// dependentFinding makes the finding of a race of a programmatic dependent launch with
// work that it may overlap with. awaited says that its wait, where it has one, orders
// the two.
func (c *checker) dependentFinding(r *streamRace, awaited bool) *finding.Finding {
	h := hazardOf(r.u.kind, r.v.kind)
	d := Details{Space: "global", Address: r.first.lo, Bytes: int(r.n), Index: -1, Cause: GridUnordered, Repair: GridWait,
		First: r.u.side(r.a), Then: r.v.side(r.b)}
	f := r.finding(h, "grids")
	f.Message = fmt.Sprintf("%v on %s, between dependent launches", h, r.object(&d))
	var between string
	if awaited {
		d.Reason, f.Help, between = r.early()
	} else {
		d.Reason, f.Help, between = r.chained()
	}
	d.Origin = between
	f.Notes = []string{r.sides(), d.Reason}
	if t := r.a.dep.trigger; t != nil {
		f.Notes = append(f.Notes, fmt.Sprintf("%s lets its dependents begin at %s", r.u.short(), check.Where(t, r.u.file())))
	}
	f.Notes = append(f.Notes, fmt.Sprintf("%s shared", check.Plural(r.n, "byte")))
	d.facts(f, by(d.Repair, f.Help))
	f.Details = d
	return f
}

// early is the reason where the access comes before the wait, or there is none.
func (r *streamRace) early() (reason, help, origin string) {
	reason = fmt.Sprintf("%s is a programmatic dependent launch: it may begin before %s ends, and ", r.v.short(), r.u.short())
	if w := r.b.dep.wait; w != nil {
		reason += fmt.Sprintf("its wait (%s) does not come before this access", check.Where(w, r.v.file()))
	} else {
		reason += "it never waits for it"
	}
	at := "this access"
	if s := r.v.site; s != nil {
		at = check.Where(s, r.v.file())
	}
	help = fmt.Sprintf("call cudaGridDependencySynchronize() (griddepcontrol.wait) before %s, or launch %s without the programmatic attribute", at, r.v.short())
	return reason, help, "wait of " + r.v.short()
}

// chained is the reason where a kernel between the two has not waited for the first.
func (r *streamRace) chained() (reason, help, origin string) {
	between := "the kernel before it"
	for _, u := range r.b.dep.before.uses {
		if u.launch != nil {
			between = "kernel " + u.kernel()
			break
		}
	}
	reason = fmt.Sprintf("%s waits for %s only, which may begin before %s ends and does not wait for it", r.v.short(), between, r.u.short())
	if r.v.early {
		reason = fmt.Sprintf("%s is a programmatic dependent launch: it may begin as soon as %s lets it, which does not wait for %s before that", r.v.short(), between, r.u.short())
	}
	help = fmt.Sprintf("call cudaGridDependencySynchronize() (griddepcontrol.wait) in %s before it triggers, or launch %s without the programmatic attribute", between, r.v.short())
	return reason, help, "wait of " + between
}
