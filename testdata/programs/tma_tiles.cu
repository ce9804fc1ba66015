// flags: --arch sm_90a
// Tiles of a matrix by TMA: a bulk tensor copy brings a tile to shared memory, its words are
// changed there, and another one writes it back. Tiles at the border stick out of the matrix.
// The tensor map is a parameter, a constant variable, or in global memory.
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cudaTypedefs.h>
#include <vector>

constexpr int kRows = 50, kColumns = 72, kTileRows = 16, kTileColumns = 32;

#define CHECK(call)                                                                        \
  do {                                                                                     \
    cudaError_t e = (call);                                                                \
    if (e != cudaSuccess) {                                                                \
      printf("%s: %s\n", #call, cudaGetErrorString(e));                                    \
      return 1;                                                                            \
    }                                                                                      \
  } while (0)

__device__ uint32_t sharedAddress(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void initBarrier(uint64_t *bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(bar)), "r"(count) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ void expect(uint64_t *bar, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(bar)), "r"(bytes) : "memory");
}

__device__ void wait(uint64_t *bar, int parity) {
  asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra AGAIN;\n}" ::"r"(sharedAddress(bar)), "r"(parity) : "memory");
}

__device__ void load(void *tile, const CUtensorMap *map, int x, int y, uint64_t *bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(sharedAddress(tile)),
               "l"(map), "r"(x), "r"(y), "r"(sharedAddress(bar))
               : "memory");
}

__device__ void store(const CUtensorMap *map, int x, int y, const void *tile) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map), "r"(x), "r"(y), "r"(sharedAddress(tile)) : "memory");
}

__device__ void work(const CUtensorMap *map) {
  __shared__ alignas(128) int tile[kTileRows][kTileColumns];
  __shared__ uint64_t bar;
  int x = blockIdx.x * kTileColumns, y = blockIdx.y * kTileRows;
  if (threadIdx.x == 0) initBarrier(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&bar, sizeof tile);
    load(tile, map, x, y, &bar);
  }
  wait(&bar, 0);
  for (int row = 0; row < kTileRows; row++) tile[row][threadIdx.x] = 2 * tile[row][threadIdx.x] + 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    store(map, x, y, tile);
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}

__constant__ CUtensorMap constantMap;

__global__ void byParameter(const __grid_constant__ CUtensorMap map) { work(&map); }
__global__ void byConstant() { work(&constantMap); }
__global__ void byPointer(const CUtensorMap *map) {
  asm volatile("fence.proxy.tensormap::generic.acquire.sys [%0], 128;" ::"l"(map) : "memory");
  work(map);
}

int main() {
  PFN_cuTensorMapEncodeTiled_v12000 encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", reinterpret_cast<void **>(&encode), cudaEnableDefault, &found));
  int *matrix;
  CHECK(cudaMalloc(&matrix, kRows * kColumns * sizeof(int)));
  std::vector<int> want(kRows * kColumns), got(want.size());
  for (size_t i = 0; i < want.size(); i++) want[i] = static_cast<int>(i);
  CHECK(cudaMemcpy(matrix, want.data(), want.size() * sizeof(int), cudaMemcpyHostToDevice));

  CUtensorMap map;
  cuuint64_t size[] = {kColumns, kRows}, stride[] = {kColumns * sizeof(int)};
  cuuint32_t box[] = {kTileColumns, kTileRows}, step[] = {1, 1};
  auto make = [&](void *address, cuuint64_t pitch) {
    stride[0] = pitch;
    return encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, address, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                  CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  printf("misaligned address: %d, misaligned stride: %d, null: %d\n", make(matrix + 1, kColumns * sizeof(int)), make(matrix, 8), make(nullptr, 16));
  if (make(matrix, kColumns * sizeof(int)) != CUDA_SUCCESS) return 1;

  dim3 grid((kColumns + kTileColumns - 1) / kTileColumns, (kRows + kTileRows - 1) / kTileRows);
  byParameter<<<grid, kTileColumns>>>(map);
  CHECK(cudaMemcpyToSymbol(constantMap, &map, sizeof map));
  byConstant<<<grid, kTileColumns>>>();
  CUtensorMap *copy;
  CHECK(cudaMalloc(&copy, sizeof map));
  CHECK(cudaMemcpy(copy, &map, sizeof map, cudaMemcpyHostToDevice));
  byPointer<<<grid, kTileColumns>>>(copy);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(got.data(), matrix, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (size_t i = 0; i < want.size(); i++) wrong += got[i] != 8 * want[i] + 7;
  printf("%d of %zu words are wrong: %s\n", wrong, want.size(), wrong ? "FAIL" : "PASS");
  CHECK(cudaFree(copy));
  CHECK(cudaFree(matrix));
  return wrong != 0;
}
