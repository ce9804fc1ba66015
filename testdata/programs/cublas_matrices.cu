// cuBLAS, level 3 and what is beside it, of the four types against sums in double precision on the host.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

using Z = std::complex<double>;

int bad = 0;
void check(const char *what, double difference, double bound) {
  if (!(difference <= bound)) printf("FAIL %s: %g, more than %g\n", what, difference, bound), bad++;
}
#define OK(call) do { cublasStatus_t status_ = call; if (status_) printf("FAIL %s: %d\n", #call, status_), bad++; } while (0)

inline Z wide(float a) { return a; }
inline Z wide(double a) { return a; }
inline Z wide(int a) { return a; }
inline Z wide(signed char a) { return a; }
inline Z wide(__half a) { return __half2float(a); }
inline Z wide(__nv_bfloat16 a) { return __bfloat162float(a); }
inline Z wide(cuComplex a) { return {a.x, a.y}; }
inline Z wide(cuDoubleComplex a) { return {a.x, a.y}; }
inline void put(float &a, Z z) { a = z.real(); }
inline void put(double &a, Z z) { a = z.real(); }
inline void put(int &a, Z z) { a = int(z.real() * 20); }
inline void put(signed char &a, Z z) { a = int(z.real() * 20); }
inline void put(__half &a, Z z) { a = __float2half(z.real()); }
inline void put(__nv_bfloat16 &a, Z z) { a = __float2bfloat16(z.real()); }
inline void put(cuComplex &a, Z z) { a = make_cuComplex(z.real(), z.imag()); }
inline void put(cuDoubleComplex &a, Z z) { a = make_cuDoubleComplex(z.real(), z.imag()); }
template <class T> T scalar(Z z) { T t; put(t, z); return t; }

unsigned seed = 1;
double number() { return (seed = seed * 1664525 + 1013904223) / 4294967296.0 - 0.5; }

// A matrix, or several, on both sides, and its values as they should be.
template <class T> struct Matrix {
  std::vector<T> host;
  std::vector<Z> want;
  T *device;
  int ld;
  Matrix(int ld, int cols) : host(size_t(ld) * cols), ld(ld) {
    for (T &v : host) put(v, {number(), number()}), want.push_back(wide(v));
    cudaMalloc(&device, host.size() * sizeof(T));
    up();
  }
  ~Matrix() { cudaFree(device); }
  void up() { cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice); }
  Z &operator()(int i, int j) { return want[i + size_t(j) * ld]; }
  Z at(cublasOperation_t op, int i, int j) const {
    Z v = op == CUBLAS_OP_N ? want[i + size_t(j) * ld] : want[j + size_t(i) * ld];
    return op == CUBLAS_OP_C ? std::conj(v) : v;
  }
  double difference() const {
    std::vector<T> now(host.size());
    cudaMemcpy(now.data(), device, now.size() * sizeof(T), cudaMemcpyDeviceToHost);
    double worst = 0;
    for (size_t i = 0; i < now.size(); i++) worst = std::max(worst, std::abs(wide(now[i]) - want[i]));
    return worst;
  }
};

template <class T> struct Blas;
#define BLAS(L, T)                                                        \
  template <> struct Blas<T> {                                            \
    static constexpr auto gemm = cublas##L##gemm;                         \
    static constexpr auto batched = cublas##L##gemmBatched;               \
    static constexpr auto strided = cublas##L##gemmStridedBatched;        \
    static constexpr auto symm = cublas##L##symm;                         \
    static constexpr auto syrk = cublas##L##syrk;                         \
    static constexpr auto syr2k = cublas##L##syr2k;                       \
    static constexpr auto trmm = cublas##L##trmm;                         \
    static constexpr auto trsm = cublas##L##trsm;                         \
    static constexpr auto geam = cublas##L##geam;                         \
    static constexpr auto dgmm = cublas##L##dgmm;                         \
  };
