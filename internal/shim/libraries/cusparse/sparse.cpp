// cuSPARSE ("cuSPARSE", "cuSPARSE Generic API Reference"): descriptors, products and conversions.
#include "cusparse.h"

#include <string>
#include <vector>

#include "../host.h"
#include "types.h"

using namespace sparse;

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointers = CUSPARSE_POINTER_MODE_HOST;
  host::Memory scratch; // counts and offsets, and results
};

struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};

enum Format { Csr, Csc, Coo };

// offsets are those of rows or, of CSC, columns; row and col what goes with the values: of CSR the
// columns, of CSC the rows, of COO both.
struct cusparseSpMatDescr {
  Format format;
  int64_t rows, cols, count;
  void *offsets, *row, *col, *values;
  cusparseIndexType_t offsetType, indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
};

struct cusparseDnMatDescr {
  int64_t rows, cols, ld;
  void *values;
  cudaDataType type;
  cusparseOrder_t order;
};

struct cusparseDnVecDescr {
  int64_t size;
  void *values;
  cudaDataType type;
};

struct cusparseSpVecDescr {
  int64_t size, count;
  void *index, *values;
  cusparseIndexType_t indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
};

// The offsets of a product, between its steps.
struct cusparseSpGEMMDescr {
  host::Memory offsets;
};

