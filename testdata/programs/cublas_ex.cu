// Programs that call cuBLAS: groups of products, updates and rotations whose types are arguments, packed triangles, and the
// settings of emulated arithmetic; and cublasLt with descriptions of the program's, arrays of pointers and its algorithms.
#include <cublasLt.h>
#include <cublas_v2.h>

#include <complex>

#include "../results.h"

#define OK(call) check(#call, (call) == CUBLAS_STATUS_SUCCESS)

using C = std::complex<float>;
cublasHandle_t h;

void groups() { // two products of 2 by 3 by 4, and one of 3 by 3 by 2 with A transposed
  const int m[] = {2, 3}, n[] = {3, 3}, k[] = {4, 2}, lda[] = {2, 2}, ldb[] = {4, 2}, ldc[] = {2, 3}, sizes[] = {2, 1};
  const cublasOperation_t opA[] = {CUBLAS_OP_N, CUBLAS_OP_T}, opB[] = {CUBLAS_OP_N, CUBLAS_OP_N};
  const double alpha[] = {2, -1}, beta[] = {0, 1};
  std::vector<std::vector<double>> a, b, c;
  std::vector<double *> da, db, dc;
  std::vector<Array<double> *> arrays;
  const auto put = [&](std::vector<std::vector<double>> &to, std::vector<double *> &pointers, int count) {
    to.push_back(numbers<double>(count));
    arrays.push_back(new Array<double>(to.back()));
    pointers.push_back(arrays.back()->device);
  };
  for (int i = 0; i < 3; i++) {
    const int g = i / 2;
    put(a, da, m[g] * k[g]), put(b, db, k[g] * n[g]), put(c, dc, m[g] * n[g]);
  }
  Array<double *> as(da), bs(db), cs(dc);
  for (int typed = 0; typed < 2; typed++) {
    if (typed)
      OK(cublasGemmGroupedBatchedEx(h, opA, opB, m, n, k, alpha, (const void *const *)as.device, CUDA_R_64F, lda, (const void *const *)bs.device, CUDA_R_64F, ldb,
                                    beta, (void *const *)cs.device, CUDA_R_64F, ldc, 2, sizes, CUBLAS_COMPUTE_64F));
    else
      OK(cublasDgemmGroupedBatched(h, opA, opB, m, n, k, alpha, as.device, lda, bs.device, ldb, beta, cs.device, ldc, 2, sizes));
    for (int p = 0; p < 3; p++) {
      const int g = p / 2;
      std::vector<double> want = c[p];
      for (int i = 0; i < m[g]; i++)
        for (int j = 0; j < n[g]; j++) {
          double sum = 0;
          for (int l = 0; l < k[g]; l++) sum += (g ? a[p][l + i * 2] : a[p][i + l * 2]) * b[p][l + j * k[g]];
          want[i + j * m[g]] = alpha[g] * sum + beta[g] * c[p][i + j * m[g]];
        }
      c[p] = want;
      std::vector<double> got(want.size());
      cudaMemcpy(got.data(), dc[p], got.size() * sizeof(double), cudaMemcpyDeviceToHost);
      near("group", got, want, 1e-12);
    }
  }
  for (auto *x : arrays) delete x;
}

void updates() {
  const std::vector<C> a{{1, 1}, {2, -1}, {0, 3}, {4, 0}}; // 2 by 2
  Array<C> da(a);
  const float one = 1, zero = 0;
  const cuComplex i{0, 1}, none{0, 0};
  for (int way = 0; way < 4; way++) {
    Array<C> dc(4);
    if (way == 0) OK(cublasCherkEx(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 2, &one, da.device, CUDA_C_32F, 2, &zero, dc.device, CUDA_C_32F, 2));
    if (way == 1) OK(cublasCherk3mEx(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 2, &one, da.device, CUDA_C_32F, 2, &zero, dc.device, CUDA_C_32F, 2));
    if (way == 2) OK(cublasCsyrkEx(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 2, &i, da.device, CUDA_C_32F, 2, &none, dc.device, CUDA_C_32F, 2));
    if (way == 3) OK(cublasCsyrk3mEx(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 2, &i, da.device, CUDA_C_32F, 2, &none, dc.device, CUDA_C_32F, 2));
    const auto got = dc.get();
    for (int r = 0; r < 2; r++)
      for (int s = r; s < 2; s++) {
        C sum = 0;
        for (int l = 0; l < 2; l++) sum += a[r + l * 2] * (way < 2 ? std::conj(a[s + l * 2]) : a[s + l * 2]);
        check("update", std::abs(got[r + s * 2] - (way < 2 ? sum : C(0, 1) * sum)) < 1e-6);
      }
  }
}

