// The product of general matrices, for the functions of level 3 and their extensions.
#pragma once

#include "context.h"

namespace blas {

// Checks what all products of matrices have in common, and fills in the factors; *done is set
// where there is nothing to compute.
template <class E, class F, class S>
cublasStatus_t prepare(cublasOperation_t opA, cublasOperation_t opB, Gemm<E, F, S> &p, long long lda, long long ldb, long long ldc,
                       bool *done) {
  REQUIRE(isOp(opA) && isOp(opB), "a transposition is not a cublasOperation_t");
  REQUIRE(p.m >= 0 && p.n >= 0 && p.k >= 0 && p.batch >= 0, "a size is negative");
  const bool ta = transposes(opA), tb = transposes(opB);
  REQUIRE(lda >= larger(1, ta ? p.k : p.m), "lda is less than the rows of A");
  REQUIRE(ldb >= larger(1, tb ? p.n : p.k), "ldb is less than the rows of B");
  REQUIRE(ldc >= larger(1, p.m), "ldc is less than m");
  p.a = full(p.a.data, ta ? p.k : p.m, ta ? p.m : p.k, lda, opA);
  p.b = full(p.b.data, tb ? p.n : p.k, tb ? p.k : p.n, ldb, opB);
  p.ldc = ldc;
  if (p.ldd == 0) p.ldd = ldc;
  *done = p.m == 0 || p.n == 0 || p.batch == 0;
  return CUBLAS_STATUS_SUCCESS;
}

// Whether a thread has one element of the result: then there are enough blocks.
inline bool isSmall(int m, int n) { return m <= 32 || n <= 32; }

// The blocks of a product.
inline dim3 tiles(int m, int n, int batch) {
  const int tile = isSmall(m, n) ? 16 : 64;
  return dim3(host::blocks(m, tile), host::blocks(n, tile), host::blocks(batch, 1, 65535));
}

// C = alpha * op(A) * op(B) + beta * C for general matrices of one type.
template <class E>
cublasStatus_t general(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, Gemm<E, E, E> &p, const E *alpha, int lda, int ldb,
                       const E *beta, int ldc) {
  bool done;
  cublasStatus_t status = prepare(opA, opB, p, lda, ldb, ldc, &done);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  REQUIRE(alpha && beta, "alpha or beta is null");
  if (done) return CUBLAS_STATUS_SUCCESS;
  p.alpha = scalarOf(h, alpha);
  p.beta = scalarOf(h, beta);
  const std::string module = letter<E> + std::string("gemm");
  return launch<E>(h, module.c_str(), isSmall(p.m, p.n) ? "gemmSmall" : "gemm", tiles(p.m, p.n, p.batch), dim3(16, 16), p);
}

} // namespace blas
