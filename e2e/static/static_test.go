package static

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/check/coalesce"
	"github.com/warpgrind/warpgrind/internal/check/race/diagnose"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/examine"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/static"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

var updateStatic = flag.Bool("update-static", false, "write the table of docs/STATIC.md")

// place is a line of a file, by its base name.
type place struct {
	file string
	line int
}

// placeOf is a finding's primary place.
func placeOf(f *finding.Finding) place {
	return place{filepath.Base(f.Primary.Loc.File), f.Primary.Loc.Line}
}

// checkStatic checks files without running them. It skips where a tool is
// missing.
func checkStatic(t *testing.T, cfg examine.StaticConfig) *report.Report {
	t.Helper()
	needStatic(t)
	cfg.Stdout, cfg.Stderr = io.Discard, io.Discard
	r, err := examine.CheckStatic(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// needStatic skips where a tool that static checks need is missing.
func needStatic(t *testing.T) {
	t.Helper()
	tooltest.NeedsClang(t)
	tooltest.NeedsZ3(t)
}

// apart lists findings with those that a report joins each by itself.
func apart(fs []*finding.Finding) []*finding.Finding {
	var out []*finding.Finding
	for _, f := range fs {
		if f.Members == nil {
			out = append(out, f)
		}
		out = append(out, apart(f.Members)...)
	}
	return out
}

var staticWant = regexp.MustCompile(`// want (.*)$`)

// staticWants are the comments "// want RULE KIND[ possible], ..." of a file;
// the word drano stands for a finding of GPUDrano's analysis.
func staticWants(t *testing.T, file string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for i, line := range strings.Split(string(text), "\n") {
		if m := staticWant.FindStringSubmatch(line); m != nil {
			for _, w := range strings.Split(m[1], ", ") {
				out[fmt.Sprintf("%d: %s", i+1, w)] = true
			}
		}
	}
	return out
}

// staticGot are the findings of a report in the same words.
func staticGot(r *report.Report) map[string]bool {
	out := map[string]bool{}
	for _, f := range apart(r.Findings) {
		what := f.Rule + " " + f.Kind
		if f.Confidence == finding.Possible {
			what += " possible"
		}
		out[fmt.Sprintf("%d: %s", placeOf(f).line, what)] = true
	}
	return out
}

func staticFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/static/*.cu")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	return files
}

// TestStatic holds what is found in testdata/static, by both analyses, against
// the comments there: a finding too many fails.
func TestStatic(t *testing.T) {
	more, err := filepath.Glob("testdata/static/more/*.cu")
	if err != nil || len(more) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range append(staticFiles(t), more...) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want := staticWants(t, file)
			got := staticGot(checkStatic(t, staticConfig(file)))
			published := staticConfig(file)
			published.Analysis, published.Tools = "gpudrano", "coalesce"
			for _, f := range checkStatic(t, published).Findings {
				got[fmt.Sprintf("%d: drano", placeOf(f).line)] = true
			}
			for _, w := range slices.Sorted(maps.Keys(want)) {
				if !got[w] {
					t.Errorf("%s:%s: not found", file, w)
				}
			}
			for _, g := range slices.Sorted(maps.Keys(got)) {
				if !want[g] {
					t.Errorf("%s:%s: not expected", file, g)
				}
			}
		})
	}
}

// TestStaticDegrades has kernels that are not understood, and no z3, or one that
// ends while it works: the report says what is not decided, and why.
func TestStaticDegrades(t *testing.T) {
	dying := filepath.Join(t.TempDir(), "z3")
	if err := os.WriteFile(dying, []byte("#!/bin/sh\nread line\nexit 1\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		file, z3, kernel, why string
	}{
		{"degrade/calls.cu", "", "recursive", "accesses in a function that is not looked into (recursion)"},
		{"degrade/calls.cu", "", "indirect", "accesses in a function that is not looked into (indirect)"},
		{"degrade/calls.cu", "", "twoEntries", "a loop with several entries"},
		{"degrade/calls.cu", "", "waitsInCall", "a barrier in a function that is not looked into may order the accesses"},
		{"more/places.cu", "no-such-z3", "triangle", "no-such-z3 not found"},
		{"more/places.cu", dying, "triangle", "z3 ended"},
		{"more/order.cu", "", "copied", "an asynchronous copy takes place until it is waited for"},
	} {
		cfg := staticConfig("testdata/static/" + test.file)
		cfg.Tools, cfg.Solver, cfg.Kernel, cfg.Block = "race,sync", test.z3, test.kernel, [3]uint32{8, 8, 1}
		r := checkStatic(t, cfg)
		if text := fmt.Sprint(r.Stats["static"]); !strings.Contains(text, test.why) {
			t.Errorf("%s, %q: %s, want %q", test.kernel, test.z3, text, test.why)
		}
		for _, f := range apart(r.Findings) {
			if f.Rule == "sync" && f.Confidence == finding.Proved {
				t.Errorf("%s: %s", test.kernel, f.Message)
			}
		}
	}
}

// TestStaticTools has rules that need a run.
func TestStaticTools(t *testing.T) {
	for _, tools := range []string{"init", "race,hang", "leak"} {
		cfg := staticConfig("testdata/static/shared.cu")
		cfg.Tools = tools
		_, err := examine.CheckStatic(context.Background(), cfg)
		var usage *build.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), "want ") {
			t.Errorf("--tool %s: %v", tools, err)
		}
	}
}

func staticConfig(file string) examine.StaticConfig {
	return examine.StaticConfig{Config: session.Config{Config: build.Config{Inputs: []string{file}}}}
}

// dynamicRun is what the rules found and counted while a program ran.
type dynamicRun struct {
	report   report.Report
	coalesce []coalesce.KernelStats
}

func runAll(t *testing.T, bin, file string) *dynamicRun {
	t.Helper()
	out := e2e.Run(t, bin, "--format", "json", "--tool", "all", "--timeout", "60s", "--max-steps", "1000000", file)
	if out.Exit == session.ExitUsage && len(out.Report) == 0 && strings.Contains(out.Stderr, "link failed") {
		t.Skip("it is a part of a program")
	}
	r := &dynamicRun{}
	var stats struct {
		Stats struct{ Coalesce []coalesce.KernelStats }
	}
	if err := cmp.Or(json.Unmarshal(out.Report, &r.report), json.Unmarshal(out.Report, &stats)); err != nil {
		t.Fatalf("%s: %v\n%s", file, err, out.Stderr)
	}
	r.coalesce = stats.Stats.Coalesce
	return r
}

// agreeing are the programs on which static and dynamic rules must agree: those of
// testdata/static, of the examples and of all suites. In ordinary runs it is every eighth
// one of testdata/static and one in 48 of the others, in the long tests all.
// WARPGRIND_AGREE names others, by patterns.
func agreeing(t *testing.T) []string {
	every, ofStatic := 48, 8
	if tooltest.Long() {
		every, ofStatic = 1, 1
	}
	globs := []string{"testdata/static/*.cu", "testdata/static/*/*.cu", "examples/*/*.cu", "testdata/*/*.cu",
		"internal/check/*/testdata/*/*.cu", "internal/check/*/*/testdata/*.cu", "internal/analysis/equivalent/testdata/*.cu"}
	if named := strings.Fields(os.Getenv("WARPGRIND_AGREE")); len(named) > 0 {
		globs, every, ofStatic = named, 1, 1
	}
	var files []string
	for _, glob := range globs {
		more, err := filepath.Glob(glob)
		if err != nil || len(more) == 0 {
			t.Fatalf("no %s", glob)
		}
		for i, f := range more {
			if strings.HasPrefix(f, "testdata/toolchains/") { // they need a toolkit's headers
				continue
			}
			n := every
			if strings.HasPrefix(glob, "testdata/static/") {
				n = ofStatic
			}
			if i%n == 0 && !slices.Contains(files, f) {
				files = append(files, f)
			}
		}
	}
	return files
}

