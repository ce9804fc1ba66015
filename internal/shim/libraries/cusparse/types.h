// The parameters of cuSPARSE's kernels.
#pragma once

#include "../numbers.h"
#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace sparse {

// Values as they are stored, where kernels compute with E: narrower ones where that is float.
enum Storage { Native, Half, Bfloat16, Int8 };
template <class E> struct Values {
  void *data;
  int storage;
#ifdef __CUDACC__
  __device__ __forceinline__ E get(long long i) const {
    if constexpr (sizeof(E) == sizeof(float)) {
      if (storage == Half) return __half2float(static_cast<const __half *>(data)[i]);
      if (storage == Bfloat16) return __bfloat162float(static_cast<const __nv_bfloat16 *>(data)[i]);
      if (storage == Int8) return static_cast<const signed char *>(data)[i];
    }
    return static_cast<const E *>(data)[i];
  }
  __device__ __forceinline__ void set(long long i, E v) const {
    if constexpr (sizeof(E) == sizeof(float)) {
      if (storage == Half) {
        static_cast<__half *>(data)[i] = __float2half_rn(v);
        return;
      }
      if (storage == Bfloat16) {
        static_cast<__nv_bfloat16 *>(data)[i] = __float2bfloat16_rn(v);
        return;
      }
      if (storage == Int8) {
        static_cast<signed char *>(data)[i] = static_cast<signed char>(v);
        return;
      }
    }
    static_cast<E *>(data)[i] = v;
  }
  __device__ E &at(long long i) const { return static_cast<E *>(data)[i]; } // of native ones
#endif
};

// Indices of 32 or 64 bits.
struct Indices {
  void *data;
  bool wide;
#ifdef __CUDACC__
  __device__ long long operator[](long long i) const {
    return wide ? static_cast<const long long *>(data)[i] : static_cast<const int *>(data)[i];
  }
  __device__ void set(long long i, long long v) const {
    if (wide)
      static_cast<long long *>(data)[i] = v;
    else
      static_cast<int *>(data)[i] = static_cast<int>(v);
  }
#endif
};

// A matrix as rows, each a list of columns and values: that of CSR; or its transpose, of CSC. Without
// offsets (COO) each value has its row as well. Other layouts: rows of blocks (BSR); blocked ELL, in which each row of
// blocks has width of them; sliced ELL, in which the values of width rows take turns. A column below 0 has no value.
enum Layout { ByRow, Blocks, Ell, Slices };
template <class E> struct Rows {
  int rows, cols;
  long long count; // of values
  Indices offsets, row, col;
  Values<E> values;
  int base; // the number of the first row, column and offset
  int layout, blockRows, blockCols, width;
  bool byColumns; // the order of a block's values
};

#ifdef __CUDACC__
// One row: where its values begin in its layout, and how many there are.
struct Row {
  long long first, count;
};
struct Entry {
  long long col, at; // at is the value's place
};

template <class E> __device__ __forceinline__ Row rowOf(const Rows<E> &a, long long i) {
  if (a.layout == ByRow) {
    const long long first = a.offsets[i] - a.base;
    return {first, a.offsets[i + 1] - a.base - first};
  }
  if (a.layout == Ell) return {i / a.blockRows * a.width, static_cast<long long>(a.width) * a.blockCols};
  const long long group = i / (a.layout == Blocks ? a.blockRows : a.width);
  const long long first = a.offsets[group] - a.base, size = a.offsets[group + 1] - a.base - first;
  return {first, a.layout == Blocks ? size * a.blockCols : size / a.width};
}

