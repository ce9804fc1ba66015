package race_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// errorsOf runs a file with flags and returns the errors that it finds.
func errorsOf(t *testing.T, bin, file string, flags ...string) (out []*finding.Finding) {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	cmd := exec.Command(bin, append([]string{"run", "--tool", "race", "--format", "json", "-o", report, file}, flags...)...)
	if text, err := cmd.CombinedOutput(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 1 {
		t.Fatalf("%v\n%s", err, text)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var r struct{ Findings []*finding.Finding }
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	for _, f := range leaves(r.Findings) {
		if f.Level == finding.Error {
			out = append(out, f)
		}
	}
	return out
}

// TestPredicted: the order of the run hides the races of testdata/predicted, and in the order that a finding
// names the run has the same race.
func TestPredicted(t *testing.T) {
	bin := tooltest.Tool(t)
	files, err := filepath.Glob("testdata/predicted/*.cu")
	if err != nil || len(files) == 0 {
		t.Fatal("no test kernels", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			for _, f := range errorsOf(t, bin, file, "--predict", "off") {
				t.Errorf("found without a prediction: line %d: %s", f.Primary.Loc.Line, f.Message)
			}
			for _, f := range errorsOf(t, bin, file) {
				replays(t, bin, file, f)
			}
		})
	}
}

// replays runs a file in the order that a finding names.
func replays(t *testing.T, bin, file string, f *finding.Finding) {
	t.Helper()
	if f.Schedule == "" {
		t.Errorf("line %d: names no order: %q", f.Primary.Loc.Line, f.Notes)
		return
	}
	for _, g := range errorsOf(t, bin, file, "--schedule", f.Schedule) {
		if g.Fingerprint == f.Fingerprint && g.Kernel == f.Kernel {
			return
		}
	}
	t.Errorf("line %d: not found with --schedule %s", f.Primary.Loc.Line, f.Schedule)
}

// TestHoldsUnreached: holds that have no effect are told.
func TestHoldsUnreached(t *testing.T) {
	bin := tooltest.Tool(t)
	for order, want := range map[string]string{
		"hold:0:0.0.99":  "warp 0 of block 0 did not come to its operation 99",
		"hold:999:0.0.1": "no launch 999 ran",
	} {
		out, _ := exec.Command(bin, "run", "--tool", "race", "--format", "json", "--schedule", order, "testdata/predicted/locks.cu").Output()
		if !strings.Contains(string(out), want) {
			t.Errorf("%s: the report does not have %q", order, want)
		}
	}
}
