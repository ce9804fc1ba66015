// cuBLASLt ("cuBLAS", "Using the cuBLASLt API"): products of matrices that are described by values.
#include "cublasLt.h"

#include <cstring>
#include <new>

#include "ex.h"

using namespace blas;

struct cublasLtContext {};

namespace {

// What descriptions hold; programs may have room for them.
struct MatmulDesc {
  cublasComputeType_t compute;
  cudaDataType scale;
  int pointers = CUBLASLT_POINTER_MODE_HOST;
  int opA = CUBLAS_OP_N, opB = CUBLAS_OP_N, opC = CUBLAS_OP_N;
  int epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void *bias = nullptr;
  int biasType = -1; // that of D
  // Hints: whether sums may be less exact, and how many multiprocessors to use.
  int8_t fast = 0;
  int processors = 0;
  // Arithmetic is not emulated: what is said of that changes nothing.
  cublasLtEmulationDesc_t emulation = nullptr;
};

struct MatrixLayout {
  int type;
  int order;
  uint64_t rows, cols;
  int64_t ld;
  int batch, mode; // mode is a cublasLtBatchMode_t
  int64_t stride;
};

struct EmulationDesc {
  int strategy = CUBLAS_EMULATION_STRATEGY_DEFAULT, special = CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
  int control = CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC, bits = 0, offset = 0;
  int *count = nullptr;
};

// An algorithm: its number, and the parameters that programs may set. There is one, which computes the same whatever they are.
struct Algorithm {
  int config[9];
};

template <class T> struct Inside;
#define INSIDE(Type, name)                                                               \
  template <> struct Inside<cublasLt##name##Opaque_t> {                                  \
    using type = Type;                                                                   \
    static_assert(sizeof(Type) <= sizeof(cublasLt##name##Opaque_t), "does not fit");     \
  };
INSIDE(MatmulDesc, MatmulDesc)
INSIDE(MatrixLayout, MatrixLayout)
INSIDE(EmulationDesc, EmulationDesc)
template <class O> typename Inside<O>::type *in(O *p) { return reinterpret_cast<typename Inside<O>::type *>(p); }

// Where an attribute lies in a description, and its size in bytes; null where it is not supported, with its name.
struct Field {
  void *at;
  size_t size;
  const char *name = nullptr;
};
#define WITHOUT(name) \
  case name: return {nullptr, 0, #name}

template <class T> Field field(T &value) { return {&value, sizeof value}; }

Field fieldOf(cublasLtMatmulDesc_t desc, int attribute) {
  MatmulDesc *d = in(desc);
  switch (attribute) {
  case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: return field(d->compute);
  case CUBLASLT_MATMUL_DESC_SCALE_TYPE: return field(d->scale);
  case CUBLASLT_MATMUL_DESC_POINTER_MODE: return field(d->pointers);
  case CUBLASLT_MATMUL_DESC_TRANSA: return field(d->opA);
  case CUBLASLT_MATMUL_DESC_TRANSB: return field(d->opB);
  case CUBLASLT_MATMUL_DESC_TRANSC: return field(d->opC);
  case CUBLASLT_MATMUL_DESC_EPILOGUE: return field(d->epilogue);
  case CUBLASLT_MATMUL_DESC_BIAS_POINTER: return field(d->bias);
  case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE: return field(d->biasType);
  case CUBLASLT_MATMUL_DESC_FAST_ACCUM: return field(d->fast);
  case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET: return field(d->processors);
  case CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR: return field(d->emulation);
    WITHOUT(CUBLASLT_MATMUL_DESC_FILL_MODE);
    WITHOUT(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE);
    WITHOUT(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER);
    WITHOUT(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD);
    WITHOUT(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE);
    WITHOUT(CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE);
    WITHOUT(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER);
    WITHOUT(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER);
    WITHOUT(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER);
    WITHOUT(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER);
    WITHOUT(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER);
    WITHOUT(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE);
    WITHOUT(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER);
    WITHOUT(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER);
    WITHOUT(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE);
    WITHOUT(CUBLASLT_MATMUL_DESC_A_SCALE_MODE);
    WITHOUT(CUBLASLT_MATMUL_DESC_B_SCALE_MODE);
    WITHOUT(CUBLASLT_MATMUL_DESC_C_SCALE_MODE);
    WITHOUT(CUBLASLT_MATMUL_DESC_D_SCALE_MODE);
    WITHOUT(CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER);
    WITHOUT(CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE);
    WITHOUT(CUBLASLT_MATMUL_DESC_ALPHA_BATCH_STRIDE);
    WITHOUT(CUBLASLT_MATMUL_DESC_BETA_BATCH_STRIDE);
  default: return {nullptr, 0};
  }
}

Field fieldOf(cublasLtMatrixLayout_t layout, int attribute) {
  MatrixLayout *l = in(layout);
  switch (attribute) {
  case CUBLASLT_MATRIX_LAYOUT_TYPE: return field(l->type);
  case CUBLASLT_MATRIX_LAYOUT_ORDER: return field(l->order);
  case CUBLASLT_MATRIX_LAYOUT_ROWS: return field(l->rows);
  case CUBLASLT_MATRIX_LAYOUT_COLS: return field(l->cols);
  case CUBLASLT_MATRIX_LAYOUT_LD: return field(l->ld);
  case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return field(l->batch);
  case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return field(l->stride);
  case CUBLASLT_MATRIX_LAYOUT_BATCH_MODE: return field(l->mode);
    WITHOUT(CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET);
  default: return {nullptr, 0};
  }
}

Field fieldOf(cublasLtEmulationDesc_t desc, int attribute) {
  EmulationDesc *d = in(desc);
  switch (attribute) {
  case CUBLASLT_EMULATION_DESC_STRATEGY: return field(d->strategy);
  case CUBLASLT_EMULATION_DESC_SPECIAL_VALUES_SUPPORT: return field(d->special);
  case CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_CONTROL: return field(d->control);
  case CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT: return field(d->bits);
  case CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_BIT_OFFSET: return field(d->offset);
  case CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_BIT_COUNT_POINTER: return field(d->count);
  default: return {nullptr, 0};
  }
}

std::string withAttribute(Field f, const char *call, int attribute) {
  return std::string(call) + " with " + (f.name ? f.name : "attribute " + std::to_string(attribute));
}

cublasStatus_t set(Field f, const void *value, size_t size, const char *call, int attribute) {
  if (!f.at) return notSupported(withAttribute(f, call, attribute).c_str());
  REQUIRE(value && size == f.size, "the value is null or has another size than the attribute");
  memcpy(f.at, value, size);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t get(Field f, void *value, size_t size, size_t *written, const char *call, int attribute) {
  if (!f.at) return notSupported(withAttribute(f, call, attribute).c_str());
  if (written) *written = f.size;
  if (size == 0) return CUBLAS_STATUS_SUCCESS; // asks for the size
  REQUIRE(value && size >= f.size, "the value is null or too small for the attribute");
  memcpy(value, f.at, f.size);
  return CUBLAS_STATUS_SUCCESS;
}

// A description in the room of a program, or in its own.
#define INIT(name, Type, ...)                                                      \
  const host::Named named(name);                                                   \
  REQUIRE(out && size >= sizeof(Type), "the description is null or too small");    \
  new (out) Type{__VA_ARGS__};                                                     \
  return CUBLAS_STATUS_SUCCESS
#define MAKE(name, Kind, ...)                                                      \
  const host::Named named(name);                                                   \
  REQUIRE(out, "the result pointer is null");                                      \
  *out = new cublasLt##Kind##Opaque_t;                                             \
  new (*out) Kind{__VA_ARGS__};                                                    \
  return CUBLAS_STATUS_SUCCESS

#define DESTROY(name, what)      \
  const host::Named named(name); \
  delete what;                   \
  return CUBLAS_STATUS_SUCCESS

} // namespace

extern "C" {

size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }

cublasStatus_t cublasLtCreate(cublasLtHandle_t *out) {
  const host::Named named("cublasLtCreate");
  REQUIRE(out, "the handle's pointer is null");
  *out = new cublasLtContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t h) { DESTROY("cublasLtDestroy", h); }
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *out, cublasComputeType_t compute, cudaDataType scale) {
  MAKE("cublasLtMatmulDescCreate", MatmulDesc, compute, scale);
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d) { DESTROY("cublasLtMatmulDescDestroy", d); }
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *out, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld) {
  MAKE("cublasLtMatrixLayoutCreate", MatrixLayout, type, CUBLASLT_ORDER_COL, rows, cols, ld, 1, CUBLASLT_BATCH_MODE_STRIDED, 0);
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l) { DESTROY("cublasLtMatrixLayoutDestroy", l); }
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *out) {
  const host::Named named("cublasLtMatmulPreferenceCreate");
  REQUIRE(out, "the result pointer is null");
  *out = new cublasLtMatmulPreferenceOpaque_t{};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p) { DESTROY("cublasLtMatmulPreferenceDestroy", p); }

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t out, size_t size, cublasComputeType_t compute, cudaDataType scale) {
  INIT("cublasLtMatmulDescInit", MatmulDesc, compute, scale);
}
cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t out, size_t size, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld) {
  INIT("cublasLtMatrixLayoutInit", MatrixLayout, type, CUBLASLT_ORDER_COL, rows, cols, ld, 1, CUBLASLT_BATCH_MODE_STRIDED, 0);
}
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t out, size_t) {
  const host::Named named("cublasLtMatmulPreferenceInit");
  REQUIRE(out, "the description is null");
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtEmulationDescCreate(cublasLtEmulationDesc_t *out) { MAKE("cublasLtEmulationDescCreate", EmulationDesc); }
cublasStatus_t cublasLtEmulationDescDestroy(cublasLtEmulationDesc_t d) { DESTROY("cublasLtEmulationDescDestroy", d); }
cublasStatus_t cublasLtEmulationDescInit_internal(cublasLtEmulationDesc_t out, size_t size) { INIT("cublasLtEmulationDescInit", EmulationDesc); }
cublasStatus_t cublasLtEmulationDescSetAttribute(cublasLtEmulationDesc_t d, cublasLtEmulationDescAttributes_t attribute, const void *value, size_t size) {
  CALL("cublasLtEmulationDescSetAttribute", d);
  return set(fieldOf(d, attribute), value, size, "cublasLtEmulationDescSetAttribute", attribute);
}
cublasStatus_t cublasLtEmulationDescGetAttribute(cublasLtEmulationDesc_t d, cublasLtEmulationDescAttributes_t attribute, void *value, size_t size,
                                                 size_t *written) {
  CALL("cublasLtEmulationDescGetAttribute", d);
  return get(fieldOf(d, attribute), value, size, written, "cublasLtEmulationDescGetAttribute", attribute);
}

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

// The only algorithm.
static void fillResult(cublasLtMatmulHeuristicResult_t *result) {
  memset(result, 0, sizeof *result);
  result->state = CUBLAS_STATUS_SUCCESS;
  result->wavesCount = 1;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t h, cublasLtMatmulDesc_t d, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t out, cublasLtMatmulPreference_t, int requested,
                                              cublasLtMatmulHeuristicResult_t results[], int *returned) {
  CALL("cublasLtMatmulAlgoGetHeuristic", h);
  REQUIRE(d && a && b && c && out && results && returned && requested > 0, "an argument is null, or no result is asked for");
  memset(results, 0, requested * sizeof *results);
  fillResult(results);
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristicForStream(cublasLtHandle_t h, cublasLtMatmulDesc_t d, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t out, cublasLtMatmulPreference_t preference,
                                                       int requested, cublasLtMatmulHeuristicResult_t results[], int *returned, cudaStream_t) {
  return cublasLtMatmulAlgoGetHeuristic(h, d, a, b, c, out, preference, requested, results, returned);
}
cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t h, cublasComputeType_t, cudaDataType, cudaDataType, cudaDataType, cudaDataType, cudaDataType,
                                        int requested, int ids[], int *returned) {
  CALL("cublasLtMatmulAlgoGetIds", h);
  REQUIRE(ids && returned && requested > 0, "an argument is null, or no result is asked for");
  ids[0] = 0;
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t h, cublasComputeType_t, cudaDataType, cudaDataType, cudaDataType, cudaDataType, cudaDataType, int id,
                                      cublasLtMatmulAlgo_t *algo) {
  CALL("cublasLtMatmulAlgoInit", h);
  REQUIRE(algo, "the algorithm is null");
  memset(algo, 0, sizeof *algo);
  reinterpret_cast<Algorithm *>(algo)->config[CUBLASLT_ALGO_CONFIG_ID] = id; // programs bring numbers of NVIDIA's
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t h, cublasLtMatmulDesc_t d, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t out, const cublasLtMatmulAlgo_t *algo,
                                       cublasLtMatmulHeuristicResult_t *result) {
  CALL("cublasLtMatmulAlgoCheck", h);
  REQUIRE(d && a && b && c && out && algo && result, "an argument is null");
  fillResult(result);
  result->algo = *algo;
  return CUBLAS_STATUS_SUCCESS;
}
// It has no tiles, stages or parts of k to choose from.
cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *algo, cublasLtMatmulAlgoCapAttributes_t attribute, void *value, size_t size,
                                                 size_t *written) {
  const host::Named named("cublasLtMatmulAlgoCapGetAttribute");
  REQUIRE(algo, "the algorithm is null");
  if (attribute == CUBLASLT_ALGO_CAP_TILE_IDS || attribute == CUBLASLT_ALGO_CAP_STAGES_IDS) {
    if (written) *written = 0;
    return CUBLAS_STATUS_SUCCESS;
  }
  int32_t number = 0;
  uint64_t flags = 0;
  switch (attribute) {
  case CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT:
  case CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT:
  case CUBLASLT_ALGO_CAP_POINTER_ARRAY_BATCH_SUPPORT: number = 1; break;
  case CUBLASLT_ALGO_CAP_POINTER_MODE_MASK: number = 3; break; // on the host and on the device
  case CUBLASLT_ALGO_CAP_EPILOGUE_MASK:
    number = CUBLASLT_EPILOGUE_DEFAULT | CUBLASLT_EPILOGUE_RELU | CUBLASLT_EPILOGUE_BIAS | CUBLASLT_EPILOGUE_GELU;
    break;
  case CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS: return get(field(flags), value, size, written, "cublasLtMatmulAlgoCapGetAttribute", attribute);
  case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES:
  case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES:
  case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES:
  case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES: number = 1; break;
  default: break;
  }
  return get(field(number), value, size, written, "cublasLtMatmulAlgoCapGetAttribute", attribute);
}
// Where a parameter of an algorithm is kept; some are of 16 bits.
static Field parameterOf(cublasLtMatmulAlgo_t *algo, int attribute) {
  if (attribute < CUBLASLT_ALGO_CONFIG_ID || attribute > CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID) return {nullptr, 0};
  int &at = reinterpret_cast<Algorithm *>(algo)->config[attribute];
  return {&at, attribute >= CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID ? sizeof(uint16_t) : sizeof at};
}
cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algo, cublasLtMatmulAlgoConfigAttributes_t attribute, const void *value,
                                                    size_t size) {
  const host::Named named("cublasLtMatmulAlgoConfigSetAttribute");
  REQUIRE(algo, "the algorithm is null");
  return set(parameterOf(algo, attribute), value, size, "cublasLtMatmulAlgoConfigSetAttribute", attribute);
}
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algo, cublasLtMatmulAlgoConfigAttributes_t attribute, void *value,
                                                    size_t size, size_t *written) {
  const host::Named named("cublasLtMatmulAlgoConfigGetAttribute");
  REQUIRE(algo, "the algorithm is null");
  return get(parameterOf(const_cast<cublasLtMatmulAlgo_t *>(algo), attribute), value, size, written, "cublasLtMatmulAlgoConfigGetAttribute", attribute);
}