BLAS(S, float)
BLAS(D, double)
BLAS(C, cuComplex)
BLAS(Z, cuDoubleComplex)

const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

template <class T> void products(cublasHandle_t h, double eps) {
  using B = Blas<T>;
  const T alpha = scalar<T>({0.75, -0.5}), beta = scalar<T>({-0.25, 1}), zero = scalar<T>(0);
  for (cublasOperation_t opA : ops)
    for (cublasOperation_t opB : ops)
      for (int size : {19, 67}) {
        if (size == 67 && (opA == CUBLAS_OP_T) != (opB == CUBLAS_OP_C)) continue;
        const int m = size, n = size + 3, k = 21, ld = 80;
        Matrix<T> a(ld, 80), b(ld, 80), c(ld, n);
        for (int i = 0; i < m; i++)
          for (int j = 0; j < n; j++) {
            Z sum = 0;
            for (int l = 0; l < k; l++) sum += a.at(opA, i, l) * b.at(opB, l, j);
            c(i, j) = wide(alpha) * sum + wide(beta) * c(i, j);
          }
        OK(B::gemm(h, opA, opB, m, n, k, &alpha, a.device, ld, b.device, ld, &beta, c.device, ld));
        check("gemm", c.difference(), eps * k);
      }
  // Batches: by strides, and by pointers in device memory.
  const int n = 9, count = 5;
  Matrix<T> a(n, n * count), b(n, n * count), c(n, n * count);
  for (int s = 0; s < count; s++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        Z sum = 0;
        for (int l = 0; l < n; l++) sum += a(i, s * n + l) * b(l, s * n + j);
        c(i, s * n + j) = wide(alpha) * sum;
      }
  OK(B::strided(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, a.device, n, n * n, b.device, n, n * n, &zero, c.device, n, n * n, count));
  check("gemmStridedBatched", c.difference(), eps * n);
  c.up();
  T *lists[3][count], **on;
  for (int s = 0; s < count; s++) lists[0][s] = a.device + s * n * n, lists[1][s] = b.device + s * n * n, lists[2][s] = c.device + s * n * n;
  cudaMalloc(&on, sizeof lists);
  cudaMemcpy(on, lists, sizeof lists, cudaMemcpyHostToDevice);
  OK(B::batched(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, on, n, on + count, n, &zero, on + 2 * count, n, count));
  check("gemmBatched", c.difference(), eps * n);
  cudaFree(on);
}

