// Programs that call cuFFT: plans of all kinds, sizes, and transforms whose results are known.
#include <cufft.h>

#include <complex>

#include "../results.h"

#define OK(call) check(#call, (call) == CUFFT_SUCCESS)

using Z = std::complex<double>;
const double kTurn = 6.283185307179586;

std::vector<cufftDoubleComplex> waves(int n) {
  auto v = numbers<double>(2 * n);
  std::vector<cufftDoubleComplex> out;
  for (int i = 0; i < n; i++) out.push_back({v[2 * i], v[2 * i + 1]});
  return out;
}

// Whether out is the transform of in, n elements that step apart.
bool isTransform(const std::vector<cufftDoubleComplex> &in, const std::vector<cufftDoubleComplex> &out, int n, int first, int step) {
  for (int k = 0; k < n; k++) {
    Z sum = 0;
    for (int j = 0; j < n; j++) sum += Z(in[first + j * step].x, in[first + j * step].y) * std::polar(1.0, -kTurn * j * k / n);
    if (std::abs(sum - Z(out[first + k * step].x, out[first + k * step].y)) > 1e-12) return false;
  }
  return true;
}

void convolution() {
  const int n = 12;
  auto x = numbers<double>(n), y = numbers<double>(n);
  std::vector<double> want(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) want[(i + j) % n] += x[i] * y[j];
  Array<double> dx(x), dy(y);
  Array<cufftDoubleComplex> fx(n / 2 + 1), fy(n / 2 + 1);
  cufftHandle there, back;
  OK(cufftPlan1d(&there, n, CUFFT_D2Z, 1));
  OK(cufftPlan1d(&back, n, CUFFT_Z2D, 1));
  OK(cufftExecD2Z(there, dx.device, fx.device));
  OK(cufftExecD2Z(there, dy.device, fy.device));
  auto a = fx.get(), b = fy.get();
  for (size_t i = 0; i < a.size(); i++) {
    Z p = Z(a[i].x, a[i].y) * Z(b[i].x, b[i].y) / double(n);
    a[i] = {p.real(), p.imag()};
  }
  Array<cufftDoubleComplex> product(a);
  OK(cufftExecZ2D(back, product.device, dx.device));
  near("product", dx.get(), want, 1e-13);
  OK(cufftDestroy(there));
  OK(cufftDestroy(back));
}

void realSingle() {
  const int n = 10;
  auto x = numbers<float>(n);
  Array<float> d(x), back(n);
  Array<cufftComplex> f(n / 2 + 1);
  cufftHandle there, again;
  OK(cufftPlan1d(&there, n, CUFFT_R2C, 1));
  OK(cufftPlan1d(&again, n, CUFFT_C2R, 1));
  OK(cufftExecR2C(there, d.device, f.device));
  OK(cufftExecC2R(again, f.device, back.device));
  for (float &v : x) v *= n;
  near("there and back", back.get(), x, 1e-5);
  cufftDestroy(there), cufftDestroy(again);
}

void strided() {
  const int n = 6, batch = 3;
  auto in = waves(n * batch);
  Array<cufftDoubleComplex> a(in), b(n * batch);
  int size[] = {n};
  cufftHandle plan;
  OK(cufftPlanMany(&plan, 1, size, size, batch, 1, size, batch, 1, CUFFT_Z2Z, batch)); // elements of a transform are batch apart
  OK(cufftExecZ2Z(plan, a.device, b.device, CUFFT_FORWARD));
  auto out = b.get();
  for (int i = 0; i < batch; i++) check("transform", isTransform(in, out, n, i, batch));
  cufftDestroy(plan);
}

void wideSizes() {
  const int n = 9;
  auto in = waves(n);
  Array<cufftDoubleComplex> a(in), b(n);
  long long size[] = {n};
  size_t bytes = 0, more = 0;
  cufftHandle plan;
  OK(cufftCreate(&plan));
  OK(cufftGetSizeMany64(plan, 1, size, nullptr, 1, 0, nullptr, 1, 0, CUFFT_Z2Z, 1, &more));
  OK(cufftMakePlanMany64(plan, 1, size, nullptr, 1, 0, nullptr, 1, 0, CUFFT_Z2Z, 1, &bytes));
  OK(cufftExecZ2Z(plan, a.device, b.device, CUFFT_FORWARD));
  check("transform", isTransform(in, b.get(), n, 0, 1) && bytes <= more);
  cufftDestroy(plan);
}

