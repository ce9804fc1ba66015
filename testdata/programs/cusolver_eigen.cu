// Programs that call cuSOLVER: eigenvalues of a range and of two matrices, batches, leading singular values, inverses and
// refined solutions, in each type of number that the check of a result can be written for once.
#include <cusolverDn.h>

#include <algorithm>
#include <complex>
#include <type_traits>

#include "../results.h"

#define OK(call) check(#call, (call) == CUSOLVER_STATUS_SUCCESS)

using Z = std::complex<double>;
cusolverDnHandle_t h;
const auto kVectors = CUSOLVER_EIG_MODE_VECTOR;
const int n = 6;

double conjugate(double v) { return v; }
Z conjugate(Z v) { return std::conj(v); }

template <class T> std::vector<T> random(int count) {
  auto v = numbers<double>(2 * count);
  std::vector<T> out(count);
  for (int i = 0; i < count; i++)
    if constexpr (std::is_same_v<T, Z>)
      out[i] = Z(v[2 * i], v[2 * i + 1]);
    else
      out[i] = v[2 * i];
  return out;
}

// a b, of n by n; with the adjoint of a if that is asked for.
template <class T> std::vector<T> product(const std::vector<T> &a, const std::vector<T> &b, bool adjoint = false) {
  std::vector<T> c(n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i + j * n] += (adjoint ? conjugate(a[k + i * n]) : a[i + k * n]) * b[k + j * n];
  return c;
}

// A Hermitian matrix; and one that is positive definite.
template <class T> std::vector<T> hermitian() {
  auto a = random<T>(n * n), s = a;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s[i + j * n] = a[i + j * n] + conjugate(a[j + i * n]);
  return s;
}
template <class T> std::vector<T> positive() {
  auto a = random<T>(n * n), p = product(a, a, true);
  for (int i = 0; i < n; i++) p[i + i * n] += 1;
  return p;
}

// What the other triangle holds is not read.
template <class T> std::vector<T> triangleOf(std::vector<T> a, bool upper) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (upper ? i > j : i < j) a[i + j * n] = T(1e30);
  return a;
}

template <class T> double distance(const std::vector<T> &a, const std::vector<T> &b) {
  double worst = a.size() == b.size() ? 0 : INFINITY;
  for (size_t i = 0; i < std::min(a.size(), b.size()); i++) worst = std::fmax(worst, std::abs(a[i] - b[i]));
  return worst;
}

cusolverStatus_t sygvd(cusolverEigType_t kind, cublasFillMode_t uplo, double *a, double *b, double *w, double *work, int size, int *info) {
  return cusolverDnDsygvd(h, kind, kVectors, uplo, n, a, n, b, n, w, work, size, info);
}
cusolverStatus_t sygvd(cusolverEigType_t kind, cublasFillMode_t uplo, Z *a, Z *b, double *w, Z *work, int size, int *info) {
  return cusolverDnZhegvd(h, kind, kVectors, uplo, n, reinterpret_cast<cuDoubleComplex *>(a), n, reinterpret_cast<cuDoubleComplex *>(b), n, w,
                          reinterpret_cast<cuDoubleComplex *>(work), size, info);
}

// A x = w B x, A B x = w x and B A x = w x.
template <class T> void general() {
  for (auto kind : {CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_TYPE_2, CUSOLVER_EIG_TYPE_3})
    for (auto uplo : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
      const auto a = hermitian<T>(), b = positive<T>();
      const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
      Array<T> da(triangleOf(a, upper)), db(triangleOf(b, upper)), work(n);
      Array<double> dw(n);
      Array<int> info(1);
      OK(sygvd(kind, uplo, da.device, db.device, dw.device, work.device, n, info.device));
      const auto x = da.get();
      const auto w = dw.get();
      check("info", info.get()[0] == 0 && std::is_sorted(w.begin(), w.end()));
      std::vector<T> scaled = x;
      for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) scaled[i + j * n] *= w[j];
      const auto left = kind == CUSOLVER_EIG_TYPE_1 ? product(a, x) : kind == CUSOLVER_EIG_TYPE_2 ? product(a, product(b, x)) : product(b, product(a, x));
      const auto right = kind == CUSOLVER_EIG_TYPE_1 ? product(b, scaled) : scaled;
      check("eigenvectors", distance(left, right) < 1e-9);
    }
}

void notPositive() {
  auto a = hermitian<double>(), b = positive<double>();
  b[2 + 2 * n] = -1;
  Array<double> da(a), db(b), w(n), work(n);
  Array<int> info(1);
  OK(cusolverDnDsygvd(h, CUSOLVER_EIG_TYPE_1, kVectors, CUBLAS_FILL_MODE_LOWER, n, da.device, n, db.device, n, w.device, work.device, n, info.device));
  check("info", info.get()[0] == n + 3);
}

