// cuBLAS, levels 1 and 2, of the four types against sums in double precision on the host.
#include <cublas_v2.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <functional>
#include <vector>

using Z = std::complex<double>;

int bad = 0;
void check(const char *what, double difference, double bound) {
  if (!(difference <= bound)) printf("FAIL %s: %g, more than %g\n", what, difference, bound), bad++;
}
#define OK(call) do { cublasStatus_t status_ = call; if (status_) printf("FAIL %s: %d\n", #call, status_), bad++; } while (0)

inline Z wide(float a) { return a; }
inline Z wide(double a) { return a; }
inline Z wide(cuComplex a) { return {a.x, a.y}; }
inline Z wide(cuDoubleComplex a) { return {a.x, a.y}; }
inline void put(float &a, Z z) { a = z.real(); }
inline void put(double &a, Z z) { a = z.real(); }
inline void put(cuComplex &a, Z z) { a = make_cuComplex(z.real(), z.imag()); }
inline void put(cuDoubleComplex &a, Z z) { a = make_cuDoubleComplex(z.real(), z.imag()); }
template <class T> T scalar(Z z) { T t; put(t, z); return t; }

unsigned seed = 1;
double number() { return (seed = seed * 1664525 + 1013904223) / 4294967296.0 - 0.5; }

// A vector on both sides.
template <class T> struct Array {
  std::vector<T> host;
  T *device;
  explicit Array(size_t n) : host(n) {
    for (T &v : host) put(v, {number(), number()});
    cudaMalloc(&device, n * sizeof(T));
    up();
  }
  ~Array() { cudaFree(device); }
  void up() { cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice); }
  std::vector<Z> values() const {
    std::vector<Z> out;
    for (T v : host) out.push_back(wide(v));
    return out;
  }
  double difference(const std::vector<Z> &want) const {
    std::vector<T> now(host.size());
    cudaMemcpy(now.data(), device, now.size() * sizeof(T), cudaMemcpyDeviceToHost);
    double worst = 0;
    for (size_t i = 0; i < now.size(); i++) worst = std::max(worst, std::abs(wide(now[i]) - want[i]));
    return worst;
  }
};

template <class T> struct Blas;
#define COMMON(L, T, R)                                       \
  using Real = R;                                             \
  static constexpr auto axpy = cublas##L##axpy;               \
  static constexpr auto scal = cublas##L##scal;               \
  static constexpr auto copy = cublas##L##copy;               \
  static constexpr auto swap = cublas##L##swap;               \
  static constexpr auto gemv = cublas##L##gemv;               \
  static constexpr auto gbmv = cublas##L##gbmv;               \
  static constexpr auto trmv = cublas##L##trmv;               \
  static constexpr auto trsv = cublas##L##trsv;               \
  static constexpr auto tpmv = cublas##L##tpmv;               \
  static constexpr auto tpsv = cublas##L##tpsv;               \
  static constexpr auto tbmv = cublas##L##tbmv;               \
  static constexpr auto tbsv = cublas##L##tbsv;               \
  static constexpr auto symv = cublas##L##symv;               \
  static constexpr auto syr = cublas##L##syr;                 \
  static constexpr auto syr2 = cublas##L##syr2;
template <> struct Blas<float> {
  COMMON(S, float, float)
  static constexpr auto dot = cublasSdot;
  static constexpr auto asum = cublasSasum;
  static constexpr auto nrm2 = cublasSnrm2;
  static constexpr auto amax = cublasIsamax;
  static constexpr auto amin = cublasIsamin;
  static constexpr auto ger = cublasSger;
  static constexpr auto band = cublasSsbmv;
  static constexpr auto packed = cublasSspmv;
  static constexpr bool complex = false;
};
template <> struct Blas<double> {
  COMMON(D, double, double)
  static constexpr auto dot = cublasDdot;
  static constexpr auto asum = cublasDasum;
  static constexpr auto nrm2 = cublasDnrm2;
  static constexpr auto amax = cublasIdamax;
  static constexpr auto amin = cublasIdamin;
  static constexpr auto ger = cublasDger;
  static constexpr auto band = cublasDsbmv;
  static constexpr auto packed = cublasDspmv;
  static constexpr bool complex = false;
};
template <> struct Blas<cuComplex> {
  COMMON(C, cuComplex, float)
  static constexpr auto dot = cublasCdotc;
  static constexpr auto asum = cublasScasum;
  static constexpr auto nrm2 = cublasScnrm2;
  static constexpr auto amax = cublasIcamax;
  static constexpr auto amin = cublasIcamin;
  static constexpr auto ger = cublasCgerc;
  static constexpr auto band = cublasChbmv;
  static constexpr auto packed = cublasChpmv;
  static constexpr bool complex = true;
};
template <> struct Blas<cuDoubleComplex> {
  COMMON(Z, cuDoubleComplex, double)
  static constexpr auto dot = cublasZdotc;
  static constexpr auto asum = cublasDzasum;
  static constexpr auto nrm2 = cublasDznrm2;
  static constexpr auto amax = cublasIzamax;
  static constexpr auto amin = cublasIzamin;
  static constexpr auto ger = cublasZgerc;
  static constexpr auto band = cublasZhbmv;
  static constexpr auto packed = cublasZhpmv;
  static constexpr bool complex = true;
};

