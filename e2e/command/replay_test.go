package command

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
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
		on      bool // and all launches after it
		sample  string
	}{
		{"examples/basic/transpose.cu", 0, false, "2"},
		{"examples/bugs/missing_barrier.cu", 0, false, ""}, {"examples/bugs/misaligned.cu", 0, false, ""}, {"examples/bugs/oob_write.cu", 0, false, ""},
		{"examples/bugs/use_after_free.cu", 0, false, ""}, {"examples/bugs/divergent_barrier.cu", 0, false, ""}, {"examples/bugs/oob_surface.cu", 0, false, ""},
		{"examples/texture/modes.cu", 1, false, ""}, {"examples/boyer/fig1.cu", 0, false, ""}, {"testdata/programs/function_pointers.cu", 0, false, ""},
		{"testdata/programs/cooperative.cu", 0, false, ""}, {"testdata/defects/undefined_across_launches.cu", 2, false, ""},
		{"testdata/replay/childgrids.cu", 1, true, ""}, {"testdata/replay/childgrids.cu", 1, false, ""}, {"testdata/programs/nested_streams.cu", 0, false, ""}, {"testdata/programs/nested.cu", 0, false, ""}, {"testdata/programs/nested_forms.cu", 0, false, ""},
		{"testdata/programs/nested_wait.cu", 0, false, ""},
	} {
		t.Run(filepath.Base(c.program), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			count, sample := "1", cmp.Or(c.sample, "1/1")
			if c.on {
				count = "0"
			}
			_, ran := e2e.RunOnce(t, bin, "-q", "--tool", "race,memory,init,sync,launch,bank,coalesce",
				"--launch-skip", fmt.Sprint(c.launch), "--launch-count", count, "--sample", sample, "--record", dir, c.program)
			list, err := filepath.Glob(filepath.Join(dir, fmt.Sprintf("launch-%04d-*.json", c.launch)))
			if err != nil || len(list) != 1 {
				t.Fatalf("recorded %v, %v", list, err)
			}
			out := e2e.Invoke(t, bin, "replay", "-q", "--expect", "--format", "json", list[0])
			if replayed := out.Findings(t); !reflect.DeepEqual(ran, replayed) {
				t.Errorf("replayed:\n%v\nran:\n%v", replayed, ran)
			}
			if !bytes.Contains(out.Report, []byte("outputs are as expected")) {
				t.Errorf("the outputs differ: %s", out.Report)
			}
		})
	}
}

