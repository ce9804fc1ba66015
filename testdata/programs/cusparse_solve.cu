// Programs that call cuSPARSE: triangular and banded systems, incomplete factors, sampled products, formats of blocks and
// slices, batches, narrow values, products whose structure stays, and sorting.
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <type_traits>

#include "../results.h"

#define OK(call) check(#call, (call) == CUSPARSE_STATUS_SUCCESS)

cusparseHandle_t h;
const auto k32 = CUSPARSE_INDEX_32I;
const auto kZero = CUSPARSE_INDEX_BASE_ZERO;
const auto kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE, kTransposed = CUSPARSE_OPERATION_TRANSPOSE;

// A matrix by rows, with a dense copy of it by columns.
template <class T> struct Matrix {
  int n, m;
  std::vector<int> offsets{0}, cols, rows;
  std::vector<T> values, dense;
  Matrix(int n, int m, bool (*has)(int, int)) : n(n), m(m), dense(n * m) {
    const auto v = numbers<T>(n * m);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < m; j++)
        if (has(i, j)) {
          const T x = i == j ? v[i * m + j] + T(4) : v[i * m + j];
          cols.push_back(j), rows.push_back(i), values.push_back(x), dense[i + j * n] = x;
        }
      offsets.push_back(static_cast<int>(cols.size()));
    }
  }
};
bool some(int i, int j) { return i == j || (i * 7 + j * 5) % 4 == 0; }
bool band(int i, int j) { return std::abs(i - j) <= 1 || std::abs(i - j) == 4; }

template <class T> struct OnDevice {
  Array<int> offsets, cols, rows;
  Array<T> values;
  explicit OnDevice(const Matrix<T> &a) : offsets(a.offsets), cols(a.cols), rows(a.rows), values(a.values) {}
};

template <class T> constexpr cudaDataType kType = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;

// The largest of op(T) y - alpha x, where T is the triangle of a that is meant.
double triangleError(const Matrix<double> &a, bool upper, bool unit, bool transposed, double alpha, const std::vector<double> &x, const std::vector<double> &y) {
  double worst = 0;
  for (int i = 0; i < a.n; i++) {
    double sum = 0;
    for (int j = 0; j < a.n; j++) {
      const int r = transposed ? j : i, c = transposed ? i : j;
      double v = r == c ? (unit ? 1 : a.dense[r + c * a.n]) : (upper ? r < c : r > c) ? a.dense[r + c * a.n] : 0;
      sum += v * y[j];
    }
    worst = std::fmax(worst, std::fabs(sum - alpha * x[i]));
  }
  return worst;
}

