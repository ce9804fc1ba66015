// cuBLASLt ("cuBLAS", "Using the cuBLASLt API"): products of matrices that are described by values.
#include "cublasLt.h"

#include <cstring>

#include "ex.h"

using namespace blas;

struct cublasLtContext {};

struct cublasLtMatmulDesc_ {
  cublasComputeType_t compute;
  cudaDataType scale;
  int pointers = CUBLAS_POINTER_MODE_HOST;
  int opA = CUBLAS_OP_N, opB = CUBLAS_OP_N, opC = CUBLAS_OP_N;
  int epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void *bias = nullptr;
  // Hints: whether sums may be less exact, and how many multiprocessors to use.
  int8_t fast = 0;
  int processors = 0;
};

struct cublasLtMatrixLayout_ {
  int type;
  uint64_t rows, cols;
  int64_t ld;
  int order = CUBLASLT_ORDER_COL, batch = 1;
  int64_t stride = 0;
};

struct cublasLtMatmulPreference_ {
  uint64_t workspace = 0;
};

namespace {

// Where an attribute lies in a description, and its size in bytes; null where there is none.
struct Field {
  void *at;
  size_t size;
};

template <class T> Field field(T &value) { return {&value, sizeof value}; }

Field fieldOf(cublasLtMatmulDesc_t d, int attribute) {
  switch (attribute) {
  case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: return field(d->compute);
  case CUBLASLT_MATMUL_DESC_SCALE_TYPE: return field(d->scale);
  case CUBLASLT_MATMUL_DESC_POINTER_MODE: return field(d->pointers);
  case CUBLASLT_MATMUL_DESC_TRANSA: return field(d->opA);
  case CUBLASLT_MATMUL_DESC_TRANSB: return field(d->opB);
  case CUBLASLT_MATMUL_DESC_TRANSC: return field(d->opC);
  case CUBLASLT_MATMUL_DESC_EPILOGUE: return field(d->epilogue);
  case CUBLASLT_MATMUL_DESC_BIAS_POINTER: return field(d->bias);
  case CUBLASLT_MATMUL_DESC_FAST_ACCUM: return field(d->fast);
  case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET: return field(d->processors);
  default: return {nullptr, 0};
  }
}

Field fieldOf(cublasLtMatrixLayout_t l, int attribute) {
  switch (attribute) {
  case CUBLASLT_MATRIX_LAYOUT_TYPE: return field(l->type);
  case CUBLASLT_MATRIX_LAYOUT_ORDER: return field(l->order);
  case CUBLASLT_MATRIX_LAYOUT_ROWS: return field(l->rows);
  case CUBLASLT_MATRIX_LAYOUT_COLS: return field(l->cols);
  case CUBLASLT_MATRIX_LAYOUT_LD: return field(l->ld);
  case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return field(l->batch);
  case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return field(l->stride);
  default: return {nullptr, 0};
  }
}

std::string withAttribute(const char *call, int attribute) { return std::string(call) + " with attribute " + std::to_string(attribute); }

cublasStatus_t set(Field f, const void *value, size_t size, const char *call, int attribute) {
  if (!f.at) return notSupported(withAttribute(call, attribute).c_str());
  REQUIRE(value && size == f.size, "the value is null or has another size than the attribute");
  memcpy(f.at, value, size);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t get(Field f, void *value, size_t size, size_t *written, const char *call, int attribute) {
  if (!f.at) return notSupported(withAttribute(call, attribute).c_str());
  if (written) *written = f.size;
  if (size == 0) return CUBLAS_STATUS_SUCCESS; // asks for the size
  REQUIRE(value && size >= f.size, "the value is null or too small for the attribute");
  memcpy(value, f.at, f.size);
  return CUBLAS_STATUS_SUCCESS;
}

#define MAKE(name, type, ...)                              \
  const host::Named named(name);                           \
  REQUIRE(out, "the result pointer is null");              \
  *out = new type{__VA_ARGS__};                            \
  return CUBLAS_STATUS_SUCCESS

#define DESTROY(name, what)      \
  const host::Named named(name); \
  delete what;                   \
  return CUBLAS_STATUS_SUCCESS

} // namespace

extern "C" {

size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }

cublasStatus_t cublasLtCreate(cublasLtHandle_t *out) { MAKE("cublasLtCreate", cublasLtContext); }
cublasStatus_t cublasLtDestroy(cublasLtHandle_t h) { DESTROY("cublasLtDestroy", h); }
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *out, cublasComputeType_t compute, cudaDataType scale) {
  MAKE("cublasLtMatmulDescCreate", cublasLtMatmulDesc_, compute, scale);
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d) { DESTROY("cublasLtMatmulDescDestroy", d); }
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *out, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld) {
  MAKE("cublasLtMatrixLayoutCreate", cublasLtMatrixLayout_, type, rows, cols, ld);
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l) { DESTROY("cublasLtMatrixLayoutDestroy", l); }
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *out) {
  MAKE("cublasLtMatmulPreferenceCreate", cublasLtMatmulPreference_);
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p) { DESTROY("cublasLtMatmulPreferenceDestroy", p); }

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t attribute, const void *value, size_t size) {
  CALL("cublasLtMatmulDescSetAttribute", d);
  return set(fieldOf(d, attribute), value, size, "cublasLtMatmulDescSetAttribute", attribute);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t attribute, void *value, size_t size,
                                              size_t *written) {
  CALL("cublasLtMatmulDescGetAttribute", d);
  return get(fieldOf(d, attribute), value, size, written, "cublasLtMatmulDescGetAttribute", attribute);
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t l, cublasLtMatrixLayoutAttribute_t attribute, const void *value,
                                                size_t size) {
  CALL("cublasLtMatrixLayoutSetAttribute", l);
  return set(fieldOf(l, attribute), value, size, "cublasLtMatrixLayoutSetAttribute", attribute);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t l, cublasLtMatrixLayoutAttribute_t attribute, void *value, size_t size,
                                                size_t *written) {
  CALL("cublasLtMatrixLayoutGetAttribute", l);
  return get(fieldOf(l, attribute), value, size, written, "cublasLtMatrixLayoutGetAttribute", attribute);
}

