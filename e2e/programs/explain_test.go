package programs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// explainedDefects are programs around the examples of "warpgrind explain" of the
// correctness rules: EXAMPLE is replaced by the text.
var explainedDefects = map[string]string{
	"memory": `
EXAMPLE
int main() {
    float *a;
    cudaMalloc(&a, 1000 * sizeof *a), cudaMemset(a, 0, 1000 * sizeof *a);
    scale<<<4, 256>>>(a, 1000);
    return cudaDeviceSynchronize(), 0;
}`,
	"init": `
EXAMPLE
int main() {
    int *key;
    cudaMalloc(&key, 512 * sizeof *key), cudaMemset(key, 0, 512 * sizeof *key);
    histogram(key, 512);
    return cudaDeviceSynchronize(), 0;
}`,
	"sync": `
EXAMPLE
int main() {
    int *out;
    cudaMalloc(&out, 64 * sizeof *out);
    clear<<<1, 64>>>(out);
    return cudaDeviceSynchronize(), 0;
}`,
	"hang": `
EXAMPLE
int main() {
    int *m;
    cudaMalloc(&m, 64 * sizeof *m), cudaMemset(m, 0, 64 * sizeof *m);
    wait<<<1, 32>>>(m, m + 32);
    return cudaDeviceSynchronize(), 0;
}`,
	"launch": `
__global__ void kernel(int *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 1; }
__global__ void other() {}
int main() {
    int *a, n = 200;
    cudaMalloc(&a, n * sizeof *a);
    EXAMPLE
    other<<<1, 1>>>();
    return cudaDeviceSynchronize(), 0;
}`,
	"assert": `
#include <cassert>
__global__ void kernel(int *a, int n) {
    int i = threadIdx.x;
    EXAMPLE
    a[i] = 1;
}
int main() {
    int *a;
    cudaMalloc(&a, 128);
    kernel<<<1, 64>>>(a, 32);
    return cudaDeviceSynchronize(), 0;
}`,
}

// explained are programs around the examples of "warpgrind explain": EXAMPLE is
// replaced by the text.
var explained = map[string]string{
	"bank": `
__global__ void k(float *out) {
    EXAMPLE
    for (int i = threadIdx.x; i < sizeof tile / 4; i += 32) (&tile[0][0])[i] = i;
    out[threadIdx.x] = v + tile[threadIdx.x][1];
}
int main() { float *d; cudaMalloc(&d, 4096); k<<<1, 32>>>(d); return cudaDeviceSynchronize() != cudaSuccess; }`,
	"coalesce": `
EXAMPLE
int main() {
    char *d;
    cudaMalloc(&d, 65536), cudaMemset(d, 0, 65536);
    #ifdef FIXED
    norm<<<4, 64>>>((float *)d, (float *)d + 256, (float *)d + 512);
    #else
    norm<<<4, 64>>>((Point *)d, (float *)d + 8192);
    #endif
    return cudaDeviceSynchronize() != cudaSuccess;
}`,
	"constant": `
EXAMPLE
int main() {
    float *d;
    cudaMalloc(&d, 8192), cudaMemset(d, 0, 8192);
    #ifdef FIXED
    apply<<<4, 64>>>(d, d + 1024);
    #else
    apply<<<4, 64>>>(d);
    #endif
    return cudaDeviceSynchronize() != cudaSuccess;
}`,
	"divergence": `
EXAMPLE
int main() {
    float *d;
    cudaMalloc(&d, 8192), cudaMemset(d, 0, 8192);
    sum<<<1, 256>>>(d);
    return cudaDeviceSynchronize() != cudaSuccess;
}`,
}

// runExamples runs the examples of the rules' documentation and their repaired
// forms, each in its program, which is compiled with -DBROKEN or -DFIXED.
func runExamples(t *testing.T, programs map[string]string, judge func(t *testing.T, id string, fixed bool, out e2e.Outcome, findings []finding.Finding)) {
	bin := tooltest.Tool(t)
	for id, program := range programs {
		rule, ok := registry.Find(id)
		if !ok {
			t.Fatalf("no rule %s", id)
		}
		for state, text := range map[string]string{"BROKEN": rule.Example, "FIXED": rule.Fixed} {
			t.Run(id+" "+strings.ToLower(state), func(t *testing.T) {
				t.Parallel()
				file := filepath.Join(t.TempDir(), "k.cu")
				source := "#include <cuda_runtime.h>\n" + strings.Replace(program, "EXAMPLE", text, 1)
				if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
					t.Fatal(err)
				}
				out, findings := e2e.RunJSON(t, bin, "--tool", id, "-D"+state, file)
				judge(t, id, state == "FIXED", out, findings)
			})
		}
	}
}

// TestExplainedDefects: the correctness rules find the defect of their examples,
// and nothing in the repaired ones.
func TestExplainedDefects(t *testing.T) {
	runExamples(t, explainedDefects, func(t *testing.T, id string, fixed bool, out e2e.Outcome, findings []finding.Finding) {
		found := slices.ContainsFunc(findings, func(f finding.Finding) bool { return f.Rule == id && f.Level == finding.Error })
		if fixed && (out.Exit != 0 || len(findings) > 0) || !fixed && (out.Exit != 1 || !found) {
			t.Errorf("exit code %d, findings:\n%s%s", out.Exit, e2e.Show(findings), out.Stderr)
		}
	})
}

// TestExplained: the performance rules warn of their examples, and not of the
// repaired ones.
func TestExplained(t *testing.T) {
	runExamples(t, explained, func(t *testing.T, id string, fixed bool, out e2e.Outcome, findings []finding.Finding) {
		warns := slices.ContainsFunc(findings, func(f finding.Finding) bool { return f.Level == finding.Warning })
		if out.Exit != 0 || warns == fixed {
			t.Errorf("exit code %d, findings:\n%s%s", out.Exit, e2e.Show(findings), out.Stderr)
		}
	})
}
