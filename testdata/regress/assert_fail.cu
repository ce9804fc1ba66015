// exit: 0
// Libraries declare __assert_fail for both sides, and call it in functions of
// both sides when NDEBUG is defined.
#define NDEBUG
#include <cassert>
#include <cstdio>
extern "C" __host__ __device__ void __assert_fail(const char *, const char *, unsigned, const char *) noexcept;

__host__ __device__ int checked(int x) {
  x >= 0 ? (void)0 : __assert_fail("x >= 0", __FILE__, __LINE__, __func__);
  assert(x != 2);
  return x;
}

__global__ void store(int *p) { *p = checked(2); }

int main() {
  int *p;
  cudaMallocManaged(&p, sizeof *p);
  store<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  printf("%s\n", *p == checked(2) ? "PASS" : "FAIL");
  return *p != 2;
}
