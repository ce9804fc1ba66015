package fix

import "testing"

// devicePrograms have wrong arrivals, memory of the wrong kind and launches that are refused: their comments are parts of what
// the patches say, "none" where no patch may hold.
var devicePrograms = map[string]string{
	"arrivals": `#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void twice(int *out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block::arrival_token token;
  token = block.barrier_arrive();
  token = block.barrier_arrive(); // after line 6
  block.barrier_wait(std::move(token));
  out[threadIdx.x] = 1;
}
__global__ void lonely(int *out) {
  __shared__ unsigned long long bar;
  unsigned at = __cvta_generic_to_shared(&bar);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(at) : "memory");
  __syncthreads();
  asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra W; }" ::"r"(at) : "memory"); // add asm volatile("mbarrier.arrive
  out[threadIdx.x] = 2;
}
__global__ void __cluster_dims__(2) leaves(int *out) {
  __shared__ int s[32];
  cg::cluster_group c = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  c.sync();
  out[blockIdx.x * 32 + threadIdx.x] = c.map_shared_rank(s, 1 - c.block_rank())[threadIdx.x]; // add c.sync() after line 24
}
int main() {
  int *out;
  cudaMalloc(&out, 1024);
  twice<<<1, 32>>>(out);
  leaves<<<2, 32>>>(out);
  lonely<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
`,
	"memory": `__constant__ int table[4];
__device__ int counts[32];
__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; } // pass a copy of host in the device's memory in line 11
__global__ void count(int *p) { p[threadIdx.x] += 1; } // pass the address that counts has on the device in line 12
__global__ void change(int i) { table[i] = 1; } // declare table as __device__ in line 1
__global__ void release(int *p) {
  free(p); // remove the call
}
int main() {
  int host[32], *out;
  fill<<<1, 32>>>(host);
  count<<<1, 32>>>(counts);
  change<<<1, 1>>>(0);
  cudaMalloc(&out, 128);
  release<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return host[3] - 3;
}
`,
	"launch": `__global__ void wide(int *p, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x < n) p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
int main() {
  int *p;
  cudaMalloc(&p, 8192);
  wide<<<1, 2048>>>(p, 2048); // launch blocks of 1024 threads
  cudaDeviceSynchronize();
  cudaFree(p);
  return 0;
}
`,
	"heap": `__global__ void keep(int *out) {
  int *own = (int *)malloc(16);
  own[threadIdx.x] = threadIdx.x;
  if (own[3 - threadIdx.x] > 7) out[threadIdx.x] = own[threadIdx.x]; // memset(own, 0, 16)
}
int main() {
  int *out;
  cudaMalloc(&out, 128);
  keep<<<1, 4>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
`}

// TestFixDevice: arrivals at barriers, memory that a kernel may not use as it does, and sizes of blocks.
func TestFixDevice(t *testing.T) {
	for name, text := range devicePrograms {
		t.Run(name, func(t *testing.T) { fixesAsMarked(t, text, "sm_90") })
	}
}

// unsizedProgram has kernels that are not told how many elements there are. The arguments of one that is launched by its address stay
// what they are.
const unsizedProgram = `__global__ void twice(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 2 * a[i]; // execute line 3 only where i < count_
}
__global__ void add(const float *in, float *out, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + by; // as a new parameter
}
__global__ void named(float *a) {
  a[threadIdx.x] = 1; // none
}
int main() {
  int n = 100;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, 512);
  cudaMemset(a, 0, n * sizeof(float));
  twice<<<2, 64>>>(a);
  add<<<2, 64>>>(a, b, 1);
  void *arguments[] = {&a};
  cudaLaunchKernel((void *)named, 1, 128, arguments, 0, 0);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  return 0;
}
`

// TestFixSizes: sizes as new parameters of kernels that have none.
func TestFixSizes(t *testing.T) { fixesAsMarked(t, unsizedProgram, "") }
