// Many headers of the host next to std:: in device code.
#include <algorithm>
#include <array>
#include <complex>
#include <optional>
#include <variant>
#include <string_view>
#include <vector>
#include <map>
#include <iostream>
#include <thread>
#include <mutex>
#include <future>
#include <numeric>
#include <bitset>
#include <tuple>
#include <regex>
#include <filesystem>
#include <random>
#include <sstream>
#include <fstream>
#include <functional>
#include <memory>
#include <unordered_map>
#include <chrono>
#include <iterator>
#include <cassert>
#include <cinttypes>
#include <sys/time.h>
#include <unistd.h>
#include <pthread.h>
#include <getopt.h>
#include <immintrin.h>
struct S {
  std::array<float, 4> a;
  std::complex<float> c;
  std::pair<int, float> p;
};
__global__ void k(float *o, S s) {
  std::complex<float> z = s.c * s.c;
  z += 1.0f;
  o[0] = z.real() + std::abs(-2.0f) + s.a[2] + std::min(s.p.first, 3) + std::get<1>(std::make_tuple(1, 5)) +
         std::max({1, 2, 9}) + std::norm(s.c) + std::clamp(5, 0, 3);
  float t[3] = {3, 1, 2};
  std::swap(t[0], t[2]);
  o[1] = t[0];
  o[2] = std::isnan(o[1]) + std::fma(1.f, 2.f, 3.f) + std::numeric_limits<float>::infinity() * 0 * 0;
  o[2] = std::hypot(3.0, 4.0) + std::pow(2.0f, 3) + std::floor(2.5) + std::exp2(3.0f);
}
int main() {
  S s;
  s.a = {1, 2, 3, 4};
  s.c = {1, 2};
  s.p = {2, 3};
  float *d, h[3];
  cudaMalloc(&d, 12);
  k<<<1, 1>>>(d, s);
  if (cudaMemcpy(h, d, 12, cudaMemcpyDeviceToHost)) return 1;
  cudaFree(d);
  std::cout << h[0] << ' ' << h[1] << ' ' << h[2] << std::endl;
  std::unique_ptr<float, decltype(&cudaFree)> up(nullptr, cudaFree);
  std::cout << (h[0] == -2 + 2 + 3 + 2 + 5 + 9 + 5 + 3 && h[1] == 2 && h[2] == 23 ? "PASS" : "FAIL")
            << std::endl;
}
