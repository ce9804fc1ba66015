// HeCBench manner: chrono timing, lambdas, restrict, std algorithms in host, structs by value, long long
// atomics,
// __ldg on const restrict, double atomicAdd, shared 2-D arrays, switch in kernels, goto, recursion in device
// code, function pointers, virtual functions on device, operator overloading, constexpr functions.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <utility>
#include <array>
#include <tuple>
#include <functional>
#include <limits>
#include <type_traits>
#include <cuda.h>

#define GPU_CHECK(x)                                                                                         \
  do {                                                                                                       \
    auto e_ = (x);                                                                                           \
    if (e_ != cudaSuccess) {                                                                                 \
      std::fprintf(stderr, "%s\n", cudaGetErrorString(e_));                                                  \
      std::abort();                                                                                          \
    }                                                                                                        \
  } while (false)
#ifndef __CUDACC__
#error no __CUDACC__
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 350
#error old
#endif
#if !defined(__CUDACC_VER_MAJOR__) || __CUDACC_VER_MAJOR__ < 11
#error ver
#endif
#if !defined(CUDART_VERSION) || CUDART_VERSION < 11000
#error rtver
#endif
#ifndef __NVCC__
#error nvcc
#endif

template <typename T> struct Vec3 {
  T x, y, z;
  __host__ __device__ Vec3(T a = 0, T b = 0, T c = 0) : x(a), y(b), z(c) {}
  __host__ __device__ friend Vec3 operator+(const Vec3 &a, const Vec3 &b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  __host__ __device__ Vec3 operator*(T s) const { return Vec3(x * s, y * s, z * s); }
  __host__ __device__ T dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
};
constexpr int square(int x) { return x * x; }
constexpr __host__ __device__ int cube(int x) { return x * x * x; }

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float s;
  __device__ Square(float v) : s(v) {}
  __device__ float area() const override { return s * s; }
};
struct Circle : Shape {
  float r;
  __device__ Circle(float v) : r(v) {}
  __device__ float area() const override { return 3.0f * r * r; }
};

typedef float (*unary_t)(float);
__device__ float twice(float x) { return 2 * x; }
__device__ float negate(float x) { return -x; }
__device__ unary_t d_ops[2] = {twice, negate};
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ __forceinline__ unsigned lane() {
  unsigned r;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}
enum class Kind : unsigned char { A, B, C };

__global__ void shapes(float *out) {
  Square sq(threadIdx.x);
  Circle ci(threadIdx.x);
  Shape *s = threadIdx.x % 2 ? static_cast<Shape *>(&sq) : static_cast<Shape *>(&ci);
  out[threadIdx.x] = d_ops[threadIdx.x & 1](s->area());
}
template <int N>
__global__ void __launch_bounds__(N, 2) body(const Vec3<double> *__restrict__ p, double *__restrict__ acc,
                                             unsigned long long *hist, Kind k, std::array<int, 4> arr) {
  __shared__ double tile[4][N / 4 + 1];
  int i = blockIdx.x * N + threadIdx.x;
  tile[threadIdx.x / (N / 4)][threadIdx.x % (N / 4)] = p[i].dot(p[i]);
  __syncthreads();
  double v = tile[3 - threadIdx.x / (N / 4)][threadIdx.x % (N / 4)];
  switch (k) {
  case Kind::A:
    v *= 2;
    break;
  case Kind::B:
    v += arr[threadIdx.x & 3];
    break;
  default:
    goto out;
  }
  atomicAdd(acc, v);
out:
  atomicAdd(&hist[i % 7], 1ULL);
  atomicMax(&hist[7], (unsigned long long)i);
}
__global__ void misc(int *out, const int *__restrict__ in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int v = __ldg(in + i);
    auto f = [=] __device__(int a) { return a + v; };
    auto [q, r] = std::make_pair(v / 7, v % 7);
    out[i] = f(cube(2)) + q * 1000 + r + fib(i % 10) + (int)std::max(1.5f, 0.5f) + min(3u, 4u) +
             std::numeric_limits<short>::max();
    if constexpr (std::is_same_v<decltype(v), int>) out[i] += (int)lane() - (int)(threadIdx.x & 31);
  }
}
static int fibh(int n) { return n < 2 ? n : fibh(n - 1) + fibh(n - 2); }
template <typename F> __global__ void apply(F f, float *x) { x[threadIdx.x] = f(x[threadIdx.x]); }

