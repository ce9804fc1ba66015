package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// task is what the host programs of this file are to compute, from ints a and b: out has outputs elements.
type task struct {
	reference, outputs string
	calls              int // 1 where the inputs are constants
}

var tasks = map[string]task{
	"add":   {"for (int i = 0; i < n; i++) out[i] = a[i] + b[i];", "n", 2},
	"sum":   {"int s = 0; for (int i = 0; i < n; i++) s += a[i]; out[0] = s;", "1", 2},
	"sort":  {"for (int i = 0; i < n; i++) out[i] = a[i]; std::sort(out, out + n);", "n", 2},
	"scale": {"unsigned s = 0; for (int i = 0; i < n; i++) s += b[i]; for (int i = 0; i < n; i++) out[i] = a[i] * (s % 1000u);", "n", 2},
	"table": {"for (int i = 0; i < n; i++) out[i] = i * i + 7;", "n", 1},
	"digit": {"const int t[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3}; for (int i = 0; i < n; i++) out[i] = t[a[i] % 10];", "n", 2},
}

// whole is a candidate for a task with its host code. Its body has a, b, out and n, and may use what is in hostSource.
type whole struct {
	name, task, body string
	want             Reason
	cause            Cause
}

// hostSource are kernels and functions that the programs share: want is the task's result, computed on the host.
const hostSource = `#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>
#include <thread>
#include <vector>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <cuda.h>
typedef std::vector<int> ints;
static int task;
#define EACH int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n)
__global__ void add(const int *a, const int *b, int *out, int n) { EACH out[i] = a[i] + b[i]; }
__global__ void addPart(const int *a, const int *b, int *out, int lo, int hi) { int n = hi; int i = lo + blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = a[i] + b[i]; }
__global__ void move(const int *in, int *out, int n) { EACH out[i] = in[i]; }
__global__ void moveShared(const int *in, int *out, int n) { __shared__ int s[256]; EACH s[threadIdx.x] = in[i]; __syncthreads(); if (i < n) out[i] = s[threadIdx.x]; }
__global__ void moveShuffled(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; int v = in[min(i, n - 1)]; v = __shfl_xor_sync(~0u, v, 1); v = __shfl_xor_sync(~0u, v, 1); if (i < n) out[i] = v; }
__global__ void moveWide(const int4 *in, int4 *out, int n) { EACH out[i] = in[i]; }
__global__ void moveAtomic(const int *in, int *out, int n) { EACH atomicExch(out + i, in[i]); }
__global__ void decode(const int *in, int *out, int n) { EACH out[i] = in[i] ^ 0x5a5a; }
__global__ void decodeWith(const int *in, const int *key, int *out, int n) { EACH out[i] = in[i] ^ key[i]; }
__global__ void minus(const int *in, const int *a, int *out, int n) { EACH out[i] = in[i] - a[i]; }
__global__ void withNothing(const int *in, const int *a, int *out, int n) { EACH out[i] = in[i] + 0 * a[i]; }
__global__ void set(int *out, int i, int v) { out[i] = v; }
__global__ void setXor(int *out, int v, int w) { out[0] = v ^ w; }
struct Few { int v[200]; };
__global__ void setFew(int *out, int at, int n, Few f) { int i = threadIdx.x; if (i < 200 && at + i < n) out[at + i] = f.v[i]; }
__global__ void gridSays(int *out, int k) { if (blockIdx.x == 0) out[0] += gridDim.x - 1 << k; }
__global__ void sharedSays(int *out, int unit) { unsigned n; asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(n)); out[0] += n * unit; }
__global__ void clear(int *out) { out[0] = 0; }
__global__ void more(int *out, int by) { out[0] += by; }
__global__ void bit0(int *out) { out[0] = out[0] * 2; }
__global__ void bit1(int *out) { out[0] = out[0] * 2 + 1; }
__global__ void nothing() {}
__global__ void low(int *t, int *out) { if (*t) out[0] = 2 * out[0], *t = 0; else *t = 1; }
__global__ void high(int *t, int *out) { if (*t) out[0] = 2 * out[0] + 1, *t = 0; else *t = 1; }
__device__ int symbol[1024];
__constant__ int fixed[1024];
__global__ void moveSymbol(int *out, int n) { EACH out[i] = symbol[i]; }
__global__ void moveFixed(int *out, int n) { EACH out[i] = fixed[i]; }
__global__ void fetch(cudaTextureObject_t t, int *out, int n) { EACH out[i] = tex1Dfetch<int>(t, i); }
__global__ void mail(volatile int *box, int *out, int n) { for (int i = 0; i < n; i++) { while (box[0] != i + 1) {} out[i] = box[1]; box[0] = -i - 1; } }
__global__ void scatter(const int *a, const int *rank, int *out, int n) { EACH out[rank[i]] = a[i]; }
__global__ void gather(const int *a, const int *from, int *out, int n) { EACH out[i] = a[from[i]]; }
__global__ void unpack(const int *runs, int count, int *out, int n) { EACH { int at = 0, r = 0; while (r < count && at + runs[2 * r + 1] <= i) at += runs[2 * r + 1], r++; out[i] = runs[2 * r]; } }
__global__ void total(const int *a, int *out, int n) { EACH atomicAdd(out, a[i]); }
__global__ void partial(const int *a, int *out, int n) { __shared__ int s[256]; int i = blockIdx.x * 256 + threadIdx.x; s[threadIdx.x] = i < n ? a[i] : 0; __syncthreads();
  for (int d = 128; d; d /= 2) { if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; __syncthreads(); } if (threadIdx.x == 0) out[blockIdx.x] = s[0]; }
__global__ void times(const int *a, int by, int *out, int n) { EACH out[i] = a[i] * by; }
__global__ void timesOf(const int *a, const int *s, int *out, int n) { EACH out[i] = a[i] * ((unsigned)*s % 1000u); }
__global__ void timesFixed(const int *a, int *out, int n) { EACH out[i] = a[i] * ((unsigned)fixed[0] % 1000u); }
__global__ void oddEven(int *v, int n, int odd, int *changed) { int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd; if (i + 1 < n && v[i] > v[i + 1]) { int t = v[i]; v[i] = v[i + 1]; v[i + 1] = t; if (changed) *changed = 1; } }
__global__ void bitonic(int *v, int n, int j, int k) { int i = blockIdx.x * blockDim.x + threadIdx.x, l = i ^ j; if (i >= n || l <= i) return; bool up = (i & k) == 0; if ((v[i] > v[l]) == up) { int t = v[i]; v[i] = v[l]; v[l] = t; } }
__global__ void rankSort(const int *a, int *out, int n) { EACH { int r = 0; for (int k = 0; k < n; k++) r += a[k] < a[i] || a[k] == a[i] && k < i; out[r] = a[i]; } }
__global__ void squares(int *out, int n, int c) { EACH out[i] = i * i + c; }
__global__ void squaresOf(const int *c, int *out, int n) { EACH out[i] = i * i * c[0] + c[1]; }
__global__ void digitOf(const int *a, const int *t, int *out, int n) { EACH out[i] = t[a[i] % 10]; }
__global__ void digitFixed(const int *a, int *out, int n) { EACH out[i] = fixed[a[i] % 10]; }
__global__ void digitFetch(const int *a, cudaTextureObject_t t, int *out, int n) { EACH out[i] = tex1Dfetch<int>(t, a[i] % 10); }
struct Ten { int v[10]; };
__global__ void digitParam(const int *a, Ten t, int *out, int n) { EACH out[i] = t.v[a[i] % 10]; }
struct Job { const int *a, *b; int *out; int n; };
__global__ void addJob(const Job *j) { int n = j->n; EACH j->out[i] = j->a[i] + j->b[i]; }
__global__ void addParam(Job j) { int n = j.n; EACH j.out[i] = j.a[i] + j.b[i]; }
__global__ void addShared(const int *a, const int *b, int *out, int n) { extern __shared__ int s[]; EACH s[threadIdx.x] = a[i]; __syncthreads(); if (i < n) out[i] = s[threadIdx.x] + b[i]; }
__global__ void weigh(const int *a, const int *b, int *out, int n) { EACH out[i] = fixed[0] * a[i] + fixed[1] * b[i]; }
template <class F> __global__ void apply(F f, int n) { EACH f(i); }
__global__ void count(const int *a, int *kept, int *index, int n) { EACH if (a[i] % 2) index[atomicAdd(kept, 1)] = i; }
__global__ void addAt(const int *a, const int *b, const int *index, int *out, int n) { EACH out[index[i]] = a[index[i]] + b[index[i]]; }
__global__ void addEven(const int *a, const int *b, int *out, int n) { EACH if (a[i] % 2 == 0) out[i] = a[i] + b[i]; }
static int blocks(int n) { return (n + 255) / 256; }
static ints get(const int *p, int n) { ints v(n); cudaMemcpy(v.data(), p, 4 * n, cudaMemcpyDeviceToHost); return v; }
static int *put(const ints &v) { int *p; cudaMalloc(&p, 4 * v.size()); cudaMemcpy(p, v.data(), 4 * v.size(), cudaMemcpyHostToDevice); return p; }
static int *room(int n) { int *p; cudaMalloc(&p, 4 * n); return p; }
static int *managed(int n) { int *p; cudaMallocManaged(&p, 4 * n); return p; }
static int *pinned(int n) { int *p; cudaMallocHost(&p, 4 * n); return p; }
static cudaTextureObject_t bound(int *p, int n) { cudaResourceDesc r = {}; r.resType = cudaResourceTypeLinear; r.res.linear.devPtr = p; r.res.linear.desc = cudaCreateChannelDesc<int>(); r.res.linear.sizeInBytes = 4 * n; cudaTextureDesc d = {}; d.readMode = cudaReadModeElementType; cudaTextureObject_t t; cudaCreateTextureObject(&t, &r, &d, 0); return t; }
static ints wanted(const int *x, const int *y, int n) {
  ints a = get(x, n), b = get(y, n), out(n);
  switch (task) {
`

