package repair_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

func TestMain(m *testing.M) { os.Exit(tooltest.Main(m)) }

// text has the places of the cases as comments.
const text = `#include <vector>
#define CHECK(call) do { cudaError_t e = (call); if (e) return 1; } while (0)
__global__ void rows(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[64];
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float first = /*read*/ in[row];
    /*write*/ out[row * columns] = first;
    if (columns > 1) /*joined*/ out[row] += 1;
    float other = true ? /*choice*/ in[row] : 0;
    tile[threadIdx.x] = /*behind*/ in[row - columns];
    out[0] = other;
    /*array*/ tile[row] = 0;
}
__global__ void shared(int *out, int n)
{
    __shared__ int bins[16], total;
    __shared__ float grid[4][8];
    int sum[4];
    /*bins*/ atomicAdd(&bins[threadIdx.x & 15], 1);
    if (threadIdx.x < 16) {
        /*store*/ bins[threadIdx.x] += 1;
        /*load*/ out[threadIdx.x] = bins[15 - threadIdx.x];
    }
    /*sum*/ out[n] = sum[n] + grid[n][n] + total;
    /*narrow*/ atomicAdd_block(&out[1], 1);
    __threadfence_block();
    while (/*flag*/ out[2] == 0) {}
}
__global__ void quads(float *a, int n)
{
    int row = blockIdx.x;
    extern __shared__ float more[];
    /*more*/ more[n] = 0;
    a += row * 8;
    for (int step = 4; step > 0; step /= 2)
        for (int q = threadIdx.x; q < 8; q += 4)
            /*quads*/ a[q] = 0;
}
#define SIDE 96
struct Body {
    float x, y;
};
__global__ void bodies(const Body *in, Body *out, int n)
{
    int at = threadIdx.x;
    Body me = true ? /*chosen*/ in[at] : Body();
    Body other = /*copied*/ in[at];
    /*stored*/ out[at] = other;
    out[at].x = me.x;
}
__global__ void square(float *a, float *b, int size)
{
    int x = threadIdx.x, y = blockIdx.x;
    /*square*/ a[SIDE * (x + 1) + y] = 0;
    /*pair*/ b[y * size + x] = 0;
}
template <int N> struct thread_block_tile {
    __device__ void sync();
};
struct pipeline {
    __device__ void consumer_wait();
};
__global__ void groups(float *out, thread_block_tile<8> tile, unsigned mask, unsigned other, pipeline pipe, int n)
{
    __shared__ float sums[64];
    int t = threadIdx.x, next = t + n;
    if (t < n) {
        /*first*/ sums[t] = other;
        /*second*/ out[t] = sums[t ^ 1] + __shfl_sync(mask, t, 0);
    }
    for (int step = 32; step > 0; step /= 2)
        /*tree*/ sums[t] += sums[t + step];
    if (t >= 16) return;
    if (t < 8) {
        /*masked*/ __syncwarp(0xff00);
    }
    /*derived*/ out[2 * t] = 0;
    if (next < 99 && n < 98) out[next] = 0;
}
const int SAMPLES = 8 * 6, OTHERS = 49;
__device__ int ticket(int *count) { return atomicAdd(count, 1); }
__device__ void put(int *a, int i, int v) { /*inner*/ a[i] = v; }
__global__ void bounded(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, step = n / 2;
    int add = true ? /*below*/ s[t - step] : 0;
    if (t <= n) /*within*/ out[t] = add;
    for (int i = t; i < n + 1; i += 64)
        /*loop*/ out[i] = 0;
    if (t > n || add > 3) return;
    /*left*/ out[t] = 1;
    /*call*/ put(out, t, 1);
    /*plus*/ *(out + t) = 2;
    /*fixed*/ out[2 * t] = 3;
    /*ticket*/ out[ticket(out)] = 4;
    if (t >= 0) /*zero*/ out[t - 1] = 5;
    /*thread*/ s[threadIdx.x] = 6;
    /*least*/ out[min(t, step)] = 7;
    out[t] = /*readonly*/ __ldg(&in[t]);
}
__global__ void both(const float *a, const float *b, float *c, int rows, int inner, int columns)
{
    int row = blockIdx.y, column = threadIdx.x;
    for (int i = 0; i < inner; i++)
        /*both*/ c[0] += a[row * inner + i] * b[i * columns + column];
}
template <typename T> __global__ void tidied(T *a, int *n, volatile int *flag)
{
    if (threadIdx.x == 0) {
        __threadfence_system(); // inner
    }
    if (n[0]++ > 1) __syncthreads();
    for (int i = 0; i < 2; i++)
        __syncwarp();
    atomicExch(n + 1, 2);
    atomicMax(n, 1);
    a[0] = atomicAdd(n, 1);
    if (__syncthreads_or(n[0])) flag[0] = 1;
}
int host(int n)
{
    int *p, *q;
    char *rows;
    size_t pitch;
    /*malloc*/ cudaMalloc(&p, n * sizeof(int));
    /*checked*/ CHECK(cudaMalloc((void **)&q, n));
    /*pitched*/ cudaMallocPitch(&rows, &pitch, 4 * n, n);
    if (n > 1)
        /*branch*/ cudaMalloc(&q, n);
    std::vector<int> rest(n), ints(n);
    std::vector<float> floats(n);
    cudaStream_t stream;
    cudaMemcpy(q, rest.data(), n, cudaMemcpyHostToDevice);
    for (int i = 0; i < 2; i++)
        shared<<<1, 32, 0, stream>>>(p, n);
    /*part*/ CHECK(cudaMemset(q, 0, n / 2));
    /*launch*/ shared<<<n / (2 * 16), 32>>>(p, n);
    cudaFree(q);
    /*dynamic*/ quads<<<1, 32, n>>>(0, n);
    CHECK(cudaFree(p));
    if (n > 3)
        shared<<<1, 32>>>(p, n);
    /*again*/ CHECK(cudaFree(p));
    /*middle*/ CHECK(cudaFree(p + n));
    return 0;
}
__global__ void late(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float own = in[i];
    for (int k = 0; k < 2; k++) {
        own += 1;
        /*late*/ __syncthreads();
    }
    out[i] = own;
}
__global__ void alike(int *out)
{
    if (threadIdx.x % 2) {
        out[0] = 1;
        /*alike*/ __syncthreads();
    } else {
        __syncthreads();
    }
    if (threadIdx.x > 3) /*else*/ out[threadIdx.x] = 2;
    else out[0] = 3;
}
cudaError_t status(float *host, int n)
{
    float *d, *few, local[32];
    /*leak*/ cudaMalloc(&d, n * sizeof(float));
    cudaMalloc(&few, n);
    /*long*/ cudaMemcpy(d, local, 2 * n * sizeof(float), cudaMemcpyHostToDevice);
    /*few*/ cudaMemcpy(few, host, n * sizeof(float), cudaMemcpyHostToDevice);
    /*wrong*/ cudaMemcpy(local, d, sizeof(local), cudaMemcpyHostToDevice);
    /*address*/ cudaMemset(&d, 0, 4);
    if (n > 2) /*host*/ local[0] = d[1];
    else local[1] = 0;
    /*both ways*/ d[2] += 1;
    if (n > 4) /*unread*/ cudaDeviceSynchronize();
    else local[2] = 0;
    /*unchecked*/ late<<<n / 32, 32, n>>>(d, d, n);
    while (n > 5) {
        float *pass;
        /*pass*/ cudaMalloc(&pass, n);
        if (n > 6) break;
    }
    /*by C*/ memcpy(local, d, 8);
    cudaFree(d);
    /*gone*/ cudaMemcpy(local, d, sizeof(local), cudaMemcpyDeviceToHost);
    return cudaSuccess;
}
`

