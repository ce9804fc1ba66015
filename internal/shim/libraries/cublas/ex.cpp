// Functions whose types are arguments ("cuBLAS", "cuBLAS-like Extension").
#include "ex.h"

#include "cuda_fp16.h"

using namespace blas;

namespace blas {
namespace {

template <class E, class F, class S>
cublasStatus_t run(cublasHandle_t h, const Product &q, const char *module, const char *kernel, Scalar<S> alpha, Scalar<S> beta) {
  Gemm<E, F, S> p{q.m, q.n, q.k};
  p.a.data = static_cast<const E *>(q.a), p.b.data = static_cast<const E *>(q.b);
  p.c = static_cast<const F *>(q.c), p.d = static_cast<F *>(q.d);
  p.ldd = q.ldd;
  p.as = reinterpret_cast<const E *const *>(q.as), p.bs = reinterpret_cast<const E *const *>(q.bs);
  p.cs = reinterpret_cast<F *const *>(q.cs), p.ds = reinterpret_cast<F *const *>(q.ds);
  p.strideA = q.strideA, p.strideB = q.strideB, p.strideC = q.strideC, p.strideD = q.strideD;
  p.batch = q.batch;
  p.bias = static_cast<const F *>(q.bias);
  p.activation = q.activation;
  bool done;
  cublasStatus_t status = prepare(q.opA, q.opB, p, q.lda, q.ldb, q.ldc, &done);
  if (status != CUBLAS_STATUS_SUCCESS || done) return status;
  p.alpha = alpha;
  p.beta = beta;
  const std::string name = std::string(kernel) + (isSmall(p.m, p.n) ? "Small" : "");
  return statusOf(kernels.launch(module, name, tiles(p.m, p.n, p.batch), dim3(16, 16), h->stream, p));
}

// The half-precision bits of a scalar, as a float.
float ofHalf(const void *p) { return __half2float(*static_cast<const __half *>(p)); }

template <class S> Scalar<S> scalarAt(cublasHandle_t h, const void *p) { return scalarOf(h, static_cast<const S *>(p)); }

} // namespace

cublasStatus_t multiply(cublasHandle_t h, const Product &q, const void *alpha, const void *beta) {
  REQUIRE(alpha && beta, "alpha or beta is null");
  const auto is = [&](cudaDataType ab, cudaDataType c, cudaDataType scale) {
    return q.aType == ab && q.bType == ab && q.cType == c && q.scale == scale;
  };
#define CASE(ab, cc, sc, E, F, S, module, kernel) \
  if (is(ab, cc, sc)) return run<E, F, S>(h, q, module, kernel, scalarAt<S>(h, alpha), scalarAt<S>(h, beta))
  CASE(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, float, float, float, "sgemm", "sgemm");
  CASE(CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, double, double, double, "dgemm", "dgemm");
  CASE(CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, Complex<float>, Complex<float>, Complex<float>, "cgemm", "cgemm");
  CASE(CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, Complex<double>, Complex<double>, Complex<double>, "zgemm", "zgemm");
  using Bits16 = unsigned short; // the kernels know which
  CASE(CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, Bits16, Bits16, float, "gemmex", "gemm_f16_f16");
  CASE(CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, Bits16, float, float, "gemmex", "gemm_f16_f32");
  CASE(CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, Bits16, Bits16, float, "gemmex", "gemm_bf16_bf16");
  CASE(CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, Bits16, float, float, "gemmex", "gemm_bf16_f32");
  CASE(CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, signed char, int, int, "gemmex", "gemm_s8_s32");
  CASE(CUDA_R_8I, CUDA_R_32F, CUDA_R_32F, signed char, float, float, "gemmex", "gemm_s8_f32");
#undef CASE
  if (is(CUDA_R_16F, CUDA_R_16F, CUDA_R_16F)) { // its sums are in single precision here
    if (h->pointers != CUBLAS_POINTER_MODE_HOST) return notSupported("a product with half-precision alpha and beta on the device");
    return run<Bits16, Bits16, float>(h, q, "gemmex", "gemm_f16_f16", valueOf(ofHalf(alpha)), valueOf(ofHalf(beta)));
  }
  return notSupported("a product of matrices with this combination of types");
}

bool scaleOf(cublasComputeType_t compute, cudaDataType cType, cudaDataType *scale) {
  const bool complex = cType == CUDA_C_32F || cType == CUDA_C_64F;
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC: *scale = CUDA_R_16F; return true;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
  case CUBLAS_COMPUTE_32F_EMULATED_16BFX9: *scale = complex ? CUDA_C_32F : CUDA_R_32F; return true;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
  case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT: *scale = complex ? CUDA_C_64F : CUDA_R_64F; return true;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC: *scale = CUDA_R_32I; return true;
  default: return false;
  }
}

} // namespace blas