void rotations() {
  Array<C> x({{1, 2}, {3, 4}}), y({{5, 6}, {7, 8}});
  const float c = 2, s = 3;
  OK(cublasRotEx(h, 2, x.device, CUDA_C_32F, 1, y.device, CUDA_C_32F, 1, &c, &s, CUDA_R_32F, CUDA_C_32F));
  check("x", x.get()[0] == C(17, 22) && x.get()[1] == C(27, 32));
  check("y", y.get()[0] == C(7, 6) && y.get()[1] == C(5, 4));
  Array<double> u({1, 2}), v({3, 4});
  const double cd = 0.5, sd = 2;
  OK(cublasRotEx(h, 2, u.device, CUDA_R_64F, 1, v.device, CUDA_R_64F, 1, &cd, &sd, CUDA_R_64F, CUDA_R_64F));
  near("real", u.get(), std::vector<double>{6.5, 9}, 0);
}

void packed() {
  const int n = 4, lda = 5;
  const auto a = numbers<float>(lda * n);
  for (auto uplo : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    std::vector<float> want;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        if (uplo == CUBLAS_FILL_MODE_UPPER ? i <= j : i >= j) want.push_back(a[i + j * lda]);
    Array<float> da(a), p(n * (n + 1) / 2), back(lda * n);
    OK(cublasStrttp(h, uplo, n, da.device, lda, p.device));
    near("packed", p.get(), want, 0);
    OK(cublasStpttr(h, uplo, n, p.device, back.device, lda));
    const auto got = back.get();
    for (int j = 0; j < n; j++)
      for (int i = 0; i < lda; i++) {
        const bool stored = i < n && (uplo == CUBLAS_FILL_MODE_UPPER ? i <= j : i >= j);
        check("full", got[i + j * lda] == (stored ? a[i + j * lda] : 0));
      }
  }
}

// The arithmetic that is emulated elsewhere is that of its precision here.
void emulated() {
  OK(cublasSetMathMode(h, CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH));
  OK(cublasSetEmulationStrategy(h, CUBLAS_EMULATION_STRATEGY_EAGER));
  OK(cublasSetFixedPointEmulationMantissaControl(h, CUDA_EMULATION_MANTISSA_CONTROL_FIXED));
  OK(cublasSetFixedPointEmulationMaxMantissaBitCount(h, 55));
  int bits = 0;
  OK(cublasGetFixedPointEmulationMaxMantissaBitCount(h, &bits));
  check("bits", bits == 55);
  Array<double> a({1, 3, 2, 4}), b({5, 7, 6, 8}), c(4);
  const double one = 1, zero = 0;
  OK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.device, CUDA_R_64F, 2, b.device, CUDA_R_64F, 2, &zero, c.device, CUDA_R_64F, 2,
                  CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, CUBLAS_GEMM_AUTOTUNE));
  near("product", c.get(), std::vector<double>{19, 43, 22, 50}, 0);
  OK(cublasSetMathMode(h, CUBLAS_DEFAULT_MATH));
}

