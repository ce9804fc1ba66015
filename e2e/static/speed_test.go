package static

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/static"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// cpuTime is what this process and its children that ended have used.
func cpuTime(t *testing.T) (d time.Duration) {
	t.Helper()
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			t.Fatal(err)
		}
		d += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return d
}

// TestStaticSpeed checks generated kernels of several shapes, one of them but for the long tests. A kernel of 1,000
// lines has to be done in ten seconds of a calm machine; that is what 250 lines
// may take here, with the compiler, of the processor's time. That with data
// uses up all bounds at any length, so that it may take as long as 1,000 lines
// do on a machine with other work.
func TestStaticSpeed(t *testing.T) {
	for i, c := range []struct {
		name   string
		kernel func(int) string
	}{
		{"data", dataKernel}, {"straight", straightKernel}, {"loops", loopsKernel}, {"branches", branchesKernel},
		{"functions", functionsKernel}, {"arrays", arraysKernel}, {"barriers", barriersKernel},
	} {
		if !tooltest.Sampled(i+4, 7) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			begin := cpuTime(t)
			r := checkGenerated(t, c.kernel(250))
			d := cpuTime(t) - begin
			most := 10 * time.Second
			if c.name == "data" {
				most *= 2
			}
			if t.Logf("%v, %+v", d, *r.Summary.Static); d > most {
				t.Errorf("250 lines take %v", d)
			}
			if tooltest.Long() {
				checkHuge(t, c.kernel(10_000))
			}
		})
	}
}

