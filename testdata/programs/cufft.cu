// cuFFT against sums in double precision on the host: sizes with small and with large factors, one to
// three dimensions, real and complex numbers, in place and not, batches and strides.
#include <cufft.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <type_traits>
#include <vector>

using Z = std::complex<double>;

int bad = 0;
void check(const char *what, int n, double difference, double bound) {
  if (!(difference <= bound)) printf("FAIL %s of %d: %g, more than %g\n", what, n, difference, bound), bad++;
}
#define OK(call) do { cufftResult status_ = call; if (status_) printf("FAIL %s: %d\n", #call, status_), bad++; } while (0)

unsigned seed = 1;
double number() { return (seed = seed * 1664525 + 1013904223) / 4294967296.0 - 0.5; }

// The transform of one dimension after the other; sizes are n0 by n1 by n2.
std::vector<Z> transform(std::vector<Z> v, int n0, int n1, int n2, int sign) {
  const int n[3] = {n0, n1, n2}, steps[3] = {n1 * n2, n2, 1};
  for (int d = 0; d < 3; d++) {
    if (n[d] == 1) continue;
    std::vector<Z> roots(n[d]), out(v.size());
    for (int k = 0; k < n[d]; k++) roots[k] = std::polar(1.0, sign * 2 * M_PI * k / n[d]);
    for (size_t at = 0; at < v.size(); at++) {
      const int k = at / steps[d] % n[d];
      const size_t start = at - size_t(k) * steps[d];
      for (int j = 0; j < n[d]; j++) out[at] += v[start + size_t(j) * steps[d]] * roots[size_t(j) * k % n[d]];
    }
    v = out;
  }
  return v;
}

std::vector<Z> random(size_t n, bool real) {
  std::vector<Z> v(n);
  for (Z &z : v) z = {number(), real ? 0 : number()};
  return v;
}

