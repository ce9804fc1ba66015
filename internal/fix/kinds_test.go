package fix

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/session"
)

// unorderedProgram misses one thing in each kernel: what kind of wait or fence its comment names.
const unorderedProgram = `#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void copies(const int4 *in, int4 *out) {
  __shared__ int4 s[32];
  int t = threadIdx.x;
  unsigned at = __cvta_generic_to_shared(&s[t]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(at), "l"(in + t) : "memory");
  out[t] = s[t]; // cp.async.wait_all
}
__global__ void __cluster_dims__(2) cluster(int *out) {
  __shared__ int s[32];
  cg::cluster_group c = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  c.sync();
  int v = c.map_shared_rank(s, 1 - c.block_rank())[threadIdx.x];
  s[threadIdx.x] = 7; // c.sync()
  out[blockIdx.x * 32 + threadIdx.x] = v;
  c.sync();
}
__global__ void bulk(int *out) {
  __shared__ alignas(16) int s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned at = __cvta_generic_to_shared(s);
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" :: "l"(out), "r"(at) : "memory"); // fence.proxy.async
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
__global__ void first(int *a) { a[threadIdx.x] = threadIdx.x; }
__global__ void second(int *a, int *b) {
  b[threadIdx.x] = a[threadIdx.x]; // cudaGridDependencySynchronize
}
int main() {
  int *d;
  cudaMalloc(&d, 1024);
  cudaMemset(d, 0, 1024);
  copies<<<1, 32>>>((int4 *)d, (int4 *)d + 32);
  cluster<<<2, 32>>>(d);
  bulk<<<1, 32>>>(d);
  cudaLaunchAttribute early;
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 32;
  config.attrs = &early;
  config.numAttrs = 1;
  first<<<1, 32>>>(d);
  cudaLaunchKernelEx(&config, second, d, d + 128);
  return cudaDeviceSynchronize();
}
`

