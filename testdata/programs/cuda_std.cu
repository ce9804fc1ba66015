// flags: --nvcc-flags -std=c++20
// cuda::std and nv/target.
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/type_traits>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda/std/cstdint>
#include <cuda/std/cstddef>
#include <cuda/std/cassert>
#include <cuda/std/optional>
#if __cplusplus >= 202002L
#include <cuda/std/span>
#endif
#include <cuda/std/atomic>
#include <cuda/std/limits>
#include <cuda/std/cmath>
#include <cuda/std/chrono>
#include <cuda/std/bit>
#include <cuda/std/climits>
#include <cuda/std/initializer_list>
#include <cuda/std/iterator>
#include <cuda/std/functional>
#include <cuda/std/ratio>
#include <cuda/std/semaphore>
#include <cuda/std/latch>
#include <cuda/semaphore>
#include <cuda/latch>
#include <cuda/atomic>
#include <nv/target>
#include <cstdio>
__global__ void k(float *o) {
  cuda::std::array<int, 3> a{1, 2, 3};
  cuda::std::complex<float> c(1, 2);
  c *= c;
  auto t = cuda::std::make_tuple(1, 2.0f);
  cuda::std::optional<int> op = 4;
  cuda::std::span<int> sp(a.data(), 3);
  NV_IF_TARGET(NV_PROVIDES_SM_70, (o[1] = 70;), (o[1] = 0;))
  if constexpr (cuda::std::is_same<int, int>::value)
    o[0] = a[1] + c.real() + cuda::std::get<1>(t) + *op + sp.size() + cuda::std::numeric_limits<char>::max() +
           cuda::std::sqrt(4.0f) + cuda::std::max(1, 2);
}
int main() {
  float *d, h[2];
  cudaMalloc(&d, 8);
  k<<<1, 1>>>(d);
  cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf(h[0] == 2 - 3 + 2 + 4 + 3 + 127 + 2 + 2 && h[1] == 70 ? "PASS\n" : "FAIL %g\n", h[0]);
}
