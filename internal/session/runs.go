package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/warpgrind/warpgrind/internal/buffers"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/schedule"
	"github.com/warpgrind/warpgrind/internal/device"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// trial is what makes one run part of a study, and what came of it.
type trial struct {
	// partial leaves out conclude, which makes the report's findings and exit
	// code, at the end of a run.
	partial  bool
	conclude func()
	// launchObservers and edit go to the device, observers join those of the checkers in on.
	launchObservers []device.Observer
	edit            func(*ptx.Module)
	observers       []*trace.Observer
	// replaced are texts that are compiled instead of files.
	replaced map[string][]byte
	// modules are used instead of the device code of sources, by their names; foreign is set if there was a module of another one.
	modules map[string][]byte
	foreign bool
	on      *trace.Observer
	// found are the findings as the rules gave them, failed why modules were not loaded, exit how the program
	// ended, output what it printed.
	found  []*finding.Finding
	failed []error
	exit   host.Exit
	output bytes.Buffer
}

// multirun runs one program several times. The first run is as the user sees it;
// the others are compared with it.
type multirun struct {
	cfg     Config
	exe     string
	stdin   []byte
	history *buffers.History
	// compare lists the differences between the buffers of a further run and the recorded ones.
	compare func(buffers.Moment, *mem.Arena) []buffers.Difference
	noise   *noise // nil before it is asked for
	// order is that of the launches of the first run.
	order *launchOrder
}

