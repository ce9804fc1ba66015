package fix

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/warpgrind/warpgrind/internal/buffers"
	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/trial"
)

// fixSchedules is under how many schedules besides the default one a patch must hold.
const fixSchedules = 8

// Fix runs the program, and for each error for whose kind of repair there are patches runs it
// again with each in turn, until one holds: the finding is gone, no other one has come, under
// the default and under other schedules, and what the program computes is the same where that
// was defined. The error is a *UsageError, or a bug.
//
// The second result is the report of the program as it is.
//
// Of the patches that hold, those are taken that choose takes, nil for all; only if these hold
// without the others are they in the report.
func Fix(ctx context.Context, cfg session.Config, choose Choose) (*repair.Report, *report.Report, error) {
	return fixWith(ctx, cfg, choose, (*fixer).candidates)
}

// Choose reports whether a patch is to be taken.
type Choose func(*repair.Offer) (bool, error)

// fixWith is Fix with what proposes the patches of a finding.
func fixWith(ctx context.Context, cfg session.Config, choose Choose, propose func(*fixer, *finding.Finding) []*code.Patch) (*repair.Report, *report.Report, error) {
	return prepared(ctx, cfg, choose, propose, fixPasses)
}

// prepared runs the program as it is, and passes with a fixer of it.
func prepared(ctx context.Context, cfg session.Config, choose Choose, propose func(*fixer, *finding.Finding) []*code.Patch, passes []pass[*fixer]) (*repair.Report, *report.Report, error) {
	s, exe, remove, err := sourceSession(ctx, cfg, "fix")
	if err != nil {
		return nil, nil, err
	}
	defer remove()
	st, err := trial.NewStudy(cfg, exe)
	if err != nil {
		return nil, nil, err
	}
	st.Compare = st.History.Unseen
	began := time.Now()
	if err := st.First(ctx, s); err != nil {
		return nil, nil, err
	}
	s.Conclude()
	f := &fixer{Multirun: st, before: exe, original: s, choose: choose, propose: propose, limit: max(20*time.Since(began), 10*time.Second), clock: newTrialClock(cfg.TrialTime), texts: map[string][]byte{}, known: map[string]bool{}, warned: map[string]bool{}, held: map[string]*trialRun{}, hosts: map[string]string{}, report: &repair.Report{Schema: report.Schema, Schedules: fixSchedules, Files: []repair.Changed{}, Results: []repair.Result{}}}
	err = runPasses(ctx, passes, f)
	for _, remove := range f.remove {
		remove()
	}
	r := f.report
	r.Environment = session.TellExit(&r.Messages, &r.Exit, s.Since)
	return r, s.Report, err
}

// sourceSession is a session on CUDA sources, which the command needs, and the program made of them.
func sourceSession(ctx context.Context, cfg session.Config, command string) (s *session.Session, exe string, remove func(), err error) {
	s, err = session.NewSession(cfg)
	if err == nil {
		err = build.CheckInputs(cfg.Inputs)
	}
	if err != nil {
		return nil, "", nil, &build.UsageError{Err: err}
	}
	if !slices.ContainsFunc(cfg.Inputs, func(in string) bool { return nvcc.LangOf(in) == nvcc.CUDA }) {
		return nil, "", nil, &build.UsageError{Err: fmt.Errorf("%s needs the CUDA sources of the program", command)}
	}
	exe, remove, err = s.Executable(ctx)
	return s, exe, remove, err
}

// fixer repairs one program.
type fixer struct {
	*trial.Multirun
	original *session.Session
	propose  func(*fixer, *finding.Finding) []*code.Patch
	choose   Choose
	// limit is how long a run may take: a patch may leave the program waiting.
	limit time.Duration
	// clock bounds all trials together.
	clock *trialClock
	// before is the program as it is.
	before   string
	texts    map[string][]byte
	programs []*code.Program
	// known are the errors of the program as it is, warned its warnings, accepted the patches that hold.
	known    map[string]bool
	warned   map[string]bool
	found    []*finding.Finding
	accepted []*code.Patch
	// base are the patches of the program that others are compared with.
	base   []*code.Patch
	remove []func()
	// hosts are the executables of trials, by the texts that host code depends on.
	hosts map[string]string
	// held are the trials that hold, by what is compiled in them.
	held map[string]*trialRun
	// counts are the accesses at the places of the errors, as the program is, and work is what it does.
	counts *placeCounts
	work   *workload
	report *repair.Report
}

// withoutErrors is done where the program has no errors.
func (f *fixer) withoutErrors(context.Context) (done bool, err error) {
	if len(errorsOf(f.original)) > 0 {
		return false, nil
	}
	f.report.Exit = f.original.Report.Exit
	f.report.Messages = append(f.report.Messages, "the program has no errors to fix")
	return true, nil
}

// search looks for patches until the program comes no further with those that hold.
func (f *fixer) search(ctx context.Context) (done bool, err error) {
	seen := map[string]bool{}
	for again := true; again; {
		if again, err = f.round(ctx, seen); err != nil {
			return false, err
		}
		if again {
			if err := f.rebase(ctx); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// round looks for patches of the errors that were not seen before. It reports whether with them the
// program comes further than it did, and shows errors that are not known.
func (f *fixer) round(ctx context.Context, seen map[string]bool) (again bool, err error) {
	errs := errorsOf(f.original)
	for id := range identities(errs) {
		f.known[id] = true
	}
	f.noteWarnings(f.original)
	under, err := f.vary(ctx)
	if err != nil {
		return false, err
	}
	errs = append(errs, under...)
	f.found = errs
	gone := map[string]bool{}
	var results []repair.Result
	for i, e := range inOrder(errs) {
		f.clock.share(len(errs) - i)
		r := repair.Result{Finding: e}
		switch {
		case seen[identity(e)]:
			continue
		case gone[identity(e)]:
			r.Outcome = repair.Gone
		default:
			t, err := f.one(ctx, e, &r)
			if err != nil {
				return false, err
			}
			if t != nil {
				again = t.further
				for id := range f.known {
					gone[id] = gone[id] || !t.left[id]
				}
			}
		}
		results = append(results, r)
	}
	for i := range results { // a later patch may have removed an earlier finding
		r := &results[i]
		if seen[identity(r.Finding)] = true; gone[identity(r.Finding)] && r.Outcome != repair.Fixed {
			r.Outcome = repair.Gone
		}
	}
	slices.SortStableFunc(results, func(a, b repair.Result) int { return slices.Index(errs, a.Finding) - slices.Index(errs, b.Finding) })
	f.report.Results = append(f.report.Results, results...)
	return again, nil
}

// rebase makes the program with the accepted patches the one that others are compared with: the one
// before ended early.
func (f *fixer) rebase(ctx context.Context) error {
	s, err := session.NewSession(f.Cfg)
	if err != nil {
		return &build.UsageError{Err: err}
	}
	applyPatches(s, f.texts, f.accepted, true)
	exe, remove, err := s.Executable(ctx)
	if err != nil {
		return err
	}
	f.remove = append(f.remove, remove)
	next := *f.Multirun
	next.Exe, next.History, next.Cfg.Stdout = exe, buffers.NewHistory(), io.Discard
	next.Compare, next.Noise, next.Order = next.History.Unseen, nil, &trial.LaunchOrder{}
	f.Multirun, f.original, f.base, f.held = &next, s, slices.Clone(f.accepted), map[string]*trialRun{}
	s.Replaced = nil
	return f.Multirun.First(ctx, s)
}
