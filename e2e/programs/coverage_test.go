package programs

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/coverage"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// coverageWays are executors and builds, which all count the same.
var coverageWays = []struct {
	name string
	env  []string
	args []string
}{
	{"native", nil, nil},
	{"interpreter", []string{"WARPGRIND_JIT=off"}, nil},
	{"llvm", []string{"WARPGRIND_SIMD=avx2", "WARPGRIND_JIT=always"}, nil},
	{"optimized", nil, []string{"--build", "optimized"}},
	{"nothing checked", nil, []string{"--tool", "launch", "-j", "1"}},
}

// TestCoverage runs the programs in testdata/coverage, whose lines are annotated with executions by threads, and for each branch
// with its outcomes and divergences: "//= 64 10/54(1)". The numbers were found by hand. A line without them has no code.
func TestCoverage(t *testing.T) {
	tooltest.NeedsClang(t)
	bin := tooltest.Tool(t)
	programs, err := filepath.Glob("testdata/coverage/*.cu")
	if err != nil || len(programs) < 5 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	for _, program := range programs {
		want := map[string]string{}
		for _, file := range []string{program, strings.TrimSuffix(program, ".cu") + ".h"} {
			expectedCoverage(t, file, want)
		}
		for _, way := range coverageWays {
			t.Run(filepath.Base(program)+"/"+way.name, func(t *testing.T) {
				t.Parallel()
				got := map[string]string{}
				for _, f := range coverageOf(t, bin, way.env, append(way.args, program)...).Files {
					describeCoverage(f, got)
				}
				for _, at := range slices.Sorted(maps.Keys(merged(want, got))) {
					if want[at] != got[at] {
						t.Errorf("%s: %q; want %q", at, got[at], want[at])
					}
				}
			})
		}
	}
}

func merged(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// coverageOf runs a program.
func coverageOf(t *testing.T, bin string, env []string, args ...string) *coverage.Result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.json")
	cmd := exec.Command(bin, append([]string{"run", "-q", "--coverage", "--format", "json=" + file}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := report.Read(f, file)
	if err != nil || r.Coverage == nil {
		t.Fatalf("no coverage: %v", err)
	}
	return r.Coverage
}

// expectedCoverage adds what the lines of a file say, by file and line.
func expectedCoverage(t *testing.T, file string, to map[string]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if _, want, ok := strings.Cut(line, "//= "); ok {
			to[fmt.Sprintf("%s:%d", filepath.Base(file), i+1)] = want
		}
	}
}

// describeCoverage writes counts as the programs have them.
func describeCoverage(f coverage.File, to map[string]string) {
	at := func(line int) string { return fmt.Sprintf("%s:%d", filepath.Base(f.Path), line) }
	for _, l := range f.Lines {
		to[at(l.Line)] = fmt.Sprint(l.Threads)
	}
	for _, b := range f.Branches {
		to[at(b.Line)] += fmt.Sprintf(" %d/%d", b.Taken.Threads, b.NotTaken.Threads)
		if b.Diverged > 0 {
			to[at(b.Line)] += fmt.Sprintf("(%d)", b.Diverged)
		}
	}
}
