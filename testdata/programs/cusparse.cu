// cuSPARSE's generic API against sums in double precision on the host.
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <type_traits>
#include <vector>

using Z = std::complex<double>;

int bad = 0;
void check(const char *what, double difference, double bound) {
  if (!(difference <= bound)) printf("FAIL %s: %g, more than %g\n", what, difference, bound), bad++;
}
#define OK(call) do { cusparseStatus_t status_ = call; if (status_) printf("FAIL %s: %d\n", #call, status_), bad++; } while (0)

unsigned seed = 1;
double number() { return (seed = seed * 1664525 + 1013904223) / 4294967296.0 - 0.5; }

template <class T> T *upload(const std::vector<T> &v) {
  T *d;
  cudaMalloc(&d, std::max<size_t>(v.size(), 1) * sizeof(T));
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
template <class T> std::vector<T> download(const T *d, size_t n) {
  std::vector<T> h(n);
  cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  return h;
}

// A value of a type, and CUDA's name of the type.
template <class T> T value() { return T(number()); }
template <> std::complex<float> value() { return {float(number()), float(number())}; }
template <class T> constexpr cudaDataType typeOf = std::is_same_v<T, float> ? CUDA_R_32F : std::is_same_v<T, double> ? CUDA_R_64F : CUDA_C_32F;

// A matrix in its three formats, with indices from base and one empty row.
template <class T, class I> struct Sparse {
  int rows, cols, base;
  std::vector<Z> dense;
  std::vector<I> offsets, row, col, columnOffsets, rowOfColumns;
  std::vector<T> values, valuesOfColumns;
  I *dOffsets, *dRow, *dCol, *dColumnOffsets, *dRowOfColumns;
  T *dValues, *dValuesOfColumns;
  Sparse(int rows, int cols, int base) : rows(rows), cols(cols), base(base), dense(rows * cols) {
    offsets.push_back(base);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < cols; j++)
        if (i != 2 && number() > 0.2) {
          T v = value<T>();
          dense[i + j * rows] = v;
          row.push_back(i + base), col.push_back(j + base), values.push_back(v);
        }
      offsets.push_back(col.size() + base);
    }
    columnOffsets.push_back(base);
    for (int j = 0; j < cols; j++) {
      for (size_t k = 0; k < col.size(); k++)
        if (col[k] == j + base) rowOfColumns.push_back(row[k]), valuesOfColumns.push_back(values[k]);
      columnOffsets.push_back(rowOfColumns.size() + base);
    }
    dOffsets = upload(offsets), dRow = upload(row), dCol = upload(col), dValues = upload(values);
    dColumnOffsets = upload(columnOffsets), dRowOfColumns = upload(rowOfColumns), dValuesOfColumns = upload(valuesOfColumns);
  }
  ~Sparse() {
    for (void *p : {(void *)dOffsets, (void *)dRow, (void *)dCol, (void *)dValues, (void *)dColumnOffsets, (void *)dRowOfColumns, (void *)dValuesOfColumns}) cudaFree(p);
  }
  cusparseSpMatDescr_t describe(int format) const {
    const cusparseIndexType_t index = sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    const cusparseIndexBase_t b = static_cast<cusparseIndexBase_t>(base);
    cusparseSpMatDescr_t m = nullptr;
    if (format == 0) OK(cusparseCreateCsr(&m, rows, cols, values.size(), dOffsets, dCol, dValues, index, index, b, typeOf<T>));
    if (format == 1) OK(cusparseCreateCsc(&m, rows, cols, values.size(), dColumnOffsets, dRowOfColumns, dValuesOfColumns, index, index, b, typeOf<T>));
    if (format == 2) OK(cusparseCreateCoo(&m, rows, cols, values.size(), dRow, dCol, dValues, index, b, typeOf<T>));
    return m;
  }
  Z at(cusparseOperation_t op, int i, int j) const {
    if (op == CUSPARSE_OPERATION_NON_TRANSPOSE) return dense[i + j * rows];
    const Z v = dense[j + i * rows];
    return op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(v) : v;
  }
};

