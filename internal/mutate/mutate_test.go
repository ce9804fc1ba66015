package mutate

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

const program = `// if (i < n) __syncthreads();
#define N 4 // if (t < 3)
__device__ int total = 3;
__device__ int twice(int x);
__global__ void k(int *a, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = 0; /* s[t] = 1; */
    s[t] = t;
    __syncthreads();
    if (i < n && t > 0) a[i] = s[t - 1];
    if (i >= n) return;
    if (n > 3) a[0] = 1;
    if (s[t] < 3) a[i] = 2;
    int v = i + 1 < n ? a[i + 1] : 0;
    printf("if (i < n) __syncthreads();");
    __threadfence();
    int any = __syncthreads_or(v);
    cg::this_thread_block().sync();
    block.sync();
    __syncwarp(0xff);
}
int main() {
    int i = threadIdx_x;
    if (i < n) return 1;
    CHECK(cudaMemset(d, 0, 4 * n));
    cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice);
    cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);
    expect(cudaMemset(nullptr, 0, 4), cudaErrorInvalidValue);
}
`

func TestAll(t *testing.T) {
	want := `8 initialization: s[t] = 0
10 barrier: __syncthreads()
11 bounds check: (i < n && t > 0)
12 bounds check: (i >= n)
13 initialization: a[0] = 1
14 initialization: a[i] = 2
15 bounds check: i + 1 < n
17 fence: __threadfence()
20 barrier: block.sync()
21 __syncwarp: __syncwarp(0xff)
26 initialization: cudaMemset(d, 0, 4 * n)
27 initialization: cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice)
`
	var got strings.Builder
	for _, m := range All([]byte(program)) {
		fmt.Fprintf(&got, "%d %s: %s\n", m.Line, m.Kind, m.Removed)
		if a, b := bytes.Count(m.Text, []byte("\n")), strings.Count(program, "\n"); a != b {
			t.Errorf("%s: %d lines, want %d", m.Removed, a, b)
		}
		if bytes.Equal(m.Text, []byte(program)) {
			t.Errorf("%s: nothing is changed", m.Removed)
		}
	}
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

func TestEdits(t *testing.T) {
	for _, tc := range []struct{ src, want string }{
		{"__global__ void k(int n) { if (threadIdx.x < n) f(); }", "if (true) f();"},
		{"__global__ void k(int n) { if (threadIdx.x >= n) return; f(); }", "if (false) return;"},
		{"__global__ void k(int n) { int t = threadIdx.x; x = t < n ? 1 : 0; }", "x = true ? 1 : 0;"},
		{"__global__ void k(int n) { for (;;) __syncthreads(); }", "for (;;) ;"},
	} {
		ms := All([]byte(tc.src))
		if len(ms) != 1 || !strings.Contains(string(ms[0].Text), tc.want) {
			t.Errorf("%s: %d mutants, want one with %q", tc.src, len(ms), tc.want)
		}
	}
}