// All, by number and by value, as the whole has them.
void ranges() {
  const auto a = hermitian<double>();
  Array<double> all(a), w(n), work(n);
  Array<int> info(1);
  OK(cusolverDnDsyevd(h, kVectors, CUBLAS_FILL_MODE_LOWER, n, all.device, n, w.device, work.device, n, info.device));
  const auto values = w.get(), vectors = all.get();
  const auto lower = CUBLAS_FILL_MODE_LOWER;
  int found = 0, size = 0;
  OK(cusolverDnDsyevdx_bufferSize(h, kVectors, CUSOLVER_EIG_RANGE_I, lower, n, all.device, n, 0, 0, 2, 4, &found, w.device, &size));
  for (int how = 0; how < 2; how++) {
    Array<double> some(a), ws(n);
    OK(cusolverDnDsyevdx(h, kVectors, how ? CUSOLVER_EIG_RANGE_V : CUSOLVER_EIG_RANGE_I, lower, n, some.device, n, (values[0] + values[1]) / 2,
                         (values[3] + values[4]) / 2, 2, 4, &found, ws.device, work.device, n, info.device));
    check("count", found == 3);
    auto got = ws.get(), columns = some.get();
    got.resize(3), columns.resize(3 * n);
    check("values", distance(got, std::vector<double>(values.begin() + 1, values.begin() + 4)) == 0);
    check("vectors", distance(columns, std::vector<double>(vectors.begin() + n, vectors.begin() + 4 * n)) == 0);
  }
  Array<double> some(a), ws(n);
  int64_t found64 = 0;
  size_t device, host;
  double low = values[0] - 1, high = values[0] + 1e-9;
  OK(cusolverDnXsyevdx_bufferSize(h, nullptr, kVectors, CUSOLVER_EIG_RANGE_V, lower, n, CUDA_R_64F, some.device, n, &low, &high, 0, 0, &found64, CUDA_R_64F,
                                  ws.device, CUDA_R_64F, &device, &host));
  OK(cusolverDnXsyevdx(h, nullptr, kVectors, CUSOLVER_EIG_RANGE_V, lower, n, CUDA_R_64F, some.device, n, &low, &high, 0, 0, &found64, CUDA_R_64F, ws.device,
                       CUDA_R_64F, work.device, device, nullptr, 0, info.device));
  check("count", found64 == 1 && std::fabs(ws.get()[0] - values[0]) < 1e-12);
}

// Each member of a batch against the function for one.
void batches() {
  const int count = 3;
  std::vector<double> a;
  for (int s = 0; s < count; s++)
    for (double v : positive<double>()) a.push_back(v);
  Array<double> da(a), w(n * count), work(n);
  Array<int> info(count);
  syevjInfo_t params;
  OK(cusolverDnCreateSyevjInfo(&params));
  OK(cusolverDnDsyevjBatched(h, kVectors, CUBLAS_FILL_MODE_LOWER, n, da.device, n, w.device, work.device, n, info.device, params, count));
  const auto v = da.get();
  const auto values = w.get();
  for (int s = 0; s < count; s++) {
    const std::vector<double> one(a.begin() + s * n * n, a.begin() + (s + 1) * n * n);
    std::vector<double> x(v.begin() + s * n * n, v.begin() + (s + 1) * n * n), scaled = x;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) scaled[i + j * n] *= values[s * n + j];
    check("eigen", distance(product(one, x), scaled) < 1e-11);
  }
  // Factors and solutions by arrays of pointers.
  Array<double> factors(a), x(numbers<double>(n * count));
  const auto b = x.get();
  std::vector<double *> as, bs;
  for (int s = 0; s < count; s++) as.push_back(factors.device + s * n * n), bs.push_back(x.device + s * n);
  Array<double *> das(as), dbs(bs);
  OK(cusolverDnDpotrfBatched(h, CUBLAS_FILL_MODE_LOWER, n, das.device, n, info.device, count));
  OK(cusolverDnDpotrsBatched(h, CUBLAS_FILL_MODE_LOWER, n, 1, das.device, n, dbs.device, n, info.device, count));
  const auto solved = x.get();
  for (int s = 0; s < count; s++)
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += a[s * n * n + i + k * n] * solved[s * n + k];
      check("solution", std::fabs(sum - b[s * n + i]) < 1e-10);
    }
}