template <class E> __device__ __forceinline__ Entry entryOf(const Rows<E> &a, const Row &r, long long i, long long k) {
  if (a.layout == ByRow) return {a.col[r.first + k] - a.base, r.first + k};
  if (a.layout == Slices) {
    const long long at = r.first + k * a.width + i % a.width, col = a.col[at];
    return {col < 0 ? -1 : col - a.base, at};
  }
  const long long block = r.first + k / a.blockCols, column = a.col[block], row = i % a.blockRows, within = k % a.blockCols;
  const long long col = column < 0 ? -1 : (column - a.base) * a.blockCols + within;
  if (a.layout == Ell) return {col, i * a.width * a.blockCols + k};
  return {col, block * a.blockRows * a.blockCols + (a.byColumns ? within * a.blockRows + row : row * a.blockCols + within)};
}
#endif

// A dense matrix; a vector is one column.
template <class E> struct Dense {
  Values<E> values;
  long long down, across; // from one row, or column, to the next
#ifdef __CUDACC__
  __device__ __forceinline__ E get(long long i, long long j) const { return values.get(i * down + j * across); }
  __device__ __forceinline__ void set(long long i, long long j, E v) const { values.set(i * down + j * across, v); }
  __device__ __forceinline__ E &at(long long i, long long j) const { return values.at(i * down + j * across); }
#endif
};

// C = alpha * op(A) * op(B) + beta * C; conjugated is the part of op that does not transpose.
template <class E> struct Product {
  Rows<E> a;
  Dense<E> b;
  Dense<E> c;
  int m, n; // of C
  bool conjugated, conjugatedB;
  Scalar<E> alpha, beta;
};

// Conversions between a dense matrix and rows. counts has a row's number of values, and then offsets.
template <class E> struct Convert {
  Rows<E> a;
  Dense<E> dense;
  int *counts;
};

// The rows of the transpose.
template <class E> struct Transpose {
  Rows<E> from;
  Rows<E> to;
  bool values;
  int *next; // where the next value of each row goes
};

// Offsets of sorted rows, or rows of offsets.
struct Compress {
  const int *in;
  int *out;
  int count, rows, base;
};

// C = alpha * A * B + beta * C, all by rows.
template <class E> struct Multiply {
  Rows<E> a, b;
  Rows<E> c;
  Scalar<E> alpha, beta;
  int *counts;
  bool valueless; // only the structure of C is written
};

// The values of C that it has, of alpha * op(A) * op(B) + beta * C.
template <class E> struct Sampled {
  Dense<E> a, b;
  Rows<E> c;
  int depth;
  bool conjugatedA, conjugatedB;
  Scalar<E> alpha, beta;
};

// Solves op(A) * Y = alpha * op(X) for a triangle of A.
template <class E> struct Solve {
  Rows<E> a;
  Dense<E> x, y;
  int n, sides;
  bool transposed, conjugated, conjugatedX;
  bool upper, unit; // of op(A)
  Scalar<E> alpha;
};

// Incomplete factors in the place of a matrix: of LU without the diagonal of L, or a lower one. pivot is the least
// row of which the pivot is missing or zero, as an unsigned number.
template <class E> struct Incomplete {
  Rows<E> a;
  unsigned *pivot;
};

// Systems of equations whose matrices have a few diagonals, the first of them the lowest. Element i of a diagonal of system
// s is at i * step + s * next; so are the right-hand sides, which are side elements apart. band is room for each system's factors.
template <class E> struct Banded {
  static constexpr int kMost = 5;
  int n, systems, sides, below; // as many diagonals are above the main one
  const E *diagonals[kMost];
  E *x;
  long long step, next, side;
  E *band;
};

// Coordinates that are sorted, and a permutation that goes with them: a step compares elements half apart, or mirrored
// ones of runs that are twice as long.
struct Sort {
  int *major, *minor, *order;
  long long count, half;
  bool flip;
};

// Rows whose columns are sorted, and a permutation that goes with them.
struct SortRows {
  const int *offsets;
  int *col, *order;
  int rows, base;
};

// A sparse vector and a dense one.
template <class E> struct Vectors {
  long long size, count;
  Indices index;
  E *x, *y;
  int base;
  bool conjugated;
  Scalar<E> alpha, beta; // of a rotation c and s
  E *result;
};

} // namespace sparse