// TestStaticAgrees runs every other program, in the long tests each, and compares: what is
// proved is found there, and where all pairs of an access are safe no race is. Programs that
// are made of several files or need flags are left out.
func TestStaticAgrees(t *testing.T) {
	bin := tooltest.Tool(t)
	needStatic(t)
	var compared atomic.Int32
	var files []string
	for i, f := range agreeing(t) {
		if tooltest.Sampled(i, 2) {
			files = append(files, f)
		}
	}
	t.Run("programs", func(t *testing.T) {
		for _, file := range files {
			t.Run(strings.ReplaceAll(file, "/", "_"), func(t *testing.T) {
				t.Parallel()
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Contains(text, []byte("main(")) {
					t.Skip("it has no main function")
				}
				if len(e2e.Options(t, file)) > 0 {
					t.Skip("it needs flags")
				}
				cfg := staticConfig(file)
				cfg.Tools, cfg.Stdout, cfg.Stderr = "race,memory,sync", io.Discard, io.Discard
				r, err := examine.CheckStatic(context.Background(), cfg)
				if failed := new(clang.ToolError); errors.As(err, &failed) {
					t.Skip("it does not compile by itself")
				} else if err != nil {
					t.Fatal(err)
				}
				compareWithRun(t, r, runAll(t, bin, file))
				compared.Add(1)
			})
		}
	})
	if n := int(compared.Load()); 2*n < len(files) {
		t.Errorf("%d of %d programs are compared", n, len(files))
	}
}