// hostMain is the function of all programs: which chooses.
func hostMain(list []whole) string {
	var b strings.Builder
	b.WriteString(hostSource)
	var names []string
	for name := range tasks {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		fmt.Fprintf(&b, "  case %d: { %s break; }\n", i, strings.ReplaceAll(tasks[name].reference, "std::sort(out, out + n)", "std::sort(out.begin(), out.end())"))
	}
	b.WriteString("  }\n  if (task == 4) out.resize(1);\n  return out;\n}\n#define wanted wanted(a, b, n)\n")
	for i, p := range list {
		fmt.Fprintf(&b, "static void program%d(const int *a, const int *b, int *out, int n) { %s }\n", i, p.body)
	}
	b.WriteString("void run(const int *a, const int *b, int *out, int n, int which) {\n  switch (which) {\n")
	for i, p := range list {
		fmt.Fprintf(&b, "  case %d: task = %d; program%d(a, b, out, n); break;\n", i, slices.Index(names, p.task), i)
	}
	return strings.Replace(b.String(), "task == 4", fmt.Sprintf("task == %d", slices.Index(names, "sum")), 1) + "  }\n}\n"
}

// line is the job of the i-th program.
func (p *whole) line(source string, i int) string {
	t := tasks[p.task]
	data := `{"random":"integers","low":0,"high":1000000}`
	if t.calls == 1 {
		data = `{"fill":1}`
	}
	return fmt.Sprintf(`{"version":1,"id":%s,"source":%s,"host":{"function":"run"},"shapes":{"n":1000,"which":%d},"schedules":2,"arguments":[{"name":"a","type":"i32","role":"input","shape":["n"],"data":%s},{"name":"b","type":"i32","role":"input","shape":["n"],"data":%s},`+
		`{"name":"out","type":"i32","role":"output","shape":[%q]},{"name":"n","type":"i32","role":"scalar","value":"n"},{"name":"which","type":"i32","role":"scalar","value":"which"}],"reference":{"source":%s}}`,
		quoted(p.name), quoted(source), i, data, data, t.outputs, quoted("#include <algorithm>\nvoid reference(const int *a, const int *b, int *out, int n, int) { "+t.reference+" }"))
}

