package warpgrind_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestReplay records programs and replays launches: the findings must be those of a run that
// checks this launch alone, but for those that are about calls of the host.
func TestReplay(t *testing.T) {
	if testing.Short() {
		t.Skip("runs CUDA programs; not in short mode")
	}
	bin := tooltest.Tool(t)
	for _, c := range []struct {
		program string
		launch  int
	}{
		{"examples/bugs/missing_barrier.cu", 0}, {"examples/bugs/misaligned.cu", 0}, {"examples/bugs/oob_write.cu", 0},
		{"examples/bugs/use_after_free.cu", 0}, {"examples/bugs/divergent_barrier.cu", 0}, {"examples/bugs/oob_surface.cu", 0},
		{"examples/texture/modes.cu", 1}, {"examples/boyer/fig1.cu", 0}, {"testdata/programs/function_pointers.cu", 0},
		{"testdata/programs/cooperative.cu", 0},
	} {
		t.Run(filepath.Base(c.program), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			_, ran := runOnce(t, bin, "-q", "--tool", "race,memory,init,sync,bank,coalesce",
				"--launch-skip", fmt.Sprint(c.launch), "--launch-count", "1", "--record", dir, c.program)
			list, err := filepath.Glob(filepath.Join(dir, fmt.Sprintf("launch-%04d-*.json", c.launch)))
			if err != nil || len(list) != 1 {
				t.Fatalf("recorded %v, %v", list, err)
			}
			replayed := invoke(t, bin, "replay", "-q", "--format", "json", list[0]).findings(t)
			if !reflect.DeepEqual(ran, replayed) {
				t.Errorf("replayed:\n%v\nran:\n%v", replayed, ran)
			}
		})
	}
}
