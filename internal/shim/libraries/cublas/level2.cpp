// Level 2: a matrix and vectors ("cuBLAS", "cuBLAS Level-2 Function Reference"), and the
// functions beside BLAS that have a matrix and no product.
#include "context.h"

using namespace blas;

namespace {

constexpr int kBlock = 128;

// A matrix as it is stored, before op.
struct Layout {
  int storage, shape;
  cublasFillMode_t uplo;
  int rows, cols, kl, ku;
  bool unit = false;
};

// A banded matrix of k diagonals beside the main one, of which a triangle is stored.
Layout bandOf(int shape, cublasFillMode_t uplo, int n, int k, bool unit = false) {
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  return {Band, shape, uplo, n, n, upper ? 0 : k, upper ? k : 0, unit};
}

template <class E> Matrix<E> matrixOf(E *a, int lda, const Layout &l, int op) {
  return {a, lda, l.storage, l.shape, op, l.uplo == CUBLAS_FILL_MODE_UPPER, l.unit, l.rows, l.cols, l.kl, l.ku};
}

// Whether lda suffices; packed matrices have none.
bool fits(const Layout &l, int lda) {
  return l.storage == Packed || lda >= (l.storage == Band ? l.kl + l.ku + 1 : larger(1, l.rows));
}

// y = alpha * op(A) * x + beta * y
template <class E>
cublasStatus_t multiply(cublasHandle_t h, const Layout &l, cublasOperation_t op, const E *alpha, const E *a, int lda, const E *x,
                        int incx, const E *beta, E *y, int incy) {
  REQUIRE(isOp(op), "trans is not a cublasOperation_t");
  REQUIRE(l.shape == General || isTriangle(l.uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");
  REQUIRE(l.rows >= 0 && l.cols >= 0 && l.kl >= 0 && l.ku >= 0, "a size is negative");
  REQUIRE(fits(l, lda), "lda is less than the rows of the stored matrix");
  REQUIRE(incx != 0 && incy != 0, "an increment is 0");
  REQUIRE(alpha && beta, "alpha or beta is null");
  if (l.rows == 0 || l.cols == 0) return CUBLAS_STATUS_SUCCESS;
  MatrixVector<E> p{matrixOf(a, lda, l, op)};
  p.m = transposes(op) ? l.cols : l.rows;
  p.n = transposes(op) ? l.rows : l.cols;
  p.x = vectorOf(x, p.n, incx);
  p.y = vectorOf(y, p.m, incy);
  p.alpha = scalarOf(h, alpha);
  p.beta = scalarOf(h, beta);
  p.lanes = transposes(op) ? 32 : 1; // a column is then contiguous
  p.batch = 1;
  return launch<E>(h, "level2", "mv", host::blocks(static_cast<int64_t>(p.m) * p.lanes, kBlock), kBlock, p);
}

// gemv for several matrices.
template <class E>
cublasStatus_t multiplyMany(cublasHandle_t h, cublasOperation_t op, int m, int n, const E *alpha, const E *a, const E *const *as, int lda,
                            long long strideA, const E *x, const E *const *xs, int incx, long long strideX, const E *beta, E *y,
                            E *const *ys, int incy, long long strideY, int batch) {
  REQUIRE(isOp(op), "trans is not a cublasOperation_t");
  REQUIRE(m >= 0 && n >= 0 && batch >= 0, "a size is negative");
  REQUIRE(lda >= larger(1, m), "lda is less than m");
  REQUIRE(incx != 0 && incy != 0, "an increment is 0");
  REQUIRE(alpha && beta, "alpha or beta is null");
  if (m == 0 || n == 0 || batch == 0) return CUBLAS_STATUS_SUCCESS;
  MatrixVector<E> p{full(a, m, n, lda, op)};
  p.m = transposes(op) ? n : m;
  p.n = transposes(op) ? m : n;
  p.x = vectorOf(x, p.n, incx);
  p.y = vectorOf(y, p.m, incy);
  p.alpha = scalarOf(h, alpha);
  p.beta = scalarOf(h, beta);
  p.lanes = transposes(op) ? 32 : 1;
  p.as = as, p.xs = xs, p.ys = ys;
  p.strideA = strideA, p.strideX = strideX, p.strideY = strideY;
  p.offsetX = incx < 0 ? (1LL - p.n) * incx : 0, p.offsetY = incy < 0 ? (1LL - p.m) * incy : 0;
  p.batch = batch;
  const dim3 grid(host::blocks(static_cast<int64_t>(p.m) * p.lanes, kBlock), host::blocks(batch, 1, 65535));
  return launch<E>(h, "level2", "mv", grid, kBlock, p);
}

// The copy of a vector, with an increment of 1.
template <class E> cublasStatus_t copied(cublasHandle_t h, int n, const E *x, int incx, E **out) {
  cudaError_t e = h->scratch.need(sizeof(E) * n);
  if (e != cudaSuccess) return statusOf(e);
  *out = h->scratch.as<E>();
  Elements<E> p{n};
  p.x = vectorOf(const_cast<E *>(x), n, incx);
  p.y = vectorOf(*out, n, 1);
  return launch<E>(h, "level1", "copy", host::blocks(n, 256, 4096), 256, p);
}

#define REQUIRE_TRIANGULAR                                                                                                   \
  REQUIRE(isTriangle(l.uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");                          \
  REQUIRE(isOp(op), "trans is not a cublasOperation_t");                                                                        \
  REQUIRE(l.rows >= 0 && l.kl >= 0 && l.ku >= 0, "a size is negative");                                                      \
  REQUIRE(fits(l, lda), "lda is less than the rows of the stored matrix");                                                   \
  REQUIRE(incx != 0, "incx is 0");                                                                                           \
  if (l.rows == 0) return CUBLAS_STATUS_SUCCESS

// x = op(A) * x
template <class E>
cublasStatus_t multiplyInPlace(cublasHandle_t h, const Layout &l, cublasOperation_t op, const E *a, int lda, E *x, int incx) {
  REQUIRE_TRIANGULAR;
  E *before;
  cublasStatus_t status = copied(h, l.rows, x, incx, &before);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  MatrixVector<E> p{matrixOf(a, lda, l, op)};
  p.m = p.n = l.rows;
  p.x = vectorOf(static_cast<const E *>(before), l.rows, 1);
  p.y = vectorOf(x, l.rows, incx);
  p.alpha = valueOf(E(1));
  p.beta = valueOf(E(0));
  p.lanes = transposes(op) ? 32 : 1;
  p.batch = 1;
  return launch<E>(h, "level2", "mv", host::blocks(static_cast<int64_t>(p.m) * p.lanes, kBlock), kBlock, p);
}

// Solves op(A) * x = b.
template <class E>
cublasStatus_t solve(cublasHandle_t h, const Layout &l, cublasOperation_t op, const E *a, int lda, E *x, int incx) {
  REQUIRE_TRIANGULAR;
  Solve<E> p{matrixOf(a, lda, l, op)};
  Vector<E> v = vectorOf(x, l.rows, incx);
  p.b = v.data;
  p.step = v.step;
  p.n = l.rows;
  p.sides = p.batch = 1;
  p.alpha = valueOf(E(1));
  return launch<E>(h, "level2", "solve", 1, 256, p);
}

// A += alpha * x * y^op, and its transpose for rank 2.
template <class E>
cublasStatus_t update(cublasHandle_t h, const Layout &l, int op, bool two, Scalar<E> alpha, const E *x, int incx, const E *y, int incy,
                      E *a, int lda) {
  REQUIRE(l.shape == General || isTriangle(l.uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");
  REQUIRE(l.rows >= 0 && l.cols >= 0, "a size is negative");
  REQUIRE(incx != 0 && incy != 0, "an increment is 0");
  REQUIRE(fits(l, lda), "lda is less than the rows of A");
  if (l.rows == 0 || l.cols == 0) return CUBLAS_STATUS_SUCCESS;
  RankUpdate<E> p{matrixOf(a, lda, l, N), vectorOf(x, l.rows, incx), vectorOf(y, l.cols, incy), alpha, op, two};
  return launch<E>(h, "level2", "rank", host::blocks(static_cast<int64_t>(l.rows) * l.cols, kBlock, 1 << 16), kBlock, p);
}

// alpha of her and hpr, which is real.
template <class E> bool realScalar(cublasHandle_t h, const Real<E> *alpha, Scalar<E> *out) {
  if (h->pointers != CUBLAS_POINTER_MODE_HOST) return false;
  *out = valueOf(E(*alpha));
  return true;
}

template <class E>
cublasStatus_t geam(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, const E *alpha, const E *a, int lda,
                    const E *beta, const E *b, int ldb, E *c, int ldc) {
  REQUIRE(isOp(opA) && isOp(opB), "trans is not a cublasOperation_t");
  REQUIRE(m >= 0 && n >= 0, "a size is negative");
  REQUIRE(alpha && beta, "alpha or beta is null");
  REQUIRE(lda >= larger(1, transposes(opA) ? n : m), "lda is less than the rows of A");
  REQUIRE(ldb >= larger(1, transposes(opB) ? n : m), "ldb is less than the rows of B");
  REQUIRE(ldc >= larger(1, m), "ldc is less than m");
  REQUIRE((c != a || (opA == CUBLAS_OP_N && lda == ldc)) && (c != b || (opB == CUBLAS_OP_N && ldb == ldc)),
          "C is A or B, but transposed or with another leading dimension");
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  Add<E> p{m, n, a, b, c, lda, ldb, ldc, opA, opB, scalarOf(h, alpha), scalarOf(h, beta)};
  return launch<E>(h, "level2", "geam", host::blocks(static_cast<int64_t>(m) * n, kBlock, 1 << 16), kBlock, p);
}

template <class E>
cublasStatus_t dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const E *a, int lda, const E *x, int incx, E *c, int ldc) {
  REQUIRE(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT, "mode is not a cublasSideMode_t");
  REQUIRE(m >= 0 && n >= 0, "a size is negative");
  REQUIRE(lda >= larger(1, m) && ldc >= larger(1, m), "lda or ldc is less than m");
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool right = side == CUBLAS_SIDE_RIGHT;
  Scale<E> p{m, n, a, c, vectorOf(x, right ? n : m, incx), lda, ldc, right};
  return launch<E>(h, "level2", "dgmm", host::blocks(static_cast<int64_t>(m) * n, kBlock, 1 << 16), kBlock, p);
}

template <class E> cublasStatus_t convert(cublasHandle_t h, const char *kernel, cublasFillMode_t uplo, int n, E *packed, E *full, int lda) {
  REQUIRE(isTriangle(uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");
  REQUIRE(n >= 0, "n is negative");
  REQUIRE(lda >= larger(1, n), "lda is less than n");
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  Pack<E> p{n, uplo == CUBLAS_FILL_MODE_UPPER, packed, full, lda};
  return launch<E>(h, "level2", kernel, host::blocks(static_cast<int64_t>(n) * n, kBlock, 1 << 16), kBlock, p);
}

} // namespace

extern "C" {

#define H cublasHandle_t h
#define UPLO cublasFillMode_t uplo
#define TRIANGLE H, UPLO, cublasOperation_t op, cublasDiagType_t diag
#define UNIT (diag == CUBLAS_DIAG_UNIT)

#define GENERAL(L, V)                                                                                                        \
  cublasStatus_t cublas##L##gemv_v2(H, cublasOperation_t op, int m, int n, const V *alpha, const V *a, int lda, const V *x,  \
                                    int incx, const V *beta, V *y, int incy) {                                               \
    CALL("cublas" #L "gemv", h);                                                                                             \
    return multiply(h, {Full, General, {}, m, n}, op, ours(alpha), ours(a), lda, ours(x), incx, ours(beta), ours(y), incy);  \
  }                                                                                                                          \
  cublasStatus_t cublas##L##gbmv_v2(H, cublasOperation_t op, int m, int n, int kl, int ku, const V *alpha, const V *a,       \
                                    int lda, const V *x, int incx, const V *beta, V *y, int incy) {                          \
    CALL("cublas" #L "gbmv", h);                                                                                             \
    return multiply(h, {Band, General, {}, m, n, kl, ku}, op, ours(alpha), ours(a), lda, ours(x), incx, ours(beta),          \
                    ours(y), incy);                                                                                          \
  }                                                                                                                          \
  cublasStatus_t cublas##L##gemvBatched(H, cublasOperation_t op, int m, int n, const V *alpha, const V *const as[], int lda, \
                                        const V *const xs[], int incx, const V *beta, V *const ys[], int incy, int batch) {  \
    CALL("cublas" #L "gemvBatched", h);                                                                                      \
    using E = Ours<V>;                                                                                                 \
    return multiplyMany<E>(h, op, m, n, ours(alpha), nullptr, reinterpret_cast<const E *const *>(as), lda, 0, nullptr,       \
                           reinterpret_cast<const E *const *>(xs), incx, 0, ours(beta), nullptr,                             \
                           reinterpret_cast<E *const *>(ys), incy, 0, batch);                                                \
  }                                                                                                                          \
  cublasStatus_t cublas##L##gemvStridedBatched(H, cublasOperation_t op, int m, int n, const V *alpha, const V *a, int lda,   \
                                               long long strideA, const V *x, int incx, long long strideX, const V *beta,    \
                                               V *y, int incy, long long strideY, int batch) {                               \
    CALL("cublas" #L "gemvStridedBatched", h);                                                                               \
    return multiplyMany<Ours<V>>(h, op, m, n, ours(alpha), ours(a), nullptr, lda, strideA, ours(x), nullptr, incx, strideX,           \
                        ours(beta), ours(y), nullptr, incy, strideY, batch);                                                 \
  }                                                                                                                          \
  cublasStatus_t cublas##L##trmv_v2(TRIANGLE, int n, const V *a, int lda, V *x, int incx) {                                  \
    CALL("cublas" #L "trmv", h);                                                                                             \
    return multiplyInPlace(h, {Full, Triangular, uplo, n, n, 0, 0, UNIT}, op, ours(a), lda, ours(x), incx);                  \
  }                                                                                                                          \
  cublasStatus_t cublas##L##tpmv_v2(TRIANGLE, int n, const V *a, V *x, int incx) {                                           \
    CALL("cublas" #L "tpmv", h);                                                                                             \
    return multiplyInPlace(h, {Packed, Triangular, uplo, n, n, 0, 0, UNIT}, op, ours(a), 0, ours(x), incx);                  \
  }                                                                                                                          \
  cublasStatus_t cublas##L##tbmv_v2(TRIANGLE, int n, int k, const V *a, int lda, V *x, int incx) {                           \
    CALL("cublas" #L "tbmv", h);                                                                                             \
    return multiplyInPlace(h, bandOf(Triangular, uplo, n, k, UNIT), op, ours(a), lda, ours(x), incx);                        \
  }                                                                                                                          \
  cublasStatus_t cublas##L##trsv_v2(TRIANGLE, int n, const V *a, int lda, V *x, int incx) {                                  \
    CALL("cublas" #L "trsv", h);                                                                                             \
    return solve(h, {Full, Triangular, uplo, n, n, 0, 0, UNIT}, op, ours(a), lda, ours(x), incx);                            \
  }                                                                                                                          \
  cublasStatus_t cublas##L##tpsv_v2(TRIANGLE, int n, const V *a, V *x, int incx) {                                           \
    CALL("cublas" #L "tpsv", h);                                                                                             \
    return solve(h, {Packed, Triangular, uplo, n, n, 0, 0, UNIT}, op, ours(a), 0, ours(x), incx);                            \
  }                                                                                                                          \
  cublasStatus_t cublas##L##tbsv_v2(TRIANGLE, int n, int k, const V *a, int lda, V *x, int incx) {                           \
    CALL("cublas" #L "tbsv", h);                                                                                             \
    return solve(h, bandOf(Triangular, uplo, n, k, UNIT), op, ours(a), lda, ours(x), incx);                                  \
  }                                                                                                                          \
  cublasStatus_t cublas##L##tpttr(H, cublasFillMode_t uplo, int n, const V *packed, V *a, int lda) {                         \
    CALL("cublas" #L "tpttr", h);                                                                                            \
    return convert(h, "tpttr", uplo, n, const_cast<Ours<V> *>(ours(packed)), ours(a), lda);                                  \
  }                                                                                                                          \
  cublasStatus_t cublas##L##trttp(H, cublasFillMode_t uplo, int n, const V *a, int lda, V *packed) {                         \
    CALL("cublas" #L "trttp", h);                                                                                            \
    return convert(h, "trttp", uplo, n, ours(packed), const_cast<Ours<V> *>(ours(a)), lda);                                  \
  }                                                                                                                          \
  cublasStatus_t cublas##L##geam(H, cublasOperation_t opA, cublasOperation_t opB, int m, int n, const V *alpha, const V *a,  \
                                 int lda, const V *beta, const V *b, int ldb, V *c, int ldc) {                               \
    CALL("cublas" #L "geam", h);                                                                                             \
    return geam(h, opA, opB, m, n, ours(alpha), ours(a), lda, ours(beta), ours(b), ldb, ours(c), ldc);                       \
  }                                                                                                                          \
  cublasStatus_t cublas##L##dgmm(H, cublasSideMode_t side, int m, int n, const V *a, int lda, const V *x, int incx, V *c,    \
                                 int ldc) {                                                                                  \
    CALL("cublas" #L "dgmm", h);                                                                                             \
    return dgmm(h, side, m, n, ours(a), lda, ours(x), incx, ours(c), ldc);                                                   \
  }
GENERAL(S, float)
GENERAL(D, double)
GENERAL(C, cuComplex)
GENERAL(Z, cuDoubleComplex)

// A symmetric or Hermitian matrix, full, packed or banded.
#define SYMMETRIC(name, layout, V, ...)                                                                               \
  cublasStatus_t cublas##name##_v2(H, UPLO, int n, __VA_ARGS__ const V *x, int incx, const V *beta, V *y, int incy) { \
    CALL("cublas" #name, h);                                                                                          \
    return multiply<Ours<V>>(h, layout, CUBLAS_OP_N, ours(alpha), ours(a), lda, ours(x), incx, ours(beta), ours(y), incy); \
  }
#define ALL_SYMMETRIC(L, V) SYMMETRIC(L##symv, (Layout{Full, Symmetric, uplo, n, n}), V, const V *alpha, const V *a, int lda, )
#define ALL_HERMITIAN(L, V)                                                                                                    \
  SYMMETRIC(L##hemv, (Layout{Full, Hermitian, uplo, n, n}), V, const V *alpha, const V *a, int lda, )                          \
  SYMMETRIC(L##hbmv, bandOf(Hermitian, uplo, n, k), V, int k, const V *alpha, const V *a, int lda, )
#define PACKED(name, shape, V)                                                                                                \
  cublasStatus_t cublas##name##_v2(H, UPLO, int n, const V *alpha, const V *a, const V *x, int incx, const V *beta, V *y,     \
                                   int incy) {                                                                                \
    CALL("cublas" #name, h);                                                                                                  \
    return multiply(h, {Packed, shape, uplo, n, n}, CUBLAS_OP_N, ours(alpha), ours(a), 0, ours(x), incx, ours(beta), ours(y), \
                    incy);                                                                                                    \
  }
ALL_SYMMETRIC(S, float)
ALL_SYMMETRIC(D, double)
ALL_SYMMETRIC(C, cuComplex)
ALL_SYMMETRIC(Z, cuDoubleComplex)
SYMMETRIC(Ssbmv, bandOf(Symmetric, uplo, n, k), float, int k, const float *alpha, const float *a, int lda, )
SYMMETRIC(Dsbmv, bandOf(Symmetric, uplo, n, k), double, int k, const double *alpha, const double *a, int lda, )
ALL_HERMITIAN(C, cuComplex)
ALL_HERMITIAN(Z, cuDoubleComplex)
PACKED(Sspmv, Symmetric, float)
PACKED(Dspmv, Symmetric, double)
PACKED(Chpmv, Hermitian, cuComplex)
PACKED(Zhpmv, Hermitian, cuDoubleComplex)

#define GER(name, V, op)                                                                                                    \
  cublasStatus_t cublas##name##_v2(H, int m, int n, const V *alpha, const V *x, int incx, const V *y, int incy, V *a,       \
                                   int lda) {                                                                               \
    CALL("cublas" #name, h);                                                                                                \
    REQUIRE(alpha, "alpha is null");                                                                                        \
    return update(h, {Full, General, {}, m, n}, op, false, scalarOf(h, ours(alpha)), ours(x), incx, ours(y), incy, ours(a), \
                  lda);                                                                                                     \
  }
GER(Sger, float, T)
GER(Dger, double, T)
GER(Cgeru, cuComplex, T)
GER(Zgeru, cuDoubleComplex, T)
GER(Cgerc, cuComplex, C)
GER(Zgerc, cuDoubleComplex, C)

#define SYR(name, V, storage, ...)                                                                                          \
  cublasStatus_t cublas##name##_v2(H, UPLO, int n, const V *alpha, const V *x, int incx, __VA_ARGS__) { \
    CALL("cublas" #name, h);                                                                                                \
    REQUIRE(alpha, "alpha is null");                                                                                        \
    return update(h, {storage, Symmetric, uplo, n, n}, T, false, scalarOf(h, ours(alpha)), ours(x), incx, ours(x), incx, \
                  ours(a), LDA);                                                                                            \
  }
#define HER(name, V, R, storage, ...)                                                                                          \
  cublasStatus_t cublas##name##_v2(H, UPLO, int n, const R *alpha, const V *x, int incx, __VA_ARGS__) {                        \
    CALL("cublas" #name, h);                                                                                                   \
    REQUIRE(alpha, "alpha is null");                                                                                           \
    Scalar<Ours<V>> scalar;                                                                                              \
    if (!realScalar(h, alpha, &scalar)) return notSupported("cublas" #name " with alpha on the device");                       \
    return update(h, {storage, Hermitian, uplo, n, n}, C, false, scalar, ours(x), incx, ours(x), incx, ours(a), LDA);          \
  }
#define TWO(name, V, shape, op, storage, ...)                                                                               \
  cublasStatus_t cublas##name##_v2(H, UPLO, int n, const V *alpha, const V *x, int incx, const V *y, int incy, __VA_ARGS__) { \
    CALL("cublas" #name, h);                                                                                                \
    REQUIRE(alpha, "alpha is null");                                                                                        \
    return update(h, {storage, shape, uplo, n, n}, op, true, scalarOf(h, ours(alpha)), ours(x), incx, ours(y), incy, ours(a), LDA); \
  }
#define LDA lda
SYR(Ssyr, float, Full, float *a, int lda)
SYR(Dsyr, double, Full, double *a, int lda)
SYR(Csyr, cuComplex, Full, cuComplex *a, int lda)
SYR(Zsyr, cuDoubleComplex, Full, cuDoubleComplex *a, int lda)
HER(Cher, cuComplex, float, Full, cuComplex *a, int lda)
HER(Zher, cuDoubleComplex, double, Full, cuDoubleComplex *a, int lda)
TWO(Ssyr2, float, Symmetric, T, Full, float *a, int lda)
TWO(Dsyr2, double, Symmetric, T, Full, double *a, int lda)
TWO(Csyr2, cuComplex, Symmetric, T, Full, cuComplex *a, int lda)
TWO(Zsyr2, cuDoubleComplex, Symmetric, T, Full, cuDoubleComplex *a, int lda)
TWO(Cher2, cuComplex, Hermitian, C, Full, cuComplex *a, int lda)
TWO(Zher2, cuDoubleComplex, Hermitian, C, Full, cuDoubleComplex *a, int lda)
#undef LDA
#define LDA 0
SYR(Sspr, float, Packed, float *a)
SYR(Dspr, double, Packed, double *a)
HER(Chpr, cuComplex, float, Packed, cuComplex *a)
HER(Zhpr, cuDoubleComplex, double, Packed, cuDoubleComplex *a)
TWO(Sspr2, float, Symmetric, T, Packed, float *a)
TWO(Dspr2, double, Symmetric, T, Packed, double *a)
TWO(Chpr2, cuComplex, Hermitian, C, Packed, cuComplex *a)
TWO(Zhpr2, cuDoubleComplex, Hermitian, C, Packed, cuDoubleComplex *a)

} // extern "C"
