// Random numbers on the device: the same numbers whichever way one skips
// ahead, known first values of each generator, moments of the distributions,
// and a Monte Carlo estimate of pi.
#include <curand_kernel.h>
#include "../check.h"

const int threads = 64;
const int each = 500;

static int failures = 0;

template <class... Args> void expect(bool ok, const char *format, Args... args) {
  if (ok) return;
  failures++;
  printf(format, args...);
  printf(": FAIL\n");
}

template <class State> __global__ void skip(unsigned *out) {
  State a, b, c;
  unsigned long long t = threadIdx.x;
  curand_init(42, t, 100 + t, &a);
  curand_init(42, t, 0, &b);
  for (unsigned i = 0; i < 100 + t; i++) curand(&b);
  curand_init(42, t, 90, &c);
  skipahead(10 + t, &c);
  unsigned x = curand(&a), y = curand(&b), z = curand(&c);
  out[threadIdx.x] = x == y && y == z;
}

template <class State> __global__ void first(unsigned *out) {
  State s;
  curand_init(1234, threadIdx.x, 0, &s);
  out[threadIdx.x] = curand(&s);
}

template <class State> __global__ void moments(double *sums) {
  State s;
  curand_init(7, threadIdx.x, 0, &s);
  double u = 0, n = 0, n2 = 0, p = 0, q = 0;
  for (int i = 0; i < each; i++) {
    u += curand_uniform(&s);
    float v = curand_normal(&s);
    n += v;
    n2 += v * v;
    p += curand_poisson(&s, 5.0);
    if (i % 50 == 0) q += curand_poisson(&s, 200.0);
  }
  double *o = sums + 5 * threadIdx.x;
  o[0] = u / each;
  o[1] = n / each;
  o[2] = n2 / each;
  o[3] = p / each;
  o[4] = q / (each / 50);
}

__global__ void pi(unsigned *inside) {
  curandStatePhilox4_32_10_t s;
  curand_init(99, blockIdx.x * blockDim.x + threadIdx.x, 0, &s);
  unsigned hits = 0;
  for (int i = 0; i < each / 2; i++) {
    float4 v = curand_uniform4(&s);
    hits += (v.x * v.x + v.y * v.y <= 1) + (v.z * v.z + v.w * v.w <= 1);
  }
  atomicAdd(inside, hits);
}

template <class State> void try_generator(const char *name, const unsigned *want) {
  unsigned *ok;
  double *sums;
  CHECK(cudaMallocManaged(&ok, threads * sizeof *ok));
  CHECK(cudaMallocManaged(&sums, 5 * threads * sizeof *sums));
  skip<State><<<1, threads>>>(ok);
  CHECK(cudaDeviceSynchronize());
  for (int t = 0; t < threads; t++) expect(ok[t] == 1, "%s: thread %d skips to another number", name, t);
  first<State><<<1, threads>>>(ok);
  CHECK(cudaDeviceSynchronize());
  for (int t = 0; t < 3; t++) expect(ok[t] == want[t], "%s: subsequence %d starts with %08x", name, t, ok[t]);
  moments<State><<<1, threads>>>(sums);
  CHECK(cudaDeviceSynchronize());
  const double mean[5] = {0.5, 0, 1, 5, 200}, tolerance[5] = {0.01, 0.03, 0.05, 0.08, 3};
  for (int k = 0; k < 5; k++) {
    double m = 0;
    for (int t = 0; t < threads; t++) m += sums[5 * t + k] / threads;
    expect(fabs(m - mean[k]) < tolerance[k], "%s: moment %d is %g", name, k, m);
  }
  CHECK(cudaFree(ok));
  CHECK(cudaFree(sums));
}

int main() {
  // The first numbers of subsequences 0, 1 and 2 under the seed 1234.
  const unsigned xorwow[] = {0x253d5e15, 0xd1f7605a, 0x8ce6f6f8};
  const unsigned philox[] = {0x2090b348, 0xd115a128, 0x8b438957};
  const unsigned mrg[] = {0xc96891f0, 0x26f0d612, 0xef269080};
  try_generator<curandStateXORWOW_t>("XORWOW", xorwow);
  try_generator<curandStatePhilox4_32_10_t>("Philox", philox);
  try_generator<curandStateMRG32k3a_t>("MRG32k3a", mrg);

  unsigned *inside;
  CHECK(cudaMallocManaged(&inside, sizeof *inside));
  *inside = 0;
  pi<<<4, threads>>>(inside);
  CHECK(cudaDeviceSynchronize());
  double estimate = 4.0 * *inside / (4.0 * threads * (each / 2) * 2);
  expect(fabs(estimate - M_PI) < 0.02, "pi is %g", estimate);
  CHECK(cudaFree(inside));
  printf("random: %s\n", failures ? "FAIL" : "PASS");
  return failures != 0;
}