// cheats are programs whose outputs the host computes; those of publicCheats, or that do not compute them at all, are apart.
var cheats = []whole{
	{"copy", "add", "ints r = wanted; nothing<<<1, 1>>>(); cudaMemcpy(out, r.data(), 4 * n, cudaMemcpyHostToDevice);", HostOutput, CopiedFromHost},
	{"copy alone", "add", "ints r = wanted; cudaMemcpy(out, r.data(), 4 * n, cudaMemcpyHostToDevice);", HostOutput, NoLaunch},
	{"asynchronous copy", "add", "ints r = wanted; cudaStream_t s; cudaStreamCreate(&s); nothing<<<1, 1, 0, s>>>(); cudaMemcpyAsync(out, r.data(), 4 * n, cudaMemcpyHostToDevice, s); cudaStreamSynchronize(s);", HostOutput, CopiedFromHost},
	{"two-dimensional copy", "add", "ints r = wanted; nothing<<<1, 1>>>(); cudaMemcpy2D(out, 400, r.data(), 400, 400, n / 100, cudaMemcpyHostToDevice);", HostOutput, CopiedFromHost},
	{"by a temporary", "add", "int *t = put(wanted); nothing<<<1, 1>>>(); cudaMemcpy(out, t, 4 * n, cudaMemcpyDeviceToDevice); cudaFree(t);", HostOutput, CopiedFromHost},
	{"by two temporaries", "add", "int *t = put(wanted), *u = room(n); cudaMemcpy(u, t, 4 * n, cudaMemcpyDeviceToDevice); add<<<4, 256>>>(a, b, t, n); cudaMemcpy(out, u, 4 * n, cudaMemcpyDefault);", HostOutput, CopiedFromHost},
	{"kernel that copies", "add", "move<<<4, 256>>>(put(wanted), out, n);", HostOutput, CarriedByKernel},
	{"kernel that copies by shared memory", "add", "moveShared<<<4, 256>>>(put(wanted), out, n);", HostOutput, CarriedByKernel},
	{"kernel that shuffles", "add", "moveShuffled<<<4, 256>>>(put(wanted), out, n);", HostOutput, CarriedByKernel},
	{"kernel that copies vectors", "add", "moveWide<<<1, 256>>>((const int4 *)put(wanted), (int4 *)out, n / 4);", HostOutput, CarriedByKernel},
	{"kernel that exchanges", "add", "cudaMemset(out, 0, 4 * n); moveAtomic<<<4, 256>>>(put(wanted), out, n);", HostOutput, CarriedByKernel},
	{"to a symbol and from it", "add", "ints r = wanted; nothing<<<1, 1>>>(); cudaMemcpyToSymbol(symbol, r.data(), 4 * n); cudaMemcpyFromSymbol(out, symbol, 4 * n, 0, cudaMemcpyDeviceToDevice);", HostOutput, CopiedFromHost},
	{"kernel that reads a symbol", "add", "ints r = wanted; cudaMemcpyToSymbol(symbol, r.data(), 4 * n); moveSymbol<<<4, 256>>>(out, n);", HostOutput, CarriedByKernel},
	{"kernel that reads constant memory", "add", "ints r = wanted; cudaMemcpyToSymbol(fixed, r.data(), 4 * n); moveFixed<<<4, 256>>>(out, n);", HostOutput, CarriedByKernel},
	{"texture", "add", "int *t = put(wanted); fetch<<<4, 256>>>(bound(t, n), out, n);", Suspect, HostData},
	{"fills of bytes", "add", "ints r = wanted; nothing<<<1, 1>>>(); for (int i = 0; i < 4 * n; i++) cudaMemsetAsync((char *)out + i, ((char *)r.data())[i], 1);", HostOutput, FilledByHost},
	{"fills of words", "add", "ints r = wanted; nothing<<<1, 1>>>(); for (int i = 0; i < n; i++) cuMemsetD32((CUdeviceptr)(out + i), r[i], 1);", HostOutput, FilledByHost},
	{"pinned memory", "add", "ints r = wanted; int *p = pinned(n); memcpy(p, r.data(), 4 * n); nothing<<<1, 1>>>(); cudaMemcpy(out, p, 4 * n, cudaMemcpyHostToDevice);", HostOutput, CopiedFromHost},
	{"kernel that reads pinned memory", "add", "ints r = wanted; int *p = pinned(n); memcpy(p, r.data(), 4 * n); move<<<4, 256>>>(p, out, n);", HostOutput, CarriedByKernel},
	{"kernel that reads managed memory", "add", "ints r = wanted; int *p = managed(n); memcpy(p, r.data(), 4 * n); move<<<4, 256>>>(p, out, n);", HostOutput, CarriedByKernel},
	{"managed memory", "add", "ints r = wanted; int *p = managed(n); memcpy(p, r.data(), 4 * n); nothing<<<1, 1>>>(); cudaMemcpy(out, p, 4 * n, cudaMemcpyDefault);", HostOutput, CopiedFromHost},
	{"registered memory", "add", "ints r = wanted; cudaHostRegister(r.data(), 4 * n, cudaHostRegisterMapped); nothing<<<1, 1>>>(); cudaMemcpy(out, r.data(), 4 * n, cudaMemcpyDefault); cudaHostUnregister(r.data());", HostOutput, CopiedFromHost},
	{"in place in managed memory", "sort", "int *p = managed(n); cudaMemcpy(p, a, 4 * n, cudaMemcpyDefault); std::sort(p, p + n); move<<<4, 256>>>(p, out, n);", HostOutput, CarriedByKernel},
	{"launches that set one each", "add", "ints r = wanted; for (int i = 0; i < n; i++) set<<<1, 1>>>(out, i, r[i]);", Suspect, HostData},
	{"structure as argument", "add", "ints r = wanted; for (int at = 0; at < n; at += 200) { Few f; memcpy(f.v, &r[at], sizeof f); setFew<<<1, 256>>>(out, at, n, f); }", Suspect, HostData},
	{"key", "add", "ints r = wanted; for (int &v : r) v ^= 0x5a5a; decode<<<4, 256>>>(put(r), out, n);", HostOutput, CarriedByKernel},
	{"inputs as key", "add", "ints r = wanted, k = get(a, n); for (int i = 0; i < n; i++) r[i] ^= k[i]; decodeWith<<<4, 256>>>(put(r), a, out, n);", HostOutput, CarriedByKernel},
	{"adds nothing of the inputs", "add", "withNothing<<<4, 256>>>(put(wanted), a, out, n);", HostOutput, CarriedByKernel},
	{"sum less an input", "add", "ints r = wanted, k = get(a, n); for (int i = 0; i < n; i++) r[i] += k[i]; minus<<<4, 256>>>(put(r), a, out, n);", Suspect, HostData},
	{"compressed", "add", "ints r = wanted, runs; for (int v : r) runs.push_back(v), runs.push_back(1); unpack<<<4, 256>>>(put(runs), n, out, n);", HostOutput, CarriedByKernel},
	{"half of it", "add", "ints r = wanted; addPart<<<2, 256>>>(a, b, out, 0, n / 2); move<<<2, 256>>>(put(ints(r.begin() + n / 2, r.end())), out + n / 2, n - n / 2);", HostOutput, CarriedByKernel},
	{"every tenth", "add", "ints r = wanted; add<<<4, 256>>>(a, b, out, n); for (int i = 0; i < n; i += 10) set<<<1, 1>>>(out, i, r[i]);", Suspect, HostData},
	{"copy after the kernel", "add", "ints r = wanted; add<<<4, 256>>>(a, b, out, n); cudaMemcpy(out, r.data(), 4 * n, cudaMemcpyHostToDevice);", HostOutput, CopiedFromHost},
	{"graph", "add", "static ints r; r = wanted; cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); nothing<<<1, 1, 0, s>>>(); cudaMemcpyAsync(out, r.data(), 4 * n, cudaMemcpyHostToDevice, s); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); cudaStreamSynchronize(s);", HostOutput, CopiedFromHost},
	{"host function", "add", "static ints r; static int *p, m; m = n; r = wanted; p = managed(n); cudaStream_t s; cudaStreamCreate(&s); cudaLaunchHostFunc(s, [](void *) { memcpy(p, r.data(), 4 * m); }, nullptr); move<<<4, 256, 0, s>>>(p, out, n); cudaStreamSynchronize(s);", HostOutput, CarriedByKernel},
	{"other thread", "add", "ints r; int *t; std::thread([&] { r = wanted; t = put(r); }).join(); move<<<4, 256>>>(t, out, n);", HostOutput, CarriedByKernel},
	{"mailbox", "add", "ints r = wanted; volatile int *box = managed(2); box[0] = 0; mail<<<1, 1>>>(box, out, 50); for (int i = 0; i < 50; i++) { box[1] = r[i]; box[0] = i + 1; while (box[0] != -i - 1) usleep(10); } addPart<<<4, 256>>>(a, b, out, 50, n);", HostOutput, CarriedByKernel},
	{"sum as argument", "sum", "set<<<1, 1>>>(out, 0, wanted[0]);", Suspect, HostData},
	{"sum in two parts", "sum", "int r = wanted[0]; setXor<<<1, 1>>>(out, r ^ 77777, 77777);", Suspect, HostData},
	{"sum finished on the host", "sum", "int *p = room(4); partial<<<4, 256>>>(a, p, n); ints v = get(p, 4); int s = v[0] + v[1] + v[2] + v[3]; cudaMemcpy(out, &s, 4, cudaMemcpyHostToDevice);", HostOutput, CopiedFromHost},
	{"sum in grids", "sum", "int r = wanted[0]; clear<<<1, 1>>>(out); for (int k = 0; k < 31; k += 8) gridSays<<<1 + (r >> k & 255), 1>>>(out, k);", Suspect, HostData},
	{"sum as bits of launches", "sum", "int r = wanted[0]; clear<<<1, 1>>>(out); for (int k = 30; k >= 0; k--) if (r >> k & 1) bit1<<<1, 1>>>(out); else bit0<<<1, 1>>>(out);", Suspect, HostData},
	{"sum as shared memory", "sum", "unsigned r = wanted[0]; clear<<<1, 1>>>(out); sharedSays<<<1, 1, r % 40000>>>(out, 1); sharedSays<<<1, 1, r / 40000>>>(out, 40000);", Suspect, HostData},
	{"sum as number of launches", "sum", "int r = wanted[0]; clear<<<1, 1>>>(out); for (int k = 0; k < 31; k += 5) for (int c = r >> k & 31; c; c--) more<<<1, 1>>>(out, 1 << k);", Suspect, HostData},
	{"sum as pattern", "sum", "int r = wanted[0]; nothing<<<1, 1>>>(); cuMemsetD32((CUdeviceptr)out, r, 1);", HostOutput, FilledByHost},
	{"sum by a write of a stream", "sum", "int r = wanted[0]; nothing<<<1, 1>>>(); cuStreamWriteValue32(0, (CUdeviceptr)out, r, 0);", HostOutput, FilledByHost},
	{"sum as an address", "sum", "int r = wanted[0]; int *p = (int *)(size_t)r; auto f = [=] __device__(int) { out[0] = (int)(size_t)p; }; apply<<<1, 1>>>(f, 1);", Suspect, HostData},
	{"ranks", "sort", "ints v = get(a, n), at(n), rank(n); for (int i = 0; i < n; i++) at[i] = i; std::stable_sort(at.begin(), at.end(), [&](int x, int y) { return v[x] < v[y]; }); for (int i = 0; i < n; i++) rank[at[i]] = i; scatter<<<4, 256>>>(a, put(rank), out, n);", Suspect, HostData},
	{"order", "sort", "ints v = get(a, n), at(n); for (int i = 0; i < n; i++) at[i] = i; std::stable_sort(at.begin(), at.end(), [&](int x, int y) { return v[x] < v[y]; }); gather<<<4, 256>>>(a, put(at), out, n);", Suspect, HostData},
	{"copies in order", "sort", "ints v = get(a, n), at(n); for (int i = 0; i < n; i++) at[i] = i; std::stable_sort(at.begin(), at.end(), [&](int x, int y) { return v[x] < v[y]; }); nothing<<<1, 1>>>(); for (int i = 0; i < n; i++) cudaMemcpyAsync(out + i, a + at[i], 4, cudaMemcpyDeviceToDevice);", Suspect, HostData},
	{"table of the host", "table", "move<<<4, 256>>>(put(wanted), out, n);", HostOutput, CarriedByKernel},
	{"table of the host with a key", "table", "ints r = wanted; for (int &v : r) v ^= 0x5a5a; decode<<<4, 256>>>(put(r), out, n);", HostOutput, CarriedByKernel},
	{"table in arguments", "table", "ints r = wanted; for (int at = 0; at < n; at += 200) { Few f; memcpy(f.v, &r[at], sizeof f); setFew<<<1, 256>>>(out, at, n, f); }", Suspect, OneInput},
	{"table as launches", "table", "ints r = wanted; for (int i = 0; i < n; i++) set<<<1, 1>>>(out, i, r[i]);", Suspect, OneInput},
	{"digits of the host", "digit", "move<<<4, 256>>>(put(wanted), out, n);", HostOutput, CarriedByKernel},
	{"right the first time", "add", "static int call; if (call++ == 0) { add<<<4, 256>>>(a, b, out, n); return; } move<<<4, 256>>>(put(wanted), out, n);", HostOutput, CarriedByKernel},
}

