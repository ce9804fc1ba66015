package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/schedule"
	"github.com/warpgrind/warpgrind/internal/explore"
	"github.com/warpgrind/warpgrind/internal/finding"
)

// Exploration asks for all orders of each launch.
type Exploration struct {
	// Executions bounds those of a launch; 0 means DefaultExecutions.
	Executions int
	// Dir gets the orders of outcomes and findings as files; "" for none.
	Dir string
}

// DefaultExecutions bounds the executions of a launch that is explored.
const DefaultExecutions = 10_000

// inEachExecution are the rules that check each execution. Others compare the launches of a run, or note in memory
// what was written.
var inEachExecution = []string{"race", "memory", "sync", "hang", "assert"}

// explores prepares the exploration of the launches of a run.
func (s *session) explores(cfg check.Config) {
	if s.cfg.Explore == nil {
		return
	}
	cfg.Predict, cfg.Equivalent = check.PredictOff, nil
	var rules []check.Rule
	for _, r := range s.rules {
		if r.Runs() && slices.Contains(inEachExecution, r.ID) {
			rules = append(rules, r)
		}
	}
	most := s.cfg.Explore.Executions
	if most == 0 {
		most = DefaultExecutions
	}
	s.explorer = explore.New(explore.Config{Executions: most, Checkers: func() (list []check.Checker) {
		for _, r := range rules {
			list = append(list, r.New(cfg))
		}
		return list
	}})
	s.observers = append(s.observers, s.explorer.Observer())
}

// explored adds what the exploration has found to the findings of the run, and puts its extent into the report.
func (s *session) explored(set *finding.Set) {
	if s.explorer == nil {
		return
	}
	for _, r := range s.explorer.Results() {
		name := fmt.Sprintf("launch %d, %s", r.Launch.ID, finding.Demangle(r.Launch.Kernel))
		if r.Refused != "" {
			s.say("%s: not explored: %s", name, r.Refused)
			continue
		}
		s.say("%s: %s", name, extent(r))
		for _, f := range r.Findings {
			if !set.Has(f) {
				set.Add(f)
			}
		}
		if len(r.Outcomes) > 1 {
			set.Add(outcomes(r))
		}
		if err := s.writeOrders(r); err != nil {
			s.unwritten = true
			s.say("orders were not written: %v", err)
		}
	}
}

// extent tells how much of a launch was explored, and whether its result depends on the order.
func extent(r *explore.Result) string {
	if r.Executions == 0 && r.Cut {
		return fmt.Sprintf("not explored: its first execution was not finished; one may take %d instructions of warps", explore.MaxSteps)
	}
	if r.Executions == 0 {
		return "not explored: the launch faults in the order of the run"
	}
	same := "memory is the same, bit by bit, at the end of each"
	if n := len(r.Outcomes); n > 1 {
		same = fmt.Sprintf("%d outcomes", n)
	}
	if r.Complete && r.Executions == 1 {
		return "all orders are the same execution: memory does not depend on the order"
	}
	if r.Complete {
		return fmt.Sprintf("all %s explored: %s", check.Plural(uint64(r.Executions), "execution"), same)
	}
	if r.Teams && r.Left == 0 && !r.Cut {
		return fmt.Sprintf("%s explored, and not all: which warps meet at a numbered barrier may depend on the order in which they arrive, which is not varied; so far: %s",
			check.Plural(uint64(r.Executions), "execution"), same)
	}
	return fmt.Sprintf("%s explored, and not all: at least %s were still to be tried; so far: %s", check.Plural(uint64(r.Executions), "execution"),
		check.Plural(uint64(r.Left), "step"), same)
}

// maxOutcomes bounds the outcomes that a finding lists.
const maxOutcomes = 8

// outcomes is the finding of a launch with several outcomes.
func outcomes(r *explore.Result) *finding.Finding {
	f := &finding.Finding{Rule: schedule.Rule.ID, Kind: "outcomes", Level: finding.Warning, Kernel: r.Launch.Kernel, Launches: finding.InLaunch(r.Launch.ID),
		Count: uint64(len(r.Outcomes)), Unit: "outcomes", Key: "outcomes",
		Message: fmt.Sprintf("the launch has %d outcomes, by the order of its warps", len(r.Outcomes))}
	for i, o := range r.Outcomes[:min(len(r.Outcomes), maxOutcomes)] {
		what := "as in the first execution"
		if i > 0 {
			what = inWords(o)
		}
		f.Notes = append(f.Notes, fmt.Sprintf("outcome %d, of %s: %s; --schedule %s", i+1, check.Plural(uint64(o.Executions), "execution"), what, explore.Short(o.Order)))
	}
	return f
}

// inWords tells how an outcome differs from the first one.
func inWords(o *explore.Outcome) string {
	var parts []string
	if o.Fault != nil {
		parts = append(parts, o.Fault.Message)
	}
	if o.Words > 0 {
		text := fmt.Sprintf("%s is 0x%x, not 0x%x", o.First, o.Now, o.Was)
		if o.Words > 1 {
			text += others(o.Words - 1)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// others describes n further words that differ.
func others(n int) string {
	if n == 1 {
		return ", and 1 other word differs"
	}
	return fmt.Sprintf(", and %d other words differ", n)
}

// writeOrders writes the orders of a launch's outcomes and findings to files.
func (s *session) writeOrders(r *explore.Result) error {
	dir := s.cfg.Explore.Dir
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	write := func(name string, o explore.Order) error {
		return os.WriteFile(filepath.Join(dir, fmt.Sprintf("launch-%04d-%s.txt", r.Launch.ID, name)), []byte(o.String()+"\n"), 0o666)
	}
	for i, o := range r.Outcomes {
		if err := write(fmt.Sprintf("outcome-%d", i+1), o.Order); err != nil {
			return err
		}
	}
	for n, o := range r.Shown {
		if err := write(fmt.Sprintf("execution-%d", n), o); err != nil {
			return err
		}
	}
	return nil
}
