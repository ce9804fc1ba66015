// For fat binaries: a kernel, variables of each kind, and device properties,
// whose structure is another one in each version of CUDA.
#include <cstdio>

__device__ int counter;
__constant__ float scale = 2;
__managed__ int most;

__global__ void add(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  b[i] = a[i] * scale;
  atomicAdd(&counter, 1);
  atomicMax(&most, i);
}

int main() {
  const int n = 100;
  float h[n], *a, *b;
  for (int i = 0; i < n; i++) h[i] = i;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  struct {
    int before;
    cudaDeviceProp p;
    int after;
  } guarded{1, {}, 2};
  cudaGetDeviceProperties(&guarded.p, 0);
  add<<<4, 32>>>(a, b, n);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  int c = 0;
  cudaMemcpyFromSymbol(&c, counter, sizeof c);
  bool ok = c == n && most == n - 1 && guarded.before == 1 && guarded.after == 2;
  ok &= guarded.p.warpSize == 32 && guarded.p.unifiedAddressing == 1 && guarded.p.multiProcessorCount > 0 &&
        guarded.p.sharedMemPerBlockOptin >= guarded.p.sharedMemPerBlock && guarded.p.managedMemory == 1;
  for (int i = 0; i < n; i++) ok &= h[i] == 2 * i;
  printf("fatbin: %s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
