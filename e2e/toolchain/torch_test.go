//go:build toolchains

package toolchain

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// torchEnv names a virtual environment with PyTorch and pytest; scripts/torch.sh makes one.
const torchEnv = "WARPGRIND_TORCH"

// torchRun returns a function that runs a program of testdata/toolchains/pytorch with an environment's Python.
func torchRun(t *testing.T) (python string, run func(args ...string) ran) {
	t.Helper()
	venv := os.Getenv(torchEnv)
	if venv == "" {
		t.Skip("PyTorch and its libraries are 5 GB: run make test-torch, or name a virtual environment with it in " + torchEnv)
	}
	python = filepath.Join(venv, "bin", "python")
	bin, cache := tooltest.Tool(t), t.TempDir()
	return python, func(args ...string) ran {
		args = append([]string{"run", "-q", python, "--"}, args...)
		return command(t, sourceFile("pytorch"), []string{"TRITON_CACHE_DIR=" + cache, "PYTHONDONTWRITEBYTECODE=1"}, bin, args...)
	}
}

// TestToolchainTorch runs PyTorch's operators on the device, whose results are those on the CPU, and beside Triton
// kernels in streams, with the mistakes that such programs make.
func TestToolchainTorch(t *testing.T) {
	_, run := torchRun(t)
	t.Run("operators", func(t *testing.T) {
		run("operators.py").expect(t, 0, "arithmetic: PASS", "indexing: PASS", "algebra: PASS", "layers: PASS", "training: PASS", "transformer: PASS",
			"recurrent: PASS", "autocast: PASS", "random: PASS", "refused: PASS", ": 0 findings")
	})
	t.Run("uninitialized", func(t *testing.T) {
		run("operators.py", "uninitialized").expect(t, 0, "warning[init]: aten::mul reads 160 bytes of uninitialized memory", "operators.py:",
			"bytes 240 to 399 of the 400 bytes", ": 1 finding (1 warning)")
	})
	t.Run("streams", func(t *testing.T) { run("streams.py").expect(t, 0, "streams: PASS", "2 launches", ": 0 findings") })
	t.Run("autotune", func(t *testing.T) { run("autotune.py").expect(t, 0, "autotune: PASS", "5 launches", ": 0 findings") })
	t.Run("autotune, one configuration", func(t *testing.T) {
		t.Setenv("WARPGRIND_AUTOTUNE", "first")
		run("autotune.py").expect(t, 0, "autotune: PASS", "3 launches", ": 0 findings")
	})
	t.Run("compiled", func(t *testing.T) {
		run("compiled.py").expect(t, 0, "default: PASS", "reduce-overhead: PASS", ": 0 findings")
	})
	t.Run("one element past a tensor", func(t *testing.T) {
		// The error of the kernel ends the program in PyTorch's way.
		if got := run("streams.py", "past"); got.code == 0 {
			t.Errorf("no error:\n%s", got.text)
		} else {
			got.expect(t, got.code, "error[memory]: global", "streams.py:13:", "of 400 bytes")
		}
	})
	t.Run("no wait", func(t *testing.T) {
		run("streams.py", "no wait").expect(t, 1, "error[race]: data race: read and write of element 0", "read by aten::mul", "torch.allclose(out * 2", "streams.py:13:5",
			": 1 finding (1 error)")
	})
	t.Run("no record_stream", func(t *testing.T) {
		run("streams.py", "no record").expect(t, 1, "error[race]: data race: read and write of element 0", "then cudaFreeAsync in the default stream", ": 1 finding (1 error)")
	})
}

// TestToolchainTorchExtension runs the tests of an extension that is compiled when they run, with the plugin for pytest.
func TestToolchainTorchExtension(t *testing.T) {
	python, _ := torchRun(t)
	bin, err := filepath.Abs(tooltest.Tool(t))
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := filepath.Abs(filepath.Join("python", "pytest-warpgrind"))
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"WARPGRIND=" + bin, "PYTHONPATH=" + plugin, "PYTHONDONTWRITEBYTECODE=1", "PATH=" + filepath.Dir(python) + ":" + os.Getenv("PATH")}
	got := command(t, sourceFile("pytorch"), env, python, "-m", "pytest", "-p", "pytest_warpgrind", "-p", "no:cacheprovider", "--basetemp", t.TempDir(), "--warpgrind")
	got.expect(t, 1, "FAILED test_extension.py::test_outside - error[memory]", "cuda.cu:9: read by", "in test_outside",
		"FAILED test_extension.py::test_racy - error[race]", "data race: read and write of tile[31] without a barrier", "in test_racy",
		"FAILED test_extension.py::test_streams - error[race]", "read by aten::add",
		"3 failed, 5 passed", "7 launches checked: 3 errors")
}

// TestToolchainTorchDistributed runs ranks of torch.distributed in processes of their own, which exchange tensors by
// NCCL, with the mistakes that such programs make.
func TestToolchainTorchDistributed(t *testing.T) {
	python, _ := torchRun(t)
	bin := tooltest.Tool(t)
	run := func(mistake ...string) ran {
		args := append([]string{"run", "-q", "--devices", "2", python, "--", "-m", "torch.distributed.run", "--nproc-per-node", "2", "distributed.py"}, mistake...)
		return command(t, sourceFile("pytorch"), []string{"PYTHONDONTWRITEBYTECODE=1", "OMP_NUM_THREADS=1"}, bin, args...)
	}
	var all []string
	for _, name := range []string{"all_reduce", "broadcast", "all_gather", "reduce_scatter", "all_to_all", "ring", "objects", "group", "training", "result"} {
		all = append(all, name+", rank 0: PASS", name+", rank 1: PASS")
	}
	run().expect(t, 0, append(all, ": 0 findings")...)
	t.Run("uninitialized", func(t *testing.T) {
		run("empty").expect(t, 1, "error[init]: ncclAllReduce reads 4000 bytes of uninitialized memory --> distributed.py:82", ": 1 finding (1 error)")
	})
	t.Run("no wait", func(t *testing.T) {
		run("no wait").expect(t, 1, "error[race]: data race: read and write of element 0", "read by aten::mul", "distributed.py:85", "distributed.py:82", ": 1 finding (1 error)")
	})
	t.Run("other sizes", func(t *testing.T) {
		if got := run("sizes"); got.code == 0 {
			t.Errorf("no error:\n%s", got.text)
		} else {
			got.expect(t, got.code, "error[hang]: ncclAllReduce is called with other arguments by other ranks",
				"--> distributed.py:82", "rank 0 gives 1000 elements of ncclFloat32, rank 1 gives 1001 elements of ncclFloat32")
		}
	})
}
