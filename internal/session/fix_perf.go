package session

import (
	"context"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check/bank"
	"github.com/warpgrind/warpgrind/internal/check/coalesce"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/report"
)

// FixPerf runs a program that has no errors, and tries patches for what the performance rules find: one holds
// if the program computes the same under the default and other schedules without an error, by as many accesses,
// and if it needs fewer passes or sectors, as modeled, and not more of the other. It is otherwise as Fix.
func FixPerf(ctx context.Context, cfg Config, choose Choose) (*repair.Report, *report.Report, error) {
	return fixPerfWith(ctx, cfg, choose, (*repair.Program).Faster)
}

// fixPerfWith is FixPerf with what proposes the patches of a finding.
func fixPerfWith(ctx context.Context, cfg Config, choose Choose, propose func(*repair.Program, *finding.Finding) []*repair.Patch) (*repair.Report, *report.Report, error) {
	cfg.Tools = strings.Join([]string{"default", cfg.Tools, bank.Rule.ID, coalesce.Rule.ID}, ",")
	return prepared(ctx, cfg, choose, nil, func(f *fixer) error { return f.faster(ctx, propose) })
}

// faster looks for a patch of each finding of a performance rule, the costliest first.
func (f *fixer) faster(ctx context.Context, propose func(*repair.Program, *finding.Finding) []*repair.Patch) error {
	if len(errorsOf(f.original)) > 0 {
		f.report.Exit = ExitFindings
		f.report.Messages = append(f.report.Messages, "the program has errors: see warpgrind fix")
		return nil
	}
	if err := f.read(ctx); err != nil {
		return err
	}
	if more, err := f.vary(ctx); err != nil {
		return err
	} else if len(more) > 0 {
		f.report.Exit = ExitFindings
		f.report.Messages = append(f.report.Messages, "the program has errors under other schedules: see warpgrind fix")
		return nil
	}
	cost, err := f.costOf(ctx, f.before)
	if err != nil {
		return err
	}
	for _, e := range f.original.found {
		if e.Rule != bank.Rule.ID && e.Rule != coalesce.Rule.ID || e.Repair == nil {
			continue
		}
		r := repair.Result{Finding: e, Outcome: repair.Manual}
		for _, p := range f.programs {
			for _, c := range propose(p, e) {
				if r.Outcome == repair.Fixed || r.Outcome == repair.Gone {
					continue
				}
				if slices.ContainsFunc(f.accepted, c.Same) {
					r.Outcome, r.Tried = repair.Gone, nil
					continue
				}
				r.Outcome = repair.Open
				now, trial, err := f.cheaper(ctx, c, cost)
				if err != nil {
					return err
				}
				if trial != nil {
					r.Tried = append(r.Tried, *trial)
					continue
				}
				f.accepted = append(f.accepted, c)
				r.Outcome, r.What, r.Edits, r.Before, r.After = repair.Fixed, c.What, c.Replacements(f.texts), cost, now
				cost = now
			}
		}
		if r.Outcome == repair.Manual {
			r.Untried = repair.NothingToEdit
		}
		f.report.Results = append(f.report.Results, r)
	}
	if len(f.report.Results) == 0 {
		f.report.Messages = append(f.report.Messages, "the performance rules find nothing")
		return nil
	}
	return f.write(ctx)
}

// cheaper tries a patch beside the accepted ones: what it costs with it, or why it does not hold.
func (f *fixer) cheaper(ctx context.Context, c *repair.Patch, before *repair.Cost) (*repair.Cost, *repair.Trial, error) {
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
