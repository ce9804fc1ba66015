package fix

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"time"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/static"
	"github.com/warpgrind/warpgrind/internal/study"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trial"
)

// Tidy looks for barriers, fences and atomic functions that the program does not need: each is taken
// out of the source in turn, or replaced by a weaker one, and stays so if with it the program
// has no finding that it did not have, and leaves the same in memory and in its output, with
// every input and under the default and other schedules, and it is proved that no other input needs it either. Each of
// more is a command line of arguments to run with besides the arguments of cfg; with theseInputs all that these do not need is taken out without a proof.
// The error is a *UsageError, or a bug.
//
// Of the patches that hold, those are taken that choose takes, nil for all, if they hold without the others.
func Tidy(ctx context.Context, cfg session.Config, more []string, theseInputs bool, choose Choose) (*repair.TidyReport, error) {
	return tidyWith(ctx, cfg, more, theseInputs, choose, repair.Redundancies)
}

// tidyWith is Tidy with what proposes the patches.
func tidyWith(ctx context.Context, cfg session.Config, more []string, theseInputs bool, choose Choose, propose func(*code.Program) []*repair.Redundancy) (_ *repair.TidyReport, err error) {
	s, exe, remove, err := sourceSession(ctx, cfg, "tidy")
	if err != nil {
		return nil, err
	}
	defer remove()
	since := s.Since
	t := &tidier{propose: propose, theseInputs: theseInputs, orders: map[string][]*static.Order{}, report: &repair.TidyReport{Schema: report.Schema, Schedules: fixSchedules, Inputs: 1 + len(more), Files: []repair.Changed{}, Results: []repair.TidyResult{}},
		executed: map[source.Pos]*executions{}}
	defer func() {
		if r := t.report; err == nil {
			r.Environment = session.TellExit(&r.Messages, &r.Exit, since)
		}
	}()
	for i := range 1 + len(more) {
		one := cfg
		if i > 0 {
			one.Args = nvcc.Fields(more[i-1])
			if s, err = session.NewSession(one); err != nil {
				return nil, &build.UsageError{Err: err}
			}
		}
		if ok, err := t.input(ctx, one, s, exe); !ok {
			return t.report, err
		}
	}
	t.choose = choose
	return t.report, runPasses(ctx, tidyPasses, t)
}

// tidier looks for redundant synchronization in one program.
type tidier struct {
	// fixer is for the first input, inputs are for all.
	*fixer
	inputs []*fixer
	// theseInputs lets go what the inputs do not need, also without a proof for others.
	theseInputs bool
	// orders are the orders that are proved for the kernels, by the texts of the program.
	orders   map[string][]*static.Order
	propose  func(*code.Program) []*repair.Redundancy
	report   *repair.TidyReport
	mu       sync.Mutex
	executed map[source.Pos]*executions
}

// executions counts how often threads synchronize at one place, and in which kernels.
type executions struct {
	threads uint64
	kernels map[string]bool
}

// input runs the program as it is with one input, under all schedules. It reports whether that
// is correct as it is: else the report says why it cannot be tidied.
func (t *tidier) input(ctx context.Context, cfg session.Config, s *session.Session, exe string) (bool, error) {
	st, err := trial.NewStudy(cfg, exe)
	if err != nil {
		return false, err
	}
	st.Compare = st.History.Unseen
	began := time.Now()
	s.Observers = append(s.Observers, t.observer())
	if err := st.First(ctx, s); err != nil {
		return false, err
	}
	s.Conclude()
	f := &fixer{Multirun: st, before: exe, original: s, limit: max(20*time.Since(began), 10*time.Second), texts: map[string][]byte{}, known: map[string]bool{}}
	st.Noise = &trial.Noise{Buffers: map[string]bool{}, Lines: map[int]bool{}, Tail: -1}
	f.counts = newPlaceCounts(nil, nil, nil)
	found := s.Found
	for i := 0; i <= fixSchedules && ctx.Err() == nil; i++ {
		again, _, err := f.Again(ctx, f.under(i), func(s *session.Session) {
			s.LaunchObservers = append(s.LaunchObservers, &trial.Recorder{History: st.History})
		})
		if err != nil {
			return false, err
		}
		st.Noise.Merge(s, again, nil)
		found = slices.Concat(found, again.Found)
	}
	for _, x := range found {
		if f.known[identity(x)] = true; x.Level >= finding.Error {
			t.report.Exit = session.ExitFindings
			t.report.Messages = append(t.report.Messages, "the program has errors: see warpgrind fix")
			return false, nil
		}
	}
	if t.report.Exit = s.Report.Exit; t.report.Exit != session.ExitClean {
		t.report.Messages = append(t.report.Messages, s.Report.Messages...)
		return false, nil
	}
	if t.inputs = append(t.inputs, f); t.fixer == nil {
		t.fixer = f
	}
	return true, nil
}

