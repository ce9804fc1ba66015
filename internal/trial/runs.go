package trial

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/warpgrind/warpgrind/internal/buffers"
	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/check/schedule"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
)

// Multirun runs one program several times. The first run is as the user sees it;
// the others are compared with it.
type Multirun struct {
	Cfg     session.Config
	Exe     string
	stdin   []byte
	History *buffers.History
	// compare lists the differences between the buffers of a further run and the recorded ones.
	Compare func(buffers.Moment, *mem.Arena) []buffers.Difference
	Noise   *Noise // nil before it is asked for
	// order is the order of the launches of the first run.
	Order *LaunchOrder
}

// beginStudy compiles a program whose runs are to be compared. The session is for the first of them; the function removes what was made.
func beginStudy(ctx context.Context, cfg session.Config) (s *session.Session, st *Multirun, remove func(), err error) {
	if s, err = session.NewSession(cfg); err == nil {
		err = build.CheckInputs(cfg.Inputs)
	}
	if err != nil {
		return nil, nil, nil, &build.UsageError{Err: err}
	}
	exe, remove, err := s.Executable(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	if st, err = NewStudy(cfg, exe); err != nil {
		remove()
		return nil, nil, nil, err
	}
	return s, st, remove, nil
}

// NewStudy makes a multirun of exe. What the program reads is kept, so that each
// run reads the same; a terminal is left to the first one.
func NewStudy(cfg session.Config, exe string) (*Multirun, error) {
	st := &Multirun{Cfg: cfg, Exe: exe, History: buffers.NewHistory(), Order: &LaunchOrder{}}
	st.Compare = st.History.Compare
	if cfg.Stdin == nil || isTerminal(cfg.Stdin) {
		return st, nil
	}
	var err error
	st.stdin, err = io.ReadAll(cfg.Stdin)
	st.Cfg.Stdin = bytes.NewReader(st.stdin)
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

// First is the run that others are compared with.
func (st *Multirun) First(ctx context.Context, s *session.Session) error {
	s.Cfg = st.Cfg
	s.Partial = true
	s.LaunchObservers = append(s.LaunchObservers, &Recorder{st.History})
	s.Observers = append(s.Observers, st.Order.observer())
	s.Cfg.Stdout = io.MultiWriter(st.Cfg.Stdout, &s.Output)
	_, err := s.Run(ctx, st.Exe)
	return err
}

// Again runs the program once more, with changes to the configuration and to
// the session, and returns how the buffers differ. It prints nothing.
func (st *Multirun) Again(ctx context.Context, cfg session.Config, change func(*session.Session)) (*session.Session, []Difference, error) {
	cfg.Progress, cfg.Warn = nil, nil
	cfg.GenSuppressions, cfg.LogLaunches, cfg.ListLaunches, cfg.DumpBuffers, cfg.Record, cfg.Watch = "", nil, nil, "", "", nil
	s, err := session.NewSession(cfg)
	if err != nil {
		return nil, nil, &build.UsageError{Err: err}
	}
	s.Partial = true
	c := &comparer{compare: st.Compare, seen: map[string]bool{}}
	s.LaunchObservers = append(s.LaunchObservers, c)
	s.Cfg.Stdin, s.Cfg.Stdout, s.Cfg.Stderr = bytes.NewReader(st.stdin), &s.Output, io.Discard
	if change != nil {
		change(s)
	}
	_, err = s.Run(ctx, st.Exe)
	return s, c.found, err
}

// runAll runs the program under several schedules and reports what they found
// together, and what differs.
func runAll(ctx context.Context, s *session.Session, exe string) (*report.Report, error) {
	st, err := NewStudy(s.Cfg, exe)
	if err != nil {
		return nil, err
	}
	if err := st.First(ctx, s); err != nil {
		return nil, err
	}
	var all merged
	all.add(s.Found, "")
	var changes []schedule.Change
	runs := 1
	for ; runs < s.Cfg.Runs && ctx.Err() == nil; runs++ {
		cfg := s.Cfg
		order := ScheduleOf(s.Schedule, runs)
		cfg.Schedule, cfg.Seed = order.Order.String(), order.Seed
		other, diffs, err := st.Again(ctx, cfg, nil)
		if err != nil {
			return nil, err
		}
		all.add(other.Found, order.String())
		diffs, out, err := st.differences(ctx, s, other, diffs)
		if err != nil {
			return nil, err
		}
		changes = append(changes, changesOf(other, diffs, out)...)
	}
	s.Found = all.withChanges(changes)
	s.Say("compared %d runs under different schedules", runs)
	s.Conclude()
	return s.Report, nil
}

// ScheduleOf is the schedule of run i, which is not the first: the reverse,
// unless that was the first one's, then random ones.
func ScheduleOf(first engine.Schedule, i int) engine.Schedule {
	if i == 1 && first.Order != engine.ReverseOrder {
		return engine.Schedule{Order: engine.ReverseOrder}
	}
	return engine.Schedule{Order: engine.RandomOrder, Seed: first.Seed + uint64(i)}
}

// changesOf are the differences of a run from the first one.
func changesOf(s *session.Session, diffs []Difference, output *outputDifference) []schedule.Change {
	under := s.Schedule.String()
	var out []schedule.Change
	for _, d := range diffs {
		c := schedule.Change{Launch: d.Launch, Kernel: d.kernel, Buffer: d.Buffer, Was: d.Was, Now: d.Now, Under: under, Count: d.Count}
		if d.Index >= 0 {
			c.Element = fmt.Sprintf("%s[%d]", d.Name, d.Index)
		}
		out = append(out, c)
	}
	if output != nil {
		out = append(out, schedule.Change{Output: true, Buffer: output.What, Was: output.Was, Now: output.Now, Under: under})
	}
	return out
}

// outputDifference is how the end or the output of a run differs.
type outputDifference struct{ What, Was, Now string }

// OutputChange is how a run's end or output differs from the first one's, apart from
// what varies by itself; nil if it does not.
func OutputChange(first, s *session.Session, n *Noise) *outputDifference {
	if first.Exit != s.Exit && (n == nil || !n.exit) {
		return &outputDifference{"the program's end", Ending(first.Exit), Ending(s.Exit)}
	}
	a, b := LinesOf(first), LinesOf(s)
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

// Ending describes how a program ended.
func Ending(e host.Exit) string {
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

// Boolean is 1 for true, for sums and orders.
func Boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}