// What is preferred changes nothing: there is one algorithm, which needs no workspace.
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t p, cublasLtMatmulPreferenceAttributes_t, const void *value, size_t) {
  CALL("cublasLtMatmulPreferenceSetAttribute", p);
  REQUIRE(value, "the value is null");
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t h, cublasLtMatmulDesc_t d, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t out, cublasLtMatmulPreference_t, int requested,
                                              cublasLtMatmulHeuristicResult_t results[], int *returned) {
  CALL("cublasLtMatmulAlgoGetHeuristic", h);
  REQUIRE(d && a && b && c && out && results && returned && requested > 0, "an argument is null, or no result is asked for");
  memset(results, 0, requested * sizeof *results);
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}

// Matrices in row-major order are the transposed ones in column-major order. D is computed as its
// transpose, op(B)^T * op(A)^T, where its rows are contiguous.
cublasStatus_t cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t d, const void *alpha, const void *a, cublasLtMatrixLayout_t la,
                              const void *b, cublasLtMatrixLayout_t lb, const void *beta, const void *c, cublasLtMatrixLayout_t lc, void *out,
                              cublasLtMatrixLayout_t ld, const cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t stream) {
  CALL("cublasLtMatmul", h);
  REQUIRE(d && la && lb && lc && ld, "a description is null");
  REQUIRE(a && b && out, "a matrix is null");
  const auto turned = [](int op, cublasLtMatrixLayout_t l) { return transposes(op) != (l->order == CUBLASLT_ORDER_ROW); };
  const auto columnMajor = [](cublasLtMatrixLayout_t l) { return l->order == CUBLASLT_ORDER_COL || l->order == CUBLASLT_ORDER_ROW; };
  if (!columnMajor(la) || !columnMajor(lb) || !columnMajor(lc) || lc->order != ld->order) return notSupported("cublasLtMatmul with this order of elements");
  if (d->opC != CUBLAS_OP_N) return notSupported("cublasLtMatmul with a transposed C");
  const bool byRows = ld->order == CUBLASLT_ORDER_ROW;
  const int m = static_cast<int>(ld->rows), n = static_cast<int>(ld->cols);
  const int k = static_cast<int>(transposes(d->opA) ? la->rows : la->cols);
  REQUIRE((transposes(d->opA) ? la->cols : la->rows) == ld->rows && (transposes(d->opB) ? lb->rows : lb->cols) == ld->cols &&
              (transposes(d->opB) ? lb->cols : lb->rows) == static_cast<uint64_t>(k) && lc->rows == ld->rows && lc->cols == ld->cols,
          "the sizes of the matrices do not fit together");
  REQUIRE(lc->type == ld->type, "C and D have different types");
  Product q{};
  const auto opOf = [&](int op, cublasLtMatrixLayout_t l) {
    const bool transposed = turned(op, l) != byRows;
    return static_cast<cublasOperation_t>(op == CUBLAS_OP_C ? (transposed ? CUBLAS_OP_C : CUBLAS_OP_CONJG) : transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
  };
  q.opA = byRows ? opOf(d->opB, lb) : opOf(d->opA, la);
  q.opB = byRows ? opOf(d->opA, la) : opOf(d->opB, lb);
  q.m = byRows ? n : m, q.n = byRows ? m : n, q.k = k;
  const cublasLtMatrixLayout_t first = byRows ? lb : la, second = byRows ? la : lb;
  q.aType = static_cast<cudaDataType>(first->type), q.bType = static_cast<cudaDataType>(second->type), q.cType = static_cast<cudaDataType>(ld->type);
  q.scale = d->scale;
  q.a = byRows ? b : a, q.b = byRows ? a : b, q.c = c, q.d = out;
  q.lda = first->ld, q.ldb = second->ld, q.ldc = lc->ld, q.ldd = ld->ld;
  q.strideA = first->stride, q.strideB = second->stride, q.strideC = lc->stride, q.strideD = ld->stride;
  q.batch = ld->batch;
  REQUIRE(q.ldd >= larger(1, q.m), "the leading dimension of D is less than its rows");
  switch (d->epilogue) {
  case CUBLASLT_EPILOGUE_DEFAULT: break;
  case CUBLASLT_EPILOGUE_BIAS: q.bias = d->bias; break;
  case CUBLASLT_EPILOGUE_RELU_BIAS: q.bias = d->bias; [[fallthrough]];
  case CUBLASLT_EPILOGUE_RELU: q.activation = Relu; break;
  case CUBLASLT_EPILOGUE_GELU_BIAS: q.bias = d->bias; [[fallthrough]];
  case CUBLASLT_EPILOGUE_GELU: q.activation = Gelu; break;
  default: return notSupported("cublasLtMatmul with this epilogue");
  }
  if (byRows && q.bias) return notSupported("cublasLtMatmul with a bias and D in row-major order");
  if (q.activation && d->scale != CUDA_R_32F) return notSupported("cublasLtMatmul with an activation that is not in single precision");
  cublasContext handle;
  handle.stream = stream;
  handle.pointers = d->pointers == CUBLAS_POINTER_MODE_DEVICE ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST;
  return multiply(&handle, q, alpha, beta);
}

} // extern "C"
