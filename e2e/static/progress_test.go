package static

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestStaticInterrupted interrupts a check that takes long once it has shown its
// progress, which needs a terminal: it ends soon, with its findings so far and its exit
// code.
func TestStaticInterrupted(t *testing.T) {
	bin := tooltest.Tool(t)
	needStatic(t)
	early := "__global__ void early(int *out) {\n    __shared__ int s[64];\n    s[threadIdx.x] = threadIdx.x;\n" +
		"    out[threadIdx.x] = s[63 - threadIdx.x];\n}\n\n" // checked first, and has a race
	for source, want := range map[string]int{early + branchesKernel(1500): 1, dataKernel(1500): 130} {
		file := filepath.Join(t.TempDir(), "kernel.cu")
		if err := os.WriteFile(file, []byte("#include <cuda_runtime.h>\n\n"+source), 0o666); err != nil {
			t.Fatal(err)
		}
		args := []string{"check", "--block", "64", "--grid", "1", file}
		cmd := exec.Command(bin, args...)
		var stdout bytes.Buffer
		cmd.Stdout = &stdout
		screen, tty := tooltest.Terminal(t, 80)
		cmd.Stderr = tty
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		tty.Close()
		said := bufio.NewScanner(screen)
		var began time.Time
		var lines strings.Builder
		for said.Scan() {
			lines.WriteString(said.Text() + "\n")
			if began.IsZero() && strings.Contains(said.Text(), ": races, ") {
				began = time.Now()
				cmd.Process.Signal(os.Interrupt)
			}
		}
		cmd.Wait()
		all := lines.String() + stdout.String()
		switch {
		case began.IsZero():
			t.Fatalf("no progress is shown:\n%s", all)
		case cmd.ProcessState.ExitCode() != want:
			t.Errorf("exit code %d, want %d:\n%s", cmd.ProcessState.ExitCode(), want, all)
		case time.Since(began) > 30*time.Second:
			t.Errorf("it ends %v after the interrupt", time.Since(began))
		case !strings.Contains(all, "interrupted"):
			t.Errorf("nothing is said of the interruption:\n%s", all)
		case want == 1 && !strings.Contains(all, "[race]"):
			t.Errorf("what was found is not reported:\n%s", all)
		}
	}
}