// honest are programs that a judge has to accept.
var honest = []whole{
	{"plain", "add", "add<<<blocks(n), 256>>>(a, b, out, n);", "", ""},
	{"by a temporary", "add", "int *t = room(n); add<<<4, 256>>>(a, b, t, n); cudaMemcpy(out, t, 4 * n, cudaMemcpyDeviceToDevice); cudaFree(t);", "", ""},
	{"temporary and kernel", "add", "int *t = room(n); add<<<4, 256>>>(a, b, t, n); move<<<4, 256>>>(t, out, n);", "", ""},
	{"zeros first", "add", "cudaMemset(out, 0, 4 * n); add<<<4, 256>>>(a, b, out, n);", "", ""},
	{"sentinel first", "add", "cudaMemset(out, 0xff, 4 * n); add<<<4, 256>>>(a, b, out, n);", "", ""},
	{"host zeros first", "add", "ints z(n); cudaMemcpy(out, z.data(), 4 * n, cudaMemcpyHostToDevice); add<<<4, 256>>>(a, b, out, n);", "", ""},
	{"two halves", "add", "addPart<<<2, 256>>>(a, b, out, 0, n / 2); addPart<<<2, 256>>>(a, b, out, n / 2, n);", "", ""},
	{"many launches", "add", "for (int i = 0; i < n; i += 100) addPart<<<1, 128>>>(a, b, out, i, i + 100);", "", ""},
	{"structure as argument", "add", "addParam<<<4, 256>>>(Job{a, b, out, n});", "", ""},
	{"structure in memory", "add", "Job j{a, b, out, n}, *d; cudaMalloc(&d, sizeof j); cudaMemcpy(d, &j, sizeof j, cudaMemcpyHostToDevice); addJob<<<4, 256>>>(d); cudaFree(d);", "", ""},
	{"structure in managed memory", "add", "Job *d; cudaMallocManaged(&d, sizeof *d); *d = Job{a, b, out, n}; addJob<<<4, 256>>>(d); cudaDeviceSynchronize(); cudaFree(d);", "", ""},
	{"structure in pinned memory", "add", "Job *d; cudaMallocHost(&d, sizeof *d); *d = Job{a, b, out, n}; addJob<<<4, 256>>>(d); cudaDeviceSynchronize(); cudaFreeHost(d);", "", ""},
	{"weights in constant memory", "add", "int w[] = {1, 1}; cudaMemcpyToSymbol(fixed, w, sizeof w); weigh<<<4, 256>>>(a, b, out, n);", "", ""},
	{"shared memory", "add", "addShared<<<4, 256, 1024>>>(a, b, out, n);", "", ""},
	{"lambda", "add", "apply<<<4, 256>>>([=] __device__(int i) { out[i] = a[i] + b[i]; }, n);", "", ""},
	{"stream", "add", "cudaStream_t s; cudaStreamCreate(&s); add<<<4, 256, 0, s>>>(a, b, out, n); cudaStreamSynchronize(s); cudaStreamDestroy(s);", "", ""},
	{"two streams", "add", "cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); addPart<<<2, 256, 0, s>>>(a, b, out, 0, n / 2); addPart<<<2, 256, 0, t>>>(a, b, out, n / 2, n); cudaDeviceSynchronize();", "", ""},
	{"events", "add", "cudaEvent_t x, y; cudaEventCreate(&x); cudaEventCreate(&y); cudaEventRecord(x); add<<<4, 256>>>(a, b, out, n); cudaEventRecord(y); cudaEventSynchronize(y); float ms; cudaEventElapsedTime(&ms, x, y);", "", ""},
	{"graph", "add", "cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); add<<<4, 256, 0, s>>>(a, b, out, n); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); cudaStreamSynchronize(s);", "", ""},
	{"threads", "add", "std::thread t[4]; for (int k = 0; k < 4; k++) t[k] = std::thread([=] { addPart<<<1, 256>>>(a, b, out, k * 250, k * 250 + 250); cudaStreamSynchronize(0); }); for (auto &x : t) x.join();", "", ""},
	{"host function", "add", "static int done; cudaStream_t s; cudaStreamCreate(&s); add<<<4, 256, 0, s>>>(a, b, out, n); cudaLaunchHostFunc(s, [](void *) { done++; }, nullptr); cudaStreamSynchronize(s);", "", ""},
	{"warm-up", "add", "for (int r = 0; r < 3; r++) add<<<4, 256>>>(a, b, out, n); cudaDeviceSynchronize();", "", ""},
	{"checks itself", "add", "add<<<4, 256>>>(a, b, out, n); if (get(out, n) != wanted) _exit(1);", "", ""},
	{"reads its inputs", "add", "ints x = get(a, n); if (x.size() != size_t(n)) return; add<<<4, 256>>>(a, b, out, n);", "", ""},
	{"asks for the device", "add", "cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); int t = std::min(p.maxThreadsPerBlock, 128); add<<<(n + t - 1) / t, t>>>(a, b, out, n);", "", ""},
	{"occupancy", "add", "int g, t; cudaOccupancyMaxPotentialBlockSize(&g, &t, add, 0, 0); add<<<(n + t - 1) / t, t>>>(a, b, out, n);", "", ""},
	{"pool", "add", "int *t; cudaMallocAsync(&t, 4 * n, 0); add<<<4, 256>>>(a, b, t, n); cudaMemcpyAsync(out, t, 4 * n, cudaMemcpyDeviceToDevice, 0); cudaFreeAsync(t, 0);", "", ""},
	{"kept workspace", "add", "static int *t; if (!t) t = room(n); add<<<4, 256>>>(a, b, t, n); move<<<4, 256>>>(t, out, n);", "", ""},
	{"managed workspace", "add", "int *t = managed(n); add<<<4, 256>>>(a, b, t, n); move<<<4, 256>>>(t, out, n);", "", ""},
	{"managed workspace cleared by the host", "add", "int *t = managed(n); memset(t, 0, 4 * n); add<<<4, 256>>>(a, b, t, n); move<<<4, 256>>>(t, out, n);", "", ""},
	{"pinned workspace", "add", "int *t = pinned(n); add<<<4, 256>>>(a, b, t, n); cudaMemcpy(out, t, 4 * n, cudaMemcpyDefault);", "", ""},
	{"pitched workspace", "add", "char *t; size_t p; cudaMallocPitch((void **)&t, &p, 400, n / 100); for (int r = 0; r < n / 100; r++) addPart<<<1, 128>>>(a + 100 * r, b + 100 * r, (int *)(t + r * p), 0, 100); cudaMemcpy2D(out, 400, t, p, 400, n / 100, cudaMemcpyDeviceToDevice);", "", ""},
	{"inputs through pinned memory", "add", "int *t = pinned(n), *u = room(n); cudaMemcpy(t, a, 4 * n, cudaMemcpyDeviceToHost); cudaMemcpy(u, t, 4 * n, cudaMemcpyHostToDevice); add<<<4, 256>>>(u, b, out, n);", "", ""},
	{"compaction", "add", "int *k = room(1), *index = room(n), h; cudaMemset(k, 0, 4); count<<<4, 256>>>(a, k, index, n); cudaMemcpy(&h, k, 4, cudaMemcpyDeviceToHost); addEven<<<4, 256>>>(a, b, out, n); if (h) addAt<<<blocks(h), 256>>>(a, b, index, out, h);", "", ""},
	{"sum with zero first", "sum", "cudaMemset(out, 0, 4); total<<<4, 256>>>(a, out, n);", "", ""},
	{"sum with the host's zero first", "sum", "int z = 0; cudaMemcpy(out, &z, 4, cudaMemcpyHostToDevice); total<<<4, 256>>>(a, out, n);", "", ""},
	{"sum with a kernel's zero first", "sum", "clear<<<1, 1>>>(out); total<<<4, 256>>>(a, out, n);", "", ""},
	{"sum in two passes", "sum", "int *p = room(4); partial<<<4, 256>>>(a, p, n); partial<<<1, 256>>>(p, out, 4);", "", ""},
	{"sum in a temporary", "sum", "int *p = room(1); cudaMemset(p, 0, 4); total<<<4, 256>>>(a, p, n); cudaMemcpy(out, p, 4, cudaMemcpyDeviceToDevice);", "", ""},
	{"sum in managed memory", "sum", "int *p = managed(1); *p = 0; total<<<4, 256>>>(a, p, n); move<<<1, 1>>>(p, out, 1);", "", ""},
	{"sum in pinned memory", "sum", "int *p = pinned(1); *p = 0; total<<<4, 256>>>(a, p, n); cudaMemcpy(out, p, 4, cudaMemcpyHostToDevice);", "", ""},
	{"sum handed on", "sum", "int *p = room(1), h; cudaMemset(p, 0, 4); total<<<4, 256>>>(a, p, n); cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); if (h < 0) return; set<<<1, 1>>>(out, 0, h);", "", ""},
	{"factor stays", "scale", "int *s = room(1); cudaMemset(s, 0, 4); total<<<4, 256>>>(b, s, n); timesOf<<<4, 256>>>(a, s, out, n);", "", ""},
	{"factor as argument", "scale", "int *s = room(1); cudaMemset(s, 0, 4); total<<<4, 256>>>(b, s, n); unsigned h; cudaMemcpy(&h, s, 4, cudaMemcpyDeviceToHost); times<<<4, 256>>>(a, h % 1000u, out, n);", "", ""},
	{"factor finished on the host", "scale", "int *p = room(4); partial<<<4, 256>>>(b, p, n); ints v = get(p, 4); unsigned s = 0; for (int x : v) s += x; times<<<4, 256>>>(a, s % 1000u, out, n);", "", ""},
	{"factor finished in managed memory", "scale", "int *p = managed(4); partial<<<4, 256>>>(b, p, n); cudaDeviceSynchronize(); p[0] += p[1] + p[2] + p[3]; timesOf<<<4, 256>>>(a, p, out, n);", "", ""},
	{"factor in constant memory", "scale", "int *s = room(1); cudaMemset(s, 0, 4); total<<<4, 256>>>(b, s, n); cudaMemcpyToSymbol(fixed, s, 4, 0, cudaMemcpyDeviceToDevice); timesFixed<<<4, 256>>>(a, out, n);", "", ""},
	{"factor through the host to constant memory", "scale", "int *s = room(1); cudaMemset(s, 0, 4); total<<<4, 256>>>(b, s, n); int h; cudaMemcpy(&h, s, 4, cudaMemcpyDeviceToHost); cudaMemcpyToSymbol(fixed, &h, 4); timesFixed<<<4, 256>>>(a, out, n);", "", ""},
	{"rank sort", "sort", "rankSort<<<4, 256>>>(a, out, n);", "", ""},
	{"bitonic sort", "sort", "ints top(1024, 0x7fffffff); int *v = put(top); cudaMemcpy(v, a, 4 * n, cudaMemcpyDeviceToDevice); for (int k = 2; k <= 1024; k *= 2) for (int j = k / 2; j; j /= 2) bitonic<<<4, 256>>>(v, 1024, j, k); cudaMemcpy(out, v, 4 * n, cudaMemcpyDeviceToDevice);", "", ""},
	{"sort while something changes", "sort", "cudaMemcpy(out, a, 4 * n, cudaMemcpyDeviceToDevice); int *c = room(1), h = 1; while (h) { h = 0; cudaMemcpy(c, &h, 4, cudaMemcpyHostToDevice); for (int k = 0; k < 64; k++) oddEven<<<2, 256>>>(out, n, k % 2, nullptr); oddEven<<<2, 256>>>(out, n, 0, c); oddEven<<<2, 256>>>(out, n, 1, c); cudaMemcpy(&h, c, 4, cudaMemcpyDeviceToHost); }", "", ""},
	{"sort while a managed flag changes", "sort", "cudaMemcpy(out, a, 4 * n, cudaMemcpyDeviceToDevice); int *c = managed(1); do { *c = 0; for (int k = 0; k < 64; k++) oddEven<<<2, 256>>>(out, n, k % 2, nullptr); oddEven<<<2, 256>>>(out, n, 0, c); oddEven<<<2, 256>>>(out, n, 1, c); cudaDeviceSynchronize(); } while (*c);", "", ""},
	{"squares", "table", "squares<<<4, 256>>>(out, n, 7);", "", ""},
	{"squares after zeros", "table", "cudaMemset(out, 0, 4 * n); squares<<<4, 256>>>(out, n, 7);", "", ""},
	{"squares with factors", "table", "squaresOf<<<4, 256>>>(put({1, 7}), out, n);", "", ""},
	{"table in device memory", "digit", "digitOf<<<4, 256>>>(a, put({3, 1, 4, 1, 5, 9, 2, 6, 5, 3}), out, n);", "", ""},
	{"table in constant memory", "digit", "int t[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3}; cudaMemcpyToSymbol(fixed, t, sizeof t); digitFixed<<<4, 256>>>(a, out, n);", "", ""},
	{"table in managed memory", "digit", "int *t = managed(10); int v[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3}; memcpy(t, v, sizeof v); digitOf<<<4, 256>>>(a, t, out, n);", "", ""},
	{"table in a texture", "digit", "int *t = put({3, 1, 4, 1, 5, 9, 2, 6, 5, 3}); digitFetch<<<4, 256>>>(a, bound(t, 10), out, n);", "", ""},
	{"texture with a border", "add", "int *t = room(n); cudaMemcpy(t, a, 4 * n, cudaMemcpyDeviceToDevice); cudaTextureObject_t o = bound(t, n); apply<<<4, 256>>>([=] __device__(int i) { out[i] = tex1Dfetch<int>(o, i) + b[i]; }, n);", "", ""},
	{"module as text", "add", "const char *text = \".version 7.0\\n.target sm_80\\n.address_size 64\\n.visible .entry k() { ret; }\"; CUmodule m; CUfunction f; cudaFree(nullptr); if (cuModuleLoadData(&m, text) || cuModuleGetFunction(&f, m, \"k\")) return; cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, nullptr, 0); add<<<4, 256>>>(a, b, out, n); cuModuleUnload(m);", "", ""},
	{"heap of the device", "add", "cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20); apply<<<4, 256>>>([=] __device__(int i) { int *p = (int *)malloc(4); *p = a[i]; out[i] = *p + b[i]; free(p); }, n);", "", ""},
	{"memory as large as the data need", "add", "int *kept = room(1), h; cudaMemset(kept, 0, 4); addEven<<<4, 256>>>(a, b, out, n); int *index = room(n); count<<<4, 256>>>(a, kept, index, n); cudaMemcpy(&h, kept, 4, cudaMemcpyDeviceToHost); int *some = room(h); move<<<4, 256>>>(index, some, h); addAt<<<4, 256>>>(a, b, some, out, h); cudaFree(some);", "", ""},
	{"memory in each turn of a loop that the data end", "sort", "cudaMemcpy(out, a, 4 * n, cudaMemcpyDeviceToDevice); int h = 1; while (h) { int *c = room(1); cudaMemset(c, 0, 4); for (int k = 0; k < 64; k++) oddEven<<<2, 256>>>(out, n, k % 2, nullptr); oddEven<<<2, 256>>>(out, n, 0, c); oddEven<<<2, 256>>>(out, n, 1, c); cudaMemcpy(&h, c, 4, cudaMemcpyDeviceToHost); cudaFree(c); }", "", ""},
	{"streams in an order", "add", "cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); int *x = room(n); cudaEvent_t e; cudaEventCreate(&e); move<<<4, 256, 0, s>>>(a, x, n); cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); add<<<4, 256, 0, t>>>(x, b, out, n); cudaDeviceSynchronize();", "", ""},
	{"thread that works while a kernel runs", "add", "std::atomic<bool> stop(false); std::thread t([&] { volatile int x = 0; while (!stop) x = x + 1; }); add<<<4, 256>>>(a, b, out, n); cudaDeviceSynchronize(); stop = true; t.join();", "", ""},
	{"table as argument", "digit", "digitParam<<<4, 256>>>(a, Ten{{3, 1, 4, 1, 5, 9, 2, 6, 5, 3}}, out, n);", "", ""},
}

