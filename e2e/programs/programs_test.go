package programs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// testPrograms lists the programs of testdata/programs: each file, and the
// sources of each folder.
func testPrograms(t *testing.T) [][]string {
	t.Helper()
	const dir = "testdata/programs"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for _, e := range entries {
		files := []string{filepath.Join(dir, e.Name())}
		if e.IsDir() {
			if files, err = filepath.Glob(filepath.Join(dir, e.Name(), "*.c*")); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, files)
	}
	return out
}

// TestPrograms runs programs in the manner of benchmark suites and samples,
// which use the API and the language in many ways and check their results.
func TestPrograms(t *testing.T) {
	bin := tooltest.Tool(t)
	for i, files := range testPrograms(t) {
		t.Run(strings.TrimPrefix(files[0], "testdata/programs/"), func(t *testing.T) {
			t.Parallel()
			args := append(e2e.Options(t, files[0]), files...)
			var got e2e.Outcome
			var findings []finding.Finding
			if isConcurrent(t, files[0]) {
				got, findings = e2e.RunOnce(t, bin, args...)
			} else {
				got, findings = e2e.RunSample(t, i, bin, args...)
			}
			if got.Exit != 0 || !strings.Contains(got.Stdout, "PASS") || strings.Contains(got.Stdout, "FAIL") {
				t.Errorf("exit code %d\n%s%s", got.Exit, got.Stdout, got.Stderr)
			}
			if len(findings) > 0 {
				t.Errorf("findings in a correct program:\n%s", e2e.Show(findings))
			}
		})
	}
}

// isConcurrent reports whether a program says of itself that processes of it run at the same time, so that the numbers
// of launches in the report, for example, differ from run to run.
func isConcurrent(t *testing.T, file string) bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(text), "\n// concurrent processes\n")
}
