// Command samefindings compares two builds of warpgrind on CUDA programs: the
// findings must be the same but for their wording. It is for changes that must not
// change what is found.
//
//	samefindings -old warpgrind.before -new bin/warpgrind [-j 2] examples/*/*.cu testdata/defects/*.cu
//
// A program with cases ("// want(case)", "// clean: case ...", see testdata/defects)
// runs once for each, with the flags that its "// flags:" line gives; a source without
// main is compared under warpgrind check.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

type options struct {
	old, tool, keep string
	flags           string
	jobs            int
	timeout         time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.old, "old", "", "the build to compare with")
	flag.StringVar(&o.tool, "new", "bin/warpgrind", "the build to compare")
	flag.StringVar(&o.keep, "keep", "", "directory that keeps the old build's findings between runs")
	flag.StringVar(&o.flags, "flags", "", "further flags for both")
	flag.IntVar(&o.jobs, "j", 2, "programs to run at once")
	flag.DurationVar(&o.timeout, "timeout", time.Minute, "limit of one run")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	different, err := run(ctx, o, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "samefindings:", err)
		os.Exit(2)
	}
	if different > 0 {
		os.Exit(1)
	}
}

// job is one run of a program under both builds.
type job struct {
	name string
	args []string
}

// run compares all files and returns in how many runs the findings differ.
func run(ctx context.Context, o options, files []string) (int, error) {
	if o.old == "" || len(files) == 0 {
		return 0, fmt.Errorf("name the old build and at least one program")
	}
	var jobs []job
	for _, file := range files {
		more, err := jobsOf(file, strings.Fields(o.flags))
		if err != nil {
			return 0, err
		}
		jobs = append(jobs, more...)
	}
	if o.keep != "" {
		if err := os.MkdirAll(o.keep, 0o755); err != nil {
			return 0, err
		}
	}
	different, failed := 0, 0
	var lock sync.Mutex
	var wait sync.WaitGroup
	slots := make(chan struct{}, max(o.jobs, 1))
	for _, j := range jobs {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			text, ok := compare(ctx, o, j)
			lock.Lock()
			defer lock.Unlock()
			if !ok {
				failed++
			}
			if text != "" {
				different++
				fmt.Printf("%s\n%s", j.name, text)
			}
		})
	}
	wait.Wait()
	fmt.Printf("%d runs, %d with other findings, %d gave no report in either\n", len(jobs), different, failed)
	return different, ctx.Err()
}

var (
	caseWant = regexp.MustCompile(`// (?:want|host)\((\w+)\)`)
	lineOf   = regexp.MustCompile(`(?m)^// (clean|flags): (.+)$`)
)

// jobsOf lists the runs of one file.
func jobsOf(file string, flags []string) ([]job, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(text, []byte("main(")) {
		return []job{{"check " + file, slices.Concat([]string{"check", "--tool", "all"}, flags, []string{file})}}, nil
	}
	var cases []string
	for _, m := range lineOf.FindAllSubmatch(text, -1) {
		words := strings.Fields(string(m[2]))
		if string(m[1]) == "clean" {
			cases = append(cases, words...)
		} else {
			flags = append(slices.Clone(flags), words...)
		}
	}
	for _, m := range caseWant.FindAllSubmatch(text, -1) {
		cases = append(cases, string(m[1]))
	}
	slices.Sort(cases)
	cases = slices.Compact(cases)
	if !slices.Contains(flags, "--tool") {
		flags = append([]string{"--tool", "all"}, flags...)
	}
	command := slices.Concat([]string{"run", "-j", "1"}, flags, []string{file})
	if len(cases) == 0 {
		return []job{{"run " + file, command}}, nil
	}
	var jobs []job
	for _, c := range cases {
		jobs = append(jobs, job{"run " + file + " " + c, append(slices.Clone(command), "--", c)})
	}
	return jobs, nil
}