// TestHostPrograms judges cheats, honest programs and those on both sides of a bound. All of them are one source, so that it is compiled once.
func TestHostPrograms(t *testing.T) {
	tooltest.NeedsClang(t)
	cheats := slices.Concat(cheats, publicCheats, channels)
	all := slices.Concat(cheats, honest, bounds)
	source := hostMain(all)
	var chosen []int
	var lines []string
	for i := range all {
		if tooltest.Sampled(i, 8) || i >= len(cheats)+len(honest) {
			chosen, lines = append(chosen, i), append(lines, all[i].line(source, i))
		}
	}
	for k, v := range stream(t, newJudge(t), "", lines...) {
		checkProgram(t, &all[chosen[k]], v)
	}
}

// checkProgram compares a verdict with what is right.
func checkProgram(t *testing.T, p *whole, v *Verdict) {
	t.Helper()
	cheats := p.want != ""
	switch {
	case !cheats && !v.Correct:
		t.Errorf("honest: %s: %v", p.name, v.Reasons)
	case cheats && v.Correct:
		t.Errorf("cheat: %s: correct", p.name)
	case cheats && (v.Verdict != p.want || v.Reasons[0].Cause != p.cause):
		t.Errorf("cheat: %s: %v, not %s %s", p.name, v.Reasons, p.want, p.cause)
	case p.name == "aborts" && !strings.Contains(v.Reasons[0].Message, "abort()"):
		t.Error(v.Reasons)
	}
}
