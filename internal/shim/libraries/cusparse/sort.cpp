// Sorting ("cuSPARSE", "cuSPARSE Format Conversion Reference": coosort, csrsort, cscsort).
#include "context.h"

using namespace sparse;

namespace {

Status sortCoordinates(cusparseHandle_t h, int m, int n, int count, int *major, int *minor, int *order) {
  REQUIRE(m >= 0 && n >= 0 && count >= 0, "a size is negative");
  REQUIRE(count == 0 || (major && minor), "an array is null");
  const auto step = [&](long long half, bool flip) {
    return statusOf(kernels.launch("sort", "compare", host::blocks((count + 1) / 2 + half, kBlock, 1 << 16), kBlock, h->stream,
                                   Sort{major, minor, order, count, half, flip}));
  };
  for (long long run = 1; run < count; run *= 2) {
    TRY(step(run, true));
    for (long long half = run / 2; half > 0; half /= 2) TRY(step(half, false));
  }
  return CUSPARSE_STATUS_SUCCESS;
}

Status sortRows(cusparseHandle_t h, int rows, int count, cusparseMatDescr_t m, const int *offsets, int *col, int *order) {
  REQUIRE(rows >= 0 && count >= 0 && m, "a size is negative, or the description null");
  if (rows == 0 || count == 0) return CUSPARSE_STATUS_SUCCESS;
  return statusOf(kernels.launch("sort", "sortColumns", host::blocks(rows, kBlock, 1 << 16), kBlock, h->stream,
                                 SortRows{offsets, col, order, rows, m->base}));
}

} // namespace

extern "C" {

Status cusparseXcoosort_bufferSizeExt(H, int, int, int, const int *, const int *, size_t *size) {
  CALL("cusparseXcoosort_bufferSizeExt", h);
  SIZE(size);
}
Status cusparseXcoosortByRow(H, int m, int n, int count, int *row, int *col, int *order, void *) {
  CALL("cusparseXcoosortByRow", h);
  return sortCoordinates(h, m, n, count, row, col, order);
}
Status cusparseXcoosortByColumn(H, int m, int n, int count, int *row, int *col, int *order, void *) {
  CALL("cusparseXcoosortByColumn", h);
  return sortCoordinates(h, m, n, count, col, row, order);
}
Status cusparseXcsrsort_bufferSizeExt(H, int, int, int, const int *, const int *, size_t *size) {
  CALL("cusparseXcsrsort_bufferSizeExt", h);
  SIZE(size);
}
Status cusparseXcsrsort(H, int m, int, int count, cusparseMatDescr_t a, const int *offsets, int *col, int *order, void *) {
  CALL("cusparseXcsrsort", h);
  return sortRows(h, m, count, a, offsets, col, order);
}
Status cusparseXcscsort_bufferSizeExt(H, int, int, int, const int *, const int *, size_t *size) {
  CALL("cusparseXcscsort_bufferSizeExt", h);
  SIZE(size);
}
Status cusparseXcscsort(H, int, int n, int count, cusparseMatDescr_t a, const int *offsets, int *row, int *order, void *) {
  CALL("cusparseXcscsort", h);
  return sortRows(h, n, count, a, offsets, row, order);
}
Status cusparseCreateIdentityPermutation(H, int n, int *order) {
  CALL("cusparseCreateIdentityPermutation", h);
  REQUIRE(n >= 0 && order, "n is negative, or the array null");
  if (n == 0) return CUSPARSE_STATUS_SUCCESS;
  return statusOf(kernels.launch("sort", "identity", host::blocks(n, kBlock, 1 << 16), kBlock, h->stream, Sort{nullptr, nullptr, order, n, 0, false}));
}

} // extern "C"
