// cuSPARSE ("cuSPARSE", "cuSPARSE Generic API Reference"): products and conversions.
#include "context.h"

using namespace sparse;

namespace {

// C = alpha * op(A) * op(B) + beta * C
template <class E>
Status multiply(cusparseHandle_t h, const cusparseSpMatDescr &a, cusparseOperation_t op, Product<E> p) {
  const bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  p.conjugated = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  p.a = rowsOf<E>(a);
  if (p.m == 0 || p.n == 0) return CUSPARSE_STATUS_SUCCESS;
  if (a.format != Coo && transposed == (a.format == Csc)) return launch<E>(h, "gatherRows", static_cast<int64_t>(p.m) * p.n, p);
  if (p.c.values.storage != Native) return notSupported("cuSPARSE: a product of COO or of a transposed matrix with a result of less than 32 bits");
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
  if (!converts(a->type, compute) || !converts(x->type, compute) || !converts(y->type, compute))
    return notSupported("cusparseSpMV with this combination of types");
  return byType(compute, [&](auto zero) {
    using E = decltype(zero);
    Product<E> p{};
    p.b = denseOf<E>(*x);
    p.c = denseOf<E>(*y);
    p.m = static_cast<int>(m);
    p.n = 1;
    p.alpha = scalarOf<E>(h, alpha);
    p.beta = scalarOf<E>(h, beta);
    return multiply(h, *a, op, p);
  });
}

// How many bytes an element has.
int64_t sizeOf(cudaDataType type) {
  switch (type) {
  case CUDA_R_8I: return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF: return 2;
  case CUDA_R_32F: return 4;
  case CUDA_C_64F: return 16;
  default: return 8;
  }
}
int64_t sizeOf(cusparseIndexType_t type) { return type == CUSPARSE_INDEX_64I ? 8 : 4; }

template <class T> T *advance(T *p, int64_t bytes) { return p ? const_cast<char *>(static_cast<const char *>(p)) + bytes : nullptr; }

// Member i of a batch; a batch of one is the same for all.
cusparseSpMatDescr memberOf(const cusparseSpMatDescr &m, int i) {
  cusparseSpMatDescr one = m;
  if (m.batch == 1) return one;
  one.offsets = advance(m.offsets, i * m.offsetsStride * sizeOf(m.offsetType));
  one.row = advance(m.row, i * m.indexStride * sizeOf(m.indexType));
  one.col = advance(m.col, i * m.indexStride * sizeOf(m.indexType));
  one.values = advance(m.values, i * m.valuesStride * sizeOf(m.type));
  return one;
}
cusparseDnMatDescr memberOf(const cusparseDnMatDescr &m, int i) {
  cusparseDnMatDescr one = m;
  if (m.batch > 1) one.values = advance(m.values, i * m.stride * sizeOf(m.type));
  return one;
}

// Calls f with the members of each product of a batch.
template <class A, class B, class C, class F> Status eachOf(const A &a, const B &b, const C &c, F f) {
  REQUIRE((a.batch == c.batch || a.batch == 1) && (b.batch == c.batch || b.batch == 1), "the matrices have different batch counts");
  for (int i = 0; i < c.batch; i++) TRY(f(memberOf(a, i), memberOf(b, i), memberOf(c, i)));
  return CUSPARSE_STATUS_SUCCESS;
}

Status spmm(cusparseHandle_t h, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha, cusparseConstSpMatDescr_t a,
            cusparseConstDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c, cudaDataType compute) {
  REQUIRE(alpha && beta && a && b && c, "an argument is null");
  const bool ta = opA != CUSPARSE_OPERATION_NON_TRANSPOSE, tb = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int64_t m = ta ? a->cols : a->rows, k = ta ? a->rows : a->cols;
  REQUIRE(c->rows == m && (tb ? b->cols : b->rows) == k && (tb ? b->rows : b->cols) == c->cols, "the sizes of the matrices do not fit together");
  if (!converts(a->type, compute) || !converts(b->type, compute) || !converts(c->type, compute))
    return notSupported("cusparseSpMM with this combination of types");
  return byType(compute, [&](auto zero) {
    using E = decltype(zero);
    return eachOf(*a, *b, *c, [&](const cusparseSpMatDescr &a, const cusparseDnMatDescr &b, const cusparseDnMatDescr &c) {
      Product<E> p{};
      p.b = denseOf<E>(b, tb);
      p.conjugatedB = opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
      p.c = denseOf<E>(c);
      p.m = static_cast<int>(m);
      p.n = static_cast<int>(c.cols);
      p.alpha = scalarOf<E>(h, alpha);
      p.beta = scalarOf<E>(h, beta);
      return multiply(h, a, opA, p);
    });
  });
}

// C = alpha * op(A) * op(B) + beta * C of the elements that C has.
Status sddmm(cusparseHandle_t h, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha, cusparseConstDnMatDescr_t a,
             cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c, cudaDataType compute) {
  REQUIRE(alpha && beta && a && b && c, "an argument is null");
  const bool ta = opA != CUSPARSE_OPERATION_NON_TRANSPOSE, tb = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int64_t k = ta ? a->rows : a->cols;
  REQUIRE((ta ? a->cols : a->rows) == c->rows && (tb ? b->cols : b->rows) == k && (tb ? b->rows : b->cols) == c->cols,
          "the sizes of the matrices do not fit together");
  if (!converts(a->type, compute) || !converts(b->type, compute) || !converts(c->type, compute))
    return notSupported("cusparseSDDMM with this combination of types");
  if (c->format != Csr && c->format != Bsr) return notSupported("cusparseSDDMM with a result that is neither CSR nor BSR");
  return byType(compute, [&](auto zero) {
    using E = decltype(zero);
    return eachOf(*a, *b, *c, [&](const cusparseDnMatDescr &a, const cusparseDnMatDescr &b, const cusparseSpMatDescr &c) {
      Sampled<E> p{denseOf<E>(a, ta), denseOf<E>(b, tb), rowsOf<E>(c), static_cast<int>(k)};
      p.conjugatedA = opA == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, p.conjugatedB = opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
      p.alpha = scalarOf<E>(h, alpha);
      p.beta = scalarOf<E>(h, beta);
      return launch<E>(h, "sampled", c.rows * 32, p);
    });
  });
}

Status launchPlain(cusparseHandle_t h, const char *kernel, int64_t threads, const Compress &p) {
  const bool one = threads == 1;
  return statusOf(kernels.launch("sparse", kernel, host::blocks(threads, kBlock, 1 << 16), one ? 1 : kBlock, h->stream, p));
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
  return byValues(a->type, [&](auto zero) {
    using E = decltype(zero);
    Convert<E> p = conversion<E>(*b, *a, nullptr);
    TRY(launch<E>(h, "zero", a->rows * a->cols, p));
    return launch<E>(h, "toDense", a->format == Coo ? a->count : p.a.rows, p);
  });
}

// Whether a matrix has its columns before the conversion, which fills in their values alone.
bool hasColumns(const cusparseSpMatDescr &m) { return m.format == BlockedEll || m.format == Bsr; }

Status countDense(cusparseHandle_t h, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b) {
  REQUIRE(a && b, "a matrix is null");
  REQUIRE(a->rows == b->rows && a->cols == b->cols && a->type == b->type, "the matrices have different sizes or types");
  if (b->format == SlicedEll) return notSupported("cusparseDenseToSparse to sliced ELL");
  if (hasColumns(*b)) return CUSPARSE_STATUS_SUCCESS;
  return byValues(a->type, [&](auto zero) {
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
  return byValues(a->type, [&](auto zero) {
    using E = decltype(zero);
    Convert<E> p = conversion<E>(*a, *b, h->scratch.as<int>());
    if (hasColumns(*b)) return launch<E>(h, "toBlocks", p.a.rows, p);
    return launch<E>(h, "fromDense", p.a.rows, p);
  });
}

// The two steps of the product of sparse matrices.
template <class E> Multiply<E> productOf(const cusparseSpMatDescr &a, const cusparseSpMatDescr &b, const cusparseSpMatDescr &c, int *counts) {
  Multiply<E> p{};
  p.a = rowsOf<E>(a), p.b = rowsOf<E>(b), p.c = rowsOf<E>(c);
  p.counts = counts;
  return p;
}

Status checkProduct(cusparseOperation_t opA, cusparseOperation_t opB, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                    cusparseSpMatDescr_t c, cusparseSpGEMMDescr_t d) {
  REQUIRE(a && b && c && d, "an argument is null");
  if (opA != CUSPARSE_OPERATION_NON_TRANSPOSE || opB != CUSPARSE_OPERATION_NON_TRANSPOSE) return notSupported("cusparseSpGEMM with a transposed matrix");
  if (a->format != Csr || b->format != Csr || c->format != Csr) return notSupported("cusparseSpGEMM of matrices that are not CSR");
  REQUIRE(a->rows == c->rows && a->cols == b->rows && b->cols == c->cols, "the sizes of the matrices do not fit together");
  if (a->type != b->type || a->type != c->type) return notSupported("cusparseSpGEMM with several types");
  return CUSPARSE_STATUS_SUCCESS;
}
Status checkProduct(cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                    const void *beta, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMDescr_t d) {
  REQUIRE(alpha && beta, "alpha or beta is null");
  TRY(checkProduct(opA, opB, a, b, c, d));
  if (a->type != compute) return notSupported("cusparseSpGEMM with several types");
  return CUSPARSE_STATUS_SUCCESS;
}

// The structure of a product: the offsets of its rows, and how many values it has.
Status structureOf(cusparseHandle_t h, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c, cusparseSpGEMMDescr_t d) {
  TRY_CUDA(d->offsets.need((a->rows + 1) * sizeof(int)));
  return byType(a->type, [&](auto zero) {
    using E = decltype(zero);
    Multiply<E> p = productOf<E>(*a, *b, *c, d->offsets.as<int>());
    TRY(launch<E>(h, "countProduct", a->rows, p));
    return offsetsOf(h, p.counts, p.a.rows, &c->count);
  });
}

// Writes a product whose structure is known; without alpha its columns alone.
Status write(cusparseHandle_t h, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
             cusparseSpGEMMDescr_t d) {
  REQUIRE(d->offsets.as<int>(), "the structure of the product has not been computed");
  return byType(a->type, [&](auto zero) {
    using E = decltype(zero);
    Multiply<E> p = productOf<E>(*a, *b, *c, d->offsets.as<int>());
    p.valueless = !alpha;
    if (alpha) p.alpha = scalarOf<E>(h, alpha), p.beta = scalarOf<E>(h, beta);
    return launch<E>(h, "product", a->rows, p);
  });
}

} // namespace

extern "C" {

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
  if (!buffer) {
    SIZE(size);
  }
  return byType(a->type, [&](auto zero) {
    using E = decltype(zero);
    TRY_CUDA(h->scratch.need((a->rows + 1) * sizeof(int)));
    Multiply<E> p = productOf<E>(*a, *b, *c, h->scratch.as<int>());
    TRY(launch<E>(h, "countPairs", a->rows, p));
    return offsetsOf(h, p.counts, p.a.rows, &d->products);
  });
}
Status cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t d, int64_t *out) {
  const host::Named named("cusparseSpGEMM_getNumProducts");
  REQUIRE(d && out, "an argument is null");
  *out = d->products;
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseSpGEMM_estimateMemory(GEMM, float, size_t *size3, void *buffer3, size_t *size2) {
  CALL("cusparseSpGEMM_estimateMemory", h);
  TRY(checkProduct(opA, opB, alpha, a, b, beta, c, compute, d));
  if (!buffer3) {
    SIZE(size3);
  }
  SIZE(size2);
}
Status cusparseSpGEMM_compute(GEMM, size_t *size, void *buffer) {
  CALL("cusparseSpGEMM_compute", h);
  TRY(checkProduct(opA, opB, alpha, a, b, beta, c, compute, d));
  if (!buffer) {
    SIZE(size);
  }
  return structureOf(h, a, b, c, d);
}
Status cusparseSpGEMM_copy(GEMM) {
  CALL("cusparseSpGEMM_copy", h);
  TRY(checkProduct(opA, opB, alpha, a, b, beta, c, compute, d));
  return write(h, alpha, a, b, beta, c, d);
}

// Products of matrices whose structure stays.
#define REUSE H, cusparseOperation_t opA, cusparseOperation_t opB, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c, \
              cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t d
Status cusparseSpGEMMreuse_workEstimation(REUSE, size_t *size, void *buffer) {
  CALL("cusparseSpGEMMreuse_workEstimation", h);
  TRY(checkProduct(opA, opB, a, b, c, d));
  if (buffer) return CUSPARSE_STATUS_SUCCESS;
  SIZE(size);
}
Status cusparseSpGEMMreuse_nnz(REUSE, size_t *size2, void *buffer2, size_t *size3, void *, size_t *size4, void *) {
  CALL("cusparseSpGEMMreuse_nnz", h);
  TRY(checkProduct(opA, opB, a, b, c, d));
  if (buffer2) return structureOf(h, a, b, c, d);
  REQUIRE(size2 && size3 && size4, "a result pointer is null");
  *size2 = *size3 = *size4 = 16;
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseSpGEMMreuse_copy(REUSE, size_t *size, void *buffer) {
  CALL("cusparseSpGEMMreuse_copy", h);
  TRY(checkProduct(opA, opB, a, b, c, d));
  if (!buffer) {
    SIZE(size);
  }
  return write(h, nullptr, a, b, nullptr, c, d);
}
Status cusparseSpGEMMreuse_compute(GEMM) {
  CALL("cusparseSpGEMMreuse_compute", h);
  TRY(checkProduct(opA, opB, alpha, a, b, beta, c, compute, d));
  return write(h, alpha, a, b, beta, c, d);
}

#define SDDMM H, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, \
              const void *beta, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSDDMMAlg_t
Status cusparseSDDMM_bufferSize(SDDMM, size_t *size) {
  CALL("cusparseSDDMM_bufferSize", h);
  SIZE(size);
}
Status cusparseSDDMM_preprocess(SDDMM, void *) {
  CALL("cusparseSDDMM_preprocess", h);
  return CUSPARSE_STATUS_SUCCESS;
}
Status cusparseSDDMM(SDDMM, void *) {
  CALL("cusparseSDDMM", h);
  return sddmm(h, opA, opB, alpha, a, b, beta, c, compute);
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
  return byValues(type, [&](auto zero) {
    using E = decltype(zero);
    Transpose<E> p{};
    const auto narrow = [](const int *data) { return Indices{const_cast<int *>(data), false}; };
    p.from = {m, n, count, narrow(offsets), {}, narrow(col), valuesOf<E>(const_cast<void *>(values), type), base};
    p.to = {n, m, count, narrow(offsetsOut), {}, narrow(row), valuesOf<E>(valuesOut, type), base};
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
Status cusparseRot(H, const void *c, const void *s, cusparseSpVecDescr_t x, cusparseDnVecDescr_t y) {
  CALL("cusparseRot", h);
  REQUIRE(c && s, "c or s is null");
  VECTORS(x, y)
    p.alpha = scalarOf<E>(h, c);
    p.beta = scalarOf<E>(h, s);
    return launch<E>(h, "rotate", x->count, p);
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
    return toHost(h, result, p.result, sizeof(E));
  });
}

} // extern "C"
