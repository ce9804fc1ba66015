// Programs that call cuSOLVER for dense matrices: factors, solutions, eigenvalues and singular values, with the sizes of
// workspaces that it asks for.
#include <cusolverDn.h>

#include <algorithm>
#include <complex>

#include "../results.h"

#define OK(call) check(#call, (call) == CUSOLVER_STATUS_SUCCESS)

using Z = std::complex<double>;
cusolverDnHandle_t h;
const auto kLower = CUBLAS_FILL_MODE_LOWER;
const int n = 4;

// A symmetric positive definite matrix.
template <class T> std::vector<T> positive() {
  auto a = numbers<T>(n * n);
  std::vector<T> p(n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < n; k++) p[i + j * n] += a[i + k * n] * a[j + k * n];
      if (i == j) p[i + j * n] += 1;
    }
  return p;
}

template <class T> std::vector<T> times(const std::vector<T> &a, const std::vector<T> &x, int rows, int cols) {
  std::vector<T> b(rows);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) b[i] += a[i + j * rows] * x[j];
  return b;
}

// A matrix v with v' a v diagonal, and what is on its diagonal.
void areEigen(const std::vector<double> &a, const std::vector<double> &v, const std::vector<double> &w) {
  for (int j = 0; j < n; j++) {
    std::vector<double> column(v.begin() + j * n, v.begin() + j * n + n), want = column;
    for (double &x : want) x *= w[j];
    near("eigenvector", times(a, column, n, n), want, 1e-12);
  }
  check("order", std::is_sorted(w.begin(), w.end()));
}

void choleskySingle() {
  auto a = positive<float>(), x = numbers<float>(n);
  Array<float> da(a), db(times(a, x, n, n));
  Array<int> info(1);
  int size = 0;
  OK(cusolverDnSpotrf_bufferSize(h, kLower, n, da.device, n, &size));
  Array<float> work(size + 1);
  OK(cusolverDnSpotrf(h, kLower, n, da.device, n, work.device, size, info.device));
  OK(cusolverDnSpotrs(h, kLower, n, 1, da.device, n, db.device, n, info.device));
  near("solution", db.get(), x, 1e-5);
  check("info", info.get()[0] == 0);
}

void choleskyDouble() {
  auto a = positive<double>(), x = numbers<double>(n);
  Array<double> da(a), db(times(a, x, n, n));
  Array<int> info(1);
  int size = 0;
  OK(cusolverDnDpotrf_bufferSize(h, kLower, n, da.device, n, &size));
  Array<double> work(size + 1);
  OK(cusolverDnDpotrf(h, kLower, n, da.device, n, work.device, size, info.device));
  OK(cusolverDnDpotrs(h, kLower, n, 1, da.device, n, db.device, n, info.device));
  near("solution", db.get(), x, 1e-13);
}

void notPositive() {
  Array<double> a({1, 2, 2, 1});
  Array<int> info(1);
  int size = 0;
  OK(cusolverDnDpotrf_bufferSize(h, kLower, 2, a.device, 2, &size));
  Array<double> work(size + 1);
  OK(cusolverDnDpotrf(h, kLower, 2, a.device, 2, work.device, size, info.device));
  check("the order of the minor", info.get()[0] == 2);
}

void pivots() {
  auto a = numbers<double>(n * n), x = numbers<double>(n);
  Array<double> da(a), db(times(a, x, n, n));
  Array<int> info(1), order(n);
  int size = 0;
  OK(cusolverDnDgetrf_bufferSize(h, n, n, da.device, n, &size));
  Array<double> work(size + 1);
  OK(cusolverDnDgetrf(h, n, n, da.device, n, work.device, order.device, info.device));
  OK(cusolverDnDgetrs(h, CUBLAS_OP_N, n, 1, da.device, n, order.device, db.device, n, info.device));
  near("solution", db.get(), x, 1e-12);
}

void orthogonal() {
  const int m = 6, k = 3;
  auto a = numbers<double>(m * k);
  Array<double> da(a), tau(k), c(m);
  Array<int> info(1);
  int size = 0, other = 0, third = 0;
  OK(cusolverDnDgeqrf_bufferSize(h, m, k, da.device, m, &size));
  OK(cusolverDnDorgqr_bufferSize(h, m, k, k, da.device, m, tau.device, &other));
  OK(cusolverDnDormqr_bufferSize(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, m, 1, k, da.device, m, tau.device, c.device, m, &third));
  Array<double> work(std::max({size, other, third}) + 1);
  OK(cusolverDnDgeqrf(h, m, k, da.device, m, tau.device, work.device, size, info.device));
  auto r = da.get();
  // Q' times a column of A is that column of R.
  Array<double> column(std::vector<double>(a.begin(), a.begin() + m));
  OK(cusolverDnDormqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, m, 1, k, da.device, m, tau.device, column.device, m, work.device, third, info.device));
  near("Q' a", column.get(), std::vector<double>{r[0], 0, 0, 0, 0, 0}, 1e-13);
  OK(cusolverDnDorgqr(h, m, k, k, da.device, m, tau.device, work.device, other, info.device));
  auto q = da.get();
  std::vector<double> back(m * k), product(k * k), identity{1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int i = 0; i < m; i++)
    for (int j = 0; j < k; j++)
      for (int l = 0; l <= j; l++) back[i + j * m] += q[i + l * m] * r[l + j * m];
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++)
      for (int l = 0; l < m; l++) product[i + j * k] += q[l + i * m] * q[l + j * m];
  near("Q R", back, a, 1e-13);
  near("Q' Q", product, identity, 1e-13);
}

