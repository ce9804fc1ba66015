package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestControl: defects that are planted in a program are found, what cannot be shown is told, and the sources stay.
func TestControl(t *testing.T) {
	tooltest.NeedsClang(t)
	bin, dir := tooltest.Tool(t), t.TempDir()
	quiet := filepath.Join(dir, "quiet.cu")
	if err := os.WriteFile(quiet, []byte("__global__ void k(int *p) { *p = 1; }\nint main() { int *p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); return cudaDeviceSynchronize(); }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   []string
	}{
		{[]string{"examples/tensor/stencil_pipeline.cu"}, 0, []string{": barrier: without __syncthreads(): found", "; no effect on this input: arrival"}},
		{[]string{"examples/scan/scan.cu"}, 0, []string{"scan.cu:68: moved: __syncthreads(); moved past the next statement: found", "found: barrier, bounds check"}},
		{[]string{"--format", "json", "examples/scan/scan.cu"}, 0, []string{`"kind": "bounds check"`, `"outcome": "found"`}},
		{[]string{"--tool", "memory", "--tries", "1", "examples/scan/scan.cu"}, 1, []string{"missed: barrier"}},
		{[]string{quiet}, 4, []string{"nothing was shown", "no defect was planted"}},
		{[]string{bin}, 2, []string{"want CUDA sources"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(bin, append([]string{"control"}, c.args...)...)
			out, _ := cmd.CombinedOutput()
			text := strings.Join(strings.Fields(string(out)), " ")
			if status := cmd.ProcessState.ExitCode(); status != c.status {
				t.Errorf("exit code %d, want %d", status, c.status)
			}
			for _, w := range c.want {
				if !strings.Contains(text, w) {
					t.Errorf("no %q", w)
				}
			}
			if t.Failed() {
				t.Log(string(out))
			}
		})
	}
}
