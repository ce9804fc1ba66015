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
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

func TestMain(m *testing.M) { os.Exit(tooltest.Main(m)) }

// outcome is what one run of warpgrind left behind.
type outcome struct {
	exit           int
	stdout, stderr string
	report         []byte // the file that -o named
}

// run runs "warpgrind run" with the arguments and the report in a file.
func run(t *testing.T, bin string, args ...string) outcome {
	t.Helper()
	return invoke(t, bin, "run", args...)
}

// invoke is run for any command that writes a report.
func invoke(t *testing.T, bin, command string, args ...string) outcome {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report")
	cmd := exec.Command(bin, append([]string{command, "-o", file}, args...)...)
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
	one := run(t, bin, append([]string{"--format", "json", "-j", "1"}, args...)...)
	two, findings := runOnce(t, bin, args...)
	if one.exit != two.exit {
		t.Errorf("exit code %d with -j 1, %d with -j 2\n%s", one.exit, two.exit, two.stderr)
	}
	if !bytes.Equal(one.report, two.report) {
		t.Errorf("the reports of -j 1 and -j 2 differ:\n%s", firstDifference(one.report, two.report))
	}
	return one, findings
}

// runOnce runs a program with two workers.
func runOnce(t *testing.T, bin string, args ...string) (outcome, []finding.Finding) {
	t.Helper()
	out := run(t, bin, append([]string{"--format", "json", "-j", "2"}, args...)...)
	return out, out.findings(t)
}

// findings are those of a report in JSON, each member of a joined one by itself.
func (out outcome) findings(t *testing.T) []finding.Finding {
	t.Helper()
	var report struct {
		Findings []finding.Finding `json:"findings"`
	}
	if err := json.Unmarshal(out.report, &report); err != nil {
		t.Fatalf("exit code %d, no JSON report: %v\n%s", out.exit, err, out.stderr)
	}
	return separate(report.Findings)
}

// runSample is runJSON for one program in eight and in the long tests, else runOnce:
// that reports do not depend on the workers is held by thousands of small runs too.
func runSample(t *testing.T, i int, bin string, args ...string) (outcome, []finding.Finding) {
	t.Helper()
	if tooltest.Sampled(i, 8) {
		return runJSON(t, bin, args...)
	}
	return runOnce(t, bin, args...)
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
