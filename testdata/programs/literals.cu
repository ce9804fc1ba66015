// User-defined literals next to old string concatenation.
#include <cstdio>
constexpr __host__ __device__ float operator"" _deg(long double d) { return (float)d * 3.14159265f / 180; }
constexpr __host__ __device__ unsigned long long operator""_KB(unsigned long long v) { return v << 10; }
#define STR    "a"
#define CAT(x) "b" STR "c"
__global__ void k(float *p) {
  p[0] = 90.0_deg;
  p[1] = 2_KB;
}
int main() {
  float *d, h[2];
  cudaMalloc(&d, 8);
  k<<<1, 1>>>(d);
  cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("%s %s\n", h[1] == 2048 && h[0] > 1.57f ? "PASS" : "FAIL", CAT(1));
}
