package programs

import (
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

// TestExamples runs every correct example: its own check of the results must
// pass, and nothing may be reported.
func TestExamples(t *testing.T) {
	bin := tooltest.Tool(t)
	for i, files := range e2e.CorrectExamples(t) {
		name := strings.TrimSuffix(strings.TrimPrefix(files[0], "examples/"), ".cu")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, findings := e2e.RunSample(t, i, bin, files...)
			if got.Exit != 0 {
				t.Errorf("exit code %d, want 0\n%s%s", got.Exit, got.Stdout, got.Stderr)
			}
			if len(findings) > 0 {
				t.Errorf("findings in a correct program:\n%s", e2e.Show(findings))
			}
			if !strings.Contains(got.Stdout, "PASS") || strings.Contains(got.Stdout, "FAIL") {
				t.Errorf("wrong results:\n%s", got.Stdout)
			}
		})
	}
}

// want is an expectation written in a CUDA file: "// want race RAW" on the line
// of the finding's primary place, the kind being optional.
type want struct {
	rule, kind string
	line       int
	met        bool
}

var wantPattern = regexp.MustCompile(`// want (\w+)(?: ([\w-]+))?\s*$`)

func wants(t *testing.T, path string) []want {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []want
	for i, line := range strings.Split(string(text), "\n") {
		if m := wantPattern.FindStringSubmatch(line); m != nil {
			out = append(out, want{rule: m[1], kind: m[2], line: i + 1})
		}
	}
	return out
}

// matches reports whether the finding is the expected one. An invalid kernel launch
// has no place in the kernel and matches by its rule alone.
func (w want) matches(f finding.Finding) bool {
	return w.rule == f.Rule && (w.kind == "" || w.kind == f.Kind) &&
		(w.line == f.Primary.Loc.Line || f.Primary.Loc.Line == 0)
}

// compareWants fails for each finding that no line expects, and for each
// expectation that no finding meets.
func compareWants(t *testing.T, expected []want, findings []finding.Finding) {
	t.Helper()
	for _, f := range findings {
		i := slices.IndexFunc(expected, func(w want) bool { return w.matches(f) })
		if i < 0 {
			t.Errorf("not expected:\n%s", e2e.Show([]finding.Finding{f}))
			continue
		}
		for j := range expected {
			expected[j].met = expected[j].met || expected[j].matches(f)
		}
	}
	for _, w := range expected {
		if !w.met {
			t.Errorf("line %d: no finding of %s %s; there are:\n%s", w.line, w.rule, w.kind, e2e.Show(findings))
		}
	}
}

// TestBugs runs the programs that are wrong on purpose.
func TestBugs(t *testing.T) {
	tests := []struct {
		file  string
		flags []string
		exit  int
	}{
		{file: "oob_write", exit: 1},
		{file: "oob_shared", exit: 1},
		{file: "oob_surface", exit: 1},
		{file: "missing_barrier", exit: 1},
		{file: "missing_syncwarp", exit: 1},
		{file: "async_early_read", exit: 1},
		{file: "divergent_barrier", exit: 1},
		{file: "misaligned", exit: 1},
		{file: "use_after_free", exit: 1},
		{file: "double_free", exit: 1},
		{file: "too_many_threads", exit: 1},
		{file: "endless_loop", flags: []string{"--timeout", "5s"}, exit: 1},
		{file: "host_crash", exit: 3},
		{file: "no_launch", exit: 4},
	}
	bin := tooltest.Tool(t)
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("examples", "bugs", tt.file+".cu")
			got, findings := e2e.RunJSON(t, bin, append(tt.flags, path)...)
			if got.Exit != tt.exit {
				t.Errorf("exit code %d, want %d\n%s%s", got.Exit, tt.exit, got.Stdout, got.Stderr)
			}
			compareWants(t, wants(t, path), e2e.ErrorLevel(findings))
		})
	}
}

// TestLockstepAcceptsWarpSynchronousCode: before sm_70 lanes moved together.
func TestLockstepAcceptsWarpSynchronousCode(t *testing.T) {
	got, findings := e2e.RunJSON(t, tooltest.Tool(t), "--race-model", "lockstep", "examples/bugs/missing_syncwarp.cu")
	if got.Exit != 0 || len(e2e.ErrorLevel(findings)) > 0 {
		t.Errorf("exit code %d, want 0; findings:\n%s", got.Exit, e2e.Show(findings))
	}
}

// TestVolatileWarp: the reduction of old code, which relies on lockstep.
func TestVolatileWarp(t *testing.T) {
	got, findings := e2e.RunJSON(t, tooltest.Tool(t), "-D", "VOLATILE_WARP", "examples/basic/reduce.cu")
	errs := e2e.ErrorLevel(findings)
	if got.Exit != 1 || len(errs) == 0 {
		t.Fatalf("exit code %d with %d errors, want 1 and some\n%s", got.Exit, len(errs), got.Stderr)
	}
	for _, f := range errs {
		if f.Rule != "race" || !strings.Contains(f.KernelName, "sumUnrolled") {
			t.Errorf("not expected:\n%s", e2e.Show([]finding.Finding{f}))
		}
	}
}
