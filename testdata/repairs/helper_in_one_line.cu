// fix: fixed
// has: +template <class T> __global__ void k(const T *v, T *out) {
// has: +  __syncthreads();
#include <cstdio>
#define LOAD(dst, src) dst[threadIdx.x] = src[threadIdx.x]
template <class T, int N> __device__ T total(const T *v) {
  __shared__ T s[N];
  LOAD(s, v);
  T sum = 0;
  for (int i = 0; i < N; i++) sum += s[i];
  return sum;
}
template <class T> __global__ void k(const T *v, T *out) { out[threadIdx.x] = total<T, 64>(v) + total<T, 64>(v + 64); }
int main() {
  float h[128], *d, *o; int g[128], *e, *p;
  for (int i = 0; i < 128; i++) h[i] = g[i] = i;
  cudaMalloc(&d, sizeof h); cudaMalloc(&o, sizeof h); cudaMalloc(&e, sizeof g); cudaMalloc(&p, sizeof g);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice); cudaMemcpy(e, g, sizeof g, cudaMemcpyHostToDevice);
  k<<<1, 64>>>(d, o); k<<<1, 64>>>(e, p);
  cudaMemcpy(h, o, 256, cudaMemcpyDeviceToHost); cudaMemcpy(g, p, 256, cudaMemcpyDeviceToHost);
  printf("%g %d\n", h[1], g[1]);
  cudaFree(d); cudaFree(o); cudaFree(e); cudaFree(p);
}
