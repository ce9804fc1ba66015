package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestTorchModule runs the tests of the module that PyTorch loads.
func TestTorchModule(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs Python")
	}
	cmd := exec.Command(python, filepath.Join("python", "tests", "test_torch_memory.py"))
	cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join("internal", "shim", "python"), "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestLaunchLines wants the line of the Python program that launches a kernel, and the text that NVRTC got, of
// which there is no file.
func TestLaunchLines(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs Python")
	}
	for _, name := range []string{"/gone/reverse.cu", "reverse.cu"} {
		got := e2e.Run(t, tooltest.Tool(t), python, "--", filepath.Join("testdata", "python", "launch_lines.py"), name)
		for _, want := range []string{"--> " + name + ":6:10\n", "6 |   a[t] = s[63 - t];\n", "in kernel reverse, launch 0 at testdata/python/launch_lines.py:34\n"} {
			if !strings.Contains(string(got.Report), want) {
				t.Errorf("no %q in:\n%s", want, got.Report)
			}
		}
	}
}

// TestPythonClient runs the client's own tests with the tool of this tree.
func TestPythonClient(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs Python")
	}
	tool, err := filepath.Abs(tooltest.Tool(t))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "tests/test_adapters.py")
	cmd.Dir = "python"
	cmd.Env = append(os.Environ(), "WARPGRIND="+tool, "PYTHONPATH=.", "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
