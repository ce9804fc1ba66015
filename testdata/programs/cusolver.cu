// cuSOLVER's dense factorizations: the factors give back the matrix, solutions the right-hand side.
#include <cusolverDn.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <type_traits>
#include <vector>

int bad = 0;
void check(const char *what, double difference, double bound) {
  if (!(difference <= bound)) printf("FAIL %s: %g, more than %g\n", what, difference, bound), bad++;
}
#define OK(call) do { cusolverStatus_t status_ = call; if (status_) printf("FAIL %s: %d\n", #call, status_), bad++; } while (0)

unsigned seed = 1;
double number() { return (seed = seed * 1664525 + 1013904223) / 4294967296.0 - 0.5; }
template <class T> T value() { return T(number()); }
template <> std::complex<double> value() { return {number(), number()}; }
inline double conjugate(double a) { return a; }
inline float conjugate(float a) { return a; }
inline std::complex<double> conjugate(std::complex<double> a) { return std::conj(a); }

// A matrix in column-major order.
template <class T> struct Matrix {
  int rows, cols;
  std::vector<T> v;
  Matrix(int rows, int cols) : rows(rows), cols(cols), v(rows * cols) {}
  T &operator()(int i, int j) { return v[i + j * rows]; }
  const T &operator()(int i, int j) const { return v[i + j * rows]; }
  static Matrix random(int rows, int cols) {
    Matrix m(rows, cols);
    for (T &x : m.v) x = value<T>();
    return m;
  }
  Matrix adjoint() const {
    Matrix m(cols, rows);
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < cols; j++) m(j, i) = conjugate((*this)(i, j));
    return m;
  }
  Matrix operator*(const Matrix &b) const {
    Matrix m(rows, b.cols);
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < b.cols; j++)
        for (int k = 0; k < cols; k++) m(i, j) += (*this)(i, k) * b(k, j);
    return m;
  }
  Matrix columns(int n) const {
    Matrix m(rows, n);
    std::copy(v.begin(), v.begin() + rows * n, m.v.begin());
    return m;
  }
};
template <class T> double difference(const Matrix<T> &a, const Matrix<T> &b) {
  double worst = 0;
  for (size_t i = 0; i < a.v.size(); i++) worst = std::max<double>(worst, std::abs(a.v[i] - b.v[i]));
  return worst;
}
template <class T> Matrix<T> unit(int n) {
  Matrix<T> m(n, n);
  for (int i = 0; i < n; i++) m(i, i) = T(1);
  return m;
}

