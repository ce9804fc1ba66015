// The parameters of the kernels, which host and device code share. Indices are from 0,
// matrices are in column-major order, lda and the like in elements.
#pragma once

#include "../numbers.h"

namespace blas {

// An array of a BLAS routine: element i is at first + i * step, in elements, where first is that
// of the element with index 0 for negative steps too.
template <class T> struct Vector {
  T *data;
  long long step;
  WG_BOTH T &operator[](long long i) const { return data[i * step]; }
};

template <class T> WG_BOTH Vector<T> vectorOf(T *x, int n, int inc) {
  return {inc < 0 ? x + static_cast<long long>(1 - n) * inc : x, inc};
}

// Level 1.
template <class T> struct Elements { // axpy, scal, copy, swap, rot, rotm
  int n;
  Scalar<T> a, s; // alpha; or c and s of a rotation
  const T *flags; // rotm: its parameters
  T param[5];
  Vector<T> x, y;
};

enum Reduction { Dot, DotConj, Asum, Nrm2, Amax, Amin };
template <class T> struct Reduce {
  int kind, n;
  Vector<const T> x, y;
  void *result; // T, its real type or int
};

// How a matrix lies in memory, and what of it is stored.
enum Storage { Full, Band, Packed };
enum Shape { General, Symmetric, Hermitian, Triangular };
enum Op { N, T, C, Conj }; // Conj conjugates only

WG_BOTH bool transposes(int op) { return op == T || op == C; }
WG_BOTH bool conjugates(int op) { return op >= C; }

template <class E> struct Matrix {
  E *data;
  long long ld;
  int storage, shape, op; // op is applied last
  bool upper, unit;
  int rows, cols; // as stored, before op
  int kl, ku;     // of bands: subdiagonals and superdiagonals
};

// y = alpha * op(A) * x + beta * y
template <class E> struct MatrixVector {
  Matrix<const E> a;
  Vector<const E> x;
  Vector<E> y;
  Scalar<E> alpha, beta;
  int m, n;  // the rows and columns of op(A)
  int lanes; // threads for one element of y: 1 or 32
  // Strides between the members of a batch, in elements, or arrays of pointers, to which the
  // vectors' first elements have offsets.
  const E *const *as, *const *xs;
  E *const *ys;
  long long strideA, strideX, strideY, offsetX, offsetY;
  int batch;
};

// A += alpha * x * y^op, and for rank 2 the transposed product with conj(alpha)
template <class E> struct RankUpdate {
  Matrix<E> a;
  Vector<const E> x, y;
  Scalar<E> alpha;
  int op; // T or C
  bool two;
};

// Solves op(A) * x = b for columns or rows of B in place.
template <class E> struct Solve {
  Matrix<const E> a;
  E *b;
  long long step, next; // between elements of one right-hand side, and between these
  int n, sides;
  Scalar<E> alpha;
  const E *const *as;
  E *const *bs;
  int batch;
};

// D = alpha * op(A) * op(B) + beta * C, with types of elements and of the arithmetic.
enum Activation { None, Relu, Gelu };
template <class E, class F, class S> struct Gemm {
  int m, n, k;
  Matrix<const E> a, b;
  const F *c;
  F *d;
  long long ldc, ldd;
  Scalar<S> alpha, beta;
  const E *const *as, *const *bs;
  F *const *cs;
  F *const *ds; // cs where it is null
  long long strideA, strideB, strideC, strideD;
  int batch;
  // What of D is written: 0 all, 1 its upper triangle, 2 its lower triangle; hermitian makes the
  // diagonal real; again adds the product with A and B exchanged: syr2k.
  int part;
  bool hermitian, again;
  // cublasLt: what is added to each row, and what is done then.
  const F *bias;
  int activation;
};

// C = alpha * op(A) + beta * op(B)
template <class E> struct Add {
  int m, n;
  const E *a, *b;
  E *c;
  long long lda, ldb, ldc;
  int opA, opB;
  Scalar<E> alpha, beta;
};

// C = diag(x) * A or A * diag(x)
template <class E> struct Scale {
  int m, n;
  const E *a;
  E *c;
  Vector<const E> x;
  long long lda, ldc;
  bool right;
};

// A triangle between a packed and a full matrix.
template <class E> struct Pack {
  int n;
  bool upper;
  E *packed, *full;
  long long ld;
};

// Rows from 1, as numbers of 32 or of 64 bits; none where both are null.
struct Pivots {
  int *narrow = nullptr;
  long long *wide = nullptr;
  WG_BOTH Pivots(const int *rows) : narrow(const_cast<int *>(rows)) {}
  WG_BOTH Pivots(const int64_t *rows) : wide(reinterpret_cast<long long *>(const_cast<int64_t *>(rows))) {}
  WG_BOTH bool any() const { return narrow || wide; }
  WG_BOTH Pivots from(long long first) const {
    Pivots p = *this;
    if (narrow) p.narrow += first;
    if (wide) p.wide += first;
    return p;
  }
  WG_BOTH long long get(int i) const { return wide ? wide[i] : narrow[i]; }
  WG_BOTH void set(int i, int row) const {
    if (wide)
      wide[i] = row;
    else
      narrow[i] = row;
  }
};

// Elimination of matrices of m rows, with pivots where there is room for them.
template <class E> struct Factor {
  int m, n;
  E *a;
  E *const *as;
  long long lda;
  Pivots pivots;
  int *info;
  int batch;
  WG_BOTH int rows() const { return m < n ? m : n; }
};

// The rows of right-hand sides, of n elements each.
template <class E> struct Exchange {
  int n, sides;
  E *b;
  E *const *bs;
  long long ldb;
  Pivots pivots;
  bool back;
  int batch;
};

} // namespace blas
