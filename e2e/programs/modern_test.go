package programs

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestPlantedBugs runs the programs of examples/modern with their planted
// bugs: each must be found at the line that the program says. That they are
// clean without is TestExamples's.
func TestPlantedBugs(t *testing.T) {
	bin := tooltest.Tool(t)
	files, err := filepath.Glob("examples/modern/*.cu")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for i, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".cu"), func(t *testing.T) {
			t.Parallel()
			expected := wants(t, file)
			if len(expected) == 0 {
				t.Fatal("the program says nothing of its bug")
			}
			got, findings := e2e.RunSample(t, i, bin, "-D", "BUG", "--tool", "race", file)
			if got.Exit != 1 {
				t.Errorf("exit code %d, want 1\n%s%s", got.Exit, got.Stdout, got.Stderr)
			}
			compareWants(t, expected, e2e.ErrorLevel(findings))
		})
	}
}
