package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// build is a program as the experiments use it: a source below the examples,
// macros for it, and the scheme that it is instrumented with, if any.
type build struct {
	source  string   // boyer/fig1.cu
	defines []string // without -D
	scheme  string   // empty: as it is
	flags   []string // of warpgrind instrument
	// launches is set if LAUNCHES is the macro that says how often the kernel in
	// question is launched, and nothing besides; without it ROUNDS is.
	launches bool
}

// with is the build under another scheme.
func (b build) with(scheme string, flags ...string) build {
	b.scheme, b.flags = scheme, flags
	return b
}

func (b build) defineFlags() []string {
	var out []string
	for _, d := range b.defines {
		out = append(out, "-D", d)
	}
	return out
}

// program is the path of the source to run: instrumented if need be.
func (l *lab) program(b build) (string, error) {
	path := l.example(b.source)
	if b.scheme == "" {
		return path, nil
	}
	args := append([]string{"instrument", "--scheme", b.scheme}, b.defineFlags()...)
	args = append(args, b.flags...)
	key := strings.Join(append(args, path), "\x00")
	if out, ok := l.made[key]; ok {
		return out, nil
	}
	// Next to the source, so that its own includes are found.
	out := fmt.Sprintf("%s.%d.cu", strings.TrimSuffix(path, ".cu"), len(l.made))
	args = append(args, "-o", out, path)
	got, err := l.command(nil, args...)
	if err != nil || got.exit != 0 {
		return "", fmt.Errorf("warpgrind %s: exit code %d, %v\n%s", strings.Join(args, " "), got.exit, err, got.stderr)
	}
	l.made[key] = out
	return out, nil
}

// measured is one run of a build under the emulator.
type measured struct {
	instructions uint64 // thread instructions
	stdout       string
	text         string  // what the scheme wrote, in the paper's form
	found        *report // what the scheme found; nil without one
	emulator     *report // what the emulator says of this run
}

// measure runs a build with the emulator's own rules off, once however often it
// is asked for.
func (l *lab) measure(b build) (*measured, error) {
	key := fmt.Sprint(b)
	if m, ok := l.runs[key]; ok {
		return m, nil
	}
	m, err := l.measureNow(b)
	if err == nil {
		l.runs[key] = m
	}
	return m, err
}

func (l *lab) measureNow(b build) (*measured, error) {
	program, err := l.program(b)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(l.dir, "scheme.json")
	os.Remove(file)
	env := []string{"WARPGRIND_REPORT=" + file}
	r, out, err := l.checkWith(env, program, append(b.defineFlags(), "--tool", "launch")...)
	if err != nil {
		return nil, err
	}
	m := &measured{instructions: r.Summary.Instructions, stdout: out.stdout, text: out.stderr, emulator: r}
	if b.scheme == "" {
		return m, nil
	}
	if m.found, err = readReport(file); err != nil {
		return nil, fmt.Errorf("%s instrumented with %s left no report: %w\n%s", b.source, b.scheme, err, out.stderr)
	}
	return m, nil
}

// stat is a counter of the scheme, summed over the sources of the program.
func (m *measured) stat(scheme, name string) uint64 {
	var sources []map[string]json.RawMessage
	if json.Unmarshal(m.found.Stats[scheme], &sources) != nil {
		return 0
	}
	var sum uint64
	for _, counters := range sources {
		var n uint64
		if json.Unmarshal(counters[name], &n) == nil {
			sum += n
		}
	}
	return sum
}

// siteStats are what a scheme counts of one site.
type siteStats struct {
	Location struct {
		Line     int    `json:"line"`
		Function string `json:"function"`
	} `json:"location"`
	Kind       string `json:"kind"`
	Requests   uint64 `json:"requests"`
	Conflicts  uint64 `json:"conflicts"`
	Executions uint64 `json:"executions"`
	Worst      int    `json:"worst"`
}

// sites are what a scheme counts of its sites.
func (m *measured) sites(scheme string) []siteStats {
	var sources []struct {
		Sites []siteStats `json:"sites"`
	}
	if json.Unmarshal(m.found.Stats[scheme], &sources) != nil {
		return nil
	}
	var out []siteStats
	for _, s := range sources {
		out = append(out, s.Sites...)
	}
	return out
}
