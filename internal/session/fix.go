package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/warpgrind/warpgrind/internal/buffers"
	"github.com/warpgrind/warpgrind/internal/check/initialized"
	"github.com/warpgrind/warpgrind/internal/check/memory"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/userfile"
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
func Fix(ctx context.Context, cfg Config, choose Choose) (*repair.Report, *report.Report, error) {
	return fixWith(ctx, cfg, choose, (*fixer).candidates)
}

// Choose reports whether a patch is to be taken.
type Choose func(*repair.Offer) (bool, error)

// fixWith is Fix with what proposes the patches of a finding.
func fixWith(ctx context.Context, cfg Config, choose Choose, propose func(*fixer, *finding.Finding) []*repair.Patch) (*repair.Report, *report.Report, error) {
	return prepared(ctx, cfg, choose, propose, func(f *fixer) error { return f.fix(ctx) })
}

// prepared runs the program as it is, and does something with a fixer of it.
func prepared(ctx context.Context, cfg Config, choose Choose, propose func(*fixer, *finding.Finding) []*repair.Patch, do func(*fixer) error) (*repair.Report, *report.Report, error) {
	s, exe, remove, err := sourceSession(ctx, cfg, "fix")
	if err != nil {
		return nil, nil, err
	}
	defer remove()
	st, err := newStudy(cfg, exe)
	if err != nil {
		return nil, nil, err
	}
	st.compare = st.history.Unseen
	began := time.Now()
	if err := st.first(ctx, s); err != nil {
		return nil, nil, err
	}
	s.conclude()
	f := &fixer{multirun: st, before: exe, original: s, choose: choose, propose: propose, limit: max(20*time.Since(began), 10*time.Second), clock: newTrialClock(cfg.TrialTime), texts: map[string][]byte{}, known: map[string]bool{}, warned: map[string]bool{}, held: map[string]*trialRun{}, hosts: map[string]string{}, report: &repair.Report{Schema: report.Schema, Schedules: fixSchedules, Files: []repair.Changed{}, Results: []repair.Result{}}}
	err = do(f)
	for _, remove := range f.remove {
		remove()
	}
	r := f.report
	r.Environment = tellExit(&r.Messages, &r.Exit, s.since)
	return r, s.report, err
}

// sourceSession is a session on CUDA sources, which the command needs, and the program made of them.
func sourceSession(ctx context.Context, cfg Config, command string) (s *session, exe string, remove func(), err error) {
	s, err = newSession(cfg)
	if err == nil {
		err = checkInputs(cfg.Inputs)
	}
	if err != nil {
		return nil, "", nil, &UsageError{err}
	}
	if !slices.ContainsFunc(cfg.Inputs, func(in string) bool { return nvcc.LangOf(in) == nvcc.CUDA }) {
		return nil, "", nil, &UsageError{fmt.Errorf("%s needs the CUDA sources of the program", command)}
	}
	exe, remove, err = s.executable(ctx)
	return s, exe, remove, err
}