namespace {

// Functions of level 1 of one type.
template <class F> cublasStatus_t byType(cudaDataType type, const char *what, F f) {
  switch (type) {
  case CUDA_R_32F: return f(float(), 's');
  case CUDA_R_64F: return f(double(), 'd');
  case CUDA_C_32F: return f(cuComplex(), 'c');
  case CUDA_C_64F: return f(cuDoubleComplex(), 'z');
  default: return notSupported(what);
  }
}

cublasStatus_t axpy(cublasHandle_t h, int n, const float *a, const float *x, int ix, float *y, int iy) { return cublasSaxpy_v2(h, n, a, x, ix, y, iy); }
cublasStatus_t axpy(cublasHandle_t h, int n, const double *a, const double *x, int ix, double *y, int iy) { return cublasDaxpy_v2(h, n, a, x, ix, y, iy); }
cublasStatus_t axpy(cublasHandle_t h, int n, const cuComplex *a, const cuComplex *x, int ix, cuComplex *y, int iy) { return cublasCaxpy_v2(h, n, a, x, ix, y, iy); }
cublasStatus_t axpy(cublasHandle_t h, int n, const cuDoubleComplex *a, const cuDoubleComplex *x, int ix, cuDoubleComplex *y, int iy) { return cublasZaxpy_v2(h, n, a, x, ix, y, iy); }
cublasStatus_t scal(cublasHandle_t h, int n, const float *a, float *x, int ix) { return cublasSscal_v2(h, n, a, x, ix); }
cublasStatus_t scal(cublasHandle_t h, int n, const double *a, double *x, int ix) { return cublasDscal_v2(h, n, a, x, ix); }
cublasStatus_t scal(cublasHandle_t h, int n, const cuComplex *a, cuComplex *x, int ix) { return cublasCscal_v2(h, n, a, x, ix); }
cublasStatus_t scal(cublasHandle_t h, int n, const cuDoubleComplex *a, cuDoubleComplex *x, int ix) { return cublasZscal_v2(h, n, a, x, ix); }
cublasStatus_t dot(cublasHandle_t h, bool, int n, const float *x, int ix, const float *y, int iy, float *r) { return cublasSdot_v2(h, n, x, ix, y, iy, r); }
cublasStatus_t dot(cublasHandle_t h, bool, int n, const double *x, int ix, const double *y, int iy, double *r) { return cublasDdot_v2(h, n, x, ix, y, iy, r); }
cublasStatus_t dot(cublasHandle_t h, bool c, int n, const cuComplex *x, int ix, const cuComplex *y, int iy, cuComplex *r) {
  return c ? cublasCdotc_v2(h, n, x, ix, y, iy, r) : cublasCdotu_v2(h, n, x, ix, y, iy, r);
}
cublasStatus_t dot(cublasHandle_t h, bool c, int n, const cuDoubleComplex *x, int ix, const cuDoubleComplex *y, int iy, cuDoubleComplex *r) {
  return c ? cublasZdotc_v2(h, n, x, ix, y, iy, r) : cublasZdotu_v2(h, n, x, ix, y, iy, r);
}

cublasStatus_t dotEx(const char *name, bool conjugated, cublasHandle_t h, int n, const void *x, cudaDataType xType, int incx, const void *y,
                     cudaDataType yType, int incy, void *result, cudaDataType resultType, cudaDataType executionType) {
  CALL(name, h);
  if (xType != yType || xType != resultType || xType != executionType) return notSupported("cublasDotEx with several types");
  return byType(xType, "cublasDotEx with this type", [&](auto zero, char) {
    using V = decltype(zero);
    return dot(h, conjugated, n, static_cast<const V *>(x), incx, static_cast<const V *>(y), incy, static_cast<V *>(result));
  });
}

} // namespace

