// Programs that call cuBLAS: copies, settings, types of elements, batches and sizes of 64 bits.
#include <cublas_v2.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../results.h"

#define OK(call) check(#call, (call) == CUBLAS_STATUS_SUCCESS)

using Z = std::complex<double>;
cublasHandle_t h;

cuDoubleComplex z(double x, double y) { return make_cuDoubleComplex(x, y); }
Z host(cuDoubleComplex v) { return {v.x, v.y}; }
Z host(cuComplex v) { return {v.x, v.y}; }

// Columns of a product of matrices without transposition.
template <class T> std::vector<double> product(const std::vector<T> &a, const std::vector<T> &b, int n) {
  std::vector<double> c(n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i + j * n] += static_cast<double>(a[i + k * n]) * static_cast<double>(b[k + j * n]);
  return c;
}

void wideVectors() {
  Array<float> x({1, -5, 3, 2}), y({1, 1, 1, 1});
  int64_t at = -1;
  float sum = 0, dot = 0, two = 2;
  OK(cublasIsamax_64(h, 4, x.device, 1, &at));
  OK(cublasSasum_64(h, 4, x.device, 1, &sum));
  OK(cublasSaxpy_64(h, 4, &two, x.device, 1, y.device, 1));
  OK(cublasSdot_64(h, 4, x.device, 1, y.device, 1, &dot));
  check("results", at == 2 && sum == 11 && dot == 1 * 3 + 5 * 9 + 3 * 7 + 2 * 5);
  Array<int64_t> device({-1});
  OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
  OK(cublasIsamin_64(h, 4, x.device, 1, device.device));
  OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
  check("on the device", device.get()[0] == 1);
}

void wideMatrices() {
  const int n = 5;
  auto a = numbers<double>(n * n), b = numbers<double>(n * n);
  Array<double> da(a), db(b), dc(n * n);
  double one = 1, zero = 0;
  OK(cublasDgemm_64(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, da.device, n, db.device, n, &zero, dc.device, n));
  near("gemm", dc.get(), product(a, b, n), 1e-13);
  OK(cublasDgemmStridedBatched_64(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, da.device, n, 0, db.device, n, 0, &zero, dc.device, n, 0, 1));
  near("strided", dc.get(), product(a, b, n), 1e-13);
}

void copies() {
  auto x = numbers<float>(6);
  std::vector<float> back(3), all(6);
  float *d;
  cudaMalloc(&d, 6 * sizeof(float));
  OK(cublasSetVector(3, sizeof(float), x.data(), 2, d, 1));
  OK(cublasGetVector(3, sizeof(float), d, 1, back.data(), 1));
  check("stride", back[0] == x[0] && back[1] == x[2] && back[2] == x[4]);
  OK(cublasSetMatrix(2, 3, sizeof(float), x.data(), 2, d, 2));
  OK(cublasGetMatrix(2, 3, sizeof(float), d, 2, all.data(), 2));
  check("matrix", all == x);
  OK(cublasSetVectorAsync(6, sizeof(float), all.data(), 1, d, 1, nullptr));
  OK(cublasGetVectorAsync(6, sizeof(float), d, 1, all.data(), 1, nullptr));
  OK(cublasSetMatrixAsync(3, 2, sizeof(float), all.data(), 3, d, 3, nullptr));
  OK(cublasGetMatrixAsync(3, 2, sizeof(float), d, 3, all.data(), 3, nullptr));
  cudaDeviceSynchronize();
  check("later", all == x);
  cudaFree(d);
}

void settings() {
  cublasMath_t math;
  cublasAtomicsMode_t atomics;
  cublasPointerMode_t pointers;
  int value = 0, version = 0;
  OK(cublasSetMathMode(h, CUBLAS_TF32_TENSOR_OP_MATH));
  OK(cublasGetMathMode(h, &math));
  OK(cublasSetMathMode(h, CUBLAS_DEFAULT_MATH));
  OK(cublasSetAtomicsMode(h, CUBLAS_ATOMICS_ALLOWED));
  OK(cublasGetAtomicsMode(h, &atomics));
  OK(cublasGetPointerMode(h, &pointers));
  OK(cublasSetSmCountTarget(h, 4));
  OK(cublasGetSmCountTarget(h, &value));
  check("values", math == CUBLAS_TF32_TENSOR_OP_MATH && atomics == CUBLAS_ATOMICS_ALLOWED && pointers == CUBLAS_POINTER_MODE_HOST && value == 4);
  OK(cublasSetSmCountTarget(h, 0));
  OK(cublasGetVersion(h, &version));
  OK(cublasGetProperty(MAJOR_VERSION, &value));
  check("version", version / 10000 == value && cublasGetCudartVersion() / 1000 == static_cast<size_t>(value));
  check("names", !strcmp(cublasGetStatusName(CUBLAS_STATUS_SUCCESS), "CUBLAS_STATUS_SUCCESS") && cublasGetStatusString(CUBLAS_STATUS_NOT_SUPPORTED)[0]);
  Array<char> workspace(1 << 16);
  OK(cublasSetWorkspace(h, workspace.device, 1 << 16));
}

