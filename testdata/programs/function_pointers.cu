// Pointers to device functions: from symbols, in tables, in parameters, as template arguments.
#include <cstdio>
typedef float (*blockFunction_t)(float, float);
__device__ float Add(float a, float b) { return a + b; }
__device__ float Mul(float a, float b) { return a * b; }
__device__ blockFunction_t pAdd = Add, pMul = Mul;
__device__ blockFunction_t table[2];
static __constant__ blockFunction_t ctable[2] = {Mul, Add};
struct Functor {
  blockFunction_t f;
};
__global__ void k(float *o, blockFunction_t f, Functor g) {
  o[0] = f(3, 4);
  o[1] = g.f(3, 4);
  o[2] = (*table[0])(1, 2) + table[1](5, 6) + ctable[0](2, 3);
}
template <float (*F)(float, float)> __global__ void t(float *o) { o[3] = F(10, 2); }
int main() {
  blockFunction_t h[2];
  cudaMemcpyFromSymbol(&h[0], pAdd, sizeof(h[0]));
  cudaMemcpyFromSymbol(&h[1], pMul, sizeof(h[1]));
  cudaMemcpyToSymbol(table, h, sizeof h);
  float *d, r[4];
  cudaMalloc(&d, 16);
  k<<<1, 1>>>(d, h[0], Functor{h[1]});
  t<Mul><<<1, 1>>>(d);
  cudaMemcpy(r, d, 16, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf(r[0] == 7 && r[1] == 12 && r[2] == 39 && r[3] == 20 ? "PASS\n" : "FAIL\n");
}
