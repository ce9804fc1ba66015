package examine

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/tooltest"
	"github.com/warpgrind/warpgrind/internal/trial"
)

// examplesProgram has kernels with findings. The comments are what a run of each example comes to.
const examplesProgram = `__global__ void shift(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i + 1]; // race confirmed
}
__global__ void reversed(float *a) {
  __shared__ float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = s[63 - threadIdx.x]; // race confirmed
}
__global__ void table(int *out, int k) {
  __shared__ int t[32];
  t[threadIdx.x + k] = 1; // memory confirmed
}
struct Sizes { int n, m; };
__global__ void members(int *a, Sizes s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.n) a[i] = a[i + 1]; // race confirmed
}
struct View { int count; int *data; float scale; };
__global__ void viewed(View v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < v.count) v.data[i] = v.data[i + 1]; // race confirmed
}
__device__ int counts[64];
__global__ void global(int n) {
  int i = threadIdx.x;
  if (i < n) counts[i] = counts[i + 1]; // race confirmed
}
__global__ void apart(View v, View w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < v.count) v.data[i] = v.data[i] + 1;
}
__global__ void hidden(int *a, int n) {
  __shared__ int s[64];
  s[threadIdx.x % 64] = a[threadIdx.x];
  __syncthreads();
  if (n == 7) asm volatile("exit;");
  a[threadIdx.x] = s[threadIdx.x % 64];
}
__global__ void ordered(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] + 1;
}
__global__ void allocated(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = n; // memory confirmed
}
__global__ void last(float *sums, const float *a, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  sums[blockIdx.x] = s[n - 1]; // race possible
}
__global__ void mixed(float *a, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) a[x * w + y] = x; // race confirmed
}
void host(int n) {
  int *a;
  cudaMalloc(&a, n * sizeof *a);
  allocated<<<(n + 63) / 64, 64>>>(a, n);
  cudaFree(a);
  float *b;
  cudaMalloc(&b, 8ll * n * n);
  mixed<<<dim3((n + 15) / 16, (2 * n + 15) / 16), dim3(16, 16)>>>(b, n, 2 * n);
  cudaFree(b);
}
`

// TestConfirm: what a run of an example shows is an error, and no other finding is one.
func TestConfirm(t *testing.T) {
	tooltest.NeedsClang(t)
	tooltest.NeedsZ3(t)
	file := filepath.Join(t.TempDir(), "a.cu")
	if err := os.WriteFile(file, []byte(examplesProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	cfg := StaticConfig{Config: session.Config{Config: build.Config{Inputs: []string{file}}, RunConfig: session.RunConfig{Stderr: io.Discard}, CheckConfig: session.CheckConfig{Tools: "race,memory"}}, Confirm: true}
	cfg.Record = t.TempDir()
	r, err := CheckStatic(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(examplesProgram, "\n")
	var want, got []string
	for _, l := range lines {
		if _, w, ok := strings.Cut(l, "// "); ok {
			want = append(want, l+" "+w)
		}
	}
	for _, f := range r.Findings {
		l := lines[f.Primary.Loc.Line-1]
		got = append(got, l+" "+f.Rule+" "+f.Confidence)
		if f.Confidence == finding.Confirmed && !recordedAgain(t, f) {
			t.Errorf("%s: no capsule shows it again: %q", l, f.Notes)
		}
		if strings.Contains(l, "x * w + y") && !strings.Contains(strings.Join(f.Notes, "\n"), "<<<(1,1,1), (16,16,1)>>> with w = 2, h = 4") {
			t.Errorf("%s: not the smallest launch: %q", l, f.Notes)
		}
		if (f.Level == finding.Error) != (f.Confidence == finding.Confirmed) {
			t.Errorf("%s: %v, %s", l, f.Level, f.Confidence)
		}
	}
	for _, w := range want {
		found := false
		for _, g := range got {
			found = found || g == w
		}
		if !found {
			t.Errorf("missing: %s", w)
		}
	}
	if r.Exit != session.ExitFindings || t.Failed() {
		t.Errorf("exit %d:\n%s", r.Exit, strings.Join(got, "\n"))
	}

	cfg.Confirm, cfg.Record = false, ""
	if r, err = CheckStatic(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Confidence == finding.Confirmed || f.Level == finding.Error {
			t.Errorf("not asked to run: %+v", f)
		}
	}
}

// recordedAgain replays the capsule that a finding names, and reports whether it shows the finding.
func recordedAgain(t *testing.T, f *finding.Finding) bool {
	t.Helper()
	for _, n := range f.Notes {
		if _, file, ok := strings.Cut(n, "warpgrind replay "); ok {
			r, err := trial.Replay(context.Background(), file, session.Config{RunConfig: session.RunConfig{Stdout: io.Discard, Stderr: io.Discard}, CheckConfig: session.CheckConfig{Tools: f.Rule}}, trial.Expected{})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range r.Findings {
				if o.Rule == f.Rule && o.Level == finding.Error && atSameLines(o, f) {
					return true
				}
			}
		}
	}
	return false
}
