package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/warpgrind/warpgrind/internal/clang"
)

// job is one run of a benchmark program: the kernel at size n, so many
// repetitions after so many warm-ups.
type job struct {
	kernel           string
	n, reps, warmups int
}

func (j job) args() []string {
	return []string{j.kernel, strconv.Itoa(j.n), strconv.Itoa(j.reps), strconv.Itoa(j.warmups)}
}

// result is what a run says: the best kernel time, checksums of the output,
// the peak memory in bytes and, from warpgrind, the thread instructions of
// one repetition.
type result struct {
	seconds, sum, weighted float64
	memory                 int64
	instructions           uint64
}

// runner runs a job in one way.
type runner func(context.Context, job) (result, error)

// buildCUDA compiles the benchmark as "warpgrind run" does and returns the
// executable, so that measurements do not compile.
func buildCUDA(ctx context.Context, file, dir string) (string, error) {
	tc, err := clang.Find("")
	if err != nil {
		return "", err
	}
	res, err := tc.Build(ctx, clang.Options{Sources: []string{file}, WorkDir: dir})
	if err != nil {
		return "", err
	}
	return res.Exe, nil
}

// buildPeers compiles the host programs of the peers and notes what is not
// to be had.
func (b *bench) buildPeers(ctx context.Context) {
	b.c, b.noC = b.compile(ctx, "scalar.c", "-fno-tree-vectorize")
	if b.cfg.quick {
		return
	}
	b.ocl, b.noPoCL = b.compile(ctx, "ocl_host.c", "-lOpenCL")
	b.noOclgrind = b.noPoCL
	if icd, _ := filepath.Glob("/etc/OpenCL/vendors/pocl*.icd"); b.noPoCL == "" && len(icd) == 0 {
		b.noPoCL = "not installed"
	}
	if _, err := exec.LookPath("oclgrind"); b.noOclgrind == "" && err != nil {
		b.noOclgrind = "not installed"
	}
}

// compile builds a C program with -O2 by the first compiler there is, and
// returns the executable or why there is none.
func (b *bench) compile(ctx context.Context, file string, flags ...string) (exe, missing string) {
	for _, cc := range []string{"gcc", "clang", "clang-19", "cc"} {
		if _, err := exec.LookPath(cc); err != nil {
			continue
		}
		exe = filepath.Join(b.dir, strings.TrimSuffix(file, ".c"))
		args := append([]string{"-O2", "-o", exe, filepath.Join(b.cfg.kernels, file)}, flags...)
		out, err := exec.CommandContext(ctx, cc, append(args, "-lm")...).CombinedOutput()
		if err != nil {
			return "", cc + " cannot build it: " + firstLine(string(out))
		}
		return exe, ""
	}
	return "", "no C compiler"
}

// execute runs a command and reads its result line.
func execute(cmd *exec.Cmd) (result, error) {
	var r result
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, firstLine(stderr.String()))
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.memory = usage.Maxrss * 1024 // Linux: in kilobytes, see getrusage(2)
	}
	for line := range strings.Lines(string(out)) {
		if n, _ := fmt.Sscanf(line, "RESULT %g %g %g", &r.seconds, &r.sum, &r.weighted); n == 3 {
			return r, nil
		}
	}
	return r, fmt.Errorf("%s printed no result", filepath.Base(cmd.Path))
}

// warp runs the CUDA program under warpgrind with some rules.
func (b *bench) warp(tools string) runner {
	return func(ctx context.Context, j job) (result, error) {
		return b.underWarpgrind(ctx, tools, j, nil)
	}
}

// warpIn is warp with all correctness checks for a program with a stream, or with managed memory; see bench.cu.
func (b *bench) warpIn(in string) runner {
	return func(ctx context.Context, j job) (result, error) {
		return b.underWarpgrind(ctx, "default", j, []string{"BENCH_IN=" + in})
	}
}

func (b *bench) underWarpgrind(ctx context.Context, tools string, j job, env []string) (result, error) {
	file := filepath.Join(b.dir, "report.json")
	args := append([]string{"run", "--tool", tools, "--format", "json", "-o", file, b.cuda, "--"}, j.args()...)
	cmd := exec.CommandContext(ctx, b.warpgrind, args...)
	cmd.Env = append(append(os.Environ(), "WARPGRIND_SIMD="+b.simd), env...)
	r, err := execute(cmd)
	if err != nil {
		return r, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return r, err
	}
	var report struct {
		Summary struct{ Instructions, Errors uint64 }
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return r, err
	}
	if report.Summary.Errors > 0 {
		return r, fmt.Errorf("%d errors found in a correct kernel", report.Summary.Errors)
	}
	r.instructions = report.Summary.Instructions / uint64(j.reps+j.warmups)
	return r, nil
}

func (b *bench) scalar(ctx context.Context, j job) (result, error) {
	return execute(exec.CommandContext(ctx, b.c, j.args()...))
}

// pocl runs the OpenCL program on PoCL's native CPU device, on all cores.
func (b *bench) pocl(ctx context.Context, j job) (result, error) {
	cmd := exec.CommandContext(ctx, b.ocl, j.args()...)
	cmd.Env = append(os.Environ(), "BENCH_KERNELS="+b.kernels, "OCL_ICD_VENDORS=pocl.icd",
		"POCL_DEVICES=pthread", "POCL_CACHE_DIR="+filepath.Join(b.dir, "pocl"))
	return execute(cmd)
}

// oclgrind runs the OpenCL program under Oclgrind.
func (b *bench) oclgrind(flags ...string) runner {
	return func(ctx context.Context, j job) (result, error) {
		args := append(append(append([]string{}, flags...), b.ocl), j.args()...)
		cmd := exec.CommandContext(ctx, "oclgrind", args...)
		cmd.Env = append(os.Environ(), "BENCH_KERNELS="+b.kernels)
		return execute(cmd)
	}
}
