// The parameters of cuSPARSE's kernels.
#pragma once

#include "../numbers.h"

namespace sparse {

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
// offsets (COO) each value has its row as well.
template <class E> struct Rows {
  int rows, cols;
  long long count; // of values
  Indices offsets, row, col;
  E *values;
  int base; // the number of the first row, column and offset
};

// A dense matrix; a vector is one column.
template <class E> struct Dense {
  E *data;
  long long down, across; // from one row, or column, to the next
};

// C = alpha * op(A) * op(B) + beta * C; conjugated is the part of op that does not transpose.
template <class E> struct Product {
  Rows<const E> a;
  Dense<const E> b;
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
  Rows<const E> from;
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
  Rows<const E> a, b;
  Rows<E> c;
  Scalar<E> alpha, beta;
  int *counts;
};

// A sparse vector and a dense one.
template <class E> struct Vectors {
  long long size, count;
  Indices index;
  E *x, *y;
  int base;
  bool conjugated;
  Scalar<E> alpha, beta;
  E *result;
};

} // namespace sparse
