package session

import (
	"context"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/repair"
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
  s[threadIdx.x] = 7; // barrier.cluster
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
	if len(r.Results) != 4 || len(r.Files) != 1 || r.Exit != ExitClean {
		t.Errorf("%+v", r)
	}
}
