// Sobol sequences of cuRAND: on the device and on the host, of 32 and 64 bits, scrambled and not.
#include <curand.h>
#include <curand_kernel.h>
#include <cmath>
#include <cstdio>
#include <vector>

static int bad = 0;
#define OK(call)                                              \
  do {                                                        \
    if (int e = (call)) printf("%s: %d\n", #call, e), bad++;  \
  } while (0)
#define EXPECT(condition)                                     \
  do {                                                        \
    if (!(condition)) printf("line %d: %s\n", __LINE__, #condition), bad++; \
  } while (0)

constexpr int kDimensions = 25, kEach = 256; // more dimensions than have published numbers

// A block for each dimension; each thread skips ahead to its part of the sequence.
template <class State, class Vectors, class Number> __global__ void sequence(const Vectors *vectors, Number *out) {
  State s;
  const int part = kEach / blockDim.x, first = part * threadIdx.x;
  curand_init(vectors[blockIdx.x], first, &s);
  for (int i = 0; i < part; i++) out[blockIdx.x * kEach + first + i] = curand(&s);
}

template <class State, class Vectors, class Number>
__global__ void scrambledSequence(const Vectors *vectors, const Number *constants, Number *out) {
  State s;
  curand_init(vectors[blockIdx.x], constants[blockIdx.x], threadIdx.x, &s);
  for (int i = threadIdx.x; i < kEach; i += blockDim.x) {
    out[blockIdx.x * kEach + i] = curand(&s);
    skipahead(blockDim.x - 1, &s);
  }
}

__global__ void distributions(const curandDirectionVectors32_t *narrow, const curandDirectionVectors64_t *wide, float *normals, double *doubles, unsigned *counts) {
  curandStateSobol32_t s, t;
  curandStateSobol64_t w;
  curand_init(narrow[threadIdx.x], 1, &s);
  curand_init(narrow[threadIdx.x], 1, &t);
  curand_init(wide[threadIdx.x], 1u, &w);
  for (int i = 0; i < kEach; i++) {
    normals[threadIdx.x * kEach + i] = curand_normal(&s);
    doubles[threadIdx.x * kEach + i] = curand_uniform_double(&w);
    counts[threadIdx.x * kEach + i] = curand_poisson(&t, 4.0);
  }
}

template <class T> T *upload(const T *host, size_t n) {
  T *device;
  OK(cudaMalloc(&device, n * sizeof(T)));
  OK(cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}
template <class T> std::vector<T> download(const T *device, size_t n) {
  std::vector<T> host(n);
  OK(cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

// The first 256 elements of a dimension lie in 256 intervals of one length, one in each.
template <class T> void spread(const std::vector<T> &all) {
  for (int d = 0; d < kDimensions; d++) {
    std::vector<bool> hit(kEach);
    for (int i = 0; i < kEach; i++) hit[all[d * kEach + i] >> (8 * sizeof(T) - 8)] = true;
    for (bool h : hit) EXPECT(h);
  }
}

template <class Plain, class Scrambled, class Vectors, class Number>
void sequences(curandRngType_t plain, curandRngType_t scrambled, curandStatus_t (*vectorsOf)(Vectors **, curandDirectionVectorSet_t),
               curandDirectionVectorSet_t plainSet, curandDirectionVectorSet_t scrambledSet, curandStatus_t (*constantsOf)(Number **),
               curandStatus_t (*generate)(curandGenerator_t, Number *, size_t)) {
  constexpr size_t n = kDimensions * kEach;
  Vectors *hv;
  Number *hc, *out, *made;
  OK(cudaMalloc(&out, n * sizeof(Number)));
  OK(cudaMalloc(&made, n * sizeof(Number)));
  for (bool scramble : {false, true}) {
    OK(vectorsOf(&hv, scramble ? scrambledSet : plainSet));
    OK(constantsOf(&hc));
    Vectors *vectors = upload(hv, kDimensions);
    Number *constants = upload(hc, kDimensions);
    if (scramble)
      scrambledSequence<Scrambled><<<kDimensions, 32>>>(vectors, constants, out);
    else
      sequence<Plain><<<kDimensions, 32>>>(vectors, out);
    auto device = download(out, n);
    spread(device);
    curandGenerator_t g;
    OK(curandCreateGenerator(&g, scramble ? scrambled : plain));
    OK(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT));
    OK(curandSetQuasiRandomGeneratorDimensions(g, kDimensions));
    OK(generate(g, made, n / 2)); // two calls continue each dimension
    auto first = download(made, n / 2);
    OK(generate(g, made, n / 2));
    auto second = download(made, n / 2);
    for (int d = 0; d < kDimensions; d++)
      for (int i = 0; i < kEach; i++) {
        const auto &half = i < kEach / 2 ? first : second;
        EXPECT(half[d * (kEach / 2) + i % (kEach / 2)] == device[d * kEach + i]);
      }
    if (!scramble) { // the order of Antonov and Saleev
      const Number top = Number(1) << (8 * sizeof(Number) - 2), one[] = {0, 2, 3, 1}, two[] = {0, 2, 1, 3};
      for (int i = 0; i < 4; i++) EXPECT(device[i] == one[i] * top && device[kEach + i] == two[i] * top);
    }
    OK(curandDestroyGenerator(g));
    cudaFree(vectors);
    cudaFree(constants);
  }
  cudaFree(out);
  cudaFree(made);
}

void numbers() {
  curandDirectionVectors32_t *narrow;
  curandDirectionVectors64_t *wide;
  OK(curandGetDirectionVectors32(&narrow, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
  OK(curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
  EXPECT(curandGetDirectionVectors32(&narrow, CURAND_DIRECTION_VECTORS_64_JOEKUO6) == CURAND_STATUS_OUT_OF_RANGE);
  auto *dn = upload(narrow, kDimensions);
  auto *dw = upload(wide, kDimensions);
  float *normals;
  double *doubles;
  unsigned *counts;
  cudaMalloc(&normals, kDimensions * kEach * sizeof *normals);
  cudaMalloc(&doubles, kDimensions * kEach * sizeof *doubles);
  cudaMalloc(&counts, kDimensions * kEach * sizeof *counts);
  distributions<<<1, kDimensions>>>(dn, dw, normals, doubles, counts);
  auto x = download(normals, kDimensions * kEach);
  auto u = download(doubles, kDimensions * kEach);
  auto k = download(counts, kDimensions * kEach);
  curandGenerator_t g;
  OK(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32));
  OK(curandSetQuasiRandomGeneratorDimensions(g, kDimensions));
  OK(curandSetGeneratorOffset(g, 1));
  EXPECT(curandGenerateNormal(g, normals, kDimensions + 1, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  EXPECT(curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandSetQuasiRandomGeneratorDimensions(g, 20001) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandGenerateLongLong(g, nullptr, kDimensions) == CURAND_STATUS_TYPE_ERROR);
  OK(curandGenerateNormal(g, normals, kDimensions * kEach, 0, 1));
  auto host = download(normals, kDimensions * kEach);
  for (int d = 0; d < kDimensions; d++) {
    double sum = 0, squares = 0, mean = 0, count = 0;
    for (int i = d * kEach; i < (d + 1) * kEach; i++) {
      EXPECT(fabs(x[i] - host[i]) < 1e-5);
      sum += x[i], squares += x[i] * x[i], mean += u[i] / kEach, count += double(k[i]) / kEach;
    }
    EXPECT(fabs(sum / kEach) < 0.03 && fabs(squares / kEach - 1) < 0.1);
    EXPECT(fabs(mean - 0.5) < 0.01);
    EXPECT(fabs(count - 4) < 0.1);
  }
  OK(curandDestroyGenerator(g));
}

int main() {
  sequences<curandStateSobol32, curandStateScrambledSobol32>(CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, curandGetDirectionVectors32,
                                                             CURAND_DIRECTION_VECTORS_32_JOEKUO6, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6,
                                                             curandGetScrambleConstants32, curandGenerate);
  sequences<curandStateSobol64, curandStateScrambledSobol64>(CURAND_RNG_QUASI_SOBOL64, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, curandGetDirectionVectors64,
                                                             CURAND_DIRECTION_VECTORS_64_JOEKUO6, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6,
                                                             curandGetScrambleConstants64, curandGenerateLongLong);
  numbers();
  puts(bad ? "FAIL" : "PASS");
  return bad != 0;
}
