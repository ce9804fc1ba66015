//go:build toolchains

package toolchain

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// ran is how a command ended.
type ran struct {
	code int
	text string // both output streams
}

// command runs a program in a folder, with variables beside the environment's.
func command(t *testing.T, dir string, env []string, name string, args ...string) ran {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatalf("%s: %v", name, err)
	}
	return ran{cmd.ProcessState.ExitCode(), out.String()}
}

// expect fails unless the exit code is right and all texts are in the output,
// whatever the lines that it is broken into.
func (r ran) expect(t *testing.T, code int, texts ...string) {
	t.Helper()
	if r.code != code || code == 0 && strings.Contains(r.text, "FAIL") {
		t.Errorf("exit code %d, want %d\n%s", r.code, code, r.text)
		return
	}
	unbroken := strings.Join(strings.Fields(r.text), " ")
	for _, text := range texts {
		if !strings.Contains(unbroken, text) {
			t.Errorf("no %q in\n%s", text, r.text)
		}
	}
}

func sourceFile(name string) string {
	abs, err := filepath.Abs(filepath.Join("testdata", "toolchains", name))
	if err != nil {
		panic(err)
	}
	return abs
}

// TestToolchainHeaders compiles Thrust and CUB from the toolkit, with clang
// and with nvcc.
func TestToolchainHeaders(t *testing.T) {
	_, toolkit := e2e.Toolchains(t)
	bin := tooltest.Tool(t)
	for _, frontend := range []string{"clang", "nvcc"} {
		run := func(t *testing.T, args ...string) ran {
			args = append([]string{"run", "-q", "--cuda-path", toolkit, "--frontend", frontend, "--std", "c++17"}, args...)
			return command(t, "", nil, bin, append(args, sourceFile("thrust.cu"))...)
		}
		t.Run(frontend, func(t *testing.T) {
			run(t).expect(t, 0, "thrust::sort: PASS", "thrust::inclusive_scan: PASS", "cub::DeviceReduce: PASS",
				"cub::BlockScan: PASS", ": 0 findings")
		})
		t.Run(frontend+" race", func(t *testing.T) {
			run(t, "-D", "RACE").expect(t, 1, "error[race]", "data race: ", "thrust.cu:")
		})
	}
	t.Run("from CUDA_HOME", func(t *testing.T) {
		got := command(t, "", []string{"CUDA_HOME=" + toolkit}, bin, "cc", "-std=c++17", "-DNDEBUG", "-ptx", "-o", filepath.Join(t.TempDir(), "x.ptx"), sourceFile("thrust.cu"))
		got.expect(t, 0)
	})
}

// TestToolchainCCCL fetches the header libraries of several versions, each in place of the one before, and
// compiles with them, on a machine that has no toolkit as far as the program can see.
func TestToolchainCCCL(t *testing.T) {
	e2e.Toolchains(t)
	bin := tooltest.Tool(t)
	for _, version := range []string{"12.4", "12.9", "13.0", "13.1", ""} {
		t.Run("CUDA "+version, func(t *testing.T) {
			env := []string{"CUDA_HOME=", "CUDA_PATH=", "VIRTUAL_ENV=", "CONDA_PREFIX=", cache.DirEnv + "=" + tooltest.FreshCache(t, "")}
			setup := command(t, "", env, bin, slices.DeleteFunc([]string{"setup", "cccl", "--cuda-version", version}, func(w string) bool {
				return version == "" && w != "setup" && w != "cccl"
			})...)
			setup.expect(t, 0, "license: ")
			run := func(file string) ran { return command(t, "", env, bin, "run", "-q", sourceFile(file)) }
			run("thrust.cu").expect(t, 0, "thrust::sort: PASS", "thrust::inclusive_scan: PASS", "cub::DeviceReduce: PASS", "cub::BlockScan: PASS", ": 0 findings")
			run("cccl.cu").expect(t, 0, "thrust::copy_if: PASS", "thrust::reduce_by_key: PASS", "cub::DeviceRadixSort: PASS", "cub::BlockRadixSort: PASS")
			if version != "" {
				return
			}
			for file, want := range map[string]string{"thrust.cu": "thrust::inclusive_scan: PASS", "cccl.cu": "cub::DeviceScan: PASS"} {
				for _, arch := range []string{"sm_100", "sm_100a"} {
					command(t, "", env, bin, "run", "-q", "--arch", arch, sourceFile(file)).expect(t, 0, want, ": 0 findings")
				}
			}
			run("library_calls.cu").expect(t, 1, "error[init]: read of uninitialized memory: byte 512", "library_calls.cu:25 launches library code: cub/",
				"error[race]", "library_calls.cu:17:", "in library code: cub/block/", "2 findings (2 errors)")
		})
	}
}