void typedVectors() {
  Array<float> x({1, 2, -2}), y({3, 1, 0.5f});
  float two = 2, dot, norm;
  OK(cublasDotEx(h, 3, x.device, CUDA_R_32F, 1, y.device, CUDA_R_32F, 1, &dot, CUDA_R_32F, CUDA_R_32F));
  OK(cublasDotcEx(h, 3, x.device, CUDA_R_32F, 1, y.device, CUDA_R_32F, 1, &dot, CUDA_R_32F, CUDA_R_32F));
  OK(cublasNrm2Ex(h, 3, x.device, CUDA_R_32F, 1, &norm, CUDA_R_32F, CUDA_R_32F));
  check("dot and norm", dot == 4 && norm == 3);
  OK(cublasAxpyEx(h, 3, &two, CUDA_R_32F, x.device, CUDA_R_32F, 1, y.device, CUDA_R_32F, 1, CUDA_R_32F));
  OK(cublasScalEx(h, 3, &two, CUDA_R_32F, y.device, CUDA_R_32F, 1, CUDA_R_32F));
  near("axpy and scal", y.get(), std::vector<float>{10, 10, -7}, 0);
}

void halves() {
  const int n = 8;
  std::vector<__half> a, b;
  for (float v : numbers<float>(n * n)) a.push_back(__float2half(v));
  for (float v : numbers<float>(n * n)) b.push_back(__float2half(v));
  std::vector<float> fa, fb;
  for (__half v : a) fa.push_back(__half2float(v));
  for (__half v : b) fb.push_back(__half2float(v));
  auto want = product(fa, fb, n);
  Array<__half> da(a), db(b), dc(n * n);
  Array<float> df(n * n);
  __half one = __float2half(1), zero = __float2half(0);
  float fone = 1, fzero = 0;
  OK(cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, da.device, n, db.device, n, &zero, dc.device, n));
  near("hgemm", dc.get(), want, 1e-2);
  OK(cublasHgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, da.device, n, 0, db.device, n, 0, &zero, dc.device, n, 0, 1));
  near("strided", dc.get(), want, 1e-2);
  OK(cublasSgemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &fone, da.device, CUDA_R_16F, n, db.device, CUDA_R_16F, n, &fzero, df.device, CUDA_R_32F, n));
  near("sgemmEx", df.get(), want, 1e-5);
  Array<const void *> as({da.device}), bs({db.device});
  Array<void *> cs({df.device});
  cudaMemset(df.device, 0, n * n * sizeof(float));
  OK(cublasGemmBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &fone, as.device, CUDA_R_16F, n, bs.device, CUDA_R_16F, n, &fzero, cs.device, CUDA_R_32F, n,
                         1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  near("gemmBatchedEx", df.get(), want, 1e-5);
  OK(cublasGemmStridedBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &fone, da.device, CUDA_R_16F, n, 0, db.device, CUDA_R_16F, n, 0, &fzero, df.device,
                                CUDA_R_32F, n, 0, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  near("gemmStridedBatchedEx", df.get(), want, 1e-5);
}

void batchedVectors() {
  const int n = 4, batch = 3;
  auto a = numbers<float>(n * n * batch), x = numbers<float>(n * batch);
  std::vector<float> want(n * batch);
  for (int b = 0; b < batch; b++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) want[b * n + i] += a[b * n * n + i + j * n] * x[b * n + j];
  Array<float> da(a), dx(x), dy(n * batch);
  float one = 1, zero = 0;
  OK(cublasSgemvStridedBatched(h, CUBLAS_OP_N, n, n, &one, da.device, n, n * n, dx.device, 1, n, &zero, dy.device, 1, n, batch));
  near("strided", dy.get(), want, 1e-6);
  std::vector<const float *> as, xs;
  std::vector<float *> ys;
  for (int b = 0; b < batch; b++) as.push_back(da.device + b * n * n), xs.push_back(dx.device + b * n), ys.push_back(dy.device + b * n);
  Array<const float *> das(as), dxs(xs);
  Array<float *> dys(ys);
  cudaMemset(dy.device, 0, n * batch * sizeof(float));
  OK(cublasSgemvBatched(h, CUBLAS_OP_N, n, n, &one, das.device, n, dxs.device, 1, &zero, dys.device, 1, batch));
  near("pointers", dy.get(), want, 1e-6);
}

void batchedSolves() {
  const int n = 4;
  auto a = numbers<double>(n * n), x = numbers<double>(n);
  for (int i = 0; i < n; i++) a[i * n + i] += 4;
  std::vector<double> b(n), identity(n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b[i] += a[i + j * n] * x[j];
  for (int i = 0; i < n; i++) identity[i * n + i] = 1;
  Array<double> da(a), db(b), inverse(n * n);
  Array<double *> as({da.device}), bs({db.device}), cs({inverse.device});
  Array<int> pivots(n), info(1);
  int result = -1;
  OK(cublasDgetrfBatched(h, n, as.device, n, pivots.device, info.device, 1));
  OK(cublasDgetrsBatched(h, CUBLAS_OP_N, n, 1, as.device, n, pivots.device, bs.device, n, &result, 1));
  near("getrs", db.get(), x, 1e-13);
  OK(cublasDgetriBatched(h, n, as.device, n, pivots.device, cs.device, n, info.device, 1));
  near("getri", product(a, inverse.get(), n), identity, 1e-13);
  check("info", result == 0 && info.get()[0] == 0);
}

void batchedTriangles() {
  const int n = 5;
  auto a = numbers<double>(n * n), x = numbers<double>(n);
  for (int i = 0; i < n; i++) a[i * n + i] = 2 + i;
  std::vector<double> b(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) b[i] += a[i + j * n] * x[j];
  Array<double> da(a), db(b);
  Array<double *> as({da.device}), bs({db.device});
  double one = 1;
  OK(cublasDtrsmBatched(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, 1, &one, as.device, n, bs.device, n, 1));
  near("trsm", db.get(), x, 1e-13);
}

void complexProducts() {
  const int n = 3;
  auto re = numbers<double>(2 * n * n);
  std::vector<cuDoubleComplex> a;
  for (int i = 0; i < n * n; i++) a.push_back(z(re[2 * i], re[2 * i + 1]));
  Array<cuDoubleComplex> da(a), dc(n * n);
  cuDoubleComplex one = z(1, 0), zero = z(0, 0);
  double rzero = 0;
  auto worst = [&](bool conjugate, bool transpose, bool lower) {
    double most = 0;
    auto c = dc.get();
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        if (lower && i < j) continue;
        Z want = 0;
        for (int k = 0; k < n; k++) {
          Z right = transpose ? host(a[j + k * n]) : host(a[k + j * n]);
          want += host(a[i + k * n]) * (conjugate ? std::conj(right) : right);
        }
        most = std::max(most, std::abs(host(c[i + j * n]) - want));
      }
    return most;
  };
  OK(cublasZgemm3m(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, da.device, n, da.device, n, &zero, dc.device, n));
  check("gemm3m", worst(false, false, false) < 1e-13);
  OK(cublasZherkx(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, n, &one, da.device, n, da.device, n, &rzero, dc.device, n));
  check("herkx", worst(true, true, true) < 1e-13);
  OK(cublasZsyrkx(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, n, &one, da.device, n, da.device, n, &zero, dc.device, n));
  check("syrkx", worst(false, true, true) < 1e-13);
}

void complexVectors() {
  Array<cuDoubleComplex> x({z(1, 2), z(0, -1)}), y({z(3, 0), z(1, 1)}), a(std::vector<cuDoubleComplex>(4, z(0, 0)));
  cuDoubleComplex u, c, one = z(1, 0);
  OK(cublasZdotu(h, 2, x.device, 1, y.device, 1, &u));
  OK(cublasZdotc(h, 2, x.device, 1, y.device, 1, &c));
  check("dots", host(u) == Z(4, 5) && host(c) == Z(2, -5));
  OK(cublasZgeru(h, 2, 2, &one, x.device, 1, y.device, 1, a.device, 2));
  check("geru", host(a.get()[2]) == Z(1, 2) * Z(1, 1));
  OK(cublasZgerc(h, 2, 2, &one, x.device, 1, y.device, 1, a.device, 2));
  check("gerc", host(a.get()[2]) == Z(1, 2) * Z(1, 1) + Z(1, 2) * Z(1, -1));
  double norm, sum, half = 0.5;
  OK(cublasDznrm2(h, 2, x.device, 1, &norm));
  OK(cublasDzasum(h, 2, x.device, 1, &sum));
  check("sizes", std::fabs(norm - std::sqrt(6)) < 1e-14 && sum == 4);
  OK(cublasZdscal(h, 2, &half, x.device, 1));
  check("scal", host(x.get()[0]) == Z(0.5, 1));
}

void packedMatrices() {
  // The symmetric matrix with rows 1 2 and 2 5, packed by columns of its upper triangle, and as a band.
  Array<double> packed({1, 2, 5}), band({0, 1, 2, 5}), x({1, -1}), y({0, 0});
  double one = 1, zero = 0;
  OK(cublasDspmv(h, CUBLAS_FILL_MODE_UPPER, 2, &one, packed.device, x.device, 1, &zero, y.device, 1));
  near("spmv", y.get(), std::vector<double>{-1, -3}, 0);
  OK(cublasDsbmv(h, CUBLAS_FILL_MODE_UPPER, 2, 1, &one, band.device, 2, x.device, 1, &zero, y.device, 1));
  near("sbmv", y.get(), std::vector<double>{-1, -3}, 0);
  OK(cublasDspr(h, CUBLAS_FILL_MODE_UPPER, 2, &one, x.device, 1, packed.device));
  near("spr", packed.get(), std::vector<double>{2, 1, 6}, 0);
  OK(cublasDspr2(h, CUBLAS_FILL_MODE_UPPER, 2, &one, x.device, 1, y.device, 1, packed.device));
  near("spr2", packed.get(), std::vector<double>{0, -1, 12}, 0);
  Array<cuDoubleComplex> hp({z(1, 0), z(2, 1), z(5, 0)}), hx({z(1, 0), z(0, 1)}), hy({z(0, 0), z(0, 0)});
  cuDoubleComplex hone = z(1, 0), hzero = z(0, 0);
  OK(cublasZhpmv(h, CUBLAS_FILL_MODE_UPPER, 2, &hone, hp.device, hx.device, 1, &hzero, hy.device, 1));
  check("hpmv", host(hy.get()[0]) == Z(0, 2) && host(hy.get()[1]) == Z(2, 4));
  OK(cublasZhpr(h, CUBLAS_FILL_MODE_UPPER, 2, &one, hx.device, 1, hp.device));
  check("hpr", host(hp.get()[0]) == Z(2, 0) && host(hp.get()[1]) == Z(2, 0) && host(hp.get()[2]) == Z(6, 0));
}

void rotations() {
  double c, s, a = 3, b = 4;
  OK(cublasDrotg(h, &a, &b, &c, &s));
  check("rotg", std::fabs(a - 5) + std::fabs(c - 0.6) + std::fabs(s - 0.8) < 1e-14);
  cuDoubleComplex ca = z(0, 3), cb = z(4, 0), cs;
  OK(cublasZrotg(h, &ca, &cb, &c, &cs));
  check("complex rotg", std::abs(std::abs(host(ca)) - 5) < 1e-14 && std::abs(c - 0.6) < 1e-14);
  Array<cuDoubleComplex> x({z(0, 3)}), y({z(4, 0)});
  OK(cublasZrot(h, 1, x.device, 1, y.device, 1, &c, &cs));
  check("rot", std::abs(host(x.get()[0]) - host(ca)) < 1e-14 && std::abs(host(y.get()[0])) < 1e-14);
  double half = 0.5, other = -0.5;
  OK(cublasZdrot(h, 1, x.device, 1, y.device, 1, &half, &other));
  check("real rot", std::abs(host(y.get()[0]) - 0.5 * host(ca)) < 1e-14);
}

int main() {
  OK(cublasCreate(&h));
  program("wide vectors", wideVectors);
  program("wide matrices", wideMatrices);
  program("copies", copies);
  program("settings", settings);
  program("typed vectors", typedVectors);
  program("halves", halves);
  program("batched vectors", batchedVectors);
  program("batched solves", batchedSolves);
  program("batched triangles", batchedTriangles);
  program("complex products", complexProducts);
  program("complex vectors", complexVectors);
  program("packed matrices", packedMatrices);
  program("rotations", rotations);
  OK(cublasDestroy(h));
  return report();
}
