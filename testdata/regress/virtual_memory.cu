// exit: 1
// A range of addresses that is larger than the device's memory: what is mapped
// side by side is one allocation, the rest is none.
#include <cstdio>
#include <cuda.h>

constexpr size_t chunk = 2 << 20;

__global__ void fill(int *p, size_t n) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) p[i] = int(i);
}

__global__ void past(const int *p, size_t at, int *out) { *out = p[at]; } // want memory out-of-bounds

int check(CUresult r, const char *what) {
  if (r == CUDA_SUCCESS) return 0;
  printf("%s: %d\n", what, r);
  return 1;
}

int main() {
  cudaFree(nullptr);
  CUmemAllocationProp prop = {};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUdeviceptr range;
  if (check(cuMemAddressReserve(&range, size_t(32) << 30, 0, 0, 0), "reserve")) return 2;
  CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  for (int i = 0; i < 3; i++) {
    CUmemGenericAllocationHandle h;
    if (check(cuMemCreate(&h, chunk, &prop, 0), "create")) return 2;
    if (check(cuMemMap(range + i * chunk, chunk, 0, h, 0), "map")) return 2;
    cuMemRelease(h);
    if (check(cuMemSetAccess(range + i * chunk, chunk, &access, 1), "access")) return 2;
  }
  size_t n = 3 * chunk / sizeof(int);
  int *p = reinterpret_cast<int *>(range);
  fill<<<(n + 255) / 256, 256>>>(p, n);
  static int host[2 * chunk / sizeof(int)];
  if (cudaMemcpy(host, p + n / 6, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 2; // over two seams
  for (size_t i = 0; i < sizeof host / sizeof(int); i++)
    if (host[i] != int(n / 6 + i)) return 2;
  check(cuMemUnmap(range + chunk, chunk), "unmap");
  if (cudaMemcpy(host, p + n / 3 * 2, chunk, cudaMemcpyDeviceToHost) != cudaSuccess) return 2; // the last stays
  int *out;
  cudaMalloc(&out, sizeof *out);
  past<<<1, 1>>>(p, n / 2, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
