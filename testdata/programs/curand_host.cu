// cuRAND's host library against its device library, and its distributions.
#include <curand.h>
#include <curand_kernel.h>
#include <cstdio>
#include <vector>
#include <cmath>
__global__ void ref(unsigned *o, int n, unsigned long long seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandState s;
  curand_init(seed, i % 4096, i / 4096, &s);
  o[i] = curand(&s);
}
__global__ void refp(float *o, int n) {
  curandStatePhilox4_32_10_t s;
  curand_init(7ull, 0, 0, &s);
  for (int i = 0; i < n; i++) o[i] = curand_uniform(&s);
}
int main() {
  int bad = 0;
  const int n = 5000;
  unsigned *d, *r;
  float *f, *f2;
  cudaMalloc(&d, n * 4);
  cudaMalloc(&r, n * 4);
  cudaMalloc(&f, n * 4);
  cudaMalloc(&f2, n * 4);
  curandGenerator_t g;
  bad += curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
  bad += curandSetPseudoRandomGeneratorSeed(g, 1234ULL);
  bad += curandGenerate(g, d, 2500);
  bad += curandGenerate(g, d + 2500, 2500);
  ref<<<(n + 127) / 128, 128>>>(r, n, 1234ull);
  std::vector<unsigned> a(n), b(n);
  cudaMemcpy(a.data(), d, n * 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), r, n * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++)
    if (a[i] != b[i]) {
      printf("%d %u %u\n", i, a[i], b[i]);
      bad++;
      break;
    }
  bad += curandGenerateNormal(g, f, n, 5.0f, 2.0f);
  std::vector<float> h(n), h2(n);
  cudaMemcpy(h.data(), f, n * 4, cudaMemcpyDeviceToHost);
  double m = 0, v = 0;
  for (float x : h) m += x;
  m /= n;
  for (float x : h) v += (x - m) * (x - m);
  v /= n;
  if (fabs(m - 5) > .15 || fabs(v - 4) > .3) {
    printf("%g %g\n", m, v);
    bad++;
  }
  if (curandGenerateNormal(g, f, 3, 0, 1) != CURAND_STATUS_LENGTH_NOT_MULTIPLE) bad++;
  bad += curandDestroyGenerator(g);
  bad += curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandSetPseudoRandomGeneratorSeed(g, 7);
  cudaStream_t s;
  cudaStreamCreate(&s);
  curandSetStream(g, s);
  bad += curandGenerateUniform(g, f, 1000);
  cudaStreamSynchronize(s);
  refp<<<1, 1>>>(f2, 1000);
  cudaMemcpy(h.data(), f, 4000, cudaMemcpyDeviceToHost);
  cudaMemcpy(h2.data(), f2, 4000, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 1000; i++)
    if (h[i] != h2[i]) {
      bad++;
      break;
    }
  curandDestroyGenerator(g);
  cudaStreamDestroy(s);
  bad += curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_MRG32K3A);
  std::vector<double> u(n);
  bad += curandGenerateUniformDouble(g, u.data(), n);
  m = 0;
  for (double x : u) {
    if (!(x > 0 && x <= 1)) bad++;
    m += x;
  }
  if (fabs(m / n - .5) > .02) bad++;
  curandGeneratePoisson(g, a.data(), n, 10.0);
  m = 0;
  for (unsigned x : a) m += x;
  if (fabs(m / n - 10) > .2) bad++;
  curandDestroyGenerator(g);
  cudaFree(d);
  cudaFree(r);
  cudaFree(f);
  cudaFree(f2);
  printf(bad ? "FAIL %d\n" : "PASS\n", bad);
}
