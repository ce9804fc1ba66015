// cuRAND's host library ("cuRAND Library Programming Guide", "Host API
// Overview" and "Generator Options"): numbers are made here, in the documented
// order, and copied to the device in the generator's stream.
#include <cmath>
#include <memory>
#include <vector>

#include "client.h"
#include "curand.h"
#include "sobol.h"

// The device's generators, as host code.
namespace {
#define __device__
#define __noinline__
#define __WG_R static inline __attribute__((unused))
#define CURAND_2POW32_INV (2.3283064e-10f)
#define CURAND_2POW32_INV_DOUBLE (2.3283064365386963e-10)
#define CURAND_2POW53_INV_DOUBLE (1.1102230246251565e-16)
#define CURAND_PI_DOUBLE (3.1415926535897932)

inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(static_cast<uint64_t>(a) * b >> 32); }
inline void sincospi(double x, double *s, double *c) {
  *s = sin(x * CURAND_PI_DOUBLE);
  *c = cos(x * CURAND_PI_DOUBLE);
}

// y = erfc(x) for x, by Winitzki's approximation ("A handy approximation for the error function and its inverse",
// 2008) and Halley's method.
inline double erfcinv(double y) {
  const double a = 0.147, w = log(y) + log(2 - y), b = 2 / (a * CURAND_PI_DOUBLE) + w / 2;
  double x = copysign(sqrt(sqrt(b * b - w / a) - b), 1 - y);
  for (int i = 0; i < 3; i++) {
    const double e = (erfc(x) - y) / (-2 / sqrt(CURAND_PI_DOUBLE) * exp(-x * x));
    x -= e / (1 + x * e);
  }
  return x;
}

#include "warpgrind/curand_states.h"
#include "warpgrind/curand_xorwow.h"
#include "warpgrind/curand_philox.h"
#include "warpgrind/curand_mrg.h"
#include "warpgrind/curand_distributions.h"
#include "warpgrind/curand_sobol.h"
} // namespace

using namespace warpgrind;

// A source of numbers, as the distributions want them.
struct curandGenerator_st {
  curandRngType_t type = CURAND_RNG_PSEUDO_XORWOW;
  bool host = false;
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0, offset = 0;
  unsigned dimensions = 1;
  bool quasi() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
  bool wide() const { return type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64; }
  std::unique_ptr<struct Source> source; // none before the first number
};

struct Source {
  virtual ~Source() {}
  // Announces the next n numbers.
  virtual void begin(size_t) {}
  virtual unsigned long long word() = 0;
  virtual float uniform() = 0;
  virtual double uniformDouble() = 0;
  virtual float2 normals() = 0;
  virtual double2 normalsDouble() = 0;
  virtual unsigned poisson(double lambda) = 0;
};