template <class T> void structured(cublasHandle_t h, double eps) {
  using B = Blas<T>;
  const T alpha = scalar<T>({0.75, -0.5}), beta = scalar<T>({-0.25, 1});
  const int m = 35, n = 22, ld = 40;
  for (int variant = 0; variant < 4; variant++) {
    const bool left = variant % 2, upper = variant / 2;
    const cublasFillMode_t uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const cublasSideMode_t side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    Matrix<T> a(ld, ld), b(ld, n), c(ld, n);
    const auto s = [&](int i, int j) { return (upper ? i > j : i < j) ? a(j, i) : a(i, j); };
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        Z sum = 0;
        for (int l = 0; l < (left ? m : n); l++) sum += left ? s(i, l) * b(l, j) : b(i, l) * s(l, j);
        c(i, j) = wide(alpha) * sum + wide(beta) * c(i, j);
      }
    OK(B::symm(h, side, uplo, m, n, &alpha, a.device, ld, b.device, ld, &beta, c.device, ld));
    check("symm", c.difference(), eps * m);
    for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      Matrix<T> d(ld, m);
      for (int j = 0; j < m; j++)
        for (int i = upper ? 0 : j; i < (upper ? j + 1 : m); i++) {
          Z sum = 0;
          for (int l = 0; l < n; l++) sum += op == CUBLAS_OP_N ? a(i, l) * a(j, l) : a(l, i) * a(l, j);
          d(i, j) = wide(alpha) * sum + wide(beta) * d(i, j);
        }
      OK(B::syrk(h, uplo, op, m, n, &alpha, a.device, ld, &beta, d.device, ld));
      check("syrk", d.difference(), eps * n);
    }
    Matrix<T> d(ld, m);
    for (int j = 0; j < m; j++)
      for (int i = upper ? 0 : j; i < (upper ? j + 1 : m); i++) {
        Z sum = 0;
        for (int l = 0; l < n; l++) sum += a(i, l) * b(j, l) + b(i, l) * a(j, l);
        d(i, j) = wide(alpha) * sum + wide(beta) * d(i, j);
      }
    OK(B::syr2k(h, uplo, CUBLAS_OP_N, m, n, &alpha, a.device, ld, b.device, ld, &beta, d.device, ld));
    check("syr2k", d.difference(), eps * n);
    for (int more = 0; more < 6; more++) {
      const cublasOperation_t op = ops[more % 3];
      const bool unit = more / 3;
      Matrix<T> t(ld, ld), x(ld, n);
      for (int i = 0; i < ld; i++)
        for (int j = 0; j < ld; j++) {
          T &v = t.host[i + j * ld];
          put(v, i == j ? Z(3, 1) : 0.2 * wide(v));
          t(i, j) = wide(v);
        }
      t.up();
      const auto element = [&](int i, int j) -> Z {
        if (op != CUBLAS_OP_N) std::swap(i, j);
        if (upper ? i > j : i < j) return 0;
        if (i == j && unit) return 1;
        return op == CUBLAS_OP_C ? std::conj(t(i, j)) : t(i, j);
      };
      const std::vector<Z> before = x.want;
      for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
          Z sum = 0;
          for (int l = 0; l < (left ? m : n); l++) sum += left ? element(i, l) * before[l + j * ld] : before[i + l * ld] * element(l, j);
          x(i, j) = wide(alpha) * sum;
        }
      const cublasDiagType_t diag = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
      OK(B::trmm(h, side, uplo, op, diag, m, n, &alpha, t.device, ld, x.device, ld, x.device, ld));
      check("trmm", x.difference(), eps * m);
      const T inverse = scalar<T>(1.0 / wide(alpha));
      OK(B::trsm(h, side, uplo, op, diag, m, n, &inverse, t.device, ld, x.device, ld));
      x.want = before;
      check("trsm", x.difference(), eps * m * 50);
    }
  }
  Matrix<T> a(n, m), b(ld, n), c(ld, n);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) c(i, j) = wide(alpha) * a.at(CUBLAS_OP_C, i, j) + wide(beta) * b(i, j);
  OK(B::geam(h, CUBLAS_OP_C, CUBLAS_OP_N, m, n, &alpha, a.device, n, &beta, b.device, ld, c.device, ld));
  check("geam", c.difference(), eps);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) c(i, j) = b(i, j) * a.want[2 * j];
  OK(B::dgmm(h, CUBLAS_SIDE_RIGHT, m, n, b.device, ld, a.device, 2, c.device, ld));
  check("dgmm", c.difference(), eps);
}

