// cuFFT ("cuFFT", "cuFFT API Reference"): plans and their execution.
#include "cufft.h"

#include <cmath>
#include <complex>
#include <memory>
#include <set>
#include <vector>

#include "../host.h"
#include "types.h"

using namespace fft;

namespace {

host::Kernels kernels("cufft");

constexpr double kPi = 3.14159265358979323846;
using Wide = std::complex<double>;

// What the transforms of one length need on the device.
struct Length {
  int n = 1;
  std::vector<int> factors;  // empty for Bluestein's algorithm, in which
  std::unique_ptr<Length> m; // is the longer one
  host::Memory roots, chirp, filter;
};

int powerOfTwo(int64_t least) {
  int64_t m = 1;
  while (m < least) m *= 2;
  return static_cast<int>(m);
}

// The factors of n, empty where one is too large.
std::vector<int> factorsOf(int n) {
  std::vector<int> out;
  for (int f : {8, 4, 2})
    while (n % f == 0) out.push_back(f), n /= f;
  for (int f = 3; f <= kMostFactor; f += 2)
    while (n % f == 0) out.push_back(f), n /= f;
  if (n > 1) return {};
  if (out.empty()) out.push_back(1);
  return out;
}

// The forward transform on the host, of a power of two.
void transform(std::vector<Wide> &v) {
  const size_t n = v.size();
  if (n == 1) return;
  std::vector<Wide> even(n / 2), odd(n / 2);
  for (size_t i = 0; i < n / 2; i++) even[i] = v[2 * i], odd[i] = v[2 * i + 1];
  transform(even);
  transform(odd);
  for (size_t k = 0; k < n / 2; k++) {
    const Wide t = std::polar(1.0, -2 * kPi * k / n) * odd[k];
    v[k] = even[k] + t;
    v[k + n / 2] = even[k] - t;
  }
}

template <class R> cudaError_t upload(host::Memory &to, const std::vector<Wide> &v) {
  std::vector<Complex<R>> rounded;
  for (const Wide &w : v) rounded.emplace_back(static_cast<R>(w.real()), static_cast<R>(w.imag()));
  cudaError_t e = to.need(rounded.size() * sizeof rounded[0]);
  if (e == cudaSuccess) e = host::services->copy(to.as<void>(), rounded.data(), rounded.size() * sizeof rounded[0], nullptr);
  return e == cudaSuccess ? host::services->wait(nullptr) : e;
}

template <class R> cudaError_t prepare(Length &l, int n) {
  l.n = n;
  l.factors = factorsOf(n);
  if (!l.factors.empty()) {
    std::vector<Wide> roots(n);
    for (int k = 0; k < n; k++) roots[k] = std::polar(1.0, -2 * kPi * k / n);
    return upload<R>(l.roots, roots);
  }
  l.m.reset(new Length);
  const int m = powerOfTwo(2 * static_cast<int64_t>(n) - 1);
  std::vector<Wide> chirp(n), filter(m);
  for (int64_t k = 0; k < n; k++) {
    chirp[k] = std::polar(1.0, -kPi * static_cast<double>(k * k % (2 * n)) / n);
    filter[k] = std::conj(chirp[k]);
    if (k > 0) filter[m - k] = filter[k];
  }
  transform(filter);
  cudaError_t e = upload<R>(l.chirp, chirp);
  if (e == cudaSuccess) e = upload<R>(l.filter, filter);
  return e == cudaSuccess ? prepare<R>(*l.m, m) : e;
}

// An array of several dimensions in the caller's memory; embed[0] is not used.
struct Extent {
  int64_t embed[3] = {1, 1, 1}, step = 1, distance = 1;
  bool basic = true; // as the sizes imply
};

struct Plan {
  bool ready = false, ownWork = true;
  cudaStream_t stream = nullptr;
  cufftType type = CUFFT_C2C;
  int rank = 1, n[3] = {1, 1, 1}, batch = 1;
  Extent in, out;
  Length lengths[3];
  size_t workBytes = 0;
  host::Memory work;
  void *workArea = nullptr;