Z with(cublasOperation_t op, Z a) { return op == CUBLAS_OP_C ? std::conj(a) : a; }

template <class T> void level1(cublasHandle_t h, double eps) {
  using B = Blas<T>;
  using R = typename B::Real;
  const int n = 300, incx = 2, incy = -3; // y from its end
  Array<T> x(n * 2), y(n * 3);
  std::vector<Z> a = x.values(), b = y.values();
  const auto X = [&](int i) -> Z & { return a[i * incx]; };
  const auto Y = [&](int i) -> Z & { return b[(n - 1 - i) * 3]; };
  const T alpha = scalar<T>({0.75, -0.5});
  OK(B::axpy(h, n, &alpha, x.device, incx, y.device, incy));
  for (int i = 0; i < n; i++) Y(i) += wide(alpha) * X(i);
  check("axpy", y.difference(b), eps);
  OK(B::scal(h, n, &alpha, x.device, incx));
  for (int i = 0; i < n; i++) X(i) *= wide(alpha);
  check("scal", x.difference(a), eps);
  OK(B::swap(h, n, x.device, incx, y.device, incy));
  for (int i = 0; i < n; i++) std::swap(X(i), Y(i));
  check("swap", std::max(x.difference(a), y.difference(b)), eps);
  T dot;
  R asum, nrm2;
  int most, least;
  OK(B::dot(h, n, x.device, incx, y.device, incy, &dot));
  OK(B::asum(h, n, x.device, incx, &asum));
  OK(B::nrm2(h, n, x.device, incx, &nrm2));
  OK(B::amax(h, n, x.device, incx, &most));
  OK(B::amin(h, n, x.device, incx, &least));
  Z d = 0;
  double sum = 0, squares = 0;
  int largest = 0, smallest = 0;
  const auto size = [&](int i) { return std::abs(X(i).real()) + std::abs(X(i).imag()); };
  for (int i = 0; i < n; i++) {
    d += std::conj(X(i)) * Y(i);
    sum += size(i);
    squares += std::norm(X(i));
    if (size(i) > size(largest)) largest = i;
    if (size(i) < size(smallest)) smallest = i;
  }
  check("dot", std::abs(wide(dot) - d), eps * n);
  check("asum", std::abs(asum - sum), eps * n);
  check("nrm2", std::abs(nrm2 - std::sqrt(squares)), eps * n);
  check("amax and amin", std::abs(most - largest - 1) + std::abs(least - smallest - 1), 0);
  // The result on the device.
  R *on;
  cudaMalloc(&on, sizeof(R));
  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
  OK(B::asum(h, n, x.device, incx, on));
  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST);
  cudaMemcpy(&asum, on, sizeof(R), cudaMemcpyDeviceToHost);
  cudaFree(on);
  check("asum on the device", std::abs(asum - sum), eps * n);
  OK(B::copy(h, n, x.device, incx, y.device, incy));
  for (int i = 0; i < n; i++) Y(i) = X(i);
  check("copy", y.difference(b), eps);
  OK(B::asum(h, 0, x.device, 1, &asum));
  check("asum of nothing", asum, 0);
}

// An element of a triangle of a matrix as op changes it.
struct Triangle {
  const std::vector<Z> &a;
  int ld;
  bool upper, unit, band;
  int k;
  Z at(cublasOperation_t op, int i, int j) const {
    if (op != CUBLAS_OP_N) std::swap(i, j);
    if (upper ? i > j : i < j) return 0;
    if (i == j && unit) return 1;
    if (band && std::abs(i - j) > k) return 0;
    return with(op, band ? a[(upper ? k : 0) + i - j + j * ld] : a[i + j * ld]);
  }
};

