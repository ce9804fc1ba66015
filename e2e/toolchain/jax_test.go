//go:build toolchains

package toolchain

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// jaxEnv names a virtual environment with JAX and its plugin for CUDA; scripts/jax.sh makes one.
const jaxEnv = "WARPGRIND_JAX"

// TestToolchainJAX runs JAX's operations on the device, whose results are NumPy's, and a kernel in Pallas, with the mistakes
// that such kernels make.
func TestToolchainJAX(t *testing.T) {
	venv := os.Getenv(jaxEnv)
	if venv == "" {
		t.Skip("JAX and its libraries are 6 GB: run make test-jax, or name a virtual environment with it in " + jaxEnv)
	}
	bin := tooltest.Tool(t)
	run := func(args ...string) ran {
		args = append([]string{"run", "-q", filepath.Join(venv, "bin", "python"), "--"}, args...)
		return command(t, sourceFile("jax"), []string{"PYTHONDONTWRITEBYTECODE=1"}, bin, args...)
	}
	t.Run("operations", func(t *testing.T) {
		run("operations.py").expect(t, 0, "elementwise: PASS", "reductions: PASS", "gradient: PASS", "product: PASS", "sort: PASS", "loop: PASS", "random: PASS",
			"algebra: PASS", "fft: PASS", "convolution: PASS", "1 finding (1 info)")
	})
	t.Run("Pallas", func(t *testing.T) { run("pallas.py").expect(t, 0, "pallas: PASS", ": 0 findings") })
	t.Run("past the end", func(t *testing.T) {
		run("pallas.py", "past").expect(t, 1, "error[memory]: global read of 4 bytes", "of 1000 bytes", "in kernel kernel")
	})
	t.Run("one place", func(t *testing.T) {
		run("pallas.py", "shared").expect(t, 1, "error[race]: data race: two writes to element 0", "by different blocks", ": 1 finding (1 error)")
	})
}
