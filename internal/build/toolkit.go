package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/cc"
	"github.com/warpgrind/warpgrind/internal/clang"
)

// FrontendNVCC is the Config.Frontend for NVIDIA's own compiler.
const FrontendNVCC = "nvcc"

// ToolEnv names the environment variable with the path of warpgrind that
// programs start; without it that is the running one.
const ToolEnv = "WARPGRIND"

// Tool is the path of the running program.
func Tool() string {
	if path := os.Getenv(ToolEnv); path != "" {
		if abs, err := filepath.Abs(path); err == nil {
			return abs
		}
	}
	path, err := os.Executable()
	if err != nil {
		return "warpgrind"
	}
	return path
}

// CompilerFlags are the flags of the compiler driver, in nvcc's spelling.
func (c *Config) CompilerFlags() []string {
	flags := c.NVCCFlags
	if c.CudaPath != "" {
		flags = append(flags[:len(flags):len(flags)], "--cuda-path="+c.CudaPath)
	}
	if c.CudaVersion != "" {
		flags = append(flags[:len(flags):len(flags)], "--cuda-version="+c.CudaVersion)
	}
	return flags
}

// buildNVCC compiles the sources with NVIDIA's compiler.
func (c *Config) buildNVCC(ctx context.Context, dir string, warnings io.Writer) (string, error) {
	exe := filepath.Join(dir, "program")
	args := append([]string{"--frontend=nvcc", "-o", exe}, c.CompilerFlags()...)
	for prefix, words := range map[string][]string{"-D": c.Defines, "-I": c.Includes} {
		for _, w := range words {
			args = append(args, prefix+w)
		}
	}
	for option, value := range map[string]string{"-std=": c.Std, "-O": strings.TrimPrefix(c.Opt, "-O"), "-arch=": c.Arch} {
		if value != "" {
			args = append(args, option+value)
		}
	}
	var text bytes.Buffer
	if code := cc.Main(ctx, cc.Config{Tool: Tool(), Stdout: &text, Stderr: &text}, append(args, c.Inputs...)); code != 0 {
		return "", &UsageError{errors.New(strings.TrimRight(text.String(), "\n"))}
	}
	_, err := warnings.Write(text.Bytes())
	return exe, err
}

// Environment returns the variables of a program that was not built for this run: it, and
// what it starts, finds our libraries in place of NVIDIA's. Without a compiler
// there are none; then it has what it was built with, and the error says why.
func Environment(ctx context.Context, compiler string) ([]string, error) {
	env := os.Environ()
	tc, err := clang.Find(compiler)
	if err != nil {
		return env, err
	}
	home, err := tc.CudaHome(ctx, Tool())
	if err != nil {
		return env, err
	}
	path := home.Lib()
	if old := os.Getenv("LD_LIBRARY_PATH"); old != "" {
		path += string(os.PathListSeparator) + old
	}
	preload := home.Preload()
	if old := os.Getenv("LD_PRELOAD"); old != "" {
		preload = append([]string{old}, preload...)
	}
	if _, set := os.LookupEnv("CUPY_ACCELERATORS"); !set {
		// CuPy's reductions by CUB take machine code and headers that NVRTC alone accepts;
		// without an accelerator CuPy generates them itself.
		env = append(env, "CUPY_ACCELERATORS=")
	}
	env = append(env, toolkit(home)...)
	modules, err := python()
	env = append(env, modules...)
	env = append(env, tensorAllocators()...)
	return append(env, "LD_LIBRARY_PATH="+path, "LD_PRELOAD="+strings.Join(preload, ":"),
		// Triton looks for the driver in folders of its own choice, and makes
		// machine code by itself.
		"TRITON_LIBCUDA_PATH="+home.Lib(), "TRITON_PTXAS_PATH="+home.PTXAS(), "TRITON_PTXAS_BLACKWELL_PATH="+home.PTXAS(),
		// Mojo has the assembler in a library of its own.
		"MODULAR_NVPTX_COMPILER_PATH="+home.PTXAS(),
		"NUMBA_CUDA_DRIVER="+filepath.Join(home.Lib(), "libcuda.so.1")), err
}

// python has PyTorch and JAX load our modules when they start, and Python the one for CuPy.
func python() ([]string, error) {
	dir, err := clang.Python()
	if err != nil {
		return nil, fmt.Errorf("modules for PyTorch and JAX: %w", err)
	}
	if old := os.Getenv("PYTHONPATH"); old != "" {
		dir += string(os.PathListSeparator) + old
	}
	return []string{"PYTHONPATH=" + dir}, nil
}

// tensorAllocators has PyTorch and JAX take each tensor's memory from the driver, unless the user has a setting of
// theirs: within blocks that are cached, an overrun would be within bounds. Unlike allocation without a cache, the
// driver's own in stream order does not wait for the device.
func tensorAllocators() (env []string) {
	for _, a := range []struct {
		set    string
		unless []string
	}{
		{"PYTORCH_CUDA_ALLOC_CONF=backend:cudaMallocAsync", []string{"PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_NO_CUDA_MEMORY_CACHING"}},
		// The newer of PyTorch's backends for NCCL asks the allocator for the blocks that it has cached, which this one refuses.
		{"TORCH_DIST_USE_NCCL2=0", []string{"PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_NO_CUDA_MEMORY_CACHING", "TORCH_DIST_USE_NCCL2"}},
		{"XLA_PYTHON_CLIENT_ALLOCATOR=cuda_async", []string{"XLA_PYTHON_CLIENT_ALLOCATOR", "XLA_PYTHON_CLIENT_PREALLOCATE", "XLA_PYTHON_CLIENT_MEM_FRACTION"}},
	} {
		if !slices.ContainsFunc(a.unless, func(name string) bool { return os.Getenv(name) != "" }) {
			env = append(env, a.set)
		}
	}
	return env
}

// toolkit names our folder to programs that compile when they run, such as CuPy with nvcc and extensions of PyTorch,
// unless there is a toolkit of the user's. Our nvcc is looked for last.
func toolkit(home clang.Home) []string {
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if os.Getenv(name) != "" {
			return nil
		}
	}
	if _, err := exec.LookPath("nvcc"); err == nil {
		return nil
	}
	path := filepath.Join(home.Dir, "bin")
	if old := os.Getenv("PATH"); old != "" {
		path = old + string(os.PathListSeparator) + path
	}
	return []string{"CUDA_HOME=" + home.Dir, "CUDA_PATH=" + home.Dir, "PATH=" + path}
}

// FindProgram looks in PATH for a program that is named without a folder and
// is not a file in this one, such as python3 where a folder of that name may be.
func FindProgram(name string) string {
	if st, err := os.Stat(name); err == nil && !st.IsDir() || IsSource(name) || strings.ContainsRune(name, filepath.Separator) {
		return name
	}
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	return name
}
