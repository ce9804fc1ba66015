package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/explore"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/userfile"
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
func (s *Session) explores(cfg check.Config) {
	if s.Cfg.Explore == nil {
		return
	}
	cfg.Predict, cfg.Equivalent = check.PredictOff, nil
	var rules []check.Rule
	for _, r := range s.Rules {
		if r.Runs() && slices.Contains(inEachExecution, r.ID) {
			rules = append(rules, r)
		}
	}
	most := s.Cfg.Explore.Executions
	if most == 0 {
		most = DefaultExecutions
	}
	s.explorer = explore.New(explore.Config{Executions: most, Checkers: func() (list []check.Checker) {
		for _, r := range rules {
			list = append(list, r.New(cfg))
		}
		return list
	}})
	s.Observers = append(s.Observers, s.explorer.Observer())
}

// explored adds what the exploration has found to the findings of the run, and puts its extent into the report.
func (s *Session) explored(set *finding.Set) {
	if s.explorer == nil {
		return
	}
	for _, r := range s.explorer.Results() {
		name := fmt.Sprintf("launch %d, %s", r.Launch.ID, finding.Demangle(r.Launch.Kernel))
		if r.Refused != "" {
			s.Say("%s: not explored: %s", name, r.Refused)
			continue
		}
		s.Say("%s: %s", name, r.Extent())
		for _, f := range r.Findings {
			if !set.Has(f) {
				set.Add(f)
			}
		}
		if len(r.Outcomes) > 1 {
			set.Add(r.Finding())
		}
		if err := s.writeOrders(r); err != nil {
			s.Unwritten = true
			s.Say("orders were not written: %v", err)
		}
	}
}

// writeOrders writes the orders of a launch's outcomes and findings to files.
func (s *Session) writeOrders(r *explore.Result) error {
	dir := s.Cfg.Explore.Dir
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	write := func(name string, o explore.Order) error {
		return userfile.Write(filepath.Join(dir, fmt.Sprintf("launch-%04d-%s.txt", r.Launch.ID, name)), []byte(o.String()+"\n"))
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