// program reads the text as clang does.
func program(t *testing.T) (p *code.Program, file string, texts map[string][]byte) {
	t.Helper()
	return programOf(t, text)
}

func programOf(t *testing.T, text string) (p *code.Program, file string, texts map[string][]byte) {
	t.Helper()
	tooltest.NeedsClang(t)
	dir := t.TempDir()
	file = filepath.Join(dir, "a.cu")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	tc, err := clang.Find("")
	if err != nil {
		t.Fatal(err)
	}
	r, err := tc.Reader(clang.Options{Sources: []string{file}, WorkDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	texts = map[string][]byte{file: []byte(text)}
	err = r.Tree(t.Context(), nil, func(tree io.Reader) (err error) {
		p, err = code.Read(texts, tree)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return p, file, texts
}

// at is the position after a mark.
func at(t *testing.T, file, mark string) source.Pos {
	t.Helper()
	return atIn(t, text, file, mark)
}

// atIn is the place behind a mark in a text.
func atIn(t *testing.T, text, file, mark string) source.Pos {
	t.Helper()
	comment := "/*" + mark + "*/ "
	i := strings.Index(text, comment)
	if i < 0 {
		t.Fatalf("no mark %q", mark)
	}
	before := text[:i+len(comment)]
	return source.Pos{File: file, Line: strings.Count(before, "\n") + 1, Col: len(before) - strings.LastIndexByte(before, '\n')}
}

// TestCandidates: what is proposed for a finding, and how it stands in the text.
func TestCandidates(t *testing.T) {
	p, file, texts := program(t)
	below := []string{"below", "zero"}
	allocation := &finding.Object{Kind: finding.Allocation, Space: "global", Size: 192}
	cases := []struct {
		mark, related string
		kind          finding.RepairKind
		object        *finding.Object
		// want are texts of which each is made by a candidate, refused what none makes; none is set
		// if there is no candidate.
		want, refused []string
		none          bool
	}{
		{mark: "read", kind: "check-index", want: []string{"(row < rows ? in[row] : 0)", "if (!(row < rows)) return;"}},
		{mark: "quads", kind: "check-index", want: []string{"if (!(row < n)) return;", "if (q < step) a[q] = 0;"}},
		{mark: "write", kind: "check-index", want: []string{"if (row < rows) out[row * columns] = first;"}, refused: []string{"if (columns < rows)"}},
		{mark: "joined", kind: "check-index", want: []string{"if (columns > 1 && row < rows) /*joined*/ out[row] += 1;"}},
		{mark: "choice", kind: "check-index", want: []string{"row < rows ? /*choice*/ in[row] : 0"}},
		{mark: "behind", kind: "check-index", want: []string{"if (row >= columns) tile[threadIdx.x]"}},
		{mark: "square", kind: "check-index", want: []string{"if (x + 1 < SIDE) a[SIDE * (x + 1) + y] = 0;"}},
		{mark: "sum", kind: "check-index", want: []string{"__global__ void shared(int *out, int n, size_t count_out)", "32>>>(p, n, n);\n    cudaFree(q);", "if (n < count_out) out[n] = sum[n]"}},
		{mark: "quads", kind: "check-index", refused: []string{"count_a"}}, // launched with a null pointer
		{mark: "pair", kind: "check-index", want: []string{" && x < size) b[y * size + x] = 0;"}},
		{mark: "array", kind: "check-index", want: []string{"if (row < 64) tile[row] = 0;"}},
		{mark: "narrow", kind: "check-index", none: true},
		{mark: "bins", kind: "write-first", object: &finding.Object{Kind: finding.Variable, Space: "shared", Name: "bins"},
			want: []string{"total;\n    for (unsigned i = threadIdx.x; i < 16; i += blockDim.x) bins[i] = 0;\n", "bins[i] = 0;\n    __syncthreads();\n"}},
		{mark: "sum", kind: "write-first", object: &finding.Object{Kind: finding.Variable, Space: "shared", Name: "grid"},
			want: []string{"i < 4 * 8; i += blockDim.x) (&grid[0][0])[i] = 0;"}},
		{mark: "sum", kind: "write-first", object: &finding.Object{Kind: finding.Variable, Space: "shared", Name: "total"},
			want: []string{"if (threadIdx.x == 0) total = 0;"}},
		{mark: "sum", kind: "initialize", object: &finding.Object{Kind: finding.Variable, Space: "local", Name: "sum"}, want: []string{"int sum[4] = {};"}},
		{mark: "malloc", kind: "fill", want: []string{"cudaMalloc(&p, n * sizeof(int));\n    cudaMemset(p, 0, n * sizeof(int));\n", "cudaMemset(p, 0, n * sizeof(int));\n    shared<<<"}},
		{mark: "checked", kind: "fill", want: []string{"CHECK(cudaMalloc((void **)&q, n));\n    CHECK(cudaMemset(q, 0, n));\n"}},
		{mark: "checked", kind: "fill", want: []string{"/*part*/ CHECK(cudaMemset(q, 0, n));"}, refused: []string{"cudaMemset(p, 0, n / 2)"}},
		{mark: "pitched", kind: "fill", want: []string{"cudaMemset2D(rows, pitch, 0, 4 * n, n);"}},
		{mark: "branch", kind: "fill", want: []string{" {\n        cudaMalloc(&q, n);\n        cudaMemset(q, 0, n);\n    }\n"}},
		{mark: "load", related: "store", kind: "split-branch", want: []string{"\n    }\n    __syncthreads();\n    if (threadIdx.x < 16) {\n"}},
		{mark: "load", related: "store", kind: "syncwarp", want: []string{"__syncwarp(lanes"}, refused: []string{"+= 1;\n        __syncwarp();"}},
		{mark: "store", related: "load", kind: "atomic", want: []string{"atomicAdd(&bins[threadIdx.x], 1);"}},
		{mark: "narrow", kind: "scope", want: []string{"/*narrow*/ atomicAdd(&out[1], 1);\n    __threadfence_block();", "/*narrow*/ atomicAdd(&out[1], 1);\n    __threadfence();"}},
		{mark: "flag", kind: "scope", want: []string{"    __threadfence();"}},
		{mark: "flag", kind: "volatile", want: []string{"*(volatile int *)&out[2] == 0"}},
		{mark: "write", kind: "another kind", none: true},
		{mark: "chosen", kind: "check-index", want: []string{"Body me = at < n ? /*chosen*/ in[at] : Body();"}},
		{mark: "copied", kind: "check-index", want: []string{"/*copied*/ (at < n ? in[at] : Body{});"}},
		{mark: "stored", kind: "check-index", want: []string{"/*stored*/ if (at < n) out[at] = other;"}, refused: []string{"(at < n ? out[at]"}},
		{mark: "launch", kind: "round-up", want: []string{"<<<(n + (2 * 16) - 1) / (2 * 16), 32>>>"}},
		{mark: "dynamic", kind: "round-up", none: true},
		{mark: "malloc", kind: "free-later", want: []string{"n);\n    if (n > 3)\n        shared<<<1, 32>>>(p, n);\n    CHECK(cudaFree(p));\n"}},
		{mark: "again", kind: "free-once", want: []string{"    /*again*/ \n"}},
		{mark: "masked", kind: "name-lanes", want: []string{"__syncwarp(0xffffffff)", "__syncwarp(mask)", "= __ballot_sync(0xffffffff, t < 8);\n    if (t < 8) {\n",
			" = __ballot_sync(0xffffffff, !(t >= 16));\n    if (t >= 16) return;"}, refused: []string{"!(t < n)", "__syncwarp(other)"}},
		{mark: "more", kind: "more-shared-memory", object: &finding.Object{Kind: finding.Variable, Space: "shared", Name: "more", Size: 64},
			want: []string{"quads<<<1, 32, 32 * sizeof(float)>>>", "quads<<<1, 32, n + 936>>>"}},
		{mark: "array", kind: "check-index", object: &finding.Object{Kind: finding.Variable, Space: "shared", Name: "tile", Size: 256}, want: []string{"float tile[250];"}},
		{mark: "second", related: "first", kind: "syncwarp", want: []string{"= other;\n        tile.sync();\n", "= other;\n        __syncwarp(mask);\n",
			" = __ballot_sync(0xffffffff, t < n);\n    if (t < n) {\n", "= other;\n        __syncwarp(lanes"}, refused: []string{"__syncwarp(other)", "pipe."}},
		{mark: "second", related: "first", kind: "wait", want: []string{"= other;\n        pipe.consumer_wait();\n"}, refused: []string{"tile.sync()"}},
		{mark: "tree", related: "tree", kind: "atomic", want: []string{"step /= 2)\n        /*tree*/ if (t < step) sums[t] += sums[t + step];", "sums[t + step];\n        __syncthreads();\n    }"},
			refused: []string{"step < t"}},
		{mark: "derived", kind: "check-index", want: []string{"/*derived*/ if (next < 99) out[2 * t] = 0;"}, refused: []string{"(n < 98) out[2"}},
		{mark: "malloc", kind: "fill", want: []string{"cudaMemcpy(p, ints.data(), ints.size() * sizeof(ints[0]), cudaMemcpyHostToDevice);\n    for (int i",
			"cudaMemsetAsync(p, 0, n * sizeof(int), stream);"}, refused: []string{"floats.data()"}},
		{mark: "below", kind: "check-index", want: []string{"t >= step ? /*below*/ s[t - step] : 0"}},
		{mark: "within", kind: "check-index", want: []string{"if (t < n) /*within*/"}, refused: []string{"i < n)"}},
		{mark: "loop", kind: "check-index", want: []string{"i = t; i < n; i += 64"}},
		{mark: "left", kind: "check-index", want: []string{"if (t >= n || add > 3) return;"}, refused: []string{"add > 2", "add >= 3", "i < n;"}},
		{mark: "inner", related: "call", kind: "check-index", want: []string{"if (t < n) put(out, t, 1);"}},
		{mark: "plus", kind: "check-index", want: []string{"if (t < n) *(out + t) = 2;"}},
		{mark: "fixed", kind: "check-index", object: allocation, want: []string{"if (2 * t < SAMPLES)"}, refused: []string{"< OTHERS"}},
		{mark: "ticket", kind: "check-index", refused: []string{"ticket(out) <"}, want: []string{"if (t < n) out[ticket"}},
		{mark: "zero", kind: "check-index", want: []string{"if (t > 0) /*zero*/", "if (t >= 0 && t >= 1)"}},
		{mark: "thread", kind: "check-index", want: []string{"if (threadIdx.x < 64) s[threadIdx.x] = 6;"}},
		{mark: "least", kind: "check-index", want: []string{"if (min(t, step) < n) out[min"}},
		{mark: "readonly", kind: "coherent-load", want: []string{"out[t] = /*readonly*/ *(&in[t]);"}},
		{mark: "loop", kind: "coherent-load", want: []string{"*(volatile int *)&out[i] = 0"}, refused: []string{"*(&"}},
		{mark: "middle", kind: "match-free", want: []string{"/*middle*/ CHECK(cudaFree(p));", "CHECK(cudaFreeHost(p + n));", "    /*middle*/ \n"}},
		{mark: "again", kind: "match-free", want: []string{"/*again*/ CHECK(free(p));"}, refused: []string{"/*again*/ CHECK(cudaFree(n"}},
		{mark: "late", kind: "return-later", want: []string{"    bool active152 = !(i >= n);\n    float own = active152 ? in[i] : 0;\n    for (int k = 0; k < 2; k++) {\n        if (active152) own += 1;\n        /*late*/ __syncthreads();\n    }\n    if (active152) out[i] = own;\n"}},
		{mark: "read", kind: "return-later", none: true},
		{mark: "alike", kind: "move-barrier", want: []string{"        out[0] = 1;\n        /*alike*/ \n    } else {\n    }\n    __syncthreads();\n"}},
		{mark: "else", kind: "check-index", want: []string{"/*else*/ { if (threadIdx.x < SAMPLES) out[threadIdx.x] = 2; }\n    else"}, object: allocation},
		{mark: "leak", kind: "free", want: []string{"    cudaFree(d);\n    return cudaSuccess;\n"}, refused: []string{"cudaFreeHost(d)"}},
		{mark: "pass", kind: "free", want: []string{"        if (n > 6) break;\n        cudaFree(pass);\n    }\n", "        /*pass*/ cudaMalloc(&pass, n);\n        cudaFree(pass);\n"}, refused: []string{"cudaFree(pass);\n    return"}},
		{mark: "read", kind: "free", none: true},
		{mark: "long", kind: "copy-less", want: []string{"cudaMemcpy(d, local, n * sizeof(float), cuda", "cudaMemcpy(d, local, sizeof(local), cuda"}, refused: []string{"sizeof(float) * sizeof(float)"}},
		{mark: "few", kind: "copy-less", want: []string{"cudaMalloc(&few, n * sizeof(float));"}, refused: []string{"cudaMemcpy(few, host, n, cuda"}},
		{mark: "wrong", kind: "direction", want: []string{"cudaMemcpy(local, d, sizeof(local), cudaMemcpyDeviceToHost);", "cudaMemcpy(d, local, sizeof(local), cudaMemcpyHostToDevice);"}},
		{mark: "address", kind: "direction", want: []string{"cudaMemset(d, 0, 4);"}},
		{mark: "gone", kind: "copy-earlier", want: []string{"DeviceToHost);\n    cudaFree(d);\n    return"}},
		{mark: "host", kind: "copy-to-host", want: []string{"/*host*/ {\n        float copy180;\n        cudaMemcpy(&copy180, &d[1], sizeof(copy180), cudaMemcpyDeviceToHost);\n        local[0] = copy180;\n    }\n    else local[1]",
			"cudaMallocManaged(&d, n * sizeof(float));\n"}},
		{mark: "both ways", kind: "copy-to-host", want: []string{"copy182 += 1;\n    cudaMemcpy(&d[2], &copy182, sizeof(copy182), cudaMemcpyHostToDevice);\n"}},
		{mark: "by C", kind: "copy-to-host", want: []string{"/*by C*/ cudaMemcpy(local, d, 8, cudaMemcpyDefault);"}},
		{mark: "narrow", kind: "scope", want: []string{"atomicAdd_system(&out[1], 1);\n    __threadfence_system();"}},
		{mark: "unread", kind: "check-result", want: []string{"/*unread*/ { CHECK(cudaDeviceSynchronize()); }\n    else", "{ if (cudaError_t failed = cudaDeviceSynchronize()) return failed; }\n    else"}},
		{mark: "unchecked", kind: "check-launch", want: []string{"(d, d, n);\n    CHECK(cudaGetLastError());\n"}},
		{mark: "unchecked", kind: "check-result", none: true},
		{mark: "unchecked", kind: "opt-in-shared", want: []string{"cudaFuncSetAttribute(late, cudaFuncAttributeMaxDynamicSharedMemorySize, n);\n    late<<<n / 32, 32, n>>>"}},
		{mark: "unchecked", kind: "launch-cooperatively", want: []string{"        config185.gridDim = n / 32;\n        config185.blockDim = 32;\n        config185.dynamicSmemBytes = n;\n", ".val.cooperative = 1;", "cudaLaunchKernelEx(&config185, late, d, d, n);\n    }\n"}},
		{mark: "both", kind: "check-index", want: []string{"if (row < rows && column < columns) c[0]"}, refused: []string{"column < row)"}},
	}
	for _, c := range cases {
		f := &finding.Finding{Primary: finding.Place{Loc: source.Location{Pos: at(t, file, c.mark)}}, Object: c.object, KernelName: "shared(int *, int)",
			Repair: &finding.Repair{Kind: c.kind}, Range: finding.Bytes{Lo: 96, Hi: 1000}}
		if c.related != "" {
			f.Related = []finding.Place{{Loc: source.Location{Pos: at(t, file, c.related)}}}
		}
		if slices.Contains(below, c.mark) {
			f.Range = finding.Bytes{Lo: -4, Hi: 0}
		}
		if c.mark == "inner" {
			f.Related, f.Primary.Loc.InlinedAt = nil, []source.Pos{f.Related[0].Loc.Pos}
		}
		if c.object == allocation {
			f.Range = finding.Bytes{Lo: 192, Hi: 196}
		}
		if c.mark == "more" {
			f.KernelName = "quads(float *, int)"
		}
		if c.kind == "fill" || c.kind == "free-later" {
			f.Repair.From = &finding.Point{Pos: source.Pos{File: file, Line: f.Primary.Loc.Line}}
		}
		var made []string
		for _, patch := range repair.Candidates(p, f) {
			made = append(made, string(code.Apply(texts, []*code.Patch{patch}, false)[file]))
			inline := string(code.Apply(texts, []*code.Patch{patch}, true)[file])
			if strings.Count(inline, "\n") != strings.Count(text, "\n") {
				t.Errorf("%s, %s: %s: lines have moved:\n%s", c.mark, c.kind, patch.What, inline)
			}
		}
		if c.none != (len(made) == 0) {
			t.Errorf("%s, %s: %d candidates", c.mark, c.kind, len(made))
		}
		for _, w := range c.want {
			if !slices.ContainsFunc(made, func(m string) bool { return strings.Contains(m, w) }) {
				t.Errorf("%s, %s: none of %d candidates makes %q:\n%s", c.mark, c.kind, len(made), w, changed(made))
			}
		}
		for _, w := range c.refused {
			if slices.ContainsFunc(made, func(m string) bool { return strings.Contains(m, w) }) {
				t.Errorf("%s, %s: a candidate makes %q", c.mark, c.kind, w)
			}
		}
	}
}

// TestFaster: what is proposed for a finding of a performance rule.
func TestFaster(t *testing.T) {
	p, file, texts := program(t)
	for _, c := range []struct {
		mark, object string
		kind         finding.RepairKind
		want         []string
	}{
		{"sum", "grid", "pad-rows", []string{"grid[4][8 + 1];"}},
		{"sum", "grid", "pad-rows", []string{"grid[n][n ^ (n & 7)] + total;"}},
		{"bins", "bins", "pad-rows", nil},
		{"square", "", "unit-stride", []string{"int x = blockIdx.x, y = threadIdx.x;"}},
		{"write", "", "unit-stride", []string{"int row = threadIdx.x * gridDim.x + blockIdx.x;"}},
		{"write", "", "other-work", nil},
	} {
		f := &finding.Finding{Primary: finding.Place{Loc: source.Location{Pos: at(t, file, c.mark)}}, Repair: &finding.Repair{Kind: c.kind},
			Object: &finding.Object{Kind: finding.Variable, Space: "shared", Name: c.object}}
		var made []string
		for _, patch := range repair.Faster(p, f) {
			made = append(made, string(code.Apply(texts, []*code.Patch{patch}, false)[file]))
		}
		for _, w := range c.want {
			if !slices.ContainsFunc(made, func(m string) bool { return strings.Contains(m, w) }) {
				t.Errorf("%s, %s: none of %d candidates makes %q:\n%s", c.mark, c.kind, len(made), w, changed(made))
			}
		}
		if c.want == nil && len(made) > 0 {
			t.Errorf("%s, %s: %d candidates", c.mark, c.kind, len(made))
		}
	}
}

// changed are the lines that differ from the text.
func changed(made []string) string {
	var b strings.Builder
	for _, m := range made {
		for _, l := range strings.Split(m, "\n") {
			if !strings.Contains(text, l) {
				b.WriteString(l + "\n")
			}
		}
		b.WriteString("--\n")
	}
	return b.String()
}

// TestMoved: where a place is once a line has other text before it, and back.
func TestMoved(t *testing.T) {
	texts := map[string][]byte{"a.cu": []byte("first;\n  x[i] = y[i];\n")}
	line := len("first;\n")
	add := func(at int, text string) code.Edit {
		return code.Edit{File: "a.cu", From: line + at, To: line + at, Text: text}
	}
	patches := []*code.Patch{
		{Inline: []code.Edit{add(2, "if (i < n) ")}},
		{Inline: []code.Edit{add(9, "(i < m ? "), add(13, " : 0)"), {File: "a.cu", From: 0, To: 5, Text: "1"}}},
	}
	after := string(code.Apply(texts, patches, true)["a.cu"])
	if after != "1;\n  if (i < n) x[i] = (i < m ? y[i] : 0);\n" {
		t.Fatalf("%q", after)
	}
	for _, c := range []struct{ before, after int }{{1, 1}, {3, 14}, {10, 30}, {14, 39}} {
		was, now := source.Pos{File: "a.cu", Line: 2, Col: c.before}, source.Pos{File: "a.cu", Line: 2, Col: c.after}
		if got := code.Moved(texts, patches, was, false); got != now {
			t.Errorf("column %d is then column %d, want %d", c.before, got.Col, c.after)
		}
		if got := code.Moved(texts, patches, now, true); got != was {
			t.Errorf("column %d was column %d, want %d", c.after, got.Col, c.before)
		}
	}
	if at := (source.Pos{File: "b.cu", Line: 1, Col: 3}); code.Moved(texts, patches, at, false) != at {
		t.Error("a place of another file has moved")
	}
}

// TestAddedWithin: what is added within a line that another patch takes out is kept, on a line of its own.
func TestAddedWithin(t *testing.T) {
	const text = "  a;\n  b;\n  c;\n"
	b := strings.Index(text, "b;")
	patches := []*code.Patch{
		{Edits: []code.Edit{{File: "a.cu", From: b - 2, To: b + 3}}, Inline: []code.Edit{{File: "a.cu", From: b, To: b + 2}}},
		{Edits: []code.Edit{{File: "a.cu", From: b + 2, To: b + 2, Text: "\n  d;"}}, Inline: []code.Edit{{File: "a.cu", From: b + 2, To: b + 2, Text: " d;"}}},
	}
	for inline, want := range map[bool]string{false: "  a;\n  d;\n  c;\n", true: "  a;\n   d;\n  c;\n"} {
		if got := string(code.Apply(map[string][]byte{"a.cu": []byte(text)}, patches, inline)["a.cu"]); got != want {
			t.Errorf("inline %t: %q, want %q", inline, got, want)
		}
	}
}

// TestMovedWithin: a place in what a patch adds was where it is added.
func TestMovedWithin(t *testing.T) {
	texts := map[string][]byte{"a.cu": []byte("x;\ny;\n")}
	patches := []*code.Patch{{Inline: []code.Edit{{File: "a.cu", From: 2, To: 2, Text: " a long call;"}}}}
	at := source.Pos{File: "a.cu", Line: 1, Col: 9}
	if got, want := code.Moved(texts, patches, at, true), (source.Pos{File: "a.cu", Line: 1, Col: 3}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestRedundancies: what is proposed to be taken out of the source, and what is left alone.
func TestRedundancies(t *testing.T) {
	p, file, texts := program(t)
	first, last := strings.Index(text, "void tidied"), strings.Index(text, "int host")
	var got []string
	for _, r := range repair.Redundancies(p) {
		line := strings.Split(text, "\n")[r.At.Line-1]
		if !strings.HasPrefix(line[r.At.Col-1:], r.Text) {
			t.Errorf("%q is not at %v", r.Text, r.At)
		}
		if at := strings.Index(text, line); at < first || at > last {
			continue
		}
		for _, patch := range r.Patches {
			for _, inline := range []bool{false, true} {
				now := string(code.Apply(texts, []*code.Patch{patch}, inline)[file])
				if inline && strings.Count(now, "\n") != strings.Count(text, "\n") {
					t.Errorf("%s moves lines", patch.What)
				} else if !inline {
					got = append(got, patch.What+": "+now[first:len(now)-len(text)+last])
				}
			}
		}
	}
	body := text[first:last]
	want := func(what, old, new string) string {
		if !strings.Contains(body, old) {
			t.Fatalf("%q is not there", old)
		}
		return what + ": " + strings.Replace(body, old, new, 1)
	}
	line := strings.Count(text[:first], "\n") + 1
	for i, w := range []string{
		want(fmt.Sprintf("remove __threadfence_system() in line %d", line+3), "    if (threadIdx.x == 0) {\n        __threadfence_system(); // inner\n    }\n", ""),
		want(fmt.Sprintf("use __threadfence_block() instead of __threadfence_system() in line %d", line+3), "__threadfence_system()", "__threadfence_block()"),
		want(fmt.Sprintf("use __threadfence() instead of __threadfence_system() in line %d", line+3), "__threadfence_system()", "__threadfence()"),
		want(fmt.Sprintf("remove __syncthreads() in line %d", line+5), " __syncthreads();", " ;"),
		want(fmt.Sprintf("use __syncwarp() instead of __syncthreads() in line %d", line+5), "__syncthreads()", "__syncwarp()"),
		want(fmt.Sprintf("remove __syncwarp() in line %d", line+7), "__syncwarp();", ";"),
		want(fmt.Sprintf("make the atomic update in line %d a plain one", line+8), "atomicExch(n + 1, 2)", "*(n + 1) = 2"),
	} {
		if i >= len(got) || got[i] != w {
			t.Fatalf("proposal %d is not\n%s\nof\n%s", i, w, strings.Join(got, "\n"))
		}
	}
	if len(got) != 7 {
		t.Errorf("also proposed: %s", got[7:])
	}
}