void hermitian(cublasHandle_t h) {
  const int n = 20, k = 13, ld = 24;
  const cuDoubleComplex alpha = make_cuDoubleComplex(0.5, 2), beta = make_cuDoubleComplex(1, -1);
  const double a1 = 0.5, b1 = -2;
  Matrix<cuDoubleComplex> a(ld, ld), b(ld, ld), c(ld, ld), d(ld, ld), e(ld, ld);
  const auto s = [&](int i, int j) { return i == j ? Z(a(i, i).real()) : i > j ? a(i, j) : std::conj(a(j, i)); };
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      Z sum = 0, herk = 0, her2k = 0;
      for (int l = 0; l < n; l++) sum += s(i, l) * b(l, j);
      c(i, j) = wide(alpha) * sum + wide(beta) * c(i, j);
      if (i < j) continue;
      for (int l = 0; l < k; l++) {
        herk += std::conj(a(l, i)) * a(l, j);
        her2k += wide(alpha) * a(i, l) * std::conj(b(j, l)) + std::conj(wide(alpha)) * b(i, l) * std::conj(a(j, l));
      }
      d(i, j) = a1 * herk + b1 * d(i, j);
      e(i, j) = her2k + b1 * e(i, j);
      if (i == j) d(i, j) = d(i, j).real(), e(i, j) = e(i, j).real();
    }
  OK(cublasZhemm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, n, n, &alpha, a.device, ld, b.device, ld, &beta, c.device, ld));
  OK(cublasZherk(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_C, n, k, &a1, a.device, ld, &b1, d.device, ld));
  OK(cublasZher2k(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &alpha, a.device, ld, b.device, ld, &b1, e.device, ld));
  check("hemm, herk, her2k", c.difference() + d.difference() + e.difference(), 1e-12);
}

// Products of types of fewer bits; and the same by cublasLt, with a bias and a rectifier.
template <class E, class F, class S>
void mixed(cublasHandle_t h, cublasLtHandle_t lt, const char *what, cudaDataType ab, cudaDataType c, cublasComputeType_t compute, cudaDataType scale,
           double eps) {
  const int m = 33, n = 40, k = 18;
  Matrix<E> a(k, m), b(k, n);
  Matrix<F> d(m, n), e(m, n), bias(m, 1);
  const S one = scalar<S>(sizeof(S) == sizeof(int) && scale == CUDA_R_32I ? 0.05 : 1), zero = scalar<S>(0);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      Z sum = 0;
      for (int l = 0; l < k; l++) sum += a(l, i) * b(l, j);
      d(i, j) = sum;
      e(i, j) = std::max(0.0, sum.real() + bias(i, 0).real());
    }
  OK(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &one, a.device, ab, k, b.device, ab, k, &zero, d.device, c, m, compute, CUBLAS_GEMM_DEFAULT));
  check(what, d.difference(), eps);
  OK(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &one, a.device, ab, k, b.device, ab, k, &zero, d.device, c, m, scale, CUBLAS_GEMM_DEFAULT));
  check(what, d.difference(), eps); // by the type, as before CUDA 11
  if (scale != CUDA_R_32F) return;
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t la, lb, ld;
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulHeuristicResult_t found;
  int count = 0;
  const cublasOperation_t t = CUBLAS_OP_T;
  const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
  OK(cublasLtMatmulDescCreate(&desc, compute, scale));
  const int8_t fast = 1; // a hint
  OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast, sizeof fast));
  OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &t, sizeof t));
  OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
  OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias.device, sizeof bias.device));
  OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, &c, sizeof c));
  OK(cublasLtMatrixLayoutCreate(&la, ab, k, m, k));
  OK(cublasLtMatrixLayoutCreate(&lb, ab, k, n, k));
  OK(cublasLtMatrixLayoutCreate(&ld, c, m, n, m));
  OK(cublasLtMatmulPreferenceCreate(&preference));
  OK(cublasLtMatmulAlgoGetHeuristic(lt, desc, la, lb, ld, ld, preference, 1, &found, &count));
  if (count != 1) printf("FAIL no algorithm\n"), bad++;
  OK(cublasLtMatmul(lt, desc, &one, a.device, la, b.device, lb, &zero, e.device, ld, e.device, ld, &found.algo, nullptr, 0, nullptr));
  check("cublasLtMatmul", e.difference(), eps);
  cublasLtMatmulPreferenceDestroy(preference);
  for (cublasLtMatrixLayout_t l : {la, lb, ld}) cublasLtMatrixLayoutDestroy(l);
  cublasLtMatmulDescDestroy(desc);
}