// refused begins nvcc's complaints about programs that are written for another
// version of CUDA.
var refused = []string{"detected in the compilation of", "undefined reference to", "fatal error:"}

// reported are examples in which something is found when they are compiled
// with NVIDIA's headers, and why that is so.
var reported = map[string]string{
	// Lanes of a warp use an mbarrier, meet in match.any.sync, which orders no
	// memory, and one of them destroys it.
	"tensor/producer_consumer": "error[race]: data race: ",
	// On purpose. Host code that nvcc compiles has no lines here, so that the
	// comment beside the call is not found.
	"runtime/errors": "error[memory]: cudaMemcpy: the destination is a null pointer",
}

// TestToolchainExamples compiles every correct example with nvcc: the PTX of
// NVIDIA's compiler must give the same results, and no findings.
func TestToolchainExamples(t *testing.T) {
	_, toolkit := e2e.Toolchains(t)
	bin := tooltest.Tool(t)
	for _, files := range e2e.CorrectExamples(t) {
		name := strings.TrimSuffix(strings.TrimPrefix(files[0], "examples/"), ".cu")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := []string{"run", "-q", "--cuda-path", toolkit, "--frontend", "nvcc", "--std", "c++17",
				"--nvcc-flags=--extended-lambda --expt-relaxed-constexpr"}
			got := command(t, "", nil, bin, append(args, files...)...)
			for _, text := range refused {
				if got.code == 2 && strings.Contains(got.text, text) {
					t.Skipf("not a program for this nvcc: %s", firstError(got.text))
				}
			}
			if want := reported[name]; want != "" {
				got.expect(t, 1, "PASS", want)
				return
			}
			got.expect(t, 0, "PASS", "0 findings")
		})
	}
	t.Run("boyer/fig1", func(t *testing.T) {
		got := command(t, "", nil, bin, "run", "-q", "--cuda-path", toolkit, "--frontend", "nvcc", "examples/boyer/fig1.cu")
		got.expect(t, 1, "error[race]: data race: read and write of s[1]", "examples/boyer/fig1.cu:8", "examples/boyer/fig1.cu:7")
	})
}

// TestToolchainNested compiles launches in device code with nvcc: with the
// second version of dynamic parallelism, with the first, and by nvcc alone.
func TestToolchainNested(t *testing.T) {
	_, toolkit := e2e.Toolchains(t)
	bin := tooltest.Tool(t)
	libs := linkFolder(t, toolkit)
	const first = " -arch=sm_75 -DCUDA_FORCE_CDP1_IF_SUPPORTED -D__CDPRT_SUPPRESS_SYNC_DEPRECATION_WARNING"
	for _, p := range []struct{ name, flags string }{
		{"nested", " -arch=sm_80"}, {"nested_forms", " -arch=sm_80"}, {"nested_streams", " -arch=sm_80"}, {"nested_wait", first},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("testdata", "programs", p.name+".cu")
			args := append(e2e.Options(t, file), "--cuda-path", toolkit, "--frontend", "nvcc", "--std", "c++17",
				"--nvcc-flags=-rdc=true --extended-lambda"+p.flags, file)
			command(t, "", nil, bin, append([]string{"run", "-q"}, args...)...).expect(t, 0, "PASS", ": 0 findings")
		})
	}
	t.Run("nvcc alone", func(t *testing.T) {
		exe := filepath.Join(t.TempDir(), "program")
		command(t, "", nil, filepath.Join(toolkit, "bin", "nvcc"), "-std=c++17", "-rdc=true", "-arch=sm_80", "-cudart", "shared", "-L"+libs,
			"-L"+filepath.Join(toolkit, "lib"), "-lcudadevrt", "-o", exe, filepath.Join("testdata", "programs", "nested_streams.cu")).expect(t, 0)
		command(t, "", nil, bin, "run", exe).expect(t, 0, "PASS", ": 0 findings")
	})
	t.Run("race", func(t *testing.T) {
		command(t, "", nil, bin, "run", "-q", "--cuda-path", toolkit, "--frontend", "nvcc", "--nvcc-flags=-rdc=true -arch=sm_80",
			filepath.Join("internal", "check", "race", "testdata", "nested", "siblings.cu")).
			expect(t, 1, "between child grid fill and child grid two_streams::second", "between two child grids blocks::write", ": 7 findings")
	})
}

