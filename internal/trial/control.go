package trial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/mutate"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/study"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// Control runs a program as it is, and then with a defect of each kind that its sources have room for: a barrier, a bounds check or an
// initialization taken away, and so on (internal/mutate). A kind is planted until one of it is found, at most tries times. A job
// whose control finds what was planted shows that its other runs would have found it.
func Control(ctx context.Context, cfg session.Config, tries int) (*study.Control, error) {
	if len(cfg.Inputs) > 0 && !build.IsSource(cfg.Inputs[0]) {
		return nil, &build.UsageError{Err: fmt.Errorf("%s: want CUDA sources, into which defects are planted", cfg.Inputs[0])}
	}
	s, st, remove, err := beginStudy(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer remove()
	c := &control{Multirun: st, first: s, out: &study.Control{Schema: report.Schema}}
	return c.out, c.run(ctx, tries)
}

// control is a positive control at work. first is the run of the program as it is.
type control struct {
	*Multirun
	first *session.Session
	limit time.Duration
	out   *study.Control
}

func (c *control) run(ctx context.Context, tries int) error {
	ran := &ranLines{}
	c.first.Observers = append(c.first.Observers, ran.observer())
	began := time.Now()
	if err := c.Multirun.First(ctx, c.first); err != nil {
		return err
	}
	c.limit = max(20*time.Since(began), 10*time.Second)
	c.first.Conclude()
	c.out.Messages, c.out.Environment = c.first.Report.Messages, c.first.Report.Environment
	switch c.out.Exit = c.first.Report.Exit; c.out.Exit {
	case session.ExitClean:
	case session.ExitFindings:
		c.out.Messages = append(c.out.Messages, "the program as it is has errors: see warpgrind run")
	default:
		return nil
	}
	byKind, err := plantable(c.Cfg.Inputs, ran)
	if err != nil {
		return &build.UsageError{Err: err}
	}
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		planted := 0
		for _, m := range byKind[kind] {
			if planted == tries || ctx.Err() != nil {
				break
			}
			p, err := c.plant(ctx, m)
			if err != nil {
				return err
			}
			if p == nil { // it does not compile
				continue
			}
			planted++
			c.out.Planted = append(c.out.Planted, *p)
			if p.Outcome == study.Found {
				break
			}
		}
	}
	c.out.Exit = c.verdict(ctx)
	return nil
}

// plant runs the program with a mutant in the place of its source; nil where that does not compile.
func (c *control) plant(ctx context.Context, m candidate) (*study.Planted, error) {
	s, err := session.NewSession(c.Cfg)
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	s.Replaced, s.Cfg.Stderr = map[string][]byte{m.file: m.Text}, io.Discard
	exe, remove, err := s.Executable(ctx)
	var usage *build.UsageError
	switch {
	case errors.As(err, &usage):
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer remove()
	other := *c.Multirun
	other.Exe = exe
	cfg := c.Cfg
	if cfg.Timeout == 0 || c.limit < cfg.Timeout {
		cfg.Timeout = c.limit
	}
	now, diffs, err := other.Again(ctx, cfg, nil)
	if err != nil {
		return nil, err
	}
	diffs, printed, err := c.differences(ctx, c.first, now, diffs)
	if err != nil {
		return nil, err
	}
	p := &study.Planted{Kind: string(m.Kind), File: m.file, Line: m.Line, Change: m.change(), Outcome: study.NoEffect}
	if p.Why = newFindings(c.first.Found, now.Found); len(p.Why) > 0 {
		p.Outcome = study.Found
		return p, nil
	}
	if len(diffs) > 0 {
		p.Why = append(p.Why, "memory differs after launch "+fmt.Sprint(diffs[0].Launch))
	}
	if printed != nil {
		p.Why = append(p.Why, fmt.Sprintf("%s is %s, not %s", printed.What, printed.Now, printed.Was))
	}
	if len(p.Why) > 0 {
		p.Outcome = study.Missed
	}
	return p, nil
}

// verdict is the exit code: something was found, and no kind was missed each time that it had an effect.
func (c *control) verdict(ctx context.Context) int {
	kinds, best := c.out.Kinds()
	found, missed := 0, 0
	for _, k := range kinds {
		found += Boolean(best[k] == study.Found)
		missed += Boolean(best[k] == study.Missed)
	}
	switch {
	case ctx.Err() != nil:
		return session.ExitUnfinished
	case missed > 0:
		return session.ExitFindings
	case found == 0:
		c.out.Messages = append(c.out.Messages, "nothing was shown: the sources have no defect to plant that matters to this input")
		return session.ExitNothing
	}
	return session.ExitClean
}

// candidate is a mutant of a file.
type candidate struct {
	mutate.Mutant
	file string
}

// change describes what was done to the source.
func (m candidate) change() string {
	switch {
	case m.Kind == mutate.Moved:
		return m.Removed + " moved past the next statement"
	case m.With != "":
		return fmt.Sprintf("%s for %s", m.With, m.Removed)
	}
	return "without " + m.Removed
}

// plantable lists the mutants of the sources by kind, those in kernels that ran before the others.
func plantable(inputs []string, ran *ranLines) (map[mutate.Kind][]candidate, error) {
	byKind := map[mutate.Kind][]candidate{}
	for _, in := range inputs {
		file, err := filepath.Abs(in)
		if err != nil {
			return nil, err
		}
		text, err := userfile.Read(file)
		if err != nil {
			return nil, err
		}
		asynchronous := slices.DeleteFunc(mutate.Async(text), func(m mutate.Mutant) bool { return len(byKind[m.Kind]) > 0 })
		for _, m := range slices.Concat(mutate.All(text), asynchronous) {
			c := candidate{m, file}
			if m.Kind == mutate.Init && ran.has(c) { // a store of a kernel: without it a value is wrong, and each access right
				continue
			}
			byKind[m.Kind] = append(byKind[m.Kind], c)
		}
	}
	for _, list := range byKind {
		slices.SortStableFunc(list, func(a, b candidate) int { return Boolean(ran.has(b)) - Boolean(ran.has(a)) })
	}
	return byKind, nil
}

// ranLines are the lines between the first and the last instruction of each kernel that was launched, by file.
type ranLines struct{ spans map[string][][2]int }

func (r *ranLines) observer() *trace.Observer {
	return &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
		spans := map[string][2]int{}
		for _, s := range l.Sites {
			at := study.Sources(Own).Place(s.Loc)
			if !at.IsValid() {
				continue
			}
			file, err := filepath.Abs(at.File)
			if err != nil {
				continue
			}
			span, ok := spans[file]
			if !ok {
				span = [2]int{at.Line, at.Line}
			}
			spans[file] = [2]int{min(span[0], at.Line), max(span[1], at.Line)}
		}
		if r.spans == nil {
			r.spans = map[string][][2]int{}
		}
		for file, span := range spans {
			if !slices.Contains(r.spans[file], span) {
				r.spans[file] = append(r.spans[file], span)
			}
		}
		return nil
	}}
}

func (r *ranLines) has(c candidate) bool {
	return slices.ContainsFunc(r.spans[c.file], func(s [2]int) bool { return s[0] <= c.Line && c.Line <= s[1] })
}