// fixer repairs one program.
type fixer struct {
	*multirun
	original *session
	propose  func(*fixer, *finding.Finding) []*repair.Patch
	choose   Choose
	// limit is how long a run may take: a patch may leave the program waiting.
	limit time.Duration
	// clock bounds all trials together.
	clock *trialClock
	// before is the program as it is.
	before   string
	texts    map[string][]byte
	programs []*repair.Program
	// known are the errors of the program as it is, warned its warnings, accepted the patches that hold.
	known    map[string]bool
	warned   map[string]bool
	found    []*finding.Finding
	accepted []*repair.Patch
	// base are the patches of the program that others are compared with.
	base   []*repair.Patch
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

func (f *fixer) fix(ctx context.Context) error {
	if len(errorsOf(f.original)) == 0 {
		f.report.Exit = f.original.report.Exit
		f.report.Messages = append(f.report.Messages, "the program has no errors to fix")
		return nil
	}
	if err := f.read(ctx); err != nil {
		return err
	}
	seen := map[string]bool{}
	for again := true; again; {
		var err error
		if again, err = f.pass(ctx, seen); err != nil {
			return err
		}
		if again {
			if err := f.rebase(ctx); err != nil {
				return err
			}
		}
	}
	return f.finish(ctx)
}

// pass looks for patches of the errors that were not seen before. It reports whether with them the
// program comes further than it did, and shows errors that are not known.
func (f *fixer) pass(ctx context.Context, seen map[string]bool) (again bool, err error) {
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
	s, err := newSession(f.cfg)
	if err != nil {
		return &UsageError{err}
	}
	s.apply(f.texts, f.accepted, true)
	exe, remove, err := s.executable(ctx)
	if err != nil {
		return err
	}
	f.remove = append(f.remove, remove)
	next := *f.multirun
	next.exe, next.history, next.cfg.Stdout = exe, buffers.NewHistory(), io.Discard
	next.compare, next.noise, next.order = next.history.Unseen, nil, &launchOrder{}
	f.multirun, f.original, f.base, f.held = &next, s, slices.Clone(f.accepted), map[string]*trialRun{}
	s.replaced = nil
	return f.multirun.first(ctx, s)
}

// inOrder puts wrong accesses before what may only follow from them: races of threads that should
// not be there, and reads of what they did not write. Of these it puts writes before reads, since without
// the wrong write what was read for it changes nothing.
func inOrder(errs []*finding.Finding) []*finding.Finding {
	rank := func(f *finding.Finding) int {
		switch {
		case f.Rule == memory.Rule.ID && f.Primary.Access != finding.Read:
			return 0
		case f.Rule == memory.Rule.ID:
			return 1
		case f.Rule == initialized.Rule.ID:
			return 3
		}
		return 2
	}
	out := slices.Clone(errs)
	slices.SortStableFunc(out, func(a, b *finding.Finding) int { return rank(a) - rank(b) })
	return out
}

// errorsOf are the errors of a run, those of one cause as one.
func errorsOf(s *session) []*finding.Finding {
	return foundOf(s, func(l finding.Level) bool { return l >= finding.Error })
}

// warningsOf are the warnings of a run, those of one cause as one.
func warningsOf(s *session) []*finding.Finding {
	return foundOf(s, func(l finding.Level) bool { return l == finding.Warning })
}

func foundOf(s *session, level func(finding.Level) bool) []*finding.Finding {
	var out []*finding.Finding
	seen := map[string]bool{}
	for _, f := range s.found {
		if id := identity(f); level(f.Level) && !seen[id] {
			seen[id] = true
			out = append(out, f)
		}
	}
	finding.Sort(out)
	return out
}

// identity names a finding across runs of texts with the same lines. How the accesses are
// made is not part of it: a patch changes that, and what it does not remove is then still
// the same defect.
func identity(f *finding.Finding) string {
	parts := []string{f.Rule, f.Kernel}
	if r := f.Repair; r != nil && r.Kind == "write-first" && f.Object != nil { // of two variables that one line reads
		parts = append(parts, f.Object.Name)
	}
	for _, p := range append([]finding.Place{f.Primary}, f.Related...) {
		parts = append(parts, fmt.Sprintf("%s:%d", p.Loc.File, p.Loc.Line))
	}
	return strings.Join(parts, "\x00")
}

func identities(fs []*finding.Finding) map[string]bool {
	ids := map[string]bool{}
	for _, f := range fs {
		ids[identity(f)] = true
	}
	return ids
}

// read reads the project's texts and what clang says of them.
func (f *fixer) read(ctx context.Context) error {
	dir, remove, err := scratch.Dir()
	if err != nil {
		return err
	}
	defer remove()
	tc, err := clang.Find(f.cfg.Clang)
	if err != nil {
		return &UsageError{err}
	}
	for _, in := range f.cfg.Inputs {
		if nvcc.LangOf(in) != nvcc.CUDA {
			continue
		}
		r, err := tc.Reader(clang.Options{Sources: []string{in}, Defines: f.cfg.Defines, Includes: f.cfg.Includes, Std: f.cfg.Std,
			NVCCFlags: f.cfg.compilerFlags(), Arch: f.cfg.Arch, WorkDir: dir})
		if err != nil {
			return buildError(err)
		}
		r.Lenient = true // the program has been compiled
		texts, err := textsOf(ctx, r)
		if err != nil {
			return buildError(err)
		}
		err = r.Tree(ctx, nil, func(tree io.Reader) error {
			p, err := repair.Read(texts, tree)
			f.programs = append(f.programs, p)
			return err
		})
		if err != nil {
			return buildError(err)
		}
		for name, text := range texts {
			f.texts[name] = text
		}
	}
	return nil
}

// textsOf are the texts of a source and of the project's headers, by absolute path.
func textsOf(ctx context.Context, r *clang.Reader) (map[string][]byte, error) {
	names, err := r.Files(ctx)
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for _, name := range names {
		abs, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		if !own(abs) {
			continue
		}
		if texts[abs], err = userfile.Read(abs); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// vary runs the program as it is again, and under other schedules. What it prints differently in
// these runs is not defined, and may change; an element of a buffer may have the value of any.
// It returns the errors that only other schedules show.
func (f *fixer) vary(ctx context.Context) ([]*finding.Finding, error) {
	var more []*finding.Finding
	f.noise = &noise{buffers: map[string]bool{}, lines: map[int]bool{}, tail: -1}
	places := map[source.Pos]bool{}
	for _, e := range errorsOf(f.original) {
		places[f.unpatched(e.Primary.Loc.Pos)] = true
	}
	f.counts, f.work = newPlaceCounts(f.texts, places, f.base), newWorkload()
	for i := 0; i <= fixSchedules; i++ {
		s, _, err := f.again(ctx, f.under(i), func(s *session) {
			s.launchObservers = append(s.launchObservers, &recorder{f.history})
			if i == 0 {
				s.observers = append(s.observers, f.counts.observer(), f.work.observer())
			}
		})
		if err != nil {
			return nil, err
		}
		f.noise.merge(f.original, s, nil)
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

// unpatched is where a place of the program that others are compared with is without its patches.
func (f *fixer) unpatched(p source.Pos) source.Pos { return repair.Moved(f.texts, f.base, p, true) }

// under is the configuration of a run under schedule i, 0 for the one that was asked for.
func (f *fixer) under(i int) Config {
	cfg := f.cfg
	if cfg.Timeout == 0 || f.limit < cfg.Timeout {
		cfg.Timeout = f.limit
	}
	if i > 0 {
		order := scheduleOf(f.original.schedule, i)
		cfg.Schedule, cfg.Seed = order.Order.String(), order.Seed
	}
	return cfg
}

// inTexts is a finding with places as they are without patches.
func (f *fixer) inTexts(e *finding.Finding) *finding.Finding { return displaced(e, f.unpatched) }

// displaced is a finding with its places elsewhere.
func displaced(e *finding.Finding, to func(source.Pos) source.Pos) *finding.Finding {
	g := *e
	place := func(l *source.Location) {
		l.Pos, l.InlinedAt = to(l.Pos), slices.Clone(l.InlinedAt)
		for i := range l.InlinedAt {
			l.InlinedAt[i] = to(l.InlinedAt[i])
		}
	}
	place(&g.Primary.Loc)
	g.LaunchedAt = to(e.LaunchedAt)
	g.Related = slices.Clone(e.Related)
	for i := range g.Related {
		place(&g.Related[i].Loc)
	}
	if e.Repair == nil {
		return &g
	}
	g.Repair = e.Repair.Moved(to)
	return &g
}

// candidates are the patches that may remove a finding.
func (f *fixer) candidates(e *finding.Finding) (list []*repair.Patch) {
	e = f.inTexts(e)
	for _, p := range f.programs {
		for _, c := range p.Candidates(e) {
			if !slices.ContainsFunc(slices.Concat(list, f.accepted), c.Same) { // of a header that several sources read
				list = append(list, c)
			}
		}
	}
	return list
}

// whyNone is why no source has a patch for a finding.
func (f *fixer) whyNone(e *finding.Finding) (why repair.Untried) {
	e = f.inTexts(e)
	for _, p := range f.programs {
		if why = p.WhyNone(e); why == repair.NothingToEdit {
			break
		}
	}
	return why
}

// one looks for a patch of one finding. It returns how the program ran with it, nil where none held. The
// first that holds and with which the program computes the same is taken, else the best of all; where the
// program as it is fails, a few more are tried, as with one of them it may succeed.
func (f *fixer) one(ctx context.Context, e *finding.Finding, r *repair.Result) (*trialRun, error) {
	r.Outcome = repair.Manual
	var best *trialRun
	var halves []*trialRun // with which the finding goes, and another one comes
	held := 0
	useless := map[string]bool{} // conditions under which the finding stays, and calls that do not compile
	all := f.propose(f, e)
	for i, c := range all {
		if f.clock.over() {
			r.NotTried = len(all) - i
			break
		}
		r.Outcome = repair.Open
		if useless[c.Condition] || useless[c.Call] {
			continue
		}
		if best != nil && f.fails() {
			if held++; held > morePatches {
				break
			}
		}
		t, err := f.try(ctx, append(slices.Clone(f.accepted), c), identity(e), true)
		if err != nil || ctx.Err() != nil {
			return nil, err
		}
		t.patch = c
		if c.Condition != "" && (t.cause == repair.Stays && !c.Part || t.cause == repair.NotCompiled) {
			useless[c.Condition] = true
		}
		if c.Call != "" && t.cause == repair.NotCompiled {
			useless[c.Call] = true
		}
		f.refuse(t, e)
		switch {
		case t.why != "":
			r.Tried = append(r.Tried, repair.Trial{What: c.What, Cause: t.cause, Why: t.why})
			if t.cause == repair.NewFinding && t.fresh != nil {
				halves = append(halves, t)
			}
			continue
		case best == nil || c.Sure:
			best = t
		default:
			taken, other, why := preferred(best, t)
			best = taken
			r.Tried = append(r.Tried, repair.Trial{What: other.patch.What, Cause: repair.Second, Why: why})
		}
		if c.Sure {
			best = t
			break
		}
		if best == t && t.keeps() && !f.besides(e, t) && (t.succeeds || !f.fails()) {
			break
		}
	}
	switch {
	case r.Outcome == repair.Manual && len(all) > 0:
		r.Untried = repair.OutOfTime
	case r.Outcome == repair.Manual:
		r.Untried = f.whyNone(e)
	}
	if best == nil {
		var err error
		if best, err = f.completed(ctx, halves, r, identity(e)); best == nil || err != nil {
			if r.Outcome == repair.Open && f.whyNone(e) == repair.NotInProgram {
				r.Untried = repair.NotInProgram
			}
			return nil, err
		}
	}
	return f.smallest(ctx, best, r, identity(e))
}

// besides reports whether a patch leaves another error at the line of the one that it removes, which a
// better one may remove as well.
func (f *fixer) besides(e *finding.Finding, t *trialRun) bool {
	return t.patch.Condition != "" && slices.ContainsFunc(f.found, func(o *finding.Finding) bool {
		return t.left[identity(o)] && o.Primary.Loc.File == e.Primary.Loc.File && o.Primary.Loc.Line == e.Primary.Loc.Line
	})
}

// smallest takes a patch that holds, without the parts that it holds without: each is left out in
// turn.
func (f *fixer) smallest(ctx context.Context, t *trialRun, r *repair.Result, target string) (*trialRun, error) {
	for i := 0; i < len(t.patch.Parts) && len(t.patch.Parts) > 1; {
		less := t.patch.Without(i)
		now, err := f.try(ctx, append(slices.Clone(f.accepted), less), target, true)
		if err != nil || ctx.Err() != nil {
			return nil, err
		}
		if now.why != "" || len(now.left) > len(t.left) || len(now.changed) > len(t.changed) {
			i++
			continue
		}
		now.patch, t = less, now
	}
	return f.accept(t, r), nil
}

// accept takes a patch. What it changes cannot be compared from here on.
func (f *fixer) accept(t *trialRun, r *repair.Result) *trialRun {
	for _, d := range t.runs {
		f.noise.merge(f.original, d.s, d.diffs)
	}
	f.accepted = append(f.accepted, t.patch)
	if t.work != nil {
		f.work = t.work // the next patch may execute less than the original program, but not less than with this one
	}
	r.Outcome, r.What, r.Changed, r.Edits = repair.Fixed, t.patch.What, t.changed, t.patch.Replacements(f.texts)
	return t
}

// trialRun is what came of running the program with patches.
type trialRun struct {
	patch *repair.Patch
	// cause and why are why it does not hold, "" if it does; left are the errors that are left.
	cause repair.TrialCause
	why   string
	left  map[string]bool
	// fresh is the finding that has come, nil for none.
	fresh *finding.Finding
	// sorts are their rules and kernels, which do not depend on lines.
	sorts map[string]bool
	// changed says what the program computes otherwise; memory is set if a buffer is among that.
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
	aligned *alignment
	// work is what the run under the default schedule does.
	work *workload
	runs []comparedRun
}

// comparedRun is a run, and how the buffers differ from those of the program as it is.
type comparedRun struct {
	s     *session
	diffs []difference
}

const notCompiled = "it does not compile"

// with compiles the program with patches; exe is "" if that fails.
func (f *fixer) with(ctx context.Context, patches []*repair.Patch, inline bool) (exe string, remove func(), err error) {
	s, err := newSession(f.cfg)
	if err != nil {
		return "", nil, &UsageError{err}
	}
	s.apply(f.texts, patches, inline)
	exe, remove, err = s.executable(ctx)
	var usage *UsageError
	if errors.As(err, &usage) {
		return "", func() {}, nil
	}
	return exe, remove, err
}

// try runs the program with patches under all schedules. target is the finding that must be
// gone, "" for none: then what has held is not run again.
func (f *fixer) try(ctx context.Context, patches []*repair.Patch, target string, inline bool) (*trialRun, error) {
	key := fmt.Sprintf("%s", repair.Apply(f.texts, patches, inline))
	if t := f.held[key]; t != nil && target == "" && inline {
		return t, nil
	}
	t, err := f.tryAnew(ctx, patches, target, inline)
	if err == nil && t.why == "" && len(t.runs) == 1+fixSchedules && ctx.Err() == nil {
		f.held[key] = t
	}
	return t, err
}

func (f *fixer) tryAnew(ctx context.Context, patches []*repair.Patch, target string, inline bool) (*trialRun, error) {
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
	with := *f.multirun
	for i := 0; i <= fixSchedules && t.why == "" && ctx.Err() == nil; i++ {
		last := patches[len(patches)-1]
		places := map[source.Pos]bool{}
		if i == 0 && target != "" && last.Skips.IsValid() {
			places[last.Skips] = true
		}
		count, work := newPlaceCounts(f.texts, places, patches), newWorkload()
		t.aligned = &alignment{was: f.order.steps}
		with.compare = t.aligned.comparing(f.compare)
		with.exe = b.exe
		s, diffs, err := with.again(ctx, f.under(i), func(s *session) {
			s.modules = b.modules
			s.observers = append(s.observers, t.aligned.observer())
			if len(places) > 0 {
				s.observers = append(s.observers, count.observer())
			}
			if i == 0 && target != "" {
				s.observers = append(s.observers, work.observer())
			}
		})
		if err != nil {
			return nil, err
		}
		if s.foreign { // it has device code of another source, too
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
		t.succeeds = t.succeeds && s.exit == host.Exit{}
		f.judge(t, s, diffs, target, inline)
		if t.inexact && t.memory {
			break // no other schedule makes it better
		}
		if t.why != "" && i > 0 {
			t.why += ", under the schedule " + s.schedule.String()
		}
	}
	if !inline && t.why == "" {
		if f.report.Before, err = f.costOf(ctx, f.before); err == nil {
			f.report.After, err = f.costOf(ctx, b.exe)
		}
	}
	return t, err
}

// judge compares a run with patches with the program as it is.
func (f *fixer) judge(t *trialRun, s *session, diffs []difference, target string, sameLines bool) {
	for _, e := range errorsOf(s) {
		id := identity(e)
		switch {
		case id == target:
			t.cause, t.why = repair.Stays, "the finding stays"
		case !f.known[id] && f.beyond(t, e):
			t.further = true
			continue
		case !f.known[id] && sameLines && t.why == "":
			t.cause, t.why, t.fresh = repair.NewFinding, fmt.Sprintf("%s: %s", e.Rule, e.Message), e
		}
		t.left[id] = true
		t.sorts[e.Rule+"\x00"+e.Kernel] = true
	}
	if t.why != "" {
		return
	}
	if len(s.failed) > len(f.original.failed) {
		t.cause, t.why = repair.NotCompiled, "its device code is not loaded: "+s.failed[0].Error()
		return
	}
	if s.unsupported != "" && f.original.unsupported == "" {
		t.cause, t.why = repair.Ends, "it is not checked: "+s.unsupported+" is not supported"
		return
	}
	if was, now := f.original.exit, s.exit; now.Canceled && !was.Canceled || now.Signal != 0 && was.Signal == 0 {
		t.cause, t.why = repair.Ends, "the program is "+ending(now)
		return
	}
	for _, d := range diffs {
		switch {
		case f.noise.buffers[d.Name]: // an accepted patch changes it
		case d.Unwritten > 0 && !t.exact:
			t.cause, t.why = repair.NotWritten, fmt.Sprintf("%d of %s are not written any more", d.Unwritten, d.Buffer)
			return
		default:
			t.memory = true
			t.change("%s differ after launch %d", d.Buffer, d.Launch)
		}
	}
	if w := f.newWarning(t, s); w != nil && sameLines {
		t.cause, t.why = repair.NewWarning, fmt.Sprintf("%s: %s", w.Rule, w.Message)
		return
	}
	if d := outputChange(f.original, s, f.noise); d != nil {
		t.change("%s is %s, was %s", d.what, d.now, d.was)
	}
}

// beyond reports whether an error is in a launch that the program as it is does not come to, or that is refused there.
func (f *fixer) beyond(t *trialRun, e *finding.Finding) bool {
	launch, executed := t.aligned.launch(e.Launches.First())
	return !executed || launch > f.counts.last
}

func (t *trialRun) change(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(t.changed, text) {
		t.changed = append(t.changed, text)
	}
}

// finish leaves out patches without which nothing comes back.
func (f *fixer) finish(ctx context.Context) error {
	if err := f.withdraw(ctx); err != nil {
		return err
	}
	for i := 0; i < len(f.accepted) && len(f.accepted) > 1; {
		if f.clock.late() {
			f.report.Messages = append(f.report.Messages, "which patches are needed beside the others was not tried out for all: the time for trials is over")
			break
		}
		without := slices.Delete(slices.Clone(f.accepted), i, i+1)
		all, err := f.try(ctx, f.accepted, "", true)
		if err != nil {
			return err
		}
		less, err := f.try(ctx, without, "", true)
		if err != nil {
			return err
		}
		if less.why == "" && within(less.left, all.left) {
			f.drop(f.accepted[i])
			f.accepted = without
			continue
		}
		i++
	}
	return f.write(ctx)
}

// write lets the user choose among the patches that hold, and checks these as they will be written.
func (f *fixer) write(ctx context.Context) error {
	taken, err := f.ask(ctx)
	if err != nil {
		return err
	}
	f.clock.report(f.report)
	f.report.Exit = ExitClean
	for _, r := range f.report.Results {
		if r.Outcome == repair.Open || r.Outcome == repair.Manual || r.Outcome == repair.Declined {
			f.report.Exit = ExitFindings
		}
	}
	if len(f.accepted) == 0 || !taken {
		return nil
	}
	t, err := f.try(ctx, f.accepted, "", false)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return nil
	}
	if all, err := f.try(ctx, f.accepted, "", true); err != nil {
		return err
	} else if t.why != "" || !within(t.sorts, all.sorts) {
		return fmt.Errorf("the patches do not hold as they are written: %s", or(t.why, "more findings are left"))
	}
	if f.unproved(t) {
		f.report.Exit = ExitFindings
		return nil
	}
	if n := len(t.left); n > 0 {
		f.report.Exit = ExitFindings
		f.report.Messages = append(f.report.Messages, fmt.Sprintf("errors are left at %d places", n))
	}
	f.report.Files = repair.ChangedFiles(f.texts, repair.Apply(f.texts, f.accepted, false))
	f.report.Messages = append(f.report.Messages, fmt.Sprintf("the patches were run under %d schedules", 1+fixSchedules))
	return nil
}

// ask lets the user choose among the patches. It reports false if those that were chosen do not hold
// without the others.
func (f *fixer) ask(ctx context.Context) (holds bool, err error) {
	if f.choose == nil {
		return true, nil
	}
	var chosen []*repair.Patch
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

// within reports whether all that is in a is in b.
func within(a, b map[string]bool) bool {
	for id := range a {
		if !b[id] {
			return false
		}
	}
	return true
}

// drop notes that a patch is not needed beside the others.
func (f *fixer) drop(p *repair.Patch) {
	for i, r := range f.report.Results {
		if r.Outcome == repair.Fixed && r.What == p.What {
			f.report.Results[i].Outcome, f.report.Results[i].What, f.report.Results[i].Edits = repair.Gone, "", nil
		}
	}
}
