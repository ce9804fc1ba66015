package warpgrind_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// toolDir holds the binary that the end-to-end tests run.
var toolDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "warpgrind-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	toolDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// buildTool builds cmd/warpgrind, once for all tests.
var buildTool = sync.OnceValues(func() (string, error) {
	bin := filepath.Join(toolDir, "warpgrind")
	out, err := exec.Command("go", "build", "-o", bin, "./cmd/warpgrind").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build ./cmd/warpgrind: %w\n%s", err, out)
	}
	return bin, nil
})

// tool returns the binary's path. A test that compiles CUDA programs is
// skipped where no clang is installed, and in short mode.
func tool(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs CUDA programs; not in short mode")
	}
	if !hasClang() {
		t.Skip("no clang is installed; scripts/install-deps.sh installs one")
	}
	bin, err := buildTool()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

func hasClang() bool {
	names := []string{"clang"}
	for v := 15; v <= 40; v++ {
		names = append(names, fmt.Sprintf("clang-%d", v))
	}
	for _, name := range names {
		if _, err := exec.LookPath(name); err == nil {
			return true
		}
	}
	return false
}

// outcome is what one run of warpgrind left behind.
type outcome struct {
	exit           int
	stdout, stderr string
	report         []byte // the file that -o named
}

// run runs "warpgrind run" with the arguments and the report in a file.
func run(t *testing.T, bin string, args ...string) outcome {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report")
	cmd := exec.Command(bin, append([]string{"run", "-o", file}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	report, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), report}
}

// runJSON runs a program twice, with one worker and with two, and fails unless
// exit codes and reports are the same byte for byte.
func runJSON(t *testing.T, bin string, args ...string) (outcome, []finding.Finding) {
	t.Helper()
	args = append([]string{"--format", "json"}, args...)
	one := run(t, bin, append([]string{"-j", "1"}, args...)...)
	two := run(t, bin, append([]string{"-j", "2"}, args...)...)
	if one.exit != two.exit {
		t.Errorf("exit code %d with -j 1, %d with -j 2\n%s", one.exit, two.exit, two.stderr)
	}
	if !bytes.Equal(one.report, two.report) {
		t.Errorf("the reports of -j 1 and -j 2 differ:\n%s", firstDifference(one.report, two.report))
	}
	var report struct {
		Findings []finding.Finding `json:"findings"`
	}
	if err := json.Unmarshal(one.report, &report); err != nil {
		t.Fatalf("exit code %d, no JSON report: %v\n%s", one.exit, err, one.stderr)
	}
	return one, separate(report.Findings)
}

// separate lists the findings as the rules made them: those that a report
// joined because of their common cause, one by one.
func separate(fs []finding.Finding) []finding.Finding {
	var out []finding.Finding
	for _, f := range fs {
		if len(f.Members) == 0 {
			out = append(out, f)
		}
		for _, m := range f.Members {
			out = append(out, *m)
		}
	}
	return out
}

func firstDifference(a, b []byte) string {
	as, bs := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("line %d:\n-j 1: %s\n-j 2: %s", i+1, as[i], bs[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(as), len(bs))
}

// errorLevel returns the findings that decide the exit code.
func errorLevel(all []finding.Finding) []finding.Finding {
	var out []finding.Finding
	for _, f := range all {
		if f.Level == finding.Error {
			out = append(out, f)
		}
	}
	return out
}

// show prints findings for a failure message, one a line.
func show(all []finding.Finding) string {
	var b strings.Builder
	for _, f := range all {
		fmt.Fprintf(&b, "  %s:%d: %v: %s %s: %s\n", filepath.Base(f.Primary.Loc.File),
			f.Primary.Loc.Line, f.Level, f.Rule, f.Kind, f.Message)
	}
	return b.String()
}
