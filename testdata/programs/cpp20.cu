// flags: --nvcc-flags -std=c++20
// C++20 in device code: concepts, spans, three-way comparison, templated lambdas.
#include <concepts>
#include <span>
#include <cstdio>
#include <ranges>
#include <bit>
#include <numbers>
#include <compare>
template <typename T> concept Num = std::is_arithmetic_v<T>;
struct P {
  int x, y;
  auto operator<=> (const P &) const = default;
};
consteval int five() { return 5; }
template <Num T> __global__ void k(T *o, std::span<const T> in, P p) {
  auto f = []<class U>(U a) { return a + 1; };
  if (p == P{.x = 1, .y = 2} && p < P{2, 0})
    o[threadIdx.x] = f(in[threadIdx.x]) + five() + std::popcount(7u) + (T)std::numbers::pi;
  constexpr int z = [] {
    int s = 0;
    for (int i = 0; i < 4; i++) s += i;
    return s;
  }();
  o[threadIdx.x] += z;
}
int main() {
  float *d, *i, h[4] = {1, 2, 3, 4};
  cudaMalloc(&d, 16);
  cudaMalloc(&i, 16);
  cudaMemcpy(i, h, 16, cudaMemcpyHostToDevice);
  k<float><<<1, 4>>>(d, std::span<const float>(i, 4), P{1, 2});
  cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
  cudaFree(d);
  cudaFree(i);
  printf(h[3] > 21.1f && h[3] < 22.2f ? "PASS\n" : "FAIL %g\n", h[3]);
}
