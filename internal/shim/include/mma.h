/* Warp matrix functions ("CUDA C++ Programming Guide", "Warp Matrix
 * Functions"): nvcuda::wmma on PTX's wmma instructions. */
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#include "cuda_runtime.h"
#include "cuda_fp16.h"
#include "cuda_bf16.h"

#if defined(__CUDA__) && defined(__clang__) && defined(__cplusplus)

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32 {};
} // namespace precision

namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

namespace details {

/* How elements are kept: in which type, and how many there are in one. */
template <class __wg_T> struct storage {
  typedef __wg_T type;
  enum { packed = 1 };
};
template <> struct storage<precision::tf32> {
  typedef float type;
  enum { packed = 1 };
};
template <> struct storage<experimental::precision::s4> {
  typedef int type;
  enum { packed = 8 };
};
template <> struct storage<experimental::precision::u4> {
  typedef unsigned type;
  enum { packed = 8 };
};
template <> struct storage<experimental::precision::b1> {
  typedef unsigned type;
  enum { packed = 32 };
};

/* The number of elements that a thread holds. Fragments of half have always 16
 * of A and B, so that elements are there more than once. */
template <class Use, int m, int n, int k, class __wg_T> struct count;
template <int m, int n, int k, class __wg_T> struct count<matrix_a, m, n, k, __wg_T> { enum { value = m * k / 32 }; };
template <int m, int n, int k, class __wg_T> struct count<matrix_b, m, n, k, __wg_T> { enum { value = n * k / 32 }; };
template <int m, int n, int k, class __wg_T> struct count<accumulator, m, n, k, __wg_T> { enum { value = m * n / 32 }; };
template <int m, int n, int k> struct count<matrix_a, m, n, k, __half> { enum { value = 16 }; };
template <int m, int n, int k> struct count<matrix_b, m, n, k, __half> { enum { value = 16 }; };

} // namespace details

template <typename Use, int m, int n, int k, typename __wg_T, typename Layout = void> class fragment {
public:
  typedef __wg_T element_type;
  typedef typename details::storage<__wg_T>::type storage_element_type;
  enum {
    num_elements = details::count<Use, m, n, k, __wg_T>::value,
    num_storage_elements = num_elements / details::storage<__wg_T>::packed,
    storage_element_count = num_storage_elements
  };
  storage_element_type x[num_storage_elements];
};

template <typename Use, int m, int n, int k, typename __wg_T, typename Layout, typename __wg_V>
__device__ __forceinline__ void fill_fragment(fragment<Use, m, n, k, __wg_T, Layout> &f, const __wg_V &v) {
  typename details::storage<__wg_T>::type e = (typename details::storage<__wg_T>::type)v;
#pragma unroll
  for (int i = 0; i < f.num_storage_elements; i++) f.x[i] = e;
}

__device__ __forceinline__ float __float_to_tf32(float v) {
  unsigned r;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
  return __uint_as_float(r);
}

} // namespace wmma
} // namespace nvcuda

#include "warpgrind/wmma.h"

#endif
#endif
