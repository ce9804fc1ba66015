package warpgrind_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/finding"
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

// TestExplainedDefects runs the examples of the correctness rules' documentation:
// the rule finds the defect of the first one, and nothing in the repaired one.
func TestExplainedDefects(t *testing.T) {
	bin := tool(t)
	for id, program := range explainedDefects {
		rule, ok := registry.Find(id)
		if !ok {
			t.Fatalf("no rule %s", id)
		}
		for name, text := range map[string]string{"example": rule.Example, "fixed": rule.Fixed} {
			t.Run(id+" "+name, func(t *testing.T) {
				t.Parallel()
				file := filepath.Join(t.TempDir(), "k.cu")
				if err := os.WriteFile(file, []byte(strings.Replace(program, "EXAMPLE", text, 1)), 0o666); err != nil {
					t.Fatal(err)
				}
				out, findings := runJSON(t, bin, "--tool", id, file)
				found := slices.ContainsFunc(findings, func(f finding.Finding) bool { return f.Rule == id && f.Level == finding.Error })
				if exit := map[bool]int{false: 0, true: 1}[name == "example"]; out.exit != exit || found != (exit == 1) || exit == 0 && len(findings) > 0 {
					t.Errorf("exit code %d, findings:\n%s%s", out.exit, show(findings), out.stderr)
				}
			})
		}
	}
}
