package session

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/explore"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/suppress"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/userfile"
	"github.com/warpgrind/warpgrind/internal/watch"
)

// controls are parts of a Config made ready.
type controls struct {
	Schedule engine.Schedule
	predict  check.Prediction
	holds    check.Holds
	steps    explore.Follower
	sample   engine.Sample
	Only     *blockChoice
	Filter   *launchFilter
	places   []watch.Place
	known    suppress.List
}

func (c *Config) prepare() (*controls, error) {
	out := &controls{}
	var err error
	if out.predict, err = check.ParsePrediction(c.Predict); err != nil {
		return nil, err
	}
	order, err := out.readSchedule(c.Schedule)
	if err != nil {
		return nil, fmt.Errorf("--schedule: %w", err)
	}
	if order != engine.DefaultOrder || len(out.holds.List)+len(out.steps.Turns) > 0 { // that order is what is to be seen
		out.predict = check.PredictOff
	}
	out.Schedule = engine.Schedule{Order: order, Seed: c.Seed}
	if out.sample, err = parseSample(c.Sample); err != nil {
		return nil, err
	}
	if out.Only, err = parseBlockChoice(c.OnlyBlocks); err != nil {
		return nil, err
	}
	if out.Filter, err = newLaunchFilter(&c.CheckConfig); err != nil {
		return nil, err
	}
	for _, w := range c.Watch {
		p, err := watch.Parse(w)
		if err != nil {
			return nil, err
		}
		out.places = append(out.places, p)
	}
	for _, name := range c.Suppressions {
		if err := readSuppressions(&out.known, name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readSchedule reads what --schedule takes.
func (c *controls) readSchedule(text string) (order engine.Order, err error) {
	switch {
	case strings.HasPrefix(text, check.HoldPrefix):
		c.holds, err = check.ParseHolds(text)
	case strings.HasPrefix(text, explore.Prefix):
		c.steps.Order, err = explore.Parse(text)
	default:
		if order, err = engine.ParseOrder(text); err != nil {
			if _, missing := os.Stat(text); missing == nil {
				c.steps.Order, err = readOrder(text)
			}
		}
	}
	return order, err
}

// readOrder reads a file of explore --schedules.
func readOrder(name string) (o explore.Order, err error) {
	f, err := userfile.Open(name)
	if err != nil {
		return o, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxOrderFile+1))
	if err != nil {
		return o, err
	}
	if len(data) > maxOrderFile {
		return o, fmt.Errorf("%s: more than %d bytes", name, maxOrderFile)
	}
	if o, err = explore.Parse(string(data)); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return o, err
}

// maxOrderFile bounds the bytes of a file with an order.
const maxOrderFile = 16 << 20

// steer is for engine.Config.
func (c *controls) steer() func(*trace.Launch) func([]trace.Turn) int {
	if len(c.steps.Turns) == 0 {
		return nil
	}
	return c.steps.Steer
}

func readSuppressions(l *suppress.List, name string) error {
	f, err := userfile.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	if first, err := in.Peek(1); err == nil && first[0] == '<' {
		return readRecords(l, name, in)
	}
	return l.Read(name, in)
}

// readRecords adds the suppressions of a file in compute-sanitizer's form.
func readRecords(l *suppress.List, name string, in io.Reader) error {
	records, err := report.ReadSanitizerXML(in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, r := range records {
		l.Entries = append(l.Entries, &suppress.Entry{At: source.Pos{File: name, Line: r.Line}, Text: r.What.Text, Match: r.Matches})
	}
	return nil
}

func parseSample(s string) (engine.Sample, error) {
	if s == "" {
		return engine.Sample{}, nil
	}
	digits, every := strings.CutPrefix(s, "1/")
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil || n == 0 {
		return engine.Sample{}, fmt.Errorf("--sample %q: want 1/N or N", s)
	}
	if every {
		return engine.Sample{Every: n}, nil
	}
	return engine.Sample{Blocks: n}, nil
}

// Suppress leaves out what the user knows, counts it, and writes suppressions
// for the rest where they are wanted.
func (s *Session) Suppress(fs []*finding.Finding) []*finding.Finding {
	if s.Cfg.LeaveOut != nil {
		fs = slices.DeleteFunc(slices.Clone(fs), s.Cfg.LeaveOut)
	}
	fs, byComment := suppress.Comments(fs, s.Files)
	fs, byFile := s.known.Apply(fs, s.Files)
	for i, h := range slices.Concat(byComment, byFile) {
		s.Report.Suppressed = append(s.Report.Suppressed, report.Suppressed{Finding: h.Finding, InSource: i < len(byComment), Reason: h.Reason})
	}
	s.Report.Summary.Suppressed = len(s.Report.Suppressed)
	for _, e := range s.known.Unused() {
		s.Say("suppression matched nothing: %v: %s", e.At, e.Text)
	}
	if name := s.Cfg.GenSuppressions; name != "" {
		if err := generate(name, fs, s.Files); err != nil {
			s.Unwritten = true
			s.Say("no suppressions written: %v", err)
		}
	}
	return fs
}

func generate(name string, fs []*finding.Finding, files *source.Files) error {
	f, err := userfile.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(suppress.Generate(f, fs, files), f.Close())
}

// stateControls says in the report what the controls left out.
func (s *Session) stateControls(t engine.Counts) {
	if g := s.Filter; g.active() {
		s.Report.Summary.Unchecked = uint64(g.launches - g.checked)
		s.Say("checked %d of %d launches (--kernel, --launch-skip, --launch-count)", g.checked, g.launches)
	}
	if s.sample != (engine.Sample{}) {
		s.Report.Summary.UncheckedBlocks = t.Blocks - t.Observed
		s.Say("checked %d of %d blocks (--sample %s); the others were not checked", t.Observed, t.Blocks, s.Cfg.Sample)
	}
	s.stateSkipped(t)
	if s.Schedule.Order != engine.DefaultOrder {
		s.Say("schedule: %v", s.Schedule)
	}
	for _, m := range s.steps.Remarks() {
		s.Say("%s", m)
	}
	for _, c := range s.checkers {
		if r, ok := c.(check.Remarker); ok {
			for _, m := range r.Remarks() {
				s.Say("%s", m)
			}
		}
	}
}

// Say adds a line about the run to the report.
func (s *Session) Say(format string, args ...any) {
	s.Report.Messages = append(s.Report.Messages, fmt.Sprintf(format, args...))
}
