// Elimination for many small matrices ("cuBLAS", "cuBLAS-like Extension": getrfBatched and others).
#include "context.h"

using namespace blas;

namespace {

#define REQUIRE_BATCH                                                \
  REQUIRE(n >= 0 && batch >= 0, "a size is negative");               \
  REQUIRE(lda >= larger(1, n), "lda is less than n");                \
  if (n == 0 || batch == 0) return CUBLAS_STATUS_SUCCESS

template <class E> cublasStatus_t getrf(cublasHandle_t h, int n, E *const *as, int lda, int *pivots, int *info, int batch) {
  REQUIRE_BATCH;
  REQUIRE(as && info, "an array is null");
  Factor<E> p{n, n, nullptr, as, lda, pivots, info, batch};
  return launch<E>(h, "lu", "getrf", host::blocks(batch, 1, 1 << 16), n > 16 ? 128 : 32, p);
}

template <class E>
cublasStatus_t exchange(cublasHandle_t h, const char *kernel, int n, int sides, E *const *bs, int ldb, const int *pivots, bool back, int batch) {
  Exchange<E> p{n, sides, nullptr, bs, ldb, pivots, back, batch};
  return launch<E>(h, "lu", kernel, dim3(host::blocks(sides, 64, 1 << 16), host::blocks(batch, 1, 65535)), 64, p);
}

template <class E>
cublasStatus_t triangle(cublasHandle_t h, bool upper, int op, int n, int sides, const E *const *as, int lda, E *const *bs, int ldb, int batch) {
  Matrix<const E> a = full<E>(nullptr, n, n, lda, op);
  a.shape = Triangular;
  a.upper = upper;
  a.unit = !upper; // L has ones on its diagonal
  Solve<E> p{a};
  p.step = 1, p.next = ldb, p.n = n, p.sides = sides;
  p.alpha = valueOf(E(1));
  p.as = as, p.bs = bs, p.batch = batch;
  return launch<E>(h, "level2", "solve", dim3(host::blocks(sides, 1, 1 << 16), host::blocks(batch, 1, 65535)), 32, p);
}

template <class E>
cublasStatus_t substitute(cublasHandle_t h, cublasOperation_t op, int n, int sides, const E *const *as, int lda, const int *pivots, E *const *bs,
                          int ldb, int batch) {
  const bool plain = !transposes(op);
  if (plain && pivots) TRY(exchange(h, "laswp", n, sides, bs, ldb, pivots, false, batch));
  TRY(triangle(h, !plain, op, n, sides, as, lda, bs, ldb, batch));
  TRY(triangle(h, plain, op, n, sides, as, lda, bs, ldb, batch));
  if (!plain && pivots) TRY(exchange(h, "laswp", n, sides, bs, ldb, pivots, true, batch));
  return CUBLAS_STATUS_SUCCESS;
}

template <class E>
cublasStatus_t getrs(cublasHandle_t h, cublasOperation_t op, int n, int sides, const E *const *as, int lda, const int *pivots, E *const *bs,
                     int ldb, int *info, int batch) {
  REQUIRE(info, "info is null");
  *info = -(!isOp(op) ? 1 : n < 0 ? 2 : sides < 0 ? 3 : !as ? 4 : lda < larger(1, n) ? 5 : !bs ? 7 : ldb < larger(1, n) ? 8 : batch < 0 ? 10 : 0);
  REQUIRE(*info == 0, "an argument is not valid: info has its number");
  if (n == 0 || sides == 0 || batch == 0) return CUBLAS_STATUS_SUCCESS;
  return substitute(h, op, n, sides, as, lda, pivots, bs, ldb, batch);
}

template <class E>
cublasStatus_t getri(cublasHandle_t h, int n, const E *const *as, int lda, const int *pivots, E *const *cs, int ldc, int *info, int batch) {
  REQUIRE_BATCH;
  REQUIRE(as && cs && info, "an array is null");
  REQUIRE(ldc >= larger(1, n), "ldc is less than n");
  TRY(exchange(h, "eye", n, n, cs, ldc, nullptr, false, batch));
  TRY(substitute(h, CUBLAS_OP_N, n, n, as, lda, pivots, cs, ldc, batch));
  return statusOf(host::services->fill(info, 0, sizeof(int) * batch, h->stream));
}

} // namespace

extern "C" {

#define LU(L, V)                                                                                                                    \
  cublasStatus_t cublas##L##getrfBatched(cublasHandle_t h, int n, V *const as[], int lda, int *pivots, int *info, int batch) {      \
    CALL("cublas" #L "getrfBatched", h);                                                                                            \
    return getrf(h, n, reinterpret_cast<Ours<V> *const *>(as), lda, pivots, info, batch);                                     \
  }                                                                                                                                 \
  cublasStatus_t cublas##L##getrsBatched(cublasHandle_t h, cublasOperation_t op, int n, int sides, const V *const as[], int lda,    \
                                         const int *pivots, V *const bs[], int ldb, int *info, int batch) {                         \
    CALL("cublas" #L "getrsBatched", h);                                                                                            \
    using E = Ours<V>;                                                                                                        \
    return getrs(h, op, n, sides, reinterpret_cast<const E *const *>(as), lda, pivots, reinterpret_cast<E *const *>(bs), ldb, info, \
                 batch);                                                                                                            \
  }                                                                                                                                 \
  cublasStatus_t cublas##L##getriBatched(cublasHandle_t h, int n, const V *const as[], int lda, const int *pivots, V *const cs[],   \
                                         int ldc, int *info, int batch) {                                                           \
    CALL("cublas" #L "getriBatched", h);                                                                                            \
    using E = Ours<V>;                                                                                                        \
    return getri(h, n, reinterpret_cast<const E *const *>(as), lda, pivots, reinterpret_cast<E *const *>(cs), ldc, info, batch);    \
  }
LU(S, float)
LU(D, double)
LU(C, cuComplex)
LU(Z, cuDoubleComplex)

} // extern "C"
