// What programs with several checks share: arrays on the device, pseudo-random numbers, and a line for each program.
#pragma once

#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <vector>

#include "cuda_fp16.h"
#include "cuda_runtime.h"

inline int failed = 0;

inline void check(const char *what, bool ok) {
  if (!ok) printf("FAIL %s\n", what), failed++;
}

inline double numberOf(__half v) { return __half2float(v); }
inline double numberOf(double v) { return v; }

// Each element differs by at most bound.
template <class T, class U> void near(const char *what, const std::vector<T> &got, const std::vector<U> &want, double bound) {
  double worst = got.size() == want.size() ? 0 : INFINITY;
  for (size_t i = 0; i < got.size() && i < want.size(); i++) worst = std::fmax(worst, std::fabs(numberOf(got[i]) - numberOf(want[i])));
  if (!(worst <= bound)) printf("FAIL %s: %g, more than %g\n", what, worst, bound), failed++;
}

inline unsigned seed = 1;

// Numbers from -0.5 to 0.5.
template <class T> std::vector<T> numbers(int n) {
  std::vector<T> out(n);
  for (T &v : out) v = static_cast<T>((seed = seed * 1664525 + 1013904223) / 4294967296.0 - 0.5);
  return out;
}

// An array on the device.
template <class T> struct Array {
  T *device;
  size_t size;
  explicit Array(const std::vector<T> &v) : Array(static_cast<int>(v.size())) { cudaMemcpy(device, v.data(), size * sizeof(T), cudaMemcpyHostToDevice); }
  explicit Array(std::initializer_list<T> v) : Array(std::vector<T>(v)) {}
  explicit Array(int n) : size(n) {
    cudaMalloc(&device, size * sizeof(T));
    cudaMemset(device, 0, size * sizeof(T));
  }
  Array(const Array &) = delete;
  ~Array() { cudaFree(device); }
  std::vector<T> get() const {
    std::vector<T> out(size);
    cudaMemcpy(out.data(), device, size * sizeof(T), cudaMemcpyDeviceToHost);
    return out;
  }
};

inline void program(const char *name, void (*f)()) {
  int before = failed;
  f();
  if (failed == before)
    printf("%s: PASS\n", name);
  else
    printf("%s: FAIL\n", name);
}

inline int report() { return failed != 0; }
