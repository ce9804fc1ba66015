// Systems of equations ("cuSPARSE", "cuSPARSE Generic API Reference": SpSV and SpSM; "cuSPARSE Preconditioners";
// "Tridiagonal Solve").
#include "context.h"

using namespace sparse;

// Values that take the place of the matrix's, where there are some.
struct cusparseSpSVDescr {
  host::Memory values;
  cusparseSpMatDescr analyzed{};
  bool isAnalyzed = false;
};
struct cusparseSpSMDescr : cusparseSpSVDescr {};

// The first pivot that is missing or zero.
struct csrilu02Info {
  host::Memory pivot;
};
struct csric02Info : csrilu02Info {};

namespace {

int64_t bytesOf(const cusparseSpMatDescr &m) {
  const int64_t size = m.type == CUDA_C_64F ? 16 : m.type == CUDA_R_32F ? 4 : 8;
  return size * (m.format == SlicedEll ? m.blocks : m.count);
}

Status analyze(cusparseSpSVDescr *d, const cusparseSpMatDescr *a) {
  REQUIRE(d && a, "an argument is null");
  d->analyzed = *a;
  d->isAnalyzed = true;
  return CUSPARSE_STATUS_SUCCESS;
}

Status update(cusparseHandle_t h, cusparseSpSVDescr *d, const void *values, bool general) {
  REQUIRE(d && values && d->isAnalyzed, "an argument is null, or the matrix has not been analyzed");
  if (!general) return notSupported("an update of the diagonal of a triangular matrix alone");
  TRY_CUDA(d->values.need(bytesOf(d->analyzed)));
  return statusOf(host::services->copy(d->values.as<void>(), values, bytesOf(d->analyzed), h->stream));
}

// op(A) * Y = alpha * op(X) for a triangle of A; X and Y are dense, of the same size after op.
template <class E>
Status solve(cusparseHandle_t h, cusparseOperation_t op, const void *alpha, const cusparseSpMatDescr &a, Dense<E> x, bool conjugatedX, Dense<E> y,
             int64_t sides, cusparseSpSVDescr *d) {
  if (a.format == Bsr || a.format == BlockedEll) return notSupported("a triangular system whose matrix is in blocks");
  const bool transposes = op != CUSPARSE_OPERATION_NON_TRANSPOSE, turned = transposes != (a.format == Csc);
  Solve<E> p{rowsOf<E>(a), x, y, static_cast<int>(a.rows), static_cast<int>(sides)};
  if (d->values.as<void>()) p.a.values.data = d->values.as<void>();
  p.transposed = turned;
  p.conjugated = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  p.conjugatedX = conjugatedX;
  p.upper = (a.fill == CUSPARSE_FILL_MODE_UPPER) != transposes;
  p.unit = a.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
  p.alpha = scalarOf<E>(h, alpha);
  if (p.n == 0 || p.sides == 0) return CUSPARSE_STATUS_SUCCESS;
  return launch<E>(h, "solve", 32 * sides, p, "solve", 32);
}

// The analysis finds rows without a pivot, the factorization those whose pivot is zero too.
template <class E>
Status incomplete(cusparseHandle_t h, const char *kernel, int n, int count, cusparseMatDescr_t m, E *values, const int *offsets, const int *col,
                  csrilu02Info *info) {
  REQUIRE(n >= 0 && count >= 0 && m && offsets && col && info, "a size is negative or an argument null");
  TRY_CUDA(info->pivot.need(sizeof(unsigned)));
  TRY_CUDA(host::services->fill(info->pivot.as<void>(), 0xff, sizeof(unsigned), h->stream));
  Incomplete<E> p{};
  p.a.rows = p.a.cols = n, p.a.count = count;
  p.a.offsets = {const_cast<int *>(offsets), false}, p.a.col = {const_cast<int *>(col), false};
  p.a.values = {values, Native};
  p.a.base = m->base;
  p.pivot = info->pivot.as<unsigned>();
  return n == 0 ? CUSPARSE_STATUS_SUCCESS : launch<E>(h, kernel, 32, p, "solve", 32);
}

Status zeroPivot(cusparseHandle_t h, csrilu02Info *info, int *position) {
  REQUIRE(info && position, "an argument is null");
  int row = -1;
  if (info->pivot.as<void>()) {
    TRY_CUDA(host::services->copy(&row, info->pivot.as<void>(), sizeof row, h->stream));
    TRY_CUDA(host::services->wait(h->stream));
  }
  if (h->pointers == CUSPARSE_POINTER_MODE_HOST) {
    *position = row;
  } else {
    TRY_CUDA(host::services->copy(position, &row, sizeof row, h->stream));
    TRY_CUDA(host::services->wait(h->stream));
  }
  return row < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

// Elimination with row exchanges.
template <class E> Status banded(cusparseHandle_t h, Banded<E> p) {
  REQUIRE(p.n >= 0 && p.systems >= 0 && p.sides >= 0, "a size is negative");
  if (p.n == 0 || p.systems == 0 || p.sides == 0) return CUSPARSE_STATUS_SUCCESS;
  for (int d = 0; d <= 2 * p.below; d++) REQUIRE(p.diagonals[d], "a diagonal is null");
  TRY_CUDA(h->scratch.need(sizeof(E) * p.n * p.systems * (3 * p.below + 1)));
  p.band = h->scratch.as<E>();
  return launch<E>(h, "banded", p.systems, p, "solve");
}

} // namespace

extern "C" {

#define DESCR(name)                                                        \
  Status cusparse##name##_createDescr(cusparse##name##Descr_t *out) {      \
    const host::Named named("cusparse" #name "_createDescr");              \
    REQUIRE(out, "the result pointer is null");                            \
    *out = new cusparse##name##Descr;                                      \
    return CUSPARSE_STATUS_SUCCESS;                                        \
  }                                                                        \
  Status cusparse##name##_destroyDescr(cusparse##name##Descr_t d) {        \
    const host::Named named("cusparse" #name "_destroyDescr");             \
    delete d;                                                              \
    return CUSPARSE_STATUS_SUCCESS;                                        \
  }                                                                        \
  Status cusparse##name##_updateMatrix(H, cusparse##name##Descr_t d, void *values, cusparse##name##Update_t part) { \
    CALL("cusparse" #name "_updateMatrix", h);                             \
    return update(h, d, values, static_cast<int>(part) == CUSPARSE_SPSV_UPDATE_GENERAL); \
  }
DESCR(SpSV)
DESCR(SpSM)

#define SV H, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, \
           cudaDataType compute, cusparseSpSVAlg_t, cusparseSpSVDescr_t d
Status cusparseSpSV_bufferSize(SV, size_t *size) {
  CALL("cusparseSpSV_bufferSize", h);
  SIZE(size);
}
Status cusparseSpSV_analysis(SV, void *) {
  CALL("cusparseSpSV_analysis", h);
  return analyze(d, a);
}
Status cusparseSpSV_solve(SV) {
  CALL("cusparseSpSV_solve", h);
  REQUIRE(alpha && a && x && y && d, "an argument is null");
  REQUIRE(d->isAnalyzed, "cusparseSpSV_analysis has not been called");
  REQUIRE(a->rows == a->cols && x->size == a->rows && y->size == a->rows, "the matrix is not square, or a vector of another size");
  if (a->type != compute || x->type != compute || y->type != compute) return notSupported("cusparseSpSV with several types");
  return byType(compute, [&](auto zero) {
    using E = decltype(zero);
    return solve<E>(h, op, alpha, *a, denseOf<E>(*x), false, denseOf<E>(*y), 1, d);
  });
}

#define SM H, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, \
           cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t, cusparseSpSMDescr_t d
Status cusparseSpSM_bufferSize(SM, size_t *size) {
  CALL("cusparseSpSM_bufferSize", h);
  SIZE(size);
}
Status cusparseSpSM_analysis(SM, void *) {
  CALL("cusparseSpSM_analysis", h);
  return analyze(d, a);
}
Status cusparseSpSM_solve(SM) {
  CALL("cusparseSpSM_solve", h);
  REQUIRE(alpha && a && b && c && d, "an argument is null");
  REQUIRE(d->isAnalyzed, "cusparseSpSM_analysis has not been called");
  const bool tb = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  REQUIRE(a->rows == a->cols && c->rows == a->rows && (tb ? b->cols : b->rows) == a->rows && (tb ? b->rows : b->cols) == c->cols,
          "the sizes of the matrices do not fit together");
  if (a->type != compute || b->type != compute || c->type != compute) return notSupported("cusparseSpSM with several types");
  return byType(compute, [&](auto zero) {
    using E = decltype(zero);
    return solve<E>(h, opA, alpha, *a, denseOf<E>(*b, tb), opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, denseOf<E>(*c), c->cols, d);
  });
}

#define INFO(Name, name)                                                    \
  Status cusparseCreate##Name##Info(name##Info_t *out) {                    \
    const host::Named named("cusparseCreate" #Name "Info");                 \
    REQUIRE(out, "the result pointer is null");                             \
    *out = new name##Info;                                                  \
    return CUSPARSE_STATUS_SUCCESS;                                         \
  }                                                                         \
  Status cusparseDestroy##Name##Info(name##Info_t info) {                   \
    const host::Named named("cusparseDestroy" #Name "Info");                \
    delete info;                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                         \
  }                                                                         \
  Status cusparseX##name##_zeroPivot(H, name##Info_t info, int *position) { \
    CALL("cusparseX" #name "_zeroPivot", h);                                \
    return zeroPivot(h, info, position);                                    \
  }
INFO(Csrilu02, csrilu02)
INFO(Csric02, csric02)

#define FACTOR(L, V, name)                                                                                                               \
  Status cusparse##L##name##_bufferSize(H, int, int, cusparseMatDescr_t, V *, const int *, const int *, name##Info_t, int *size) {        \
    CALL("cusparse" #L #name "_bufferSize", h);                                                                                           \
    SIZE(size);                                                                                                                           \
  }                                                                                                                                       \
  Status cusparse##L##name##_analysis(H, int m, int count, cusparseMatDescr_t a, const V *values, const int *offsets, const int *col,     \
                                      name##Info_t info, cusparseSolvePolicy_t, void *) {                                                 \
    CALL("cusparse" #L #name "_analysis", h);                                                                                             \
    return incomplete(h, "findPivots", m, count, a, host::ours(const_cast<V *>(values)), offsets, col, info);                             \
  }                                                                                                                                       \
  Status cusparse##L##name(H, int m, int count, cusparseMatDescr_t a, V *values, const int *offsets, const int *col, name##Info_t info,   \
                           cusparseSolvePolicy_t, void *) {                                                                               \
    CALL("cusparse" #L #name, h);                                                                                                         \
    return incomplete(h, #name, m, count, a, host::ours(values), offsets, col, info);                                                     \
  }
#define SOLVERS(L, V)                                                                                                                     \
  FACTOR(L, V, csrilu02)                                                                                                                  \
  FACTOR(L, V, csric02)                                                                                                                   \
  TRIDIAGONAL(L, V, gtsv2)                                                                                                                \
  TRIDIAGONAL(L, V, gtsv2_nopivot)                                                                                                        \
  Status cusparse##L##gtsv2StridedBatch_bufferSizeExt(H, int, const V *, const V *, const V *, const V *, int, int, size_t *size) {       \
    CALL("cusparse" #L "gtsv2StridedBatch_bufferSizeExt", h);                                                                             \
    SIZE(size);                                                                                                                           \
  }                                                                                                                                       \
  Status cusparse##L##gtsv2StridedBatch(H, int m, const V *lower, const V *d, const V *upper, V *x, int batch, int stride, void *) {      \
    CALL("cusparse" #L "gtsv2StridedBatch", h);                                                                                           \
    REQUIRE(stride >= m, "the stride is less than m");                                                                                    \
    using E = host::Ours<V>;                                                                                                              \
    return banded(h, Banded<E>{m, batch, 1, 1, {host::ours(lower), host::ours(d), host::ours(upper)}, host::ours(x), 1, stride, 0, {}});  \
  }                                                                                                                                       \
  Status cusparse##L##gtsvInterleavedBatch_bufferSizeExt(H, int, int, const V *, const V *, const V *, const V *, int, size_t *size) {    \
    CALL("cusparse" #L "gtsvInterleavedBatch_bufferSizeExt", h);                                                                          \
    SIZE(size);                                                                                                                           \
  }                                                                                                                                       \
  Status cusparse##L##gtsvInterleavedBatch(H, int, int m, V *lower, V *d, V *upper, V *x, int batch, void *) {                            \
    CALL("cusparse" #L "gtsvInterleavedBatch", h);                                                                                        \
    using E = host::Ours<V>;                                                                                                              \
    return banded(h, Banded<E>{m, batch, 1, 1, {host::ours(lower), host::ours(d), host::ours(upper)}, host::ours(x), batch, 1, 0, {}});   \
  }                                                                                                                                       \
  Status cusparse##L##gpsvInterleavedBatch_bufferSizeExt(H, int, int, const V *, const V *, const V *, const V *, const V *, const V *,   \
                                                         int, size_t *size) {                                                             \
    CALL("cusparse" #L "gpsvInterleavedBatch_bufferSizeExt", h);                                                                          \
    SIZE(size);                                                                                                                           \
  }                                                                                                                                       \
  Status cusparse##L##gpsvInterleavedBatch(H, int, int m, V *lowest, V *lower, V *d, V *upper, V *uppest, V *x, int batch, void *) {      \
    CALL("cusparse" #L "gpsvInterleavedBatch", h);                                                                                        \
    using E = host::Ours<V>;                                                                                                              \
    return banded(h, Banded<E>{m, batch, 1, 2, {host::ours(lowest), host::ours(lower), host::ours(d), host::ours(upper), host::ours(uppest)}, \
                               host::ours(x), batch, 1, 0, {}});                                                                          \
  }
#define TRIDIAGONAL(L, V, name)                                                                                                           \
  Status cusparse##L##name##_bufferSizeExt(H, int, int, const V *, const V *, const V *, const V *, int, size_t *size) {                  \
    CALL("cusparse" #L #name "_bufferSizeExt", h);                                                                                        \
    SIZE(size);                                                                                                                           \
  }                                                                                                                                       \
  Status cusparse##L##name(H, int m, int n, const V *lower, const V *d, const V *upper, V *b, int ldb, void *) {                          \
    CALL("cusparse" #L #name, h);                                                                                                         \
    REQUIRE(ldb >= m, "ldb is less than m");                                                                                              \
    using E = host::Ours<V>;                                                                                                              \
    return banded(h, Banded<E>{m, 1, n, 1, {host::ours(lower), host::ours(d), host::ours(upper)}, host::ours(b), 1, 0, ldb, {}});         \
  }
SOLVERS(S, float)
SOLVERS(D, double)
SOLVERS(C, cuComplex)
SOLVERS(Z, cuDoubleComplex)

} // extern "C"