  bool isDouble() const { return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D; }
  bool fromReal() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }
  bool toReal() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }
  int half() const { return n[rank - 1] / 2 + 1; }
  // Lines of one dimension, of which the last one's length may be halved in memory.
  int64_t lines(int dim, bool halved) const {
    int64_t l = batch;
    for (int d = 0; d < rank; d++)
      if (d != dim) l *= d == rank - 1 && halved ? half() : n[d];
    return l;
  }
};

struct Plans {
  std::recursive_mutex mutex;
  std::map<cufftHandle, std::unique_ptr<Plan>> all;
  cufftHandle next = 1;
};

Plans &plans() {
  static auto *p = new Plans;
  return *p;
}

Plan *find(cufftHandle h) {
  Plans &p = plans();
  auto at = p.all.find(h);
  return at == p.all.end() ? nullptr : at->second.get();
}

const char *nameOf(cufftResult r) {
  switch (r) {
  case CUFFT_INVALID_PLAN: return "CUFFT_INVALID_PLAN";
  case CUFFT_INVALID_TYPE: return "CUFFT_INVALID_TYPE";
  case CUFFT_INVALID_SIZE: return "CUFFT_INVALID_SIZE";
  default: return "CUFFT_INVALID_VALUE";
  }
}

cufftResult fail(cufftResult r, const char *reason) {
  host::services->failed(r, nameOf(r), reason);
  return r;
}

cufftResult statusOf(cudaError_t e) {
  switch (e) {
  case cudaSuccess: return CUFFT_SUCCESS;
  case cudaErrorMemoryAllocation: return CUFFT_ALLOC_FAILED;
  case cudaErrorNotSupported: return CUFFT_NOT_SUPPORTED;
  default: return CUFFT_EXEC_FAILED;
  }
}

#define LOCKED(name)             \
  const host::Named named(name); \
  std::lock_guard<std::recursive_mutex> lock(plans().mutex)

// The distances between elements of a dimension.
Layout layoutOf(const Plan &p, const Extent &e, int dim, const int64_t (&counts)[3]) {
  int64_t strides[3] = {1, 1, 1};
  int64_t s = e.step;
  for (int d = p.rank - 1; d >= 0; d--) {
    strides[d] = s;
    s *= e.embed[d];
  }
  Layout l{strides[dim], {1, 1, 1}, {0, 0, 0}};
  int at = 0;
  for (int d = p.rank - 1; d >= 0; d--)
    if (d != dim) l.counts[at] = static_cast<int>(counts[d]), l.steps[at++] = strides[d];
  l.counts[at] = p.batch;
  l.steps[at] = e.distance;
  return l;
}

Layout contiguous(int n, int lines) { return {1, {lines, 1, 1}, {n, 0, 0}}; }

template <class P> cudaError_t launch(const Plan &p, const char *kernel, int64_t threads, const P &params) {
  return kernels.launch("fft", (p.isDouble() ? 'z' : 'c') + std::string(kernel), host::blocks(threads, 128, 1 << 16), 128, p.stream, params);
}

// Transforms lines, in passes that go through the two halves of work.
template <class R>
cudaError_t transform(const Plan &p, const Length &l, Array<R> in, Array<R> out, int lines, Complex<R> *const (&work)[2]) {
  int before = 1, turn = 0;
  for (size_t i = 0; i < l.factors.size(); i++) {
    const bool last = i + 1 == l.factors.size();
    Array<R> between{work[turn], contiguous(l.n, lines), Whole, false};
    Pass<R> pass{in, last ? out : between, l.n, lines, l.factors[i], before, l.roots.as<Complex<R>>()};
    cudaError_t e = launch(p, "pass", static_cast<int64_t>(lines) * (l.n / l.factors[i]), pass);
    if (e != cudaSuccess) return e;
    in = between;
    before *= l.factors[i];
    turn = 1 - turn;
  }
  return cudaSuccess;
}