// TestRecordTouched: of much memory a capsule has what the launch accesses, and a replay finds the same and
// writes the same; one that accesses other memory is not taken for exact.
func TestRecordTouched(t *testing.T) {
	if testing.Short() {
		t.Skip("runs CUDA programs; not in short mode")
	}
	bin := tooltest.Tool(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "touched.cu")
	const source = `#include <cuda_runtime.h>
#include <cstdlib>
__device__ int turn;
__global__ void pick(const int* in, int* out, const int* fresh) {
    __shared__ int k;
    if (threadIdx.x == 0) k = atomicAdd(&turn, 1);
    __syncthreads();
    size_t i = size_t(k * 7 + blockIdx.x * 31) * 65536 + threadIdx.x;  // which depends on the order
    out[i] = in[i] + k;
    if (blockIdx.x == 3 && fresh[threadIdx.x] > 3) out[1] = 1;  // uninitialized
}
int main() {
    const size_t n = 64 << 20;
    int *in, *out, *fresh, *h = (int*)malloc(n);
    unsigned x = 1;
    for (size_t i = 0; i < n / 4; i++) h[i] = x = x * 1664525u + 1013904223u;
    cudaMalloc(&in, n);
    cudaMalloc(&out, n);
    cudaMalloc(&fresh, n);
    cudaMemcpy(in, h, n, cudaMemcpyHostToDevice);
    cudaMemcpy(out, h, n, cudaMemcpyHostToDevice);
    pick<<<4, 64>>>(in, out, fresh);
    pick<<<1, 64>>>(in, out, fresh);
    return cudaDeviceSynchronize() == 1;
}
`
	if err := os.WriteFile(program, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	caps := filepath.Join(dir, "caps")
	_, ran := e2e.RunOnce(t, bin, "-q", "--record", caps, "--launches", "0,nothing*", program)
	file := filepath.Join(caps, "launch-0000-pick.json")
	if list, _ := filepath.Glob(filepath.Join(caps, "*.json")); len(list) != 1 {
		t.Fatalf("--launches recorded %v", list)
	}
	if size := sizeOf(t, caps); size > 8<<20 {
		t.Errorf("the capsule has %d bytes", size)
	}
	replayed := e2e.Invoke(t, bin, "replay", "-q", "--format", "json", "--expect", file)
	if found := replayed.Findings(t); !reflect.DeepEqual(ran, found) || !bytes.Contains(replayed.Report, []byte("outputs are as expected")) {
		t.Errorf("replayed:\n%v\nran:\n%v\n%.2000s", found, ran, replayed.Report)
	}
	other := e2e.Invoke(t, bin, "replay", "-q", "--expect", "--tool", "race", "--schedule", "reverse", file)
	for _, want := range []string{"not exact: the launch accessed", "output differs: "} {
		if !bytes.Contains(other.Report, []byte(want)) {
			t.Errorf("no %q in another order: %s", want, other.Report)
		}
	}
	if inexact := e2e.Invoke(t, bin, "replay", "-q", "--tool", "race", "--schedule", "reverse", file); inexact.Exit != 7 {
		t.Errorf("a replay that is not exact exits with %d: %s", inexact.Exit, inexact.Report)
	}
	if refused := e2e.Invoke(t, bin, "replay", "-q", "--expect="+program, file); refused.Exit != 2 || !strings.Contains(refused.Stderr, "--record-memory all") {
		t.Errorf("compared with contents that it does not have: exit code %d: %s", refused.Exit, refused.Stderr)
	}
}

// TestExpect compares a replay with buffers that a run dumped.
func TestExpect(t *testing.T) {
	if testing.Short() {
		t.Skip("runs CUDA programs; not in short mode")
	}
	bin := tooltest.Tool(t)
	dir := t.TempDir()
	e2e.RunOnce(t, bin, "-q", "--record", dir, "--dump-buffers", filepath.Join(dir, "dump"), "examples/boyer/fig1_fixed.cu")
	file := filepath.Join(dir, "launch-0000-kernel.json")
	dumps, err := filepath.Glob(filepath.Join(dir, "dump", "*.txt"))
	if err != nil || len(dumps) == 0 {
		t.Fatal("no dumps", err)
	}
	wrong := filepath.Join(dir, filepath.Base(dumps[0]))
	text, err := os.ReadFile(dumps[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(wrong, bytes.Replace(text, []byte("\n5\n"), []byte("\n5.5\n"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		expect string
		flags  []string
		exit   int
	}{{"", nil, 0}, {"=" + dumps[0], nil, 0}, {"=" + filepath.Join(dir, "dump"), nil, 0}, {"=" + wrong, nil, 1}, {"=" + wrong, []string{"--abs", "0.6"}, 0}, {"=" + dir + "/none", nil, 2}} {
		out := e2e.Invoke(t, bin, "replay", append(c.flags, "-q", "--expect"+c.expect, file)...)
		if out.Exit != c.exit {
			t.Errorf("--expect%s %v: exit code %d, want %d: %s%s", c.expect, c.flags, out.Exit, c.exit, out.Report, out.Stderr)
		}
	}
}

// sizeOf is the size of all files below a directory in bytes.
func sizeOf(t *testing.T, dir string) (n int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		st, err := d.Info()
		if err == nil {
			n += st.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestRecordNeighbors: a capsule names the launches that may run at the same time, and no others.
func TestRecordNeighbors(t *testing.T) {
	if testing.Short() {
		t.Skip("runs CUDA programs; not in short mode")
	}
	bin := tooltest.Tool(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "streams.cu")
	const source = `#include <cuda_runtime.h>
__global__ void one(int* p) { p[threadIdx.x] = 1; }
__global__ void two(int* p) { p[threadIdx.x] = 2; }
int main() {
    int *p, *q;
    cudaMalloc(&p, 256); cudaMalloc(&q, 256);
    cudaStream_t a, b; cudaEvent_t e;
    cudaStreamCreate(&a); cudaStreamCreate(&b); cudaEventCreate(&e);
    one<<<1, 64, 0, a>>>(p);              // 0
    two<<<1, 64, 0, b>>>(q);              // 1: not ordered with 0
    cudaEventRecord(e, a); cudaStreamWaitEvent(b, e, 0);
    two<<<1, 64, 0, b>>>(p);              // 2: after 1 and 0
    cudaDeviceSynchronize();
    one<<<1, 64, 0, a>>>(p);              // 3: after all
    one<<<1, 64>>>(p);                    // 4: after all
}
`
	if err := os.WriteFile(program, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	e2e.RunOnce(t, bin, "-q", "--record", dir, program)
	for name, want := range map[string]string{
		"0000-one": "", "0001-two": "not ordered with launch 0 (one(int*))", "0002-two": "after launch 1 (two(int*))",
		"0003-one": "after launch 0 (one(int*))", "0004-one": "",
	} {
		out, code := in(t, dir, nil, bin, "capsule", "show", "launch-"+name+".json")
		near := regexp.MustCompile(`(?m)^  ((?:after|not ordered|may overlap).*?\)\)).*$`).FindAllStringSubmatch(out, -1)
		got := ""
		if len(near) > 0 {
			got = near[0][1]
		}
		if code != 0 || got != want || len(near) > 1 {
			t.Errorf("%s: %q, want %q: %s", name, near, want, out)
		}
	}
}

// TestListLaunches: the list is the launches in their order, and standard output has nothing else.
func TestListLaunches(t *testing.T) {
	if testing.Short() {
		t.Skip("runs CUDA programs; not in short mode")
	}
	bin := tooltest.Tool(t)
	cmd := exec.Command(bin, "run", "-q", "--list-launches", "examples/boyer/fig1.cu")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	type launch struct {
		ID         int
		KernelName string `json:"kernel_name"`
		Where      string
		Block      struct{ X int }
		Arguments  []struct{ Type, Buffer string }
	}
	var l launch
	if err := json.Unmarshal(out, &l); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if l.ID != 0 || l.KernelName != "kernel(int*)" || l.Where == "" || l.Block.X != 64 || len(l.Arguments) != 1 || !strings.Contains(l.Arguments[0].Buffer, "256 bytes") {
		t.Errorf("%s is read as %+v", out, l)
	}
}

// TestReportedFidelity: what is computed approximately is listed with its executions.
func TestReportedFidelity(t *testing.T) {
	if testing.Short() {
		t.Skip("runs CUDA programs; not in short mode")
	}
	bin := tooltest.Tool(t)
	program := filepath.Join(t.TempDir(), "a.cu")
	const source = `__global__ void k(float* p) { p[threadIdx.x] = __sinf(p[threadIdx.x]) + 1; }
int main() { float* p; cudaMalloc(&p, 256); cudaMemset(p, 0, 256); k<<<1, 64>>>(p); return cudaDeviceSynchronize(); }
`
	if err := os.WriteFile(program, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	out := e2e.Run(t, bin, "-q", "--fidelity", "--format", "json", program)
	var r struct {
		Fidelity struct {
			Exact                    int
			Approximate, Unsupported []struct {
				Instruction string
				Warps       int
			}
		}
	}
	if err := json.Unmarshal(out.Report, &r); err != nil {
		t.Fatal(err)
	}
	f := r.Fidelity
	if f.Exact < 10 || len(f.Unsupported) != 0 || len(f.Approximate) != 1 || !strings.HasPrefix(f.Approximate[0].Instruction, "sin.approx") || f.Approximate[0].Warps != 2 {
		t.Errorf("%+v", f)
	}
}