// A product of cublasLt with descriptions in the program's memory, and an algorithm that it has looked for itself.
void described() {
  cublasLtHandle_t lt;
  OK(cublasLtCreate(&lt));
  cublasLtMatmulDescOpaque_t op;
  cublasLtMatrixLayoutOpaque_t la, lb, lc;
  cublasLtEmulationDescOpaque_t emulation;
  cublasLtEmulationDesc_t attached = &emulation;
  OK(cublasLtMatmulDescInit(&op, CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, CUDA_R_64F));
  OK(cublasLtEmulationDescInit(&emulation));
  const int bits = 40;
  OK(cublasLtEmulationDescSetAttribute(&emulation, CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT, &bits, sizeof bits));
  OK(cublasLtMatmulDescSetAttribute(&op, CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR, &attached, sizeof attached));
  OK(cublasLtMatrixLayoutInit(&la, CUDA_R_64F, 2, 2, 2));
  OK(cublasLtMatrixLayoutInit(&lb, CUDA_R_64F, 2, 2, 2));
  OK(cublasLtMatrixLayoutInit(&lc, CUDA_R_64F, 2, 2, 2));
  int id = -1, count = 0;
  OK(cublasLtMatmulAlgoGetIds(lt, CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 1, &id, &count));
  cublasLtMatmulAlgo_t algo;
  OK(cublasLtMatmulAlgoInit(lt, CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, id, &algo));
  const int parts = 1;
  uint16_t shape = 0, got = 7;
  size_t written = 0;
  OK(cublasLtMatmulAlgoConfigSetAttribute(&algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &parts, sizeof parts));
  OK(cublasLtMatmulAlgoConfigSetAttribute(&algo, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, &shape, sizeof shape));
  OK(cublasLtMatmulAlgoConfigGetAttribute(&algo, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, &got, sizeof got, &written));
  OK(cublasLtMatmulAlgoCapGetAttribute(&algo, CUBLASLT_ALGO_CAP_TILE_IDS, nullptr, 0, &written));
  check("algorithm", count == 1 && got == 0 && written == 0);
  cublasLtMatmulHeuristicResult_t result;
  OK(cublasLtMatmulAlgoCheck(lt, &op, &la, &lb, &lc, &lc, &algo, &result));
  Array<double> a({1, 3, 2, 4}), b({5, 7, 6, 8}), c(4);
  const double one = 1, zero = 0;
  OK(cublasLtMatmul(lt, &op, &one, a.device, &la, b.device, &lb, &zero, c.device, &lc, c.device, &lc, &result.algo, nullptr, 0, nullptr));
  near("product", c.get(), std::vector<double>{19, 43, 22, 50}, 0);
  // Two products by arrays of pointers.
  const int mode = CUBLASLT_BATCH_MODE_POINTER_ARRAY, batch = 2;
  for (auto *l : {&la, &lb, &lc}) {
    OK(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, &mode, sizeof mode));
    OK(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch));
  }
  Array<double> d(4), e(4);
  Array<double *> as({a.device, b.device}), bs({b.device, a.device}), cs({d.device, e.device});
  OK(cublasLtMatmul(lt, &op, &one, as.device, &la, bs.device, &lb, &zero, cs.device, &lc, cs.device, &lc, nullptr, nullptr, 0, nullptr));
  near("first", d.get(), std::vector<double>{19, 43, 22, 50}, 0);
  near("second", e.get(), std::vector<double>{23, 31, 34, 46}, 0);
  // The same, with a C that is not D.
  Array<double> c1({1, 1, 1, 1}), c2({2, 2, 2, 2});
  Array<double *> ins({c1.device, c2.device});
  OK(cublasLtMatmul(lt, &op, &one, as.device, &la, bs.device, &lb, &one, ins.device, &lc, cs.device, &lc, nullptr, nullptr, 0, nullptr));
  near("first and C", d.get(), std::vector<double>{20, 44, 23, 51}, 0);
  near("second and C", e.get(), std::vector<double>{25, 33, 36, 48}, 0);
  near("C", c1.get(), std::vector<double>{1, 1, 1, 1}, 0);
  OK(cublasLtDestroy(lt));
}

int main() {
  OK(cublasCreate(&h));
  program("groups", groups);
  program("updates", updates);
  program("rotations", rotations);
  program("packed", packed);
  program("emulated", emulated);
  program("described", described);
  OK(cublasDestroy(h));
  return failed != 0;
}