template <class T> void level2(cublasHandle_t h, double eps) {
  using B = Blas<T>;
  const int m = 37, n = 21, ld = 40, kl = 3, ku = 5;
  const T alpha = scalar<T>({0.75, -0.5}), beta = scalar<T>({-0.25, 1});
  for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    Array<T> a(ld * n), x(2 * m), y(2 * m);
    const int rows = op == CUBLAS_OP_N ? m : n, cols = op == CUBLAS_OP_N ? n : m;
    std::vector<Z> A = a.values(), X = x.values(), want = y.values();
    for (int i = 0; i < rows; i++) {
      Z sum = 0;
      for (int j = 0; j < cols; j++) sum += (op == CUBLAS_OP_N ? A[i + j * ld] : with(op, A[j + i * ld])) * X[2 * (cols - 1 - j)];
      want[i] = wide(alpha) * sum + wide(beta) * want[i];
    }
    OK(B::gemv(h, op, m, n, &alpha, a.device, ld, x.device, -2, &beta, y.device, 1));
    check("gemv", y.difference(want), eps * m);
    y.up();
    want = y.values();
    for (int i = 0; i < rows; i++) {
      Z sum = 0;
      for (int j = 0; j < cols; j++) {
        const int r = op == CUBLAS_OP_N ? i : j, c = op == CUBLAS_OP_N ? j : i;
        if (r - c <= kl && c - r <= ku) sum += with(op, A[ku + r - c + c * ld]) * X[j];
      }
      want[i] = wide(alpha) * sum + wide(beta) * want[i];
    }
    OK(B::gbmv(h, op, m, n, kl, ku, &alpha, a.device, ld, x.device, 1, &beta, y.device, 1));
    check("gbmv", y.difference(want), eps * m);
  }
  for (int variant = 0; variant < 12; variant++) { // triangles: op, uplo and diag
    const cublasOperation_t op = static_cast<cublasOperation_t>(variant % 3);
    const bool upper = variant / 3 % 2, unit = variant / 6;
    const cublasFillMode_t uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const cublasDiagType_t diag = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    const int k = 4;
    Array<T> a(ld * m), packed(m * (m + 1) / 2), x(m);
    for (int i = 0; i < m; i++) put(a.host[i + i * ld], {4, 1});
    for (int i = 0; i < m; i++) put(a.host[(upper ? k : 0) + i * ld], {4, 1}); // the band's diagonal
    for (T &v : a.host) put(v, wide(v) * (std::abs(wide(v)) > 2 ? 1.0 : 0.2));
    a.up();
    std::vector<Z> A = a.values(), X = x.values();
    for (int j = 0, at = 0; j < m; j++)
      for (int i = upper ? 0 : j; i < (upper ? j + 1 : m); i++) packed.host[at++] = a.host[i + j * ld];
    packed.up();
    const Triangle full{A, ld, upper, unit, false, 0}, band{A, ld, upper, unit, true, k};
    for (int form = 0; form < 3; form++) {
      const Triangle &t = form == 2 ? band : full;
      std::vector<Z> want(m);
      for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) want[i] += t.at(op, i, j) * X[j];
      x.up();
      if (form == 0) OK(B::trmv(h, uplo, op, diag, m, a.device, ld, x.device, 1));
      if (form == 1) OK(B::tpmv(h, uplo, op, diag, m, packed.device, x.device, 1));
      if (form == 2) OK(B::tbmv(h, uplo, op, diag, m, k, a.device, ld, x.device, 1));
      check("triangle times vector", x.difference(want), eps * m);
      if (form == 0) OK(B::trsv(h, uplo, op, diag, m, a.device, ld, x.device, 1));
      if (form == 1) OK(B::tpsv(h, uplo, op, diag, m, packed.device, x.device, 1));
      if (form == 2) OK(B::tbsv(h, uplo, op, diag, m, k, a.device, ld, x.device, 1));
      check("solution of a triangle", x.difference(X), eps * m * 50);
    }
  }
  for (bool upper : {false, true}) {
    const cublasFillMode_t uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    Array<T> a(ld * m), packed(m * (m + 1) / 2), x(m), y(m);
    std::vector<Z> A = a.values(), P = packed.values(), X = x.values();
    const auto stored = [&](int i, int j, bool conjugated, std::function<Z(int, int)> at) {
      if (upper ? i > j : i < j) return conjugated ? std::conj(at(j, i)) : at(j, i);
      return i == j && conjugated ? Z(at(i, j).real()) : at(i, j);
    };
    const auto product = [&](bool conjugated, std::function<Z(int, int)> at) {
      std::vector<Z> want = y.values();
      for (int i = 0; i < m; i++) {
        Z sum = 0;
        for (int j = 0; j < m; j++) sum += stored(i, j, conjugated, at) * X[j];
        want[i] = wide(alpha) * sum + wide(beta) * want[i];
      }
      return want;
    };
    const bool c = B::complex;
    OK(B::symv(h, uplo, m, &alpha, a.device, ld, x.device, 1, &beta, y.device, 1));
    check("symv", y.difference(product(false, [&](int i, int j) { return A[i + j * ld]; })), eps * m);
    y.up();
    OK(B::band(h, uplo, m, 4, &alpha, a.device, ld, x.device, 1, &beta, y.device, 1));
    check("sbmv or hbmv", y.difference(product(c, [&](int i, int j) { return std::abs(i - j) > 4 ? Z(0) : A[(upper ? 4 : 0) + i - j + j * ld]; })), eps * m);
    y.up();
    OK(B::packed(h, uplo, m, &alpha, packed.device, x.device, 1, &beta, y.device, 1));
    check("spmv or hpmv", y.difference(product(c, [&](int i, int j) { return P[upper ? i + j * (j + 1) / 2 : i + j * (2 * m - j - 1) / 2]; })), eps * m);
    std::vector<Z> Y = y.values();
    y.up();
    OK(B::syr(h, uplo, m, &alpha, x.device, 1, a.device, ld));
    OK(B::syr2(h, uplo, m, &alpha, x.device, 1, y.device, 1, a.device, ld));
    for (int j = 0; j < m; j++)
      for (int i = upper ? 0 : j; i < (upper ? j + 1 : m); i++) A[i + j * ld] += wide(alpha) * (X[i] * X[j] + X[i] * Y[j] + Y[i] * X[j]);
    check("syr and syr2", a.difference(A), eps * 8);
    OK(B::ger(h, m, m, &alpha, x.device, 1, y.device, 1, a.device, ld));
    for (int j = 0; j < m; j++)
      for (int i = 0; i < m; i++) A[i + j * ld] += wide(alpha) * X[i] * std::conj(Y[j]);
    check("ger or gerc", a.difference(A), eps * 8);
  }
}

