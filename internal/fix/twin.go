package fix

import (
	"context"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// eitherOrder names the accesses of a finding, whichever comes first.
func eitherOrder(id string) string {
	parts := strings.Split(id, "\x00")
	slices.Sort(parts[2:])
	return strings.Join(parts, "\x00")
}

// withdraw takes patches back which remove a race of two accesses in one order, while the race in the other order is left at the end:
// they may have changed no more than which is observed.
func (f *fixer) withdraw(ctx context.Context) (done bool, err error) {
	for len(f.accepted) > 0 {
		all, err := f.try(ctx, f.accepted, "", true)
		if err != nil || ctx.Err() != nil {
			return false, err
		}
		left := map[string]string{}
		for id := range all.left {
			left[eitherOrder(id)] = id
		}
		i := slices.IndexFunc(f.report.Results, func(r repair.Result) bool {
			id := identity(r.Finding)
			other := left[eitherOrder(id)]
			return r.Outcome == repair.Fixed && r.Finding.Rule == "race" && other != "" && other != id
		})
		if i < 0 {
			return false, nil
		}
		if err := f.withdrawn(ctx, &f.report.Results[i]); err != nil {
			return false, err
		}
	}
	return false, nil
}

// withdrawn takes back the patch of a finding, and reports those open that come back with it.
func (f *fixer) withdrawn(ctx context.Context, r *repair.Result) error {
	f.accepted = slices.DeleteFunc(f.accepted, func(p *code.Patch) bool { return p.What == r.What })
	r.Tried = append(r.Tried, repair.Trial{What: r.What, Cause: repair.Stays, Why: "the race of these accesses stays in the other order"})
	r.Outcome, r.What, r.Changed, r.Edits = repair.Open, "", nil, nil
	left := map[string]bool{}
	if len(f.accepted) > 0 {
		all, err := f.try(ctx, f.accepted, "", true)
		if err != nil {
			return err
		}
		left = all.left
	} else {
		for _, e := range f.found {
			left[identity(e)] = true
		}
	}
	for i := range f.report.Results {
		if o := &f.report.Results[i]; o.Outcome == repair.Gone && left[identity(o.Finding)] {
			o.Outcome = repair.Open
		}
	}
	return nil
}
