package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestHeaderLibraries runs wrong calls of Thrust and CUB with the header libraries of this machine, and
// checks where the findings are reported. Where the libraries are missing, a note must name the command that fetches them.
func TestHeaderLibraries(t *testing.T) {
	tooltest.NeedsClang(t)
	out, _ := exec.Command(tooltest.Tool(t), "run", "-q", filepath.Join("testdata", "toolchains", "library_calls.cu")).CombinedOutput()
	text := strings.Join(strings.Fields(string(out)), " ")
	want := []string{"library_calls.cu:25 launches library code: cub/", "library_calls.cu:17:25 in library code: cub/", "2 findings (2 errors)"}
	if _, err := os.Stat("/usr/local/cuda"); err != nil && strings.Contains(text, "file not found") {
		want = []string{"note: cub/block/block_reduce.cuh is one of NVIDIA's Thrust, CUB and libcu++: 'warpgrind setup cccl' fetches them"}
		defer t.Skip("Thrust and CUB are not on this machine: run warpgrind setup cccl")
	}
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, out)
		}
	}
}
