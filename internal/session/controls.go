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
	"github.com/warpgrind/warpgrind/internal/numdiff"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/suppress"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/userfile"
	"github.com/warpgrind/warpgrind/internal/watch"
)

// Controls choose what is checked, in which order it runs, and which findings are known.
type Controls struct {
	// Schedule is the order of blocks, warps and lanes: "default", "reverse" or
	// "random", for which Seed chooses, or check.Holds of one launch.
	Schedule string
	// Predict is a check.Prediction; "" is the default.
	Predict string
	Seed    uint64
	// Runs is how often the program runs, each time under another schedule; 0
	// and 1 mean once.
	Runs int
	// Kernel is a pattern of the kernels to check, "" for all, but for those of
	// KernelExclude. Of their launches LaunchSkip are left out and LaunchCount
	// are checked, 0 for all.
	Kernel, KernelExclude   string
	LaunchSkip, LaunchCount int
	// Sample is "1/N" for one block in N or "N" for N blocks of each launch;
	// "" for all.
	Sample string
	// Expect compares the memory after a recorded launch: with RecordedOutputs, or with a file or a
	// directory as DumpBuffers writes them; "" for nothing. Tolerance says what is equal.
	Expect    string
	Tolerance numdiff.Options
	// OnlyBlocks are the blocks of each launch that run, the others are skipped: numbers, ranges, "first", "last" and
	// "1/N", as in "first,last,64-127"; "" for all.
	OnlyBlocks string
	// Suppressions are files with known findings. Those of the report are
	// written to GenSuppressions, unless that is "".
	Suppressions    []string
	GenSuppressions string
	// LogLaunches gets a line before each launch, written at once.
	LogLaunches io.Writer
	// ListLaunches gets each launch that has ended as a line of JSON.
	ListLaunches io.Writer
	// DumpBuffers is a directory for the contents of all buffers after each
	// launch; "" for none.
	DumpBuffers string
	// Record is a directory for the launches that are checked as capsules; "" for none. Launches
	// are those of them to record, by number or kernel: "3,10-20,scan*"; "" for all. RecordAll keeps
	// all contents of memory, also what a launch does not access.
	Record, Launches string
	RecordAll        bool
	// Watch are places of memory, "name[i]" or an address, each access to which
	// is told on Stderr.
	Watch []string
}

// controls are Controls made ready.
type controls struct {
	schedule engine.Schedule
	predict  check.Prediction
	holds    check.Holds
	steps    explore.Follower
	sample   engine.Sample
	only     *blockChoice
	filter   *launchFilter
	places   []watch.Place
	known    suppress.List
}

func (c *Controls) prepare() (*controls, error) {
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
	out.schedule = engine.Schedule{Order: order, Seed: c.Seed}
	if out.sample, err = parseSample(c.Sample); err != nil {
		return nil, err
	}
	if out.only, err = parseBlockChoice(c.OnlyBlocks); err != nil {
		return nil, err
	}
	if out.filter, err = newLaunchFilter(c); err != nil {
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

// suppress leaves out what the user knows, counts it, and writes suppressions
// for the rest where they are wanted.
func (s *session) suppress(fs []*finding.Finding) []*finding.Finding {
	if s.cfg.LeaveOut != nil {
		fs = slices.DeleteFunc(slices.Clone(fs), s.cfg.LeaveOut)
	}
	fs, byComment := suppress.Comments(fs, s.files)
	fs, byFile := s.known.Apply(fs, s.files)
	for i, h := range slices.Concat(byComment, byFile) {
		s.report.Suppressed = append(s.report.Suppressed, report.Suppressed{Finding: h.Finding, InSource: i < len(byComment), Reason: h.Reason})
	}
	s.report.Summary.Suppressed = len(s.report.Suppressed)
	for _, e := range s.known.Unused() {
		s.say("suppression matched nothing: %v: %s", e.At, e.Text)
	}
	if name := s.cfg.GenSuppressions; name != "" {
		if err := generate(name, fs, s.files); err != nil {
			s.unwritten = true
			s.say("no suppressions written: %v", err)
		}
	}
	return fs
}

func generate(name string, fs []*finding.Finding, files *source.Files) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(suppress.Generate(f, fs, files), f.Close())
}

// stateControls says in the report what the controls left out.
func (s *session) stateControls(t engine.Counts) {
	if g := s.filter; g.active() {
		s.report.Summary.Unchecked = uint64(g.launches - g.checked)
		s.say("checked %d of %d launches (--kernel, --launch-skip, --launch-count)", g.checked, g.launches)
	}
	if s.sample != (engine.Sample{}) {
		s.report.Summary.UncheckedBlocks = t.Blocks - t.Observed
		s.say("checked %d of %d blocks (--sample %s); the others were not checked", t.Observed, t.Blocks, s.cfg.Sample)
	}
	s.stateSkipped(t)
	if s.schedule.Order != engine.DefaultOrder {
		s.say("schedule: %v", s.schedule)
	}
	for _, m := range s.steps.Remarks() {
		s.say("%s", m)
	}
	for _, c := range s.checkers {
		if r, ok := c.(check.Remarker); ok {
			for _, m := range r.Remarks() {
				s.say("%s", m)
			}
		}
	}
}

// say adds a line about the run to the report.
func (s *session) say(format string, args ...any) {
	s.report.Messages = append(s.report.Messages, fmt.Sprintf(format, args...))
}