// A against U S V', of the leading values. v has columns.
void isDecomposed(const std::vector<double> &a, int rows, int cols, int rank, const std::vector<double> &s, const std::vector<double> &u, int ldu,
                  const std::vector<double> &v, int ldv, double bound) {
  double worst = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
      double sum = 0;
      for (int k = 0; k < rank; k++) sum += u[i + k * ldu] * s[k] * v[j + k * ldv];
      worst = std::fmax(worst, std::fabs(sum - a[i + j * rows]));
    }
  check("decomposition", worst <= bound);
}

void leading() {
  for (int turned = 0; turned < 2; turned++) { // more rows than columns, and the other way; the rank is 2
    const int rows = turned ? 4 : 7, cols = turned ? 7 : 4;
    const auto x = numbers<double>(rows * 2), y = numbers<double>(cols * 2);
    std::vector<double> a(rows * cols);
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < cols; j++) a[i + j * rows] = x[i] * y[j] + 2 * x[i + rows] * y[j + cols];
    Array<double> da(a), s(2), u(rows * 2), v(cols * 2), work(1);
    Array<int> info(1);
    size_t device, host;
    OK(cusolverDnXgesvdr_bufferSize(h, nullptr, 'S', 'S', rows, cols, 2, 1, 2, CUDA_R_64F, da.device, rows, CUDA_R_64F, s.device, CUDA_R_64F, u.device, rows,
                                    CUDA_R_64F, v.device, cols, CUDA_R_64F, &device, &host));
    OK(cusolverDnXgesvdr(h, nullptr, 'S', 'S', rows, cols, 2, 1, 2, CUDA_R_64F, da.device, rows, CUDA_R_64F, s.device, CUDA_R_64F, u.device, rows, CUDA_R_64F,
                         v.device, cols, CUDA_R_64F, work.device, device, nullptr, 0, info.device));
    isDecomposed(a, rows, cols, 2, s.get(), u.get(), rows, v.get(), cols, 1e-12);
    if (turned) continue;
    double norm = -1;
    Array<double> s2(2), u2(rows * 2), v2(cols * 2), again(a);
    OK(cusolverDnDgesvdaStridedBatched(h, kVectors, 2, rows, cols, again.device, rows, rows * cols, s2.device, 2, u2.device, rows, rows * 2, v2.device, cols,
                                       cols * 2, work.device, 1, info.device, &norm, 1));
    isDecomposed(a, rows, cols, 2, s2.get(), u2.get(), rows, v2.get(), cols, 1e-12);
    check("norm", norm >= 0 && norm < 1e-12);
  }
  const auto a = numbers<double>(5 * 3);
  Array<double> da(a), s(3), u(25), v(9), work(1);
  Array<int> info(1);
  gesvdjInfo_t params;
  OK(cusolverDnCreateGesvdjInfo(&params));
  OK(cusolverDnDgesvdjBatched(h, kVectors, 5, 3, da.device, 5, s.device, u.device, 5, v.device, 3, work.device, 1, info.device, params, 1));
  isDecomposed(a, 5, 3, 3, s.get(), u.get(), 5, v.get(), 3, 1e-12);
  Array<double> again(a);
  double error = -1;
  OK(cusolverDnXgesvdp(h, nullptr, kVectors, 1, 5, 3, CUDA_R_64F, again.device, 5, CUDA_R_64F, s.device, CUDA_R_64F, u.device, 5, CUDA_R_64F, v.device, 3,
                       CUDA_R_64F, work.device, 1, nullptr, 0, info.device, &error));
  isDecomposed(a, 5, 3, 3, s.get(), u.get(), 5, v.get(), 3, 1e-12);
}

// What Jacobi's methods say of themselves.
void sweeps() {
  Array<double> a(hermitian<double>()), b(numbers<double>(n * n)), w(n), u(n * n), v(n * n), work(n);
  Array<int> info(1);
  syevjInfo_t eigen;
  gesvdjInfo_t singular;
  OK(cusolverDnCreateSyevjInfo(&eigen));
  OK(cusolverDnCreateGesvdjInfo(&singular));
  OK(cusolverDnDsyevj(h, kVectors, CUBLAS_FILL_MODE_LOWER, n, a.device, n, w.device, work.device, n, info.device, eigen));
  OK(cusolverDnDgesvdj(h, kVectors, 0, n, n, b.device, n, w.device, u.device, n, v.device, n, work.device, n, info.device, singular));
  int count = 0;
  double left = -1;
  OK(cusolverDnXsyevjGetSweeps(h, eigen, &count));
  OK(cusolverDnXsyevjGetResidual(h, eigen, &left));
  check("eigen", count > 1 && count < 15 && left >= 0 && left < 1e-13);
  OK(cusolverDnXgesvdjGetSweeps(h, singular, &count));
  OK(cusolverDnXgesvdjGetResidual(h, singular, &left));
  check("singular", count > 1 && count < 15 && left >= 0 && left < 1e-13);
}

