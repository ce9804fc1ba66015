package fix

import (
	"context"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// defectPrograms have defects of all kinds: their comments are parts of what the patches say, "none" where no patch may hold.
var defectPrograms = map[string]string{
	"waits": `
__global__ void poll(volatile int *flag, int *out) {
  while (*flag == 0) {} // move line 17 before line 16
  *out = 1;
}
__global__ void raise(volatile int *flag) { *flag = 1; }
int main() {
  int *flag, *out;
  cudaStream_t s;
  cudaMalloc(&flag, 64);
  cudaMalloc(&out, 64);
  cudaMemset(flag, 0, 64);
  cudaMemset(out, 0, 64);
  cudaDeviceSynchronize();
  cudaStreamCreate(&s);
  poll<<<1, 1, 0, s>>>(flag, out);
  raise<<<1, 1, 0, s>>>(flag);
  cudaDeviceSynchronize();
  cudaFree(flag);
  cudaFree(out);
  return 0;
}
`,
	"streams": `#include <cuda.h>
__global__ void use(int *out) { out[1] = out[0]; }
int main() {
  int *out;
  cudaStream_t s;
  cudaMalloc(&out, 64);
  cudaMemset(out, 0, 64);
  cudaDeviceSynchronize();
  cudaStreamCreate(&s);
  cuStreamWaitValue32(s, (CUdeviceptr)out, 7, CU_STREAM_WAIT_VALUE_GEQ); // move line 11 before line 10
  cuStreamWriteValue32(s, (CUdeviceptr)out, 7, 0);
  use<<<1, 1, 0, s>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
`,
	"children": `__global__ void child(int *p, int n) {
  if (threadIdx.x <= n) p[threadIdx.x] = 1; // only where threadIdx.x < n
}
__global__ void parent(int *p, int n) { child<<<1, 32>>>(p, n); }
int main() {
  int *p;
  cudaMalloc(&p, 64);
  parent<<<1, 1>>>(p, 16);
  cudaDeviceSynchronize();
  cudaFree(p);
  return 0;
}
`,
	"loops": `__global__ void down(int *out, unsigned n) {
  for (unsigned i = n; i >= 0; i -= 2)
    out[i % 32] += i; // declare i as int in line 2
}
__global__ void past(int *out, int n) {
  int i = 1;
  while (i != n) out[i++ % 32] += i, i++; // compare i < n
}
__global__ void kept(int *lock, int *out) {
  while (atomicCAS(lock, 0, 1) != 0) {} // atomicExch(lock, 0) after line 11
  *out += 1;
}
int main() {
  int *out;
  cudaMalloc(&out, 256);
  cudaMemset(out, 0, 256);
  down<<<1, 1>>>(out, 40);
  cudaDeviceSynchronize();
  past<<<1, 1>>>(out, 100);
  cudaDeviceSynchronize();
  kept<<<1, 64>>>(out + 40, out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
`,
	"memory": `#include <cstring>
struct Pair { int a[4], b[4]; };
struct Sizes { int n; };
__global__ void member(Pair *p, int t) {
  p->a[t + threadIdx.x] = t; // only where t + threadIdx.x < 4
}
__global__ void own(const __grid_constant__ Sizes s, int *out) {
  const_cast<Sizes &>(s).n += 1; // without __grid_constant__
  out[0] = s.n;
}
__global__ void odd(const char *s, int *out) {
  out[0] = *(const int *)(s + 1); // by memcpy
}
__global__ void fills(char *p, int n) {
  memset(p, 1, n); // as a new parameter
}
__global__ void local(int *out, int t) {
  int a[4];
  memset(a, t, 32); // write sizeof a for 32
  out[0] = a[0];
}
__global__ void freed(int *out) {
  int *p = (int *)malloc(16);
  p[0] = 1;
  free(p);
  out[threadIdx.x] = p[0]; // move the call in line 25
}
__global__ void constant(int *out) {
  out[100] = 1; // none
}
int main() {
  int *out;
  char *bytes;
  cudaMalloc(&out, 256);
  cudaMalloc(&bytes, 64);
  cudaMemset(out, 0, 256);
  cudaMemset(bytes, 0, 64);
  member<<<1, 4>>>((Pair *)out, 2);
  own<<<1, 1>>>(Sizes{3}, out);
  odd<<<1, 1>>>(bytes, out);
  fills<<<1, 1>>>(bytes, 70);
  local<<<1, 1>>>(out, 0);
  freed<<<1, 1>>>(out);
  constant<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(bytes);
  return 0;
}
`,
	"warps": `__global__ void absent(int *out) {
  int v = threadIdx.x;
  if (threadIdx.x < 8)
    v = __shfl_sync(0xff, v, 8); // before the branch of line 3
  out[threadIdx.x] = v;
}
__global__ void alone(int *out) {
  if (threadIdx.x < 31) {
    __syncwarp(); // use the mask lanes8
    out[threadIdx.x] += 1;
  }
  out[threadIdx.x] += 1;
}
__global__ void halving(int *out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int n = blockDim.x / 2; n > 0; n >>= 1)
    if (t < n) {
      s[t] += s[t + n];
      __syncthreads(); // behind the branch
    }
  if (t == 0) out[0] = s[0];
}
__global__ void counted(int *out) {
  asm volatile("bar.sync 1, 40;" ::: "memory"); // write 64 for 40 in bar.sync
  out[threadIdx.x] = 1;
}
int main() {
  int *out;
  cudaMalloc(&out, 512);
  cudaMemset(out, 0, 512);
  absent<<<1, 32>>>(out);
  alone<<<1, 32>>>(out);
  halving<<<1, 128>>>(out);
  counted<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
`,
	"mbarriers": `__device__ unsigned at(void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void relaxed(int *out) {
  __shared__ unsigned long long bar;
  __shared__ int s[32];
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(at(&bar)) : "memory");
  __syncthreads();
  if (threadIdx.x < 32) {
    s[threadIdx.x] = threadIdx.x;
    asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(at(&bar)) : "memory");
  } else {
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra W; }" ::"r"(at(&bar)) : "memory");
    out[threadIdx.x] = s[threadIdx.x - 32]; // write release for relaxed in mbarrier.arrive
  }
}
__device__ void init(unsigned long long *b) {
  asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at(b)) : "memory"); // before the loop of line 20
}
__global__ void tiles() {
  __shared__ unsigned long long b;
  for (int i = 0; i < 3; i++) {
    if (threadIdx.x == 0) init(&b);
    __syncthreads();
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at(&b)) : "memory");
    __syncthreads();
  }
}
int main() {
  int *out;
  cudaMalloc(&out, 512);
  relaxed<<<1, 64>>>(out);
  tiles<<<1, 64>>>();
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
`,
	"refused launches": `
__global__ void part(int *out) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void all(int *out) { out[threadIdx.x] = 1; }
int main() {
  int *a, *b;
  cudaMalloc(&a, 128);
  cudaMalloc(&b, 256);
  cudaMemset(a, 0, 128);
  part<<<1, 32, 64 << 10>>>(a); // cudaFuncSetAttribute(part
  cudaGetLastError();
  all<<<1, 64>>>(b);
  all<<<1, 32>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  return 0;
}
`,
	"null pointers": `
struct List { int n; List *next; int *data; };
__device__ int number(const List *l) { return l->n; } // only where l != nullptr
__global__ void first(List *l, int *out) {
  *out = l->data[0]; // only where (l->data) != nullptr
}
__global__ void next(List *l, int *out) {
  out[1] = number(l->next);
}
__global__ void own(int n) {
  int *all = (int *)malloc(n);
  all[0] = 1; // only where all != nullptr
  free(all);
}
int main() {
  List *l;
  int *out;
  cudaMalloc(&l, sizeof *l);
  cudaMalloc(&out, 64);
  cudaMemset(l, 0, sizeof *l);
  first<<<1, 1>>>(l, out);
  cudaDeviceSynchronize();
  next<<<1, 1>>>(l, out);
  own<<<1, 1>>>(1 << 30);
  cudaDeviceSynchronize();
  cudaFree(l);
  cudaFree(out);
  return 0;
}
`,
	"parts": `
struct Pair { short a, b; __device__ Pair() {} };
__device__ __noinline__ Pair made(const int *q, bool both) {
  Pair p;
  p.a = short(*q);
  if (both) p.b = short(*q);
  return p; // add memset(&p, 0, sizeof p)
}
__global__ void halves(int *out, int k) {
  extern __shared__ int all[];
  float *first = (float *)all;
  int *second = all + 32;
  first[threadIdx.x] = 1;
  second[threadIdx.x] = 2;
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x + k]; // < (const char *)second
}
__global__ void vectors(int4 *p, int *out) {
  if (threadIdx.x < 4) p[threadIdx.x].w = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = __ldg(&p[threadIdx.x / 8]).w; // without __ldg
}
__global__ void numbered(int *out, int id) {
  asm volatile("bar.sync %0, 32;" ::"r"(id) : "memory"); // write (id) % 16
  out[threadIdx.x] = 1;
}
__global__ void pairs(int *out) { *out = made(out + 1, out[1] == 99).b + 1; }
int main() {
  int *out;
  int4 *p;
  cudaMalloc(&out, 512);
  cudaMalloc(&p, 512);
  cudaMemset(p, 0, 512);
  halves<<<1, 32, 256>>>(out, 1);
  vectors<<<1, 32>>>(p, out);
  pairs<<<1, 1>>>(out);
  numbered<<<1, 32>>>(out, 18);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(p);
  return 0;
}
`,
	"clusters": `
__global__ void __cluster_dims__(2, 1, 1) pairs(int *out) { out[blockIdx.x] = 1; }
__global__ void any(int *out) { out[blockIdx.x] = 2; }
static cudaError_t launch(void (*kernel)(int *), int *out, int size) {
  cudaLaunchConfig_t c = {};
  c.gridDim = 8;
  c.blockDim = 32;
  cudaLaunchAttribute a;
  a.id = cudaLaunchAttributeClusterDimension;
  a.val.clusterDim.x = size;
  a.val.clusterDim.y = a.val.clusterDim.z = 1;
  c.attrs = &a;
  c.numAttrs = 1;
  return cudaLaunchKernelEx(&c, kernel, out); // write 2 for 4 in line 20
}
int main() {
  int *out;
  cudaMalloc(&out, 512);
  launch(any, out, 4);
  launch(pairs, out, 4);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
`,
	"warpgroups": `
__device__ unsigned at(void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void unset(int *out) {
  __shared__ unsigned long long bar;
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(&bar)) : "memory"); // mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(&bar)), "r"(
  out[threadIdx.x] = 1;
}
__global__ void three(int *out) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); // write (96 + 127) / 128 * 128 for 96
  out[threadIdx.x] = 1;
}
__global__ void branch(int *out) {
  if (threadIdx.x / 32 != 2) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); // move the operation of line 14 behind
  }
  out[threadIdx.x] = 1;
}
int main() {
  int *out;
  cudaMalloc(&out, 512);
  unset<<<1, 32>>>(out);
  three<<<1, 96>>>(out);
  branch<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
`,
	"last block": `
__device__ unsigned done;
__global__ void sum(int *partial, int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x;
    __threadfence();
    last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __threadfence();
  }
  if (last && threadIdx.x == 0) { // add __syncthreads()
    int all = 0;
    for (int b = 0; b < gridDim.x; b++) all += partial[b];
    out[0] = all;
  }
}
int main() {
  int *partial, *out;
  cudaMalloc(&partial, 512);
  cudaMalloc(&out, 64);
  sum<<<8, 64>>>(partial, out);
  cudaDeviceSynchronize();
  cudaFree(partial);
  cudaFree(out);
  return 0;
}
`,
	"in flight": `
__device__ unsigned at(void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void load(const int *in) {
  __shared__ __align__(16) int part[32];
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.proxy.async; mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(at(&bar)) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" ::"r"(at(part)), "l"(in), "r"(at(&bar)) : "memory"); // add a wait for phase 0 of bar
  }
  __syncthreads();
}
int main() {
  int *in;
  cudaMalloc(&in, 128);
  cudaMemset(in, 0, 128);
  load<<<1, 32>>>(in);
  cudaDeviceSynchronize();
  cudaFree(in);
  return 0;
}
`,
	"peers": `#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ unsigned at(void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void __cluster_dims__(2, 1, 1) peer(int *out) {
  __shared__ __align__(16) int from[32];
  __shared__ __align__(16) int to[32];
  __shared__ unsigned long long came;
  cg::cluster_group cluster = cg::this_cluster();
  int t = threadIdx.x, other = cluster.block_rank() ^ 1;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster; mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(at(&came)) : "memory");
  cluster.sync();
  from[t] = t;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (t == 0)
    asm volatile("{ .reg .b32 d, b; mapa.shared::cluster.u32 d, %0, %3; mapa.shared::cluster.u32 b, %2, %3; cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [d], [%1], 128, [b]; }"
      ::"r"(at(to)), "r"(at(from)), "r"(at(&came)), "r"(other) : "memory");
  if (t == 0) from[5] = -1; // this_cluster().sync()
  asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0; @!p bra W; }" ::"r"(at(&came)) : "memory");
  out[blockIdx.x * 32 + t] = to[31 - t];
  cluster.sync();
}
int main() {
  int *out;
  cudaMalloc(&out, 256);
  peer<<<2, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
`,
	"flags between streams": `#include <cuda.h>
__global__ void use(const int *p, int *out) { out[threadIdx.x] = p[threadIdx.x]; } // add __threadfence_system(); __syncthreads() after line 4
__global__ void fill(int *p, volatile unsigned *word) {
  p[threadIdx.x] = 5; // add __threadfence_system(); __syncthreads() after line 4
  __syncthreads();
  if (threadIdx.x == 0) *word = 1;
}
int main() {
  int *p, *out;
  unsigned *word;
  cudaStream_t a, b;
  cudaMalloc(&p, 128);
  cudaMalloc(&out, 128);
  cudaMalloc(&word, 4);
  cudaMemset(p, 0, 128);
  cudaMemset(word, 0, 4);
  cudaDeviceSynchronize();
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cuStreamWaitValue32(b, (CUdeviceptr)word, 1, CU_STREAM_WAIT_VALUE_EQ);
  use<<<1, 32, 0, b>>>(p, out);
  fill<<<1, 32, 0, a>>>(p, word);
  cudaDeviceSynchronize();
  cudaFree(p);
  cudaFree(out);
  cudaFree(word);
  return 0;
}
`,
	"barriers in two parts": `#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void half(int *out) {
  cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x < 32) {
    int mine = threadIdx.x;
    auto token = block.barrier_arrive();
    out[mine] = mine;
    block.barrier_wait(std::move(token)); // move the barrier of line 9
  }
  __syncthreads();
}
int main() {
  int *out;
  cudaMalloc(&out, 512);
  half<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
`}

// TestFixDefects: loops and waits that do not end, arrays in structures, addresses and sizes, warps and mbarriers.
func TestFixDefects(t *testing.T) {
	for name, text := range defectPrograms {
		t.Run(name, func(t *testing.T) { fixesAsMarked(t, text, "sm_90") })
	}
}

// TestFixLoads: a patch with which the device code is not loaded does not hold, although no error is left.
func TestFixLoads(t *testing.T) {
	const text = `__global__ void add(int *sum) {
  asm volatile("membar.gl;" ::: "memory");
  sum[0] += 1;
}
int main() {
  int *sum;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  add<<<1, 64>>>(sum);
  cudaDeviceSynchronize();
  cudaFree(sum);
  return 0;
}
`
	file := tidyFile(t, text)
	at := strings.Index(text, "membar.gl")
	edits := []code.Edit{{File: file, From: at, To: at + len("membar.gl"), Text: "membar.release"}}
	r, _, err := fixWith(context.Background(), fixConfig(file), nil, propose(&code.Patch{Edits: edits, Inline: edits, What: "an instruction that does not exist"}))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Results {
		if x.Outcome == repair.Fixed || len(x.Tried) == 0 || x.Tried[0].Cause != repair.NotCompiled {
			t.Errorf("%s: %s %+v", x.Finding.Message, x.Outcome, x.Tried)
		}
	}
	if len(r.Results) == 0 {
		t.Error("no race was found")
	}
}