// By Bluestein's algorithm, where a factor of the length is large.
template <class R>
cudaError_t transformAny(const Plan &p, const Length &l, Array<R> in, Array<R> out, int lines, Complex<R> *const (&work)[3]) {
  Complex<R> *const passes[2] = {work[0], work[1]};
  if (!l.factors.empty()) return transform(p, l, in, out, lines, passes);
  const int m = l.m->n;
  Chirp<R> c{in, work[2], l.n, m, lines, l.chirp.as<Complex<R>>(), l.filter.as<Complex<R>>()};
  const Array<R> middle{work[2], contiguous(m, lines), Whole, false};
  cudaError_t e = launch(p, "chirpIn", static_cast<int64_t>(lines) * m, c);
  if (e == cudaSuccess) e = transform(p, *l.m, middle, middle, lines, passes);
  if (e == cudaSuccess) e = launch(p, "chirpTimes", static_cast<int64_t>(lines) * m, c);
  if (e == cudaSuccess) e = transform(p, *l.m, middle, middle, lines, passes);
  c.user = out;
  return e == cudaSuccess ? launch(p, "chirpOut", static_cast<int64_t>(lines) * l.n, c) : e;
}

// The elements that a part of the work area has.
int64_t workElements(const Plan &p) {
  int64_t most = 0;
  for (int d = 0; d < p.rank; d++) {
    int64_t n = p.n[d];
    if (factorsOf(p.n[d]).empty()) n = powerOfTwo(2 * n - 1);
    int64_t e = p.lines(d, false) * n;
    most = e > most ? e : most;
  }
  return most;
}

// Two parts for passes, one for Bluestein's algorithm, one for a transform to real numbers in between.
constexpr int kParts = 4;
size_t workSize(const Plan &p) { return kParts * workElements(p) * (p.isDouble() ? 16 : 8); }

template <class R> cufftResult execute(Plan &p, void *in, void *out, bool inverse) {
  if (p.ownWork && p.work.need(p.workBytes) != cudaSuccess) return CUFFT_ALLOC_FAILED;
  auto *area = static_cast<Complex<R> *>(p.ownWork ? p.work.as<void>() : p.workArea);
  if (!area) return fail(CUFFT_INVALID_PLAN, "the plan has no work area");
  const int64_t part = workElements(p);
  Complex<R> *const work[3] = {area, area + part, area + 2 * part};
  // In place, real numbers of the basic layout are padded to the size of the complex ones.
  Extent from = p.in, to = p.out;
  const int last = p.rank - 1;
  for (Extent *e : {p.fromReal() ? &from : nullptr, p.toReal() ? &to : nullptr}) {
    if (!e || !e->basic) continue;
    e->embed[last] = in == out ? 2 * p.half() : p.n[last];
    e->distance = e->embed[last];
    for (int d = 0; d < last; d++) e->distance *= p.n[d];
  }
  int64_t counts[3] = {p.n[0], p.n[1], p.n[2]};
  if (p.fromReal() || p.toReal()) counts[last] = p.half();
  // From real numbers the last dimension comes first, to real ones it comes last, from a copy.
  Extent middle;
  middle.distance = 1;
  for (int d = 0; d < p.rank; d++) middle.embed[d] = counts[d], middle.distance *= counts[d];
  void *const copy = area + 3 * part;
  void *now = in;
  Extent where = from;
  for (int s = 0; s < p.rank; s++) {
    const int d = p.toReal() ? s : last - s;
    const bool halved = d != last && counts[last] != p.n[last];
    const bool ends = s + 1 == p.rank;
    void *target = p.toReal() && !ends ? copy : out;
    const Extent &targetExtent = p.toReal() && !ends ? middle : to;
    Array<R> a{now, layoutOf(p, where, d, counts), Whole, inverse}, b{target, layoutOf(p, targetExtent, d, counts), Whole, inverse};
    if (d == last && p.fromReal()) a.form = RealOnly, b.form = HalfOnly;
    if (d == last && p.toReal()) a.form = HalfOnly, b.form = RealOnly;
    cudaError_t e = transformAny(p, p.lengths[d], a, b, static_cast<int>(p.lines(d, halved)), work);
    if (e != cudaSuccess) return statusOf(e);
    now = target;
    where = targetExtent;
  }
  return CUFFT_SUCCESS;
}