// observer counts who synchronizes where.
func (t *tidier) observer() *trace.Observer {
	return &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
		return []*trace.LaunchObserver{{Block: func() *trace.BlockObserver { return t.block(l.Kernel) }}}
	}}
}

func (t *tidier) block(kernel string) *trace.BlockObserver {
	n := map[*trace.Site]uint64{}
	updates := func(a *trace.Access) {
		if a.Site.Kind == trace.Atomic {
			n[a.Site] += uint64(bits.OnesCount32(a.Mask))
		}
	}
	return &trace.BlockObserver{
		Barrier: func(b *trace.Barrier) {
			for _, m := range b.Synced {
				n[b.Site] += uint64(bits.OnesCount32(m))
			}
		},
		WarpSync: func(w *trace.WarpSync) { n[w.Site] += uint64(bits.OnesCount32(w.Mask)) },
		Fence:    func(f *trace.Fence) { n[f.Site] += uint64(bits.OnesCount32(f.Mask)) },
		Shared:   updates, Global: updates,
		End: func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			for site, k := range n {
				if site == nil {
					continue
				}
				at := study.Sources(trial.Own).Place(site.Loc)
				if t.executed[at] == nil {
					t.executed[at] = &executions{kernels: map[string]bool{}}
				}
				t.executed[at].threads += k
				t.executed[at].kernels[kernel] = true
			}
			clear(n)
		},
	}
}

// each tries what may be redundant, what is executed most first.
func (t *tidier) each(ctx context.Context) (done bool, err error) {
	type item struct {
		*repair.Redundancy
		executions
		result int
	}
	var items []item
	for _, p := range t.programs {
		for _, r := range t.propose(p) {
			if slices.ContainsFunc(items, func(o item) bool { return o.At == r.At }) { // of a header that several sources read
				continue
			}
			x := item{r, executions{kernels: map[string]bool{}}, len(items)}
			for at, n := range t.executed {
				if !r.Holds(p, at) {
					continue
				}
				x.threads += n.threads
				for k := range n.kernels {
					x.kernels[k] = true
				}
			}
			items = append(items, x)
			t.report.Results = append(t.report.Results, repair.TidyResult{At: r.At, Kind: r.Kind, Text: r.Text, Need: repair.NotReached, Executions: x.threads})
		}
	}
	slices.SortStableFunc(items, func(a, b item) int { return int(min(b.threads, 1<<40)) - int(min(a.threads, 1<<40)) })
	cost, err := t.costOf(ctx, t.before)
	if err != nil {
		return false, err
	}
	t.report.Before, t.report.After = cost, cost
	for _, x := range items {
		if x.threads == 0 || ctx.Err() != nil {
			continue
		}
		r := &t.report.Results[x.result]
		if err := t.one(ctx, x.Redundancy, r); err != nil {
			return false, err
		}
	}
	return false, nil
}

// one tries the patches of one synchronization: the first is taken that holds, costs less and is proved to hold with all inputs.
func (t *tidier) one(ctx context.Context, x *repair.Redundancy, r *repair.TidyResult) error {
	r.Need = repair.Needed
	for _, p := range x.Patches {
		patches := append(slices.Clone(t.accepted), p)
		exe, remove, err := t.with(ctx, patches, true)
		if err != nil {
			return err
		}
		cause, why, err := t.holds(ctx, exe, true)
		var cost *repair.Cost
		if err == nil && why == "" && ctx.Err() == nil {
			cost, err = t.costOf(ctx, exe)
		}
		remove()
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return nil
		case why == "" && cost.Instructions > t.report.After.Instructions:
			cause, why = repair.NotCheaper, fmt.Sprintf("it takes %d more instructions of threads", cost.Instructions-t.report.After.Instructions)
		}
		if why != "" {
			r.Tried = append(r.Tried, repair.Trial{What: p.What, Cause: cause, Why: why})
			continue
		}
		unproved, err := t.unproved(ctx, x, p)
		if err != nil {
			return err
		}
		if unproved == "" || t.theseInputs {
			t.accepted = patches
			r.Need, r.Proved, r.Unproved = repair.Redundant, unproved == "", unproved
			r.What, r.Edits, r.Saving = p.What, p.Replacements(t.texts), repair.SavedBy(t.report.After, cost)
			t.report.After = cost
			return nil
		}
		if r.Need != repair.Unneeded {
			r.Need, r.Unproved, r.What, r.Saving = repair.Unneeded, unproved, p.What, repair.SavedBy(t.report.After, cost)
		}
	}
	return nil
}

