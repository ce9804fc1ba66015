// Reductions of one buffer of each rank.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <stdint.h>

#include "types.h"

using namespace nccl;

// The type in which elements are combined; the result is rounded once.
template <class T> struct WideOf { using type = T; };
template <> struct WideOf<__half> { using type = float; };
template <> struct WideOf<__nv_bfloat16> { using type = float; };
template <> struct WideOf<__nv_fp8_e4m3> { using type = float; };
template <> struct WideOf<__nv_fp8_e5m2> { using type = float; };
template <class T> using Wide = typename WideOf<T>::type;

template <class W> __device__ __forceinline__ W combine(Operator op, W a, W b) {
  switch (op) {
  case Prod: return a * b;
  case Max: return a < b ? b : a;
  case Min: return b < a ? b : a;
  default: return a + b;
  }
}

template <class T> __device__ __forceinline__ Wide<T> element(const Reduction &r, int rank, unsigned long long i) {
  const Wide<T> x = static_cast<Wide<T>>(static_cast<const T *>(r.in[rank])[i]);
  if (r.op != PreMulSum) return x;
  const Factor &f = r.factors[rank];
  return x * static_cast<Wide<T>>(f.from ? *static_cast<const T *>(f.from) : *reinterpret_cast<const T *>(&f.bits));
}

template <class T> __device__ __forceinline__ void reduce(const Reduction &r) {
  const unsigned long long step = gridDim.x * static_cast<unsigned long long>(blockDim.x);
  for (unsigned long long i = blockIdx.x * static_cast<unsigned long long>(blockDim.x) + threadIdx.x; i < r.count; i += step) {
    Wide<T> v = element<T>(r, 0, i);
    for (int rank = 1; rank < r.ranks; rank++) v = combine(r.op, v, element<T>(r, rank, i));
    if (r.op == Avg) v /= static_cast<Wide<T>>(r.ranks);
    static_cast<T *>(r.out)[i] = static_cast<T>(v);
  }
}

#define KERNEL(type, T) \
  extern "C" __global__ void reduce_##type(const __grid_constant__ Reduction r) { reduce<T>(r); }
KERNEL(ncclInt8, int8_t)
KERNEL(ncclUint8, uint8_t)
KERNEL(ncclInt32, int32_t)
KERNEL(ncclUint32, uint32_t)
KERNEL(ncclInt64, int64_t)
KERNEL(ncclUint64, uint64_t)
KERNEL(ncclFloat16, __half)
KERNEL(ncclFloat32, float)
KERNEL(ncclFloat64, double)
KERNEL(ncclBfloat16, __nv_bfloat16)
KERNEL(ncclFloat8e4m3, __nv_fp8_e4m3)
KERNEL(ncclFloat8e5m2, __nv_fp8_e5m2)
