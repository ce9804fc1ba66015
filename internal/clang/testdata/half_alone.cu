// A program with half types of its own that leaves out the operators and conversions of CUDA's, as PyTorch's extensions do.
#define __CUDA_NO_HALF_OPERATORS__
#define __CUDA_NO_HALF2_OPERATORS__
#define __CUDA_NO_HALF_CONVERSIONS__
#define __CUDA_NO_BFLOAT16_CONVERSIONS__
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <type_traits>

static_assert(!std::is_convertible<__half, float>::value && !std::is_constructible<__half, float>::value && !std::is_constructible<__half, int>::value &&
                  !std::is_constructible<bool, __half>::value && !std::is_assignable<__half &, float>::value, "no conversions");
static_assert(std::is_convertible<__half_raw, __half>::value && std::is_convertible<__half, __half_raw>::value, "but of bits");
static_assert(!std::is_convertible<__nv_bfloat16, float>::value && !std::is_constructible<__nv_bfloat16, float>::value, "no conversions");

struct Half {
  unsigned short x;
  __host__ __device__ Half(float f) : x(__half_as_ushort(__float2half(f))) {}
  __host__ __device__ Half(const __half &h) : x(__half_as_ushort(h)) {}
  __host__ __device__ operator float() const { return __half2float(__ushort_as_half(x)); }
  __host__ __device__ operator __half() const { return __ushort_as_half(x); }
};

// Without conversions to built-in types there is no other function of that name to call.
__device__ Half __shfl_up(Half v, unsigned delta) { return v.x ? __shfl_up(v.operator __half(), delta) : v; }

__global__ void k(Half *h, __half2 *h2, __nv_bfloat16 *b, float *f) {
  Half a = h[0], c = h[1];
  f[0] = a < c, f[1] = a + c, f[2] = a == c;  // in single precision
  h[2] = __hadd(a.operator __half(), c.operator __half());
  h2[0] = __hfma2(h2[1], h2[2], __float2half2_rn(2));
  b[0] = b[1] + __hmul(b[2], __float2bfloat16(3)); // bfloat16 keeps its operators
  f[3] = (float)__nv_fp8_e4m3(__float2half(1)) + __half2float((__half)__nv_fp8_e5m2(b[3])) + __low2float(h2[3]);
  atomicAdd(h2, h2[4]);
  h[3] = __shfl_up(a, 1);
  h[4] = __int2half_rn(3), f[4] = __half2float(hsqrt(__hdiv(c, a)));
}
int main() { k<<<1, 1>>>(0, 0, 0, 0); }
