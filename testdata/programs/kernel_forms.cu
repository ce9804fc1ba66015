// Kernels of many forms: members, templates, overloads, defaults, pointers, large parameters.
#include <cstdio>
#include <vector>
#include <type_traits>
#include <cassert>
struct Op {
  static __global__ void run(int *p) { *p += 1; }
  template <class T> static __global__ void trun(T *p, T v) { *p += v; }
  static constexpr int lut[4] = {1, 2, 3, 4};
};
namespace {
__global__ void anon(int *p) { *p += 10; }
struct Hidden {
  int v;
};
template <class T> __global__ void tanon(int *p, T t) { *p += t.v; }
} // namespace
static __global__ void stat(int *p, int by = 5, bool b = true) {
  if (b) *p += by;
}
__global__ void over(int *p) { *p += 100; }
__global__ void over(float *p) { *p += 0.5f; }
template <class... A> __global__ void variadic(int *p, A... a) { *p += (a + ... + 0); }
template <void (*K)(int *)> void launch(int *p) { K<<<1, 1>>>(p); }
template <template <class> class F, class T> __global__ void functor(T *p) {
  F<T> f;
  *p = f(*p);
}
template <class T> struct Inc {
  __device__ T operator()(T v) const { return v + 1; }
};
enum class Mode : char { A = 3 };
typedef void (*fn)(int *);
__global__ void types(int *p, Mode m, const char c, short4 s, longlong2 l, double4 d, uchar3 u, bool b,
                      float (&&arr)[2]);
struct Big {
  char data[3900];
  int last;
};
__global__ void big(Big b, int *p) { *p += b.last + b.data[77]; }
__constant__ constexpr int clut[3] = {5, 6, 7};
__device__ constexpr float dl[2] = {1.5f, 2.5f};
__global__ void luts(int *p, int i) {
  *p += Op::lut[i] + clut[i] + (int)dl[1];
  assert(*p > 0 && "positive");
}
__global__ void arr2(int (*a)[4], int *p) { *p += a[1][2]; }
__global__ void ptrs(int **pp) { **pp += 1; }

template <typename T, int N> struct Tile {
  T v[N];
  __device__ T &operator[](int i) { return v[i]; }
};
template <typename T> __global__ void shared2(T *o) {
  __shared__ Tile<T, 32> a, b[2];
  extern __shared__ __align__(16) unsigned char raw[];
  T *dyn = reinterpret_cast<T *>(raw);
  a[threadIdx.x] = threadIdx.x;
  b[1][threadIdx.x] = 2;
  dyn[threadIdx.x] = 3;
  __syncthreads();
  o[threadIdx.x] = a[31 - threadIdx.x] + b[1][0] + dyn[5];
}
#define LAUNCH(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)
int main() {
  int *p, h, bad = 0;
  cudaMalloc(&p, 4);
  cudaMemset(p, 0, 4);
  Op::run<<<1, 1>>>(p);
  Op::trun<int><<<1, 1>>>(p, 2);
  Op::trun<<<1, 1>>>(p, 3);
  anon<<<1, 1>>>(p);
  tanon<<<1, 1>>>(p, Hidden{4});
  stat<<<1, 1>>>(p, 5, true);
  over<<<1, 1>>>(p);
  variadic<<<1, 1>>>(p, 1, 2, 3);
  variadic<<<1, 1>>>(p);
  launch<anon>(p);
  launch<Op::run>(p);
  functor<Inc><<<1, 1>>>(p);
  fn f = anon;
  f<<<1, 1>>>(p);
  auto lam = [](int *q, auto g) { g<<<1, 1>>>(q); };
  lam(p, static_cast<void (*)(int *)>(over));
  LAUNCH(anon, dim3(1, 1), dim3(1), p);
  LAUNCH((variadic<int, long>), 1, 1, p, 1, 2l);
  Big b = {};
  b.last = 7;
  b.data[77] = 1;
  big<<<1, 1>>>(b, p);
  luts<<<1, 1>>>(p, 1);
  int a4[2][4] = {{0}, {0, 0, 9}}, (*da)[4];
  cudaMalloc(&da, sizeof a4);
  cudaMemcpy(da, a4, sizeof a4, cudaMemcpyHostToDevice);
  arr2<<<1, 1>>>(da, p);
  int **pp;
  cudaMalloc(&pp, sizeof(int *));
  cudaMemcpy(pp, &p, sizeof p, cudaMemcpyHostToDevice);
  ptrs<<<{1, 1, 1}, {1}>>>(pp);
  cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
  int w = 1 + 2 + 3 + 10 + 4 + 5 + 100 + 6 + 10 + 1 + 1 + 10 + 100 + 10 + 3 + 8 + (2 + 6 + 2) + 9 + 1;
  if (h != w) {
    printf("%d %d\n", h, w);
    bad++;
  }
  double *o, ho[32];
  cudaMalloc(&o, sizeof ho);
  shared2<double><<<1, 32, 32 * sizeof(double)>>>(o);
  cudaMemcpy(ho, o, sizeof ho, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i++)
    if (ho[i] != 31 - i + 5) bad++;
  void *args[] = {&p};
  cudaLaunchKernel((void *)anon, dim3(1), dim3(1), args, 0, 0);
  cudaLaunchKernel<void(int *)>(anon, 1, 1, args);
  cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
  if (h != w + 20) bad++;
  cudaFuncAttributes at;
  cudaFuncGetAttributes(&at, big);
  cudaFree(p);
  cudaFree(da);
  cudaFree(pp);
  cudaFree(o);
  printf(bad ? "FAIL\n" : "PASS\n");
}