// Matrices in row-major order are the transposed ones in column-major order. D is computed as its
// transpose, op(B)^T * op(A)^T, where its rows are contiguous.
cublasStatus_t cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t desc, const void *alpha, const void *a, cublasLtMatrixLayout_t layoutA,
                              const void *b, cublasLtMatrixLayout_t layoutB, const void *beta, const void *c, cublasLtMatrixLayout_t layoutC, void *out,
                              cublasLtMatrixLayout_t layoutD, const cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t stream) {
  CALL("cublasLtMatmul", h);
  REQUIRE(desc && layoutA && layoutB && layoutC && layoutD, "a description is null");
  const MatmulDesc *d = in(desc);
  const MatrixLayout *la = in(layoutA), *lb = in(layoutB), *lc = in(layoutC), *ld = in(layoutD);
  REQUIRE(a && b && out, "a matrix is null");
  const auto turned = [](int op, const MatrixLayout *l) { return transposes(op) != (l->order == CUBLASLT_ORDER_ROW); };
  const auto columnMajor = [](const MatrixLayout *l) { return l->order == CUBLASLT_ORDER_COL || l->order == CUBLASLT_ORDER_ROW; };
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
  const auto opOf = [&](int op, const MatrixLayout *l) {
    const bool transposed = turned(op, l) != byRows;
    return static_cast<cublasOperation_t>(op == CUBLAS_OP_C ? (transposed ? CUBLAS_OP_C : CUBLAS_OP_CONJG) : transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
  };
  q.opA = byRows ? opOf(d->opB, lb) : opOf(d->opA, la);
  q.opB = byRows ? opOf(d->opA, la) : opOf(d->opB, lb);
  q.m = byRows ? n : m, q.n = byRows ? m : n, q.k = k;
  const MatrixLayout *first = byRows ? lb : la, *second = byRows ? la : lb;
  q.aType = static_cast<cudaDataType>(first->type), q.bType = static_cast<cudaDataType>(second->type), q.cType = static_cast<cudaDataType>(ld->type);
  q.scale = d->scale;
  q.a = byRows ? b : a, q.b = byRows ? a : b, q.c = c, q.d = out;
  q.lda = first->ld, q.ldb = second->ld, q.ldc = lc->ld, q.ldd = ld->ld;
  q.strideA = first->stride, q.strideB = second->stride, q.strideC = lc->stride, q.strideD = ld->stride;
  q.batch = ld->batch;
  const bool pointers = ld->mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY;
  for (const MatrixLayout *l : {la, lb, lc, ld})
    if (l->mode != ld->mode || l->mode > CUBLASLT_BATCH_MODE_POINTER_ARRAY) return notSupported("cublasLtMatmul with groups, or with batches of several kinds");
  if (pointers) { // the matrices are arrays of pointers
    q.as = static_cast<const void *const *>(q.a), q.bs = static_cast<const void *const *>(q.b), q.cs = static_cast<void *const *>(const_cast<void *>(c)), q.ds = static_cast<void *const *>(out);
    q.a = q.b = q.c = q.d = nullptr;
  }
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
  if (q.bias && d->biasType != -1 && d->biasType != ld->type) return notSupported("cublasLtMatmul with a bias of another type than D");
  if (byRows && q.bias) return notSupported("cublasLtMatmul with a bias and D in row-major order");
  if (q.activation && d->scale != CUDA_R_32F) return notSupported("cublasLtMatmul with an activation that is not in single precision");
  if (d->pointers > CUBLASLT_POINTER_MODE_DEVICE) return notSupported("cublasLtMatmul with alpha or beta as vectors");
  cublasContext handle;
  handle.stream = stream;
  handle.pointers = d->pointers == CUBLASLT_POINTER_MODE_DEVICE ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST;
  return multiply(&handle, q, alpha, beta);
}

} // extern "C"