// Hermitian updates, and rotations.
void rest(cublasHandle_t h) {
  const int n = 19;
  Array<cuDoubleComplex> a(n * n), x(n), y(n);
  std::vector<Z> A = a.values(), X = x.values(), Y = y.values();
  const double real = 0.5;
  const cuDoubleComplex alpha = make_cuDoubleComplex(0.25, -2);
  OK(cublasZher(h, CUBLAS_FILL_MODE_LOWER, n, &real, x.device, 1, a.device, n));
  OK(cublasZher2(h, CUBLAS_FILL_MODE_LOWER, n, &alpha, x.device, 1, y.device, 1, a.device, n));
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      Z &v = A[i + j * n];
      v += real * X[i] * std::conj(X[j]) + wide(alpha) * X[i] * std::conj(Y[j]) + std::conj(wide(alpha)) * Y[i] * std::conj(X[j]);
      if (i == j) v = v.real();
    }
  check("her and her2", a.difference(A), 1e-13);
  Array<double> u(n), v(n);
  std::vector<Z> U = u.values(), V = v.values();
  double f = 3, g = -4, c, s;
  OK(cublasDrotg(h, &f, &g, &c, &s));
  check("rotg", std::abs(f + 5) + std::abs(c + 0.6) + std::abs(s - 0.8), 1e-14);
  OK(cublasDrot(h, n, u.device, 1, v.device, 1, &c, &s));
  for (int i = 0; i < n; i++) {
    const Z t = c * U[i] + s * V[i];
    V[i] = c * V[i] - s * U[i];
    U[i] = t;
  }
  check("rot", std::max(u.difference(U), v.difference(V)), 1e-14);
  double d1 = 0.7, d2 = 0.3, x1 = 0.5, y1 = 1.5, p[5];
  OK(cublasDrotmg(h, &d1, &d2, &x1, &y1, p));
  OK(cublasDrotm(h, n, u.device, 1, v.device, 1, p));
  const double h11 = p[0] == 0 ? 1 : p[1], h21 = p[0] == 1 ? -1 : p[2], h12 = p[0] == 1 ? 1 : p[3], h22 = p[0] == 0 ? 1 : p[4];
  check("rotmg", std::abs(h21 * 0.5 + h22 * 1.5), 1e-14); // it makes the second component 0
  for (int i = 0; i < n; i++) {
    const Z t = h11 * U[i] + h12 * V[i];
    V[i] = h21 * U[i] + h22 * V[i];
    U[i] = t;
  }
  check("rotm", std::max(u.difference(U), v.difference(V)), 1e-13);
}

int main() {
  cublasHandle_t h;
  OK(cublasCreate(&h));
  cudaStream_t stream, got;
  cudaStreamCreate(&stream);
  level1<float>(h, 1e-6);
  level1<double>(h, 1e-14);
  level1<cuComplex>(h, 1e-6);
  level1<cuDoubleComplex>(h, 1e-14);
  OK(cublasSetStream(h, stream));
  OK(cublasGetStream(h, &got));
  if (got != stream) printf("FAIL stream\n"), bad++;
  cudaDeviceSynchronize();
  OK(cublasSetStream(h, nullptr));
  level2<float>(h, 1e-6);
  level2<double>(h, 1e-14);
  level2<cuComplex>(h, 1e-6);
  level2<cuDoubleComplex>(h, 1e-14);
  rest(h);
  cudaStreamDestroy(stream);
  OK(cublasDestroy(h));
  printf(bad ? "FAIL %d\n" : "PASS\n", bad);
}
