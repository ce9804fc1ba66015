package fix

import (
	"context"
	"errors"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trial"
)

// trialRun is what came of running the program with patches.
type trialRun struct {
	patch *code.Patch
	// cause and why are why it does not hold, "" if it does; left are the errors that are left.
	cause repair.TrialCause
	why   string
	left  map[string]bool
	// fresh is the finding that has come, nil for none.
	fresh *finding.Finding
	// sorts are their rules and kernels, which do not depend on lines.
	sorts map[string]bool
	// changed lists the results that differ; memory is set if a buffer is among them.
	changed []string
	memory  bool
	// exact is set if it leaves out wrong accesses and no others, inexact if others as well; valid
	// are the accesses at that place that are left. strays is set if wrong ones hit other objects, so
	// that memory has to change.
	exact, inexact, strays bool
	valid                  uint64
	// succeeds is set if the program ends with exit code 0 under all schedules.
	succeeds bool
	// further is set if there are errors in launches that the program as it is does not come to.
	further bool
	// aligned finds the launches of the last run in the program as it is.
	aligned *trial.Alignment
	// work is what the run under the default schedule does.
	work *workload
	runs []comparedRun
}

// comparedRun is a run, and how the buffers differ from the unchanged program's.
type comparedRun struct {
	s     *session.Session
	diffs []trial.Difference
}

const notCompiled = "it does not compile"

// with compiles the program with patches; exe is "" if that fails.
func (f *fixer) with(ctx context.Context, patches []*code.Patch, inline bool) (exe string, remove func(), err error) {
	s, err := session.NewSession(f.Cfg)
	if err != nil {
		return "", nil, &build.UsageError{Err: err}
	}
	applyPatches(s, f.texts, patches, inline)
	exe, remove, err = s.Executable(ctx)
	var usage *build.UsageError
	if errors.As(err, &usage) {
		return "", func() {}, nil
	}
	return exe, remove, err
}

// try runs the program with patches under all schedules. target is the finding that must be
// gone, "" for none: then what has held is not run again.
func (f *fixer) try(ctx context.Context, patches []*code.Patch, target string, inline bool) (*trialRun, error) {
	key := fmt.Sprintf("%s", code.Apply(f.texts, patches, inline))
	if t := f.held[key]; t != nil && target == "" && inline {
		return t, nil
	}
	t, err := f.tryAnew(ctx, patches, target, inline)
	if err == nil && t.why == "" && len(t.runs) == 1+fixSchedules && ctx.Err() == nil {
		f.held[key] = t
	}
	return t, err
}

func (f *fixer) tryAnew(ctx context.Context, patches []*code.Patch, target string, inline bool) (*trialRun, error) {
	t := &trialRun{left: map[string]bool{}, sorts: map[string]bool{}, succeeds: true}
	b, err := f.build(ctx, patches, inline)
	if err != nil {
		return nil, err
	}
	if b.exe == "" {
		t.cause, t.why = repair.NotCompiled, notCompiled
		return t, nil
	}
	defer b.remove()
	with := *f.Multirun
	for i := 0; i <= fixSchedules && t.why == "" && ctx.Err() == nil; i++ {
		last := patches[len(patches)-1]
		places := map[source.Pos]bool{}
		if i == 0 && target != "" && last.Skips.IsValid() {
			places[last.Skips] = true
		}
		count, work := newPlaceCounts(f.texts, places, patches), newWorkload()
		t.aligned = &trial.Alignment{Was: f.Order.Steps}
		with.Compare = t.aligned.Comparing(f.Compare)
		with.Exe = b.exe
		s, diffs, err := with.Again(ctx, f.under(i), func(s *session.Session) {
			s.Modules = b.modules
			s.Observers = append(s.Observers, t.aligned.Observer())
			if len(places) > 0 {
				s.Observers = append(s.Observers, count.observer())
			}
			if i == 0 && target != "" {
				s.Observers = append(s.Observers, work.observer())
			}
		})
		if err != nil {
			return nil, err
		}
		if s.Foreign { // it has device code of another source, too
			whole, err := f.buildWhole(ctx, patches, inline)
			if err != nil {
				return nil, err
			}
			if whole.exe == "" {
				t.cause, t.why = repair.NotCompiled, notCompiled
				return t, nil
			}
			defer whole.remove()
			b.exe, b.modules = whole.exe, nil
			i--
			continue
		}
		for at := range places {
			strayed := f.strayed(at)
			t.exact, t.valid = f.counts.same(count, at, strayed)
			t.strays = strayed > 0
			t.inexact = !t.exact && f.counts.n[at] != nil
		}
		if i == 0 && target != "" {
			t.work = work
		}
		t.runs = append(t.runs, comparedRun{s, diffs})
		t.succeeds = t.succeeds && s.Exit == host.Exit{}
		f.judge(t, s, diffs, target, inline)
		if t.inexact && t.memory {
			break // no other schedule makes it better
		}
		if t.why != "" && i > 0 {
			t.why += ", under the schedule " + s.Schedule.String()
		}
	}
	if !inline && t.why == "" {
		if f.report.Before, err = f.costOf(ctx, f.before); err == nil {
			f.report.After, err = f.costOf(ctx, b.exe)
		}
	}
	return t, err
}

// under is the configuration of a run under schedule i, 0 for the one that was asked for.
func (f *fixer) under(i int) session.Config {
	cfg := f.Cfg
	if cfg.Timeout == 0 || f.limit < cfg.Timeout {
		cfg.Timeout = f.limit
	}
	if i > 0 {
		order := trial.ScheduleOf(f.original.Schedule, i)
		cfg.Schedule, cfg.Seed = order.Order.String(), order.Seed
	}
	return cfg
}

// vary runs the program as it is again, and under other schedules. What it prints differently in
// these runs is not defined, and may change; an element of a buffer may have the value of any.
// It returns the errors that only other schedules show.
func (f *fixer) vary(ctx context.Context) ([]*finding.Finding, error) {
	var more []*finding.Finding
	f.Noise = &trial.Noise{Buffers: map[string]bool{}, Lines: map[int]bool{}, Tail: -1}
	places := map[source.Pos]bool{}
	for _, e := range errorsOf(f.original) {
		places[f.unpatched(e.Primary.Loc.Pos)] = true
	}
	f.counts, f.work = newPlaceCounts(f.texts, places, f.base), newWorkload()
	for i := 0; i <= fixSchedules; i++ {
		s, _, err := f.Again(ctx, f.under(i), func(s *session.Session) {
			s.LaunchObservers = append(s.LaunchObservers, &trial.Recorder{History: f.History})
			if i == 0 {
				s.Observers = append(s.Observers, f.counts.observer(), f.work.observer())
			}
		})
		if err != nil {
			return nil, err
		}
		f.Noise.Merge(f.original, s, nil)
		f.noteWarnings(s)
		for _, e := range errorsOf(s) {
			if id := identity(e); !f.known[id] {
				f.known[id] = true
				more = append(more, e)
			}
		}
	}
	return more, nil
}
