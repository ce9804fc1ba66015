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
  // How arithmetic is emulated by that of fewer bits. Here nothing is: the results are those of the precision
  // that would be emulated.
  cublasEmulationStrategy_t strategy = CUBLAS_EMULATION_STRATEGY_DEFAULT;
  cudaEmulationSpecialValuesSupport specialValues = CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
  cudaEmulationMantissaControl mantissaControl = CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC;
  int mantissaBits = 79, mantissaOffset = 0;
  host::Memory scratch; // vectors and matrices that are read and written at once, and results
};

namespace blas {

using host::letter, host::ours, host::Ours;

extern host::Kernels kernels;

LIBRARY_STATUS(cublasStatus_t, CUBLAS_STATUS)

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