namespace {

// Numbers come from the lanes in turn: the one at offset n is number n / lanes
// of subsequence n % lanes.
template <class S> struct Lanes : Source {
  std::vector<S> states;
  size_t turn = 0;

  Lanes(unsigned long long seed, unsigned long long offset, size_t lanes) : states(lanes) {
    curand_init(seed, 0, 0, &states[0]);
    for (size_t i = 1; i < lanes; i++) {
      states[i] = states[i - 1];
      nextSubsequence(states[i]);
    }
    turn = offset % lanes;
    for (size_t i = 0; i < lanes; i++) skipahead(offset / lanes + (i < turn), &states[i]);
  }
  static void nextSubsequence(curandStateXORWOW &s) { skipahead_sequence(1, &s); }
  static void nextSubsequence(curandStatePhilox4_32_10 &s) { skipahead_sequence(1, &s); }
  static void nextSubsequence(curandStateMRG32k3a &s) { skipahead_subsequence(1, &s); }

  S *lane() {
    S *s = &states[turn];
    turn = (turn + 1) % states.size();
    return s;
  }
  unsigned long long word() override { return curand(lane()); }
  float uniform() override { return curand_uniform(lane()); }
  double uniformDouble() override { return curand_uniform_double(lane()); }
  float2 normals() override { return curand_normal2(lane()); }
  double2 normalsDouble() override { return curand_normal2_double(lane()); }
  unsigned poisson(double lambda) override { return curand_poisson(lane(), lambda); }
};

void start(const unsigned *v, unsigned, unsigned long long at, curandStateSobol32 *s) { curand_init(v, at, s); }
void start(const unsigned *v, unsigned c, unsigned long long at, curandStateScrambledSobol32 *s) { curand_init(v, c, at, s); }
void start(const unsigned long long *v, unsigned long long, unsigned long long at, curandStateSobol64 *s) { curand_init(v, at, s); }
void start(const unsigned long long *v, unsigned long long c, unsigned long long at, curandStateScrambledSobol64 *s) { curand_init(v, c, at, s); }

// The n numbers of a call are n / dimensions of the first dimension, then as many of the second, and so on.
template <class S> struct Sobol : Source {
  std::vector<S> states;
  S beyond; // what an odd number's partner is drawn from
  size_t each = 1, drawn = 0;

  template <class W> Sobol(const W *vectors, const W *constants, unsigned long long offset, unsigned dimensions) : states(dimensions) {
    for (size_t d = 0; d < dimensions; d++) start(vectors + d * 8 * sizeof(W), constants[d], offset, &states[d]);
    beyond = states[0];
  }
  void begin(size_t n) override { each = n / states.size(), drawn = 0; }
  S *state() {
    const size_t d = drawn++ / each;
    return d < states.size() ? &states[d] : &beyond;
  }
  unsigned long long word() override { return curand(state()); }
  float uniform() override { return curand_uniform(state()); }
  double uniformDouble() override { return curand_uniform_double(state()); }
  float2 normals() override {
    const float first = curand_normal(state());
    return {first, curand_normal(state())};
  }
  double2 normalsDouble() override {
    const double first = curand_normal_double(state());
    return {first, curand_normal_double(state())};
  }
  unsigned poisson(double lambda) override { return curand_poisson(state(), lambda); }
};

// "The result at offset n is from position (n mod 4096) * 2^67 + n / 4096",
// and alike with 2^76 for MRG32k3a; Philox has one sequence.
constexpr size_t kLanes = 4096;

Source &sourceOf(curandGenerator_t g) {
  if (!g->source) switch (g->type) {
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: g->source.reset(new Lanes<curandStatePhilox4_32_10>(g->seed, g->offset, 1)); break;
    case CURAND_RNG_QUASI_SOBOL32:
      g->source.reset(new Sobol<curandStateSobol32>(sobol::vectors32(false), sobol::constants32(), g->offset, g->dimensions));
      break;
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
      g->source.reset(new Sobol<curandStateScrambledSobol32>(sobol::vectors32(true), sobol::constants32(), g->offset, g->dimensions));
      break;
    case CURAND_RNG_QUASI_SOBOL64:
      g->source.reset(new Sobol<curandStateSobol64>(sobol::vectors64(false), sobol::constants64(), g->offset, g->dimensions));
      break;
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
      g->source.reset(new Sobol<curandStateScrambledSobol64>(sobol::vectors64(true), sobol::constants64(), g->offset, g->dimensions));
      break;
    case CURAND_RNG_PSEUDO_MRG32K3A: g->source.reset(new Lanes<curandStateMRG32k3a>(g->seed, g->offset, kLanes)); break;
    default: g->source.reset(new Lanes<curandStateXORWOW>(g->seed, g->offset, kLanes));
    }
  return *g->source;
}

curandStatus_t create(const char *name, curandGenerator_t *out, curandRngType_t type, bool host) {
  if (!out) return CURAND_STATUS_NOT_INITIALIZED;
  if (type == CURAND_RNG_PSEUDO_DEFAULT) type = CURAND_RNG_PSEUDO_XORWOW;
  if (type == CURAND_RNG_QUASI_DEFAULT) type = CURAND_RNG_QUASI_SOBOL32;
  switch (type) {
  case CURAND_RNG_QUASI_SOBOL32:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
  case CURAND_RNG_QUASI_SOBOL64:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
  case CURAND_RNG_PSEUDO_XORWOW:
  case CURAND_RNG_PSEUDO_MRG32K3A:
  case CURAND_RNG_PSEUDO_PHILOX4_32_10: break;
  default:
    unsupported((std::string(name) + " with a generator other than XORWOW, MRG32k3a, Philox and Sobol").c_str());
    return CURAND_STATUS_TYPE_ERROR;
  }
  if (!host && connectOnce() != cudaSuccess) return CURAND_STATUS_INITIALIZATION_FAILED;
  *out = new curandGenerator_st;
  (*out)->type = type;
  (*out)->host = host;
  return CURAND_STATUS_SUCCESS;
}

// Makes n numbers and puts them where the caller wants them.
template <class T, class F> curandStatus_t generate(curandGenerator_t g, T *out, size_t n, F make) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (n == 0) return CURAND_STATUS_SUCCESS;
  if (g->quasi() && n % g->dimensions != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const CallName name("cudaMemcpyAsync");
  std::vector<T> made(n);
  sourceOf(g).begin(n);
  make(*g->source, made);
  if (g->host)
    memcpy(out, made.data(), n * sizeof(T));
  else if (core::cudaMemcpyAsync(out, made.data(), n * sizeof(T), cudaMemcpyHostToDevice, g->stream) != cudaSuccess)
    return CURAND_STATUS_LAUNCH_FAILURE;
  return CURAND_STATUS_SUCCESS;
}

// Normal numbers come in pairs, changed by f.
template <class T, class V, class F>
curandStatus_t normals(curandGenerator_t g, T *out, size_t n, V (Source::*pair)(), F f) {
  if (g && !g->quasi() && n % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generate(g, out, n, [&](Source &s, std::vector<T> &v) {
    for (size_t i = 0; i < n; i += 2) {
      V p = (s.*pair)();
      v[i] = f(p.x);
      if (i + 1 < n) v[i + 1] = f(p.y);
    }
  });
}

} // namespace

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t *g, curandRngType_t type) { return create(__func__, g, type, false); }
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *g, curandRngType_t type) { return create(__func__, g, type, true); }

curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  delete g;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
  const int version[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, 0};
  *value = version[type];
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  g->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (g->quasi()) return CURAND_STATUS_TYPE_ERROR;
  g->seed = seed;
  g->source.reset();
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  g->offset = offset;
  g->source.reset();
  return CURAND_STATUS_SUCCESS;
}

// All orderings but the seeded one, which has no documented order, are one.
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  return g->quasi() == (order == CURAND_ORDERING_QUASI_DEFAULT) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned dimensions) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (!g->quasi()) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions < 1 || dimensions > sobol::kDimensions) return CURAND_STATUS_OUT_OF_RANGE;
  g->dimensions = dimensions;
  g->source.reset();
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[], curandDirectionVectorSet_t set) {
  const bool scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6;
  if (!vectors || (!scrambled && set != CURAND_DIRECTION_VECTORS_32_JOEKUO6)) return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = reinterpret_cast<curandDirectionVectors32_t *>(const_cast<unsigned *>(sobol::vectors32(scrambled)));
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[], curandDirectionVectorSet_t set) {
  const bool scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6;
  if (!vectors || (!scrambled && set != CURAND_DIRECTION_VECTORS_64_JOEKUO6)) return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = reinterpret_cast<curandDirectionVectors64_t *>(const_cast<unsigned long long *>(sobol::vectors64(scrambled)));
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetScrambleConstants32(unsigned **constants) {
  if (!constants) return CURAND_STATUS_OUT_OF_RANGE;
  *constants = sobol::constants32();
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetScrambleConstants64(unsigned long long **constants) {
  if (!constants) return CURAND_STATUS_OUT_OF_RANGE;
  *constants = sobol::constants64();
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t g) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  sourceOf(g);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t n) {
  if (g && g->wide()) return CURAND_STATUS_TYPE_ERROR;
  return generate(g, out, n, [](Source &s, std::vector<unsigned> &v) {
    for (unsigned &x : v) x = s.word();
  });
}

// For 64-bit quasirandom generators alone.
curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *out, size_t n) {
  if (g && !g->wide()) return CURAND_STATUS_TYPE_ERROR;
  return generate(g, out, n, [](Source &s, std::vector<unsigned long long> &v) {
    for (auto &x : v) x = s.word();
  });
}

curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n) {
  return generate(g, out, n, [](Source &s, std::vector<float> &v) {
    for (float &x : v) x = s.uniform();
  });
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t n) {
  return generate(g, out, n, [](Source &s, std::vector<double> &v) {
    for (double &x : v) x = s.uniformDouble();
  });
}

curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n, float mean, float dev) {
  return normals(g, out, n, &Source::normals, [=](float x) { return mean + dev * x; });
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out, size_t n, double mean, double dev) {
  return normals(g, out, n, &Source::normalsDouble, [=](double x) { return mean + dev * x; });
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out, size_t n, float mean, float dev) {
  return normals(g, out, n, &Source::normals, [=](float x) { return expf(mean + dev * x); });
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out, size_t n, double mean, double dev) {
  return normals(g, out, n, &Source::normalsDouble, [=](double x) { return exp(mean + dev * x); });
}

curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned *out, size_t n, double lambda) {
  if (g && !(lambda > 0 && lambda <= 400000)) return CURAND_STATUS_OUT_OF_RANGE;
  return generate(g, out, n, [=](Source &s, std::vector<unsigned> &v) {
    for (unsigned &x : v) x = s.poisson(lambda);
  });
}

curandStatus_t curandGeneratePoissonMethod(curandGenerator_t g, unsigned *out, size_t n, double lambda, int) {
  return curandGeneratePoisson(g, out, n, lambda);
}

} // extern "C"