// CUDA's complex numbers are the same in memory as the standard library's.
template <class T> using Cuda = std::conditional_t<std::is_same_v<T, std::complex<double>>, cuDoubleComplex, T>;
template <class T> struct Device {
  Cuda<T> *p;
  int rows, cols;
  explicit Device(const Matrix<T> &m) : rows(m.rows), cols(m.cols) {
    cudaMalloc(&p, m.v.size() * sizeof(T));
    cudaMemcpy(p, m.v.data(), m.v.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Device() { cudaFree(p); }
  Matrix<T> get() const {
    Matrix<T> m(rows, cols);
    cudaMemcpy(m.v.data(), p, m.v.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return m;
  }
};

// Functions by type.
template <class T> struct Solver;
#define SOLVER(T, L, R, Q, E)                                     \
  template <> struct Solver<T> {                                  \
    using Real = R;                                               \
    static constexpr auto potrf = cusolverDn##L##potrf;           \
    static constexpr auto potrs = cusolverDn##L##potrs;           \
    static constexpr auto getrf = cusolverDn##L##getrf;           \
    static constexpr auto getrs = cusolverDn##L##getrs;           \
    static constexpr auto geqrf = cusolverDn##L##geqrf;           \
    static constexpr auto mqr = cusolverDn##L##Q##mqr;            \
    static constexpr auto gqr = cusolverDn##L##Q##gqr;            \
    static constexpr auto evd = cusolverDn##L##E##evd;            \
    static constexpr auto gesvd = cusolverDn##L##gesvd;           \
    static constexpr auto gesvdj = cusolverDn##L##gesvdj;         \
  };
SOLVER(float, S, float, or, sy)
SOLVER(double, D, double, or, sy)
SOLVER(std::complex<double>, Z, double, un, he)

template <class T> void all(cusolverDnHandle_t h, int *info, double eps) {
  using S = Solver<T>;
  using R = typename S::Real;
  using M = Matrix<T>;
  const int n = 18, m = 25, sides = 3, size = 64;
  const auto ended = [&](const char *what) {
    int i = -1;
    cudaMemcpy(&i, info, sizeof i, cudaMemcpyDeviceToHost);
    check(what, std::abs(i), 0);
  };
  Device<T> work(M(size, 1)), tau(M(n, 1));
  const M x = M::random(n, sides), c = M::random(m, n), square = M::random(n, n);
  // Cholesky, of both triangles.
  M positive = c.adjoint() * c;
  for (int i = 0; i < n; i++) positive(i, i) += T(1);
  for (cublasFillMode_t uplo : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    Device<T> a(positive), b(positive * x);
    OK(S::potrf(h, uplo, n, a.p, n, work.p, size, info));
    ended("potrf");
    M l = a.get();
    if (uplo == CUBLAS_FILL_MODE_UPPER) l = l.adjoint();
    for (int j = 0; j < n; j++)
      for (int i = 0; i < j; i++) l(i, j) = 0;
    check("potrf", difference(l * l.adjoint(), positive), eps * 20);
    OK(S::potrs(h, uplo, n, sides, a.p, n, b.p, n, info));
    check("potrs", difference(b.get(), x), eps * 100);
  }
  M indefinite = positive;
  indefinite(4, 4) = T(-1);
  Device<T> no(indefinite);
  OK(S::potrf(h, CUBLAS_FILL_MODE_LOWER, n, no.p, n, work.p, size, info));
  int minor = 0;
  cudaMemcpy(&minor, info, sizeof minor, cudaMemcpyDeviceToHost);
  check("potrf of a matrix that is not positive definite", std::abs(minor - 5), 0);
  // Elimination, with the matrix and its adjoint.
  int *pivots;
  cudaMalloc(&pivots, n * sizeof(int));
  Device<T> lu(square), b1(square * x), b2(square.adjoint() * x);
  OK(S::getrf(h, n, n, lu.p, n, work.p, pivots, info));
  ended("getrf");
  OK(S::getrs(h, CUBLAS_OP_N, n, sides, lu.p, n, pivots, b1.p, n, info));
  OK(S::getrs(h, CUBLAS_OP_C, n, sides, lu.p, n, pivots, b2.p, n, info));
  check("getrs", std::max(difference(b1.get(), x), difference(b2.get(), x)), eps * 1000);
  cudaFree(pivots);
  // QR: Q by itself, times a matrix, and its adjoint.
  Device<T> qr(c), right(M::random(n, m));
  OK(S::geqrf(h, m, n, qr.p, m, tau.p, work.p, size, info));
  ended("geqrf");
  M r = qr.get();
  M upper(n, n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++) upper(i, j) = r(i, j);
  Device<T> qtc(c);
  OK(S::mqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_C, m, n, n, qr.p, m, tau.p, qtc.p, m, work.p, size, info));
  M rows(m, n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++) rows(i, j) = r(i, j);
  check("ormqr from the left", difference(qtc.get(), rows), eps * 20);
  const M before = right.get();
  OK(S::mqr(h, CUBLAS_SIDE_RIGHT, CUBLAS_OP_N, n, m, n, qr.p, m, tau.p, right.p, n, work.p, size, info));
  OK(S::mqr(h, CUBLAS_SIDE_RIGHT, CUBLAS_OP_C, n, m, n, qr.p, m, tau.p, right.p, n, work.p, size, info));
  check("ormqr from the right", difference(right.get(), before), eps * 20);
  OK(S::gqr(h, m, n, n, qr.p, m, tau.p, work.p, size, info));
  const M q = qr.get();
  check("orgqr", difference(q * upper, c) + difference(q.adjoint() * q, unit<T>(n)), eps * 40);
  // Eigenvalues.
  Device<T> vectors(positive);
  Device<R> w(Matrix<R>(n, 1)), s(Matrix<R>(n, 1));
  OK(S::evd(h, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, vectors.p, n, w.p, work.p, size, info));
  ended("syevd");
  M v = vectors.get(), scaled = v;
  Matrix<R> values = w.get();
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) scaled(i, j) = v(i, j) * values(j, 0);
  check("syevd", difference(scaled * v.adjoint(), positive) + difference(v.adjoint() * v, unit<T>(n)), eps * 100);
  check("the order of eigenvalues", !std::is_sorted(values.v.begin(), values.v.end()), 0);
  // Singular values: all left vectors, and the adjoint by gesvdj.
  Device<T> a(c), u(M(m, m)), vt(M(n, n));
  OK(S::gesvd(h, 'A', 'A', m, n, a.p, m, s.p, u.p, m, vt.p, n, work.p, size, nullptr, info));
  ended("gesvd");
  M left = u.get();
  values = s.get();
  scaled = left.columns(n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) scaled(i, j) *= values(j, 0);
  check("gesvd", difference(scaled * vt.get(), c) + difference(left.adjoint() * left, unit<T>(m)), eps * 60);
  check("the order of singular values", !std::is_sorted(values.v.rbegin(), values.v.rend()), 0);
  gesvdjInfo_t params;
  OK(cusolverDnCreateGesvdjInfo(&params));
  Device<T> wide(c.adjoint()), uj(M(n, n)), vj(M(m, n));
  OK(S::gesvdj(h, CUSOLVER_EIG_MODE_VECTOR, 1, n, m, wide.p, n, s.p, uj.p, n, vj.p, m, work.p, size, info, params));
  ended("gesvdj");
  M uw = uj.get();
  values = s.get();
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) uw(i, j) *= values(j, 0);
  check("gesvdj", difference(uw * vj.get().adjoint(), c.adjoint()), eps * 60);
  OK(cusolverDnDestroyGesvdjInfo(params));
}

int main() {
  cusolverDnHandle_t h;
  int *info;
  cudaMalloc(&info, sizeof *info);
  OK(cusolverDnCreate(&h));
  all<float>(h, info, 1e-6);
  all<double>(h, info, 2e-15);
  all<std::complex<double>>(h, info, 2e-15);
  OK(cusolverDnDestroy(h));
  cudaFree(info);
  printf(bad ? "FAIL %d\n" : "PASS\n", bad);
}