// checkGenerated checks a kernel's source for one launch.
func checkGenerated(t *testing.T, kernel string) *report.Report {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kernel.cu")
	if err := os.WriteFile(file, []byte("#include <cuda_runtime.h>\n\n"+kernel), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg := staticConfig(file)
	cfg.Block, cfg.Grid = [3]uint32{256, 1, 1}, [3]uint32{64, 1, 1}
	return checkStatic(t, cfg)
}

// checkHuge holds that a kernel of 10,000 lines takes not much more than a
// proportional time, most of which is the compiler's, that it is said why pairs
// are left to the run, and that none of these is called safe.
func checkHuge(t *testing.T, kernel string) {
	t.Helper()
	begin := cpuTime(t)
	r := checkGenerated(t, kernel)
	d := cpuTime(t) - begin
	if t.Logf("10,000 lines: %v, %+v", d, *r.Summary.Static); d > 10*time.Minute {
		t.Errorf("10,000 lines take %v", d)
	}
	for _, k := range r.Stats["static"].([]static.KernelSummary) {
		if k.Safe+k.Watched+k.Possible+k.Proved != k.Pairs {
			t.Errorf("verdicts on %d, %d, %d and %d of %d pairs", k.Safe, k.Watched, k.Possible, k.Proved, k.Pairs)
		}
		if k.Watched > 0 && len(k.Reasons) == 0 {
			t.Errorf("nothing is said of %d pairs that were not decided", k.Watched)
		}
	}
}

// generated writes kernels: of so many lines, with numbers that look random.
type generated struct {
	b     strings.Builder
	lines int
	state uint32
}

func (g *generated) below(n int) int {
	g.state = g.state*1664525 + 1013904223
	return int(g.state>>8) % n
}
func (g *generated) add(f string, a ...any) { fmt.Fprintf(&g.b, f+"\n", a...); g.lines++ }

// straightKernel has straight code with stores to memory of both kinds.
func straightKernel(n int) string {
	g := &generated{state: 1}
	g.add("__global__ void k(const float *in, float *out, int n) {")
	g.add("    __shared__ float s[8][256];")
	g.add("    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;")
	g.add("    float x = in[i];")
	for g.lines < n {
		a := g.below(8)
		switch g.below(4) {
		case 0:
			g.add("    s[%d][t] = x * %d;", a, g.below(100))
		case 1:
			g.add("    x += s[%d][t];", a)
		case 2:
			g.add("    s[%d][t] += x;", a)
		case 3:
			g.add("    out[i + n * %d] = x;", g.below(50))
		}
	}
	g.add("}")
	return g.b.String()
}

// loopsKernel has nested loops with tiles and barriers.
func loopsKernel(n int) string {
	g := &generated{state: 2}
	g.add("__global__ void k(const float *a, const float *b, float *c, int n) {")
	g.add("    __shared__ float A[16][17], B[16][17], s[512];")
	g.add("    int t = threadIdx.x, x = t %% 16, y = t / 16;")
	g.add("    int row = blockIdx.x * 16 + y;")
	g.add("    float sum = 0;")
	for g.lines < n {
		k := g.below(4)
		switch k {
		case 0:
			g.add("    for (int m = 0; m < n / 16; m++) {")
			g.add("        A[y][x] = a[row * n + m * 16 + x];")
			g.add("        B[y][x] = b[(m * 16 + y) * n + x];")
			g.add("        __syncthreads();")
			g.add("        for (int k = 0; k < 16; k++)")
			g.add("            sum += A[y][k] * B[k][x];")
			g.add("        __syncthreads();")
			g.add("    }")
		case 1:
			g.add("    s[t] = sum; s[t + 256] = a[row * n + %d];", g.below(100))
			g.add("    __syncthreads();")
			g.add("    for (int d = 128; d > 0; d >>= 1) {")
			g.add("        if (t < d) s[t] += s[t + d];")
			g.add("        __syncthreads();")
			g.add("    }")
			g.add("    sum += s[0];")
			g.add("    __syncthreads();")
		case 2:
			g.add("    for (int i = 0; i < n; i += 16) {")
			g.add("        for (int j = 0; j < %d; j++) {", 2+g.below(5))
			g.add("            for (int k = y; k < 16; k += 16)")
			g.add("                A[k][x] = a[(i + j) * n + k];")
			g.add("            __syncthreads();")
			g.add("            sum += A[x][y] + A[y][15 - x];")
			g.add("            __syncthreads();")
			g.add("        }")
			g.add("    }")
		case 3:
			g.add("    for (int i = 1; i < n - 1; i++) {")
			g.add("        s[t] = a[i * n + t];")
			g.add("        __syncthreads();")
			g.add("        if (t > 0 && t < 255) sum += s[t - 1] + s[t + 1];")
			g.add("        __syncthreads();")
			g.add("    }")
		}
		g.add("    c[row * n + x] = sum;")
	}
	g.add("}")
	return g.b.String()
}

// arraysKernel has many shared arrays.
func arraysKernel(n int) string {
	g := &generated{state: 3}
	g.add("__global__ void k(const int *in, int *out, int n) {")
	g.add("    int t = threadIdx.x, v = in[t];")
	for i := 0; i < n/10; i++ {
		g.add("    __shared__ int s%d[64 + %d];", i, i)
	}
	m := n / 10
	for g.lines < n {
		a, b := g.below(m), g.below(m)
		switch g.below(5) {
		case 0:
			g.add("    if (t < 64) s%d[t] = v;", a)
		case 1:
			g.add("    v += s%d[t %% 64];", a)
		case 2:
			g.add("    __syncthreads();")
		case 3:
			g.add("    if (t < 64) s%d[63 - t] = s%d[t] + 1;", a, b)
		case 4:
			g.add("    for (int i = t; i < 64; i += 32) v += s%d[i];", b)
		}
	}
	g.add("    out[t] = v;")
	g.add("}")
	return g.b.String()
}

// barriersKernel has many barriers.
func barriersKernel(n int) string {
	g := &generated{state: 4}
	g.add("__global__ void k(const int *in, int *out, int n) {")
	g.add("    __shared__ int s[256];")
	g.add("    int t = threadIdx.x, v = in[t];")
	for g.lines < n {
		g.add("    s[t] = v + %d;", g.below(50))
		g.add("    __syncthreads();")
		g.add("    v = s[(t + %d) %% 256];", g.below(256))
		g.add("    __syncthreads();")
	}
	g.add("    out[t] = v;")
	g.add("}")
	return g.b.String()
}

// branchesKernel has conditions on threads and parameters in each other.
func branchesKernel(n int) string {
	g := &generated{state: 5}
	g.add("__global__ void k(const int *in, int *out, int n, int m) {")
	g.add("    __shared__ int s[512];")
	g.add("    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, v = 0;")
	var open []bool // has an else
	for g.lines < n || len(open) > 0 {
		switch k := g.below(7); {
		case (k == 2 || g.lines >= n) && len(open) > 0:
			if last := len(open) - 1; !open[last] && g.below(2) == 0 {
				g.add("    } else {")
				open[last] = true
			} else {
				g.add("    }")
				open = open[:last]
			}
		case k < 2 && len(open) < 4:
			c := []string{"t < %d", "n > %d", "i < n - %d", "(t & 1) == %d", "t / 32 == %d", "m * 4 < n + %d"}[g.below(6)]
			g.add("    if ("+c+") {", 1+g.below(7))
			open = append(open, false)
		case k == 3:
			g.add("    s[t] = v;")
		case k == 4:
			g.add("    v += s[t + %d];", g.below(256))
		case k == 5:
			g.add("    if (i < n) out[i] = v + in[i];")
		case k == 6 && len(open) == 0:
			g.add("    __syncthreads();")
		}
	}
	g.add("}")
	return g.b.String()
}

// functionsKernel has many functions.
func functionsKernel(n int) string {
	g := &generated{state: 6}
	g.add("__device__ int get(const int *s, int i) { return i >= 0 && i < 256 ? s[i] : 0; }")
	g.add("__device__ void put(int *s, int i, int v) { if (i < 256) s[i] = v; }")
	g.add("__device__ int total(int *s, int t, int v) {")
	g.add("    s[t] = v;")
	g.add("    __syncthreads();")
	g.add("    for (int d = 128; d > 0; d >>= 1) {")
	g.add("        if (t < d) s[t] += s[t + d];")
	g.add("        __syncthreads();")
	g.add("    }")
	g.add("    int r = s[0];")
	g.add("    __syncthreads();")
	g.add("    return r;")
	g.add("}")
	for i := 0; i < n/20; i++ {
		g.add("__device__ int step%d(int *s, int t, int v) {", i)
		g.add("    put(s, t, v + %d);", i)
		g.add("    __syncthreads();")
		g.add("    v += get(s, t + %d);", 1+g.below(9))
		g.add("    __syncthreads();")
		if g.below(3) == 0 {
			g.add("    v = total(s, t, v);")
		}
		g.add("    return v;")
		g.add("}")
	}
	g.add("__global__ void k(const int *in, int *out) {")
	g.add("    __shared__ int s[256];")
	g.add("    int t = threadIdx.x, v = in[t];")
	for i := 0; g.lines < n; i++ {
		g.add("    v = step%d(s, t, v);", i%(n/20))
	}
	g.add("    out[t] = v;")
	g.add("}")
	return g.b.String()
}

// dataKernel has addresses and loops that depend on data: indices read from
// memory, lists that are followed, values carried through several loops.
func dataKernel(n int) string {
	g := &generated{state: 7}
	g.add("__global__ void k(const int *in, const int *next, int *out, int n, int m) {")
	g.add("    __shared__ int s[512];")
	g.add("    int t = threadIdx.x, p = in[blockIdx.x * blockDim.x + t], q = t, v = 0;")
	for g.lines < n {
		switch g.below(8) {
		case 0:
			g.add("    while (p > %d) {", g.below(9))
			g.add("        v += in[p];")
			g.add("        if (v & %d) q = (q * %d + p) %% n;", 1+g.below(9), 3+g.below(9))
			g.add("        p = next[p];")
			g.add("    }")
		case 1:
			g.add("    for (int i = q; i < m; i += blockDim.x) {")
			g.add("        s[(i + v) & 511] += in[i];")
			g.add("        for (int j = in[i]; j < in[i + 1]; j++) v += s[(q + j) & 511] + next[j];")
			g.add("    }")
		case 2:
			g.add("    p = in[(p + q * %d) %% n]; q = next[q + v];", 1+g.below(9))
		case 3:
			g.add("    v = v * p + q; s[v & 511] = p;")
		case 4:
			g.add("    if (v > q) p = s[(v ^ p) & 511]; else q += p / %d;", 2+g.below(7))
		case 5:
			g.add("    do { q = (q >> 1) + s[(q + t) & 511]; v ^= q; } while (q > v);")
		case 6:
			g.add("    __syncthreads();")
		case 7:
			g.add("    out[(q * p + v) %% n] = v - p; out[next[t + v]] = q;")
		}
	}
	g.add("    out[q] = v + p;")
	g.add("}")
	return g.b.String()
}