extern "C" {

cublasStatus_t cublasAxpyEx(cublasHandle_t h, int n, const void *alpha, cudaDataType alphaType, const void *x, cudaDataType xType, int incx,
                            void *y, cudaDataType yType, int incy, cudaDataType executionType) {
  CALL("cublasAxpyEx", h);
  if (alphaType != xType || xType != yType || xType != executionType) return notSupported("cublasAxpyEx with several types");
  return byType(xType, "cublasAxpyEx with this type", [&](auto zero, char) {
    using V = decltype(zero);
    return axpy(h, n, static_cast<const V *>(alpha), static_cast<const V *>(x), incx, static_cast<V *>(y), incy);
  });
}

cublasStatus_t cublasScalEx(cublasHandle_t h, int n, const void *alpha, cudaDataType alphaType, void *x, cudaDataType xType, int incx,
                            cudaDataType executionType) {
  CALL("cublasScalEx", h);
  if (alphaType != xType || xType != executionType) return notSupported("cublasScalEx with several types");
  return byType(xType, "cublasScalEx with this type", [&](auto zero, char) {
    using V = decltype(zero);
    return scal(h, n, static_cast<const V *>(alpha), static_cast<V *>(x), incx);
  });
}

cublasStatus_t cublasDotEx(cublasHandle_t h, int n, const void *x, cudaDataType xType, int incx, const void *y, cudaDataType yType, int incy,
                           void *result, cudaDataType resultType, cudaDataType executionType) {
  return dotEx("cublasDotEx", false, h, n, x, xType, incx, y, yType, incy, result, resultType, executionType);
}
cublasStatus_t cublasDotcEx(cublasHandle_t h, int n, const void *x, cudaDataType xType, int incx, const void *y, cudaDataType yType, int incy,
                            void *result, cudaDataType resultType, cudaDataType executionType) {
  return dotEx("cublasDotcEx", true, h, n, x, xType, incx, y, yType, incy, result, resultType, executionType);
}

cublasStatus_t cublasNrm2Ex(cublasHandle_t h, int n, const void *x, cudaDataType xType, int incx, void *result, cudaDataType,
                            cudaDataType) {
  CALL("cublasNrm2Ex", h);
  switch (xType) {
  case CUDA_R_32F: return cublasSnrm2_v2(h, n, static_cast<const float *>(x), incx, static_cast<float *>(result));
  case CUDA_R_64F: return cublasDnrm2_v2(h, n, static_cast<const double *>(x), incx, static_cast<double *>(result));
  case CUDA_C_32F: return cublasScnrm2_v2(h, n, static_cast<const cuComplex *>(x), incx, static_cast<float *>(result));
  case CUDA_C_64F: return cublasDznrm2_v2(h, n, static_cast<const cuDoubleComplex *>(x), incx, static_cast<double *>(result));
  default: return notSupported("cublasNrm2Ex with this type");
  }
}

// The vectors may be complex with c and s real.
cublasStatus_t cublasRotEx(cublasHandle_t h, int n, void *x, cudaDataType xType, int incx, void *y, cudaDataType yType, int incy, const void *c,
                           const void *s, cudaDataType csType, cudaDataType executionType) {
  CALL("cublasRotEx", h);
  if (xType != yType || xType != executionType) return notSupported("cublasRotEx with several types");
#define ROT(type, cs, V, R, S, routine)                                                                                                  \
  if (xType == type && csType == cs)                                                                                                      \
  return routine(h, n, static_cast<V *>(x), incx, static_cast<V *>(y), incy, static_cast<const R *>(c), static_cast<const S *>(s))
  ROT(CUDA_R_32F, CUDA_R_32F, float, float, float, cublasSrot_v2);
  ROT(CUDA_R_64F, CUDA_R_64F, double, double, double, cublasDrot_v2);
  ROT(CUDA_C_32F, CUDA_R_32F, cuComplex, float, float, cublasCsrot_v2);
  ROT(CUDA_C_64F, CUDA_R_64F, cuDoubleComplex, double, double, cublasZdrot_v2);
#undef ROT
  return notSupported("cublasRotEx with these types");
}

#define H cublasHandle_t h
#define OPS cublasOperation_t opA, cublasOperation_t opB
#define PRODUCT Product{opA, opB, m, n, k, aType, bType, cType}

cublasStatus_t cublasGemmStridedBatchedEx(H, OPS, int m, int n, int k, const void *alpha, const void *a, cudaDataType aType, int lda,
                                          long long strideA, const void *b, cudaDataType bType, int ldb, long long strideB,
                                          const void *beta, void *c, cudaDataType cType, int ldc, long long strideC, int batch,
                                          cublasComputeType_t compute, cublasGemmAlgo_t) {
  CALL("cublasGemmStridedBatchedEx", h);
  Product q = PRODUCT;
  REQUIRE(scaleOf(compute, cType, &q.scale), "computeType is not a cublasComputeType_t");
  q.a = a, q.b = b, q.c = c, q.d = c;
  q.lda = lda, q.ldb = ldb, q.ldc = ldc;
  q.strideA = strideA, q.strideB = strideB, q.strideC = q.strideD = strideC;
  q.batch = batch;
  return multiply(h, q, alpha, beta);
}

cublasStatus_t cublasGemmEx(H, OPS, int m, int n, int k, const void *alpha, const void *a, cudaDataType aType, int lda, const void *b,
                            cudaDataType bType, int ldb, const void *beta, void *c, cudaDataType cType, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algo) {
  CALL("cublasGemmEx", h);
  return cublasGemmStridedBatchedEx(h, opA, opB, m, n, k, alpha, a, aType, lda, 0, b, bType, ldb, 0, beta, c, cType, ldc, 0, 1, compute, algo);
}

cublasStatus_t cublasGemmBatchedEx(H, OPS, int m, int n, int k, const void *alpha, const void *const as[], cudaDataType aType, int lda,
                                   const void *const bs[], cudaDataType bType, int ldb, const void *beta, void *const cs[],
                                   cudaDataType cType, int ldc, int batch, cublasComputeType_t compute, cublasGemmAlgo_t) {
  CALL("cublasGemmBatchedEx", h);
  Product q = PRODUCT;
  REQUIRE(scaleOf(compute, cType, &q.scale), "computeType is not a cublasComputeType_t");
  q.as = as, q.bs = bs, q.cs = cs;
  q.lda = lda, q.ldb = ldb, q.ldc = ldc;
  q.batch = batch;
  return multiply(h, q, alpha, beta);
}

// Several groups, each of products of the same sizes; the arrays of pointers are on the device, all others on the host.
cublasStatus_t cublasGemmGroupedBatchedEx(H, const cublasOperation_t opA[], const cublasOperation_t opB[], const int m[], const int n[],
                                          const int k[], const void *alpha, const void *const as[], cudaDataType aType, const int lda[],
                                          const void *const bs[], cudaDataType bType, const int ldb[], const void *beta, void *const cs[],
                                          cudaDataType cType, const int ldc[], int groups, const int sizes[], cublasComputeType_t compute) {
  CALL("cublasGemmGroupedBatchedEx", h);
  REQUIRE(groups >= 0, "the number of groups is negative");
  REQUIRE(opA && opB && m && n && k && alpha && lda && ldb && beta && ldc && sizes, "an array is null");
  cudaDataType scale;
  REQUIRE(scaleOf(compute, cType, &scale), "computeType is not a cublasComputeType_t");
  const size_t size = scale == CUDA_R_16F ? 2 : scale == CUDA_R_64F || scale == CUDA_C_32F ? 8 : scale == CUDA_C_64F ? 16 : 4;
  if (h->pointers != CUBLAS_POINTER_MODE_HOST) return notSupported("groups of products with alpha and beta on the device");
  for (int g = 0, first = 0; g < groups; first += sizes[g++]) {
    REQUIRE(sizes[g] >= 0, "the size of a group is negative");
    TRY(cublasGemmBatchedEx(h, opA[g], opB[g], m[g], n[g], k[g], static_cast<const char *>(alpha) + g * size, as + first, aType, lda[g],
                            bs + first, bType, ldb[g], static_cast<const char *>(beta) + g * size, cs + first, cType, ldc[g], sizes[g],
                            compute, CUBLAS_GEMM_DEFAULT));
  }
  return CUBLAS_STATUS_SUCCESS;
}
#define GROUPED(L, V, type, compute)                                                                                                     \
  cublasStatus_t cublas##L##gemmGroupedBatched(H, const cublasOperation_t opA[], const cublasOperation_t opB[], const int m[],            \
                                               const int n[], const int k[], const V alpha[], const V *const as[], const int lda[],       \
                                               const V *const bs[], const int ldb[], const V beta[], V *const cs[], const int ldc[],      \
                                               int groups, const int sizes[]) {                                                           \
    CALL("cublas" #L "gemmGroupedBatched", h);                                                                                            \
    return cublasGemmGroupedBatchedEx(h, opA, opB, m, n, k, alpha, reinterpret_cast<const void *const *>(as), type, lda,                  \
                                      reinterpret_cast<const void *const *>(bs), type, ldb, beta, reinterpret_cast<void *const *>(cs),    \
                                      type, ldc, groups, sizes, compute);                                                                 \
  }
GROUPED(S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
GROUPED(D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)

// C = alpha * A * A^op + beta * C of complex numbers, C in single precision.
#define UPDATE_EX(name, S, routine)                                                                                                       \
  cublasStatus_t cublas##name(H, cublasFillMode_t uplo, cublasOperation_t op, int n, int k, const S *alpha, const void *a,                \
                              cudaDataType aType, int lda, const S *beta, void *c, cudaDataType cType, int ldc) {                         \
    CALL("cublas" #name, h);                                                                                                              \
    if (aType != CUDA_C_32F || cType != CUDA_C_32F) return notSupported("cublas" #name " of matrices that are not CUDA_C_32F");           \
    return routine(h, uplo, op, n, k, alpha, static_cast<const cuComplex *>(a), lda, beta, static_cast<cuComplex *>(c), ldc);             \
  }
UPDATE_EX(CherkEx, float, cublasCherk_v2)
UPDATE_EX(Cherk3mEx, float, cublasCherk_v2)
UPDATE_EX(CsyrkEx, cuComplex, cublasCsyrk_v2)
UPDATE_EX(Csyrk3mEx, cuComplex, cublasCsyrk_v2)

cublasStatus_t cublasSgemmEx(H, OPS, int m, int n, int k, const float *alpha, const void *a, cudaDataType aType, int lda, const void *b,
                             cudaDataType bType, int ldb, const float *beta, void *c, cudaDataType cType, int ldc) {
  CALL("cublasSgemmEx", h);
  return cublasGemmEx(h, opA, opB, m, n, k, alpha, a, aType, lda, b, bType, ldb, beta, c, cType, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasCgemmEx(H, OPS, int m, int n, int k, const cuComplex *alpha, const void *a, cudaDataType aType, int lda, const void *b,
                             cudaDataType bType, int ldb, const cuComplex *beta, void *c, cudaDataType cType, int ldc) {
  CALL("cublasCgemmEx", h);
  return cublasGemmEx(h, opA, opB, m, n, k, alpha, a, aType, lda, b, bType, ldb, beta, c, cType, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

#define HALF CUDA_R_16F
cublasStatus_t cublasHgemm(H, OPS, int m, int n, int k, const __half *alpha, const __half *a, int lda, const __half *b, int ldb,
                           const __half *beta, __half *c, int ldc) {
  CALL("cublasHgemm", h);
  return cublasGemmEx(h, opA, opB, m, n, k, alpha, a, HALF, lda, b, HALF, ldb, beta, c, HALF, ldc, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t cublasHgemmBatched(H, OPS, int m, int n, int k, const __half *alpha, const __half *const as[], int lda,
                                  const __half *const bs[], int ldb, const __half *beta, __half *const cs[], int ldc, int batch) {
  CALL("cublasHgemmBatched", h);
  return cublasGemmBatchedEx(h, opA, opB, m, n, k, alpha, reinterpret_cast<const void *const *>(as), HALF, lda,
                             reinterpret_cast<const void *const *>(bs), HALF, ldb, beta, reinterpret_cast<void *const *>(cs), HALF, ldc, batch,
                             CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t cublasHgemmStridedBatched(H, OPS, int m, int n, int k, const __half *alpha, const __half *a, int lda, long long strideA,
                                         const __half *b, int ldb, long long strideB, const __half *beta, __half *c, int ldc,
                                         long long strideC, int batch) {
  CALL("cublasHgemmStridedBatched", h);
  return cublasGemmStridedBatchedEx(h, opA, opB, m, n, k, alpha, a, HALF, lda, strideA, b, HALF, ldb, strideB, beta, c, HALF, ldc, strideC,
                                    batch, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}

} // extern "C"
