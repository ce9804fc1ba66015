// Accesses of one to sixteen bytes, some of them racy between neighbors, some
// only next to each other.
#include <cstdio>

struct Mixed {
  char c;
  short s;
  int i;
};

__global__ void sizes(float4 *out, const float4 *in, const double *d, const unsigned char *bytes) {
  __shared__ float4 wide[64];
  __shared__ double doubles[64];
  __shared__ unsigned char small[64];
  __shared__ Mixed mixed[64];
  int t = threadIdx.x, n = blockDim.x;
  wide[t] = in[t];
  doubles[t] = d[2 * t];
  small[t] = bytes[3 * t];
  mixed[t].c = 1;
  mixed[(t + 1) % n].s = 2; // another member than the neighbor's
  __syncthreads();
  float4 a = wide[(t * 2) % n];
  double b = doubles[(t * 4) % n];
  int c = small[t ^ 1];
  mixed[t].i = c;
  mixed[t].c++;
  int e = mixed[(t + 1) % n].c; // the neighbor may be changing it
  small[t] = e;                 // and this one may be read
  __syncthreads();
  atomicAdd(&mixed[0].i, 1);
  atomicAdd(&mixed[t / 8].i, 1);
  __syncthreads();
  int last = mixed[t].i;
  if (t == 0) atomicExch(&mixed[1].i, 0); // read by thread 1
  out[t] = make_float4(a.x, (float)b, c, last);
}

int main() {
  const int n = 64;
  float4 *out, *in;
  double *d;
  unsigned char *bytes;
  cudaMalloc(&out, n * sizeof(float4));
  cudaMalloc(&in, n * sizeof(float4));
  cudaMalloc(&d, 2 * n * sizeof(double));
  cudaMalloc(&bytes, 3 * n);
  cudaMemset(in, 0, n * sizeof(float4));
  cudaMemset(d, 0, 2 * n * sizeof(double));
  cudaMemset(bytes, 1, 3 * n);
  sizes<<<1, n>>>(out, in, d, bytes);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
