// Handles, settings and descriptors of cuSPARSE ("cuSPARSE", "cuSPARSE Generic APIs: Types").
#include "context.h"

using namespace sparse;

host::Kernels sparse::kernels("cusparse");

extern "C" {

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
  REQUIRE(value && type >= MAJOR_VERSION && type <= PATCH_LEVEL, "the property type is invalid");
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
Status cusparseCreateConstCsc(cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t count, const void *offsets, const void *index,
                              const void *values, cusparseIndexType_t offsetType, cusparseIndexType_t indexType, cusparseIndexBase_t base,
                              cudaDataType type) {
  const host::Named named("cusparseCreateConstCsc");
  return cusparseCreateCsc(const_cast<cusparseSpMatDescr_t *>(out), rows, cols, count, const_cast<void *>(offsets), const_cast<void *>(index),
                           const_cast<void *>(values), offsetType, indexType, base, type);
}
Status cusparseCreateConstCoo(cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t count, const void *row, const void *col,
                              const void *values, cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type) {
  const host::Named named("cusparseCreateConstCoo");
  return cusparseCreateCoo(const_cast<cusparseSpMatDescr_t *>(out), rows, cols, count, const_cast<void *>(row), const_cast<void *>(col),
                           const_cast<void *>(values), indexType, base, type);
}
// The rows, columns and count of BSR are those of blocks.
Status cusparseCreateBsr(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t count, int64_t blockRows, int64_t blockCols, COMPRESSED,
                         cusparseOrder_t order) {
  const host::Named named("cusparseCreateBsr");
  REQUIRE(blockRows > 0 && blockCols > 0, "a block has no elements");
  REQUIRE(isIndex(offsetType) && isIndex(indexType), "an index type is neither CUSPARSE_INDEX_32I nor CUSPARSE_INDEX_64I");
  const int64_t blocks = count;
  rows *= blockRows, cols *= blockCols, count *= blockRows * blockCols;
  REQUIRE_SIZES;
  return made(out, cusparseSpMatDescr{Bsr, rows, cols, count, offsets, nullptr, index, values, offsetType, indexType, base, type, blockRows,
                                      blockCols, blocks, 0, order});
}
Status cusparseCreateConstBsr(cusparseConstSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t count, int64_t blockRows, int64_t blockCols,
                              const void *offsets, const void *index, const void *values, cusparseIndexType_t offsetType,
                              cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type, cusparseOrder_t order) {
  const host::Named named("cusparseCreateConstBsr");
  return cusparseCreateBsr(const_cast<cusparseSpMatDescr_t *>(out), rows, cols, count, blockRows, blockCols, const_cast<void *>(offsets),
                           const_cast<void *>(index), const_cast<void *>(values), offsetType, indexType, base, type, order);
}
Status cusparseCreateBlockedEll(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t blockSize, int64_t ellCols, void *index, void *values,
                                cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type) {
  const host::Named named("cusparseCreateBlockedEll");
  REQUIRE(blockSize > 0 && ellCols >= 0 && ellCols % blockSize == 0, "the columns are not a multiple of the block size");
  REQUIRE(isIndex(indexType), "the index type is neither CUSPARSE_INDEX_32I nor CUSPARSE_INDEX_64I");
  const int64_t count = rows * ellCols;
  REQUIRE_SIZES;
  return made(out, cusparseSpMatDescr{BlockedEll, rows, cols, count, nullptr, nullptr, index, values, indexType, indexType, base, type, blockSize,
                                      blockSize, 0, ellCols});
}
Status cusparseCreateSlicedEll(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t count, int64_t size, int64_t sliceSize, COMPRESSED) {
  const host::Named named("cusparseCreateSlicedEll");
  REQUIRE_SIZES;
  REQUIRE(sliceSize > 0 && size >= count, "the slice size is not positive, or the size of the values is too small");
  REQUIRE(isIndex(offsetType) && isIndex(indexType), "an index type is neither CUSPARSE_INDEX_32I nor CUSPARSE_INDEX_64I");
  return made(out, cusparseSpMatDescr{SlicedEll, rows, cols, count, offsets, nullptr, index, values, offsetType, indexType, base, type, 1, 1, size,
                                      sliceSize});
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
Status cusparseSpMatSetAttribute(cusparseSpMatDescr_t m, cusparseSpMatAttribute_t attribute, void *data, size_t size) {
  const host::Named named("cusparseSpMatSetAttribute");
  REQUIRE(m && data && size == sizeof(int), "an argument is null, or the size is not that of the attribute");
  REQUIRE(attribute == CUSPARSE_SPMAT_FILL_MODE || attribute == CUSPARSE_SPMAT_DIAG_TYPE, "the attribute is invalid");
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    m->fill = *static_cast<cusparseFillMode_t *>(data);
  else
    m->diagonal = *static_cast<cusparseDiagType_t *>(data);
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t m, cusparseSpMatAttribute_t attribute, void *data, size_t size) {
  const host::Named named("cusparseSpMatGetAttribute");
  REQUIRE(m && data && size == sizeof(int), "an argument is null, or the size is not that of the attribute");
  REQUIRE(attribute == CUSPARSE_SPMAT_FILL_MODE || attribute == CUSPARSE_SPMAT_DIAG_TYPE, "the attribute is invalid");
  *static_cast<int *>(data) = attribute == CUSPARSE_SPMAT_FILL_MODE ? static_cast<int>(m->fill) : static_cast<int>(m->diagonal);
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseSpMatGetFormat(cusparseConstSpMatDescr_t m, cusparseFormat_t *format) {
  const host::Named named("cusparseSpMatGetFormat");
  REQUIRE(m && format, "an argument is null");
  constexpr cusparseFormat_t formats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC,         CUSPARSE_FORMAT_COO,
                                          CUSPARSE_FORMAT_BSR, CUSPARSE_FORMAT_BLOCKED_ELL, CUSPARSE_FORMAT_SLICED_ELLPACK};
  *format = formats[m->format];
  return CUSPARSE_STATUS_SUCCESS;
}

// Batches.
Status setBatch(const char *call, cusparseSpMatDescr_t m, Format format, int batch, int64_t offsetsStride, int64_t indexStride, int64_t valuesStride) {
  const host::Named named(call);
  REQUIRE(m && m->format == format, "the matrix is null or in another format");
  REQUIRE(batch > 0 && offsetsStride >= 0 && indexStride >= 0 && valuesStride >= 0, "the batch count is not positive, or a stride negative");
  m->batch = batch, m->offsetsStride = offsetsStride, m->indexStride = indexStride, m->valuesStride = valuesStride;
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseCsrSetStridedBatch(cusparseSpMatDescr_t m, int batch, int64_t offsetsStride, int64_t stride) {
  return setBatch("cusparseCsrSetStridedBatch", m, Csr, batch, offsetsStride, stride, stride);
}
Status cusparseCooSetStridedBatch(cusparseSpMatDescr_t m, int batch, int64_t stride) {
  return setBatch("cusparseCooSetStridedBatch", m, Coo, batch, 0, stride, stride);
}
Status cusparseBsrSetStridedBatch(cusparseSpMatDescr_t m, int batch, int64_t offsetsStride, int64_t indexStride, int64_t valuesStride) {
  return setBatch("cusparseBsrSetStridedBatch", m, Bsr, batch, offsetsStride, indexStride, valuesStride);
}
Status cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t m, int *batch) {
  const host::Named named("cusparseSpMatGetStridedBatch");
  REQUIRE(m && batch, "an argument is null");
  *batch = m->batch;
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t m, int batch, int64_t stride) {
  const host::Named named("cusparseDnMatSetStridedBatch");
  REQUIRE(m && batch > 0 && stride >= 0, "the matrix is null, the batch count not positive or the stride negative");
  m->batch = batch, m->stride = stride;
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t m, int *batch, int64_t *stride) {
  const host::Named named("cusparseDnMatGetStridedBatch");
  REQUIRE(m && batch && stride, "an argument is null");
  *batch = m->batch, *stride = m->stride;
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
VALUES(SpVec, cusparseSpVecDescr_t)
#define CONST_VALUES(kind, Descr)                                        \
  Status cusparseConst##kind##GetValues(Descr m, const void **values) {  \
    const host::Named named("cusparseConst" #kind "GetValues");          \
    REQUIRE(m && values, "an argument is null");                         \
    *values = m->values;                                                 \
    return CUSPARSE_STATUS_SUCCESS;                                      \
  }
CONST_VALUES(SpMat, cusparseConstSpMatDescr_t)
CONST_VALUES(DnVec, cusparseConstDnVecDescr_t)
CONST_VALUES(DnMat, cusparseConstDnMatDescr_t)
CONST_VALUES(SpVec, cusparseConstSpVecDescr_t)

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
Status cusparseConstCsrGet(cusparseConstSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *count, const void **offsets, const void **col,
                           const void **values, cusparseIndexType_t *offsetType, cusparseIndexType_t *indexType, cusparseIndexBase_t *base,
                           cudaDataType *type) {
  const host::Named named("cusparseConstCsrGet");
  return cusparseCsrGet(const_cast<cusparseSpMatDescr_t>(m), rows, cols, count, const_cast<void **>(offsets), const_cast<void **>(col),
                        const_cast<void **>(values), offsetType, indexType, base, type);
}
Status cusparseCscGet(cusparseSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *count, void **offsets, void **row, void **values,
                      cusparseIndexType_t *offsetType, cusparseIndexType_t *indexType, cusparseIndexBase_t *base, cudaDataType *type) {
  const host::Named named("cusparseCscGet");
  REQUIRE(m && m->format == Csc, "the matrix is null or not CSC");
  *rows = m->rows, *cols = m->cols, *count = m->count;
  *offsets = m->offsets, *row = m->row, *values = m->values;
  *offsetType = m->offsetType, *indexType = m->indexType, *base = m->base, *type = m->type;
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseCooGet(cusparseSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *count, void **row, void **col, void **values,
                      cusparseIndexType_t *indexType, cusparseIndexBase_t *base, cudaDataType *type) {
  const host::Named named("cusparseCooGet");
  REQUIRE(m && m->format == Coo, "the matrix is null or not COO");
  *rows = m->rows, *cols = m->cols, *count = m->count;
  *row = m->row, *col = m->col, *values = m->values;
  *indexType = m->indexType, *base = m->base, *type = m->type;
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseBlockedEllGet(cusparseSpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *blockSize, int64_t *ellCols, void **col, void **values,
                             cusparseIndexType_t *indexType, cusparseIndexBase_t *base, cudaDataType *type) {
  const host::Named named("cusparseBlockedEllGet");
  REQUIRE(m && m->format == BlockedEll, "the matrix is null or not blocked ELL");
  *rows = m->rows, *cols = m->cols, *blockSize = m->blockCols, *ellCols = m->width;
  *col = m->col, *values = m->values;
  *indexType = m->indexType, *base = m->base, *type = m->type;
  return CUSPARSE_STATUS_SUCCESS;
}

// What dense matrices and vectors were made with; C is const for the functions of read-only ones.
#define DENSE_GET(prefix, C)                                                                                                              \
  Status cusparse##prefix##DnMatGet(C cusparseDnMatDescr *m, int64_t *rows, int64_t *cols, int64_t *ld, C void **values, cudaDataType *type, \
                                    cusparseOrder_t *order) {                                                                             \
    const host::Named named("cusparse" #prefix "DnMatGet");                                                                               \
    REQUIRE(m, "the matrix is null");                                                                                                     \
    *rows = m->rows, *cols = m->cols, *ld = m->ld, *values = m->values, *type = m->type, *order = m->order;                               \
    return CUSPARSE_STATUS_SUCCESS;                                                                                                       \
  }                                                                                                                                       \
  Status cusparse##prefix##DnVecGet(C cusparseDnVecDescr *v, int64_t *size, C void **values, cudaDataType *type) {                        \
    const host::Named named("cusparse" #prefix "DnVecGet");                                                                               \
    REQUIRE(v, "the vector is null");                                                                                                     \
    *size = v->size, *values = v->values, *type = v->type;                                                                                \
    return CUSPARSE_STATUS_SUCCESS;                                                                                                       \
  }                                                                                                                                       \
  Status cusparse##prefix##SpVecGet(C cusparseSpVecDescr *v, int64_t *size, int64_t *count, C void **index, C void **values,              \
                                    cusparseIndexType_t *indexType, cusparseIndexBase_t *base, cudaDataType *type) {                      \
    const host::Named named("cusparse" #prefix "SpVecGet");                                                                               \
    REQUIRE(v, "the vector is null");                                                                                                     \
    *size = v->size, *count = v->count, *index = v->index, *values = v->values;                                                           \
    *indexType = v->indexType, *base = v->base, *type = v->type;                                                                          \
    return CUSPARSE_STATUS_SUCCESS;                                                                                                       \
  }
DENSE_GET(, )
DENSE_GET(Const, const)
Status cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t v, cusparseIndexBase_t *base) {
  const host::Named named("cusparseSpVecGetIndexBase");
  REQUIRE(v && base, "an argument is null");
  *base = v->base;
  return CUSPARSE_STATUS_SUCCESS;
}

} // extern "C"
