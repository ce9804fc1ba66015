// Device variables of all kinds by symbol.
#include <cstdio>
struct Cfg {
  int w, h;
  float k[3];
};
__constant__ Cfg cfg;
namespace ns {
__device__ float tab[16];
static __constant__ double two = 2.0;
} // namespace ns
template <typename T> __device__ T gen = T(3);
__device__ const int fixed[3] = {7, 8, 9};
static __device__ int counter;
__device__ int *ptr = &counter;
__constant__ const char *msg = "hello";
__global__ void k(float *o) {
  o[0] = cfg.w + cfg.k[2] + ns::tab[3] + ns::two + gen<float> + fixed[threadIdx.x] + *ptr + msg[1];
  (*ptr)++;
}
int main() {
  Cfg c = {1, 2, {3, 4, 5}};
  int bad = 0;
  bad += cudaMemcpyToSymbol(cfg, &c, sizeof c);
  float t[16] = {0, 0, 0, 10};
  cudaStream_t s;
  cudaStreamCreate(&s);
  bad += cudaMemcpyToSymbolAsync(ns::tab, t, sizeof t, 0, cudaMemcpyHostToDevice, s);
  void *p;
  size_t n;
  bad += cudaGetSymbolAddress(&p, ns::tab);
  bad += cudaGetSymbolSize(&n, cfg);
  if (n != sizeof c) bad++;
  float *pf;
  bad += cudaGetSymbolAddress((void **)&pf, ns::tab);
  float g = 100;
  bad += cudaMemcpyToSymbol(gen<float>, &g, 4);
  int one = 1;
  bad += cudaMemcpyToSymbol(counter, &one, 4);
  cudaMemcpy(pf + 3, t + 3, 4, cudaMemcpyHostToDevice);
  float *d, h;
  cudaMalloc(&d, 4);
  k<<<1, 1>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  if (h != 1 + 5 + 10 + 2 + 100 + 7 + 1 + 'e') {
    printf("%g\n", h);
    bad++;
  }
  bad += cudaMemcpyFromSymbol(&one, counter, 4);
  if (one != 2) bad++;
  cudaFree(d);
  cudaStreamDestroy(s);
  printf(bad ? "FAIL\n" : "PASS\n");
}
