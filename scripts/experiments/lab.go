package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// lab runs warpgrind on the examples.
type lab struct {
	ctx      context.Context
	tool     string // absolute
	examples string // the directory, copied below dir
	dir      string // for what is made on the way
	rounds   int
	log      io.Writer
	made     map[string]string // instrumented programs by their command
	costs    map[string]cost   // by build
	runs     map[string]*measured
}

func newLab(ctx context.Context, o options, examples string, log io.Writer) (*lab, error) {
	tool, err := filepath.Abs(o.tool)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "experiments-")
	if err != nil {
		return nil, err
	}
	l := &lab{ctx: ctx, tool: tool, dir: dir, examples: filepath.Join(dir, "examples"), rounds: o.rounds, log: log, made: map[string]string{}, costs: map[string]cost{}, runs: map[string]*measured{}}
	if err := os.CopyFS(l.examples, os.DirFS(examples)); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return l, nil
}

// place is where a finding is.
type place struct {
	Role     string `json:"role"`
	Location struct {
		File   string `json:"file"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
		// Function is the one that the text stands in.
		Function string `json:"function"`
	} `json:"location"`
}

// finding is what this program needs of one.
type finding struct {
	Rule       string          `json:"rule"`
	Kind       string          `json:"kind"`
	Level      string          `json:"level"`
	KernelName string          `json:"kernel_name"`
	Message    string          `json:"message"`
	Primary    place           `json:"primary"`
	Related    []place         `json:"related"`
	Count      uint64          `json:"count"`
	Details    json.RawMessage `json:"details"`
	Members    []finding       `json:"members"`
}

// report is what this program needs of a report.
type report struct {
	Exit    int `json:"exit"`
	Summary struct {
		Instructions uint64 `json:"instructions"`
		Accesses     uint64 `json:"accesses"`
	} `json:"summary"`
	Findings []finding                  `json:"findings"`
	Stats    map[string]json.RawMessage `json:"stats"`
}

// separate lists the findings one by one, those that were joined too.
func (r *report) separate() []finding {
	var out []finding
	for _, f := range r.Findings {
		if len(f.Members) == 0 {
			out = append(out, f)
		}
		out = append(out, f.Members...)
	}
	return out
}

// outcome is what one run of a command left behind.
type outcome struct {
	exit           int
	stdout, stderr string
	cpu            time.Duration // of all processes
}

// command runs warpgrind; an exit code is not an error.
func (l *lab) command(env []string, args ...string) (outcome, error) {
	return l.commandIn(l.dir, env, args...)
}

// commandIn is command in another folder.
func (l *lab) commandIn(dir string, env []string, args ...string) (outcome, error) {
	cmd := exec.CommandContext(l.ctx, l.tool, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	out := outcome{stdout: stdout.String(), stderr: stderr.String()}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return out, err
	}
	out.exit = cmd.ProcessState.ExitCode()
	out.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return out, nil
}

// check runs a program under the emulator and reads the report.
func (l *lab) check(program string, flags ...string) (*report, outcome, error) {
	return l.checkWith(nil, program, flags...)
}

func (l *lab) checkWith(env []string, program string, flags ...string) (*report, outcome, error) {
	file := filepath.Join(l.dir, "report.json")
	args := append([]string{"run", "-q", "--format", "json=" + file}, flags...)
	out, err := l.command(env, append(args, program)...)
	if err != nil {
		return nil, out, err
	}
	r, err := readReport(file)
	if err != nil {
		return nil, out, fmt.Errorf("warpgrind %s %s: exit code %d: %w\n%s", strings.Join(args, " "), program, out.exit, err, out.stderr)
	}
	if out.exit > 1 && out.exit != 3 {
		return nil, out, fmt.Errorf("warpgrind %s %s: exit code %d\n%s", strings.Join(args, " "), program, out.exit, out.stderr)
	}
	return r, out, nil
}

// readReport reads a JSON report and removes the file.
func readReport(file string) (*report, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	os.Remove(file)
	r := new(report)
	return r, json.Unmarshal(text, r)
}

// executable builds a program as users do.
func (l *lab) executable(b build) (string, error) {
	program, err := l.program(b)
	if err != nil {
		return "", err
	}
	exe := filepath.Join(l.dir, "timed")
	args := append([]string{"cc", "-o", exe}, b.defineFlags()...)
	if out, err := l.command(nil, append(args, program)...); err != nil || out.exit != 0 {
		return "", fmt.Errorf("warpgrind %s %s: exit code %d, %v\n%s", strings.Join(args, " "), program, out.exit, err, out.stderr)
	}
	return exe, nil
}