cufftResult run(cufftHandle h, cufftType type, void *in, void *out, int direction) {
  Plan *p = find(h);
  if (!p || !p->ready) return fail(CUFFT_INVALID_PLAN, "the plan is invalid");
  if (p->type != type) return fail(CUFFT_INVALID_TYPE, "the plan is one of another type");
  if (!in || !out) return fail(CUFFT_INVALID_VALUE, "the input or the output is null");
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
    return fail(CUFFT_INVALID_VALUE, "the direction is neither CUFFT_FORWARD nor CUFFT_INVERSE");
  const bool inverse = direction == CUFFT_INVERSE;
  return p->isDouble() ? execute<double>(*p, in, out, inverse) : execute<float>(*p, in, out, inverse);
}

// Fills in a plan's sizes.
template <class I>
cufftResult describe(Plan &p, int rank, const I *n, const I *inembed, I istride, I idist, const I *onembed, I ostride, I odist,
                     cufftType type, I batch) {
  switch (type) {
  case CUFFT_C2C: case CUFFT_R2C: case CUFFT_C2R: case CUFFT_Z2Z: case CUFFT_D2Z: case CUFFT_Z2D: break;
  default: return fail(CUFFT_INVALID_TYPE, "the type is not a cufftType");
  }
  if (rank < 1 || rank > 3) return fail(CUFFT_INVALID_VALUE, "the rank is not 1, 2 or 3");
  if (!n || batch < 1) return fail(CUFFT_INVALID_SIZE, "the sizes are null or the batch is not positive");
  int64_t all = batch;
  for (int d = 0; d < rank; d++) {
    if (n[d] < 1 || n[d] > 1 << 27) return fail(CUFFT_INVALID_SIZE, "a size is not positive or too large");
    p.n[d] = static_cast<int>(n[d]);
    all *= n[d];
  }
  if (all > 1LL << 31) return fail(CUFFT_INVALID_SIZE, "the transform has more elements than are supported");
  p.rank = rank;
  p.type = type;
  p.batch = static_cast<int>(batch);
  const auto extent = [&](Extent &e, const I *embed, I step, I distance, bool halved) {
    e = Extent();
    e.basic = !embed;
    e.distance = 1;
    for (int d = 0; d < rank; d++) {
      e.embed[d] = embed ? embed[d] : d == rank - 1 && halved ? p.half() : p.n[d];
      e.distance *= e.embed[d];
    }
    if (embed) e.step = step, e.distance = distance;
  };
  const bool advanced = inembed && onembed; // one alone has no effect
  extent(p.in, advanced ? inembed : nullptr, istride, idist, p.toReal());
  extent(p.out, advanced ? onembed : nullptr, ostride, odist, p.fromReal());
  return CUFFT_SUCCESS;
}

