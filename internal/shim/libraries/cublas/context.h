// The handle of cuBLAS, and what its functions share.
#pragma once

#include <string>

#include "../host.h"
#include "cublas_v2.h"
#include "types.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  int multiprocessors = 0;
  host::Memory scratch; // vectors and matrices that are read and written at once, and results
};

namespace blas {

extern host::Kernels kernels;

// The letter of a type in the names of functions and kernels.
template <class E> inline constexpr char letter = 0;
template <> inline constexpr char letter<float> = 's';
template <> inline constexpr char letter<double> = 'd';
template <> inline constexpr char letter<Complex<float>> = 'c';
template <> inline constexpr char letter<Complex<double>> = 'z';

// CUDA's types of complex numbers as ours, which are the same in memory.
template <class T> struct Ours { using type = T; };
template <> struct Ours<cuComplex> { using type = Complex<float>; };
template <> struct Ours<cuDoubleComplex> { using type = Complex<double>; };
template <class T> typename Ours<T>::type *ours(T *p) { return reinterpret_cast<typename Ours<T>::type *>(p); }
template <class T> const typename Ours<T>::type *ours(const T *p) { return reinterpret_cast<const typename Ours<T>::type *>(p); }

// The status of a call that CUDA has answered.
inline cublasStatus_t statusOf(cudaError_t e) {
  switch (e) {
  case cudaSuccess: return CUBLAS_STATUS_SUCCESS;
  case cudaErrorMemoryAllocation: return CUBLAS_STATUS_ALLOC_FAILED;
  case cudaErrorNotSupported: return CUBLAS_STATUS_NOT_SUPPORTED;
  default: return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

// Reports an argument that is not valid, with the reason.
inline cublasStatus_t invalid(const char *reason) {
  host::services->failed(CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", reason);
  return CUBLAS_STATUS_INVALID_VALUE;
}

// Reports that a combination of arguments has no kernel.
inline cublasStatus_t notSupported(const char *what) {
  host::services->unsupported(what);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

#define REQUIRE(condition, reason) \
  if (!(condition)) return blas::invalid(reason)

// The start of each function: the name for reports, and the handle's check.
#define CALL(name, handle)      \
  const host::Named named(name); \
  if (!(handle)) return CUBLAS_STATUS_NOT_INITIALIZED

// A scalar, read now or by the kernel.
template <class T> Scalar<T> scalarOf(cublasHandle_t h, const T *p) {
  if (h->pointers == CUBLAS_POINTER_MODE_HOST) return {*p, nullptr};
  return {T(0), p};
}
template <class T> Scalar<T> valueOf(T v) { return {v, nullptr}; }

// Launches a kernel of a type: NAME of module with the type's letter before it.
template <class E, class P>
cublasStatus_t launch(cublasHandle_t h, const char *module, const char *name, dim3 grid, dim3 block, const P &p) {
  return statusOf(kernels.launch(module, letter<E> + std::string(name), grid, block, h->stream, p));
}

// op(A) of a full matrix of some rows and columns, as stored.
template <class E> Matrix<const E> full(const E *a, int rows, int cols, long long ld, int op = N) {
  return {a, ld, Full, General, op, false, false, rows, cols, 0, 0};
}

inline int larger(int a, int b) { return a > b ? a : b; }

inline bool isOp(cublasOperation_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_CONJG; }
inline bool isTriangle(cublasFillMode_t u) { return u == CUBLAS_FILL_MODE_LOWER || u == CUBLAS_FILL_MODE_UPPER; }

} // namespace blas
