package programs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

var (
	perfFlags = regexp.MustCompile(`(?m)^// flags: (.*)$`)
	perfWant  = regexp.MustCompile(`// want (\w+) ([\w-]+) (info|warning)(?:: ([^/]*[^/ ]))?`)
)

// perfExpectation is "line rule kind level" and a text that the help has.
type perfExpectation struct{ what, help string }

func perfExpectations(t *testing.T, file string) (flags [][]string, out []perfExpectation) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range perfFlags.FindAllStringSubmatch(string(text), -1) {
		flags = append(flags, strings.Fields(m[1]))
	}
	for i, line := range strings.Split(string(text), "\n") {
		for _, m := range perfWant.FindAllStringSubmatch(line, -1) {
			at := i + 1
			if strings.HasPrefix(line, "// line 0:") {
				at = 0 // about no line
			}
			out = append(out, perfExpectation{fmt.Sprintf("%d %s %s %s", at, m[1], m[2], m[3]), m[4]})
		}
	}
	return flags, out
}

// TestPerformance runs each program of testdata/perf with each of the flags
// that it names, and compares the findings with what its lines say; a finding
// too many fails. Such findings do not decide the exit code.
func TestPerformance(t *testing.T) {
	bin := tooltest.Tool(t)
	files, err := filepath.Glob("testdata/perf/*.cu")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		flags, want := perfExpectations(t, file)
		for i, f := range flags {
			name := strings.TrimSuffix(filepath.Base(file), ".cu") + strings.Join(f, "")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				out, findings := e2e.RunSample(t, i, bin, append(f, file)...)
				if out.Exit != 0 {
					t.Fatalf("exit code %d, want 0\n%s%s", out.Exit, out.Stdout, out.Stderr)
				}
				comparePerformance(t, want, findings)
			})
		}
	}
}

func comparePerformance(t *testing.T, want []perfExpectation, findings []finding.Finding) {
	t.Helper()
	var got []string
	for _, f := range findings {
		what := fmt.Sprintf("%d %s %s %v", f.Primary.Loc.Line, f.Rule, f.Kind, f.Level)
		got = append(got, what)
		i := slices.IndexFunc(want, func(w perfExpectation) bool { return w.what == what })
		if i < 0 {
			t.Errorf("not expected: %s\n%s\nhelp: %s", what, e2e.Show([]finding.Finding{f}), f.Help)
		} else if !strings.Contains(f.Help, want[i].help) {
			t.Errorf("%s: help %q, want %q in it", what, f.Help, want[i].help)
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w.what) {
			t.Errorf("missing: %s", w.what)
		}
	}
}
