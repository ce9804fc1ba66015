package tree

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestReportExample holds the reports in docs/report-example against what the
// tool writes now. scripts/report-example.sh writes them anew.
func TestReportExample(t *testing.T) {
	tooltest.NeedsClang(t)
	bin, dir := tooltest.Tool(t), t.TempDir()
	if out, err := exec.Command("scripts/report-example.sh", bin, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	names, err := filepath.Glob("docs/report-example/report.*")
	if err != nil || len(names) != 7 {
		t.Fatalf("%d reports, want 7 (%v)", len(names), err)
	}
	for _, name := range names {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, filepath.Base(name)))
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the tool writes (scripts/report-example.sh):\n%s", name, e2e.FirstDifference(got, want))
		}
	}
}
