// More of Thrust, CUB and libcu++: what programs use besides sorting and sums.
#include <cub/cub.cuh>
#include <cuda/std/span>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 64, kItems = 4, kN = kThreads * kItems;

static int failures;

static void check(const char *what, bool ok) {
  printf("%s: %s\n", what, ok ? "PASS" : "FAIL");
  failures += !ok;
}

// Calls a device-wide algorithm of CUB, which first says how much memory it needs.
template <class F>
static void deviceWide(F f) {
  size_t bytes = 0;
  f(nullptr, bytes);
  void *memory;
  cudaMalloc(&memory, bytes);
  f(memory, bytes);
  cudaFree(memory);
}

__global__ void sortBlock(cuda::std::span<int> keys) {
  using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
  } memory;
  int items[kItems];
  Load(memory.load).Load(keys.data(), items);
  __syncthreads();
  Sort(memory.sort).Sort(items);
  for (int i = 0; i < kItems; i++) keys[threadIdx.x * kItems + i] = items[i];
}

__global__ void sumWarps(const int *in, int *out) {
  using Reduce = cub::WarpReduce<int>;
  __shared__ typename Reduce::TempStorage memory[kThreads / 32];
  int sum = Reduce(memory[threadIdx.x / 32]).Sum(in[threadIdx.x]);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
}

struct Even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

static void thrustAlgorithms() {
  thrust::device_vector<int> v(1000), out(1000);
  thrust::sequence(v.begin(), v.end());
  auto end = thrust::copy_if(v.begin(), v.end(), out.begin(), Even());
  check("thrust::copy_if", end - out.begin() == 500 && out[499] == 998);
  int sum = thrust::transform_reduce(thrust::device, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(100),
                                     Square(), 0, thrust::plus<int>());
  check("thrust::transform_reduce", sum == 328350);
  std::vector<int> same = {1, 1, 2, 3, 3, 3, 7};
  thrust::device_vector<int> keys(same.begin(), same.end()), counts(7), kept(7);
  auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::make_constant_iterator(1), kept.begin(), counts.begin());
  check("thrust::reduce_by_key", ends.first - kept.begin() == 4 && counts[2] == 3);
  check("thrust::unique", thrust::unique(keys.begin(), keys.end()) - keys.begin() == 4);
}

static void deviceAlgorithms() {
  std::vector<unsigned> host(kN);
  for (int i = 0; i < kN; i++) host[i] = (i * 37u) % kN;
  thrust::device_vector<unsigned> keys(host.begin(), host.end()), sorted(kN);
  thrust::device_vector<int> values(kN), moved(kN), number(1), sums(kN);
  thrust::sequence(values.begin(), values.end());
  auto at = [](auto &v) { return thrust::raw_pointer_cast(v.data()); };
  deviceWide([&](void *m, size_t &n) { cub::DeviceRadixSort::SortPairs(m, n, at(keys), at(sorted), at(values), at(moved), kN); });
  bool ok = true;
  thrust::host_vector<unsigned> k = sorted;
  thrust::host_vector<int> v = moved;
  for (int i = 0; i < kN; i++) ok &= k[i] == unsigned(i) && host[v[i]] == unsigned(i);
  check("cub::DeviceRadixSort", ok);
  deviceWide([&](void *m, size_t &n) { cub::DeviceScan::ExclusiveSum(m, n, at(values), at(sums), kN); });
  check("cub::DeviceScan", sums[kN - 1] == (kN - 1) * (kN - 2) / 2);
  deviceWide([&](void *m, size_t &n) { cub::DeviceSelect::If(m, n, at(values), at(moved), at(number), kN, Even()); });
  check("cub::DeviceSelect", number[0] == kN / 2);
  thrust::device_vector<int> bins(4);
  deviceWide([&](void *m, size_t &n) { cub::DeviceHistogram::HistogramEven(m, n, at(values), at(bins), 5, 0, kN, kN); });
  check("cub::DeviceHistogram", bins[0] == kN / 4 && bins[3] == kN / 4);
}

static void blockAlgorithms() {
  thrust::device_vector<int> v(kN), out(kThreads / 32);
  for (int i = 0; i < kN; i++) v[i] = kN - i;
  sortBlock<<<1, kThreads>>>(cuda::std::span<int>(thrust::raw_pointer_cast(v.data()), kN));
  check("cub::BlockRadixSort", v[0] == 1 && v[kN - 1] == kN);
  sumWarps<<<1, kThreads>>>(thrust::raw_pointer_cast(v.data()), thrust::raw_pointer_cast(out.data()));
  check("cub::WarpReduce", out[0] == 528 && out[1] == 1552);
}

int main() {
  thrustAlgorithms();
  deviceAlgorithms();
  blockAlgorithms();
  return failures != 0;
}