void orthogonalComplex() {
  Array<cuDoubleComplex> a({{3, 0}, {0, 4}}), tau(1);
  Array<int> info(1);
  int size = 0, other = 0;
  OK(cusolverDnZgeqrf_bufferSize(h, 2, 1, a.device, 2, &size));
  OK(cusolverDnZungqr_bufferSize(h, 2, 1, 1, a.device, 2, tau.device, &other));
  Array<cuDoubleComplex> work(std::max(size, other) + 1);
  OK(cusolverDnZgeqrf(h, 2, 1, a.device, 2, tau.device, work.device, size, info.device));
  check("length", std::fabs(std::fabs(a.get()[0].x) - 5) < 1e-13);
  OK(cusolverDnZungqr(h, 2, 1, 1, a.device, 2, tau.device, work.device, other, info.device));
  auto q = a.get();
  check("direction", std::fabs(std::abs(Z(q[0].x, q[0].y)) - 0.6) < 1e-13 && std::fabs(std::abs(Z(q[1].x, q[1].y)) - 0.8) < 1e-13);
}

void eigenvalues() {
  auto a = positive<double>();
  Array<double> da(a), w(n);
  Array<int> info(1);
  int size = 0;
  OK(cusolverDnDsyevd_bufferSize(h, CUSOLVER_EIG_MODE_VECTOR, kLower, n, da.device, n, w.device, &size));
  Array<double> work(size + 1);
  OK(cusolverDnDsyevd(h, CUSOLVER_EIG_MODE_VECTOR, kLower, n, da.device, n, w.device, work.device, size, info.device));
  areEigen(a, da.get(), w.get());
}

void jacobi() {
  auto a = positive<double>();
  Array<double> da(a), w(n);
  Array<int> info(1);
  syevjInfo_t settings;
  int size = 0, sweeps = -1;
  OK(cusolverDnCreateSyevjInfo(&settings));
  OK(cusolverDnXsyevjSetTolerance(settings, 1e-14));
  OK(cusolverDnXsyevjSetMaxSweeps(settings, 20));
  OK(cusolverDnXsyevjSetSortEig(settings, 1));
  OK(cusolverDnDsyevj_bufferSize(h, CUSOLVER_EIG_MODE_VECTOR, kLower, n, da.device, n, w.device, &size, settings));
  Array<double> work(size + 1);
  OK(cusolverDnDsyevj(h, CUSOLVER_EIG_MODE_VECTOR, kLower, n, da.device, n, w.device, work.device, size, info.device, settings));
  areEigen(a, da.get(), w.get());
  OK(cusolverDnDestroySyevjInfo(settings));
}

void hermitian() {
  Array<cuDoubleComplex> a({{2, 0}, {0, 1}, {0, -1}, {2, 0}}); // eigenvalues 1 and 3
  Array<double> w(2);
  Array<int> info(1);
  int size = 0;
  OK(cusolverDnZheevd_bufferSize(h, CUSOLVER_EIG_MODE_NOVECTOR, kLower, 2, a.device, 2, w.device, &size));
  Array<cuDoubleComplex> work(size + 1);
  OK(cusolverDnZheevd(h, CUSOLVER_EIG_MODE_NOVECTOR, kLower, 2, a.device, 2, w.device, work.device, size, info.device));
  near("eigenvalues", w.get(), std::vector<double>{1, 3}, 1e-13);
}

void singular() {
  Array<double> a({3, 0, 0, 0, -2, 0}), s(2), u(9), vt(4);
  Array<int> info(1);
  int size = 0;
  OK(cusolverDnDgesvd_bufferSize(h, 3, 2, &size));
  Array<double> work(size + 1);
  OK(cusolverDnDgesvd(h, 'A', 'A', 3, 2, a.device, 3, s.device, u.device, 3, vt.device, 2, work.device, size, nullptr, info.device));
  near("values", s.get(), std::vector<double>{3, 2}, 1e-13);
}

void singularJacobi() {
  Array<double> a({3, 0, 0, 0, -2, 0}), s(2), u(9), v(4);
  Array<int> info(1);
  gesvdjInfo_t settings;
  int size = 0;
  OK(cusolverDnCreateGesvdjInfo(&settings));
  OK(cusolverDnXgesvdjSetTolerance(settings, 1e-14));
  OK(cusolverDnXgesvdjSetMaxSweeps(settings, 20));
  OK(cusolverDnXgesvdjSetSortEig(settings, 1));
  OK(cusolverDnDgesvdj_bufferSize(h, CUSOLVER_EIG_MODE_VECTOR, 0, 3, 2, a.device, 3, s.device, u.device, 3, v.device, 2, &size, settings));
  Array<double> work(size + 1);
  OK(cusolverDnDgesvdj(h, CUSOLVER_EIG_MODE_VECTOR, 0, 3, 2, a.device, 3, s.device, u.device, 3, v.device, 2, work.device, size, info.device, settings));
  near("values", s.get(), std::vector<double>{3, 2}, 1e-13);
  OK(cusolverDnDestroyGesvdjInfo(settings));
}