func firstError(text string) string {
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "error") || strings.Contains(line, "undefined") {
			return line
		}
	}
	return text
}

// fatbins are ways to build a program with nvcc alone.
var fatbins = []struct {
	name    string
	options []string
	sources []string
	code    int
	want    []string
}{
	{"zstd", nil, []string{"fatbin.cu"}, 0, []string{"fatbin: PASS", "build nvcc"}},
	{"LZ4", []string{"-Xfatbin", "--compress-mode=speed"}, []string{"fatbin.cu"}, 0, []string{"fatbin: PASS"}},
	{"size", []string{"-Xfatbin", "--compress-mode=size"}, []string{"fatbin.cu"}, 0, []string{"fatbin: PASS"}},
	{"plain", []string{"-Xfatbin", "--compress-mode=none"}, []string{"fatbin.cu"}, 0, []string{"fatbin: PASS"}},
	{"several architectures", []string{"-gencode", "arch=compute_75,code=compute_75", "-gencode", "arch=compute_80,code=sm_80",
		"-gencode", "arch=compute_90,code=[compute_90,sm_90]"}, []string{"fatbin.cu"}, 0, []string{"fatbin: PASS"}},
	{"machine code only", []string{"-gencode", "arch=compute_80,code=sm_80"}, []string{"fatbin.cu"}, 5,
		[]string{"only machine code for sm_80 and no PTX", "-gencode arch=compute_80,code=compute_80"}},
	{"relocatable", []string{"-arch=sm_80", "-rdc=true"}, []string{"rdc_main.cu", "rdc_part.cu"}, 0, []string{"rdc: PASS"}},
	{"static runtime", []string{"-cudart", "static", "-gencode", "arch=compute_80,code=compute_80"}, []string{"fatbin.cu"}, 0, []string{"fatbin: PASS"}},
	{"static runtime, stripped", []string{"-cudart", "static", "-Xlinker", "-s"}, []string{"fatbin.cu"}, 0, []string{"fatbin: PASS"}},
	{"static runtime, stripped, at fixed addresses", []string{"-cudart", "static", "-O2", "-Xcompiler", "-O2,-fno-pie", "-Xlinker", "-s,-no-pie"}, []string{"fatbin.cu"}, 0,
		[]string{"fatbin: PASS"}},
	{"static runtime, stripped, relocatable", []string{"-cudart", "static", "-arch=sm_80", "-rdc=true", "-Xlinker", "-s"}, []string{"rdc_main.cu", "rdc_part.cu"}, 5,
		[]string{"NVIDIA's static runtime library", "stripped"}},
	{"stream per thread", []string{"-default-stream", "per-thread"}, []string{"fatbin.cu"}, 0, []string{"fatbin: PASS"}},
}

// TestToolchainFatbin takes PTX out of programs that nvcc built and linked
// with NVIDIA's own runtime library, -cudart shared where the options do not say otherwise.
func TestToolchainFatbin(t *testing.T) {
	_, toolkit := e2e.Toolchains(t)
	bin := tooltest.Tool(t)
	libs := linkFolder(t, toolkit)
	for _, f := range fatbins {
		t.Run(f.name, func(t *testing.T) {
			exe := filepath.Join(t.TempDir(), "program")
			args := append([]string{"-std=c++17", "-L" + libs, "-o", exe}, f.options...)
			if !slices.Contains(f.options, "-cudart") {
				args = append(args, "-cudart", "shared")
			}
			for _, s := range f.sources {
				args = append(args, sourceFile(s))
			}
			command(t, "", nil, filepath.Join(toolkit, "bin", "nvcc"), args...).expect(t, 0)
			got := command(t, "", nil, bin, "run", exe)
			got.expect(t, f.code, f.want...)
			if strings.Contains(got.text, "no version information") {
				t.Errorf("the dynamic linker complains:\n%s", got.text)
			}
		})
	}
}

