package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/mutate"
)

// program is a correct program; path is relative to the directory of all. Its
// unchanged run is done once, when it is first needed.
type program struct {
	path string
	src  []byte
	// flags are those that a line "// flags: ..." names.
	flags []string

	once  sync.Once
	clean *result
	err   error
}

// outcome says what became of a mutant.
type outcome string

// Found and Missed mutants count; the others do nothing that could be found.
const (
	Invalid   outcome = "does not compile"
	Found     outcome = "found"
	FoundBy   outcome = "found with another schedule"
	Missed    outcome = "missed"
	NoEffect  outcome = "no effect seen"
	Unchecked outcome = "program not clean"
)

// job is one mutant and what became of it.
type job struct {
	program *program
	mutant  mutate.Mutant
	async   bool
	outcome outcome
	// by are the rules that found it, or how it showed where none did.
	by string
	// args are those of the program; repaired is set for what was to be repaired.
	args     []string
	repaired *repaired
}

// result says how a mutant was found and what its repair came to, for the progress.
func (j *job) result() string {
	if j.repaired == nil {
		return j.by
	}
	return fmt.Sprintf("%s; %s: %s", j.by, j.repaired.outcome, strings.Join(j.repaired.why, "; "))
}

// result is one run.
type result struct {
	exit     int
	stdout   []byte
	findings []struct {
		Rule, Kind, Level string
	}
}

// programFlags is a line of a program that names the flags it is checked with.
var programFlags = regexp.MustCompile(`(?m)^// flags: (.+)$`)

func jobsOf(path, rel string, async bool) ([]*job, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p := &program{path: rel, src: src}
	if m := programFlags.FindSubmatch(src); m != nil {
		p.flags = strings.Fields(string(m[1]))
	}
	mutants := mutate.All
	if async {
		mutants = mutate.Async
	}
	var out []*job
	for _, m := range mutants(src) {
		out = append(out, &job{program: p, mutant: m, async: async})
	}
	return out, nil
}

// worker has a copy of all programs, in which it replaces one at a time.
type worker struct {
	o   options
	dir string
}

func newWorker(o options, programs string) (*worker, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	return &worker{o, dir}, os.CopyFS(dir, os.DirFS(programs))
}

// do runs a job's mutant, and repairs it if that is wanted.
func (w *worker) do(ctx context.Context, j *job) (err error) {
	if !w.o.asTheyAre {
		err = w.find(ctx, j)
	}
	if err == nil && w.o.fix && (j.outcome == Found || j.outcome == FoundBy) {
		j.repaired, err = w.fix(ctx, j.program, j.mutant.Text, j.args)
	}
	return err
}

// find runs a mutant, under other schedules too where the first finds nothing.
func (w *worker) find(ctx context.Context, j *job) error {
	p := j.program
	p.once.Do(func() { p.clean, p.err = w.run(ctx, p, p.src) })
	if p.err != nil {
		return fmt.Errorf("%s: %w", p.path, p.err)
	}
	if p.clean.exit != 0 || len(p.clean.findings) > 0 {
		j.outcome = Unchecked
		return nil
	}
	changed := ""
	for i, flags := range [][]string{nil, {"--schedule=reverse"}, {"--schedule=random", "--seed=1"}, {"--schedule=random", "--seed=2"}} {
		r, err := w.run(ctx, p, j.mutant.Text, flags...)
		switch {
		case err != nil:
			return err
		case r.exit == 2:
			j.outcome = Invalid
			return nil
		case len(r.findings) > 0:
			j.outcome, j.by = Found, r.rules()
			if i > 0 {
				j.outcome = FoundBy
			}
			return nil
		case changed == "":
			changed = difference(p.clean, r)
		}
	}
	if j.outcome, j.by = NoEffect, ""; changed != "" {
		j.outcome, j.by = Missed, changed
	}
	return nil
}

// run checks one version of a program.
func (w *worker) run(ctx context.Context, p *program, text []byte, flags ...string) (*result, error) {
	file := filepath.Join(w.dir, p.path)
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return nil, err
	}
	report := filepath.Join(w.dir, "report.json")
	args := append([]string{"run", "-q", "-j1", "--format=json", "--output=" + report, "--timeout=" + w.o.timeout.String()}, flags...)
	cmd := exec.CommandContext(ctx, w.o.tool, slices.Concat(args, p.flags, w.sources(p))...)
	r := &result{}
	var err error
	r.stdout, err = cmd.Output()
	r.exit = cmd.ProcessState.ExitCode()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	if r.exit > 4 || r.exit < 0 {
		return nil, fmt.Errorf("exit code %d\n%s", r.exit, exit.Stderr)
	}
	if r.exit == 2 {
		return r, nil
	}
	text, err = os.ReadFile(report)
	if err != nil {
		return nil, err
	}
	var doc struct{ Findings json.RawMessage }
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	return r, json.Unmarshal(doc.Findings, &r.findings)
}

// sources are the program's files: a main.cu belongs together with the other
// sources beside it.
func (w *worker) sources(p *program) []string {
	dir := filepath.Dir(filepath.Join(w.dir, p.path))
	main := filepath.Join(dir, "main.cu")
	if _, err := os.Stat(main); err != nil {
		return []string{filepath.Join(w.dir, p.path)}
	}
	all, _ := filepath.Glob(filepath.Join(dir, "*.cu"))
	return all
}

// rules lists the rules of the findings, errors first, each once.
func (r *result) rules() string {
	var out []string
	for _, level := range []string{"error", "warning", "info"} {
		for _, f := range r.findings {
			name := f.Rule
			if level != "error" {
				name += " (" + level + ")"
			}
			if f.Level == level && !slices.Contains(out, name) && !slices.Contains(out, f.Rule) {
				out = append(out, name)
			}
		}
	}
	return strings.Join(out, ", ")
}

// volatile matches times and rates, which no two runs have in common.
var volatile = regexp.MustCompile(`\d+(\.\d+)?(e[+-]?\d+)? *([mun]?s|GB/s|GFLOP/s|seconds)\b`)

// difference says how a run without findings differs from the clean one.
func difference(clean, r *result) string {
	switch {
	case r.exit != clean.exit:
		return fmt.Sprintf("the program ends with exit code %d", r.exit)
	case !bytes.Equal(volatile.ReplaceAll(clean.stdout, nil), volatile.ReplaceAll(r.stdout, nil)):
		return "the output differs"
	}
	return ""
}
