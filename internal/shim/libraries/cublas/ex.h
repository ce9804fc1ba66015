// Products of matrices whose types are values, for the extensions of cuBLAS and for cublasLt.
#pragma once

#include "level3.h"

namespace blas {

// D = alpha * op(A) * op(B) + beta * C; see Gemm.
struct Product {
  cublasOperation_t opA, opB;
  int m, n, k;
  cudaDataType aType, bType, cType;
  cudaDataType scale; // of alpha and beta, which is also what is computed with
  const void *a, *b, *c;
  void *d;
  long long lda, ldb, ldc, ldd; // ldd is ldc where it is 0
  const void *const *as, *const *bs;
  void *const *cs, *const *ds; // ds is cs where it is null
  long long strideA, strideB, strideC, strideD;
  int batch;
  const void *bias;
  int activation;
};

cublasStatus_t multiply(cublasHandle_t h, const Product &q, const void *alpha, const void *beta);

// The type of alpha and beta; false where compute has no meaning.
bool scaleOf(cublasComputeType_t compute, cudaDataType cType, cudaDataType *scale);

} // namespace blas
