// Level 3: matrices ("cuBLAS", "cuBLAS Level-3 Function Reference").
#include "level3.h"

using namespace blas;

namespace {

// A product in which a matrix is symmetric, Hermitian or triangular, or of which a triangle is
// written. C may not be a factor.
template <class E> cublasStatus_t product(cublasHandle_t h, Gemm<E, E, E> p) {
  if (p.m == 0 || p.n == 0) return CUBLAS_STATUS_SUCCESS;
  p.d = const_cast<E *>(p.c);
  p.ldd = p.ldc;
  p.batch = 1;
  return launch<E>(h, (letter<E> + std::string("gemm")).c_str(), "product", dim3(host::blocks(p.m, 32), host::blocks(p.n, 32)), dim3(16, 16), p);
}

// C = alpha * op(A) * op(B)^op + beta * C, of which a triangle is stored: syrk, herk, syrkx,
// herkx; and for two the product with A and B exchanged: syr2k, her2k.
template <class E>
cublasStatus_t rankK(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t op, int n, int k, Scalar<E> alpha, const E *a, int lda,
                     const E *b, int ldb, Scalar<E> beta, E *c, int ldc, bool hermitian, bool two) {
  REQUIRE(isTriangle(uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");
  REQUIRE(isOp(op), "trans is not a cublasOperation_t");
  constexpr bool complex = !std::is_same_v<E, Real<E>>;
  if (!complex && op == CUBLAS_OP_C) op = CUBLAS_OP_T;
  REQUIRE(op == CUBLAS_OP_N || op == (hermitian ? CUBLAS_OP_C : CUBLAS_OP_T), "trans is not one that the routine has");
  REQUIRE(n >= 0 && k >= 0, "a size is negative");
  const int rows = op == CUBLAS_OP_N ? n : k, cols = op == CUBLAS_OP_N ? k : n;
  REQUIRE(lda >= larger(1, rows) && ldb >= larger(1, rows), "lda or ldb is less than the rows of the matrix");
  REQUIRE(ldc >= larger(1, n), "ldc is less than n");
  const int other = hermitian ? C : T;
  Gemm<E, E, E> p{n, n, k, full(a, rows, cols, lda, op), full(b, rows, cols, ldb, op == CUBLAS_OP_N ? other : N)};
  p.c = c;
  p.ldc = ldc;
  p.alpha = alpha;
  p.beta = beta;
  p.part = uplo == CUBLAS_FILL_MODE_UPPER ? 1 : 2;
  p.hermitian = hermitian;
  p.again = two;
  return product(h, p);
}

// C = alpha * A * B + beta * C or alpha * B * A + beta * C with symmetric or Hermitian A.
template <class E>
cublasStatus_t symmetric(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n, const E *alpha, const E *a,
                         int lda, const E *b, int ldb, const E *beta, E *c, int ldc, int shape) {
  REQUIRE(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT, "side is not a cublasSideMode_t");
  REQUIRE(isTriangle(uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");
  REQUIRE(m >= 0 && n >= 0, "a size is negative");
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  REQUIRE(lda >= larger(1, order), "lda is less than the order of A");
  REQUIRE(ldb >= larger(1, m) && ldc >= larger(1, m), "ldb or ldc is less than m");
  REQUIRE(alpha && beta, "alpha or beta is null");
  Matrix<const E> s = full(a, order, order, lda), g = full(b, m, n, ldb);
  s.shape = shape;
  s.upper = uplo == CUBLAS_FILL_MODE_UPPER;
  Gemm<E, E, E> p{m, n, order};
  p.a = side == CUBLAS_SIDE_LEFT ? s : g;
  p.b = side == CUBLAS_SIDE_LEFT ? g : s;
  p.c = c;
  p.ldc = ldc;
  p.alpha = scalarOf(h, alpha);
  p.beta = scalarOf(h, beta);
  return product(h, p);
}

#define REQUIRE_TRIANGULAR                                                                                          \
  REQUIRE(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT, "side is not a cublasSideMode_t");                    \
  REQUIRE(isTriangle(uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");                   \
  REQUIRE(isOp(op), "trans is not a cublasOperation_t");                                                               \
  REQUIRE(m >= 0 && n >= 0, "a size is negative");                                                                  \
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;                                                               \
  REQUIRE(lda >= larger(1, order), "lda is less than the order of A");                                              \
  REQUIRE(ldb >= larger(1, m), "ldb is less than m");                                                               \
  REQUIRE(alpha, "alpha is null")

template <class E> Matrix<const E> triangle(const E *a, int order, int lda, cublasFillMode_t uplo, cublasDiagType_t diag, int op) {
  Matrix<const E> t = full(a, order, order, lda, op);
  t.shape = Triangular;
  t.upper = uplo == CUBLAS_FILL_MODE_UPPER;
  t.unit = diag == CUBLAS_DIAG_UNIT;
  return t;
}

// C = alpha * op(A) * B or alpha * B * op(A) with triangular A; C may be B.
template <class E>
cublasStatus_t triangular(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag,
                          int m, int n, const E *alpha, const E *a, int lda, const E *b, int ldb, E *c, int ldc) {
  REQUIRE_TRIANGULAR;
  REQUIRE(ldc >= larger(1, m), "ldc is less than m");
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  if (c == b) {
    cudaError_t e = h->scratch.need(sizeof(E) * m * n);
    if (e == cudaSuccess) e = host::services->copy2D(h->scratch.as<E>(), sizeof(E) * m, b, sizeof(E) * ldb, sizeof(E) * m, n, h->stream);
    if (e != cudaSuccess) return statusOf(e);
    b = h->scratch.as<E>();
    ldb = m;
  }
  Matrix<const E> t = triangle(a, order, lda, uplo, diag, op), g = full(b, m, n, ldb);
  Gemm<E, E, E> p{m, n, order};
  p.a = side == CUBLAS_SIDE_LEFT ? t : g;
  p.b = side == CUBLAS_SIDE_LEFT ? g : t;
  p.c = c;
  p.ldc = ldc;
  p.alpha = scalarOf(h, alpha);
  p.beta = valueOf(E(0));
  return product(h, p);
}

// Solves op(A) * X = alpha * B or X * op(A) = alpha * B in place: the latter by rows, with the
// transposed matrix.
template <class E>
cublasStatus_t solve(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op, cublasDiagType_t diag, int m,
                     int n, const E *alpha, const E *a, const E *const *as, int lda, E *b, E *const *bs, int ldb, int batch) {
  REQUIRE_TRIANGULAR;
  REQUIRE(batch >= 0, "the number of matrices is negative");
  if (m == 0 || n == 0 || batch == 0) return CUBLAS_STATUS_SUCCESS;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int turned[] = {T, N, Conj, C}; // of N, T, C, Conj
  Solve<E> p{triangle(a, order, lda, uplo, diag, left ? op : turned[op])};
  p.b = b;
  p.step = left ? 1 : ldb;
  p.next = left ? ldb : 1;
  p.n = order;
  p.sides = left ? n : m;
  p.alpha = scalarOf(h, alpha);
  p.as = as;
  p.bs = bs;
  p.batch = batch;
  return launch<E>(h, "level2", "solve", dim3(host::blocks(p.sides, 1, 1 << 16), host::blocks(batch, 1, 65535)),
                   order > 64 ? 128 : 32, p);
}

// A real scalar of a Hermitian update.
template <class E> bool realScalar(cublasHandle_t h, const Real<E> *p, Scalar<E> *out) {
  if (h->pointers != CUBLAS_POINTER_MODE_HOST) return false;
  *out = valueOf(E(*p));
  return true;
}

} // namespace

extern "C" {

#define H cublasHandle_t h
#define OPS cublasOperation_t opA, cublasOperation_t opB
#define SIDE H, cublasSideMode_t side, cublasFillMode_t uplo
#define TRIANGLE SIDE, cublasOperation_t op, cublasDiagType_t diag
#define UPDATE H, cublasFillMode_t uplo, cublasOperation_t op, int n, int k

#define LEVEL3(L, V)                                                                                                           \
  cublasStatus_t cublas##L##gemmBatched(H, OPS, int m, int n, int k, const V *alpha, const V *const as[], int lda,             \
                                        const V *const bs[], int ldb, const V *beta, V *const cs[], int ldc, int batch) {      \
    CALL("cublas" #L "gemmBatched", h);                                                                                        \
    using E = Ours<V>;                                                                                                   \
    Gemm<E, E, E> p{m, n, k};                                                                                                  \
    p.as = reinterpret_cast<const E *const *>(as), p.bs = reinterpret_cast<const E *const *>(bs);                              \
    p.cs = reinterpret_cast<E *const *>(cs);                                                                                   \
    p.batch = batch;                                                                                                           \
    return general(h, opA, opB, p, ours(alpha), lda, ldb, ours(beta), ldc);                                                    \
  }                                                                                                                            \
  cublasStatus_t cublas##L##gemmStridedBatched(H, OPS, int m, int n, int k, const V *alpha, const V *a, int lda,               \
                                               long long strideA, const V *b, int ldb, long long strideB, const V *beta, V *c, \
                                               int ldc, long long strideC, int batch) {                                        \
    CALL("cublas" #L "gemmStridedBatched", h);                                                                                 \
    using E = Ours<V>;                                                                                                   \
    Gemm<E, E, E> p{m, n, k};                                                                                                  \
    p.a.data = ours(a), p.b.data = ours(b), p.c = p.d = ours(c);                                                               \
    p.strideA = strideA, p.strideB = strideB, p.strideC = p.strideD = strideC;                                                 \
    p.batch = batch;                                                                                                           \
    return general(h, opA, opB, p, ours(alpha), lda, ldb, ours(beta), ldc);                                                    \
  }                                                                                                                            \
  cublasStatus_t cublas##L##gemm_v2(H, OPS, int m, int n, int k, const V *alpha, const V *a, int lda, const V *b, int ldb,     \
                                    const V *beta, V *c, int ldc) {                                                            \
    CALL("cublas" #L "gemm", h);                                                                                               \
    return cublas##L##gemmStridedBatched(h, opA, opB, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1);               \
  }                                                                                                                            \
  cublasStatus_t cublas##L##symm_v2(SIDE, int m, int n, const V *alpha, const V *a, int lda, const V *b, int ldb,              \
                                    const V *beta, V *c, int ldc) {                                                            \
    CALL("cublas" #L "symm", h);                                                                                               \
    return symmetric(h, side, uplo, m, n, ours(alpha), ours(a), lda, ours(b), ldb, ours(beta), ours(c), ldc, Symmetric);       \
  }                                                                                                                            \
  cublasStatus_t cublas##L##trmm_v2(TRIANGLE, int m, int n, const V *alpha, const V *a, int lda, const V *b, int ldb, V *c,    \
                                    int ldc) {                                                                                 \
    CALL("cublas" #L "trmm", h);                                                                                               \
    return triangular(h, side, uplo, op, diag, m, n, ours(alpha), ours(a), lda, ours(b), ldb, ours(c), ldc);                   \
  }                                                                                                                            \
  cublasStatus_t cublas##L##trsm_v2(TRIANGLE, int m, int n, const V *alpha, const V *a, int lda, V *b, int ldb) {              \
    CALL("cublas" #L "trsm", h);                                                                                               \
    return solve<Ours<V>>(h, side, uplo, op, diag, m, n, ours(alpha), ours(a), nullptr, lda, ours(b), nullptr, ldb, 1);  \
  }                                                                                                                            \
  cublasStatus_t cublas##L##trsmBatched(TRIANGLE, int m, int n, const V *alpha, const V *const as[], int lda, V *const bs[],   \
                                        int ldb, int batch) {                                                                  \
    CALL("cublas" #L "trsmBatched", h);                                                                                        \
    using E = Ours<V>;                                                                                                   \
    return solve<E>(h, side, uplo, op, diag, m, n, ours(alpha), nullptr, reinterpret_cast<const E *const *>(as), lda, nullptr, \
                    reinterpret_cast<E *const *>(bs), ldb, batch);                                                             \
  }                                                                                                                            \
  cublasStatus_t cublas##L##syrk_v2(UPDATE, const V *alpha, const V *a, int lda, const V *beta, V *c, int ldc) {               \
    CALL("cublas" #L "syrk", h);                                                                                               \
    REQUIRE(alpha && beta, "alpha or beta is null");                                                                           \
    return rankK(h, uplo, op, n, k, scalarOf(h, ours(alpha)), ours(a), lda, ours(a), lda, scalarOf(h, ours(beta)), ours(c),    \
                 ldc, false, false);                                                                                           \
  }                                                                                                                            \
  SYMMETRIC_UPDATE(L##syr2k_v2, "cublas" #L "syr2k", V, true)                                                                  \
  SYMMETRIC_UPDATE(L##syrkx, "cublas" #L "syrkx", V, false)

#define SYMMETRIC_UPDATE(name, text, V, two)                                                                                  \
  cublasStatus_t cublas##name(UPDATE, const V *alpha, const V *a, int lda, const V *b, int ldb, const V *beta, V *c, int ldc) { \
    CALL(text, h);                                                                                                            \
    REQUIRE(alpha && beta, "alpha or beta is null");                                                                          \
    return rankK(h, uplo, op, n, k, scalarOf(h, ours(alpha)), ours(a), lda, ours(b), ldb, scalarOf(h, ours(beta)), ours(c),   \
                 ldc, false, two);                                                                                            \
  }

LEVEL3(S, float)
LEVEL3(D, double)
LEVEL3(C, cuComplex)
LEVEL3(Z, cuDoubleComplex)

#define HERMITIAN_UPDATE(name, text, V, R, two)                                                                               \
  cublasStatus_t cublas##name(UPDATE, const V *alpha, const V *a, int lda, const V *b, int ldb, const R *beta, V *c, int ldc) { \
    CALL(text, h);                                                                                                            \
    REQUIRE(alpha && beta, "alpha or beta is null");                                                                          \
    Scalar<Ours<V>> second;                                                                                             \
    if (!realScalar(h, beta, &second)) return notSupported(text " with beta on the device");                                  \
    return rankK(h, uplo, op, n, k, scalarOf(h, ours(alpha)), ours(a), lda, ours(b), ldb, second, ours(c), ldc, true, two);   \
  }
#define HERMITIAN(L, V, R)                                                                                                  \
  cublasStatus_t cublas##L##hemm_v2(SIDE, int m, int n, const V *alpha, const V *a, int lda, const V *b, int ldb,           \
                                    const V *beta, V *c, int ldc) {                                                         \
    CALL("cublas" #L "hemm", h);                                                                                            \
    return symmetric(h, side, uplo, m, n, ours(alpha), ours(a), lda, ours(b), ldb, ours(beta), ours(c), ldc, Hermitian);    \
  }                                                                                                                         \
  cublasStatus_t cublas##L##herk_v2(UPDATE, const R *alpha, const V *a, int lda, const R *beta, V *c, int ldc) {            \
    CALL("cublas" #L "herk", h);                                                                                            \
    REQUIRE(alpha && beta, "alpha or beta is null");                                                                        \
    Scalar<Ours<V>> first, second;                                                                                    \
    if (!realScalar(h, alpha, &first) || !realScalar(h, beta, &second))                                                     \
      return notSupported("cublas" #L "herk with alpha and beta on the device");                                            \
    return rankK(h, uplo, op, n, k, first, ours(a), lda, ours(a), lda, second, ours(c), ldc, true, false);                  \
  }                                                                                                                         \
  HERMITIAN_UPDATE(L##her2k_v2, "cublas" #L "her2k", V, R, true)                                                            \
  HERMITIAN_UPDATE(L##herkx, "cublas" #L "herkx", V, R, false)                                                              \
  cublasStatus_t cublas##L##gemm3m(H, OPS, int m, int n, int k, const V *alpha, const V *a, int lda, const V *b, int ldb,   \
                                   const V *beta, V *c, int ldc) {                                                          \
    CALL("cublas" #L "gemm3m", h);                                                                                          \
    return cublas##L##gemm_v2(h, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                                   \
  }
HERMITIAN(C, cuComplex, float)
HERMITIAN(Z, cuDoubleComplex, double)

} // extern "C"