void inverses() {
  const auto a = positive<double>();
  std::vector<double> unit(n * n);
  for (int i = 0; i < n; i++) unit[i + i * n] = 1;
  for (auto uplo : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    Array<double> da(a), work(n);
    Array<int> info(1);
    OK(cusolverDnDpotrf(h, uplo, n, da.device, n, work.device, n, info.device));
    OK(cusolverDnDpotri(h, uplo, n, da.device, n, work.device, n, info.device));
    auto x = da.get();
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (upper ? i > j : i < j) {
          check("other triangle", x[i + j * n] == a[i + j * n]);
          x[i + j * n] = x[j + i * n];
        }
    check("inverse", distance(product(a, x), unit) < 1e-10);
    size_t device, host;
    Array<double> dt(a);
    OK(cusolverDnXtrtri_bufferSize(h, uplo, CUBLAS_DIAG_NON_UNIT, n, CUDA_R_64F, dt.device, n, &device, &host));
    OK(cusolverDnXtrtri(h, uplo, CUBLAS_DIAG_NON_UNIT, n, CUDA_R_64F, dt.device, n, work.device, device, nullptr, 0, info.device));
    auto t = a, r = dt.get();
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (upper ? i > j : i < j) t[i + j * n] = r[i + j * n] = 0;
    check("triangular inverse", distance(product(t, r), unit) < 1e-9);
  }
}

void refined() {
  const auto a = positive<double>(), x = numbers<double>(n);
  std::vector<double> b(n);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) b[i] += a[i + k * n] * x[k];
  Array<int> pivots(n), info(1);
  size_t bytes;
  int iterations = -1;
  {
    Array<double> da(a), db(b), dx(n);
    OK(cusolverDnDHgesv_bufferSize(h, n, 1, da.device, n, pivots.device, db.device, n, dx.device, n, nullptr, &bytes));
    Array<char> work(static_cast<int>(bytes));
    OK(cusolverDnDHgesv(h, n, 1, da.device, n, pivots.device, db.device, n, dx.device, n, work.device, bytes, &iterations, info.device));
    check("gesv", distance(dx.get(), x) < 1e-10 && iterations >= 0 && info.get()[0] == 0);
  }
  {
    Array<double> da(a), db(b), dx(n);
    cusolverDnIRSParams_t params;
    cusolverDnIRSInfos_t infos;
    OK(cusolverDnIRSParamsCreate(&params));
    OK(cusolverDnIRSInfosCreate(&infos));
    OK(cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_64F, CUSOLVER_R_16F));
    OK(cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_GMRES));
    OK(cusolverDnIRSXgesv_bufferSize(h, params, n, 1, &bytes));
    Array<char> work(static_cast<int>(bytes));
    OK(cusolverDnIRSXgesv(h, params, infos, n, 1, da.device, n, db.device, n, dx.device, n, work.device, bytes, &iterations, info.device));
    check("irs", distance(dx.get(), x) < 1e-10);
    OK(cusolverDnIRSInfosDestroy(infos));
    OK(cusolverDnIRSParamsDestroy(params));
  }
  // Least squares: the residual is orthogonal to the columns.
  const int rows = n + 3;
  const auto tall = numbers<double>(rows * n), c = numbers<double>(rows);
  Array<double> da(tall), dc(c), dx(n);
  OK(cusolverDnDDgels(h, rows, n, 1, da.device, rows, dc.device, rows, dx.device, n, nullptr, 0, &iterations, info.device));
  const auto y = dx.get();
  std::vector<double> left = c;
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < n; k++) left[i] -= tall[i + k * rows] * y[k];
  for (int k = 0; k < n; k++) {
    double sum = 0;
    for (int i = 0; i < rows; i++) sum += tall[i + k * rows] * left[i];
    check("gels", std::fabs(sum) < 1e-10);
  }
}

int main() {
  OK(cusolverDnCreate(&h));
  program("general, real", general<double>);
  program("general, complex", general<Z>);
  program("not positive", notPositive);
  program("ranges", ranges);
  program("batches", batches);
  program("leading", leading);
  program("sweeps", sweeps);
  program("inverses", inverses);
  program("refined", refined);
  cusolverDnDestroy(h);
  return failed != 0;
}
