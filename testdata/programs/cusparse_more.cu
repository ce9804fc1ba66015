// Programs that call cuSPARSE: formats and their attributes, conversions, products, and settings.
#include <cusparse.h>

#include <cstring>

#include "../results.h"

#define OK(call) check(#call, (call) == CUSPARSE_STATUS_SUCCESS)

cusparseHandle_t h;

// The matrix with the rows 1 0 2, 0 3 0 and 4 0 5.
const std::vector<int> kOffsets{0, 2, 3, 5}, kRows{0, 0, 1, 2, 2}, kColumns{0, 2, 1, 0, 2};
const std::vector<float> kValues{1, 2, 3, 4, 5}, kDense{1, 0, 4, 0, 3, 0, 2, 0, 5}; // by columns
const std::vector<int> kColumnOffsets{0, 2, 3, 5}, kColumnRows{0, 2, 1, 0, 2};
const std::vector<float> kByColumns{1, 4, 3, 2, 5};

// y = A x for a matrix of any format.
std::vector<float> times(cusparseConstSpMatDescr_t a, std::vector<float> x, cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE) {
  Array<float> dx(x), dy(3);
  cusparseDnVecDescr_t vx, vy;
  float one = 1, zero = 0;
  size_t bytes = 0;
  OK(cusparseCreateDnVec(&vx, 3, dx.device, CUDA_R_32F));
  OK(cusparseCreateDnVec(&vy, 3, dy.device, CUDA_R_32F));
  OK(cusparseSpMV_bufferSize(h, op, &one, a, vx, &zero, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  Array<char> buffer(static_cast<int>(bytes) + 1);
  OK(cusparseSpMV_preprocess(h, op, &one, a, vx, &zero, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer.device));
  OK(cusparseSpMV(h, op, &one, a, vx, &zero, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer.device));
  cusparseDestroyDnVec(vx), cusparseDestroyDnVec(vy);
  return dy.get();
}

const std::vector<float> kX{1, 2, 3}, kProduct{7, 6, 19}, kTransposed{13, 6, 17};

struct Csr {
  Array<int> offsets{kOffsets}, columns{kColumns};
  Array<float> values{kValues};
  cusparseSpMatDescr_t m;
  Csr() {
    OK(cusparseCreateCsr(&m, 3, 3, 5, offsets.device, columns.device, values.device, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                         CUDA_R_32F));
  }
  ~Csr() { cusparseDestroySpMat(m); }
};

void byRows() {
  Csr a;
  near("product", times(a.m, kX), kProduct, 0);
  near("transposed", times(a.m, kX, CUSPARSE_OPERATION_TRANSPOSE), kTransposed, 0);
  int64_t rows, cols, count;
  void *offsets, *columns, *values, *again;
  cusparseIndexType_t offsetType, indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
  OK(cusparseCsrGet(a.m, &rows, &cols, &count, &offsets, &columns, &values, &offsetType, &indexType, &base, &type));
  OK(cusparseSpMatGetValues(a.m, &again));
  OK(cusparseSpMatGetIndexBase(a.m, &base));
  check("got", rows == 3 && count == 5 && offsets == a.offsets.device && columns == a.columns.device && again == values && type == CUDA_R_32F &&
                   base == CUSPARSE_INDEX_BASE_ZERO);
  Array<float> twice({2, 4, 6, 8, 10});
  OK(cusparseSpMatSetValues(a.m, twice.device));
  near("other values", times(a.m, kX), std::vector<float>{14, 12, 38}, 0);
  OK(cusparseCsrSetPointers(a.m, a.offsets.device, a.columns.device, a.values.device));
  near("other pointers", times(a.m, kX), kProduct, 0);
}

void readOnly() {
  Csr a;
  cusparseConstSpMatDescr_t m;
  OK(cusparseCreateConstCsr(&m, 3, 3, 5, a.offsets.device, a.columns.device, a.values.device, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  near("product", times(m, kX), kProduct, 0);
  cusparseDestroySpMat(m);
}

void byCoordinates() {
  Array<int> rows(kRows), columns(kColumns);
  Array<float> values(kValues);
  cusparseSpMatDescr_t m;
  OK(cusparseCreateCoo(&m, 3, 3, 5, rows.device, columns.device, values.device, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  near("product", times(m, kX), kProduct, 0);
  OK(cusparseCooSetPointers(m, columns.device, rows.device, values.device));
  near("transposed", times(m, kX), kTransposed, 0);
  cusparseDestroySpMat(m);
}

void byColumns() {
  Array<int> offsets(kColumnOffsets), rows(kColumnRows);
  Array<float> values(kByColumns);
  cusparseSpMatDescr_t m;
  OK(cusparseCreateCsc(&m, 3, 3, 5, offsets.device, rows.device, values.device, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                       CUDA_R_32F));
  OK(cusparseCscSetPointers(m, offsets.device, rows.device, values.device));
  near("product", times(m, kX), kProduct, 0);
  cusparseDestroySpMat(m);
}

void toColumns() {
  Csr a;
  Array<int> offsets(4), rows(5);
  Array<float> values(5);
  size_t bytes = 0;
  OK(cusparseCsr2cscEx2_bufferSize(h, 3, 3, 5, a.values.device, a.offsets.device, a.columns.device, values.device, offsets.device, rows.device, CUDA_R_32F,
                                   CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, &bytes));
  Array<char> buffer(static_cast<int>(bytes) + 1);
  OK(cusparseCsr2cscEx2(h, 3, 3, 5, a.values.device, a.offsets.device, a.columns.device, values.device, offsets.device, rows.device, CUDA_R_32F,
                        CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, buffer.device));
  check("indices", offsets.get() == kColumnOffsets && rows.get() == kColumnRows && values.get() == kByColumns);
}

void dense() {
  Csr a;
  Array<float> full(9), other(9);
  cusparseDnMatDescr_t d;
  size_t bytes = 0;
  OK(cusparseCreateDnMat(&d, 3, 3, 3, other.device, CUDA_R_32F, CUSPARSE_ORDER_COL));
  OK(cusparseDnMatSetValues(d, full.device));
  void *values;
  OK(cusparseDnMatGetValues(d, &values));
  check("values", values == full.device);
  OK(cusparseSparseToDense_bufferSize(h, a.m, d, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes));
  Array<char> buffer(static_cast<int>(bytes) + 1);
  OK(cusparseSparseToDense(h, a.m, d, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer.device));
  near("dense", full.get(), kDense, 0);
  Array<int> offsets(4), columns(5);
  Array<float> found(5);
  cusparseSpMatDescr_t m;
  OK(cusparseCreateCsr(&m, 3, 3, 0, offsets.device, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  OK(cusparseDenseToSparse_bufferSize(h, d, m, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes));
  Array<char> more(static_cast<int>(bytes) + 1);
  OK(cusparseDenseToSparse_analysis(h, d, m, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, more.device));
  int64_t rows, cols, count = 0;
  OK(cusparseSpMatGetSize(m, &rows, &cols, &count));
  check("count", count == 5);
  OK(cusparseCsrSetPointers(m, offsets.device, columns.device, found.device));
  OK(cusparseDenseToSparse_convert(h, d, m, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, more.device));
  check("sparse again", offsets.get() == kOffsets && columns.get() == kColumns && found.get() == kValues);
  cusparseDestroySpMat(m), cusparseDestroyDnMat(d);
}

void several() {
  Csr a;
  Array<float> b({1, 2, 3, 1, 0, 0}), c(6);
  cusparseConstDnMatDescr_t mb;
  cusparseDnMatDescr_t mc;
  float one = 1, zero = 0;
  size_t bytes = 0;
  const auto op = CUSPARSE_OPERATION_NON_TRANSPOSE;
  OK(cusparseCreateConstDnMat(&mb, 3, 2, 3, b.device, CUDA_R_32F, CUSPARSE_ORDER_COL));
  OK(cusparseCreateDnMat(&mc, 3, 2, 3, c.device, CUDA_R_32F, CUSPARSE_ORDER_COL));
  OK(cusparseSpMM_bufferSize(h, op, op, &one, a.m, mb, &zero, mc, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
  Array<char> buffer(static_cast<int>(bytes) + 1);
  OK(cusparseSpMM_preprocess(h, op, op, &one, a.m, mb, &zero, mc, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, buffer.device));
  OK(cusparseSpMM(h, op, op, &one, a.m, mb, &zero, mc, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, buffer.device));
  near("product", c.get(), std::vector<float>{7, 6, 19, 1, 0, 4}, 0);
  cusparseDestroyDnMat(mb), cusparseDestroyDnMat(mc);
}

void vectors() {
  Array<int> index({0, 2});
  Array<float> values({2, 3}), full(kX), other({5, 5, 5});
  cusparseSpVecDescr_t x;
  cusparseDnVecDescr_t y;
  cusparseConstDnVecDescr_t read;
  float result = 0;
  size_t bytes = 0;
  void *got;
  OK(cusparseCreateSpVec(&x, 3, 2, index.device, values.device, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  OK(cusparseCreateDnVec(&y, 3, other.device, CUDA_R_32F));
  OK(cusparseDnVecSetValues(y, full.device));
  OK(cusparseDnVecGetValues(y, &got));
  check("values", got == full.device);
  OK(cusparseCreateConstDnVec(&read, 3, full.device, CUDA_R_32F));
  OK(cusparseSpVV_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, x, read, &result, CUDA_R_32F, &bytes));
  Array<char> buffer(static_cast<int>(bytes) + 1);
  OK(cusparseSpVV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, x, read, &result, CUDA_R_32F, buffer.device));
  check("dot", result == 11);
  OK(cusparseScatter(h, x, y));
  near("scatter", full.get(), std::vector<float>{2, 2, 3}, 0);
  cusparseDestroySpVec(x), cusparseDestroyDnVec(y), cusparseDestroyDnVec(read);
}

void settings() {
  cusparseMatDescr_t d;
  cusparsePointerMode_t mode;
  cudaStream_t stream, got;
  int version, major;
  OK(cusparseCreateMatDescr(&d));
  OK(cusparseSetMatType(d, CUSPARSE_MATRIX_TYPE_GENERAL));
  OK(cusparseSetMatIndexBase(d, CUSPARSE_INDEX_BASE_ONE));
  OK(cusparseSetMatFillMode(d, CUSPARSE_FILL_MODE_UPPER));
  OK(cusparseSetMatDiagType(d, CUSPARSE_DIAG_TYPE_UNIT));
  check("description", cusparseGetMatType(d) == CUSPARSE_MATRIX_TYPE_GENERAL && cusparseGetMatIndexBase(d) == CUSPARSE_INDEX_BASE_ONE &&
                           cusparseGetMatFillMode(d) == CUSPARSE_FILL_MODE_UPPER && cusparseGetMatDiagType(d) == CUSPARSE_DIAG_TYPE_UNIT);
  OK(cusparseDestroyMatDescr(d));
  cudaStreamCreate(&stream);
  OK(cusparseSetStream(h, stream));
  OK(cusparseGetStream(h, &got));
  check("stream", got == stream);
  OK(cusparseSetStream(h, nullptr));
  cudaStreamDestroy(stream);
  OK(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_DEVICE));
  OK(cusparseGetPointerMode(h, &mode));
  OK(cusparseSetPointerMode(h, CUSPARSE_POINTER_MODE_HOST));
  check("mode", mode == CUSPARSE_POINTER_MODE_DEVICE);
  OK(cusparseGetVersion(h, &version));
  OK(cusparseGetProperty(MAJOR_VERSION, &major));
  check("version", version / 1000 == major);
  check("names", !strcmp(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT), "CUSPARSE_STATUS_ZERO_PIVOT") && cusparseGetErrorString(CUSPARSE_STATUS_SUCCESS)[0]);
}

int main() {
  OK(cusparseCreate(&h));
  program("by rows", byRows);
  program("read only", readOnly);
  program("by coordinates", byCoordinates);
  program("by columns", byColumns);
  program("to columns", toColumns);
  program("dense", dense);
  program("several vectors", several);
  program("vectors", vectors);
  program("settings", settings);
  OK(cusparseDestroy(h));
  return report();
}