int main(int argc, char *argv[]) {
  const int repeat = argc > 1 ? atoi(argv[1]) : 3;
  int bad = 0;
  std::mt19937 gen(19937);
  std::uniform_real_distribution<double> dist(0, 1);
  constexpr int N = 128, B = 5;
  std::vector<Vec3<double>> p(N * B);
  for (auto &v : p) v = Vec3<double>(dist(gen), dist(gen), dist(gen));
  Vec3<double> *d_p;
  double *d_acc;
  unsigned long long *d_h, h[8];
  GPU_CHECK(cudaMalloc(&d_p, p.size() * sizeof(p[0])));
  GPU_CHECK(cudaMalloc(&d_acc, sizeof(double)));
  GPU_CHECK(cudaMalloc(&d_h, sizeof h));
  GPU_CHECK(cudaMemcpy(d_p, p.data(), p.size() * sizeof(p[0]), cudaMemcpyHostToDevice));
  auto start = std::chrono::steady_clock::now();
  for (int r = 0; r < repeat; r++) {
    GPU_CHECK(cudaMemset(d_acc, 0, sizeof(double)));
    GPU_CHECK(cudaMemset(d_h, 0, sizeof h));
    body<N><<<B, N>>>(d_p, d_acc, d_h, r == 0 ? Kind::C : r == 1 ? Kind::B : Kind::A, {1, 2, 3, 4});
    double acc, want = 0;
    GPU_CHECK(cudaMemcpy(&acc, d_acc, 8, cudaMemcpyDeviceToHost));
    GPU_CHECK(cudaMemcpy(h, d_h, sizeof h, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < p.size(); i++) {
      double v = p[i].dot(p[i]);
      want += r == 0 ? 0 : r == 1 ? v + 1 + i % 4 : 2 * v;
    }
    if (std::fabs(acc - want) > 1e-9 * (1 + want) || h[7] != N * B - 1 || h[0] != 92) {
      printf("%d %g %g %llu %llu\n", r, acc, want, h[7], h[0]);
      bad++;
    }
  }
  auto end = std::chrono::steady_clock::now();
  auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count();
  printf("Average kernel time %f (us)\n", (time * 1e-3f) / repeat);
  float *d_s, hs[32];
  GPU_CHECK(cudaMalloc(&d_s, sizeof hs));
  shapes<<<1, 32>>>(d_s);
  GPU_CHECK(cudaMemcpy(hs, d_s, sizeof hs, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++)
    if (hs[i] != (i % 2 ? -(float)i * i : 2 * 3.0f * i * i)) bad++;
  float k = 3;
  apply<<<1, 32>>>([=] __device__(float v) { return v * k + square(3); }, d_s);
  float hs2[32];
  GPU_CHECK(cudaMemcpy(hs2, d_s, sizeof hs, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++)
    if (hs2[i] != hs[i] * 3 + 9) bad++;
  int n = 777, *d_i, *d_o;
  std::vector<int> in(n), o(n);
  std::iota(in.begin(), in.end(), 5);
  GPU_CHECK(cudaMalloc(&d_i, n * 4));
  GPU_CHECK(cudaMalloc(&d_o, n * 4));
  GPU_CHECK(cudaMemcpy(d_i, in.data(), n * 4, cudaMemcpyHostToDevice));
  misc<<<3, 64>>>(d_o, d_i, n);
  GPU_CHECK(cudaMemcpy(o.data(), d_o, n * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    int v = in[i], w = 8 + v + v / 7 * 1000 + v % 7 + fibh(i % 10) + 1 + 3 + 32767;
    if (o[i] != w) {
      if (bad++ < 3) printf("misc %d %d %d\n", i, o[i], w);
    }
  }
  cudaFree(d_p);
  cudaFree(d_acc);
  cudaFree(d_h);
  cudaFree(d_s);
  cudaFree(d_i);
  cudaFree(d_o);
  printf(bad ? "FAIL\n" : "PASS\n");
  return bad;
}