// Elimination with pivots for several matrices, and solutions with it.
template <class T, class F, class S, class I> void batchedSolvers(cublasHandle_t h, F getrf, S getrs, I getri, double eps) {
  const int n = 12, count = 3;
  Matrix<T> a(n, n * count), b(n, count), inverse(n, n * count);
  for (int s = 0; s < count; s++)
    for (int i = 0; i < n; i++) {
      T &v = a.host[(s * n + i) * n + (i + 5) % n]; // large off the diagonal: rows are exchanged
      put(v, wide(v) + 4.0);
      a.want[(s * n + i) * n + (i + 5) % n] = wide(v);
    }
  a.up();
  const std::vector<Z> A = a.want, x = b.want;
  T *lists[3][count], **on;
  int *pivots, *infos, info[count];
  for (int s = 0; s < count; s++) lists[0][s] = a.device + s * n * n, lists[1][s] = b.device + s * n, lists[2][s] = inverse.device + s * n * n;
  cudaMalloc(&on, sizeof lists);
  cudaMalloc(&pivots, n * count * sizeof(int));
  cudaMalloc(&infos, sizeof info);
  cudaMemcpy(on, lists, sizeof lists, cudaMemcpyHostToDevice);
  for (int s = 0; s < count; s++) // b = A x
    for (int i = 0; i < n; i++) {
      Z sum = 0;
      for (int j = 0; j < n; j++) sum += A[(s * n + j) * n + i] * x[s * n + j];
      put(b.host[s * n + i], sum);
    }
  b.up();
  int one = 0;
  OK(getrf(h, n, on, n, pivots, infos, count));
  OK(getrs(h, CUBLAS_OP_N, n, 1, on, n, pivots, on + count, n, &one, count));
  OK(getri(h, n, on, n, pivots, on + 2 * count, n, infos, count));
  cudaMemcpy(info, infos, sizeof info, cudaMemcpyDeviceToHost);
  for (int i : info) bad += i != 0;
  b.want = x;
  check("getrsBatched", b.difference(), eps);
  std::vector<T> inv(n * n * count);
  cudaMemcpy(inv.data(), inverse.device, inv.size() * sizeof(T), cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int s = 0; s < count; s++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        Z sum = 0;
        for (int l = 0; l < n; l++) sum += A[(s * n + l) * n + i] * wide(inv[(s * n + j) * n + l]);
        worst = std::max(worst, std::abs(sum - (i == j ? 1.0 : 0.0)));
      }
  check("getriBatched", worst, eps);
  cudaFree(on);
  cudaFree(pivots);
  cudaFree(infos);
}

int main() {
  cublasHandle_t h;
  cublasLtHandle_t lt;
  OK(cublasCreate(&h));
  OK(cublasLtCreate(&lt));
  products<float>(h, 1e-6);
  products<double>(h, 1e-14);
  products<cuComplex>(h, 2e-6);
  products<cuDoubleComplex>(h, 1e-14);
  structured<float>(h, 1e-6);
  structured<double>(h, 1e-14);
  structured<cuComplex>(h, 2e-6);
  structured<cuDoubleComplex>(h, 1e-14);
  hermitian(h);
  mixed<__half, __half, float>(h, lt, "half", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F, 2e-3);
  mixed<__half, float, float>(h, lt, "half to float", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, 1e-5);
  mixed<__nv_bfloat16, __nv_bfloat16, float>(h, lt, "bfloat16", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, 2e-2);
  mixed<signed char, int, int>(h, lt, "int8", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUDA_R_32I, 0);
  batchedSolvers<double>(h, cublasDgetrfBatched, cublasDgetrsBatched, cublasDgetriBatched, 1e-12);
  batchedSolvers<cuComplex>(h, cublasCgetrfBatched, cublasCgetrsBatched, cublasCgetriBatched, 1e-4);
  OK(cublasLtDestroy(lt));
  OK(cublasDestroy(h));
  printf(bad ? "FAIL %d\n" : "PASS\n", bad);
}