void typesAsArguments() {
  auto a = positive<double>(), x = numbers<double>(n);
  Array<double> da(a), db(times(a, x, n, n)), w(n), again(a), s(n), u(n * n), vt(n * n);
  Array<int> info(1);
  Array<char> device(64);
  cusolverDnParams_t params;
  size_t onDevice = 0, onHost = 0;
  std::vector<char> host(64);
  OK(cusolverDnCreateParams(&params));
  OK(cusolverDnXpotrf_bufferSize(h, params, kLower, n, CUDA_R_64F, da.device, n, CUDA_R_64F, &onDevice, &onHost));
  OK(cusolverDnXpotrf(h, params, kLower, n, CUDA_R_64F, da.device, n, CUDA_R_64F, device.device, onDevice, host.data(), onHost, info.device));
  OK(cusolverDnXpotrs(h, params, kLower, n, 1, CUDA_R_64F, da.device, n, CUDA_R_64F, db.device, n, info.device));
  near("solution", db.get(), x, 1e-13);
  Array<int64_t> pivots(n);
  for (bool exchanged : {true, false}) {
    const auto matrix = exchanged ? numbers<double>(n * n) : a;
    Array<double> general(matrix), sides(times(matrix, x, n, n));
    OK(cusolverDnXgetrf_bufferSize(h, params, n, n, CUDA_R_64F, general.device, n, CUDA_R_64F, &onDevice, &onHost));
    OK(cusolverDnXgetrf(h, params, n, n, CUDA_R_64F, general.device, n, exchanged ? pivots.device : nullptr, CUDA_R_64F, device.device, onDevice, host.data(),
                        onHost, info.device));
    OK(cusolverDnXgetrs(h, params, CUBLAS_OP_N, n, 1, CUDA_R_64F, general.device, n, exchanged ? pivots.device : nullptr, CUDA_R_64F, sides.device, n,
                        info.device));
    near("solution by elimination", sides.get(), x, 1e-10);
  }
  OK(cusolverDnXgesvd_bufferSize(h, params, 'A', 'A', n, n, CUDA_R_64F, again.device, n, CUDA_R_64F, s.device, CUDA_R_64F, u.device, n, CUDA_R_64F, vt.device,
                                 n, CUDA_R_64F, &onDevice, &onHost));
  OK(cusolverDnXgesvd(h, params, 'A', 'A', n, n, CUDA_R_64F, again.device, n, CUDA_R_64F, s.device, CUDA_R_64F, u.device, n, CUDA_R_64F, vt.device, n,
                      CUDA_R_64F, device.device, onDevice, host.data(), onHost, info.device));
  cudaMemcpy(again.device, a.data(), a.size() * sizeof(double), cudaMemcpyHostToDevice);
  OK(cusolverDnXsyevd_bufferSize(h, params, CUSOLVER_EIG_MODE_VECTOR, kLower, n, CUDA_R_64F, again.device, n, CUDA_R_64F, w.device, CUDA_R_64F, &onDevice,
                                 &onHost));
  OK(cusolverDnXsyevd(h, params, CUSOLVER_EIG_MODE_VECTOR, kLower, n, CUDA_R_64F, again.device, n, CUDA_R_64F, w.device, CUDA_R_64F, device.device, onDevice,
                      host.data(), onHost, info.device));
  areEigen(a, again.get(), w.get());
  auto values = s.get(); // of a positive matrix these are the eigenvalues
  std::reverse(values.begin(), values.end());
  near("singular values", values, w.get(), 1e-13);
  OK(cusolverDnDestroyParams(params));
}

void streams() {
  cudaStream_t stream, got;
  cudaStreamCreate(&stream);
  OK(cusolverDnSetStream(h, stream));
  OK(cusolverDnGetStream(h, &got));
  check("stream", got == stream);
  OK(cusolverDnSetStream(h, nullptr));
  cudaStreamDestroy(stream);
}

int main() {
  OK(cusolverDnCreate(&h));
  program("Cholesky in single precision", choleskySingle);
  program("Cholesky", choleskyDouble);
  program("not positive", notPositive);
  program("pivots", pivots);
  program("orthogonal", orthogonal);
  program("orthogonal, complex", orthogonalComplex);
  program("eigenvalues", eigenvalues);
  program("Jacobi", jacobi);
  program("hermitian", hermitian);
  program("singular values", singular);
  program("singular values by Jacobi", singularJacobi);
  program("types as arguments", typesAsArguments);
  program("streams", streams);
  OK(cusolverDnDestroy(h));
  return report();
}
