// flags: --arch sm_90a
// Bulk copies by cuda::barrier, in the ways of CUDA's documentation: a line through shared memory
// and back with memcpy_async_tx, a matrix transposed by tiles that TMA swizzles, sums by a bulk
// reduction, and a tile that all blocks of a cluster get by one multicast.
#include <cstdio>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

namespace cde = cuda::device::experimental;
namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kThreads = 128, kTile = 32, kSize = 96;

__global__ void addOne(int *data) {
  __shared__ alignas(16) int part[kThreads];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  int *mine = data + blockIdx.x * kThreads;
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(part, mine, cuda::aligned_size_t<16>(sizeof part), bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof part);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  part[threadIdx.x]++;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, mine, part, sizeof part);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

// The tiles have rows of 128 bytes, whose pieces of 16 bytes TMA exchanges by row.
__device__ int place(int row, int column) { return row * kTile + ((column / 4 ^ row % 8) * 4 | column % 4); }

__global__ void transpose(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to) {
  __shared__ alignas(1024) int in[kTile * kTile];
  __shared__ alignas(1024) int out[kTile * kTile];
  __shared__ Barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(in, &from, blockIdx.x * kTile, blockIdx.y * kTile, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof in);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < kTile * kTile; i += blockDim.x) out[place(i % kTile, i / kTile)] = in[place(i / kTile, i % kTile)];
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_shared_to_global(&to, blockIdx.y * kTile, blockIdx.x * kTile, out);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}

__global__ void sum(int *total) {
  __shared__ alignas(16) int part[kThreads];
  part[threadIdx.x] = threadIdx.x + blockIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, total, part, sizeof part);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

__global__ void __cluster_dims__(2, 1, 1) share(const int *data, int *out) {
  __shared__ alignas(16) int part[kThreads];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof part);
  }
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
  if (threadIdx.x == 0 && ptx::get_sreg_cluster_ctarank() == 0)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, part, data, sizeof part, &bar, 3);
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  out[blockIdx.x * kThreads + threadIdx.x] = part[threadIdx.x];
}

int main() {
  int bad = 0;
  int *data, *other;
  cudaMalloc(&data, kSize * kSize * sizeof(int));
  cudaMalloc(&other, kSize * kSize * sizeof(int));
  std::vector<int> v(kSize * kSize), got(v.size());
  for (size_t i = 0; i < v.size(); i++) v[i] = static_cast<int>(3 * i);
  cudaMemcpy(data, v.data(), v.size() * sizeof(int), cudaMemcpyHostToDevice);

  addOne<<<kSize * kSize / kThreads, kThreads>>>(data);
  CUtensorMap from, to;
  cuuint64_t size[] = {kSize, kSize}, stride[] = {kSize * sizeof(int)};
  cuuint32_t box[] = {kTile, kTile}, step[] = {1, 1};
  for (auto m : {std::make_pair(&from, data), std::make_pair(&to, other)})
    if (cuTensorMapEncodeTiled(m.first, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, m.second, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
      bad++;
  transpose<<<dim3(kSize / kTile, kSize / kTile), kThreads>>>(from, to);
  cudaMemcpy(got.data(), other, got.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (int y = 0; y < kSize; y++)
    for (int x = 0; x < kSize; x++) bad += got[y * kSize + x] != v[x * kSize + y] + 1;

  cudaMemset(other, 0, kThreads * sizeof(int));
  sum<<<4, kThreads>>>(other);
  cudaMemcpy(got.data(), other, kThreads * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < kThreads; i++) bad += got[i] != 4 * i + 6;

  share<<<4, kThreads>>>(data, other);
  cudaMemcpy(got.data(), other, 4 * kThreads * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 4 * kThreads; i++) bad += got[i] != v[i % kThreads] + 1;
  printf("%s: %s\n", bad ? "FAIL" : "PASS", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(data);
  cudaFree(other);
  return bad != 0;
}