void triangles() {
  const int n = 13;
  Matrix<double> a(n, n, some);
  OnDevice<double> d(a);
  const auto x = numbers<double>(n);
  Array<double> dx(x), dy(n);
  cusparseDnVecDescr_t vx, vy;
  OK(cusparseCreateDnVec(&vx, n, dx.device, CUDA_R_64F));
  OK(cusparseCreateDnVec(&vy, n, dy.device, CUDA_R_64F));
  const double alpha = 1.5;
  for (int format = 0; format < 3; format++)
    for (bool upper : {false, true})
      for (bool unit : {false, true})
        for (auto op : {kPlain, kTransposed}) {
          cusparseSpMatDescr_t m;
          // By columns the arrays are those of the transpose.
          if (format == 0) OK(cusparseCreateCsr(&m, n, n, a.cols.size(), d.offsets.device, d.cols.device, d.values.device, k32, k32, kZero, CUDA_R_64F));
          if (format == 1) OK(cusparseCreateCoo(&m, n, n, a.cols.size(), d.rows.device, d.cols.device, d.values.device, k32, kZero, CUDA_R_64F));
          if (format == 2) OK(cusparseCreateCsc(&m, n, n, a.cols.size(), d.offsets.device, d.cols.device, d.values.device, k32, k32, kZero, CUDA_R_64F));
          auto fill = upper ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
          auto diag = unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
          OK(cusparseSpMatSetAttribute(m, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
          OK(cusparseSpMatSetAttribute(m, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof diag));
          cusparseSpSVDescr_t solver;
          size_t bytes = 0;
          OK(cusparseSpSV_createDescr(&solver));
          OK(cusparseSpSV_bufferSize(h, op, &alpha, m, vx, vy, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, solver, &bytes));
          Array<char> buffer(static_cast<int>(bytes));
          OK(cusparseSpSV_analysis(h, op, &alpha, m, vx, vy, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, solver, buffer.device));
          OK(cusparseSpSV_solve(h, op, &alpha, m, vx, vy, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, solver));
          const bool turned = format == 2;
          check("triangle", triangleError(a, upper != turned, unit, (op == kTransposed) != turned, alpha, x, dy.get()) < 1e-9);
          auto twice = a.values;
          for (double &v : twice) v *= 2;
          Array<double> other(twice);
          OK(cusparseSpSV_updateMatrix(h, solver, other.device, CUSPARSE_SPSV_UPDATE_GENERAL));
          OK(cusparseSpSV_solve(h, op, &alpha, m, vx, vy, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, solver));
          if (!unit) check("other values", triangleError(a, upper != turned, unit, (op == kTransposed) != turned, alpha / 2, x, dy.get()) < 1e-9);
          OK(cusparseSpSV_destroyDescr(solver));
          OK(cusparseDestroySpMat(m));
        }
}

void manySides() {
  const int n = 9, sides = 3;
  Matrix<double> a(n, n, some);
  OnDevice<double> d(a);
  const auto b = numbers<double>(n * sides);
  Array<double> db(b), dc(n * sides);
  cusparseSpMatDescr_t m;
  cusparseDnMatDescr_t mb, mc;
  OK(cusparseCreateCsr(&m, n, n, a.cols.size(), d.offsets.device, d.cols.device, d.values.device, k32, k32, kZero, CUDA_R_64F));
  OK(cusparseCreateDnMat(&mb, sides, n, sides, db.device, CUDA_R_64F, CUSPARSE_ORDER_COL)); // its transpose
  OK(cusparseCreateDnMat(&mc, n, sides, n, dc.device, CUDA_R_64F, CUSPARSE_ORDER_COL));
  cusparseSpSMDescr_t solver;
  size_t bytes;
  const double alpha = -2;
  OK(cusparseSpSM_createDescr(&solver));
  OK(cusparseSpSM_bufferSize(h, kPlain, kTransposed, &alpha, m, mb, mc, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, solver, &bytes));
  Array<char> buffer(static_cast<int>(bytes));
  OK(cusparseSpSM_analysis(h, kPlain, kTransposed, &alpha, m, mb, mc, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, solver, buffer.device));
  OK(cusparseSpSM_solve(h, kPlain, kTransposed, &alpha, m, mb, mc, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, solver));
  const auto c = dc.get();
  for (int s = 0; s < sides; s++) {
    std::vector<double> x(n), y(c.begin() + s * n, c.begin() + (s + 1) * n);
    for (int i = 0; i < n; i++) x[i] = b[s + i * sides];
    check("side", triangleError(a, false, false, false, alpha, x, y) < 1e-9);
  }
  OK(cusparseSpSM_destroyDescr(solver));
}

// C = alpha A B + beta C of the elements that C has.
void sampled() {
  const int m = 6, n = 8, k = 5;
  Matrix<float> c(m, n, some);
  OnDevice<float> d(c);
  const auto a = numbers<float>(m * k), b = numbers<float>(k * n);
  Array<float> da(a), db(b);
  cusparseDnMatDescr_t ma, mb;
  cusparseSpMatDescr_t mc;
  OK(cusparseCreateDnMat(&ma, m, k, m, da.device, CUDA_R_32F, CUSPARSE_ORDER_COL));
  OK(cusparseCreateDnMat(&mb, k, n, n, db.device, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  OK(cusparseCreateCsr(&mc, m, n, c.cols.size(), d.offsets.device, d.cols.device, d.values.device, k32, k32, kZero, CUDA_R_32F));
  const float alpha = 2, beta = -1;
  size_t bytes;
  OK(cusparseSDDMM_bufferSize(h, kPlain, kPlain, &alpha, ma, mb, &beta, mc, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, &bytes));
  Array<char> buffer(static_cast<int>(bytes));
  OK(cusparseSDDMM_preprocess(h, kPlain, kPlain, &alpha, ma, mb, &beta, mc, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, buffer.device));
  OK(cusparseSDDMM(h, kPlain, kPlain, &alpha, ma, mb, &beta, mc, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, buffer.device));
  std::vector<float> want;
  for (size_t e = 0; e < c.cols.size(); e++) {
    float sum = 0;
    for (int l = 0; l < k; l++) sum += a[c.rows[e] + l * m] * b[l * n + c.cols[e]];
    want.push_back(alpha * sum + beta * c.values[e]);
  }
  near("values", d.values.get(), want, 1e-5);
}

// y = A x for a matrix of any format; x has ones and twos.
template <class T> std::vector<T> times(cusparseConstSpMatDescr_t a, int rows, int cols, cusparseOperation_t op = kPlain) {
  std::vector<T> x(cols);
  for (int i = 0; i < cols; i++) x[i] = T(1 + i % 2);
  Array<T> dx(x), dy(rows);
  cusparseDnVecDescr_t vx, vy;
  const T one = 1, zero = 0;
  OK(cusparseCreateDnVec(&vx, cols, dx.device, kType<T>));
  OK(cusparseCreateDnVec(&vy, rows, dy.device, kType<T>));
  OK(cusparseSpMV(h, op, &one, a, vx, &zero, vy, kType<T>, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
  return dy.get();
}

void blocks() {
  // Rows of blocks of 2 by 3: the first has one in block column 1, the second those of 0 and 1.
  std::vector<float> values(18);
  for (int i = 0; i < 18; i++) values[i] = float(i + 1);
  Array<float> dv(values);
  Array<int> offsets({0, 1, 3}), cols({1, 0, 1});
  for (auto order : {CUSPARSE_ORDER_ROW, CUSPARSE_ORDER_COL}) {
    cusparseSpMatDescr_t m;
    OK(cusparseCreateBsr(&m, 2, 2, 3, 2, 3, offsets.device, cols.device, dv.device, k32, k32, kZero, CUDA_R_32F, order));
    cusparseFormat_t format;
    OK(cusparseSpMatGetFormat(m, &format));
    check("format", format == CUSPARSE_FORMAT_BSR);
    std::vector<float> dense(4 * 6), want(4), back(6);
    const int row[] = {0, 1, 1}, col[] = {1, 0, 1};
    for (int b = 0; b < 3; b++)
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) dense[row[b] * 2 + i + (col[b] * 3 + j) * 4] = values[b * 6 + (order == CUSPARSE_ORDER_ROW ? i * 3 + j : j * 2 + i)];
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 6; j++) want[i] += dense[i + j * 4] * (1 + j % 2), back[j] += dense[i + j * 4] * (1 + i % 2);
    near("blocks", times<float>(m, 4, 6), want, 0);
    near("blocks transposed", times<float>(m, 6, 4, kTransposed), back, 0);
    Array<float> whole(24);
    cusparseDnMatDescr_t md;
    OK(cusparseCreateDnMat(&md, 4, 6, 4, whole.device, CUDA_R_32F, CUSPARSE_ORDER_COL));
    OK(cusparseSparseToDense(h, m, md, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    near("dense", whole.get(), dense, 0);
  }
}

void ellpack() {
  // Blocked: 4 by 4 in blocks of 2, one block a row of blocks; the second has no block.
  Array<int> cols({1, -1});
  Array<float> values({1, 2, 3, 4, 0, 0, 0, 0});
  cusparseSpMatDescr_t m;
  OK(cusparseCreateBlockedEll(&m, 4, 4, 2, 2, cols.device, values.device, k32, kZero, CUDA_R_32F));
  near("blocked", times<float>(m, 4, 4), std::vector<float>{1 + 4, 3 + 8, 0, 0}, 0);
  // Sliced: slices of 2 rows, of 2 and of 1 values a row.
  Array<int> slices({0, 4, 6}), columns({0, 1, 2, -1, 3, 0});
  Array<float> more({1, 2, 3, 0, 4, 5});
  OK(cusparseCreateSlicedEll(&m, 4, 4, 5, 6, 2, slices.device, columns.device, more.device, k32, k32, kZero, CUDA_R_32F));
  near("sliced", times<float>(m, 4, 4), std::vector<float>{1 + 3, 4, 8, 5}, 0);
}

void batches() {
  const int n = 5, count = 2, cols = 3;
  Matrix<float> a(n, n, some);
  const int nnz = static_cast<int>(a.cols.size());
  auto values = a.values;
  for (float v : a.values) values.push_back(-3 * v);
  auto indices = a.cols;
  indices.insert(indices.end(), a.cols.begin(), a.cols.end());
  const auto b = numbers<float>(n * cols * count);
  Array<int> offsets(a.offsets), columns(indices);
  Array<float> dv(values), db(b), dc(n * cols * count);
  cusparseSpMatDescr_t m;
  cusparseDnMatDescr_t mb, mc;
  OK(cusparseCreateCsr(&m, n, n, nnz, offsets.device, columns.device, dv.device, k32, k32, kZero, CUDA_R_32F));
  OK(cusparseCsrSetStridedBatch(m, count, 0, nnz)); // the offsets are the same for both
  OK(cusparseCreateDnMat(&mb, n, cols, n, db.device, CUDA_R_32F, CUSPARSE_ORDER_COL));
  OK(cusparseCreateDnMat(&mc, n, cols, n, dc.device, CUDA_R_32F, CUSPARSE_ORDER_COL));
  OK(cusparseDnMatSetStridedBatch(mb, count, n * cols));
  OK(cusparseDnMatSetStridedBatch(mc, count, n * cols));
  const float one = 1, zero = 0;
  OK(cusparseSpMM(h, kPlain, kPlain, &one, m, mb, &zero, mc, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
  std::vector<float> want(n * cols * count);
  for (int s = 0; s < count; s++)
    for (int j = 0; j < cols; j++)
      for (int i = 0; i < n; i++)
        for (int l = 0; l < n; l++) want[i + (j + s * cols) * n] += (s ? -3 : 1) * a.dense[i + l * n] * b[l + (j + s * cols) * n];
  near("batch", dc.get(), want, 1e-5);
}

void narrow() { // half values, whose sums are in single precision
  std::vector<__half> values, x;
  for (float v : {1.0f, 2.0f, 3.0f, 4.0f, 5.0f}) values.push_back(__float2half(v));
  for (float v : {1.0f, 2.0f, 0.5f}) x.push_back(__float2half(v));
  Array<int> offsets({0, 2, 3, 5}), cols({0, 2, 1, 0, 2});
  Array<__half> dv(values), dx(x), dy(3);
  Array<float> wide(3);
  cusparseSpMatDescr_t m;
  cusparseDnVecDescr_t vx, vy, vw;
  const float one = 1, zero = 0;
  OK(cusparseCreateCsr(&m, 3, 3, 5, offsets.device, cols.device, dv.device, k32, k32, kZero, CUDA_R_16F));
  OK(cusparseCreateDnVec(&vx, 3, dx.device, CUDA_R_16F));
  OK(cusparseCreateDnVec(&vy, 3, dy.device, CUDA_R_16F));
  OK(cusparseCreateDnVec(&vw, 3, wide.device, CUDA_R_32F));
  OK(cusparseSpMV(h, kPlain, &one, m, vx, &zero, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
  near("half", dy.get(), std::vector<float>{2, 6, 6.5f}, 0);
  OK(cusparseSpMV(h, kTransposed, &one, m, vx, &zero, vw, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
  near("single", wide.get(), std::vector<float>{3, 6, 4.5f}, 0);
}

void reused() {
  Matrix<float> a(6, 5, some), b(5, 7, some);
  OnDevice<float> da(a), db(b);
  cusparseSpMatDescr_t ma, mb, mc;
  Array<int> offsets(7);
  OK(cusparseCreateCsr(&ma, 6, 5, a.cols.size(), da.offsets.device, da.cols.device, da.values.device, k32, k32, kZero, CUDA_R_32F));
  OK(cusparseCreateCsr(&mb, 5, 7, b.cols.size(), db.offsets.device, db.cols.device, db.values.device, k32, k32, kZero, CUDA_R_32F));
  OK(cusparseCreateCsr(&mc, 6, 7, 0, offsets.device, nullptr, nullptr, k32, k32, kZero, CUDA_R_32F));
  cusparseSpGEMMDescr_t d;
  size_t s1, s2, s3, s4, s5;
  const auto alg = CUSPARSE_SPGEMM_DEFAULT;
  OK(cusparseSpGEMM_createDescr(&d));
  OK(cusparseSpGEMMreuse_workEstimation(h, kPlain, kPlain, ma, mb, mc, alg, d, &s1, nullptr));
  Array<char> buffer(1024);
  OK(cusparseSpGEMMreuse_workEstimation(h, kPlain, kPlain, ma, mb, mc, alg, d, &s1, buffer.device));
  OK(cusparseSpGEMMreuse_nnz(h, kPlain, kPlain, ma, mb, mc, alg, d, &s2, nullptr, &s3, nullptr, &s4, nullptr));
  OK(cusparseSpGEMMreuse_nnz(h, kPlain, kPlain, ma, mb, mc, alg, d, &s2, buffer.device, &s3, buffer.device, &s4, buffer.device));
  int64_t rows, cols, count;
  OK(cusparseSpMatGetSize(mc, &rows, &cols, &count));
  Array<int> columns(static_cast<int>(count));
  Array<float> values(static_cast<int>(count));
  OK(cusparseCsrSetPointers(mc, offsets.device, columns.device, values.device));
  OK(cusparseSpGEMMreuse_copy(h, kPlain, kPlain, ma, mb, mc, alg, d, &s5, nullptr));
  OK(cusparseSpGEMMreuse_copy(h, kPlain, kPlain, ma, mb, mc, alg, d, &s5, buffer.device));
  const float alpha = 2, zero = 0;
  for (int again = 0; again < 2; again++) { // the second time with other values
    if (again) {
      for (float &v : a.values) v *= 3;
      for (float &v : a.dense) v *= 3;
      cudaMemcpy(da.values.device, a.values.data(), a.values.size() * sizeof(float), cudaMemcpyHostToDevice);
    }
    OK(cusparseSpGEMMreuse_compute(h, kPlain, kPlain, &alpha, ma, mb, &zero, mc, CUDA_R_32F, alg, d));
    Array<float> dense(42);
    cusparseDnMatDescr_t md;
    OK(cusparseCreateDnMat(&md, 6, 7, 6, dense.device, CUDA_R_32F, CUSPARSE_ORDER_COL));
    OK(cusparseSparseToDense(h, mc, md, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    std::vector<float> want(42);
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 7; j++)
        for (int l = 0; l < 5; l++) want[i + j * 6] += alpha * a.dense[i + l * 6] * b.dense[l + j * 5];
    near("product", dense.get(), want, 1e-4);
  }
  // How many pairs of values there are.
  OK(cusparseSpGEMM_workEstimation(h, kPlain, kPlain, &alpha, ma, mb, &zero, mc, CUDA_R_32F, alg, d, &s1, buffer.device));
  int64_t pairs = 0, want = 0;
  OK(cusparseSpGEMM_getNumProducts(d, &pairs));
  for (int c : a.cols) want += b.offsets[c + 1] - b.offsets[c];
  check("pairs", pairs == want);
}

// Incomplete factors against those of a dense elimination that leaves out what the matrix does not have.
void incomplete() {
  const int n = 12;
  Matrix<double> a(n, n, band);
  for (int i = 0; i < n; i++) // symmetric, for the second one
    for (int j = 0; j < i; j++) a.dense[i + j * n] = a.dense[j + i * n];
  for (size_t e = 0; e < a.cols.size(); e++) a.values[e] = a.dense[a.rows[e] + a.cols[e] * n];
  cusparseMatDescr_t m;
  OK(cusparseCreateMatDescr(&m));
  const int nnz = static_cast<int>(a.cols.size());
  const auto valuesOf = [&](const std::vector<double> &dense) {
    std::vector<double> out;
    for (int e = 0; e < nnz; e++) out.push_back(dense[a.rows[e] + a.cols[e] * n]);
    return out;
  };
  int size, position;
  {
    OnDevice<double> d(a);
    csrilu02Info_t info;
    OK(cusparseCreateCsrilu02Info(&info));
    OK(cusparseDcsrilu02_bufferSize(h, n, nnz, m, d.values.device, d.offsets.device, d.cols.device, info, &size));
    Array<char> buffer(size);
    OK(cusparseDcsrilu02_analysis(h, n, nnz, m, d.values.device, d.offsets.device, d.cols.device, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.device));
    OK(cusparseXcsrilu02_zeroPivot(h, info, &position));
    OK(cusparseDcsrilu02(h, n, nnz, m, d.values.device, d.offsets.device, d.cols.device, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.device));
    OK(cusparseXcsrilu02_zeroPivot(h, info, &position));
    check("pivot", position == -1);
    auto f = a.dense;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < i; k++)
        if (band(i, k)) {
          f[i + k * n] /= f[k + k * n];
          for (int j = k + 1; j < n; j++)
            if (band(i, j) && band(k, j)) f[i + j * n] -= f[i + k * n] * f[k + j * n];
        }
    near("lu", d.values.get(), valuesOf(f), 1e-12);
    OK(cusparseDestroyCsrilu02Info(info));
  }
  OnDevice<double> d(a);
  csric02Info_t info;
  OK(cusparseCreateCsric02Info(&info));
  OK(cusparseDcsric02_bufferSize(h, n, nnz, m, d.values.device, d.offsets.device, d.cols.device, info, &size));
  Array<char> buffer(size);
  OK(cusparseDcsric02_analysis(h, n, nnz, m, d.values.device, d.offsets.device, d.cols.device, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.device));
  OK(cusparseDcsric02(h, n, nnz, m, d.values.device, d.offsets.device, d.cols.device, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.device));
  OK(cusparseXcsric02_zeroPivot(h, info, &position));
  auto f = a.dense;
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++) {
      if (!band(i, k)) continue;
      double sum = f[i + k * n];
      for (int j = 0; j < k; j++)
        if (band(i, j) && band(k, j)) sum -= f[i + j * n] * f[k + j * n];
      f[i + k * n] = i == k ? std::sqrt(sum) : sum / f[k + k * n];
    }
  const auto got = d.values.get();
  for (int e = 0; e < nnz; e++)
    if (a.cols[e] <= a.rows[e]) check("cholesky", std::fabs(got[e] - f[a.rows[e] + a.cols[e] * n]) < 1e-12);
  // A row without a diagonal.
  Array<int> offsets({0, 1, 2}), cols({0, 0});
  Array<double> values({1, 1});
  csrilu02Info_t other;
  OK(cusparseCreateCsrilu02Info(&other));
  OK(cusparseDcsrilu02_analysis(h, 2, 2, m, values.device, offsets.device, cols.device, other, CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.device));
  check("zero pivot", cusparseXcsrilu02_zeroPivot(h, other, &position) == CUSPARSE_STATUS_ZERO_PIVOT && position == 1);
}

// The largest of A x - b for a matrix of diagonals, the lowest first.
double bandedError(int n, int below, const std::vector<std::vector<double>> &diagonals, const std::vector<double> &x, const std::vector<double> &b) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int d = -below; d <= below; d++)
      if (i + d >= 0 && i + d < n) sum += diagonals[d + below][i] * x[i + d];
    worst = std::fmax(worst, std::fabs(sum - b[i]));
  }
  return worst;
}

void banded() {
  const int n = 17, count = 3;
  std::vector<std::vector<double>> five;
  for (int d = 0; d < 5; d++) five.push_back(numbers<double>(n)); // needs exchanges of rows
  for (int i = 0; i < n; i++)
    for (int d = -2; d <= 2; d++)
      if (i + d < 0 || i + d >= n) five[d + 2][i] = 0;
  const std::vector<std::vector<double>> three{five[1], five[2], five[3]};
  const auto b = numbers<double>(n * count);
  Array<double> lower(three[0]), middle(three[1]), upper(three[2]), x(b);
  size_t bytes;
  OK(cusparseDgtsv2_bufferSizeExt(h, n, count, lower.device, middle.device, upper.device, x.device, n, &bytes));
  Array<char> buffer(static_cast<int>(bytes));
  OK(cusparseDgtsv2(h, n, count, lower.device, middle.device, upper.device, x.device, n, buffer.device));
  const auto solved = x.get();
  for (int s = 0; s < count; s++)
    check("gtsv2", bandedError(n, 1, three, {solved.begin() + s * n, solved.begin() + (s + 1) * n}, {b.begin() + s * n, b.begin() + (s + 1) * n}) < 1e-9);
  // The same system in each place of a batch, interleaved, with five diagonals.
  std::vector<Array<double> *> diagonals;
  std::vector<double> sides(n * count);
  for (int d = 0; d < 5; d++) {
    std::vector<double> v(n * count);
    for (int i = 0; i < n; i++)
      for (int s = 0; s < count; s++) v[i * count + s] = five[d][i], sides[i * count + s] = b[s * n + i];
    diagonals.push_back(new Array<double>(v));
  }
  Array<double> y(sides);
  OK(cusparseDgpsvInterleavedBatch(h, 0, n, diagonals[0]->device, diagonals[1]->device, diagonals[2]->device, diagonals[3]->device, diagonals[4]->device,
                                   y.device, count, buffer.device));
  const auto all = y.get();
  for (int s = 0; s < count; s++) {
    std::vector<double> one(n);
    for (int i = 0; i < n; i++) one[i] = all[i * count + s];
    check("gpsv", bandedError(n, 2, five, one, {b.begin() + s * n, b.begin() + (s + 1) * n}) < 1e-8);
  }
  for (auto *d : diagonals) delete d;
}

void sorted() {
  const int count = 41;
  std::vector<int> rows(count), cols(count);
  for (int k = 0; k < count; k++) rows[k] = k * 17 % 11, cols[k] = k * 5 % 13;
  Array<int> dr(rows), dc(cols), order(count);
  size_t bytes;
  OK(cusparseXcoosort_bufferSizeExt(h, 11, 13, count, dr.device, dc.device, &bytes));
  Array<char> buffer(static_cast<int>(bytes));
  OK(cusparseCreateIdentityPermutation(h, count, order.device));
  OK(cusparseXcoosortByRow(h, 11, 13, count, dr.device, dc.device, order.device, buffer.device));
  const auto r = dr.get(), c = dc.get(), p = order.get();
  for (int k = 0; k < count; k++) {
    check("same", rows[p[k]] == r[k] && cols[p[k]] == c[k]);
    if (k) check("order", r[k - 1] < r[k] || (r[k - 1] == r[k] && c[k - 1] <= c[k]));
  }
  OK(cusparseXcoosortByColumn(h, 11, 13, count, dr.device, dc.device, order.device, buffer.device));
  check("by columns", [c = dc.get()] { return std::is_sorted(c.begin(), c.end()); }());
  Array<int> offsets({0, 3, 5}), columns({2, 0, 1, 4, 3}), places({0, 1, 2, 3, 4});
  cusparseMatDescr_t m;
  OK(cusparseCreateMatDescr(&m));
  OK(cusparseXcsrsort(h, 2, 5, 5, m, offsets.device, columns.device, places.device, buffer.device));
  near("columns", columns.get(), std::vector<int>{0, 1, 2, 3, 4}, 0);
  near("places", places.get(), std::vector<int>{1, 2, 0, 4, 3}, 0);
}

void rotated() {
  Array<int> index({0, 3});
  Array<float> x({1, 2}), y({5, 6, 7, 8});
  cusparseSpVecDescr_t vx;
  cusparseDnVecDescr_t vy;
  OK(cusparseCreateSpVec(&vx, 4, 2, index.device, x.device, k32, kZero, CUDA_R_32F));
  OK(cusparseCreateDnVec(&vy, 4, y.device, CUDA_R_32F));
  const float c = 2, s = 3;
  OK(cusparseRot(h, &c, &s, vx, vy));
  near("x", x.get(), std::vector<float>{2 + 15, 4 + 24}, 0);
  near("y", y.get(), std::vector<float>{10 - 3, 6, 7, 16 - 6}, 0);
}

int main() {
  OK(cusparseCreate(&h));
  program("triangles", triangles);
  program("many sides", manySides);
  program("sampled", sampled);
  program("blocks", blocks);
  program("ellpack", ellpack);
  program("batches", batches);
  program("narrow", narrow);
  program("reused", reused);
  program("incomplete", incomplete);
  program("banded", banded);
  program("sorted", sorted);
  program("rotated", rotated);
  cusparseDestroy(h);
  return failed != 0;
}
