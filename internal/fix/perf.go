package fix

import (
	"context"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check/bank"
	"github.com/warpgrind/warpgrind/internal/check/coalesce"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
)

// FixPerf runs a program that has no errors, and tries patches for what the performance rules find: one holds
// if the program computes the same under the default and other schedules without an error, by as many accesses,
// and if it needs fewer passes or sectors, as modeled, and not more of the other. It is otherwise as Fix.
func FixPerf(ctx context.Context, cfg session.Config, choose Choose) (*repair.Report, *report.Report, error) {
	return fixPerfWith(ctx, cfg, choose, repair.Faster)
}

// fixPerfWith is FixPerf with what proposes the patches of a finding.
func fixPerfWith(ctx context.Context, cfg session.Config, choose Choose, propose func(*code.Program, *finding.Finding) []*code.Patch) (*repair.Report, *report.Report, error) {
	cfg.Tools = strings.Join([]string{"default", cfg.Tools, bank.Rule.ID, coalesce.Rule.ID}, ",")
	ofAll := func(f *fixer, e *finding.Finding) (out []*code.Patch) {
		for _, p := range f.programs {
			out = append(out, propose(p, e)...)
		}
		return out
	}
	return prepared(ctx, cfg, choose, ofAll, perfPasses)
}

// withErrors is done where the program has errors.
func (f *fixer) withErrors(context.Context) (done bool, err error) {
	if len(errorsOf(f.original)) == 0 {
		return false, nil
	}
	f.report.Exit = session.ExitFindings
	f.report.Messages = append(f.report.Messages, "the program has errors: see warpgrind fix")
	return true, nil
}

// withMoreErrors is done where the program has errors under other schedules.
func (f *fixer) withMoreErrors(ctx context.Context) (done bool, err error) {
	more, err := f.vary(ctx)
	if err != nil || len(more) == 0 {
		return false, err
	}
	f.report.Exit = session.ExitFindings
	f.report.Messages = append(f.report.Messages, "the program has errors under other schedules: see warpgrind fix")
	return true, nil
}

// faster looks for a patch of each finding of a performance rule, the costliest first.
func (f *fixer) faster(ctx context.Context) (done bool, err error) {
	cost, err := f.costOf(ctx, f.before)
	if err != nil {
		return false, err
	}
	for _, e := range f.original.Found {
		if e.Rule != bank.Rule.ID && e.Rule != coalesce.Rule.ID || e.Repair == nil {
			continue
		}
		r := repair.Result{Finding: e, Outcome: repair.Manual}
		for _, c := range f.propose(f, e) {
			if r.Outcome == repair.Fixed || r.Outcome == repair.Gone {
				break
			}
			if slices.ContainsFunc(f.accepted, c.Same) {
				r.Outcome, r.Tried = repair.Gone, nil
				continue
			}
			r.Outcome = repair.Open
			now, trial, err := f.cheaper(ctx, c, cost)
			if err != nil {
				return false, err
			}
			if trial != nil {
				r.Tried = append(r.Tried, *trial)
				continue
			}
			f.accepted = append(f.accepted, c)
			r.Outcome, r.What, r.Edits, r.Before, r.After = repair.Fixed, c.What, c.Replacements(f.texts), cost, now
			cost = now
		}
		if r.Outcome == repair.Manual {
			r.Untried = repair.NothingToEdit
		}
		f.report.Results = append(f.report.Results, r)
	}
	if len(f.report.Results) == 0 {
		f.report.Messages = append(f.report.Messages, "the performance rules find nothing")
		return true, nil
	}
	return false, nil
}

// cheaper tries a patch beside the accepted ones: what it costs with it, or why it does not hold.
func (f *fixer) cheaper(ctx context.Context, c *code.Patch, before *repair.Cost) (*repair.Cost, *repair.Trial, error) {
	with := append(slices.Clone(f.accepted), c)
	t, err := f.try(ctx, with, "", true)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case t.why != "":
		return nil, &repair.Trial{What: c.What, Cause: t.cause, Why: t.why}, nil
	case len(t.left) > 0 || len(t.changed) > 0:
		return nil, &repair.Trial{What: c.What, Cause: repair.OtherResult, Why: "it changes results: " + strings.Join(t.changed, ", ")}, nil
	}
	exe, remove, err := f.with(ctx, with, true)
	if err != nil {
		return nil, nil, err
	}
	defer remove()
	now, err := f.costOf(ctx, exe)
	if err != nil {
		return nil, nil, err
	}
	if now.Accesses != before.Accesses {
		return nil, &repair.Trial{What: c.What, Cause: repair.ValidAccesses, Why: "the threads make other accesses"}, nil
	}
	if now.Passes > before.Passes || now.Sectors > before.Sectors || now.Passes == before.Passes && now.Sectors == before.Sectors {
		return nil, &repair.Trial{What: c.What, Cause: repair.NotCheaper, Why: "it needs as many passes and sectors, or more"}, nil
	}
	return now, nil, nil
}
