package race_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// expectation is a comment "// want [level] [KIND] [[models]]" at the line of a
// finding's primary place. The level is error where none is given, the models
// are all.
type expectation struct {
	line        int
	level, kind string
	met         bool
}

var wantPattern = regexp.MustCompile(`// want(?: (error|warning|info))?(?: (RAW|WAR|WAW))?(?: \[([a-z ]+)\])?\s*$`)

func expectations(t *testing.T, file, model string) (out []*expectation) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		m := wantPattern.FindStringSubmatch(line)
		switch {
		case m == nil && strings.Contains(line, "// want"):
			t.Fatalf("%s:%d: malformed expectation", file, i+1)
		case m == nil || m[3] != "" && !strings.Contains(" "+m[3]+" ", " "+model+" "):
			continue
		}
		if m[1] == "" {
			m[1] = "error"
		}
		out = append(out, &expectation{line: i + 1, level: m[1], kind: m[2]})
	}
	return out
}

// TestSuite runs the kernels of testdata/global in each race model, with one
// worker and with two: the reports must be the same, and be the expected ones.
func TestSuite(t *testing.T) {
	if _, err := exec.LookPath("clang-19"); err != nil && testing.Short() {
		t.Skip("no clang")
	}
	bin := filepath.Join(t.TempDir(), "warpgrind")
	if out, err := exec.Command("go", "build", "-o", bin, "../../../cmd/warpgrind").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	files, err := filepath.Glob("testdata/global/*.cu")
	if err != nil || len(files) == 0 {
		t.Fatal("no test kernels", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".cu"), func(t *testing.T) {
			for _, model := range []string{"its", "lockstep", "thread"} {
				one := runSuite(t, bin, file, model, 1)
				if two := runSuite(t, bin, file, model, 2); !bytes.Equal(one, two) {
					t.Errorf("%s: the reports of -j 1 and -j 2 differ: %s", model, firstDifference(one, two))
				}
				compare(t, model, expectations(t, file, model), one)
			}
		})
	}
}

// firstDifference returns the first lines that differ.
func firstDifference(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return "line " + strconv.Itoa(i+1) + ":" + x[i] + " and" + y[i]
		}
	}
	return "one is longer"
}

// runSuite returns a run's report in JSON.
func runSuite(t *testing.T, bin, file, model string, workers int) []byte {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	cmd := exec.Command(bin, "run", "--tool", "race", "--race-model", model, "-j", strconv.Itoa(workers),
		"--format", "json", "-o", report, file)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) || bytes.Contains(out, []byte("FAIL")) {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func compare(t *testing.T, model string, want []*expectation, report []byte) {
	t.Helper()
	var r struct{ Findings []finding.Finding }
	if err := json.Unmarshal(report, &r); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		found := false
		for _, w := range want {
			if w.line == f.Primary.Loc.Line && w.level == f.Level.String() && (w.kind == "" || w.kind == f.Kind) {
				w.met, found = true, true
			}
		}
		if !found {
			t.Errorf("%s: not expected at line %d: %v %s (%s)", model, f.Primary.Loc.Line, f.Level, f.Message, strings.Join(f.Notes, "; "))
		}
	}
	for _, w := range want {
		if !w.met {
			t.Errorf("%s: nothing found at line %d: want %s %s", model, w.line, w.level, w.kind)
		}
	}
}