// TestFixAsynchronous: waits and fences for copies, clusters, other proxies and dependent launches.
func TestFixAsynchronous(t *testing.T) {
	cfg := fixConfig(tidyFile(t, unorderedProgram))
	cfg.Arch = "sm_90"
	r, _, err := Fix(context.Background(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(unorderedProgram, "\n")
	for _, x := range r.Results {
		_, want, ok := strings.Cut(lines[x.Finding.Primary.Loc.Line-1], "// ")
		if !ok || x.Outcome != repair.Fixed || !strings.Contains(x.What, want) {
			t.Errorf("line %d: %+v", x.Finding.Primary.Loc.Line, x)
		}
	}
	if len(r.Results) != 4 || len(r.Files) != 1 || r.Exit != session.ExitClean {
		t.Errorf("%+v", r)
	}
}

// boundedProgram has one access out of bounds in each kernel: its comment is a part of what the patch says, "none" where
// no patch may hold.
const boundedProgram = `#include <vector>
const int SAMPLES = 48;
__global__ void before(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t < n ? in[t] : 0;
  __syncthreads();
  out[t] = s[t - n / 2]; // t >= n / 2
}
__global__ void within(int *a, int n) {
  int t = threadIdx.x;
  if (t <= n) a[t] = 1; // compare t < n
}
__global__ void stepped(int *a, int n) {
  for (int i = threadIdx.x; i < n + 1; i += 32)
    a[i] = 1; // compare i < n
}
__device__ void put(int *a, int i) {
  a[i] = 1; // execute line 23 only where t < n
}
__global__ void calls(int *a, int n) {
  int t = threadIdx.x;
  put(a, t); put(a, t / 2);
}
__global__ void constant(int *a) {
  int t = threadIdx.x;
  *(a + t) = 1; // t < SAMPLES
}
__global__ void unknown(int *a) {
  a[2 * threadIdx.x] = 1; // as a new parameter
}
__global__ void product(const int *a, const int *b, int *c, int rows, int inner, int columns) {
  int row = threadIdx.y, column = threadIdx.x, sum = 0;
  for (int i = 0; i < inner; i++)
    sum += a[row * inner + i] * b[i * columns + column]; // row < rows
  c[row * columns + column] = sum; // row < 
}
int main() {
  int *a, *b, *c, *d, n = 50, size = SAMPLES;
  std::vector<int> one(64, 1);
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, size * sizeof(int));
  cudaMalloc(&c, 64 * sizeof(int));
  cudaMalloc(&d, 20 * sizeof(int));
  cudaMemcpy(a, one.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(b, one.data(), size * sizeof(int), cudaMemcpyHostToDevice);
  before<<<1, 64>>>(a, c, n);
  within<<<1, 64>>>(a, n);
  stepped<<<1, 32>>>(a, n);
  calls<<<1, 64>>>(a, n);
  constant<<<1, 64>>>(b);
  product<<<1, dim3(8, 8)>>>(a, b, d, 5, 10, 4);
  unknown<<<1, 26>>>(a);
  return cudaDeviceSynchronize();
}
`

// TestFixBounds: accesses out of bounds. A condition leaves out the wrong ones and no others.
func TestFixBounds(t *testing.T) {
	cfg := fixConfig(tidyFile(t, boundedProgram))
	r, _, err := Fix(context.Background(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(boundedProgram, "\n")
	seen := map[int]bool{}
	for _, x := range r.Results {
		line := x.Finding.Primary.Loc.Line
		_, want, ok := strings.Cut(lines[line-1], "// ")
		seen[line] = true
		if x.Outcome == repair.Gone && want != "none" { // a race of threads that should not be there
			continue
		}
		if fixed := x.Outcome == repair.Fixed; !ok || fixed != (want != "none") || fixed && !strings.Contains(x.What, want) {
			t.Errorf("line %d: %s: %+v", line, x.Finding.Message, x)
		}
	}
	for i, l := range lines {
		if strings.Contains(l, "// ") && !seen[i+1] {
			t.Errorf("line %d: nothing was found", i+1)
		}
	}
}

// advancingPrograms change a variable in the statement of an access: a condition before it would leave the change out too.
var advancingPrograms = []string{`__global__ void after(int *out, int *next, int n) {
  int i = threadIdx.x;
  out[i++] = 1; // none
  next[threadIdx.x] = i;
}
int main() {
  int *d, *e;
  cudaMalloc(&d, 20 * sizeof(int));
  cudaMalloc(&e, 32 * sizeof(int));
  after<<<1, 32>>>(d, e, 20);
  return cudaDeviceSynchronize();
}
`, `struct Cursor {
  int i;
  __device__ Cursor &operator++() { i++; return *this; }
  __device__ operator int() const { return i; }
};
__global__ void own(int *out, int *next, int n) {
  Cursor i = {(int)threadIdx.x};
  out[++i] = 1; // none
  next[threadIdx.x] = i;
}
int main() {
  int *d, *e;
  cudaMalloc(&d, 20 * sizeof(int));
  cudaMalloc(&e, 32 * sizeof(int));
  own<<<1, 32>>>(d, e, 20);
  return cudaDeviceSynchronize();
}
`, `__global__ void sums(const int *in, int *out, int n) {
  int i = threadIdx.x, sum = 0;
  sum += in[i]; // only where i < n
  out[i] = sum;
}
int main() {
  int *d, *e;
  cudaMalloc(&d, 20 * sizeof(int));
  cudaMalloc(&e, 32 * sizeof(int));
  cudaMemset(d, 0, 20 * sizeof(int));
  sums<<<1, 32>>>(d, e, 20);
  return cudaDeviceSynchronize();
}
`}

func TestFixAdvancing(t *testing.T) {
	for i, text := range advancingPrograms {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			cfg := fixConfig(tidyFile(t, text))
			r, _, err := Fix(context.Background(), cfg, nil)
			if err != nil || len(r.Results) == 0 {
				t.Fatal(err, r)
			}
			_, want, _ := strings.Cut(text, "// ")
			want, _, _ = strings.Cut(want, "\n")
			for _, x := range r.Results {
				if fixed := x.Outcome == repair.Fixed; fixed != (want != "none") || fixed && !strings.Contains(x.What, want) {
					t.Errorf("%s: %s: %s", x.Finding.Message, x.Outcome, x.What)
				}
			}
		})
	}
}

// freedProgram frees wrong pointers, and reads by the read-only path what it writes: its comments are parts of what the patches
// say. What is freed elsewhere is not freed there.
const freedProgram = `__global__ void reversed(int *p, int *out) {
  p[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = __ldg(&p[63 - threadIdx.x]); // without __ldg
}
int main() {
  int *a, *b, *pinned;
  cudaMalloc(&a, 256);
  cudaMalloc(&b, 256);
  cudaMallocHost(&pinned, 256);
  reversed<<<1, 64>>>(a, b);
  cudaDeviceSynchronize();
  cudaFree(a + 4); // write a for a + 4
  cudaFree(pinned); // remove the call
  cudaFree(b);
  cudaFreeHost(pinned);
  return 0;
}
`

// TestFixFrees: frees of what no allocation returned, and reads that are not coherent.
func TestFixFrees(t *testing.T) {
	r, _, err := Fix(context.Background(), fixConfig(tidyFile(t, freedProgram)), nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(freedProgram, "\n")
	for _, x := range r.Results {
		_, want, ok := strings.Cut(lines[x.Finding.Primary.Loc.Line-1], "// ")
		if !ok || x.Outcome != repair.Fixed || !strings.Contains(x.What, want) {
			t.Errorf("line %d: %+v", x.Finding.Primary.Loc.Line, x)
		}
	}
	if len(r.Results) != 3 || r.Exit != session.ExitClean {
		t.Errorf("%+v", r)
	}
}

// testedProgram tests and sets what other threads test and set. The second patch takes a line away, and the first changes what a
// buffer holds that the lines behind it allocate.
const testedProgram = `#include <cstdio>
__global__ void least(int *best, int *found, int *order, int *next, const int *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (v[i] < *best) *best = v[i];
  int slot = v[i] & 31;
  if (!found[slot]) {
    found[slot] = 1;
    order[atomicAdd(next, 1)] = slot;
  }
}
int main() {
  const int n = 256;
  int *best, *found, *order, *next, *v, h[n], top = 1 << 30, result, count;
  for (int i = 0; i < n; i++) h[i] = (i * 37) % 251 + 5;
  cudaMalloc(&best, 4), cudaMalloc(&found, 128), cudaMalloc(&order, 4 * n), cudaMalloc(&next, 4), cudaMalloc(&v, sizeof h);
  cudaMemcpy(best, &top, 4, cudaMemcpyHostToDevice), cudaMemcpy(v, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(found, 0, 128), cudaMemset(next, 0, 4);
  least<<<4, 64>>>(best, found, order, next, v, n);
  cudaMemcpy(&result, best, 4, cudaMemcpyDeviceToHost), cudaMemcpy(&count, next, 4, cudaMemcpyDeviceToHost);
  printf("%d %d\n", result, count);
  cudaFree(best), cudaFree(found), cudaFree(order), cudaFree(next), cudaFree(v);
}
`

// TestFixTests: a test and a write become one atomic function, and hold as they are written.
func TestFixTests(t *testing.T) {
	r, _, err := Fix(context.Background(), fixConfig(tidyFile(t, testedProgram)), nil)
	if err != nil {
		t.Fatal(err)
	}
	var what []string
	for _, x := range r.Results {
		if x.Outcome == repair.Fixed {
			what = append(what, x.What)
		}
	}
	want := []string{"test and set *best in line 5 by one atomicMin(best, v[i])", "test and set found[slot] in line 7 by one atomicCAS(&found[slot], 0, 1)"}
	if !slices.Equal(what, want) || r.Exit != session.ExitClean {
		t.Errorf("exit %d: %q", r.Exit, what)
	}
}
