// cuSOLVER for dense matrices ("cuSOLVER", "cuSolverDN: dense LAPACK Function Reference"). Workspaces
// are the library's own: those of programs may be of any size.
#include "cusolverDn.h"

#include <string>
#include <type_traits>

#include "../cublas/types.h"
#include "../host.h"
#include "types.h"

using namespace solver;

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
  host::Memory scratch;
};

struct cusolverDnParams {};

// The settings of Jacobi's method.
struct syevjInfo {
  double tolerance = 0;
  int sweeps = 30;
  bool sorted = true;
};
struct gesvdjInfo : syevjInfo {};

namespace {

using host::letter, host::ours, host::Ours;
using Status = cusolverStatus_t;

host::Kernels kernels("cusolver"), blasKernels("cublas");

LIBRARY_STATUS(Status, CUSOLVER_STATUS)

int larger(int a, int b) { return a > b ? a : b; }
int smaller(int a, int b) { return a < b ? a : b; }
bool isTriangle(cublasFillMode_t u) { return u == CUBLAS_FILL_MODE_LOWER || u == CUBLAS_FILL_MODE_UPPER; }

template <class E, class P> Status launch(cusolverDnHandle_t h, const char *kernel, dim3 grid, const P &p) {
  return statusOf(kernels.launch("dense", letter<E> + std::string(kernel), grid, 128, h->stream, p));
}

template <class E> Status clear(cusolverDnHandle_t h, E *info) { return statusOf(host::services->fill(info, 0, sizeof *info, h->stream)); }

// Solves op(A) x = b for a triangle of A.
template <class E>
Status substitute(cusolverDnHandle_t h, bool upper, bool unit, int op, int n, int sides, const E *a, int lda, E *b, int ldb) {
  blas::Solve<E> p{{a, lda, blas::Full, blas::Triangular, op, upper, unit, n, n, 0, 0}};
  p.b = b, p.step = 1, p.next = ldb, p.n = n, p.sides = sides, p.batch = 1;
  p.alpha = {E(1), nullptr};
  return statusOf(blasKernels.launch("level2", letter<E> + std::string("solve"), host::blocks(sides, 1, 1 << 16), 128, h->stream, p));
}

template <class E> Status potrf(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, E *a, int lda, int *info) {
  REQUIRE(isTriangle(uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");
  REQUIRE(n >= 0 && lda >= larger(1, n), "n is negative or lda less than n");
  return launch<E>(h, "potrf", 1, Cholesky<E>{n, a, lda, uplo == CUBLAS_FILL_MODE_UPPER, info});
}

template <class E>
Status potrs(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, int sides, const E *a, int lda, E *b, int ldb, int *info) {
  REQUIRE(isTriangle(uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");
  REQUIRE(n >= 0 && sides >= 0 && lda >= larger(1, n) && ldb >= larger(1, n), "a size is negative or a leading dimension less than n");
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  if (n > 0 && sides > 0) {
    TRY(substitute(h, upper, false, upper ? blas::C : blas::N, n, sides, a, lda, b, ldb));
    TRY(substitute(h, upper, false, upper ? blas::N : blas::C, n, sides, a, lda, b, ldb));
  }
  return clear(h, info);
}

template <class E> Status getrf(cusolverDnHandle_t h, int m, int n, E *a, int lda, blas::Pivots pivots, int *info) {
  REQUIRE(m >= 0 && n >= 0 && lda >= larger(1, m), "a size is negative or lda less than m");
  blas::Factor<E> p{m, n, a, nullptr, lda, pivots, info, 1};
  return statusOf(blasKernels.launch("lu", letter<E> + std::string("getrf"), 1, 128, h->stream, p));
}

template <class E>
Status getrs(cusolverDnHandle_t h, cublasOperation_t op, int n, int sides, const E *a, int lda, blas::Pivots pivots, E *b, int ldb, int *info) {
  REQUIRE(op >= CUBLAS_OP_N && op <= CUBLAS_OP_C, "trans is not a cublasOperation_t");
  REQUIRE(n >= 0 && sides >= 0 && lda >= larger(1, n) && ldb >= larger(1, n), "a size is negative or a leading dimension less than n");
  if (n == 0 || sides == 0) return clear(h, info);
  const bool plain = op == CUBLAS_OP_N;
  const auto exchange = [&](bool back) {
    if (!pivots.any()) return CUSOLVER_STATUS_SUCCESS;
    blas::Exchange<E> p{n, sides, b, nullptr, ldb, pivots, back, 1};
    return statusOf(blasKernels.launch("lu", letter<E> + std::string("laswp"), host::blocks(sides, 64, 1 << 16), 64, h->stream, p));
  };
  if (plain) TRY(exchange(false));
  TRY(substitute(h, !plain, plain, op, n, sides, a, lda, b, ldb));
  TRY(substitute(h, plain, !plain, op, n, sides, a, lda, b, ldb));
  if (!plain) TRY(exchange(true));
  return clear(h, info);
}

template <class E> Status geqrf(cusolverDnHandle_t h, int m, int n, E *a, int lda, E *tau, int *info) {
  REQUIRE(m >= 0 && n >= 0 && lda >= larger(1, m), "a size is negative or lda less than m");
  Reflections<E> p{m, n, smaller(m, n), a, lda, tau};
  p.info = info;
  return launch<E>(h, "geqrf", 1, p);
}

// C = op(Q) C or C op(Q), of Q's first k reflections.
template <class E>
Status ormqr(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const E *a, int lda, const E *tau, E *c,
             int ldc, int *info) {
  REQUIRE(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT, "side is not a cublasSideMode_t");
  REQUIRE(op >= CUBLAS_OP_N && op <= CUBLAS_OP_C, "trans is not a cublasOperation_t");
  constexpr bool complex = !std::is_same_v<E, Real<E>>;
  REQUIRE(!complex || op != CUBLAS_OP_T, "trans is CUBLAS_OP_T for complex matrices");
  const bool right = side == CUBLAS_SIDE_RIGHT;
  const int order = right ? n : m;
  REQUIRE(m >= 0 && n >= 0 && k >= 0 && k <= order, "a size is negative, or k larger than Q");
  REQUIRE(lda >= larger(1, order) && ldc >= larger(1, m), "a leading dimension is less than the rows");
  Reflections<E> p{m, n, k, const_cast<E *>(a), lda, const_cast<E *>(tau), c, ldc, right, op != CUBLAS_OP_N, info};
  return launch<E>(h, "applyQ", host::blocks(right ? m : n, 4, 1 << 16), p);
}

// Q's first n columns in the place of its reflections.
template <class E> Status orgqr(cusolverDnHandle_t h, int m, int n, int k, E *a, int lda, const E *tau, int *info) {
  REQUIRE(n >= 0 && m >= n && k >= 0 && k <= n, "the sizes are not those of Q");
  REQUIRE(lda >= larger(1, m), "lda is less than m");
  if (n == 0) return clear(h, info);
  const size_t column = sizeof(E) * m;
  TRY(statusOf(h->scratch.need(column * n)));
  E *copy = h->scratch.as<E>();
  TRY(statusOf(host::services->copy2D(copy, column, a, sizeof(E) * lda, column, k, h->stream)));
  Reflections<E> p{m, n, k, copy, m, const_cast<E *>(tau), a, lda, false, false, info};
  TRY(launch<E>(h, "identity", host::blocks(static_cast<int64_t>(m) * n, 128, 1 << 16), p));
  return launch<E>(h, "applyQ", host::blocks(n, 4, 1 << 16), p);
}

// Parts of the scratch memory, one after the other.
class Parts {
public:
  explicit Parts(cusolverDnHandle_t h) : h_(h) {}
  template <class T> size_t add(size_t n) {
    const size_t at = (size_ + 15) / 16 * 16;
    size_ = at + n * sizeof(T);
    return at;
  }
  cudaError_t take() { return h_->scratch.need(size_); }
  template <class T> T *at(size_t offset) const { return reinterpret_cast<T *>(h_->scratch.as<char>() + offset); }

private:
  cusolverDnHandle_t h_;
  size_t size_ = 0;
};

template <class E>
Status eigen(cusolverDnHandle_t h, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, E *a, int lda, Real<E> *w, int *info, int sweeps) {
  REQUIRE(jobz == CUSOLVER_EIG_MODE_NOVECTOR || jobz == CUSOLVER_EIG_MODE_VECTOR, "jobz is not a cusolverEigMode_t");
  REQUIRE(isTriangle(uplo), "uplo is neither CUBLAS_FILL_MODE_LOWER nor CUBLAS_FILL_MODE_UPPER");
  REQUIRE(n >= 0 && lda >= larger(1, n), "n is negative or lda less than n");
  if (n == 0) return clear(h, info);
  const size_t all = static_cast<size_t>(n) * n;
  Parts parts(h);
  const size_t full = parts.add<E>(all), v = parts.add<E>(all), order = parts.add<int>(n);
  TRY(statusOf(parts.take()));
  Eigen<E> p{n, a, lda, uplo == CUBLAS_FILL_MODE_UPPER, jobz == CUSOLVER_EIG_MODE_VECTOR, parts.at<E>(full), parts.at<E>(v), w,
             parts.at<int>(order), info, sweeps};
  return launch<E>(h, "eigen", 1, p);
}

// A = U S V^H; u and right as in Singular.
template <class E>
Status singular(cusolverDnHandle_t h, bool adjoint, int m, int n, const E *a, int lda, Real<E> *s, E *u, int ldu, int columns, E *right, int ldr,
                bool rows, int *info, int sweeps) {
  if (m == 0 || n == 0) return clear(h, info);
  if (adjoint) {
    int t = m;
    m = n, n = t;
  }
  Parts parts(h);
  const size_t b = parts.add<E>(static_cast<size_t>(m) * n), v = parts.add<E>(static_cast<size_t>(n) * n), order = parts.add<int>(n);
  TRY(statusOf(parts.take()));
  Singular<E> p{m, n, a, lda, adjoint, parts.at<E>(b), parts.at<E>(v), s, parts.at<int>(order), info, sweeps, u, ldu, columns, right, ldr, rows};
  return launch<E>(h, "singular", 1, p);
}

template <class E>
Status gesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m, int n, E *a, int lda, Real<E> *s, E *u, int ldu, E *vt, int ldvt,
             int *info) {
  REQUIRE(m >= n && n >= 0, "m is less than n, or n negative");
  REQUIRE(lda >= larger(1, m), "lda is less than m");
  for (signed char job : {jobu, jobvt}) {
    REQUIRE(job == 'A' || job == 'S' || job == 'N' || job == 'O', "a job is none of 'A', 'S', 'O' and 'N'");
    if (job == 'O') return notSupported("cusolverDn<t>gesvd with the job 'O'");
  }
  REQUIRE(jobu == 'N' || ldu >= larger(1, m), "ldu is less than m");
  REQUIRE(jobvt == 'N' || ldvt >= larger(1, n), "ldvt is less than n");
  return singular(h, false, m, n, a, lda, s, jobu == 'N' ? nullptr : u, ldu, jobu == 'A' ? m : n, jobvt == 'N' ? nullptr : vt, ldvt, true, info, 40);
}

template <class E>
Status gesvdj(cusolverDnHandle_t h, cusolverEigMode_t jobz, int econ, int m, int n, E *a, int lda, Real<E> *s, E *u, int ldu, E *v, int ldv, int *info,
              gesvdjInfo_t params) {
  REQUIRE(params, "the parameters are null");
  REQUIRE(m >= 0 && n >= 0 && lda >= larger(1, m), "a size is negative or lda less than m");
  const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR, wide = m < n;
  REQUIRE(!vectors || (ldu >= larger(1, m) && ldv >= larger(1, n)), "ldu is less than m or ldv less than n");
  E *left = wide ? v : u, *right = wide ? u : v;
  return singular(h, wide, m, n, a, lda, s, vectors ? left : nullptr, wide ? ldv : ldu, econ ? smaller(m, n) : larger(m, n), vectors ? right : nullptr,
                  wide ? ldu : ldv, false, info, params->sweeps);
}

// The size of a workspace, which is not used.
Status sizeOfWork(int *out, int n) {
  REQUIRE(out, "the result pointer is null");
  *out = larger(1, n);
  return CUSOLVER_STATUS_SUCCESS;
}

// The same for functions with one on each side, neither of which is used.
Status sizesOfWork(size_t *device, size_t *host) {
  REQUIRE(device && host, "a result pointer is null");
  *device = *host = 1;
  return CUSOLVER_STATUS_SUCCESS;
}

cudaDataType realOf(cudaDataType type) { return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type; }

// Calls f with a number of the type that all of types are; sizes have to be those of int.
template <class F> Status byType(std::initializer_list<cudaDataType> types, std::initializer_list<int64_t> sizes, F f) {
  for (cudaDataType t : types)
    if (t != *types.begin()) return notSupported("cuSOLVER with several types");
  for (int64_t s : sizes)
    if (s != static_cast<int>(s)) return notSupported("cuSOLVER with a size of more than 31 bits");
  switch (*types.begin()) {
  case CUDA_R_32F: return f(float());
  case CUDA_R_64F: return f(double());
  case CUDA_C_32F: return f(Complex<float>());
  case CUDA_C_64F: return f(Complex<double>());
  default: return notSupported("cuSOLVER with values of this type");
  }
}

} // namespace

extern "C" {

#define H cusolverDnHandle_t h

Status cusolverDnCreate(cusolverDnHandle_t *out) {
  const host::Named named("cusolverDnCreate");
  REQUIRE(out, "the handle's pointer is null");
  *out = new cusolverDnContext;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnDestroy(H) {
  CALL("cusolverDnDestroy", h);
  delete h;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnSetStream(H, cudaStream_t stream) {
  CALL("cusolverDnSetStream", h);
  h->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnGetStream(H, cudaStream_t *stream) {
  CALL("cusolverDnGetStream", h);
  REQUIRE(stream, "the result pointer is null");
  *stream = h->stream;
  return CUSOLVER_STATUS_SUCCESS;
}

// A tolerance changes nothing: the methods continue to the precision of the type.
#define JACOBI(Name, name, type)                                                      \
  Status cusolverDnCreate##Name##Info(type *out) {                                    \
    const host::Named named("cusolverDnCreate" #Name "Info");                         \
    REQUIRE(out, "the result pointer is null");                                       \
    *out = new std::remove_pointer_t<type>;                                           \
    return CUSOLVER_STATUS_SUCCESS;                                                   \
  }                                                                                   \
  Status cusolverDnDestroy##Name##Info(type info) {                                   \
    delete info;                                                                      \
    return CUSOLVER_STATUS_SUCCESS;                                                   \
  }                                                                                   \
  Status cusolverDnX##name##SetTolerance(type info, double tolerance) {               \
    CALL("cusolverDnX" #name "SetTolerance", info);                                   \
    info->tolerance = tolerance;                                                      \
    return CUSOLVER_STATUS_SUCCESS;                                                   \
  }                                                                                   \
  Status cusolverDnX##name##SetMaxSweeps(type info, int sweeps) {                     \
    CALL("cusolverDnX" #name "SetMaxSweeps", info);                                   \
    REQUIRE(sweeps > 0, "the number of sweeps is not positive");                      \
    info->sweeps = sweeps;                                                            \
    return CUSOLVER_STATUS_SUCCESS;                                                   \
  }                                                                                   \
  Status cusolverDnX##name##SetSortEig(type info, int sort) {                         \
    CALL("cusolverDnX" #name "SetSortEig", info);                                     \
    info->sorted = sort != 0;                                                         \
    return CUSOLVER_STATUS_SUCCESS;                                                   \
  }
JACOBI(Syevj, syevj, syevjInfo_t)
JACOBI(Gesvdj, gesvdj, gesvdjInfo_t)

#define UPLO cublasFillMode_t uplo
#define DENSE(L, V, R, QR, EV)                                                                                                       \
  Status cusolverDn##L##potrf_bufferSize(H, UPLO, int n, V *, int, int *size) {                                                      \
    CALL("cusolverDn" #L "potrf_bufferSize", h);                                                                                     \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##potrf(H, UPLO, int n, V *a, int lda, V *, int, int *info) {                                                  \
    CALL("cusolverDn" #L "potrf", h);                                                                                                \
    return potrf(h, uplo, n, ours(a), lda, info);                                                                                    \
  }                                                                                                                                  \
  Status cusolverDn##L##potrs(H, UPLO, int n, int sides, const V *a, int lda, V *b, int ldb, int *info) {                            \
    CALL("cusolverDn" #L "potrs", h);                                                                                                \
    return potrs<Ours<V>>(h, uplo, n, sides, ours(a), lda, ours(b), ldb, info);                                                \
  }                                                                                                                                  \
  Status cusolverDn##L##getrf_bufferSize(H, int, int n, V *, int, int *size) {                                                       \
    CALL("cusolverDn" #L "getrf_bufferSize", h);                                                                                     \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##getrf(H, int m, int n, V *a, int lda, V *, int *pivots, int *info) {                                         \
    CALL("cusolverDn" #L "getrf", h);                                                                                                \
    return getrf(h, m, n, ours(a), lda, pivots, info);                                                                               \
  }                                                                                                                                  \
  Status cusolverDn##L##getrs(H, cublasOperation_t op, int n, int sides, const V *a, int lda, const int *pivots, V *b, int ldb,      \
                              int *info) {                                                                                           \
    CALL("cusolverDn" #L "getrs", h);                                                                                                \
    return getrs<Ours<V>>(h, op, n, sides, ours(a), lda, pivots, ours(b), ldb, info);                                          \
  }                                                                                                                                  \
  Status cusolverDn##L##geqrf_bufferSize(H, int, int n, V *, int, int *size) {                                                       \
    CALL("cusolverDn" #L "geqrf_bufferSize", h);                                                                                     \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##geqrf(H, int m, int n, V *a, int lda, V *tau, V *, int, int *info) {                                         \
    CALL("cusolverDn" #L "geqrf", h);                                                                                                \
    return geqrf(h, m, n, ours(a), lda, ours(tau), info);                                                                            \
  }                                                                                                                                  \
  Status cusolverDn##L##QR##mqr_bufferSize(H, cublasSideMode_t, cublasOperation_t, int, int n, int, const V *, int, const V *,       \
                                           const V *, int, int *size) {                                                              \
    CALL("cusolverDn" #L #QR "mqr_bufferSize", h);                                                                                   \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##QR##mqr(H, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const V *a, int lda,            \
                                const V *tau, V *c, int ldc, V *, int, int *info) {                                                  \
    CALL("cusolverDn" #L #QR "mqr", h);                                                                                              \
    return ormqr<Ours<V>>(h, side, op, m, n, k, ours(a), lda, ours(tau), ours(c), ldc, info);                                  \
  }                                                                                                                                  \
  Status cusolverDn##L##QR##gqr_bufferSize(H, int, int n, int, const V *, int, const V *, int *size) {                               \
    CALL("cusolverDn" #L #QR "gqr_bufferSize", h);                                                                                   \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##QR##gqr(H, int m, int n, int k, V *a, int lda, const V *tau, V *, int, int *info) {                          \
    CALL("cusolverDn" #L #QR "gqr", h);                                                                                              \
    return orgqr<Ours<V>>(h, m, n, k, ours(a), lda, ours(tau), info);                                                          \
  }                                                                                                                                  \
  Status cusolverDn##L##EV##evd_bufferSize(H, cusolverEigMode_t, UPLO, int n, const V *, int, const R *, int *size) {                \
    CALL("cusolverDn" #L #EV "evd_bufferSize", h);                                                                                   \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##EV##evd(H, cusolverEigMode_t jobz, UPLO, int n, V *a, int lda, R *w, V *, int, int *info) {                  \
    CALL("cusolverDn" #L #EV "evd", h);                                                                                              \
    return eigen(h, jobz, uplo, n, ours(a), lda, w, info, 40);                                                                       \
  }                                                                                                                                  \
  Status cusolverDn##L##EV##evj_bufferSize(H, cusolverEigMode_t, UPLO, int n, const V *, int, const R *, int *size, syevjInfo_t) {   \
    CALL("cusolverDn" #L #EV "evj_bufferSize", h);                                                                                   \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##EV##evj(H, cusolverEigMode_t jobz, UPLO, int n, V *a, int lda, R *w, V *, int, int *info, syevjInfo_t p) {   \
    CALL("cusolverDn" #L #EV "evj", h);                                                                                              \
    REQUIRE(p, "the parameters are null");                                                                                           \
    return eigen(h, jobz, uplo, n, ours(a), lda, w, info, p->sweeps);                                                                \
  }                                                                                                                                  \
  Status cusolverDn##L##gesvd_bufferSize(H, int, int n, int *size) {                                                                 \
    CALL("cusolverDn" #L "gesvd_bufferSize", h);                                                                                     \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##gesvd(H, signed char jobu, signed char jobvt, int m, int n, V *a, int lda, R *s, V *u, int ldu, V *vt,       \
                              int ldvt, V *, int, R *, int *info) {                                                                  \
    CALL("cusolverDn" #L "gesvd", h);                                                                                                \
    return gesvd(h, jobu, jobvt, m, n, ours(a), lda, s, ours(u), ldu, ours(vt), ldvt, info);                                         \
  }                                                                                                                                  \
  Status cusolverDn##L##gesvdj_bufferSize(H, cusolverEigMode_t, int, int, int n, const V *, int, const R *, const V *, int,          \
                                          const V *, int, int *size, gesvdjInfo_t) {                                                 \
    CALL("cusolverDn" #L "gesvdj_bufferSize", h);                                                                                    \
    return sizeOfWork(size, n);                                                                                                      \
  }                                                                                                                                  \
  Status cusolverDn##L##gesvdj(H, cusolverEigMode_t jobz, int econ, int m, int n, V *a, int lda, R *s, V *u, int ldu, V *v, int ldv, \
                               V *, int, int *info, gesvdjInfo_t params) {                                                           \
    CALL("cusolverDn" #L "gesvdj", h);                                                                                               \
    return gesvdj(h, jobz, econ, m, n, ours(a), lda, s, ours(u), ldu, ours(v), ldv, info, params);                                   \
  }
DENSE(S, float, float, or, sy)
DENSE(D, double, double, or, sy)
DENSE(C, cuComplex, float, un, he)
DENSE(Z, cuDoubleComplex, double, un, he)

// Functions whose types are arguments. Their matrices are of one type, and the eigenvalues and singular
// values of its real one.
#define PARAMS H, cusolverDnParams_t
#define WORK cudaDataType compute, void *, size_t, void *, size_t, int *info
#define SIZES cudaDataType, size_t *device, size_t *host

Status cusolverDnCreateParams(cusolverDnParams_t *out) {
  const host::Named named("cusolverDnCreateParams");
  REQUIRE(out, "the result pointer is null");
  *out = new cusolverDnParams;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnDestroyParams(cusolverDnParams_t params) {
  delete params;
  return CUSOLVER_STATUS_SUCCESS;
}
Status cusolverDnXpotrf_bufferSize(PARAMS, UPLO, int64_t, cudaDataType, const void *, int64_t, SIZES) {
  CALL("cusolverDnXpotrf_bufferSize", h);
  return sizesOfWork(device, host);
}
Status cusolverDnXpotrf(PARAMS, UPLO, int64_t n, cudaDataType type, void *a, int64_t lda, WORK) {
  CALL("cusolverDnXpotrf", h);
  return byType({type, compute}, {n, lda}, [&](auto zero) {
    return potrf(h, uplo, n, static_cast<decltype(zero) *>(a), lda, info);
  });
}
Status cusolverDnXpotrs(PARAMS, UPLO, int64_t n, int64_t sides, cudaDataType type, const void *a, int64_t lda, cudaDataType typeB, void *b,
                        int64_t ldb, int *info) {
  CALL("cusolverDnXpotrs", h);
  return byType({type, typeB}, {n, sides, lda, ldb}, [&](auto zero) {
    using E = decltype(zero);
    return potrs(h, uplo, n, sides, static_cast<const E *>(a), lda, static_cast<E *>(b), ldb, info);
  });
}
Status cusolverDnXgetrf_bufferSize(PARAMS, int64_t, int64_t, cudaDataType, const void *, int64_t, SIZES) {
  CALL("cusolverDnXgetrf_bufferSize", h);
  return sizesOfWork(device, host);
}
Status cusolverDnXgetrf(PARAMS, int64_t m, int64_t n, cudaDataType type, void *a, int64_t lda, int64_t *pivots, WORK) {
  CALL("cusolverDnXgetrf", h);
  return byType({type, compute}, {m, n, lda}, [&](auto zero) {
    return getrf(h, m, n, static_cast<decltype(zero) *>(a), lda, pivots, info);
  });
}
Status cusolverDnXgetrs(PARAMS, cublasOperation_t op, int64_t n, int64_t sides, cudaDataType type, const void *a, int64_t lda, const int64_t *pivots,
                        cudaDataType typeB, void *b, int64_t ldb, int *info) {
  CALL("cusolverDnXgetrs", h);
  return byType({type, typeB}, {n, sides, lda, ldb}, [&](auto zero) {
    using E = decltype(zero);
    return getrs(h, op, n, sides, static_cast<const E *>(a), lda, pivots, static_cast<E *>(b), ldb, info);
  });
}
Status cusolverDnXsyevd_bufferSize(PARAMS, cusolverEigMode_t, UPLO, int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *, SIZES) {
  CALL("cusolverDnXsyevd_bufferSize", h);
  return sizesOfWork(device, host);
}
Status cusolverDnXsyevd(PARAMS, cusolverEigMode_t jobz, UPLO, int64_t n, cudaDataType type, void *a, int64_t lda, cudaDataType typeW, void *w, WORK) {
  CALL("cusolverDnXsyevd", h);
  REQUIRE(typeW == realOf(type), "the eigenvalues are not of the real type of the matrix");
  return byType({type, compute}, {n, lda}, [&](auto zero) {
    using E = decltype(zero);
    return eigen(h, jobz, uplo, n, static_cast<E *>(a), lda, static_cast<Real<E> *>(w), info, 40);
  });
}
Status cusolverDnXgesvd_bufferSize(PARAMS, signed char, signed char, int64_t, int64_t, cudaDataType, const void *, int64_t, cudaDataType, const void *,
                                   cudaDataType, const void *, int64_t, cudaDataType, const void *, int64_t, SIZES) {
  CALL("cusolverDnXgesvd_bufferSize", h);
  return sizesOfWork(device, host);
}
Status cusolverDnXgesvd(PARAMS, signed char jobu, signed char jobvt, int64_t m, int64_t n, cudaDataType type, void *a, int64_t lda, cudaDataType typeS,
                        void *s, cudaDataType typeU, void *u, int64_t ldu, cudaDataType typeVT, void *vt, int64_t ldvt, WORK) {
  CALL("cusolverDnXgesvd", h);
  REQUIRE(typeS == realOf(type), "the singular values are not of the real type of the matrix");
  return byType({type, typeU, typeVT, compute}, {m, n, lda, ldu, ldvt}, [&](auto zero) {
    using E = decltype(zero);
    return gesvd(h, jobu, jobvt, m, n, static_cast<E *>(a), lda, static_cast<Real<E> *>(s), static_cast<E *>(u), ldu, static_cast<E *>(vt), ldvt, info);
  });
}

} // extern "C"