template <class T, class I> void products(cusparseHandle_t h, int base, double eps) {
  const Sparse<T, I> a(23, 17, base);
  const T alpha = T(0.75), beta = T(-0.5);
  for (int format = 0; format < 3; format++)
    for (int o = 0; o < 3; o++) {
      const cusparseOperation_t op = static_cast<cusparseOperation_t>(o);
      const int m = o ? a.cols : a.rows, k = o ? a.rows : a.cols, n = 4;
      cusparseSpMatDescr_t A = a.describe(format);
      // B by columns, C by rows.
      std::vector<T> b(k * n), c(m * n);
      for (T &v : b) v = value<T>();
      for (T &v : c) v = value<T>();
      std::vector<Z> want(m * n);
      for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
          Z sum = 0;
          for (int l = 0; l < k; l++) sum += a.at(op, i, l) * Z(b[l + j * k]);
          want[i * n + j] = Z(alpha) * sum + Z(beta) * Z(c[i * n + j]);
        }
      T *dB = upload(b), *dC = upload(c);
      cusparseDnMatDescr_t B, C;
      OK(cusparseCreateDnMat(&B, k, n, k, dB, typeOf<T>, CUSPARSE_ORDER_COL));
      OK(cusparseCreateDnMat(&C, m, n, n, dC, typeOf<T>, CUSPARSE_ORDER_ROW));
      size_t bytes = 0;
      void *buffer;
      OK(cusparseSpMM_bufferSize(h, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, A, B, &beta, C, typeOf<T>, CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
      cudaMalloc(&buffer, bytes);
      OK(cusparseSpMM(h, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, A, B, &beta, C, typeOf<T>, CUSPARSE_SPMM_ALG_DEFAULT, buffer));
      double worst = 0;
      std::vector<T> got = download(dC, m * n);
      for (int i = 0; i < m * n; i++) worst = std::max(worst, std::abs(Z(got[i]) - want[i]));
      check("SpMM", worst, eps * k);
      // The first column alone.
      T *dY;
      cudaMalloc(&dY, m * sizeof(T));
      cusparseDnVecDescr_t x, y;
      OK(cusparseCreateDnVec(&x, k, dB, typeOf<T>));
      OK(cusparseCreateDnVec(&y, m, dY, typeOf<T>));
      const T zero = T(0);
      OK(cusparseSpMV_bufferSize(h, op, &alpha, A, x, &zero, y, typeOf<T>, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
      OK(cusparseSpMV(h, op, &alpha, A, x, &zero, y, typeOf<T>, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
      got = download(dY, m);
      worst = 0;
      for (int i = 0; i < m; i++) worst = std::max(worst, std::abs(Z(got[i]) - (want[i * n] - Z(beta) * Z(c[i * n]))));
      check("SpMV", worst, eps * k);
      // As a dense matrix.
      if (o == 0) {
        T *dense;
        cudaMalloc(&dense, a.dense.size() * sizeof(T));
        cusparseDnMatDescr_t D;
        OK(cusparseCreateDnMat(&D, a.rows, a.cols, a.rows, dense, typeOf<T>, CUSPARSE_ORDER_COL));
        OK(cusparseSparseToDense(h, A, D, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer));
        got = download(dense, a.dense.size());
        worst = 0;
        for (size_t i = 0; i < got.size(); i++) worst = std::max(worst, std::abs(Z(got[i]) - a.dense[i]));
        check("SparseToDense", worst, 0);
        // And back.
        OK(cusparseDenseToSparse_analysis(h, D, A, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
        int64_t rows, cols, count;
        OK(cusparseSpMatGetSize(A, &rows, &cols, &count));
        check("DenseToSparse_analysis", std::abs(count - int64_t(a.values.size())), 0);
        cudaMemset(format == 1 ? a.dValuesOfColumns : a.dValues, 0, a.values.size() * sizeof(T));
        OK(cusparseDenseToSparse_convert(h, D, A, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
        if (format == 0 && (download(a.dOffsets, a.offsets.size()) != a.offsets || download(a.dCol, a.col.size()) != a.col || download(a.dValues, a.values.size()) != a.values))
          printf("FAIL DenseToSparse of CSR\n"), bad++;
        if (format == 1 && (download(a.dColumnOffsets, a.columnOffsets.size()) != a.columnOffsets || download(a.dValuesOfColumns, a.values.size()) != a.valuesOfColumns))
          printf("FAIL DenseToSparse of CSC\n"), bad++;
        if (format == 2 && (download(a.dRow, a.row.size()) != a.row || download(a.dCol, a.col.size()) != a.col || download(a.dValues, a.values.size()) != a.values))
          printf("FAIL DenseToSparse of COO\n"), bad++;
        OK(cusparseDestroyDnMat(D));
        cudaFree(dense);
      }
      for (void *p : {(void *)dB, (void *)dC, (void *)dY, buffer}) cudaFree(p);
      OK(cusparseDestroyDnMat(B));
      OK(cusparseDestroyDnMat(C));
      OK(cusparseDestroyDnVec(x));
      OK(cusparseDestroyDnVec(y));
      OK(cusparseDestroySpMat(A));
    }
}

// The product of two sparse matrices.
void sparseProduct(cusparseHandle_t h) {
  using T = double;
  const Sparse<T, int> a(23, 17, 0), b(17, 19, 0);
  cusparseSpMatDescr_t A = a.describe(0), B = b.describe(0), C;
  int *offsets;
  cudaMalloc(&offsets, (a.rows + 1) * sizeof(int));
  OK(cusparseCreateCsr(&C, a.rows, b.cols, 0, offsets, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  const T alpha = 2, beta = 0;
  const cusparseOperation_t n = CUSPARSE_OPERATION_NON_TRANSPOSE;
  cusparseSpGEMMDescr_t d;
  size_t size1 = 0, size2 = 0;
  void *buffer1, *buffer2;
  OK(cusparseSpGEMM_createDescr(&d));
  OK(cusparseSpGEMM_workEstimation(h, n, n, &alpha, A, B, &beta, C, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, d, &size1, nullptr));
  cudaMalloc(&buffer1, size1);
  OK(cusparseSpGEMM_workEstimation(h, n, n, &alpha, A, B, &beta, C, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, d, &size1, buffer1));
  OK(cusparseSpGEMM_compute(h, n, n, &alpha, A, B, &beta, C, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, d, &size2, nullptr));
  cudaMalloc(&buffer2, size2);
  OK(cusparseSpGEMM_compute(h, n, n, &alpha, A, B, &beta, C, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, d, &size2, buffer2));
  int64_t rows, cols, count;
  OK(cusparseSpMatGetSize(C, &rows, &cols, &count));
  int *col;
  T *values;
  cudaMalloc(&col, count * sizeof(int));
  cudaMalloc(&values, count * sizeof(T));
  OK(cusparseCsrSetPointers(C, offsets, col, values));
  OK(cusparseSpGEMM_copy(h, n, n, &alpha, A, B, &beta, C, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, d));
  const std::vector<int> o = download(offsets, a.rows + 1), c = download(col, count);
  const std::vector<T> v = download(values, count);
  double worst = 0;
  for (int i = 0; i < a.rows; i++) {
    std::vector<Z> got(b.cols);
    for (int k = o[i]; k < o[i + 1]; k++) got[c[k]] = v[k];
    for (int j = 0; j < b.cols; j++) {
      Z want = 0;
      for (int l = 0; l < a.cols; l++) want += 2.0 * a.dense[i + l * a.rows] * b.dense[l + j * b.rows];
      worst = std::max(worst, std::abs(want - got[j]));
    }
  }
  check("SpGEMM", worst, 1e-14);
  OK(cusparseSpGEMM_destroyDescr(d));
  for (cusparseSpMatDescr_t m : {A, B, C}) OK(cusparseDestroySpMat(m));
  for (void *p : {(void *)offsets, (void *)col, (void *)values, buffer1, buffer2}) cudaFree(p);
}

// Conversions of indices, and sparse vectors.
void rest(cusparseHandle_t h) {
  const Sparse<float, int> a(23, 17, 1);
  const int count = a.values.size();
  int *offsets, *rows;
  cudaMalloc(&offsets, (a.rows + 1) * sizeof(int));
  cudaMalloc(&rows, count * sizeof(int));
  OK(cusparseXcoo2csr(h, a.dRow, count, a.rows, offsets, CUSPARSE_INDEX_BASE_ONE));
  OK(cusparseXcsr2coo(h, a.dOffsets, count, a.rows, rows, CUSPARSE_INDEX_BASE_ONE));
  if (download(offsets, a.rows + 1) != a.offsets || download(rows, count) != a.row) printf("FAIL coo2csr or csr2coo\n"), bad++;
  cudaMemset(a.dColumnOffsets, 0, a.columnOffsets.size() * sizeof(int));
  OK(cusparseCsr2cscEx2(h, a.rows, a.cols, count, a.dValues, a.dOffsets, a.dCol, a.dValuesOfColumns, a.dColumnOffsets, rows, CUDA_R_32F,
                        CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ONE, CUSPARSE_CSR2CSC_ALG1, nullptr));
  if (download(a.dColumnOffsets, a.columnOffsets.size()) != a.columnOffsets || download(rows, count) != a.rowOfColumns ||
      download(a.dValuesOfColumns, count) != a.valuesOfColumns)
    printf("FAIL csr2csc\n"), bad++;
  const std::vector<int> index = {1, 4, 7};
  const std::vector<float> x = {1, 2, 3}, y = {1, 1, 2, 1, 4, 1, 1, 8, 1};
  int *dIndex = upload(index);
  float *dX = upload(x), *dY = upload(y), dot = 0;
  const float alpha = 2, beta = 0.5f;
  cusparseSpVecDescr_t X;
  cusparseDnVecDescr_t Y;
  OK(cusparseCreateSpVec(&X, 9, 3, dIndex, dX, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  OK(cusparseCreateDnVec(&Y, 9, dY, CUDA_R_32F));
  OK(cusparseSpVV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, X, Y, &dot, CUDA_R_32F, nullptr));
  check("SpVV", std::abs(dot - 33), 0);
  OK(cusparseAxpby(h, &alpha, X, &beta, Y));
  if (download(dY, 9) != std::vector<float>{0.5f, 2.5f, 1, 0.5f, 6, 0.5f, 0.5f, 10, 0.5f}) printf("FAIL Axpby\n"), bad++;
  OK(cusparseGather(h, Y, X));
  if (download(dX, 3) != std::vector<float>{2.5f, 6, 10}) printf("FAIL Gather\n"), bad++;
  cudaMemset(dY, 0, 9 * sizeof(float));
  OK(cusparseScatter(h, X, Y));
  if (download(dY, 9) != std::vector<float>{0, 2.5f, 0, 0, 6, 0, 0, 10, 0}) printf("FAIL Scatter\n"), bad++;
  OK(cusparseDestroySpVec(X));
  OK(cusparseDestroyDnVec(Y));
  for (void *p : {(void *)offsets, (void *)rows, (void *)dIndex, (void *)dX, (void *)dY}) cudaFree(p);
}

int main() {
  cusparseHandle_t h;
  OK(cusparseCreate(&h));
  products<float, int>(h, 0, 1e-6);
  products<double, int64_t>(h, 1, 1e-14);
  products<std::complex<float>, int>(h, 0, 2e-6);
  sparseProduct(h);
  rest(h);
  OK(cusparseDestroy(h));
  printf(bad ? "FAIL %d\n" : "PASS\n", bad);
}