void madePlans() {
  const int n = 8;
  std::vector<cufftDoubleComplex> in(n * n * n, {0, 0});
  in[0] = {1, 0}; // its transform is 1 everywhere
  Array<cufftDoubleComplex> a(in), b(n * n * n);
  size_t bytes = 0;
  auto ones = [&](int count) {
    auto out = b.get();
    for (int i = 0; i < count; i++)
      if (std::fabs(out[i].x - 1) + std::fabs(out[i].y) > 1e-13) return false;
    return true;
  };
  cufftHandle one, two, three;
  OK(cufftCreate(&one));
  OK(cufftMakePlan1d(one, n, CUFFT_Z2Z, 1, &bytes));
  OK(cufftExecZ2Z(one, a.device, b.device, CUFFT_FORWARD));
  check("one", ones(n));
  OK(cufftCreate(&two));
  OK(cufftMakePlan2d(two, n, n, CUFFT_Z2Z, &bytes));
  OK(cufftExecZ2Z(two, a.device, b.device, CUFFT_FORWARD));
  check("two", ones(n * n));
  OK(cufftCreate(&three));
  OK(cufftMakePlan3d(three, n, n, n, CUFFT_Z2Z, &bytes));
  OK(cufftGetSize(three, &bytes));
  OK(cufftExecZ2Z(three, a.device, b.device, CUFFT_FORWARD));
  check("three", ones(n * n * n));
  for (cufftHandle p : {one, two, three}) cufftDestroy(p);
}

void workAreas() {
  const int n = 16;
  auto in = waves(n);
  Array<cufftDoubleComplex> a(in), b(n);
  size_t bytes = 0;
  cufftHandle plan;
  OK(cufftCreate(&plan));
  OK(cufftSetAutoAllocation(plan, 0));
  OK(cufftMakePlan1d(plan, n, CUFFT_Z2Z, 1, &bytes));
  Array<char> area(static_cast<int>(bytes) + 1);
  OK(cufftSetWorkArea(plan, area.device));
  OK(cufftExecZ2Z(plan, a.device, b.device, CUFFT_FORWARD));
  check("transform", isTransform(in, b.get(), n, 0, 1));
  cufftDestroy(plan);
}

void sizes() {
  size_t e1, e2, e3, s1, s2, s3, many;
  int version, major, n[] = {16};
  OK(cufftEstimate1d(16, CUFFT_C2C, 1, &e1));
  OK(cufftEstimate2d(16, 8, CUFFT_C2C, &e2));
  OK(cufftEstimate3d(16, 8, 4, CUFFT_C2C, &e3));
  cufftHandle plan;
  OK(cufftCreate(&plan));
  OK(cufftGetSize1d(plan, 16, CUFFT_C2C, 1, &s1));
  OK(cufftGetSize2d(plan, 16, 8, CUFFT_C2C, &s2));
  OK(cufftGetSize3d(plan, 16, 8, 4, CUFFT_C2C, &s3));
  OK(cufftGetSizeMany(plan, 1, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &many));
  check("sizes", s1 == many && s1 <= e1 && s2 <= e2 && s3 <= e3);
  OK(cufftGetVersion(&version));
  OK(cufftGetProperty(MAJOR_VERSION, &major));
  check("version", version / 1000 == major);
  cufftDestroy(plan);
}

void inPlace() {
  const int n = 25;
  auto in = waves(n);
  Array<cufftDoubleComplex> a(in);
  cufftHandle plan;
  OK(cufftPlan1d(&plan, n, CUFFT_Z2Z, 1));
  OK(cufftExecZ2Z(plan, a.device, a.device, CUFFT_FORWARD));
  check("transform", isTransform(in, a.get(), n, 0, 1));
  OK(cufftExecZ2Z(plan, a.device, a.device, CUFFT_INVERSE));
  auto out = a.get();
  for (int i = 0; i < n; i++) check("back", std::abs(Z(out[i].x / n - in[i].x, out[i].y / n - in[i].y)) < 1e-13);
  cufftDestroy(plan);
}

int main() {
  program("convolution", convolution);
  program("real numbers of single precision", realSingle);
  program("strided", strided);
  program("sizes of 64 bits", wideSizes);
  program("plans in steps", madePlans);
  program("work areas", workAreas);
  program("sizes", sizes);
  program("in place", inPlace);
  return report();
}
