// Thrust and CUB, from NVIDIA's CUDA toolkit: sort, scan, reduction,
// transformation, and CUB's device-wide and block-wide algorithms.
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

constexpr int kThreads = 128;

__global__ void blockScan(const int *in, int *out) {
  using Scan = cub::BlockScan<int, kThreads>;
  using Reduce = cub::BlockReduce<int, kThreads>;
  __shared__ union {
    typename Scan::TempStorage scan;
    typename Reduce::TempStorage reduce;
  } memory;
  int v = in[threadIdx.x], sum;
  Scan(memory.scan).InclusiveSum(v, sum);
#ifndef RACE
  __syncthreads(); // the memory is used again
#endif
  int most = Reduce(memory.reduce).Reduce(v, [](int a, int b) { return a > b ? a : b; });
  out[threadIdx.x] = sum;
  if (threadIdx.x == 0) out[kThreads] = most;
}

struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};

static bool check(const char *what, bool ok) {
  printf("%s: %s\n", what, ok ? "PASS" : "FAIL");
  return ok;
}

static std::vector<unsigned> randomNumbers(int n) {
  std::vector<unsigned> v(n);
  unsigned state = 1;
  for (unsigned &x : v) x = state = state * 1664525 + 1013904223;
  return v;
}

static bool sorting() {
  std::vector<unsigned> want = randomNumbers(5000);
  thrust::device_vector<unsigned> device(want.begin(), want.end());
  thrust::sort(device.begin(), device.end());
  std::sort(want.begin(), want.end());
  thrust::host_vector<unsigned> got = device;
  return check("thrust::sort", std::equal(want.begin(), want.end(), got.begin()));
}

static bool sums() {
  thrust::device_vector<float> f(1000, 2.f);
  thrust::transform(f.begin(), f.end(), f.begin(), Square());
  bool ok = check("thrust::reduce", thrust::reduce(f.begin(), f.end()) == 4000);
  thrust::device_vector<int> n(3000, 1);
  thrust::inclusive_scan(n.begin(), n.end(), n.begin());
  thrust::host_vector<int> h = n;
  std::vector<int> want(3000);
  std::iota(want.begin(), want.end(), 1);
  return check("thrust::inclusive_scan", std::equal(want.begin(), want.end(), h.begin())) && ok;
}

static bool deviceWide() {
  thrust::device_vector<int> in(2000, 3), out(1);
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, in.begin(), out.begin(), 2000);
  thrust::device_vector<char> memory(bytes);
  cub::DeviceReduce::Sum(thrust::raw_pointer_cast(memory.data()), bytes, in.begin(), out.begin(), 2000);
  return check("cub::DeviceReduce", out[0] == 6000);
}

static bool blockWide() {
  thrust::device_vector<int> in(kThreads), out(kThreads + 1);
  for (int i = 0; i < kThreads; i++) in[i] = i;
  blockScan<<<1, kThreads>>>(thrust::raw_pointer_cast(in.data()), thrust::raw_pointer_cast(out.data()));
  thrust::host_vector<int> h = out;
  bool ok = h[kThreads] == kThreads - 1;
  for (int i = 0; i < kThreads; i++) ok &= h[i] == i * (i + 1) / 2;
  return check("cub::BlockScan", ok);
}

int main() {
  bool ok = blockWide();
#ifndef RACE
  ok &= sorting();
  ok &= sums();
  ok &= deviceWide();
#endif
  return ok ? 0 : 1;
}