// holds runs a program with all inputs under all schedules. It returns why it is not the one that it was, "" if
// it is.
func (t *tidier) holds(ctx context.Context, exe string, sameLines bool) (repair.TrialCause, string, error) {
	if exe == "" {
		return repair.NotCompiled, notCompiled, nil
	}
	for n, f := range t.inputs {
		with := *f.Multirun
		with.Exe = exe
		for i := 0; i <= fixSchedules && ctx.Err() == nil; i++ {
			s, diffs, err := with.Again(ctx, f.under(i), nil)
			if err != nil {
				return "", "", err
			}
			if cause, why := f.differs(s, diffs, sameLines); why != "" {
				if i > 0 {
					why += ", under the schedule " + s.Schedule.String()
				}
				if n > 0 {
					why += fmt.Sprintf(", with input %d", n+1)
				}
				return cause, why, nil
			}
		}
	}
	return "", "", nil
}

// differs names a difference between a run and the runs of the unchanged program, "" for none. Findings of every level count.
func (f *fixer) differs(s *session.Session, diffs []trial.Difference, sameLines bool) (repair.TrialCause, string) {
	for _, x := range s.Found {
		if !f.known[identity(x)] && (sameLines || x.Level >= finding.Error) {
			return repair.NewFinding, fmt.Sprintf("%s: %s", x.Rule, x.Message)
		}
	}
	if was, now := f.original.Exit, s.Exit; now.Canceled && !was.Canceled || now.Signal != 0 && was.Signal == 0 {
		return repair.Ends, "the program is " + trial.Ending(now)
	}
	for _, d := range diffs {
		return repair.OtherResult, fmt.Sprintf("%s differ after launch %d", d.Buffer, d.Launch)
	}
	if d := trial.OutputChange(f.original, s, f.Noise); d != nil {
		return repair.OtherResult, fmt.Sprintf("%s is %s, was %s", d.What, d.Now, d.Was)
	}
	return "", ""
}

// offer lets the user choose among the patches. It is done if those that were chosen do not hold without the others.
func (t *tidier) offer(ctx context.Context) (done bool, err error) {
	if t.choose == nil {
		return false, nil
	}
	holds, err := t.ask(ctx)
	return !holds, err
}

// ask lets the user choose among the patches. It reports false if those that were chosen do not hold
// without the others.
func (t *tidier) ask(ctx context.Context) (holds bool, err error) {
	var chosen []*code.Patch
	for _, p := range t.accepted {
		i := slices.IndexFunc(t.report.Results, func(r repair.TidyResult) bool { return r.Need == repair.Redundant && r.What == p.What })
		r := &t.report.Results[i]
		take, err := t.choose(repair.NewOffer(t.texts, p, r.Text+" is redundant"))
		if err != nil {
			return false, err
		}
		if take {
			chosen = append(chosen, p)
		} else {
			r.Need = repair.Kept
		}
	}
	if len(chosen) == len(t.accepted) || len(chosen) == 0 {
		t.accepted = chosen
		return true, nil
	}
	t.accepted = chosen
	exe, remove, err := t.with(ctx, chosen, true)
	if err != nil {
		return false, err
	}
	defer remove()
	_, why, err := t.holds(ctx, exe, true)
	if err == nil && why != "" {
		t.report.Messages = append(t.report.Messages, "the chosen patches do not hold without the others: "+why)
	}
	return why == "", err
}

// asWritten checks the patches as they will be written.
func (t *tidier) asWritten(ctx context.Context) (done bool, err error) {
	if len(t.accepted) == 0 || ctx.Err() != nil {
		return true, nil
	}
	exe, remove, err := t.with(ctx, t.accepted, false)
	if err != nil {
		return false, err
	}
	defer remove()
	if _, why, err := t.holds(ctx, exe, false); err != nil || ctx.Err() != nil {
		return false, err
	} else if why != "" {
		return false, fmt.Errorf("the patches do not hold as they are written: %s", why)
	}
	t.report.Files = repair.ChangedFiles(t.texts, code.Apply(t.texts, t.accepted, false))
	return true, nil
}
