// The parameters of cuSOLVER's kernels; those for triangles and elimination are cuBLAS's.
#pragma once

#include "../numbers.h"

namespace solver {

// The factor of a positive definite matrix, in place.
template <class E> struct Cholesky {
  int n;
  E *a;
  long long lda;
  bool upper;
  int *info;
};

// Householder reflections of the columns of A, which hold them below the diagonal; and their
// product with C.
template <class E> struct Reflections {
  int m, n, count; // of C; of A for the factorization, which makes count reflections
  E *a;
  long long lda;
  E *tau;
  E *c;
  long long ldc;
  bool right, adjoint;
  int *info;
};

// Eigenvalues by Jacobi's method: full is A, of which a triangle is given, and becomes diagonal.
template <class E> struct Eigen {
  int n;
  E *a;
  long long lda;
  bool upper, vectors;
  E *full, *v; // n by n
  Real<E> *w;
  int *order, *info;
  int sweeps;
  double *done; // how many sweeps there were, and the norm of what is left beside the diagonal; or null
};

// Singular values by Jacobi's method on the columns of b, a copy of A of m by n, m >= n, or of its
// adjoint. u of m by some columns, v of n by n; either may be null.
template <class E> struct Singular {
  int m, n;
  const E *a;
  long long lda;
  bool adjoint; // b is the adjoint of A
  E *b, *v;
  Real<E> *s;
  int *order, *info;
  int sweeps;
  E *u; // the left vectors of b, and how many
  long long ldu;
  int columns;
  E *right; // the right vectors of b: columns, or the rows of the adjoint
  long long ldr;
  bool rows;
  double *done; // as in Eigen
};

// Elements of one matrix to another: all, or a triangle, or a triangle as the whole Hermitian matrix; adjoint, or
// without a diagonal.
enum Part { All, UpperPart, LowerPart, UpperToWhole, LowerToWhole };
template <class E> struct Move {
  int rows, cols; // of to
  const E *from;
  long long ldFrom;
  E *to;
  long long ldTo;
  int part = All;
  bool adjoint = false, diagonal = true;
};

} // namespace solver