template <class I>
cufftResult make(Plan &p, int rank, const I *n, const I *inembed, I istride, I idist, const I *onembed, I ostride, I odist, cufftType type,
                 I batch, size_t *size) {
  if (p.ready) return fail(CUFFT_INVALID_PLAN, "the plan has been made");
  cufftResult r = describe(p, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
  if (r != CUFFT_SUCCESS) return r;
  for (int d = 0; d < rank; d++) {
    cudaError_t e = p.isDouble() ? prepare<double>(p.lengths[d], p.n[d]) : prepare<float>(p.lengths[d], p.n[d]);
    if (e != cudaSuccess) return e == cudaErrorMemoryAllocation ? CUFFT_ALLOC_FAILED : CUFFT_SETUP_FAILED;
  }
  p.workBytes = workSize(p);
  if (size) *size = p.workBytes;
  p.ready = true;
  return CUFFT_SUCCESS;
}

cufftResult create(cufftHandle *out) {
  if (!out) return fail(CUFFT_INVALID_VALUE, "the plan's pointer is null");
  Plans &p = plans();
  *out = p.next++;
  p.all[*out].reset(new Plan);
  return CUFFT_SUCCESS;
}

cufftResult makeBasic(cufftHandle h, int rank, int x, int y, int z, cufftType type, int batch, size_t *size) {
  Plan *p = find(h);
  if (!p) return fail(CUFFT_INVALID_PLAN, "the plan is invalid");
  const int n[3] = {x, y, z};
  return make<int>(*p, rank, n, nullptr, 0, 0, nullptr, 0, 0, type, batch, size);
}

cufftResult planBasic(cufftHandle *out, int rank, int x, int y, int z, cufftType type, int batch) {
  cufftResult r = create(out);
  if (r == CUFFT_SUCCESS) r = makeBasic(*out, rank, x, y, z, type, batch, nullptr);
  if (r != CUFFT_SUCCESS && out) plans().all.erase(*out);
  return r;
}

// The size of a plan's work area without the plan.
template <class I>
cufftResult estimate(int rank, const I *n, const I *inembed, I istride, I idist, const I *onembed, I ostride, I odist, cufftType type, I batch,
                     size_t *size) {
  if (!size) return fail(CUFFT_INVALID_VALUE, "the result pointer is null");
  Plan p;
  cufftResult r = describe(p, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
  if (r == CUFFT_SUCCESS) *size = workSize(p);
  return r;
}

cufftResult estimateBasic(int rank, int x, int y, int z, cufftType type, int batch, size_t *size) {
  const int n[3] = {x, y, z};
  return estimate<int>(rank, n, nullptr, 0, 0, nullptr, 0, 0, type, batch, size);
}

} // namespace

extern "C" {

#define BASIC(suffix, rank, params, x, y, z, batch)                                                         \
  cufftResult cufftPlan##suffix(cufftHandle *plan, params) {                                                \
    LOCKED("cufftPlan" #suffix);                                                                              \
    return planBasic(plan, rank, x, y, z, type, batch);                                                     \
  }                                                                                                         \
  cufftResult cufftMakePlan##suffix(cufftHandle plan, params, size_t *size) {                               \
    LOCKED("cufftMakePlan" #suffix);                                                                          \
    return makeBasic(plan, rank, x, y, z, type, batch, size);                                               \
  }                                                                                                         \
  cufftResult cufftEstimate##suffix(params, size_t *size) {                                                 \
    LOCKED("cufftEstimate" #suffix);                                                                          \
    return estimateBasic(rank, x, y, z, type, batch, size);                                                 \
  }                                                                                                         \
  cufftResult cufftGetSize##suffix(cufftHandle, params, size_t *size) {                                     \
    LOCKED("cufftGetSize" #suffix);                                                                           \
    return estimateBasic(rank, x, y, z, type, batch, size);                                                 \
  }
#define PARAMS(...) __VA_ARGS__
BASIC(1d, 1, PARAMS(int nx, cufftType type, int batch), nx, 1, 1, batch)
BASIC(2d, 2, PARAMS(int nx, int ny, cufftType type), nx, ny, 1, 1)
BASIC(3d, 3, PARAMS(int nx, int ny, int nz, cufftType type), nx, ny, nz, 1)

#define MANY(I) int rank, I *n, I *inembed, I istride, I idist, I *onembed, I ostride, I odist, cufftType type, I batch
#define GIVEN rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch

cufftResult cufftMakePlanMany(cufftHandle plan, MANY(int), size_t *size) {
  LOCKED("cufftMakePlanMany");
  Plan *p = find(plan);
  if (!p) return fail(CUFFT_INVALID_PLAN, "the plan is invalid");
  return make<int>(*p, GIVEN, size);
}
cufftResult cufftMakePlanMany64(cufftHandle plan, MANY(long long), size_t *size) {
  LOCKED("cufftMakePlanMany64");
  Plan *p = find(plan);
  if (!p) return fail(CUFFT_INVALID_PLAN, "the plan is invalid");
  return make<long long>(*p, GIVEN, size);
}
cufftResult cufftPlanMany(cufftHandle *plan, MANY(int)) {
  LOCKED("cufftPlanMany");
  cufftResult r = create(plan);
  if (r == CUFFT_SUCCESS) r = make<int>(*find(*plan), GIVEN, nullptr);
  if (r != CUFFT_SUCCESS && plan) plans().all.erase(*plan);
  return r;
}
cufftResult cufftEstimateMany(MANY(int), size_t *size) {
  LOCKED("cufftEstimateMany");
  return estimate<int>(GIVEN, size);
}
cufftResult cufftGetSizeMany(cufftHandle, MANY(int), size_t *size) {
  LOCKED("cufftGetSizeMany");
  return estimate<int>(GIVEN, size);
}
cufftResult cufftGetSizeMany64(cufftHandle, MANY(long long), size_t *size) {
  LOCKED("cufftGetSizeMany64");
  return estimate<long long>(GIVEN, size);
}

cufftResult cufftCreate(cufftHandle *plan) {
  LOCKED("cufftCreate");
  return create(plan);
}

cufftResult cufftDestroy(cufftHandle plan) {
  LOCKED("cufftDestroy");
  return plans().all.erase(plan) ? CUFFT_SUCCESS : fail(CUFFT_INVALID_PLAN, "the plan is invalid");
}

cufftResult cufftGetSize(cufftHandle plan, size_t *size) {
  LOCKED("cufftGetSize");
  Plan *p = find(plan);
  if (!p || !p->ready) return fail(CUFFT_INVALID_PLAN, "the plan is invalid");
  if (!size) return fail(CUFFT_INVALID_VALUE, "the result pointer is null");
  *size = p->workBytes;
  return CUFFT_SUCCESS;
}

// A setting of a plan.
#define SETTING(name, type, statement)                                            \
  cufftResult name(cufftHandle plan, type value) {                                \
    LOCKED(#name);                                                                  \
    Plan *p = find(plan);                                                         \
    if (!p) return fail(CUFFT_INVALID_PLAN, "the plan is invalid");             \
    statement;                                                                    \
    return CUFFT_SUCCESS;                                                         \
  }
SETTING(cufftSetStream, cudaStream_t, p->stream = value)
SETTING(cufftSetAutoAllocation, int, p->ownWork = value != 0)
SETTING(cufftSetWorkArea, void *, p->workArea = value; p->ownWork = false)

#define EXECUTE(name, type, In, Out)                                                                   \
  cufftResult cufftExec##name(cufftHandle plan, In *in, Out *out, int direction) {                     \
    LOCKED("cufftExec" #name);                                                                           \
    return run(plan, type, in, out, direction);                                                        \
  }
#define EXECUTE_REAL(name, type, In, Out, direction)                                                   \
  cufftResult cufftExec##name(cufftHandle plan, In *in, Out *out) {                                    \
    LOCKED("cufftExec" #name);                                                                           \
    return run(plan, type, in, out, direction);                                                        \
  }
EXECUTE(C2C, CUFFT_C2C, cufftComplex, cufftComplex)
EXECUTE(Z2Z, CUFFT_Z2Z, cufftDoubleComplex, cufftDoubleComplex)
EXECUTE_REAL(R2C, CUFFT_R2C, cufftReal, cufftComplex, CUFFT_FORWARD)
EXECUTE_REAL(D2Z, CUFFT_D2Z, cufftDoubleReal, cufftDoubleComplex, CUFFT_FORWARD)
EXECUTE_REAL(C2R, CUFFT_C2R, cufftComplex, cufftReal, CUFFT_INVERSE)
EXECUTE_REAL(Z2D, CUFFT_Z2D, cufftDoubleComplex, cufftDoubleReal, CUFFT_INVERSE)

cufftResult cufftGetVersion(int *version) {
  LOCKED("cufftGetVersion");
  if (!version) return fail(CUFFT_INVALID_VALUE, "the result pointer is null");
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
  LOCKED("cufftGetProperty");
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return fail(CUFFT_INVALID_VALUE, "the property type is invalid");
  const int parts[] = {CUFFT_VERSION / 1000, CUFFT_VERSION % 1000 / 100, 0};
  *value = parts[type];
  return CUFFT_SUCCESS;
}

} // extern "C"
