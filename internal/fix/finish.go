package fix

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/session"
)

// thin leaves out patches without which nothing comes back.
func (f *fixer) thin(ctx context.Context) (done bool, err error) {
	for i := 0; i < len(f.accepted) && len(f.accepted) > 1; {
		if f.clock.late() {
			f.report.Messages = append(f.report.Messages, "which patches are needed beside the others was not tried out for all: the time for trials is over")
			break
		}
		without := slices.Delete(slices.Clone(f.accepted), i, i+1)
		all, err := f.try(ctx, f.accepted, "", true)
		if err != nil {
			return false, err
		}
		less, err := f.try(ctx, without, "", true)
		if err != nil {
			return false, err
		}
		if less.why == "" && within(less.left, all.left) {
			f.drop(f.accepted[i])
			f.accepted = without
			continue
		}
		i++
	}
	return false, nil
}

// offer lets the user choose among the patches that hold.
func (f *fixer) offer(ctx context.Context) (done bool, err error) {
	taken, err := f.ask(ctx)
	if err != nil {
		return false, err
	}
	f.clock.report(f.report)
	f.report.Exit = session.ExitClean
	for _, r := range f.report.Results {
		if r.Outcome == repair.Open || r.Outcome == repair.Manual || r.Outcome == repair.Declined {
			f.report.Exit = session.ExitFindings
		}
	}
	return len(f.accepted) == 0 || !taken, nil
}

// asWritten checks the patches as they will be written.
func (f *fixer) asWritten(ctx context.Context) (done bool, err error) {
	t, err := f.try(ctx, f.accepted, "", false)
	if err != nil {
		return false, err
	}
	if ctx.Err() != nil {
		return true, nil
	}
	if all, err := f.try(ctx, f.accepted, "", true); err != nil {
		return false, err
	} else if t.why != "" || !within(t.sorts, all.sorts) {
		return false, fmt.Errorf("the patches do not hold as they are written: %s", cmp.Or(t.why, "more findings are left"))
	}
	if f.unproved(t) {
		f.report.Exit = session.ExitFindings
		return true, nil
	}
	if n := len(t.left); n > 0 {
		f.report.Exit = session.ExitFindings
		f.report.Messages = append(f.report.Messages, fmt.Sprintf("errors are left at %d places", n))
	}
	f.report.Files = repair.ChangedFiles(f.texts, code.Apply(f.texts, f.accepted, false))
	f.report.Messages = append(f.report.Messages, fmt.Sprintf("the patches were run under %d schedules", 1+fixSchedules))
	return true, nil
}

// ask lets the user choose among the patches. It reports false if those that were chosen do not hold
// without the others.
func (f *fixer) ask(ctx context.Context) (holds bool, err error) {
	if f.choose == nil {
		return true, nil
	}
	var chosen []*code.Patch
	for _, p := range f.accepted {
		i := slices.IndexFunc(f.report.Results, func(r repair.Result) bool { return r.Outcome == repair.Fixed && r.What == p.What })
		r := &f.report.Results[i]
		take, err := f.choose(repair.NewOffer(f.texts, p, fmt.Sprintf("%s[%s]: %s", r.Finding.Level, r.Finding.Rule, r.Finding.Message)))
		if err != nil {
			return false, err
		}
		if take {
			chosen = append(chosen, p)
		} else {
			r.Outcome = repair.Declined
		}
	}
	if len(chosen) == len(f.accepted) || len(chosen) == 0 {
		f.accepted = chosen
		return true, nil
	}
	some, err := f.try(ctx, chosen, "", true)
	if err != nil {
		return false, err
	}
	if f.accepted = chosen; some.why != "" {
		f.report.Messages = append(f.report.Messages, "the chosen patches do not hold without the others: "+some.why)
		return false, nil
	}
	return true, nil
}

// drop notes that a patch is not needed beside the others.
func (f *fixer) drop(p *code.Patch) {
	for i, r := range f.report.Results {
		if r.Outcome == repair.Fixed && r.What == p.What {
			f.report.Results[i].Outcome, f.report.Results[i].What, f.report.Results[i].Edits = repair.Gone, "", nil
		}
	}
}