// linkFolder has the runtime libraries of the toolkit under the names that a
// linker looks for, which the packages leave out.
func linkFolder(t *testing.T, toolkit string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(toolkit, "lib", "libcudart.so.*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s has not one libcudart but %q", toolkit, found)
	}
	dir := t.TempDir()
	for name, file := range map[string]string{"libcudart.so": found[0], "libcudart_static.a": filepath.Join(toolkit, "lib", "libcudart_static.a")} {
		if err := os.Symlink(file, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// wheels are Python packages that bring compilers and launchers of their own, and a program that uses them.
var wheels = []struct {
	packages []string // as the registry spells them
	args     []string
	code     int
	want     []string
}{
	{[]string{"triton"}, []string{"triton_kernels.py"}, 0,
		[]string{"softmax: PASS", "matmul: PASS", "attention: PASS", "sort: PASS", "cumsum: PASS", "bins: PASS", "4 launches", "0 findings"}},
	{[]string{"triton"}, []string{"triton_kernels.py", "race"}, 1, []string{"error[race]", "triton_kernels.py:66:"}},
	{[]string{"triton"}, []string{"triton_replicas.py"}, 0, []string{"scale: PASS", "softmax: PASS", "add one: PASS", "3 launches", "0 findings"}},
	{[]string{"triton"}, []string{"triton_replicas.py", "turn"}, 1, []string{"error[race]", "triton_replicas.py:39:", "1 error"}},
	{[]string{"triton"}, []string{"triton_replicas.py", "spread"}, 1, []string{"error[race]", "triton_replicas.py:45:", "1 error"}},
	{[]string{"triton"}, []string{"triton_replicas.py", "decide"}, 1, []string{"error[race]", "triton_replicas.py:52:", "1 error"}},
	{[]string{"numba-cuda"}, []string{"numba_kernels.py"}, 0, []string{"sums: PASS", "grid barrier: PASS", "histogram: PASS", "0 findings"}},
	{[]string{"numba-cuda"}, []string{"numba_kernels.py", "race"}, 1, []string{"error[race]", "numba_kernels.py:35:", "in kernel racy(float32[::1], float32[::1]), launch 0 at", "add cuda.syncthreads() between"}},
	{[]string{"cupy-cuda13x"}, []string{"cupy_kernels.py"}, 0,
		[]string{"reverse: PASS", "raw: PASS", "elementwise: PASS", "reduction: PASS", "sum: PASS", "fuse: PASS", "libraries: PASS", "0 findings"}},
	{[]string{"cupy-cuda13x"}, []string{"cupy_overrun.py"}, 1, []string{"error[memory]", "0 bytes after the end of the nearest allocation"}},
	{[]string{"cupy-cuda13x"}, []string{"cupy_kernels.py", "race"}, 1, []string{"error[race]", "read and write of s[31]", "launch 1 at", "add __syncthreads()"}},
	{[]string{"cupy-cuda13x"}, []string{"cupy_libraries.py"}, 0,
		[]string{"matrix product: PASS", "matrix and vector: PASS", "fft: PASS", "rfft: PASS", "solve: PASS", "cholesky: PASS", "qr: PASS", "svd: PASS", "eigh: PASS",
			"sparse product: PASS", "random: PASS", "0 findings"}},
	{[]string{"nvidia-cuda-nvrtc"}, []string{"nvrtc_kernel.py"}, 0, []string{"nvrtc: PASS", "0 findings"}},
	{[]string{"cuda-bindings"}, []string{"cuda_bindings.py"}, 0, []string{"saxpy: PASS", "graph: PASS", "0 findings"}},
	{[]string{"cuda-bindings"}, []string{"cuda_runtime.py"}, 0, []string{"copies: PASS", "kernel: PASS", "1 launch,", "0 findings"}},
	{[]string{"warp-lang"}, []string{"warp_kernels.py"}, 0, []string{"saxpy: PASS", "atomics: PASS", "scan: PASS", "sort: PASS", "6 launches", "0 findings"}},
	{[]string{"warp-lang"}, []string{"warp_kernels.py", "past"}, 1, []string{"error[memory]: global read of 4 bytes", "warp_kernels.py:28", "in library code: warp/native/array.h", "of 400 bytes"}},
}

var updateWheels = flag.Bool("update-wheels", false, "write the table of Python packages in docs/TOOLCHAINS.md")

// TestToolchainPython runs Triton, Numba and CuPy with their own compilers and launchers, on our driver library,
// and makes the table of what was run.
func TestToolchainPython(t *testing.T) {
	venv, _ := e2e.Toolchains(t)
	bin := tooltest.Tool(t)
	cache := t.TempDir()
	rows := []string{"| package | program | results | launches | errors | warnings | infos |", "| --- | --- | --- | --- | --- | --- | --- |"}
	for _, w := range wheels {
		t.Run(strings.Join(w.args, " "), func(t *testing.T) {
			saved := filepath.Join(t.TempDir(), "report.json")
			args := append([]string{"run", "-q", "--save", saved, filepath.Join(venv, "bin", "python"), "--"}, w.args...)
			got := command(t, filepath.Dir(sourceFile("x")), []string{"TRITON_CACHE_DIR=" + cache, "PYTHONDONTWRITEBYTECODE=1"}, bin, args...)
			got.expect(t, w.code, w.want...)
			rows = append(rows, wheelRow(t, venv, saved, w.packages, w.args, w.want))
		})
	}
	if t.Failed() || !*updateWheels || len(rows) != len(wheels)+2 { // -run may choose some
		return
	}
	const begin, end, page = "<!-- wheels -->\n", "<!-- end of wheels -->\n", "docs/TOOLCHAINS.md"
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", page)
	}
	if err := os.WriteFile(page, []byte(before+begin+strings.Join(rows, "\n")+"\n"+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}

// wheelRow is what one program did, for the table.
func wheelRow(t *testing.T, venv, saved string, packages, args, want []string) string {
	t.Helper()
	var versions []string
	for _, name := range packages {
		folder := strings.ReplaceAll(name, "-", "_") + "-*.dist-info"
		found, err := filepath.Glob(filepath.Join(venv, "lib", "python3*", "site-packages", folder))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s is installed as %q", name, found)
		}
		_, version, _ := strings.Cut(strings.TrimSuffix(filepath.Base(found[0]), ".dist-info"), "-")
		versions = append(versions, name+" "+version)
	}
	var report struct {
		Summary struct{ Launches, Errors, Warnings, Infos int }
	}
	data, err := os.ReadFile(saved)
	if err == nil {
		err = json.Unmarshal(data, &report)
	}
	if err != nil {
		t.Fatal(err)
	}
	var passed []string
	for _, text := range want {
		if name, ok := strings.CutSuffix(text, ": PASS"); ok {
			passed = append(passed, name)
		}
	}
	results := "a mistake on purpose"
	if len(passed) > 0 {
		results = fmt.Sprintf("%d of %d right: %s", len(passed), len(passed), strings.Join(passed, ", "))
	}
	s := report.Summary
	return fmt.Sprintf("| %s | `%s` | %s | %d | %d | %d | %d |", strings.Join(versions, ", "), strings.Join(args, " "), results,
		s.Launches, s.Errors, s.Warnings, s.Infos)
}

// TestToolchainPytest installs the plugin for pytest from the tree and runs tests with Numba kernels: findings
// fail the tests that launched, and no others.
func TestToolchainPytest(t *testing.T) {
	venv, _ := e2e.Toolchains(t)
	bin, err := filepath.Abs(tooltest.Tool(t))
	if err != nil {
		t.Fatal(err)
	}
	plugin, site := filepath.Join(t.TempDir(), "plugin"), t.TempDir()
	if err := os.CopyFS(plugin, os.DirFS(filepath.Join("python", "pytest-warpgrind"))); err != nil { // setuptools builds in the folder
		t.Fatal(err)
	}
	python := filepath.Join(venv, "bin", "python")
	command(t, "", nil, python, "-m", "pip", "install", "--quiet", "--no-deps", "--target", site, plugin).expect(t, 0)
	env := []string{"WARPGRIND=" + bin, "PYTHONPATH=" + site, "PYTHONDONTWRITEBYTECODE=1"}
	run := func(args ...string) ran {
		args = append([]string{"-m", "pytest", "-p", "no:cacheprovider", "--warpgrind"}, args...)
		return command(t, sourceFile("pytest"), env, python, args...)
	}
	run().expect(t, 1,
		"FAILED test_kernels.py::test_racy - error[race]: data race: read and write of", "launched at test_kernels.py:33, in launch",
		"test_kernels.py:23: read by", "FAILED test_kernels.py::test_wrong_result[2] - assert",
		"ERROR test_kernels.py::test_in_fixture - error[memory]:", "launched at test_kernels.py:40, in written",
		"2 failed, 3 passed, 1 skipped, 1 xfailed, 1 error", "6 launches checked: 2 errors")
	run("-k", "test_turn or test_no_kernel").expect(t, 0, "2 passed", "1 launch checked: 0 errors")
	run("no_such_file.py").expect(t, 4, "file or directory not found: no_such_file.py")
}
