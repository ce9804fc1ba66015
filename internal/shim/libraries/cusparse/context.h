// The handle and the descriptors of cuSPARSE, and what its functions share.
#pragma once

#include "cusparse.h"

#include <string>
#include <type_traits>
#include <vector>

#include "../host.h"
#include "types.h"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointers = CUSPARSE_POINTER_MODE_HOST;
  host::Memory scratch; // counts and offsets, and results
};

struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};

enum Format { Csr, Csc, Coo, Bsr, BlockedEll, SlicedEll };

// offsets are those of rows or, of CSC, columns, of BSR rows of blocks, of sliced ELL slices; row and col what goes with
// the values: of CSR the columns, of CSC the rows, of COO both, of the others the columns or those of blocks.
struct cusparseSpMatDescr {
  Format format;
  int64_t rows, cols, count;
  void *offsets, *row, *col, *values;
  cusparseIndexType_t offsetType, indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
  // BSR's blocks, how many there are, and how their values are ordered; of blocked ELL the size of a block, and the
  // columns that a row has values for; of sliced ELL how many values there is room for, and the rows of a slice.
  int64_t blockRows = 1, blockCols = 1, blocks = 0, width = 0;
  cusparseOrder_t blockOrder = CUSPARSE_ORDER_ROW;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  // Matrices of the same sizes, and how many elements they are apart: 0 where they are the same.
  int batch = 1;
  int64_t offsetsStride = 0, indexStride = 0, valuesStride = 0;
};

struct cusparseDnMatDescr {
  int64_t rows, cols, ld;
  void *values;
  cudaDataType type;
  cusparseOrder_t order;
  int batch = 1;
  int64_t stride = 0;
};

struct cusparseDnVecDescr {
  int64_t size;
  void *values;
  cudaDataType type;
};

struct cusparseSpVecDescr {
  int64_t size, count;
  void *index, *values;
  cusparseIndexType_t indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
};

// The offsets of a product, between its steps, and how many pairs of values it multiplies.
struct cusparseSpGEMMDescr {
  host::Memory offsets;
  int64_t products = 0;
};

namespace sparse {

using host::letter;
using Status = cusparseStatus_t;

extern host::Kernels kernels;

LIBRARY_STATUS(Status, CUSPARSE_STATUS)

// Calls f with a number of a type.
template <class F> Status byType(cudaDataType type, F f) {
  switch (type) {
  case CUDA_R_32F: return f(float());
  case CUDA_R_64F: return f(double());
  case CUDA_C_32F: return f(Complex<float>());
  case CUDA_C_64F: return f(Complex<double>());
  default: return notSupported("cuSPARSE with values of this type");
  }
}

constexpr int kBlock = 128;

template <class E, class P> Status launch(cusparseHandle_t h, const char *kernel, int64_t threads, const P &p, const char *module = "sparse", int block = kBlock) {
  return statusOf(kernels.launch(module, letter<E> + std::string(kernel), host::blocks(threads, block, 1 << 16), block, h->stream, p));
}

template <class E> Scalar<E> scalarOf(cusparseHandle_t h, const void *p) {
  if (h->pointers == CUSPARSE_POINTER_MODE_HOST) return {*static_cast<const E *>(p), nullptr};
  return {E(0), static_cast<const E *>(p)};
}

inline Indices indicesOf(void *data, cusparseIndexType_t type) { return {data, type == CUSPARSE_INDEX_64I}; }

// How values of a type are stored, where the arithmetic is that of E.
template <class E> Values<E> valuesOf(void *data, cudaDataType type) {
  return {data, type == CUDA_R_16F ? Half : type == CUDA_R_16BF ? Bfloat16 : type == CUDA_R_8I ? Int8 : Native};
}
inline bool isNarrow(cudaDataType t) { return t == CUDA_R_16F || t == CUDA_R_16BF || t == CUDA_R_8I; }

// Whether values of a type can be computed with in another one.
inline bool converts(cudaDataType type, cudaDataType compute) { return type == compute || (compute == CUDA_R_32F && isNarrow(type)); }

// Calls f with a number of the type to compute in with values of a type.
template <class F> Status byValues(cudaDataType type, F f) { return byType(isNarrow(type) ? CUDA_R_32F : type, f); }

// A matrix by rows; one of CSC is its transpose.
template <class E> Rows<E> rowsOf(const cusparseSpMatDescr &m) {
  const bool turned = m.format == Csc;
  Rows<E> r{};
  r.rows = static_cast<int>(turned ? m.cols : m.rows);
  r.cols = static_cast<int>(turned ? m.rows : m.cols);
  r.count = m.count;
  r.offsets = indicesOf(m.format == Coo ? nullptr : m.offsets, m.offsetType);
  r.row = indicesOf(m.format == Coo ? m.row : nullptr, m.indexType);
  r.col = indicesOf(turned ? m.row : m.col, m.indexType);
  r.values = valuesOf<E>(m.values, m.type);
  r.base = m.base;
  r.layout = m.format == Bsr ? Blocks : m.format == BlockedEll ? Ell : m.format == SlicedEll ? Slices : ByRow;
  r.blockRows = static_cast<int>(m.blockRows), r.blockCols = static_cast<int>(m.blockCols);
  r.width = static_cast<int>(m.format == BlockedEll ? m.width / m.blockCols : m.width);
  r.byColumns = m.blockOrder == CUSPARSE_ORDER_COL;
  return r;
}

template <class E> Dense<E> denseOf(const cusparseDnMatDescr &m, bool transposed = false) {
  const bool byRows = (m.order == CUSPARSE_ORDER_ROW) != transposed;
  return {valuesOf<E>(m.values, m.type), byRows ? m.ld : 1, byRows ? 1 : m.ld};
}
template <class E> Dense<E> denseOf(const cusparseDnVecDescr &v) { return {valuesOf<E>(v.values, v.type), 1, 0}; }

inline bool isIndex(cusparseIndexType_t t) { return t == CUSPARSE_INDEX_32I || t == CUSPARSE_INDEX_64I; }

// A result that device code wrote, for a pointer of the host: the copy is a node of the graph where the stream is captured.
inline Status toHost(cusparseHandle_t h, void *to, const void *from, size_t bytes) {
  TRY_CUDA(host::services->copy(to, from, bytes, h->stream));
  return host::services->capture(h->stream) ? CUSPARSE_STATUS_SUCCESS : statusOf(host::services->wait(h->stream));
}

template <class T> Status made(T **out, T value) {
  REQUIRE(out, "the result pointer is null");
  *out = new T(value);
  return CUSPARSE_STATUS_SUCCESS;
}

// Kernels need no buffer of the program's; a size that is not 0 is what programs expect.
#define SIZE(out)                                    \
  REQUIRE(out, "the result pointer is null");        \
  *out = 16;                                         \
  return CUSPARSE_STATUS_SUCCESS

#define H cusparseHandle_t h

} // namespace sparse