func compareWithRun(t *testing.T, r *report.Report, dynamic *dynamicRun) {
	t.Helper()
	found := map[string]map[place]bool{}
	launched, ended := map[string]bool{}, map[string]bool{}
	for _, l := range dynamic.report.Launches {
		launched[l.Kernel] = true
	}
	for _, f := range apart(dynamic.report.Findings) {
		if f.Rule == "memory" && f.Level == finding.Error { // what follows did not run
			ended[f.Kernel] = true
		}
		if beyondLaunch(f) {
			continue
		}
		if found[f.Rule] == nil {
			found[f.Rule] = map[place]bool{}
		}
		for _, p := range append([]finding.Place{f.Primary}, f.Related...) {
			found[f.Rule][place{filepath.Base(p.Loc.File), p.Loc.Line}] = true
		}
	}
	for _, f := range apart(r.Findings) {
		if ended[f.Kernel] && f.Rule != "memory" {
			continue
		}
		if f.Confidence == finding.Proved && f.Level > finding.Info && launched[f.Kernel] && !found[f.Rule][placeOf(f)] {
			t.Errorf("proved, but not found at line %d: %s: %s", f.Primary.Loc.Line, f.KernelName, f.Message)
		}
	}
	kernels, ok := r.Stats["static"].([]static.KernelSummary)
	if !ok {
		return
	}
	safe := map[place]bool{}
	for _, k := range kernels {
		for _, s := range k.Sites {
			p := place{filepath.Base(s.Location.File), s.Location.Line}
			was, seen := safe[p]
			safe[p] = s.Verdict == static.Safe.String() && (was || !seen)
		}
	}
	for p := range found["race"] {
		if safe[p] {
			t.Errorf("safe, but a race is found at line %d", p.line)
		}
	}
}

// beyondLaunch reports whether f is a race of a launch with other work or with the host, of
// which the static rule, which looks at one launch, says nothing. Those with the
// host name no thread.
func beyondLaunch(f *finding.Finding) bool {
	details, _ := f.Details.(map[string]any)
	cause, _ := details["cause"].(string)
	return f.Rule == "race" && (f.Primary.Thread == nil || cause == string(diagnose.StreamsUnordered) || cause == string(diagnose.ChildUnordered))
}

// tableRow counts the lines of one kernel whose accesses are uncoalesced.
type tableRow struct {
	kernel string
	// real by the dynamic rule, found and false by each analysis; possible are
	// the findings of the symbolic one that are not proved.
	real, found, possible, wrong, dranoFound, dranoWrong int
}

