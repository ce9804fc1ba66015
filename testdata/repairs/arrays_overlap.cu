// fix: manual arrays-overlap
#include <cstdlib>
__global__ void two(const float *__restrict__ a, float *__restrict__ b, int n) {
  extern __shared__ float s[];
  float *p = s, *q = s + blockDim.x / 2;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  p[t] = i < n ? a[i] : 0; q[t] = 2 * t;
  __syncthreads();
  int r = (t + 1) % blockDim.x;
  if (i < n) b[i] = p[r] + q[r];
}
int main(int argc, char **argv) { int n = argc > 1 ? atoi(argv[1]) : 1000; float *a, *b; cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float)); cudaMemset(a, 0, n * sizeof(float)); cudaMemset(b, 0, n * sizeof(float)); two<<<(n + 255) / 256, 256, 2048>>>(a, b, n); cudaDeviceSynchronize(); return 0; }