// beginStudy compiles a program whose runs are to be compared. The session is for the first of them; the function removes what was made.
func beginStudy(ctx context.Context, cfg Config) (s *session, st *multirun, remove func(), err error) {
	if s, err = newSession(cfg); err == nil {
		err = checkInputs(cfg.Inputs)
	}
	if err != nil {
		return nil, nil, nil, &UsageError{err}
	}
	exe, remove, err := s.executable(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	if st, err = newStudy(cfg, exe); err != nil {
		remove()
		return nil, nil, nil, err
	}
	return s, st, remove, nil
}

// newStudy makes a multirun of exe. What the program reads is kept, so that each
// run reads the same; a terminal is left to the first one.
func newStudy(cfg Config, exe string) (*multirun, error) {
	st := &multirun{cfg: cfg, exe: exe, history: buffers.NewHistory(), order: &launchOrder{}}
	st.compare = st.history.Compare
	if cfg.Stdin == nil || isTerminal(cfg.Stdin) {
		return st, nil
	}
	var err error
	st.stdin, err = io.ReadAll(cfg.Stdin)
	st.cfg.Stdin = bytes.NewReader(st.stdin)
	return st, err
}

func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// first is the run that others are compared with.
func (st *multirun) first(ctx context.Context, s *session) error {
	s.cfg = st.cfg
	s.partial = true
	s.launchObservers = append(s.launchObservers, &recorder{st.history})
	s.observers = append(s.observers, st.order.observer())
	s.cfg.Stdout = io.MultiWriter(st.cfg.Stdout, &s.output)
	_, err := s.run(ctx, st.exe)
	return err
}

// again runs the program once more, with changes to the configuration and to
// the session, and returns how the buffers differ. It prints nothing.
func (st *multirun) again(ctx context.Context, cfg Config, change func(*session)) (*session, []difference, error) {
	cfg.Progress, cfg.Warn = nil, nil
	cfg.GenSuppressions, cfg.LogLaunches, cfg.ListLaunches, cfg.DumpBuffers, cfg.Record, cfg.Watch = "", nil, nil, "", "", nil
	s, err := newSession(cfg)
	if err != nil {
		return nil, nil, &UsageError{err}
	}
	s.partial = true
	c := &comparer{compare: st.compare, seen: map[string]bool{}}
	s.launchObservers = append(s.launchObservers, c)
	s.cfg.Stdin, s.cfg.Stdout, s.cfg.Stderr = bytes.NewReader(st.stdin), &s.output, io.Discard
	if change != nil {
		change(s)
	}
	_, err = s.run(ctx, st.exe)
	return s, c.found, err
}

// runAll runs the program under several schedules and reports what they found
// together, and what differs.
func (s *session) runAll(ctx context.Context, exe string) (*report.Report, error) {
	st, err := newStudy(s.cfg, exe)
	if err != nil {
		return nil, err
	}
	if err := st.first(ctx, s); err != nil {
		return nil, err
	}
	var all merged
	all.add(s.found, "")
	var changes []schedule.Change
	runs := 1
	for ; runs < s.cfg.Runs && ctx.Err() == nil; runs++ {
		cfg := s.cfg
		order := scheduleOf(s.schedule, runs)
		cfg.Schedule, cfg.Seed = order.Order.String(), order.Seed
		other, diffs, err := st.again(ctx, cfg, nil)
		if err != nil {
			return nil, err
		}
		all.add(other.found, order.String())
		diffs, out, err := st.differences(ctx, s, other, diffs)
		if err != nil {
			return nil, err
		}
		changes = append(changes, changesOf(other, diffs, out)...)
	}
	s.found = all.withChanges(changes)
	s.say("compared %d runs under different schedules", runs)
	s.conclude()
	return s.report, nil
}

// withSchedule has the schedule rule among rules where there are several runs,
// and only there.
func withSchedule(rules []check.Rule, runs int) ([]check.Rule, error) {
	rules = slices.DeleteFunc(slices.Clone(rules), func(r check.Rule) bool { return r.ID == schedule.Rule.ID })
	switch {
	case runs < 0:
		return nil, fmt.Errorf("--runs %d: want 1 or more", runs)
	case runs > 1:
		return append(rules, schedule.Rule), nil
	case len(rules) == 0:
		return nil, errors.New("--tool schedule needs --runs 2 or more")
	}
	return rules, nil
}

// scheduleOf is the schedule of run i, which is not the first: the reverse,
// unless that was the first one's, then random ones.
func scheduleOf(first engine.Schedule, i int) engine.Schedule {
	if i == 1 && first.Order != engine.ReverseOrder {
		return engine.Schedule{Order: engine.ReverseOrder}
	}
	return engine.Schedule{Order: engine.RandomOrder, Seed: first.Seed + uint64(i)}
}

// changesOf are the differences of a run from the first one.
func changesOf(s *session, diffs []difference, output *outputDifference) []schedule.Change {
	under := s.schedule.String()
	var out []schedule.Change
	for _, d := range diffs {
		c := schedule.Change{Launch: d.Launch, Kernel: d.kernel, Buffer: d.Buffer, Was: d.Was, Now: d.Now, Under: under, Count: d.Count}
		if d.Index >= 0 {
			c.Element = fmt.Sprintf("%s[%d]", d.Name, d.Index)
		}
		out = append(out, c)
	}
	if output != nil {
		out = append(out, schedule.Change{Output: true, Buffer: output.what, Was: output.was, Now: output.now, Under: under})
	}
	return out
}

// outputDifference is how the end or the output of a run differs.
type outputDifference struct{ what, was, now string }

// outputChange is how a run's end or output differs from the first one's, apart from
// what varies by itself; nil if it does not.
func outputChange(first, s *session, n *noise) *outputDifference {
	if first.exit != s.exit && (n == nil || !n.exit) {
		return &outputDifference{"the program's end", ending(first.exit), ending(s.exit)}
	}
	a, b := linesOf(first), linesOf(s)
	for i := range max(len(a), len(b)) {
		x, y := lineAt(a, i), lineAt(b, i)
		if x != y && !n.ignores(i) {
			return &outputDifference{fmt.Sprintf("line %d of the output", i+1), x, y}
		}
	}
	return nil
}

func lineAt(lines [][]byte, i int) string {
	if i >= len(lines) {
		return "nothing"
	}
	return fmt.Sprintf("%q", lines[i])
}

func ending(e host.Exit) string {
	switch {
	case e.Canceled:
		return "stopped by the time limit"
	case e.Signal != 0:
		return "ended by " + e.Signal.String()
	}
	return fmt.Sprintf("exit code %d", e.Code)
}

// merged collects the findings of several runs, each cause once.
type merged struct {
	found []*finding.Finding
	seen  map[string]bool
}

func (m *merged) add(fs []*finding.Finding, under string) {
	if m.seen == nil {
		m.seen = map[string]bool{}
	}
	for _, f := range fs {
		id := f.Rule + "\x00" + f.Kernel + "\x00" + f.Key
		if m.seen[id] {
			continue
		}
		m.seen[id] = true
		if under != "" {
			g := *f
			g.Notes = append(append([]string(nil), f.Notes...), "seen under the schedule "+under+", not in the first run")
			f = &g
		}
		m.found = append(m.found, f)
	}
}

// withChanges adds the findings of what differs, in the order of a report.
func (m *merged) withChanges(changes []schedule.Change) []*finding.Finding {
	var races []*finding.Finding
	for _, f := range m.found {
		if f.Rule == "race" && f.Level > finding.Info {
			races = append(races, f)
		}
	}
	for _, c := range changes {
		f := schedule.Finding(c, changes, races)
		f.KernelName = finding.Demangle(f.Kernel)
		m.add([]*finding.Finding{f}, "")
	}
	finding.Sort(m.found)
	return m.found
}