double difference(const std::vector<Z> &a, const std::vector<Z> &b) {
  double worst = 0;
  for (size_t i = 0; i < a.size(); i++) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

// Functions by precision.
struct Single {
  using R = float;
  static constexpr auto c2c = cufftExecC2C;
  static constexpr auto r2c = cufftExecR2C;
  static constexpr auto c2r = cufftExecC2R;
  static constexpr cufftType complex = CUFFT_C2C, forward = CUFFT_R2C, inverse = CUFFT_C2R;
  static constexpr double eps = 3e-7;
};
struct Double {
  using R = double;
  static constexpr auto c2c = cufftExecZ2Z;
  static constexpr auto r2c = cufftExecD2Z;
  static constexpr auto c2r = cufftExecZ2D;
  static constexpr cufftType complex = CUFFT_Z2Z, forward = CUFFT_D2Z, inverse = CUFFT_Z2D;
  static constexpr double eps = 6e-16;
};

// The functions take CUDA's complex numbers, which are the same in memory.
template <class P> using C = std::complex<typename P::R>;
template <class P> using Cuda = std::conditional_t<std::is_same_v<P, Single>, cufftComplex, cufftDoubleComplex>;

template <class P> C<P> *upload(const std::vector<Z> &v, size_t room = 0) {
  std::vector<C<P>> h(v.begin(), v.end());
  C<P> *d;
  cudaMalloc(&d, std::max(v.size(), room) * sizeof *d);
  cudaMemcpy(d, h.data(), h.size() * sizeof *d, cudaMemcpyHostToDevice);
  return d;
}
template <class T> std::vector<Z> download(const T *d, size_t n) {
  std::vector<T> h(n);
  cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  return std::vector<Z>(h.begin(), h.end());
}

cufftResult plan(cufftHandle *h, int n0, int n1, int n2, cufftType type) {
  return n0 > 1 ? cufftPlan3d(h, n0, n1, n2, type) : n1 > 1 ? cufftPlan2d(h, n1, n2, type) : cufftPlan1d(h, n2, type, 1);
}

template <class P> void all(int n0, int n1, int n2) {
  const int n = n0 * n1 * n2, half = n2 / 2 + 1;
  const double bound = P::eps * n * std::log2(n + 2);
  // Complex, there in place and back not.
  std::vector<Z> v = random(n, false), want = transform(v, n0, n1, n2, -1);
  C<P> *a = upload<P>(v), *b = upload<P>(v);
  cufftHandle h;
  OK(plan(&h, n0, n1, n2, P::complex));
  const auto cuda = [](C<P> *p) { return reinterpret_cast<Cuda<P> *>(p); };
  OK(P::c2c(h, cuda(a), cuda(a), CUFFT_FORWARD));
  check("complex forward", n, difference(download(a, n), want), bound);
  OK(P::c2c(h, cuda(a), cuda(b), CUFFT_INVERSE));
  std::vector<Z> back = download(b, n);
  for (Z &z : back) z /= n;
  check("complex inverse", n, difference(back, v), P::eps * 20);
  OK(cufftDestroy(h));
  // Real: not in place, and in place with padded rows.
  v = random(n, true);
  want = transform(v, n0, n1, n2, -1);
  std::vector<Z> first; // the half that is stored
  for (int i = 0; i < n; i++)
    if (i % n2 < half) first.push_back(want[i]);
  using R = typename P::R;
  R *r, *padded;
  cudaMalloc(&r, n * sizeof(R));
  cudaMalloc(&padded, n0 * n1 * 2 * half * sizeof(R));
  std::vector<R> real, rows;
  for (int i = 0; i < n; i++) real.push_back(v[i].real());
  for (int i = 0; i < n0 * n1; i++)
    for (int j = 0; j < 2 * half; j++) rows.push_back(j < n2 ? real[i * n2 + j] : 0);
  cudaMemcpy(r, real.data(), n * sizeof(R), cudaMemcpyHostToDevice);
  cudaMemcpy(padded, rows.data(), rows.size() * sizeof(R), cudaMemcpyHostToDevice);
  C<P> *spectrum;
  cudaMalloc(&spectrum, first.size() * sizeof *spectrum);
  OK(plan(&h, n0, n1, n2, P::forward));
  OK(P::r2c(h, r, cuda(spectrum)));
  check("real forward", n, difference(download(spectrum, first.size()), first), bound);
  OK(P::r2c(h, padded, reinterpret_cast<Cuda<P> *>(padded)));
  check("real forward in place", n, difference(download(reinterpret_cast<C<P> *>(padded), first.size()), first), bound);
  OK(cufftDestroy(h));
  OK(plan(&h, n0, n1, n2, P::inverse));
  OK(P::c2r(h, cuda(spectrum), r));
  back = download(r, n);
  for (Z &z : back) z /= n;
  check("real inverse", n, difference(back, v), P::eps * 20);
  OK(P::c2r(h, reinterpret_cast<Cuda<P> *>(padded), padded));
  back = download(padded, rows.size());
  double worst = 0;
  for (int i = 0; i < n; i++) worst = std::max(worst, std::abs(back[i / n2 * 2 * half + i % n2] / double(n) - v[i]));
  check("real inverse in place", n, worst, P::eps * 20);
  OK(cufftDestroy(h));
  for (void *p : {(void *)a, (void *)b, (void *)r, (void *)padded, (void *)spectrum}) cudaFree(p);
}

// Every third element of rows that have others between them, in a stream and with a work area of the program's.
void many() {
  int n[2] = {6, 10}, in[2] = {7, 12}, out[2] = {6, 11};
  const int batch = 3, step = 3, distance = 7 * 12 * 3 + 5, distanceOut = 6 * 11 + 1;
  std::vector<Z> v = random(distance * batch, false), want(distanceOut * batch);
  for (int b = 0; b < batch; b++) {
    std::vector<Z> one(60);
    for (int i = 0; i < 60; i++) one[i] = v[b * distance + (i / 10 * 12 + i % 10) * step];
    one = transform(one, 1, 6, 10, 1);
    for (int i = 0; i < 60; i++) want[b * distanceOut + i / 10 * 11 + i % 10] = one[i];
  }
  C<Double> *a = upload<Double>(v), *o = upload<Double>(want);
  cudaMemset(o, 0, want.size() * sizeof *o);
  cufftHandle h;
  size_t bytes, estimated;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  OK(cufftCreate(&h));
  OK(cufftSetAutoAllocation(h, 0));
  OK(cufftMakePlanMany(h, 2, n, in, step, distance, out, 1, distanceOut, CUFFT_Z2Z, batch, &bytes));
  OK(cufftEstimateMany(2, n, in, step, distance, out, 1, distanceOut, CUFFT_Z2Z, batch, &estimated));
  if (bytes != estimated) printf("FAIL size\n"), bad++;
  void *area;
  cudaMalloc(&area, bytes);
  OK(cufftSetWorkArea(h, area));
  OK(cufftSetStream(h, stream));
  OK(cufftExecZ2Z(h, reinterpret_cast<cufftDoubleComplex *>(a), reinterpret_cast<cufftDoubleComplex *>(o), CUFFT_INVERSE));
  cudaStreamSynchronize(stream);
  check("many", 60, difference(download(o, want.size()), want), 1e-13);
  OK(cufftDestroy(h));
  cudaStreamDestroy(stream);
  cudaFree(area);
  cudaFree(a);
  cudaFree(o);
}

int main() {
  for (int n : {1, 2, 8, 60, 61, 67, 128, 210, 331}) all<Single>(1, 1, n);
  for (int n : {3, 30, 134, 256}) all<Double>(1, 1, n);
  all<Single>(1, 12, 10);
  all<Double>(1, 67, 9);
  all<Single>(4, 6, 8);
  all<Double>(3, 5, 7);
  many();
  printf(bad ? "FAIL %d\n" : "PASS\n", bad);
}