// compare runs one job under both builds. It returns the findings that only one of
// them has, and whether either gave a report.
func compare(ctx context.Context, o options, j job) (string, bool) {
	before, beforeOK := kept(ctx, o, j)
	after, afterOK := findings(ctx, o.tool, j.args, o.timeout)
	if beforeOK != afterOK {
		return fmt.Sprintf("  report before: %v, after: %v\n", beforeOK, afterOK), true
	}
	var out strings.Builder
	for _, f := range without(before, after) {
		fmt.Fprintf(&out, "  - %s\n", f)
	}
	for _, f := range without(after, before) {
		fmt.Fprintf(&out, "  + %s\n", f)
	}
	return out.String(), beforeOK
}

// without returns what a has more often than b.
func without(a, b []string) []string {
	left := map[string]int{}
	for _, s := range b {
		left[s]++
	}
	var out []string
	for _, s := range a {
		if left[s]--; left[s] < 0 {
			out = append(out, s)
		}
	}
	return out
}

// kept returns the old build's findings, from the directory of -keep if it has them.
func kept(ctx context.Context, o options, j job) ([]string, bool) {
	if o.keep == "" {
		return findings(ctx, o.old, j.args, o.timeout)
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%s %q", o.old, j.args)
	for _, a := range j.args {
		if text, err := os.ReadFile(a); err == nil {
			hash.Write(text)
		}
	}
	name := filepath.Join(o.keep, fmt.Sprintf("%x.json", hash.Sum(nil)))
	var saved struct {
		Findings []string
		OK       bool
	}
	if text, err := os.ReadFile(name); err == nil && json.Unmarshal(text, &saved) == nil {
		return saved.Findings, saved.OK
	}
	saved.Findings, saved.OK = findings(ctx, o.old, j.args, o.timeout)
	if text, err := json.Marshal(saved); err == nil && ctx.Err() == nil {
		_ = os.WriteFile(name, text, 0o644)
	}
	return saved.Findings, saved.OK
}

// findings runs a program under one build and returns its findings without their
// wording, and whether there was a report.
func findings(ctx context.Context, tool string, args []string, limit time.Duration) ([]string, bool) {
	dir, err := os.MkdirTemp("", "samefindings")
	if err != nil {
		return nil, false
	}
	defer os.RemoveAll(dir)
	report := filepath.Join(dir, "report.json")
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	args = slices.Concat(args[:1], []string{"--format", "json", "--output", report}, args[1:])
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	_ = cmd.Run() // its exit code follows from the findings
	text, err := os.ReadFile(report)
	var parsed struct {
		Findings []map[string]any `json:"findings"`
	}
	if err != nil || json.Unmarshal(text, &parsed) != nil {
		return nil, false
	}
	var out []string
	for _, f := range parsed.Findings {
		out = append(out, facts(f))
	}
	return out, true
}

// facts renders what a finding states: all but its sentences.
func facts(f map[string]any) string {
	kept := map[string]any{}
	for _, name := range []string{"rule", "kind", "level", "cause", "kernel", "object", "range", "count", "unit"} {
		if v, ok := f[name]; ok {
			kept[name] = v
		}
	}
	if repair, ok := f["repair"].(map[string]any); ok {
		kept["repair"] = repair["kind"]
	}
	places := []any{place(f["primary"])}
	related, _ := f["related"].([]any)
	for _, r := range related {
		places = append(places, place(r))
	}
	kept["places"] = places
	text, _ := json.Marshal(kept)
	return string(text)
}

// headers is where a build keeps its CUDA headers, which it names by their contents.
var headers = regexp.MustCompile(`^.*/shim-[0-9a-f]+/`)

// place renders one place of a finding.
func place(v any) any {
	p, _ := v.(map[string]any)
	where, _ := p["location"].(map[string]any)
	file := headers.ReplaceAllString(fmt.Sprint(where["file"]), "")
	return fmt.Sprint(p["access"], " ", file, ":", where["line"], ":", where["column"])
}