namespace {

using host::letter;
using Status = cusparseStatus_t;

host::Kernels kernels("cusparse");

LIBRARY_STATUS(Status, CUSPARSE_STATUS)

// Calls f with a number of a type.
template <class F> Status byType(cudaDataType type, F f) {
  switch (type) {
  case CUDA_R_32F: return f(float());
  case CUDA_R_64F: return f(double());
  case CUDA_C_32F: return f(Complex<float>());
  case CUDA_C_64F: return f(Complex<double>());
  default: return notSupported("cuSPARSE with values of this type");
  }
}

constexpr int kBlock = 128;

template <class E, class P> Status launch(cusparseHandle_t h, const char *kernel, int64_t threads, const P &p) {
  return statusOf(kernels.launch("sparse", letter<E> + std::string(kernel), host::blocks(threads, kBlock, 1 << 16), kBlock, h->stream, p));
}

Status launchPlain(cusparseHandle_t h, const char *kernel, int64_t threads, const Compress &p) {
  const bool one = threads == 1;
  return statusOf(kernels.launch("sparse", kernel, host::blocks(threads, kBlock, 1 << 16), one ? 1 : kBlock, h->stream, p));
}

template <class E> Scalar<E> scalarOf(cusparseHandle_t h, const void *p) {
  if (h->pointers == CUSPARSE_POINTER_MODE_HOST) return {*static_cast<const E *>(p), nullptr};
  return {E(0), static_cast<const E *>(p)};
}

Indices indicesOf(void *data, cusparseIndexType_t type) { return {data, type == CUSPARSE_INDEX_64I}; }

// A matrix by rows; one of CSC is its transpose.
template <class E> Rows<E> rowsOf(const cusparseSpMatDescr &m) {
  using V = std::remove_const_t<E>;
  const bool turned = m.format == Csc;
  Rows<E> r{};
  r.rows = static_cast<int>(turned ? m.cols : m.rows);
  r.cols = static_cast<int>(turned ? m.rows : m.cols);
  r.count = m.count;
  r.offsets = indicesOf(m.format == Coo ? nullptr : m.offsets, m.offsetType);
  r.row = indicesOf(m.format == Coo ? m.row : nullptr, m.indexType);
  r.col = indicesOf(turned ? m.row : m.col, m.indexType);
  r.values = static_cast<V *>(m.values);
  r.base = m.base;
  return r;
}

template <class E> Dense<E> denseOf(const cusparseDnMatDescr &m, bool transposed = false) {
  const bool byRows = (m.order == CUSPARSE_ORDER_ROW) != transposed;
  return {static_cast<E *>(m.values), byRows ? m.ld : 1, byRows ? 1 : m.ld};
}

bool isIndex(cusparseIndexType_t t) { return t == CUSPARSE_INDEX_32I || t == CUSPARSE_INDEX_64I; }

// C = alpha * op(A) * op(B) + beta * C
template <class E>
Status multiply(cusparseHandle_t h, const cusparseSpMatDescr &a, cusparseOperation_t op, Product<E> p) {
  const bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  p.conjugated = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  p.a = rowsOf<const E>(a);
  if (p.m == 0 || p.n == 0) return CUSPARSE_STATUS_SUCCESS;
  if (a.format != Coo && transposed == (a.format == Csc)) return launch<E>(h, "gatherRows", static_cast<int64_t>(p.m) * p.n, p);
  TRY(launch<E>(h, "scale", static_cast<int64_t>(p.m) * p.n, p));
  if (a.format != Coo) return launch<E>(h, "scatterRows", static_cast<int64_t>(p.a.rows) * p.n, p);
  if (transposed) std::swap(p.a.row, p.a.col);
  return launch<E>(h, "scatterValues", p.a.count * p.n, p);
}

Status spmv(cusparseHandle_t h, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
            const void *beta, cusparseDnVecDescr_t y, cudaDataType compute) {
  REQUIRE(alpha && beta && a && x && y, "an argument is null");
  const bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int64_t m = transposed ? a->cols : a->rows, n = transposed ? a->rows : a->cols;
  REQUIRE(x->size == n && y->size == m, "the sizes of the vectors are not those of op(A)");
  if (a->type != x->type || a->type != y->type || a->type != compute) return notSupported("cusparseSpMV with several types");
  return byType(a->type, [&](auto zero) {
    using E = decltype(zero);
    Product<E> p{};
    p.b = {static_cast<const E *>(x->values), 1, 0};
    p.c = {static_cast<E *>(y->values), 1, 0};
    p.m = static_cast<int>(m);
    p.n = 1;
    p.alpha = scalarOf<E>(h, alpha);
    p.beta = scalarOf<E>(h, beta);
    return multiply(h, *a, op, p);
  });
}

Status spmm(cusparseHandle_t h, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha, cusparseConstSpMatDescr_t a,
            cusparseConstDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c, cudaDataType compute) {
  REQUIRE(alpha && beta && a && b && c, "an argument is null");
  const bool ta = opA != CUSPARSE_OPERATION_NON_TRANSPOSE, tb = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int64_t m = ta ? a->cols : a->rows, k = ta ? a->rows : a->cols;
  REQUIRE(c->rows == m && (tb ? b->cols : b->rows) == k && (tb ? b->rows : b->cols) == c->cols, "the sizes of the matrices do not fit together");
  if (a->type != b->type || a->type != c->type || a->type != compute) return notSupported("cusparseSpMM with several types");
  return byType(a->type, [&](auto zero) {
    using E = decltype(zero);
    Product<E> p{};
    p.b = denseOf<const E>(*b, tb);
    p.conjugatedB = opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    p.c = denseOf<E>(*c);
    p.m = static_cast<int>(m);
    p.n = static_cast<int>(c->cols);
    p.alpha = scalarOf<E>(h, alpha);
    p.beta = scalarOf<E>(h, beta);
    return multiply(h, *a, opA, p);
  });
}

// Makes offsets of counts, and reads how many values there are in all.
Status offsetsOf(cusparseHandle_t h, int *counts, int rows, int64_t *all) {
  TRY(launchPlain(h, "offsets", 1, {nullptr, counts, 0, rows, 0}));
  if (!all) return CUSPARSE_STATUS_SUCCESS;
  int sum = 0;
  TRY_CUDA(host::services->copy(&sum, counts + rows, sizeof sum, h->stream));
  TRY_CUDA(host::services->wait(h->stream));
  *all = sum;
  return CUSPARSE_STATUS_SUCCESS;
}

// The rows of a dense matrix as a sparse one is stored, without its arrays.
template <class E> Convert<E> conversion(const cusparseDnMatDescr &dense, const cusparseSpMatDescr &m, int *counts) {
  return {rowsOf<E>(m), denseOf<E>(dense, m.format == Csc), counts};
}

Status toDense(cusparseHandle_t h, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b) {
  REQUIRE(a && b, "a matrix is null");
  REQUIRE(a->rows == b->rows && a->cols == b->cols && a->type == b->type, "the matrices have different sizes or types");
  return byType(a->type, [&](auto zero) {
    using E = decltype(zero);
    Convert<E> p = conversion<E>(*b, *a, nullptr);
    TRY(launch<E>(h, "zero", a->rows * a->cols, p));
    return launch<E>(h, "toDense", a->format == Coo ? a->count : p.a.rows, p);
  });
}

Status countDense(cusparseHandle_t h, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b) {
  REQUIRE(a && b, "a matrix is null");
  REQUIRE(a->rows == b->rows && a->cols == b->cols && a->type == b->type, "the matrices have different sizes or types");
  return byType(a->type, [&](auto zero) {
    using E = decltype(zero);
    Convert<E> p = conversion<E>(*a, *b, nullptr);
    TRY_CUDA(h->scratch.need((p.a.rows + 1) * sizeof(int)));
    p.counts = h->scratch.as<int>();
    TRY(launch<E>(h, "countDense", p.a.rows, p));
    return offsetsOf(h, p.counts, p.a.rows, &b->count);
  });
}

Status fromDense(cusparseHandle_t h, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b) {
  TRY(countDense(h, a, b));
  return byType(a->type, [&](auto zero) {
    using E = decltype(zero);
    Convert<E> p = conversion<E>(*a, *b, h->scratch.as<int>());
    return launch<E>(h, "fromDense", p.a.rows, p);
  });
}

// The two steps of the product of sparse matrices.
template <class E> Multiply<E> productOf(const cusparseSpMatDescr &a, const cusparseSpMatDescr &b, const cusparseSpMatDescr &c, int *counts) {
  Multiply<E> p{};
  p.a = rowsOf<const E>(a), p.b = rowsOf<const E>(b), p.c = rowsOf<E>(c);
  p.counts = counts;
  return p;
}

Status checkProduct(cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                    const void *beta, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMDescr_t d) {
  REQUIRE(alpha && beta && a && b && c && d, "an argument is null");
  if (opA != CUSPARSE_OPERATION_NON_TRANSPOSE || opB != CUSPARSE_OPERATION_NON_TRANSPOSE) return notSupported("cusparseSpGEMM with a transposed matrix");
  if (a->format != Csr || b->format != Csr || c->format != Csr) return notSupported("cusparseSpGEMM of matrices that are not CSR");
  REQUIRE(a->rows == c->rows && a->cols == b->rows && b->cols == c->cols, "the sizes of the matrices do not fit together");
  if (a->type != b->type || a->type != c->type || a->type != compute) return notSupported("cusparseSpGEMM with several types");
  return CUSPARSE_STATUS_SUCCESS;
}

template <class T> Status made(T **out, T value) {
  REQUIRE(out, "the result pointer is null");
  *out = new T(value);
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace

extern "C" {

#define H cusparseHandle_t h

Status cusparseCreate(cusparseHandle_t *out) {
  const host::Named named("cusparseCreate");
  REQUIRE(out, "the handle's pointer is null");
  *out = new cusparseContext;
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseDestroy(H) {
  CALL("cusparseDestroy", h);
  delete h;
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseGetVersion(H, int *version) {
  CALL("cusparseGetVersion", h);
  REQUIRE(version, "the result pointer is null");
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseGetProperty(libraryPropertyType type, int *value) {
  const host::Named named("cusparseGetProperty");
  REQUIRE(value && type >= MAJOR_VERSION && type <= PATCH_LEVEL, "there is no such property");
  const int parts[] = {CUSPARSE_VERSION / 1000, CUSPARSE_VERSION % 1000 / 100, CUSPARSE_VERSION % 100};
  *value = parts[type];
  return CUSPARSE_STATUS_SUCCESS;
}

#define SETTING(name, type, field)                         \
  Status cusparseSet##name(H, type value) {                \
    CALL("cusparseSet" #name, h);                          \
    h->field = value;                                      \
    return CUSPARSE_STATUS_SUCCESS;                        \
  }                                                        \
  Status cusparseGet##name(H, type *value) {               \
    CALL("cusparseGet" #name, h);                          \
    REQUIRE(value, "the result pointer is null");          \
    *value = h->field;                                     \
    return CUSPARSE_STATUS_SUCCESS;                        \
  }
SETTING(Stream, cudaStream_t, stream)
SETTING(PointerMode, cusparsePointerMode_t, pointers)

Status cusparseCreateMatDescr(cusparseMatDescr_t *out) {
  const host::Named named("cusparseCreateMatDescr");
  return made(out, cusparseMatDescr());
}
Status cusparseDestroyMatDescr(cusparseMatDescr_t d) {
  delete d;
  return CUSPARSE_STATUS_SUCCESS;
}
#define PROPERTY(name, type, field)                                      \
  Status cusparseSetMat##name(cusparseMatDescr_t d, type value) {        \
    const host::Named named("cusparseSetMat" #name);                     \
    REQUIRE(d, "the description is null");                               \
    d->field = value;                                                    \
    return CUSPARSE_STATUS_SUCCESS;                                      \
  }                                                                      \
  type cusparseGetMat##name(const cusparseMatDescr *d) { return d->field; }
PROPERTY(Type, cusparseMatrixType_t, type)
PROPERTY(FillMode, cusparseFillMode_t, fill)
PROPERTY(DiagType, cusparseDiagType_t, diagonal)
PROPERTY(IndexBase, cusparseIndexBase_t, base)

#define COMPRESSED void *offsets, void *index, void *values, cusparseIndexType_t offsetType, cusparseIndexType_t indexType, \
                   cusparseIndexBase_t base, cudaDataType type
#define REQUIRE_SIZES REQUIRE(rows >= 0 && cols >= 0 && count >= 0, "a size is negative"); \
                      REQUIRE(rows < 1LL << 31 && cols < 1LL << 31, "a size is larger than is supported")

Status cusparseCreateCsr(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t count, COMPRESSED) {
  const host::Named named("cusparseCreateCsr");
  REQUIRE_SIZES;
  REQUIRE(isIndex(offsetType) && isIndex(indexType), "an index type is neither CUSPARSE_INDEX_32I nor CUSPARSE_INDEX_64I");
  return made(out, cusparseSpMatDescr{Csr, rows, cols, count, offsets, nullptr, index, values, offsetType, indexType, base, type});
}
Status cusparseCreateConstCsr(cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t count, const void *offsets, const void *index,
                              const void *values, cusparseIndexType_t offsetType, cusparseIndexType_t indexType, cusparseIndexBase_t base,
                              cudaDataType type) {
  const host::Named named("cusparseCreateConstCsr");
  return cusparseCreateCsr(const_cast<cusparseSpMatDescr_t *>(out), rows, cols, count, const_cast<void *>(offsets), const_cast<void *>(index),
                           const_cast<void *>(values), offsetType, indexType, base, type);
}
Status cusparseCreateCsc(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t count, COMPRESSED) {
  const host::Named named("cusparseCreateCsc");
  REQUIRE_SIZES;
  REQUIRE(isIndex(offsetType) && isIndex(indexType), "an index type is neither CUSPARSE_INDEX_32I nor CUSPARSE_INDEX_64I");
  return made(out, cusparseSpMatDescr{Csc, rows, cols, count, offsets, index, nullptr, values, offsetType, indexType, base, type});
}
Status cusparseCreateCoo(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t count, void *row, void *col, void *values,
                         cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type) {
  const host::Named named("cusparseCreateCoo");
  REQUIRE_SIZES;
  REQUIRE(isIndex(indexType), "the index type is neither CUSPARSE_INDEX_32I nor CUSPARSE_INDEX_64I");
  return made(out, cusparseSpMatDescr{Coo, rows, cols, count, nullptr, row, col, values, indexType, indexType, base, type});
}
Status cusparseDestroySpMat(cusparseConstSpMatDescr_t m) {
  delete m;
  return CUSPARSE_STATUS_SUCCESS;
}

Status cusparseCreateDnMat(cusparseDnMatDescr_t *out, int64_t rows, int64_t cols, int64_t ld, void *values, cudaDataType type,
                           cusparseOrder_t order) {
  const host::Named named("cusparseCreateDnMat");
  REQUIRE(rows >= 0 && cols >= 0, "a size is negative");
  REQUIRE(ld >= (order == CUSPARSE_ORDER_ROW ? cols : rows), "ld is less than a row or column has elements");
  return made(out, cusparseDnMatDescr{rows, cols, ld, values, type, order});
}
Status cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *out, int64_t rows, int64_t cols, int64_t ld, const void *values, cudaDataType type,
                                cusparseOrder_t order) {
  return cusparseCreateDnMat(const_cast<cusparseDnMatDescr_t *>(out), rows, cols, ld, const_cast<void *>(values), type, order);
}
Status cusparseDestroyDnMat(cusparseConstDnMatDescr_t m) {
  delete m;
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseCreateDnVec(cusparseDnVecDescr_t *out, int64_t size, void *values, cudaDataType type) {
  const host::Named named("cusparseCreateDnVec");
  REQUIRE(size >= 0, "the size is negative");
  return made(out, cusparseDnVecDescr{size, values, type});
}
Status cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *out, int64_t size, const void *values, cudaDataType type) {
  return cusparseCreateDnVec(const_cast<cusparseDnVecDescr_t *>(out), size, const_cast<void *>(values), type);
}
Status cusparseDestroyDnVec(cusparseConstDnVecDescr_t v) {
  delete v;
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseCreateSpVec(cusparseSpVecDescr_t *out, int64_t size, int64_t count, void *index, void *values, cusparseIndexType_t indexType,
                           cusparseIndexBase_t base, cudaDataType type) {
  const host::Named named("cusparseCreateSpVec");
  REQUIRE(size >= 0 && count >= 0 && count <= size, "a size is negative, or there are more values than elements");
  return made(out, cusparseSpVecDescr{size, count, index, values, indexType, base, type});
}
Status cusparseDestroySpVec(cusparseConstSpVecDescr_t v) {
  delete v;
  return CUSPARSE_STATUS_SUCCESS;
}

Status cusparseSpMatGetSize(cusparseConstSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *count) {
  const host::Named named("cusparseSpMatGetSize");
  REQUIRE(m && rows && cols && count, "an argument is null");
  *rows = m->rows, *cols = m->cols, *count = m->count;
  return CUSPARSE_STATUS_SUCCESS;
}
// The attributes are of triangular matrices, which the products do not distinguish.
Status cusparseSpMatSetAttribute(cusparseSpMatDescr_t m, cusparseSpMatAttribute_t, void *data, size_t) {
  const host::Named named("cusparseSpMatSetAttribute");
  REQUIRE(m && data, "an argument is null");
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t m, cusparseIndexBase_t *base) {
  const host::Named named("cusparseSpMatGetIndexBase");
  REQUIRE(m && base, "an argument is null");
  *base = m->base;
  return CUSPARSE_STATUS_SUCCESS;
}

#define VALUES(kind, Descr)                                              \
  Status cusparse##kind##GetValues(Descr m, void **values) {             \
    const host::Named named("cusparse" #kind "GetValues");               \
    REQUIRE(m && values, "an argument is null");                         \
    *values = m->values;                                                 \
    return CUSPARSE_STATUS_SUCCESS;                                      \
  }                                                                      \
  Status cusparse##kind##SetValues(Descr m, void *values) {              \
    const host::Named named("cusparse" #kind "SetValues");               \
    REQUIRE(m && values, "an argument is null");                         \
    m->values = values;                                                  \
    return CUSPARSE_STATUS_SUCCESS;                                      \
  }
VALUES(SpMat, cusparseSpMatDescr_t)
VALUES(DnVec, cusparseDnVecDescr_t)
VALUES(DnMat, cusparseDnMatDescr_t)

#define POINTERS(name, kind, first, second)                                                                  \
  Status cusparse##name##SetPointers(cusparseSpMatDescr_t m, void *one, void *two, void *values) {           \
    const host::Named named("cusparse" #name "SetPointers");                                                 \
    REQUIRE(m && m->format == kind, "the matrix is null or in another format");                              \
    m->first = one, m->second = two, m->values = values;                                                     \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }
POINTERS(Csr, Csr, offsets, col)
POINTERS(Csc, Csc, offsets, row)
POINTERS(Coo, Coo, row, col)

Status cusparseCsrGet(cusparseSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *count, void **offsets, void **col, void **values,
                      cusparseIndexType_t *offsetType, cusparseIndexType_t *indexType, cusparseIndexBase_t *base, cudaDataType *type) {
  const host::Named named("cusparseCsrGet");
  REQUIRE(m && m->format == Csr, "the matrix is null or not CSR");
  *rows = m->rows, *cols = m->cols, *count = m->count;
  *offsets = m->offsets, *col = m->col, *values = m->values;
  *offsetType = m->offsetType, *indexType = m->indexType, *base = m->base, *type = m->type;
  return CUSPARSE_STATUS_SUCCESS;
}

// Kernels need no buffer of the program's; a size that is not 0 is what programs expect.
#define SIZE(out)                                    \
  REQUIRE(out, "the result pointer is null");        \
  *out = 16;                                         \
  return CUSPARSE_STATUS_SUCCESS

#define MV H, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta, \
           cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t
#define MM H, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, \
           const void *beta, cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t

Status cusparseSpMV_bufferSize(MV, size_t *size) {
  CALL("cusparseSpMV_bufferSize", h);
  SIZE(size);
}
Status cusparseSpMV_preprocess(MV, void *) {
  CALL("cusparseSpMV_preprocess", h);
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseSpMV(MV, void *) {
  CALL("cusparseSpMV", h);
  return spmv(h, op, alpha, a, x, beta, y, compute);
}
Status cusparseSpMM_bufferSize(MM, size_t *size) {
  CALL("cusparseSpMM_bufferSize", h);
  SIZE(size);
}
Status cusparseSpMM_preprocess(MM, void *) {
  CALL("cusparseSpMM_preprocess", h);
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseSpMM(MM, void *) {
  CALL("cusparseSpMM", h);
  return spmm(h, opA, opB, alpha, a, b, beta, c, compute);
}

Status cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *out) {
  const host::Named named("cusparseSpGEMM_createDescr");
  REQUIRE(out, "the result pointer is null");
  *out = new cusparseSpGEMMDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t d) {
  const host::Named named("cusparseSpGEMM_destroyDescr");
  delete d;
  return CUSPARSE_STATUS_SUCCESS;
}

#define GEMM H, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, \
             const void *beta, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t d

Status cusparseSpGEMM_workEstimation(GEMM, size_t *size, void *buffer) {
  CALL("cusparseSpGEMM_workEstimation", h);
  TRY(checkProduct(opA, opB, alpha, a, b, beta, c, compute, d));
  if (buffer) return CUSPARSE_STATUS_SUCCESS;
  SIZE(size);
}
Status cusparseSpGEMM_compute(GEMM, size_t *size, void *buffer) {
  CALL("cusparseSpGEMM_compute", h);
  TRY(checkProduct(opA, opB, alpha, a, b, beta, c, compute, d));
  if (!buffer) {
    SIZE(size);
  }
  TRY_CUDA(d->offsets.need((a->rows + 1) * sizeof(int)));
  return byType(a->type, [&](auto zero) {
    using E = decltype(zero);
    Multiply<E> p = productOf<E>(*a, *b, *c, d->offsets.as<int>());
    TRY(launch<E>(h, "countProduct", a->rows, p));
    return offsetsOf(h, p.counts, p.a.rows, &c->count);
  });
}
Status cusparseSpGEMM_copy(GEMM) {
  CALL("cusparseSpGEMM_copy", h);
  TRY(checkProduct(opA, opB, alpha, a, b, beta, c, compute, d));
  REQUIRE(d->offsets.as<int>(), "cusparseSpGEMM_compute has not been called");
  return byType(a->type, [&](auto zero) {
    using E = decltype(zero);
    Multiply<E> p = productOf<E>(*a, *b, *c, d->offsets.as<int>());
    p.alpha = scalarOf<E>(h, alpha);
    p.beta = scalarOf<E>(h, beta);
    return launch<E>(h, "product", a->rows, p);
  });
}

Status cusparseSparseToDense_bufferSize(H, cusparseConstSpMatDescr_t, cusparseDnMatDescr_t, cusparseSparseToDenseAlg_t, size_t *size) {
  CALL("cusparseSparseToDense_bufferSize", h);
  SIZE(size);
}
Status cusparseSparseToDense(H, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void *) {
  CALL("cusparseSparseToDense", h);
  return toDense(h, a, b);
}
Status cusparseDenseToSparse_bufferSize(H, cusparseConstDnMatDescr_t, cusparseSpMatDescr_t, cusparseDenseToSparseAlg_t, size_t *size) {
  CALL("cusparseDenseToSparse_bufferSize", h);
  SIZE(size);
}
Status cusparseDenseToSparse_analysis(H, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t, void *) {
  CALL("cusparseDenseToSparse_analysis", h);
  return countDense(h, a, b);
}
Status cusparseDenseToSparse_convert(H, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t, void *) {
  CALL("cusparseDenseToSparse_convert", h);
  return fromDense(h, a, b);
}

#define CSR2CSC H, int m, int n, int count, const void *values, const int *offsets, const int *col, void *valuesOut, int *offsetsOut, int *row, \
                cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t
Status cusparseCsr2cscEx2_bufferSize(CSR2CSC, size_t *size) {
  CALL("cusparseCsr2cscEx2_bufferSize", h);
  SIZE(size);
}
Status cusparseCsr2cscEx2(CSR2CSC, void *) {
  CALL("cusparseCsr2cscEx2", h);
  REQUIRE(m >= 0 && n >= 0 && count >= 0, "a size is negative");
  TRY_CUDA(h->scratch.need((n + 1) * sizeof(int)));
  return byType(type, [&](auto zero) {
    using E = decltype(zero);
    Transpose<E> p{};
    const auto narrow = [](const int *data) { return Indices{const_cast<int *>(data), false}; };
    p.from = {m, n, count, narrow(offsets), {}, narrow(col), static_cast<const E *>(values), base};
    p.to = {n, m, count, narrow(offsetsOut), {}, narrow(row), static_cast<E *>(valuesOut), base};
    p.values = action == CUSPARSE_ACTION_NUMERIC;
    p.next = h->scratch.as<int>();
    TRY_CUDA(host::services->fill(p.next, 0, (n + 1) * sizeof(int), h->stream));
    TRY(launch<E>(h, "countColumns", count, p));
    TRY(offsetsOf(h, p.next, n, nullptr));
    TRY(launch<E>(h, "transpose", m, p));
    return launch<E>(h, "sortRows", n, p);
  });
}

Status cusparseXcoo2csr(H, const int *row, int count, int m, int *offsets, cusparseIndexBase_t base) {
  CALL("cusparseXcoo2csr", h);
  REQUIRE(count >= 0 && m >= 0, "a size is negative");
  return launchPlain(h, "compress", m + 2, {row, offsets, count, m, base});
}
Status cusparseXcsr2coo(H, const int *offsets, int count, int m, int *row, cusparseIndexBase_t base) {
  CALL("cusparseXcsr2coo", h);
  REQUIRE(count >= 0 && m >= 0, "a size is negative");
  return launchPlain(h, "expand", m + 2, {offsets, row, count, m, base});
}

// A sparse vector's parameters.
#define VECTORS(x, y)                                                                                                       \
  REQUIRE(x && y, "a vector is null");                                                                                      \
  REQUIRE(x->size == y->size && x->type == y->type, "the vectors have different sizes or types");                          \
  return byType(x->type, [&](auto zero) {                                                                                   \
    using E = decltype(zero);                                                                                               \
    Vectors<E> p{x->size, x->count, indicesOf(x->index, x->indexType), static_cast<E *>(x->values), static_cast<E *>(y->values), \
                 x->base, false, {}, {}, nullptr};

Status cusparseGather(H, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x) {
  CALL("cusparseGather", h);
  VECTORS(x, y)
    return launch<E>(h, "gather", x->count, p);
  });
}
Status cusparseScatter(H, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y) {
  CALL("cusparseScatter", h);
  VECTORS(x, y)
    return launch<E>(h, "scatter", x->count, p);
  });
}
Status cusparseAxpby(H, const void *alpha, cusparseConstSpVecDescr_t x, const void *beta, cusparseDnVecDescr_t y) {
  CALL("cusparseAxpby", h);
  REQUIRE(alpha && beta, "alpha or beta is null");
  VECTORS(x, y)
    p.alpha = scalarOf<E>(h, alpha);
    p.beta = scalarOf<E>(h, beta);
    TRY(launch<E>(h, "scaleVector", x->size, p));
    return launch<E>(h, "addVector", x->count, p);
  });
}
#define VV H, cusparseOperation_t op, cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y, void *result, cudaDataType
Status cusparseSpVV_bufferSize(VV, size_t *size) {
  CALL("cusparseSpVV_bufferSize", h);
  SIZE(size);
}
Status cusparseSpVV(VV, void *) {
  CALL("cusparseSpVV", h);
  REQUIRE(result, "the result pointer is null");
  VECTORS(x, y)
    const bool onHost = h->pointers == CUSPARSE_POINTER_MODE_HOST;
    p.conjugated = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    p.result = static_cast<E *>(result);
    if (onHost) {
      TRY_CUDA(h->scratch.need(sizeof(E)));
      p.result = h->scratch.as<E>();
    }
    TRY(statusOf(kernels.launch("sparse", letter<E> + std::string("dot"), 1, 256, h->stream, p)));
    if (!onHost) return CUSPARSE_STATUS_SUCCESS;
    TRY_CUDA(host::services->copy(result, p.result, sizeof(E), h->stream));
    return statusOf(host::services->wait(h->stream));
  });
}

} // extern "C"