// uncoalesced are the lines of a kernel that the dynamic rule would report.
func uncoalesced(k *coalesce.KernelStats) map[int]bool {
	out := map[int]bool{}
	for _, s := range k.Sites {
		few := s.Units*32 == s.Moved && s.Units <= 2*s.Requests
		if s.Units > s.Ideal && !few {
			out[s.Location.Line] = true
		}
	}
	return out
}

// TestStaticTable makes the table of docs/STATIC.md: for each kernel of
// testdata/static with accesses to global memory the lines that are not
// coalesced when it runs, and what each analysis says of it.
func TestStaticTable(t *testing.T) {
	bin := tooltest.Tool(t)
	var table bytes.Buffer
	fmt.Fprintln(&table, "| program | kernel | real | symbolic: proved | possible | false | GPUDrano: found | false |")
	fmt.Fprintln(&table, "| --- | --- | --- | --- | --- | --- | --- | --- |")
	var sum tableRow
	for _, file := range staticFiles(t) {
		for _, row := range tableRows(t, bin, file) {
			row.write(&table, strings.TrimSuffix(filepath.Base(file), ".cu"))
			sum.add(row)
		}
	}
	sum.kernel = "all"
	sum.write(&table, "")
	if sum.wrong > 0 || sum.found+sum.possible < sum.real {
		t.Errorf("the symbolic analysis finds %d of %d lines, and %d that are none", sum.found+sum.possible, sum.real, sum.wrong)
	}
	e2e.ComparePage(t, "docs/STATIC.md", table.String(), *updateStatic, "go test ./e2e/static -run TestStaticTable -update-static")
}

// tableRows are the rows of a program, in the order of its kernels' names.
func tableRows(t *testing.T, bin, file string) []*tableRow {
	t.Helper()
	symbolic := staticConfig(file)
	symbolic.Tools = "coalesce"
	drano := symbolic
	drano.Analysis = "gpudrano"
	rows, truth := map[string]*tableRow{}, map[string]map[int]bool{}
	for _, k := range runAll(t, bin, file).coalesce {
		truth[k.Kernel] = uncoalesced(&k)
		rows[k.Kernel] = &tableRow{kernel: finding.DemangleName(k.Kernel), real: len(truth[k.Kernel])}
	}
	for kernel, lines := range linesOf(checkStatic(t, symbolic)) {
		for line, proved := range lines {
			switch row := rows[kernel]; {
			case !truth[kernel][line]:
				row.wrong++
			case proved:
				row.found++
			default:
				row.possible++
			}
		}
	}
	for kernel, lines := range linesOf(checkStatic(t, drano)) {
		for line := range lines {
			if truth[kernel][line] {
				rows[kernel].dranoFound++
			} else {
				rows[kernel].dranoWrong++
			}
		}
	}
	return slices.SortedFunc(maps.Values(rows), func(a, b *tableRow) int { return strings.Compare(a.kernel, b.kernel) })
}

// linesOf gives by kernel the lines of findings, and whether one is proved.
func linesOf(r *report.Report) map[string]map[int]bool {
	out := map[string]map[int]bool{}
	for _, f := range apart(r.Findings) {
		if out[f.Kernel] == nil {
			out[f.Kernel] = map[int]bool{}
		}
		line := f.Primary.Loc.Line
		out[f.Kernel][line] = out[f.Kernel][line] || f.Confidence == finding.Proved
	}
	return out
}

func (r *tableRow) write(w io.Writer, program string) {
	fmt.Fprintf(w, "| %s | %s | %d | %d | %d | %d | %d | %d |\n", program, r.kernel, r.real, r.found, r.possible, r.wrong, r.dranoFound, r.dranoWrong)
}

func (r *tableRow) add(o *tableRow) {
	r.real += o.real
	r.found += o.found
	r.possible += o.possible
	r.wrong += o.wrong
	r.dranoFound += o.dranoFound
	r.dranoWrong += o.dranoWrong
}
